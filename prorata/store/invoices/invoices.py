"""Invoices and their charges. Most functions that read invoices first run requested recalculations (`Tx.catch_up`)."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, func, literal_column, or_, select, true

from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    Statement,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    returns_pairs,
    row_values,
    saves,
)
from prorata.store.invoices.disputed_amounts import DISPUTED
from prorata.store.schema.joins import MONTH_OF_INVOICE, named_by
from prorata.store.schema.tables import billing_month, charge, invoice, property_, unit


class InvoiceRow(NamedTuple):
    """An invoice, with amounts in cents.

    `printed` is the printed content as JSON, or None for a draft. `entries` counts the ledger entries. `revision`
    counts the versions that the invoice has replaced; `replaces_number` is the number of the last of these.
    """

    account_id: str
    id: str
    property_id: str
    unit_id: str
    month: str
    sequence: int
    status: str
    number: str
    number_key: str
    invoice_date: str
    due_date: str | None
    total: int
    paid_amount: int
    paid_by_status: int
    entries: int
    paid_at: str | None
    payment_status: str
    tenant_id: str | None
    tenant_name: str | None
    tenant_email: str | None
    issued: bool
    printed: str | None
    payment_link_id: str | None
    payment_link_url: str | None
    email_sent_at: str | None
    email_status: str | None
    delivery: str | None
    generated_at: str
    updated_at: str
    revision: int = 0
    replaces_number: str | None = None


class ChargeRow(NamedTuple):
    """A charge on an invoice; `amount` is in cents.

    A custom charge, which a person added, has neither a bill nor a utility type. For a correction, `corrects_month` is
    the corrected month, and `corrects_tenant` is a tenant of the corrected household.
    """

    account_id: str
    id: str
    invoice_id: str
    bill_id: str | None
    line: int | None
    utility_type: str | None
    amount: int
    description: str
    corrects_month: str | None = None
    corrects_tenant: str | None = None


class InvoiceSummary(NamedTuple):
    """An invoice as the API shows it, with fields of its unit and property."""

    id: str
    property_id: str
    unit_id: str
    month: str
    status: str
    number: str
    invoice_date: str
    due_date: str | None
    total: int
    paid_amount: int
    paid_at: str | None
    payment_status: str
    tenant_name: str | None
    tenant_email: str | None
    payment_link_id: str | None
    payment_link_url: str | None
    email_sent_at: str | None
    email_status: str | None
    delivery: str | None
    generated_at: str
    updated_at: str
    unit_label: str
    unit_sqft: str | None
    unit_bedrooms: int | None
    property_name: str
    currency: str
    pending: bool
    missing_count: int
    sequence: int
    tenant_id: str | None
    replaces_number: str | None


_mine = invoice.c.account_id == bindparam("account")
_this = invoice.c.id == bindparam("id")
_summary = (
    select(
        *columns_for(
            InvoiceSummary,
            invoice,
            property_,
            billing_month,
            unit_label=unit.c.label,
            unit_sqft=unit.c.sqft,
            unit_bedrooms=unit.c.bedrooms,
            property_name=property_.c.name,
        )
    )
    .join(unit, named_by(unit, invoice.c.unit_id))
    .join(property_, named_by(property_, invoice.c.property_id))
    .join(billing_month, MONTH_OF_INVOICE)
)
_in_order = (invoice.c.month.desc(), invoice.c.number_key, invoice.c.id)
_FIND = returns(InvoiceRow, select(invoice).where(_mine, _this))
_FIND_MANY = returns(InvoiceRow, select(invoice).where(_mine, is_one_of(invoice.c.id, "ids")))
_IDS_OF_PROPERTY = returns_one(select(invoice.c.id).where(_mine, invoice.c.property_id == bindparam("property")))
_PROPERTY_OF = returns_one(select(invoice.c.property_id).where(_mine, _this))
_SUMMARY = returns(InvoiceSummary, _summary.where(_mine, _this))
_SUMMARIES = returns(InvoiceSummary, _summary.where(_mine, is_one_of(invoice.c.id, "ids")))
_of_months = select(invoice).where(
    _mine, is_one_of(invoice.c.property_id, "properties"), is_one_of(invoice.c.month, "months")
)
_OF_MONTHS = returns(InvoiceRow, _of_months)
_CHANGED_MONTHS = returns_pairs(
    select(invoice.c.property_id, invoice.c.month)
    .where(_mine, is_one_of(invoice.c.property_id, "properties"), invoice.c.updated_at >= bindparam("since"))
    .distinct()
)
_is_unsent = and_(invoice.c.status == literal_column("'DRAFT'"), invoice.c.issued.is_(False))
_UNSENT_AND_FURTHER = returns(InvoiceRow, _of_months.where(or_(_is_unsent, invoice.c.sequence > 0)))
_STANDING = (
    "status", "invoice_date", "due_date", "paid_amount", "paid_by_status", "entries", "paid_at", "payment_status",
    "tenant_email", "issued", "printed", "payment_link_id", "payment_link_url", "email_sent_at", "email_status",
    "delivery", "updated_at",
)  # fmt: skip
_RECKONED = (
    "total", "paid_at", "payment_status", "tenant_id", "tenant_name", "tenant_email", "generated_at", "updated_at",
)  # fmt: skip
_SAVE_STANDING = saves(invoice, only=_STANDING)
_SAVE_RECKONED = saves(invoice, only=_RECKONED)
_REMOVE = changes(delete(invoice).where(_mine, _this))
_PAST_DUE = returns(
    InvoiceRow,
    select(invoice)
    .where(
        _mine,
        invoice.c.status == literal_column("'SENT'"),  # as in its index
        invoice.c.due_date < bindparam("today"),
        invoice.c.tenant_name.is_not(None),
        invoice.c.total > invoice.c.paid_amount,
        invoice.c.total - invoice.c.paid_amount > DISPUTED,
    )
    .order_by(*_in_order)
    .limit(bindparam("limit")),
)


@cache
def _owing(status: str) -> Statement[InvoiceRow]:
    """Build the statement that finds invoices with a debt, by status and due day."""
    return returns(
        InvoiceRow,
        select(invoice)
        .where(
            _mine,
            invoice.c.status == literal_column(f"'{status}'"),
            invoice.c.due_date.between(bindparam("first"), bindparam("last")),
            or_(invoice.c.due_date > bindparam("first"), invoice.c.id > bindparam("after")),
            invoice.c.tenant_id.is_not(None),
            invoice.c.total > invoice.c.paid_amount,
        )
        .order_by(invoice.c.due_date, invoice.c.id)
        .limit(bindparam("limit")),
    )


_my_charge = charge.c.account_id == bindparam("account")
_CHARGES = returns(
    ChargeRow,
    select(charge)
    .where(_my_charge, is_one_of(charge.c.invoice_id, "invoices"))
    .order_by(charge.c.invoice_id, charge.c.id),
)
_SAVE_CHARGE = saves(charge)
_REMOVE_CHARGE = changes(
    delete(charge).where(_my_charge, charge.c.invoice_id == bindparam("invoice"), charge.c.id == bindparam("id"))
)

FILTERS = {
    "property": invoice.c.property_id,
    "unit": invoice.c.unit_id,
    "month": invoice.c.month,
    "status": invoice.c.status,
}
SHORT = 100
"""The number of invoices on the API's longest page."""
UNTIL = "until"
"""The filter that leaves out months later than its value."""


