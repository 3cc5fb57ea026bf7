"""Stored corrections by month, household and line, and the charges behind them."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, case, delete, func, literal_column, or_, select, union

from prorata.domain.invoice_states import CLOSING
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, columns_for, is_one_of, returns, returns_one, row_values, saves
from prorata.store.schema.joins import INVOICE_OF_CHARGE, LIVED_IN_SINCE, MONTH_OF_INVOICE
from prorata.store.schema.tables import billing_month, charge, correction, invoice


class CorrectionRow(NamedTuple):
    """A household's correction for a bill line of a month, with amounts in cents.

    The fields have the same meaning as in the domain's `Correction`. `carrier` is the month whose invoice carries the
    amount to charge, or None if no invoice carries it yet. `household` contains the ids of the household's tenants,
    separated by spaces. `given_up` is set while the household's only invoice is cancelled, because the owner then bears
    the amount.
    """

    account_id: str
    property_id: str
    month: str
    unit_id: str
    tenant_id: str
    bill_id: str
    line: int
    utility_type: str | None
    right_amount: int
    own_amount: int
    elsewhere_amount: int
    cancelled_amount: int
    placed_amount: int
    again_amount: int
    left_amount: int
    waiting_amount: int
    to_charge_amount: int
    description: str
    carrier: str | None
    household: str
    given_up: bool

    @property
    def key(self) -> tuple[str, str, str, str, str, int]:
        """The property, month, unit, tenant and bill line, which together identify the correction."""
        return self.property_id, self.month, self.unit_id, self.tenant_id, self.bill_id, self.line

    @property
    def issued_amount(self) -> int:
        """The amount, in cents, that invoices of this month and of other months have charged."""
        return self.own_amount + self.elsewhere_amount


class CarriedIn(NamedTuple):
    """A corrected bill line of a household, and the latest month whose invoice corrects it.

    `month` is the corrected month, and `carrier` the month of the invoice.
    """

    bill_id: str
    line: int
    month: str
    unit_id: str
    tenant_id: str | None
    carrier: str


class OwnRow(NamedTuple):
    """An invoice of a closed month, with one of its charges.

    `amount` is the charge in cents; it is None if the invoice has no charge. If the charge has no bill, a person
    added it.
    """

    property_id: str
    month: str
    unit_id: str
    sequence: int
    status: str
    tenant_id: str | None
    issued: bool
    entries: int
    bill_id: str | None
    line: int | None
    amount: int | None
    corrects_month: str | None
    corrects_tenant: str | None


class ChargedRow(NamedTuple):
    """A charge that corrects a bill line of `month`, and its invoice.

    `invoice_id` is the invoice that charges it, and `carrier` the month of this invoice. `tenant_id` is a tenant of
    the corrected household.
    """

    invoice_id: str
    carrier: str
    property_id: str
    month: str
    unit_id: str
    tenant_id: str | None
    is_cancelled: bool
    bill_id: str
    line: int
    amount: int


class StandingRow(NamedTuple):
    """A charge that corrects a `month`, on an invoice that is no longer a draft.

    `amount` is in cents.
    """

    invoice_id: str
    month: str
    unit_id: str
    tenant_id: str | None
    bill_id: str
    line: int
    utility_type: str | None
    amount: int
    description: str


class MonthState(NamedTuple):
    """A month of a property, and whether it is closed."""

    property_id: str
    month: str
    is_closed: bool


_mine = correction.c.account_id == bindparam("account")
_of_these = is_one_of(correction.c.property_id, "properties")
_OF_MONTHS = returns(CorrectionRow, select(correction).where(_mine, _of_these, is_one_of(correction.c.month, "months")))
_of_one = (_mine, correction.c.property_id == bindparam("property"))
_in_order = (
    select(correction)
    .where(*_of_one)
    .order_by(correction.c.month, correction.c.unit_id, correction.c.tenant_id, correction.c.bill_id, correction.c.line)
)
_OF_PROPERTY = returns(CorrectionRow, _in_order)
_of_month_asked = correction.c.month == bindparam("month")
_paged = _in_order.limit(bindparam("limit")).offset(bindparam("offset"))
_PAGE, _PAGE_OF_MONTH = returns(CorrectionRow, _paged), returns(CorrectionRow, _paged.where(_of_month_asked))
_number = select(func.count()).select_from(correction).where(*_of_one)
_NUMBER, _NUMBER_OF_MONTH = returns_one(_number), returns_one(_number.where(_of_month_asked))
_OF_PROPERTIES = returns(CorrectionRow, select(correction).where(_mine, _of_these))
_to_charge = correction.c.to_charge_amount != literal_column("0")
_TO_CHARGE = returns(CorrectionRow, select(correction).where(_mine, _of_these, _to_charge))
_states = (
    select(*columns_for(MonthState, billing_month, is_closed=billing_month.c.snapshot.is_not(None)))
    .where(billing_month.c.account_id == bindparam("account"))
    .order_by(billing_month.c.property_id, billing_month.c.month)
)
_PENDING = returns(MonthState, _states.where(billing_month.c.pending))
_STATES = returns(MonthState, _states.where(is_one_of(billing_month.c.property_id, "properties")))
_OF_MONTHS_OR_UNSETTLED = returns(
    CorrectionRow,
    union(
        select(correction).where(_mine, _of_these, is_one_of(correction.c.month, "months")),
        select(correction).where(_mine, _of_these, _to_charge),
        select(correction).where(_mine, _of_these, correction.c.waiting_amount != literal_column("0")),
    ),
)
_SAVE = saves(correction)
_REMOVE = changes(
    delete(correction).where(
        _mine,
        correction.c.property_id == bindparam("property"),
        correction.c.month == bindparam("month"),
        correction.c.unit_id == bindparam("unit"),
        correction.c.tenant_id == bindparam("tenant"),
        correction.c.bill_id == bindparam("bill"),
        correction.c.line == bindparam("line"),
    )
)

_is_cancelled = case(
    (invoice.c.status == literal_column("'CANCELLED'"), literal_column("1")), else_=literal_column("0")
)
_OWN = returns(
    OwnRow,
    select(*columns_for(OwnRow, invoice, charge))
    .select_from(invoice)
    .outerjoin(charge, INVOICE_OF_CHARGE)
    .where(
        invoice.c.account_id == bindparam("account"),
        is_one_of(invoice.c.property_id, "properties"),
        is_one_of(invoice.c.month, "months"),
    ),
)
_ELSEWHERE = returns(
    ChargedRow,
    select(
        *columns_for(
            ChargedRow,
            invoice,
            charge,
            carrier=invoice.c.month,
            month=charge.c.corrects_month,
            tenant_id=charge.c.corrects_tenant,
            is_cancelled=_is_cancelled,
        )
    )
    .select_from(charge)
    .join(invoice, INVOICE_OF_CHARGE)
    .join(billing_month, MONTH_OF_INVOICE)
    .where(
        charge.c.account_id == bindparam("account"),
        is_one_of(charge.c.bill_id, "bills"),
        charge.c.corrects_month.is_not(None),
        or_(invoice.c.status != literal_column("'DRAFT'"), billing_month.c.snapshot.is_not(None)),
    ),
)
_on_invoices = and_(invoice.c.account_id == bindparam("account"), charge.c.corrects_month.is_not(None))
_of_month = and_(invoice.c.property_id == bindparam("property"), invoice.c.month == bindparam("month"))
_corrected = select(charge.c.corrects_month).select_from(invoice).join(charge, INVOICE_OF_CHARGE).distinct()
_CORRECTED_ON = returns_one(_corrected.where(_on_invoices, _of_month))
_CORRECTED_BY = returns_one(_corrected.where(_on_invoices, is_one_of(invoice.c.id, "invoices")))
_LIVED_IN_SINCE = returns_one(
    select(invoice.c.id).where(
        invoice.c.account_id == bindparam("account"), is_one_of(invoice.c.id, "invoices"), LIVED_IN_SINCE
    )
)
_carried = columns_for(CarriedIn, charge, invoice, month=charge.c.corrects_month, tenant_id=charge.c.corrects_tenant,
                       carrier=func.max(invoice.c.month))  # fmt: skip
_CARRIED_IN = returns(
    CarriedIn,
    select(*_carried)
    .select_from(charge)
    .join(invoice, INVOICE_OF_CHARGE)
    .where(
        charge.c.account_id == bindparam("account"),
        is_one_of(charge.c.bill_id, "bills"),
        charge.c.corrects_month.is_not(None),
        is_one_of(invoice.c.status, "closing"),
    )
    .group_by(*_carried[:-1]),
)
_NO_DRAFTS = returns(
    StandingRow,
    select(
        *columns_for(StandingRow, charge, invoice, month=charge.c.corrects_month, tenant_id=charge.c.corrects_tenant)
    )
    .select_from(invoice)
    .join(charge, INVOICE_OF_CHARGE)
    .where(
        _on_invoices,
        _of_month,
        or_(
            and_(invoice.c.sequence > literal_column("0"), is_one_of(invoice.c.status, "closing")),
            invoice.c.status == literal_column("'CANCELLED'"),
        ),
    )
    .order_by(charge.c.invoice_id.desc(), charge.c.id),
)


def of_months(tx: Tx, account_id: str, property_ids: list[str], months: list[str]) -> list[CorrectionRow]:
    """List the corrections that belong to these months of these properties."""
    return tx.all(_OF_MONTHS, account=account_id, properties=property_ids, months=months) if months else []


def of_months_or_unsettled(tx: Tx, account_id: str, property_ids: list[str], months: list[str]) -> list[CorrectionRow]:
    """List these properties' corrections that belong to these months or are unsettled.

    A correction is unsettled if a part of it is pending, or if a part still has to be charged by an invoice that is
    not sent yet.
    """
    return tx.all(_OF_MONTHS_OR_UNSETTLED, account=account_id, properties=property_ids, months=months)


def of_property(tx: Tx, account_id: str, property_id: str) -> list[CorrectionRow]:
    """List all corrections of a property, by month, unit and line."""
    tx.catch_up()
    return tx.all(_OF_PROPERTY, account=account_id, property=property_id)


def page(
    tx: Tx, account_id: str, property_id: str, month: str | None, *, limit: int, offset: int
) -> tuple[list[CorrectionRow], int]:
    """Return one page of a property's corrections, and their total number.

    If `month` is given, only corrections of this month are listed and counted. The corrections are sorted by month,
    unit and line.
    """
    tx.catch_up()
    asked = {"account": account_id, "property": property_id} | ({"month": month} if month else {})
    total = tx.one(_NUMBER_OF_MONTH if month else _NUMBER, **asked) or 0
    return tx.all(_PAGE_OF_MONTH if month else _PAGE, **asked, limit=limit, offset=offset), total


def of_properties(tx: Tx, account_id: str, property_ids: list[str]) -> list[CorrectionRow]:
    """List all corrections of these properties."""
    return tx.all(_OF_PROPERTIES, account=account_id, properties=property_ids)


def to_charge(tx: Tx, account_id: str, property_ids: list[str]) -> list[CorrectionRow]:
    """List these properties' corrections that invoices still have to charge, at least in part."""
    return tx.all(_TO_CHARGE, account=account_id, properties=property_ids)


