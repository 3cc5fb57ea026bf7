"""Data for an account's first steps: months that may become history, and finished steps."""

from typing import NamedTuple

from sqlalchemy import Integer, and_, bindparam, case, cast, func, literal_column, select

from prorata.domain.audit.verbs import Verb
from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns, returns_one
from prorata.store.schema.joins import HAS_CHARGE, MONTH_OF_INVOICE
from prorata.store.schema.tables import bill_line, billing_month, charge, event, invoice, tenant, unit


class MonthBefore(NamedTuple):
    """A property's numbers of unused drafts and of other invoices in a month.

    A draft is unused if it was never sent and no person added a charge to it. `free_drafts` is the number of these
    drafts.
    """

    property_id: str
    month: str
    is_closed: bool
    free_drafts: int
    others: int


class BillsOfMonths(NamedTuple):
    """The number of a property's bills whose lines have the same first and last month."""

    property_id: str
    first: str
    last: str
    bills: int


class SpreadBills(NamedTuple):
    """The number of a property's bills, and of the months in which they have lines."""

    property_id: str
    bills: int
    months: int


_held = HAS_CHARGE.where(charge.c.bill_id.is_(None))
_free = and_(invoice.c.status == literal_column("'DRAFT'"), invoice.c.printed.is_(None), ~_held)
_free_drafts = func.sum(case((_free, 1), else_=0))
_MONTHS = returns(
    MonthBefore,
    select(
        invoice.c.property_id,
        invoice.c.month,
        billing_month.c.snapshot.is_not(None).label("is_closed"),
        cast(_free_drafts, Integer).label("free_drafts"),
        cast(func.count() - _free_drafts, Integer).label("others"),
    )
    .join(billing_month, MONTH_OF_INVOICE)
    .where(
        invoice.c.account_id == bindparam("account"),
        is_one_of(invoice.c.property_id, "properties"),
        invoice.c.month < bindparam("before"),
    )
    .group_by(invoice.c.property_id, invoice.c.month, billing_month.c.snapshot.is_not(None))
    .order_by(invoice.c.month),
)
_ranges = (
    select(
        bill_line.c.property_id, func.min(bill_line.c.month).label("first"), func.max(bill_line.c.month).label("last")
    )
    .where(bill_line.c.account_id == bindparam("account"), is_one_of(bill_line.c.property_id, "properties"))
    .group_by(bill_line.c.property_id, bill_line.c.bill_id)
    .subquery()
)
_BILLS = returns(
    BillsOfMonths,
    select(_ranges, func.count().label("bills"))
    .group_by(_ranges.c.property_id, _ranges.c.first, _ranges.c.last)
    .order_by(_ranges.c.last, _ranges.c.first),
)
_SPREAD = returns(
    SpreadBills,
    select(
        bill_line.c.property_id,
        func.count(bill_line.c.bill_id.distinct()).label("bills"),
        func.count(bill_line.c.month.distinct()).label("months"),
    )
    .where(bill_line.c.account_id == bindparam("account"), is_one_of(bill_line.c.property_id, "properties"))
    .group_by(bill_line.c.property_id),
)
_one = literal_column("1", Integer)
_HAS_UNIT = returns_one(
    select(unit.c.id)
    .where(unit.c.account_id == bindparam("account"), is_one_of(unit.c.property_id, "properties"))
    .limit(_one)
)
_HAS_TENANT = returns_one(
    select(tenant.c.id)
    .where(tenant.c.account_id == bindparam("account"), is_one_of(tenant.c.property_id, "properties"))
    .limit(_one)
)
_WAS_DONE = returns_one(
    select(event.c.id)
    .where(
        event.c.account_id == bindparam("account"),
        is_one_of(event.c.property_id, "properties"),
        is_one_of(event.c.verb, "verbs"),
    )
    .limit(_one)
)

_LATEST_OF = returns_one(
    select(event.c.verb)
    .where(
        event.c.account_id == bindparam("account"),
        event.c.record_id == bindparam("account"),
        is_one_of(event.c.verb, "verbs"),
    )
    .order_by(event.c.id.desc())
    .limit(_one)
)


def months_before(tx: Tx, account_id: str, property_ids: list[str], before: str) -> list[MonthBefore]:
    """List these properties' months before `before` that have invoices."""
    return tx.all(_MONTHS, account=account_id, properties=property_ids, before=before)


def bills_by_months(tx: Tx, account_id: str, property_ids: list[str]) -> list[BillsOfMonths]:
    """Count these properties' bills by the first and last month of their lines.

    The bills with the latest months come last.
    """
    return tx.all(_BILLS, account=account_id, properties=property_ids)


def spread_of_bills(tx: Tx, account_id: str, property_ids: list[str]) -> list[SpreadBills]:
    """Count each property's bills, and the months in which they have lines.

    Properties without bills are left out.
    """
    return tx.all(_SPREAD, account=account_id, properties=property_ids)


def has_unit(tx: Tx, account_id: str, property_ids: list[str]) -> bool:
    """True if one of these properties has a unit."""
    return tx.one(_HAS_UNIT, account=account_id, properties=property_ids) is not None


def has_tenant(tx: Tx, account_id: str, property_ids: list[str]) -> bool:
    """True if one of these properties has a tenant."""
    return tx.one(_HAS_TENANT, account=account_id, properties=property_ids) is not None


def was_done(tx: Tx, account_id: str, property_ids: list[str], verbs: list[Verb]) -> bool:
    """True if one of these actions was applied to these properties or their records."""
    return tx.one(_WAS_DONE, account=account_id, properties=property_ids, verbs=verbs) is not None


def latest_of(tx: Tx, account_id: str, verbs: list[Verb]) -> str | None:
    """Return which of these actions was the last to be applied to the account itself.

    Return None if none of them was ever applied to it.
    """
    return tx.one(_LATEST_OF, account=account_id, verbs=verbs)
