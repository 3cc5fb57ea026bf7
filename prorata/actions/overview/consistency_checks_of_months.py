"""The checks of `prorata check` on a property-month.

Its invoices and charges must match its facts, to the cent.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from prorata.actions.recalculation import loaded_months, recalculation
from prorata.actions.recalculation.addressees import address_of, is_addressed, is_renamed
from prorata.actions.recalculation.corrections import Reckoned, is_waiting
from prorata.actions.recalculation.loaded_months import LoadedMonth
from prorata.actions.recalculation.month_loader import as_line
from prorata.actions.recalculation.month_writer import as_stored, count_invoices, planned_month
from prorata.domain.billing_calendar import read_month
from prorata.domain.invoice_states import CANCELLED, CLOSING, DRAFT, PAID, PAYMENT_CANCELLED, PAYMENT_PAID
from prorata.domain.invoices.numbers import invoice_number
from prorata.domain.labels import natural_order
from prorata.domain.locale_forms import FORMER, PLAIN, Forms
from prorata.domain.money import in_figures
from prorata.domain.printing.printed_invoices import kept_name
from prorata.domain.splitting.invoice_sequences import StoredInvoice
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.planned_charges import LineKey, PlannedCharge
from prorata.domain.splitting.planned_invoices import PlannedInvoice, PlannedMonth
from prorata.store.bills.bills import BilledLine
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow

_COUNTED = ("draft", "sent", "paid", "overdue", "cancelled", "line_count", "missing_count")
_SUMMED = ("billed", "received", "owner_amount")


class StoredMonth(NamedTuple):
    """A stored property-month, its facts, and the drafts that result from them.

    `stored` maps units to the month's invoices as planning needs them. `reckoned` contains the month's current
    corrections, or is None if it has none.
    """

    loaded: LoadedMonth
    facts: MonthFacts
    planned: PlannedMonth
    stored: Mapping[str, Sequence[StoredInvoice]]
    invoices: Sequence[InvoiceRow]
    charges: Mapping[str, Sequence[ChargeRow]]
    reckoned: Reckoned | None = None

    @property
    def owner(self) -> Mapping[LineKey, int]:
        """The owner's part of each bill line, in cents, without unbilled lines."""
        if self.reckoned is None or not self.loaded.row.is_closed:
            return self.planned.owner
        return {(bill_id, line): cents for bill_id, line, cents, charged in self.reckoned.owner_amounts if charged}

    @property
    def needed(self) -> Mapping[LineKey, int]:
        """The cents of a closed month's lines that other months' invoices charge or may charge.

        The amounts are summed for each line, and include pending corrections.
        """
        amounts: dict[LineKey, int] = defaultdict(int)
        for row in self.reckoned.corrections if self.reckoned and self.loaded.row.is_closed else ():
            amounts[row.bill_id, row.line] += row.elsewhere_amount + row.to_charge_amount + row.waiting_amount
        return amounts

    @property
    def name(self) -> str:
        """A phrase that names the month and its property, for the sentences about problems."""
        return f"the month {self.loaded.row.month} of property {self.loaded.row.property_id}"

    @property
    def holds_what_was_issued(self) -> bool:
        """True if the stored drafts match the planned ones.

        Drafts then make up for sent invoices whose charges are outdated.
        """
        there = {(invoice.unit_id, invoice.sequence): invoice for invoice in self.invoices if invoice.status == DRAFT}
        return self.planned.drafts.keys() <= there.keys() and all(
            sum(charge.amount for charge in self.charges[there[key].id] if charge.bill_id)
            == sum(charge.amount for charge in draft.charges)
            for key, draft in self.planned.drafts.items()
        )

    def holds(self, invoice: InvoiceRow) -> bool:
        """True if an invoice must be kept although the month's facts give it no charges.

        It is kept if it was ever sent or cancelled, or if it has a custom charge or a ledger entry.
        """
        held = invoice.entries > 0 or any(charge.bill_id is None for charge in self.charges[invoice.id])
        return invoice.status != DRAFT or invoice.printed is not None or held


