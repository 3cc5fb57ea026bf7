"""Whether words beside a charge speak of another time than the one that the bill is for."""

import re
from datetime import date

from prorata.domain.intake.bill_reading.dates import MONTH_NUMBERS, Order, Written, dates_in, day_or_none
from prorata.domain.intake.bill_reading.text_folding import MEASURES, plain

Days = tuple[date, date]
_NAME = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
_MONTH = re.compile(rf"\b({_NAME})\b\.?(?: (?:de |del )?((?:19|20)[0-9]{{2}}))?")
_NO_MEASURE = rf"(?! ?(?:{MEASURES}|kw|mbit|%))"
_PART = r"([0-9]{1,3}|(?:19|20)[0-9]{2})"
_DIVIDED = re.compile(rf"(?<![0-9.,/]){_PART}/{_PART}(?![0-9/]|[.,][0-9]){_NO_MEASURE}")
_JOINED = re.compile(rf"(?<![0-9.,/-]){_PART} ?[–-] ?{_PART}(?![0-9]|[.,/-][0-9]){_NO_MEASURE}")
_YEAR = re.compile(r"(?<![0-9.,/-])(?:19|20)[0-9]{2}(?![0-9]|[.,/-][0-9])")
_CENTURY = 2000


def is_of_another_time(text: str, service: Days | None, order: Order | None) -> bool:
    """Whether a text says a time that is not shown to lie in that of service: from its first day to its last, None
    where they are not known. A span of days within it does, and the month in which all of it lies. A single day may be
    that on which the bill before was made or due, another month may be that bill's, and a year may be all of a year.

    >>> service = date(2026, 9, 18), date(2026, 10, 17)
    >>> texts = "09/20/2026 to 10/03/2026", "08/20/2026 to 09/17/2026", "9/18-10/17", "09/25/2026", "31-60"
    >>> [is_of_another_time(text, service, "MDY") for text in texts]
    [False, True, False, True, True]
    >>> texts = "October", "10/26", "2026", "0-10 m³", "Water service"
    >>> [is_of_another_time(text, service, "MDY") for text in texts]
    [True, True, True, False, False]
    >>> october = date(2026, 10, 1), date(2026, 10, 31)
    >>> texts = "October", "10/26", "Oct. 2026", "October 2025", "09/26"
    >>> [is_of_another_time(text, october, "MDY") for text in texts]
    [False, False, False, True, True]
    >>> is_of_another_time("Water service", None, None), is_of_another_time("October 2026", None, None)
    (False, True)
    """
    dates = dates_in(text)
    rest = plain(text)
    for one in reversed(dates):
        rest = f"{rest[: one.start]} {rest[one.end :]}"
    if service is None:
        return bool(dates) or any(pattern.search(rest) for pattern in (_MONTH, _DIVIDED, _JOINED, _YEAR))
    if len(dates) == 1 or not all(_is_within(one, service, order) for one in dates):
        return True
    return _says_another(rest, service)


def is_all_of(text: str, service: Days | None, order: Order | None) -> bool:
    """Whether a text says the first and the last day of service, and no other."""
    days = tuple(one.day(order) for one in dates_in(text))
    return service is not None and days == service


def without_days(text: str, service: Days | None, order: Order | None) -> str:
    """A text without its days where those are the first and the last of service; else as it is."""
    if not is_all_of(text, service, order):
        return text
    dates = dates_in(text)
    return f"{plain(text)[: dates[0].start]} {plain(text)[dates[-1].end :]}"


def is_a_time(text: str) -> bool:
    """Whether a text says a month, a year or days without one, as the head of a column may; whole dates are facts.

    >>> [is_a_time(text) for text in ("Q2 2026", "09/18-10/17", "September charges", "09/18/2026", "Water service")]
    [True, True, True, False, False]
    """
    return not dates_in(text) and is_of_another_time(text, None, None)


def is_a_month_or_year(text: str) -> bool:
    """Whether a text is a month or a year and nothing else, as at the head of a column.

    >>> [is_a_month_or_year(text) for text in ("September", "Sept. 2026", "08/2026", "2025", "Sep 18", "May I help?")]
    [True, True, True, True, False, False]
    """
    return any(pattern.fullmatch(plain(text)) for pattern in (_MONTH, _DIVIDED, _YEAR))


def _is_within(written: Written, service: Days, order: Order | None) -> bool:
    if written.month_and_day is not None:
        return _is_a_day_of(service, *written.month_and_day)
    day = written.day(order)
    return day is not None and service[0] <= day <= service[1]


def _says_another(text: str, service: Days) -> bool:
    """Whether a text without whole dates says a month, a year or a day that is not of the time of service."""
    for name in _MONTH.finditer(text):
        if not _lies_in(service, MONTH_NUMBERS[name[1]], int(name[2]) if name[2] else service[0].year):
            return True
    text = _MONTH.sub(" ", text)
    for pattern in (_DIVIDED, _JOINED):
        if not all(_may_be_of(service, int(pair[1]), int(pair[2])) for pair in pattern.finditer(text)):
            return True
        text = pattern.sub(" ", text)
    return bool(_YEAR.search(text))


def _may_be_of(service: Days, one: int, other: int) -> bool:
    """Whether two numbers may mean a day of service, or the month of all of it, in whatever order."""
    year = other if other >= _CENTURY else _CENTURY + other
    return _is_a_day_of(service, one, other) or _is_a_day_of(service, other, one) or _lies_in(service, one, year)


def _is_a_day_of(service: Days, month: int, day: int) -> bool:
    days = (day_or_none(at.year, month, day) for at in service)
    return any(one is not None and service[0] <= one <= service[1] for one in days)


def _lies_in(service: Days, month: int, year: int) -> bool:
    """Whether all of the time of service lies in a month."""
    return all((at.year, at.month) == (year, month) for at in service)
