"""Properties, and the short forms that are used up."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert

from prorata.store.engine import Tx
from prorata.store.statements import adds, changes, is_one_of, returns, returns_one, row_values, saves
from prorata.store.tables import property_, used_code


class PropertyRow(NamedTuple):
    """A property. `code` is its part of invoice numbers."""

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


_mine = property_.c.account_id == bindparam("account")
_this = property_.c.id == bindparam("id")
_FIND = returns(PropertyRow, select(property_).where(_mine, _this))
_LOCK = returns(PropertyRow, select(property_).where(_mine, _this).with_for_update())
_LOCK_MANY = returns(
    PropertyRow,
    select(property_).where(_mine, is_one_of(property_.c.id, "ids")).order_by(property_.c.id).with_for_update(),
)
_FIND_MANY = returns(
    PropertyRow, select(property_).where(_mine, is_one_of(property_.c.id, "ids")).order_by(property_.c.id)
)
_ALL = returns(PropertyRow, select(property_).where(_mine).order_by(property_.c.id))
_PAGE = returns(
    PropertyRow,
    select(property_).where(_mine).order_by(property_.c.id).limit(bindparam("limit")).offset(bindparam("offset")),
)
_ADD = adds(property_)
_SAVE = saves(property_)
_REMOVE = changes(delete(property_).where(_mine, _this))
_CODES = returns_one(
    select(used_code.c.code).where(
        used_code.c.account_id == bindparam("account"), used_code.c.scope == bindparam("scope")
    )
)
_USE_CODE = changes(
    insert(used_code)
    .values(account_id=bindparam("account"), scope=bindparam("scope"), code=bindparam("code"))
    .on_conflict_do_nothing()
)


def find(tx: Tx, account_id: str, property_id: str) -> PropertyRow | None:
    """The account's property with this id."""
    return tx.one(_FIND, account=account_id, id=property_id)


def find_many(tx: Tx, account_id: str, property_ids: list[str]) -> list[PropertyRow]:
    """Several properties of the account, by creation."""
    return tx.all(_FIND_MANY, account=account_id, ids=property_ids)


def lock(tx: Tx, account_id: str, property_id: str) -> PropertyRow | None:
    """The account's property with this id, kept from other writers until the end of the transaction (house rule 4)."""
    return tx.one(_LOCK, account=account_id, id=property_id)


def lock_many(tx: Tx, account_id: str, property_ids: list[str]) -> list[PropertyRow]:
    """Several properties of the account, locked in the order of their ids."""
    return tx.all(_LOCK_MANY, account=account_id, ids=property_ids)


def all_of(tx: Tx, account_id: str) -> list[PropertyRow]:
    """Every property of the account, by creation."""
    return tx.all(_ALL, account=account_id)


def page(tx: Tx, account_id: str, *, limit: int, offset: int) -> list[PropertyRow]:
    """One page of the account's properties, by creation."""
    return tx.all(_PAGE, account=account_id, limit=limit, offset=offset)


def add(tx: Tx, row: PropertyRow) -> None:
    """Add a property."""
    tx.run(_ADD, **row._asdict())


def save(tx: Tx, row: PropertyRow) -> None:
    """Write a property anew."""
    tx.run(_SAVE, **row_values(property_, row))


def remove(tx: Tx, account_id: str, property_id: str) -> None:
    """Remove a property, and with it everything that is under it."""
    tx.run(_REMOVE, account=account_id, id=property_id)


def used_codes(tx: Tx, account_id: str, scope: str = "") -> set[str]:
    """The short forms ever given to the account's properties, or to the units of the property `scope`."""
    return set(tx.all(_CODES, account=account_id, scope=scope))


def use_code(tx: Tx, account_id: str, code: str, scope: str = "") -> None:
    """Remember a short form as used, for good."""
    tx.run(_USE_CODE, account=account_id, scope=scope, code=code)
