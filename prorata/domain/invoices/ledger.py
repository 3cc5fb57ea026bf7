"""The ledger of an invoice, and the invoice's resulting state (docs/decisions.md#ledger).

Entries are payments, refunds, reversals of mistakes and carried credits, in cents. The amount recorded by setting
an invoice to PAID is not an entry: leaving PAID removes it, whereas entries remain in every status.
"""

from collections.abc import Sequence
from datetime import date
from typing import Final, Literal, NamedTuple, get_args

from prorata.domain.invoice_states import (
    CANCELLED,
    CLOSING,
    DRAFT,
    OVERDUE,
    PAID,
    PAYMENT_CANCELLED,
    PAYMENT_PAID,
    SENT,
    UNPAID,
    Standing,
    falls_overdue,
    status_of_payment,
)
from prorata.domain.limits import LARGEST_AMOUNT, LONGEST_PAYMENT_NOTE, LONGEST_PAYMENT_REFERENCE
from prorata.domain.locale_forms import PLAIN
from prorata.domain.problems import Problem
from prorata.domain.texts import say

Kind = Literal["PAYMENT", "REFUND", "REVERSAL", "CARRY"]
KINDS: tuple[str, ...] = get_args(Kind)
PAYMENT: Final = "PAYMENT"
REFUND: Final = "REFUND"
REVERSAL: Final = "REVERSAL"
CARRY: Final = "CARRY"
Method = Literal["CASH", "TRANSFER", "CHEQUE", "CARD", "OTHER"]
METHODS: tuple[str, ...] = get_args(Method)
CASH, TRANSFER, CHEQUE, CARD, OTHER = METHODS
FIRST_DAY = date(2000, 1, 1)


class Entry(NamedTuple):
    """A ledger entry; `amount` is in cents, and `at` is when the money moved.

    A REVERSAL voids the entry that it `reverses`: a mistake or chargeback. Amounts are positive, except that a CARRY
    is negative if a credit went to another invoice of the household; it is positive if a credit came from one.
    """

    id: str
    kind: str
    amount: int
    at: str
    reverses: str | None = None


def counting(entries: Sequence[Entry]) -> list[Entry]:
    """Return the payments, refunds and carries that no reversal voids.

    >>> paid, back = Entry("pay_1", PAYMENT, 40_00, ""), Entry("pay_2", REFUND, 10_00, "")
    >>> [one.id for one in counting([paid, back, Entry("pay_3", REVERSAL, 10_00, "", "pay_2")])]
    ['pay_1']
    """
    void = {entry.reverses for entry in entries}
    return [entry for entry in entries if entry.kind != REVERSAL and entry.id not in void]


def received(entries: Sequence[Entry]) -> int:
    """Sum the entries of an invoice's ledger, in cents.

    The sum is the payments less the refunds, plus the credits carried to the invoice, less the credits carried from it.

    >>> received([Entry("pay_1", PAYMENT, 40_00, ""), Entry("pay_2", REFUND, 10_00, "")])
    3000
    """
    return sum(_effect(entry) for entry in counting(entries))


def paid_back(entries: Sequence[Entry], payment_id: str) -> list[tuple[Entry, int]]:
    """List the refunds of a payment, each with the cents of this payment.

    A refund pays back the latest payments before it first.

    >>> half, twice = Entry("pay_1", PAYMENT, 40_00, "1"), Entry("pay_2", PAYMENT, 40_00, "2")
    >>> ledger = [half, twice, Entry("pay_3", REFUND, 50_00, "3"), Entry("pay_4", REFUND, 20_00, "4")]
    >>> [[cents for _, cents in paid_back(ledger, payment.id)] for payment in (half, twice)]
    [[1000, 2000], [4000]]
    """
    left: dict[str, int] = {}
    found = []
    for entry in sorted(counting(entries), key=lambda entry: (entry.at, entry.id)):
        if entry.kind == PAYMENT:
            left[entry.id] = entry.amount
        rest = entry.amount if entry.kind == REFUND else 0
        for payment in reversed(left):
            part = min(rest, left[payment])
            left[payment], rest = left[payment] - part, rest - part
            if part and payment == payment_id:
                found.append((entry, part))
    return found


def effects(entries: Sequence[Entry]) -> dict[str, int]:
    """Map the ids of entries to the cents that each adds to the amount received.

    >>> paid, back = Entry("pay_1", PAYMENT, 40_00, ""), Entry("pay_2", REFUND, 10_00, "")
    >>> effects([paid, back, Entry("pay_3", REVERSAL, 10_00, "", "pay_2")])
    {'pay_1': 4000, 'pay_2': -1000, 'pay_3': 1000}
    """
    by_id = {entry.id: entry for entry in entries}
    return {entry.id: -_effect(by_id[entry.reverses]) if entry.reverses else _effect(entry) for entry in entries}


def money_of(entries: Sequence[Entry]) -> int:
    """Sum the money received for the invoice, in cents: payments less refunds.

    Carried credits are ignored.

    >>> money_of([Entry("pay_1", PAYMENT, 40_00, ""), Entry("pay_2", CARRY, -10_00, "")])
    4000
    """
    return sum(_effect(entry) for entry in counting(entries) if entry.kind != CARRY)


