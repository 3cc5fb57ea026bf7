"""Automatic month runs: the day of a run, and whether it proposes, sends or waits.

An account chooses a day of the month. On that day and every following morning, the preceding month is reviewed
until its invoices are sent. A month that a person should review first is never sent automatically.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal, NamedTuple, cast
from zoneinfo import ZoneInfo

from prorata.domain.accounts.settings import OFF, SEND
from prorata.domain.billing_calendar import Month, month_of, months_back, next_month
from prorata.domain.delivery.reminders import HOUR
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.expected_bills import USUAL_FROM
from prorata.domain.months.findings import KEEPS_FROM_SENDING, Finding
from prorata.domain.texts import joined, say, say_n

Automatic = Literal["off", "propose", "send"]
State = Literal["ready", "waits", "proposed", "sent"]
STATES: tuple[State, ...] = ("ready", "waits", "proposed", "sent")
READY, WAITS, PROPOSED, SENT = cast("tuple[State, State, State, State]", STATES)
NOT_KNOWN = say(
    "Prorata knows which bills come each month after {n} months with bills. Until then, nothing for this property is "
    "sent automatically. Check that all bills have arrived, then send the month yourself.",
    n=USUAL_FROM,
)
CORRECTS = say(
    "It charges corrections for somebody who has left, or for a bill that somebody corrected, so it is not sent "
    "automatically. Review them, then send it."
)
SENT_BEFORE = say(
    "It was sent before and has since been set back to draft, so it is not sent automatically. Check that it is "
    "right now, then send it."
)
BEFORE = say(
    "Its day had already passed when you turned on automatic sending, so it is not sent automatically. Review it, "
    "then send it."
)
_NAMED = 2
_NOT_BEFORE = {
    True: say("It won’t be sent automatically until everything marked “Keeps it back” is settled."),
    False: say("It won’t be proposed for sending automatically until everything marked “Keeps it back” is settled."),
}
_ON_A_DAY = {True: say("It will be sent on {day}."), False: say("It will be proposed for sending on {day}.")}
_ONCE_SETTLED = {
    True: say("It will be sent on the morning after that is settled."),
    False: say("It will be proposed for sending on the morning after that is settled."),
}
_IF_NOTHING_COMES = {
    True: say("It will be sent automatically on {day}, unless something comes up before then."),
    False: say("It will be proposed for sending automatically on {day}, unless something comes up before then."),
}
_HAD_ITS_DAY = {
    True: say(
        "It is not sent automatically, because its day had already passed when that was turned on: automatic sending "
        "starts with {month}. Send it yourself."
    ),
    False: say(
        "It is not proposed for sending automatically, because its day had already passed when that was turned on: "
        "automatic proposals start with {month}. Send it yourself."
    ),
}
_COMPLETE = say(
    "It is complete and will be sent automatically in the morning, at {hour}:00. To hold it back, turn automatic "
    "sending off.",
    hour=HOUR,
)
_PROPOSED = say("It is proposed for sending, because every usual bill has arrived. Review it, then send it.")
"""The sentence for a month that is proposed for sending."""


class Plan(NamedTuple):
    """An account's automatic month run and its progress.

    Months before `first` are ignored. `due` is the last month whose run day has come. `upcoming` is the next month
    to be run, and `next_day` is its run day.
    """

    automatic: Automatic
    first: Month
    due: Month
    upcoming: Month
    next_day: date


class Outcome(NamedTuple):
    """The result of a month's run, with the reason why it waits or is proposed."""

    state: State
    why: str | None = None


def run_day(month: Month, day: int) -> date:
    """Return the day on which a month is first reviewed, in the month after it.

    >>> run_day(Month("2026-12"), 5).isoformat()
    '2027-01-05'
    """
    after = next_month(month)
    return date(int(after[:4]), int(after[5:]), day)


def last_due(moment: datetime, timezone: str, day: int) -> Month:
    """Return the last month whose run day has come.

    `day` is the account's run day in the following month. Runs begin at 9 in the morning in the account's time zone.

    >>> [last_due(datetime.fromisoformat(f"2026-04-{at}"), "UTC", 5) for at in ("05T08:59Z", "05T09:00Z", "30T00:00Z")]
    ['2026-02', '2026-03', '2026-03']
    """
    now = moment.astimezone(ZoneInfo(timezone))
    has_come = (now.day, now.hour) >= (day, HOUR)
    return months_back(month_of(now.date()), 1 if has_come else 2)


def plan(automatic: Automatic, day: int, first: str | None, moment: datetime, timezone: str) -> Plan | None:
    """Return an account's automatic month run as of a moment; None if it is off."""
    if automatic == OFF or first is None:
        return None
    due = last_due(moment, timezone, day)
    upcoming = max(next_month(due), Month(first))
    return Plan(automatic, Month(first), due, upcoming, run_day(upcoming, day))


