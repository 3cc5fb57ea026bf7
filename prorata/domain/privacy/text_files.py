"""Removal of a person's names and addresses from text files, keeping their encoding."""

import re
from typing import Final

from prorata.domain.privacy.personal_words import Cutter

ZIP: Final = b"PK\x03\x04"
"""The first bytes of a workbook, which is a ZIP file."""
_IS_BINARY = re.compile(rb"%PDF|\x89PNG|\xff\xd8\xff|GIF8|II\*\x00|MM\x00\*|\xd0\xcf\x11\xe0")
_MARKS = (b"\xff\xfe", b"\xfe\xff")


def is_text(head: bytes) -> bool:
    """True if a file with these first bytes may be text.

    >>> is_text(b"Date"), is_text(b"%PDF"), is_text(ZIP)
    (True, False, False)
    """
    return not (_IS_BINARY.match(head) or head.startswith(ZIP))


def cut_text(content: bytes, cutter: Cutter) -> bytes | None:
    """Cut a person's names and addresses from a text file.

    Return None if the file contains none of them, or if it is not text.
    """
    if not is_text(content):
        return None
    for encoding in ("utf-16",) if content[:2] in _MARKS else ("utf-8", "cp1252", "latin-1"):
        try:
            said = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return cutter.cut(said).encode(encoding) if cutter.finds(said) else None
    return None
