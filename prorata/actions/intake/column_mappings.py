"""Column mappings that people chose, stored by account and header, for later files.

A property that a person chose for all rows of a file is not stored, because the next file may be for another
property.
"""

from collections.abc import Callable
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions, file_columns
from prorata.actions.properties.properties import country_of
from prorata.domain.files.column_mappings import ColumnMapping, mark_of
from prorata.domain.files.sheets import Sheet, first_rows, names_of, with_header_in
from prorata.domain.intake.column_mappings import Understood, for_the_next, understood
from prorata.domain.intake.unit_tables import header_mark
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties

Mark = Callable[[tuple[str, ...]], str]
"""A function that computes a header's fingerprint.

Headers of one kind of file with the same columns have equal fingerprints.
"""


class Remembered(NamedTuple):
    """A table with the header for which a mapping is stored, and that mapping.

    If no mapping is stored, the table has its own header, and the mapping is None.
    """

    sheet: Sheet
    mapping: ColumnMapping | None


class RememberedUnits(NamedTuple):
    """A table of units, its header's stored mapping, if any, and the account's country.

    Some column names mean different things in different countries.
    """

    sheet: Sheet
    mapping: ColumnMapping | None
    country: str


class ReadTable(NamedTuple):
    """A parsed table and a person's column mapping.

    `is_remembered` is set if a mapping was already stored for the table's header.
    """

    understood: Understood
    mapping: ColumnMapping | None
    is_remembered: bool


def remembered(tx: Tx, caller: Caller, sheet: Sheet, mark: Mark = mark_of) -> Remembered:
    """Find a table's header row by the stored mappings, and load its mapping.

    `mark` computes the fingerprint by which the headers of this kind of file are stored. If none of the rows is a
    known header, the table keeps its own header, and the mapping is None.
    """
    marks = {line: [mark(names_of(cells))] for line, cells in ((sheet.header_line, sheet.header), *first_rows(sheet))}
    known_mapping = file_columns.first_known(tx, caller, marks)
    return (
        Remembered(with_header_in(sheet, known_mapping[0]), for_the_next(known_mapping[1]))
        if known_mapping
        else Remembered(sheet, None)
    )


def remembered_units(tx: Tx, caller: Caller, sheet: Sheet) -> RememberedUnits:
    """Find the header and stored mapping of a table of units, as `remembered` does."""
    country = country_of(account_actions.the_account(tx, caller))
    return RememberedUnits(*remembered(tx, caller, sheet, header_mark), country)


def read_as(tx: Tx, caller: Caller, known: Remembered, mapping: ColumnMapping | None) -> ReadTable:
    """Parse a table with a person's mapping; also tell whether a mapping was stored before."""
    return ReadTable(as_said(tx, caller, known.sheet, mapping), mapping, known.mapping is not None)


def as_said(tx: Tx, caller: Caller, sheet: Sheet, mapping: ColumnMapping | None) -> Understood:
    """Parse a table with a column mapping, using the number formats of its account's countries."""
    countries = sorted({row.country for row in properties.all_of(tx, caller.account_id)})
    return understood(sheet, mapping, countries)


def of_header(tx: Tx, caller: Caller, header: tuple[str, ...]) -> ColumnMapping | None:
    """Find the column mapping stored for a header."""
    known_mapping = file_columns.first_known(tx, caller, {0: [mark_of(header)]})
    return for_the_next(known_mapping[1]) if known_mapping else None


def remember(tx: Tx, caller: Caller, header: tuple[str, ...], mapping: ColumnMapping, mark: Mark = mark_of) -> None:
    """Store the mapping that a person chose for a header, replacing the earlier one."""
    file_columns.remember(tx, caller, mark(header), header, for_the_next(mapping))
