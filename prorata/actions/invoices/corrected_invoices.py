"""The later invoices that carry the corrections of an invoice's month to its tenant."""

from collections.abc import Iterable
from typing import NamedTuple

from prorata.domain.invoice_states import CLOSING, DRAFT
from prorata.domain.labels import same
from prorata.store.database.engine import Tx
from prorata.store.invoices import corrected_invoices, invoices
from prorata.store.invoices.departures import not_left
from prorata.store.invoices.invoices import InvoiceRow


class CorrectedOn(NamedTuple):
    """An invoice that corrects an earlier month, with the corrections' sum in cents.

    `went_to_same` is set if both months' invoices went to the same e-mail address, or neither was e-mailed.
    """

    invoice: InvoiceRow
    amount: int
    went_to_same: bool


def corrected_on(tx: Tx, row: InvoiceRow, statuses: Iterable[str] = CLOSING) -> list[CorrectedOn]:
    """List the later invoices that correct a sent invoice's month for its tenant.

    Only invoices in `statuses` count. The earliest comes first.
    """
    amounts = corrected_invoices.corrected_on(tx, row, statuses) if row.status in CLOSING and row.tenant_id else {}
    carriers = invoices.find_many(tx, row.account_id, sorted(amounts)) if amounts else []
    return [
        CorrectedOn(carrier, amounts[carrier.id], same(carrier.tenant_email or "") == same(row.tenant_email or ""))
        for carrier in sorted(carriers, key=lambda carrier: (carrier.month, carrier.number_key, carrier.id))
    ]


def seen_by_tenant(tx: Tx, row: InvoiceRow) -> tuple[list[CorrectedOn], int]:
    """List later invoices that correct an invoice's month and that its tenant has received.

    The second result is the sum, in cents, of the corrections that are still to come: those on drafts, and on
    invoices that have not left yet.
    """
    found = corrected_on(tx, row)
    coming = not_left(tx, row.account_id, [one.invoice.id for one in found])
    to_come = sum(one.amount for one in found if one.invoice.id in coming) + _on_drafts(tx, row)
    return [one for one in found if one.invoice.id not in coming], to_come


def _on_drafts(tx: Tx, row: InvoiceRow) -> int:
    return sum(corrected_invoices.corrected_on(tx, row, [DRAFT]).values()) if row.tenant_id else 0
