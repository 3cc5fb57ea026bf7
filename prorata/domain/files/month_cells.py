"""Months read from cells: written out, or implied by a day."""

import re
from datetime import date

from prorata.domain.billing_calendar import Month, is_in_reach, month_of, read_month
from prorata.domain.countries import Country
from prorata.domain.files.cell_values import read_date
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.search_terms import folded, month_in_words
from prorata.domain.texts import say

_MONTH_FIRST = re.compile(r"([0-9]{1,2})[./]([0-9]{4})", re.ASCII)
_SHORT = re.compile(r"^([0-9]{1,2})[./-]([2-9][0-9])$", re.ASCII)
"""A pattern for a month and a short year, such as 9/26 for September 2026.

The year is 2020 or later: with a lower number, as in 9/12, the text may be a day and a month.
"""
_OF_A_DAY = re.compile(r"[0-9]{1,4} ?[./-] ?[0-9]{1,2} ?[./-] ?[0-9]{1,4}|[0-9]{8}$", re.ASCII)
_OF_DAYS = re.compile("dat[eu]|fecha")
_NO_MONTH = say("Enter the month as YYYY-MM, or in words with the year, in a cell formatted as text.")


def read_billing_month(cell: Cell) -> Month:
    """Read a month as YYYY-MM, MM/YYYY, MM.YYYY or MM/YY, or in words.

    Spreadsheets turn such text into the first day of the month, which is read as that month.

    >>> read_billing_month("2026-03"), read_billing_month("3/2026"), read_billing_month(date(2026, 3, 1))
    ('2026-03', '2026-03', '2026-03')
    >>> read_billing_month("März 2026"), read_billing_month("Mar-26"), read_billing_month("9/26")
    ('2026-03', '2026-03', '2026-09')
    """
    if isinstance(cell, str):
        text = _SHORT.sub(r"\1/20\2", cell.strip())
        turned = _MONTH_FIRST.fullmatch(text)
        month = read_month(f"{turned[2]}-{turned[1]:0>2}" if turned else month_in_words(cell) or text)
    else:
        month = month_of(cell) if isinstance(cell, date) and cell.day == 1 else None
    if month is None:
        raise Unclear(_NO_MONTH)
    if not is_in_reach(month):
        raise Unclear(say("A month must be between 1970-01 and 2999-12."))
    return month


def may_be_day(cell: Cell, named: str) -> bool:
    """True if a cell such as 9/26 is in a column named after days.

    Such a cell may be a day instead of a month.
    """
    return isinstance(cell, str) and bool(_SHORT.fullmatch(cell.strip()) and _OF_DAYS.search(folded(named)))


def read_month_of_day(cell: Cell, country: Country, order: str = "", *, named: str = "") -> Month:
    """Read a cell as a month, or as a day whose month is returned.

    `named` is the name of the column. If the name is one for days, a cell such as 9/26 is not read as a month,
    because it may be a day.

    >>> from prorata.domain.countries import COUNTRIES
    >>> read_month_of_day("03/14/2026", COUNTRIES["US"]), read_month_of_day("March 2026", COUNTRIES["US"])
    ('2026-03', '2026-03')
    """
    try:
        return read_billing_month("" if may_be_day(cell, named) else cell)
    except Unclear:
        if isinstance(cell, str) and _OF_A_DAY.match(cell.strip()) is None:
            raise
    return month_of(read_date(cell, country, order))
