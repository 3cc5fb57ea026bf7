"""What a person should look at before a bill counts: each flag a plain sentence with its figures, and what to do."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple

from prorata.domain.bills import NOT_BILLED_REASONS, NewBill
from prorata.domain.locale_forms import PLAIN, Forms, counted
from prorata.domain.money import apportion
from prorata.domain.month_findings import twice_the_median
from prorata.domain.names import same
from prorata.domain.problems import shown

FlagKind = Literal["duplicate", "overlap", "gap", "unusualAmount", "dueBeforeBilled", "doesNotSum"]
FEWEST_DAYS = 2
"""A single day that two bills share, or that lies between them, is that of the meter reading."""
USUAL_OF, USUAL_FROM = 6, 3
"""An amount is compared with the median of at most, and at least, so many bills before it."""
_ASIDE = re.compile(r"[\s./_-]+")


class EarlierBill(NamedTuple):
    """A bill that is there already, with its id."""

    bill_id: str
    bill: NewBill


class Flag(NamedTuple):
    """One thing to look at: a sentence, what to do, and the ids of the bills that are there already and it is about."""

    kind: FlagKind
    message: str
    advice: str
    bills: tuple[str, ...] = ()


def flags_of(bill: NewBill, known: Iterable[EarlierBill], currency: str, write: Forms = PLAIN) -> tuple[Flag, ...]:
    """Everything about a bill that a person should look at before it counts. `known` are the bills that are there
    already, in any order, those of other issuers and account numbers among them; not this one itself. Amounts are in
    cents of one currency, first and last days of a period both belong to it.

    >>> before = NewBill("prop_1", "Aqua", ("WATER",), 80_00, date(2026, 3, 1), account_number="A-1")
    >>> again = before._replace(account_number="a1")
    >>> [flag.message for flag in flags_of(again, [EarlierBill("bill_1", before)], "USD")]
    ['A bill of Aqua of 2026-03-01 over $80.00 is there already.']
    """
    newest_first = sorted(known, key=lambda one: (one.bill.bill_date, one.bill_id), reverse=True)
    related = [one for one in newest_first if _of_one_account(bill, one.bill)]
    duplicates = tuple(one for one in related if _is_the_same(bill, one.bill))
    others = [one for one in related if one not in duplicates]
    return (
        *_duplicate(bill, duplicates, currency, write),
        *_beside(bill, others, write),
        *_unusual(bill, others, currency, write),
        *_due_too_early(bill, write),
        *_not_summing(bill, currency, write),
    )


def bare_number(number: str | None) -> str:
    """The form in which account and bill numbers are compared: no case, spaces, dots, slashes or hyphens.

    >>> bare_number("12-345 B"), bare_number(" 12.345/b "), bare_number(None)
    ('12345b', '12345b', '')
    """
    return _ASIDE.sub("", same(number or ""))


def _of_one_account(bill: NewBill, other: NewBill) -> bool:
    """Whether two bills are of one account at an issuer: by their account numbers where both have one, which two
    spellings of an issuer's name do not part; else by the issuer.
    """
    mine, its = bare_number(bill.account_number), bare_number(other.account_number)
    return mine == its if mine and its else same(bill.issuer_name) == same(other.issuer_name)


def _is_the_same(bill: NewBill, other: NewBill) -> bool:
    """Whether a bill's number was seen, or its total for its period; without periods, its total of its day. Bills for
    different utilities with the same total are two.
    """
    mine, its = bare_number(bill.bill_number), bare_number(other.bill_number)
    if mine and mine == its:
        return True
    if bill.total != other.total or not set(bill.utility_types) & set(other.utility_types):
        return False
    mine_over, its_over = _period(bill), _period(other)
    if mine_over is None or its_over is None:
        return bill.bill_date == other.bill_date
    return mine_over == its_over


def _period(bill: NewBill) -> tuple[date, date] | None:
    """First and last day of a bill's service, both counted; None where it does not say them or they contradict."""
    first, last = bill.service_start, bill.service_end
    return None if first is None or last is None or last < first else (first, last)


def _duplicate(bill: NewBill, found: Sequence[EarlierBill], currency: str, write: Forms) -> Iterator[Flag]:
    if not found:
        return
    other = found[0].bill
    issuer, period = shown(other.issuer_name), _period(other)
    number = bare_number(bill.bill_number)
    if number and number == bare_number(other.bill_number):
        bill_number = shown(other.bill_number or "")
        message = (
            f"Bill number {bill_number} of {issuer} is there already: of {write.day(other.bill_date)}, over "
            f"{write.money(other.total, currency)}."
        )
    else:
        over = f" for {_days(period, write)}" if period and _period(bill) else ""
        message = (
            f"A bill of {issuer} of {write.day(other.bill_date)} over {write.money(other.total, currency)}{over} "
            "is there already."
        )
    yield Flag("duplicate", message, "If it is the same bill, leave this one out.", tuple(one.bill_id for one in found))


