"""Payments that failed online: nothing came, and the invoice says so."""

from typing import NamedTuple

from prorata.actions import access
from prorata.actions.facts import standing_of
from prorata.domain.lifecycle import fail
from prorata.store import audit, invoices, outgoing
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.provider_events import EventRow


class _Failed(NamedTuple):
    """What is written down of a payment that failed, in cents."""

    provider: str
    message: str
    payment: str
    amount: int
    came_at: str


def note(tx: Tx, row: EventRow, invoice_id: str) -> None:
    """Write down at an invoice that a payment of it has failed, as a message says. One that waits for money reads so
    until its ledger changes or it has another status.
    """
    invoice = access.locked_invoice(tx, row.account_id, invoice_id)
    if invoice is None:
        return
    caller, failed = Caller(row.account_id, row.provider), fail(standing_of(invoice)).payment_status
    if failed != invoice.payment_status:
        after = invoice._replace(payment_status=failed, updated_at=tx.now)
        invoices.save_standing(tx, [after])
        outgoing.note_updated(tx, [after])
    noted = _Failed(row.provider, row.event_id, row.payment, row.amount, row.at)
    audit.record(tx, caller, "note failed payment", invoice.id, after=noted, property_id=invoice.property_id)
