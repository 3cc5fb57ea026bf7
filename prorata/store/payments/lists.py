"""Lists of all ledger entries of the account, in order of creation or the reverse."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, bindparam, cast, exists, func, literal_column, or_, select

from prorata.domain.invoice_states import PAID
from prorata.domain.invoices.ledger import PAYMENT, REFUND
from prorata.store.database.engine import Tx
from prorata.store.database.list_orders import by_no_index
from prorata.store.database.list_steps import Group
from prorata.store.database.statements import Statement, columns_for, is_among, is_one_of, returns, returns_one
from prorata.store.database.walks import Walked
from prorata.store.payments.payments import PaymentRow
from prorata.store.schema.joins import named_by
from prorata.store.schema.payment_tables import payment
from prorata.store.schema.tables import invoice, property_


class ListedPayment(NamedTuple):
    """A ledger entry as a list shows it, with its invoice's number, tenant and currency.

    `is_void` is set if the entry was reversed.
    """

    id: str
    invoice_id: str
    kind: str
    amount: int
    day: str
    method: str
    provider: str | None
    note: str | None
    number: str
    tenant_name: str | None
    currency: str
    is_void: bool


class NotedRow(NamedTuple):
    """The number of invoices marked as paid, and their sum, in one currency.

    `cents` is the sum of the amounts that were recorded by setting an invoice's status to PAID.
    """

    currency: str
    paid: int
    cents: int


class Sought(NamedTuple):
    """The criteria of a search for ledger entries.

    They are an amount in cents, the month of the invoice, and `places`: the ids of properties, units and tenants, to
    one of which the invoice must belong. An entry must meet all criteria that are not None.
    """

    amount: int | None = None
    month: str | None = None
    places: tuple[Sequence[str], Sequence[str], Sequence[str]] | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The parameters with which the search's statement runs."""
        sought = {"amount": self.amount, "month": self.month}
        asked: dict[str, Any] = {name: value for name, value in sought.items() if value is not None}
        if self.places is not None:
            asked |= dict(zip(("properties", "units", "tenants"), map(list, self.places), strict=True))
        return asked


_mine = payment.c.account_id == bindparam("account")
_reversal = payment.alias("reversal")
_is_void = exists().where(named_by(payment, _reversal.c.reverses)).correlate(payment)
_CONDITIONS: dict[str, ColumnElement[bool]] = {
    "amount": by_no_index(payment.c.amount) == bindparam("amount"),
    "month": by_no_index(invoice.c.month) == bindparam("month"),
    "places": or_(
        is_among(by_no_index(invoice.c.property_id), "properties"),
        is_among(by_no_index(invoice.c.unit_id), "units"),
        is_among(by_no_index(invoice.c.tenant_id), "tenants"),
    ),
}
_listed = (
    select(*columns_for(ListedPayment, payment, invoice, property_, is_void=_is_void))
    .join(invoice, named_by(invoice, payment.c.invoice_id))
    .join(property_, named_by(property_, invoice.c.property_id))
    .where(_mine, or_(*(payment.c.kind == literal_column(f"'{kind}'") for kind in (PAYMENT, REFUND))))
    .limit(bindparam("limit"))
)
_latest_paid = (
    select(invoice.c.account_id, invoice.c.property_id, invoice.c.paid_by_status)
    .where(invoice.c.account_id == bindparam("account"), invoice.c.status == literal_column(f"'{PAID}'"))
    .order_by(invoice.c.month.desc(), invoice.c.number_key, invoice.c.id)
    .limit(bindparam("most"))
    .subquery("found")
)
_NOTED = returns(
    NotedRow,
    select(
        property_.c.currency,
        func.count().label("paid"),
        cast(func.sum(_latest_paid.c.paid_by_status), BigInteger).label("cents"),
    )
    .select_from(_latest_paid.join(property_, named_by(property_, _latest_paid.c.property_id)))
    .group_by(property_.c.currency)
    .order_by(property_.c.currency),
)
_of_invoice = exists().where(named_by(invoice, payment.c.invoice_id)).correlate(payment)
FILTERS: dict[str, ColumnElement[bool]] = {
    "invoice": payment.c.invoice_id == bindparam("invoice"),
    "property": _of_invoice.where(invoice.c.property_id == bindparam("property")),
    "unit": _of_invoice.where(invoice.c.unit_id == bindparam("unit")),
}
"""The filters for entries of all ledgers."""
PAYMENTS = Walked(
    "payments", payment, payment.c.account_id, (Group((payment.c.id, payment.c.invoice_id)),), payment.c.created_at,
    FILTERS, key=2,
)  # fmt: skip
_ENTRIES = returns(PaymentRow, select(payment).where(_mine, is_one_of(payment.c.id, "ids")))
_VOID = returns_one(select(payment.c.reverses).where(_mine, is_one_of(payment.c.reverses, "ids")))
_FIRST, _LAST = "", "pay_~"
"""Values that sort before and after every id of an entry."""


