"""Payments by the demo's tenants, in all common ways.

Most tenants pay by transfer with the invoice's number, and some by check or in cash. One pays in two parts, one once
pays twice by mistake, and one once pays too much, which lowers the next invoice.
"""

from collections.abc import Collection, Sequence
from datetime import date

from prorata.actions.payments.payments import Received
from prorata.domain.invoices.ledger import CASH, CHEQUE, REFUND, TRANSFER
from prorata.store.invoices.invoices import InvoiceSummary

_METHODS = {"1B": CHEQUE, "Shop": CHEQUE, "Attic": CASH, "Cottage 3": CASH}
IN_PARTS = "5B"
"""The unit whose tenant pays half on time and half when the invoice is overdue."""


def payments_of(
    invoices: Sequence[InvoiceSummary], labels: Collection[str], day: date, too_much: tuple[str, int] = ("", 0)
) -> list[tuple[str, Received]]:
    """List payments that settle invoices' open balances, all made on the same `day`.

    Only invoices of the units in `labels` are paid. `too_much` contains the unit that pays more, and the excess in
    cents.
    """
    label, more = too_much
    return [
        (
            invoice.id,
            _received(invoice, invoice.total - invoice.paid_amount + (more if invoice.unit_label == label else 0), day),
        )
        for invoice in invoices
        if invoice.unit_label in labels and invoice.total > invoice.paid_amount
    ]


def first_parts(invoices: Sequence[InvoiceSummary], day: date) -> list[tuple[str, Received]]:
    """List the first payments of tenants who pay in parts: half of each invoice."""
    return [
        (invoice.id, _received(invoice, invoice.total // 2, day, note="Half now, the rest at the end of the month"))
        for invoice in invoices
        if invoice.unit_label == IN_PARTS
    ]


def paid_again(invoice: InvoiceSummary, day: date) -> tuple[str, Received]:
    """Build a second payment of an invoice, by a standing order that the tenant forgot."""
    return invoice.id, _received(invoice, invoice.total, day, note="Standing order, second time")


def given_back(invoice: InvoiceSummary, day: date) -> tuple[str, Received]:
    """Build the refund of the amount by which an invoice was overpaid."""
    refund = _received(invoice, invoice.paid_amount - invoice.total, day, note="Paid twice")
    return invoice.id, refund._replace(kind=REFUND)


def _received(invoice: InvoiceSummary, cents: int, day: date, note: str | None = None) -> Received:
    method = _METHODS.get(invoice.unit_label, TRANSFER)
    reference = invoice.number if method == TRANSFER else None
    return Received(cents, day, method, note=note, reference=reference)
