"""Tables of bills for `prorata bills import`, alone or in a ZIP.

The command's options choose the columns and formats. Where an option is not given, the choice made for an earlier
file applies.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from prorata import wiring
from prorata.actions.intake import bill_imports, column_mappings, table_documents
from prorata.actions.intake.bill_imports import BillsFile, ImportReport, Progress
from prorata.actions.intake.column_mappings import ReadTable
from prorata.cli.api_keys import caller_for
from prorata.cli.limits import MOST_COLUMNS_NAMED
from prorata.domain.bills.columns import FIELDS, dated_by, listed, unread_columns
from prorata.domain.files.cell_values import read_types
from prorata.domain.files.cells import Unclear
from prorata.domain.files.column_mappings import ColumnMapping, keys_of, spelled
from prorata.domain.files.file_kinds import TABLE_KINDS
from prorata.domain.files.number_formats import in_words
from prorata.domain.intake.column_mappings import FIXABLE, WITH_WORDS, in_spite_in_words
from prorata.domain.labels import same
from prorata.domain.limits import MOST_UNKNOWN_NAMES
from prorata.domain.problems import shown
from prorata.errors import InvalidRequest
from prorata.ports.files import IncomingFile
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx

_NO_TABLE = (
    "This is not a table of bills. Upload a PDF or a picture in the Inbox of the dashboard; to see what a PDF "
    "contains, run: prorata bills read"
)

_EXAMPLES = {
    "property": 'property="Maple Court"',
    "issuerName": 'issuerName="Aqua Water Co."',
    "utilityType": "utilityType=WATER",
}
_SAID_BY = {
    "property": ("--property", "no property", "Maple Court"),
    "utilityType": ("--utility", "no utility", "WATER"),
}
_TOLD = ("shown", "customary", "mixed")
"""The indications by which the format of amounts and dates is known without a question."""


class Said(NamedTuple):
    """The command's choices for reading a table.

    `columns` maps columns of the file to fields, and `fixed` contains values for rows that lack a field. `decimal`
    is the decimal mark, and `dates` the order of day and month. `words` contains the meanings of names in the file,
    separately for each field. `sheet` is the number of a workbook's sheet, or 0 for the first sheet that contains
    bills. If `remember` is True, the choices are stored for later files.
    """

    columns: Mapping[str, str]
    fixed: Mapping[str, str]
    decimal: str
    dates: str
    remember: bool
    sheet: int = 0
    words: Mapping[str, Mapping[str, str]] = {}


class Work(NamedTuple):
    """An import of tables, with its database, account and options.

    `progress` is called while the import advances.
    """

    database: Database
    account: str
    dry_run: bool
    take_good_rows: bool
    progress: Progress

    def caller(self, tx: Tx) -> Caller:
        """Build the caller for the operator's work in the account of the import."""
        return caller_for(tx, self.account)


class Done(NamedTuple):
    """The outcome of a file: an import report with notes and columns, or a problem."""

    name: str
    report: ImportReport | None = None
    notes: tuple[str, ...] = ()
    columns: Mapping[str, str] = {}
    problem: str = ""


