"""Other programs' names for an account's properties, units, tenants and utility types."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.domain.audit.verbs import Verb
from prorata.domain.exports.charge_exports import ROW_NAMES, name_problem
from prorata.domain.exports.charge_layouts import ACCOUNT, UTILITIES, Asked, Layout
from prorata.domain.exports.charge_name_files import NamesLine, ReadNames
from prorata.domain.files.sheets import RowProblem
from prorata.domain.groups import grouped
from prorata.domain.labels import natural_order, same
from prorata.domain.problems import Problem, shown
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.exports import charge_names
from prorata.store.exports.charge_names import NameRow
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow

UNITS_AT_ONCE = 50
"""The number of units on one page."""
Key = tuple[str, str]
"""The kind of a name, and the id of the record that the name is for."""


class Kept(NamedTuple):
    """The audit log entry for stored names: the other program and the number of names."""

    system: str
    names: int


class AskedName(NamedTuple):
    """A name in another program for a person to enter: stored, proposed or empty.

    `ours` is Prorata's own name for the record.
    """

    asked: Asked
    record_id: str
    ours: str
    name: str
    proposal: str

    @property
    def is_proposed(self) -> bool:
        """True if no name is stored, so that the form contains the proposed name."""
        return not self.name and bool(self.proposal)


class PropertyNames(NamedTuple):
    """A property and a page of its units, with their names in another program.

    `of_property` are the names of the property itself, and `of_units` those of each unit and its tenants; a person
    enters them. `number_of_units` is the number of all units of the property.
    """

    property: PropertyRow
    of_property: tuple[AskedName, ...]
    of_units: tuple[tuple[UnitRow, tuple[AskedName, ...]], ...]
    number_of_units: int


def general(tx: Tx, caller: Caller, layout: Layout) -> tuple[AskedName, ...]:
    """List the names in another program to enter for the account and its utility types."""
    records = [(asked, utility) for asked in layout.asked_of("utility") for utility in UTILITIES]
    records += [(asked, ACCOUNT) for asked in layout.asked_of("system")]
    ours = [(asked, record, asked.title if record == ACCOUNT else ROW_NAMES[record]) for asked, record in records]
    return _asked(tx, caller, layout, ours)


def of_property(tx: Tx, caller: Caller, layout: Layout, property_id: str, *, page: int = 1) -> PropertyNames:
    """List the names in another program to enter for a property, its units and tenants.

    The result contains one `page` of the units. Raises `NotFound` if there is no such property.
    """
    row = access.property_(tx, caller, property_id)
    its_units = sorted(
        units.of_properties(tx, caller.account_id, [row.id]), key=lambda unit: (natural_order(unit.label), unit.id)
    )
    first = (page - 1) * UNITS_AT_ONCE
    listed = its_units[first : first + UNITS_AT_ONCE]
    tenants = _tenants(tx, caller, listed)
    unit_of = {tenant.id: tenant.unit_id for tenant in tenants}
    asked = _asked(tx, caller, layout, _ours(layout, row, listed, tenants))
    by_unit = grouped((unit_of.get(name.record_id, name.record_id), name) for name in asked)
    of_units = tuple((unit, tuple(by_unit[unit.id])) for unit in listed)
    return PropertyNames(row, tuple(by_unit[row.id]), of_units, len(its_units))


def _tenants(tx: Tx, caller: Caller, its_units: Sequence[UnitRow]) -> list[TenantRow]:
    ids = [unit.id for unit in its_units]
    tenants = units.tenants_of_units(tx, caller.account_id, ids) if ids else []
    return sorted(tenants, key=lambda tenant: tenant.id)


def _ours(
    layout: Layout, row: PropertyRow, its_units: Iterable[UnitRow], tenants: Iterable[TenantRow]
) -> list[tuple[Asked, str, str]]:
    """List the names to enter for a property and some of its units and tenants.

    Each comes with Prorata's own name for the property, unit or tenant.
    """
    of_units = [(asked, unit.id, unit.label) for asked in layout.asked_of("unit") for unit in its_units]
    of_tenants = [(asked, tenant.id, tenant.name) for asked in layout.asked_of("tenant") for tenant in tenants]
    return [(asked, row.id, row.name) for asked in layout.asked_of("property")] + of_units + of_tenants


def _asked(tx: Tx, caller: Caller, layout: Layout, ours: Sequence[tuple[Asked, str, str]]) -> tuple[AskedName, ...]:
    known = known_names(tx, caller, layout, {record for _, record, _ in ours})
    return tuple(
        AskedName(asked, record, called, known.get((asked.field, record), ""), _proposal(layout, asked, called))
        for asked, record, called in ours
    )


def _proposal(layout: Layout, asked: Asked, ours: str) -> str:
    """Propose a record's name in the other program; empty if it could not be stored."""
    proposed = asked.proposal(ours)
    return proposed if proposed and name_problem(layout, asked, proposed) is None else ""


