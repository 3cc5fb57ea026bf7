"""The command `prorata units import`: a property's units and tenants from a file."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from prorata import wiring
from prorata.actions.intake import column_mappings
from prorata.actions.intake.column_mappings import RememberedUnits
from prorata.actions.properties import property_imports, unit_imports
from prorata.actions.properties.property_imports import HousesReport, UnitsFile
from prorata.cli.api_keys import caller_for, of_account
from prorata.cli.bills import print_problems
from prorata.cli.column_options import columns_are_told
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.grouped_problems import in_ranges
from prorata.domain.groups import grouped
from prorata.domain.intake.unit_tables import FIELDS, header_mark, understood
from prorata.domain.locale_forms import counted
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx
from prorata.web.http.fields import is_email

FAILED = 1


@click.group()
def units() -> None:
    """Import units and tenants."""


@units.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@of_account
@click.option("--property", "named", help="The property's id or name; not for a file that names properties.")
@columns_are_told(FIELDS)
@click.option(
    "--remember", is_flag=True, help="Read the next file with these columns the same way, here and in the dashboard."
)
@click.option("--dry-run", is_flag=True, help="Check the file without writing anything.")
@click.option("--take-good-rows", is_flag=True, help="Skip bad rows instead of writing nothing.")
@click.option("--take", is_flag=True, help="Update existing units and tenants to match the file.")
def import_(
    *, file: Path, account: str, named: str | None, columns: dict[str, str], remember: bool, dry_run: bool,
    take_good_rows: bool, take: bool,
) -> int:  # fmt: skip
    """Import FILE, a table of units and tenants, completely or not at all.

    FILE is a CSV file or an XLSX, ODS or XLS workbook.

    A file with a property column, or with headings, may contain many properties; missing ones are added, with
    streetNumber, street, city, state, zip and country. The number may be in the street's column, and the state and zip
    in the city's; without a country, that of the account's locale applies. The other columns: label, sqft, bedrooms,
    monthlyRent, activeFrom, tenantName, tenantEmail, moveInDate, moveOutDate, occupants. Several rows with the same
    label are one unit with several tenants. Existing data stays as it is, so a file may be imported again: differences
    are listed, and --take applies them.
    """
    with wiring.opened(read_settings()) as database:
        work = _Work(database, account, named, take)
        sheet = wiring.table_reader()("units", file.read_bytes())
        known = database.read(lambda tx: column_mappings.remembered_units(tx, work.caller(tx), sheet))
        said = _said(known, columns)
        table = understood(known.sheet, said, is_of_many=named is None, country=known.country)
        units_file = UnitsFile(table, is_email)
        if units_file.table.is_open:
            return _say_first(units_file)
        if named is None and not units_file.names_properties:
            raise click.UsageError("The file has no property column. Specify the property with --property NAME.")
        units_file, report = work.looked_at(units_file, take_good_rows=take_good_rows)
        if not report.problems and not dry_run:
            report = work.add(units_file)
            if remember and said is not None:
                keep = partial(column_mappings.remember, header=known.sheet.header, mapping=said, mark=header_mark)
                database.write(lambda tx: keep(tx, work.caller(tx)))
    if units_file.table.unread:
        click.echo(f"Nothing is read from: {', '.join(units_file.table.unread)}.", err=True)
    for house in units_file.table.taken:
        s, takes = ("s", "take") if len(house.lines) > 1 else ("", "takes")
        click.echo(
            f"Line{s} {in_ranges(house.lines)} {takes} the property of line {house.line}: {house.name}.", err=True
        )
    for name, lines in grouped((one.name, one.line) for one in units_file.table.sums).items():
        s, are = ("s", "are skipped, because they add") if len(lines) > 1 else ("", "is skipped, because it adds")
        click.echo(f"Line{s} {in_ranges(lines)} {are} up other lines: {name}.", err=True)
    return _show(report, named=named, dry_run=dry_run)


class _Work(NamedTuple):
    """An import of a file: its account, the named property, and `take`.

    If `take` is True, values in the file replace stored values that differ.
    """

    database: Database
    account: str
    named: str | None
    take: bool

    def caller(self, tx: Tx) -> Caller:
        """Build the caller for the operator's work in the account of the import."""
        return caller_for(tx, self.account)

    def looked_at(self, file: UnitsFile, *, take_good_rows: bool) -> tuple[UnitsFile, HousesReport]:
        """Preview an import, and print its problems.

        If `take_good_rows` is True, rows with problems are left out.
        """
        report = self.look(file)
        if not report.problems:
            return file, report
        print_problems(report.problems)
        good = property_imports.good_rows(file, report, self.look)
        if good and take_good_rows:
            click.echo(f"{counted(len(good[1]), 'line')} with problems left out.", err=True)
            return good[0], self.look(good[0])
        lines = counted(len({problem.line for problem in report.problems}), "line")
        rest = " The other rows can be imported without them: --take-good-rows." if good else ""
        click.echo(f"Nothing was written: {lines} with problems.{rest}", err=True)
        return file, report

    def look(self, file: UnitsFile) -> HousesReport:
        """Preview the import of a file, and return its report."""
        return self.database.read(partial(self._run, file=file, dry_run=True))

    def add(self, file: UnitsFile) -> HousesReport:
        """Import a file, and return its report."""
        return self.database.write(partial(self._run, file=file, dry_run=False))

    def _run(self, tx: Tx, *, file: UnitsFile, dry_run: bool) -> HousesReport:
        caller = self.caller(tx)
        if self.named is None:
            if dry_run:
                return property_imports.preview(tx, caller, file)
            return property_imports.import_houses(tx, caller, file, take=self.take)
        row = unit_imports.find_property(tx, caller, self.named)
        return property_imports.import_its_units(tx, caller, file, row, dry_run=dry_run, take=self.take)


