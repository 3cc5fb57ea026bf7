"""The account's inbox address, for display on several pages."""

from prorata.actions.inbound_mail import inbox_addresses
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.pages import Outside


def address_of(tx: Tx, caller: Caller, outside: Outside) -> str | None:
    """Return the account's inbox address, or None if the installation receives no mail."""
    if outside.inbox_address is None:
        return None
    return outside.inbox_address(inbox_addresses.find(tx, caller).token)
