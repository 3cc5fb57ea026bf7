"""Utility bills as issued, and the bill lines into which they are divided (docs/decisions.md#bill-lines)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from prorata.domain.accounts.settings import BY_DATE, BY_DAYS, BY_END
from prorata.domain.billing_calendar import (
    Month,
    days_there,
    month_of,
    month_with_most_days,
    months_between,
    next_month,
)
from prorata.domain.groups import added_up
from prorata.domain.labels import same
from prorata.domain.limits import LONGEST_UNSPREAD
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import apportion
from prorata.domain.texts import joined, say, say_n
from prorata.domain.usage import Usage
from prorata.domain.utility_names import NOT_BILLED_REASONS


class NewBill(NamedTuple):
    """A bill as its source states it, with amounts in cents.

    `amounts` contains an amount for each utility type or unbilled reason. They sum to `total`. If the source states
    only a total, `amounts` is empty.
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
    usages: tuple[tuple[str, Usage], ...] = ()
    """The usage of each utility for which the bill states it.

    The bill's fingerprint does not include it.
    """
    names: tuple[tuple[str, str], ...] = ()
    """The names that tenants see for lines, by utility type, such as “Heating” for OTHER."""
    spread: bool = False
    """True if each line is spread over the months of the service period by days."""


class BilledIn(NamedTuple):
    """A billing month of a bill, and the service days that are billed in it.

    If the bill is spread, `days` of its `of_days` service days are billed in this month; otherwise, both numbers
    are None.
    """

    month: Month
    days: int | None = None
    of_days: int | None = None


class NewLine(NamedTuple):
    """A bill line with its utility type or unbilled reason and its amount in cents."""

    utility_type: str | None
    not_billed: str | None
    amount: int


