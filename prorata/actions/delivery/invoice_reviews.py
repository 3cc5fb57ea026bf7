"""The data on an invoice's page, and the actions that are possible there."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.delivery import deliveries, hand_delivery, how_to_pay, mail_previews, reminders, send_schedule
from prorata.actions.delivery.reminders import Remindable
from prorata.actions.invoices import carries, contents, corrected_invoices, earlier_invoices as earlier_forms, invoices
from prorata.actions.invoices.corrected_invoices import CorrectedOn
from prorata.actions.invoices.ledger import Ledger
from prorata.actions.printing import printed_invoices
from prorata.actions.recalculation.month_loader import as_entry
from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.invoice_steps import (
    HANDED_OVER,
    REMIND,
    SEND_AGAIN,
    STATUS_OF,
    Situation,
    Step,
    can_be_taken,
    step,
    steps,
)
from prorata.domain.delivery.reminders import why_never
from prorata.domain.delivery.send_schedule import NoServer
from prorata.domain.invoice_states import CLOSING, DRAFT, PAYMENT_PAID, UNPAID, UNSENT, status_of_payment
from prorata.domain.invoices.ledger import Position, money_of, position
from prorata.domain.jobs.jobs import WAITING
from prorata.domain.mail.deliveries import QUEUED, WITH_THE_INVOICE, Need, need_of, why_by_hand
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.domain.texts import say
from prorata.errors import Conflict, NotFound
from prorata.ports import Forms
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import earlier_invoices
from prorata.store.invoices.earlier_invoices import EarlierRow
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow, InvoiceSummary
from prorata.store.jobs import jobs
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.payments import payments
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties import units
from prorata.store.recalculation import billing_months


class InvoiceReview(NamedTuple):
    """An invoice with everything that its page shows.

    `charges` are in print order, and `steps` are the possible actions. `mail_due` is the time at which a queued message
    is to be sent, and `mail_waits` the reason why it can't be sent yet. `need` is what a person has to do. If the
    invoice has to be handed over, `by_hand` is the reason why it is not e-mailed. `is_closed` is set if the invoice's
    month is closed. `position` is the invoice's open amount. `earlier` are its versions under earlier numbers, and
    `sent_with` is its sent version if that had another total. `carries` is set if the account carries a credit to the
    household's next invoice. `no_reminder` is the reason why no reminder can be sent now, and `next_reminder` the day
    of the next automatic one; `reminds_on_paper` is set if a reminder is possible, but only on paper. `corrected_on`
    are the tenant's later invoices and drafts that correct this invoice's month. `takes` describes the household's
    credit that a draft takes when it is sent; it is empty if there is none. `credits_kept` are the household's overpaid
    invoices whose credit a draft doesn't take, because nothing is due on the draft.
    """

    row: InvoiceSummary
    printed: PrintedInvoice
    charges: Sequence[ChargeRow]
    steps: tuple[Step, ...]
    messages: list[MailRow]
    mail_due: str | None
    mail_waits: str | None
    need: Need | None
    by_hand: str | None
    has_pdf_as_sent: bool
    is_closed: bool
    ledger: Ledger
    position: Position
    earlier: Sequence[EarlierRow]
    sent_with: EarlierRow | None
    carries: bool
    no_reminder: str | None
    next_reminder: date | None
    reminds_on_paper: bool
    corrected_on: Sequence[CorrectedOn]
    takes: str
    credits_kept: Sequence[InvoiceRow]

    @property
    def sent_reminders(self) -> set[str]:
        """The ids of the sent reminders that can be read again."""
        status, day = self.row.status, self.row.invoice_date
        return {one.id for one in self.messages if mail_previews.can_be_read(one, status, day)}

    @property
    def is_to_be_saved(self) -> bool:
        """True if a queued message will only be saved in the outbox folder."""
        return isinstance(self.mail_waits, NoServer)


def review(tx: Tx, caller: Caller, invoice_id: str, write: Forms, mail_held: str | None = None) -> InvoiceReview:
    """Load everything that an invoice's page shows.

    `mail_held` is the reason why no mail server accepts messages. Raises `NotFound` if there is no such invoice.
    The cost of the call grows with the number of the property's units.
    """
    found = invoices.find(tx, caller, invoice_id)
    row = access.invoice(tx, caller, invoice_id)
    account = account_actions.the_account(tx, caller)
    entries = _entries(tx, row)
    now, reminder = _situation(tx, account, row, found.summary, write, mail_held, entries)
    is_queued = row.delivery == QUEUED
    waiting = [job for job in jobs.of_subject(tx, account.id, row.id) if job.state == WAITING] if is_queued else []
    return InvoiceReview(
        found.summary,
        printed_invoices.find(tx, caller, row.id),
        found.charges or [],
        steps(now),
        deliveries.messages(tx, caller, row.id),
        min((job.due_at for job in waiting), default=None),
        now.leaves.waits if is_queued else None,
        need_of(status=row.status, delivery=row.delivery, has_tenant=row.tenant_id is not None),
        now.why_by_hand,
        mail.latest_sent(tx, account.id, row.id, WITH_THE_INVOICE) is not None,
        now.is_closed,
        Ledger(found.summary, entries, row.paid_by_status),
        position(row.status, row.total, row.paid_amount, has_left=_has_left(tx, account, row)),
        [one for one in earlier_invoices.of_invoices(tx, account.id, [row.id]) if one.number != row.number],
        _sent_with(tx, row),
        bool(account.carry_credits),
        reminder.why_not if reminder else why_never(row.total),
        reminder.planned if reminder else None,
        reminder is not None and reminder.for_paper,
        corrected_invoices.corrected_on(tx, row, [*CLOSING, DRAFT]),
        now.takes,
        carries.credits_kept(tx, account, row),
    )


def _sent_with(tx: Tx, row: InvoiceRow) -> EarlierRow | None:
    """Return an unsent invoice's earlier version that was sent, if its total was different."""
    kept = earlier_invoices.of_number(tx, row.account_id, row.number) if row.issued and row.status in UNSENT else None
    return kept if kept and kept.tenant_id == row.tenant_id and kept.total != row.total else None


