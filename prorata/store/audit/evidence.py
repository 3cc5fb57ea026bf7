"""The documents sent to a tenant: invoices of some months, and rule announcements."""

from collections.abc import Sequence

from sqlalchemy import bindparam, literal_column, select

from prorata.domain.invoice_states import DRAFT
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns
from prorata.store.delivery.rule_announcements import AnnouncementRow
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.schema.joins import HAS_CHARGE
from prorata.store.schema.tables import charge, invoice, rule_announcement

_of_tenant = (
    select(*(invoice.c[name] for name in InvoiceRow._fields))
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.unit_id == bindparam("unit"),
        invoice.c.tenant_id == bindparam("tenant"),
        invoice.c.status != literal_column(f"'{DRAFT}'"),
    )
    .order_by(invoice.c.month, invoice.c.sequence)
)
_OF_TENANT = returns(
    InvoiceRow,
    _of_tenant.where(invoice.c.month.between(bindparam("first"), bindparam("last"))).limit(bindparam("limit")),
)

_CORRECTING = returns(
    InvoiceRow,
    _of_tenant.where(
        invoice.c.month >= bindparam("since"),
        HAS_CHARGE.where(
            charge.c.bill_id == bindparam("bill"),
            charge.c.line == bindparam("line"),
            charge.c.corrects_month == bindparam("month"),
        ),
    ),
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
    """List a tenant's sent invoices from one billing month to another, earliest first.

    Both months are included.
    """
    first, last = months
    return tx.all(_OF_TENANT, account=account_id, unit=unit_id, tenant=tenant_id, first=first, last=last, limit=limit)


def invoices_correcting(
    tx: Tx, account_id: str, unit_id: str, tenant_id: str, line: tuple[str, int, str], *, since: str
) -> Sequence[InvoiceRow]:
    """List a tenant's sent invoices with a correction of a bill line, earliest first.

    `line` is the bill's id, the line's number and the corrected month. Invoices of months before `since` are left
    out.
    """
    bill_id, number, month = line
    asked = {"bill": bill_id, "line": number, "month": month, "since": since}
    return tx.all(_CORRECTING, account=account_id, unit=unit_id, tenant=tenant_id, **asked)


def announced_to(tx: Tx, account_id: str, property_id: str, tenant_id: str) -> Sequence[AnnouncementRow]:
    """List the rule changes announced to a tenant of a property, earliest first."""
    return tx.all(_ANNOUNCED, account=account_id, property=property_id, tenant=tenant_id)
