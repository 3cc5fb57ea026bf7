"""Billing months and calendar days, without time zones.

A month is a string such as `2026-03`, and a day a `datetime.date`.
"""

import re
from calendar import month_name, monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import NewType

Month = NewType("Month", str)

FIRST_DATE, LAST_DATE = date(1970, 1, 1), date(2999, 12, 31)
"""The earliest and latest dates that a bill, a file or a page may contain.

Both leave room for calculations beyond them.
"""
_AHEAD, _BACK = 12, 120
"""The numbers of months after and before this month that a person can choose."""
_WRITTEN = re.compile(r"(?!0000)[0-9]{4}-(0[1-9]|1[0-2])", re.ASCII)


def read_month(text: str) -> Month | None:
    """Parse a month written as YYYY-MM; None if `text` is not a month.

    >>> read_month("2026-03"), read_month("2026-3"), read_month("2026-13")
    ('2026-03', None, None)
    """
    return Month(text) if _WRITTEN.fullmatch(text) else None


def is_in_reach(text: str) -> bool:
    """True if a month or day, written YYYY-MM or YYYY-MM-DD, is between 1970 and 2999.

    >>> is_in_reach("2026-03"), is_in_reach("0001-01-01"), is_in_reach("9999-12")
    (True, False, False)
    """
    return str(FIRST_DATE.year) <= text[:4] <= str(LAST_DATE.year)


def month_of(day: date) -> Month:
    """Return the month that contains a day.

    >>> month_of(date(2026, 3, 31))
    '2026-03'
    """
    return Month(f"{day.year:04d}-{day.month:02d}")


@lru_cache(maxsize=2400)
def first_day(month: Month) -> date:
    """Return the first day of a month."""
    return date(int(month[:4]), int(month[5:]), 1)


@lru_cache(maxsize=2400)
def last_day(month: Month) -> date:
    """Return the last day of a month.

    >>> last_day(Month("2028-02"))
    datetime.date(2028, 2, 29)
    """
    year, number = int(month[:4]), int(month[5:])
    return date(year, number, monthrange(year, number)[1])


def days_there(month: Month, since: date | None, until: date | None) -> int:
    """Count the days of `month` in a stay from `since` to `until`, both included.

    If `since` or `until` is None, the stay has no first or no last day.

    >>> days_there(Month("2026-03"), date(2026, 3, 30), None), days_there(Month("2026-03"), None, date(2026, 2, 28))
    (2, 0)
    """
    start = first_day(month) if since is None else max(since, first_day(month))
    end = last_day(month) if until is None else min(until, last_day(month))
    return max(0, (end - start).days + 1)


def day_of(text: str | None) -> date | None:
    """Parse a stored day; None if no day is stored."""
    return date.fromisoformat(text) if text else None


def months_between(first: date, last: date) -> Iterator[Month]:
    """Yield every month from the month of `first` to the month of `last`."""
    day = first.replace(day=1)
    while day <= last:
        yield month_of(day)
        day = (day + timedelta(days=31)).replace(day=1)


def month_with_most_days(start: date, end: date) -> Month:
    """Return the month with the most days of the service period from `start` to `end`.

    On a tie, it is the later month (docs/decisions.md#billing-month). This is only the default of several billing
    month rules; `bills.billing_month` applies the account's rule.

    >>> month_with_most_days(date(2026, 2, 20), date(2026, 3, 19))
    '2026-03'
    """
    months = months_between(start, end)
    return max(months, key=lambda month: (days_there(month, start, end), month))


def tied_months(start: date, end: date) -> list[Month]:
    """List the months that tie for the most days of a service period.

    `month_with_most_days` returns the latest of them.

    The list is empty if one month has the most days.

    >>> tied_months(date(2026, 9, 16), date(2026, 10, 15)), tied_months(date(2026, 9, 17), date(2026, 10, 15))
    (['2026-09', '2026-10'], [])
    """
    most = days_there(month_with_most_days(start, end), start, end)
    tied = [month for month in months_between(start, end) if days_there(month, start, end) == most]
    return tied if len(tied) > 1 else []


def next_month(month: Month) -> Month:
    """Return the month after the given month.

    >>> next_month(Month("2026-12"))
    '2027-01'
    """
    return month_of(last_day(month) + timedelta(days=1))


def months_back(month: Month, number: int) -> Month:
    """Return the month that lies `number` months before another month.

    >>> months_back(Month("2026-03"), 6), months_back(Month("2026-12"), 11), months_back(Month("2026-03"), 0)
    ('2025-09', '2026-01', '2026-03')
    """
    year, place = divmod(_count(month) - number, 12)
    return Month(f"{year:04d}-{place + 1:02d}")


def to_choose_from(now: Month, chosen: str = "") -> list[Month]:
    """List the months that a form offers to choose from, newest first.

    The list contains the months from ten years before `now` to one year after `now`, and the month `chosen`.

    >>> to_choose_from(Month("2026-03"))[0], to_choose_from(Month("2026-03"), "2011-05")[-2:]
    ('2027-03', ['2016-03', '2011-05'])
    """
    offered = [months_back(now, number) for number in range(-_AHEAD, _BACK + 1)]
    other = read_month(chosen)
    return offered if other is None or other in offered else sorted([*offered, other], reverse=True)


def months_apart(earlier: Month, later: Month) -> int:
    """Count the months from a month to a later month.

    >>> months_apart(Month("2025-11"), Month("2026-02"))
    3
    """
    return _count(later) - _count(earlier)


def _count(month: Month) -> int:
    return int(month[:4]) * 12 + int(month[5:]) - 1


class NamedMonth(str):
    """A month's name in English, which a page translates into its reader's language."""

    __slots__ = ("month",)
    month: Month


def service_period(first: date | None, last: date | None) -> tuple[date, date] | None:
    """Return the first and last day of a service period.

    The result is None if a day is missing, or if the last day comes before the first.

    >>> service_period(date(2026, 1, 31), date(2026, 1, 1)), service_period(date(2026, 1, 1), None)
    (None, None)
    """
    return None if first is None or last is None or last < first else (first, last)


def month_in_words(month: Month) -> NamedMonth:
    """Name a month in English, such as March 2026, for use in a sentence.

    >>> month_in_words(Month("2026-03"))
    'March 2026'
    """
    named = NamedMonth(f"{month_name[int(month[5:])]} {month[:4]}")
    named.month = month
    return named
