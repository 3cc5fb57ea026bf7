"""A person's decision on whether a provider's payment repeats another one.

The other payment is a ledger entry made by hand, or the amount with which an invoice was marked as paid. If the
payment repeats it, only one counts; otherwise, both stay. The audit log states who decided.
"""

from typing import Final, NamedTuple

from prorata.actions.accounts import access
from prorata.actions.online_payments import duplicate_payments
from prorata.actions.payments import payments
from prorata.actions.payments.payments import TakenBack
from prorata.domain.audit.verbs import Verb
from prorata.domain.invoices.ledger import PAYMENT, REFUND
from prorata.domain.online_payments.provider_reasons import Reason, Why
from prorata.domain.texts import say
from prorata.errors import Conflict, NotFound
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.online_payments.provider_events import EventRow
from prorata.store.payments import payments as stored_payments
from prorata.store.payments.payments import PaymentRow

_MARKED: Final = "what marking it as paid had noted"
_BY_HAND: Final = {PAYMENT: "the payment that was entered by hand", REFUND: "the refund that was entered by hand"}
_NO_LONGER_BOTH: Final = say(
    "One of the two entries no longer counts, so nothing is counted twice. Check the ledger again."
)


class _Answer(NamedTuple):
    """The audit note of a person's decision about a provider's message.

    It contains the message's ledger entry and the duplicate, which is None if both count as separate money.
    """

    provider: str
    message: str
    happening: str
    payment: str
    amount: int
    came_at: str
    entry_id: str | None
    same_as: str | None = None
    same_as_id: str | None = None


def take(tx: Tx, caller: Caller, row: EventRow, invoice_id: str, *, is_same: bool) -> EventRow:
    """Apply a person's decision on whether a provider's message repeats a ledger entry.

    `is_same` is set if both are the same payment or refund. The returned row of the message may ask the person a
    further question. With `is_same`, raises `NotFound` if the invoice or the message's own ledger entry is gone, and
    `Conflict` if one of the two entries was reversed.
    """
    invoice = access.locked_invoice(tx, caller.account_id, invoice_id)
    entries = stored_payments.by_sources(tx, row.account_id, [row.of_entry])
    entry = entries[0] if entries else None
    entry_id = entry.id if entry else None
    answer = _Answer(row.provider, row.event_id, row.happening, row.payment, row.amount, row.at, entry_id)
    if is_same:
        if invoice is None or entry is None:
            raise NotFound("message")
        answer = _count_once(tx, caller, row, invoice, entry, answer)
    audit.record(
        tx, caller, Verb.CALL_PAYMENT_THE_SAME if is_same else Verb.CALL_PAYMENT_ANOTHER, invoice_id, after=answer,
        property_id=invoice.property_id if invoice else None,
    )  # fmt: skip
    asked = duplicate_payments.asked_next(tx, row, entry.kind, is_same=is_same) if entry else None
    return row.because(Why(asked) if asked else None)


def _count_once(
    tx: Tx, caller: Caller, row: EventRow, invoice: InvoiceRow, entry: PaymentRow, answer: _Answer
) -> _Answer:  # fmt: skip
    """Make a provider's ledger entry and its duplicate count only once.

    Return the audit note with the duplicate added.
    """
    if not duplicate_payments.counts(tx, entry):
        raise Conflict(_NO_LONGER_BOTH)
    if row.why == Reason.MARKED_AS_PAID:
        if invoice.paid_by_status <= 0:
            raise Conflict(_NO_LONGER_BOTH)
        payments.count_once(tx, caller, invoice.id, entry.id)
        return answer._replace(same_as=_MARKED)
    by_hand = duplicate_payments.by_hand(tx, caller.account_id, invoice.id, entry.kind, row.amount)
    if not by_hand:
        raise Conflict(_NO_LONGER_BOTH)
    payments.take_back(tx, caller, invoice.id, by_hand[-1].id, TakenBack(reference=row.reference or row.payment))
    return answer._replace(same_as=_BY_HAND[entry.kind], same_as_id=by_hand[-1].id)
