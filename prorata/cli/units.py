"""`prorata units import`: a property's units and tenants from a file, at once."""

from pathlib import Path

import click

from prorata import wiring
from prorata.actions import property_imports, unit_imports
from prorata.cli.api_keys import caller_for, of_account
from prorata.cli.bills import counted, print_problems
from prorata.domain.bill_files import Sheet
from prorata.domain.property_files import names_properties
from prorata.domain.unit_files import read_units
from prorata.settings import read_settings
from prorata.store.engine import Database
from prorata.web.fields import is_email

FAILED = 1


@click.group()
def units() -> None:
    """Import units and tenants."""


@units.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@of_account
@click.option("--property", "named", help="The property's id, or its name; not for a file that names properties.")
@click.option("--dry-run", is_flag=True, help="Check the file, and write nothing.")
def import_(*, file: Path, account: str, named: str | None, dry_run: bool) -> int:
    """Import FILE, a CSV file or an XLSX workbook: all of it, or none.

    A file with a column property may name many; those that are not there yet are added, with street, city, zip and
    country, and streetNumber and state where there are any. The other columns: label,
    sqft, bedrooms, monthlyRent, activeFrom, tenantName, tenantEmail, moveInDate. Several rows of one label are one unit
    with several tenants. What is there already stays as it is, so that a file may be imported again.
    """
    with wiring.opened(read_settings()) as database:
        sheet = wiring.read_table(file.read_bytes())
        if named is None:
            return _import_houses(database, account, sheet, dry_run=dry_run)
        row = database.read(lambda tx: unit_imports.find_property(tx, caller_for(tx, account), named))
        read = read_units(sheet, country=row.country, currency=row.currency, is_email=is_email)
        if read.problems:
            print_problems(read.problems)
            lines = counted(len({problem.line for problem in read.problems}), "line")
            click.echo(f"Nothing was written: {lines} with problems.", err=True)
            return FAILED
        report = (
            database.read(lambda tx: unit_imports.preview(tx, caller_for(tx, account), row.id, read.units))
            if dry_run
            else database.write(lambda tx: unit_imports.import_units(tx, caller_for(tx, account), row.id, read.units))
        )
    verb = "would be added" if dry_run else "added"
    both = f"{counted(report.units, 'unit')} and {counted(report.tenants, 'tenant')}"
    click.echo(f"{both} {verb}; {report.skipped:,} there already.")
    return 0


def _import_houses(database: Database, account: str, sheet: Sheet, *, dry_run: bool) -> int:
    if not names_properties(sheet):
        raise click.UsageError("The file has no column property. Name the property: --property NAME")
    report = (
        database.read(lambda tx: property_imports.preview(tx, caller_for(tx, account), sheet, is_email=is_email))
        if dry_run
        else database.write(
            lambda tx: property_imports.import_houses(tx, caller_for(tx, account), sheet, is_email=is_email)
        )
    )
    if report.problems:
        print_problems(report.problems)
        lines = counted(len({problem.line for problem in report.problems}), "line")
        click.echo(f"Nothing was written: {lines} with problems.", err=True)
        return FAILED
    houses = f"{report.properties:,} propert{'y' if report.properties == 1 else 'ies'}"
    people = f"{counted(report.units, 'unit')} and {counted(report.tenants, 'tenant')}"
    verb = "would be added" if dry_run else "added"
    click.echo(f"{houses}, {people} {verb}; {report.skipped:,} there already.")
    return 0
