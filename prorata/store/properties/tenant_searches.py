"""Lists of the account's tenants with their units: searched, sorted and paged.

If many tenants match, tenants are read in the order of the list by an index, and those that don't match are
skipped. If few match, the matching tenants are found by other indexes and then sorted.
"""

from functools import cache
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, FromClause, and_, bindparam, exists, func, literal_column, or_, select, union

from prorata.domain.privacy.personal_words import FORMER_TENANT
from prorata.store.database import list_orders
from prorata.store.database.engine import Tx
from prorata.store.database.list_orders import By, Place, by_no_index, in_order, is_behind
from prorata.store.database.statements import Statement, is_among, is_one_of, returns, returns_one
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import property_, tenant, unit

Who = Literal["THERE", "ALL", "PAST"]


class Wanted(NamedTuple):
    """The ids of tenants, properties and units that limit a list of tenants.

    The list contains these tenants, and all tenants of these properties and units.
    """

    properties: list[str]
    units: list[str]
    tenants: list[str]


class TenantPlace(NamedTuple):
    """A tenant with their present or last unit, and the list's sort fields.

    The fields include the name of the unit's property.
    """

    id: str
    name: str
    email: str | None
    move_in: str | None
    move_out: str | None
    ended_at: str | None
    unit_id: str
    label: str
    property_id: str
    property_name: str
    name_key: str
    stay_key: str
    order_key: str
    property_key: str


class Asked(NamedTuple):
    """The criteria of a list of tenants, and its order `sort`.

    If `wanted` is not None, it limits the list. `who` selects one of three groups. THERE: the tenants who have not
    moved out before `today`. ALL: these tenants, and also those who have moved out. PAST: those who have moved out or
    were removed, except erased tenants; they can be sorted only by name. `many` is True if many tenants match.
    """

    wanted: Wanted | None
    sort: str
    today: str
    who: Who
    many: bool = True


class VacantPlace(NamedTuple):
    """A vacant unit, with the name of its property."""

    unit_id: str
    label: str
    property_id: str
    property_name: str


_mine = and_(tenant.c.account_id == bindparam("account"), tenant.c.ended_at.is_(None))
_there = or_(tenant.c.move_out.is_(None), tenant.c.move_out >= bindparam("today"))
_past = and_(
    tenant.c.account_id == bindparam("account"),
    or_(tenant.c.move_out.is_not(None), tenant.c.ended_at.is_not(None)),
    or_(tenant.c.name != literal_column(f"'{FORMER_TENANT}'"), tenant.c.ended_at.is_(None)),
    or_(tenant.c.move_out < bindparam("today"), tenant.c.ended_at.is_not(None)),
)
"""The condition for tenants who moved out or were removed, except erased ones.

Its second and third part are the condition of the index `ix_tenant_past`.
"""
_WHO: dict[Who, list[ColumnElement[bool]]] = {"THERE": [_mine, _there], "ALL": [_mine], "PAST": [_past]}
_LISTS = {"properties": tenant.c.property_id, "units": tenant.c.unit_id, "tenants": tenant.c.id}
_found_ids = union(
    *(
        select(tenant.c.id).where(tenant.c.account_id == bindparam("account"), is_one_of(column, name))
        for name, column in _LISTS.items()
    )
).subquery("found_ids")
_wanted = _found_ids.join(tenant, and_(tenant.c.account_id == bindparam("account"), tenant.c.id == _found_ids.c.id))
"""The tenants that are in `Wanted`, or in its properties or units.

Each of the three groups is found by its own index. With one condition for all three, PostgreSQL compared every tenant
of the account with each id (0.4 s for 500 of 3,600 tenants).
"""
_among = or_(*(is_among(by_no_index(column), name) for name, column in _LISTS.items()))
_label, _name = By("order_key", unit.c.order_key), By("property_key", property_.c.name_key)
_PLACED: dict[str, tuple[By, ...]] = {
    "unit": (_label, By("unit_id", unit.c.id)),
    "property": (_name, By("property_id", property_.c.id), _label),
}
"""The orders in which tenants are sorted by their unit or property."""
_its_property = named_by(property_, unit.c.property_id)
_VACANT = returns(
    VacantPlace,
    select(unit.c.id.label("unit_id"), unit.c.label, unit.c.property_id, property_.c.name.label("property_name"))
    .join_from(unit, property_, _its_property)
    .where(
        unit.c.account_id == bindparam("account"),
        or_(is_one_of(unit.c.property_id, "properties"), is_one_of(unit.c.id, "units")),
        or_(unit.c.active_to.is_(None), unit.c.active_to > bindparam("today")),
        ~exists().where(_mine, tenant.c.unit_id == unit.c.id, _there).correlate(unit),
    )
    .order_by(property_.c.name_key, unit.c.order_key)
    .limit(bindparam("limit")),
)


class TenantUnit(NamedTuple):
    """The ids of a tenant and of the tenant's unit."""

    id: str
    unit_id: str


_these = select(tenant.c.id, tenant.c.unit_id).where(
    tenant.c.account_id == bindparam("account"), is_one_of(tenant.c.id, "tenants")
)
_by_name = by_no_index(tenant.c.name_key)
_FIRST = returns(TenantUnit, _these.order_by(_by_name, tenant.c.id).limit(bindparam("limit")))
_LAST = returns(TenantUnit, _these.order_by(_by_name.desc(), tenant.c.id.desc()).limit(bindparam("limit")))


