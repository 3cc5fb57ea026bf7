"""The final invoice of a household that moves out (docs/decisions.md#final-invoice).

It contains everything in the household's drafts for the month of moving out, and is sent before the month's other
invoices.
"""

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.invoices import earlier_invoices, invoices, statuses
from prorata.actions.invoices.invoices import ShownInvoice
from prorata.actions.invoices.statuses import NewStatus
from prorata.actions.recalculation import loaded_months, recalculation
from prorata.actions.recalculation.loaded_months import LoadedMonth
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month, last_day, month_in_words
from prorata.domain.invoice_states import DRAFT, PAYMENT_PENDING, SENT
from prorata.domain.invoices.numbers import invoice_number, invoice_number_order
from prorata.domain.splitting.month_facts import stays_of
from prorata.domain.splitting.stays import Household, households_of
from prorata.domain.texts import listed, say, say_n
from prorata.errors import Conflict
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices as stored
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.properties import units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow
from prorata.store.recalculation import billing_months as months
from prorata.store.webhooks import event_outbox


class FinalInvoice(NamedTuple):
    """A final invoice before it is sent.

    `charges` are all charges of the household's `drafts`. `goes_as` is the draft that becomes the final invoice. It
    must be one that the household has in addition to the unit's regular invoice. If there is none, `goes_as` is None,
    and a new invoice is made, numbered after the unit's other invoices of the month.
    """

    tenant: TenantRow
    house: PropertyRow
    month: Month
    number: str
    sequence: int
    charges: tuple[ChargeRow, ...]
    drafts: tuple[InvoiceRow, ...]
    goes_as: InvoiceRow | None

    @property
    def total(self) -> int:
        """The sum of the final invoice's charges, in cents."""
        return sum(charge.amount for charge in self.charges)

    @property
    def addressee(self) -> str | None:
        """The id of the tenant to whom the final invoice is addressed."""
        return (self.goes_as or self.drafts[0]).tenant_id


def look(tx: Tx, caller: Caller, tenant_id: str) -> FinalInvoice:
    """Preview a tenant's final invoice without changing anything.

    Raises `NotFound` if there is no such tenant, and `Conflict` if no final invoice can be sent; the error gives the
    reason and a remedy.
    """
    row = access.tenant(tx, caller, tenant_id)
    tx.catch_up()
    return _find(tx, access.property_(tx, caller, row.property_id), row)


def send(tx: Tx, caller: Caller, tenant_id: str, *, settles: bool = False) -> ShownInvoice:
    """Send a tenant's final invoice.

    With `settles`, it becomes PAID at once if received money covers it. Raises everything that `look` raises.
    """
    locked, row = access.tenant_to_change(tx, caller, tenant_id)
    tx.catch_up()
    final_invoice = _find(tx, locked, row)
    goes = final_invoice.goes_as or _made(tx, caller, final_invoice)
    if final_invoice.goes_as:
        _gather(tx, caller, final_invoice, goes)
    audit.record(tx, caller, Verb.SEND_FINAL_INVOICE, row.id, after=row, property_id=locked.id)
    now = stored.find(tx, caller.account_id, goes.id)
    assert now is not None, "what the household's drafts hold keeps it"
    statuses.set_many(tx, caller, locked, [NewStatus(now, SENT, settles=settles, is_final=True)])
    recalculation.recalculate(tx, caller, [locked], [final_invoice.month])
    shown = invoices.find(tx, caller, goes.id)
    event_outbox.note_shown(tx, [shown.summary])
    return shown


# --- what it would hold -----------------------------------------------------------------------------------------------


def _find(tx: Tx, of_property: PropertyRow, row: TenantRow) -> FinalInvoice:
    if row.move_out is None:
        raise Conflict(
            say(
                "No last day (move-out date) has been entered for {name}, so there is no final invoice yet. "
                "Enter it first.",
                name=row.name,
            )
        )
    month = Month(row.move_out[:7])
    of_month = months.find_many(tx, row.account_id, [of_property.id], [month])
    if not of_month:
        raise Conflict(_nothing(row, month, ()))
    (loaded,) = loaded_months.with_facts(tx, row.account_id, [of_property], of_month)
    household = _household(loaded, row, month)
    its = [
        invoice
        for invoice in stored.of_months(tx, row.account_id, [of_property.id], [month])
        if invoice.unit_id == row.unit_id
    ]
    mine = [invoice for invoice in its if invoice.tenant_id in household.tenant_ids]
    drafts = tuple(
        sorted((invoice for invoice in mine if invoice.status == DRAFT), key=lambda invoice: invoice.sequence)
    )
    goes_as = next((draft for draft in drafts if draft.sequence), None)
    _refuse_what_stays(row, drafts, goes_as)
    charges = stored.charges(tx, row.account_id, [draft.id for draft in drafts])
    if not sum(charge.amount for charge in charges):
        raise Conflict(_nothing(row, month, mine))
    taken = {invoice.sequence for invoice in its}
    sequence = goes_as.sequence if goes_as else next(at for at in count(1) if at not in taken)
    number = invoice_number(of_property.code, loaded.property.codes[row.unit_id], month, sequence)
    if goes_as:
        number = earlier_invoices.renumbered(tx, of_property, goes_as, goes_as._replace(status=SENT)).number
    return FinalInvoice(row, of_property, month, number, sequence, tuple(charges), drafts, goes_as)


