"""The reminder due for an invoice today, if any.

Each reminder is planned for a number of days before or after the due date. It can be turned off, and it is sent at
most once. If the program was down, or a reminder was turned on late, the tenant gets only the latest reminder that
still applies.
"""

from collections.abc import Collection
from datetime import date, timedelta
from typing import NamedTuple

from prorata.domain.accounts.reminder_plan import ReminderPlan
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.invoice_states import OVERDUE, SENT, Standing
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import Text, say

_ONLY_FOR_UNPAID = say("Reminders are only for invoices that were sent and are not paid.")
_OF_CREDIT = say("It is a credit: the tenant owes nothing on it.")
HOUR = 9
"""The hour, in the account's time zone, at which Prorata looks for due reminders."""
DAYS_LATE = 7
"""The number of days for which a late invoice's reminder can still be sent."""


def why_never(total: int) -> Text:
    """Say why an invoice with nothing to pay gets no reminder; `total` is in cents.

    >>> why_never(-5_00)
    'It is a credit: the tenant owes nothing on it.'
    """
    return _OF_CREDIT if total < 0 else _ONLY_FOR_UNPAID


class Reminder(NamedTuple):
    """A due reminder: its wording, and its offset from the due date.

    The offset is a number of days, and identifies the reminder among those of an invoice.
    """

    kind: Kind
    offset: int


def due_reminder(
    standing: Standing,
    plan: ReminderPlan,
    *,
    sent: Collection[int],
    reachable: bool,
    today: date,
    disputed: int = 0,
) -> Reminder | None:
    """Return the reminder to send for an invoice today; None if none is due.

    `plan` lists the days before and after the due date for which reminders are planned. An offset is a number of
    days after the due date, negative before it. `sent` contains the offsets of the reminders sent so far.
    `reachable` means that the invoice was sent, that its tenant has an address, and that the account sends mail.
    `disputed` is the amount in dispute, in cents. Only sent and overdue invoices with an undisputed balance above
    zero get reminders, and only after the invoice date. A reminder is not sent if a later one was already sent.
    `actions/delivery/reminders.py` calls this function only for invoices without a payment under way.

    >>> invoice = Standing("SENT", 120_50, date(2026, 4, 1), date(2026, 4, 15), issued=True)
    >>> plan = ReminderPlan(days_before=(3,), days_after=(7,))
    >>> due_reminder(invoice, plan, sent=(), reachable=True, today=date(2026, 4, 12))
    Reminder(kind=<Kind.BEFORE_DUE: 'before_due'>, offset=-3)
    >>> due_reminder(invoice, plan, sent=(-3,), reachable=True, today=date(2026, 4, 14))
    >>> due_reminder(invoice, plan, sent=(-3,), reachable=True, today=date(2026, 4, 24))
    Reminder(kind=<Kind.OVERDUE: 'overdue'>, offset=7)
    >>> due_reminder(invoice, plan, sent=(-3,), reachable=True, today=date(2026, 4, 24), disputed=120_50)
    """
    due = standing.due_date
    if due is None or not _owes(standing, disputed) or not reachable:
        return None
    reached = [
        offset
        for offset in plan.offsets
        if _applies(due, offset, today) and due + timedelta(days=offset) > standing.invoice_date
    ]
    latest = max(reached, default=None)
    if latest is None or latest <= max(sent, default=latest - 1):
        return None
    return Reminder(kind_on(due, today), latest)


def next_planned(
    standing: Standing, plan: ReminderPlan, *, sent: Collection[int], reachable: bool, today: date, disputed: int = 0
) -> date | None:
    """Return the day of an invoice's next automatic reminder, if one is planned.

    The arguments are those of `due_reminder`.

    >>> sent = Standing(SENT, 120_50, date(2026, 4, 1), date(2026, 4, 15), issued=True)
    >>> plan = ReminderPlan((3,), (5,))
    >>> str(next_planned(sent, plan, sent=[], reachable=True, today=date(2026, 4, 1)))
    '2026-04-12'
    >>> str(next_planned(sent, plan, sent=[-3], reachable=True, today=date(2026, 4, 12)))
    '2026-04-20'
    """
    if standing.due_date is None or not _owes(standing, disputed) or not reachable:
        return None
    left = (standing.due_date + timedelta(days=one) for one in plan.offsets if one > max(sent, default=one - 1))
    return min((day for day in left if day >= today and day > standing.invoice_date), default=None)


def _owes(standing: Standing, disputed: int) -> bool:
    return standing.status in (SENT, OVERDUE) and standing.total - standing.paid_amount > disputed


