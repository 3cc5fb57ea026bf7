"""The warning before sending invoices if they don't tell tenants how to pay."""

from prorata.domain.accounts.pay_to import PayTo, pay_to_of
from prorata.domain.texts import say
from prorata.store.accounts.accounts import AccountRow
from prorata.store.database.engine import Tx
from prorata.store.online_payments import providers
from prorata.store.properties import properties

_NOT_TOLD = say("Your tenants aren’t told how to pay yet. An owner can set this under Settings, How tenants pay you.")


def warning(tx: Tx, account: AccountRow) -> str:
    """Return the warning that invoices don't say how to pay, or an empty text."""
    return "" if is_told(tx, account) else _NOT_TOLD


def is_told(tx: Tx, account: AccountRow) -> bool:
    """True if the account or a property states how to pay, or tenants pay online."""
    if pay_to_of(account) != PayTo():
        return True
    provider = providers.find(tx, account.id)
    return (provider is not None and provider.takes_payments) or properties.is_paid_its_own_way(tx, account.id)
