"""Sent invoices that are taken back, and the invoices that replace them.

When a sent invoice becomes a draft or is cancelled, its content as sent is kept. If it is sent again with another
total, it gets a new number (docs/decisions.md#replaced-invoices).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

from prorata.actions.printing.printed_invoices import OF_EARLIER
from prorata.actions.printing.stored_charges import as_charged
from prorata.actions.recalculation import loaded_months
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CLOSING, UNSENT
from prorata.domain.invoices.numbers import invoice_number, invoice_number_order
from prorata.domain.printing.replaced_invoices import from_json, to_json
from prorata.domain.splitting.month_facts import to_json as facts_to_json
from prorata.store.database.engine import Tx
from prorata.store.invoices import earlier_invoices, invoices
from prorata.store.invoices.earlier_invoices import EarlierRow, FactsRow
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation.billing_months import MonthRow


def is_taken_back(was: InvoiceRow, after: InvoiceRow) -> bool:
    """True if an invoice leaves SENT, PAID or OVERDUE for DRAFT or CANCELLED."""
    return was.status in CLOSING and after.status in UNSENT


def keep(tx: Tx, taken_back: Sequence[InvoiceRow], months: Mapping[tuple[str, str], MonthRow]) -> None:
    """Store invoices that are being taken back as they were sent.

    `months` are the invoices' locked months. An invoice that is already stored under the same number is replaced; both
    have the same total.
    """
    by_month = grouped(((row.property_id, row.month), row) for row in taken_back)
    for key, rows in sorted(by_month.items()):
        _keep_of_month(tx, months[key], rows)


def _keep_of_month(tx: Tx, month: MonthRow, rows: Sequence[InvoiceRow]) -> None:
    account_id = month.account_id
    snapshot = month.snapshot or _facts_of_now(tx, month)
    facts = FactsRow(account_id, month.property_id, month.month, sha256(snapshot.encode()).hexdigest(), snapshot)
    stored = invoices.charges(tx, account_id, [row.id for row in rows])
    charges = grouped((charge.invoice_id, as_charged(charge)) for charge in stored)
    kept = [
        EarlierRow(
            account_id=account_id,
            invoice_id=row.id,
            **{name: getattr(row, name) for name in OF_EARLIER},
            charges=to_json(charges[row.id]),
            facts=facts.digest,
            kept_at=tx.now,
        )
        for row in rows
        if row.printed is not None
    ]
    earlier_invoices.keep_facts(tx, facts)
    earlier_invoices.keep(tx, kept)
    earlier_invoices.drop_unused_facts(tx, account_id, month.property_id, month.month)


def _facts_of_now(tx: Tx, month: MonthRow) -> str:
    """Return the current facts of an open month as JSON.

    The facts are stored when a sent invoice of that month, such as a final invoice, is taken back.
    """
    its = properties.find(tx, month.account_id, month.property_id)
    assert its is not None, "a month's property is there"
    (loaded,) = loaded_months.with_facts(tx, month.account_id, [its], [month])
    return facts_to_json(loaded.now)


def renumbered(tx: Tx, of_property: PropertyRow, was: InvoiceRow, after: InvoiceRow) -> InvoiceRow:
    """Give an invoice a new number if it is sent again with another total.

    `was` is the draft or cancelled invoice, and `after` the same invoice as SENT, PAID or OVERDUE. The number changes
    only if the same tenant was sent another total under the old number. Otherwise, `after` is returned unchanged. The
    property must be locked.
    """
    if was.status not in UNSENT or after.status not in CLOSING or not was.issued:
        return after
    kept = earlier_invoices.of_number(tx, after.account_id, after.number)
    if kept is None or kept.total == after.total or kept.tenant_id != after.tenant_id:
        return after
    unit = units.find(tx, after.account_id, after.unit_id)
    assert unit is not None, "an invoice's unit is kept"
    revision = after.revision + 1
    number = invoice_number(of_property.code, unit.code, after.month, after.sequence, revision)
    return after._replace(
        number=number, number_key=invoice_number_order(number), revision=revision, replaces_number=after.number
    )


def number_replacing(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> int:
    """Count the drafts and cancelled invoices that would get a new number if sent.

    They were sent before with another total.
    """
    return earlier_invoices.number_replacing(tx, account_id, invoice_ids)


def had_already(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> set[str]:
    """Find the drafts that need not be sent, because their tenants have the same invoice.

    These drafts have the charges that the tenant received, and nothing is left to pay (docs/decisions.md#sending).
    The search takes two SQL statements.
    """
    sent = earlier_invoices.received_and_paid(tx, account_id, invoice_ids)
    stored = invoices.charges(tx, account_id, sorted(sent)) if sent else []
    charges = grouped((charge.invoice_id, as_charged(charge)) for charge in stored)
    return {key for key, charged in sent.items() if Counter(from_json(charged)) == Counter(charges[key])}
