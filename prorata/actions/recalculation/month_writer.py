"""Writing of the invoices, charges and owner's parts that differ after computing months.

The differences of several months are collected, and written in a few SQL statements.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from prorata.actions.recalculation.addressees import WithEmail, address_now, address_of, further_tenants, is_addressed
from prorata.actions.recalculation.month_loader import PropertyFacts, as_entry
from prorata.domain.invoice_states import CANCELLED, DRAFT, PAYMENT_PAID, PAYMENT_PENDING, status_of_payment
from prorata.domain.invoices.ledger import Entry, covered_at
from prorata.domain.invoices.numbers import invoice_number, invoice_number_order
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.splitting.invoice_sequences import StoredInvoice
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.planned_charges import CorrectionKey, LineKey, PlannedCharge, compare
from prorata.domain.splitting.planned_invoices import PlannedInvoice, PlannedMonth, plan_month
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import Counts
from prorata.store.bills import bills
from prorata.store.bills.bills import BilledLine
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow, InvoiceSummary
from prorata.store.payments import payments
from prorata.store.recalculation import billing_months
from prorata.store.recalculation.billing_months import MonthRow
from prorata.store.webhooks import event_outbox
from prorata.store.webhooks.event_outbox import BatchRow

_CHARGES_AT_ONCE = 8_000
"""The number of new charges sent to the database before more months are computed."""


class Basis(NamedTuple):
    """A month with the facts from which to compute it.

    `lines` are all of its stored bill lines, including unbilled lines.
    """

    row: MonthRow
    property: PropertyFacts
    lines: Sequence[BilledLine]
    facts: MonthFacts


def compute(tx: Tx, account_id: str, months: Sequence[Basis], today: date) -> dict[tuple[str, str], MonthRow]:
    """Update the stored invoices of these months to match their facts; return the months.

    Unchanged rows are not written, and unchanged charges keep their ids. `today` is today's date in the account's
    time zone; new invoices are dated with it.
    """
    if not months:
        return {}
    properties, named = sorted({month.row.property_id for month in months}), sorted({m.row.month for m in months})
    stored: dict[tuple[str, str], list[InvoiceRow]] = defaultdict(list)
    for invoice in invoices.of_months(tx, account_id, properties, named):
        stored[invoice.property_id, invoice.month].append(invoice)
    charges: dict[str, list[ChargeRow]] = defaultdict(list)
    for charge in invoices.charges(
        tx, account_id, [invoice_row.id for of_month in stored.values() for invoice_row in of_month]
    ):
        charges[charge.invoice_id].append(charge)
    held = [
        invoice_row.id
        for of_month in stored.values()
        for invoice_row in of_month
        if invoice_row.status == DRAFT and invoice_row.entries
    ]
    entries: dict[str, list[Entry]] = defaultdict(list)
    for entry in payments.of_invoices(tx, account_id, held):
        entries[entry.invoice_id].append(as_entry(entry))
    writing = _Writing(tx, account_id, today.isoformat(), charges, entries)
    after = {}
    for month in months:
        key = month.row.property_id, month.row.month
        after[key] = writing.collect_month(month, stored.get(key, []))
        writing.hand_over_new()
    writing.write()
    return after


def count_invoices(row: MonthRow, of_month: Sequence[InvoiceRow]) -> MonthRow:
    """Count a month's invoices by status, and sum those that are not cancelled."""
    numbers = Counter(invoice.status.lower() for invoice in of_month)
    billed = received = 0
    for invoice in of_month:
        if invoice.status != CANCELLED:
            billed += invoice.total
            received += invoice.paid_amount
    draft, sent, paid, overdue, cancelled = (numbers[status] for status in Counts._fields)
    return row._replace(
        draft=draft, sent=sent, paid=paid, overdue=overdue, cancelled=cancelled, billed=billed, received=received
    )


def recount(month: MonthRow, changed: Sequence[tuple[InvoiceRow, InvoiceRow]]) -> MonthRow:
    """Update a month's counts and sums after some of its invoices changed.

    `changed` contains each of these invoices before and after the change.
    """
    counts = month._asdict()
    for was, after in changed:
        counts[was.status.lower()] -= 1
        counts[after.status.lower()] += 1
        for invoice, sign in ((was, -1), (after, 1)):
            if invoice.status != CANCELLED:
                counts["billed"] += sign * invoice.total
                counts["received"] += sign * invoice.paid_amount
    return MonthRow(**counts)


