"""What the overview reads: sums of a month over all properties, what needs attention, and what utilities cost."""

from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    Integer,
    Select,
    and_,
    bindparam,
    cast,
    func,
    literal_column,
    not_,
    select,
)

from prorata.domain.lifecycle import DRAFT
from prorata.store import job_tables
from prorata.store.engine import Tx
from prorata.store.job_tables import job
from prorata.store.statements import Statement, returns, returns_one
from prorata.store.tables import bill_line, billing_month, invoice, property_

PLACES = 5
"""So many places of one kind are named."""


class MonthSums(NamedTuple):
    """What a month comes to over the properties of one currency, in cents; with counts of invoices by status."""

    currency: str
    properties: int
    draft: int
    sent: int
    paid: int
    overdue: int
    cancelled: int
    billed: int
    received: int
    owner_amount: int


class StatusSum(NamedTuple):
    """What a month's invoices of one status and currency come to, and what of it is paid, in cents; those of units that
    stood empty apart.
    """

    currency: str
    status: str
    is_vacant: bool
    number: int
    total: int
    paid_amount: int


class Place(NamedTuple):
    """A property-month that something is to be done about, and how much of it."""

    property_id: str
    property_name: str
    month: str
    number: int


class Places(NamedTuple):
    """How much there is to be done in all, and the first places, the newest month first."""

    number: int
    first: tuple[Place, ...]


class DraftCount(NamedTuple):
    """In how many properties a month has drafts that are for somebody, and how many those are."""

    places: int
    drafts: int


class Cost(NamedTuple):
    """What bills of one utility and month come to in one currency, in cents; without a type what is not billed."""

    currency: str
    month: str
    utility_type: str | None
    amount: int


