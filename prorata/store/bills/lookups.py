"""Searches for stored bills: a utility type's latest line, or bills with an account number.

The searches for an account number also show which property and issuer the number belongs to.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Integer, and_, bindparam, case, cast, exists, func, literal_column, or_, select

from prorata.domain.invoice_states import CLOSING
from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, is_one_of, returns, returns_one, returns_pairs
from prorata.store.schema.document_tables import bill_document
from prorata.store.schema.incoming_mail_tables import incoming_document
from prorata.store.schema.joins import HAS_CHARGE, INVOICE_OF_CHARGE, MONTH_OF_INVOICE, alike, named_by
from prorata.store.schema.tables import bill, bill_flag, bill_line, billing_month, charge, held_line, invoice


class LastLine(NamedTuple):
    """A line with its bill's issuer and date.

    `amount` is in cents.
    """

    bill_id: str
    number: int
    month: str
    amount: int
    issuer_name: str
    bill_date: str


class BillOfNumber(NamedTuple):
    """The property, issuer and purposes of a bill with an account number.

    The purposes are utility types and unbilled reasons, joined by `;`.
    """

    account_number: str
    property_id: str
    issuer_name: str
    utility_types: str


class BillBefore(NamedTuple):
    """An earlier bill with an account number, which suggests the property of a new bill.

    `speaks` is 1 if the suggestion can be trusted: a person confirmed the bill, none of its flags is open, and none
    of its lines is held. Otherwise it is 0.
    """

    property_id: str
    issuer_name: str
    utility_types: str
    speaks: int


class NumberPlace(NamedTuple):
    """An account number, with a property and an issuer of bills that have this number."""

    account_number: str
    property_id: str
    issuer_name: str


class ChargedUnits(NamedTuple):
    """The number of units that a bill charges or credits, and how many are vacant."""

    units: int
    vacant: int


class ChargedOn(NamedTuple):
    """A bill line's charge, in cents, on an invoice of its month."""

    bill_id: str
    line: int
    invoice_id: str
    amount: int


