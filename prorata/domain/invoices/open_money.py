"""Open amounts between a landlord and tenants, summed over invoices (docs/decisions.md#a-tenants-balance)."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, get_args

from prorata.domain.invoice_states import CANCELLED, CLOSING, OVERDUE, UNPAID

Open = Literal["owed", "overdue", "credits", "refunds"]
"""The lists of invoices by their kind of open amount.

`credits` are for households that live in their units; `refunds` are for households that have left, and for cancelled
invoices.
"""
OPEN: tuple[Open, ...] = get_args(Open)
OWED: Final = "owed"
OVERDUE_OWED: Final = "overdue"
CREDITS: Final = "credits"
REFUNDS: Final = "refunds"


class OpenMoney(NamedTuple):
    """The open amounts of invoices in cents, each with the number of these invoices.

    `owed` is owed to the landlord, and `overdue` is the overdue part of this amount. `credit` is the amount that
    was overpaid, or by which a total is negative. `refund` is the amount to pay back because an invoice was
    cancelled.
    """

    owed_number: int = 0
    owed: int = 0
    overdue_number: int = 0
    overdue: int = 0
    credit_number: int = 0
    credit: int = 0
    refund_number: int = 0
    refund: int = 0


def open_money(status: str, total: int, paid_amount: int, *, has_tenant: bool) -> OpenMoney:
    """Determine the open amounts of an invoice, each with a count of 0 or 1.

    The amounts are in cents, in this order: owed, overdue, credit, and refund due. An invoice without a tenant owes
    nothing.

    >>> open_money("OVERDUE", 100_00, 40_00, has_tenant=True)[:4]
    (1, 6000, 1, 6000)
    >>> open_money("PAID", 100_00, 150_00, has_tenant=True)[4:6]
    (1, 5000)
    >>> open_money("CANCELLED", 100_00, 40_00, has_tenant=True)[6:], any(open_money("SENT", 9_00, 0, has_tenant=False))
    ((1, 4000), False)
    """
    if status == CANCELLED and paid_amount > 0:
        return OpenMoney(refund_number=1, refund=paid_amount)
    balance = total - paid_amount if has_tenant else 0
    if status in UNPAID and balance > 0:
        owed = OpenMoney(owed_number=1, owed=balance)
        return owed._replace(overdue_number=1, overdue=balance) if status == OVERDUE else owed
    if status in CLOSING and balance < 0:
        return OpenMoney(credit_number=1, credit=-balance)
    return OpenMoney()


def summed(parts: Iterable[OpenMoney]) -> OpenMoney:
    """Sum the numbers and open amounts of several invoices, field by field.

    The first two fields are the number of invoices on which an amount is owed, and that amount.

    >>> summed([OpenMoney(1, 5), OpenMoney(1, 7)])[:2]
    (2, 12)
    """
    return OpenMoney(*map(sum, zip(OpenMoney(), *parts, strict=True)))
