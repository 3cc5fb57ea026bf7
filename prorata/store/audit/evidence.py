"""What a tenant was sent: the invoices of some billing months, and what was announced to them of rules."""

from collections.abc import Sequence

from sqlalchemy import bindparam, literal_column, select

from prorata.domain.invoice_states import DRAFT
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns
from prorata.store.delivery.rule_announcements import AnnouncementRow
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.schema.tables import invoice, rule_announcement

_OF_TENANT = returns(
    InvoiceRow,
    select(*(invoice.c[name] for name in InvoiceRow._fields))
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.unit_id == bindparam("unit"),
        invoice.c.tenant_id == bindparam("tenant"),
        invoice.c.month.between(bindparam("first"), bindparam("last")),
        invoice.c.status != literal_column(f"'{DRAFT}'"),
    )
    .order_by(invoice.c.month, invoice.c.sequence)
    .limit(bindparam("limit")),
)

_ANNOUNCED = returns(
    AnnouncementRow,
    select(rule_announcement)
    .where(
        rule_announcement.c.account_id == bindparam("account"),
        rule_announcement.c.property_id == bindparam("property"),
        rule_announcement.c.tenant_id == bindparam("tenant"),
    )
    .order_by(rule_announcement.c.id),
)


def invoices_of_tenant(
    tx: Tx, account_id: str, unit_id: str, tenant_id: str, months: tuple[str, str], *, limit: int
) -> Sequence[InvoiceRow]:
    """A tenant's invoices of billing months, the first and the last among them, that were sent, the earliest first."""
    first, last = months
    return tx.all(_OF_TENANT, account=account_id, unit=unit_id, tenant=tenant_id, first=first, last=last, limit=limit)


def announced_to(tx: Tx, account_id: str, property_id: str, tenant_id: str) -> Sequence[AnnouncementRow]:
    """What a tenant of a property was told of rules that change, the earliest first."""
    return tx.all(_ANNOUNCED, account=account_id, property=property_id, tenant=tenant_id)