@cache
def _picked(filters: frozenset[str], *columns: ColumnElement[Any]) -> Select[Any]:
    """Build the query for some columns of a page of invoices matching these filters."""
    conditions = [column == bindparam(name) for name, column in FILTERS.items() if name in filters]
    if UNTIL in filters:
        conditions.append(invoice.c.month <= bindparam(UNTIL))
    return (
        select(*columns)
        .where(_mine, *conditions)
        .order_by(*_in_order)
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
    )


@cache
def _page_ids(filters: frozenset[str]) -> Statement[str]:
    """Build the statement that finds the ids of a page of invoices matching these filters."""
    return returns_one(_picked(filters, invoice.c.id))


@cache
def _short_page(filters: frozenset[str]) -> Statement[InvoiceSummary]:
    """Build the statement that finds all data of a page of at most `SHORT` invoices.

    PostgreSQL's planner ignores a limit that is a parameter, and would expect a tenth of the account's invoices.
    Therefore, the outer limit is a literal that states how few rows there are, and the inner limit makes the
    planner look up each row by its key.
    """
    page = _picked(filters, invoice.c.id, invoice.c.month, invoice.c.number_key).subquery()
    few = select(page).limit(literal_column(str(SHORT))).subquery()
    each = _summary.where(_mine, invoice.c.id == few.c.id).limit(literal_column("1")).lateral()
    in_order = (few.c.month.desc(), few.c.number_key, few.c.id)
    return returns(InvoiceSummary, select(each).select_from(few.join(each, true())).order_by(*in_order))


