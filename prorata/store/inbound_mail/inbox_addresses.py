"""The e-mail addresses to which accounts' bills are sent, and their allowed senders."""

from typing import NamedTuple

from sqlalchemy import bindparam, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, returns, row_values, saves
from prorata.store.schema.incoming_mail_tables import inbox_address


class InboxAddressRow(NamedTuple):
    """The address to which an account's bills are e-mailed, with its settings.

    `token` is the part of the address that identifies the account. `allowed` contains the allowed senders,
    separated by spaces. Processed messages are kept for `keep_days` days; 0 means forever. If `counts_known` is
    set, a document that resembles earlier bills becomes a bill without a person's confirmation.
    """

    account_id: str
    token: str
    allowed: str
    updated_at: str
    keep_days: int
    counts_known: bool


_FIND = returns(InboxAddressRow, select(inbox_address).where(inbox_address.c.account_id == bindparam("account")))
_LOCK = returns(
    InboxAddressRow,
    select(inbox_address).where(inbox_address.c.account_id == bindparam("account")).with_for_update(),
)
_OF_TOKEN = returns(InboxAddressRow, select(inbox_address).where(inbox_address.c.token == bindparam("token")))
_ADD = adds(inbox_address)
_SAVE = saves(inbox_address)


def find(tx: Tx, account_id: str) -> InboxAddressRow | None:
    """Find the address to which an account's bills are e-mailed."""
    return tx.one(_FIND, account=account_id)


def lock(tx: Tx, account_id: str) -> InboxAddressRow | None:
    """Find and lock the address to which an account's bills are e-mailed."""
    return tx.one(_LOCK, account=account_id)


def of_token(tx: Tx, token: str) -> InboxAddressRow | None:
    """Find the address with this token, which may be of any account."""
    return tx.one(_OF_TOKEN, token=token)


def add(tx: Tx, row: InboxAddressRow) -> None:
    """Add the address to which an account's bills are e-mailed."""
    tx.run(_ADD, **row._asdict())


def save(tx: Tx, row: InboxAddressRow) -> None:
    """Save the settings of an account's address for e-mailed bills."""
    tx.run(_SAVE, **row_values(inbox_address, row))