def _beside(bill: NewBill, others: Iterable[EarlierBill], write: Forms) -> Iterator[Flag]:
    """How a bill's days lie to those of the other bills of its account number: shared, or with days between."""
    period = _period(bill)
    if period is None or not bare_number(bill.account_number):
        return
    first, last = period
    beside = [
        (its, one.bill_id)
        for one in others
        if bare_number(one.bill.account_number)
        and (its := _period(one.bill)) is not None
        and set(one.bill.utility_types) & set(bill.utility_types)
    ]
    shared = [
        (days, its, bill_id)
        for its, bill_id in beside
        if (days := (min(last, its[1]) - max(first, its[0])).days + 1) >= FEWEST_DAYS
    ]
    if shared:
        days, its, _ = max(shared)
        yield Flag(
            "overlap",
            f"Its service period, {_days(period, write)}, shares {counted(days, 'day', write)} with that of another "
            f"bill of this account number, {_days(its, write)}.",
            "Compare the dates with the bill: days on two bills are paid twice.",
            tuple(bill_id for _, _, bill_id in sorted(shared, reverse=True)),
        )
    before = [(its[1], bill_id) for its, bill_id in beside if its[0] < first]
    if not before or shared:
        return
    ended, bill_id = max(before)
    days = (first - ended).days - 1
    if days >= FEWEST_DAYS:
        yield Flag(
            "gap",
            f"The bill before it ended on {write.day(ended)} and this one begins on {write.day(first)}: "
            f"{counted(days, 'day', write)} between them are on no bill.",
            "Look whether a bill is missing, or a date is wrong.",
            (bill_id,),
        )


def _unusual(bill: NewBill, others: Iterable[EarlierBill], currency: str, write: Forms) -> Iterator[Flag]:
    """What a bill asks for a utility, where it is more than twice or less than half of the usual: of the median of the
    last three to six bills of its account number before it that name an amount for that utility.
    """
    if not bare_number(bill.account_number):
        return
    past: dict[tuple[str, ...], list[tuple[date, str, int]]] = defaultdict(list)
    for one in others:
        if bare_number(one.bill.account_number) and one.bill.bill_date <= bill.bill_date:
            for types, amount in _amounts(one.bill).items():
                past[types].append((one.bill.bill_date, one.bill_id, amount))
    for types, amount in _amounts(bill).items():
        last = sorted(past[types])[-USUAL_OF:]
        twice = twice_the_median([its for _, _, its in last])
        if len(last) < USUAL_FROM or twice <= 0 or twice <= 4 * amount <= 4 * twice:
            continue
        much = "more than twice" if amount > twice else "less than half"
        usual = write.money(apportion(twice, [1, 1])[0], currency)
        yield Flag(
            "unusualAmount",
            f"It asks {write.money(amount, currency)} for {' and '.join(types).lower()}: {much} the usual {usual}, "
            f"the median of the last {len(last)} bills of this account number.",
            "Compare the amount with the bill, and the meter's reading with the meter.",
            tuple(bill_id for _, bill_id, _ in last),
        )


def _amounts(bill: NewBill) -> Mapping[tuple[str, ...], int]:
    """What a bill asks for each utility, in cents; for all of its utilities together where it does not divide them."""
    if not bill.amounts:
        return {tuple(sorted(bill.utility_types)): bill.total}
    sums: dict[tuple[str, ...], int] = defaultdict(int)
    for name, amount in bill.amounts:
        if name not in NOT_BILLED_REASONS:
            sums[name,] += amount
    return sums


def _due_too_early(bill: NewBill, write: Forms) -> Iterator[Flag]:
    if bill.due_date is not None and bill.due_date < bill.bill_date:
        yield Flag(
            "dueBeforeBilled",
            f"It is due on {write.day(bill.due_date)}, before the day of the bill itself, {write.day(bill.bill_date)}.",
            "Compare both dates with the bill.",
        )


def _not_summing(bill: NewBill, currency: str, write: Forms) -> Iterator[Flag]:
    together = sum(amount for _, amount in bill.amounts)
    if bill.amounts and together != bill.total:
        off = write.money(abs(bill.total - together), currency)
        yield Flag(
            "doesNotSum",
            f"Its lines come to {write.money(together, currency)} and its total is "
            f"{write.money(bill.total, currency)}: {off} {'more' if together > bill.total else 'less'}.",
            "Correct the line that is wrong, or add the one that is missing.",
        )


def _days(period: tuple[date, date], write: Forms) -> str:
    return f"{write.day(period[0])} to {write.day(period[1])}"
