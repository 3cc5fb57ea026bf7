"""Bulk changes and their invoices."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, func, or_, select

from prorata.domain.bulk.bulk import REFUSED, WAITING, Numbers
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    Statement,
    adds,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    returns_pairs,
    row_values,
    saves,
)
from prorata.store.mail.messages import ADDRESS_NOW
from prorata.store.schema.bulk_tables import bulk, bulk_item
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import invoice, property_, tenant


class BulkRow(NamedTuple):
    """A bulk change.

    If the bulk change stopped by itself, `why` is the reason; otherwise it is None.
    """

    account_id: str
    id: str
    verb: str
    actor: str
    state: str
    total: int
    is_undone: bool
    why: str | None
    created_at: str
    ended_at: str | None


class ItemRow(NamedTuple):
    """An invoice of a bulk change, with the outcome of the change for this invoice.

    The change sets the invoice's status to `status`. If `expected` is given, it does so only if the present status
    is `expected`. `before` is the status that the invoice had. `asked_amount` is the amount in cents that a person
    confirmed, None if the change is not about an amount. `asked_tenant` is the invoice's tenant at the time of the
    confirmation.
    """

    account_id: str
    bulk_id: str
    number: int
    invoice_id: str
    status: str
    expected: str | None
    before: str | None
    outcome: str
    why: str | None
    asked_amount: int | None
    asked_tenant: str | None


class RefusedItem(NamedTuple):
    """An invoice that a bulk change skipped, and the reason.

    `invoice_number` is None if the invoice has been deleted.
    """

    invoice_id: str
    invoice_number: str | None
    why: str


class Place(NamedTuple):
    """The property and month of an invoice.

    If the invoice changes, this month may be recalculated.
    """

    property_id: str
    month: str


class _Placed(NamedTuple):
    id: str
    property_id: str
    month: str


class ChosenRow(NamedTuple):
    """An invoice that a person chose for a bulk change, with its tenant.

    `has_address` is set if the tenant can be e-mailed. Amounts are in cents; `paid_by_status` is the part of
    `paid_amount` that was noted by marking the invoice as paid.
    """

    id: str
    property_id: str
    month: str
    status: str
    currency: str
    tenant_id: str | None
    has_tenant: bool
    has_address: bool
    total: int
    paid_amount: int
    paid_by_status: int
    delivery: str | None
    tenant_name: str | None
    sequence: int


class BulkCount(NamedTuple):
    """The number of invoices of a bulk change that had the same outcome."""

    bulk_id: str
    outcome: str
    number: int


_mine = bulk.c.account_id == bindparam("account")
MY_ITEM = and_(bulk_item.c.account_id == bindparam("account"), bulk_item.c.bulk_id == bindparam("bulk"))
HAS_OUTCOME = bulk_item.c.outcome == bindparam("outcome")
_FIND = returns(BulkRow, select(bulk).where(_mine, bulk.c.id == bindparam("id")))
_LOCK = returns(BulkRow, select(bulk).where(_mine, bulk.c.id == bindparam("id")).with_for_update())
_FIND_MANY = returns(BulkRow, select(bulk).where(_mine, is_one_of(bulk.c.id, "ids")))
_ADD = adds(bulk)
_SAVE = saves(bulk, only=("state", "is_undone", "why", "ended_at"))
_BECAME = ("status", "before", "outcome", "why")
_SAVE_ITEM = saves(bulk_item, only=_BECAME)
_NEXT = returns(
    ItemRow,
    select(bulk_item).where(MY_ITEM, HAS_OUTCOME).order_by(bulk_item.c.number).limit(bindparam("limit")),
)
_WAITING_BETWEEN = returns(
    ItemRow,
    select(bulk_item)
    .where(MY_ITEM, HAS_OUTCOME, bulk_item.c.number.between(bindparam("first"), bindparam("last")))
    .order_by(bulk_item.c.number),
)
_OF_OUTCOME = returns(ItemRow, select(bulk_item).where(MY_ITEM, HAS_OUTCOME).order_by(bulk_item.c.number))
_COUNTS = returns_pairs(select(bulk_item.c.outcome, func.count()).where(MY_ITEM).group_by(bulk_item.c.outcome))
_REFUSED = returns(
    RefusedItem,
    select(bulk_item.c.invoice_id, invoice.c.number.label("invoice_number"), bulk_item.c.why)
    .outerjoin(invoice, named_by(invoice, bulk_item.c.invoice_id))
    .where(MY_ITEM, HAS_OUTCOME)
    .order_by(bulk_item.c.number)
    .limit(bindparam("limit")),
)
_PLACES = returns(
    _Placed,
    select(invoice.c.id, invoice.c.property_id, invoice.c.month).where(
        invoice.c.account_id == bindparam("account"), is_one_of(invoice.c.id, "ids")
    ),
)
_CHOSEN = returns(
    ChosenRow,
    select(
        *columns_for(
            ChosenRow,
            invoice,
            property_,
            has_tenant=invoice.c.tenant_id.is_not(None),
            has_address=and_(invoice.c.tenant_id.is_not(None), ADDRESS_NOW.is_not(None)),
        )
    )
    .join(property_, named_by(property_, invoice.c.property_id))
    .outerjoin(tenant, named_by(tenant, invoice.c.tenant_id))
    .where(invoice.c.account_id == bindparam("account"), is_one_of(invoice.c.id, "ids")),
)
_COUNTS_OF_MANY = returns(
    BulkCount,
    select(bulk_item.c.bulk_id, bulk_item.c.outcome, func.count().label("number"))
    .where(bulk_item.c.account_id == bindparam("account"), is_one_of(bulk_item.c.bulk_id, "bulks"))
    .group_by(bulk_item.c.bulk_id, bulk_item.c.outcome),
)
_ENDS = returns(
    _Placed,
    select(invoice.c.id, invoice.c.property_id, invoice.c.month)
    .select_from(bulk_item)
    .join(invoice, named_by(invoice, bulk_item.c.invoice_id))
    .where(MY_ITEM, or_(bulk_item.c.number == bindparam("first"), bulk_item.c.number == bindparam("last"))),
)
_FORGET = changes(delete(bulk).where(_mine, bulk.c.ended_at < bindparam("before")))
_IS_ANY_BEFORE = returns_one(
    select(bulk.c.id).where(_mine, bulk.c.ended_at < bindparam("before")).limit(bindparam("limit"))
)


@cache
def _latest(filters: frozenset[str]) -> Statement[BulkRow]:
    statement = select(bulk).where(_mine).order_by(bulk.c.id.desc()).limit(bindparam("limit"))
    if "before" in filters:
        statement = statement.where(bulk.c.id < bindparam("before"))
    if "by" in filters:
        statement = statement.where(bulk.c.actor == bindparam("by"))
    return returns(BulkRow, statement)


def find(tx: Tx, account_id: str, bulk_id: str) -> BulkRow | None:
    """Find the account's bulk change with this id."""
    return tx.one(_FIND, account=account_id, id=bulk_id)


