"""Properties, units and tenants from one file: all of it in one transaction, or none; twice adds nothing."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from prorata.actions import access, unit_imports
from prorata.actions import accounts as account_actions
from prorata.actions import properties as property_actions
from prorata.actions.properties import NewProperty
from prorata.domain.bill_files import RowProblem, Sheet
from prorata.domain.problems import Problem
from prorata.domain.property_files import FileHouse, KnownHouse, names_properties, read_houses
from prorata.domain.unit_files import read_units
from prorata.errors import InvalidRequest
from prorata.store import properties
from prorata.store.audit import Caller
from prorata.store.engine import Tx


class HousesReport(NamedTuple):
    """What came of a file, or would in a preview: what was added, what was there already, and every problem; with one
    nothing is written.
    """

    properties: int
    units: int
    tenants: int
    skipped: int
    problems: tuple[RowProblem, ...]


def preview(tx: Tx, caller: Caller, sheet: Sheet, *, is_email: Callable[[str], bool]) -> HousesReport:
    """What `import_houses` would find wrong with a file, and what it names that is new or there. Writes nothing."""
    houses, problems = _read(tx, caller, sheet, is_email)
    counted = HousesReport(0, 0, 0, 0, problems)
    for house in houses:
        if house.id is None:
            tenants = sum(len(unit.tenants) for unit in house.units)
            adds = unit_imports.UnitReport(len(house.units), tenants, 0)
        else:
            adds = unit_imports.preview(tx, caller, house.id, house.units)
        counted = _with(counted, house, adds)
    return counted


def import_houses(tx: Tx, caller: Caller, sheet: Sheet, *, is_email: Callable[[str], bool]) -> HousesReport:
    """Add the properties, units and tenants of a file that are not there yet. Raises `Conflict` for too many units."""
    account = account_actions.the_account(tx, caller)
    known = properties.all_of(tx, account.id)
    properties.lock_many(tx, account.id, [row.id for row in known])
    houses, problems = _read(tx, caller, sheet, is_email)
    report = HousesReport(0, 0, 0, 0, problems)
    if problems:
        return report
    for house in houses:
        property_id = house.id or property_actions.create(tx, caller, _new(house)).id
        report = _with(report, house, unit_imports.import_units(tx, caller, property_id, house.units))
    return report


def bring(
    tx: Tx, caller: Caller, sheet: Sheet, property_id: str | None, *, is_email: Callable[[str], bool], dry_run: bool
) -> HousesReport:
    """What a person brings: a file that names its properties, or one with the units of the property that was chosen.

    Raises `NotFound`, `InvalidRequest` for a file that says neither, and `Conflict` for too many units.
    """
    if names_properties(sheet):
        return (preview if dry_run else import_houses)(tx, caller, sheet, is_email=is_email)
    if not property_id:
        said = "The file has no column property. Add it, or import the file from the page of its property."
        raise InvalidRequest.because([Problem("file", said)])
    row = access.property_(tx, caller, property_id)
    read = read_units(sheet, country=row.country, currency=row.currency, is_email=is_email)
    if read.problems:
        return HousesReport(0, 0, 0, 0, read.problems)
    work = unit_imports.preview if dry_run else unit_imports.import_units
    return HousesReport(0, *work(tx, caller, row.id, read.units), ())


def _with(report: HousesReport, house: FileHouse, adds: unit_imports.UnitReport) -> HousesReport:
    return report._replace(
        properties=report.properties + (house.id is None),
        units=report.units + adds.units,
        tenants=report.tenants + adds.tenants,
        skipped=report.skipped + adds.skipped,
    )


def _read(
    tx: Tx, caller: Caller, sheet: Sheet, is_email: Callable[[str], bool]
) -> tuple[Sequence[FileHouse], tuple[RowProblem, ...]]:
    account = account_actions.the_account(tx, caller)
    known = [
        KnownHouse(row.id, row.name, row.country, row.currency) for row in properties.all_of(tx, caller.account_id)
    ]

    def currency_of(country: str) -> str:
        return property_actions.currency_of(country, account.currency)

    return read_houses(sheet, known, currency_of=currency_of, is_email=is_email)


def _new(house: FileHouse) -> NewProperty:
    of = house.address
    return NewProperty(
        name=house.name,
        street_number=of.get("streetNumber", ""),
        street=of["street"],
        city=of["city"],
        state=of.get("state", ""),
        zip=of["zip"],
        country=of["country"],
    )
