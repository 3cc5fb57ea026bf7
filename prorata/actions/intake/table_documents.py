"""Documents that are tables of bills.

A job reads a table, a person chooses what its columns and words mean, and `bill_imports` adds the bills.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Literal, NamedTuple, TypeVar

import msgspec

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.bills import flags as bill_flags
from prorata.actions.intake import bill_imports, column_mappings, documents as document_actions, flagged_rows
from prorata.actions.intake.bill_imports import BillsFile, ImportReport, NewBills, Progress
from prorata.actions.intake.flagged_rows import FlaggedBill
from prorata.actions.intake.stored_sheets import packed, unpacked
from prorata.domain.audit.verbs import Verb
from prorata.domain.bills.columns import unread_columns
from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.sheets import RowProblem, Sheet, with_header_in, without
from prorata.domain.intake.bill_files import FileBill
from prorata.domain.intake.column_mappings import Understood
from prorata.domain.intake.documents import BILLED, DRAFT, READING, SET_ASIDE, UNREADABLE
from prorata.domain.problems import shown as shown_name
from prorata.domain.texts import plain, say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.bills.flags import NamedBill
from prorata.store.database.engine import Tx
from prorata.store.intake import documents, table_documents
from prorata.store.intake.documents import DocumentRow
from prorata.store.intake.table_documents import TableRow
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow

ROWS_ON_A_PAGE = 50
"""The number of rows on a page of rows as read or problems."""
Shown = TypeVar("Shown")
Source = Literal["chosen", "remembered", "names"]
_OPEN = say("First choose what each column means, and how its amounts and dates are written.")
_OTHERWISE = say("This file is now read differently. Review its rows again, then add them.")
_NOTHING_NEW = say("There is nothing to add: the file has no valid rows that haven’t already been added.")


class Choices(NamedTuple):
    """A person's choices for reading a table: its header line and its column mapping."""

    header_line: int
    mapping: ColumnMapping | None = None


class Outcome(NamedTuple):
    """The result of importing a table's sheets.

    `added` counts the bills added from all sheets. Of the latest sheet, `skipped` counts the rows whose bills were
    already stored, and `left_out` the rows that were bad or that a person left out. `sheets` are the sheets that are
    finished.
    """

    added: int
    skipped: int
    left_out: int
    sheets: tuple[str, ...] = ()


class Table(NamedTuple):
    """A document that is a table, parsed with a column mapping.

    `source` is the origin of the mapping: a person's choice, a stored mapping, or the column names. `said` is the
    chosen or stored mapping, and `outcome` the result of the import, if any.
    """

    row: DocumentRow
    understood: Understood
    source: Source
    outcome: Outcome | None
    said: ColumnMapping

    @property
    def mark(self) -> str:
        """The fingerprint of the table's sheet, header and column mapping."""
        sheet, how = self.understood.sheet, self.understood.how
        read = sheet.about.sheet, sheet.header_line, sheet.header, how
        return sha256(msgspec.json.encode(read, order="sorted")).hexdigest()[:16]

    @property
    def left(self) -> tuple[str, ...]:
        """The sheets still to import after the first import; empty before it."""
        return _left(self.understood.sheet, self.outcome) if self.outcome else ()


class BroughtTable(NamedTuple):
    """A file that the command line imports, ready to be stored with its bills.

    It contains the file's name and bytes, the number of rows, the encoded sheet, and the choices for reading it.
    """

    name: str
    content: bytes
    rows: int
    sheet: bytes
    choices: Choices


class Pages(NamedTuple):
    """The page numbers, from 1, of the lists of good rows, flagged rows and problems."""

    good: int = 1
    flagged: int = 1
    wrong: int = 1


FIRST_PAGES = Pages()


class LookedAt(NamedTuple):
    """A preview of a table's import, with one page of each list of rows.

    The lists are of good rows, flagged rows and problems. `new` sums the new bills by property and month; `future`
    counts the bills that get a future date because the table has no bill dates. `unknown` maps fields to words that
    name no property or utility type. Columns in `unread` aren't imported. `about` maps ids to the stored bills that
    the flags concern.
    """

    report: ImportReport
    new: tuple[NewBills, ...]
    pages: Pages
    good: Sequence[FileBill]
    flagged: Sequence[FlaggedBill]
    wrong: Sequence[RowProblem]
    unknown: Mapping[str, tuple[str, ...]]
    unread: tuple[str, ...]
    about: Mapping[str, NamedBill]
    future: int


