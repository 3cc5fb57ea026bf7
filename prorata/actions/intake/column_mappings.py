"""Column mappings that people gave, stored by account and header, for later files.

A property that applies to all rows is chosen again for each file, because the next file may belong to another property.
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
    """A table with its header, and the mapping stored for that header, if any."""

    sheet: Sheet
    mapping: ColumnMapping | None


class RememberedUnits(NamedTuple):
    """A table of units with its header, any stored mapping, and the account's country.

    The meaning of some columns depends on the country.
    """

    sheet: Sheet
    mapping: ColumnMapping | None
    country: str


class ReadTable(NamedTuple):
    """A read table, its column mapping, and True if the mapping was stored before."""

    understood: Understood
    mapping: ColumnMapping | None
    is_remembered: bool


def remembered(tx: Tx, caller: Caller, sheet: Sheet, mark: Mark = mark_of) -> Remembered:
    """Find the mapping stored for a table's header, in any of its first rows.

    `mark` computes a header's fingerprint for this kind of file.
    """
    marks = {line: [mark(names_of(cells))] for line, cells in ((sheet.header_line, sheet.header), *first_rows(sheet))}
    known_mapping = file_columns.first_known(tx, caller, marks)
    return (
        Remembered(with_header_in(sheet, known_mapping[0]), for_the_next(known_mapping[1]))
        if known_mapping
        else Remembered(sheet, None)
    )


def remembered_units(tx: Tx, caller: Caller, sheet: Sheet) -> RememberedUnits:
    """Find the mapping stored for a table of units, as `remembered` does."""
    country = country_of(account_actions.the_account(tx, caller))
    return RememberedUnits(*remembered(tx, caller, sheet, header_mark), country)


def read_as(tx: Tx, caller: Caller, known: Remembered, mapping: ColumnMapping | None) -> ReadTable:
    """Read a table with a person's mapping in addition to the stored one."""
    return ReadTable(as_said(tx, caller, known.sheet, mapping), mapping, known.mapping is not None)


def as_said(tx: Tx, caller: Caller, sheet: Sheet, mapping: ColumnMapping | None) -> Understood:
    """Read a table with a column mapping, in the formats of the properties' countries."""
    countries = sorted({row.country for row in properties.all_of(tx, caller.account_id)})
    return understood(sheet, mapping, countries)


def of_header(tx: Tx, caller: Caller, header: tuple[str, ...]) -> ColumnMapping | None:
    """Find the column mapping stored for a header."""
    known_mapping = file_columns.first_known(tx, caller, {0: [mark_of(header)]})
    return for_the_next(known_mapping[1]) if known_mapping else None


def remember(tx: Tx, caller: Caller, header: tuple[str, ...], mapping: ColumnMapping, mark: Mark = mark_of) -> None:
    """Store a person's mapping for a header, replacing an earlier one."""
    file_columns.remember(tx, caller, mark(header), header, for_the_next(mapping))
