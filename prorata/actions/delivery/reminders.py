"""Reminders of unpaid invoices, which a job queues daily (domain/delivery/reminders.py)."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.delivery.deliveries import REMINDING as REMINDER_KINDS, may_be_reminded
from prorata.actions.invoices.invoice_mail import Wanted, queue_many
from prorata.actions.invoices.mail_withdrawals import withdraw_these
from prorata.actions.jobs import recurring
from prorata.actions.jobs.recurring import Look, Recurring
from prorata.actions.online_payments import payments_under_way
from prorata.actions.recalculation.month_loader import standing_of
from prorata.domain.accounts.reminder_plan import ReminderPlan, of_days
from prorata.domain.audit.verbs import Verb
from prorata.domain.delivery.reminders import (
    DAYS_LATE,
    HOUR,
    Asked,
    due_reminder,
    is_for_paper,
    kind_on,
    next_planned,
    why_none_now,
)
from prorata.domain.due_times import day_in
from prorata.domain.invoice_states import OVERDUE, SENT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.deliveries import DELIVERED, ON_ITS_WAY, PAPER, QUEUED, WITHDRAWN
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.properties import units

AT_ONCE = 200
"""The number of invoices to check in one transaction."""


NONE_WAITS = say("No reminder of it is waiting: it has been sent, saved or withdrawn.")
"""The reason why no reminder of an invoice can be withdrawn."""


class Place(NamedTuple):
    """A position in the list of invoices with a given `status`.

    The list is sorted by due date and id.
    """

    status: str
    due_date: str = ""
    id: str = ""


BEGIN = Place(SENT)


def _is_morning(tx: Tx, account: AccountRow) -> Look:
    is_time = tx.moment.astimezone(ZoneInfo(account.timezone)).hour >= HOUR
    return Look(is_time and account_actions.wants_reminders(account), recurring.next_morning(tx, account))


REMINDING: Final = Recurring(
    recurring.REMIND,
    say("queues reminders of invoices that are due soon or overdue"),
    f"{recurring.MORNING}, if reminders are turned on",
    _is_morning,
)


def plan_of(account: AccountRow) -> ReminderPlan:
    """Return the days before and after the due date on which an account sends reminders."""
    return ReminderPlan(of_days(account.reminders_before), of_days(account.reminders_after))


def remind_some(tx: Tx, account: AccountRow, place: Place) -> Place | None:
    """Queue the due reminders of the next invoices; return the position after them.

    The position is None once all invoices have been checked. Each reminder is sent once for each invoice, so
    checking an invoice again does not send anything twice. No reminder is sent while a payment of its invoice is
    pending.
    """
    accounts.lock(tx, account.id)  # otherwise another worker, after a lost lease, sends the same reminders
    plan, today = plan_of(account), account_actions.today_in(account, tx)
    first = today - timedelta(days=max(plan.days_after, default=0) + (DAYS_LATE if plan.days_after else 0))
    last = today + timedelta(days=max(plan.days_before, default=0))
    found = invoices.owing(
        tx,
        account.id,
        place.status,
        first=place.due_date or first.isoformat(),
        after=place.id,
        last=last.isoformat(),
        limit=AT_ONCE,
    )
    had = _reminded(tx, account.id, found)
    wanted = []
    for invoice, facts in _facts(tx, account.id, found):
        if facts.under_way or facts.address is None:
            continue
        reminder = due_reminder(
            facts.standing,
            plan,
            sent=had[invoice.id],
            reachable=facts.is_out,
            today=today,
            disputed=facts.disputed,
        )
        if reminder is not None:
            wanted.append(Wanted(invoice, reminder.kind, facts.address, _occasion(invoice, reminder.offset)))
    queue_many(tx, account, wanted)
    if len(found) == AT_ONCE:
        return Place(place.status, found[-1].due_date or "", found[-1].id)
    return Place(OVERDUE) if place.status == SENT else None


class Remindable(NamedTuple):
    """An invoice, and the reason (if any) why no reminder can be sent now.

    `asked` contains the facts from which the reason is derived, and `last` is the day of the last reminder.
    `for_paper` is set if a reminder is possible, but only on paper. `planned` is the day of the next automatic
    reminder.
    """

    invoice: InvoiceRow
    asked: Asked
    why_not: str | None
    last: date | None
    for_paper: bool
    planned: date | None = None


def remindable(
    tx: Tx, account: AccountRow, rows: Sequence[InvoiceRow], *, has_server: bool = False, write: Forms = PLAIN
) -> list[Remindable]:
    """Determine for each of these invoices whether a reminder can be sent now.

    The result is in the order of `rows`. If `has_server` is true, a mail server would send the reminder; an
    invoice that was only saved in the outbox folder then gets none. `write` formats values in the reasons.
    """
    today, mail_on, plan = account_actions.today_in(account, tx), bool(account.mail_on), plan_of(account)
    made: dict[str, list[MailRow]] = defaultdict(list)
    for row in mail.of_invoices(tx, account.id, [one.id for one in rows]):
        if row.kind in (*REMINDER_KINDS, PAPER) and row.invoice_id is not None:
            made[row.invoice_id].append(row)

    def day(moment: str) -> date:
        return day_in(datetime.fromisoformat(moment), account.timezone)

    found = []
    for invoice, facts in _facts(tx, account.id, rows, has_server=has_server):
        of_now = [row for row in made[invoice.id] if not row.is_former]
        went = (day(row.sent_at or row.created_at) for row in of_now if row.state != WITHDRAWN)
        last = max(went, default=None)
        is_made = last == today or any(day(row.created_at) == today for row in of_now)
        of_today = _occasion_on(invoice, today)  # an invoice has only one of it, a former recipient's included
        asked = facts._replace(today=is_made or of_today in {row.occasion for row in made[invoice.id]})
        why_not = why_none_now(asked, today, mail_on=mail_on, write=write)
        for_paper = is_for_paper(asked, today, mail_on=mail_on)
        planned = next_planned(
            facts.standing,
            plan,
            sent=_offsets(invoice.invoice_date, [row.occasion for row in made[invoice.id]]),
            reachable=mail_on and _arrives(invoice, facts) and not facts.under_way,
            today=today,
            disputed=facts.disputed,
        )
        found.append(Remindable(invoice, asked, why_not, last, for_paper, planned))
    return found


def _arrives(invoice: InvoiceRow, facts: Asked) -> bool:
    return facts.address is not None and (facts.is_out or invoice.delivery in ON_ITS_WAY)


def remind_now(tx: Tx, caller: Caller, account: AccountRow, rows: Sequence[InvoiceRow]) -> Mapping[str, str | None]:
    """Queue a reminder of each of these invoices for which one can be sent now.

    Map the id of each invoice to the reason why no reminder was queued, or to None if one was. The invoices'
    properties must be locked. An invoice that gets a reminder here gets no automatic reminder on the same day.
    """
    accounts.lock(tx, account.id)  # the automatic ones are queued under this lock
    today, wanted = account_actions.today_in(account, tx), []
    found = remindable(tx, account, rows)
    for invoice, asked, why_not, *_ in found:
        if why_not is None and asked.address is not None and asked.standing.due_date is not None:
            kind = kind_on(asked.standing.due_date, today)
            wanted.append(Wanted(invoice, kind, asked.address, _occasion_on(invoice, today)))
    queue_many(tx, account, wanted)
    done = [(one.invoice.id, None, None) for one in wanted]
    places = {one.invoice.id: one.invoice.property_id for one in wanted}
    audit.record_many(tx, caller, Verb.REMIND_OF_INVOICE, done, places)
    return {one.invoice.id: one.why_not for one in found}


def remind_of(tx: Tx, caller: Caller, invoice_id: str) -> None:
    """Queue a reminder of an invoice of a locked property.

    Raises `Conflict` if no reminder can be sent now.
    """
    account = account_actions.the_account(tx, caller)
    rows = invoices.find_many(tx, account.id, [invoice_id])
    if why_not := remind_now(tx, caller, account, rows)[invoice_id]:
        raise Conflict(why_not)


def note_on_paper(tx: Tx, caller: Caller, rows: Sequence[InvoiceRow]) -> int:
    """Record that the tenants of these invoices were reminded on paper; return their number.

    Invoices whose tenants can't be reminded on paper today are left out. The invoices' properties must be locked. An
    invoice with such a reminder gets no automatic reminder for an earlier day.
    """
    account = account_actions.the_account(tx, caller)
    accounts.lock(tx, account.id)  # the automatic ones are queued under this lock
    today = account_actions.today_in(account, tx)
    noted = [one.invoice for one in remindable(tx, account, rows) if one.for_paper]
    reminders = [
        MailRow(
            account.id, tx.new_id("mail"), row.id, PAPER, _occasion_on(row, today), DELIVERED, row.tenant_name, "",
            None, tx.now, tx.now, tx.now,
        )
        for row in noted
    ]  # fmt: skip
    mail.add_many(tx, reminders)
    places = {row.id: row.property_id for row in noted}
    audit.record_many(tx, caller, Verb.REMIND_OF_INVOICE, [(one, None, None) for one in places], places)
    return len(noted)


def withdraw(tx: Tx, caller: Caller, rows: Sequence[InvoiceRow], *, only: Collection[str] | None = None) -> set[str]:
    """Withdraw the waiting reminders of these invoices; return the ids of the invoices.

    If `only` is given, these reminders are withdrawn instead. The invoices' properties must be locked.
    """
    made = mail.of_invoices(tx, caller.account_id, [row.id for row in rows])
    chosen = [row for row in made if (_is_waiting(row) if only is None else row.id in only)]
    withdraw_these(tx, caller.account_id, chosen)
    withdrawn = {row.invoice_id for row in chosen if row.invoice_id is not None}
    places = {row.id: row.property_id for row in rows if row.id in withdrawn}
    audit.record_many(tx, caller, Verb.WITHDRAW_REMINDER, [(one, None, None) for one in places], places)
    return withdrawn


def waits(tx: Tx, caller: Caller, invoice_id: str) -> bool:
    """True if a reminder of an invoice is waiting to be sent."""
    return any(map(_is_waiting, mail.of_invoice(tx, caller.account_id, invoice_id)))


def _is_waiting(row: MailRow) -> bool:
    return row.kind in REMINDER_KINDS and row.state == QUEUED


def withdraw_of(tx: Tx, caller: Caller, invoice_id: str) -> None:
    """Withdraw an invoice's reminder that waits to be sent, or its latest one on paper.

    Raises `NotFound` if there is no such invoice, and `Conflict` if it has no such reminder.
    """
    _, invoice = access.invoice_to_change(tx, caller, invoice_id)
    made = mail.of_invoice(tx, caller.account_id, invoice_id)
    on_paper = [row.id for row in made if row.kind == PAPER and row.state == DELIVERED]
    chosen = [row.id for row in made if _is_waiting(row)] or on_paper[-1:]
    if not withdraw(tx, caller, [invoice], only=chosen):
        raise Conflict(NONE_WAITS)


def _facts(
    tx: Tx, account_id: str, rows: Sequence[InvoiceRow], *, has_server: bool = False
) -> list[tuple[InvoiceRow, Asked]]:
    """Load the facts on which reminders of these invoices depend."""
    ids = [one.id for one in rows]
    addresses = units.addresses(tx, account_id, sorted({one.tenant_id for one in rows if one.tenant_id}))
    in_question = disputed(tx, account_id, ids)
    under_way = {one.invoice_id for one in payments_under_way.of_invoices(tx, account_id, ids)}
    found = []
    for row in rows:
        address = addresses.get(row.tenant_id or "", row.tenant_email)
        is_out = address is not None and may_be_reminded(row, address, has_server=has_server)
        has_tenant, in_dispute = row.tenant_id is not None, in_question.get(row.id, 0)
        found.append((row, Asked(standing_of(row), has_tenant, address, in_dispute, row.id in under_way, is_out)))
    return found


def _occasion_on(invoice: InvoiceRow, day: date) -> str:
    due = date.fromisoformat(invoice.due_date) if invoice.due_date else day
    return _occasion(invoice, (day - due).days)


def _occasion(invoice: InvoiceRow, offset: int) -> str:
    """Build the key of an invoice's reminder: invoice date and days from due date."""
    return f"{invoice.invoice_date} {offset:+}"


def _reminded(tx: Tx, account_id: str, its_invoices: list[InvoiceRow]) -> dict[str, list[int]]:
    """Map ids of invoices to the reminders queued since the invoices were last sent.

    Each reminder is given as a number of days from the due date, negative before it.
    """
    sent_on = {invoice.id: invoice.invoice_date for invoice in its_invoices}
    had: dict[str, list[int]] = defaultdict(list)
    for invoice_id, occasion in mail.occasions(tx, account_id, list(sent_on)):
        had[invoice_id] += _offsets(sent_on[invoice_id], [occasion])
    return had


def _offsets(sent_on: str, occasions: Sequence[str]) -> list[int]:
    """Return the offsets of the reminders of an invoice that was sent on a day."""
    parts = [occasion.partition(" ") for occasion in occasions]
    return [int(offset) for day, _, offset in parts if offset and day == sent_on]
