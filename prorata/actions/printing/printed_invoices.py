"""Invoices as they are printed: what one says, gathered from the records."""

from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.printing import earlier_amounts
from prorata.actions.recalculation import loaded_months
from prorata.domain.accounts.pay_to import PayTo, pay_to_of
from prorata.domain.billing_calendar import Month, day_of
from prorata.domain.groups import added_up
from prorata.domain.invoice_states import DRAFT
from prorata.domain.invoices.ledger import CARRY
from prorata.domain.printing.earlier_amounts import Earlier, beside
from prorata.domain.printing.printed_invoices import (
    Biller,
    Copy,
    Place,
    PrintedCharge,
    PrintedInvoice,
    from_json,
    to_json,
)
from prorata.domain.printing.replaced_invoices import Charged, Replaced, changed, from_json as charges_from_json
from prorata.domain.splitting.explanations import explain
from prorata.domain.splitting.month_facts import MonthFacts, from_json as facts_from_json
from prorata.domain.splitting.planned_charges import PlannedCharge
from prorata.errors import NotFound
from prorata.ids import is_id
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import earlier_invoices, invoices
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.payments import payments
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow
from prorata.store.recalculation import billing_months as months


def find(tx: Tx, caller: Caller, invoice_id: str) -> PrintedInvoice:
    """An invoice as it is printed now. Raises `NotFound`.

    Reads more than one statement: run it on one state of the database. It costs more where the property has more units,
    so it does not belong in the thread of the event loop.
    """
    return of_row(tx, caller, access.invoice(tx, caller, invoice_id))


def find_named(tx: Tx, caller: Caller, named: str) -> PrintedInvoice:
    """An invoice that is named by its id, or by a number: under one that it had before, as it was then. Raises
    `NotFound`.
    """
    row = named_row(tx, caller, named)
    return of_row(tx, caller, row) if is_id(named, "inv") else _under(tx, caller, row, named)


def under(tx: Tx, caller: Caller, invoice_id: str, number: str) -> PrintedInvoice:
    """An invoice under a number that it has, as it is now, or had, as it was then. Raises `NotFound`."""
    return _under(tx, caller, access.invoice(tx, caller, invoice_id), number)


def named_row(tx: Tx, caller: Caller, named: str) -> InvoiceRow:
    """An invoice that is named by its id or by a number that it has or had. Raises `NotFound`."""
    row = None if is_id(named, "inv") else earlier_invoices.find_by_number(tx, caller.account_id, named.strip().upper())
    return row or access.invoice(tx, caller, named)


def of_row(tx: Tx, caller: Caller, row: InvoiceRow) -> PrintedInvoice:
    """The same of an invoice that is known already."""
    account, of_property = _belongs(tx, caller, row)
    stored = invoices.charges(tx, caller.account_id, [row.id])
    charges = [as_charged(one) for one in stored]
    return _printed(
        tx, account, row, _copy(tx, row, account, of_property), charges, _facts(tx, row, of_property)
    )._replace(payment_link=row.payment_link_url, credits=_credits(tx, row))


def _under(tx: Tx, caller: Caller, row: InvoiceRow, named: str) -> PrintedInvoice:
    number = named.strip().upper()
    if number == row.number:
        return of_row(tx, caller, row)
    kept = earlier_invoices.of_number(tx, caller.account_id, number)
    if kept is None or kept.invoice_id != row.id:
        raise NotFound("invoice")
    account, _ = _belongs(tx, caller, row)
    facts = None
    if kept.facts is not None:
        text = earlier_invoices.snapshot(tx, row.account_id, row.property_id, row.month, kept.facts)
        facts = facts_from_json(text) if text else None
    as_it_was = row._replace(**{name: getattr(kept, name) for name in OF_EARLIER})
    copy, charges = from_json(kept.printed, account.locale), charges_from_json(kept.charges)
    return _printed(tx, account, as_it_was, copy, charges, facts)._replace(replaced_by=row.number)


def _credits(tx: Tx, row: InvoiceRow) -> tuple[tuple[str, int], ...]:
    """What was carried to an invoice and counts, by the number of the one that it came from."""
    entries = payments.of_invoices(tx, row.account_id, [row.id]) if row.entries else []
    void = {one.reverses for one in entries}
    counting = (one for one in entries if one.kind == CARRY and one.amount > 0 and one.id not in void)
    return tuple(added_up((one.reference or "", one.amount) for one in counting).items())


OF_EARLIER = (
    "number", "replaces_number", "status", "invoice_date", "due_date", "total", "paid_amount", "paid_at", "tenant_id",
    "tenant_name", "printed", "generated_at",
)  # fmt: skip
"""What is kept of an invoice that is taken back, beside its charges."""


def _belongs(tx: Tx, caller: Caller, row: InvoiceRow) -> tuple[AccountRow, PropertyRow]:
    of_property = properties.find(tx, caller.account_id, row.property_id)
    assert of_property is not None, "an invoice's property is kept"
    return account_actions.the_account(tx, caller), of_property