def first_by_name(
    tx: Tx, account_id: str, tenant_ids: list[str], *, limit: int, reverse: bool = False
) -> list[TenantUnit]:
    """List the first of these tenants by name, or the last if `reverse` is set.

    Up to `limit` tenants are listed.
    """
    return tx.all(_LAST if reverse else _FIRST, account=account_id, tenants=tenant_ids, limit=limit)


@cache
def _page(sort: str, *, searched: bool, who: Who, many: bool = True, placed: bool = False) -> Statement[TenantPlace]:
    """Build the statement for a page of tenants.

    The statement selects the tenants of the page before it joins their units and properties, so it takes 50
    look-ups instead of 100,000. `searched` is set if the list is limited to some tenants, and `placed` if the page
    begins after a place in the list.
    """
    walked, reverse = not searched or many, sort.startswith("-")
    order = _order(sort, tenant.c)
    inner = order if walked else [by._replace(column=by_no_index(by.column)) for by in order]
    conditions = [*_WHO[who]]
    if searched and many:
        conditions.append(_among)
    found = (
        select(tenant)
        .select_from(_from(sort, walked=walked))
        .where(*conditions, *([is_behind(inner, reverse=reverse)] if placed else []))
        .order_by(*in_order(inner, reverse=reverse))
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
        .subquery("found")
    )
    its_unit = named_by(unit, found.c.unit_id)
    address = func.coalesce(found.c.forwarding_email, found.c.email).label("email")
    own = [
        found.c.id,
        found.c.name,
        address,
        *(found.c[name] for name in ("move_in", "move_out", "ended_at", "unit_id")),
    ]
    name, property_key = property_.c.name.label("property_name"), property_.c.name_key.label("property_key")
    keys = [found.c.name_key, found.c.stay_key, unit.c.order_key, property_key]
    return returns(
        TenantPlace,
        select(*own, unit.c.label, found.c.property_id, name, *keys)
        .join_from(found, unit, its_unit)
        .join(property_, _its_property)
        .order_by(*in_order(_order(sort, found.c), reverse=reverse)),
    )


def _order(sort: str, tenants: Any) -> list[By]:
    """Build the columns by which a list of tenants is sorted, for the order `sort`.

    `tenants` are the columns of the table or subquery of tenants.
    """
    by, own = sort.removeprefix("-"), By("id", tenants.id)
    if by in _PLACED:
        return [*_PLACED[by], own]
    return [own] if by == "added" else [By(f"{by}_key", tenants[f"{by}_key"]), own]


def _from(sort: str, *, walked: bool) -> FromClause:
    """Build the FROM clause for a list of tenants in the order `sort`.

    If `walked` is set, the clause starts with the table whose index has this order: tenants, units or properties.
    Otherwise, it starts with the tenants that were found.
    """
    by = sort.removeprefix("-")
    if not walked:
        if by not in _PLACED:
            return _wanted
        both = _wanted.join(unit, named_by(unit, tenant.c.unit_id))
        return both.join(property_, _its_property) if by == "property" else both
    if by not in _PLACED:
        return tenant
    account: ColumnElement[str] = bindparam("account")
    in_unit = and_(tenant.c.unit_id == by_no_index(unit.c.id), unit.c.account_id == account)
    if by == "unit":
        return unit.join(tenant, in_unit)
    in_property = and_(unit.c.property_id == by_no_index(property_.c.id), property_.c.account_id == account)
    return property_.join(unit, in_property).join(tenant, in_unit)


def columns_of(sort: str) -> list[str]:
    """List the names of the values that make up a place in the order `sort`."""
    return list_orders.names_of(_order(sort, tenant.c))


@cache
def _count(*, searched: bool, who: Who) -> Statement[int]:
    """Build the statement that counts the matching tenants, up to the parameter `most`."""
    some = select(tenant.c.id).select_from(_wanted if searched else tenant).where(*_WHO[who])
    some = some.limit(bindparam("most"))
    return returns_one(select(func.count()).select_from(some.subquery()))


def page(tx: Tx, account_id: str, asked: Asked, *, limit: int, offset: int = 0, place: Place = ()) -> list[TenantPlace]:
    """Return up to `limit` of the matching tenants, in the order of the list.

    The page begins after `place`, the values of a tenant in the order's columns (`columns_of`), and then skips
    `offset` tenants. If `place` is empty, it begins at the start of the list.
    """
    wanted, sort = asked.wanted, asked.sort
    statement = _page(sort, searched=wanted is not None, who=asked.who, many=asked.many, placed=bool(place))
    placed = list_orders.values_of(_order(sort, tenant.c), place) if place else {}
    return tx.all(statement, **_values(account_id, asked), **placed, limit=limit, offset=offset)


def number(tx: Tx, account_id: str, asked: Asked, *, most: int) -> int:
    """Count the tenants that match the criteria of a list, up to `most`."""
    statement = _count(searched=asked.wanted is not None, who=asked.who)
    return tx.one(statement, **_values(account_id, asked), most=most) or 0


def _values(account_id: str, asked: Asked) -> dict[str, Any]:
    values: dict[str, Any] = {"account": account_id} | (asked.wanted._asdict() if asked.wanted else {})
    return values if asked.who == "ALL" else values | {"today": asked.today}


def vacant(tx: Tx, account_id: str, wanted: Wanted, *, today: str, limit: int) -> list[VacantPlace]:
    """List up to `limit` vacant units of the `wanted` properties, and of the `wanted` units.

    A unit is listed if it is not deactivated, nobody lives in it on the day `today`, and nobody will move in later.
    """
    return tx.all(
        _VACANT,
        account=account_id, properties=wanted.properties, units=wanted.units, today=today, limit=limit,
    )  # fmt: skip
