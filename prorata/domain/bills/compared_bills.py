"""Bills prepared for comparison by their numbers, issuer, dates and amounts."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from prorata.domain.billing_calendar import service_period
from prorata.domain.bills.bills import NewBill
from prorata.domain.groups import added_up
from prorata.domain.labels import same
from prorata.domain.limits import CLOSEST_OF_ONE_METER
from prorata.domain.utility_names import NOT_BILLED_REASONS

BILL_NUMBER = "bill number"
_ASIDE = re.compile(r"[\s./_-]+")


class EarlierBill(NamedTuple):
    """An existing bill with its id."""

    bill_id: str
    bill: NewBill


class Compared(NamedTuple):
    """A bill with the values by which it is compared with others, computed once.

    The values are the normalized issuer, account number and bill number, the first and last day of service, and
    the amount of each utility in cents.
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
    """Compute the values of a bill by which it is compared with other bills."""
    issuer, account, own = _same(bill.issuer_name), _bare(bill.account_number), _bare(bill.bill_number)
    period, kinds = service_period(bill.service_start, bill.service_end), frozenset(bill.utility_types)
    return Compared(bill.bill_date, bill_id, bill, issuer, account, own, period, kinds, _amounts(bill))


def bare_number(number: str | None) -> str:
    """Normalize account and bill numbers for comparison, ignoring case, spaces, dots, slashes and hyphens.

    >>> bare_number("12-345 B"), bare_number(" 12.345/b "), bare_number(None)
    ('12345b', '12345b', '')
    """
    return _ASIDE.sub("", same(number or ""))


def keys_of(bill: Compared) -> Iterator[tuple[str | int, ...]]:
    """Yield the keys under which a bill is found for comparison.

    Only bills that share a key are compared. A bill's keys are its property with its total, its bill number, and
    its account number. If the bill has no account number, its issuer is a key instead.
    """
    of, total = bill.bill.property_id, bill.bill.total
    yield "total", of, total
    if bill.own:
        yield BILL_NUMBER, bill.issuer, bill.own
    if not bill.account:
        yield "issuer", of, bill.issuer
    else:
        yield "account", of, bill.account
        yield "account elsewhere", bill.issuer, bill.account, total


def are_of_one_account(bill: Compared, other: Compared) -> bool:
    """True if two bills belong to the same account at an issuer.

    They do so if the issuer and the bill number match, whether or not the account numbers match. Otherwise, within
    a property, the account numbers must match if both bills have one, even if the issuer's name is spelled
    differently; if one of the bills has no account number, the issuers must match. Across properties, the issuer
    and the account number must match, because one bill may have been entered for the wrong property.
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
    """List the issuer's other bills in the property that, like `bill`, have no account number.

    The bills are chosen from `related`. They must share a utility with `bill`, and their ids must not be in
    `twice`, which contains the duplicates of `bill`. If the dates of two of the chosen bills are close together,
    the result is empty, because the bills may be for different meters.
    """
    its = [
        other
        for other in related
        if not bill.account
        and not other.account
        and (other.bill.property_id, other.issuer) == (bill.bill.property_id, bill.issuer)
        and other.bill_id not in twice
        and other.amounts.keys() & bill.amounts.keys()
    ]
    days = sorted(other.day for other in its)
    return its if all((after - before).days > CLOSEST_OF_ONE_METER for before, after in pairwise(days)) else []


def may_be_of_two_meters(bill: Compared, others: Sequence[Compared]) -> bool:
    """True if a bill and one of the others may be for different meters.

    This is so if the bill has no account number and its date is close to that of another bill.
    """
    return not bill.account and any(abs((bill.day - other.day).days) <= CLOSEST_OF_ONE_METER for other in others)


@lru_cache(10_000)
def _bare(number: str | None) -> str:
    return bare_number(number)


@lru_cache(10_000)
def _same(text: str) -> str:
    return same(text)


def is_the_same(bill: Compared, other: Compared) -> bool:
    """True if two bills are the same bill.

    They must belong to one account at the issuer (`are_of_one_account`). If they also have the same bill number,
    they are the same. Otherwise, their totals and service periods must match; if either bill has no period, their
    bill dates must match instead. Bills for different utilities are then the same only if both have the same
    account number.
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
    """True if two bills may be one bill, written differently or incompletely.

    Both must be for one property and have the same total. In addition, they must have either the same bill number,
    or the same service period and a utility in common. A matching period and utility are enough only if at least
    one of the bills has no account number.
    """
    if bill.bill.property_id != other.bill.property_id or bill.bill.total != other.bill.total:
        return False
    if bill.own and bill.own == other.own:
        return True
    is_one_period = bill.period == other.period is not None
    return is_one_period and not (bill.account and other.account) and bool(bill.types & other.types)


def _amounts(bill: NewBill) -> Mapping[tuple[str, ...], int]:
    """Map each utility of a bill to its amount in cents, without unbilled amounts.

    If the bill states no amounts, all of its utilities together are mapped to the total.
    """
    if not bill.amounts:
        return {tuple(sorted(bill.utility_types)): bill.total}
    return added_up(((name,), amount) for name, amount in bill.amounts if name not in NOT_BILLED_REASONS)
