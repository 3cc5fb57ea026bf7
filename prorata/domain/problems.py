"""A problem: one thing that is wrong with what somebody gave us, said so that they can mend it."""

from typing import NamedTuple

from prorata.domain.billing_calendar import FIRST_DATE, LAST_DATE, is_in_reach
from prorata.domain.limits import LONGEST_SHOWN_VALUE
from prorata.domain.texts import Text

FAR = Text("must lie from {first} to {last}", first=FIRST_DATE.year, last=LAST_DATE.year)
"""What a month or a day must that lies where we don't reckon."""


class Problem(NamedTuple):
    """What is wrong with one field. `message` is a sentence that never repeats the value that was sent."""

    field: str
    message: str


def unfit(field: str, must: str) -> Problem:
    """A field whose value is not what it must be; `must` is the rest of the sentence.

    >>> unfit("zip", "is required").message
    '`zip` is required.'
    """
    return Problem(field, Text("`{field}` {must}.", field=field, must=must))


def problems_of_month(field: str, month: str | None) -> list[Problem]:
    """What is wrong with a field that holds a month that we may not reckon with, or none.

    >>> problems_of_month("month", "2026-03"), problems_of_month("month", "6766-01")[0].message
    ([], '`month` must lie from 1970 to 2999.')
    """
    return [] if month is None or is_in_reach(month) else [unfit(field, FAR)]


def shown(name: str) -> str:
    """A name of a field or label as it may appear in a message: printable, and cut to 64 characters.

    >>> shown("Flat 2")
    'Flat 2'
    >>> len(shown("x" * 1000))
    64
    """
    printable = "".join(character if character.isprintable() else "?" for character in name[:LONGEST_SHOWN_VALUE])
    return printable if len(name) <= LONGEST_SHOWN_VALUE else printable[:-1] + "…"
