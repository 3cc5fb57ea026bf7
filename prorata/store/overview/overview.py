"""Data of the overview: a month's sums, months that need an action, and utility costs."""

from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, case, cast, func, literal_column, not_, select

from prorata.domain.invoice_states import DRAFT
from prorata.domain.mail.deliveries import TO_HAND_OVER
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.store.bills.late_bills import MONTHS_WITH_LINES, WAITS
from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns, returns_one
from prorata.store.schema import job_tables
from prorata.store.schema.job_tables import job
from prorata.store.schema.joins import LIVED_IN_SINCE, line_of, named_by
from prorata.store.schema.tables import NEEDING, bill_line, billing_month, correction, invoice, property_

PLACES = 5
"""The number of months of properties that the overview names for one thing to do."""


class MonthSums(NamedTuple):
    """The sums of a month over all properties with one currency, in cents.

    Invoices are counted by status.
    """

    currency: str
    properties: int
    draft: int
    sent: int
    paid: int
    overdue: int
    cancelled: int
    billed: int
    received: int
    owner_amount: int


class StatusSum(NamedTuple):
    """The total of a month's invoices with one status and currency, and the amount owed.

    All amounts are in cents. `owing` counts the invoices on which an amount is owed. `credits` counts the invoices
    whose total is negative, `credit` is the amount that these give to tenants, and `credit_open` the part of it that
    was neither used nor paid back. `credit_paid` is what was paid on these, which nobody asked for. Invoices of vacant
    units are summed separately. Of these, `lived_in` counts the invoices whose unit turned out not to be vacant.
    """

    currency: str
    status: str
    is_vacant: bool
    number: int
    lived_in: int
    total: int
    owed: int
    owing: int
    credit: int
    credit_open: int
    credits: int
    credit_paid: int


class Place(NamedTuple):
    """A month of a property that needs an action, with the property's name."""

    property_id: str
    property_name: str
    month: str


class Places(NamedTuple):
    """The number of records that need a certain action, and the newest months concerned."""

    number: int
    first: tuple[Place, ...]


class MonthNumber(NamedTuple):
    """A month, and the number of its invoices that need an action."""

    month: str
    number: int


class DraftCount(NamedTuple):
    """The numbers of a month's drafts for tenants (`drafts`) and for vacant units (`vacant`).

    `places` is the number of properties that have drafts for tenants.
    """

    month: str
    places: int
    drafts: int
    vacant: int


class CorrectedVacancy(NamedTuple):
    """The sums of corrections for a month's vacant units in one currency, in cents.

    `differs` is the correct amount minus the amount on the units' invoices. `borne` is the part of this difference
    that was left to the owner, and is thus included in the owner's part of the month's bills.
    """

    currency: str
    differs: int
    borne: int


class Cost(NamedTuple):
    """The cost of a utility in a month, in cents of one currency.

    If `utility_type` is None, this is the cost of unbilled lines.
    """

    currency: str
    month: str
    utility_type: str | None
    amount: int


class _CostsOfMonth(NamedTuple):
    """A month's costs: the bills' lines summed by utility, and the unbilled lines.

    A sum is None if there are no such lines. The utilities are in the order of `UTILITY_TYPES`.
    """

    month: str
    electricity: int | None
    water: int | None
    gas: int | None
    internet: int | None
    sewer: int | None
    garbage: int | None
    other: int | None
    not_billed: int | None


