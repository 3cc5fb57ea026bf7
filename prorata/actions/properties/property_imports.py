"""The import of properties, units and tenants from one file, in one transaction.

If any row is bad, nothing is written. Importing the same file twice adds nothing.
"""

from collections.abc import Callable, Collection
from functools import cache, partial
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.properties import properties as property_actions, unit_imports
from prorata.actions.properties.properties import NewProperty
from prorata.actions.properties.unit_imports import UnitReport
from prorata.domain.files.sheets import RowProblem, without
from prorata.domain.intake.unit_tables import UnitTable
from prorata.domain.problems import Problem
from prorata.domain.properties.property_files import (
    NONE_TYPED,
    Addresses,
    FileHouse,
    KnownHouse,
    ReadHouses,
    names_properties,
    read_houses,
)
from prorata.domain.properties.unit_differences import NEW, Differing, Effect, OtherPeople
from prorata.domain.properties.unit_files import ReadUnits, read_units
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow


class HousesReport(NamedTuple):
    """The result of importing or previewing a file of properties.

    It contains the numbers of added records and of records already stored, and every problem; if there is any
    problem, nothing is written. `differs` lists the values in the file that differ from stored records; `changed`
    counts the units and tenants that got the file's values. `people` lists the units in which other people live than
    the file states.
    """

    properties: int
    units: int
    tenants: int
    skipped: int
    problems: tuple[RowProblem, ...]
    differs: tuple[Differing, ...] = ()
    changed: int = 0
    people: tuple[OtherPeople, ...] = ()


class UnitsFile:
    """A file of units, with functions that parse its rows and keep the result.

    The preview parses the rows. The import that follows parses them again only if the properties on which the result
    depends have changed since, so that it does not keep other writers waiting.
    """

    def __init__(self, table: UnitTable, is_email: Callable[[str], bool], typed: Addresses = NONE_TYPED) -> None:
        self.typed = typed
        """The addresses that a person typed for new properties."""
        self.table = table
        """The table, with the meaning of its columns from a person or their names."""
        self.names_properties = names_properties(self.table.sheet)
        self._is_email = is_email
        self.units: Callable[[str, str], ReadUnits] = cache(self._units)
        """The function that reads the units of a property, by its country and currency."""
        self.houses: Callable[[tuple[KnownHouse, ...], str, str], ReadHouses] = cache(self._houses)
        """The function that reads the properties with their units.

        It takes the known properties, and the account's currency and country.
        """

    def without(self, lines: Collection[int]) -> "UnitsFile":
        """Return the same file without the rows in these lines."""
        return UnitsFile(self.table._replace(sheet=without(self.table.sheet, lines)), self._is_email, self.typed)

    def _units(self, country: str, currency: str) -> ReadUnits:
        if self.table.is_open:
            return ReadUnits((), self.table.problems)
        read = read_units(self.table.sheet, country=country, currency=currency, is_email=self._is_email)
        return read._replace(problems=self.table.named(read.problems))

    def _houses(self, known: tuple[KnownHouse, ...], currency: str, country: str) -> ReadHouses:
        if self.table.is_open:
            return ReadHouses((), self.table.problems)
        currency_of = partial(property_actions.currency_of, otherwise=currency)
        read = read_houses(
            self.table.sheet, known, currency_of=currency_of, is_email=self._is_email, likely=country, typed=self.typed
        )
        return read._replace(problems=self.table.named(read.problems))


def preview(tx: Tx, caller: Caller, file: UnitsFile) -> HousesReport:
    """Preview `import_houses`: all problems, and how many records are new or already stored.

    Nothing is written.
    """
    houses, problems, _ = _read(tx, caller, file)
    new = [house for house in houses if house.id is None]
    for house in new:
        unit_imports.refuse_too_many(house.name, len(house.units))
    there = {house.id: house.units for house in houses if house.id is not None}
    rows = properties.find_many(tx, caller.account_id, sorted(there))
    adds = unit_imports.preview_many(tx, caller, [(row, there[row.id]) for row in rows])
    return HousesReport(
        properties=len(new),
        units=adds.units + sum(len(house.units) for house in new),
        tenants=adds.tenants + sum(len(unit.tenants) for house in new for unit in house.units),
        skipped=adds.skipped,
        problems=problems,
        differs=adds.differs,
        people=adds.people,
    )


def import_houses(
    tx: Tx, caller: Caller, file: UnitsFile, *, take: bool = False, seen: str | None = None
) -> HousesReport:
    """Import a file's properties, units and tenants that are not stored yet.

    With `take`, stored units and tenants get the file's values where they differ. `seen` is the fingerprint of the
    differences that a person saw. Raises `DiffersMeanwhile` if the differences have changed since, and `Conflict` for
    too many units.

    Two imports may run at once. Adding properties takes the account's lock before it reads which records exist, so
    the second import finds the records that the first has added.
    """
    looked = _read(tx, caller, file)
    _lock(tx, caller, looked)
    if any(house.id is None for house in looked.houses):
        accounts.lock(tx, caller.account_id)
    read = _read(tx, caller, file)
    locked = _lock(tx, caller, read)
    if read.problems:
        return HousesReport(0, 0, 0, 0, read.problems)
    new = [house for house in read.houses if house.id is None]
    created = dict(
        zip(
            (house.line for house in new),
            property_actions.create_many(tx, caller, [_new(house) for house in new]),
            strict=True,
        )
    )
    houses = [(locked[house.id] if house.id else created[house.line], house.units) for house in read.houses]
    return _report(len(new), unit_imports.import_many(tx, caller, houses, take=take, seen=seen))


