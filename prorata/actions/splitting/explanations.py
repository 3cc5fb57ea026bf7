"""Explanations of months and invoices, as JSON.

Those of closed months and sent invoices are stored; those of open months and drafts are made from current facts.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

from prorata.actions.accounts import access
from prorata.actions.recalculation import loaded_months
from prorata.domain.billing_calendar import read_month
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import DRAFT
from prorata.domain.splitting.explained_invoices import IssuedCharge, IssuedInvoice, explained_invoice, told_in
from prorata.domain.splitting.explained_months import ExplainedMonth
from prorata.domain.splitting.month_facts import from_json, to_json
from prorata.domain.splitting.planned_charges import LineKey
from prorata.domain.splitting.sealed_json import sealed
from prorata.domain.texts import say
from prorata.errors import NotFound
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months
from prorata.store.recalculation.billing_months import MonthRow
from prorata.store.splitting import explanations
from prorata.store.splitting.explanations import InvoiceExplanationRow, MonthExplanationRow, packed

_NONE_KEPT = say("This was issued before Prorata kept explanations, so there is none.")
_NO_MONTH = say("There is nothing for this property in this month.")
_FORMER = say(
    "This month was closed before Prorata recorded the days that each tenant lived there, so it can’t be explained."
)


def of_month(tx: Tx, caller: Caller, property_id: str, month: str) -> str:
    """Return the explanation of a property's month, as JSON.

    For a closed month, the explanation stored at closing is returned; for an open month, it is made from current
    facts. Raises `NotFound` if there is no such month or property.
    """
    its, name = access.property_(tx, caller, property_id), read_month(month)
    row = billing_months.find(tx, its.account_id, its.id, name) if name else None
    if name is None or row is None:
        raise NotFound("month", said=_NO_MONTH)
    if row.snapshot is None:
        return _of_month(tx, its, _known(_facts_of_now(tx, its, row), its.id))
    kept = explanations.of_month(tx, its.account_id, its.id, name, _digest(row.snapshot))
    if kept is None:
        raise NotFound("explanation", said=_NONE_KEPT)
    return kept.text


def of_invoice(tx: Tx, caller: Caller, invoice_id: str) -> str:
    """Return one invoice's explanation, as JSON.

    The explanation was stored when the invoice left DRAFT; for a draft, it is made from the facts from which the
    draft was computed. Raises `NotFound` if there is no such invoice.
    """
    return of_row(tx, access.invoice(tx, caller, invoice_id))


def is_there(tx: Tx, row: InvoiceRow) -> bool:
    """True if an invoice is a draft, or its explanation is stored."""
    return row.status == DRAFT or explanations.is_invoice_kept(tx, row.account_id, row.id, row.number)


def of_row(tx: Tx, row: InvoiceRow) -> str:
    """Return a loaded invoice's explanation, as `of_invoice` does."""
    if row.status != DRAFT:
        kept = explanations.of_invoice(tx, row.account_id, row.id, row.number)
        if kept is None:
            raise NotFound("explanation", said=_NONE_KEPT)
        return kept.text
    its = properties.find(tx, row.account_id, row.property_id)
    month = billing_months.find(tx, row.account_id, row.property_id, row.month)
    assert its is not None, "an invoice's property is there"
    assert month is not None, "an invoice's month is there"
    known = _known(month.snapshot or _facts_of_now(tx, its, month), its.id)
    return _of_invoices(tx, its, known, [row])[row.id]


def keep(tx: Tx, of_property: PropertyRow, month: MonthRow, rows: Sequence[InvoiceRow]) -> None:
    """Store the explanations of a month and of those of its invoices that leave DRAFT.

    The month's explanation is stored once for all invoices that share the same facts. The property must be locked.
    """
    if not rows:
        return
    account_id, property_id = of_property.account_id, of_property.id
    snapshot = month.snapshot or _facts_of_now(tx, of_property, month)
    known = _explained(snapshot, property_id)
    if known is None:
        return
    facts, texts = _digest(snapshot), _of_invoices(tx, of_property, known, rows)
    explanations.keep_invoices(
        tx,
        [InvoiceExplanationRow(account_id, row.id, row.number, facts, packed(texts[row.id]), tx.now) for row in rows],
    )
    if not explanations.is_month_kept(tx, account_id, property_id, month.month, facts):
        content = packed(_of_month(tx, of_property, known))
        explanations.keep_month(
            tx, MonthExplanationRow(account_id, property_id, month.month, facts, content, tx.now)
        )  # fmt: skip
        explanations.drop_unused(tx, account_id, property_id, month.month)


