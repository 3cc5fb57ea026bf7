"""The `prorata charges` commands: charge files for other programs, as in the dashboard."""

import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from prorata import wiring
from prorata.actions.exports import charge_exports, charge_names
from prorata.actions.exports.charge_exports import Looked, Wish
from prorata.actions.properties import unit_imports
from prorata.adapters.database.atomic_files import write_whole
from prorata.adapters.exports.charge_layout_files import load_layouts
from prorata.cli.api_keys import caller_for, of_account
from prorata.cli.bills import print_problems
from prorata.domain.billing_calendar import Month, read_month
from prorata.domain.exports.charge_layouts import ACCOUNT, UTILITIES, Layout, Rows
from prorata.domain.exports.charge_name_files import ReadNames, read_names
from prorata.domain.files.sheets import RowProblem
from prorata.domain.limits import MOST_INVOICES_OF_CHARGE_FILE
from prorata.domain.locale_forms import counted
from prorata.domain.money import in_figures
from prorata.settings import read_settings
from prorata.store.database.engine import Tx
from prorata.store.exports.charge_exports import ExportRow
from prorata.store.properties import properties

FAILED = 1
PROPERTIES_AT_ONCE = 200
of_system = click.option(
    "--system", required=True, type=click.Choice(sorted(load_layouts())), help="The program that the file is for."
)
of_property = click.option("--property", "named", help="The property's id or name. If omitted, all properties.")


@click.group()
def charges() -> None:
    """Create charge files for the accounting program that keeps the ledgers."""


def _month(_context: click.Context, _option: click.Parameter, given: str) -> Month:
    month = read_month(given)
    if month is None:
        raise click.BadParameter(f"{given} is not a month. Write YYYY-MM, such as 2026-03.")
    return month


@charges.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@of_account
@of_system
@click.option("--month", required=True, callback=_month, metavar="YYYY-MM", help="The billing month.")
@of_property
@click.option(
    "--rows",
    type=click.Choice(["charge", "invoice"]),
    help="Whether to write a row for each charge or for each invoice.",
)
@click.option("--drafts", is_flag=True, help="Include drafts, which can still change.")
@click.option(
    "--again", is_flag=True, help="Include invoices that are already in an earlier file: they are charged twice."
)
@click.option(
    "--currency", help="Include only what is in this currency, such as USD. Each currency needs a separate file."
)
@click.option(
    "--most",
    type=click.IntRange(1, MOST_INVOICES_OF_CHARGE_FILE),
    default=MOST_INVOICES_OF_CHARGE_FILE,
    help="The maximum number of invoices in a file.",
)
@click.option("--dry-run", is_flag=True, help="Show what the file would contain, without creating it.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON, to stderr if the file goes to stdout.")
def export(
    *, file: Path | None, account: str, system: str, month: Month, named: str | None, rows: str | None, drafts: bool,
    again: bool, currency: str | None, most: int, dry_run: bool, force: bool, as_json: bool,
) -> int:  # fmt: skip
    """Write a month's sent invoices to FILE, in another program's format for charges.

    If FILE is omitted, write to stdout. Invoices that were written to an earlier file are left out, so that nobody
    is charged twice. Invoices that the file can't contain are listed with the reasons (docs/charge-files.md).
    """
    _can_write(file, force=force)
    layout = load_layouts()[system]

    def wish(tx: Tx) -> Wish:
        row = unit_imports.find_property(tx, caller_for(tx, account), named) if named else None
        chosen: Rows = "invoice" if (rows or layout.rows) == "invoice" else "charge"
        return Wish(month, row.id if row else None, drafts, again, chosen, most, currency.upper() if currency else None)

    with wiring.opened(read_settings()) as database:
        look = partial(charge_exports.look, layout=layout)
        looked = database.snapshot(lambda tx: look(tx, caller_for(tx, account), wish=wish(tx)))
        made, content = None, b""
        if looked.invoices and not dry_run:
            made = database.write(lambda tx: charge_exports.make(tx, caller_for(tx, account), layout, wish(tx)))
            content = database.snapshot(partial(_whole, row=made))
    if made is not None and file is not None:
        write_whole(file, lambda opened: opened.write(content), replace=force)
    elif made is not None:
        sys.stdout.buffer.write(content)
    if as_json:
        click.echo(json.dumps(_as_document(looked, made, dry_run=dry_run), ensure_ascii=False, indent=1), err=not file)
    else:
        _show(looked, made, layout, again=again, dry_run=dry_run)
    return 0 if made is not None or dry_run else FAILED


def _can_write(file: Path | None, *, force: bool) -> None:
    """Check, before a charge file is made, that it can be written to its path."""
    if file is not None and file.exists() and not force:
        raise click.ClickException(f"{file} already exists. Choose another name, or overwrite the file with --force.")
    if file is not None and not file.parent.is_dir():
        raise click.ClickException(
            f"{file} can't be written, because the folder {file.parent} doesn't exist. Create it first."
        )


def _whole(tx: Tx, row: ExportRow) -> bytes:
    """Return all bytes of a charge file, which has at most `MOST_INVOICES_OF_CHARGE_FILE` invoices."""
    return b"".join(charge_exports.pieces(tx, row))


