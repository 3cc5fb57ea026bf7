"""The names that other programs use for an account's records and for utilities.

The records are properties, units and tenants.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, is_one_of, puts, returns
from prorata.store.schema.charge_tables import charge_name


class NameRow(NamedTuple):
    """A name that another program (`system`) uses for a record or a utility.

    `field` is the kind of the named thing, such as a unit. `property_id` is the record's property, if any.
    """

    account_id: str
    system: str
    field: str
    record_id: str
    property_id: str | None
    name: str
    updated_at: str


_mine = charge_name.c.account_id == bindparam("account")
_of_system = charge_name.c.system == bindparam("of_system")
_OF_RECORDS = returns(
    NameRow,
    select(charge_name).where(
        _mine, _of_system, is_one_of(charge_name.c.field, "fields"), is_one_of(charge_name.c.record_id, "records")
    ),
)
_OF_PROPERTY = returns(
    NameRow,
    select(charge_name)
    .where(_mine, charge_name.c.property_id == bindparam("property"))
    .order_by(charge_name.c.system, charge_name.c.field, charge_name.c.record_id),
)
_PUT = puts(charge_name)
_REMOVE = changes(
    delete(charge_name).where(
        _mine,
        _of_system,
        charge_name.c.field == bindparam("of_field"),
        charge_name.c.record_id == bindparam("record"),
    )
)


def of_records(tx: Tx, account_id: str, system: str, fields: Sequence[str], record_ids: Sequence[str]) -> list[NameRow]:
    """List the names that a program uses for these records or utilities.

    `fields` are the kinds of names wanted.
    """
    if not fields or not record_ids:
        return []
    named = {"fields": list(fields), "records": list(record_ids)}
    return tx.all(_OF_RECORDS, account=account_id, of_system=system, **named)


def of_property(tx: Tx, account_id: str, property_id: str) -> list[NameRow]:
    """List the names that any program uses for a property and its records."""
    return tx.all(_OF_PROPERTY, account=account_id, property=property_id)


def put_many(tx: Tx, rows: Sequence[NameRow]) -> None:
    """Save names that another program uses, replacing the earlier ones."""
    tx.run_many(_PUT, [row._asdict() for row in rows])


def remove_many(tx: Tx, account_id: str, system: str, keys: Sequence[tuple[str, str]]) -> None:
    """Delete names that a program uses, each given as (field, record)."""
    named = {"account": account_id, "of_system": system}
    tx.run_many(_REMOVE, [{**named, "of_field": field, "record": record} for field, record in keys])