_KINDS = (*UTILITY_TYPES, None)
_my_month = billing_month.c.account_id == bindparam("account")
_its_property = named_by(property_, billing_month.c.property_id)
_summed = MonthSums._fields[2:]
_SUMS = returns(
    MonthSums,
    select(
        property_.c.currency,
        func.count().label("properties"),
        *(cast(func.sum(billing_month.c[name]), BigInteger).label(name) for name in _summed),
    )
    .join(property_, _its_property)
    .where(_my_month, billing_month.c.month == bindparam("month"))
    .group_by(property_.c.currency)
    .order_by(property_.c.currency),
)
_CORRECTED_VACANCY = returns(
    CorrectedVacancy,
    select(
        property_.c.currency,
        cast(func.sum(correction.c.right_amount - correction.c.own_amount), BigInteger).label("differs"),
        cast(func.sum(correction.c.left_amount), BigInteger).label("borne"),
    )
    .join(property_, named_by(property_, correction.c.property_id))
    .join(bill_line, line_of(correction))
    .where(
        correction.c.account_id == bindparam("account"),
        correction.c.month == bindparam("month"),
        correction.c.tenant_id == bindparam("nobody"),
        correction.c.unit_id != bindparam("nobody"),
        bill_line.c.charged,
    )
    .group_by(property_.c.currency),
)
_is_vacant = invoice.c.tenant_name.is_(None)
_balance = invoice.c.total - invoice.c.paid_amount
_none: ColumnElement[int] = literal_column("0")
_owes, _is_credit = _balance > _none, invoice.c.total < _none
_is_open_credit, _is_paid_credit = and_(_is_credit, _balance < _none), and_(_is_credit, invoice.c.paid_amount > _none)
_STATUS_SUMS = returns(
    StatusSum,
    select(
        property_.c.currency,
        invoice.c.status,
        _is_vacant.label("is_vacant"),
        func.count().label("number"),
        func.count().filter(LIVED_IN_SINCE).label("lived_in"),
        cast(func.sum(invoice.c.total), BigInteger).label("total"),
        cast(func.sum(case((_owes, _balance), else_=_none)), BigInteger).label("owed"),
        func.count().filter(_owes).label("owing"),
        cast(func.sum(case((_is_credit, -invoice.c.total), else_=_none)), BigInteger).label("credit"),
        cast(
            func.sum(case((_is_paid_credit, -invoice.c.total), (_is_open_credit, -_balance), else_=_none)), BigInteger
        ).label("credit_open"),
        func.count().filter(_is_credit).label("credits"),
        cast(func.sum(case((_is_paid_credit, invoice.c.paid_amount), else_=_none)), BigInteger).label("credit_paid"),
    )
    .join(property_, named_by(property_, invoice.c.property_id))
    .where(invoice.c.account_id == bindparam("account"), invoice.c.month == bindparam("month"))
    .group_by(property_.c.currency, invoice.c.status, _is_vacant)
    .order_by(property_.c.currency, invoice.c.status),
)
_WAITING = returns(
    Place,
    select(property_.c.id.label("property_id"), property_.c.name.label("property_name"), billing_month.c.month)
    .select_from(MONTHS_WITH_LINES.join(property_, _its_property))
    .where(_my_month, *WAITS)
    .group_by(property_.c.id, property_.c.name, billing_month.c.month)
    .order_by(billing_month.c.month.desc(), property_.c.id)
    .limit(bindparam("limit")),
)
_COUNT_WAITING = returns_one(
    select(func.count(bill_line.c.bill_id.distinct())).select_from(MONTHS_WITH_LINES).where(_my_month, *WAITS)
)
_mine = invoice.c.account_id == bindparam("account")
_is_draft = and_(_mine, invoice.c.status == literal_column(f"'{DRAFT}'"))
_for_somebody = invoice.c.tenant_id.is_not(None)
_COUNT_DRAFTS_OF_MONTHS = returns(
    DraftCount,
    select(
        invoice.c.month,
        func.count(invoice.c.property_id.distinct()).filter(_for_somebody).label("places"),
        func.count().filter(_for_somebody).label("drafts"),
        func.count().filter(invoice.c.tenant_id.is_(None), not_(LIVED_IN_SINCE)).label("vacant"),
    )
    .select_from(invoice)
    .where(_is_draft, is_one_of(invoice.c.month, "months"))
    .group_by(invoice.c.month)
    .order_by(invoice.c.month.desc()),
)
_TO_HAND_OVER = returns(
    MonthNumber,
    select(invoice.c.month, func.count().label("number"))
    .select_from(invoice)
    .where(_mine, *NEEDING[TO_HAND_OVER])
    .group_by(invoice.c.month)
    .order_by(invoice.c.month.desc())
    .limit(bindparam("limit")),
)
"""The query for months with invoices to hand over, newest first.

An index has the months in this order, and is read only up to the limit.
"""
_FAILED_JOBS = returns_one(
    select(func.count()).select_from(job).where(job.c.account_id == bindparam("account"), job_tables.FAILED)
)
_CURRENCIES = returns_one(
    select(property_.c.currency)
    .where(property_.c.account_id == bindparam("account"))
    .distinct()
    .order_by(property_.c.currency)
)
_lines_between = and_(
    bill_line.c.account_id == bindparam("account"), bill_line.c.month.between(bindparam("first"), bindparam("last"))
)


