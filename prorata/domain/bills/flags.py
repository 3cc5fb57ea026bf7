"""Flags on a bill: warnings to review before the bill counts.

Each flag is a sentence that names the amounts or days in question. Each kind of flag has advice on what to do.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from hashlib import sha256
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

from prorata.domain.bills.bills import NewBill, billing_month
from prorata.domain.bills.compared_bills import (
    BILL_NUMBER,
    Compared,
    EarlierBill,
    are_of_one_account,
    compared,
    is_the_same,
    keys_of,
    may_be_of_two_meters,
    may_be_the_same,
    without_numbers,
)  # fmt: skip
from prorata.domain.limits import LONGEST_FLAG_REASON, MOST_BILLS_COMPARED
from prorata.domain.locale_forms import PLAIN
from prorata.domain.months.unusual_amounts import Earlier, is_unusual, usual, usual_in_words
from prorata.domain.problems import shown
from prorata.domain.texts import Count, listed, say, say_n
from prorata.domain.utility_names import within_a_sentence

FlagKind = Literal["duplicate", "overlap", "gap", "unusualAmount", "dueBeforeBilled", "doesNotSum", "inFuture"]
FLAG_KINDS: tuple[FlagKind, ...] = get_args(FlagKind)
ADVICE: Mapping[FlagKind, str] = {
    "duplicate": say(
        "If it is the same bill, leave this one out; if it replaces the other one, remove that one first."
    ),
    "overlap": say("Compare the dates with the bill: days on two bills are paid for twice."),
    "gap": say("Check whether a bill is missing or a date is wrong."),
    "unusualAmount": say("Compare the amount with the bill, and the reading with the meter."),
    "dueBeforeBilled": say("Compare both dates with the bill."),
    "inFuture": say("Compare the year with the bill."),
    "doesNotSum": say("Correct the wrong line or add the missing one; otherwise, say what the difference is for."),
}
"""The advice for each kind of flag."""
REACH = 400
"""The maximum number of days between compared bills, before or after.

This covers six bills that come every second month.
"""
_REACH, _LAST = timedelta(days=REACH), "~"
AHEAD = 60
"""The maximum number of days after today on which a bill may be dated, or its service may begin.

The service may end `REACH` days after today: some bills are paid a year in advance.
"""
FEWEST_DAYS = 2
"""The minimum number of days in a reported overlap or gap.

