"""The import of units and tenants from a file into properties, in one transaction.

If any row is bad, nothing is written.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.limits import MOST_UNITS
from prorata.actions.properties.units import decimal_text, refuse_over_hundred
from prorata.actions.recalculation import recalculation
from prorata.domain.audit.verbs import Verb
from prorata.domain.groups import grouped
from prorata.domain.labels import same, unused_code
from prorata.domain.problems import shown
from prorata.domain.properties.unit_differences import (
    CHANGED,
    DIFFERENT,
    NEW,
    SAME,
    Differing,
    Effect,
    OtherPeople,
    Resident,
    changes,
    differing,
    mark_of,
    other_people,
)
from prorata.domain.properties.unit_files import FileTenant, FileUnit
from prorata.domain.texts import Count, say
from prorata.errors import Conflict, DiffersMeanwhile
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties, search_words, units
from prorata.store.properties.properties import PropertyRow, UsedCode
from prorata.store.properties.units import TenantRow, UnitRow

UNITS_AT_ONCE = 2_000
"""The number of units of a file that are written together.

The units of one property are written in one part.
"""
Houses = Sequence[tuple[PropertyRow, Sequence[FileUnit]]]
"""Properties, each with the units that a file lists for it."""


class UnitReport(NamedTuple):
    """The result of an import of units.

    It contains the numbers of units and tenants that were added, of those that existed (`skipped`) and of those that
    got the file's values (`changed`), the differences between the file and stored records, and the units in which
    other people live than the file states.
    """

    units: int
    tenants: int
    skipped: int
    differs: tuple[Differing, ...] = ()
    changed: int = 0
    people: tuple[OtherPeople, ...] = ()


def import_units(
    tx: Tx,
    caller: Caller,
    property_id: str,
    file_units: Sequence[FileUnit],
    *,
    take: bool = False,
    seen: str | None = None,
) -> UnitReport:
    """Import the units and tenants that a property lacks.

    A unit counts as existing if the property has a unit with its label, and a tenant if a person with this name lives
    or lived in the unit. Existing units and tenants stay as they are, unless `take` is set: then they get the file's
    values. `seen` is the fingerprint of the differences that a person saw (`mark_of`). Open months are recalculated
    once.

    Raises `NotFound` if there is no such property; `DiffersMeanwhile` if the differences have changed since they were
    seen; and `Conflict` if there would be too many units, or a last day before the first.
    """
    house = access.property_to_change(tx, caller, property_id), file_units
    return import_many(tx, caller, [house], take=take, seen=seen)


def import_many(tx: Tx, caller: Caller, houses: Houses, *, take: bool = False, seen: str | None = None) -> UnitReport:
    """Import units into many locked properties, some properties at a time.

    Further properties in a group need no further SQL statements. `take` and `seen` are as in `import_units`.
    """
    reports, differs = [], list[Differing]()
    for part in _parts(houses):
        adds = _adds(tx, caller, part)
        _write(tx, caller, adds, take=take)
        tx.catch_up()  # only the months of one part are in memory
        report = _sum([_report(add) for add in adds])
        differs += report.differs
        number = sum(len(add.changed_units) + len(add.changed_tenants) for add in adds)
        reports.append(report._replace(changed=number, differs=()) if take else report)
    if take and seen is not None and mark_of(tuple(differs)) != seen:
        raise DiffersMeanwhile  # this rolls back what was written
    return _sum(reports)


def preview(tx: Tx, caller: Caller, property_id: str, file_units: Sequence[FileUnit]) -> UnitReport:
    """Preview what `import_units` would add to a property now.

    Nothing is written or locked. Raises everything that `import_units` raises.
    """
    return preview_many(tx, caller, [(access.property_(tx, caller, property_id), file_units)])


def preview_many(tx: Tx, caller: Caller, houses: Houses) -> UnitReport:
    """Preview what `import_many` would add to properties now.

    Nothing is written or locked. Raises everything that `import_many` raises.
    """
    return _sum([_report(add) for part in _parts(houses) for add in _adds(tx, caller, part)])


def effects(tx: Tx, caller: Caller, houses: Houses) -> list[Effect]:
    """List what `import_many` with `take` would do to each unit and tenant in a file.

    Nothing is written or locked. Raises everything that `import_many` raises.
    """
    return [effect for part in _parts(houses) for one in _adds(tx, caller, part) for effect in one.effects]


def refuse_too_many(name: str, number: int) -> None:
    """Raise `Conflict`, naming the property, for more units than a property can have."""
    if number > MOST_UNITS:
        raise Conflict(
            say(
                "The property “{name}” would have {f} units, but the maximum is {f_2}.",
                name=shown(name),
                f=Count(number),
                f_2=Count(MOST_UNITS),
            )
        )


def _parts(houses: Houses) -> Iterator[Houses]:
    part, size = list[tuple[PropertyRow, Sequence[FileUnit]]](), 0
    for house in houses:
        if part and size + len(house[1]) > UNITS_AT_ONCE:
            yield part
            part, size = [], 0
        part.append(house)
        size += len(house[1])
    if part:
        yield part


def _sum(reports: Sequence[UnitReport]) -> UnitReport:
    return UnitReport(
        sum(report.units for report in reports),
        sum(report.tenants for report in reports),
        sum(report.skipped for report in reports),
        tuple(each for report in reports for each in report.differs),
        sum(report.changed for report in reports),
        tuple(each for report in reports for each in report.people),
    )


def _report(adds: "_Adds") -> UnitReport:
    return UnitReport(
        len(adds.new_units), len(adds.new_tenants), adds.skipped, tuple(adds.differs), people=tuple(adds.other_people)
    )


def find_property(tx: Tx, caller: Caller, named: str) -> PropertyRow:
    """Find a property of the account by the id or name that an operator gives.

    Raises `NotFound` if there is none, and `Conflict` if there are several with that name.
    """
    rows = [row for row in properties.all_of(tx, caller.account_id) if same(row.name) == same(named)]
    if len(rows) > 1:
        raise Conflict(say("Several properties have this name. Use the id of the one you mean."))
    return rows[0] if rows else access.property_(tx, caller, named)


def _adds(tx: Tx, caller: Caller, houses: Houses) -> list["_Adds"]:
    """Compare a file's units with each of these properties as stored now."""
    ids = [row.id for row, _ in houses]
    its_units = grouped((unit.property_id, unit) for unit in units.of_properties(tx, caller.account_id, ids))
    tenants = units.tenants_of_properties(tx, caller.account_id, ids)
    its_tenants = grouped((tenant.property_id, tenant) for tenant in tenants)
    codes = properties.used_codes_of(tx, caller.account_id, ids)
    house_adds, today = [], account_actions.today(tx, caller)
    for row, file_units in houses:
        adds = _Adds(tx, row, its_units[row.id], its_tenants[row.id], codes[row.id], today)
        for file_unit in file_units:
            adds.take(file_unit)
        refuse_too_many(row.name, len(adds.units))
        house_adds.append(adds)
    return house_adds


