"""The searchable list of a property's units, with tenants and missing facts."""

from decimal import Decimal
from typing import Literal, NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.lists import searches
from prorata.actions.properties import units
from prorata.actions.recalculation.month_loader import as_rule
from prorata.domain.groups import grouped
from prorata.domain.labels import natural_order
from prorata.domain.splitting.share_rules import Rule, lacks
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import search_words, units as stored_units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.search_words import TENANT, UNIT
from prorata.store.properties.units import TenantRow, UnitKey, UnitRow
from prorata.store.splitting import share_rules

Sort = Literal["label", "-label", "sqft", "-sqft", "bedrooms", "-bedrooms"]
"""The orders of a list of units; a dash means descending."""
Only = Literal["", "vacant", "missing"]
"""The filters of a list of units: vacant units, or units without a needed fact."""


class ListedUnit(NamedTuple):
    """A listed unit with the tenants who live there now or will move in.

    `is_active` is set unless the unit is deactivated. `lacks` are the facts that share rules need and nobody has
    entered.
    """

    row: UnitRow
    tenants: tuple[TenantRow, ...]
    is_active: bool
    lacks: tuple[str, ...]


class UnitList(NamedTuple):
    """One page of a property's units.

    `total` counts the matching units, `of_all` all units, and `inactive` the deactivated ones.
    """

    property: PropertyRow
    rows: list[ListedUnit]
    total: int
    of_all: int
    inactive: int
    today: str


class UnitInFull(NamedTuple):
    """A unit with its property and all of its tenants.

    `unit` contains the tenants who live there now or will move in; `gone` are those who moved out, the latest first.
    """

    property: PropertyRow
    unit: ListedUnit
    gone: list[TenantRow]
    today: str


class Asked(NamedTuple):
    """A request for a list of a property's units: filters, search text and order.

    Each word of `search` is the beginning of a word of a unit's label or short form (its code in invoice numbers), or
    of the name or e-mail address of a current or future tenant. With `inactive`, deactivated units are listed too.
    """

    search: str = ""
    only: Only = ""
    sort: Sort = "label"
    inactive: bool = False


def page(tx: Tx, caller: Caller, property_id: str, asked: Asked, *, limit: int, offset: int) -> UnitList:
    """List one page of a property's units.

    Raises `NotFound` if there is no such property.
    """
    property_row = access.property_(tx, caller, property_id)
    today = account_actions.today(tx, caller).isoformat()
    keys = stored_units.keys(tx, caller.account_id, property_row.id)
    active = [key for key in keys if units.is_active(key, today)]
    shown = _narrowed(tx, caller, property_row.id, keys if asked.inactive else active, asked, today)
    ids = [key.id for key in _in_order(shown, asked.sort)[offset : offset + limit]]
    rows = {row.id: row for row in stored_units.find_many(tx, caller.account_id, ids)}
    listed = _listed(tx, caller, property_row.id, [rows[unit_id] for unit_id in ids], today)
    return UnitList(property_row, listed, len(shown), len(keys), len(keys) - len(active), today)


def find(tx: Tx, caller: Caller, unit_id: str) -> UnitInFull:
    """Find a unit with its property and tenants.

    Raises `NotFound` if there is no such unit.
    """
    row, people, today = units.find(tx, caller, unit_id)
    (listed,) = _listed(tx, caller, row.property_id, [row], today)
    gone = sorted(
        (person for person in people if has_left(person, today)), key=lambda tenant: tenant.move_out or "", reverse=True
    )
    return UnitInFull(access.property_(tx, caller, row.property_id), listed, gone, today)


def has_left(row: TenantRow, today: str) -> bool:
    """True if a tenant's last day has passed."""
    return row.move_out is not None and row.move_out < today


def _narrowed(tx: Tx, caller: Caller, property_id: str, keys: list[UnitKey], asked: Asked, today: str) -> list[UnitKey]:
    """Return the units that the request's filters and search text match."""
    if asked.only == "missing":
        rules = _rules(tx, caller, property_id)
        keys = [key for key in keys if lacks(rules, key)]
    if not asked.search.strip() and asked.only != "vacant":
        return keys
    residents = stored_units.residents(tx, caller.account_id, property_id, today)
    if asked.only == "vacant":
        taken = {resident.unit_id for resident in residents}
        keys = [key for key in keys if key.id not in taken]
    if asked.search.strip():
        matching_ids = _found(tx, caller, property_id, asked.search, {resident.id for resident in residents})
        keys = [key for key in keys if key.id in matching_ids]
    return keys


def _found(tx: Tx, caller: Caller, property_id: str, search: str, residents: set[str]) -> set[str]:
    """Find the units that match every search word, by their own or their residents' words."""

    def beginning(word: str) -> set[str]:
        matches = search_words.matches_in(tx, caller.account_id, property_id, word, [UNIT, TENANT])
        its = (match.unit_id for match in matches if match.kind == UNIT or match.record_id in residents)
        return {unit_id for unit_id in its if unit_id}

    of_words = []
    for word in searches.read(search).words:
        apart = set.intersection(*map(beginning, word.parts)) if word.parts else set[str]()
        of_words.append(beginning(word.whole) | apart)
    return set.intersection(*of_words) if of_words else set()


def _in_order(keys: list[UnitKey], sort: Sort) -> list[UnitKey]:
    """Sort units as requested, and then by label; units without the value come last.

    Labels are in natural order, so that 10 follows 9.
    """
    by, downwards = sort.removeprefix("-"), sort.startswith("-")
    keys = sorted(keys, key=lambda key: (natural_order(key.label), key.id), reverse=sort == "-label")
    if by == "label":
        return keys
    numbers = {key.id: key.sqft if by == "sqft" else key.bedrooms for key in keys}
    known = [key for key in keys if numbers[key.id] is not None]
    known.sort(key=lambda key: Decimal(numbers[key.id] or 0), reverse=downwards)
    return known + [key for key in keys if numbers[key.id] is None]


def _listed(tx: Tx, caller: Caller, property_id: str, rows: list[UnitRow], today: str) -> list[ListedUnit]:
    rules = _rules(tx, caller, property_id)
    tenants = stored_units.tenants_of_units(tx, caller.account_id, [row.id for row in rows])
    there = grouped((tenant.unit_id, tenant) for tenant in tenants if not has_left(tenant, today))
    return [
        ListedUnit(
            row,
            tuple(sorted(there[row.id], key=lambda tenant_row: (tenant_row.move_in or "", tenant_row.id))),
            units.is_active(row, today),
            lacks(rules, row),
        )
        for row in rows
    ]


def _rules(tx: Tx, caller: Caller, property_id: str) -> list[Rule]:
    methods = {method.id: method for method in share_rules.methods(tx, caller.account_id)}
    rows = share_rules.of_properties(tx, caller.account_id, [property_id])
    return [as_rule(row, methods) for row in rows if row.is_active]
