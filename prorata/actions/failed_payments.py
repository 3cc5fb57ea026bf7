"""Payments that failed online: nothing came, and the invoice says so."""

from prorata.actions import access, told_payments
from prorata.actions.facts import standing_of
from prorata.domain.audit_verbs import Verb
from prorata.domain.lifecycle import fail
from prorata.store import invoices, outgoing
from prorata.store.engine import Tx
from prorata.store.provider_events import EventRow


def note(tx: Tx, row: EventRow, invoice_id: str) -> None:
    """Write down at an invoice that a payment of it has failed, as a message says. One that waits for money reads so
    until its ledger changes or it has another status.
    """
    invoice = access.locked_invoice(tx, row.account_id, invoice_id)
    if invoice is None:
        return
    failed = fail(standing_of(invoice)).payment_status
    if failed != invoice.payment_status:
        after = invoice._replace(payment_status=failed, updated_at=tx.now)
        invoices.save_standing(tx, [after])
        outgoing.note_updated(tx, [after])
    told_payments.note(tx, row, Verb.NOTE_FAILED_PAYMENT, invoice)
