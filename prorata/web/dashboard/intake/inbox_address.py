"""The account's inbox address, as pages show it."""

from prorata.actions.inbound_mail import inbox_addresses
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.pages import Outside


def address_of(tx: Tx, caller: Caller, outside: Outside) -> str | None:
    """Return the account's inbox address; return None if no mail is received."""
    if outside.inbox_address is None:
        return None
    return outside.inbox_address(inbox_addresses.find(tx, caller).token)
