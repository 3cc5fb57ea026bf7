"""The open amounts of a tenant's invoices other than a given one."""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, case, literal_column, not_, or_, select

from prorata.domain.billing_calendar import Month, day_of
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import OVERDUE
from prorata.domain.printing.printed_invoices import OpenInvoice
from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, is_one_of, returns
from prorata.store.invoices.departures import has_not_left
from prorata.store.invoices.disputed_amounts import DISPUTED
from prorata.store.schema import tables
from prorata.store.schema.tables import invoice

_one = invoice.alias("one")
_balance = invoice.c.total - invoice.c.paid_amount
_is_credit = _balance < literal_column("0")
_asked = case((_is_credit, _balance), else_=_balance - DISPUTED)
_is_another_of_its_tenant = and_(
    invoice.c.account_id == _one.c.account_id,
    invoice.c.unit_id == _one.c.unit_id,
    invoice.c.tenant_id == _one.c.tenant_id,
    invoice.c.id != _one.c.id,
    *tables.UNBALANCED,
    not_(has_not_left(invoice)),
)


class _Asking(NamedTuple):
    """An invoice with an open amount in cents, negative for a credit.

    `beside` is the id of another invoice of the same tenant and unit, which mentions this one.
    """

    beside: str
    number: str
    month: str
    status: str
    due_date: str | None
    amount: int


_ELSEWHERE = returns(
    _Asking,
    select(*columns_for(_Asking, invoice, beside=_one.c.id, amount=_asked))
    .join_from(_one, invoice, _is_another_of_its_tenant)
    .where(
        _one.c.account_id == bindparam("account"),
        is_one_of(_one.c.id, "invoices"),
        or_(_is_credit, _asked > literal_column("0")),
    )
    .order_by(invoice.c.month, invoice.c.number_key),
)


def asked_elsewhere(tx: Tx, account_id: str, invoice_ids: list[str]) -> dict[str, list[OpenInvoice]]:
    """Map each of these invoices to the open amounts of its tenant's other invoices.

    The other invoices are for the same unit, have left (`departures`), and are sorted by month. Each has its amount to
    pay, without the disputed part, or its credit as a negative amount.
    """
    rows = tx.all(_ELSEWHERE, account=account_id, invoices=invoice_ids) if invoice_ids else []
    return grouped(
        (
            row.beside,
            OpenInvoice(row.number, Month(row.month), int(row.amount), day_of(row.due_date), row.status == OVERDUE),
        )
        for row in rows
    )
