"""The payment provider of each account, with its keys."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, literal_column, select

from prorata.domain.online_payments.payment_links import SANDBOX
from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, returns, returns_one, row_values, saves
from prorata.store.schema.payment_link_tables import payment_provider


class ProviderRow(NamedTuple):
    """An account's payment provider.

    `sealed_key` is the provider's key, and `key_ends` its last characters. `token` is the secret part of the
    address to which the provider sends messages. The former key is kept while links that were made with it have to
    be closed. `former_secrets` are the secrets for messages about earlier payments, one per line, each followed by
    a space and the time at which it was replaced.
    """

    account_id: str
    provider: str
    sealed_key: str | None
    key_ends: str | None
    sealed_secret: str | None
    token: str
    updated_at: str
    former_key: str | None = None
    former_key_ends: str | None = None
    former_secrets: str | None = None

    @property
    def takes_payments(self) -> bool:
        """True if new payment links can be made for the account's invoices."""
        return self.provider == SANDBOX or self.sealed_key is not None

    @property
    def is_stopping(self) -> bool:
        """True if no more payment links are made, but open ones remain to be closed."""
        return self.sealed_key is None and self.former_key is not None


AT_ONCE = 100
"""The number of accounts that are found at once."""
_its_account = payment_provider.c.account_id == bindparam("account")
_FIND = returns(ProviderRow, select(payment_provider).where(_its_account))
_LOCK = returns(ProviderRow, select(payment_provider).where(_its_account).with_for_update())
_HOLD = returns(ProviderRow, select(payment_provider).where(_its_account).with_for_update(read=True))
_OF_TOKEN = returns(ProviderRow, select(payment_provider).where(payment_provider.c.token == bindparam("token")))
_PLAYED = returns_one(
    select(payment_provider.c.account_id)
    .where(payment_provider.c.provider == literal_column(f"'{SANDBOX}'"))
    .order_by(payment_provider.c.account_id)
    .limit(literal_column(str(AT_ONCE)))
)
_ADD = adds(payment_provider)
_SAVE = saves(payment_provider)
_REMOVE = changes(delete(payment_provider).where(_its_account))


def find(tx: Tx, account_id: str) -> ProviderRow | None:
    """Find the payment provider of an account."""
    return tx.one(_FIND, account=account_id)


def lock(tx: Tx, account_id: str) -> ProviderRow | None:
    """Find and lock the payment provider of an account."""
    return tx.one(_LOCK, account=account_id)


def hold(tx: Tx, account_id: str) -> ProviderRow | None:
    """Find an account's payment provider, and prevent changes to it during the transaction."""
    return tx.one(_HOLD, account=account_id)


def of_token(tx: Tx, token: str) -> ProviderRow | None:
    """Find the payment provider whose messages are sent to the address with this token.

    The provider may be of any account.
    """
    return tx.one(_OF_TOKEN, token=token)


def played(tx: Tx) -> list[str]:
    """List the first `AT_ONCE` accounts whose payment provider is the sandbox.

    This is for the worker only, when it starts.
    """
    return tx.all(_PLAYED)


def add(tx: Tx, row: ProviderRow) -> None:
    """Add an account's payment provider."""
    tx.run(_ADD, **row._asdict())


def save(tx: Tx, row: ProviderRow) -> None:
    """Save an account's payment provider."""
    tx.run(_SAVE, **row_values(payment_provider, row))


def remove(tx: Tx, account_id: str) -> None:
    """Delete an account's payment provider and the keys for it."""
    tx.run(_REMOVE, account=account_id)
