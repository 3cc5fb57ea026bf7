"""Words in column headings that name a time: a month, a year or days."""

import re

from prorata.domain.intake.bill_reading.dates import dates_in
from prorata.domain.intake.bill_reading.text_folding import MEASURES, plain
from prorata.domain.month_names import ANY_MONTH

_MONTH = re.compile(rf"\b({ANY_MONTH})\b\.?(?: (?:de |del )?((?:19|20)[0-9]{{2}}))?")
_NO_MEASURE = rf"(?! ?(?:{MEASURES}|kw|mbit|%))"
_PART = r"([0-9]{1,3}|(?:19|20)[0-9]{2})"
_DIVIDED = re.compile(rf"(?<![0-9.,/]){_PART}/{_PART}(?![0-9/]|[.,][0-9]){_NO_MEASURE}")
_JOINED = re.compile(rf"(?<![0-9.,/-]){_PART} ?[–-] ?{_PART}(?![0-9]|[.,/-][0-9]){_NO_MEASURE}")
_YEAR = re.compile(r"(?<![0-9.,/-])(?:19|20)[0-9]{2}(?![0-9]|[.,/-][0-9])")


def is_a_time(text: str) -> bool:
    """True if a text names a time: a month, year or range of days.

    The days of the range have no year. Column headings are often such texts. A complete date is a value instead.

    >>> [is_a_time(text) for text in ("Q2 2026", "09/18-10/17", "September charges", "09/18/2026", "Water service")]
    [True, True, True, False, False]
    """
    words = plain(text)
    return not dates_in(text) and any(pattern.search(words) for pattern in (_MONTH, _DIVIDED, _JOINED, _YEAR))


def is_a_month_or_year(text: str) -> bool:
    """True if the text is only a month or year, as in a column heading.

    >>> [is_a_month_or_year(text) for text in ("September", "Sept. 2026", "08/2026", "2025", "Sep 18", "May I help?")]
    [True, True, True, True, False, False]
    """
    return any(pattern.fullmatch(plain(text)) for pattern in (_MONTH, _DIVIDED, _YEAR))