def _household(loaded: LoadedMonth, row: TenantRow, month: Month) -> Household:
    """Find the household of a tenant in the month in which the tenant moves out.

    Raises `Conflict` if another member of the household stays after that month.
    """
    facts = loaded_months.basis(loaded).facts
    unit = next((unit_facts for unit_facts in facts.units if unit_facts.unit_id == row.unit_id), None)
    if unit is not None and unit.former is not None:
        named_month = month_in_words(month)
        raise Conflict(
            say(
                "{said} was closed before Prorata recorded who lived where. Send the draft for {said} as it is.",
                said=named_month,
            )
        )
    household = (
        next((candidate for candidate in households_of(unit) if row.id in candidate.tenant_ids), None) if unit else None
    )
    if household is None:
        raise Conflict(_nothing(row, month, ()))
    names = [
        loaded.property.tenants[stay.tenant_id].name
        for stay in stays_of(loaded.property.units[row.unit_id], None)  # a closed month knows only former last days
        if stay.tenant_id in household.tenant_ids and stay.tenant_id != row.id and stay.end > last_day(month)
    ]
    if names:
        raise Conflict(
            say_n(
                "{name} shares the unit and its invoices with {others}, who stays on after {month}. Send the month’s "
                "invoice, or enter when everyone moves out.",
                "{name} shares the unit and its invoices with {others}, who stay on after {month}. Send the month’s "
                "invoice, or enter when everyone moves out.",
                len(names),
                name=row.name,
                others=listed(names),
                month=month_in_words(month),
            )
        )
    return household


def _refuse_what_stays(row: TenantRow, drafts: Sequence[InvoiceRow], goes_as: InvoiceRow | None) -> None:
    """Raise `Conflict` if a draft to be merged was sent before or has payments.

    The payments of a draft can't be moved to another invoice.
    """
    for draft in drafts:
        if draft is goes_as:
            continue
        if draft.issued:
            raise Conflict(
                say(
                    "{number} was already sent to {most} and is a draft again. Send it again: it then shows what has "
                    "changed, and anything later goes on a separate invoice.",
                    number=draft.number,
                    most=draft.tenant_name or row.name,
                )
            )
        if draft.entries:
            raise Conflict(
                say(
                    "Draft {number} has payments, which can’t be moved to another invoice. Send the draft, or reverse "
                    "its payments and record them on the final invoice.",
                    number=draft.number,
                )
            )


def _nothing(row: TenantRow, month: Month, mine: Sequence[InvoiceRow]) -> str:
    sentence = say(
        "There is nothing to invoice {name} for in {month}, the month of the last day",
        name=row.name,
        month=month_in_words(month),
    )
    sent = ", ".join(invoice.number for invoice in mine if invoice.status != DRAFT)
    if sent:
        return say("{said}, apart from {sent}. Anything later appears on a separate draft.", said=sentence, sent=sent)
    if mine:
        return say("{said}: its drafts add up to zero.", said=sentence)
    return say("{said}: no bill for that month applies to them yet.", said=sentence)


# --- making it --------------------------------------------------------------------------------------------------------


def _made(tx: Tx, caller: Caller, final: FinalInvoice) -> InvoiceRow:
    """Create a final invoice for the household in addition to the unit's regular one.

    The regular invoice is then for the tenants who move into the unit next.
    """
    draft = final.drafts[0]
    row = draft._replace(
        id=tx.new_id("inv"),
        sequence=final.sequence,
        number=final.number,
        number_key=invoice_number_order(final.number),
        invoice_date=account_actions.today(tx, caller).isoformat(),
        total=0,
        payment_status=PAYMENT_PENDING,
        issued=True,  # so that it keeps its household, and the unit's goes to the next
        generated_at=tx.now,
        updated_at=tx.now,
    )
    stored.add_many(tx, [row])
    _gather(tx, caller, final, row)
    made = stored.summary(tx, caller.account_id, row.id)
    assert made is not None, "it was made just now"
    event_outbox.add(tx, event_outbox.created(tx, caller.account_id, row.property_id, [(made, None)]))
    return row


def _gather(tx: Tx, caller: Caller, final: FinalInvoice, goes: InvoiceRow) -> None:
    """Move everything in the household's drafts to the final invoice.

    Custom charges are moved directly; recalculating the month then moves the household's shares of the bills.
    """
    by_hand = [charge for charge in final.charges if charge.bill_id is None and charge.invoice_id != goes.id]
    stored.remove_charges(tx, caller.account_id, [(charge.invoice_id, charge.id) for charge in by_hand])
    stored.add_charges(tx, [charge._replace(invoice_id=goes.id) for charge in by_hand])
    today = account_actions.today(tx, caller)
    recalculation.compute_one(tx, caller, final.house, final.month, today)


def addressee_of(tx: Tx, final: FinalInvoice) -> TenantRow | None:
    """Return the tenant who receives a final invoice."""
    its = final.addressee
    return units.find_tenant_of_past(tx, final.tenant.account_id, its) if its else None
