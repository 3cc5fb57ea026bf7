"""`prorata units import`: a property's units and tenants from a file, at once."""

from functools import partial
from pathlib import Path

import click

from prorata import wiring
from prorata.actions.properties import property_imports, unit_imports
from prorata.actions.properties.property_imports import HousesReport, UnitsFile
from prorata.cli.api_keys import caller_for, of_account
from prorata.cli.bills import print_problems
from prorata.domain.locale_forms import counted
from prorata.settings import read_settings
from prorata.store.database.engine import Tx
from prorata.web.http.fields import is_email

FAILED = 1


@click.group()
def units() -> None:
    """Import units and tenants."""


@units.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@of_account
@click.option("--property", "named", help="The property's id, or its name; not for a file that names properties.")
@click.option("--dry-run", is_flag=True, help="Check the file, and write nothing.")
@click.option("--take", is_flag=True, help="Change units and tenants that are there as the file says.")
def import_(*, file: Path, account: str, named: str | None, dry_run: bool, take: bool) -> int:
    """Import FILE, a CSV file or an XLSX, ODS or XLS workbook: all of it, or none.

    A file with a column property may name many; those that are not there yet are added, with streetNumber, street,
    city, state, zip and country. The other columns: label, sqft, bedrooms, monthlyRent, activeFrom, tenantName,
    tenantEmail, moveInDate, moveOutDate, occupants. Several rows of one label are one unit with several tenants. What
    is there already stays as it is, so that a file may be imported again: what it says otherwise is listed, and --take
    takes it.
    """
    with wiring.opened(read_settings()) as database:
        units_file = UnitsFile(wiring.table_reader()("units", file.read_bytes()), is_email)
        if named is None and not units_file.names_properties:
            raise click.UsageError("The file has no column property. Name the property: --property NAME")

        def run(tx: Tx, *, dry_run: bool) -> HousesReport:
            caller = caller_for(tx, account)
            if named is None:
                if dry_run:
                    return property_imports.preview(tx, caller, units_file)
                return property_imports.import_houses(tx, caller, units_file, take=take)
            row = unit_imports.find_property(tx, caller, named)
            return property_imports.import_its_units(tx, caller, units_file, row, dry_run=dry_run, take=take)

        report = database.read(partial(run, dry_run=True))
        if not report.problems and not dry_run:
            report = database.write(partial(run, dry_run=False))
    if units_file.unread:
        click.echo(f"Nothing is read from: {', '.join(units_file.unread)}.", err=True)
    return _show(report, named=named, dry_run=dry_run)


def _show(report: HousesReport, *, named: str | None, dry_run: bool) -> int:
    if report.problems:
        print_problems(report.problems)
        lines = counted(len({problem.line for problem in report.problems}), "line")
        click.echo(f"Nothing was written: {lines} with problems.", err=True)
        return FAILED
    for one in report.differs:
        of = f"{one.property}, {one.unit}{f', {one.tenant}' if one.tenant else ''}"
        click.echo(
            f"Line {one.line}: {of}: {one.column} is {one.here or 'empty'} here, {one.there} in the file.", err=True
        )
    houses = "" if named else f"{report.properties:,} propert{'y' if report.properties == 1 else 'ies'}, "
    people = f"{counted(report.units, 'unit')} and {counted(report.tenants, 'tenant')}"
    verb = "would be added" if dry_run else "added"
    changed = f", {report.changed:,} changed" if report.changed else ""
    click.echo(f"{houses}{people} {verb}; {report.skipped:,} there already{changed}.")
    return 0
