"""Names of amount columns in a former program's file.

Such a name may state the month or the utility of the amounts.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prorata.domain.files.cells import Unclear
from prorata.domain.files.column_currencies import without_currency
from prorata.domain.files.column_names import CHARGE_COLUMNS, looked_for, utility_named
from prorata.domain.files.month_cells import read_billing_month
from prorata.domain.files.sheets import Sheet
from prorata.domain.search_terms import month_without_year

_WORDS = "|".join(sorted([*CHARGE_COLUMNS["amount"].split(), "fee", "bill"], key=len, reverse=True))
_AROUND = re.compile(rf"(?:{_WORDS})(?:for|of|fur|de|del|dela|d)?(?P<last>.+)|(?P<first>.+?)(?:{_WORDS})s?")
_KINDS = frozenset(CHARGE_COLUMNS["utility"].split())
_FIRST_DAY = re.compile(r"([0-9]{4}-[0-9]{2})-01(?:[ T]00:00:00)?", re.ASCII)
_BRACKETS = re.compile(r"[(\[].*")
_YEAR = re.compile(r"(?<![0-9])20[0-9]{2}(?![0-9])", re.ASCII)
_LAST, _FIRST = "-12", "-01"


class Heading(NamedTuple):
    """The month and utility type that the name of an amount column states.

    Each of them is empty if the name does not state it.
    """

    month: str = ""
    utility: str = ""


def is_amount(name: str) -> bool:
    """True if a column name, such as "Water charge", stands for amounts for a utility.

    >>> is_amount("Utility charge"), is_amount("Water charge"), is_amount("Rent charge"), is_amount("Cost of living")
    (True, True, False, False)
    """
    return bool(utility_of(name)) or _without_amount(name) in _KINDS


def utility_of(name: str) -> str:
    """Return the utility type that the name of an amount column contains, or "".

    >>> utility_of("Water ($)"), utility_of("Electric charge"), utility_of("Wasserkosten"), utility_of("Total")
    ('WATER', 'ELECTRICITY', 'WATER', '')
    """
    return utility_named(without_currency(name)) or utility_named(_without_amount(name))


def _without_amount(name: str) -> str:
    match = _AROUND.fullmatch(looked_for(without_currency(name)))
    return (match["last"] or match["first"]) if match else ""


def months_named(header: Sequence[str]) -> dict[int, str]:
    """Find the months after which columns are named, by the columns' positions.

    A month without a year is returned in the form "-03". If only one column is named after such a month, it is
    ignored, because its name may have another meaning.

    >>> months_named(("Unit", "Jan 2025", "2025-02-01", "03/2025")), months_named(("Unit", "Jan", "Feb ($)"))
    ({1: '2025-01', 2: '2025-02', 3: '2025-03'}, {1: '-01', 2: '-02'})
    >>> months_named(("Unit", "May")), months_named(("1", "2"))
    ({}, {})
    """
    months = {place: month for place, name in enumerate(header) if (month := _month_of(name))}
    bare = [place for place, month in months.items() if month.startswith("-")]
    return months if len(bare) != 1 else {place: month for place, month in months.items() if place not in bare}


def _month_of(name: str) -> str:
    for text in (_BRACKETS.sub("", name).strip(), without_currency(name)):
        day = _FIRST_DAY.fullmatch(text)
        try:
            return read_billing_month(day[1] if day else text)
        except Unclear:
            bare = month_without_year(text)
            if bare is not None and not bare[1]:
                return bare[0]
    return ""


def with_year(months: Mapping[int, str], year: str) -> dict[int, str]:
    """Add the year to months that lack one, in the order of their columns.

    `year` is the year of the first such month. From December to January, the year increases; from January to
    December, it decreases.

    >>> with_year({1: "-11", 2: "-12", 3: "-01"}, "2025")
    {1: '2025-11', 2: '2025-12', 3: '2026-01'}
    >>> with_year({1: "-01", 2: "-12"}, "2025"), with_year({1: "2025-01"}, "")
    ({1: '2025-01', 2: '2024-12'}, {1: '2025-01'})
    """
    completed, before = {}, ""
    for place, month in months.items():
        if month.startswith("-"):
            turns = {(_LAST, _FIRST): 1, (_FIRST, _LAST): -1}
            year = str(int(year) + turns.get((before, month), 0))
            before = month
        completed[place] = f"{year}{month}" if month.startswith("-") else month
    return completed


def year_above(sheet: Sheet) -> str:
    """Find the only year in the rows above the header.

    The result is empty if these rows contain no year, or several years.

    >>> year_above(Sheet(("Unit", "Jan"), (), 3, above=((1, ("Charges 2025", None)),)))
    '2025'
    """
    years = {year for _, cells in sheet.above for cell in cells for year in _YEAR.findall(str(cell or ""))}
    return years.pop() if len(years) == 1 else ""


def is_year(text: str) -> bool:
    """True if the text is a plausible year of bills, from 2000 to 2099."""
    return bool(_YEAR.fullmatch(text))