def stored_month(
    loaded: LoadedMonth,
    invoices: Sequence[InvoiceRow],
    charges: Mapping[str, Sequence[ChargeRow]],
    reckoned: Reckoned | None = None,
) -> StoredMonth:
    """Combine a loaded month with its invoices, and plan the month again from its facts.

    `charges` maps invoice ids to charges; charges of other invoices are ignored.
    """
    facts = loaded_months.basis(loaded).facts
    its = {invoice.id: charges.get(invoice.id, ()) for invoice in invoices}
    stored = as_stored(invoices, its, is_closed=loaded.row.is_closed)
    return StoredMonth(loaded, facts, planned_month(loaded.property, facts, stored), stored, invoices, its, reckoned)


def of_month_as_stored(month: StoredMonth) -> Iterator[str]:
    """Yield a sentence for every record of a property-month that breaks an invariant."""
    yield from _of_its_counts(month)
    yield from _of_its_state(month)
    yield from _of_its_lines(month)
    there = {(invoice.unit_id, invoice.sequence) for invoice in month.invoices}
    for unit_id, sequence in month.planned.drafts.keys() - there:
        which = f" of another household (sequence {sequence})" if sequence else ""
        yield f"Unit {unit_id} takes part in {month.name}, but has no invoice{which} for it."
    as_issued = _as_issued(month, PLAIN)
    former = cache(lambda: _as_issued(month, FORMER))
    for invoice in month.invoices:
        yield from _of_invoice(month, invoice)
        if invoice.status != CANCELLED:
            yield from _of_charges(month, invoice, as_issued, former)


def _as_issued(month: StoredMonth, write: Forms) -> PlannedMonth:
    """Plan a month as if none of its invoices had been sent.

    In that plan, each household's invoice charges the household's whole share.
    """
    drafts = {
        unit_id: [
            invoice._replace(status=DRAFT, was_issued=True, charged={}, corrected={}) if invoice.is_issued else invoice
            for invoice in of_unit
        ]
        for unit_id, of_unit in month.stored.items()
    }
    return planned_month(month.loaded.property, month.facts, drafts, write)


# --- the month itself -------------------------------------------------------------------------------------------------


def _of_its_counts(month: StoredMonth) -> Iterator[str]:
    row = month.loaded.row
    counted = count_invoices(row, month.invoices)._replace(
        owner_amount=sum(month.owner.values()),
        line_count=len(month.facts.lines),
        missing_count=len(month.planned.missing),
    )
    for name in (*_COUNTED, *_SUMMED):
        kept, there = getattr(row, name), getattr(counted, name)
        if kept != there:
            write = in_figures if name in _SUMMED else str
            yield f"In {month.name}, {name} is {write(kept)}, but should be {write(there)}."


def _of_its_state(month: StoredMonth) -> Iterator[str]:
    row = month.loaded.row
    if read_month(row.month) is None:
        yield f"In {month.name}, the month is not written as YYYY-MM."
    closing = any(invoice.status in CLOSING and not invoice.sequence for invoice in month.invoices)
    if row.is_closed != closing:
        yield f"In {month.name}, a snapshot must be there if and only if an invoice is SENT, PAID or OVERDUE."
    if row.is_closed and row.first_closed_at is None:
        yield f"In {month.name}, which is closed, the moment it was first closed is missing."
    waits = _waits(month)
    if row.pending != waits:
        yield f"In {month.name}, pending is {bool(row.pending)}, but should be {waits}."
    if not (month.invoices or month.facts.lines or row.first_closed_at):
        yield f"There is nothing in {month.name}, so it should not exist."


