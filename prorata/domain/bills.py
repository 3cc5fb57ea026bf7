"""A utility bill: what it says, and the lines it is billed by (decisions section 5)."""

from datetime import date
from hashlib import sha256
from typing import Literal, NamedTuple, get_args

from prorata.domain.money import apportion
from prorata.domain.months import Month, month_of, month_of_service
from prorata.domain.names import same

UtilityType = Literal["ELECTRICITY", "WATER", "GAS", "INTERNET", "SEWER", "GARBAGE", "OTHER"]
PaymentStatus = Literal["UNPAID", "PAID", "PENDING", "OVERDUE"]
UTILITY_TYPES: tuple[str, ...] = get_args(UtilityType)
NOT_BILLED_REASONS = ("PREVIOUS_BALANCE", "LATE_FEE", "DEPOSIT", "OWNER")
PAYMENT_STATUSES: tuple[str, ...] = get_args(PaymentStatus)
LARGEST_AMOUNT = 999_999_999_999
"""9,999,999,999.99 in cents: the largest amount of a bill or line, either sign (decisions section 8)."""


class NewBill(NamedTuple):
    """A bill as its source gives it, amounts in cents. `amounts` are its parts by utility type or by
    not-billed reason, and sum to `total`; empty when the source gives none.
    """

    property_id: str
    issuer_name: str
    utility_types: tuple[str, ...]
    total: int
    bill_date: date
    due_date: date | None = None
    payment_status: str = "UNPAID"
    notes: str | None = None
    account_number: str | None = None
    bill_number: str | None = None
    service_start: date | None = None
    service_end: date | None = None
    billing_month: Month | None = None
    amounts: tuple[tuple[str, int], ...] = ()


class NewLine(NamedTuple):
    """One line of a bill, in cents: for a utility type, or not billed and why; one of the two is None."""

    utility_type: str | None
    not_billed: str | None
    amount: int


def lines_of(bill: NewBill) -> tuple[tuple[NewLine, ...], bool]:
    """The lines of a bill, which sum to its total; and whether it was divided by guess.

    With amounts, a line for each; with one type, one line; else the total is divided equally over the types by
    largest remainder, and the bill is marked as divided by guess (decisions section 5).

    >>> combined = NewBill("prop_1", "City", ("WATER", "SEWER", "GARBAGE"), 100_00, date(2026, 3, 1))
    >>> lines, guessed = lines_of(combined)
    >>> [line.amount for line in lines], guessed
    ([3334, 3333, 3333], True)
    """
    if bill.amounts:
        assert sum(amount for _, amount in bill.amounts) == bill.total, "lines sum to the total"
        return tuple(_line(name, amount) for name, amount in bill.amounts), False
    parts = apportion(bill.total, [1] * len(bill.utility_types))
    lines = tuple(_line(kind, part) for kind, part in zip(bill.utility_types, parts, strict=True))
    return lines, len(lines) > 1


def _line(name: str, amount: int) -> NewLine:
    return NewLine(None, name, amount) if name in NOT_BILLED_REASONS else NewLine(name, None, amount)


def billing_month(bill: NewBill) -> Month:
    """The month a bill's lines belong to: the one a person set; else the one that holds most days of the service
    period, the later on a tie; else the month of the bill's date (decisions section 5).

    >>> billing_month(NewBill("prop_1", "City", ("WATER",), 1, date(2026, 4, 1)))
    '2026-04'
    """
    if bill.billing_month is not None:
        return bill.billing_month
    if bill.service_start is not None and bill.service_end is not None:
        return month_of_service(bill.service_start, bill.service_end)
    return month_of(bill.bill_date)


def fingerprint(bill: NewBill) -> str:
    """What makes a bill the same as another: property, issuer, account number, bill number, bill date, total and types
    (decisions section 9). 64 hexadecimal digits.
    """
    parts = (
        bill.property_id,
        same(bill.issuer_name),
        same(bill.account_number or ""),
        same(bill.bill_number or ""),
        bill.bill_date.isoformat(),
        str(bill.total),
        ";".join(sorted(bill.utility_types)),
    )
    return sha256("\x1f".join(parts).encode()).hexdigest()