class Asked(NamedTuple):
    """The facts that decide whether a person can send a reminder now.

    `disputed` is the amount in dispute, in cents. `under_way` means that a payment is pending. `is_out` means that
    the invoice itself was sent to `address` and did not bounce. `today` means that a reminder was already created
    today.
    """

    standing: Standing
    has_tenant: bool
    address: str | None
    disputed: int = 0
    under_way: bool = False
    is_out: bool = True
    today: bool = False


def why_none_now(asked: Asked, today: date, *, mail_on: bool, write: Forms = PLAIN) -> str | None:
    """Explain in a sentence why no reminder can be sent today.

    The result is None if a reminder can be sent.

    >>> late = Standing("OVERDUE", 120_50, date(2026, 4, 1), date(2026, 4, 15), issued=True)
    >>> why_none_now(Asked(late, True, "ann@example.org"), date(2026, 4, 20), mail_on=True)
    >>> why_none_now(Asked(late, True, None), date(2026, 4, 20), mail_on=True)
    "The tenant has no e-mail address. Add one to the tenant's record, or send a reminder on paper, with the PDF."
    >>> why_none_now(Asked(late._replace(status="PAID"), True, None), date(2026, 4, 20), mail_on=True)
    'Reminders are only for invoices that were sent and are not paid.'
    >>> why_none_now(Asked(late, True, "ann@example.org"), date(2026, 4, 1), mail_on=True)
    'It was only sent on 2026-04-01. Reminders can be sent from 2026-04-02 on.'
    """
    reasons = (
        *_of_invoice(asked, today, write),
        (asked.today, say("A reminder was already created or handed over today.")),
        (
            asked.address is None,
            say(
                "The tenant has no e-mail address. Add one to the tenant's record, or send a reminder on paper, with "
                "the PDF."
            ),
        ),
        (
            not mail_on,
            say(
                "The account sends no e-mail. Turn e-mail on under Settings, or send a reminder on paper, with the PDF."
            ),
        ),
        (not asked.is_out, say("The invoice itself hasn’t reached this address. Send the invoice again instead.")),
    )
    return next((why for is_so, why in reasons if is_so), None)


def is_for_paper(asked: Asked, today: date, *, mail_on: bool) -> bool:
    """True if a reminder is possible today, but only on paper.

    >>> late = Standing("OVERDUE", 120_50, date(2026, 4, 1), date(2026, 4, 15), issued=True)
    >>> is_for_paper(Asked(late, True, None), date(2026, 4, 20), mail_on=True)
    True
    >>> is_for_paper(Asked(late, True, None, today=True), date(2026, 4, 20), mail_on=True)
    False
    """
    has_reason = asked.today or any(is_so for is_so, _ in _of_invoice(asked, today, PLAIN))
    return (asked.address is None or not mail_on) and not has_reason


def _of_invoice(asked: Asked, today: date, write: Forms) -> tuple[tuple[bool, str], ...]:
    """List the reasons against any reminder of an invoice, each with True if it applies."""
    standing = asked.standing
    owed = standing.total - standing.paid_amount
    sent = standing.invoice_date
    return (
        (
            standing.status not in (SENT, OVERDUE) or not asked.has_tenant or owed <= 0,
            why_never(standing.total),
        ),
        (
            today <= sent and today != standing.due_date,
            say(
                "It was only sent on {day}. Reminders can be sent from {first} on.",
                day=write.day(sent),
                first=write.day(sent + timedelta(days=1)),
            ),
        ),
        (owed <= asked.disputed, say("The remaining amount is in dispute.")),
        (asked.under_way, say("A payment for it is in progress.")),
    )


def _applies(due: date, offset: int, today: date) -> bool:
    """True if a reminder can be sent today.

    `offset` is the reminder's day as a number of days after the due date, negative before it. A reminder up to the due
    date can be sent from its day until the due date. A later reminder can be sent for `DAYS_LATE` days from its day.
    """
    day = due + timedelta(days=offset)
    last = due if offset <= 0 else day + timedelta(days=DAYS_LATE)
    return day <= today <= last


def kind_on(due: date, today: date) -> Kind:
    """Choose the wording of a reminder by the day on which it is sent.

    >>> kind_on(date(2026, 4, 15), date(2026, 4, 16)).value
    'overdue'
    """
    if today < due:
        return Kind.BEFORE_DUE
    return Kind.DUE_TODAY if today == due else Kind.OVERDUE