def _waits(month: StoredMonth) -> bool:
    row = month.loaded.row
    if row.is_closed and row.settles:
        if month.reckoned and (month.reckoned.is_late or any(map(is_waiting, month.reckoned.corrections))):
            return True
        return any(is_renamed(month.loaded.property, invoice) for invoice in month.invoices)
    return row.is_closed and recalculation.would_change(month.loaded, month.invoices)


def _of_its_lines(month: StoredMonth) -> Iterator[str]:
    """Check that each bill line's charges and owner's part sum to the line.

    Each line from which a closed month was computed must still exist.
    """
    charged: dict[tuple[str | None, int | None], int] = defaultdict(int)
    for invoice in month.invoices:
        if invoice.status != CANCELLED:
            for charge in month.charges[invoice.id]:
                if charge.corrects_month is None:
                    charged[charge.bill_id, charge.line] += charge.amount
    owner, needed = month.owner, month.needed
    computed = {(line.bill_id, line.number): line for line in month.facts.lines}
    for line in month.loaded.lines:
        key = line.bill_id, line.number
        yield from _of_line(line, owner.get(key), charged[key], needed.get(key, 0))
        was = computed.pop(key, None)
        if was is not None and not line.corrected and was != _as_kept(was, as_line(line)):
            yield f"Line {line.number} of bill {line.bill_id} differs from what {month.name} was computed from."
    for bill_id, number in computed:
        yield f"Line {number} of bill {bill_id}, from which {month.name} was computed, doesn't exist."


def _as_kept(was: Line, now: Line) -> Line:
    """Return a line without the details that a closed month's copy of it lacks.

    Older copies lack service days or usage.
    """
    return now._replace(service=was.service and now.service, usage=was.usage and now.usage)


def _of_line(line: BilledLine, owner: int | None, charged: int, needed: int) -> Iterator[str]:
    named = f"Line {line.number} of bill {line.bill_id}"
    if bool(line.charged) != (owner is not None):
        yield f"{named}: whether it is charged is stored as {bool(line.charged)}, but should be {owner is not None}."
    if line.owner_amount != (owner or 0):
        yield f"{named}: the owner's part is {in_figures(line.owner_amount)}, but should be {in_figures(owner or 0)}."
    if line.charged and charged + needed + line.owner_amount != line.amount:
        whole = in_figures(charged + needed + line.owner_amount)
        yield f"{named} is {in_figures(line.amount)}, but its charges and the owner's part sum to {whole}."
    if not line.charged and charged:
        yield f"{named} is not charged yet, but charges of {in_figures(charged)} refer to it."


# --- its invoices -----------------------------------------------------------------------------------------------------


def _of_invoice(month: StoredMonth, invoice: InvoiceRow) -> Iterator[str]:
    named = f"Invoice {invoice.id}"
    whole = sum(charge.amount for charge in month.charges[invoice.id])
    if invoice.total != whole:
        yield f"{named}: its total is {in_figures(invoice.total)}, but its charges sum to {in_figures(whole)}."
    of_property = month.loaded.property
    code = of_property.codes.get(invoice.unit_id)
    if code is None:
        yield f"{named}: its unit is not in its property."
    elif invoice.number != _number_of(of_property.property.code, code, invoice):
        yield f"{named}: its number is not that of its property, unit and month."
    if invoice.number_key != natural_order(invoice.number):
        yield f"{named}: its number is not sorted in natural order."
    if invoice.status in CLOSING and not (invoice.issued and invoice.due_date and invoice.printed):
        yield f"{named} is {invoice.status}, but lacks a due date, its printed copy, or the mark that it was issued."
    if (
        invoice.status != DRAFT
        and invoice.printed
        and kept_name(invoice.printed, invoice.tenant_name) != invoice.tenant_name
    ):
        yield f"{named}: the tenant's name is not the one with which it was sent."
    yield from _of_payment(invoice)
    if (invoice.unit_id, invoice.sequence) not in month.planned.drafts and not month.holds(invoice):
        yield f"{named} is a draft with nothing to bill, so it should not exist."
    if invoice.status == DRAFT and not (invoice.issued or month.loaded.row.is_closed):
        yield from _of_address(month, invoice)