def note_table(tx: Tx, account_id: str, document_id: str, sheet: Sheet) -> None:
    """Store what a job read from a table, unless it was finished or set aside."""
    row = documents.lock(tx, account_id, document_id)
    if row is not None and row.state in (READING, UNREADABLE):
        before = table_documents.find(tx, account_id, row.id)
        outcome = before.outcome if before else None
        table_documents.keep(tx, TableRow(account_id, row.id, len(sheet.rows), packed(sheet), None, outcome))
        documents.save(tx, row._replace(state=DRAFT, draft=None, said=None, updated_at=tx.now))


def find(tx: Tx, caller: Caller, document_id: str) -> Table | None:
    """Find a document as a table; None if it isn't one or wasn't read.

    Raises `NotFound` if there is no such document.
    """
    row = access.document(tx, caller, document_id)
    kept = table_documents.find(tx, caller.account_id, row.id)
    if kept is None or row.state in (READING, UNREADABLE):
        return None
    sheet, mapping, source = _said(tx, caller, kept)
    understood = column_mappings.as_said(tx, caller, sheet, mapping)
    return Table(row, understood, source, _outcome(kept), mapping or ColumnMapping())


def _outcome(kept: TableRow) -> Outcome | None:
    return msgspec.json.decode(kept.outcome, type=Outcome) if kept.outcome else None


def _left(sheet: Sheet, outcome: Outcome) -> tuple[str, ...]:
    there = {sheet.about.sheet, *sheet.unread} if outcome.sheets else set()
    return tuple(name for name in sheet.about.sheets if name in there and name not in outcome.sheets)


def _said(tx: Tx, caller: Caller, kept: TableRow) -> tuple[Sheet, ColumnMapping | None, Source]:
    """Return a stored table with its header, its column mapping, and the mapping's source."""
    sheet = unpacked(kept.sheet)
    choices = msgspec.json.decode(kept.choices, type=Choices) if kept.choices else None
    if choices is None:
        found = column_mappings.remembered(tx, caller, sheet)
        return found.sheet, found.mapping, "remembered" if found.mapping else "names"
    moved = with_header_in(sheet, choices.header_line)
    if choices.mapping is not None:
        return moved, choices.mapping, "chosen"
    known = column_mappings.of_header(tx, caller, moved.header)
    return moved, known, "remembered" if known else "names"


def look_at(tx: Tx, caller: Caller, table: Table, pages: Pages = FIRST_PAGES) -> LookedAt:
    """Preview a table's import as of now, with these `pages`, writing and locking nothing."""
    found = bill_imports.outlook(tx, caller, _file(table), hold=True)
    today = date.max if "billDate" in table.understood.how.fields else account_actions.today(tx, caller)
    flagged = flagged_rows.page(found.report.flagged, found.good, pages.flagged)
    return LookedAt(
        found.report, found.new, pages,
        _page(found.good, pages.good), flagged, _page(found.report.problems, pages.wrong),
        bill_imports.unknown(tx, caller, table.understood.sheet, table.understood.how),
        unread_columns(table.understood.sheet, table.understood.how),
        bill_flags.named(tx, caller, [flag for row in flagged for flag in row.flags]),
        sum(each.bill.bill_date > today for each in found.good),
    )  # fmt: skip


def _file(table: Table, leave: Collection[int] = ()) -> BillsFile:
    """Return a table's current sheet as a file of bills, without some lines (`leave`).

    The workbook's other sheets are not reported as unread, because each sheet is imported separately.
    """
    return BillsFile(without(table.understood.sheet._replace(unread=()), leave), table.understood.how)


def _page(rows: Sequence[Shown], number: int) -> Sequence[Shown]:
    return rows[(number - 1) * ROWS_ON_A_PAGE : number * ROWS_ON_A_PAGE]


def all_properties(tx: Tx, caller: Caller) -> list[PropertyRow]:
    """List the account's properties, to which a table's bills may belong."""
    return properties.all_of(tx, caller.account_id)


