"""Whether money that a provider tells of is what somebody has entered by hand or noted: that two are one is asked, and
never guessed (docs/adr/0025).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from prorata.actions.facts import as_entry
from prorata.domain.ledger import PAYMENT, REFUND, counting
from prorata.domain.payment_links import BOTH_COUNT, PAID_TWICE, REFUNDED_TWICE
from prorata.store import payments, provider_events
from prorata.store.engine import Tx
from prorata.store.invoices import InvoiceRow
from prorata.store.payments import PaymentRow

_ASKED = {PAYMENT: PAID_TWICE, REFUND: REFUNDED_TWICE}


def by_hand(tx: Tx, account_id: str, invoice_id: str, kind: str, amount: int) -> list[PaymentRow]:
    """The entries of a kind and of so many cents that people made for an invoice, and that count, in the order of their
    making.
    """
    rows = payments.of_invoices(tx, account_id, [invoice_id])
    return [row for row in _alike(rows, kind, amount) if _is_by_hand(row)]


def counts(tx: Tx, row: PaymentRow) -> bool:
    """Whether an entry counts: nobody has taken it back."""
    return all(one.reverses != row.id for one in payments.of_invoices(tx, row.account_id, [row.invoice_id]))


def asked_of(tx: Tx, kind: str, amount: int, invoice: InvoiceRow) -> str | None:
    """What is asked of an entry that a message of a provider has just made for an invoice, which is as it is then."""
    if kind == PAYMENT and invoice.paid_by_status > 0:
        return BOTH_COUNT
    if kind == PAYMENT and not _is_too_much(invoice):
        return None
    return _ASKED[kind] if by_hand(tx, invoice.account_id, invoice.id, kind, amount) else None


def ask(
    tx: Tx, new: Sequence[PaymentRow], known: Sequence[PaymentRow], invoices: Mapping[str, InvoiceRow]
) -> None:  # fmt: skip
    """Ask of a provider's payments and refunds, among the entries that are `known` of these invoices by now, whether
    one is that of the same amount which a person enters now.
    """
    of_invoice = defaultdict(list)
    for row in known:
        of_invoice[row.invoice_id].append(row)
    for row in new:
        if not _is_by_hand(row) or (row.kind == PAYMENT and not _is_too_much(invoices[row.invoice_id])):
            continue
        its = [one for one in of_invoice[row.invoice_id] if one.provider]
        alike = _alike(of_invoice[row.invoice_id], row.kind, row.amount)
        told = [one for one in alike if one.provider]
        if row.kind == REFUND:
            provider_events.ask_of_refunds(tx, its, told, REFUNDED_TWICE)
        elif row.kind == PAYMENT:
            provider_events.ask_of_payments(tx, told, PAID_TWICE)


def settle(tx: Tx, changed: Sequence[tuple[InvoiceRow, InvoiceRow]]) -> None:
    """Ask no more about what marking invoices as paid had noted, each given before and after a change, where nothing is
    noted any longer.
    """
    gone = [after for was, after in changed if was.paid_by_status > 0 >= after.paid_by_status]
    if gone:
        provider_events.ask_no_more(tx, gone[0].account_id, [one.id for one in gone], BOTH_COUNT)


def _alike(rows: Sequence[PaymentRow], kind: str, amount: int) -> list[PaymentRow]:
    """The entries of a kind and an amount that count."""
    still = {one.id for one in counting([as_entry(row) for row in rows])}
    return [row for row in rows if row.id in still and (row.kind, row.amount) == (kind, amount)]


def _is_by_hand(row: PaymentRow) -> bool:
    return row.provider is None and row.source is None


def _is_too_much(invoice: InvoiceRow) -> bool:
    """Whether more came than an invoice asks for: a link asks for the balance, so what is counted twice is too much."""
    return invoice.paid_amount > invoice.total