def _as_document(looked: Looked, made: ExportRow | None, *, dry_run: bool) -> dict[str, Any]:
    return {
        "dryRun": dry_run,
        "file": made.id if made else None,
        "invoices": looked.invoices,
        "drafts": looked.drafts,
        "rows": looked.rows,
        "totals": {currency: in_figures(cents) for currency, cents in looked.totals},
        "inAFileAlready": looked.there,
        "hasMore": looked.has_more,
        "lacking": [
            {"field": lacking_name.lacking.field, "of": lacking_name.lacking.ours, "invoices": lacking_name.invoices}
            for lacking_name in looked.lacking
        ],
        "leftOut": [{"invoice": left_out.number, "why": left_out.why} for left_out in looked.left_out],
    }


def _show(looked: Looked, made: ExportRow | None, layout: Layout, *, again: bool, dry_run: bool) -> None:
    """Print how many invoices the file contains, and which are left out and why.

    The text goes to stderr, because the file itself may go to stdout.
    """
    say = partial(click.echo, err=True)
    titles = {asked.field: asked.title for asked in layout.asks}
    for lacking in looked.lacking:
        waits = counted(lacking.invoices, "invoice")
        say(f"{titles[lacking.lacking.field]} of {lacking.lacking.ours}: not given yet; {waits} left out.")
    for left_out in looked.left_out:
        say(f"{left_out.number}: left out. {left_out.why}")
    drafts = f" ({counted(looked.drafts, 'draft')} among them)" if looked.drafts else ""
    invoices, rows, sums = looked.invoices, looked.rows, looked.totals
    if made is not None:
        invoices, rows, sums = made.invoices, made.rows, ((made.currency, made.total),)
    totals = ", ".join(f"{in_figures(cents)} {currency}" for currency, cents in sums) or "nothing"
    became = "created" if made else "would be in the file" if dry_run else "no file was created"
    say(f"{counted(invoices, 'invoice')}{drafts} in {counted(rows, 'row')}, {totals}: {became}.")
    if looked.there:
        say(f"{counted(looked.there, 'invoice')} in an earlier file: {'taken again' if again else 'left out'}.")
    if looked.has_more:
        say("There are more invoices: create another file for them.")
    if made is not None:
        say(layout.how)


@charges.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@of_account
@of_system
@of_property
@click.option(
    "--set", "said", multiple=True, metavar="FIELD:OF=NAME",
    help="A name for a utility, or for the account, such as item:WATER=Water or receivable=Debtors; can be repeated.",
)  # fmt: skip
@click.option(
    "--take-ours", is_flag=True, help="Use Prorata's names wherever they are proposed and no name has been given."
)
def names(
    *, file: Path | None, account: str, system: str, named: str | None, said: Sequence[str], take_ours: bool
) -> int:
    """Set the other program's names of properties, units, tenants and utilities, for all files.

    FILE is a spreadsheet with a row for each unit: property, unit, and columns with the other program's names. If
    FILE has a problem, none of its names is stored.
    """
    layout = load_layouts()[system]
    typed = dict(_said(layout, one) for one in said)
    sheet = wiring.table_reader()("charge names", file.read_bytes()) if file else None
    with wiring.opened(read_settings()) as database:
        kept = database.write(lambda tx: charge_names.enter(tx, caller_for(tx, account), layout, typed)) if typed else 0
        if take_ours:
            places = database.read(partial(_places, account=account, named=named))
            for at in range(0, len(places), PROPERTIES_AT_ONCE):
                take = partial(_take, account=account, layout=layout, places=places[at : at + PROPERTIES_AT_ONCE])
                kept += database.write(take)
        problems: Sequence[RowProblem] = ()
        if sheet is not None:
            read = read_names(sheet, layout, names_property=named is None)
            report = database.write(partial(_bring, account=account, layout=layout, read=read, named=named))
            kept, problems = kept + report.names, report.problems
    if problems:
        print_problems(problems)
        click.echo("Nothing from the file was saved.", err=True)
        return FAILED
    click.echo(f"{counted(kept, 'name')} kept.")
    return 0


def _said(layout: Layout, option_text: str) -> tuple[tuple[str, str], str]:
    """Parse `--set` into a field, its utility if it has one, and a name."""
    key, equals, name = option_text.partition("=")
    field, _, of = key.partition(":")
    of = of.strip().upper() or ACCOUNT
    fields = {
        asked.field: UTILITIES if asked.of == "utility" else (ACCOUNT,)
        for asked in layout.asked_of("utility", "system")
    }
    if not equals or of not in fields.get(field.strip(), ()):
        known = ", ".join(
            f"{field}:{'|'.join(records)}" if len(records) > 1 else field for field, records in fields.items()
        )
        raise click.BadParameter(
            f"{option_text}: write FIELD:OF=NAME. {layout.title} asks for {known or 'none of these'}."
        )
    return (field.strip(), of), name


def _places(tx: Tx, account: str, named: str | None) -> list[str]:
    caller = caller_for(tx, account)
    if named:
        return [unit_imports.find_property(tx, caller, named).id]
    return [row.id for row in properties.all_of(tx, caller.account_id)]


def _take(tx: Tx, account: str, layout: Layout, places: Sequence[str]) -> int:
    return charge_names.take_ours(tx, caller_for(tx, account), layout, places)


def _bring(tx: Tx, account: str, layout: Layout, read: ReadNames, named: str | None) -> charge_names.NamesReport:
    caller = caller_for(tx, account)
    place = unit_imports.find_property(tx, caller, named).id if named else None
    return charge_names.bring(tx, caller, layout, read, place)
