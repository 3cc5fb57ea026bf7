"""Properties, and all codes that were ever given to properties and units.

A code is a short form of a name that is part of invoice numbers.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, exists, func, or_, select

from prorata.domain.accounts.settings import BillingMonthRule
from prorata.domain.search_terms import order_of
from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import Group
from prorata.store.database.statements import (
    adds,
    adds_if_new,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    row_values,
    saves,
)
from prorata.store.database.walks import Walked
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import PAID_ITS_OWN_WAY, invoice, property_, tally, unit, used_code


class PropertyRow(NamedTuple):
    """A property; `code` is the part of invoice numbers that names the property.

    If `billing_month_rule` is None, the account's rule applies.
    """

    account_id: str
    id: str
    name: str
    street_number: str
    street: str
    city: str
    state: str
    zip: str
    country: str
    currency: str
    code: str
    is_active: bool
    billing_starts_month: str | None
    created_at: str
    updated_at: str
    pay_text: str = ""
    pay_holder: str = ""
    pay_iban: str = ""
    pay_bic: str = ""
    pay_routing: str = ""
    pay_number: str = ""
    billing_month_rule: BillingMonthRule | None = None


class PropertyKey(NamedTuple):
    """A property's id, and the fields by which lists of properties are sorted."""

    id: str
    name: str
    city: str


class PropertyCounts(NamedTuple):
    """The numbers of a property's units in use today, and of its invoices by status.

    Only draft, sent and overdue invoices are counted.
    """

    property_id: str
    units: int
    draft: int
    sent: int
    overdue: int


class UsedCode(NamedTuple):
    """A code given to a property or unit, which is never given again.

    `scope` is the id of the unit's property; for a property, it is empty.
    """

    scope: str
    code: str


_mine = property_.c.account_id == bindparam("account")
_this = property_.c.id == bindparam("id")
_row = select(*columns_for(PropertyRow, property_))
_KEY = property_.c.name_key.name
"""The column by which properties are sorted; it is derived from the name."""
_FIND = returns(PropertyRow, _row.where(_mine, _this))
_LOCK = returns(PropertyRow, _row.where(_mine, _this).with_for_update())
_LOCK_MANY = returns(
    PropertyRow,
    _row.where(_mine, is_one_of(property_.c.id, "ids")).order_by(property_.c.id).with_for_update(),
)
_LOCK_FREE_OF_INVOICES = returns(
    PropertyRow,
    _row.join(invoice, named_by(property_, invoice.c.property_id))
    .where(_mine, is_one_of(invoice.c.id, "invoices"))
    .with_for_update(of=property_, skip_locked=True),
)
_FIND_MANY = returns(PropertyRow, _row.where(_mine, is_one_of(property_.c.id, "ids")).order_by(property_.c.id))
_ALL = returns(PropertyRow, _row.where(_mine).order_by(property_.c.id))
_COUNTRIES = returns_one(select(property_.c.country).where(_mine).distinct())
_KEYS = returns(PropertyKey, select(*columns_for(PropertyKey, property_)).where(_mine).order_by(property_.c.id))
_PAGE = returns(
    PropertyRow,
    _row.where(_mine).order_by(property_.c.id).limit(bindparam("limit")).offset(bindparam("offset")),
)
PROPERTIES = Walked(
    "properties", property_, property_.c.account_id, (Group((property_.c.id,)),), property_.c.updated_at
)
_PAID_ITS_OWN_WAY = returns_one(select(exists().where(_mine, PAID_ITS_OWN_WAY)))
_ADD = adds(property_)
_SAVE = saves(property_)
_REMOVE = changes(delete(property_).where(_mine, _this))
_CODES = returns_one(
    select(used_code.c.code).where(
        used_code.c.account_id == bindparam("account"), used_code.c.scope == bindparam("scope")
    )
)
_CODES_OF_MANY = returns(
    UsedCode,
    select(*columns_for(UsedCode, used_code)).where(
        used_code.c.account_id == bindparam("account"), is_one_of(used_code.c.scope, "scopes")
    ),
)
_USE_CODE = adds_if_new(used_code)
_units = (
    select(unit.c.property_id, func.count().label("units"))
    .where(
        unit.c.account_id == bindparam("account"),
        is_one_of(unit.c.property_id, "ids"),
        or_(unit.c.active_to.is_(None), unit.c.active_to > bindparam("today")),
    )
    .group_by(unit.c.property_id)
    .subquery()
)
_COUNTS = returns(
    PropertyCounts,
    select(
        property_.c.id.label("property_id"),
        func.coalesce(_units.c.units, 0).label("units"),
        func.coalesce(tally.c.draft, 0).label("draft"),
        func.coalesce(tally.c.sent, 0).label("sent"),
        func.coalesce(tally.c.overdue, 0).label("overdue"),
    )
    .join_from(property_, _units, _units.c.property_id == property_.c.id, isouter=True)
    .join(
        tally,
        (tally.c.account_id == property_.c.account_id)
        & (tally.c.property_id == property_.c.id)
        & (tally.c.month == bindparam("all_months")),
        isouter=True,
    )
    .where(_mine, is_one_of(property_.c.id, "ids"))
    .order_by(property_.c.id),
)