class _Adds:
    """The additions and changes that a file makes to one property, before they are written."""

    def __init__(
        self,
        tx: Tx,
        row: PropertyRow,
        its_units: Sequence[UnitRow],
        tenants: Sequence[TenantRow],
        codes: set[str],
        today: date,
    ) -> None:
        self.property, self.codes = row, codes
        self.units = {unit.label_key: unit for unit in its_units}
        self.people: dict[str, dict[str, TenantRow]] = defaultdict(dict)
        for tenant in tenants:
            there = self.people[tenant.unit_id].get(same(tenant.name))
            if there is None or there.ended_at or (there.move_out and not tenant.ended_at):
                self.people[tenant.unit_id][same(tenant.name)] = tenant
        self.differs: list[Differing] = []
        self.other_people: list[OtherPeople] = []
        self.changed_units: list[tuple[UnitRow, UnitRow]] = []
        self.changed_tenants: list[tuple[TenantRow, TenantRow]] = []
        self.new_units: list[UnitRow] = []
        self.new_tenants: list[TenantRow] = []
        self.effects: list[Effect] = []
        self._tx, self._today = tx, today

    @property
    def skipped(self) -> int:
        """The number of units and tenants that existed before."""
        return sum(one.effect != NEW for one in self.effects)

    def take(self, unit: FileUnit) -> None:
        """Collect the additions and changes of one of the file's units and its tenants."""
        row, others = self.units.get(same(unit.label)), None
        if row is None:
            row = self._row(unit)
            self.units[row.label_key] = row
            self.codes.add(row.code)
            self.new_units.append(row)
            effect = NEW
        else:
            others = self._compare_people(unit, row)
            effect = CHANGED if self._compare(unit, row) else DIFFERENT if others else SAME
        gone = {one.id for one in others.gone} if others else set[str]()
        self.effects.append(Effect(unit.line, self.property.name, row.label, "", effect))
        for tenant in unit.tenants:
            there = self.people[row.id].get(same(tenant.name))
            if there is None:
                self.new_tenants.append(self._tenant_row(row.id, tenant))
                effect = NEW
            else:
                is_changed = self._compare_tenant(row, tenant, there)
                effect = CHANGED if is_changed else DIFFERENT if there.id in gone else SAME
            self.effects.append(Effect(tenant.line, self.property.name, row.label, tenant.name, effect))

    def _compare(self, unit: FileUnit, row: UnitRow) -> bool:
        """Collect a stored unit's differences from the file; return True if there are any."""
        new = self._row(unit)
        changed = changes(row, {name: getattr(new, name) for name in _OF_UNIT})
        if changed:
            after = row._replace(**changed, updated_at=self._tx.now)
            _refuse_backwards(unit.line, row.label, after.active_from, after.active_to)
            self.changed_units.append((row, after))
            self.differs += differing(unit.line, (self.property.name, row.label, ""), row, changed)
        return bool(changed)

    def _compare_people(self, unit: FileUnit, row: UnitRow) -> OtherPeople | None:
        """Collect the difference between a stored unit's people and the file's, if any."""
        stored = {
            name: Resident(one.id, one.name, one.move_in, one.move_out)
            for name, one in self.people[row.id].items()
            if one.ended_at is None
        }
        others = other_people(unit, (self.property.name, row.label), stored, self._today)
        self.other_people += [others] if others else []
        return others

    def _compare_tenant(self, unit: UnitRow, tenant: FileTenant, row: TenantRow) -> bool:
        """Collect a stored tenant's differences from the file; return True if there are any.

        A removed tenant stays removed.
        """
        new = self._tenant_row(unit.id, tenant)
        said = {name: getattr(new, name) for name in _OF_TENANT} | {"occupants": tenant.occupants}
        changed = changes(row, said) if row.ended_at is None else {}
        if changed:
            after = row._replace(**changed, updated_at=self._tx.now)
            _refuse_backwards(tenant.line, row.name, after.move_in, after.move_out)
            self.changed_tenants.append((row, after))
            self.differs += differing(tenant.line, (self.property.name, unit.label, row.name), row, changed)
        return bool(changed)

    def _row(self, unit: FileUnit) -> UnitRow:
        return UnitRow(
            account_id=self.property.account_id,
            id=self._tx.new_id("unit"),
            property_id=self.property.id,
            label=unit.label,
            label_key=same(unit.label),
            code=unused_code(unit.label, "U", self.codes),
            sqft=decimal_text(unit.sqft),
            bedrooms=unit.bedrooms,
            monthly_rent=unit.monthly_rent,
            active_from=unit.active_from.isoformat() if unit.active_from else None,
            active_to=None,
            created_at=self._tx.now,
            updated_at=self._tx.now,
        )

    def _tenant_row(self, unit_id: str, tenant: FileTenant) -> TenantRow:
        return TenantRow(
            account_id=self.property.account_id,
            id=self._tx.new_id("tenant"),
            property_id=self.property.id,
            unit_id=unit_id,
            name=tenant.name,
            email=tenant.email,
            move_in=tenant.move_in.isoformat() if tenant.move_in else None,
            move_out=tenant.move_out.isoformat() if tenant.move_out else None,
            ended_at=None,
            created_at=self._tx.now,
            updated_at=self._tx.now,
            occupants=1 if tenant.occupants is None else tenant.occupants,
        )


