"""Invoices that have not left: their tenants have not received them yet.

As long as an invoice is held back, its landlord may take it back, so its tenant is told nothing about it.
"""

from functools import cache

from sqlalchemy import ColumnElement, FromClause, and_, bindparam, exists, literal_column, or_, select

from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.mail.deliveries import ON_ITS_WAY
from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns_one
from prorata.store.schema.mail_tables import mail
from prorata.store.schema.tables import invoice


@cache
def has_not_left(of: FromClause) -> ColumnElement[bool]:
    """Build the condition that an invoice's first e-mail is still waiting or has failed.

    An invoice that is e-mailed again has left before.
    """
    its_first = exists().where(
        mail.c.account_id == of.c.account_id,
        mail.c.invoice_id == of.c.id,
        mail.c.kind == literal_column(f"'{Kind.INVOICE.value}'"),
        _is_on_its_way(mail.c.state),
    )
    return and_(_is_on_its_way(of.c.delivery), its_first.correlate(of))


def _is_on_its_way(state: ColumnElement[str]) -> ColumnElement[bool]:
    return or_(*(state == literal_column(f"'{on_its_way}'") for on_its_way in ON_ITS_WAY))


_NOT_LEFT = returns_one(
    select(invoice.c.id).where(
        invoice.c.account_id == bindparam("account"), is_one_of(invoice.c.id, "invoices"), has_not_left(invoice)
    )
)


def not_left(tx: Tx, account_id: str, invoice_ids: list[str]) -> set[str]:
    """Return the ids of those of these invoices that have not left."""
    return set(tx.all(_NOT_LEFT, account=account_id, invoices=invoice_ids)) if invoice_ids else set()
