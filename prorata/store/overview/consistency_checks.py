"""Data of `prorata check`: newly computed counts and sums, and misplaced records."""

from typing import NamedTuple

from sqlalchemy import BigInteger, Label, Select, and_, bindparam, cast, exists, func, literal, or_, select
from sqlalchemy.sql.elements import ColumnElement

from prorata.store.accounts.accounts import Counts
from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, is_one_of, returns, returns_one
from prorata.store.schema.joins import alike, named_by
from prorata.store.schema.tables import (
    bill,
    bill_flag,
    bill_line,
    billing_month,
    held_line,
    invoice,
    property_,
    tally,
    tenant,
    unit,
)


class Size(NamedTuple):
    """The approximate number of a property's records.

    It determines how many properties are checked together.
    """

    property_id: str
    records: int


class MonthSize(NamedTuple):
    """The number of invoices in a property's month."""

    month: str
    invoices: int


class TallyRow(NamedTuple):
    """The number of invoices in each status, for a property, a month, or the account.

    `month` is empty for a property, `property_id` for a month of all properties, and both for the account.
    """

    property_id: str
    month: str
    draft: int
    sent: int
    paid: int
    overdue: int
    cancelled: int


class UnequalBill(NamedTuple):
    """A bill whose lines don't sum to its total; both amounts are in cents."""

    id: str
    total: int
    lines: int


class LineInPlace(NamedTuple):
    """A bill line that a check found: its bill's id, its number and its month."""

    bill_id: str
    number: int
    month: str


def _sum(column: ColumnElement[int], name: str) -> Label[int]:
    """Build a column's sum as a whole number, since PostgreSQL would return a decimal."""
    return cast(func.coalesce(func.sum(column), 0), BigInteger).label(name)


_invoices = (
    billing_month.c.draft
    + billing_month.c.sent
    + billing_month.c.paid
    + billing_month.c.overdue
    + billing_month.c.cancelled
)
_my_property = property_.c.account_id == bindparam("account")
_my_month = billing_month.c.account_id == bindparam("account")
_my_bill = and_(bill.c.account_id == bindparam("account"), is_one_of(bill.c.property_id, "properties"))
_sums = [_sum(billing_month.c[name], name) for name in Counts._fields]


def _counted(of: Select[int]) -> ColumnElement[int]:
    return func.coalesce(of.correlate(property_).scalar_subquery(), 0)


_SIZES = returns(
    Size,
    select(
        property_.c.id.label("property_id"),
        (
            _counted(select(_sum(_invoices, "invoices")).where(named_by(property_, billing_month.c.property_id)))
            + _counted(select(func.count()).where(named_by(property_, unit.c.property_id)))
            + _counted(select(func.count()).where(named_by(property_, bill.c.property_id)))
        ).label("records"),
    )
    .where(_my_property)
    .order_by(property_.c.id),
)
_MONTH_SIZES = returns(
    MonthSize,
    select(billing_month.c.month, _invoices.label("invoices"))
    .where(_my_month, billing_month.c.property_id == bindparam("property"))
    .order_by(billing_month.c.month),
)
_COUNT_PROPERTIES = returns_one(select(func.count()).select_from(property_).where(_my_property))
_COUNT_BILLS = returns_one(select(func.count()).select_from(bill).where(bill.c.account_id == bindparam("account")))
_TALLIES = returns(
    TallyRow,
    select(*columns_for(TallyRow, tally)).where(tally.c.account_id == bindparam("account")),
)
_BY_PROPERTY = returns(
    TallyRow,
    select(billing_month.c.property_id, literal("").label("month"), *_sums)
    .where(_my_month)
    .group_by(billing_month.c.property_id),
)
_BY_MONTH = returns(
    TallyRow,
    select(literal("").label("property_id"), billing_month.c.month, *_sums)
    .where(_my_month)
    .group_by(billing_month.c.month),
)
_NUMBERED_TWICE = returns_one(
    select(invoice.c.number)
    .where(invoice.c.account_id == bindparam("account"))
    .group_by(invoice.c.number)
    .having(func.count() > 1)
)

