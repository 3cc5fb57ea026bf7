"""Payments that failed online: nothing came, and the invoice says so."""

from prorata.actions import access, invoice_standing, told_payments
from prorata.actions.facts import standing_of
from prorata.actions.invoice_standing import Change
from prorata.domain.audit_verbs import Verb
from prorata.domain.lifecycle import fail
from prorata.store.audit import Caller
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
        change = Change(invoice, invoice._replace(payment_status=failed))
        invoice_standing.write(tx, Caller(row.account_id, row.provider), [change])
    told_payments.note(tx, row, Verb.NOTE_FAILED_PAYMENT, invoice)
