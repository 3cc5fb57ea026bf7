"""Data for the checks of a month: its invoices and earlier bill lines."""

from typing import NamedTuple

from sqlalchemy import BigInteger, and_, bindparam, cast, exists, func, literal_column, select

from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CANCELLED
from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, is_one_of, returns, returns_one
from prorata.store.schema.joins import HAS_CHARGE, INVOICE_OF_CHARGE, alike, named_by
from prorata.store.schema.tables import bill, bill_line, billing_month, charge, invoice
from prorata.store.schema.tenant_page_tables import tenant_link


class ReviewedInvoice(NamedTuple):
    """An invoice of a month, with the fields that the checks of the month need.

    Amounts are in cents.
    """

    id: str
    property_id: str
    month: str
    unit_id: str
    number: str
    status: str
    total: int
    paid_amount: int
    tenant_id: str | None
    tenant_name: str | None
    tenant_email: str | None
    delivery: str | None


class LineBefore(NamedTuple):
    """A bill line with its issuer, account number and service period; `amount` is in cents.

    `days` are the service days in the line's month if the bill is spread.
    """

    bill_id: str
    property_id: str
    month: str
    utility_type: str | None
    amount: int
    charged: bool
    guessed: bool
    issuer_name: str
    account_number: str | None
    days: int | None
    service_start: str | None
    service_end: str | None


class ListedMonth(NamedTuple):
    """A month of a property as a list shows it.

    Invoices are counted by status, and sums are in cents. `missing_count` is the number of missing facts, and
    `pending` is set if the month has pending corrections.
    """

    month: str
    draft: int
    sent: int
    paid: int
    overdue: int
    cancelled: int
    billed: int
    received: int
    owner_amount: int
    missing_count: int
    pending: bool
    is_closed: bool


class LinesOfMonth(NamedTuple):
    """The number of a property's bills in a month, and the sum of their lines.

    The sum is in cents, and includes only lines of this month.
    """

    month: str
    bills: int
    amount: int


class VacantCharges(NamedTuple):
    """The amount that a month's bills charge to vacant units for one utility, in cents."""

    property_id: str
    month: str
    utility_type: str | None
    amount: int


_INVOICES = returns(
    ReviewedInvoice,
    select(*columns_for(ReviewedInvoice, invoice))
    .where(
        invoice.c.account_id == bindparam("account"),
        is_one_of(invoice.c.property_id, "properties"),
        is_one_of(invoice.c.month, "months"),
    )
    .order_by(invoice.c.number_key, invoice.c.id),
)
_VACANT_CHARGES = returns(
    VacantCharges,
    select(
        invoice.c.property_id,
        invoice.c.month,
        charge.c.utility_type,
        cast(func.sum(charge.c.amount), BigInteger).label("amount"),
    )
    .select_from(invoice)
    .join(charge, INVOICE_OF_CHARGE)
    .where(
        invoice.c.account_id == bindparam("account"),
        is_one_of(invoice.c.property_id, "properties"),
        is_one_of(invoice.c.month, "months"),
        invoice.c.tenant_name.is_(None),
        invoice.c.status != literal_column(f"'{CANCELLED}'"),
        charge.c.bill_id.is_not(None),
        charge.c.corrects_month.is_(None),
    )
    .group_by(invoice.c.property_id, invoice.c.month, charge.c.utility_type),
)
_ADDED_BY_HAND = returns_one(
    select(cast(func.sum(charge.c.amount), BigInteger))
    .select_from(invoice)
    .join(charge, INVOICE_OF_CHARGE)
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.property_id == bindparam("property"),
        invoice.c.month == bindparam("month"),
        invoice.c.tenant_name.is_not(None),
        invoice.c.status != literal_column(f"'{CANCELLED}'"),
        charge.c.bill_id.is_(None),
    )
)
_OF_ANOTHER = returns_one(
    select(tenant_link.c.invoice_id)
    .join(invoice, named_by(invoice, tenant_link.c.invoice_id))
    .where(
        tenant_link.c.account_id == bindparam("account"),
        is_one_of(tenant_link.c.invoice_id, "drafts"),
        tenant_link.c.was_for.is_not(None),
        tenant_link.c.was_for.is_distinct_from(invoice.c.tenant_id),
        HAS_CHARGE.where(charge.c.bill_id.is_(None)),
    )
)
_my_line = and_(bill_line.c.account_id == bindparam("account"), bill_line.c.property_id == bindparam("property"))
_its_bill = named_by(bill, bill_line.c.bill_id)
_LINES = returns(
    LineBefore,
    select(*columns_for(LineBefore, bill_line, bill))
    .join(bill, _its_bill)
    .where(
        bill_line.c.account_id == bindparam("account"),
        is_one_of(bill_line.c.property_id, "properties"),
        is_one_of(bill_line.c.month, "months"),
    )
    .order_by(bill_line.c.month, bill.c.bill_date, bill_line.c.bill_id, bill_line.c.number),
)
_MONTHS = returns(
    ListedMonth,
    select(*columns_for(ListedMonth, billing_month, is_closed=billing_month.c.snapshot.is_not(None)))
    .where(
        billing_month.c.account_id == bindparam("account"),
        billing_month.c.property_id == bindparam("property"),
    )
    .order_by(billing_month.c.month.desc())
    .limit(bindparam("limit")),
)
_ONLY_BILLED_IN = returns_one(
    select(bill_line.c.month)
    .where(
        _my_line,
        ~exists().where(alike(billing_month, bill_line, "property_id", "month")).correlate(bill_line),
    )
    .distinct()
    .order_by(bill_line.c.month.desc())
    .limit(bindparam("limit"))
)
_COUNTED = returns(
    LinesOfMonth,
    select(
        bill_line.c.month,
        func.count(bill_line.c.bill_id.distinct()).label("bills"),
        cast(func.sum(bill_line.c.amount), BigInteger).label("amount"),
    )
    .where(_my_line, is_one_of(bill_line.c.month, "months"))
    .group_by(bill_line.c.month),
)


