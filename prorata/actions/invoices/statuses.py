"""Changes of the statuses of a month's invoices, and their effect on the month.

The month is opened, closed or recalculated only once, however many of its invoices change. A change can be undone:
the invoice gets its former state back, and is not e-mailed again to a tenant who has already received it.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.invoices import earlier_invoices, mail_withdrawals, standing as invoice_standing
from prorata.actions.invoices.standing import Change, Context, counted
from prorata.actions.printing import earlier_amounts
from prorata.actions.printing.printed_invoices import copy_of
from prorata.actions.printing.roommates import names_beside
from prorata.actions.recalculation import loaded_months, recalculation
from prorata.actions.recalculation.month_loader import as_entry, standing_of, with_standing
from prorata.actions.splitting import explanations
from prorata.domain.audit.verbs import Verb
from prorata.domain.invoice_states import (
    CANCELLED,
    CLOSING,
    DRAFT,
    PAID,
    PAYMENT_PAID,
    SENT,
    UNSENT,
    Standing,
    change_status,
)
from prorata.domain.invoices.ledger import covered_at
from prorata.domain.mail.deliveries import ON_ITS_WAY
from prorata.domain.printing.earlier_amounts import Earlier
from prorata.domain.printing.printed_invoices import is_final, kept_name
from prorata.domain.splitting.month_facts import CarriedCorrection, MonthFacts, to_json
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.payments import payments
from prorata.store.properties import units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow
from prorata.store.recalculation import billing_months as months, corrections
from prorata.store.recalculation.billing_months import MonthRow


class Before(NamedTuple):
    """An invoice as it was before a change that is now undone."""

    status: str
    total: int
    invoice_date: str
    due_date: str | None
    paid_at: str | None
    delivery: str | None
    generated_at: str

    @property
    def waited(self) -> bool:
        """True if the invoice's e-mail was still waiting to be sent."""
        return self.delivery in ON_ITS_WAY


class NewStatus(NamedTuple):
    """An invoice and its new status, which differs from the current one.

    `back_to` is the former state to restore if a change is being undone. With `settles`, an invoice to be SENT
    becomes PAID at once if received money covers it. `paid_on` is the day of payment of an invoice that becomes PAID;
    None means today. With `is_final`, it becomes a household's final invoice, which it stays when it is sent again.
    """

    invoice: InvoiceRow
    status: str
    back_to: Before | None = None
    settles: bool = False
    paid_on: date | None = None
    is_final: bool = False


def before(tx: Tx, account_id: str, invoice_id: str, status: str, *, back_to: str) -> Before | None:
    """Load an invoice as it was before its latest change to `status`.

    The audit log provides the former state. `back_to` is the status that undoing should restore. If the invoice was
    sent and paid at the same time and `back_to` is not SENT, the result is its state before it was sent.
    """
    earlier = _before(tx, account_id, invoice_id, status)
    if earlier is None or (status, earlier.status) != (PAID, SENT) or back_to == SENT:
        return earlier
    sent_at, paid_at = (
        audit.last_at(tx, account_id, invoice_id, Verb.of_status(closing_status)) for closing_status in (SENT, PAID)
    )
    return _before(tx, account_id, invoice_id, SENT) if sent_at == paid_at else earlier


def _before(tx: Tx, account_id: str, invoice_id: str, status: str) -> Before | None:
    text = audit.before_the_last(tx, account_id, invoice_id, Verb.of_status(status))
    if text is None:
        return None
    kept = json.loads(text)
    return Before(**{name: kept[name] for name in Before._fields})


def set_many(tx: Tx, caller: Caller, locked: PropertyRow, wanted: Sequence[NewStatus]) -> dict[str, InvoiceRow]:
    """Set statuses of one month's invoices, and update the month; map ids to the invoices.

    The property must be locked (docs/decisions.md#status-changes). The first invoice that is SENT, PAID or OVERDUE
    closes the month, and the facts from which the month was computed are kept. When the last such invoice gets
    another status, the month opens and is recalculated.

    The owner bears a cancelled invoice's shares. An invoice that leaves CANCELLED is recalculated. If a change is
    undone but the charges have changed since, the invoice stays a draft, because it differs from the one that its
    tenant has.
    """
    if not wanted:
        return {}
    (month,) = {new_status.invoice.month for new_status in wanted}
    return _Changes(tx, caller, locked, month).make(wanted)


