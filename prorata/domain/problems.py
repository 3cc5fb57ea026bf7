"""A problem: one thing that is wrong with what somebody gave us, said so that they can mend it."""

from typing import NamedTuple

from prorata.domain.limits import LONGEST_SHOWN_VALUE


class Problem(NamedTuple):
    """What is wrong with one field. `message` is a sentence that never repeats the value that was sent."""

    field: str
    message: str


def shown(name: str) -> str:
    """A name of a field or label as it may appear in a message: printable, and cut to 64 characters.

    >>> shown("Flat 2")
    'Flat 2'
    >>> len(shown("x" * 1000))
    64
    """
    printable = "".join(character if character.isprintable() else "?" for character in name[:LONGEST_SHOWN_VALUE])
    return printable if len(name) <= LONGEST_SHOWN_VALUE else printable[:-1] + "…"
