"""Audit log events, and bank statements to search, for the export of a tenant's data."""

from typing import NamedTuple

from sqlalchemy import bindparam, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, is_one_of, returns, returns_one
from prorata.store.schema.payment_tables import payment_file
from prorata.store.schema.tables import event


class EntryRow(NamedTuple):
    """An event of the audit log; `before` and `after` are the record's states as JSON."""

    id: str
    at: str
    actor: str
    verb: str
    record_id: str
    before: str | None
    after: str | None


_ENTRIES = returns(
    EntryRow,
    select(*columns_for(EntryRow, event))
    .where(event.c.account_id == bindparam("account"), is_one_of(event.c.id, "ids"))
    .order_by(event.c.id),
)
_BANK_FILES = returns_one(
    select(payment_file.c.id).where(payment_file.c.account_id == bindparam("account")).order_by(payment_file.c.id)
)


def entries(tx: Tx, account_id: str, event_ids: list[str]) -> list[EntryRow]:
    """List the audit log's events with these ids, in id order."""
    return tx.all(_ENTRIES, account=account_id, ids=event_ids) if event_ids else []


def bank_files(tx: Tx, account_id: str) -> list[str]:
    """List the ids of the account's bank statements."""
    return tx.all(_BANK_FILES, account=account_id)