def find_many(tx: Tx, account_id: str, bulk_ids: list[str]) -> list[BulkRow]:
    """List the account's bulk changes with these ids, in no particular order."""
    return tx.all(_FIND_MANY, account=account_id, ids=bulk_ids)


def lock(tx: Tx, account_id: str, bulk_id: str) -> BulkRow | None:
    """Find and lock the account's bulk change with this id until the transaction ends."""
    return tx.one(_LOCK, account=account_id, id=bulk_id)


def latest(tx: Tx, account_id: str, *, limit: int, before: str | None = None, by: str | None = None) -> list[BulkRow]:
    """List up to `limit` of the account's bulk changes, newest first.

    If `before` is given, list only changes that began before the bulk change with this id. If `by` is given, list
    only changes by this person.
    """
    filters = {name: value for name, value in (("before", before), ("by", by)) if value is not None}
    return tx.all(_latest(frozenset(filters)), account=account_id, limit=limit, **filters)


def add(tx: Tx, row: BulkRow, items: Sequence[ItemRow]) -> None:
    """Add a bulk change with its invoices."""
    tx.run(_ADD, **row._asdict())
    tx.add_many("bulk_item", ItemRow._fields, items)


def save(tx: Tx, row: BulkRow) -> None:
    """Save the state of a bulk change."""
    tx.run(_SAVE, **row_values(bulk, row, ("state", "is_undone", "why", "ended_at")))