def given(entries: Sequence[Entry]) -> int:
    """Sum the credits, in cents, carried from the invoice to other invoices.

    Credits carried to this invoice are not deducted.

    >>> given([Entry("pay_1", CARRY, -10_00, ""), Entry("pay_2", CARRY, 5_00, "")])
    1000
    """
    return -sum(entry.amount for entry in counting(entries) if entry.kind == CARRY and entry.amount < 0)


def _effect(entry: Entry) -> int:
    return -entry.amount if entry.kind == REFUND else entry.amount


def covered_at(entries: Sequence[Entry], total: int) -> str | None:
    """Find the time from which entries, in any order, cover a positive total.

    It is None if they don't cover the total. $60 on the 3rd and $40 on the 9th cover $100 from the 9th on, even if the
    later payment was entered first:

    >>> late, early = Entry("pay_1", PAYMENT, 40_00, "2026-03-09"), Entry("pay_2", PAYMENT, 60_00, "2026-03-03")
    >>> covered_at([late, early], 100_00), covered_at([late, early], 100_01)
    ('2026-03-09', None)
    """
    if total <= 0:
        return None
    sum_so_far, since = 0, None
    for its_entry in sorted(counting(entries), key=lambda entry: (entry.at, entry.id)):
        sum_so_far += _effect(its_entry)
        since = None if sum_so_far < total else since or its_entry.at
    return since


def follow(
    standing: Standing, entries: Sequence[Entry], *, today: date, has_tenant: bool, in_place_of_noted: int = 0,
    is_more: bool | None = None, disputed: int = 0,
) -> Standing:  # fmt: skip
    """Update an invoice to match the entries of its ledger.

    If the entries added money (`is_more`) and the money covers a sent invoice, the invoice becomes PAID. By
    default, `is_more` is determined from the change of the received amount. If the remaining money no longer covers
    a PAID invoice, the invoice becomes SENT again, or OVERDUE (`falls_overdue`; `disputed` is the disputed amount),
    and the amount recorded by setting it to PAID is removed. Credits carried from the invoice are taken back first:
    the invoice stays PAID if that is enough. Drafts and cancelled invoices keep their status. `today` is in the
    account's time zone. `in_place_of_noted` is the part of the recorded amount that an entry now replaces.

    >>> sent = Standing(SENT, 100_00, date(2026, 3, 1), date(2026, 3, 15), issued=True)
    >>> came, went = Entry("pay_1", PAYMENT, 120_00, "2026-03-09"), Entry("pay_2", REFUND, 120_00, "2026-03-20")
    >>> paid = follow(sent, [came], today=date(2026, 3, 9), has_tenant=True)
    >>> paid.status, paid.payment_status, paid.paid_amount, paid.paid_at
    ('PAID', 'paid', 12000, '2026-03-09')
    >>> back = follow(paid, [came, went], today=date(2026, 3, 20), has_tenant=True)
    >>> back.status, back.payment_status, back.paid_amount, back.paid_at
    ('OVERDUE', 'pending', 0, None)
    """
    money = received(entries)
    noted = standing.paid_by_status - in_place_of_noted
    if is_more is None:
        is_more = money > standing.paid_amount - standing.paid_by_status
    covered = status_of_payment(money, standing.total) == PAYMENT_PAID
    since = covered_at(entries, standing.total)
    after = standing._replace(paid_amount=money + noted, paid_by_status=noted)
    if standing.status == PAID and money + given(entries) + noted >= standing.total:
        return after._replace(paid_at=standing.paid_at if noted else since or standing.paid_at)
    after = after._replace(paid_amount=money, paid_by_status=0, paid_at=since)
    if standing.status == CANCELLED:
        return after._replace(payment_status=PAYMENT_CANCELLED)
    after = after._replace(payment_status=status_of_payment(money, standing.total))
    if standing.status == PAID:
        after = after._replace(status=SENT)
        is_late = falls_overdue(after, today=today, has_tenant=has_tenant, disputed=disputed)
        return after._replace(status=OVERDUE) if is_late else after
    return after._replace(status=PAID) if covered and is_more and standing.status in UNPAID else after


class Position(NamedTuple):
    """The open amounts of an invoice between landlord and tenant, in cents.

    `owed` is the amount that the tenant owes, and `credit` the overpaid amount. If the household has left, the
    overpaid amount is the `refund_due` instead; if the invoice was cancelled, the whole paid amount is. `on_draft`
    is money received for a draft, for which no payment was requested yet.
    """

    owed: int = 0
    credit: int = 0
    refund_due: int = 0
    on_draft: int = 0


