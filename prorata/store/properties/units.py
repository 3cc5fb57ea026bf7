"""Units and their tenants."""

from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, Table, and_, bindparam, delete, exists, func, or_, select

from prorata.domain.search_terms import order_of
from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import Group
from prorata.store.database.statements import (
    Statement,
    adds,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    returns_pairs,
    row_values,
    saves,
)
from prorata.store.database.walks import Walked
from prorata.store.schema.tables import invoice, tenant, tenant_mail_address, unit


class UnitRow(NamedTuple):
    """A unit; `sqft` is exact decimal text, and `monthly_rent` is in cents.

    The unit is in use from `active_from` to `active_to`, both included.
    """

    account_id: str
    id: str
    property_id: str
    label: str
    label_key: str
    code: str
    sqft: str | None
    bedrooms: int | None
    monthly_rent: int | None
    active_from: str | None
    active_to: str | None
    created_at: str
    updated_at: str


class UnitKey(NamedTuple):
    """A unit's id, and the fields by which it is found and sorted."""

    id: str
    label: str
    sqft: str | None
    bedrooms: int | None
    active_to: str | None


class TenantRow(NamedTuple):
    """A tenant of a unit.

    The stay is from `move_in` to `move_out`, both included. If `ended_at` is set, the tenant was removed. `occupants`
    is the number of people who live in the unit under the tenant's name. If the tenant has a forwarding address,
    invoices are sent to it.
    """

    account_id: str
    id: str
    property_id: str
    unit_id: str
    name: str
    email: str | None
    move_in: str | None
    move_out: str | None
    ended_at: str | None
    created_at: str
    updated_at: str
    occupants: int = 1
    forwarding_email: str | None = None
    forwarding_address: str | None = None

    @property
    def mail_address(self) -> str | None:
        """The address to which the tenant's invoices are e-mailed, None if there is none."""
        return self.forwarding_email or self.email


class Resident(NamedTuple):
    """A present or future tenant, and the tenant's unit."""

    id: str
    unit_id: str


_mine = unit.c.account_id == bindparam("account")
_in_property = unit.c.property_id == bindparam("property")
_active = or_(unit.c.active_to.is_(None), unit.c.active_to > bindparam("today"))
_row = select(*columns_for(UnitRow, unit))
_ORDER = unit.c.order_key.name
"""The column by which units are sorted; it is derived from the label."""
_FIND = returns(UnitRow, _row.where(_mine, unit.c.id == bindparam("id")))
_OF_PROPERTIES = returns(UnitRow, _row.where(_mine, is_one_of(unit.c.property_id, "properties")))
_KEYS = returns(
    UnitKey,
    select(*columns_for(UnitKey, unit)).where(_mine, _in_property),
)
_FIND_MANY = returns(UnitRow, _row.where(_mine, is_one_of(unit.c.id, "ids")))
_COUNT = returns_one(select(func.count()).select_from(unit).where(_mine, _in_property))
_ADD, _SAVE = adds(unit), saves(unit)
_REMOVE = changes(delete(unit).where(_mine, unit.c.id == bindparam("id")))
_HAS_INVOICES = returns_one(
    select(exists().where(invoice.c.account_id == bindparam("account"), invoice.c.unit_id == bindparam("id")))
)
_HAS_ISSUED = returns_one(
    select(
        exists().where(
            invoice.c.account_id == bindparam("account"),
            invoice.c.unit_id == bindparam("unit"),
            invoice.c.tenant_id == bindparam("id"),
            invoice.c.issued.is_(True),
        )
    )
)

