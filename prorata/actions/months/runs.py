"""The month run: each morning, it proposes or sends complete months, as the account chose.

It looks at the months whose day for sending has come or is next. Each month is proposed or sent once; a month that
was sent before is never sent automatically.

Before a month is sent, the decision is repeated in the same transaction, with the property locked (docs/adr/0027).
"""

from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.bulk import bulk
from prorata.actions.jobs import recurring
from prorata.actions.jobs.recurring import Look, Recurring
from prorata.actions.months import reviews as month_reviews
from prorata.actions.months.reviews import MonthReview
from prorata.domain.accounts.settings import OFF
from prorata.domain.audit.actor_names import MONTHS as ACTOR
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month
from prorata.domain.due_times import day_in
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.runs import (
    PROPOSED,
    READY,
    SENT,
    WAITS,
    Outcome,
    Plan,
    done_in_words,
    for_a_person,
    month_in_words,
    next_in_words,
    outcome,
    plan,
)
from prorata.domain.texts import say
from prorata.errors import NotFound, Refusal, Unavailable
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.months import runs as month_runs
from prorata.store.months.runs import MonthPlace, OpenRun, RoundRow, RunRow
from prorata.store.properties import properties

BEGIN = MonthPlace("", "")


def _is_switched_on(tx: Tx, account: AccountRow) -> Look:
    """Check each morning if the month run is on; its job then finds due months.

    If the account has turned the month run off, nothing else is done that day. Turning it on triggers a check at
    once.
    """
    if account.automatic == OFF:
        return Look(is_work=False, next_at=tx.moment + timedelta(days=1))
    return Look(is_work=True, next_at=recurring.next_morning(tx, account))


RUNNING: Final = Recurring(
    recurring.MONTHS,
    say("checks if months are complete, and proposes or sends their invoices on the chosen day"),
    f"{recurring.MORNING}, if automatic sending is turned on",
    _is_switched_on,
)
NAMED = 5
"""The most months that the overview names in its summary of the month run."""


class _Proposed(NamedTuple):
    """The audit note of a month that the month run proposes to send."""

    property_id: str
    name: str
    drafts: int


class Outlook(NamedTuple):
    """The summary of the month run on the overview page.

    `done` describes the last run and `next` the next one. `waits` are the first months that wait for something, and
    `proposals` the first months that a person may send. Counts go up to `MOST_MONTHS_COUNTED`.
    """

    done: str | None
    next: str
    is_sending: bool
    ready: int
    waiting: int
    waits: tuple[OpenRun, ...]
    proposed: int
    proposals: tuple[OpenRun, ...]


def plan_of(tx: Tx, account: AccountRow) -> Plan | None:
    """Return the account's schedule for its month run; None if the month run is off."""
    return plan(account.automatic, account.automatic_day, account.automatic_from, tx.moment, account.timezone)  # type: ignore[arg-type]


def places(tx: Tx, account_id: str, after: MonthPlace) -> list[MonthPlace]:
    """Return the next open months, following `after`, for the month run to check.

    Each month's day for sending has passed, or is the next such day. The list is empty if the month run is off.
    """
    account = accounts.find(tx, account_id)
    its = plan_of(tx, account) if account else None
    return month_runs.open_between(tx, account_id, its.first, its.upcoming, after) if its else []


def look(tx: Tx, account_id: str, place: MonthPlace) -> Outcome | None:
    """Decide a month's outcome in the month run, without storing it.

    Return None if there is nothing to do: the month is closed, has nothing to send, or was sent automatically before,
    or the same outcome is already stored.
    """
    review_and_outcome = _found(tx, account_id, place)
    if review_and_outcome is None:
        return None
    row = month_runs.find(tx, account_id, place.property_id, place.month)
    review, its = review_and_outcome
    if row is None:
        return its
    is_known = (row.state, row.why, row.invoices) == (*its, review.to_send)
    return None if row.state == SENT or is_known else its


def _found(tx: Tx, account_id: str, place: MonthPlace) -> tuple[MonthReview, Outcome] | None:
    account = accounts.find(tx, account_id)
    its = plan_of(tx, account) if account else None
    if account is None or its is None or not its.first <= place.month <= its.upcoming:
        return None
    try:
        review = month_reviews.review(tx, Caller(account_id, ACTOR), place.property_id, place.month)
    except NotFound:
        return None  # its property was deleted meanwhile
    if review.is_closed or review.is_history or not review.to_send:
        return None
    for_person = _for_a_person(account, review)
    return review, outcome(its, Month(place.month), review.findings, for_person=for_person)


def _for_a_person(account: AccountRow, review: MonthReview) -> str | None:
    had_its_day = account.automatic_sends_from is not None and review.month < account.automatic_sends_from
    return for_a_person(
        was_sent=review.was_sent, knows_usual=review.knows_usual, had_its_day=had_its_day, corrects=review.corrects
    )


