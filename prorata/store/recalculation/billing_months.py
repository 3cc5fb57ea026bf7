"""The stored months of properties: open or closed, with counts and sums of invoices.

A transaction that changes a month's invoices locks the month.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, case, delete, exists, func, literal_column, select

from prorata.domain.invoice_states import CLOSING
from prorata.store.accounts.accounts import MonthCounts
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    adds_if_new,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    returns_pairs,
    row_values,
    saves,
)
from prorata.store.schema.joins import MONTH_OF_INVOICE
from prorata.store.schema.tables import billing_month, invoice


class MonthRow(NamedTuple):
    """A month of a property; `snapshot` contains a closed month's facts, or is None.

    `billed` and `received` are the sums of the totals and of the payments of the month's invoices, without cancelled
    ones. `owner_amount` is the part of the month's lines that the owner bears, and `missing_count` the number of
    missing facts. `computed_at` is empty if an upgrade of Prorata requires a recalculation of the open month. `settles`
    is set if the month was closed after corrections were introduced (docs/decisions.md#corrections).
    """

    account_id: str
    property_id: str
    month: str
    draft: int
    sent: int
    paid: int
    overdue: int
    cancelled: int
    billed: int
    received: int
    owner_amount: int
    line_count: int
    missing_count: int
    pending: bool
    first_closed_at: str | None
    snapshot: str | None
    computed_at: str
    settles: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """The property and the month, which together identify this row."""
        return self.property_id, self.month

    @property
    def is_closed(self) -> bool:
        """True if an invoice that is SENT, PAID or OVERDUE closes the month."""
        return self.snapshot is not None

    @property
    def invoices(self) -> int:
        """The number of the month's invoices in any status, including cancelled ones."""
        return self.draft + self.sent + self.paid + self.overdue + self.cancelled


class DueProperty(NamedTuple):
    """A property with open months to be recalculated after an upgrade of Prorata."""

    account_id: str
    property_id: str


_mine = billing_month.c.account_id == bindparam("account")
_in_property = billing_month.c.property_id == bindparam("property")
_of_month = billing_month.c.month == bindparam("month")
_one = select(billing_month).where(_mine, _in_property, _of_month)
_FIND, _LOCK = returns(MonthRow, _one), returns(MonthRow, _one.with_for_update())
_all = (
    select(billing_month)
    .where(_mine, is_one_of(billing_month.c.property_id, "properties"))
    .order_by(billing_month.c.property_id, billing_month.c.month)
)
_some = _all.where(is_one_of(billing_month.c.month, "months"))
_FIND_ALL, _FIND_SOME = returns(MonthRow, _all), returns(MonthRow, _some)
_LOCK_ALL, _LOCK_SOME = returns(MonthRow, _all.with_for_update()), returns(MonthRow, _some.with_for_update())
_without_snapshot = [
    column if column.name != "snapshot" else case((column.is_not(None), literal_column("''"))).label("snapshot")
    for column in billing_month.columns
]
_WITHOUT_SNAPSHOTS = returns(
    MonthRow, select(*_without_snapshot).where(_mine, is_one_of(billing_month.c.property_id, "properties"))
)
_LOCK_CLOSED = returns(
    MonthRow,
    select(*_without_snapshot)
    .join(invoice, MONTH_OF_INVOICE)
    .where(
        invoice.c.account_id == bindparam("account"),
        is_one_of(invoice.c.id, "invoices"),
        billing_month.c.snapshot.is_not(None),
    )
    .with_for_update(of=billing_month),
)
_OPEN_COUNTS = returns_pairs(
    select(billing_month.c.property_id, func.count())
    .where(_mine, is_one_of(billing_month.c.property_id, "properties"), billing_month.c.snapshot.is_(None))
    .group_by(billing_month.c.property_id)
)
_COUNTS_BY_MONTH = returns(
    MonthCounts,
    select(*columns_for(MonthCounts, billing_month)).where(_mine, _in_property).order_by(billing_month.c.month.desc()),
)
_DUE = returns(
    DueProperty,
    select(billing_month.c.account_id, billing_month.c.property_id)
    .where(billing_month.c.computed_at == literal_column("''"))
    .distinct()
    .order_by(billing_month.c.account_id, billing_month.c.property_id)
    .limit(bindparam("limit")),
)
_IS_CLOSED_BY_ANY = returns_one(
    select(
        exists().where(
            invoice.c.account_id == bindparam("account"),
            invoice.c.property_id == bindparam("property"),
            invoice.c.month == bindparam("month"),
            invoice.c.sequence == literal_column("0"),
            is_one_of(invoice.c.status, "closing"),
            invoice.c.id != bindparam("but"),
        )
    )
)
_START = adds_if_new(billing_month)
_SAVE = saves(billing_month)
_SAVE_COUNTS = saves(billing_month, "snapshot")
_REMOVE = changes(delete(billing_month).where(_mine, _in_property, _of_month))


def due(tx: Tx, limit: int) -> list[DueProperty]:
    """List up to `limit` properties of all accounts to be recalculated after an upgrade."""
    return tx.all(_DUE, limit=limit)


def is_closed_by_any(tx: Tx, account_id: str, property_id: str, month: str, *, but: str = "") -> bool:
    """True if an invoice with sequence 0 closes this month of a property.

    An invoice closes the month if it is SENT, PAID or OVERDUE. The invoice whose id is `but` doesn't count.
    """
    closing = list(CLOSING)
    return bool(
        tx.one(_IS_CLOSED_BY_ANY, account=account_id, property=property_id, month=month, closing=closing, but=but)
    )


def find(tx: Tx, account_id: str, property_id: str, month: str) -> MonthRow | None:
    """Find a month of a property; None if the month is not stored."""
    tx.catch_up()
    return tx.one(_FIND, account=account_id, property=property_id, month=month)


def find_many(tx: Tx, account_id: str, property_ids: list[str], months: list[str] | None = None) -> list[MonthRow]:
    """List stored months of these properties in order: all, or only those in `months`."""
    tx.catch_up()
    if months is None:
        return tx.all(_FIND_ALL, account=account_id, properties=property_ids)
    return tx.all(_FIND_SOME, account=account_id, properties=property_ids, months=months)


def without_snapshots(tx: Tx, account_id: str, property_ids: list[str]) -> list[MonthRow]:
    """List all stored months of these properties.

    The months are read without their snapshots, which are long.
    """
    return tx.all(_WITHOUT_SNAPSHOTS, account=account_id, properties=property_ids)


def invoice_counts_by_month(tx: Tx, account_id: str, property_id: str) -> list[MonthCounts]:
    """Count a property's invoices by status and month, newest month first."""
    return tx.all(_COUNTS_BY_MONTH, account=account_id, property=property_id)


def lock(tx: Tx, account_id: str, property_id: str, month: str) -> MonthRow | None:
    """Find and lock a stored month of a property until the transaction ends."""
    return tx.one(_LOCK, account=account_id, property=property_id, month=month)


def lock_many(tx: Tx, account_id: str, property_ids: list[str], months: list[str] | None = None) -> list[MonthRow]:
    """Find and lock months of these properties in order: all, or only those in `months`."""
    if months is None:
        return tx.all(_LOCK_ALL, account=account_id, properties=property_ids)
    return tx.all(_LOCK_SOME, account=account_id, properties=property_ids, months=months)


def lock_closed(tx: Tx, account_id: str, invoice_ids: list[str]) -> dict[tuple[str, str], MonthRow]:
    """Lock the closed months to which these invoices belong, and map them by (property, month).

    The caller has locked the invoices' properties. The months are read without their snapshots, which are long, so
    they may be saved only with `save_counts`.
    """
    rows = tx.all(_LOCK_CLOSED, account=account_id, invoices=invoice_ids)
    return {(row.property_id, row.month): row for row in rows}


def start_many(tx: Tx, account_id: str, keys: Sequence[tuple[str, str]]) -> None:
    """Create these months, given as (property, month), as open months without invoices.

    A month that exists is left unchanged.
    """
    rows = [empty(account_id, property_id, month, tx.now)._asdict() for property_id, month in keys]
    tx.run_many(_START, rows)


def open_counts(tx: Tx, account_id: str, property_ids: list[str]) -> list[tuple[str, int]]:
    """Count the open months of each of these properties.

    Properties without open months are left out.
    """
    return tx.all(_OPEN_COUNTS, account=account_id, properties=property_ids)


def empty(account_id: str, property_id: str, month: str, now: str) -> MonthRow:
    """Build an open month whose counts and sums are 0."""
    return MonthRow(account_id, property_id, month, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, False, None, None, now)


def save_many(tx: Tx, rows: Sequence[MonthRow]) -> None:
    """Save all fields of months, including the snapshots."""
    tx.run_many(_SAVE, [row_values(billing_month, row) for row in rows])


def save_counts(tx: Tx, rows: Sequence[MonthRow]) -> None:
    """Save all fields of months except the snapshots, which are long and unchanged."""
    values = [row_values(billing_month, row) for row in rows]
    for row_value in values:
        del row_value["snapshot"]
    tx.run_many(_SAVE_COUNTS, values)


def remove_many(tx: Tx, account_id: str, keys: Sequence[tuple[str, str]]) -> None:
    """Delete months, given as (property, month), that have no lines or invoices left."""
    rows = [{"account": account_id, "property": property_id, "month": month} for property_id, month in keys]
    tx.run_many(_REMOVE, rows)