def bring(
    tx: Tx,
    caller: Caller,
    file: UnitsFile,
    property_id: str | None,
    *,
    dry_run: bool,
    take: bool = False,
    seen: str | None = None,
) -> HousesReport:
    """Import a file that names its properties, or a file of one property's units.

    `property_id` is the property if the file names none. With `dry_run`, the import is only previewed. With `take`,
    stored records get the file's values where they differ. `seen` is the fingerprint of the differences that a person
    saw.

    Raises `NotFound` if there is no such property, `InvalidRequest` if neither the file nor `property_id` names a
    property, `DiffersMeanwhile` if the differences have changed since, and `Conflict` for too many units.
    """
    if file.table.is_open:
        return HousesReport(0, 0, 0, 0, file.table.problems)
    if file.names_properties:
        return preview(tx, caller, file) if dry_run else import_houses(tx, caller, file, take=take, seen=seen)
    if not property_id:
        message = say("The file has no property column. Add one, or import the file from its property’s page.")
        raise InvalidRequest.because([Problem("file", message)])
    row = access.property_(tx, caller, property_id)
    return import_its_units(tx, caller, file, row, dry_run=dry_run, take=take, seen=seen)


def good_rows(
    file: UnitsFile, report: HousesReport, look: Callable[[UnitsFile], HousesReport]
) -> tuple[UnitsFile, tuple[int, ...]] | None:
    """Return a file without its bad rows, and the lines of these rows.

    `report` contains the problems of the whole file. `look` checks the file again after rows were left out: if
    another row now lacks a value, such as an address that only the left-out row gave, that row is left out too.
    Return None if a problem concerns the whole file, or if no row is left.
    """
    lines, rest = set[int](), file
    while report.problems:
        wrong = {problem.line for problem in report.problems}
        there = {line for line, _ in rest.table.sheet.rows}
        if file.table.is_open or not wrong <= there or wrong == there:
            return None
        lines |= wrong
        rest = file.without(lines)
        report = look(rest)
    return rest, tuple(sorted(lines))


def read_of(tx: Tx, caller: Caller, file: UnitsFile, property_id: str | None) -> ReadHouses:
    """Return the properties and units in a file, parsed as `bring` does."""
    if file.table.is_open:
        return ReadHouses((), file.table.problems)
    if file.names_properties:
        return _read(tx, caller, file)
    row = access.property_(tx, caller, property_id or "")
    units, problems, repeats = file.units(row.country, row.currency)
    return ReadHouses((FileHouse(0, row.id, row.name, {}, units, row.country),), problems, repeats)


def effects(tx: Tx, caller: Caller, read: ReadHouses) -> list[Effect]:
    """List an import's effect on each unit and tenant in the file.

    Units and tenants of new properties are included.
    """
    there = {house.id: house.units for house in read.houses if house.id is not None}
    rows = properties.find_many(tx, caller.account_id, sorted(there))
    new = [
        Effect(line, house.name, unit.label, name, NEW)
        for house in read.houses if house.id is None
        for unit in house.units
        for line, name in ((unit.line, ""), *((tenant.line, tenant.name) for tenant in unit.tenants))
    ]  # fmt: skip
    return sorted([*new, *unit_imports.effects(tx, caller, [(row, there[row.id]) for row in rows])])


def import_its_units(
    tx: Tx,
    caller: Caller,
    file: UnitsFile,
    row: PropertyRow,
    *,
    dry_run: bool,
    take: bool = False,
    seen: str | None = None,
) -> HousesReport:
    """Import a file's units and tenants into one property.

    With `dry_run`, the import is only previewed. With `take`, stored units and tenants get the file's values where
    they differ. `seen` is the fingerprint of the differences that a person saw. Raises `DiffersMeanwhile` if the
    differences have changed since, and `Conflict` for too many units.
    """
    read = file.units(row.country, row.currency)
    if read.problems:
        return HousesReport(0, 0, 0, 0, read.problems)
    if dry_run:
        return _report(0, unit_imports.preview(tx, caller, row.id, read.units))
    return _report(0, unit_imports.import_units(tx, caller, row.id, read.units, take=take, seen=seen))


def _report(added: int, of_units: UnitReport) -> HousesReport:
    added_units, tenants, skipped, differs, changed, people = of_units
    return HousesReport(added, added_units, tenants, skipped, (), differs, changed, people)


def _read(tx: Tx, caller: Caller, file: UnitsFile) -> ReadHouses:
    rows = properties.all_of(tx, caller.account_id)
    known = tuple(
        KnownHouse(row.id, row.name, row.country, row.currency, (row.street_number, row.street, row.city, row.zip))
        for row in rows
    )
    account = account_actions.the_account(tx, caller)
    return file.houses(known, account.currency, property_actions.country_of(account))


def _lock(tx: Tx, caller: Caller, read: ReadHouses) -> dict[str, PropertyRow]:
    """Lock the stored properties that a file names; map ids to the properties.

    Raises `Conflict` if one of them has been deleted.
    """
    ids = sorted({house.id for house in read.houses if house.id is not None})
    rows = properties.lock_many(tx, caller.account_id, ids)
    if len(rows) < len(ids):
        raise Conflict(
            say("A property in this file has just been deleted. Nothing was written; import the file again.")
        )
    return {row.id: row for row in rows}


def _new(house: FileHouse) -> NewProperty:
    of = house.address
    return NewProperty(house.name, of["streetNumber"], of["street"], of["city"], of["state"], of["zip"], of["country"])