@cache
def _count_of_unit(filters: frozenset[str]) -> Statement[int]:
    """Build the statement that counts a unit's invoices that match the filters."""
    conditions = [column == bindparam(name) for name, column in FILTERS.items() if name in filters]
    return returns_one(select(func.count()).select_from(invoice).where(_mine, *conditions))


def find(tx: Tx, account_id: str, invoice_id: str) -> InvoiceRow | None:
    """Find the account's invoice with this id."""
    tx.catch_up()
    return tx.one(_FIND, account=account_id, id=invoice_id)


def find_many(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[InvoiceRow]:
    """List the account's invoices with these ids, in no particular order."""
    tx.catch_up()
    return tx.all(_FIND_MANY, account=account_id, ids=invoice_ids) if invoice_ids else []


def ids_of_property(tx: Tx, account_id: str, property_id: str) -> list[str]:
    """List the ids of all invoices of a property."""
    return tx.all(_IDS_OF_PROPERTY, account=account_id, property=property_id)


def property_of(tx: Tx, account_id: str, invoice_id: str) -> str | None:
    """Find the property of the account's invoice with this id."""
    return tx.one(_PROPERTY_OF, account=account_id, id=invoice_id)


def summary(tx: Tx, account_id: str, invoice_id: str) -> InvoiceSummary | None:
    """Find the account's invoice with this id, as the API shows it."""
    tx.catch_up()
    return tx.one(_SUMMARY, account=account_id, id=invoice_id)


def page(tx: Tx, account_id: str, filters: dict[str, str], *, limit: int, offset: int) -> list[InvoiceSummary]:
    """Return one page of the invoices that match: newest month first, then by number.

    The first `offset` matches are skipped; each takes a little time. The filter `UNTIL` leaves out later months.
    """
    tx.catch_up()
    if tx.dialect == "postgresql" and limit <= SHORT:
        return tx.all(_short_page(frozenset(filters)), account=account_id, **filters, limit=limit, offset=offset)
    ids = tx.all(_page_ids(frozenset(filters)), account=account_id, **filters, limit=limit, offset=offset)
    # Sorted here: with an ORDER BY, SQLite would walk all of the account's invoices in that order.
    rows = {row.id: row for row in tx.all(_SUMMARIES, account=account_id, ids=ids)} if ids else {}
    return [rows[invoice_id] for invoice_id in ids if invoice_id in rows]


def count_of_unit(tx: Tx, account_id: str, filters: dict[str, str]) -> int:
    """Count the invoices that match the filters, which must limit the list to one unit."""
    return tx.one(_count_of_unit(frozenset(filters)), account=account_id, **filters) or 0


def of_months(tx: Tx, account_id: str, property_ids: list[str], months: list[str]) -> list[InvoiceRow]:
    """List all invoices of these properties in these months."""
    tx.catch_up()
    return tx.all(_OF_MONTHS, account=account_id, properties=property_ids, months=months)


def changed_months(tx: Tx, account_id: str, property_ids: list[str], since: str) -> list[tuple[str, str]]:
    """List these properties' (property, month) pairs with invoices changed since a time."""
    return tx.all(_CHANGED_MONTHS, account=account_id, properties=property_ids, since=since)


def unsent_and_further(tx: Tx, account_id: str, property_ids: list[str], months: list[str]) -> list[InvoiceRow]:
    """List the never-sent drafts of these months, and all invoices with a sequence above 0."""
    return tx.all(_UNSENT_AND_FURTHER, account=account_id, properties=property_ids, months=months) if months else []


def charges(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[ChargeRow]:
    """List the charges of these invoices, in order of creation."""
    tx.catch_up()
    return tx.all(_CHARGES, account=account_id, invoices=invoice_ids) if invoice_ids else []


def past_due(tx: Tx, account_id: str, *, today: str, limit: int) -> list[InvoiceRow]:
    """List up to `limit` SENT invoices that were due before `today`.

    Only invoices with a tenant are listed, and only if the amount to pay exceeds the disputed amount.
    """
    return tx.all(_PAST_DUE, account=account_id, today=today, limit=limit)


def add_many(tx: Tx, rows: Sequence[InvoiceRow]) -> None:
    """Add invoices without their charges."""
    tx.add_many("invoice", InvoiceRow._fields, rows)


def save_standing(tx: Tx, rows: Sequence[InvoiceRow]) -> None:
    """Save the statuses of invoices, and the fields that follow from them.

    The caller applies all effects of the changed status (`actions/invoices/standing.py`).
    """
    tx.run_many(_SAVE_STANDING, [row_values(invoice, row, _STANDING) for row in rows])


def save_reckoned(tx: Tx, rows: Sequence[InvoiceRow]) -> None:
    """Save the fields of invoices that a recalculation changes, such as totals and tenants."""
    tx.run_many(_SAVE_RECKONED, [row_values(invoice, row, _RECKONED) for row in rows])


def remove_many(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> None:
    """Remove invoices with their charges."""
    tx.run_many(_REMOVE, [{"account": account_id, "id": invoice_id} for invoice_id in invoice_ids])


def add_charges(tx: Tx, rows: Sequence[ChargeRow]) -> None:
    """Add charges to invoices."""
    tx.add_many("charge", ChargeRow._fields, rows)


def save_charges(tx: Tx, rows: Sequence[ChargeRow]) -> None:
    """Save changed charges of invoices."""
    tx.run_many(_SAVE_CHARGE, [row_values(charge, row) for row in rows])


def remove_charges(tx: Tx, account_id: str, keys: Sequence[tuple[str, str]]) -> None:
    """Remove charges from invoices, each given as (invoice id, charge id)."""
    rows = [{"account": account_id, "invoice": invoice_id, "id": charge_id} for invoice_id, charge_id in keys]
    tx.run_many(_REMOVE_CHARGE, rows)


def owing(tx: Tx, account_id: str, status: str, *, first: str, after: str, last: str, limit: int) -> list[InvoiceRow]:
    """List invoices on which a tenant owes money, by due date and id.

    The invoices have the status `status`, SENT or OVERDUE, and are due from `first` to `last`. Of the invoices due
    on `first`, only those with ids after `after` are listed.
    """
    return tx.all(_owing(status), account=account_id, first=first, after=after, last=last, limit=limit)


def summaries(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[InvoiceSummary]:
    """List the invoices with these ids as the API shows them, in the ids' order."""
    tx.catch_up()
    rows = {row.id: row for row in tx.all(_SUMMARIES, account=account_id, ids=invoice_ids)} if invoice_ids else {}
    return [rows[invoice_id] for invoice_id in invoice_ids if invoice_id in rows]
