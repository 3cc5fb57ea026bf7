"""Sums of corrections that are pending for tenants, by currency and by month."""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, case, func, literal_column, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import correction, property_


class WaitingSum(NamedTuple):
    """The number of corrections pending for tenants in one currency, and their sums.

    Sums are in cents: `more` is the amount still to be charged to tenants, and `less`, which is negative, the amount
    still to be credited to them.
    """

    currency: str
    corrections: int
    more: int
    less: int


class WaitingOfMonth(NamedTuple):
    """The number of corrections pending for the tenants of a property's month, and their sums.

    Sums are in cents: `more` is the amount still to be charged to tenants, and `less`, which is negative, the amount
    still to be credited to them.
    """

    property_id: str
    month: str
    corrections: int
    more: int
    less: int


_mine = correction.c.account_id == bindparam("account")
_sums = (
    func.count().label("corrections"),
    *(
        func.sum(case((those, correction.c.waiting_amount), else_=literal_column("0"))).label(name)
        for name, those in (
            ("more", correction.c.waiting_amount > literal_column("0")),
            ("less", correction.c.waiting_amount < literal_column("0")),
        )
    ),
)
_of_tenants = and_(correction.c.waiting_amount != literal_column("0"), correction.c.tenant_id != literal_column("''"))
_BY_CURRENCY = returns(
    WaitingSum,
    select(property_.c.currency, *_sums)
    .join(property_, named_by(property_, correction.c.property_id))
    .where(_mine, _of_tenants)
    .group_by(property_.c.currency)
    .order_by(property_.c.currency),
)
_BY_MONTH = returns(
    WaitingOfMonth,
    select(correction.c.property_id, correction.c.month, *_sums)
    .where(_mine, is_one_of(correction.c.property_id, "properties"), _of_tenants)
    .group_by(correction.c.property_id, correction.c.month)
    .order_by(correction.c.property_id, correction.c.month),
)


def by_currency(tx: Tx, account_id: str) -> list[WaitingSum]:
    """Sum an account's corrections that are pending for tenants, by currency."""
    tx.catch_up()
    return [
        WaitingSum(waiting_sum.currency, waiting_sum.corrections, int(waiting_sum.more), int(waiting_sum.less))
        for waiting_sum in tx.all(_BY_CURRENCY, account=account_id)
    ]


def by_month(tx: Tx, account_id: str, property_ids: list[str]) -> list[WaitingOfMonth]:
    """Sum the corrections pending for these properties' tenants, by property and month.

    The earliest months come first.
    """
    tx.catch_up()
    rows = tx.all(_BY_MONTH, account=account_id, properties=property_ids)
    return [row._replace(more=int(row.more), less=int(row.less)) for row in rows]