def own_charges(tx: Tx, account_id: str, property_ids: list[str], months: list[str]) -> list[OwnRow]:
    """List the invoices of these properties' closed months, drafts included, with their charges."""
    return tx.all(_OWN, account=account_id, properties=property_ids, months=months) if months else []


def issued_elsewhere(tx: Tx, account_id: str, bill_ids: list[str]) -> list[ChargedRow]:
    """List the charges that correct lines of these bills, on invoices of any month.

    Drafts of open months are left out, and cancelled invoices are included.
    """
    return tx.all(_ELSEWHERE, account=account_id, bills=bill_ids) if bill_ids else []


def corrected_on(tx: Tx, account_id: str, property_id: str, month: str) -> list[str]:
    """List the earlier months that are corrected by the invoices of this month."""
    return tx.all(_CORRECTED_ON, account=account_id, property=property_id, month=month)


def corrected_by(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[str]:
    """List the earlier months that are corrected by these invoices."""
    return tx.all(_CORRECTED_BY, account=account_id, invoices=invoice_ids) if invoice_ids else []


def lived_in_since(tx: Tx, account_id: str, invoice_ids: list[str]) -> set[str]:
    """Find the invoices, among these, for vacant units that turned out to be occupied.

    The result contains the ids of the invoices.
    """
    return set(tx.all(_LIVED_IN_SINCE, account=account_id, invoices=invoice_ids)) if invoice_ids else set()


def on_no_drafts(tx: Tx, account_id: str, property_id: str, month: str) -> list[StandingRow]:
    """List the corrections that an open month's invoices, except drafts, charge.

    The invoices are cancelled, or have a sequence above 0 and are SENT, PAID or OVERDUE. Corrections on the newest
    invoice come first.
    """
    asked = {"account": account_id, "property": property_id, "month": month}
    return tx.all(_NO_DRAFTS, **asked, closing=list(CLOSING))


def carried_in(tx: Tx, account_id: str, bill_ids: list[str]) -> list[CarriedIn]:
    """List the corrected lines of these bills, each with the latest month that corrects it.

    A line is listed once for each corrected month and household. Only invoices that are SENT, PAID or OVERDUE
    count.
    """
    return tx.all(_CARRIED_IN, account=account_id, bills=bill_ids, closing=list(CLOSING)) if bill_ids else []


def month_states(tx: Tx, account_id: str, property_ids: list[str]) -> list[MonthState]:
    """List the stored months of these properties in order, and whether each is closed."""
    return tx.all(_STATES, account=account_id, properties=property_ids)


def pending_months(tx: Tx, account_id: str) -> list[MonthState]:
    """List the account's months with pending corrections, and whether each is closed."""
    return tx.all(_PENDING, account=account_id)


def add_many(tx: Tx, rows: Sequence[CorrectionRow]) -> None:
    """Add corrections of closed months."""
    tx.add_many("correction", CorrectionRow._fields, rows)


def save_many(tx: Tx, rows: Sequence[CorrectionRow]) -> None:
    """Save corrections that have changed."""
    tx.run_many(_SAVE, [row_values(correction, row) for row in rows])


def remove_many(tx: Tx, rows: Sequence[CorrectionRow]) -> None:
    """Delete these corrections, because recalculation no longer results in them."""
    tx.run_many(
        _REMOVE,
        [
            {
                "account": row.account_id, "property": row.property_id, "month": row.month, "unit": row.unit_id,
                "tenant": row.tenant_id, "bill": row.bill_id, "line": row.line,
            }
            for row in rows
        ],
    )  # fmt: skip
