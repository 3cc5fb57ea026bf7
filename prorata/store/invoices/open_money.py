"""Invoices with open amounts or refunds due, and sums that are computed from them."""

from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal_column,
    not_,
    or_,
    select,
)

from prorata.domain.invoice_states import CANCELLED, CLOSING, OVERDUE, UNPAID
from prorata.domain.invoices.open_money import CREDITS, OVERDUE_OWED, OWED, REFUNDS
from prorata.store.accounts.open_money import OpenRow
from prorata.store.database.engine import Tx
from prorata.store.database.list_orders import by_no_index
from prorata.store.database.statements import columns_for, is_one_of, returns, returns_one
from prorata.store.schema import tables
from prorata.store.schema.invoice_indexes import Conditions, is_of
from prorata.store.schema.joins import alike, named_by
from prorata.store.schema.tables import invoice, property_, tenant, unit

STATUSES_OF: dict[str, tuple[str, ...]] = {
    OWED: UNPAID,
    OVERDUE_OWED: (OVERDUE,),
    CREDITS: CLOSING,
    REFUNDS: (*CLOSING, CANCELLED),
}
"""The statuses that invoices in each list have."""
DATED = (CREDITS, REFUNDS)
"""The lists that depend on the parameter `today`, by which households have left or not."""


class LeftRow(NamedTuple):
    """The amounts overpaid by households that have left, in one currency.

    `number` is the number of the overpaid invoices, and `credit` the sum in cents.
    """

    currency: str
    number: int
    credit: int


class OwedRow(NamedTuple):
    """The open amount of a tenant's sent invoices, in cents."""

    tenant_id: str
    currency: str
    amount: int


class FormerRow(NamedTuple):
    """A tenant who has moved out and has an open invoice."""

    id: str
    unit_id: str


class RefundRow(NamedTuple):
    """An invoice for which a refund is due; `refund` is in cents."""

    id: str
    number: str
    tenant_name: str | None
    refund: int
    currency: str


_own, _leaver, _stayer, _its_unit = (
    tenant.alias("own"),
    tenant.alias("leaver"),
    tenant.alias("stayer"),
    unit.alias("its"),
)
_stays_on = exists().where(
    alike(_stayer, _leaver, "unit_id"),
    or_(_stayer.c.move_in.is_(None), _stayer.c.move_in < _leaver.c.move_out),
    or_(_stayer.c.move_out.is_(None), _stayer.c.move_out > _leaver.c.move_out),
)
HAS_LEFT = or_(
    exists().where(
        named_by(_its_unit, invoice.c.unit_id),
        _its_unit.c.active_to < bindparam("today"),
    ),
    exists().where(
        named_by(_own, invoice.c.tenant_id),
        alike(_leaver, _own, "unit_id"),
        _leaver.c.move_out >= _own.c.move_out,
        _leaver.c.move_out < bindparam("today"),
        not_(_stays_on),
    ),
)
"""The condition that an invoice's household has left by the day `today`.

A household has left if all of its tenants, whose stays overlap, have moved out, or if its unit is no longer in use.
"""
_is_cancelled = by_no_index(invoice.c.status) == literal_column(f"'{CANCELLED}'")
_is_overdue = by_no_index(invoice.c.status) == literal_column(f"'{OVERDUE}'")


def _of(owed: Conditions, surplus: Conditions) -> dict[str, Conditions]:
    return {
        OWED: owed,
        OVERDUE_OWED: (*owed, _is_overdue),
        CREDITS: (*surplus, not_(_is_cancelled), not_(HAS_LEFT)),
        REFUNDS: (*surplus, or_(_is_cancelled, HAS_LEFT)),
    }


BY_INDEX = _of(tables.OWED, tables.SURPLUS)
"""The conditions of each list, worded like those of its own index."""


def _unindexed(*which: ColumnElement[bool]) -> Conditions:
    return (func.coalesce(and_(*which), literal_column("false")),)