def for_a_person(*, was_sent: bool, knows_usual: bool, had_its_day: bool = False, corrects: bool = False) -> str | None:
    """Explain why a person has to send a month, despite the account's setting.

    The result is None if the month may be sent automatically. There are four possible reasons: The month
    `was_sent` before, and somebody set it back to draft. The month's run day came before the account chose
    automatic sending (`had_its_day`). The month's invoices correct charges of tenants who have left, or a bill
    that a person corrected (`corrects`). The bills that usually come aren't known yet (`knows_usual` is False).

    >>> for_a_person(was_sent=False, knows_usual=True), for_a_person(was_sent=True, knows_usual=True) == SENT_BEFORE
    (None, True)
    """
    if was_sent:
        return SENT_BEFORE
    if had_its_day:
        return BEFORE
    if corrects:
        return CORRECTS
    return None if knows_usual else NOT_KNOWN


def outcome(plan: Plan, month: Month, findings: Sequence[Finding], *, for_person: str | None) -> Outcome:
    """Decide whether a month is sent or proposed by its run, waits, or is ready.

    A month is ready if nothing keeps it from being sent on its run day. `for_person` is the result of
    `for_a_person`.
    """
    keeping = [finding.message for finding in findings if finding.kind in KEEPS_FROM_SENDING]
    if keeping:
        more = len(keeping) - _NAMED
        return Outcome(WAITS, joined([*keeping[:_NAMED], *([say("And {n} more.", n=more)] if more > 0 else [])]))
    if month > plan.due:
        return Outcome(READY, for_person)
    if plan.automatic == SEND and for_person is None:
        return Outcome(SENT)
    return Outcome(PROPOSED, for_person)


def done_in_words(day: date, invoices: int, months: int, proposed: int, place: str | None, write: Forms = PLAIN) -> str:
    """Summarize a day's automatic work in a sentence.

    If only one month was sent, `place` is the name of its property. `months` is the number of months sent, and
    `proposed` that of months proposed for sending.

    >>> done_in_words(date(2026, 3, 1), 24, 1, 0, "Maple Court")
    'On 2026-03-01, 24 invoices of Maple Court were sent.'
    >>> done_in_words(date(2026, 3, 1), 480, 20, 1, None)
    'On 2026-03-01, 480 invoices of 20 months of properties were sent, and 1 month was proposed for sending.'
    """
    of: str = write.count(months)
    of = place if months == 1 and place else say_n("{n} month of properties", "{n} months of properties", months, n=of)
    sent = say_n(
        "{n} invoice of {of} was sent", "{n} invoices of {of} were sent", invoices, n=write.count(invoices), of=of
    )
    also = say_n(
        "{n} month was proposed for sending", "{n} months were proposed for sending", proposed, n=write.count(proposed)
    )
    if months and proposed:
        return say("On {day}, {sent}, and {proposed}.", day=write.day(day), sent=sent, proposed=also)
    return say("On {day}, {done}.", day=write.day(day), done=sent if months else also)


def next_in_words(plan: Plan, write: Forms = PLAIN) -> str:
    """State the day and the month of the next automatic month run.

    >>> next_in_words(Plan("send", Month("2026-03"), Month("2026-02"), Month("2026-03"), date(2026, 4, 1)))
    'On 2026-04-01, the invoices for March 2026 will be sent where every usual bill has arrived and nothing is
    unresolved.'
    """
    day, month = write.day(plan.next_day), write.month(plan.upcoming)
    if plan.automatic == SEND:
        return say(
            "On {day}, the invoices for {month} will be sent where every usual bill has arrived and nothing is "
            "unresolved.",
            day=day, month=month,
        )  # fmt: skip
    return say(
        "On {day}, the invoices for {month} will be proposed for sending where every usual bill has arrived and "
        "nothing is unresolved.",
        day=day, month=month,
    )  # fmt: skip


def month_in_words(
    plan: Plan,
    month: Month,
    its_outcome: Outcome,
    *,
    day: int,
    was_sent: str | None,
    for_person: str | None,
    write: Forms = PLAIN,
) -> str:
    """Describe what automatic runs do with an open month that has invoices to send.

    `was_sent` is the day on which the month was sent automatically, if it was set back to draft after that;
    `for_person` is the result of `for_a_person`.
    """
    if was_sent:
        return say(
            "It was sent automatically on {day} and has been reopened since. It won’t be sent automatically again, "
            "so send it yourself.",
            day=was_sent,
        )
    is_for_person = plan.automatic == SEND and for_person is not None
    sends = plan.automatic == SEND and not is_for_person
    if month < plan.first:
        return _HAD_ITS_DAY[plan.automatic == SEND].format(month=write.month(plan.first))
    if its_outcome.state in (SENT, PROPOSED):
        complete = _COMPLETE if its_outcome.state == SENT else _PROPOSED
        return its_outcome.why or complete
    on = write.day(run_day(month, day))
    if its_outcome.state == READY and not is_for_person:
        return _IF_NOTHING_COMES[sends].format(day=on)
    then = (_ON_A_DAY if month > plan.due else _ONCE_SETTLED)[sends].format(day=on)
    before = _NOT_BEFORE[sends] if its_outcome.state == WAITS else ""
    return joined([before, then, for_person or "" if is_for_person else ""])
