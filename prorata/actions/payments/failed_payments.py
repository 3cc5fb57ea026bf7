"""Recording of failed online payments, so that invoices show the failure."""

from prorata.actions.accounts import access
from prorata.actions.invoices import standing as invoice_standing
from prorata.actions.invoices.standing import Change
from prorata.actions.online_payments import provider_notes
from prorata.actions.recalculation.month_loader import standing_of
from prorata.domain.audit.verbs import Verb
from prorata.domain.invoice_states import fail
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.online_payments.provider_events import EventRow


def note(tx: Tx, row: EventRow, invoice_id: str) -> None:
    """Record that a provider's message reports a failed payment of an invoice.

    An unpaid invoice shows the failure until its ledger or status changes.
    """
    invoice = access.locked_invoice(tx, row.account_id, invoice_id)
    if invoice is None:
        return
    failed = fail(standing_of(invoice)).payment_status
    if failed != invoice.payment_status:
        change = Change(invoice, invoice._replace(payment_status=failed))
        invoice_standing.write(tx, Caller(row.account_id, row.provider), [change])
    provider_notes.note(tx, row, Verb.NOTE_FAILED_PAYMENT, invoice)
