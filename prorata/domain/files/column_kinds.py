"""The kinds of columns in a table without a header: days, amounts or other text.

Prorata uses the kinds to recognize such a table again, and to propose meanings for its columns.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import islice, product
from re import compile as pattern

from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import figures_of, read_date
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.number_formats import ORDERS
from prorata.domain.files.sheets import NO_HEADER, Sheet, is_blank
from prorata.domain.limits import MOST_COLUMN_SHAPES

DAYS, AMOUNTS, TEXTS, EITHER = "d", "a", "t", "at"
"""The kinds of contents of a column.

An `EITHER` column is empty, or its whole numbers may be amounts or something else.
"""
_COMPACT = pattern(r"(20[0-9]{2})(0[1-9]|1[0-2])([0-3][0-9])")
_SHORT_YEAR = pattern(r"([0-9]{1,2}[./])([0-9]{1,2}[./])([0-9]{2})")
_TIME = pattern(r"[T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?: ?[AaPp][Mm])?Z?$")


def kinds_of(sheet: Sheet) -> tuple[str, ...]:
    """Classify each column as days (d), amounts (a), text (t), or undecided (at).

    An undecided column is empty, or has whole numbers that may or may not be amounts.

    >>> rows = ((1, ("03/05/2026", "45.00", "Ann Lee", "", "7")), (2, ("03/06/2026", "-9", "fee", "", "")))
    >>> kinds_of(Sheet(("1", "2", "3", "4", "5"), rows))
    ('d', 'a', 't', 'at', 'at')
    """
    return tuple(_kind(cells_of(sheet, place)) for place in range(len(sheet.header)))


def cells_of(sheet: Sheet, place: int) -> list[Cell]:
    """Return the nonempty cells of a column."""
    return [cells[place] for _, cells in sheet.rows if place < len(cells) and not is_blank(cells[place])]


def _kind(cells: Sequence[Cell]) -> str:
    if cells and all(map(is_day, cells)):
        return DAYS
    if all(map(_is_amount, cells)):
        return AMOUNTS if any(map(_has_decimals, cells)) else EITHER
    return TEXTS


def is_day(cell: Cell) -> bool:
    """True if a cell is a date, in any order of day, month and year.

    >>> [is_day(cell) for cell in ("2026-03-20", "20260320", "20.03.26", "3/20/2026", "45.00", "4711", None)]
    [True, True, True, True, False, False, False]
    """
    if isinstance(cell, str):
        return any(_reads(plain_day(cell), order) for order in ORDERS)
    return isinstance(cell, date)


def _reads(text: str, order: str) -> bool:
    try:
        read_date(text, COUNTRIES["US"], order)
    except Unclear:
        return False
    return True


def _is_amount(cell: Cell) -> bool:
    return figures_of(cell) != "" if isinstance(cell, str) else isinstance(cell, Decimal)


def _has_decimals(cell: Cell) -> bool:
    figures = figures_of(cell) if isinstance(cell, str) else str(cell)
    return "." in figures or "," in figures


def shapes(kinds: Iterable[str]) -> Iterator[str]:
    """Yield the possible storage keys of a headerless table's column mapping.

    A key has a letter for the kind of each column. A column that may contain amounts or text ("at") can have either
    letter.

    >>> list(shapes(("d", "at", "t")))
    ['dat', 'dtt']
    """
    return islice(map("".join, product(*kinds)), MOST_COLUMN_SHAPES)


def shape_with(kinds: Iterable[str], amounts: Collection[int]) -> str:
    """Return the storage key of a headerless table's column mapping.

    `amounts` contains the positions of the columns that, according to a person, contain amounts. The other columns
    whose kind is undecided ("at") count as text.

    >>> shape_with(("d", "at", "at"), {1})
    'dat'
    """
    return "".join(
        kind if kind != EITHER else AMOUNTS if place in amounts else TEXTS for place, kind in enumerate(kinds)
    )


def has_header(sheet: Sheet) -> bool:
    """True if the table has a header, a row that names its columns."""
    return sheet.header_line != NO_HEADER


def plain_day(text: str) -> str:
    """Rewrite a date in a common format, without a time.

    This is necessary because banks also write dates as 20260320 and 20.03.26.

    >>> plain_day("20260320"), plain_day("20.03.26"), plain_day("2026-03-20 14:05:00"), plain_day("3/20/26")
    ('2026-03-20', '20.03.2026', '2026-03-20', '3/20/2026')
    """
    day = _TIME.sub("", text.strip())
    if compact := _COMPACT.fullmatch(day):
        return "-".join(compact.groups())
    if short := _SHORT_YEAR.fullmatch(day):
        return f"{short[1]}{short[2]}20{short[3]}"
    return day
