"""What is written down at an invoice of a payment that its provider tells of, and that is in no ledger."""

from typing import NamedTuple

from prorata.domain.audit_verbs import Verb
from prorata.store import audit
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.invoices import InvoiceRow
from prorata.store.provider_events import EventRow


class _Told(NamedTuple):
    """What a message says of a payment, in cents."""

    provider: str
    message: str
    payment: str
    amount: int
    came_at: str


def note(tx: Tx, row: EventRow, verb: Verb, invoice: InvoiceRow) -> None:
    """Write down at an invoice what a message says of a payment of it."""
    said = _Told(row.provider, row.event_id, row.payment, row.amount, row.at)
    caller = Caller(row.account_id, row.provider)
    audit.record(tx, caller, verb, invoice.id, after=said, property_id=invoice.property_id)
