"""Disputed amounts of invoices: sums of open disputes, for which no reminders are sent."""

from sqlalchemy import bindparam, case, func, literal_column, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns_pairs
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import charge, dispute, invoice

_its_charge = named_by(charge, dispute.c.charge_id)
_is_open = dispute.c.state == literal_column("'OPEN'")  # as in its index
_is_of_whom_it_is_for = dispute.c.tenant_id.is_not_distinct_from(invoice.c.tenant_id)
_most = func.abs(charge.c.amount)
_sum = func.coalesce(func.sum(case((dispute.c.amount > _most, _most), else_=dispute.c.amount)), literal_column("0"))
DISPUTED = (
    select(_sum)
    .select_from(dispute)
    .join(charge, _its_charge)
    .where(
        dispute.c.account_id == invoice.c.account_id,
        dispute.c.invoice_id == invoice.c.id,
        charge.c.invoice_id == invoice.c.id,
        _is_of_whom_it_is_for,
        _is_open,
    )
    .correlate(invoice)
    .scalar_subquery()
)
"""The disputed cents of an invoice.

For each charge, the disputed amount counts up to the charge's present amount. Disputes of the invoice's former
recipients are left out.
"""
_OF_INVOICES = returns_pairs(
    select(dispute.c.invoice_id, _sum)
    .select_from(dispute)
    .join(charge, _its_charge)
    .join(invoice, named_by(invoice, dispute.c.invoice_id))
    .where(
        dispute.c.account_id == bindparam("account"),
        is_one_of(dispute.c.invoice_id, "invoices"),
        charge.c.invoice_id == dispute.c.invoice_id,
        _is_of_whom_it_is_for,
        _is_open,
    )
    .group_by(dispute.c.invoice_id)
)


def disputed(tx: Tx, account_id: str, invoice_ids: list[str]) -> dict[str, int]:
    """Map invoices to their disputed amounts in cents, leaving out undisputed invoices."""
    amounts = tx.all(_OF_INVOICES, account=account_id, invoices=invoice_ids) if invoice_ids else []
    return {invoice_id: int(cents) for invoice_id, cents in amounts}
