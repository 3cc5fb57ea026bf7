"""The data of a tenant's statement: sums, and the changes to the tenant's debt.

The statement is read from the invoices of a unit that are addressed to the tenant, and from their ledgers. An entry
made by marking an invoice as paid has a timestamp instead of a day. So the query needs the days, and also the times at
which they begin and end.

The tenant does not see invoices that have not left (`departures`), nor the credits that went to them.
"""

from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal_column,
    not_,
    or_,
    select,
    union_all,
)

from prorata.domain.invoice_states import CLOSING, DRAFT
from prorata.domain.invoices.ledger import CARRY, PAYMENT, REFUND, REVERSAL
from prorata.domain.invoices.statements import INVOICE, MARKED_PAID, NOTED, Posting
from prorata.store.database.engine import Tx
from prorata.store.database.statements import Statement, columns_for, returns
from prorata.store.invoices.departures import has_not_left, is_taken_back
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
_nothing: ColumnElement[Any] = literal_column("0")
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


_noted_receipt = case((invoice.c.paid_by_status > literal_column("0"), _code(NOTED)), else_=_none)
_receipt = case(
    (and_(payment.c.kind == _code(PAYMENT), _is_issued, not_(is_taken_back(payment))), payment.c.id), else_=_none
)
"""The receipt of a ledger entry: only a payment for a sent invoice that was not reversed has one."""
_ledgers = invoice.join(payment, named_by(invoice, payment.c.invoice_id)).outerjoin(
    _was,
    and_(
        _was.c.account_id == payment.c.account_id,
        _was.c.invoice_id == payment.c.invoice_id,
        _was.c.id == payment.c.reverses,
    ),
)
_twin, _other = payment.alias("twin"), invoice.alias("other")
_twin_of_carry = and_(
    _twin.c.account_id == payment.c.account_id,
    _twin.c.id == payment.c.id,
    _twin.c.invoice_id != payment.c.invoice_id,
)
_is_of_carry = func.coalesce(_was.c.kind, payment.c.kind) == _code(CARRY)
_is_given = func.coalesce(_was.c.amount, payment.c.amount) < literal_column("0")


def _unseen(of: FromClause) -> ColumnElement[bool]:
    """Build the condition that a tenant does not see an invoice from another's page."""
    return and_(has_not_left(of), of.c.id != bindparam("seen_from"))


_IS_OF_UNSEEN = or_(
    _unseen(invoice),
    and_(
        _is_given,
        exists(
            select(_twin.c.id)
            .join(_other, named_by(_other, _twin.c.invoice_id))
            .where(_twin_of_carry, _unseen(_other))
            .correlate(payment)
        ),
    ),
)
"""The condition that an entry is in the ledger of an unseen invoice, or carries a credit to one.

A credit that an invoice took stays, because the invoice asks for less on account of it.
"""


def _within(day: ColumnElement[Any]) -> ColumnElement[bool]:
    return and_(day >= bindparam("first"), day <= bindparam("last"))


def _before(day: ColumnElement[Any], amount: ColumnElement[Any], first: str) -> ColumnElement[Any]:
    return case((day < bindparam(first), amount), else_=literal_column("0")).label("before")


def _counting(seen: bool) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Build the conditions that an invoice, and that a ledger entry, is in a statement.

    `seen` is set if the tenant reads the statement.
    """
    issued = and_(_its, _is_issued)
    return (and_(issued, not_(_unseen(invoice))), and_(_its, not_(_IS_OF_UNSEEN))) if seen else (issued, _its)


@cache
def _postings(*, seen: bool) -> Statement[Posting]:
    """Build the statement that finds a tenant's postings."""
    issued, entries = _counting(seen)
    found = union_all(
        select(
            invoice.c.invoice_date.label("day"), _code(INVOICE).label("kind"), invoice.c.id.label("invoice_id"),
            invoice.c.number, invoice.c.total.label("amount"), _none.label("of"), _none.label("other"),
            _none.label("entry"), _none.label("receipt"), (invoice.c.total - invoice.c.paid_amount).label("open"),
        ).where(issued, _within(invoice.c.invoice_date)),
        select(
            invoice.c.paid_at, _code(MARKED_PAID), invoice.c.id, invoice.c.number, -invoice.c.paid_by_status, _none,
            _none, _none, _noted_receipt, _nothing,
        ).where(_its, _is_noted, invoice.c.paid_at >= bindparam("begins"), invoice.c.paid_at < bindparam("ends")),
        select(
            payment.c.day, payment.c.kind, invoice.c.id, invoice.c.number, _effect, func.coalesce(_was.c.kind, _none),
            case((_is_of_carry, func.coalesce(payment.c.reference, _none)), else_=_none),
            payment.c.id, _receipt, _nothing,
        ).select_from(_ledgers).where(entries, _within(payment.c.day)),
    ).subquery("found")  # fmt: skip
    order = (found.c.day, found.c.entry, found.c.amount.desc(), found.c.number)
    return returns(Posting, select(*columns_for(Posting, found)).order_by(*order))


@cache
def _sums(*, seen: bool) -> Statement[Sums]:
    """Build the statement that sums a tenant's postings."""
    issued, entries = _counting(seen)
    found = union_all(
        select(invoice.c.total.label("amount"), _before(invoice.c.invoice_date, invoice.c.total, "first")).where(
            issued
        ),
        select(-invoice.c.paid_by_status, _before(invoice.c.paid_at, -invoice.c.paid_by_status, "begins")).where(
            _its, _is_noted
        ),
        select(_effect, _before(payment.c.day, _effect, "first")).select_from(_ledgers).where(entries),
    ).subquery("found")
    return returns(
        Sums,
        select(
            cast(func.coalesce(func.sum(found.c.before), 0), BigInteger).label("before"),
            cast(func.coalesce(func.sum(found.c.amount), 0), BigInteger).label("at_all"),
        ),
    )


_POSTINGS, _SEEN_POSTINGS = _postings(seen=False), _postings(seen=True)
_SUMS, _SEEN_SUMS = _sums(seen=False), _sums(seen=True)
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


def postings(
    tx: Tx, account_id: str, unit_id: str, tenant_id: str, days: Days, *, seen_from: str | None = None
) -> list[Posting]:
    """List the changes to a tenant's debt in a range of days, earliest day first.

    Changes on the same day are in the order in which they were entered. A carried credit appears twice: first on
    the invoice that gives it, then on the one that receives it. For an entry made by marking an invoice as paid,
    `day` is a timestamp. If the tenant reads the statement, `seen_from` is the id of the invoice on whose page it is.
    """
    tx.catch_up()
    statement, asked = _SEEN_POSTINGS if seen_from else _POSTINGS, {"seen_from": seen_from, **days._asdict()}
    return tx.all(statement, account=account_id, unit=unit_id, tenant=tenant_id, **asked)


def sums(
    tx: Tx, account_id: str, unit_id: str, tenant_id: str, days: Days, *, seen_from: str | None = None
) -> Sums:  # fmt: skip
    """Sum a tenant's debt before a range of days, and the debt up to now.

    `seen_from` is as in `postings`.
    """
    tx.catch_up()
    statement, asked = _SEEN_SUMS if seen_from else _SUMS, {"seen_from": seen_from, **days._asdict()}
    return tx.one(statement, account=account_id, unit=unit_id, tenant=tenant_id, **asked) or Sums(0, 0)