@cache
def _page(conditions: frozenset[str], *, oldest_first: bool) -> Statement[ListedPayment]:
    """Build the statement that lists the payments and refunds in a part of the list.

    The part begins after the entry `behind`, and ends with the entry `end`. `conditions` are the names of the criteria
    that the search uses.
    """
    behind: ColumnElement[Any] = bindparam("behind")
    end: ColumnElement[Any] = bindparam("end")
    if oldest_first:
        walked = _listed.where(payment.c.id > behind, payment.c.id <= end).order_by(payment.c.id)
    else:
        walked = _listed.where(payment.c.id < behind, payment.c.id >= end).order_by(payment.c.id.desc())
    return returns(ListedPayment, walked.where(*(_CONDITIONS[name] for name in sorted(conditions))))


@cache
def _far(*, oldest_first: bool) -> Statement[str]:
    """Build the statement that skips `places` entries and finds the id of the next one."""
    behind: ColumnElement[Any] = bindparam("behind")
    its = payment.c.id
    place = (its > behind, its) if oldest_first else (its < behind, its.desc())
    places = select(its).where(_mine, place[0]).order_by(place[1])
    return returns_one(places.limit(literal_column("1")).offset(bindparam("places")))


@cache
def _page_of_entries(filters: frozenset[str]) -> Statement[PaymentRow]:
    return returns(
        PaymentRow,
        select(payment)
        .where(_mine, *PAYMENTS.fit(filters))
        .order_by(payment.c.id, payment.c.invoice_id)
        .limit(bindparam("limit"))
        .offset(bindparam("offset")),
    )


@cache
def _number_of_entries(filters: frozenset[str]) -> Statement[int]:
    return returns_one(select(func.count()).select_from(payment).where(_mine, *PAYMENTS.fit(filters)))


def entries(
    tx: Tx, account_id: str, filters: Mapping[str, str], *, limit: int, offset: int
) -> tuple[list[PaymentRow], int]:
    """Return a page of the account's ledger entries in creation order, and their total number.

    Only entries that match `filters` are listed and counted.
    """
    names, values = frozenset(filters), {"account": account_id, **filters}
    entries_found = tx.all(_page_of_entries(names), **values, limit=limit, offset=offset)
    return entries_found, tx.one(_number_of_entries(names), **values) or 0


def entries_by_id(tx: Tx, account_id: str, ids: Sequence[str]) -> list[PaymentRow]:
    """List the entries with these ids.

    A carried credit has two entries with one id, each in the ledger of another invoice.
    """
    return tx.all(_ENTRIES, account=account_id, ids=list(ids)) if ids else []


def void_among(tx: Tx, account_id: str, ids: Sequence[str]) -> set[str]:
    """Return which of these ids belong to reversed ledger entries."""
    return set(tx.all(_VOID, account=account_id, ids=list(ids))) if ids else set()


def page(
    tx: Tx, account_id: str, sought: Sought, *, behind: str | None, end: str | None, oldest_first: bool, limit: int
) -> list[ListedPayment]:
    """Return a page of the matching payments and refunds, latest or oldest first.

    The page begins after the entry `behind`, or at the start of the list if this is None. It ends at the entry
    `end`, or at the end of the list.
    """
    first, last = (_FIRST, _LAST) if oldest_first else (_LAST, _FIRST)
    conditions = frozenset(name for name, value in sought._asdict().items() if value is not None)
    asked = {"behind": behind or first, "end": end or last, "limit": limit, **sought.values}
    return tx.all(_page(conditions, oldest_first=oldest_first), account=account_id, **asked)


def so_far(tx: Tx, account_id: str, *, behind: str | None, places: int, oldest_first: bool) -> str | None:
    """Skip `places` entries, and return the id of the next one.

    Skipping begins after the entry `behind`, or at the start of the list if this is None. Return None if there are
    not enough entries.
    """
    first = _FIRST if oldest_first else _LAST
    return tx.one(_far(oldest_first=oldest_first), account=account_id, behind=behind or first, places=places)


def noted(tx: Tx, account_id: str, most: int) -> list[NotedRow]:
    """Sum, by currency, the amounts that were recorded by setting invoices to PAID.

    Only the account's latest `most` paid invoices count.
    """
    return tx.all(_NOTED, account=account_id, most=most)