def set_in_closed_months(
    tx: Tx,
    caller: Caller,
    properties: Mapping[str, PropertyRow],
    closed: Mapping[tuple[str, str], MonthRow],
    wanted: Sequence[NewStatus],
) -> None:
    """Change invoices from one of SENT, PAID and OVERDUE to another.

    The invoices may belong to any number of months. `properties` are their locked properties, and `closed` maps
    (property, month) to their locked months. Nothing is recalculated, and the number of SQL statements is fixed.
    """
    if not wanted:
        return
    changing = _Changing(tx, caller)
    changes = [
        changing.change(properties[new_status.invoice.property_id], new_status, new_status.invoice, new_status.status)
        for new_status in wanted
    ]
    invoice_standing.write(tx, caller, changes, Context(account=changing.account, months=closed))


class _Changing:
    """The computation of invoices' status changes, with the data that it needs."""

    def __init__(self, tx: Tx, caller: Caller) -> None:
        self.tx = tx
        self.caller = caller
        self.account = account_actions.the_account(tx, caller)
        self.today = account_actions.today_in(self.account, tx)
        self._earlier: Mapping[str, tuple[Earlier, ...]] = {}
        self._roommates: Mapping[str, tuple[str, ...]] = {}
        self._had: set[str] = set()

    def look_back(self, invoices: Sequence[InvoiceRow]) -> None:
        """Load earlier charges and roommates of drafts and cancelled invoices, and find invoices already received.

        The charges are those of the same tenants a month and a year before. An invoice counts as received if its
        tenant already has it.
        """
        account_id, leaving = self.caller.account_id, [invoice for invoice in invoices if invoice.status in UNSENT]
        self._earlier = earlier_amounts.of_invoices(self.tx, account_id, leaving)
        self._roommates = names_beside(self.tx, account_id, leaving)
        self._had = earlier_invoices.had_already(self.tx, account_id, [row.id for row in leaving if row.issued])

    def change(self, locked: PropertyRow, wanted: NewStatus, reckoned: InvoiceRow, status: str) -> Change:
        """Build the change of an invoice, whose property is locked, to `status`.

        `reckoned` is the invoice with its recalculated charges.
        """
        was = wanted.invoice
        is_back = wanted.back_to is not None and status == wanted.back_to.status
        back_to = wanted.back_to if is_back else None
        after = self._in_status(locked, reckoned._replace(status=was.status), status, back_to, wanted)
        mailed_in = self._mailed_in(was, status, back_to)
        return self._settled(wanted, Change(was, after, stored=reckoned, mailed_in=mailed_in))

    def _settled(self, wanted: NewStatus, change: Change) -> Change:
        """Turn SENT into PAID if the caller wants that and received money covers the invoice.

        The invoice is e-mailed even then, unless the tenant already has it.
        """
        sent = change.after
        covers = sent.status == SENT and change.was.status in UNSENT and sent.payment_status == PAYMENT_PAID
        if not (wanted.settles and covers):
            return change
        return change._replace(after=sent._replace(status=PAID, paid_at=sent.paid_at or self.tx.now), by_way_of=sent)

    def _mailed_in(self, was: InvoiceRow, status: str, back_to: Before | None) -> str | None:
        """Return the status that replaces the former one in deciding whether to send an e-mail.

        If it is None, the former status decides. Another status keeps an invoice from being e-mailed again if a
        change is undone, or if the tenant already has the invoice.
        """
        if (was.status, status) == (DRAFT, SENT) and was.id in self._had:
            return status
        if back_to is None or status not in CLOSING:
            return None
        if back_to.waited and mail_withdrawals.was_withdrawn(self.tx, was):
            return DRAFT
        return PAID if was.status == PAID else status

    def _in_status(
        self, locked: PropertyRow, invoice: InvoiceRow, status: str, back_to: Before | None, wanted: NewStatus
    ) -> InvoiceRow:
        now = account_actions.moment_of(self.tx, self.account, wanted.paid_on or self.today)
        standing = change_status(
            standing_of(invoice), status, today=self.today, now=now, terms=self.account.payment_terms
        )
        paid_at = self._paid_at(invoice, standing, back_to)
        after = with_standing(invoice, standing)._replace(paid_at=paid_at, updated_at=self.tx.now)
        if back_to is not None:
            after = after._replace(invoice_date=back_to.invoice_date, due_date=back_to.due_date)
        after = earlier_invoices.renumbered(self.tx, locked, invoice, after)
        has_left = back_to is not None and not back_to.waited
        if status == DRAFT or invoice.status not in UNSENT:
            return after
        whose = invoice.tenant_id
        tenant = units.find_tenant_of_past(self.tx, invoice.account_id, whose) if whose else None
        if status == SENT and tenant and not has_left:
            after = after._replace(tenant_email=tenant.mail_address)
        is_kept = has_left and invoice.printed and kept_name(invoice.printed, after.tenant_name) == after.tenant_name
        if not is_kept:
            final = wanted.is_final or is_final(invoice.printed)
            after = after._replace(printed=self._printed(locked, after, tenant, final=final))
        return after

    def _paid_at(self, invoice: InvoiceRow, standing: Standing, back_to: Before | None) -> str | None:
        """Return the time at which an invoice was paid.

        If ledger entries alone cover the invoice, this is the time of the entry that completed the payment. Otherwise
        it is the time at which the invoice was marked as paid; if a mark is restored, its earlier time is taken from
        `back_to`.
        """
        if standing.paid_at is None or not (invoice.paid_by_status or back_to):
            return standing.paid_at
        is_by_ledger = invoice.entries > 0 and not standing.paid_by_status
        rows = payments.of_invoices(self.tx, self.caller.account_id, [invoice.id]) if is_by_ledger else ()
        since = covered_at([as_entry(row) for row in rows], standing.total)
        return since or (back_to.paid_at if back_to else None) or standing.paid_at

    def _printed(self, locked: PropertyRow, invoice: InvoiceRow, tenant: TenantRow | None, *, final: bool) -> str:
        """Return a copy of everything that is printed on an invoice besides its charges.

        A closed month keeps this copy.
        """
        unit = units.find(self.tx, self.caller.account_id, invoice.unit_id)
        assert unit is not None, "an invoice's unit is kept"
        earlier, beside = self._earlier.get(invoice.id, ()), self._roommates.get(invoice.id, ())
        return copy_of(self.account, locked, unit, tenant, invoice.tenant_name, earlier, beside, final=final)