_tenant = select(*columns_for(TenantRow, tenant))
_my_tenant = tenant.c.account_id == bindparam("account")
_not_removed = and_(_my_tenant, tenant.c.ended_at.is_(None))
_FIND_TENANT = returns(
    TenantRow, _tenant.where(_my_tenant, tenant.c.id == bindparam("id"), tenant.c.ended_at.is_(None))
)
_TENANTS_OF_PAST = returns(TenantRow, _tenant.where(_my_tenant, is_one_of(tenant.c.id, "ids")))
_TENANTS_OF_UNIT = returns(
    TenantRow,
    _tenant.where(_my_tenant, tenant.c.unit_id == bindparam("unit"), tenant.c.ended_at.is_(None)).order_by(tenant.c.id),
)
_ADDRESSES = returns_pairs(select(tenant.c.id, tenant_mail_address).where(_my_tenant, is_one_of(tenant.c.id, "ids")))
_TENANTS_OF_UNITS = returns(
    TenantRow,
    _tenant.where(_my_tenant, is_one_of(tenant.c.unit_id, "units"), tenant.c.ended_at.is_(None)),
)
_TENANTS_OF_PROPERTIES = returns(TenantRow, _tenant.where(_my_tenant, is_one_of(tenant.c.property_id, "properties")))
_RESIDENTS = returns(
    Resident,
    select(tenant.c.id, tenant.c.unit_id).where(
        _my_tenant,
        tenant.c.property_id == bindparam("property"),
        tenant.c.ended_at.is_(None),
        or_(tenant.c.move_out.is_(None), tenant.c.move_out >= bindparam("today")),
    ),
)
_COUNT_TENANTS = returns_one(
    select(func.count())
    .select_from(tenant)
    .where(_my_tenant, tenant.c.property_id == bindparam("property"), tenant.c.ended_at.is_(None))
)
_by_creation = attrgetter("id")  # sorted here: with an ORDER BY, SQLite would walk all of the account's rows
_KEYS_OF_TENANT = (tenant.c.name_key.name, tenant.c.stay_key.name)
"""The columns by which tenants are sorted: name, and first day of the stay.

The second is empty for a tenant without a move-in date.
"""
_ADD_TENANT, _SAVE_TENANT = adds(tenant), saves(tenant)
UNIT_FILTERS: dict[str, ColumnElement[bool]] = {"property": _in_property, "today": _active}
"""The filters for units: by property, and by use on the day `today`."""
TENANT_FILTERS: dict[str, ColumnElement[bool]] = {
    "property": tenant.c.property_id == bindparam("property"),
    "unit": tenant.c.unit_id == bindparam("unit"),
}
UNITS = Walked("units", unit, unit.c.account_id, (Group((unit.c.id,)),), unit.c.updated_at, UNIT_FILTERS)
TENANTS = Walked(
    "tenants", tenant, tenant.c.account_id, (Group((tenant.c.id,)),), tenant.c.updated_at, TENANT_FILTERS,
    only=(tenant.c.ended_at.is_(None),),
)  # fmt: skip
_FITTING = {unit.name: (_mine, UNIT_FILTERS), tenant.name: (_not_removed, TENANT_FILTERS)}


@cache
def _page_of_units(filters: frozenset[str]) -> Statement[UnitRow]:
    return returns(UnitRow, _paged(_row, unit, filters))


@cache
def _page_of_tenants(filters: frozenset[str]) -> Statement[TenantRow]:
    return returns(TenantRow, _paged(_tenant, tenant, filters))


def _paged(rows: Select[Any], of: Table, filters: frozenset[str]) -> Select[Any]:
    return rows.where(*_fit(of, filters)).order_by(of.c.id).limit(bindparam("limit")).offset(bindparam("offset"))


@cache
def _number(of: Table, filters: frozenset[str]) -> Statement[int]:
    return returns_one(select(func.count()).select_from(of).where(*_fit(of, filters)))


def _fit(of: Table, filters: frozenset[str]) -> list[ColumnElement[bool]]:
    mine, conditions = _FITTING[of.name]
    return [mine, *(condition for name, condition in conditions.items() if name in filters)]


_REMOVE_TENANT = changes(delete(tenant).where(_my_tenant, tenant.c.id == bindparam("id")))


def find(tx: Tx, account_id: str, unit_id: str) -> UnitRow | None:
    """Find the account's unit with this id."""
    return tx.one(_FIND, account=account_id, id=unit_id)


def of_properties(tx: Tx, account_id: str, property_ids: list[str]) -> list[UnitRow]:
    """List all units of these properties, deactivated ones included, in order of creation."""
    return sorted(tx.all(_OF_PROPERTIES, account=account_id, properties=property_ids), key=_by_creation)


def page(tx: Tx, account_id: str, filters: Mapping[str, str], *, limit: int, offset: int) -> tuple[list[UnitRow], int]:
    """Return one page of the account's units in creation order, and the number of matches.

    `filters` may contain the names in `UNIT_FILTERS`.
    """
    names, values = frozenset(filters), {"account": account_id, **filters}
    rows = tx.all(_page_of_units(names), **values, limit=limit, offset=offset)
    return rows, tx.one(_number(unit, names), **values) or 0


def page_of_tenants(
    tx: Tx, account_id: str, filters: Mapping[str, str], *, limit: int, offset: int
) -> tuple[list[TenantRow], int]:
    """Return one page of the account's tenants in creation order, and the number of matches.

    Removed tenants are left out. `filters` may contain the names in `TENANT_FILTERS`.
    """
    names, values = frozenset(filters), {"account": account_id, **filters}
    rows = tx.all(_page_of_tenants(names), **values, limit=limit, offset=offset)
    return rows, tx.one(_number(tenant, names), **values) or 0


def find_many(tx: Tx, account_id: str, unit_ids: list[str]) -> list[UnitRow]:
    """List the account's units with these ids."""
    return tx.all(_FIND_MANY, account=account_id, ids=unit_ids)


def keys(tx: Tx, account_id: str, property_id: str) -> list[UnitKey]:
    """List the ids and sort fields of a property's units, including deactivated ones."""
    return tx.all(_KEYS, account=account_id, property=property_id)


def count(tx: Tx, account_id: str, property_id: str) -> int:
    """Count a property's units, including deactivated units."""
    return int(tx.one(_COUNT, account=account_id, property=property_id) or 0)


def count_tenants(tx: Tx, account_id: str, property_id: str) -> int:
    """Count a property's current and former tenants, except removed tenants."""
    return int(tx.one(_COUNT_TENANTS, account=account_id, property=property_id) or 0)


