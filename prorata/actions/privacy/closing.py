"""Deletion of an account with all of its records."""

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.online_payments import providers as payment_providers
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.ports import Archive, Erased
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.privacy import whole_accounts


def close(tx: Tx, caller: Caller, archive: Archive, *, name: str) -> None:
    """Delete an account for good, including its files outside the database.

    Raises `InvalidRequest` if `name` is not the account's name, and `Conflict` while online payment is on, because
    links would stay open at the provider.
    """
    if " ".join(name.split()).casefold() != " ".join(account_actions.the_account(tx, caller).name.split()).casefold():
        raise InvalidRequest.because(
            [Problem("name", say("This is not the account’s name. Enter it exactly as shown."))]
        )
    provider = payment_providers.find(tx, caller)
    if provider is not None and (provider.takes_payments or provider.former_key):
        raise Conflict(say("Stop online payments first, so that payment links are closed at the provider."))
    accounts.lock(tx, caller.account_id)
    files = whole_accounts.kept_files(tx, caller.account_id)
    _remove(tx, caller.account_id)
    archive.erased(Erased(caller.account_id, ""), files)


def close_again(tx: Tx, account_id: str) -> bool:
    """Delete again an account that a restored backup brought back; return True if it existed."""
    if accounts.find(tx, account_id) is None:
        return False
    _remove(tx, account_id)
    return True


def _remove(tx: Tx, account_id: str) -> None:
    whole_accounts.remove(tx, account_id)
    accounts.note_deleted(tx)
