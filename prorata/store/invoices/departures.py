"""Invoices that have not left: their tenants have neither received nor paid them.

As long as an invoice is held back, its landlord may take it back, so its tenant is told nothing about it.
"""

from functools import cache

from sqlalchemy import ColumnElement, FromClause, and_, bindparam, exists, literal_column, not_, or_, select

from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.invoices.ledger import CARRY, REVERSAL
from prorata.domain.mail.deliveries import ON_ITS_WAY
from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns_one
from prorata.store.schema.joins import named_by
from prorata.store.schema.mail_tables import mail
from prorata.store.schema.payment_tables import payment
from prorata.store.schema.tables import invoice

_money, _reversal = payment.alias("money"), payment.alias("reversal_of_money")


@cache
def has_not_left(of: FromClause) -> ColumnElement[bool]:
    """Build the condition that an invoice's first e-mail is still waiting or has failed.

    An invoice that is e-mailed again has left before. If money was recorded for the invoice, its tenant knows it:
    a statement with the payment and without the charge would be wrong.
    """
    its_first = exists().where(
        mail.c.account_id == of.c.account_id,
        mail.c.invoice_id == of.c.id,
        mail.c.kind == literal_column(f"'{Kind.INVOICE.value}'"),
        _is_on_its_way(mail.c.state),
    )
    return and_(_is_on_its_way(of.c.delivery), its_first.correlate(of), not_(_has_money(of)))


@cache
def _has_money(of: FromClause) -> ColumnElement[bool]:
    """Build the condition that an invoice has a payment that was not taken back."""
    entry = exists().where(
        named_by(of, _money.c.invoice_id),
        *(_money.c.kind != literal_column(f"'{kind}'") for kind in (CARRY, REVERSAL)),
        not_(is_taken_back(_money)),
    )
    return or_(of.c.paid_by_status != literal_column("0"), entry.correlate(of))


@cache
def is_taken_back(of: FromClause) -> ColumnElement[bool]:
    """Build the condition that a ledger entry was reversed."""
    reversed_by = exists().where(named_by(of, _reversal.c.reverses), _reversal.c.invoice_id == of.c.invoice_id)
    return reversed_by.correlate(of)


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
