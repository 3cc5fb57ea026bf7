"""What a person should look at before a bill counts: each flag a plain sentence with its figures, and what to do."""

import re
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from hashlib import sha256
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

from prorata.domain.bills.bills import NewBill
from prorata.domain.groups import added_up
from prorata.domain.labels import same
from prorata.domain.limits import LONGEST_FLAG_REASON, MOST_BILLS_COMPARED
from prorata.domain.locale_forms import PLAIN
from prorata.domain.money import apportion
from prorata.domain.months.unusual_amounts import twice_the_median
from prorata.domain.problems import shown
from prorata.domain.texts import Count, listed, say, say_n
from prorata.domain.utility_names import NOT_BILLED_REASONS, within_a_sentence

FlagKind = Literal["duplicate", "overlap", "gap", "unusualAmount", "dueBeforeBilled", "doesNotSum"]
FLAG_KINDS: tuple[FlagKind, ...] = get_args(FlagKind)
ADVICE: Mapping[FlagKind, str] = {
    "duplicate": say("If it is the same bill, leave this one out; if it replaces that one, remove that one first."),
    "overlap": say("Compare the dates with the bill: days on two bills are paid twice."),
    "gap": say("Look whether a bill is missing, or a date is wrong."),
    "unusualAmount": say("Compare the amount with the bill, and the meter's reading with the meter."),
    "dueBeforeBilled": say("Compare both dates with the bill."),
    "doesNotSum": say(
        "Correct the line that is wrong, or add one that is missing; else say what the difference is for."
    ),
}
"""What to do about each kind."""
REACH = 400
"""So many days before and after a bill others are compared with it: six bills that come every second month."""
_REACH, _LAST, _BILL_NUMBER = timedelta(days=REACH), "~", "bill number"
FEWEST_DAYS = 2
"""A single day that two bills share, or that lies between them, is that of the meter reading."""
USUAL_OF, USUAL_FROM = 6, 3
"""An amount is compared with the median of at most, and at least, so many bills before it."""
_YEAR, _ABOUT = timedelta(days=365), timedelta(days=20)
"""The bill of a year before comes first, for heating costs more in winter: about so many days before."""
_ASIDE = re.compile(r"[\s./_-]+")


class EarlierBill(NamedTuple):
    """A bill that is there already, with its id."""

    bill_id: str
    bill: NewBill


class Flag(NamedTuple):
    """One thing to look at: a sentence, and the ids of the bills that are there already and it is about."""

    kind: FlagKind
    message: str
    bills: tuple[str, ...] = ()

    @property
    def advice(self) -> str:
        """What to do about it."""
        return ADVICE[self.kind]


class _Compared(NamedTuple):
    """A bill with what it is compared by, worked out once: numbers and issuer in the form in which they are compared,
    the first and last day of its service, and what it asks for each utility, in cents.
    """

    day: date
    bill_id: str
    bill: NewBill
    issuer: str
    account: str
    own: str
    period: tuple[date, date] | None
    types: frozenset[str]
    amounts: Mapping[tuple[str, ...], int]


def _compared(bill_id: str, bill: NewBill) -> _Compared:
    issuer, account, own = _same(bill.issuer_name), _bare(bill.account_number), _bare(bill.bill_number)
    kinds = frozenset(bill.utility_types)
    return _Compared(bill.bill_date, bill_id, bill, issuer, account, own, _period(bill), kinds, _amounts(bill))


