"""Online payments that are under way, such as direct debits, which take banks some days."""

from collections.abc import Sequence

from prorata.actions.accounts import access
from prorata.actions.limits import LONGEST_PAYMENT_UNDER_WAY
from prorata.actions.online_payments import payment_links, provider_notes
from prorata.domain.audit.verbs import Verb
from prorata.domain.online_payments.payment_links import FAILED, PAID, PASSED_OVER
from prorata.store.database.engine import Tx, timestamp
from prorata.store.online_payments import payment_links as stored_links, provider_events
from prorata.store.online_payments.provider_events import EventRow


def follow(tx: Tx, row: EventRow) -> EventRow:
    """Keep a pending payment's message until a later one reports success or failure.

    The payment is audited once, with the invoice. The message is ignored if its payment link belongs to a former
    tenant of the invoice.
    """
    told = [
        provider_events.of_happening(tx, row.account_id, row.provider, row.payment, happening)
        for happening in (PAID, FAILED)
    ]
    link = stored_links.of_provider(tx, row.account_id, row.provider, row.link) if row.link else None
    passed_over = row._replace(state=PASSED_OVER)
    if any(told) or link is None:
        return passed_over
    invoice = access.locked_invoice(tx, row.account_id, link.invoice_id)
    if invoice is None or not payment_links.is_of_its_person(link, invoice):
        return passed_over
    if row.invoice_id is None:
        provider_notes.note(tx, row, Verb.NOTE_PAYMENT_UNDER_WAY, invoice)
    return row._replace(invoice_id=invoice.id)


def of_invoices(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[EventRow]:
    """List the pending payments of these invoices, oldest first."""
    return provider_events.under_way(tx, account_id, invoice_ids, timestamp(tx.moment - LONGEST_PAYMENT_UNDER_WAY))