def propose_or_send(tx: Tx, account_id: str, place: MonthPlace) -> None:
    """Decide again about a month, with its property locked; send it if it is due.

    The month is sent and recorded as sent in one transaction. So a killed worker never sends a month twice and never
    forgets one.
    """
    if properties.lock(tx, account_id, place.property_id) is None:
        return
    account, review_and_outcome = accounts.find(tx, account_id), _found(tx, account_id, place)
    row = month_runs.find(tx, account_id, place.property_id, place.month)
    if account is None or review_and_outcome is None or (row and row.state == SENT):
        return
    caller, (review, its) = Caller(account_id, ACTOR), review_and_outcome
    day = day_in(tx.moment, account.timezone).isoformat()
    if its.state == SENT:
        sent = bulk.send_all(tx, caller, place.property_id, place.month)
        if step := bulk.next_step(tx, account_id, sent.id):
            bulk.go_on(tx, account_id, step)  # the month is now closed, and later bills are late
        month_runs.count(tx, RoundRow(account_id, day, 1, review.to_send, 0, place.property_id))
    elif its.state == PROPOSED and (row is None or row.state != PROPOSED):
        name = f"{review.property.name}, {PLAIN.month(Month(place.month))}"
        noted = _Proposed(place.property_id, name, review.to_send)
        audit.record(tx, caller, Verb.PROPOSE_MONTH, place.property_id, after=noted)
        month_runs.count(tx, RoundRow(account_id, day, 0, 0, 1, None))
    since = row.since if row and row.state == its.state else tx.now
    month_runs.put(tx, RunRow(account_id, place.property_id, place.month, its.state, review.to_send, its.why, since))


def note_refused(tx: Tx, account_id: str, place: MonthPlace, refusal: Refusal) -> None:
    """Store that a month could not be sent, with the message of the error.

    A month that another worker has sent meanwhile stays sent.
    """
    assert not isinstance(refusal, Unavailable), "that passes"
    if properties.lock(tx, account_id, place.property_id) is not None:
        there = month_runs.find(tx, account_id, place.property_id, place.month)
        if there is not None and there.state == SENT:
            return
        row = RunRow(account_id, place.property_id, place.month, WAITS, 0, refusal.message, tx.now)
        month_runs.put(tx, row)


def tidy(tx: Tx, account_id: str) -> None:
    """Delete the month run's records of months with nothing left to send.

    Records of months that were sent automatically are kept.
    """
    month_runs.forget_settled(tx, account_id, SENT)


def outlook(tx: Tx, caller: Caller, write: Forms = PLAIN) -> Outlook | None:
    """Summarize the last and the next month run; None if the month run is off.

    The summary takes eight SQL statements, each of which reads a limited number of rows.
    """
    account = account_actions.the_account(tx, caller)
    its = plan_of(tx, account)
    if its is None:
        return None
    last = month_runs.latest_round(tx, account.id)
    return Outlook(
        done=_done(tx, last, write) if last else None,
        next=next_in_words(its, write),
        is_sending=its.automatic == "send",
        ready=month_runs.number_in_state(tx, account.id, READY),
        waiting=month_runs.number_in_state(tx, account.id, WAITS),
        waits=tuple(month_runs.in_state(tx, account.id, WAITS, NAMED)),
        proposed=month_runs.number_in_state(tx, account.id, PROPOSED),
        proposals=tuple(month_runs.in_state(tx, account.id, PROPOSED, NAMED)),
    )


def _done(tx: Tx, row: RoundRow, write: Forms) -> str:
    property_row = properties.find(tx, row.account_id, row.property_id) if row.property_id else None
    return done_in_words(
        date.fromisoformat(row.day), row.sent_invoices, row.sent_months, row.proposed_months,
        property_row.name if property_row else None, write,
    )  # fmt: skip


def of_month(tx: Tx, caller: Caller, review: MonthReview, write: Forms = PLAIN) -> str | None:
    """Describe what the month run does with a reviewed month; None if it does nothing."""
    account = account_actions.the_account(tx, caller)
    its = plan_of(tx, account)
    if its is None or review.is_closed or review.is_history or not review.to_send:
        return None
    row = month_runs.find(tx, account.id, review.property.id, review.month)
    was_sent = None
    if row and row.state == SENT:
        was_sent = write.day(day_in(datetime.fromisoformat(row.since), account.timezone))
    month = Month(review.month)
    if month > its.upcoming:
        return None
    for_person = _for_a_person(account, review)
    its_outcome = outcome(its, month, review.findings, for_person=for_person)
    return month_in_words(
        its, month, its_outcome, day=account.automatic_day, was_sent=was_sent, for_person=for_person, write=write
    )