def find(tx: Tx, account_id: str, property_id: str) -> PropertyRow | None:
    """Find the account's property with this id."""
    return tx.one(_FIND, account=account_id, id=property_id)


def find_many(tx: Tx, account_id: str, property_ids: list[str]) -> list[PropertyRow]:
    """List the account's properties with these ids, in order of creation."""
    return tx.all(_FIND_MANY, account=account_id, ids=property_ids)


def lock(tx: Tx, account_id: str, property_id: str) -> PropertyRow | None:
    """Find the account's property with this id, and lock it until the transaction ends."""
    return tx.one(_LOCK, account=account_id, id=property_id)


def lock_many(tx: Tx, account_id: str, property_ids: list[str]) -> list[PropertyRow]:
    """Lock the account's properties with these ids in id order, and return them."""
    return tx.all(_LOCK_MANY, account=account_id, ids=property_ids)


def lock_free_of_invoices(tx: Tx, account_id: str, invoice_ids: list[str]) -> dict[str, PropertyRow]:
    """Lock the properties of these invoices, skipping those that others have locked.

    Return the locked properties by id.
    """
    return {row.id: row for row in tx.all(_LOCK_FREE_OF_INVOICES, account=account_id, invoices=invoice_ids)}


def is_paid_its_own_way(tx: Tx, account_id: str) -> bool:
    """True if any property of the account has payment instructions of its own."""
    return bool(tx.one(_PAID_ITS_OWN_WAY, account=account_id))


def all_of(tx: Tx, account_id: str) -> list[PropertyRow]:
    """List all properties of the account, in order of creation."""
    return tx.all(_ALL, account=account_id)


def countries(tx: Tx, account_id: str) -> list[str]:
    """List the different countries of the account's properties."""
    return tx.all(_COUNTRIES, account=account_id)


def page(tx: Tx, account_id: str, *, limit: int, offset: int) -> list[PropertyRow]:
    """Return one page of the account's properties, in order of creation."""
    return tx.all(_PAGE, account=account_id, limit=limit, offset=offset)


def keys(tx: Tx, account_id: str) -> list[PropertyKey]:
    """List the ids and sort fields of the account's properties, in order of creation."""
    return tx.all(_KEYS, account=account_id)


def counts(tx: Tx, account_id: str, property_ids: list[str], today: str) -> list[PropertyCounts]:
    """Count the units and invoices of each of these properties, in id order.

    Only units in use today, and only draft, sent and overdue invoices, are counted.
    """
    return tx.all(_COUNTS, account=account_id, ids=property_ids, today=today, all_months="")


def add_many(tx: Tx, rows: Sequence[PropertyRow]) -> None:
    """Add properties."""
    tx.run_many(_ADD, [_values(row) for row in rows])


def _values(row: PropertyRow) -> dict[str, Any]:
    return row._asdict() | {_KEY: order_of(row.name)}


def save(tx: Tx, row: PropertyRow) -> None:
    """Save a property."""
    tx.run(_SAVE, **row_values(property_, row), **{_KEY: order_of(row.name)})


def save_many(tx: Tx, rows: Sequence[PropertyRow]) -> None:
    """Save several properties."""
    tx.run_many(_SAVE, [row_values(property_, row) | {_KEY: order_of(row.name)} for row in rows])


def remove(tx: Tx, account_id: str, property_id: str) -> None:
    """Remove a property with all of its records."""
    tx.run(_REMOVE, account=account_id, id=property_id)


def used_codes(tx: Tx, account_id: str, scope: str = "") -> set[str]:
    """Return the codes ever given to the account's properties.

    If `scope` is the id of a property, return the codes ever given to its units instead.
    """
    return set(tx.all(_CODES, account=account_id, scope=scope))


def used_codes_of(tx: Tx, account_id: str, scopes: list[str]) -> dict[str, set[str]]:
    """Return the codes ever given to properties, or to units of properties, by scope.

    A scope is the id of a property, for the codes of its units, or "", for the codes of properties.
    """
    codes: dict[str, set[str]] = {scope: set() for scope in scopes}
    for used in tx.all(_CODES_OF_MANY, account=account_id, scopes=scopes):
        codes[used.scope].add(used.code)
    return codes


def use_codes(tx: Tx, account_id: str, used: Sequence[UsedCode]) -> None:
    """Record permanently that these codes were given to properties or units."""
    tx.run_many(_USE_CODE, [{"account_id": account_id, **code_in_use._asdict()} for code_in_use in used])
