"""Earlier numbers of invoices, and each invoice as it was sent under an earlier number."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, exists, func, or_, select

from prorata.domain.invoice_states import DRAFT, UNSENT
from prorata.domain.mail.deliveries import HANDED_OVER, HAS_LEFT, WITH_THE_INVOICE
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    adds_if_new,
    changes,
    columns_for,
    is_one_of,
    puts,
    returns,
    returns_one,
    returns_pairs,
    row_values,
    saves,
)
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.mail.messages import ADDRESS_NOW, TELLS_OF_INVOICE
from prorata.store.schema.joins import named_by
from prorata.store.schema.mail_tables import mail
from prorata.store.schema.tables import earlier_facts, earlier_invoice, invoice, tenant


class EarlierRow(NamedTuple):
    """An invoice as it was when it was withdrawn.

    Until then, the invoice was SENT, PAID or OVERDUE, under this `number`. Amounts are in cents. `charges` contains
    its charges as JSON. `facts` is the digest of the facts from which its month was computed, if these facts are
    stored (`FactsRow`).
    """

    account_id: str
    invoice_id: str
    number: str
    replaces_number: str | None
    status: str
    invoice_date: str
    due_date: str | None
    total: int
    paid_amount: int
    paid_at: str | None
    tenant_id: str | None
    tenant_name: str | None
    printed: str
    generated_at: str
    charges: str
    facts: str | None
    kept_at: str


class FactsRow(NamedTuple):
    """The facts from which a month was computed when its invoices were withdrawn."""

    account_id: str
    property_id: str
    month: str
    digest: str
    snapshot: str


class Renumbered(NamedTuple):
    """An earlier number of an invoice, and its present number."""

    number: str
    invoice_id: str


_my_invoice = invoice.c.account_id == bindparam("account")
_mine = earlier_invoice.c.account_id == bindparam("account")
_my_facts = (
    earlier_facts.c.account_id == bindparam("account"),
    earlier_facts.c.property_id == bindparam("property"),
    earlier_facts.c.month == bindparam("month"),
)
_ITS_INVOICE = named_by(invoice, earlier_invoice.c.invoice_id)
_BY_NUMBER = returns(InvoiceRow, select(invoice).where(_my_invoice, invoice.c.number == bindparam("number")))
_BY_EARLIER_NUMBER = returns(
    InvoiceRow,
    select(invoice).join(earlier_invoice, _ITS_INVOICE).where(_mine, earlier_invoice.c.number == bindparam("number")),
)
_OF_INVOICES = returns(
    EarlierRow,
    select(earlier_invoice)
    .where(_mine, is_one_of(earlier_invoice.c.invoice_id, "invoices"))
    .order_by(earlier_invoice.c.kept_at, earlier_invoice.c.number),
)
_OF_NUMBER = returns(EarlierRow, select(earlier_invoice).where(_mine, earlier_invoice.c.number == bindparam("number")))
_RECEIVED_AND_PAID = returns_pairs(
    select(invoice.c.id, earlier_invoice.c.charges)
    .join(earlier_invoice, and_(_ITS_INVOICE, earlier_invoice.c.number == invoice.c.number))
    .outerjoin(tenant, named_by(tenant, invoice.c.tenant_id))
    .outerjoin(mail, TELLS_OF_INVOICE)
    .where(
        _my_invoice,
        is_one_of(invoice.c.id, "invoices"),
        invoice.c.status == bindparam("draft"),
        earlier_invoice.c.total == invoice.c.total,
        earlier_invoice.c.tenant_id == invoice.c.tenant_id,
        invoice.c.paid_amount >= invoice.c.total,
        or_(
            invoice.c.delivery == bindparam("handed_over"),
            and_(is_one_of(invoice.c.delivery, "left"), mail.c.to_address == ADDRESS_NOW),
        ),
    )
)
_NUMBER_REPLACING = returns_one(
    select(func.count())
    .select_from(invoice)
    .join(earlier_invoice, and_(_ITS_INVOICE, earlier_invoice.c.number == invoice.c.number))
    .where(
        _my_invoice,
        is_one_of(invoice.c.id, "invoices"),
        is_one_of(invoice.c.status, "unsent"),
        earlier_invoice.c.total != invoice.c.total,
        earlier_invoice.c.tenant_id == invoice.c.tenant_id,
    )
)
_RENUMBERED = (
    select(*columns_for(Renumbered, earlier_invoice))
    .join(invoice, _ITS_INVOICE)
    .where(_mine, earlier_invoice.c.number != invoice.c.number)
)
_NUMBERS_OF = returns(Renumbered, _RENUMBERED.where(is_one_of(earlier_invoice.c.invoice_id, "invoices")))
_NUMBERS_AMONG = returns(Renumbered, _RENUMBERED.where(is_one_of(earlier_invoice.c.number, "numbers")))
_KEEP = puts(earlier_invoice)
_KEEP_FACTS = adds_if_new(earlier_facts)
_SNAPSHOTS = returns_pairs(
    select(earlier_facts.c.digest, earlier_facts.c.snapshot).where(
        earlier_facts.c.account_id == bindparam("account"),
        is_one_of(earlier_facts.c.property_id, "properties"),
        is_one_of(earlier_facts.c.digest, "digests"),
    )
)
_is_used = exists().where(
    earlier_invoice.c.account_id == earlier_facts.c.account_id, earlier_invoice.c.facts == earlier_facts.c.digest
)
_DROP_UNUSED_FACTS = changes(delete(earlier_facts).where(*_my_facts, ~_is_used))


def find_by_number(tx: Tx, account_id: str, number: str) -> InvoiceRow | None:
    """Find the account's invoice with this current or earlier number."""
    tx.catch_up()
    invoice_row = tx.one(_BY_NUMBER, account=account_id, number=number)
    return invoice_row or tx.one(_BY_EARLIER_NUMBER, account=account_id, number=number)


