"""The invoices to which the rows of a bank statement may be matched."""

from collections.abc import Sequence

from sqlalchemy import bindparam, literal_column, or_, select

from prorata.domain.invoice_states import UNPAID
from prorata.domain.mail.deliveries import QUEUED
from prorata.domain.payments.candidates import KnownInvoice
from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, is_one_of, returns, returns_one
from prorata.store.invoices import earlier_invoices
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import invoice, property_, unit

_known = (
    select(
        *columns_for(
            KnownInvoice,
            invoice,
            property_,
            noted=invoice.c.paid_by_status,
            unit_label=unit.c.label,
            property_name=property_.c.name,
        )
    )
    .join(unit, named_by(unit, invoice.c.unit_id))
    .join(property_, named_by(property_, invoice.c.property_id))
    .where(invoice.c.account_id == bindparam("account"))
)
_in_order = (invoice.c.month.desc(), invoice.c.number_key, invoice.c.id)
_OPEN = returns(
    KnownInvoice,
    _known.where(
        or_(*(invoice.c.status == literal_column(f"'{status}'") for status in UNPAID)),
        invoice.c.total > invoice.c.paid_amount,
    )
    .order_by(*_in_order)
    .limit(bindparam("limit")),
)
_OF_MONTHS = returns(
    KnownInvoice, _known.where(is_one_of(invoice.c.month, "months")).order_by(*_in_order).limit(bindparam("limit"))
)
_MARKED = returns(
    KnownInvoice,
    _known.where(is_one_of(invoice.c.tenant_name, "names"), invoice.c.paid_by_status > literal_column("0"))
    .order_by(*_in_order)
    .limit(bindparam("limit")),
)
_BY_IDS = returns(KnownInvoice, _known.where(is_one_of(invoice.c.id, "ids")))
_WITH_WAITING_MAIL = returns_one(
    select(invoice.c.id).where(
        invoice.c.account_id == bindparam("account"),
        is_one_of(invoice.c.id, "ids"),
        invoice.c.delivery == literal_column(f"'{QUEUED}'"),
    )
)
_BY_NUMBERS = returns(KnownInvoice, _known.where(is_one_of(invoice.c.number, "numbers")).order_by(*_in_order))


def open_ones(tx: Tx, account_id: str, limit: int) -> list[KnownInvoice]:
    """List SENT and OVERDUE invoices that are not paid in full, newest months first.

    Up to `limit` invoices are listed.
    """
    return tx.all(_OPEN, account=account_id, limit=limit)


def of_months(tx: Tx, account_id: str, months: Sequence[str], limit: int) -> list[KnownInvoice]:
    """List up to `limit` invoices of these months, newest months first."""
    return tx.all(_OF_MONTHS, account=account_id, months=list(months), limit=limit) if months else []


def marked_as_paid(tx: Tx, account_id: str, names: Sequence[str], limit: int) -> list[KnownInvoice]:
    """List the invoices with these tenant names that a person marked as paid.

    Up to `limit` invoices are listed, newest months first.
    """
    return tx.all(_MARKED, account=account_id, names=list(names), limit=limit) if names else []


def by_ids(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[KnownInvoice]:
    """List the invoices with these ids as candidates for payments, with their present status."""
    return tx.all(_BY_IDS, account=account_id, ids=list(invoice_ids)) if invoice_ids else []


def with_waiting_mail(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> set[str]:
    """Return the ids of the given invoices that are queued to be e-mailed."""
    return set(tx.all(_WITH_WAITING_MAIL, account=account_id, ids=list(invoice_ids))) if invoice_ids else set()


def by_numbers(tx: Tx, account_id: str, numbers: Sequence[str]) -> list[KnownInvoice]:
    """Find the invoices with these current or earlier numbers."""
    if not numbers:
        return []
    candidates = tx.all(_BY_NUMBERS, account=account_id, numbers=list(numbers))
    renumbered = {renumbering.invoice_id for renumbering in earlier_invoices.numbers_among(tx, account_id, numbers)}
    return candidates + by_ids(tx, account_id, sorted(renumbered - {known_invoice.id for known_invoice in candidates}))