def with_total(invoice: InvoiceRow, total: int, entries: Sequence[Entry], now: str) -> InvoiceRow:
    """Return a draft with another total and the payment status that follows from it.

    If payments cover the new total, the draft counts as paid from the day of the ledger entry that completed the
    payment, or from `now`. Otherwise, it does not count as paid.
    """
    if total == invoice.total:
        return invoice
    payment_status = status_of_payment(invoice.paid_amount, total)
    paid_at = (covered_at(entries, total) or now) if payment_status == PAYMENT_PAID else None
    return invoice._replace(total=total, payment_status=payment_status, paid_at=paid_at)


def as_stored(
    of_month: Sequence[InvoiceRow], charges: Mapping[str, Sequence[ChargeRow]], *, is_closed: bool
) -> dict[str, list[StoredInvoice]]:
    """Map units to a month's stored invoices, in the form that planning needs.

    `charges` maps invoice ids to charges. Corrections on invoices other than drafts are included only in a closed
    month, whose facts contain all corrections that it carries. An open month's facts contain only those that are on
    no sent invoice.
    """
    stored_by_unit: dict[str, list[StoredInvoice]] = defaultdict(list)
    for row in of_month:
        its = charges.get(row.id, ())
        is_held = row.entries > 0 or any(charge.bill_id is None for charge in its)
        charged: dict[LineKey, int] = {}
        corrected: dict[CorrectionKey, int] = {}
        if row.status != DRAFT:  # a draft's charges don't count
            charged = {
                (charge.bill_id, charge.line or 0): charge.amount
                for charge in its
                if charge.bill_id and not charge.corrects_month
            }
        if is_closed and row.status != DRAFT:  # corrections on a cancelled invoice return with it, or wait for a person
            corrected = {
                (charge.bill_id or "", charge.line or 0, charge.corrects_month, charge.corrects_tenant): charge.amount
                for charge in its
                if charge.corrects_month
            }
        stored_by_unit[row.unit_id].append(
            StoredInvoice(row.sequence, row.status, row.tenant_id, bool(row.issued), is_held, charged, corrected)
        )
    return stored_by_unit


def planned_month(
    of_property: PropertyFacts, facts: MonthFacts, stored: Mapping[str, Sequence[StoredInvoice]], write: Forms = PLAIN
) -> PlannedMonth:
    """Plan a month's drafts from its facts and its stored invoices."""
    return plan_month(facts, stored, WithEmail(of_property.tenants), write)


def counts_changed(before: MonthRow, after: MonthRow) -> Counts:
    """Return how a month's numbers of invoices in each status have changed."""
    return Counts(*(getattr(after, name) - getattr(before, name) for name in Counts._fields))


