"""Dates as bills print them.

A date of three numbers is unambiguous only if the order of day, month and year is known.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Literal, NamedTuple

from prorata.domain.intake.bill_reading.text_folding import plain
from prorata.domain.month_names import ANY_MONTH, MONTH_NUMBERS

Order = Literal["DMY", "MDY", "YMD"]
ORDERS: tuple[Order, ...] = ("DMY", "MDY", "YMD")
"""The possible orders of day, month and year in a numeric date.

A two-digit year comes first only with hyphens, as in `26-03-14`. A four-digit year is clear in any position.
"""

_ISO = re.compile(r"(?<![0-9.,/-])((?:19|20)[0-9]{2})([-/.])([0-9]{2})\2([0-9]{2})(?![0-9]|[.,/-][0-9])", re.ASCII)
_NUMBERS = re.compile(
    r"(?<![0-9.,/-])([0-9]{1,2}) ?([./-]) ?([0-9]{1,2}) ?\2 ?((?:19|20)[0-9]{2}|[0-9]{2})(?![0-9]|[.,/-][0-9])",
    re.ASCII,
)
_DAY_FIRST = re.compile(
    rf"(?<![0-9.,/-])(?P<day>[0-9]{{1,2}})(?:er|\.|st|nd|rd|th)?(?: de)?[ -](?P<name>{ANY_MONTH})\b\.?(?: de| del)?"
    rf"[ ,-]*(?P<year>(?:19|20)[0-9]{{2}})?(?![0-9])"
)
_MONTH_FIRST = re.compile(
    rf"\b(?P<name>{ANY_MONTH})\b\.? (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9.,]*[0-9]:)"
    r"(?:,? (?P<year>(?:19|20)[0-9]{2}))?(?![0-9])"
)
_DAY_AND_MONTH = re.compile(r"(?<![0-9.,/-])([0-9]{1,2})\.([0-9]{1,2})\.(?! ?[0-9])", re.ASCII)
_CENTURY = 2000
_SHORT_YEAR = 2


class Written(NamedTuple):
    """A date as written in a text, from position `start` to `end`.

    `readings` are the possible meanings of the date: pairs of an order of day, month and year, and the resulting
    day. The order is None if the day is the same in any order. If the year is missing, only `month_and_day` is
    known. `pointed` means that dots separate the numbers. The day then usually comes first, but not always.
    """

    start: int
    end: int
    readings: tuple[tuple[Order | None, date], ...]
    month_and_day: tuple[int, int] | None = None
    pointed: bool = False

    def day(self, order: Order | None) -> date | None:
        """Return the date, given the order of its parts; None if several are possible.

        An `order` of None means that the order of day, month and year is unknown.
        """
        days = {day for known, day in self.readings if known is None or order is None or known == order}
        return days.pop() if len(days) == 1 else None

    @property
    def orders(self) -> frozenset[Order]:
        """The orders of day, month and year in which the date is valid.

        If every order gives the same day, the result contains all orders.
        """
        known = frozenset(order for order, _ in self.readings if order is not None)
        return known or frozenset(ORDERS)


def dates_in(text: str) -> tuple[Written, ...]:
    """Return the dates written in a text, in the order of the text.

    >>> [found.day(None) for found in dates_in("14. März 2026 bis 2026-04-13")]
    [datetime.date(2026, 3, 14), datetime.date(2026, 4, 13)]
    >>> (found,) = dates_in("03/04/2026")
    >>> found.day(None), found.day("MDY"), found.day("DMY")
    (None, datetime.date(2026, 3, 4), datetime.date(2026, 4, 3))
    >>> (found,) = dates_in("26-03-14")
    >>> found.day(None), found.day("YMD"), found.day("DMY")
    (None, datetime.date(2026, 3, 14), datetime.date(2014, 3, 26))
    """
    dates = sorted(_found(plain(text)), key=lambda written: (written.start, -written.end))
    kept: list[Written] = []
    for written in dates:
        if not kept or written.start >= kept[-1].end:
            kept.append(written)
    return tuple(kept)


def _found(text: str) -> Iterator[Written]:
    for iso in _ISO.finditer(text):
        day = day_or_none(int(iso[1]), int(iso[3]), int(iso[4]))
        if day:
            yield Written(*iso.span(), ((None, day),))
    for numbers in _NUMBERS.finditer(text):
        readings = tuple(_readings(*numbers.group(1, 3, 4), may_begin=numbers[2] == "-"))
        if readings:
            yield Written(*numbers.span(), readings, pointed=numbers[2] == ".")
    for form in (_DAY_FIRST, _MONTH_FIRST):
        for named in form.finditer(text):
            yield from _named(named)
    for short in _DAY_AND_MONTH.finditer(text):
        if day_or_none(_CENTURY, int(short[2]), int(short[1])):
            yield Written(*short.span(), (), (int(short[2]), int(short[1])), pointed=True)


def _named(match: re.Match[str]) -> Iterator[Written]:
    month, number = MONTH_NUMBERS[match["name"]], int(match["day"])
    if match["year"] is None:
        if day_or_none(_CENTURY, month, number):
            yield Written(*match.span(), (), (month, number))
        return
    day = day_or_none(int(match["year"]), month, number)
    if day:
        yield Written(*match.span(), ((None, day),))


def _readings(first: str, middle: str, last: str, *, may_begin: bool) -> Iterator[tuple[Order | None, date]]:
    """Yield the days that three numbers may mean, each with its order of parts.

    `may_begin` means that the first number may be the year.
    """
    is_short = len(last) == _SHORT_YEAR
    year = int(last) + (_CENTURY if is_short else 0)
    written: list[tuple[Order, int, str, str]] = [("DMY", year, middle, first), ("MDY", year, first, middle)]
    if may_begin and is_short and len(first) == _SHORT_YEAR:
        written.append(("YMD", _CENTURY + int(first), middle, last))
    for order, its_year, month, number in written:
        day = day_or_none(its_year, int(month), int(number))
        if day:
            yield order, day


def day_or_none(year: int, month: int, day: int) -> date | None:
    """Return the date with this year, month and day; None if it doesn't exist."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def with_year_of(first: Written, last: date) -> date | None:
    """Add the missing year to the first day of a service period.

    `last` is the last day of the period; the first day lies within the year before `last`.

    >>> (december,) = dates_in("Dec 14")
    >>> with_year_of(december, date(2026, 1, 13))
    datetime.date(2025, 12, 14)
    """
    if first.month_and_day is None:
        return None
    day = day_or_none(last.year, *first.month_and_day)
    return day if day is None or day < last else day_or_none(last.year - 1, *first.month_and_day)