def save_items(tx: Tx, rows: Sequence[ItemRow]) -> None:
    """Save the outcome of a bulk change for each of these invoices."""
    tx.run_many(_SAVE_ITEM, [row_values(bulk_item, row, _BECAME) for row in rows])


def next_items(tx: Tx, account_id: str, bulk_id: str, *, limit: int) -> list[ItemRow]:
    """List the next invoices that a bulk change has yet to change, up to `limit`."""
    return tx.all(_NEXT, account=account_id, bulk=bulk_id, outcome=WAITING, limit=limit)


def waiting_between(tx: Tx, account_id: str, bulk_id: str, first: int, last: int) -> list[ItemRow]:
    """List a bulk change's waiting invoices with numbers from `first` to `last`.

    These are the invoices that the bulk change has yet to change.
    """
    return tx.all(_WAITING_BETWEEN, account=account_id, bulk=bulk_id, outcome=WAITING, first=first, last=last)


def of_outcome(tx: Tx, account_id: str, bulk_id: str, outcome: str) -> list[ItemRow]:
    """List the invoices of a bulk change that had this outcome."""
    return tx.all(_OF_OUTCOME, account=account_id, bulk=bulk_id, outcome=outcome)


def numbers(tx: Tx, account_id: str, bulk_id: str) -> Numbers:
    """Count the invoices of a bulk change by outcome."""
    return Numbers(**dict(tx.all(_COUNTS, account=account_id, bulk=bulk_id)))


def numbers_of_many(tx: Tx, account_id: str, bulk_ids: list[str]) -> dict[str, Numbers]:
    """Count the invoices of several bulk changes by outcome.

    Bulk changes without invoices are left out.
    """
    counts_of: dict[str, dict[str, int]] = {}
    for row in tx.all(_COUNTS_OF_MANY, account=account_id, bulks=bulk_ids) if bulk_ids else []:
        counts_of.setdefault(row.bulk_id, {})[row.outcome] = row.number
    return {bulk_id: Numbers(**counts) for bulk_id, counts in counts_of.items()}


def refused(tx: Tx, account_id: str, bulk_id: str, *, limit: int) -> list[RefusedItem]:
    """List up to `limit` invoices that a bulk change skipped, with the reasons."""
    return tx.all(_REFUSED, account=account_id, bulk=bulk_id, outcome=REFUSED, limit=limit)


def places(tx: Tx, account_id: str, invoice_ids: list[str]) -> dict[str, Place]:
    """Map these invoices to their property and month. Invoices that no longer exist are left out."""
    rows = tx.all(_PLACES, account=account_id, ids=invoice_ids)
    return {row.id: Place(row.property_id, row.month) for row in rows}


def only_place(tx: Tx, row: BulkRow) -> Place | None:
    """Return the property and month of a bulk change's invoices, if all have the same.

    Return None if the invoices differ in them, or if the first or last invoice has been deleted. The invoices are in
    the order of properties and months, so it is enough to compare the first and the last.
    """
    ends = tx.all(_ENDS, account=row.account_id, bulk=row.id, first=1, last=row.total)
    places = {Place(placed.property_id, placed.month) for placed in ends}
    return places.pop() if len(places) == 1 and len(ends) == min(row.total, 2) else None


def chosen(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[ChosenRow]:
    """List the invoices with these ids that still exist, in no particular order."""
    rows = tx.all(_CHOSEN, account=account_id, ids=invoice_ids) if invoice_ids else []
    return [row._replace(has_tenant=bool(row.has_tenant), has_address=bool(row.has_address)) for row in rows]


def forget(tx: Tx, account_id: str, before: str) -> None:
    """Delete the account's bulk changes that ended before a timestamp."""
    tx.run(_FORGET, account=account_id, before=before)


def is_any_before(tx: Tx, account_id: str, before: str) -> bool:
    """True if a bulk change of the account ended before a timestamp."""
    return tx.one(_IS_ANY_BEFORE, account=account_id, before=before, limit=1) is not None
