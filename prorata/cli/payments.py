"""The `prorata payments` commands, which read bank statements with the dashboard's code."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from prorata import wiring
from prorata.actions.payments import files as payment_files
from prorata.actions.payments.files import Choices, LookedAt, PaymentFile
from prorata.actions.payments.finished_files import finish
from prorata.actions.payments.picks import Picks
from prorata.actions.payments.recording import NOTHING_RECORDED, Decided, Recorded, looked_at_and_matched, record
from prorata.cli.api_keys import caller_for, of_account
from prorata.cli.bills import print_problems
from prorata.cli.column_options import columns_are_told
from prorata.domain.files.column_kinds import cells_of
from prorata.domain.files.column_mappings import ColumnMapping, keys_of, spelled
from prorata.domain.files.number_formats import MARKS, ORDERS
from prorata.domain.files.sheets import NO_HEADER, Sheet, with_header_in
from prorata.domain.locale_forms import counted
from prorata.domain.money import in_figures
from prorata.domain.payments.candidates import Candidate
from prorata.domain.payments.columns import FIELDS
from prorata.domain.payments.files import OPEN
from prorata.domain.payments.matching import MATCHED, PROPOSED, UNMATCHED, Match
from prorata.settings import read_settings
from prorata.store.database.engine import Tx
from prorata.store.payments.files import PaymentFileRow

FAILED = 1
FIRST_CELLS = 3
_NOT_KEPT = PaymentFileRow("", "", "", "", 0, 0, None, OPEN, "", "")
_Said = Mapping[str, str]


@click.group()
def payments() -> None:
    """Import payments from a bank's file."""


@payments.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@of_account
@columns_are_told(FIELDS)
@click.option(
    "--no-header",
    is_flag=True,
    help='The first row is already a payment: --map refers to columns by number, as in "1=date".',
)
@click.option("--decimal", type=click.Choice(MARKS), help="The decimal mark, if the file doesn't make it clear.")
@click.option(
    "--dates", type=click.Choice(ORDERS), help="The order of day and month, if the file doesn't make it clear."
)
@click.option(
    "--remember", is_flag=True, help="Read the next file with these columns the same way, here and in the dashboard."
)
@click.option("--dry-run", is_flag=True, help="Show what would be recorded, without writing anything.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def import_(
    *, file: Path, account: str, columns: dict[str, str], no_header: bool, decimal: str | None, dates: str | None,
    remember: bool, dry_run: bool, as_json: bool,
) -> int:  # fmt: skip
    """Record the payments of FILE, from a bank or a ledger.

    FILE is a CSV file or an XLSX, ODS or XLS workbook.

    Columns: date and amount; if you have them, also name, text, reference, invoice, received, paidOut, currency,
    direction (debit or credit). They may have any names that banks give them (docs/payments.md). If the file has no
    header, refer to the columns by their numbers. A row is recorded if its invoice is certain; the others are
    listed with the reason, and wait under Payments in the dashboard. Importing the same file again records nothing
    twice.
    """
    content = file.read_bytes()
    with wiring.opened(read_settings()) as database:
        sheet = wiring.table_reader()("payments", content)
        if no_header:
            sheet = with_header_in(sheet, NO_HEADER)
        choices = (columns, decimal or "", dates or "")
        find = database.read(partial(_find, named=account, content=content, sheet=sheet, said=choices))
        if find.understood.is_open:
            return _say_first(find)
        if dry_run:
            done = NOTHING_RECORDED
            looked = database.read(lambda tx: payment_files.look_at(tx, caller_for(tx, account), find))
        else:
            keep = partial(_keep, named=account, name=file.name, content=content, sheet=sheet, found=find)
            kept = database.write(partial(keep, remember=remember))
            looked, decided = database.snapshot(lambda tx: looked_at_and_matched(tx, caller_for(tx, account), kept))
            done = NOTHING_RECORDED
            for part in decided.in_parts():
                done = done.and_then(database.write(partial(_record, named=account, part=part)))
            database.write(lambda tx: finish(tx, caller_for(tx, account), kept))
    if as_json:
        click.echo(json.dumps(_as_document(looked, done, dry_run=dry_run), ensure_ascii=False, indent=1))
    else:
        _show(looked, done, dry_run=dry_run)
    return FAILED if looked.problems and not (looked.waiting or looked.recorded) else 0


def _find(tx: Tx, named: str, content: bytes, sheet: Sheet, said: tuple[_Said, str, str]) -> PaymentFile:
    """Decide how to read a file, from the command's choices and earlier choices.

    `said` contains the command's columns, decimal mark and order of dates, which take precedence over earlier choices.
    Earlier choices are those for this file, or for a file with the same columns.
    """
    caller = caller_for(tx, named)
    payment_files.require_payments(sheet)
    row = payment_files.kept_of(tx, caller, content) or _NOT_KEPT
    before = payment_files.said_of(row)
    known = payment_files.read_as(tx, caller, row, sheet, before)
    columns, decimal, dates = said
    if not (columns or decimal or dates):
        return known
    keys = keys_of(known.understood.sheet.header)
    wanted = {spelled(name) or name.casefold(): field for name, field in columns.items()}
    unknown = [name for name in columns if (spelled(name) or name.casefold()) not in keys]
    if unknown:
        there = ", ".join(name for name in known.understood.sheet.header if name.strip())
        raise click.UsageError(f"The file has no column {', '.join(unknown)}. Its columns are: {there}")
    read = zip(keys, known.understood.fields, strict=True) if not known.understood.is_proposed else ()
    fields = {key: field for key, field in read if key and field}
    taken = set(filter(None, wanted.values()))
    fields = {key: "" if field in taken else field for key, field in fields.items()} | wanted
    mapping = ColumnMapping(fields, decimal=decimal or known.said.decimal, dates=dates or known.said.dates)
    line = known.understood.sheet.header_line
    choices = (before._replace(picks=Picks()) if before else Choices(line))._replace(header_line=line, mapping=mapping)
    return payment_files.read_as(tx, caller, row, known.understood.sheet, choices)


