"""The credits carried between an invoice and others, for printing the invoice."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from prorata.domain.groups import grouped
from prorata.domain.invoices.ledger import CARRY
from prorata.domain.printing.printed_invoices import CarriedCredit
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.payments import payments
from prorata.store.payments.payments import PaymentRow


def of_rows(tx: Tx, account_id: str, rows: Sequence[InvoiceRow]) -> dict[str, tuple[CarriedCredit, ...]]:
    """Map invoices to the credits that they gave or took, summed by other invoice.

    Credits taken are positive, credits given are negative. Reversed carries are left out.
    """
    ids = [row.id for row in rows if row.entries]
    entries = payments.of_invoices(tx, account_id, ids) if ids else []
    void = {one.reverses for one in entries}
    counting = (one for one in entries if one.kind == CARRY and one.id not in void)
    by_invoice = grouped((one.invoice_id, one) for one in counting)
    return {invoice_id: tuple(_by_other_invoice(its)) for invoice_id, its in by_invoice.items()}


def _by_other_invoice(entries: Iterable[PaymentRow]) -> Iterator[CarriedCredit]:
    for number, its in grouped((one.reference or "", one) for one in entries).items():
        last = max(one.day for one in its)
        yield CarriedCredit(number, sum(one.amount for one in its), date.fromisoformat(last))
