"""Erased tenants whose sent invoices are kept until the retention period ends."""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, func, literal_column, not_, or_, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds_if_new, changes, returns_one
from prorata.store.schema.privacy_tables import erasure
from prorata.store.schema.tables import invoice, tenant


class ErasureRow(NamedTuple):
    """An erased tenant whose sent invoices are still kept, and the time of the erasure."""

    account_id: str
    tenant_id: str
    erased_at: str


_mine = erasure.c.account_id == bindparam("account")
_ADD = adds_if_new(erasure)
_last_invoice = (
    select(func.max(invoice.c.invoice_date))
    .select_from(invoice)
    .join(tenant, and_(tenant.c.account_id == invoice.c.account_id, tenant.c.unit_id == invoice.c.unit_id))
    .where(
        tenant.c.account_id == erasure.c.account_id,
        tenant.c.id == erasure.c.tenant_id,
        invoice.c.tenant_id == erasure.c.tenant_id,
    )
    .correlate(erasure)
    .scalar_subquery()
)
_OVER = returns_one(
    select(erasure.c.tenant_id)
    .where(_mine, func.coalesce(_last_invoice, literal_column("''")) < bindparam("before"))
    .order_by(erasure.c.tenant_id)
    .limit(bindparam("limit"))
)
_LEFT_BEFORE = returns_one(
    select(tenant.c.id)
    .where(
        tenant.c.account_id == bindparam("account"),
        tenant.c.id > bindparam("after"),
        or_(tenant.c.move_out < bindparam("before"), tenant.c.ended_at < bindparam("before")),
        not_(and_(tenant.c.name == bindparam("erased"), tenant.c.ended_at.is_not(None))),
    )
    .order_by(tenant.c.id)
    .limit(bindparam("limit"))
)
_END = changes(delete(erasure).where(_mine, erasure.c.tenant_id == bindparam("tenant")))


def add(tx: Tx, row: ErasureRow) -> None:
    """Record a tenant's erasure, unless it is recorded already."""
    tx.run(_ADD, **row._asdict())


def over(tx: Tx, account_id: str, *, before: str, limit: int) -> list[str]:
    """List up to `limit` erased tenants whose last invoice is dated before a day."""
    return tx.all(_OVER, account=account_id, before=before, limit=limit)


def left_before(tx: Tx, account_id: str, before: str, erased: str, *, after: str, limit: int) -> list[str]:
    """List up to `limit` tenants who left or were removed before a day.

    The list begins after the id `after`. Tenants who were erased, and whose name is therefore `erased`, are left
    out.
    """
    return tx.all(_LEFT_BEFORE, account=account_id, before=before, erased=erased, after=after, limit=limit)


def end(tx: Tx, account_id: str, tenant_id: str) -> None:
    """Delete the record of a tenant's erasure, once nothing about the tenant is kept."""
    tx.run(_END, account=account_id, tenant=tenant_id)
