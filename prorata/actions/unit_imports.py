"""A property's units and tenants from a file, at once: all of them in one transaction, or none."""

from collections import defaultdict
from typing import NamedTuple

from prorata.actions import access, billing_months
from prorata.actions.units import MOST_UNITS, decimal_text
from prorata.domain.names import same, unused_code
from prorata.domain.unit_files import FileTenant, FileUnit
from prorata.errors import Conflict
from prorata.store import audit, properties, search_words, units
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.properties import PropertyRow
from prorata.store.units import TenantRow, UnitRow


class UnitReport(NamedTuple):
    """What came of a file: how many units and tenants were added, and how many were there already."""

    units: int
    tenants: int
    skipped: int


def import_units(tx: Tx, caller: Caller, property_id: str, file_units: tuple[FileUnit, ...]) -> UnitReport:
    """Add the units and tenants that the property does not have yet; its open months are computed again, once.

    A unit is there when its label is, and stays as it is; a tenant when a person of this name is or was in the unit.
    Raises `NotFound`, and `Conflict` when there would be too many units.
    """
    locked = access.property_to_change(tx, caller, property_id)
    work = _UnitImport(tx, caller, locked)
    for unit in file_units:
        work.take(unit)
    if len(work.units) > MOST_UNITS:
        raise Conflict(
            f"This property would have {len(work.units):,} units, and {MOST_UNITS:,} is the most it can have."
        )
    return work.write()


def preview(tx: Tx, caller: Caller, property_id: str, file_units: tuple[FileUnit, ...]) -> UnitReport:
    """What `import_units` would add to a property as things stand. Writes and locks nothing. Raises `NotFound`."""
    work = _UnitImport(tx, caller, access.property_(tx, caller, property_id))
    for unit in file_units:
        work.take(unit)
    return UnitReport(len(work.new_units), len(work.new_tenants), work.skipped)


def find_property(tx: Tx, caller: Caller, named: str) -> PropertyRow:
    """The caller's property that an operator names by id or name. Raises `NotFound`, and `Conflict` for several."""
    rows = [row for row in properties.all_of(tx, caller.account_id) if same(row.name) == same(named)]
    if len(rows) > 1:
        raise Conflict("Several properties have this name. Give the id of the one that is meant.")
    return rows[0] if rows else access.property_(tx, caller, named)


class _UnitImport:
    """What a file adds to one property, collected and then written."""

    def __init__(self, tx: Tx, caller: Caller, locked: PropertyRow) -> None:
        self.tx, self.caller, self.property = tx, caller, locked
        self.units = {row.label_key: row for row in units.of_properties(tx, caller.account_id, [locked.id])}
        self.people: dict[str, set[str]] = defaultdict(set)
        for tenant in units.tenants_of_properties(tx, caller.account_id, [locked.id]):
            self.people[tenant.unit_id].add(same(tenant.name))
        self.codes = properties.used_codes(tx, caller.account_id, locked.id)
        self.new_units: list[UnitRow] = []
        self.new_tenants: list[TenantRow] = []
        self.skipped = 0

    def take(self, unit: FileUnit) -> None:
        """Note what one unit of the file adds."""
        row = self.units.get(same(unit.label))
        if row is None:
            row = self._row(unit)
            self.units[row.label_key] = row
            self.codes.add(row.code)
            self.new_units.append(row)
        else:
            self.skipped += 1
        for tenant in unit.tenants:
            if same(tenant.name) in self.people[row.id]:
                self.skipped += 1
            else:
                self.new_tenants.append(self._tenant_row(row.id, tenant))

    def _row(self, unit: FileUnit) -> UnitRow:
        return UnitRow(
            account_id=self.caller.account_id,
            id=self.tx.new_id("unit"),
            property_id=self.property.id,
            label=unit.label,
            label_key=same(unit.label),
            code=unused_code(unit.label, "U", self.codes),
            sqft=decimal_text(unit.sqft),
            bedrooms=unit.bedrooms,
            monthly_rent=unit.monthly_rent,
            active_from=unit.active_from.isoformat() if unit.active_from else None,
            active_to=None,
            created_at=self.tx.now,
            updated_at=self.tx.now,
        )

    def _tenant_row(self, unit_id: str, tenant: FileTenant) -> TenantRow:
        return TenantRow(
            account_id=self.caller.account_id,
            id=self.tx.new_id("tenant"),
            property_id=self.property.id,
            unit_id=unit_id,
            name=tenant.name,
            email=tenant.email,
            move_in=tenant.move_in.isoformat() if tenant.move_in else None,
            move_out=None,
            ended_at=None,
            created_at=self.tx.now,
            updated_at=self.tx.now,
        )

    def write(self) -> UnitReport:
        """Write what was noted, and compute the open months again."""
        units.add_many(self.tx, self.new_units, self.new_tenants)
        codes = [row.code for row in self.new_units]
        properties.use_codes(self.tx, self.caller.account_id, codes, self.property.id)
        words = [word for row in self.new_units for word in search_words.of_unit(row)]
        search_words.add_new(
            self.tx, words + [word for row in self.new_tenants for word in search_words.of_tenant(row)]
        )
        audit.record_many(self.tx, self.caller, "create unit", [(row.id, None, row) for row in self.new_units])
        audit.record_many(self.tx, self.caller, "create tenant", [(row.id, None, row) for row in self.new_tenants])
        if self.new_units or self.new_tenants:
            billing_months.recalculate(self.tx, self.caller, [self.property])
        return UnitReport(len(self.new_units), len(self.new_tenants), self.skipped)
