"""The checks of `prorata check` on sent invoices that were taken back or replaced."""

from collections.abc import Iterator, Sequence

from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CLOSING
from prorata.domain.money import in_figures
from prorata.domain.printing.replaced_invoices import from_json
from prorata.store.database.engine import Tx
from prorata.store.invoices import earlier_invoices
from prorata.store.invoices.earlier_invoices import EarlierRow
from prorata.store.invoices.invoices import InvoiceRow


def of_earlier_invoices(tx: Tx, account_id: str, invoices: Sequence[InvoiceRow]) -> Iterator[str]:
    """Yield a sentence for each invoice whose stored earlier content is missing or wrong.

    The earlier content is the content that was sent before the invoice was taken back.
    """
    rows = earlier_invoices.of_invoices(tx, account_id, [invoice_row.id for invoice_row in invoices])
    kept = grouped((row.invoice_id, row) for row in rows)
    for invoice in invoices:
        yield from _of_invoice(invoice, {row.number: row for row in kept[invoice.id]})


def _of_invoice(invoice: InvoiceRow, kept: dict[str, EarlierRow]) -> Iterator[str]:
    named = f"Invoice {invoice.id}"
    before = kept.get(invoice.replaces_number or "")
    if (invoice.revision > 0) != (before is not None) or invoice.revision < 0:
        yield (
            f"{named} says that it replaces {invoice.replaces_number or 'nothing'}, which differs from its stored "
            "earlier invoices."
        )
    if len(kept.keys() - {invoice.number}) != invoice.revision:
        yield f"{named} was replaced {invoice.revision} times, but is not stored under as many numbers."
    if kept and not invoice.issued:
        yield f"{named} was never sent, but an earlier sent invoice is stored for it."
    for row in kept.values():
        whole = sum(charge.amount for charge in from_json(row.charges))
        if row.total != whole or row.status not in CLOSING:
            yield (
                f"{named}: what was sent as {row.number} came to {in_figures(row.total)}, or some of its charges "
                "are wrong."
            )
