"""Questions about payments that a provider and a person may both have recorded (docs/adr/0025).

A provider reported the payment, and the ledger has an equal entry made by hand. A person decides if both are the same
money.
"""

from collections.abc import Mapping, Sequence

from prorata.actions.recalculation.month_loader import as_entry
from prorata.domain.groups import grouped
from prorata.domain.invoices.ledger import PAYMENT, REFUND, REVERSAL, counting, given
from prorata.domain.online_payments.provider_reasons import Reason
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.online_payments import provider_events
from prorata.store.online_payments.provider_events import EventRow
from prorata.store.payments import payments
from prorata.store.payments.payments import PaymentRow

_ASKED = {PAYMENT: Reason.PAID_TWICE, REFUND: Reason.REFUNDED_TWICE}


def by_hand(tx: Tx, account_id: str, invoice_id: str, kind: str, amount: int) -> list[PaymentRow]:
    """List an invoice's entries of this kind and amount made by hand, oldest first.

    Reversed entries are left out.
    """
    return _by_hand(payments.of_invoices(tx, account_id, [invoice_id]), kind, amount)


def counts(tx: Tx, row: PaymentRow) -> bool:
    """True if a ledger entry is not reversed."""
    return all(payment.reverses != row.id for payment in payments.of_invoices(tx, row.account_id, [row.invoice_id]))


def asked_of(tx: Tx, kind: str, amount: int, invoice: InvoiceRow) -> Reason | None:
    """Return the question about a provider's new ledger entry, if it may be a duplicate.

    The entry has just been made, with this `kind` and `amount` in cents; `invoice` already includes it.
    """
    if kind == PAYMENT and invoice.paid_by_status > 0:
        return Reason.MARKED_AS_PAID
    return _of_by_hand(_ledger(tx, invoice), kind, amount, invoice)


def asked_next(tx: Tx, row: EventRow, kind: str, *, is_same: bool) -> Reason | None:
    """Return the next question about a provider's payment after a person's answer, if any.

    The first question is about the amount with which the invoice was marked as paid, and the next about an equal
    entry made by hand. If that entry was the same payment (`is_same`), the next question is about another such entry.
    """
    if row.invoice_id is None or kind != PAYMENT or (row.why != Reason.MARKED_AS_PAID and not is_same):
        return None
    invoice = invoices.find(tx, row.account_id, row.invoice_id)
    return _of_by_hand(_ledger(tx, invoice), kind, row.amount, invoice) if invoice else None


def _ledger(tx: Tx, invoice: InvoiceRow) -> list[PaymentRow]:
    return payments.of_invoices(tx, invoice.account_id, [invoice.id])


def _of_by_hand(ledger: Sequence[PaymentRow], kind: str, amount: int, invoice: InvoiceRow) -> Reason | None:
    """Return the question to ask if the ledger has an equal entry made by hand.

    The question about a payment is asked only if the invoice has received too much. Return None if there is no
    question to ask.
    """
    if kind == PAYMENT and not _is_too_much(invoice, ledger):
        return None
    return _ASKED[kind] if _by_hand(ledger, kind, amount) else None


def ask(
    tx: Tx, new: Sequence[PaymentRow], known: Sequence[PaymentRow], by_id: Mapping[str, InvoiceRow]
) -> None:  # fmt: skip
    """Ask if an entry just made by hand repeats a provider's payment or refund.

    `known` are the invoices' current ledger entries. Only entries with the same amount can be duplicates.
    """
    of_invoice = grouped((row.invoice_id, row) for row in known)
    for row in new:
        if not _is_by_hand(row) or (
            row.kind == PAYMENT and not _is_too_much(by_id[row.invoice_id], of_invoice[row.invoice_id])
        ):
            continue
        its = [payment for payment in of_invoice[row.invoice_id] if payment.provider]
        alike = _alike(of_invoice[row.invoice_id], row.kind, row.amount)
        told = [payment for payment in alike if payment.provider]
        if row.kind == REFUND:
            provider_events.ask_of_refunds(tx, its, told, Reason.REFUNDED_TWICE)
        elif row.kind == PAYMENT:
            provider_events.ask_of_payments(tx, told, Reason.PAID_TWICE)


def settle(tx: Tx, changed: Sequence[tuple[InvoiceRow, InvoiceRow]], new: Sequence[PaymentRow] = ()) -> None:
    """Withdraw or replace the questions that changes to invoices have answered.

    `changed` contains each invoice before and after a change. The change either drops the amount with which the
    invoice was marked as paid, or enters reversals, which are among the `new` entries.
    """
    reversed_in = {row.invoice_id for row in new if row.kind == REVERSAL}
    touched = {
        after.id: after
        for was, after in changed
        if was.paid_by_status > 0 >= after.paid_by_status or after.id in reversed_in
    }
    if not touched:
        return
    account_id = changed[0][1].account_id
    asked = provider_events.asked_of_counted(tx, account_id, list(touched))
    rows = payments.of_invoices(tx, account_id, sorted({str(event.invoice_id) for event in asked}))
    of_invoice = grouped((row.invoice_id, row) for row in rows)
    for event in asked:
        invoice = touched[str(event.invoice_id)]
        still = _still_asked(event, of_invoice[invoice.id], invoice)
        if still != event.why:
            provider_events.ask_instead(tx, event, still)


def _still_asked(asked: EventRow, ledger: Sequence[PaymentRow], invoice: InvoiceRow) -> Reason | None:
    """Return the question that remains about a provider's ledger entry; None if settled."""
    own = next((row for row in ledger if row.source == asked.of_entry), None)
    if own is None or own not in _alike(ledger, own.kind, own.amount):
        return None
    if asked.why == Reason.MARKED_AS_PAID and invoice.paid_by_status > 0:
        return Reason.MARKED_AS_PAID
    return _of_by_hand(ledger, own.kind, own.amount, invoice)


def _alike(rows: Sequence[PaymentRow], kind: str, amount: int) -> list[PaymentRow]:
    """List the unreversed ledger entries of a given kind and amount, in cents."""
    still = {entry.id for entry in counting([as_entry(row) for row in rows])}
    return [row for row in rows if row.id in still and (row.kind, row.amount) == (kind, amount)]


def _by_hand(rows: Sequence[PaymentRow], kind: str, amount: int) -> list[PaymentRow]:
    return [row for row in _alike(rows, kind, amount) if _is_by_hand(row)]


def _is_by_hand(row: PaymentRow) -> bool:
    return row.provider is None and row.source is None


def _is_too_much(invoice: InvoiceRow, ledger: Sequence[PaymentRow]) -> bool:
    """True if an invoice received more than its total, counting carried credit.

    A payment link asks only for the balance, so money that exceeds the total was probably recorded twice.
    """
    return invoice.paid_amount + given([as_entry(row) for row in ledger]) > invoice.total
