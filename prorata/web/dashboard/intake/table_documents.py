"""The page of a table of bills in the inbox, with its columns and rows."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Struct

from prorata.actions.accounts import access, accounts
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.intake import documents, table_documents
from prorata.actions.intake.bill_imports import ImportReport
from prorata.actions.intake.flagged_rows import FLAGGED_ON_A_PAGE
from prorata.actions.intake.table_documents import ROWS_ON_A_PAGE, LookedAt, Pages, Table
from prorata.actions.invoices import previews
from prorata.actions.properties import properties
from prorata.domain.accounts.settings import BILLING_MONTH_RULE_NAMES
from prorata.domain.bills.columns import FIELDS
from prorata.domain.files.grouped_problems import in_ranges
from prorata.domain.files.sheets import Sheet
from prorata.domain.intake.bill_reading.utility_words import types_in
from prorata.domain.intake.column_mappings import FIXABLE, OF_ONE_FILE, WITH_WORDS
from prorata.domain.labels import same
from prorata.domain.limits import LONGEST_UNSPREAD, MOST_UNKNOWN_NAMES
from prorata.domain.texts import joined, say, say_n
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.errors import Conflict
from prorata.ports import Forms
from prorata.web.dashboard.intake import table_descriptions
from prorata.web.dashboard.intake.table_descriptions import FIELD_NAMES, how_read, outcome_in_words
from prorata.web.dashboard.kernel import file_columns
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.file_columns import cells_as_other, headers_as_other
from prorata.web.dashboard.kernel.forms import whole
from prorata.web.dashboard.kernel.pages import Answered, Ask, GoTo, Shown, page
from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_TABLE_ROWS_SHOWN

_REMEMBERED = say("The next file with these columns will be read this way automatically.")
_BUT_FOR_THE_PROPERTY = say(
    "The next file with these columns will be read this way automatically, but you’ll be asked which property it is "
    "for."
)

Number = Annotated[int, msgspec.Meta(ge=1, le=100_000)]


class TableQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The choice to change a table's columns, and the pages of its lists of rows.

    The lists are the rows that can be imported, the flagged rows, and the rows with problems.
    """

    change: bool = False
    good: Number = 1
    flagged: Number = 1
    wrong: Number = 1


class HeaderForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The number of the line that contains the table's header."""

    line: Annotated[int, msgspec.Meta(ge=1, le=2_000_000)]


class SheetForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The number of the workbook sheet to read."""

    sheet: Annotated[int, msgspec.Meta(ge=1, le=1_000)]


class SpreadForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The choice to spread bills with long service periods over their months.

    If `remember` is set, the choice also applies to later files with the same columns.
    """

    spread: bool = False
    remember: bool = False


class RowsForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The person's choice of the rows of a table to import.

    If `take_good_rows` is set, rows with problems are left out. `leave` contains the lines of other rows to leave
    out. `shown` identifies the rows that the page showed.
    """

    shown: Annotated[str, text(64, least=0)] = ""
    take_good_rows: bool = False
    leave: list[Annotated[str, text(9)]] = msgspec.field(default_factory=list)


class Word(NamedTuple):
    """A text in the table whose meaning is unknown, such as a property's name.

    `field` is the field to which the text belongs. `likely` is the likely meaning, or an empty string.
    """

    field: str
    text: str
    likely: str


@page("GET", "/inbox/{document}/table", may="read", query=TableQuery)
def table_page(ask: Ask[Any, Any]) -> Shown:
    """Show a table of bills, how it is read, and its importable rows.

    Raises `Conflict` if the document is not a table.
    """
    table = table_documents.find(ask.tx, ask.caller, ask.path["document"])
    if table is None:
        raise Conflict(say("This file isn’t a table, or hasn’t been read yet. Go back to the Inbox."))
    return shown_table(ask, table)


def shown_table(ask: Ask[Any, Any], table: Table) -> Shown:
    """Show a table of bills, and how it is read.

    The form for the columns is included if a question about them is open, or if the person wants to change them.
    """
    sheet = table.understood.sheet
    is_done = table.row.state != "draft"
    change = not is_done and (table.understood.is_open or getattr(ask.query, "change", False) is True)
    looked = None
    if not is_done and not table.understood.is_open:
        looked = table_documents.look_at(ask.tx, ask.caller, table, _pages(ask.query))
    some = properties.to_choose_from(ask.tx, ask.caller)
    houses = table_documents.all_properties(ask.tx, ask.caller)
    of_property = {house.id: house.name for house in houses}
    as_other = _cells_as_other(table)
    words, words_left = _words(table, looked, as_other, is_all=change)
    values = {
        "document": table.row, "table": table, "looked": looked, "change": change,
        "told": how_read(table, of_property, ask.write),
        "lines": file_columns.lines_of(sheet),
        "columns": file_columns.columns_of(sheet, table.understood.how.fields, ask.write),
        "names": FIELD_NAMES, "fields": FIELDS, "most": MOST_TABLE_ROWS_SHOWN,
        "kinds": UTILITY_TYPES, "fixable": FIXABLE, "longest": LONGEST_UNSPREAD,
        "on_a_page": {"good": ROWS_ON_A_PAGE, "flagged": FLAGGED_ON_A_PAGE, "wrong": ROWS_ON_A_PAGE},
        "month_rule": BILLING_MONTH_RULE_NAMES[accounts.the_account(ask.tx, ask.caller).billing_month_rule],
        "choose_from": [(house.id, house.name) for house in some],
        "words": words, "words_left": words_left, "as_other": _with_headers(table, as_other),
        "of_property": of_property, "currencies": {house.id: house.currency for house in houses},
        "stands": _stands(sheet, looked, ask.write),
        "marks": table_descriptions.MARKS, "orders": table_descriptions.ORDERS,
        "came": outcome_in_words(table.outcome, ask.write),
        "brought_by": incoming_mail.brought_by(ask.tx, ask.caller, table.row.id),
    }  # fmt: skip
    return Shown("table.html", values)


def _pages(query: object) -> Pages:
    return Pages(query.good, query.flagged, query.wrong) if isinstance(query, TableQuery) else Pages()


def _words(table: Table, looked: LookedAt | None, as_other: Sequence[str], *, is_all: bool) -> tuple[list[Word], int]:
    """List the unknown texts in a table, and count those left for later.

    A person chooses the meanings of these texts. If `is_all` is set, two more kinds of texts follow, so that a person
    can change their meaning: `as_other`, the names of services that are billed as OTHER, and texts that were given a
    meaning earlier. At most `MOST_UNKNOWN_NAMES` of each kind without a meaning are listed at once.
    """
    asked = [(field, texts, False) for field, texts in (looked.unknown if looked else {}).items()]
    known_words = table.said.words if is_all else {}
    if is_all:
        asked.append(("utilityType", tuple(as_other), True))
    listed = [
        Word(field, text, "OTHER" if is_other else _likely(field, text))
        for field, texts, is_other in asked
        for text in texts[:MOST_UNKNOWN_NAMES]
    ]
    left = sum(len(texts[MOST_UNKNOWN_NAMES:]) for _, texts, _ in asked)
    known = [Word(field, text, meant) for field in WITH_WORDS for text, meant in known_words.get(field, {}).items()]
    return listed + known, left


def _with_headers(table: Table, cells: Sequence[str]) -> tuple[str, ...]:
    """List the headers and cells that name services billed under OTHER, headers first.

    Heating is an example of such a service. `cells` contains the texts of the cells.
    """
    return tuple(dict.fromkeys((*headers_as_other(table.understood.sheet, table.understood.how.fields), *cells)))


def _cells_as_other(table: Table) -> tuple[str, ...]:
    """List the cells that name services billed under OTHER.

    Cells whose meaning a person has chosen are left out. Of cells that differ only in case or spaces, the first is
    listed.
    """
    how = table.understood.how
    said, names = how.words.get("utilityType", {}), dict[str, str]()
    for name in cells_as_other(table.understood.sheet, how.fields):
        names.setdefault(same(name), name)
    return tuple(name for key, name in names.items() if key not in said)


def _likely(field: str, text: str) -> str:
    """Guess the utility types that a text means; a person confirms them.

    Return an empty string for fields other than the utility type.
    """
    return ";".join(kind for kind in UTILITY_TYPES if kind in types_in(text)) if field == "utilityType" else ""


def _stands(sheet: Sheet, looked: LookedAt | None, write: Forms) -> Mapping[tuple[int, str], str]:
    """Return the texts of the cells with problems, by line and column."""
    if looked is None:
        return {}
    places = {name.strip(): place for place, name in enumerate(sheet.header)}
    wrong = {(row_problem.line, row_problem.column) for row_problem in looked.wrong if row_problem.column in places}
    lines = {line for line, _ in wrong}
    rows = {line: cells for line, cells in sheet.rows if line in lines}
    return {
        (line, column): file_columns.cell_text(rows[line][places[column]], write)
        for line, column in wrong
        if column and line in rows and places[column] < len(rows[line])
    }


@page("POST", "/inbox/{document}/header", may="write", form=HeaderForm, again=table_page)
def choose_header(ask: Ask[None, Any]) -> GoTo:
    """Choose the line of a table that contains its header."""
    table_documents.choose_header(ask.tx, ask.caller, ask.path["document"], ask.form.line)
    return GoTo(f"/inbox/{ask.path['document']}/table?change=true")


@page("POST", "/inbox/{document}/sheet", may="write", form=SheetForm, again=table_page)
async def choose_sheet(steps: Steps) -> Answered:
    """Read another sheet of a workbook."""
    document_id, caller = steps.path["document"], steps.caller
    content = await steps.read(lambda tx: documents.content_of(tx, caller, document_id))
    sheet = await steps.read_table("bills", content, steps.form.sheet)
    await steps.write(lambda tx: table_documents.choose_sheet(tx, caller, document_id, sheet))
    return GoTo(f"/inbox/{document_id}")


@page("POST", "/inbox/{document}/columns", may="write", own_fields=True, again=table_page)
def choose_columns(ask: Ask[None, None]) -> GoTo:
    """Save the meaning of the columns, and the formats of amounts and dates.

    If the person asks for it, they also apply to later files with the same columns.
    """
    document_id = ask.path["document"]
    table = table_documents.find(ask.tx, ask.caller, document_id)
    if table is None:
        raise Conflict(say("This file isn’t a table, or hasn’t been read yet. Go back to the Inbox."))
    line, remember = whole(ask.typed.get("line", "")), _wants_it_remembered(ask)
    mapping = file_columns.mapping_of(ask.typed, table.understood.sheet.header, FIELDS, FIXABLE)._replace(
        words=table.said.words
    )
    is_kept = table_documents.choose(ask.tx, ask.caller, document_id, line, mapping, remember=remember)
    message = (
        _BUT_FOR_THE_PROPERTY if set(OF_ONE_FILE) & mapping.fixed.keys() - set(mapping.fields.values()) else _REMEMBERED
    )
    return GoTo(f"/inbox/{document_id}", message if is_kept else "")


@page("POST", "/inbox/{document}/spread", may="write", form=SpreadForm, again=table_page)
def choose_spread(ask: Ask[None, Any]) -> GoTo:
    """Save whether to spread the file's bills with long service periods over their months.

    A bill that is not spread is billed in one month.
    """
    document_id = ask.path["document"]
    table = table_documents.find(ask.tx, ask.caller, document_id)
    if table is None:
        raise Conflict(say("This file isn’t a table, or hasn’t been read yet. Go back to the Inbox."))
    fixed = {field: value for field, value in table.said.fixed.items() if field != "spread"}
    mapping = table.said._replace(fixed=fixed | ({"spread": "yes"} if ask.form.spread else {}))
    line, remember = table.understood.sheet.header_line, ask.form.remember
    is_kept = table_documents.choose(ask.tx, ask.caller, document_id, line, mapping, remember=remember)
    return GoTo(f"/inbox/{document_id}", _REMEMBERED if is_kept else "")


@page("POST", "/inbox/{document}/words", may="write", own_fields=True, again=table_page)
def choose_words(ask: Ask[None, None]) -> GoTo:
    """Save the meanings of unknown texts, such as names of properties or utilities."""
    document_id, remember = ask.path["document"], _wants_it_remembered(ask)
    words = {field: file_columns.words_of(ask.typed, field) for field in WITH_WORDS}
    is_kept = table_documents.say_words(ask.tx, ask.caller, document_id, words, remember=remember)
    return GoTo(f"/inbox/{document_id}", _REMEMBERED if is_kept else "")


def _wants_it_remembered(ask: Ask[None, None]) -> bool:
    return ask.typed.get("remember") == "true"


@page("POST", "/inbox/{document}/rows", may="write", form=RowsForm, again=table_page, moves=previews.of_account)
def import_table(ask: Ask[None, Any]) -> Shown | GoTo:
    """Import a table's bills: from all rows, or only from those without problems."""
    document_id, good = ask.path["document"], ask.form.take_good_rows
    shown, leave = ask.form.shown, [line for line in map(whole, ask.form.leave) if line]
    report = table_documents.import_rows(ask.tx, ask.caller, document_id, shown, take_good_rows=good, leave=leave)
    if not report.added:
        return table_page(ask)._replace(status=Conflict.status)
    table = table_documents.find(ask.tx, ask.caller, document_id)
    only = "flagged" if report.flagged else "waiting" if report.waiting else ""
    if table and table.left:
        only = ""  # its next sheet comes first
    return GoTo(f"/bills?only={only}" if only else f"/inbox/{document_id}", said_of(report, ask.write))