def pairs(_context: click.Context, option: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """Parse the values of a repeatable option, each LEFT=RIGHT, into pairs.

    Raises `click.BadParameter` if a value is malformed or names an unknown field.
    """
    columns = {}
    for pair in given:
        left, equals, right = pair.rpartition("=") if option.name == "columns" else pair.partition("=")
        field = right if option.name == "columns" else left
        allowed = (*FIELDS, "") if option.name == "columns" else FIXABLE
        if not equals or field.strip() not in allowed:
            raise click.BadParameter(f"{pair}: write NAME=VALUE with one of {', '.join(filter(None, allowed))}.")
        columns[left.strip()] = right.strip()
    return columns


def meanings(_context: click.Context, option: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """Parse the values of a repeatable option, each THEIRS=OURS, into names with meanings.

    Raises `click.BadParameter` if a value is malformed or names an unknown utility.
    """
    meanings_by_field = {}
    for pair in given:
        theirs, equals, ours = (part.strip() for part in pair.rpartition("="))
        if not (theirs and equals and ours):
            raise click.BadParameter(f"{pair}: write the name in the file, an equals sign and the meaning.")
        if option.name == "utilities":
            try:
                ours = ";".join(read_types(ours))
            except Unclear as unclear:
                raise click.BadParameter(f"{pair}: {unclear}") from None
        meanings_by_field[same(theirs)] = ours
    return meanings_by_field


def files_of(file: Path) -> tuple[IncomingFile, ...]:
    """Return the file or, for an archive, the files in it.

    Raises `InvalidRequest` if a single file is not a table.
    """
    files = wiring.files_in(file.name, file.read_bytes())
    if not files[0].is_packed:
        require_table(files[0])
    return files


def require_table(file: IncomingFile) -> None:
    """Raise `InvalidRequest` unless the file is a table."""
    if file.problem or file.kind not in TABLE_KINDS:
        raise InvalidRequest(file.problem or _NO_TABLE)


def import_one(work: Work, file: IncomingFile, choices: Said) -> Done:
    """Import a table completely or not at all.

    If a table from an archive can't be read, the result contains the problem. If any other table can't be read, raises
    `InvalidRequest`.
    """
    try:
        table = _read(work, file, choices)
    except InvalidRequest as refused:
        if not file.is_packed:
            raise
        return Done(file.name, problem=refused.message)
    understanding = table.understood
    report = _imported(work, file, table)
    if choices.remember and table.mapping is not None and not work.dry_run and not understanding.is_open:
        header, mapping = understanding.sheet.header, table.mapping
        work.database.write(lambda tx: column_mappings.remember(tx, work.caller(tx), header, mapping))
    notes = [*_notes(table), *(_unknown(work, table) if report.problems and not understanding.is_open else ())]
    columns = {
        name: field for name, field in zip(understanding.sheet.header, understanding.how.fields, strict=True) if field
    }
    return Done(file.name, report, tuple(notes), columns)


def _read(work: Work, file: IncomingFile, choices: Said) -> ReadTable:
    require_table(file)
    sheet = wiring.table_reader()("bills", file.data, choices.sheet)
    if choices.sheet:
        sheet = sheet._replace(unread=())  # only this one is asked for
    known = work.database.read(lambda tx: column_mappings.remembered(tx, work.caller(tx), sheet))
    mapping = _with(known.mapping, choices, known.sheet.header)
    return work.database.read(lambda tx: column_mappings.read_as(tx, work.caller(tx), known, mapping))


def _imported(work: Work, came: IncomingFile, table: ReadTable) -> ImportReport:
    """Import a table and return its report.

    The effect is first computed in a read transaction, during which other processes can write. Unusual bills are found
    before anything is written. The file is stored unchanged, together with the added bills.
    """
    understanding, good = table.understood, work.take_good_rows
    file = BillsFile(understanding.sheet, understanding.how)
    look = bill_imports.preview if work.dry_run else bill_imports.would_add
    report = work.database.read(lambda tx: look(tx, work.caller(tx), file, take_good_rows=good))
    if report.added and not work.dry_run:
        brought = table_documents.brought(came.name, came.data, understanding.sheet, table.mapping)
        report = work.database.write(
            lambda tx: table_documents.import_brought(
                tx, work.caller(tx), brought, file, take_good_rows=good, progress=work.progress
            )
        )
    return report._replace(dry_run=work.dry_run)


def _with(known: ColumnMapping | None, choices: Said, header: tuple[str, ...]) -> ColumnMapping | None:
    """Combine the stored meanings of a header's columns with the command's choices."""
    if not (choices.columns or choices.fixed or choices.decimal or choices.dates or any(choices.words.values())):
        return known
    keys = set(filter(None, keys_of(header)))
    columns = {spelled(name) or name.casefold(): field for name, field in choices.columns.items()}
    unknown = [name for name in choices.columns if (spelled(name) or name.casefold()) not in keys]
    if unknown:
        there = ", ".join(name for name in header if name.strip())
        raise click.UsageError(f"The file has no column {', '.join(unknown)}. Its columns are: {there}")
    known = known or ColumnMapping()
    words = {field: {**known.words.get(field, {}), **choices.words.get(field, {})} for field in WITH_WORDS}
    kept = {key: field for key, field in known.fields.items() if field not in columns.values()}
    return ColumnMapping(
        {**kept, **columns}, {**known.fixed, **choices.fixed}, words, choices.decimal or known.decimal,
        choices.dates or known.dates,
    )  # fmt: skip


def _notes(table: ReadTable) -> list[str]:
    """List notes on how a table's columns, amounts and dates were read.

    The list is empty if the names of the table's columns are clear, and if each amount and date can be read in only
    one way.
    """
    parsed, sentences = table.understood, list[str]()
    if table.is_remembered:
        sentences.append("The columns are read as specified for an earlier file with the same columns.")
    if unread := unread_columns(parsed.sheet, parsed.how):
        more = f" and {len(unread) - MOST_COLUMNS_NAMED} more" if len(unread) > MOST_COLUMNS_NAMED else ""
        sentences.append(f"Nothing is read from {listed(unread[:MOST_COLUMNS_NAMED])}{more}".rstrip(".") + ".")
    sentences.extend(
        f"Line {sum_row.line} is skipped, because it adds up other lines: {sum_row.name}." for sum_row in parsed.sums
    )
    if parsed.currencies:
        sentences.append(in_spite_in_words(parsed.currencies))
    if parsed.how.fixed:
        fixed = [f"{field} “{shown(value)}”" for field, value in parsed.how.fixed.items()]
        sentences.append(f"Every row has {listed(fixed)}, as specified.")
    fields = parsed.how.fields
    if dated_by(fields) != "billDate":
        day = "its billing month" if dated_by(fields) == "billingMonth" else "service"
        sentences.append(f"No column gives the bill date, so each bill is dated the last day of {day}.")
    if parsed.missing:
        sentences.append(_what_is_missing(parsed.missing))
    if parsed.amounts.how == "asked":
        sentences.append(
            f"{parsed.amounts.example} in line {parsed.amounts.line} is ambiguous. Specify --decimal . or ,"
        )
    if parsed.dates.how == "asked":
        sentences.append(f"{parsed.dates.example} in line {parsed.dates.line} is ambiguous. Specify --dates DMY or MDY")
    forms = (("Amounts", parsed.amounts), ("Dates", parsed.dates))
    return [*sentences, *(f"{name}: {in_words(form)}" for name, form in forms if form.how in _TOLD)]


def _unknown(work: Work, table: ReadTable) -> Iterator[str]:
    """Yield sentences about the unknown names in a table, with the options that explain them."""
    sheet, how = table.understood.sheet, table.understood.how
    unknown_texts = work.database.read(lambda tx: bill_imports.unknown(tx, work.caller(tx), sheet, how))
    for field, (option, what, ours) in _SAID_BY.items():
        if texts := unknown_texts.get(field):
            named = listed([f"“{shown(text)}”" for text in texts[:MOST_UNKNOWN_NAMES]])
            verb = "names" if len(texts) == 1 else "name"
            yield f'{named} {verb} {what}. Specify its meaning: {option} "{shown(texts[0])}={ours}"'


def _what_is_missing(fields: Sequence[str]) -> str:
    """Name the missing columns, and how to choose them or set a fixed value."""
    sentence = f'No column is mapped to {", ".join(fields)}. Specify one: --map "Their column={fields[0]}"'
    fixable = next((field for field in fields if field in FIXABLE), None)
    return f"{sentence}, or give one value for all rows: --all-rows {_EXAMPLES[fixable]}" if fixable else sentence
