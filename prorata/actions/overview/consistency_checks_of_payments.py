"""The checks of `prorata check` on the ledgers of invoices."""

from collections.abc import Iterator, Sequence

from prorata.actions.recalculation.month_loader import as_entry
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CLOSING, PAID
from prorata.domain.invoices.ledger import (
    CARRY,
    KINDS,
    METHODS,
    REVERSAL,
    covered_at,
    money_of,
    received,
)
from prorata.domain.invoices.open_money import OpenMoney
from prorata.domain.limits import LARGEST_AMOUNT
from prorata.domain.money import in_figures
from prorata.store.accounts import open_money
from prorata.store.database.engine import Tx
from prorata.store.invoices import open_money as open_invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.payments import carries, payments
from prorata.store.payments.payments import PaymentRow


def of_ledgers(tx: Tx, account_id: str, invoices: Sequence[InvoiceRow]) -> Iterator[str]:
    """Yield a sentence for each ledger entry that breaks an invariant, and each wrong sum.

    An invoice's stored sums are wrong if they don't match the entries in its ledger.
    """
    entries = payments.of_invoices(tx, account_id, [invoice.id for invoice in invoices])
    rows = grouped((row.invoice_id, row) for row in entries)
    for invoice in invoices:
        yield from _of_sums(invoice, rows[invoice.id])
        yield from _of_entries(rows[invoice.id])


def of_carries(tx: Tx, account_id: str) -> Iterator[str]:
    """Yield a sentence for every carried credit that is unbalanced or not covered.

    A carry, or its reversal, must be two entries that sum to zero, in the ledgers of two invoices of a unit. Unless
    the carry was reversed, both invoices must be sent, and the one that gives the credit must have enough of it.
    """
    for entry_id in carries.unequal(tx, account_id):
        yield f"Carry {entry_id} is not two entries of two invoices of a unit that sum to zero."
    for entry_id in carries.lost(tx, account_id):
        yield (
            f"Carry {entry_id} counts, although one of its invoices is not issued, or the invoice that gives the "
            "credit has too little."
        )


def of_open_money(tx: Tx, account_id: str) -> Iterator[str]:
    """Yield a sentence for each currency in which the account's stored open amounts are wrong."""
    kept = {row.currency: row.money for row in open_money.of_account(tx, account_id)}
    there = {row.currency: row.money for row in open_invoices.computed(tx, account_id)}
    for currency in sorted(kept.keys() | there.keys()):
        counted, right = (of.get(currency, OpenMoney()) for of in (kept, there))
        if counted != right:
            yield f"Account {account_id}: what is open in {currency} is stored as {counted}, but should be {right}."


def _of_sums(invoice: InvoiceRow, rows: Sequence[PaymentRow]) -> Iterator[str]:
    named = f"Invoice {invoice.id}"
    entries = [as_entry(row) for row in rows]
    money, since = received(entries), covered_at(entries, invoice.total)
    if invoice.entries != len(rows):
        yield f"{named} counts {invoice.entries} entries in its ledger, but has {len(rows)}."
    if invoice.paid_amount != money + invoice.paid_by_status:
        yield (
            f"{named}: {in_figures(invoice.paid_amount)} is paid, but its ledger comes to {in_figures(money)}, in "
            f"addition to {in_figures(invoice.paid_by_status)} noted by marking it as PAID."
        )
    if money_of(entries) < _least_money(invoice):
        yield f"{named}: more was refunded than was received."
    if invoice.paid_by_status < 0 < invoice.total:  # with a total of zero it is the money received, as a credit
        yield f"{named}: the amount noted by marking it as PAID is below zero, but its total is above zero."
    is_by_ledger = invoice.paid_by_status == 0 and (invoice.total > 0 or invoice.status != PAID)
    if is_by_ledger and invoice.paid_at != since:
        yield f"{named}: it was paid at {invoice.paid_at or 'no time'}, and by its ledger at {since or 'no time'}."


def _least_money(invoice: InvoiceRow) -> int:
    """Return the lowest amount to which an invoice's ledger may sum, in cents.

    It is 0 for an invoice that was never sent, and negative if a sent invoice's negative total may be refunded. An
    invoice that has changed since it was sent has practically no lower limit.
    """
    if not invoice.issued:
        return 0
    is_as_sent = invoice.status in CLOSING and invoice.replaces_number is None
    return min(invoice.total, 0) if is_as_sent else -LARGEST_AMOUNT


def _of_entries(rows: Sequence[PaymentRow]) -> Iterator[str]:
    by_id = {row.id: row for row in rows}
    seen = set[str]()
    for row in rows:
        named = f"Payment {row.id}"
        was = by_id.get(row.reverses or row.id)
        is_signed = was is not None and was.kind == CARRY
        if row.kind not in KINDS or row.method not in METHODS or (row.amount <= 0 and not is_signed) or not row.amount:
            yield f"{named}: its kind or method is invalid, or its amount is not above zero."
        if (row.kind == REVERSAL) != (row.reverses is not None):
            yield f"{named}: only a reversal may name the entry that it reverses."
        if row.reverses is None:
            continue
        if was is None or was.kind == REVERSAL or was.amount != row.amount or row.reverses in seen:
            yield (
                f"{named} reverses something that is not an entry of its invoice, has a different amount, or was "
                "already reversed."
            )
        seen.add(row.reverses)
