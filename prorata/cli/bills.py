"""The `prorata bills` commands, which use the same code as the dashboard."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from prorata import wiring
from prorata.actions.bills import bills as bill_actions, corrections as bill_corrections
from prorata.actions.intake.bill_imports import ImportReport
from prorata.actions.recalculation import correction_decisions
from prorata.cli import bill_drafts, bill_tables
from prorata.cli.api_keys import caller_for, of_account
from prorata.cli.bill_confirmations import cents_in, confirm
from prorata.cli.bill_tables import Done, Said, Work
from prorata.cli.limits import MOST_FLAGGED_BILLS_NAMED
from prorata.domain.files.grouped_problems import of_rows
from prorata.domain.files.number_formats import MARKS, ORDERS
from prorata.domain.files.sheets import RowProblem
from prorata.domain.locale_forms import counted
from prorata.settings import read_settings
from prorata.store.database.engine import Tx
from prorata.store.recalculation.waiting_corrections import WaitingSum
from prorata.wiring import processes

FAILED = 1
_LOOK = ("it counts; check it under Bills, Flagged.", "they count; check them under Bills, Flagged.")


@click.group()
def bills() -> None:
    """Import, read, confirm and remove utility bills."""


bills.add_command(confirm)


@bills.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@of_account
@click.option(
    "--map",
    "columns",
    multiple=True,
    callback=bill_tables.pairs,
    metavar='"THEIR COLUMN=ourField"',
    help="What a column of the file contains; can be repeated.",
)
@click.option(
    "--all-rows",
    "fixed",
    multiple=True,
    callback=bill_tables.pairs,
    metavar="FIELD=VALUE",
    help="property, issuerName or utilityType of every row, where no column has it.",
)
@click.option(
    "--property",
    "houses",
    multiple=True,
    callback=bill_tables.meanings,
    metavar='"THEIR NAME=OURS"',
    help="The property that a name in the file stands for, by name or id; can be repeated.",
)
@click.option(
    "--utility",
    "utilities",
    multiple=True,
    callback=bill_tables.meanings,
    metavar='"THEIR NAME=WATER"',
    help="The utility that a name in the file stands for; can be repeated.",
)
@click.option("--decimal", type=click.Choice(MARKS), help="The decimal mark, if the file doesn't make it clear.")
@click.option(
    "--dates", type=click.Choice(ORDERS), help="The order of day and month, if the file doesn't make it clear."
)
@click.option(
    "--remember", is_flag=True, help="Read the next file with these columns the same way, here and in the dashboard."
)
@click.option(
    "--sheet",
    type=click.IntRange(1, 1_000),
    metavar="NUMBER",
    help="The number of the visible sheet to read in a workbook. If omitted, the first one that has bills.",
)
@click.option("--dry-run", is_flag=True, help="Check the file without writing anything.")
@click.option("--take-good-rows", is_flag=True, help="Skip bad rows instead of writing nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def import_(
    *, file: Path, account: str, columns: dict[str, str], fixed: dict[str, str], houses: dict[str, str],
    utilities: dict[str, str], decimal: str | None, dates: str | None, remember: bool, sheet: int | None,
    dry_run: bool, take_good_rows: bool, as_json: bool,
) -> int:  # fmt: skip
    """Import FILE, a table of bills or a ZIP of such tables.

    Each table is imported completely or not at all. A table is a CSV file, or an XLSX, ODS or XLS workbook.

    Columns: property, issuerName, utilityType, totalAmountDue, billDate; if you have them, also amounts, currency,
    dueDate, billingMonth, paymentStatus, accountNumber, billNumber, servicePeriodStart, servicePeriodEnd, spread,
    usageAndPrice, names, notes (docs/bills-file.md describes their contents). Other columns are read as --map
    says, or as chosen earlier in the dashboard or with --remember. A bill that already exists is skipped, so a file
    may be imported again. Unusual bills are reported, but still imported.
    """
    processes.collect_nothing()
    processes.take_short_turns()
    words = {"property": houses, "utilityType": utilities}
    choices = Said(columns, fixed, decimal or "", dates or "", remember=remember, sheet=sheet or 0, words=words)
    is_shown = sys.stderr.isatty() and not as_json
    bar = click.progressbar(length=1, label="Reading", show_eta=False, file=sys.stderr, hidden=not is_shown)
    with wiring.opened(read_settings()) as database, bar:

        def show(done: int, of_all: int) -> None:
            bar.label, bar.pos, bar.length = "Writing", done, of_all
            bar.render_progress()

        files = bill_tables.files_of(file)
        work = Work(database, account, dry_run=dry_run, take_good_rows=take_good_rows, progress=show)
        all_done = [bill_tables.import_one(work, incoming_file, choices) for incoming_file in files]
    if as_json:
        told = [_as_document(done) for done in all_done]
        click.echo(json.dumps({"files": told} if files[0].is_packed else told[0], ensure_ascii=False, indent=1))
    return max([_show(done, named=files[0].is_packed, as_json=as_json) for done in all_done])


@bills.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--password", is_flag=True, help="Ask for the password of a protected PDF, or read it from standard input."
)
@click.option("--account", help="The account whose lessons to use for reading: its id, or its owner's e-mail address.")
@click.option("--json", "as_json", is_flag=True, help="Print the draft as JSON, with the box of each value.")
def read(*, file: Path, password: bool, account: str | None, as_json: bool) -> int:
    """Read FILE, a bill or a ZIP of several, and show the draft.

    A bill is a PDF, an e-invoice (XML), or a photo or scan (JPEG, PNG). The draft contains the values found, their
    positions on the pages, and questions for a person.

    Nothing is stored, and no account is needed. If you name an account, its confirmed bills help to read other
    bills of the same issuers. Ambiguous values become questions, and are never guessed (docs/reading-bills.md).
    """
    files = wiring.files_in(file.name, file.read_bytes())
    opens_with = bill_drafts.asked_password() if password else None
    with bill_drafts.known_to(account) as known:
        if files[0].is_packed:
            return bill_drafts.show_each(files, opens_with, known, as_json=as_json)
        draft = known.applied(bill_drafts.read_of(files[0], opens_with, known.lessons).draft)
    if as_json:
        click.echo(bill_drafts.as_json(draft))
    else:
        bill_drafts.show(draft)
    return 0


@bills.command()
@click.argument("bill")
@of_account
def remove(*, bill: str, account: str) -> None:
    """Remove BILL, given by its id, and its charges.

    This is no longer possible once the invoices of its month have been sent.
    """
    with wiring.opened(read_settings()) as database:
        database.write(lambda tx: bill_actions.remove(tx, caller_for(tx, account), bill))
    click.echo("Removed; the invoices for its month are up to date.")


def _cents(_context: object, _option: object, value: str | None) -> int | None:
    if value is None:
        return None
    cents = cents_in(value.strip())
    if cents is None:
        raise click.BadParameter("Enter an amount such as 240.10.")
    return cents


def _amounts(context: object, option: object, values: tuple[str, ...]) -> dict[str, int] | None:
    amounts: dict[str, int] = {}
    for value in values:
        kind, _, amount = value.partition("=")
        amounts[kind.strip().upper()] = _cents(context, option, amount) or 0
    return amounts or None


@bills.command()
@click.argument("bill")
@of_account
@click.option("--total", callback=_cents, metavar="240.10", help="The correct total of the bill.")
@click.option(
    "--amount", "amounts", multiple=True, callback=_amounts, metavar="WATER=200.10",
    help="The part of the total for a utility, or not billed (LATE_FEE=5.00), if the bill has several parts; repeat "
         "for each.",
)  # fmt: skip
@click.option(
    "--usage", "usages", multiple=True, metavar='"WATER=41.5 m3 @ 2.40"',
    help="The usage of a utility and, if you have it, its unit price; repeat for each.",
)  # fmt: skip
@click.option(
    "--remove", "is_removed", is_flag=True, help="The bill should never have been charged: set its total to 0.00."
)
def correct(
    *, bill: str, account: str, total: int | None, amounts: dict[str, int] | None, usages: tuple[str, ...],
    is_removed: bool,
) -> None:  # fmt: skip
    """Correct the amounts of BILL, given by its id, even if sent invoices charge it.

    The usage can be corrected, too; with --usage alone, the amounts stay as they are. The sent invoices stay as
    they are: any amount that they charge too much or too little becomes a correction for each tenant.
    """
    if is_removed == bool(total is not None or usages):
        raise click.UsageError("Specify the correct --total, or --usage, or --remove.")
    if amounts and total is None:
        raise click.UsageError("Specify the correct --total together with its amounts.")
    used = bill_corrections.read_usages(usages)
    with wiring.opened(read_settings()) as database:

        def work(tx: Tx) -> list[WaitingSum]:
            caller = caller_for(tx, account)
            if is_removed:
                bill_corrections.remove(tx, caller, bill)
            else:
                right_amounts = bill_corrections.parts(tx, caller, bill) if total is None else amounts
                of_all = sum((right_amounts or {}).values()) if total is None else total
                bill_corrections.correct(tx, caller, bill, of_all, right_amounts, usages=used)
            return correction_decisions.waiting(tx, caller)

        waiting = database.write(work)
    click.echo("Corrected. Sent invoices stay as they are, and drafts are up to date.")
    if waiting:
        click.echo(f"Pending in all your properties: {correction_decisions.waiting_in_words(waiting)}.")


def _as_document(done: Done) -> dict[str, Any]:
    report = done.report
    if report is None:
        return {"name": done.name, "problem": done.problem}
    return {
        "name": done.name,
        "dryRun": report.dry_run,
        "added": report.added,
        "goodRows": report.good,
        "skipped": [{"line": line, "message": "This bill has already been added."} for line in report.skipped],
        "problems": [problem._asdict() for problem in report.problems],
        "waiting": [month._asdict() for month in report.waiting],
        "flagged": [
            {"line": row.line, "kind": flag.kind, "message": flag.message, "advice": flag.advice, "bills": flag.bills}
            for row in report.flagged
            for flag in row.flags
        ],
        "columns": done.columns,
        "notes": done.notes,
    }


def _show(done: Done, *, named: bool, as_json: bool) -> int:
    """Print the outcome of a file, and return its exit code.

    If `as_json` is True, print only problems.
    """
    if named and not as_json:
        click.echo(f"== {done.name}")
    report = done.report
    if report is None:
        click.echo(done.problem, err=as_json)
        return FAILED
    if not as_json:
        _show_report(report, done.notes)
    return _ended(report)


def _show_report(report: ImportReport, notes: Sequence[str]) -> None:
    for note in notes:
        click.echo(note)
    for line in report.skipped:
        click.echo(f"line {line}: this bill already exists; skipped.")
    print_problems(report.problems)
    for row in report.flagged:
        for flag in row.flags:
            about = f" ({', '.join(flag.bills[:MOST_FLAGGED_BILLS_NAMED])})" if flag.bills else ""
            click.echo(f"line {row.line}, flagged: {flag.message} {flag.advice}{about}")
    verb = "would be added" if report.dry_run else "added"
    click.echo(f"{counted(report.added, 'bill')} {verb}; {counted(len(report.skipped), 'bill')} already there.")
    if report.flagged and report.added:
        click.echo(f"{counted(len(report.flagged), 'bill')} of them flagged: {_LOOK[len(report.flagged) > 1]}")
    for waits in report.waiting:
        click.echo(
            f"{counted(waits.bills, 'bill')} of {waits.property_name} for {waits.month} arrived after that "
            "month's invoices were sent. On the month's page, place what is waiting on the next invoices, or set "
            "the sent invoices back to DRAFT."
        )


def _ended(report: ImportReport) -> int:
    """Return an import's exit code, and print how many lines had problems, if any.

    The exit code is `FAILED` if nothing was written because of lines with problems.
    """
    if not report.problems:
        return 0
    lines = counted(len({problem.line for problem in report.problems}), "line")
    if report.added:
        click.echo(f"{lines} with problems left out.", err=True)
        return 0
    rest = f" {counted(report.good, 'good row')} can be imported without them: --take-good-rows." if report.good else ""
    click.echo(f"Nothing was written: {lines} with problems.{rest}", err=True)
    return FAILED


def print_problems(problems: Sequence[RowProblem]) -> None:
    """Print the problems of a file, one per line, grouping equal problems."""
    for problem_of_rows in of_rows(problems):
        where = f"line{'s' if len(problem_of_rows.lines) > 1 else ''} {problem_of_rows.where}"
        click.echo(
            f"{where}{f', {problem_of_rows.column}' if problem_of_rows.column else ''}: {problem_of_rows.message}"
        )
