"""What a tenant asks about an invoice: a few sentences, as plain text."""

import re

_EMPTY_LINES = re.compile(r"\n{3,}")


def as_asked(text: str) -> str:
    r"""A question as it is kept: lines without what can't be seen, at most one empty line between two.

    >>> as_asked(" Why so much?\r\n\n\n\nAnn\x00\x07 ")
    'Why so much?\n\nAnn'
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    seen = ("".join(letter for letter in line.replace("\t", " ") if letter.isprintable()).strip() for line in lines)
    return _EMPTY_LINES.sub("\n\n", "\n".join(seen)).strip()