_balance = invoice.c.total - invoice.c.paid_amount
_is_for_somebody = invoice.c.tenant_id.is_not(None)
BY_NO_INDEX = _of(
    _unindexed(is_of(by_no_index(invoice.c.status), UNPAID), _balance > literal_column("0"), _is_for_somebody),
    _unindexed(
        or_(
            and_(is_of(by_no_index(invoice.c.status), CLOSING), _balance < literal_column("0"), _is_for_somebody),
            and_(_is_cancelled, by_no_index(invoice.c.paid_amount) > literal_column("0")),
        )
    ),
)
"""The same conditions, worded so that an index of a list's order is used instead."""
_mine = invoice.c.account_id == bindparam("account")
_its_property = named_by(property_, invoice.c.property_id)
CURRENCY = select(property_.c.currency).where(_its_property).correlate(invoice).scalar_subquery()
"""The query for the currency of an invoice."""
_LEFT = returns(
    LeftRow,
    select(property_.c.currency, func.count().label("number"), cast(func.sum(-_balance), BigInteger).label("credit"))
    .join_from(invoice, property_, _its_property)
    .where(_mine, *tables.SURPLUS, not_(_is_cancelled), HAS_LEFT)
    .group_by(property_.c.currency),
)
_OF_TENANTS = returns(
    OwedRow,
    select(invoice.c.tenant_id, property_.c.currency, cast(func.sum(_balance), BigInteger).label("amount"))
    .join_from(invoice, property_, _its_property)
    .where(_mine, is_one_of(invoice.c.unit_id, "units"), *tables.UNBALANCED, _is_for_somebody)
    .group_by(invoice.c.tenant_id, property_.c.currency)
    .having(func.sum(_balance) > literal_column("0")),
)  # fmt: skip
_oldest = (
    select(invoice.c.account_id, invoice.c.tenant_id)
    .where(_mine, *tables.OWED)
    .order_by(invoice.c.month, invoice.c.number_key.desc(), invoice.c.id.desc())
    .limit(bindparam("most"))
    .subquery("oldest")
)
_OF_FORMER = returns(
    FormerRow,
    select(tenant.c.id, tenant.c.unit_id)
    .distinct()
    .join_from(_oldest, tenant, named_by(tenant, _oldest.c.tenant_id))
    .where(tenant.c.ended_at.is_(None), tenant.c.move_out < bindparam("today")),
)
_OF_LEAVERS = returns_one(select(invoice.c.id).where(_mine, is_one_of(invoice.c.id, "invoices"), HAS_LEFT))
_REFUNDS = returns(
    RefundRow,
    select(
        *columns_for(
            RefundRow, invoice, property_, refund=case((_is_cancelled, invoice.c.paid_amount), else_=-_balance)
        )
    )
    .join_from(invoice, property_, _its_property)
    .where(_mine, *BY_INDEX[REFUNDS])
    .order_by(invoice.c.month.desc(), invoice.c.number_key, invoice.c.id)
    .limit(bindparam("limit")),
)


def _sum(of: ColumnElement[int], which: ColumnElement[bool]) -> ColumnElement[int]:
    return cast(func.coalesce(func.sum(case((which, of), else_=literal_column("0"))), literal_column("0")), BigInteger)


_one: ColumnElement[int] = literal_column("1")
_owed = and_(*tables.OWED)
_overdue = and_(_owed, invoice.c.status == literal_column(f"'{OVERDUE}'"))
_cancelled = invoice.c.status == literal_column(f"'{CANCELLED}'")
_credit = and_(*tables.SURPLUS, not_(_cancelled))
_refund = and_(*tables.SURPLUS, _cancelled)
_summed = (
    select(
        property_.c.currency,
        *(
            _sum(of, which).label(name)
            for name, of, which in (
                ("owed_number", _one, _owed),
                ("owed", _balance, _owed),
                ("overdue_number", _one, _overdue),
                ("overdue", _balance, _overdue),
                ("credit_number", _one, _credit),
                ("credit", -_balance, _credit),
                ("refund_number", _one, _refund),
                ("refund", invoice.c.paid_amount, _refund),
            )
        ),
    )
    .join_from(invoice, property_, _its_property)
    .where(_mine)
    .group_by(property_.c.currency)
)
_SUMS = returns(OpenRow, _summed)
_SUMS_OF_PROPERTY = returns(OpenRow, _summed.where(invoice.c.property_id == bindparam("property")))


def left(tx: Tx, account_id: str, today: str) -> list[LeftRow]:
    """Sum, by currency, the amounts overpaid by households that left before a day."""
    return tx.all(_LEFT, account=account_id, today=today)


def of_tenants(tx: Tx, account_id: str, unit_ids: list[str]) -> list[OwedRow]:
    """Sum the open amounts of sent invoices for these units, by their tenants."""
    return tx.all(_OF_TENANTS, account=account_id, units=unit_ids) if unit_ids else []


def of_former(tx: Tx, account_id: str, today: str, *, most: int) -> list[FormerRow]:
    """List the tenants who left before a day and have open invoices.

    Only the account's `most` oldest open invoices are searched.
    """
    return tx.all(_OF_FORMER, account=account_id, today=today, most=most)


def of_leavers(tx: Tx, account_id: str, invoice_ids: list[str], today: str) -> set[str]:
    """Return which of these invoices are for households that left before a day."""
    return set(tx.all(_OF_LEAVERS, account=account_id, invoices=invoice_ids, today=today)) if invoice_ids else set()


def refunds(tx: Tx, account_id: str, today: str, limit: int) -> list[RefundRow]:
    """List up to `limit` invoices for which a refund is due, newest month first."""
    return tx.all(_REFUNDS, account=account_id, today=today, limit=limit)


def computed(tx: Tx, account_id: str) -> list[OpenRow]:
    """Compute an account's open amounts from all of its invoices, by currency."""
    return tx.all(_SUMS, account=account_id)


def of_property(tx: Tx, account_id: str, property_id: str) -> list[OpenRow]:
    """Compute the open amounts of a property from all of its invoices."""
    return tx.all(_SUMS_OF_PROPERTY, account=account_id, property=property_id)