class KnownBills:
    """Bills that are there already, found by their numbers and totals: what one bill is compared with is little,
    however many there are.
    """

    def __init__(self, known: Iterable[EarlierBill] = ()) -> None:
        self._by_key: dict[tuple[str | int, ...], list[_Compared]] = defaultdict(list)
        self._last: _Compared | None = None
        for one in known:
            self.add(one)

    def add(self, one: EarlierBill) -> None:
        """Note one more."""
        if self._last is not None and self._last.bill is one.bill:  # whose flags were looked for just now
            compared = self._last._replace(bill_id=one.bill_id)
        else:
            compared = _compared(one.bill_id, one.bill)
        for key in _keys(compared):
            insort(self._by_key[key], compared, key=_in_time)

    def _related_to(self, bill: _Compared, but: Collection[str] = ()) -> list[_Compared]:
        """Those that share a number or the total with it, the newest first, without those whose ids are in `but`: those
        of up to `REACH` days before it and behind it, and those of its number; of many the `MOST_BILLS_COMPARED`
        nearest.
        """
        found = {one.bill_id: one for key in _keys(bill) for one in self._near(key, bill.day)}
        related = [one for one in found.values() if one.bill_id not in but]
        related.sort(key=_in_time, reverse=True)
        return related

    def _near(self, key: tuple[str | int, ...], day: date) -> list[_Compared]:
        there = self._by_key.get(key, [])
        first, last = 0, len(there)
        if key[0] != _BILL_NUMBER and there:
            reach = there[0].day < day - _REACH, there[-1].day > day + _REACH
            first = bisect_left(there, (day - _REACH, ""), key=_in_time) if reach[0] else 0
            last = bisect_right(there, (day + _REACH, _LAST), key=_in_time) if reach[1] else last
        if last - first > MOST_BILLS_COMPARED:
            at = bisect_right(there, (day, _LAST), key=_in_time)
            first, last = max(first, at - MOST_BILLS_COMPARED), min(last, at + MOST_BILLS_COMPARED)
        return there[first:last]

    def flags_of(self, bill: NewBill, currency: str, *, but: Collection[str] = ()) -> tuple[Flag, ...]:
        """Everything about a bill that a person should look at before it counts. Those that it is compared with may be
        in any order, of other issuers, account numbers and properties too; `but` are the ids of those of them that it
        is not: it itself. Amounts are in cents of one currency, first and last days of a period both belong to it.

        >>> before = NewBill("prop_1", "Aqua", ("WATER",), 80_00, date(2026, 3, 1), account_number="A-1")
        >>> again, known = before._replace(account_number="a1"), KnownBills([EarlierBill("bill_1", before)])
        >>> [flag.message for flag in known.flags_of(again, "USD")]
        ['A bill of Aqua of 2026-03-01 over $80.00 is there already.']
        """
        mine = self._last = _compared("", bill)
        related = self._related_to(mine, but)
        duplicates = [one for one in related if _is_the_same(mine, one) or _may_be_the_same(mine, one)]
        twice = {one.bill_id for one in duplicates}
        here = [one for one in related if one.bill.property_id == bill.property_id and one.account]
        others = [one for one in here if one.bill_id not in twice and _are_of_one_account(mine, one)]
        return (
            *_duplicate(mine, duplicates, currency),
            *_beside(mine, others),
            *_unusual(mine, others, currency),
            *_due_too_early(bill),
            *_not_summing(bill, currency),
        )


_in_time = itemgetter(0, 1)


def shown_as(flags: Sequence[Flag]) -> str:
    """What tells which flags of a bill somebody was shown, and about which bills: others give another text; none give
    an empty one.
    """
    said = "\x1e".join("\x1f".join((flag.kind, flag.message, *flag.bills)) for flag in flags)
    return sha256(said.encode()).hexdigest()[:16] if flags else ""


def reason_problem(reason: str) -> str | None:
    """What is wrong with the reason for which a flag is accepted, in a sentence."""
    if not reason.strip():
        return say("Say in a few words why it is right.")
    if len(reason.strip()) > LONGEST_FLAG_REASON:
        return say("Write at most {most} characters.", most=LONGEST_FLAG_REASON)
    return None if reason.isprintable() else say("Write one line of plain text.")


def bare_number(number: str | None) -> str:
    """The form in which account and bill numbers are compared: no case, spaces, dots, slashes or hyphens.

    >>> bare_number("12-345 B"), bare_number(" 12.345/b "), bare_number(None)
    ('12345b', '12345b', '')
    """
    return _ASIDE.sub("", same(number or ""))