@dataclass(slots=True)
class _Writing:
    """The differences in many months, collected to be written together."""

    tx: Tx
    account_id: str
    today: str
    charges: dict[str, list[ChargeRow]]
    entries: Mapping[str, Sequence[Entry]]
    new_invoices: list[InvoiceRow] = field(default_factory=list)
    changed_invoices: list[InvoiceRow] = field(default_factory=list)
    removed_invoices: list[str] = field(default_factory=list)
    new_charges: list[ChargeRow] = field(default_factory=list)
    changed_charges: list[ChargeRow] = field(default_factory=list)
    removed_charges: list[tuple[str, str]] = field(default_factory=list)
    owner_amounts: list[tuple[str, int, int, bool]] = field(default_factory=list)
    changed_months: list[MonthRow] = field(default_factory=list)
    removed_months: list[tuple[str, str]] = field(default_factory=list)
    counts: dict[tuple[str, str], Counts] = field(default_factory=dict)
    told: list[BatchRow] = field(default_factory=list)

    def collect_month(self, month: Basis, stored: Sequence[InvoiceRow]) -> MonthRow:
        """Collect one month's differences; return the month with its new counts and sums."""
        before, made, remain = self._size, list[InvoiceRow](), list[InvoiceRow]()
        gone: list[str] = []
        planned = planned_month(
            month.property, month.facts, as_stored(stored, self.charges, is_closed=month.row.is_closed)
        )
        kept = {(invoice.unit_id, invoice.sequence): invoice for invoice in stored}
        beside = further_tenants(stored)
        for (unit_id, sequence), wanted in planned.drafts.items():
            invoice = kept.pop((unit_id, sequence), None)
            if invoice is None:
                made.append(self._add(month, unit_id, sequence, wanted))
            else:
                remain.append(self._change(month, invoice, wanted))
        for invoice in kept.values():
            if invoice.status != DRAFT:
                remain.append(invoice)
            elif self._may_go(invoice):
                gone.append(invoice.id)
            else:
                remain.append(self._change(month, invoice, PlannedInvoice(self._kept_for(month, invoice, beside), ())))
        self._note_owner_amounts(month, planned)
        after = self._note_month(month, planned, [*remain, *made])
        self.removed_invoices += gone
        if self._size != before:
            self._tell(month, after, made, gone)
        return after

    @property
    def _size(self) -> tuple[int, ...]:
        """The numbers of charges to add, change and remove, and of invoices to remove."""
        return (
            len(self.new_charges), len(self.changed_charges), len(self.removed_charges), len(self.removed_invoices),
        )  # fmt: skip

    def _tell(self, month: Basis, after: MonthRow, made: Sequence[InvoiceRow], gone: Sequence[str]) -> None:
        """Add events for a month's new and deleted invoices, and for its recalculation."""
        self.told += event_outbox.gone(self.tx, self.account_id, after.property_id, "invoice.deleted", gone)
        if made:
            units = month.property.units
            shown = [(_summary(row, month, after), units[row.unit_id].sqft) for row in made]
            self.told.extend(event_outbox.created(self.tx, self.account_id, after.property_id, shown))
        self.told.append(
            event_outbox.recalculated(self.tx, self.account_id, after.property_id, after.month, after.invoices)
        )  # fmt: skip

    def _kept_for(self, month: Basis, draft: InvoiceRow, beside: Mapping[str, Sequence[str]]) -> str | None:
        """Return the id of the tenant to whom a draft without bill lines is addressed.

        In a closed month, or if the draft was sent before, it is the draft's own tenant. Otherwise it is the tenant
        who now receives the unit's invoices. `beside` maps units to the tenants who have their own invoices.
        """
        if draft.issued or month.row.is_closed:
            return draft.tenant_id
        first_closed = month.row.first_closed_at
        return address_now(month.property, draft, first_closed, beside.get(draft.unit_id, ())).tenant_id

    def _may_go(self, invoice: InvoiceRow) -> bool:
        """True if an invoice without bill lines may be deleted.

        It must be a draft that never left DRAFT, without custom charges or ledger entries.
        """
        held = invoice.entries > 0 or any(charge.bill_id is None for charge in self.charges[invoice.id])
        return invoice.status == DRAFT and invoice.printed is None and not held

    def _add(self, month: Basis, unit_id: str, sequence: int, wanted: PlannedInvoice) -> InvoiceRow:
        code = month.property.codes[unit_id]
        number = invoice_number(month.property.property.code, code, month.row.month, sequence)
        tenant_id, name, email = address_of(month.property, wanted.tenant_id)
        now = self.tx.now
        invoice = InvoiceRow(
            account_id=self.account_id,
            id=self.tx.new_id("inv"),
            property_id=month.row.property_id,
            unit_id=unit_id,
            month=month.row.month,
            sequence=sequence,
            status=DRAFT,
            number=number,
            number_key=invoice_number_order(number),
            invoice_date=self.today,
            due_date=None,
            total=sum(charge.amount for charge in wanted.charges),
            paid_amount=0,
            paid_by_status=0,
            entries=0,
            paid_at=None,
            payment_status=PAYMENT_PENDING,
            tenant_id=tenant_id,
            tenant_name=name,
            tenant_email=email,
            issued=False,
            printed=None,
            payment_link_id=None,
            payment_link_url=None,
            email_sent_at=None,
            email_status=None,
            delivery=None,
            generated_at=now,
            updated_at=now,
        )
        self.new_invoices.append(invoice)
        self.new_charges += [self._row(invoice.id, self._charge_id(charge), charge) for charge in wanted.charges]
        return invoice

    def _change(self, month: Basis, invoice: InvoiceRow, wanted: PlannedInvoice) -> InvoiceRow:
        stored = self.charges[invoice.id]
        of_bills = [(row.id, _planned(row)) for row in stored if row.bill_id is not None]
        changes = compare(of_bills, wanted.charges, keeps_words=month.row.is_closed)
        self.new_charges += [self._row(invoice.id, self._charge_id(charge), charge) for charge in changes.add]
        self.changed_charges += [self._row(invoice.id, charge_id, charge) for charge_id, charge in changes.change]
        self.removed_charges += [(invoice.id, charge_id) for charge_id in changes.remove]
        by_hand = sum(row.amount for row in stored if row.bill_id is None)
        total = by_hand + sum(charge.amount for charge in wanted.charges)
        after = with_total(invoice, total, self.entries.get(invoice.id, ()), self.tx.now)
        if not (invoice.issued or (month.row.is_closed and wanted.is_for(invoice.tenant_id))):
            address = address_of(month.property, wanted.tenant_id)
            if not is_addressed(after, address):
                tenant_id, name, email = address
                after = after._replace(tenant_id=tenant_id, tenant_name=name, tenant_email=email)
        if changes:
            after = after._replace(generated_at=self.tx.now)
        if after != invoice:
            after = after._replace(updated_at=self.tx.now)
            self.changed_invoices.append(after)
        return after

    def _note_owner_amounts(self, month: Basis, planned: PlannedMonth) -> None:
        for line in month.lines:
            owner = planned.owner.get((line.bill_id, line.number))
            if owner is None and month.row.is_closed:
                continue  # it waits for the month to open
            wanted = (owner or 0, owner is not None)
            if (line.owner_amount, line.charged) != wanted:
                self.owner_amounts.append((line.bill_id, line.number, *wanted))

    def _note_month(self, month: Basis, planned: PlannedMonth, remain: Sequence[InvoiceRow]) -> MonthRow:
        row, key = month.row, (month.row.property_id, month.row.month)
        after = count_invoices(row, remain)._replace(
            owner_amount=sum(planned.owner.values()),
            line_count=len(month.facts.lines),
            missing_count=len(planned.missing),
            pending=row.pending and row.is_closed,
        )
        self.counts[key] = counts_changed(row, after)
        if not (remain or month.facts.lines or row.first_closed_at):
            self.removed_months.append(key)
        elif after != row or not row.computed_at:
            after = after._replace(computed_at=self.tx.now)
            self.changed_months.append(after)
        return after

    def hand_over_new(self) -> None:
        """If there are many new rows, send them to the database before other changes.

        SQLite then writes while the next months are computed. A new row never conflicts with one that is still to be
        removed.
        """
        if len(self.new_charges) >= _CHARGES_AT_ONCE:
            self._add_new()

    def _add_new(self) -> None:
        invoices.add_many(self.tx, self.new_invoices)
        invoices.add_charges(self.tx, self.new_charges)
        event_outbox.add(self.tx, self.told)
        self.new_invoices, self.new_charges, self.told = [], [], []

    def write(self) -> None:
        """Write the collected differences with one or two SQL statements for each kind of row."""
        invoices.remove_charges(self.tx, self.account_id, self.removed_charges)
        invoices.remove_many(self.tx, self.account_id, self.removed_invoices)
        self._add_new()
        invoices.save_reckoned(self.tx, self.changed_invoices)
        invoices.save_charges(self.tx, self.changed_charges)
        bills.set_owner_amounts(self.tx, self.account_id, self.owner_amounts)
        billing_months.save_many(self.tx, self.changed_months)
        billing_months.remove_many(self.tx, self.account_id, self.removed_months)
        accounts.add_to_invoice_counts(self.tx, self.account_id, self.counts)

    def _charge_id(self, charge: PlannedCharge) -> str:
        return self.tx.new_id("cchg" if charge.utility_type is None else "chg")

    def _row(self, invoice_id: str, charge_id: str, charge: PlannedCharge) -> ChargeRow:
        return ChargeRow(self.account_id, charge_id, invoice_id, *charge)


def _summary(row: InvoiceRow, month: Basis, after: MonthRow) -> InvoiceSummary:
    """Return a new invoice in the form that events contain, without its unit's floor area."""
    unit, of = month.property.units[row.unit_id], month.property.property
    return InvoiceSummary(
        row.id, row.property_id, row.unit_id, row.month, row.status, row.number, row.invoice_date, row.due_date,
        row.total, row.paid_amount, row.paid_at, row.payment_status, row.tenant_name, row.tenant_email,
        row.payment_link_id, row.payment_link_url, row.email_sent_at, row.email_status, row.delivery, row.generated_at,
        row.updated_at, unit.label, None, unit.bedrooms, of.name, of.currency, after.pending, after.missing_count,
        row.sequence, row.tenant_id, row.replaces_number,
    )  # fmt: skip


def _planned(row: ChargeRow) -> PlannedCharge:
    assert row.bill_id is not None
    assert row.line is not None
    return PlannedCharge(
        row.bill_id, row.line, row.utility_type, row.amount, row.description, row.corrects_month, row.corrects_tenant
    )