def _has_left(tx: Tx, account: AccountRow, row: InvoiceRow) -> bool:
    today = account_actions.today_in(account, tx)
    return row.status in CLOSING and row.paid_amount > row.total and carries.has_left(tx, row, today)


def question(
    tx: Tx, caller: Caller, invoice_id: str, name: str, write: Forms, mail_held: str | None = None
) -> tuple[InvoiceSummary, Step]:
    """Find an action that is possible on an invoice, and the text to confirm it.

    Raises `NotFound` if there is no such invoice or action.
    """
    invoice_summary = invoices.find(tx, caller, invoice_id).summary
    account = account_actions.the_account(tx, caller)
    row = access.invoice(tx, caller, invoice_id)
    now, _ = _situation(tx, account, row, invoice_summary, write, mail_held, _entries(tx, row))
    asked = step(now, name)
    if asked is None:
        raise _no_step(name)
    return invoice_summary, asked


def lost_with_charge(charges: Sequence[ChargeRow]) -> str:
    """Return the warning to show before a custom charge is removed from its invoice."""
    if len(charges) == 1:
        return say("This is the only charge. If no bill for the month applies to the unit, the invoice is deleted too.")
    return say(
        "Removing the charge reduces the invoice total or, if the charge is a credit, increases it. To "
        "restore it, add it again."
    )


def take(
    tx: Tx, caller: Caller, invoice_id: str, name: str, write: Forms, *, seen: str | None = None,
    mail_held: str | None = None, paid_on: date | None = None,
) -> InvoiceSummary:  # fmt: skip
    """Take an action on an invoice, such as sending it, without asking for confirmation again.

    `paid_on` is the day of payment for an action that sets the invoice to PAID; None means today. Raises
    `NotFound` if there is no such invoice. Raises `Conflict` if the action is no longer possible, or if its
    confirmation would differ from the one that a person has `seen` (`Step.seen`).
    """
    _, row = access.invoice_to_change(tx, caller, invoice_id)
    if not can_be_taken(name, status=row.status, has_tenant=row.tenant_id is not None):
        raise _no_step(name)
    if seen is not None:
        now, asked = question(tx, caller, invoice_id, name, write, mail_held)
        if asked.seen != seen:
            comes_to = write.money(now.total, now.currency)
            raise Conflict(
                say(
                    "The invoice has changed since you looked at it; its total is now {comes_to}. Check it, then "
                    "continue.",
                    comes_to=comes_to,
                )
            )
    if name in _THAT_KEEP_STATUS:
        _THAT_KEEP_STATUS[name](tx, caller, row.id)
        return invoices.find(tx, caller, invoice_id).summary
    return invoices.set_status(tx, caller, invoice_id, STATUS_OF[name], settles=True, paid_on=paid_on).summary