def _keys(one: _Compared) -> Iterator[tuple[str | int, ...]]:
    """What bills share at least one of that are compared: the account number, the bill's number, or the total."""
    of, total = one.bill.property_id, one.bill.total
    yield "total", of, total
    if one.own:
        yield _BILL_NUMBER, one.issuer, one.own
    if one.account:
        yield "account", of, one.account
        yield "account elsewhere", one.issuer, one.account, total


def _are_of_one_account(bill: _Compared, other: _Compared) -> bool:
    """Whether two bills are of one account at an issuer: by the issuer and the bill's own number, however the account
    number is written. Else within a property by their account numbers where both have one, which two spellings of an
    issuer's name do not part, and otherwise by the issuer; of two properties by the issuer and the account number: a
    bill that was entered for the wrong one.
    """
    if bill.issuer == other.issuer and bill.own == other.own != "":
        return True
    if bill.bill.property_id == other.bill.property_id and bill.account and other.account:
        return bill.account == other.account
    if bill.issuer != other.issuer:
        return False
    if bill.bill.property_id == other.bill.property_id:
        return True
    return bill.account == other.account != ""


@lru_cache(10_000)
def _bare(number: str | None) -> str:
    return bare_number(number)


@lru_cache(10_000)
def _same(text: str) -> str:
    return same(text)


def _is_the_same(bill: _Compared, other: _Compared) -> bool:
    """Whether a bill's number was seen of its account, or its total for its period; without periods, its total of its
    day. Without an account number that both have, bills for different utilities with the same total are two.
    """
    if not _are_of_one_account(bill, other):
        return False
    if bill.own and bill.own == other.own:
        return True
    is_one_account = bill.account == other.account != ""
    if bill.bill.total != other.bill.total or not (is_one_account or bill.types & other.types):
        return False
    if bill.period is None or other.period is None:
        return bill.day == other.day
    return bill.period == other.period


def _may_be_the_same(bill: _Compared, other: _Compared) -> bool:
    """Whether two bills of a property may be one whose issuer or account number is written otherwise, or not at all: by
    number and total; or, where one of them has no account number, by total, period and utility.
    """
    if bill.bill.property_id != other.bill.property_id or bill.bill.total != other.bill.total:
        return False
    if bill.own and bill.own == other.own:
        return True
    is_one_period = bill.period == other.period is not None
    return is_one_period and not (bill.account and other.account) and bool(bill.types & other.types)


def _period(bill: NewBill) -> tuple[date, date] | None:
    """First and last day of a bill's service, both counted; None where it does not say them or they contradict."""
    first, last = bill.service_start, bill.service_end
    return None if first is None or last is None or last < first else (first, last)


def _duplicate(bill: _Compared, found: Sequence[_Compared], currency: str) -> Iterator[Flag]:
    if not found:
        return
    other = found[0].bill
    period, days = found[0].period, ""
    if bill.own and bill.own == found[0].own:
        form = say("Bill number {number} of {issuer} is there already: of {day}, over {money}.")
    elif period and bill.period:
        form, days = say("A bill of {issuer} of {day} over {money} for {days} is there already."), _days(period)
    else:
        form = say("A bill of {issuer} of {day} over {money} is there already.")
    message = form.format(
        number=shown(other.bill_number or ""), issuer=shown(other.issuer_name), day=PLAIN.day(other.bill_date),
        money=PLAIN.money(other.total, currency), days=days,
    )  # fmt: skip
    yield Flag("duplicate", message, tuple(one.bill_id for one in found))


