"""The data of a tenant's statement: sums, and the changes to the tenant's debt.

The statement is read from the invoices of a unit that are addressed to the tenant, and from their ledgers. An entry
made by marking an invoice as paid has a timestamp instead of a day. So the query needs the days, and also the times at
which they begin and end.
"""

from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    or_,
    select,
    union_all,
)

from prorata.domain.invoice_states import CLOSING, DRAFT
from prorata.domain.invoices.ledger import CARRY, REFUND, REVERSAL
from prorata.domain.invoices.statements import INVOICE, MARKED_PAID, Posting
from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, returns
from prorata.store.schema.joins import named_by
from prorata.store.schema.payment_tables import payment
from prorata.store.schema.tables import invoice


class Days(NamedTuple):
    """A range of days, both included, and the times when it begins and ends."""

    first: str
    last: str
    begins: str
    ends: str


class Sums(NamedTuple):
    """A tenant's debt in cents.

    `before` is the debt before a range of days, and `at_all` the debt up to now.
    """

    before: int
    at_all: int


class SharedInvoice(NamedTuple):
    """A tenant's invoice that other tenants of the unit may share.

    Amounts are in cents.
    """

    id: str
    number: str
    month: str
    total: int
    paid_amount: int
    tenant_id: str
    tenant_name: str | None


def _code(text: str) -> ColumnElement[Any]:
    return literal_column(f"'{text}'")


_none: ColumnElement[Any] = literal_column("''")
_its = and_(
    invoice.c.account_id == bindparam("account"),
    invoice.c.unit_id == bindparam("unit"),
    invoice.c.tenant_id == bindparam("tenant"),
)
_is_issued = or_(*(invoice.c.status == _code(status) for status in CLOSING))
_is_noted = and_(invoice.c.paid_by_status != literal_column("0"), invoice.c.paid_at.is_not(None))
_was = payment.alias("was")
_effect = case(
    (payment.c.kind == _code(REFUND), payment.c.amount),
    (and_(payment.c.kind == _code(REVERSAL), _was.c.kind == _code(REFUND)), -_was.c.amount),
    (payment.c.kind == _code(REVERSAL), _was.c.amount),
    else_=-payment.c.amount,
)
"""The change, in cents, that a ledger entry makes to the tenant's debt.

Money received reduces the debt, and an entry that takes the money back increases it again.
"""


_ledgers = invoice.join(payment, named_by(invoice, payment.c.invoice_id)).outerjoin(
    _was,
    and_(
        _was.c.account_id == payment.c.account_id,
        _was.c.invoice_id == payment.c.invoice_id,
        _was.c.id == payment.c.reverses,
    ),
)


def _within(day: ColumnElement[Any]) -> ColumnElement[bool]:
    return and_(day >= bindparam("first"), day <= bindparam("last"))


def _before(day: ColumnElement[Any], amount: ColumnElement[Any], first: str) -> ColumnElement[Any]:
    return case((day < bindparam(first), amount), else_=literal_column("0")).label("before")


_postings = union_all(
    select(
        invoice.c.invoice_date.label("day"), _code(INVOICE).label("kind"), invoice.c.id.label("invoice_id"),
        invoice.c.number, invoice.c.total.label("amount"), _none.label("of"), _none.label("other"),
        _none.label("entry"),
    ).where(_its, _is_issued, _within(invoice.c.invoice_date)),
    select(
        invoice.c.paid_at, _code(MARKED_PAID), invoice.c.id, invoice.c.number, -invoice.c.paid_by_status, _none, _none,
        _none,
    ).where(_its, _is_noted, invoice.c.paid_at >= bindparam("begins"), invoice.c.paid_at < bindparam("ends")),
    select(
        payment.c.day, payment.c.kind, invoice.c.id, invoice.c.number, _effect, func.coalesce(_was.c.kind, _none),
        case((payment.c.kind == _code(CARRY), func.coalesce(payment.c.reference, _none)), else_=_none), payment.c.id,
    ).select_from(_ledgers).where(_its, _within(payment.c.day)),
).subquery("found")  # fmt: skip
_amounts = union_all(
    select(invoice.c.total.label("amount"), _before(invoice.c.invoice_date, invoice.c.total, "first")).where(
        _its, _is_issued
    ),
    select(-invoice.c.paid_by_status, _before(invoice.c.paid_at, -invoice.c.paid_by_status, "begins")).where(
        _its, _is_noted
    ),
    select(_effect, _before(payment.c.day, _effect, "first")).select_from(_ledgers).where(_its),
).subquery("found")
_POSTINGS = returns(
    Posting,
    select(*columns_for(Posting, _postings)).order_by(
        _postings.c.day, _postings.c.entry, _postings.c.amount.desc(), _postings.c.number
    ),
)
_SUMS = returns(
    Sums,
    select(
        cast(func.coalesce(func.sum(_amounts.c.before), 0), BigInteger).label("before"),
        cast(func.coalesce(func.sum(_amounts.c.amount), 0), BigInteger).label("at_all"),
    ),
)

_DRAFTS = returns(
    SharedInvoice,
    select(*columns_for(SharedInvoice, invoice))
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.unit_id == bindparam("unit"),
        invoice.c.tenant_id.is_not(None),
        invoice.c.status == _code(DRAFT),
        invoice.c.total != literal_column("0"),
    )
    .order_by(invoice.c.month, invoice.c.number_key, invoice.c.id),
)
_OF_OTHERS = returns(
    SharedInvoice,
    select(*columns_for(SharedInvoice, invoice))
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.unit_id == bindparam("unit"),
        invoice.c.tenant_id != bindparam("tenant"),
        _is_issued,
    )
    .order_by(invoice.c.month.desc(), invoice.c.number_key, invoice.c.id),
)


def of_others(tx: Tx, account_id: str, unit_id: str, tenant_id: str) -> list[SharedInvoice]:
    """List a unit's sent invoices to tenants other than this one, newest month first."""
    tx.catch_up()
    return tx.all(_OF_OTHERS, account=account_id, unit=unit_id, tenant=tenant_id)


def drafts(tx: Tx, account_id: str, unit_id: str) -> list[SharedInvoice]:
    """List a unit's drafts that have a tenant, earliest month first.

    Drafts whose total is 0 are left out.
    """
    tx.catch_up()
    return tx.all(_DRAFTS, account=account_id, unit=unit_id)


def postings(tx: Tx, account_id: str, unit_id: str, tenant_id: str, days: Days) -> list[Posting]:
    """List the changes to a tenant's debt in a range of days, earliest day first.

    Changes on the same day are in the order in which they were entered. A carried credit appears twice: first on
    the invoice that gives it, then on the one that receives it. For an entry made by marking an invoice as paid,
    `day` is a timestamp.
    """
    tx.catch_up()
    return tx.all(_POSTINGS, account=account_id, unit=unit_id, tenant=tenant_id, **days._asdict())


def sums(tx: Tx, account_id: str, unit_id: str, tenant_id: str, days: Days) -> Sums:
    """Sum a tenant's debt before a range of days, and the debt up to now."""
    tx.catch_up()
    asked = {"account": account_id, "unit": unit_id, "tenant": tenant_id}
    its_sums = tx.one(_SUMS, **asked, first=days.first, begins=days.begins)
    return its_sums or Sums(0, 0)