def of_invoices(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[EarlierRow]:
    """List these invoices as they were each time they were withdrawn, earliest first."""
    return tx.all(_OF_INVOICES, account=account_id, invoices=list(invoice_ids)) if invoice_ids else []


def of_number(tx: Tx, account_id: str, number: str) -> EarlierRow | None:
    """Find an invoice as it was when it was withdrawn under this number."""
    return tx.one(_OF_NUMBER, account=account_id, number=number)


def received_and_paid(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> dict[str, str]:
    """Find drafts whose earlier version has the same total, and was received and paid.

    The earlier version must have been paid in full, and sent to the same tenant. It counts as received if it was handed
    over, or e-mailed to the tenant's present address. The result maps the drafts' ids to the charges as they were sent,
    in JSON.
    """
    if not invoice_ids:
        return {}
    delivered = {"handed_over": HANDED_OVER, "left": list(HAS_LEFT), "kinds": WITH_THE_INVOICE}
    rows = tx.all(_RECEIVED_AND_PAID, account=account_id, invoices=list(invoice_ids), draft=DRAFT, **delivered)
    return dict(rows)


def number_replacing(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> int:
    """Count the invoices among these that would get a new number if sent.

    These are the drafts and cancelled invoices that were sent before to their present tenant, under their present
    number, with another total.
    """
    if not invoice_ids:
        return 0
    return tx.one(_NUMBER_REPLACING, account=account_id, invoices=list(invoice_ids), unsent=list(UNSENT)) or 0


def numbers_of(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[Renumbered]:
    """List the earlier numbers of these invoices, each with the present number."""
    return tx.all(_NUMBERS_OF, account=account_id, invoices=list(invoice_ids)) if invoice_ids else []


def numbers_among(tx: Tx, account_id: str, numbers: Sequence[str]) -> list[Renumbered]:
    """List the earlier numbers among these numbers, each with the invoice's present number."""
    return tx.all(_NUMBERS_AMONG, account=account_id, numbers=list(numbers)) if numbers else []


def snapshots(tx: Tx, account_id: str, property_ids: list[str], digests: list[str]) -> dict[str, str]:
    """Map digests of months' facts to these facts.

    Only facts that are stored, and that belong to these properties, are included.
    """
    return dict(tx.all(_SNAPSHOTS, account=account_id, properties=property_ids, digests=digests)) if digests else {}


def keep(tx: Tx, rows: Sequence[EarlierRow]) -> None:
    """Save invoices as they are now, replacing earlier states under the same numbers."""
    tx.run_many(_KEEP, [row._asdict() for row in rows])


def keep_facts(tx: Tx, row: FactsRow) -> None:
    """Save the facts from which a month was computed."""
    tx.run(_KEEP_FACTS, **row._asdict())


def drop_unused_facts(tx: Tx, account_id: str, property_id: str, month: str) -> None:
    """Delete a month's stored facts to which no withdrawn invoice refers any more."""
    tx.run(_DROP_UNUSED_FACTS, account=account_id, property=property_id, month=month)


_SAVE_NUMBER = saves(invoice, only=("number", "number_key", "revision", "replaces_number"))


def renumber(tx: Tx, rows: Sequence[InvoiceRow]) -> None:
    """Save the new numbers of invoices.

    No invoice, neither this one nor another, may ever have had the new number.
    """
    names = ("number", "number_key", "revision", "replaces_number")
    tx.run_many(_SAVE_NUMBER, [row_values(invoice, row, names) for row in rows])
