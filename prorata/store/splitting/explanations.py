"""Explanations that were stored when invoices were sent.

A month's explanation is found by the digest of the month's facts, an invoice's by the invoice's number.
"""

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, delete, exists, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds_if_new, changes, is_one_of, puts, returns, returns_one
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import invoice, invoice_explanation, month_explanation


class MonthExplanationRow(NamedTuple):
    """A month's explanation, stored with the digest of the month's facts (`facts`)."""

    account_id: str
    property_id: str
    month: str
    facts: str
    content: bytes
    kept_at: str

    @property
    def text(self) -> str:
        """The explanation as JSON, decompressed from `content`."""
        return unpacked(self.content)


class InvoiceExplanationRow(NamedTuple):
    """The explanation of an invoice's charges, stored when the invoice left DRAFT.

    `number` is the invoice's number at that time, and `facts` the digest of the facts of the invoice's month.
    """

    account_id: str
    invoice_id: str
    number: str
    facts: str
    content: bytes
    kept_at: str

    @property
    def text(self) -> str:
        """The explanation as JSON, decompressed from `content`."""
        return unpacked(self.content)


def packed(text: str) -> bytes:
    """Compress the JSON of an explanation for storage."""
    return zlib.compress(text.encode(), level=1)


def unpacked(content: bytes) -> str:
    """Decompress the JSON of an explanation that `packed` has compressed."""
    return zlib.decompress(content).decode()


_of_month = (
    month_explanation.c.account_id == bindparam("account"),
    month_explanation.c.property_id == bindparam("property"),
    month_explanation.c.month == bindparam("month"),
)
_of_facts = month_explanation.c.facts == bindparam("facts")
_mine = invoice_explanation.c.account_id == bindparam("account")
_ITS_INVOICE = named_by(invoice, invoice_explanation.c.invoice_id)
_MONTH = returns(MonthExplanationRow, select(month_explanation).where(*_of_month, _of_facts))
_IS_KEPT = returns_one(select(month_explanation.c.kept_at).where(*_of_month, _of_facts))
_KEEP_MONTH, _KEEP_INVOICE = adds_if_new(month_explanation), puts(invoice_explanation)
_INVOICE = returns(
    InvoiceExplanationRow,
    select(invoice_explanation).where(
        _mine,
        invoice_explanation.c.invoice_id == bindparam("invoice"),
        invoice_explanation.c.number == bindparam("number"),
    ),
)
_IS_INVOICE_KEPT = returns_one(
    select(invoice_explanation.c.kept_at).where(
        _mine,
        invoice_explanation.c.invoice_id == bindparam("invoice"),
        invoice_explanation.c.number == bindparam("number"),
    )
)
_OF_INVOICES = returns(
    InvoiceExplanationRow,
    select(invoice_explanation).where(_mine, is_one_of(invoice_explanation.c.invoice_id, "invoices")),
)
_OF_MONTHS = returns(
    MonthExplanationRow,
    select(month_explanation).where(
        month_explanation.c.account_id == bindparam("account"),
        is_one_of(month_explanation.c.property_id, "properties"),
        is_one_of(month_explanation.c.month, "months"),
    ),
)
_is_used = exists().where(
    invoice.c.account_id == bindparam("account"),
    invoice.c.property_id == bindparam("property"),
    invoice.c.month == bindparam("month"),
    _ITS_INVOICE,
    invoice_explanation.c.facts == month_explanation.c.facts,
)
_DROP_UNUSED = changes(delete(month_explanation).where(*_of_month, ~_is_used))


def of_month(tx: Tx, account_id: str, property_id: str, month: str, facts: str) -> MonthExplanationRow | None:
    """Find the stored explanation of a month by the digest of the month's facts."""
    return tx.one(_MONTH, account=account_id, property=property_id, month=month, facts=facts)


def is_month_kept(tx: Tx, account_id: str, property_id: str, month: str, facts: str) -> bool:
    """True if a month's explanation for the facts with this digest is stored."""
    return tx.one(_IS_KEPT, account=account_id, property=property_id, month=month, facts=facts) is not None


def of_months(tx: Tx, account_id: str, property_ids: Sequence[str], months: Sequence[str]) -> list[MonthExplanationRow]:
    """List the stored explanations of these months of these properties."""
    return tx.all(_OF_MONTHS, account=account_id, properties=list(property_ids), months=list(months))


def of_invoice(tx: Tx, account_id: str, invoice_id: str, number: str) -> InvoiceExplanationRow | None:
    """Find the stored explanation of an invoice under a number."""
    return tx.one(_INVOICE, account=account_id, invoice=invoice_id, number=number)


def is_invoice_kept(tx: Tx, account_id: str, invoice_id: str, number: str) -> bool:
    """True if an explanation of this invoice under this number is stored."""
    return tx.one(_IS_INVOICE_KEPT, account=account_id, invoice=invoice_id, number=number) is not None


def of_invoices(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[InvoiceExplanationRow]:
    """List the stored explanations of these invoices, under all their numbers."""
    return tx.all(_OF_INVOICES, account=account_id, invoices=list(invoice_ids)) if invoice_ids else []


def keep_month(tx: Tx, row: MonthExplanationRow) -> None:
    """Save a month's explanation, unless one for the same facts is stored."""
    tx.run(_KEEP_MONTH, **row._asdict())


def keep_invoices(tx: Tx, rows: Sequence[InvoiceExplanationRow]) -> None:
    """Save explanations of invoices, replacing those of the same invoice and number."""
    tx.run_many(_KEEP_INVOICE, [row._asdict() for row in rows])


def drop_unused(tx: Tx, account_id: str, property_id: str, month: str) -> None:
    """Delete a month's explanations to which no stored explanation of an invoice refers.

    An invoice's explanation refers to its month's by the digest of the month's facts.
    """
    tx.run(_DROP_UNUSED, account=account_id, property=property_id, month=month)
