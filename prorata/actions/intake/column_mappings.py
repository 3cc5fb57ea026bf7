"""What somebody said the columns of files mean: remembered by account and header, and applied to the next file. Which
property all rows of a file are of is said of each file: the next one may be of another.
"""

from collections.abc import Callable
from typing import NamedTuple

from prorata.actions.accounts import file_columns
from prorata.domain.files.column_mappings import ColumnMapping, mark_of
from prorata.domain.files.sheets import Sheet, first_rows, names_of, with_header_in
from prorata.domain.intake.column_mappings import Understood, for_the_next, understood
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties

Mark = Callable[[tuple[str, ...]], str]
"""What is the same for two headers of a kind of files with the same columns."""


class Remembered(NamedTuple):
    """A table with its header where a remembered one stands, and what was said of it; None where nothing was."""

    sheet: Sheet
    mapping: ColumnMapping | None


class ReadTable(NamedTuple):
    """A table as it is read, what was said of its columns, and whether that was remembered."""

    understood: Understood
    mapping: ColumnMapping | None
    is_remembered: bool


def remembered(tx: Tx, caller: Caller, sheet: Sheet, mark: Mark = mark_of) -> Remembered:
    """What was said before of a table's header, wherever among its first rows that stands; `mark` is its kind's."""
    marks = {line: [mark(names_of(cells))] for line, cells in ((sheet.header_line, sheet.header), *first_rows(sheet))}
    found = file_columns.first_known(tx, caller, marks)
    return Remembered(with_header_in(sheet, found[0]), for_the_next(found[1])) if found else Remembered(sheet, None)


def read_as(tx: Tx, caller: Caller, known: Remembered, mapping: ColumnMapping | None) -> ReadTable:
    """A table as it is read with what is said of its columns, beside what is known of them."""
    return ReadTable(as_said(tx, caller, known.sheet, mapping), mapping, known.mapping is not None)


def as_said(tx: Tx, caller: Caller, sheet: Sheet, mapping: ColumnMapping | None) -> Understood:
    """A table as it is read with what is said of its columns, in the countries of the account's properties."""
    countries = sorted({row.country for row in properties.all_of(tx, caller.account_id)})
    return understood(sheet, mapping, countries)


def of_header(tx: Tx, caller: Caller, header: tuple[str, ...]) -> ColumnMapping | None:
    """What was said of a header."""
    found = file_columns.first_known(tx, caller, {0: [mark_of(header)]})
    return for_the_next(found[1]) if found else None


def remember(tx: Tx, caller: Caller, header: tuple[str, ...], mapping: ColumnMapping, mark: Mark = mark_of) -> None:
    """Remember what somebody said of a header, in the place of what was said of it before."""
    file_columns.remember(tx, caller, mark(header), header, for_the_next(mapping))