def invoices_of_months(
    tx: Tx, account_id: str, property_ids: list[str], months: list[str]
) -> dict[tuple[str, str], list[ReviewedInvoice]]:
    """Map each (property, month) to its invoices, by number in natural order.

    Only invoices of these properties and months are included.
    """
    rows = tx.all(_INVOICES, account=account_id, properties=property_ids, months=months) if months else []
    return grouped(((row.property_id, row.month), row) for row in rows)


def vacant_charges(
    tx: Tx, account_id: str, property_ids: list[str], months: list[str]
) -> dict[tuple[str, str], dict[str | None, int]]:
    """Sum, in cents, the charges for bills on vacant units' invoices.

    The result maps each (property, month) to its sums by utility type. Corrections and cancelled invoices are left out.
    """
    rows = tx.all(_VACANT_CHARGES, account=account_id, properties=property_ids, months=months)
    by_month = grouped(((row.property_id, row.month), (row.utility_type, row.amount)) for row in rows)
    return {key: dict(its) for key, its in by_month.items()}


def added_by_hand(tx: Tx, account_id: str, property_id: str, month: str) -> int:
    """Sum, in cents, the custom charges on a month's invoices of tenants.

    Cancelled invoices are left out.
    """
    return tx.one(_ADDED_BY_HAND, account=account_id, property=property_id, month=month) or 0


def charged_for_another(tx: Tx, account_id: str, drafts: list[str]) -> set[str]:
    """Find the `drafts` that have custom charges and were sent to another tenant earlier.

    The custom charges on such a draft may be meant for the earlier tenant.
    """
    return set(tx.all(_OF_ANOTHER, account=account_id, drafts=drafts)) if drafts else set()


def lines_of(tx: Tx, account_id: str, property_ids: list[str], months: list[str]) -> dict[str, list[LineBefore]]:
    """Map each of these properties to its bill lines in these months, earliest month first."""
    rows = tx.all(_LINES, account=account_id, properties=property_ids, months=months)
    return grouped((row.property_id, row) for row in rows)


def months_of(tx: Tx, account_id: str, property_id: str, limit: int) -> list[ListedMonth]:
    """List the property's billing months, newest first, up to `limit`."""
    return tx.all(_MONTHS, account=account_id, property=property_id, limit=limit)


def months_of_history(tx: Tx, account_id: str, property_id: str, limit: int) -> list[str]:
    """List the property's months of history that have bills, newest first, up to `limit`."""
    return tx.all(_ONLY_BILLED_IN, account=account_id, property=property_id, limit=limit)


def lines_of_months(tx: Tx, account_id: str, property_id: str, months: list[str]) -> dict[str, LinesOfMonth]:
    """Count, for each of these months, the property's bills, and sum their lines in cents."""
    rows = tx.all(_COUNTED, account=account_id, property=property_id, months=months) if months else []
    return {row.month: row for row in rows}