def known_names(tx: Tx, caller: Caller, layout: Layout, records: Iterable[str]) -> dict[Key, str]:
    """Load the names in another program that are stored for some records."""
    fields = [asked.field for asked in layout.asks]
    rows = charge_names.of_records(tx, caller.account_id, layout.system, fields, sorted(records))
    return {(row.field, row.record_id): row.name for row in rows}


def enter(tx: Tx, caller: Caller, layout: Layout, typed: Mapping[Key, str], property_id: str | None = None) -> int:
    """Store the names in another program that a person entered; return how many changed.

    If `property_id` is set, only the names of that property, its units and tenants are stored, otherwise only
    those of utility types and the account. Other names in `typed` are ignored. An empty name deletes the stored
    one. Raises `NotFound` if there is no such property, and `InvalidRequest` for every name that can't be stored.
    """
    if property_id is None:
        allowed = {
            (asked_name.asked.field, asked_name.record_id): asked_name.asked
            for asked_name in general(tx, caller, layout)
        }
    else:
        row = access.property_to_change(tx, caller, property_id)
        allowed = {(asked.field, record): asked for asked, record, _ in _all_of(tx, caller, layout, [row])}
    names = {key: name.strip() for key, name in typed.items() if key in allowed}
    wrong = {key: name_problem(layout, allowed[key], name) for key, name in names.items() if name}
    problems = [Problem(field_name(key), says) for key, says in wrong.items() if says is not None]
    if problems:
        raise InvalidRequest.because(problems)
    return _keep(tx, caller, layout, names, dict.fromkeys((record for _, record in names), property_id))


def field_name(key: Key) -> str:
    """Build the name of the form field in which a person enters a name.

    `key` is the kind of the entered name and the record that it names.

    >>> field_name(("item", "WATER"))
    'name.item.WATER'
    """
    return f"name.{key[0]}.{key[1]}"


def _all_of(tx: Tx, caller: Caller, layout: Layout, rows: Sequence[PropertyRow]) -> Iterator[tuple[Asked, str, str]]:
    """List all names in another program to enter for some properties, their units and tenants."""
    ids = [row.id for row in rows]
    its_units = grouped((unit.property_id, unit) for unit in units.of_properties(tx, caller.account_id, ids))
    there = units.tenants_of_properties(tx, caller.account_id, ids)
    tenants = grouped((tenant.property_id, tenant) for tenant in there if tenant.ended_at is None)
    for row in rows:
        yield from _ours(layout, row, its_units[row.id], tenants[row.id])


def _keep(tx: Tx, caller: Caller, layout: Layout, names: Mapping[Key, str], places: Mapping[str, str | None]) -> int:
    """Store the names that differ from the stored ones.

    `places` maps the id of each named record to that of its property.
    """
    known = known_names(tx, caller, layout, {record for _, record in names})
    changed = {key: name for key, name in names.items() if known.get(key, "") != name}
    kept = [
        NameRow(caller.account_id, layout.system, field, record, places[record], name, tx.now)
        for (field, record), name in changed.items()
        if name
    ]
    charge_names.put_many(tx, kept)
    gone = [key for key, name in changed.items() if not name]
    charge_names.remove_many(tx, caller.account_id, layout.system, gone)
    if changed:
        audit.record(tx, caller, Verb.KEEP_CHARGE_NAMES, caller.account_id, after=Kept(layout.system, len(changed)))
    return len(changed)


def take_ours(tx: Tx, caller: Caller, layout: Layout, property_ids: Sequence[str]) -> int:
    """Store the proposed names of these properties, units and tenants if none is stored yet.

    Return the number of stored names. Nothing is stored for names that Prorata can't propose, such as codes that
    only the other program knows.
    """
    rows = properties.lock_many(tx, caller.account_id, sorted(property_ids))
    places: dict[str, str | None] = {}
    proposed: dict[Key, str] = {}
    for row in rows:
        for asked, record, ours in _all_of(tx, caller, layout, [row]):
            if proposal := _proposal(layout, asked, ours):
                proposed[asked.field, record], places[record] = proposal, row.id
    known = known_names(tx, caller, layout, places)
    return _keep(tx, caller, layout, {key: name for key, name in proposed.items() if key not in known}, places)


class NamesReport(NamedTuple):
    """The result of a names file: the number of changed names, and every problem.

    If there is any problem, nothing was stored.
    """

    names: int
    problems: tuple[RowProblem, ...] = ()