def choose_header(tx: Tx, caller: Caller, document_id: str, line: int) -> None:
    """Store the header line of a table.

    Raises `NotFound` if there is no such document, `Conflict` if it is not a table that waits for a person, and
    `InvalidRequest` if the line is not among the first lines.
    """
    _, kept = _to_change(tx, caller, document_id)
    sheet = unpacked(kept.sheet)
    if with_header_in(sheet, line).header_line != line:
        raise InvalidRequest(say("The header must be one of the file’s first lines. Choose one of them."))
    _choose(tx, kept, Choices(line))


def choose_sheet(tx: Tx, caller: Caller, document_id: str, sheet: Sheet) -> None:
    """Show another sheet of a workbook, even if the previous one was imported.

    Choices made for the previous sheet do not apply to the new one. Raises `NotFound` if there is no such document,
    and `Conflict` if it is not a table that waits for a person.
    """
    if access.document_to_change(tx, caller, document_id).state == BILLED:
        look_again(tx, caller, document_id)
    _, kept = _to_change(tx, caller, document_id)
    table = kept._replace(rows=len(sheet.rows), sheet=packed(sheet), choices=None)
    table_documents.keep(tx, table)
    table_documents.save(tx, table)


def choose(tx: Tx, caller: Caller, document_id: str, line: int, mapping: ColumnMapping, *, remember: bool) -> bool:
    """Store a person's column mapping for a table whose header is in `line`.

    If `remember` is set and the mapping leaves nothing unclear, it is also stored for later tables with this header.
    Return True if it was. Raises `NotFound` if there is no such document, and `Conflict` if it is not a table that
    waits for a person, or its header has changed.
    """
    _, kept = _to_change(tx, caller, document_id)
    moved = _said(tx, caller, kept)[0]
    if moved.header_line != line:
        raise Conflict(say("Someone has changed this file’s header in the meantime. Reload the page."))
    _choose(tx, kept, Choices(line, mapping))
    if not remember or column_mappings.as_said(tx, caller, moved, mapping).is_open:
        return False
    column_mappings.remember(tx, caller, moved.header, mapping)
    return True


def say_words(
    tx: Tx, caller: Caller, document_id: str, words: Mapping[str, Mapping[str, str]], *, remember: bool
) -> bool:
    """Store the meanings that a person gave to words in a table, keeping earlier ones.

    Return True if they are kept for later tables. Raises everything that `choose` raises.
    """
    table = find(tx, caller, document_id)
    if table is None:
        raise Conflict(_WHY_NOT[READING])
    said, sheet = table.said, table.understood.sheet
    known = {field: {**said.words.get(field, {}), **meant} for field, meant in words.items()}
    return choose(tx, caller, document_id, sheet.header_line, said._replace(words=known), remember=remember)


def _choose(tx: Tx, kept: TableRow, choices: Choices) -> None:
    rows = len(with_header_in(unpacked(kept.sheet), choices.header_line).rows)
    table_documents.save(tx, kept._replace(choices=msgspec.json.encode(choices, enc_hook=plain).decode(), rows=rows))


def import_rows(
    tx: Tx, caller: Caller, document_id: str, shown: str, *, take_good_rows: bool, leave: Collection[int] = ()
) -> ImportReport:
    """Import a table's bills, or only its good rows, except the lines in `leave`.

    Bad rows prevent the import unless `take_good_rows` is set. `shown` is the `Table.mark` that the person saw.
    Raises `NotFound` for a missing document, and `Conflict` if a choice is missing or the mark has changed.
    """
    table = find(tx, caller, document_id)
    if table is None or table.understood.is_open:
        raise Conflict(_OPEN)
    if table.mark != shown and table.row.state == DRAFT:
        raise Conflict(_OTHERWISE)
    file = _file(table, leave)
    report = bill_imports.import_bills(tx, caller, file, dry_run=False, take_good_rows=take_good_rows, hold=True)
    report = report._replace(left_out=tuple(sorted(set(leave))))
    if not report.good:
        raise Conflict(_NOTHING_NEW)
    if not report.added:
        return report
    _note_imported(tx, caller, *_to_change(tx, caller, document_id), report)
    return report


def brought(name: str, content: bytes, sheet: Sheet, mapping: ColumnMapping | None) -> BroughtTable:
    """Prepare the command line's file for storage, before any lock is taken."""
    return BroughtTable(name, content, len(sheet.rows), packed(sheet), Choices(sheet.header_line, mapping))