def _printed(
    tx: Tx, account: AccountRow, row: InvoiceRow, copy: Copy, charges: Sequence[Charged], facts: MonthFacts | None
) -> PrintedInvoice:
    return PrintedInvoice(
        number=row.number,
        month=Month(row.month),
        status=row.status,
        invoice_date=date.fromisoformat(row.invoice_date),
        due_date=day_of(row.due_date),
        made_at=row.generated_at,
        copy=copy,
        tenant_name=row.tenant_name,
        charges=tuple(
            _charge(charge, facts, row.unit_id)._replace(earlier=amounts)
            for charge, amounts in zip(charges, beside(charges, copy.earlier), strict=True)
        ),
        total=row.total,
        paid=row.paid_amount,
        paid_on=_day_in(account, row.paid_at) if row.paid_at else None,
        payment_link=None,
        replaces=_replaced(tx, row, charges),
    )


def _replaced(tx: Tx, row: InvoiceRow, charges: Sequence[Charged]) -> Replaced | None:
    """What an invoice replaces. A draft replaces nothing before it is sent."""
    if row.replaces_number is None or row.status == DRAFT:
        return None
    kept = earlier_invoices.of_number(tx, row.account_id, row.replaces_number)
    assert kept is not None, "what is replaced is kept"
    changes = changed(charges_from_json(kept.charges), charges)
    return Replaced(kept.number, date.fromisoformat(kept.invoice_date), kept.total, changes)


def copy_of(
    account: AccountRow,
    of_property: PropertyRow,
    unit: UnitRow,
    tenant: TenantRow | None,
    tenant_name: str | None,
    earlier: tuple[Earlier, ...],
) -> str:
    """What an invoice prints beside its charges as it is now, as text to keep when it leaves DRAFT."""
    return to_json(_copy_of_now(account, of_property, unit, tenant, earlier), tenant_name)


def _copy(tx: Tx, row: InvoiceRow, account: AccountRow, of_property: PropertyRow) -> Copy:
    """What was kept when the invoice left DRAFT; a draft prints what is there now."""
    if row.printed is not None and row.status != DRAFT:
        return from_json(row.printed, account.locale)
    unit = units.find(tx, row.account_id, row.unit_id)
    assert unit is not None, "an invoice's unit is kept"
    tenant = units.find_tenant_of_past(tx, row.account_id, row.tenant_id) if row.tenant_id else None
    earlier = earlier_amounts.of_invoices(tx, row.account_id, [row])
    return _copy_of_now(account, of_property, unit, tenant, earlier.get(row.id, ()))


def _copy_of_now(
    account: AccountRow,
    of_property: PropertyRow,
    unit: UnitRow,
    tenant: TenantRow | None,
    earlier: tuple[Earlier, ...],
) -> Copy:
    return Copy(
        Biller(account.name, account.address, account.contacts),
        Place(
            of_property.name,
            of_property.street_number,
            of_property.street,
            of_property.city,
            of_property.state,
            of_property.zip,
            of_property.country,
        ),
        unit.label,
        of_property.currency,
        account.locale,
        (tenant.forwarding_address or "") if tenant else "",
        pay_to(account, of_property),
        earlier,
    )


def pay_to(account: AccountRow, of_property: PropertyRow) -> PayTo:
    """How the tenants of a property pay: as it says itself, or else as its account does."""
    own = pay_to_of(of_property)
    return own if own != PayTo() else pay_to_of(account)


def _facts(tx: Tx, row: InvoiceRow, of_property: PropertyRow) -> MonthFacts:
    """What the invoice's month was computed from."""
    month = months.find(tx, row.account_id, row.property_id, row.month)
    assert month is not None, "an invoice has a billing month"
    if month.snapshot is not None:
        return facts_from_json(month.snapshot)  # those of now need not be read
    (loaded,) = loaded_months.with_facts(tx, row.account_id, [of_property], [month])
    return loaded_months.basis(loaded).facts


def _charge(row: Charged, facts: MonthFacts | None, unit_id: str) -> PrintedCharge:
    explanation = days = None
    line = facts.line(row.bill_id, row.line) if facts is not None and row.corrects_month is None else None
    if facts is not None and line is not None:
        charged = PlannedCharge(line.bill_id, line.number, row.utility_type, row.amount, row.description)
        explanation, days = explain(facts, unit_id, charged), facts.days_of(line)
    return PrintedCharge(row.utility_type, row.amount, row.description, explanation, days)


def _day_in(account: AccountRow, timestamp: str) -> date:
    return datetime.fromisoformat(timestamp).astimezone(ZoneInfo(account.timezone)).date()


def as_charged(row: ChargeRow) -> Charged:
    """A stored charge as it is kept of an invoice that is taken back."""
    return Charged(row.bill_id, row.line, row.utility_type, row.amount, row.description, row.corrects_month)
