"""Bills as they are compared: by their numbers, issuer, days and amounts."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from prorata.domain.bills.bills import NewBill
from prorata.domain.groups import added_up
from prorata.domain.labels import same
from prorata.domain.limits import CLOSEST_OF_ONE_METER
from prorata.domain.utility_names import NOT_BILLED_REASONS

BILL_NUMBER = "bill number"
_ASIDE = re.compile(r"[\s./_-]+")


class EarlierBill(NamedTuple):
    """A bill that is there already, with its id."""

    bill_id: str
    bill: NewBill


class Compared(NamedTuple):
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


def compared(bill_id: str, bill: NewBill) -> Compared:
    """A bill as it is compared with others."""
    issuer, account, own = _same(bill.issuer_name), _bare(bill.account_number), _bare(bill.bill_number)
    kinds = frozenset(bill.utility_types)
    return Compared(bill.bill_date, bill_id, bill, issuer, account, own, _period(bill), kinds, _amounts(bill))


def bare_number(number: str | None) -> str:
    """The form in which account and bill numbers are compared: no case, spaces, dots, slashes or hyphens.

    >>> bare_number("12-345 B"), bare_number(" 12.345/b "), bare_number(None)
    ('12345b', '12345b', '')
    """
    return _ASIDE.sub("", same(number or ""))


def keys_of(one: Compared) -> Iterator[tuple[str | int, ...]]:
    """What bills share at least one of that are compared: the account number, the bill's number, or the total."""
    of, total = one.bill.property_id, one.bill.total
    yield "total", of, total
    if one.own:
        yield BILL_NUMBER, one.issuer, one.own
    if not one.account:
        yield "issuer", of, one.issuer
    else:
        yield "account", of, one.account
        yield "account elsewhere", one.issuer, one.account, total


def are_of_one_account(bill: Compared, other: Compared) -> bool:
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


def without_numbers(bill: Compared, related: Sequence[Compared], twice: Container[str]) -> list[Compared]:
    """The bills of the issuer of one without an account number in its property that have none, either; none where two
    of these lie close to each other, as they may be of two meters.
    """
    its = [
        one
        for one in related
        if not bill.account
        and not one.account
        and (one.bill.property_id, one.issuer) == (bill.bill.property_id, bill.issuer)
        and one.bill_id not in twice
        and one.amounts.keys() & bill.amounts.keys()
    ]
    days = sorted(one.day for one in its)
    return its if all((after - before).days > CLOSEST_OF_ONE_METER for before, after in pairwise(days)) else []


def may_be_of_two_meters(bill: Compared, others: Sequence[Compared]) -> bool:
    """Whether a bill without an account number lies so close to another that it may be another meter's."""
    return not bill.account and any(abs((bill.day - one.day).days) <= CLOSEST_OF_ONE_METER for one in others)


@lru_cache(10_000)
def _bare(number: str | None) -> str:
    return bare_number(number)


@lru_cache(10_000)
def _same(text: str) -> str:
    return same(text)


def is_the_same(bill: Compared, other: Compared) -> bool:
    """Whether a bill's number was seen of its account, or its total for its period; without periods, its total of its
    day. Without an account number that both have, bills for different utilities with the same total are two.
    """
    if not are_of_one_account(bill, other):
        return False
    if bill.own and bill.own == other.own:
        return True
    is_one_account = bill.account == other.account != ""
    if bill.bill.total != other.bill.total or not (is_one_account or bill.types & other.types):
        return False
    if bill.period is None or other.period is None:
        return bill.day == other.day
    return bill.period == other.period


def may_be_the_same(bill: Compared, other: Compared) -> bool:
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


def _amounts(bill: NewBill) -> Mapping[tuple[str, ...], int]:
    """What a bill asks for each utility, in cents; for all of its utilities together where it does not divide them."""
    if not bill.amounts:
        return {tuple(sorted(bill.utility_types)): bill.total}
    return added_up(((name,), amount) for name, amount in bill.amounts if name not in NOT_BILLED_REASONS)
