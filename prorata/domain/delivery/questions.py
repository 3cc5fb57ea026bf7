"""A tenant's question about an invoice: a few sentences of plain text."""

import re

_EMPTY_LINES = re.compile(r"\n{3,}")


def as_asked(text: str) -> str:
    r"""Normalize a question for storage: no invisible characters, no repeated empty lines.

    >>> as_asked(" Why so much?\r\n\n\n\nAnn\x00\x07 ")
    'Why so much?\n\nAnn'
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    seen = ("".join(letter for letter in line.replace("\t", " ") if letter.isprintable()).strip() for line in lines)
    return _EMPTY_LINES.sub("\n\n", "\n".join(seen)).strip()
