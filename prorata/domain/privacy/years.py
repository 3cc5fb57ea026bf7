"""Dates that are a number of years after or before another date."""

from datetime import date


def years_after(day: str, years: int) -> str:
    """Return the day a number of years after, or before, another day.

    >>> years_after("2024-02-29", 10), years_after("2026-03-01", -2)
    ('2034-02-28', '2024-03-01')
    """
    was = date.fromisoformat(day)
    last = 28 if (was.month, was.day) == (2, 29) else was.day
    return was.replace(year=max(1, was.year + years), day=last).isoformat()