A single shared or missing day is that of the meter reading.
"""


class Flag(NamedTuple):
    """A point to review: a sentence, and the ids of the existing bills concerned."""

    kind: FlagKind
    message: str
    bills: tuple[str, ...] = ()

    @property
    def advice(self) -> str:
        """The advice that tells a person what to do about the flag."""
        return ADVICE[self.kind]


class KnownBills:
    """The existing bills with which a bill is compared, indexed by their numbers and totals.

    The index makes it possible to compare a bill with a few of them instead of all.
    """

    def __init__(self, known: Iterable[EarlierBill] = ()) -> None:
        self._by_key: dict[tuple[str | int, ...], list[Compared]] = defaultdict(list)
        self._last: Compared | None = None
        for earlier_bill in known:
            self.add(earlier_bill)

    def add(self, earlier: EarlierBill) -> None:
        """Add a bill to those with which other bills are compared."""
        if self._last is not None and self._last.bill is earlier.bill:  # checked just before
            mine = self._last._replace(bill_id=earlier.bill_id)
        else:
            mine = compared(earlier.bill_id, earlier.bill)
        for key in keys_of(mine):
            insort(self._by_key[key], mine, key=_in_time)

    def _related_to(self, bill: Compared, but: Collection[str] = ()) -> list[Compared]:
        """List the known bills that share a number or total with a bill, newest first.

        Bills whose ids are in `but` are left out. A bill with the same bill number is listed regardless of its
        date; other bills are listed only if they are within `REACH` days of the bill. If very many bills qualify,
        only the `MOST_BILLS_COMPARED` nearest before and after the bill are listed.
        """
        near_bills = {other.bill_id: other for key in keys_of(bill) for other in self._near(key, bill.day)}
        related = [other for other in near_bills.values() if other.bill_id not in but]
        related.sort(key=_in_time, reverse=True)
        return related

    def _near(self, key: tuple[str | int, ...], day: date) -> list[Compared]:
        there = self._by_key.get(key, [])
        first, last = 0, len(there)
        if key[0] != BILL_NUMBER and there:
            reach = there[0].day < day - _REACH, there[-1].day > day + _REACH
            first = bisect_left(there, (day - _REACH, ""), key=_in_time) if reach[0] else 0
            last = bisect_right(there, (day + _REACH, _LAST), key=_in_time) if reach[1] else last
        if last - first > MOST_BILLS_COMPARED:
            at = bisect_right(there, (day, _LAST), key=_in_time)
            first, last = max(first, at - MOST_BILLS_COMPARED), min(last, at + MOST_BILLS_COMPARED)
        return there[first:last]

    def flags_of(
        self, bill: NewBill, currency: str, today: date, *, but: Collection[str] = ()
    ) -> tuple[Flag, ...]:  # fmt: skip
        """List the flags of a bill, which a person should review before the bill counts.

        The bill is compared with the known bills, which may have been added in any order and may belong to any
        issuer, account number or property. `but` contains the ids of known bills to ignore, such as the id of the
        bill itself. Amounts are in cents of one currency. Service periods include their first and last days.

        >>> before = NewBill("prop_1", "Aqua", ("WATER",), 80_00, date(2026, 3, 1), account_number="A-1")
        >>> again, known = before._replace(account_number="a1"), KnownBills([EarlierBill("bill_1", before)])
        >>> [flag.message for flag in known.flags_of(again, "USD", date(2026, 3, 10))]
        ['A bill from Aqua dated 2026-03-01 for $80.00 has already been added.']
        """
        mine = self._last = compared("", bill)
        related = self._related_to(mine, but)
        duplicates = [other for other in related if is_the_same(mine, other) or may_be_the_same(mine, other)]
        twice = {duplicate.bill_id for duplicate in duplicates}
        here = [other for other in related if other.bill.property_id == bill.property_id and other.account]
        others = [other for other in here if other.bill_id not in twice and are_of_one_account(mine, other)]
        return (
            *_duplicate(mine, duplicates, currency),
            *_beside(mine, others),
            *_unusual(mine, others or without_numbers(mine, related, twice), currency),
            *_due_too_early(bill),
            *_in_future(bill, today),
            *_not_summing(bill, currency),
        )


_in_time = itemgetter(0, 1)


def shown_as(flags: Sequence[Flag]) -> str:
    """Fingerprint the flags that a person was shown, including the bills named in them.

    The result is empty if there are no flags.
    """
    flag_text = "\x1e".join("\x1f".join((flag.kind, flag.message, *flag.bills)) for flag in flags)
    return sha256(flag_text.encode()).hexdigest()[:16] if flags else ""


def reason_problem(reason: str) -> str | None:
    """Return the problem with the reason for accepting a flag, as a sentence.

    The result is None if the reason is acceptable.
    """
    if not reason.strip():
        return say("Explain briefly why it is right.")
    if len(reason.strip()) > LONGEST_FLAG_REASON:
        return say("Enter at most {most} characters.", most=LONGEST_FLAG_REASON)
    return None if reason.isprintable() else say("Enter a single line of plain text.")


def _duplicate(bill: Compared, duplicates: Sequence[Compared], currency: str) -> Iterator[Flag]:
    if not duplicates:
        return
    other = duplicates[0].bill
    period, days = duplicates[0].period, ""
    if bill.own and bill.own == duplicates[0].own:
        form = say("Bill number {number} from {issuer} has already been added: dated {day}, for {money}.")
    elif period and bill.period:
        form, days = (
            say("A bill from {issuer} dated {day} for {money}, covering {days}, has already been added."),
            _days(period),
        )
    else:
        form = say("A bill from {issuer} dated {day} for {money} has already been added.")
    message = form.format(
        number=shown(other.bill_number or ""), issuer=shown(other.issuer_name), day=PLAIN.day(other.bill_date),
        money=PLAIN.money(other.total, currency), days=days,
    )  # fmt: skip
    yield Flag("duplicate", message, tuple(duplicate.bill_id for duplicate in duplicates))


def _beside(bill: Compared, others: Sequence[Compared]) -> Iterator[Flag]:
    """Flag an overlap or gap between a bill's service period and another bill's.

    The other bills are those with the same account number. Only bills for the same utility are considered.
    """
    if bill.period is None or not bill.account:
        return
    first, last = bill.period
    beside = [
        (other.period, other.bill_id) for other in others if other.period is not None and other.types & bill.types
    ]
    shared = [
        (days, its, bill_id)
        for its, bill_id in beside
        if its[1] > first
        and its[0] < last
        and (days := (min(last, its[1]) - max(first, its[0])).days + 1) >= FEWEST_DAYS
    ]
    if shared:
        days, its, _ = max(shared)
        yield Flag(
            "overlap",
            say_n(
                "Its service period, {period}, overlaps by {n} day with that of another bill for this account "
                "number, {other}.",
                "Its service period, {period}, overlaps by {n} days with that of another bill for this account "
                "number, {other}.",
                days,
                n=Count(days),
                period=_days(bill.period),
                other=_days(its),
            ),
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
            say_n(
                "The previous bill ended on {ended} and this one begins on {begins}: no bill covers the {n} day "
                "between them.",
                "The previous bill ended on {ended} and this one begins on {begins}: no bill covers the {n} days "
                "between them.",
                days,
                n=Count(days),
                ended=PLAIN.day(ended),
                begins=PLAIN.day(first),
            ),
            (bill_id,),
        )


_UNUSUAL = {
    (True, False): say(
        "The bill charges {amount} for {utility}: more than twice the usual {usual}, the median of the last {n} "
        "bills for this account."
    ),
    (False, False): say(
        "The bill charges {amount} for {utility}: less than half the usual {usual}, the median of the last {n} bills "
        "for this account."
    ),
    (True, True): say("The bill charges {amount} for {utility}: more than twice the {usual} in {month}."),
    (False, True): say("The bill charges {amount} for {utility}: less than half the {usual} in {month}."),
}
"""The sentences for an unusual amount.

