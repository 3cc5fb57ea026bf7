"""The units of a property as a person looks at them: by label, with who lives there and what nobody has entered yet."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from prorata.actions import access, units
from prorata.actions import accounts as account_actions
from prorata.actions.facts import as_rule
from prorata.domain.names import natural_order
from prorata.domain.share_rules import Rule, lacks
from prorata.store import share_rules
from prorata.store import units as stored_units
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.properties import PropertyRow
from prorata.store.units import TenantRow, UnitRow


class ListedUnit(NamedTuple):
    """A unit in a list: who lives there today or will, whether it is active, and what a rule divides by and is not
    known of it.
    """

    row: UnitRow
    tenants: tuple[TenantRow, ...]
    is_active: bool
    lacks: tuple[str, ...]


class UnitList(NamedTuple):
    """One page of a property's units: its rows, how many were found, how many units the property has at all, and how
    many of these are deactivated.
    """

    property: PropertyRow
    rows: list[ListedUnit]
    total: int
    of_all: int
    inactive: int
    today: str


class UnitInFull(NamedTuple):
    """A unit with its property and its people: those who live there or will, and those who left, the last one first."""

    property: PropertyRow
    unit: ListedUnit
    gone: list[TenantRow]
    today: str


def page(tx: Tx, caller: Caller, property_id: str, wanted: str, *, inactive: bool, limit: int, offset: int) -> UnitList:
    """One page of a property's units in the natural order of their labels; `wanted` stands in a unit's label, or in the
    name or address of somebody there. Raises `NotFound`.
    """
    found = access.property_(tx, caller, property_id)
    today = account_actions.today(tx, caller).isoformat()
    rows = stored_units.of_properties(tx, caller.account_id, [found.id])
    active = [row for row in rows if units.is_active(row, today)]
    shown = rows if inactive else active
    if wanted.strip():
        people = stored_units.tenants_of_properties(tx, caller.account_id, [found.id])
        shown = _with(wanted.strip().casefold(), shown, [one for one in people if one.ended_at is None])
    shown = sorted(shown, key=lambda row: (natural_order(row.label), row.id))
    of_page = shown[offset : offset + limit]
    listed = _listed(tx, caller, found.id, of_page, today)
    return UnitList(found, listed, len(shown), len(rows), len(rows) - len(active), today)


def find(tx: Tx, caller: Caller, unit_id: str) -> UnitInFull:
    """A unit with its people. Raises `NotFound`."""
    row, people, today = units.find(tx, caller, unit_id)
    (listed,) = _listed(tx, caller, row.property_id, [row], today)
    gone = sorted((one for one in people if has_left(one, today)), key=lambda one: one.move_out or "", reverse=True)
    return UnitInFull(access.property_(tx, caller, row.property_id), listed, gone, today)


def has_left(row: TenantRow, today: str) -> bool:
    """Whether a tenant's last day is over."""
    return row.move_out is not None and row.move_out < today


def _with(wanted: str, rows: Iterable[UnitRow], people: Iterable[TenantRow]) -> list[UnitRow]:
    units_ = {one.unit_id for one in people if wanted in one.name.casefold() or wanted in (one.email or "").casefold()}
    return [row for row in rows if row.id in units_ or wanted in row.label.casefold()]


def _listed(tx: Tx, caller: Caller, property_id: str, rows: list[UnitRow], today: str) -> list[ListedUnit]:
    rules = _rules(tx, caller, property_id)
    there: dict[str, list[TenantRow]] = defaultdict(list)
    for tenant in stored_units.tenants_of_units(tx, caller.account_id, [row.id for row in rows]):
        if not has_left(tenant, today):
            there[tenant.unit_id].append(tenant)
    return [
        ListedUnit(
            row,
            tuple(sorted(there[row.id], key=lambda one: (one.move_in or "", one.id))),
            units.is_active(row, today),
            lacks(rules, row.id, has_sqft=row.sqft is not None, has_bedrooms=row.bedrooms is not None),
        )
        for row in rows
    ]


def _rules(tx: Tx, caller: Caller, property_id: str) -> list[Rule]:
    methods = {method.id: method for method in share_rules.methods(tx, caller.account_id)}
    rows = share_rules.of_properties(tx, caller.account_id, [property_id])
    return [as_rule(row, methods) for row in rows if row.is_active]
