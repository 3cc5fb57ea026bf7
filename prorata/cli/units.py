"""`prorata units import`: a property's units and tenants from a file, at once."""

from pathlib import Path

import click

from prorata import wiring
from prorata.actions import unit_imports
from prorata.cli.api_keys import caller_for, of_account
from prorata.cli.bills import counted, print_problems
from prorata.domain.unit_files import read_units
from prorata.settings import read_settings
from prorata.web.fields import read_email

FAILED = 1


@click.group()
def units() -> None:
    """Import units and tenants."""


@units.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@of_account
@click.option("--property", "named", required=True, help="The property's id, or its name.")
def import_(*, file: Path, account: str, named: str) -> int:
    """Import FILE, a CSV file: all of it, or none.

    Columns: label, sqft, bedrooms, monthlyRent, activeFrom, tenantName, tenantEmail, moveInDate. Several rows of one
    label are one unit with several tenants. What is there already stays as it is, so that a file may be imported again.
    """
    with wiring.opened(read_settings()) as database:
        sheet = wiring.read_table(file.read_bytes())
        row = database.read(lambda tx: unit_imports.find_property(tx, caller_for(tx, account), named))
        read = read_units(sheet, country=row.country, currency=row.currency, is_email=_is_email)
        if read.problems:
            print_problems(read.problems)
            lines = counted(len({problem.line for problem in read.problems}), "line")
            click.echo(f"Nothing was written: {lines} with problems.", err=True)
            return FAILED
        report = database.write(lambda tx: unit_imports.import_units(tx, caller_for(tx, account), row.id, read.units))
    added = f"{counted(report.units, 'unit')} and {counted(report.tenants, 'tenant')} added"
    click.echo(f"{added}; {report.skipped:,} there already.")
    return 0


def _is_email(text: str) -> bool:
    try:
        read_email(text)
    except ValueError:
        return False
    return True