def residents(tx: Tx, account_id: str, property_id: str, today: str) -> list[Resident]:
    """List the tenants of a property who have not moved out before the day `today`.

    Future tenants are included, and removed tenants are left out.
    """
    return tx.all(_RESIDENTS, account=account_id, property=property_id, today=today)


def add(tx: Tx, row: UnitRow) -> None:
    """Add a unit."""
    tx.run(_ADD, **row._asdict(), **{_ORDER: order_of(row.label)})


def add_many(tx: Tx, units_: Sequence[UnitRow], tenants: Sequence[TenantRow]) -> None:
    """Add several units, and several tenants, who may live in these units or in others."""
    tx.add_many("unit", (*UnitRow._fields, _ORDER), [(*row, order_of(row.label)) for row in units_])
    tx.add_many("tenant", (*TenantRow._fields, *_KEYS_OF_TENANT), [(*row, *_keys_of(row)) for row in tenants])


def _keys_of(row: TenantRow) -> tuple[str, str]:
    return order_of(row.name), row.move_in or ""


def save(tx: Tx, row: UnitRow) -> None:
    """Save a unit."""
    tx.run(_SAVE, **row_values(unit, row), **{_ORDER: order_of(row.label)})


def save_many(tx: Tx, rows: Sequence[UnitRow], tenants: Sequence[TenantRow]) -> None:
    """Save several units and several tenants."""
    tx.run_many(_SAVE, [row_values(unit, row) | {_ORDER: order_of(row.label)} for row in rows])
    keys = [dict(zip(_KEYS_OF_TENANT, _keys_of(row), strict=True)) for row in tenants]
    tx.run_many(_SAVE_TENANT, [row_values(tenant, row) | its for row, its in zip(tenants, keys, strict=True)])


def remove(tx: Tx, account_id: str, unit_id: str) -> None:
    """Delete a unit that has no invoices, together with its tenants."""
    tx.run(_REMOVE, account=account_id, id=unit_id)


def has_invoices(tx: Tx, account_id: str, unit_id: str) -> bool:
    """True if the unit has an invoice, in any status."""
    return bool(tx.one(_HAS_INVOICES, account=account_id, id=unit_id))


def has_issued_invoice(tx: Tx, account_id: str, tenant: TenantRow) -> bool:
    """True if a tenant has an invoice that was ever sent, whatever its current status."""
    return bool(tx.one(_HAS_ISSUED, account=account_id, unit=tenant.unit_id, id=tenant.id))


def find_tenant(tx: Tx, account_id: str, tenant_id: str) -> TenantRow | None:
    """Find the account's tenant with this id, unless the tenant was removed."""
    return tx.one(_FIND_TENANT, account=account_id, id=tenant_id)


def find_tenant_of_past(tx: Tx, account_id: str, tenant_id: str) -> TenantRow | None:
    """Find the account's tenant with this id, removed or not."""
    return next(iter(tenants_of_past(tx, account_id, [tenant_id])), None)


def tenants_of_past(tx: Tx, account_id: str, tenant_ids: list[str]) -> list[TenantRow]:
    """List the account's tenants with these ids, removed or not, in no particular order."""
    return tx.all(_TENANTS_OF_PAST, account=account_id, ids=tenant_ids)


def addresses(tx: Tx, account_id: str, tenant_ids: list[str]) -> dict[str, str | None]:
    """Map these tenants, including removed ones, to their addresses for e-mailed invoices."""
    return dict(tx.all(_ADDRESSES, account=account_id, ids=tenant_ids))


def tenants_of_unit(tx: Tx, account_id: str, unit_id: str) -> list[TenantRow]:
    """List the tenants of a unit, in order of creation, without removed tenants."""
    return tx.all(_TENANTS_OF_UNIT, account=account_id, unit=unit_id)


def tenants_of_units(tx: Tx, account_id: str, unit_ids: list[str]) -> list[TenantRow]:
    """List the tenants of several units, in order of creation, without removed tenants."""
    return sorted(tx.all(_TENANTS_OF_UNITS, account=account_id, units=unit_ids), key=_by_creation)


def tenants_of_properties(tx: Tx, account_id: str, property_ids: list[str]) -> list[TenantRow]:
    """List all tenants of these properties, present, former and removed, in order of creation."""
    return sorted(tx.all(_TENANTS_OF_PROPERTIES, account=account_id, properties=property_ids), key=_by_creation)


def add_tenant(tx: Tx, row: TenantRow) -> None:
    """Add a tenant."""
    tx.run(_ADD_TENANT, **row._asdict(), **dict(zip(_KEYS_OF_TENANT, _keys_of(row), strict=True)))


def save_tenant(tx: Tx, row: TenantRow) -> None:
    """Save a tenant."""
    tx.run(_SAVE_TENANT, **row_values(tenant, row), **dict(zip(_KEYS_OF_TENANT, _keys_of(row), strict=True)))


def remove_tenant(tx: Tx, account_id: str, tenant_id: str) -> None:
    """Delete a tenant's record, as if the tenant had never been entered."""
    tx.run(_REMOVE_TENANT, account=account_id, id=tenant_id)