_OF_UNIT = ("sqft", "bedrooms", "monthly_rent", "active_from")
_OF_TENANT = ("email", "move_in", "move_out")


def _refuse_backwards(line: int, whose: str, since: str | None, until: str | None) -> None:
    if since and until and since > until:
        raise Conflict(
            say(
                "Line {line}: {shown} would have a last day before the first day. Correct the dates.",
                line=line,
                shown=shown(whose),
            )
        )


def _write(tx: Tx, caller: Caller, adds: Sequence[_Adds], *, take: bool) -> None:
    """Write the collected additions, and recalculate the open months of these properties.

    With `take`, the collected changes are written too.
    """
    if take:
        _write_changed(tx, caller, adds)
    new_units = [row for add in adds for row in add.new_units]
    new_tenants = [row for add in adds for row in add.new_tenants]
    units.add_many(tx, new_units, new_tenants)
    properties.use_codes(tx, caller.account_id, [UsedCode(row.property_id, row.code) for row in new_units])
    words = [word for row in new_units for word in search_words.of_unit(row)]
    search_words.add_new(tx, words + [word for row in new_tenants for word in search_words.of_tenant(row)])
    audit.record_many(tx, caller, Verb.CREATE_UNIT, [(row.id, None, row) for row in new_units])
    audit.record_many(tx, caller, Verb.CREATE_TENANT, [(row.id, None, row) for row in new_tenants])
    changed = [add.property for add in adds if add.new_units or add.new_tenants or (take and add.differs)]
    if changed:
        recalculation.recalculate(tx, caller, changed)


def _write_changed(tx: Tx, caller: Caller, adds: Sequence[_Adds]) -> None:
    """Save the stored units and tenants with the file's values, and audit the changes."""
    of_units = [pair for add in adds for pair in add.changed_units]
    of_tenants = [pair for add in adds for pair in add.changed_tenants]
    times = [after for before, after in of_units if before.active_from != after.active_from]
    if times:
        refuse_over_hundred(tx, caller, times)
    units.save_many(tx, [after for _, after in of_units], [after for _, after in of_tenants])
    search_words.add(tx, [word for _, after in of_tenants for word in search_words.of_tenant(after)])
    audit.record_many(tx, caller, Verb.CHANGE_UNIT, [(after.id, before, after) for before, after in of_units])
    audit.record_many(tx, caller, Verb.CHANGE_TENANT, [(after.id, before, after) for before, after in of_tenants])