_of_bill = named_by(bill, bill_line.c.bill_id)
_held_of = named_by(bill, held_line.c.bill_id)
_flag_of = named_by(bill, bill_flag.c.bill_id)
_line_sum = select(_sum(bill_line.c.amount, "lines")).where(_of_bill).correlate(bill).scalar_subquery()
_held_sum = select(_sum(held_line.c.amount, "lines")).where(_held_of).correlate(bill).scalar_subquery()
_UNEQUAL_BILLS = returns(
    UnequalBill,
    select(bill.c.id, bill.c.total, (_line_sum + _held_sum).label("lines")).where(
        _my_bill, _line_sum + _held_sum != bill.c.total
    ),
)
_is_held = exists().where(_held_of).correlate(bill)
_HELD_AND_COUNTING = returns_one(select(bill.c.id).where(_my_bill, _is_held, exists().where(_of_bill).correlate(bill)))
_HELD_FOR_NOTHING = returns_one(
    select(bill.c.id).where(
        _my_bill,
        _is_held,
        ~exists().where(_flag_of, bill_flag.c.accepted_at.is_(None)).correlate(bill),
    )
)
_HELD_APART = returns(
    LineInPlace,
    select(held_line.c.bill_id, held_line.c.number, held_line.c.month)
    .join(bill, _held_of)
    .where(_my_bill, or_(held_line.c.property_id != bill.c.property_id, bill.c.chosen_month != held_line.c.month))
    .order_by(held_line.c.bill_id, held_line.c.number),
)
_FLAGS_APART = returns_one(
    select(bill_flag.c.bill_id).join(bill, _flag_of).where(_my_bill, bill_flag.c.property_id != bill.c.property_id)
)
_LINES_APART = returns(
    LineInPlace,
    select(bill_line.c.bill_id, bill_line.c.number, bill_line.c.month)
    .join(bill, _of_bill)
    .where(_my_bill, or_(bill_line.c.property_id != bill.c.property_id, bill.c.chosen_month != bill_line.c.month))
    .order_by(bill_line.c.bill_id, bill_line.c.number),
)
_LINES_WITHOUT_MONTH = returns(
    LineInPlace,
    select(bill_line.c.bill_id, bill_line.c.number, bill_line.c.month)
    .join(property_, named_by(property_, bill_line.c.property_id))
    .outerjoin(billing_month, alike(billing_month, bill_line, "property_id", "month"))
    .where(
        bill_line.c.account_id == bindparam("account"),
        is_one_of(bill_line.c.property_id, "properties"),
        billing_month.c.month.is_(None),
        or_(
            bill_line.c.charged.is_(True),
            bill_line.c.owner_amount != bindparam("nothing"),
            func.coalesce(property_.c.billing_starts_month, "") <= bill_line.c.month,
        ),
    )
    .order_by(bill_line.c.bill_id, bill_line.c.number),
)
_TENANTS_APART = returns_one(
    select(tenant.c.id)
    .join(unit, named_by(unit, tenant.c.unit_id))
    .where(
        unit.c.account_id == bindparam("account"),
        is_one_of(unit.c.property_id, "properties"),
        tenant.c.property_id != unit.c.property_id,
    )
)


def sizes(tx: Tx, account_id: str) -> list[Size]:
    """List the account's properties with their approximate numbers of records."""
    return tx.all(_SIZES, account=account_id)


def month_sizes(tx: Tx, account_id: str, property_id: str) -> list[MonthSize]:
    """List a property's months, each with its number of invoices."""
    return tx.all(_MONTH_SIZES, account=account_id, property=property_id)


def count_properties(tx: Tx, account_id: str) -> int:
    """Count the account's properties, for comparison with the stored count."""
    return tx.one(_COUNT_PROPERTIES, account=account_id) or 0


def count_bills(tx: Tx, account_id: str) -> int:
    """Count the account's bills, for comparison with the stored count."""
    return tx.one(_COUNT_BILLS, account=account_id) or 0


def tallies(tx: Tx, account_id: str) -> list[TallyRow]:
    """List the stored invoice counts of properties, of months, and of the account."""
    return tx.all(_TALLIES, account=account_id)


def sums_of_months(tx: Tx, account_id: str) -> list[TallyRow]:
    """Compute the invoice counts of properties and of months from the billing months.

    `prorata check` compares these counts with the stored ones (`tallies`).
    """
    return tx.all(_BY_PROPERTY, account=account_id) + tx.all(_BY_MONTH, account=account_id)


def numbered_twice(tx: Tx, account_id: str) -> list[str]:
    """List the invoice numbers that several invoices of the account have."""
    return tx.all(_NUMBERED_TWICE, account=account_id)


def unequal_bills(tx: Tx, account_id: str, property_ids: list[str]) -> list[UnequalBill]:
    """List bills with lines that don't sum to the total."""
    return tx.all(_UNEQUAL_BILLS, account=account_id, properties=property_ids)


def lines_apart(tx: Tx, account_id: str, property_ids: list[str]) -> list[LineInPlace]:
    """List the bill lines that are stored under another property or month than their bill.

    A bill has a month only if a person chose one.
    """
    return [
        line
        for statement in (_LINES_APART, _HELD_APART)
        for line in tx.all(statement, account=account_id, properties=property_ids)
    ]


def held_and_counting(tx: Tx, account_id: str, property_ids: list[str]) -> list[str]:
    """List the ids of bills that have both held lines and other lines."""
    return tx.all(_HELD_AND_COUNTING, account=account_id, properties=property_ids)


def held_for_nothing(tx: Tx, account_id: str, property_ids: list[str]) -> list[str]:
    """List the ids of held bills that have no open flag."""
    return tx.all(_HELD_FOR_NOTHING, account=account_id, properties=property_ids)


def flags_apart(tx: Tx, account_id: str, property_ids: list[str]) -> list[str]:
    """List the ids of bills with a flag that is stored under another property."""
    return tx.all(_FLAGS_APART, account=account_id, properties=property_ids)


def lines_without_month(tx: Tx, account_id: str, property_ids: list[str]) -> list[LineInPlace]:
    """List the bill lines whose billing month is not stored, although it should be.

    The billing month should be stored if the line was charged or has an owner's part, or if the month is not before the
    start of the property's billing.
    """
    return tx.all(_LINES_WITHOUT_MONTH, account=account_id, properties=property_ids, nothing=0)


def tenants_apart(tx: Tx, account_id: str, property_ids: list[str]) -> list[str]:
    """List the ids of tenants that are stored under another property than their unit."""
    return tx.all(_TENANTS_APART, account=account_id, properties=property_ids)