def _beside(bill: _Compared, others: Sequence[_Compared]) -> Iterator[Flag]:
    """How a bill's days lie to those of the other bills of its account number: shared, or with days between."""
    if bill.period is None or not bill.account:
        return
    first, last = bill.period
    beside = [(one.period, one.bill_id) for one in others if one.period is not None and one.types & bill.types]
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
                "Its service period, {period}, shares {n} day with that of another bill of this account number, "
                "{other}.",
                "Its service period, {period}, shares {n} days with that of another bill of this account number, "
                "{other}.",
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
                "The bill before it ended on {ended} and this one begins on {begins}: {n} day between them is on "
                "no bill.",
                "The bill before it ended on {ended} and this one begins on {begins}: {n} days between them are on no "
                "bill.",
                days,
                n=Count(days),
                ended=PLAIN.day(ended),
                begins=PLAIN.day(first),
            ),
            (bill_id,),
        )


_UNUSUAL = {
    (True, False): say(
        "It asks {amount} for {utility}: more than twice the usual {usual}, the median of the last {n} bills of this "
        "account number."
    ),
    (False, False): say(
        "It asks {amount} for {utility}: less than half the usual {usual}, the median of the last {n} bills of this "
        "account number."
    ),
    (True, True): say("It asks {amount} for {utility}: more than twice the {usual} of {day}, a year before."),
    (False, True): say("It asks {amount} for {utility}: less than half the {usual} of {day}, a year before."),
}
"""By whether it is more, and whether it is compared with the bill of a year before."""


def _unusual(bill: _Compared, others: Sequence[_Compared], currency: str) -> Iterator[Flag]:
    """What a bill asks for a utility, where it is more than twice or less than half the usual: of the bill of its
    account number a year before; where there is none, of the median of the last three to six before it that name an
    amount for that utility. `others` are those of its account number, the newest first.
    """
    for types, amount in bill.amounts.items() if bill.account else ():
        past = [one for one in others if one.day <= bill.day and types in one.amounts]
        far = {one.bill_id: abs(bill.day - one.day - _YEAR) for one in past}
        year = sorted((one for one in past if far[one.bill_id] <= _ABOUT), key=lambda one: far[one.bill_id])[:1]
        last = year or past[:USUAL_OF][::-1]
        twice = twice_the_median([one.amounts[types] for one in last])
        if len(last) < (len(year) or USUAL_FROM) or twice <= 0 or twice <= 4 * amount <= 4 * twice:
            continue
        said = _UNUSUAL[amount > twice, bool(year)].format(
            amount=PLAIN.money(amount, currency),
            utility=listed([within_a_sentence(one) for one in types]),
            usual=PLAIN.money(apportion(twice, [1, 1])[0], currency),
            n=Count(len(last)),
            day=PLAIN.day(last[0].day),
        )
        yield Flag("unusualAmount", said, tuple(one.bill_id for one in last))


def _amounts(bill: NewBill) -> Mapping[tuple[str, ...], int]:
    """What a bill asks for each utility, in cents; for all of its utilities together where it does not divide them."""
    if not bill.amounts:
        return {tuple(sorted(bill.utility_types)): bill.total}
    return added_up(((name,), amount) for name, amount in bill.amounts if name not in NOT_BILLED_REASONS)


def _due_too_early(bill: NewBill) -> Iterator[Flag]:
    if bill.due_date is not None and bill.due_date < bill.bill_date:
        due, day = PLAIN.day(bill.due_date), PLAIN.day(bill.bill_date)
        yield Flag(
            "dueBeforeBilled", say("It is due on {due}, before the day of the bill itself, {day}.", due=due, day=day)
        )


def _not_summing(bill: NewBill, currency: str) -> Iterator[Flag]:
    together = sum(amount for _, amount in bill.amounts)
    if bill.amounts and together != bill.total:
        off = PLAIN.money(abs(bill.total - together), currency)
        sums = {"lines": PLAIN.money(together, currency), "total": PLAIN.money(bill.total, currency), "off": off}
        yield Flag(
            "doesNotSum",
            say("Its lines come to {lines} and its total is {total}: {off} more.", **sums)
            if together > bill.total
            else say("Its lines come to {lines} and its total is {total}: {off} less.", **sums),
        )


def _days(period: tuple[date, date]) -> str:
    return say("{first} to {last}", first=PLAIN.day(period[0]), last=PLAIN.day(period[1]))