def position(status: str, total: int, paid_amount: int, *, has_left: bool = False) -> Position:
    """Determine the open amounts of an invoice.

    If the household `has_left`, an overpayment becomes a refund.

    >>> position(PAID, 100_00, 120_00), position(SENT, 100_00, 40_00).owed
    (Position(owed=0, credit=2000, refund_due=0, on_draft=0), 6000)
    >>> position(CANCELLED, 100_00, 40_00).refund_due, position(DRAFT, 100_00, 40_00).on_draft
    (4000, 4000)
    """
    if status == CANCELLED:
        return Position(refund_due=max(paid_amount, 0))
    balance = total - paid_amount
    on_draft = max(paid_amount, 0) if status == DRAFT else 0
    if has_left and status != DRAFT:
        return Position(owed=max(balance, 0), refund_due=max(-balance, 0))
    return Position(owed=max(balance, 0), credit=max(-balance, 0), on_draft=on_draft)


def day_problem(field: str, day: date, today: date) -> Problem | None:
    """Return the problem with a payment's or refund's day; None if it is valid."""
    if FIRST_DAY <= day <= today:
        return None
    return Problem(field, say("Enter the date on which the money moved: no later than today, and not before 2000."))


def entry_problems(
    amount: int, day: date, method: str, note: str | None, reference: str | None, *, today: date
) -> list[Problem]:
    """List the problems with a payment or refund that somebody enters.

    >>> [one.field for one in entry_problems(0, date(2026, 3, 11), "BARTER", None, None, today=date(2026, 3, 10))]
    ['amount', 'date', 'method']
    """
    problems = []
    if not 0 < amount <= LARGEST_AMOUNT:
        problems.append(
            Problem("amount", say("Enter an amount above zero and at most 9,999,999,999.99, such as 120.50."))
        )
    if problem := day_problem("date", day, today):
        problems.append(problem)
    if method not in METHODS:
        problems.append(Problem("method", say("Choose how it was paid: one of {names}.", names=", ".join(METHODS))))
    for field, text, longest in (
        ("note", note, LONGEST_PAYMENT_NOTE),
        ("reference", reference, LONGEST_PAYMENT_REFERENCE),
    ):
        if text is not None and len(text) > longest:
            problems.append(
                Problem(field, say("Enter at most {longest} characters for the {field}.", field=field, longest=longest))
            )
    return problems


def refundable(status: str, total: int, noted: int, entries: Sequence[Entry]) -> int:
    """Return the largest possible refund on an invoice, in cents.

    It is the amount received, plus the credit of an invoice that was sent with a negative total. `noted` is the amount
    recorded by setting the invoice to PAID: if the total is negative, this is the part of the credit already paid back.

    >>> came = Entry("pay_1", PAYMENT, 40_00, "")
    >>> refundable(SENT, 100_00, 0, [came]), refundable(SENT, -20_00, 0, [came]), refundable(PAID, -20_00, -20_00, [])
    (4000, 6000, 0)
    """
    owed_back = max(noted - total, 0) if status in CLOSING and total < 0 else 0
    return money_of(entries) + owed_back


def proposed_refund(status: str, total: int, noted: int, entries: Sequence[Entry]) -> int:
    """Return the refund to propose for an invoice, in cents.

    It is the credit that is left, otherwise the money received, less the credits carried from the invoice; a higher
    refund (`refundable`) would take these credits back. If it isn't positive, nothing is to be refunded.

    >>> came, went = Entry("pay_1", PAYMENT, 110_00, ""), Entry("pay_2", CARRY, -10_00, "")
    >>> proposed_refund(PAID, 100_00, 0, [came]), proposed_refund(PAID, 100_00, 0, [came, went])
    (1000, 10000)
    """
    left = position(status, total, received(entries) + noted).credit or money_of(entries) - given(entries)
    return min(left, refundable(status, total, noted, entries))


def refund_problem(amount: int, most: int, currency: str) -> Problem | None:
    """Return the problem with refunding an amount; None if there is none.

    `most` is the `refundable` amount.

    >>> refund_problem(40_00, 40_00, "USD"), refund_problem(40_01, 40_00, "USD").field
    (None, 'amount')
    """
    if amount <= most:
        return None
    return Problem(
        "amount",
        say(
            "You can't refund more than {most} on this invoice: the payments in its ledger, minus any refunds, plus "
            "what you owe for a total below zero. Money that was only noted by marking the invoice as paid is not in "
            "the ledger: record it as a payment first.",
            most=PLAIN.money(max(most, 0), currency),
        ),
    )


def reversal_refused(entries: Sequence[Entry], reverses: str) -> str | None:
    """Return the reason why the entry `reverses` can't be reversed; None if it can.

    For example, a payment can't be reversed if part of it was refunded and less money remains than it added.

    >>> came, went = Entry("pay_1", PAYMENT, 40_00, ""), Entry("pay_2", REFUND, 10_00, "")
    >>> reversal_refused([came, went], "pay_1") is None, reversal_refused([came, went], "pay_2") is None
    (False, True)
    """
    entry = next(its_entry for its_entry in entries if its_entry.id == reverses)
    if entry.kind == REVERSAL:
        return say("A reversal can't be reversed. Record the payment or refund again.")
    if entry.kind == CARRY:
        return say(
            "This credit was carried over automatically. It is reversed when an invoice is withdrawn or money is "
            "refunded."
        )
    if entry not in counting(entries):
        return say("This entry has already been reversed.")
    if money_of(entries) < _effect(entry):
        return say("More would then have been refunded than received. Reverse the refund first.")
    return None
