"""File names chosen by other people, for showing and storing only, never used as paths."""

import re
import unicodedata
from collections.abc import Collection

from prorata.domain.limits import LONGEST_FILE_ENDING, LONGEST_FILE_NAME

NAMELESS = "file"
_DRIVE = re.compile(r"^[A-Za-z]:")
_NEITHER = frozenset('<>:"|?*')
"""The characters that some operating systems forbid in file names."""


def clean_name(given: str, taken: Collection[str] = ()) -> str:
    r"""Clean a file name, keeping its folders.

    The drive, the root, parent folders and unprintable characters are removed; if nothing is left, the name is
    "file". A number is added if one of the names in `taken` is the same, ignoring case.

    >>> clean_name("../../etc/passwd"), clean_name("C:\\bills\\march.pdf"), clean_name("/march.pdf")
    ('etc/passwd', 'bills/march.pdf', 'march.pdf')
    >>> clean_name("march.pdf\x00.exe"), clean_name("..")
    ('march.pdf.exe', 'file')
    >>> clean_name("March.pdf", ["march.pdf"]), clean_name("march", ["march", "march (2)"])
    ('March (2).pdf', 'march (3)')
    """
    parts = (_DRIVE.sub("", part.strip()) for part in given.replace("\\", "/").split("/"))
    shown = (
        "".join(character for character in part if character.isprintable() and character not in _NEITHER).strip()
        for part in parts
    )
    name = "/".join(part for part in shown if part.strip(". "))
    name = _shortened(unicodedata.normalize("NFC", name)) or NAMELESS
    known = {taken_name.casefold() for taken_name in taken}
    if name.casefold() not in known:
        return name
    stem, ending = _divided(name)
    number = 2
    while (numbered := f"{stem} ({number}){ending}").casefold() in known:
        number += 1
    return numbered


def _divided(name: str) -> tuple[str, str]:
    """Split a name into its stem and its extension with the dot, if any."""
    folders, slash, last = name.rpartition("/")
    stem, dot, ending = last.rpartition(".")
    if not stem or len(ending) > LONGEST_FILE_ENDING:
        return name, ""
    return folders + slash + stem, dot + ending


def _shortened(name: str) -> str:
    if len(name) <= LONGEST_FILE_NAME:
        return name
    stem, ending = _divided(name)
    return stem[: LONGEST_FILE_NAME - len(ending)].rstrip("/. ") + ending