_THAT_KEEP_STATUS: Mapping[str, Callable[[Tx, Caller, str], object]] = {
    SEND_AGAIN: deliveries.send_again,
    REMIND: reminders.remind_of,
    HANDED_OVER: hand_delivery.note,
}


def _no_step(name: str) -> Conflict | NotFound:
    if name not in {*STATUS_OF, *_THAT_KEEP_STATUS}:
        return NotFound()
    return Conflict(
        say(
            "The invoice has changed in the meantime, so this is no longer possible. Reload it to see its current "
            "state."
        )
    )


def _due(tx: Tx, account: AccountRow) -> date:
    """Return the due date that an invoice gets if it is sent today."""
    return account_actions.today_in(account, tx) + timedelta(days=account.payment_terms)


def _is_closed_by_others(tx: Tx, row: InvoiceRow) -> bool:
    return billing_months.is_closed_by_any(tx, row.account_id, row.property_id, row.month, but=row.id)


def _entries(tx: Tx, row: InvoiceRow) -> Sequence[PaymentRow]:
    return payments.of_invoices(tx, row.account_id, [row.id]) if row.entries else ()


def _situation(
    tx: Tx, account: AccountRow, row: InvoiceRow, summary: InvoiceSummary, write: Forms, mail_held: str | None,
    entries: Sequence[PaymentRow],
) -> tuple[Situation, Remindable | None]:  # fmt: skip
    """Collect the facts for an invoice's steps and, if unpaid, for a reminder."""
    month = billing_months.find(tx, account.id, row.property_id, row.month)
    assert month is not None, "an invoice has a billing month"
    tenant = units.find_tenant_of_past(tx, account.id, row.tenant_id) if row.tenant_id else None
    address = tenant.mail_address if tenant else row.tenant_email
    money, balance = money_of([as_entry(entry) for entry in entries]), row.total - row.paid_amount
    is_covered = status_of_payment(row.paid_amount - row.paid_by_status, row.total) == PAYMENT_PAID
    takes = sum(max(cents, 0) for cents in carries.moved_by(tx, account, row).values())
    before, is_regular = _sent_with(tx, row), not row.sequence
    situation = Situation(
        number=row.number,
        status=row.status,
        tenant=row.tenant_name,
        address=address,
        month=write.month(Month(row.month)),
        property=summary.property_name,
        balance=write.money(abs(balance), summary.currency),
        leaves=send_schedule.of_account(tx, account, mail_held),
        why_by_hand=why_by_hand(mail_on=bool(account.mail_on), tenant_id=row.tenant_id, address=address),
        delivery=row.delivery,
        is_closed=month.is_closed,
        closes_alone=is_regular and row.status in CLOSING and not _is_closed_by_others(tx, row),
        received=write.money(money, summary.currency) if money > 0 else "",
        refunded=write.money(-money, summary.currency) if money < 0 else "",
        late_bills=account.late_bills,
        owed=balance,
        has_left=balance < 0 and carries.has_left(tx, row, account_actions.today_in(account, tx)),
        total=write.money(row.total, summary.currency),
        write=write,
        is_covered=is_covered,
        is_noted=row.paid_by_status != 0 or not is_covered,
        sent_with=write.money(before.total, summary.currency) if before else "",
        warning=how_to_pay.warning(tx, account) if row.status in UNSENT and balance > 0 else "",
        due=write.day(_due(tx, account)) if row.status in UNSENT and balance > 0 else "",
        takes=write.money(takes, summary.currency) if takes else "",
        is_regular=is_regular,
        content=contents.fingerprint(tx, account, [row.id]) if row.status in UNSENT else "",
        was_received=bool(row.issued and earlier_forms.had_already(tx, account.id, [row.id])),
    )
    if row.status not in UNPAID:
        return situation, None
    has_server = not isinstance(mail_held, NoServer)
    (reminder,) = reminders.remindable(tx, account, [row], has_server=has_server, write=write)
    situation = situation._replace(
        no_reminder=reminder.why_not,
        today=account_actions.today_in(account, tx).isoformat(),
        reminded=write.day(reminder.last) if reminder.last else "",
        asked=write.money(abs(balance) - reminder.asked.disputed, summary.currency),
    )
    return situation, reminder