def _costs_of(kind: str | None) -> ColumnElement[Any]:
    column = bill_line.c.utility_type
    is_of_it = column.is_(None) if kind is None else column == literal_column(f"'{kind}'")
    return cast(func.sum(bill_line.c.amount).filter(is_of_it), BigInteger).label(kind.lower() if kind else "not_billed")


_COSTS_OF_MONTHS = returns(
    _CostsOfMonth,
    select(bill_line.c.month, *map(_costs_of, _KINDS)).where(_lines_between).group_by(bill_line.c.month),
)
"""The query for the bills' costs by month, for all properties.

An index has the lines in the order of months.
"""
_COSTS = returns(
    Cost,
    select(
        property_.c.currency,
        bill_line.c.month,
        bill_line.c.utility_type,
        cast(func.sum(bill_line.c.amount), BigInteger).label("amount"),
    )
    .join(property_, named_by(property_, bill_line.c.property_id))
    .where(_lines_between)
    .group_by(property_.c.currency, bill_line.c.month, bill_line.c.utility_type),
)


def sums(tx: Tx, account_id: str, month: str) -> list[MonthSums]:
    """Sum a month's invoices and bills over all properties, for each currency."""
    return tx.all(_SUMS, account=account_id, month=month)


def corrected_vacancy(tx: Tx, account_id: str, month: str) -> list[CorrectedVacancy]:
    """Sum the corrections for a month's vacant units, by currency."""
    return tx.all(_CORRECTED_VACANCY, account=account_id, month=month, nobody="")


def status_sums(tx: Tx, account_id: str, month: str) -> list[StatusSum]:
    """Sum a month's invoices by currency and status, separately for vacant units."""
    return tx.all(_STATUS_SUMS, account=account_id, month=month)


def waiting(tx: Tx, account_id: str) -> Places:
    """Count the late bills, and find the newest closed months that do not charge them."""
    number = tx.one(_COUNT_WAITING, account=account_id) or 0
    return Places(number, tuple(tx.all(_WAITING, account=account_id, limit=PLACES)) if number else ())


def drafts_of_months(tx: Tx, account_id: str, months: list[str]) -> list[DraftCount]:
    """Count each of these months' drafts for tenants and for vacant units.

    The months are sorted newest first. Months without a draft for a tenant are left out.
    """
    month_drafts = tx.all(_COUNT_DRAFTS_OF_MONTHS, account=account_id, months=months) if months else []
    return [draft_count for draft_count in month_drafts if draft_count.drafts]


def to_hand_over(tx: Tx, account_id: str) -> list[MonthNumber]:
    """List the newest months with invoices to hand over, each with their number.

    At most `PLACES` + 1 months are listed.
    """
    return tx.all(_TO_HAND_OVER, account=account_id, limit=PLACES + 1)


def failed_jobs(tx: Tx, account_id: str) -> int:
    """Count the account's jobs that have failed and are waiting for a person."""
    return tx.one(_FAILED_JOBS, account=account_id) or 0


def costs(tx: Tx, account_id: str, first: str, last: str) -> list[Cost]:
    """Sum the bills' lines from month `first` to `last`, by currency, month and utility."""
    currencies = tx.all(_CURRENCIES, account=account_id)
    if len(currencies) > 1:
        return tx.all(_COSTS, account=account_id, first=first, last=last)
    return [
        Cost(currency, row.month, kind, amount)
        for currency in currencies
        for row in tx.all(_COSTS_OF_MONTHS, account=account_id, first=first, last=last)
        for kind, amount in zip(_KINDS, row[1:], strict=True)
        if amount is not None
    ]