class _Changes:
    """The status changes of one month's invoices, saved together."""

    def __init__(self, tx: Tx, caller: Caller, locked: PropertyRow, month: str) -> None:
        self.tx = tx
        self.caller = caller
        self.property = locked
        self.month_name = month
        self._changing = _Changing(tx, caller)

    def make(self, wanted: Sequence[NewStatus]) -> dict[str, InvoiceRow]:
        """Save invoices in their new statuses, and open, close or recalculate the month."""
        changing = self._changing
        self.tx.catch_up()
        month = self._lock_month()
        was_closed = month.is_closed
        cancelled = [new_status for new_status in wanted if new_status.invoice.status == CANCELLED]
        again: Mapping[str, InvoiceRow] = {}
        had = corrections.corrected_by(
            self.tx, self.caller.account_id, [new_status.invoice.id for new_status in cancelled]
        )
        if cancelled:
            again = self._back_to_draft(month, cancelled)
            month = self._lock_month()
        changing.look_back(
            [
                again.get(new_status.invoice.id, new_status.invoice)
                for new_status in wanted
                if new_status.status != DRAFT
            ]
        )
        changes = []
        for new_status in wanted:
            reckoned = again.get(new_status.invoice.id, new_status.invoice)
            status = _status_left(new_status, reckoned)
            if status != new_status.invoice.status:
                changes.append(changing.change(self.property, new_status, reckoned, status))
        context = Context(account=changing.account, months={month.key: month}, saves_months=True)
        done = invoice_standing.write(self.tx, self.caller, changes, context)
        month = counted(done, context.months).get(month.key, month)
        afters = [change.after for change in done]
        is_cancelled = any(after.status == CANCELLED for after in afters)
        # what a further household bears may have changed since its invoice was sent, which closed no month
        is_taken_back = any(after.status == DRAFT and after.sequence for after in afters)
        is_reckoned = is_cancelled or is_taken_back or bool(cancelled)
        left_draft = [change.after for change in done if change.was.status in UNSENT and change.after.status != DRAFT]
        # a unit's own invoice that is SENT, PAID or OVERDUE closes the month, and one of another household does not
        is_closed = bool(month.sent + month.paid + month.overdue) and months.is_closed_by_any(
            self.tx, self.caller.account_id, self.property.id, self.month_name
        )
        if is_closed:
            closed = self._save_closed(month, [change.was for change in done], reckon=is_cancelled or is_taken_back)
            explanations.keep(self.tx, self.property, closed, left_draft)
            is_reckoned |= bool(month.pending and left_draft)
        else:
            explanations.keep(self.tx, self.property, month._replace(snapshot=None), left_draft)
            self._save_open(month, reckon=was_closed or is_reckoned)
        self._correct([after.id for after in afters], had, is_reckoned=is_reckoned, is_turned=is_closed != was_closed)
        return {new_status.invoice.id: new_status.invoice for new_status in wanted} | {
            after.id: after for after in afters
        }

    def _correct(self, changed: list[str], had: list[str], *, is_reckoned: bool, is_turned: bool) -> None:
        """Recalculate the corrections that the status changes affect.

        If the month was opened or closed (`is_turned`), or if its invoices were recalculated (`is_reckoned`), these
        are the month's own corrections and those of other months that its invoices carry. Otherwise, they are the
        corrections that the `changed` invoices carry. `had` are the months corrected by invoices that left CANCELLED;
        these months are included.
        """
        mine = self.caller.account_id, self.property.id
        if not (is_reckoned or is_turned):
            months = corrections.corrected_by(self.tx, mine[0], changed)
        else:
            months = corrections.corrected_on(self.tx, *mine, self.month_name)
            is_reckoned = is_reckoned or bool(corrections.of_months(self.tx, mine[0], [mine[1]], [self.month_name]))
        if is_reckoned or months:
            recalculation.recalculate(self.tx, self.caller, [self.property], sorted({self.month_name, *months, *had}))

    def _lock_month(self) -> MonthRow:
        month = months.lock(self.tx, self.caller.account_id, self.property.id, self.month_name)
        assert month is not None, "an invoice has a billing month"
        return month

    def _back_to_draft(self, month: MonthRow, cancelled: Sequence[NewStatus]) -> dict[str, InvoiceRow]:
        """Recompute the charges of cancelled invoices; map ids to all invoices of the month.

        A closed month is recomputed from its facts at closing, an open one from the current facts.
        """
        drafts = [Change(new_status.invoice, new_status.invoice._replace(status=DRAFT)) for new_status in cancelled]
        context = Context(months={month.key: month}, is_halfway=True)
        invoice_standing.write(self.tx, self.caller, drafts, context)
        recalculation.compute_one(self.tx, self.caller, self.property, self.month_name, self._changing.today)
        again = invoices.of_months(self.tx, self.caller.account_id, [self.property.id], [self.month_name])
        return {invoice.id: invoice for invoice in again}

    def _save_closed(self, month: MonthRow, closing: Sequence[InvoiceRow], *, reckon: bool) -> MonthRow:
        closed = month
        if month.snapshot is not None:
            months.save_counts(self.tx, [month])
        else:
            (loaded,) = loaded_months.load(self.tx, self.caller.account_id, [self.property], [self.month_name])
            # Clocks of two processes differ: the row that exists came first, whatever the timestamps say.
            there = loaded.property
            units_entered = [unit.added for unit in there.units.values()]
            closed_at = max([self.tx.now, *units_entered, *(tenant.added for tenant in there.tenants.values())])
            closed = month._replace(
                snapshot=to_json(self._with_all_corrections(loaded.now, closing)),
                first_closed_at=month.first_closed_at or closed_at,
                pending=False,
                settles=True,
            )
            months.save_many(self.tx, [closed])
        if reckon:
            recalculation.compute_one(self.tx, self.caller, self.property, self.month_name, self._changing.today)
        return closed

    def _with_all_corrections(self, facts: MonthFacts, closing: Sequence[InvoiceRow]) -> MonthFacts:
        """Add to a month's facts the corrections that its drafts do not charge.

        They are on cancelled invoices, and on invoices that were sent before the month was closed.
        """
        before = {invoice.id for invoice in closing if invoice.status in UNSENT}
        waiting = corrections.on_no_drafts(self.tx, self.caller.account_id, self.property.id, self.month_name)
        issued = (
            CarriedCorrection(standing.month, standing.unit_id, standing.tenant_id or "", *standing[4:])
            for standing in waiting
            if standing.invoice_id not in before
        )
        return facts._replace(corrections=(*facts.corrections, *issued))

    def _save_open(self, month: MonthRow, *, reckon: bool) -> None:
        months.save_many(self.tx, [month._replace(snapshot=None, pending=False)])
        if reckon:
            recalculation.recalculate(self.tx, self.caller, [self.property], [self.month_name])


def _status_left(wanted: NewStatus, reckoned: InvoiceRow) -> str:
    """Return the status to set: DRAFT if undoing would resend an invoice that has changed."""
    if wanted.back_to is None or wanted.status not in CLOSING or wanted.invoice.status not in UNSENT:
        return wanted.status
    was_sent = (wanted.back_to.total, wanted.back_to.generated_at)
    return wanted.status if (reckoned.total, reckoned.generated_at) == was_sent else DRAFT
