"""Audit notes about provider payments that no ledger contains, kept with their invoices."""

from typing import NamedTuple

from prorata.domain.audit.verbs import Verb
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.online_payments.provider_events import EventRow


class _Told(NamedTuple):
    """The facts that a provider's message states about a payment; `amount` is in cents."""

    provider: str
    message: str
    payment: str
    amount: int
    came_at: str


def note(tx: Tx, row: EventRow, verb: Verb, invoice: InvoiceRow) -> None:
    """Audit the facts in a provider's message, with the invoice that the payment is for."""
    told = _Told(row.provider, row.event_id, row.payment, row.amount, row.at)
    caller = Caller(row.account_id, row.provider)
    audit.record(tx, caller, verb, invoice.id, after=told, property_id=invoice.property_id)