@page("POST", "/inbox/{document}/leave-sheets", may="write", again=table_page)
def leave_sheets(ask: Ask[None, None]) -> GoTo:
    """Finish a workbook without importing its remaining sheets."""
    row = access.document(ask.tx, ask.caller, ask.path["document"])
    table_documents.leave_sheets(ask.tx, ask.caller, row.id)
    return GoTo(f"/inbox/{row.id}")


@page("POST", "/inbox/{document}/look-again", may="write", again=table_page)
def look_at_table_again(ask: Ask[None, None]) -> GoTo:
    """Reopen a table, so that the rows that were left out can be imported."""
    row = access.document(ask.tx, ask.caller, ask.path["document"])
    table_documents.look_again(ask.tx, ask.caller, row.id)
    return GoTo(f"/inbox/{row.id}")


def said_of(report: ImportReport, write: Forms) -> str:
    """Describe how many bills an import added, skipped, flagged and left out."""
    added = say_n("{n} bill was added.", "{n} bills were added.", report.added, n=write.count(report.added))
    flagged = say_n("{n} of them is flagged.", "{n} of them are flagged.", 2)
    if report.held:
        flagged = say_n(
            "{n} of them is flagged and held until you accept what is right.",
            "{n} of them are flagged and held until you accept what is right.",
            2,
        )
    others = (
        (len(report.skipped), say_n("{n} was already there.", "{n} were already there.", 2)),
        (
            len({problem.line for problem in report.problems}),
            say_n("{n} row with problems was left out.", "{n} rows with problems were left out.", 2),
        ),
        (sum(waiting_bills.bills for waiting_bills in report.waiting), _WAITS),
        (len(report.flagged), flagged),
    )
    left = say_n("{n} row was left out: line {lines}.", "{n} rows were left out: lines {lines}.", len(report.left_out))
    chosen = [left.format(lines=in_ranges(report.left_out))] if report.left_out else []
    return joined([added, *(text.of(number, write.count(number)) for number, text in others if number), *chosen])


_WAITS = say_n(
    "{n} bill is waiting because the invoices for its month had already been sent.",
    "{n} bills are waiting because the invoices for their months had already been sent.",
    2,
)