def bring(
    tx: Tx, caller: Caller, layout: Layout, read: ReadNames, property_id: str | None, *, dry_run: bool = False
) -> NamesReport:
    """Store all names in a file, or none if there is any problem.

    A tenant's name is stored for all tenants who live in the unit today, in the account's time zone. If some of
    them leave on a different day, they are several households; the file's row is then a problem, because a person
    has to decide to which household the name belongs. If `dry_run` is true, nothing is stored. Raises `NotFound`
    for an unknown property.
    """
    if read.problems:
        return NamesReport(0, read.problems)
    rows = [access.property_(tx, caller, property_id)] if property_id else properties.all_of(tx, caller.account_id)
    by_name = grouped((same(row.name), row) for row in rows)
    matched, problems = _properties_of(read.lines, by_name, rows[0] if property_id else None)
    wanted = {row.id: row for row in matched.values()}
    if not dry_run:
        properties.lock_many(tx, caller.account_id, sorted(wanted))
    matching = _Matching(tx, caller, layout, list(wanted.values()))
    for line in read.lines:
        if line.line in matched:
            matching.take(line, matched[line.line])
    problems += matching.problems
    if problems:
        return NamesReport(0, tuple(sorted(problems, key=lambda row_problem: row_problem.line)))
    if dry_run:
        known = known_names(tx, caller, layout, matching.places)
        return NamesReport(sum(known.get(key, "") != name for key, name in matching.said.items()))
    return NamesReport(_keep(tx, caller, layout, matching.said, matching.places))


def _properties_of(
    lines: Sequence[NamesLine], by_name: Mapping[str, Sequence[PropertyRow]], only: PropertyRow | None
) -> tuple[dict[int, PropertyRow], list[RowProblem]]:
    """Find the property that each line of a names file is for.

    Also return the problem with each line whose property is unknown or ambiguous.
    """
    matched, problems = dict[int, PropertyRow](), list[RowProblem]()
    for line in lines:
        named = by_name.get(same(line.property), ()) if line.property or only is None else (only,)
        if len(named) == 1:
            matched[line.line] = named[0]
        else:
            which = say("No property is") if not named else say("Several properties are")
            problems.append(
                RowProblem(line.line, None, say("{which} called “{shown}”.", which=which, shown=shown(line.property)))
            )
    return matched, problems


class _Matching:
    """The collector of a names file's names, which finds each line's unit and tenants."""

    def __init__(self, tx: Tx, caller: Caller, layout: Layout, rows: Sequence[PropertyRow]) -> None:
        ids = [row.id for row in rows]
        self.units = {
            (unit.property_id, unit.label_key): unit for unit in units.of_properties(tx, caller.account_id, ids)
        }
        today = account_actions.today(tx, caller).isoformat()
        self.tenants = grouped(
            (tenant.unit_id, tenant)
            for tenant in units.tenants_of_properties(tx, caller.account_id, ids)
            if tenant.ended_at is None and (tenant.move_in or today) <= today <= (tenant.move_out or today)
        )
        self.kinds = {asked.field: asked.of for asked in layout.asks}
        self.said: dict[Key, str] = {}
        self.places: dict[str, str | None] = {}
        self.problems: list[RowProblem] = []

    def take(self, line: NamesLine, row: PropertyRow) -> None:
        """Collect the names that a line gives, and record any problem with the line."""
        unit = self.units.get((row.id, same(line.unit))) if line.unit else None
        if line.unit and unit is None:
            says = say("{shown} has no unit “{shown_2}”.", shown=shown(row.name), shown_2=shown(line.unit))
            self.problems.append(RowProblem(line.line, None, says))
            return
        if unit is not None and self._is_of_several(line, unit):
            self.problems.append(RowProblem(line.line, None, _several(row, unit)))
            return
        for field, name in line.names.items():
            for record in self._records(self.kinds[field], row, unit):
                if self.said.get((field, record), name) != name:
                    says = say("Another line gives a different name for {name}.", name=shown(line.unit or row.name))
                    self.problems.append(RowProblem(line.line, None, says))
                self.said[field, record], self.places[record] = name, row.id

    def _records(self, kind: str, row: PropertyRow, unit: UnitRow | None) -> list[str]:
        if kind == "property" or unit is None:
            return [row.id]
        return [unit.id] if kind == "unit" else [tenant.id for tenant in self.tenants[unit.id]]

    def _is_of_several(self, line: NamesLine, unit: UnitRow) -> bool:
        """True if a line names a tenant whose unit has tenants with different move-out dates."""
        names_tenant = any(self.kinds[field] == "tenant" for field in line.names)
        return names_tenant and len({tenant.move_out for tenant in self.tenants[unit.id]}) > 1


def _several(row: PropertyRow, unit: UnitRow) -> str:
    return say(
        "The tenants of unit “{label}” in {name} move out on different days, and the file doesn’t show whose name "
        "this is. Leave it empty here, and enter it on the page with the property’s names.",
        label=shown(unit.label),
        name=shown(row.name),
    )