def lines_of(bill: NewBill) -> tuple[tuple[NewLine, ...], bool]:
    """Split a bill into lines that sum to its total.

    A bill that states amounts gets a line for each of them. A bill with a single utility type gets one line. Any
    other bill's total is divided equally among its types by largest remainder (docs/decisions.md#bill-lines). The
    second value of the result is True if the total was divided like this, so that the amounts are only estimated.

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


def difference_of(bill: NewBill) -> int:
    """Return a bill's total minus the sum of its amounts, in cents.

    The result is 0 if the bill states no amounts.

    >>> difference_of(NewBill("prop_1", "City", ("WATER",), 120_00, date(2026, 3, 1), amounts=(("WATER", 115_00),)))
    500
    """
    return bill.total - sum(amount for _, amount in bill.amounts) if bill.amounts else 0


def with_difference(bill: NewBill, kind: str) -> NewBill:
    """Return a bill whose amounts sum to its total, by adjusting the amount of `kind`.

    `kind` is a utility type of the bill or a reason not to bill an amount. The difference between the total and the
    sum of the amounts is added to the amount of `kind`, or becomes a new amount if the bill has none of this kind.

    >>> bill = NewBill("prop_1", "City", ("WATER",), 120_00, date(2026, 3, 1), amounts=(("WATER", 115_00),))
    >>> with_difference(bill, "OWNER").amounts, with_difference(bill, "WATER").amounts
    ((('WATER', 11500), ('OWNER', 500)), (('WATER', 12000),))
    """
    off = difference_of(bill)
    if not off:
        return bill
    amounts = dict(bill.amounts)
    return bill._replace(amounts=tuple((amounts | {kind: amounts.get(kind, 0) + off}).items()))


def _line(name: str, amount: int) -> NewLine:
    return NewLine(None, name, amount) if name in NOT_BILLED_REASONS else NewLine(name, None, amount)


def month_by_rule(rule: str, start: date | None, end: date | None, day: date | None) -> Month | None:
    """Determine a bill's billing month by one of the `BILLING_MONTH_RULES`.

    `start` and `end` are the service period, and `day` is the bill's date. The bill's date decides if the rule says
    so, if the period is incomplete, or if the period ends before it starts (docs/decisions.md#billing-month). If
    the bill's date is needed but missing, the result is None.

    >>> month_by_rule(BY_END, date(2026, 3, 10), date(2026, 4, 9), None)
    '2026-04'
    """
    if rule == BY_DATE or start is None or end is None or end < start:
        return month_of(day) if day else None
    return month_of(end) if rule == BY_END else month_with_most_days(start, end)


def billing_month(bill: NewBill, rule: str = BY_DAYS) -> Month:
    """Return the billing month that a person chose for a bill.

    If nobody chose a month, the result is the month that the billing month rule determines.

    >>> billing_month(NewBill("prop_1", "City", ("WATER",), 1, date(2026, 4, 1)))
    '2026-04'
    """
    month = bill.billing_month or month_by_rule(rule, bill.service_start, bill.service_end, bill.bill_date)
    assert month is not None, "a bill has a date"
    return month


def may_be_spread(start: date | None, end: date | None) -> bool:
    """True if a service period exceeds `LONGEST_UNSPREAD` days (docs/decisions.md#billing-month).

    >>> may_be_spread(date(2025, 12, 1), date(2026, 1, 31)), may_be_spread(date(2026, 1, 1), date(2026, 2, 14))
    (True, False)
    """
    return start is not None and end is not None and (end - start).days >= LONGEST_UNSPREAD


def months_of(bill: NewBill, rule: str = BY_DAYS) -> tuple[BilledIn, ...]:
    """List the months in which a bill is billed, several if it is spread.

    >>> bill = NewBill("prop_1", "City", ("WATER",), 1, date(2026, 2, 1))
    >>> months_of(bill._replace(service_start=date(2025, 12, 1), service_end=date(2026, 1, 31), spread=True))
    (BilledIn(month='2025-12', days=31, of_days=62), BilledIn(month='2026-01', days=31, of_days=62))
    """
    if not bill.spread:
        return (BilledIn(billing_month(bill, rule)),)
    start, end = bill.service_start, bill.service_end
    assert start is not None, "what is spread has a service period"
    assert end is not None, "what is spread has a service period"
    of_days = (end - start).days + 1
    return tuple(BilledIn(month, days_there(month, start, end), of_days) for month in months_between(start, end))


def in_months(amount: int, months: Sequence[BilledIn]) -> list[int]:
    """Divide an amount in cents among billing months by days, using the largest remainder.

    >>> in_months(100_00, [BilledIn(Month("2026-01"), 31, 59), BilledIn(Month("2026-02"), 28, 59)])
    [5254, 4746]
    """
    return apportion(amount, [month.days or 1 for month in months])


def together(lines: Iterable[NewLine]) -> list[NewLine]:
    """Combine a bill's lines from several months into one line per kind.

    A kind is a utility type or the reason why an amount is unbilled.
    """
    return [NewLine(*kind, amount) for kind, amount in added_up((line[:2], line.amount) for line in lines).items()]


def next_billed(month: Month, closed: Collection[str], starts: str | None) -> Month:
    """Return the first month, starting with `month`, in which a bill can still be billed.

    The result is not one of the `closed` months, and not before `starts`, the month in which the property's billing
    starts.

    >>> next_billed(Month("2026-01"), {"2026-01"}, None), next_billed(Month("2026-01"), {"2026-01"}, "2026-03")
    ('2026-02', '2026-03')
    """
    while month in closed or month < (starts or ""):
        month = next_month(month)
    return month


def charged_to(lived_in: int, vacant: int, write: Forms = PLAIN) -> str:
    """Describe who pays a bill: tenants for occupied units, the owner for vacant units.

    `lived_in` and `vacant` are the numbers of these units.

    >>> charged_to(2, 0), charged_to(0, 0)
    ('Divided among 2 units.', 'No unit is charged: you bear the whole amount.')
    >>> charged_to(1, 2)
    'Divided among 1 unit. You pay the shares of 2 vacant units.'
    >>> charged_to(0, 1)
    'No tenant is charged. You pay the share of 1 vacant unit.'
    """
    if not lived_in and not vacant:
        return say("No unit is charged: you bear the whole amount.")
    empty = say_n(
        "You pay the share of {n} vacant unit.",
        "You pay the shares of {n} vacant units.",
        vacant,
        n=write.count(vacant),
    )
    charged = say_n("Divided among {n} unit.", "Divided among {n} units.", lived_in, n=write.count(lived_in))
    return joined([charged if lived_in else say("No tenant is charged."), empty if vacant else ""])


def in_order_of(bill: NewBill, types: Sequence[str], kinds: Sequence[str]) -> NewBill:
    """Sort a bill's utility types and amounts in the orders of `types` and `kinds`.

    Types and amounts that these lists don't contain come last. Sorting ensures that the order in a form doesn't
    decide which line gets the odd cent.

    >>> bill = NewBill("prop_1", "City", ("GAS", "WATER", "SEWER"), 3, date(2026, 3, 1))
    >>> in_order_of(bill, ["SEWER", "WATER"], []).utility_types
    ('SEWER', 'WATER', 'GAS')
    """
    return bill._replace(
        utility_types=tuple(sorted(bill.utility_types, key=partial(_place, types))),
        amounts=tuple(sorted(bill.amounts, key=lambda pair: _place(kinds, pair[0]))),
    )


def _place(among: Sequence[str], kind: str) -> int:
    return among.index(kind) if kind in among else len(among)


def fingerprint(bill: NewBill) -> str:
    """Compute the digest that identifies a bill, as 64 hexadecimal digits.

    The digest covers property, issuer, account number, bill number, bill date, total and types
    (docs/decisions.md#importing-a-file-twice).
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
