"""A problem with somebody's input, worded so that this person can correct the input."""

from typing import NamedTuple

from prorata.domain.billing_calendar import FIRST_DATE, LAST_DATE, is_in_reach
from prorata.domain.limits import LONGEST_SHOWN_VALUE
from prorata.domain.texts import Text

FAR = Text("must be between {first} and {last}", first=FIRST_DATE.year, last=LAST_DATE.year)
"""The error text for a month or day outside the supported years."""


class Problem(NamedTuple):
    """A problem with one field; `message` is a sentence that never repeats the submitted value."""

    field: str
    message: str


def unfit(field: str, must: str) -> Problem:
    """Build the problem of an invalid field.

    `must` completes a sentence that begins with the name of the field.

    >>> unfit("zip", "is required").message
    '`zip` is required.'
    """
    return Problem(field, Text("`{field}` {must}.", field=field, must=must))


def problems_of_month(field: str, month: str | None) -> list[Problem]:
    """Return the problem of a month outside the supported years, as a list of one.

    The list is empty if the month is supported or missing.

    >>> problems_of_month("month", "2026-03"), problems_of_month("month", "6766-01")[0].message
    ([], '`month` must be between 1970 and 2999.')
    """
    return [] if month is None or is_in_reach(month) else [unfit(field, FAR)]


def shown(name: str) -> str:
    """Make a field name or label safe for a message: printable, at most 64 characters.

    >>> shown("Flat 2")
    'Flat 2'
    >>> len(shown("x" * 1000))
    64
    """
    printable = "".join(character if character.isprintable() else "?" for character in name[:LONGEST_SHOWN_VALUE])
    return printable if len(name) <= LONGEST_SHOWN_VALUE else printable[:-1] + "…"