def _said(known: RememberedUnits, columns: Mapping[str, str]) -> ColumnMapping | None:
    """Combine the command's choices of columns with the stored meanings of the columns."""
    if not columns:
        return known.mapping
    header = known.sheet.header
    keys, wanted_keys = keys_of(header), keys_of(tuple(columns))
    unknown = [name for name, key in zip(columns, wanted_keys, strict=True) if key not in keys]
    if unknown:
        there = ", ".join(name for name in header if name.strip())
        raise click.UsageError(f"The file has no column {', '.join(unknown)}. Its columns are: {there}")
    wanted = dict(zip(wanted_keys, columns.values(), strict=True))
    there_already = dict(zip(keys, understood(known.sheet, known.mapping, country=known.country).fields, strict=True))
    others = {key: field for key, field in there_already.items() if key and field and field not in wanted.values()}
    return ColumnMapping(others | wanted)


def _say_first(file: UnitsFile) -> int:
    """Print why a file's rows can't be read yet, and return the exit code."""
    for field in file.table.missing:
        click.echo(f'No column is mapped to {field}. Specify one: --map "Their column={field}"', err=True)
    for field in file.table.doubled:
        click.echo(f'Several columns are mapped to {field}. Map the others to nothing: --map "Column="', err=True)
    return FAILED


def _show(report: HousesReport, *, named: str | None, dry_run: bool) -> int:
    if report.problems:
        return FAILED
    for differ in report.differs:
        of = f"{differ.property}, {differ.unit}{f', {differ.tenant}' if differ.tenant else ''}"
        click.echo(
            f"Line {differ.line}: {of}: {differ.column} is {differ.here or 'empty'} here, {differ.there} in the file.",
            err=True,
        )
    for one in report.people:
        said = " and ".join(one.named) or "vacant"
        click.echo(f"Line {one.line}: {one.property}, {one.unit}: the file says {said}. {one.effect()}", err=True)
    houses = "" if named else f"{report.properties:,} propert{'y' if report.properties == 1 else 'ies'}, "
    people = f"{counted(report.units, 'unit')} and {counted(report.tenants, 'tenant')}"
    verb = "would be added" if dry_run else "added"
    changed = f", {report.changed:,} changed" if report.changed else ""
    click.echo(f"{houses}{people} {verb}; {report.skipped:,} already there{changed}.")
    return 0
