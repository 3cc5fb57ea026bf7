"""The confirmation shown before a person sends reminders for many invoices."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.bulk.bulk import Question, fingerprint
from prorata.domain.bulk.mail_outcomes import of_mail, of_mail_that_stays
from prorata.domain.delivery.send_schedule import Leaving, of_many, saved
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.deliveries import QUEUED, WITHDRAWN
from prorata.domain.texts import joined, say, say_n


class Chosen(NamedTuple):
    """An invoice chosen for a reminder.

    `balance` is the open amount in cents. `why_not` is the reason why no reminder can be sent, or None. `last` is
    the day of the last reminder. `is_file` means that the invoice itself was only saved to the outbox folder, and
    `for_paper` that a reminder is possible, but only on paper. `name` is the invoice's number and tenant.
    """

    invoice_id: str
    balance: int
    why_not: str | None = None
    last: date | None = None
    is_file: bool = False
    for_paper: bool = False
    name: str = ""


def ask(chosen: Sequence[Chosen], *, leaves: Leaving, write: Forms = PLAIN) -> Question:
    """Build the confirmation of sending reminders, or of saving them without a mail server.

    >>> late = Chosen("inv_1", 120_50, last=date(2026, 4, 20))
    >>> asked = ask([late, Chosen("inv_2", 0, "It was paid.")], leaves=Leaving())
    >>> asked.title, asked.does
    ('Send a reminder of 1 invoice now?', 'Send 1 reminder')
    >>> asked.says[1:]
    ('1 of them already had a reminder, most recently on 2026-04-20.', '1 gets no reminder: It was paid.')
    """
    going = [one for one in chosen if one.why_not is None]
    reasons = Counter(one.why_not for one in chosen if one.why_not is not None)
    stay = tuple(
        say_n(
            "{n} gets no reminder: {why}",
            "{n} get no reminder. The reason for each: {why}",
            many,
            n=write.count(many),
            why=why,
        )
        for why, many in reasons.most_common()
    )
    to_print = tuple(one.invoice_id for one in chosen if one.for_paper)
    if not going:
        title = say("Remind tenants on paper") if to_print else say("No reminders to send")
        return Question(title, stay, "", is_grave=False, to_print=to_print)
    number, n = len(going), write.count(len(going))
    if leaves.is_saved:
        goes = saved(leaves, number, write)
        title = say_n("Save a reminder of {n} invoice now?", "Save reminders of {n} invoices now?", number, n=n)
        does = say("Save {n} to the outbox folder", n=n)
    else:
        to = say_n("It is e-mailed to the tenant.", "They go to the tenants by e-mail.", number)
        goes = joined([to, of_many(leaves, number, write)])
        title = say_n("Send a reminder of {n} invoice now?", "Send reminders of {n} invoices now?", number, n=n)
        does = say_n("Send {n} reminder", "Send {n} reminders", number, n=n)
    says = (goes, *_saved(going, write), *_before(going, write), *stay)
    seen = fingerprint((one.invoice_id, one.balance) for one in going)
    reminders = tuple((one.invoice_id, one.name) for one in going)
    return Question(title, says, does, is_grave=False, seen=seen, mails=True, to_print=to_print, reminders=reminders)


def ask_withdraw(reminders: Mapping[str, int], write: Forms = PLAIN) -> Question:
    """Build the confirmation of withdrawing the waiting reminders of a bulk change.

    `reminders` counts the reminders by state.

    >>> asked = ask_withdraw({"queued": 2, "sent": 1})
    >>> asked.title, asked.says[1:]
    ('Withdraw 2 reminders?', ('1 e-mail has already been sent and can’t be recalled.',))
    """
    waiting = reminders.get(QUEUED, 0)
    title = say_n("Withdraw {n} reminder?", "Withdraw {n} reminders?", waiting, n=write.count(waiting))
    says = say_n(
        "It isn’t sent. Another reminder of this invoice can be sent tomorrow at the earliest.",
        "They aren’t sent. Other reminders of these invoices can be sent tomorrow at the earliest.",
        waiting,
    )
    return Question(title, (says, *of_mail_that_stays(reminders, write)), say("Withdraw"), is_grave=False)


def of_reminders(reminders: Mapping[str, int], waits: str = "", write: Forms = PLAIN) -> tuple[str, ...]:
    """Summarize the reminders of a bulk change, which are counted by state.

    `waits` says when the queued ones leave.

    >>> of_reminders({"sent": 1, "withdrawn": 2})
    ('1 e-mail has been sent.', '2 reminders were withdrawn.')
    """
    others = {state: number for state, number in reminders.items() if state != WITHDRAWN}
    withdrawn = reminders.get(WITHDRAWN, 0)
    n = write.count(withdrawn)
    ended = say_n("{n} reminder was withdrawn.", "{n} reminders were withdrawn.", withdrawn, n=n)
    return (*of_mail(others, waits, write), *((ended,) if withdrawn else ()))


def _saved(going: Sequence[Chosen], write: Forms) -> tuple[str, ...]:
    files = sum(each.is_file for each in going)
    if not files:
        return ()
    return (
        say_n(
            "{n} of these invoices was only saved in the outbox folder, and not sent.",
            "{n} of these invoices were only saved in the outbox folder, and not sent.",
            files,
            n=write.count(files),
        ),
    )


def _before(going: Sequence[Chosen], write: Forms) -> tuple[str, ...]:
    days = [one.last for one in going if one.last is not None]
    if not days:
        return (say("No reminder has been sent yet."),)
    return (
        say_n(
            "{n} of them already had a reminder, most recently on {day}.",
            "{n} of them already had reminders, most recently on {day}.",
            len(days),
            n=write.count(len(days)),
            day=write.day(max(days)),
        ),
    )