_mine = and_(bill.c.account_id == bindparam("account"), bill.c.property_id == bindparam("property"))
_LAST_LINE = returns(
    LastLine,
    select(*columns_for(LastLine, bill_line, bill))
    .join(bill_line, named_by(bill, bill_line.c.bill_id))
    .where(
        _mine,
        bill_line.c.utility_type == bindparam("utility_type"),
        bill_line.c.month >= bindparam("since"),
        bill_line.c.month < bindparam("end"),
    )
    .order_by(bill.c.bill_date.desc(), bill.c.id.desc())
    .limit(literal_column("1")),
)
_OF_NUMBER = returns(
    BillOfNumber,
    select(*columns_for(BillOfNumber, bill))
    .where(bill.c.account_id == bindparam("account"), is_one_of(bill.c.account_number, "numbers"))
    .order_by(bill.c.account_number, bill.c.bill_date.desc())
    .limit(bindparam("limit")),
)
_its_flag = and_(named_by(bill, bill_flag.c.bill_id), bill_flag.c.accepted_at.is_(None))
_its_held = named_by(bill, held_line.c.bill_id)
_counted_by_itself = and_(
    named_by(bill, bill_document.c.bill_id),
    alike(incoming_document, bill_document, "document_id"),
    incoming_document.c.counted_at.is_not(None),
)
_one: ColumnElement[int] = literal_column("1")
_is_doubtful = or_(
    exists(select(_one).select_from(bill_flag).where(_its_flag).correlate(bill)),
    exists(select(_one).select_from(held_line).where(_its_held).correlate(bill)),
    exists(select(_one).select_from(bill_document).join(incoming_document, _counted_by_itself).correlate(bill)),
)
_BEFORE = returns(
    BillBefore,
    select(*columns_for(BillBefore, bill, speaks=case((_is_doubtful, literal_column("0")), else_=_one)))
    .where(bill.c.account_id == bindparam("account"), is_one_of(bill.c.account_number, "numbers"))
    .order_by(bill.c.bill_date.desc(), bill.c.id.desc())
    .limit(bindparam("limit")),
)
_PLACES = returns(
    NumberPlace,
    select(bill.c.account_number, bill.c.property_id, bill.c.issuer_name)
    .where(bill.c.account_id == bindparam("account"), is_one_of(bill.c.account_number, "numbers"))
    .group_by(bill.c.account_number, bill.c.property_id, bill.c.issuer_name),
)
_CHARGED = returns(
    ChargedUnits,
    select(
        func.count(invoice.c.unit_id.distinct()).label("units"),
        cast(func.coalesce(func.sum(case((invoice.c.tenant_name.is_(None), 1), else_=0)), 0), Integer).label("vacant"),
    ).where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.property_id == bindparam("property"),
        invoice.c.month == bindparam("month"),
        invoice.c.status != literal_column("'CANCELLED'"),
        HAS_CHARGE.where(charge.c.bill_id == bindparam("bill"), charge.c.amount != literal_column("0")),
    ),
)
_CHARGED_ON = returns(
    ChargedOn,
    select(*columns_for(ChargedOn, charge)).where(
        charge.c.account_id == bindparam("account"),
        is_one_of(charge.c.invoice_id, "invoices"),
        is_one_of(charge.c.bill_id, "bills"),
        charge.c.corrects_month.is_(None),
        charge.c.amount != literal_column("0"),
    ),
)
_SENT_WITH = returns_one(
    select(invoice.c.number)
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.property_id == bindparam("property"),
        is_one_of(invoice.c.month, "months"),
        is_one_of(invoice.c.status, "closing"),
        HAS_CHARGE.where(charge.c.bill_id == bindparam("bill")),
    )
    .limit(literal_column("1"))
)
_THERE = returns_one(select(bill.c.id).where(bill.c.account_id == bindparam("account"), is_one_of(bill.c.id, "ids")))
_NAMES = returns_pairs(
    select(bill.c.id, bill.c.line_names).where(
        bill.c.account_id == bindparam("account"), bill.c.line_names.is_not(None), is_one_of(bill.c.id, "ids")
    )
)
_NAMES_OF_MONTH = returns_one(
    select(bill.c.line_names)
    .join(bill_line, named_by(bill, bill_line.c.bill_id))
    .where(
        bill_line.c.account_id == bindparam("account"),
        bill_line.c.property_id == bindparam("property"),
        bill_line.c.month == bindparam("month"),
        bill.c.line_names.is_not(None),
    )
    .distinct()
    .order_by(bill.c.line_names)
)
_LAST_NAMES = returns_one(
    select(bill.c.line_names)
    .where(_mine, bill.c.issuer_name == bindparam("issuer"))
    .order_by(bill.c.bill_date.desc(), bill.c.id.desc())
    .limit(literal_column("1"))
)
_RECENT_NAMES = returns_one(
    select(bill.c.line_names)
    .where(_mine, bill.c.line_names.is_not(None), bill.c.bill_date >= bindparam("since"))
    .group_by(bill.c.line_names)
    .order_by(func.max(bill.c.bill_date).desc(), bill.c.line_names)
    .limit(bindparam("limit"))
)
_CORRECTED_WITH = returns_one(
    select(invoice.c.number)
    .select_from(charge)
    .join(invoice, INVOICE_OF_CHARGE)
    .join(billing_month, MONTH_OF_INVOICE)
    .where(
        charge.c.account_id == bindparam("account"),
        charge.c.bill_id == bindparam("bill"),
        charge.c.corrects_month.is_not(None),
        or_(invoice.c.status != literal_column("'DRAFT'"), billing_month.c.snapshot.is_not(None)),
    )
    .order_by(invoice.c.month, invoice.c.number)
    .limit(literal_column("1"))
)
_ALONE = returns_one(
    select(func.count())
    .select_from(invoice)
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.property_id == bindparam("property"),
        is_one_of(invoice.c.month, "months"),
        invoice.c.status == literal_column("'DRAFT'"),
        invoice.c.printed.is_(None),
        ~HAS_CHARGE.where(or_(charge.c.bill_id.is_(None), charge.c.bill_id != bindparam("bill"))),
    )
)


def those_there(tx: Tx, account_id: str, ids: Sequence[str]) -> list[str]:
    """Return which of these ids belong to bills of the account."""
    return tx.all(_THERE, account=account_id, ids=list(ids)) if ids else []


