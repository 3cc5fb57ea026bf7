"""Invoice numbers and months in the texts of bank statements."""

import re
from collections.abc import Iterable

NUMBER = re.compile(r"(?<![A-Z0-9])[A-Z0-9]+-[A-Z0-9]+(?:\.[0-9]*(?:R[0-9]+)?)?-[0-9]{4}-[0-9]{2}(?![0-9])")
MONTH = re.compile(r"(?=((?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])))")
LETTERS = re.compile(r"[A-Z0-9]")
MONTH_DIGITS = 6


def numbers_named(texts: Iterable[str]) -> set[str]:
    """Find the invoice numbers in these texts, ignoring case but not separators.

    >>> sorted(numbers_named(["for maple-1-2026-02", "MAPLE 1 2026 03"]))
    ['MAPLE-1-2026-02']
    """
    return {number for text in texts for number in NUMBER.findall(text.upper())}


def months_named(texts: Iterable[str]) -> set[str]:
    """Find the months in invoice numbers that these texts may contain, ignoring separators.

    >>> sorted(months_named(["MAPLE-1-2026-02, 2026 03"]))
    ['2026-02', '2026-03']
    """
    months = (month for text in texts for month in MONTH.findall(squeezed(text.upper())))
    return {f"{month[:4]}-{month[4:]}" for month in months}


def squeezed(text: str) -> str:
    """Join the capital letters and digits of a text.

    >>> squeezed("MAPLE-1 2026/02")
    'MAPLE1202602'
    """
    return "".join(LETTERS.findall(text))