_my_month = billing_month.c.account_id == bindparam("account")
_its_property = and_(
    property_.c.account_id == billing_month.c.account_id, property_.c.id == billing_month.c.property_id
)
_summed = MonthSums._fields[2:]
_SUMS = returns(
    MonthSums,
    select(
        property_.c.currency,
        func.count().label("properties"),
        *(cast(func.sum(billing_month.c[name]), BigInteger).label(name) for name in _summed),
    )
    .join(property_, _its_property)
    .where(_my_month, billing_month.c.month == bindparam("month"))
    .group_by(property_.c.currency)
    .order_by(property_.c.currency),
)
_is_vacant = invoice.c.tenant_name.is_(None)
_STATUS_SUMS = returns(
    StatusSum,
    select(
        property_.c.currency,
        invoice.c.status,
        _is_vacant.label("is_vacant"),
        func.count().label("number"),
        cast(func.sum(invoice.c.total), BigInteger).label("total"),
        cast(func.sum(invoice.c.paid_amount), BigInteger).label("paid_amount"),
    )
    .join(property_, and_(property_.c.account_id == invoice.c.account_id, property_.c.id == invoice.c.property_id))
    .where(invoice.c.account_id == bindparam("account"), invoice.c.month == bindparam("month"))
    .group_by(property_.c.currency, invoice.c.status, _is_vacant)
    .order_by(property_.c.currency, invoice.c.status),
)
_place = select(property_.c.id.label("property_id"), property_.c.name.label("property_name"), billing_month.c.month)
_newest_first = (billing_month.c.month.desc(), property_.c.id)
_count: Select[tuple[int]] = select(func.count())
_lacks = and_(billing_month.c.missing_count > literal_column("0"), billing_month.c.snapshot.is_(None))
_waits = and_(
    bill_line.c.account_id == bindparam("account"), not_(bill_line.c.charged), billing_month.c.snapshot.is_not(None)
)
_month_of_line = and_(
    billing_month.c.account_id == bill_line.c.account_id,
    billing_month.c.property_id == bill_line.c.property_id,
    billing_month.c.month == bill_line.c.month,
)
_bills = func.count(bill_line.c.bill_id.distinct())
_PENDING = returns(
    Place,
    _place.add_columns(literal_column("1", Integer).label("number"))
    .join(property_, _its_property)
    .where(_my_month, billing_month.c.pending)
    .order_by(*_newest_first)
    .limit(bindparam("limit"))
    .offset(bindparam("offset")),
)
_COUNT_PENDING = returns_one(_count.select_from(billing_month).where(_my_month, billing_month.c.pending))
_MISSING = returns(
    Place,
    _place.add_columns(billing_month.c.missing_count.label("number"))
    .join(property_, _its_property)
    .where(_my_month, _lacks)
    .order_by(*_newest_first)
    .limit(bindparam("limit"))
    .offset(bindparam("offset")),
)
_COUNT_MISSING = returns_one(_count.select_from(billing_month).where(_my_month, _lacks))
_WAITING = returns(
    Place,
    _place.add_columns(_bills.label("number"))
    .select_from(bill_line)
    .join(billing_month, _month_of_line)
    .join(property_, _its_property)
    .where(_waits)
    .group_by(property_.c.id, property_.c.name, billing_month.c.month)
    .order_by(*_newest_first)
    .limit(bindparam("limit"))
    .offset(bindparam("offset")),
)
_COUNT_WAITING = returns_one(select(_bills).select_from(bill_line).join(billing_month, _month_of_line).where(_waits))
_mine = invoice.c.account_id == bindparam("account")
_is_draft = and_(_mine, invoice.c.status == literal_column(f"'{DRAFT}'"), invoice.c.tenant_id.is_not(None))
_of_month = invoice.c.month == bindparam("month")
_of_invoice = and_(property_.c.account_id == invoice.c.account_id, property_.c.id == invoice.c.property_id)
_drafts_at = (
    select(
        property_.c.id.label("property_id"),
        property_.c.name.label("property_name"),
        invoice.c.month,
        func.count().label("number"),
    )
    .join(property_, _of_invoice)
    .group_by(property_.c.id, property_.c.name, invoice.c.month)
    .order_by(invoice.c.month.desc(), property_.c.id)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_DRAFTS_OF_MONTH = returns(Place, _drafts_at.where(_is_draft, _of_month))
_counted_drafts = select(
    func.count(invoice.c.property_id.distinct()).label("places"), func.count().label("drafts")
).select_from(invoice)
_drafts_there = (
    select(func.count())
    .select_from(invoice)
    .where(_is_draft, invoice.c.property_id == billing_month.c.property_id, invoice.c.month == billing_month.c.month)
)
_is_for_somebody = and_(
    billing_month.c.draft > literal_column("0"),
    _drafts_there.with_only_columns(literal_column("1")).correlate(billing_month).exists(),
)
_DRAFTS = returns(
    Place,
    _place.add_columns(_drafts_there.correlate(billing_month).scalar_subquery().label("number"))
    .join(property_, _its_property)
    .where(_my_month, _is_for_somebody)
    .order_by(*_newest_first)
    .limit(bindparam("limit"))
    .offset(bindparam("offset")),
)
_COUNT_DRAFTS = returns_one(_count.select_from(billing_month).where(_my_month, _is_for_somebody))
_COUNT_DRAFTS_OF_MONTH = returns(DraftCount, _counted_drafts.where(_is_draft, _of_month))
_FAILED_JOBS = returns_one(
    select(func.count()).select_from(job).where(job.c.account_id == bindparam("account"), job_tables.FAILED)
)
_COSTS = returns(
    Cost,
    select(
        property_.c.currency,
        bill_line.c.month,
        bill_line.c.utility_type,
        cast(func.sum(bill_line.c.amount), BigInteger).label("amount"),
    )
    .join(property_, and_(property_.c.account_id == bill_line.c.account_id, property_.c.id == bill_line.c.property_id))
    .where(
        bill_line.c.account_id == bindparam("account"),
        bill_line.c.month.between(bindparam("first"), bindparam("last")),
    )
    .group_by(property_.c.currency, bill_line.c.month, bill_line.c.utility_type),
)


def sums(tx: Tx, account_id: str, month: str) -> list[MonthSums]:
    """What a month comes to, for each currency of the account."""
    return tx.all(_SUMS, account=account_id, month=month)


def status_sums(tx: Tx, account_id: str, month: str) -> list[StatusSum]:
    """What a month's invoices come to, for each currency and status."""
    return tx.all(_STATUS_SUMS, account=account_id, month=month)


def pending(tx: Tx, account_id: str, *, limit: int = PLACES, offset: int = 0) -> Places:
    """Closed months that would be computed otherwise by now."""
    return _places(tx, account_id, _COUNT_PENDING, _PENDING, limit, offset)


def missing(tx: Tx, account_id: str, *, limit: int = PLACES, offset: int = 0) -> Places:
    """Open months of which a measure that a rule needs is missing."""
    return _places(tx, account_id, _COUNT_MISSING, _MISSING, limit, offset)


def waiting(tx: Tx, account_id: str, *, limit: int = PLACES, offset: int = 0) -> Places:
    """Bills that wait, and the closed months that they wait for."""
    return _places(tx, account_id, _COUNT_WAITING, _WAITING, limit, offset)


def drafts(tx: Tx, account_id: str, *, limit: int = PLACES, offset: int = 0) -> Places:
    """Property-months with drafts that are for somebody."""
    return _places(tx, account_id, _COUNT_DRAFTS, _DRAFTS, limit, offset)


def drafts_of_month(tx: Tx, account_id: str, month: str, *, limit: int = PLACES, offset: int = 0) -> Places:
    """Properties whose drafts of a month are for somebody."""
    number = number_of_drafts(tx, account_id, month).places
    asked = {"account": account_id, "month": month, "limit": limit, "offset": offset}
    return Places(number, tuple(tx.all(_DRAFTS_OF_MONTH, **asked)) if number else ())


def number_of_drafts(tx: Tx, account_id: str, month: str) -> DraftCount:
    """How many drafts of a month are for somebody, and in how many properties."""
    return tx.one(_COUNT_DRAFTS_OF_MONTH, account=account_id, month=month) or DraftCount(0, 0)


def _places(
    tx: Tx, account_id: str, number: Statement[int], places: Statement[Place], limit: int, offset: int
) -> Places:
    found = tx.one(number, account=account_id) or 0
    rows = tx.all(places, account=account_id, limit=limit, offset=offset) if found else []
    return Places(found, tuple(rows))


def failed_jobs(tx: Tx, account_id: str) -> int:
    """How many of the account's jobs failed and wait for a person."""
    return tx.one(_FAILED_JOBS, account=account_id) or 0


def costs(tx: Tx, account_id: str, first: str, last: str) -> list[Cost]:
    """What bills come to from a month to a month, for each currency, month and utility."""
    return tx.all(_COSTS, account=account_id, first=first, last=last)