def import_brought(
    tx: Tx, caller: Caller, table: BroughtTable, file: BillsFile, *, take_good_rows: bool, progress: Progress
) -> ImportReport:
    """Import the command line's file of bills, and store the file like an uploaded one.

    A file that adds no bill is not stored. Raises everything that `bill_imports.import_bills` raises.
    """
    report = bill_imports.import_bills(
        tx, caller, file, dry_run=False, take_good_rows=take_good_rows, progress=progress
    )
    if report.added:
        taken = document_actions.keep(tx, caller, table.name, table.content, "command")
        row = access.document_to_change(tx, caller, taken.row.id)._replace(said=None, draft=None)
        choices = msgspec.json.encode(table.choices, enc_hook=plain).decode()
        kept = TableRow(caller.account_id, row.id, table.rows, table.sheet, choices, None)
        table_documents.keep(tx, kept)
        _note_imported(tx, caller, row, kept, report)
    return report


def _note_imported(tx: Tx, caller: Caller, row: DocumentRow, kept: TableRow, report: ImportReport) -> None:
    """Store the result of a table's import, and link the added bills to their document.

    The document becomes BILLED once all of its sheets are imported.
    """
    documents.link_many(tx, caller.account_id, report.bills, row.id)
    before = _outcome(kept) or Outcome(0, 0, 0)
    left_out = len({problem.line for problem in report.problems}) + len(report.left_out)
    sheet = unpacked(kept.sheet)
    named = {sheet.about.sheet} & {*sheet.about.sheets}
    sheets = (*(name for name in before.sheets if name not in named), *named)
    outcome = Outcome(before.added + report.added, len(report.skipped), left_out, sheets)
    _save_outcome(tx, kept, outcome)
    left = _left(sheet, outcome)
    said = say("The bills in the sheet “{name}” have not been added yet.", name=shown_name(left[0])) if left else None
    _settle(tx, caller, row._replace(said=said), DRAFT if left else BILLED, Verb.IMPORT_DOCUMENT)


def _save_outcome(tx: Tx, kept: TableRow, outcome: Outcome) -> None:
    table_documents.save(tx, kept._replace(outcome=msgspec.json.encode(outcome, enc_hook=plain).decode()))


def leave_sheets(tx: Tx, caller: Caller, document_id: str) -> None:
    """Finish a workbook without importing its remaining sheets.

    Raises `NotFound` if there is no such document, and `Conflict` if it is not a table that waits for a person, or no
    sheet was imported yet.
    """
    row, kept = _to_change(tx, caller, document_id)
    outcome = _outcome(kept)
    if outcome is None:
        raise Conflict(say("No sheet of this file has been imported yet. If you don’t want the file, set it aside."))
    _save_outcome(tx, kept, outcome._replace(sheets=unpacked(kept.sheet).about.sheets))
    _settle(tx, caller, row._replace(said=None), BILLED, Verb.IMPORT_DOCUMENT)


def look_again(tx: Tx, caller: Caller, document_id: str) -> None:
    """Reopen an imported table, so that a person can import more of its rows.

    Rows that were bad may be good now; bills that are already stored are skipped. Raises `NotFound` if there is no
    such document, and `Conflict` if it is not an imported table.
    """
    row = access.document_to_change(tx, caller, document_id)
    if row.state != BILLED or table_documents.find(tx, caller.account_id, row.id) is None:
        raise Conflict(say("This file isn’t an imported table."))
    _settle(tx, caller, row, DRAFT, Verb.TAKE_DOCUMENT_UP)


_WHY_NOT = {
    READING: say("This file is being read. Wait a moment, then reload the page."),
    BILLED: say("The bills in this file have already been added. Nothing was changed."),
    SET_ASIDE: say("This file was set aside. Reopen it first."),
}


def _to_change(tx: Tx, caller: Caller, document_id: str) -> tuple[DocumentRow, TableRow]:
    row = access.document_to_change(tx, caller, document_id)
    kept = table_documents.find(tx, caller.account_id, row.id)
    if row.state != DRAFT or kept is None:
        raise Conflict(_WHY_NOT.get(row.state, say("This file is not a table.")))
    return row, kept


def _settle(tx: Tx, caller: Caller, row: DocumentRow, state: str, verb: Verb) -> None:
    after = row._replace(state=state, updated_at=tx.now)
    documents.save(tx, after)
    audit.record(tx, caller, verb, row.id, before=row, after=after)
