"""The address at which an account takes bills by mail, as pages show it."""

from prorata.actions.inbound_mail import inbox_addresses
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.pages import Outside


def address_of(tx: Tx, caller: Caller, outside: Outside) -> str | None:
    """The address at which the account takes bills; None where no mail comes in."""
    if outside.inbox_address is None:
        return None
    return outside.inbox_address(inbox_addresses.find(tx, caller).token)