def _record(tx: Tx, named: str, part: Decided) -> Recorded:
    return record(tx, caller_for(tx, named), part)


def _keep(tx: Tx, named: str, name: str, content: bytes, sheet: Sheet, found: PaymentFile, *, remember: bool) -> str:
    """Store the file with the choices for reading it, and return its id."""
    caller = caller_for(tx, named)
    kept = payment_files.keep(tx, caller, name, content, sheet)
    if found.said.fields:
        payment_files.set_state(tx, caller, kept, OPEN)  # it may be done by itself, and is so again afterwards
        line = found.understood.sheet.header_line
        payment_files.choose(tx, caller, kept, line, found.said, remember=remember)
    return kept


def _say_first(payment_file: PaymentFile) -> int:
    """Print why a file's rows can't be read yet, and return the exit code."""
    read = payment_file.understood
    if read.is_proposed:
        click.echo('The file has no header. Specify its columns by number, such as --map "1=date":', err=True)
        for place, name in enumerate(read.sheet.header):
            first = ", ".join(str(cell) for cell in cells_of(read.sheet, place)[:FIRST_CELLS])
            perhaps = f" (perhaps {read.fields[place]})" if read.fields[place] else ""
            click.echo(f"  {name}: {first or 'empty'}{perhaps}", err=True)
        return FAILED
    for field in read.missing:
        click.echo(f'No column is mapped to {field}. Specify one: --map "Their column={field}"', err=True)
    for field in read.doubled:
        click.echo(f'Several columns are mapped to {field}. Map the others to nothing: --map "Column="', err=True)
    for name in read.doubtful:
        says = "No amount is below zero, and the column {0} may show which payments went out. If it does, specify"
        click.echo(f'{says.format(name)} --map "{name}=direction"; if not, --map "{name}="', err=True)
    if read.amounts.how == "asked":
        line = read.amounts.line
        click.echo(f"{read.amounts.example} in line {line} is ambiguous. Specify --decimal . or ,", err=True)
    if read.dates.how == "asked":
        line = read.dates.line
        click.echo(f"{read.dates.example} in line {line} is ambiguous. Specify --dates DMY or MDY", err=True)
    return FAILED


def _as_document(looked: LookedAt, done: Recorded, *, dry_run: bool) -> dict[str, Any]:
    return {
        "dryRun": dry_run,
        "recorded": done.rows,
        "changedMeanwhile": done.refused,
        "rows": [_row(match) for match in looked.waiting],
        "thereAlready": looked.recorded,
        "leftOut": looked.left_out,
        "allInvoicesLookedAt": not looked.is_cut,
        "problems": [problem._asdict() for problem in looked.problems],
    }


def _row(match: Match) -> dict[str, Any]:
    return {
        "line": match.row.line,
        "date": match.row.day.isoformat(),
        "amount": in_figures(match.row.cents),
        "verdict": match.verdict,
        "reason": match.reason,
        "candidates": [
            [
                {"invoice": part.invoice.number, "amount": in_figures(part.cents)}
                | ({"inPlaceOfNoted": True} if part.in_place_of_noted else {})
                for part in candidate
            ]
            for candidate in match.candidates
        ],
    }


def _show(looked: LookedAt, done: Recorded, *, dry_run: bool) -> None:
    for match in looked.waiting:
        for_what = f" {_named(match.candidates[0])}." if match.verdict == MATCHED else ""
        click.echo(f"line {match.row.line}, {in_figures(match.row.cents)}: {match.verdict}.{for_what} {match.reason}")
    for line in looked.recorded:
        click.echo(f"line {line}: already recorded; skipped.")
    for one_sum in looked.sums:
        click.echo(f"line {one_sum.line} is skipped, because it adds up other lines: {one_sum.name}.")
    print_problems(looked.problems)
    plain = len(looked.of(MATCHED))
    number, what = (plain, "would be recorded") if dry_run else (done.rows, "recorded")
    click.echo(f"{counted(number, 'payment')} {what}; {counted(len(looked.recorded), 'row')} already recorded.")
    if done.withdrawn:
        click.echo(f"{counted(done.withdrawn, 'e-mail')} withdrawn before being sent, because the invoices are paid.")
    for line in done.refused:
        click.echo(f"line {line}: something has changed in the meantime. Check it under Payments in the dashboard.")
    waiting = len(looked.of(PROPOSED)) + len(looked.of(UNMATCHED))
    if waiting:
        wait = "waits" if waiting == 1 else "wait"
        where = "a person has to choose" if dry_run else f"{wait} for a person under Payments in the dashboard"
        click.echo(f"{counted(waiting, 'row')} not clear: {where}.")
    if looked.is_cut:
        says = "This account has more open invoices, or payments around these dates, than can be checked"
        click.echo(f"{says}, so only payments that mention an invoice number can be recorded.")
    if looked.left_out:
        click.echo(f"{counted(looked.left_out, 'row')} left out: no money came in.")


def _named(candidate: Candidate) -> str:
    return ", ".join(f"{part.invoice.number} {in_figures(part.cents)}" for part in candidate)
