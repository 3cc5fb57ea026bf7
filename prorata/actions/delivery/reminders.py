"""Reminders of unpaid invoices: checked once a day, each sent once (domain/delivery/reminders.py)."""

from collections import defaultdict
from datetime import timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.delivery.deliveries import may_be_reminded
from prorata.actions.invoices.invoice_mail import Wanted, queue_many
from prorata.actions.jobs import recurring
from prorata.actions.jobs.recurring import Look, Recurring
from prorata.actions.online_payments import payments_under_way
from prorata.actions.recalculation.month_loader import standing_of
from prorata.domain.accounts.reminder_plan import ReminderPlan, of_days
from prorata.domain.delivery.reminders import DAYS_LATE, HOUR, due_reminder
from prorata.domain.invoice_states import OVERDUE, SENT
from prorata.domain.texts import say
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.mail import messages as mail
from prorata.store.properties import units

AT_ONCE = 200
"""Invoices looked at in one transaction."""


class Place(NamedTuple):
    """A position in the invoices of a `status`: after this due date and id."""

    status: str
    due_date: str = ""
    id: str = ""


BEGIN = Place(SENT)


def _is_morning(tx: Tx, account: AccountRow) -> Look:
    is_time = tx.moment.astimezone(ZoneInfo(account.timezone)).hour >= HOUR
    return Look(is_time and account_actions.wants_reminders(account), recurring.next_morning(tx, account))


REMINDING: Final = Recurring(
    recurring.REMIND,
    say("queues the reminders of invoices that are due soon or were due"),
    f"{recurring.MORNING}, while it sends reminders",
    _is_morning,
)


def plan_of(account: AccountRow) -> ReminderPlan:
    """The reminders that an account wants."""
    return ReminderPlan(of_days(account.reminders_before), of_days(account.reminders_after))


def remind_some(tx: Tx, account: AccountRow, place: Place) -> Place | None:
    """Queue the due reminders among the next invoices; return the place reached.

    It is None at the end. Each reminder is sent once for each invoice, so repeating this does not send anything
    twice. While a payment is pending, none is sent.
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
    addresses = units.addresses(tx, account.id, sorted({one.tenant_id for one in found if one.tenant_id}))
    in_question = disputed(tx, account.id, [one.id for one in found])
    under_way = {one.invoice_id for one in payments_under_way.of_invoices(tx, account.id, [one.id for one in found])}
    wanted = []
    for invoice in (one for one in found if one.id not in under_way):
        address = addresses.get(invoice.tenant_id or "", invoice.tenant_email)
        reachable = address is not None and may_be_reminded(invoice, address)
        reminder = due_reminder(
            standing_of(invoice),
            plan,
            sent=had[invoice.id],
            reachable=reachable,
            today=today,
            disputed=in_question.get(invoice.id, 0),
        )
        if reminder is not None and address is not None:
            wanted.append(Wanted(invoice, reminder.kind, address, f"{invoice.invoice_date} {reminder.offset:+}"))
    queue_many(tx, account, wanted)
    if len(found) == AT_ONCE:
        return Place(place.status, found[-1].due_date or "", found[-1].id)
    return Place(OVERDUE) if place.status == SENT else None


def _reminded(tx: Tx, account_id: str, found: list[InvoiceRow]) -> dict[str, list[int]]:
    """Map invoices to their reminders since sending, in days from the due date."""
    sent_on = {invoice.id: invoice.invoice_date for invoice in found}
    had: dict[str, list[int]] = defaultdict(list)
    for invoice_id, occasion in mail.occasions(tx, account_id, list(sent_on)):
        day, _, offset = occasion.partition(" ")
        if offset and day == sent_on[invoice_id]:
            had[invoice_id].append(int(offset))
    return had