def _number_of(property_code: str, unit_code: str, invoice: InvoiceRow) -> str:
    return invoice_number(property_code, unit_code, invoice.month, invoice.sequence, invoice.revision)


def _of_payment(invoice: InvoiceRow) -> Iterator[str]:
    named = f"Invoice {invoice.id} is {invoice.status}"
    if invoice.paid_by_status and invoice.status != PAID:
        yield f"{named}, and a payment that only PAID records is on it."
    if invoice.status == PAID:
        paid = invoice.payment_status == PAYMENT_PAID and invoice.paid_at is not None
        fits = paid and invoice.paid_amount >= invoice.total
    elif invoice.status == CANCELLED:
        fits = invoice.payment_status == PAYMENT_CANCELLED
    else:
        covered = invoice.paid_amount >= invoice.total > 0
        fits = covered == (invoice.payment_status == PAYMENT_PAID) and invoice.payment_status != PAYMENT_CANCELLED
    if not fits:
        received = f"{in_figures(invoice.paid_amount)} of {in_figures(invoice.total)}"
        yield f"{named} with {received} paid, which does not fit the payment status {invoice.payment_status}."


def _of_address(month: StoredMonth, invoice: InvoiceRow) -> Iterator[str]:
    """Check that a never-sent draft is addressed to the household that the month's facts name."""
    planned = month.planned.drafts.get((invoice.unit_id, invoice.sequence))
    if planned and not is_addressed(invoice, address_of(month.loaded.property, planned.tenant_id)):
        yield (
            f"Invoice {invoice.id} is a draft that was never sent, but is not addressed to the household of its "
            "unit in this month."
        )


def _of_charges(
    month: StoredMonth, invoice: InvoiceRow, as_issued: PlannedMonth, former: Callable[[], PlannedMonth]
) -> Iterator[str]:
    """Check that an invoice's charges are exactly the computed ones.

    If the drafts are as planned, differing sent invoices are right as well, because the drafts make up for the
    difference.

    The charges' texts may be in the earlier wording of `former`: a closed month keeps its texts, and an open month
    keeps them until it is recalculated. Texts of invoices sent in an open month are not checked.
    """
    key = invoice.unit_id, invoice.sequence
    draft = month.planned.drafts.get(key)
    planned = draft or as_issued.drafts.get(key)
    is_strict = draft is not None or invoice.status == DRAFT or not month.holds_what_was_issued
    wanted = {charge.place: charge for charge in planned.charges} if planned else {}
    keeps_words = draft is None and not month.loaded.row.is_closed
    for charge in month.charges[invoice.id]:
        if charge.bill_id is None or charge.line is None:
            continue
        its = wanted.pop((charge.bill_id, charge.line, charge.corrects_month, charge.corrects_tenant), None)
        named = f"Charge {charge.id} of invoice {invoice.id}"
        if its is None or its.amount != charge.amount:
            if not is_strict:
                continue
            if its is None:
                yield f"{named} is for a line that does not charge this invoice, or charges it twice."
            else:
                yield f"{named} is {in_figures(charge.amount)}, but should be {in_figures(its.amount)}."
        elif (
            not keeps_words
            and its != PlannedCharge(charge.bill_id, charge.line, *charge[5:])
            and not _is_former(charge, former().drafts.get(key))
        ):
            yield f"{named} has the wrong utility type or reason."
    for bill_id, number, *_ in wanted if is_strict else ():
        yield f"Invoice {invoice.id} lacks its charge for line {number} of bill {bill_id}."


def _is_former(charge: ChargeRow, planned: PlannedInvoice | None) -> bool:
    """True if a charge is among the planned charges in their earlier wording."""
    return planned is not None and PlannedCharge(charge.bill_id or "", charge.line or 0, *charge[5:]) in planned.charges
