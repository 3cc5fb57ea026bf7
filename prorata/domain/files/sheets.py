"""A table as read from a file, uninterpreted: rows, line numbers and header position."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.limits import LONGEST_COLUMN_NAME, LONGEST_CURRENCY_CODE
from prorata.domain.texts import say

HEADER_WITHIN = 20
"""The number of first rows in which Prorata looks for the header.

A title may be above it.
"""
FEWEST_COLUMNS = 2
"""The minimum number of columns that a header names."""
NO_HEADER = 0
"""The header's line number for a table without a header.

Its columns are known by their numbers, from 1 on.
"""

Row = tuple[int, tuple[Cell, ...]]
KnownIn = Callable[[Sequence[Cell]], int]


class About(NamedTuple):
    """The source of a table: a text file's encoding and delimiter, or a workbook's sheet.

    `sheets` are the visible sheets of the workbook.
    """

    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()


class Sheet(NamedTuple):
    """A table: its header, the rows below with line numbers, and the sheets left unread.

    `above` are the rows above the header, kept for tables whose header a person may change. `about` describes the
    table's source.
    """

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    header_line: int = 1
    unread: tuple[str, ...] = ()
    above: tuple[Row, ...] = ()
    about: About = About()


class RowProblem(NamedTuple):
    """A problem in a line of a file, with the name of the column concerned.

    `column` is None if the problem concerns the whole line.
    """

    line: int
    column: str | None
    message: str


def open_questions(header_line: int, missing: Sequence[str], doubled: Sequence[str]) -> tuple[RowProblem, ...]:
    """Build the problems of a header with missing or duplicate columns.

    `missing` are the fields that no column has, and `doubled` the fields that several columns have.
    """
    lacks = [say("The header is missing {column}. Add the column.", column=column) for column in missing]
    twice = [say("Two columns mean {column}. Keep one of them.", column=column) for column in doubled]
    return tuple(RowProblem(header_line, None, message) for message in (*lacks, *twice))


def is_blank(cell: Cell) -> bool:
    """True if a cell is empty."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def names_of(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Convert a row of cells to column names, without empty names at the end."""
    names = ["" if cell is None or isinstance(cell, Unclear) else str(cell) for cell in cells]
    while names and not names[-1].strip():
        names.pop()
    return tuple(names)


def likely_header(rows: Sequence[Row]) -> int | None:
    """Guess which of the first rows is the header, without knowing any column names.

    Only rows with distinct short texts and a row below them count. The result is the position of the row that names the
    most columns, or of the first such row. It is None if no row qualifies.

    >>> rows = [(1, ("Bills from March", "", "")), (3, ("Datum", "Betrag", "Haus")), (4, ("14.3.2026", "80,10", "12"))]
    >>> likely_header(rows)
    1
    >>> likely_header([(1, ("1", "2")), (2, ("3", "4"))]) is None
    True
    """
    best, most = None, FEWEST_COLUMNS - 1
    for place, (_, cells) in enumerate(rows[:-1]):
        named = _number_named(cells)
        if named > most:
            best, most = place, named
    return best


def _number_named(cells: Sequence[Cell]) -> int:
    """Count the columns that a row names if it is a header.

    The count is 0 if a cell is not text, or if its text is long, repeats another cell, or looks like a value.
    """
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    others = [cell for cell in cells if cell is not None and not isinstance(cell, str)]
    if others or len({text.casefold() for text in texts}) < len(texts):
        return 0
    is_name = [len(text) <= LONGEST_COLUMN_NAME and text[0] not in "=+-" and not _is_value(text) for text in texts]
    return len(texts) if all(is_name) else 0


def may_hold_a_table(rows: Sequence[Row]) -> bool:
    """True if the text's first rows may be those of a table.

    One row must have two numbers, amounts or dates, each in its own cell. A single such cell is enough if a row above
    it has as many cells and no number, amount or date, as a header does. Prose with commas does not qualify.

    >>> may_hold_a_table([(1, ("Haus", "Betrag")), (2, ("Maple", "120 EUR"))])
    True
    >>> may_hold_a_table([(1, ("Dear Ann",)), (2, ("the bill is $80.10", "please pay it by 4 April", "2026."))])
    False
    """
    headers = set[int]()
    for _, cells in rows:
        texts = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
        values = sum(map(_may_be_value, texts))
        if values > 1 or (values and len(texts) >= FEWEST_COLUMNS and len(texts) in headers):
            return True
        if not values:
            headers.add(len(texts))
    return False


def _may_be_value(text: str) -> bool:
    """True if the text looks like a number, date or amount, possibly with its currency."""
    letters = sum(character.isalpha() for character in text)
    return any(character.isdigit() for character in text) and (letters <= LONGEST_CURRENCY_CODE or _is_value(text))


def _is_value(text: str) -> bool:
    """True if the text has more digits than letters, as numbers, dates and amounts have."""
    return sum(character.isdigit() for character in text) > sum(character.isalpha() for character in text)


def without(sheet: Sheet, lines: Collection[int]) -> Sheet:
    """Return a sheet without the rows that have these line numbers.

    >>> without(Sheet(("a",), ((2, ("1",)), (3, ("2",)))), {2}).rows
    ((3, ('2',)),)
    """
    return sheet._replace(rows=tuple(row for row in sheet.rows if row[0] not in lines)) if lines else sheet


def with_header_in(sheet: Sheet, line: int) -> Sheet:
    """Return a table with a different row as its header, or without a header.

    `line` is the line number of that row, or `NO_HEADER`. The table is returned unchanged if none of its first rows
    has this line number.

    >>> sheet = Sheet(("a", "b"), ((3, ("Total", "Date")), (4, ("1", "2"))), 2)
    >>> moved = with_header_in(sheet, 3)
    >>> moved.header, moved.above, moved.rows
    (('Total', 'Date'), ((2, ('a', 'b')),), ((4, ('1', '2')),))
    >>> with_header_in(moved, NO_HEADER).header, len(with_header_in(moved, NO_HEADER).rows)
    (('1', '2'), 3)
    """
    if line == sheet.header_line:
        return sheet
    rows = _all_rows(sheet)
    if line == NO_HEADER:
        return sheet._replace(header=numbers_of(rows[:HEADER_WITHIN]), header_line=line, above=(), rows=rows)
    place = next((place for place, row in enumerate(rows[:HEADER_WITHIN]) if row[0] == line), None)
    if place is None:
        return sheet
    header = names_of(rows[place][1])
    return sheet._replace(header=header, header_line=line, above=rows[:place], rows=rows[place + 1 :])


def numbers_of(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return numbers as column names for a table without a header.

    There are as many names as the widest row has cells.

    >>> numbers_of([(1, ("45.00",)), (2, ("03/05/2026", "45.00"))])
    ('1', '2')
    """
    return tuple(str(place + 1) for place in range(max((len(cells) for _, cells in rows), default=0)))


def first_rows(sheet: Sheet) -> tuple[Row, ...]:
    """Return the first rows of a table, which may include its header, with line numbers."""
    return _all_rows(sheet)[:HEADER_WITHIN]


def _all_rows(sheet: Sheet) -> tuple[Row, ...]:
    if sheet.header_line == NO_HEADER:
        return sheet.rows
    return (*sheet.above, (sheet.header_line, sheet.header), *sheet.rows)
