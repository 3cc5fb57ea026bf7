"""Payments: listing and recording the entries of invoices' ledgers."""

from datetime import date

from msgspec import UNSET

from prorata.actions.accounts import accounts
from prorata.actions.delivery import receipts
from prorata.actions.delivery.receipts import Paid
from prorata.actions.payments import lists, payments
from prorata.actions.payments.payments import Received
from prorata.domain.invoices.ledger import PAYMENT
from prorata.domain.money import in_figures
from prorata.store.payments.payments import PaymentRow
from prorata.web.api.examples import PAYMENT_SENT
from prorata.web.http.list_schemas import PaymentsQuery, filters_of
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import PaymentCreate, cents_of
from prorata.web.http.response_schemas import Page, Payment, part_of


def shown(row: PaymentRow, *, is_reversed: bool = False) -> Payment:
    """Convert a ledger entry to the API's format."""
    return Payment(
        id=row.id,
        invoice_id=row.invoice_id,
        kind=row.kind,  # type: ignore[arg-type]
        amount=in_figures(row.amount),
        date=row.day,
        method=row.method,  # type: ignore[arg-type]
        provider=row.provider,
        reference=row.reference,
        note=row.note,
        reverses=row.reverses,
        is_reversed=is_reversed,
        created_at=row.created_at,
    )


@operation("GET", "/payments", at_once=True, summary="List payments", query=PaymentsQuery, answer=Page[Payment])
def list_all_payments(call: Call[PaymentsQuery, None]) -> Page[Payment]:
    """List the entries of all ledgers in the order in which they were recorded.

    An entry never changes: a reversal is a separate entry, which names the reversed entry in `reverses`. A carried
    credit appears in the ledgers of both its invoices, under one id.
    """
    query = call.query
    its_page = lists.listed(call.tx, call.caller, filters_of(query), query.window)
    return part_of([shown(row.row, is_reversed=row.is_void) for row in its_page.rows], its_page, query)


@operation(
    "GET",
    "/invoices/{id}/payments",
    at_once=True,
    summary="List an invoice's payments",
    answer=list[Payment],
    missing=("invoice",),
)
def list_payments(call: Call[None, None]) -> list[Payment]:
    """List the ledger of an invoice, oldest entry first.

    An amount that was recorded by setting the invoice's status to PAID is not an entry of the ledger, but it is
    included in the invoice's `paidAmount`.
    """
    rows = payments.ledger(call.tx, call.caller, call.path["id"]).entries
    void = {row.reverses for row in rows}
    return [shown(row, is_reversed=row.id in void) for row in rows]


@operation(
    "POST", "/invoices/{id}/payments", is_brief=True, summary="Record a payment or refund", body=PaymentCreate,
    answer=Payment, status=201, missing=("invoice",), conflict="The invoice's ledger is full.", example=PAYMENT_SENT,
)  # fmt: skip
def create_payment(call: Call[None, PaymentCreate]) -> Payment:
    """Record a payment or refund.

    When a sent invoice is paid in full, it becomes PAID; if a refund then reopens a balance, it becomes SENT or
    OVERDUE again. DRAFT and CANCELLED invoices keep their status. You can't refund more than was received, plus what
    you owe for a negative total.
    """
    received = _received(call.body, accounts.today(call.tx, call.caller))
    row = payments.enter(call.tx, call.caller, call.path["id"], received)
    if call.body.receipt and row.kind == PAYMENT:
        receipts.queue(call.tx, call.caller.account_id, [Paid(row.invoice_id, row.id)])
    return shown(row)


def _received(body: PaymentCreate, today: date) -> Received:
    return Received(
        cents_of(body.amount),
        today if body.date is UNSET else date.fromisoformat(body.date),
        body.method,
        body.kind,
        body.note or None,
        body.reference or None,
        in_place_of_noted=body.in_place_of_noted,
    )


@operation(
    "POST", "/invoices/{id}/payments/{paymentId}/reverse", summary="Take back a payment", answer=Payment, status=201,
    missing=("invoice", "payment"),
    conflict="The entry has already been taken back, is a reversal or a carried credit, or more has been refunded "
             "than would remain.",
)  # fmt: skip
def reverse_payment(call: Call[None, None]) -> Payment:
    """Reverse a payment or refund that was entered by mistake, or whose money never arrived.

    The reversal is added to the ledger beside the original entry, and the invoice's status is updated.
    """
    made = payments.take_back(call.tx, call.caller, call.path["id"], call.path["paymentId"])
    return shown(payments.find(call.tx, call.caller, call.path["id"], made)[1])