def last_line(
    tx: Tx, account_id: str, property_id: str, utility_type: str, *, since: str = "", end: str = "~"
) -> LastLine | None:
    """Find the line of a utility type on a property's latest bill for this type.

    Only lines in billing months from `since` on and before `end` are considered.
    """
    of = {"account": account_id, "property": property_id, "utility_type": utility_type}
    return tx.one(_LAST_LINE, **of, since=since, end=end)


def of_account_number(tx: Tx, account_id: str, numbers: Sequence[str], *, limit: int) -> list[BillOfNumber]:
    """List up to `limit` bills with these account numbers, of any property.

    `numbers` are the spellings of an account number. The bills are sorted by spelling, and then from latest to
    earliest.
    """
    return tx.all(_OF_NUMBER, account=account_id, numbers=list(numbers), limit=limit)


def before(tx: Tx, account_id: str, numbers: Sequence[str], *, limit: int) -> list[BillBefore]:
    """List the latest bills with one of these account numbers, of any property, latest first."""
    return tx.all(_BEFORE, account=account_id, numbers=list(numbers), limit=limit)


def names(tx: Tx, account_id: str, bill_ids: Sequence[str]) -> dict[str, str]:
    """Map bills to the stored names of their lines; bills without names are left out."""
    return dict(tx.all(_NAMES, account=account_id, ids=list(bill_ids)))


def names_of_month(tx: Tx, account_id: str, property_id: str, month: str) -> list[str]:
    """List the different stored names of the bills that have a line in a property-month."""
    return tx.all(_NAMES_OF_MONTH, account=account_id, property=property_id, month=month)


def last_names(tx: Tx, account_id: str, property_id: str, issuer_name: str) -> str | None:
    """Return the stored names of the lines of an issuer's last bill in a property."""
    return tx.one(_LAST_NAMES, account=account_id, property=property_id, issuer=issuer_name)


def recent_names(tx: Tx, account_id: str, property_id: str, *, since: str, limit: int) -> list[str]:
    """List the different stored names of the lines of a property's bills, latest first.

    Only bills from the month `since` on are considered.
    """
    return tx.all(_RECENT_NAMES, account=account_id, property=property_id, since=since, limit=limit)


def places_of_numbers(tx: Tx, account_id: str, numbers: Sequence[str]) -> list[NumberPlace]:
    """List the account numbers with the properties and issuers of their bills.

    Each combination is listed once.
    """
    return tx.all(_PLACES, account=account_id, numbers=list(numbers))


def charged_on(tx: Tx, account_id: str, invoice_ids: list[str], bill_ids: list[str]) -> list[ChargedOn]:
    """List the lines of these bills that the invoices charge, with the amounts.

    Charges of 0.00 and corrections of earlier months are left out.
    """
    return tx.all(_CHARGED_ON, account=account_id, invoices=invoice_ids, bills=bill_ids) if invoice_ids else []


def charged_units(tx: Tx, account_id: str, property_id: str, month: str, bill_id: str) -> ChargedUnits:
    """Count the units that a bill charges or credits on a month's invoices.

    Cancelled invoices are ignored.
    """
    charged = tx.one(_CHARGED, account=account_id, property=property_id, month=month, bill=bill_id)
    assert charged is not None, "a count is always there"
    return charged


def sent_with(tx: Tx, account_id: str, property_id: str, bill_id: str, months: list[str]) -> str | None:
    """Find the number of a sent invoice with charges of a bill.

    The invoice belongs to one of the `months`, and closes that month: it is SENT, PAID or OVERDUE. Return None if there
    is no such invoice.
    """
    asked = {"account": account_id, "property": property_id, "bill": bill_id, "months": months}
    return tx.one(_SENT_WITH, **asked, closing=list(CLOSING))


def corrected_with(tx: Tx, account_id: str, bill_id: str) -> str | None:
    """Return the number of an invoice that corrects the bill's charges, or None.

    The earliest such invoice is chosen. Drafts of months that were never closed are ignored.
    """
    return tx.one(_CORRECTED_WITH, account=account_id, bill=bill_id)


def drafts_of_alone(tx: Tx, account_id: str, property_id: str, bill_id: str, months: list[str]) -> int:
    """Count the never-sent drafts of these months that have charges only from this bill.

    These drafts are deleted with the bill.
    """
    return tx.one(_ALONE, account=account_id, property=property_id, bill=bill_id, months=months) or 0
