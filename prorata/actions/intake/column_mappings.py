"""What somebody said the columns of files mean: remembered by account and header, and applied to the next file. Which
property all rows of a file are of is said of each file: the next one may be of another.
"""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from prorata.domain.audit.verbs import Verb
from prorata.domain.files.sheets import Sheet, first_rows, names_of, with_header_in
from prorata.domain.intake.column_mappings import ColumnMapping, Understood, for_the_next, mark_of, understood
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.intake import column_mappings
from prorata.store.intake.column_mappings import MappingRow
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
    marks = {line: mark(names_of(cells)) for line, cells in first_rows(sheet)}
    known = {row.header: row for row in column_mappings.of_headers(tx, caller.account_id, sorted(set(marks.values())))}
    lines = [sheet.header_line, *marks]
    line = next((line for line in lines if marks[line] in known), None)
    if line is None:
        return Remembered(sheet, None)
    return Remembered(with_header_in(sheet, line), _mapping(known[marks[line]]))


def read_as(tx: Tx, caller: Caller, known: Remembered, mapping: ColumnMapping | None) -> ReadTable:
    """A table as it is read with what is said of its columns, beside what is known of them."""
    countries = sorted({row.country for row in properties.all_of(tx, caller.account_id)})
    return ReadTable(understood(known.sheet, mapping, countries), mapping, known.mapping is not None)


def of_header(tx: Tx, caller: Caller, header: tuple[str, ...]) -> ColumnMapping | None:
    """What was said of a header."""
    found = column_mappings.of_headers(tx, caller.account_id, [mark_of(header)])
    return _mapping(found[0]) if found else None


def remember(tx: Tx, caller: Caller, header: tuple[str, ...], mapping: ColumnMapping, mark: Mark = mark_of) -> None:
    """Remember what somebody said of a header, in the place of what was said of it before."""
    names, text = msgspec.json.encode(header).decode(), msgspec.json.encode(for_the_next(mapping)).decode()
    row = MappingRow(caller.account_id, mark(header), names, text, tx.now)
    column_mappings.keep(tx, row)
    audit.record(tx, caller, Verb.REMEMBER_COLUMNS, row.header, after=row)


def _mapping(row: MappingRow) -> ColumnMapping:
    return for_the_next(msgspec.json.decode(row.mapping, type=ColumnMapping))
