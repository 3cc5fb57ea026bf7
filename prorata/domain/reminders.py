"""Which reminder of an invoice is due today, if any.

A reminder belongs to a day: so many days before or after the due date, each switchable. Each is sent once. When the
program was down, or a reminder was switched on late, the reader gets the latest that still applies, and no pile.
"""

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import NamedTuple

from prorata.domain.lifecycle import OVERDUE, SENT, Standing
from prorata.domain.limits import MOST_REMINDER_DAYS, MOST_REMINDERS
from prorata.domain.mail_texts import Kind

HOUR = 9
"""The hour of the account's day at which reminders are looked for."""
DAYS_LATE = 7
"""A reminder after the due date that could not be sent for more days than these is not sent any more."""


class ReminderPlan(NamedTuple):
    """An account's reminders: days before the due date (0: that day itself), and days after it; none means off."""

    days_before: tuple[int, ...] = ()
    days_after: tuple[int, ...] = ()


def in_days(days: Iterable[int]) -> str:
    """Days as text, each once, in order.

    >>> in_days((3, 0, 3)), of_days("0,3"), of_days("")
    ('0,3', (0, 3), ())
    """
    return ",".join(str(number) for number in sorted(set(days)))


def of_days(text: str) -> tuple[int, ...]:
    """The days that `in_days` wrote as text."""
    return tuple(int(number) for number in text.split(",") if number)


def read_days(text: str) -> tuple[int, ...]:
    """Days as a person enters them. Raises `ValueError`.

    >>> read_days("7, 3 0"), read_days("")
    ((7, 3, 0), ())
    """
    return tuple(int(number) for number in text.replace(",", " ").split())


class Reminder(NamedTuple):
    """A reminder that is due: how it is worded, and its days from the due date, which say which of the plan's it is."""

    kind: Kind
    offset: int


def plan_problem(plan: ReminderPlan) -> str | None:
    """What is wrong with a plan, in a sentence; None for one that can be kept.

    >>> plan_problem(ReminderPlan((3, 0), (7, 14))), plan_problem(ReminderPlan(days_after=(0,)))
    (None, 'Reminders after the due date lie 1 to 60 days after it.')
    """
    if max(len(plan.days_before), len(plan.days_after)) > MOST_REMINDERS:
        return f"There are at most {MOST_REMINDERS} reminders before the due date, and as many after it."
    if not all(0 <= days <= MOST_REMINDER_DAYS for days in plan.days_before):
        return f"Reminders before the due date lie 0 to {MOST_REMINDER_DAYS} days before it."
    if not all(1 <= days <= MOST_REMINDER_DAYS for days in plan.days_after):
        return f"Reminders after the due date lie 1 to {MOST_REMINDER_DAYS} days after it."
    return None


def is_plan(*, before: str = "", after: str = "") -> bool:
    """Whether days, as a person enters them, make a plan that can be kept.

    >>> is_plan(before="3, 0"), is_plan(after="0"), is_plan(before="soon")
    (True, False, False)
    """
    try:
        return plan_problem(ReminderPlan(read_days(before), read_days(after))) is None
    except ValueError:
        return False


def due_reminder(
    standing: Standing, plan: ReminderPlan, *, sent: Collection[int], reachable: bool, today: date
) -> Reminder | None:
    """The reminder to send today. `sent` holds the offsets of those sent since the invoice was; `reachable` says that
    there is a tenant with an address, that the account sends mail, and that the invoice has left.

    Nothing is due for what is paid, cancelled, a draft, or of a balance of zero or less; nothing up to the day of the
    invoice itself; and nothing older than what was sent already.

    >>> invoice = Standing("SENT", 120_50, date(2026, 4, 1), date(2026, 4, 15), issued=True)
    >>> plan = ReminderPlan(days_before=(3,), days_after=(7,))
    >>> due_reminder(invoice, plan, sent=(), reachable=True, today=date(2026, 4, 12))
    Reminder(kind=<Kind.BEFORE_DUE: 'before_due'>, offset=-3)
    >>> due_reminder(invoice, plan, sent=(-3,), reachable=True, today=date(2026, 4, 14))
    >>> due_reminder(invoice, plan, sent=(-3,), reachable=True, today=date(2026, 4, 24))
    Reminder(kind=<Kind.OVERDUE: 'overdue'>, offset=7)
    """
    due = standing.due_date
    owes = standing.status in (SENT, OVERDUE) and standing.total > standing.paid_amount
    if due is None or not owes or not reachable:
        return None
    reached = [
        offset
        for offset in (*(-days for days in plan.days_before), *plan.days_after)
        if _applies(due, offset, today) and due + timedelta(days=offset) > standing.invoice_date
    ]
    latest = max(reached, default=None)
    if latest is None or latest <= max(sent, default=latest - 1):
        return None
    return Reminder(kind_on(due, today), latest)


def _applies(due: date, offset: int, today: date) -> bool:
    """A reminder before the due date applies up to that day; one after it for some days from its own."""
    day = due + timedelta(days=offset)
    last = due if offset <= 0 else day + timedelta(days=DAYS_LATE)
    return day <= today <= last


def kind_on(due: date, today: date) -> Kind:
    """What is said follows the day on which it is said.

    >>> kind_on(date(2026, 4, 15), date(2026, 4, 16)).value
    'overdue'
    """
    if today < due:
        return Kind.BEFORE_DUE
    return Kind.DUE_TODAY if today == due else Kind.OVERDUE
