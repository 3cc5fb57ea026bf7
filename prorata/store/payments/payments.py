"""Payments: the entries of invoices' ledgers."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import (
    bindparam,
    exists,
    insert,
    literal_column,
    not_,
    or_,
    select,
    union_all,
)

from prorata.domain.invoices.ledger import PAYMENT
from prorata.domain.payments.candidates import EarlierEntry
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    adds_if_new,
    changes,
    columns_for,
    is_one_of,
    is_one_of_numbers,
    returns,
    returns_one,
)
from prorata.store.schema.joins import named_by
from prorata.store.schema.payment_tables import payment, recorded_row
from prorata.store.schema.tables import invoice, property_


class PaymentRow(NamedTuple):
    """An entry of an invoice's ledger; `amount` is in cents.

    Only a CARRY or REVERSAL may have a negative amount. `provider` is None for an entry that a person made or that
    comes from a file.
    """

    account_id: str
    id: str
    invoice_id: str
    kind: str
    amount: int
    day: str
    at: str
    method: str
    provider: str | None
    reference: str | None
    note: str | None
    source: str | None
    reverses: str | None
    actor: str
    created_at: str


_mine = payment.c.account_id == bindparam("account")
_OF_INVOICES = returns(
    PaymentRow,
    select(payment)
    .where(_mine, is_one_of(payment.c.invoice_id, "invoices"))
    .order_by(payment.c.invoice_id, payment.c.id),
)
_BY_SOURCES = returns(PaymentRow, select(payment).where(_mine, is_one_of(payment.c.source, "sources")))
_RECORDED = returns_one(
    union_all(
        select(payment.c.source).where(_mine, is_one_of(payment.c.source, "sources")),
        select(recorded_row.c.source).where(
            recorded_row.c.account_id == bindparam("account"), is_one_of(recorded_row.c.source, "sources")
        ),
    )
)
_its_property = named_by(property_, invoice.c.property_id)
_entered = (
    select(*columns_for(EarlierEntry, payment, invoice, property_, cents=payment.c.amount))
    .join(invoice, named_by(invoice, payment.c.invoice_id))
    .join(property_, _its_property)
    .where(
        _mine,
        payment.c.kind == literal_column(f"'{PAYMENT}'"),
        payment.c.provider.is_(None),
    )
    .order_by(payment.c.id)
)
_KEEP_MARKS = changes(
    insert(recorded_row).from_select(
        ["account_id", "source"],
        select(payment.c.account_id, payment.c.source)
        .join(invoice, named_by(invoice, payment.c.invoice_id))
        .where(
            _mine,
            invoice.c.account_id == bindparam("account"),
            invoice.c.property_id == bindparam("property"),
            payment.c.source.is_not(None),
            payment.c.provider.is_(None),
        ),
    )
)
_KEEP_ROW = adds_if_new(recorded_row)
_of_days = _entered.where(is_one_of(payment.c.day, "days"))
_reversal = payment.alias("reversal")
_was_taken_back = exists().where(named_by(payment, _reversal.c.reverses))
_is_known = or_(payment.c.source.is_not(None), not_(_was_taken_back))
_BY_REFERENCES = returns(EarlierEntry, _of_days.where(is_one_of(payment.c.reference, "references"), _is_known))
_has_an_amount = is_one_of_numbers(payment.c.amount, "amounts")
_BY_HAND = returns(
    EarlierEntry,
    _of_days.where(_has_an_amount, payment.c.source.is_(None), not_(_was_taken_back)).limit(bindparam("limit")),
)
_FROM_FILES = returns(
    EarlierEntry, _of_days.where(_has_an_amount, payment.c.source.is_not(None)).limit(bindparam("limit"))
)
_FURTHER_PARTS = returns(
    EarlierEntry, _of_days.where(payment.c.source.like(literal_column("'file:%:%:%'"))).limit(bindparam("limit"))
)
_WITH_MARKS = returns(EarlierEntry, _entered.where(is_one_of(payment.c.source, "sources")))


def of_invoices(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[PaymentRow]:
    """List the entries in the ledgers of these invoices, sorted by invoice and creation."""
    return tx.all(_OF_INVOICES, account=account_id, invoices=list(invoice_ids)) if invoice_ids else []


def by_sources(tx: Tx, account_id: str, sources: Sequence[str]) -> list[PaymentRow]:
    """Find the ledger entries that were made from these sources.

    A source identifies a payment at a provider, or a row of a bank statement.
    """
    return tx.all(_BY_SOURCES, account=account_id, sources=list(sources)) if sources else []


def recorded(tx: Tx, account_id: str, sources: Sequence[str]) -> set[str]:
    """Return which of these `sources` were recorded as payments.

    The sources identify rows of bank statements. A row also counts if it was recorded for a property that has been
    deleted.
    """
    return set(tx.all(_RECORDED, account=account_id, sources=list(sources))) if sources else set()


def keep_row_marks(tx: Tx, account_id: str, sources: Sequence[str]) -> None:
    """Store marks for the rows of bank statements that were recorded as payments.

    The rows are identified by their `sources`.
    """
    tx.run_many(_KEEP_ROW, [{"account_id": account_id, "source": source} for source in sources])


def keep_marks(tx: Tx, account_id: str, property_id: str) -> None:
    """Store which rows of bank statements were recorded for a property that is being deleted.

    Because of this, the rows are not recorded again after the deletion.
    """
    tx.run(_KEEP_MARKS, account=account_id, property=property_id)


def by_references(tx: Tx, account_id: str, references: Sequence[str], days: Sequence[str]) -> list[EarlierEntry]:
    """List earlier payments that a row of a bank statement may repeat.

    The payments have one of the `references` and one of the `days`. Payments recorded from files are listed even if
    they were reversed later; payments entered by people are listed only if they were not reversed.
    """
    if not references:
        return []
    return tx.all(_BY_REFERENCES, account=account_id, references=list(references), days=list(days))


def by_hand(tx: Tx, account_id: str, days: Sequence[str], amounts: Collection[int], limit: int) -> list[EarlierEntry]:
    """List up to `limit` payments of these days and amounts that people entered.

    Amounts are in cents. Reversed payments are left out.
    """
    return tx.all(_BY_HAND, account=account_id, days=list(days), amounts=sorted(amounts), limit=limit) if days else []


def from_files(
    tx: Tx, account_id: str, days: Sequence[str], amounts: Collection[int], limit: int
) -> list[EarlierEntry]:
    """List up to `limit` payments of these days and amounts that were recorded from files.

    Amounts are in cents. Payments that were reversed later are listed, too. If a row of these days paid several
    invoices, all parts of its payment are listed, whatever their amounts, up to the same limit.
    """
    if not days:
        return []
    whole = tx.all(_FROM_FILES, account=account_id, days=list(days), amounts=sorted(amounts), limit=limit)
    further = tx.all(_FURTHER_PARTS, account=account_id, days=list(days), limit=limit)
    firsts = sorted({earlier_entry.row_mark for earlier_entry in further})
    first = tx.all(_WITH_MARKS, account=account_id, sources=firsts) if firsts else []
    by_id = {earlier_entry.id: earlier_entry for earlier_entry in (*whole, *further, *first)}
    return sorted(by_id.values(), key=lambda earlier_entry: earlier_entry.id)


def add_many(tx: Tx, rows: Sequence[PaymentRow]) -> None:
    """Add entries to the ledgers of invoices."""
    tx.add_many("payment", PaymentRow._fields, rows)
