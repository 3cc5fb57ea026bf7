"""Column mappings, stored so that an account's next file with the same columns is understood.

A column mapping says which field each column of a table file contains.
"""

from collections.abc import Mapping, Sequence

import msgspec

from prorata.domain.audit.verbs import Verb
from prorata.domain.files.column_mappings import ColumnMapping, known_by, mark_of
from prorata.domain.files.sheets import Sheet, first_rows, names_of, with_header_in
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.intake import column_mappings
from prorata.store.intake.column_mappings import MappingRow


def recall(
    tx: Tx, caller: Caller, sheet: Sheet, what: str, *, is_fixed: bool = False
) -> tuple[Sheet, ColumnMapping | None]:
    """Find the header line and column mapping stored for earlier files like this one.

    `what` is the kind of file, such as a bank statement. The header may be in any of the first rows, unless
    `is_fixed` is set. A file without a header is recognized by the similarity of its columns. If nothing is
    stored, return the sheet unchanged and None.
    """
    marks = {sheet.header_line: known_by(sheet, what)}
    if not is_fixed:
        others = ((line, names_of(cells)) for line, cells in first_rows(sheet) if line not in marks)
        marks |= {line: (mark_of((*names, what)),) for line, names in others}
    known_mapping = first_known(tx, caller, marks)
    return (with_header_in(sheet, known_mapping[0]), known_mapping[1]) if known_mapping else (sheet, None)


def first_known(tx: Tx, caller: Caller, marks: Mapping[int, Sequence[str]]) -> tuple[int, ColumnMapping] | None:
    """Return the first line number with a stored column mapping, and that mapping.

    `marks` maps the numbers of lines that may be the header to the fingerprints under which a mapping for such a
    header may be stored. Return None if no mapping is stored for any line.
    """
    rows = column_mappings.of_headers(tx, caller.account_id, sorted({mark for its in marks.values() for mark in its}))
    known = {row.header: row.mapping for row in rows}
    for line, its in marks.items():
        for mark in its:
            if mark in known:
                return line, msgspec.json.decode(known[mark], type=ColumnMapping)
    return None


def remember(tx: Tx, caller: Caller, mark: str, header: Sequence[str], mapping: ColumnMapping) -> None:
    """Store a person's column mapping for later files with the same header.

    `mark` is the fingerprint of the header. The new mapping replaces any mapping stored earlier for that header.
    """
    names, text = msgspec.json.encode(header).decode(), msgspec.json.encode(mapping).decode()
    row = MappingRow(caller.account_id, mark, names, text, tx.now)
    column_mappings.keep(tx, row)
    audit.record(tx, caller, Verb.REMEMBER_COLUMNS, mark, after=row)
