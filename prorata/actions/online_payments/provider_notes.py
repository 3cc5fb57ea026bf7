"""Audit notes, kept with invoices, about provider payments that are in no ledger."""

from typing import NamedTuple

from prorata.domain.audit.verbs import Verb
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.online_payments.provider_events import EventRow


class _Told(NamedTuple):
    """The facts about a payment that a message states, in cents."""

    provider: str
    message: str
    payment: str
    amount: int
    came_at: str


def note(tx: Tx, row: EventRow, verb: Verb, invoice: InvoiceRow) -> None:
    """Add an audit note with the facts from a provider's message to the payment's invoice."""
    told = _Told(row.provider, row.event_id, row.payment, row.amount, row.at)
    caller = Caller(row.account_id, row.provider)
    audit.record(tx, caller, verb, invoice.id, after=told, property_id=invoice.property_id)
