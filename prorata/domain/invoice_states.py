"""The states of an invoice and its payment, and their changes (docs/decisions.md#status-changes)."""

from datetime import date, timedelta
from typing import Literal, NamedTuple, get_args

Status = Literal["DRAFT", "SENT", "PAID", "OVERDUE", "CANCELLED"]
STATUSES: tuple[str, ...] = get_args(Status)
DRAFT, SENT, PAID, OVERDUE, CANCELLED = STATUSES
CLOSING = (SENT, PAID, OVERDUE)
"""The statuses of an invoice that closes its property-month."""
UNSENT = (DRAFT, CANCELLED)
UNPAID = (SENT, OVERDUE)
"""The statuses of an invoice that was sent and waits for payment."""
PAYMENT_PENDING, PAYMENT_PAID, PAYMENT_FAILED, PAYMENT_CANCELLED = "pending", "paid", "failed", "cancelled"
FIRST_PAYMENT_TERMS = 14
"""The default number of days from the invoice date to the due date."""


class Standing(NamedTuple):
    """The status and payment of an invoice, with amounts in cents and `paid_at` a timestamp.

    `paid_by_status` is the part of `paid_amount` that was recorded by setting the status to PAID; leaving PAID
    takes it back. `issued` means that the invoice is or once was SENT, PAID or OVERDUE, so that its addressee no
    longer changes.
    """

    status: str
    total: int
    invoice_date: date
    due_date: date | None = None
    payment_status: str = PAYMENT_PENDING
    paid_amount: int = 0
    paid_by_status: int = 0
    paid_at: str | None = None
    issued: bool = False


def change_status(standing: Standing, status: str, *, today: date, now: str, terms: int) -> Standing:
    """Set an invoice to another `status`, with the consequences for dates and payment.

    People may change any of the five statuses to any other. Setting the current status changes nothing. `today` is
    the day in the account's time zone, `now` is a timestamp, and `terms` is the number of days in which an invoice
    has to be paid.
    """
    if status == standing.status:
        return standing
    after = _leave(standing)._replace(status=status)
    if status == DRAFT:
        return after._replace(due_date=None)
    if status == SENT and standing.status in UNSENT:
        after = after._replace(invoice_date=today, due_date=None)
    if status in CLOSING:
        due = after.due_date or after.invoice_date + timedelta(days=terms)
        after = after._replace(issued=True, due_date=due)
    if status == PAID:
        if after.payment_status == PAYMENT_PAID:
            return after._replace(paid_at=after.paid_at or now)  # payments cover it: record nothing
        balance = after.total - after.paid_amount
        return after._replace(paid_amount=after.total, paid_by_status=balance, paid_at=now, payment_status=PAYMENT_PAID)
    if status == CANCELLED:
        return after._replace(payment_status=PAYMENT_CANCELLED)
    return fail(after) if status in UNPAID and standing.payment_status == PAYMENT_FAILED else after


def fail(standing: Standing) -> Standing:
    """Mark the pending payment of a sent or overdue invoice as failed.

    The payment counts as failed until the ledger or the status changes. Invoices with other statuses remain as
    they are.

    >>> [fail(Standing(status, 9_00, date(2026, 3, 1))).payment_status for status in ("SENT", "OVERDUE", "DRAFT")]
    ['failed', 'failed', 'pending']
    """
    waits = standing.status in UNPAID and standing.payment_status == PAYMENT_PENDING
    return standing._replace(payment_status=PAYMENT_FAILED) if waits else standing


def _leave(standing: Standing) -> Standing:
    """Undo the effects of an invoice's old status, before another status is set.

    The amount that PAID recorded is taken back; recorded payments remain.
    """
    received = standing.paid_amount - standing.paid_by_status
    payment_status = status_of_payment(received, standing.total)
    return standing._replace(
        paid_amount=received,
        paid_by_status=0,
        paid_at=standing.paid_at if payment_status == PAYMENT_PAID else None,
        payment_status=payment_status,
        due_date=None if standing.status in UNSENT else standing.due_date,
    )


def status_of_payment(received: int, total: int) -> str:
    """Return the payment status of an open invoice.

    It is paid if the total is positive and payments cover it.

    >>> status_of_payment(50_00, 50_00), status_of_payment(50_00, 50_01), status_of_payment(0, 0)
    ('paid', 'pending', 'pending')
    """
    return PAYMENT_PAID if received >= total > 0 else PAYMENT_PENDING


def falls_overdue(standing: Standing, *, today: date, has_tenant: bool, disputed: int = 0) -> bool:
    """True if a SENT invoice becomes OVERDUE automatically.

    Such an invoice is past due, has a tenant, and has a balance above zero and above its `disputed` part.

    >>> sent = Standing(SENT, 100_00, date(2026, 3, 1), date(2026, 3, 15), issued=True)
    >>> falls_overdue(sent, today=date(2026, 3, 15), has_tenant=True)
    False
    >>> falls_overdue(sent, today=date(2026, 3, 16), has_tenant=True)
    True
    >>> falls_overdue(sent, today=date(2026, 3, 16), has_tenant=True, disputed=100_00)
    False
    """
    past_due = standing.due_date is not None and standing.due_date < today
    balance = standing.total - standing.paid_amount
    return standing.status == SENT and past_due and has_tenant and balance > max(disputed, 0)