def _of_month(tx: Tx, of_property: PropertyRow, known: ExplainedMonth) -> str:
    content = known.content(_reasons(tx, of_property.account_id, known))
    return sealed(told_in(content, of_property.country))


def _reasons(tx: Tx, account_id: str, known: ExplainedMonth) -> Mapping[LineKey, str]:
    """Map a month's unbilled lines to the reasons why tenants are not charged for them.

    Only lines without a utility type are included.
    """
    unbilled = {(line.bill_id, line.number) for line in known.facts.lines if line.utility_type is None}
    lines = bills.lines_of_bills(tx, account_id, sorted({bill_id for bill_id, _ in unbilled}))
    reasons = {(line.bill_id, line.number): line.not_billed for line in lines}
    return {key: reason for key, reason in reasons.items() if reason is not None and key in unbilled}


def _of_invoices(
    tx: Tx, of_property: PropertyRow, known: ExplainedMonth, rows: Sequence[InvoiceRow]
) -> Mapping[str, str]:
    """Build the explanations of one month's invoices, by invoice id."""
    account_id = of_property.account_id
    stored = invoices.charges(tx, account_id, [row.id for row in rows])
    charges = grouped((charge.invoice_id, charge) for charge in stored)
    corrected = _corrected(tx, account_id, known.property_id, {charge.corrects_month for charge in stored})
    reasons = {
        key: why for month in (known, *corrected.values()) for key, why in _reasons(tx, account_id, month).items()
    }
    labels = {unit.unit_id: unit.label for unit in known.facts.units}
    further = sorted({row.unit_id for row in rows} - labels.keys())
    labels |= {unit.id: unit.label for unit in units.find_many(tx, account_id, further)} if further else {}
    return {
        row.id: sealed(
            told_in(
                explained_invoice(
                    known,
                    IssuedInvoice(row.id, row.number, row.unit_id, labels[row.unit_id], row.sequence, row.tenant_id),
                    [_issued(charge) for charge in charges[row.id]],
                    reasons,
                    corrected,
                ),
                of_property.country,
            )
        )
        for row in rows
    }


def _issued(charge: ChargeRow) -> IssuedCharge:
    return IssuedCharge(
        charge.bill_id,
        charge.line,
        charge.utility_type,
        charge.amount,
        charge.description,
        charge.corrects_month,
        charge.corrects_tenant,
    )


def _corrected(
    tx: Tx, account_id: str, property_id: str, months: Collection[str | None]
) -> Mapping[str, ExplainedMonth]:
    """Split corrected months again from current facts, and map the months to the results.

    The correct amounts, from which corrections are computed, follow from these facts.
    """
    named = sorted(month for month in months if month is not None)
    its = properties.find(tx, account_id, property_id) if named else None
    if its is None:
        return {}
    rows = billing_months.find_many(tx, account_id, [property_id], named)
    loaded = loaded_months.with_facts(tx, account_id, [its], rows)
    texts = {
        loaded_month.row.month: to_json(loaded_months.without_corrections(loaded_month.now)) for loaded_month in loaded
    }
    return {month: known for month, text in texts.items() if (known := _explained(text, property_id)) is not None}


def _facts_of_now(tx: Tx, of_property: PropertyRow, month: MonthRow) -> str:
    (loaded,) = loaded_months.with_facts(tx, of_property.account_id, [of_property], [month])
    return to_json(loaded.now)


def _known(snapshot: str, property_id: str) -> ExplainedMonth:
    known = _explained(snapshot, property_id)
    if known is None:
        raise NotFound("explanation", said=_FORMER)
    return known


@lru_cache(maxsize=4)
def _explained(snapshot: str, property_id: str) -> ExplainedMonth | None:
    """Split a month's bill lines again from the facts stored for it (`snapshot`).

    Return None if an older version of Prorata stored the facts without stays. The result is cached, so that the lines
    are split once for invoices that are sent one after another.
    """
    facts = from_json(snapshot)
    return None if facts.is_former else ExplainedMonth(facts, property_id)


def _digest(snapshot: str) -> str:
    return sha256(snapshot.encode()).hexdigest()
