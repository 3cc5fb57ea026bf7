"""Who lives where: the account's tenants with their units, found, in an order, a page at a time."""

from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, literal_column, or_, select

from prorata.store.engine import Tx
from prorata.store.statements import Statement, is_one_of, returns, returns_one
from prorata.store.tables import property_, tenant, unit


class Wanted(NamedTuple):
    """Whom a list is for: the tenants of these properties and of these units, and these themselves."""

    properties: list[str]
    units: list[str]
    tenants: list[str]


class TenantPlace(NamedTuple):
    """A tenant and where the person lives, or lived."""

    id: str
    name: str
    email: str | None
    move_in: str | None
    move_out: str | None
    unit_id: str
    label: str
    property_id: str
    property_name: str


class VacantPlace(NamedTuple):
    """A unit that nobody lives in."""

    unit_id: str
    label: str
    property_id: str
    property_name: str


_mine = and_(tenant.c.account_id == bindparam("account"), tenant.c.ended_at.is_(None))
_there = or_(tenant.c.move_out.is_(None), tenant.c.move_out >= bindparam("today"))
_wanted = or_(
    is_one_of(tenant.c.property_id, "properties"),
    is_one_of(tenant.c.unit_id, "units"),
    is_one_of(tenant.c.id, "tenants"),
)
_its_property = and_(property_.c.account_id == unit.c.account_id, property_.c.id == unit.c.property_id)
_VACANT = returns(
    VacantPlace,
    select(unit.c.id.label("unit_id"), unit.c.label, unit.c.property_id, property_.c.name.label("property_name"))
    .join_from(unit, property_, _its_property)
    .where(
        unit.c.account_id == bindparam("account"),
        or_(is_one_of(unit.c.property_id, "properties"), is_one_of(unit.c.id, "units")),
        or_(unit.c.active_to.is_(None), unit.c.active_to > bindparam("today")),
        ~exists(select(tenant.c.id).where(_mine, tenant.c.unit_id == unit.c.id, _there)).correlate(unit),
    )
    .order_by(func.lower(property_.c.name), unit.c.label_key)
    .limit(bindparam("limit")),
)


def _which(*, searched: bool, gone: bool) -> list[ColumnElement[bool]]:
    return [_mine, *([_wanted] if searched else []), *([] if gone else [_there])]


@cache
def _page(sort: str, *, searched: bool, gone: bool) -> Statement[TenantPlace]:
    """The tenants of a page are chosen before their units and properties are looked up: 50 look-ups, not 100,000."""
    found = (
        select(tenant)
        .where(*_which(searched=searched, gone=gone))
        .order_by(*_order(tenant.c, sort, indexed=not searched))
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
        .subquery("found")
    )
    its_unit = and_(unit.c.account_id == found.c.account_id, unit.c.id == found.c.unit_id)
    own = [found.c[name] for name in ("id", "name", "email", "move_in", "move_out", "unit_id")]
    return returns(
        TenantPlace,
        select(*own, unit.c.label, found.c.property_id, property_.c.name.label("property_name"))
        .join_from(found, unit, its_unit)
        .join(property_, _its_property)
        .order_by(*_order(found.c, sort)),
    )


def _order(columns: Any, sort: str, *, indexed: bool = True) -> list[ColumnElement[Any]]:
    """What tenants are ordered by; those that a search found are sorted, and not looked for in the index."""
    name_key = columns.name_key if indexed else columns.name_key.op("||")(literal_column("''"))
    by = [name_key, columns.id] if sort.endswith("name") else [columns.id]
    return [column.desc() for column in by] if sort.startswith("-") else by


@cache
def _count(*, searched: bool, gone: bool) -> Statement[Any]:
    return returns_one(select(func.count()).select_from(tenant).where(*_which(searched=searched, gone=gone)))


def page(
    tx: Tx, account_id: str, wanted: Wanted | None, *, gone: bool, today: str, sort: str, limit: int, offset: int
) -> tuple[list[TenantPlace], int]:
    """One page of the account's tenants, those `wanted` or all, and how many there are; without removed ones, and
    without those who moved out before `today` unless `gone`.
    """
    searched = wanted is not None
    values = {"account": account_id} | (wanted._asdict() if wanted else {}) | ({} if gone else {"today": today})
    rows = tx.all(_page(sort, searched=searched, gone=gone), **values, limit=limit, offset=offset)
    return rows, int(tx.one(_count(searched=searched, gone=gone), **values) or 0)


def vacant(tx: Tx, account_id: str, wanted: Wanted, *, today: str, limit: int) -> list[VacantPlace]:
    """The first units in use, of those `wanted`, that nobody lives in on the day `today` or will."""
    return tx.all(
        _VACANT,
        account=account_id, properties=wanted.properties, units=wanted.units, today=today, limit=limit,
    )  # fmt: skip