Each key states whether the amount is more than usual, and whether it is compared with the same month a year before.
"""


def _days_of(bill: Compared) -> int | None:
    return (bill.period[1] - bill.period[0]).days + 1 if bill.period else None


def _unusual(bill: Compared, others: Sequence[Compared], currency: str) -> Iterator[Flag]:
    """Flag a utility's amount that is above twice or below half the usual amount.

    `others` are the other bills with the same account number, newest first. `usual` computes the usual amount for the
    bill's number of service days, as it does for the checks of a month. A low amount is not flagged if the bill may
    be for a different meter.
    """
    may_be_little, days = may_be_of_two_meters(bill, others), _days_of(bill)
    for types, amount in bill.amounts.items():
        past = [
            Earlier(billing_month(other.bill), other.amounts[types], _days_of(other), other.bill_id)
            for other in others[::-1]
            if other.day <= bill.day and types in other.amounts
        ]
        twice, last, year, is_per_day = usual(billing_month(bill.bill), days, past)
        if not is_unusual(amount, twice) or (may_be_little and amount <= twice):
            continue
        sentence = _UNUSUAL[amount > twice, year is not None].format(
            amount=PLAIN.money(amount, currency),
            utility=listed([within_a_sentence(utility_type) for utility_type in types]),
            usual=usual_in_words(PLAIN, twice, currency, days if is_per_day else None),
            n=Count(len(last)),
            month=PLAIN.month(year) if year else "",
        )
        yield Flag("unusualAmount", sentence, tuple(earlier.bill_id for earlier in last))


def _due_too_early(bill: NewBill) -> Iterator[Flag]:
    if bill.due_date is not None and bill.due_date < bill.bill_date:
        due, day = PLAIN.day(bill.due_date), PLAIN.day(bill.bill_date)
        yield Flag("dueBeforeBilled", say("It is due on {due}, before the bill date, {day}.", due=due, day=day))


def _in_future(bill: NewBill, today: date) -> Iterator[Flag]:
    """Flag a bill that is dated, or for days, long after today.

    >>> bill = NewBill("prop_1", "Aqua", ("WATER",), 80_00, date(2062, 12, 1))
    >>> [flag.message for flag in _in_future(bill, date(2026, 12, 1))]
    ['It is dated 2062-12-01, long after today.']
    >>> bill = bill._replace(bill_date=date(2026, 11, 20), service_start=date(2027, 1, 1))
    >>> [*_in_future(bill._replace(service_end=date(2027, 12, 31)), date(2026, 12, 1))]
    []
    """
    ahead, end = today + timedelta(days=AHEAD), today + _REACH
    if bill.bill_date > ahead:
        yield Flag("inFuture", say("It is dated {day}, long after today.", day=PLAIN.day(bill.bill_date)))
        return
    days = ((bill.service_start, ahead), (bill.service_end, end))
    if late := next((day for day, last in days if day and day > last), None):
        yield Flag("inFuture", say("Its service period contains {day}, long after today.", day=PLAIN.day(late)))


def _not_summing(bill: NewBill, currency: str) -> Iterator[Flag]:
    together = sum(amount for _, amount in bill.amounts)
    if bill.amounts and together != bill.total:
        off = PLAIN.money(abs(bill.total - together), currency)
        sums = {"lines": PLAIN.money(together, currency), "total": PLAIN.money(bill.total, currency), "off": off}
        yield Flag(
            "doesNotSum",
            say("Its lines add up to {lines}, but its total is {total}: the lines are {off} more.", **sums)
            if together > bill.total
            else say("Its lines add up to {lines}, but its total is {total}: the lines are {off} less.", **sums),
        )


def _days(period: tuple[date, date]) -> str:
    return say("{first} to {last}", first=PLAIN.day(period[0]), last=PLAIN.day(period[1]))
