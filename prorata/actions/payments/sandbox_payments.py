"""Test payments on the page of the sandbox, the built-in imitation of a payment provider.

Test payments are entered in the ledger like a real provider's (`provider_events`).
"""

from typing import NamedTuple

from prorata.actions.payments import provider_events
from prorata.domain.online_payments.payment_links import FAILED, LIVE, PAID, REFUNDED, SANDBOX, Happening, ProviderEvent
from prorata.domain.texts import say
from prorata.errors import Conflict, NotFound
from prorata.ids import is_id
from prorata.store.accounts import accounts
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.online_payments import (
    payment_links,
    provider_events as stored_events,
    providers as payment_providers,
)
from prorata.store.online_payments.payment_links import LinkRow


class Trial(NamedTuple):
    """A payment link of the sandbox, with the details that its page shows.

    `is_paid` and `is_refunded` are set if a person has tried a payment or a refund; `biller` and `number` identify
    the invoice.
    """

    link: LinkRow
    biller: str
    locale: str
    number: str
    is_paid: bool
    is_refunded: bool

    @property
    def may_be_paid(self) -> bool:
        """True if the link is open and has not been paid."""
        return self.link.state == LIVE and not self.is_paid


def find(tx: Tx, account_id: str, link_id: str) -> Trial:
    """Find a payment link of the sandbox.

    Raises `NotFound` if there is no such link.
    """
    row = payment_links.find(tx, account_id, link_id) if is_id(account_id, "acct") and is_id(link_id, "plink") else None
    account = accounts.find(tx, account_id) if row else None
    provider = payment_providers.find(tx, account_id) if row else None
    if row is None or account is None or provider is None or not row.provider == provider.provider == SANDBOX:
        raise NotFound("page")
    invoice = invoices.find(tx, account_id, row.invoice_id)
    return Trial(
        row,
        account.name,
        account.locale,
        invoice.number if invoice else "",
        _was_played(tx, row, PAID),
        _was_played(tx, row, REFUNDED),
    )


def play(tx: Tx, account_id: str, link_id: str, happening: Happening) -> Trial:
    """Act as a provider that reports a link's payment as paid, failed or refunded.

    Raises `NotFound` if there is no such link, and `Conflict` if the link can't be paid any more, or there is nothing
    to refund.
    """
    trial = find(tx, account_id, link_id)
    if happening in (PAID, FAILED) and not trial.may_be_paid:
        raise Conflict(say("This link can no longer be used to pay."))
    if happening == REFUNDED and (not trial.is_paid or trial.is_refunded):
        raise Conflict(say("There is nothing to refund."))
    row = trial.link
    once = f"{row.id} {happening}" if happening != FAILED else f"{row.id} {happening} {tx.now}"
    reference = f"refund of {row.id}" if happening == REFUNDED else None
    event = ProviderEvent(once, happening, row.id, row.amount, row.currency, tx.now, row.provider_id, reference)
    provider_events.take(tx, account_id, SANDBOX, event)
    return find(tx, account_id, link_id)


def _was_played(tx: Tx, row: LinkRow, happening: str) -> bool:
    return stored_events.find(tx, row.account_id, SANDBOX, f"{row.id} {happening}") is not None
