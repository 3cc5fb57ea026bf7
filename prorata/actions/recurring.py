"""What happens by itself for an account: due dates pass, stored answers and finished jobs are let go.

A row for each says when it is due next. Whoever moves that on, by comparing and setting it, queues the work in the same
transaction: of any number of workers one does. Only what is due is read.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from prorata.actions import jobs as job_actions
from prorata.actions import mail_retention
from prorata.actions.provider_events import NOT_OURS
from prorata.domain.account_settings import OFF
from prorata.domain.clockwork import day_in, next_hour, next_midnight
from prorata.domain.jobs import DAYS_KEPT
from prorata.domain.lifecycle import MARK_OVERDUE
from prorata.domain.reminders import HOUR
from prorata.domain.webhook_events import EVENTS_KEPT_DAYS
from prorata.ids import first_at
from prorata.store import accounts, bulk, event_feed, idempotency, invoices, jobs, provider_events, recurring, webhooks
from prorata.store.accounts import AccountRow
from prorata.store.engine import Tx, timestamp
from prorata.store.recurring import RecurringRow

OVERDUE, TIDY, REMIND, MONTHS = MARK_OVERDUE, "tidy", "remind", "months"
ANSWERS_KEPT = timedelta(hours=24)
"""How long the answer to an Idempotency-Key is stored (decisions section 2)."""
JOBS_KEPT = timedelta(days=DAYS_KEPT)
EVENTS_KEPT = timedelta(days=EVENTS_KEPT_DAYS)
OTHERS_KEPT = timedelta(days=90)
"""So long messages are kept about payments that were made by no link of ours, as of a shop with the same provider: a
payment may be told of later than its refund, but not that much later.
"""
TIDIED_EVERY = timedelta(hours=1)
"""At most; at least once a day."""
LOOKED_AT_AGAIN = timedelta(minutes=1)
"""When the work is under way already, and may have read what was before."""
TRIED_AGAIN = timedelta(hours=1)


class Look(NamedTuple):
    """Whether there is something to do, and when to look again."""

    is_work: bool
    next_at: datetime


def _at_overdue(tx: Tx, account: AccountRow) -> Look:
    """Due dates pass at midnight where the account is."""
    today = day_in(tx.moment, account.timezone).isoformat()
    found = invoices.past_due(tx, account.id, today=today, limit=1)
    return Look(bool(found), next_midnight(tx.moment, account.timezone))


def _at_tidy(tx: Tx, account: AccountRow) -> Look:
    """When the first of what is stored for a time has been there for so long."""
    ends = []
    for first, kept in ((idempotency.first_stored, ANSWERS_KEPT), (jobs.first_ended, JOBS_KEPT)):
        if found := first(tx, account.id, timestamp(tx.moment - kept)):
            ends.append(datetime.fromisoformat(found) + kept)
    long_ago = timestamp(tx.moment - JOBS_KEPT)
    is_work = idempotency.is_any_before(tx, account.id, timestamp(tx.moment - ANSWERS_KEPT)) or jobs.is_any_before(
        tx, account.id, long_ago
    )
    is_work = is_work or bulk.is_any_before(tx, account.id, long_ago) or mail_retention.is_any_old(tx, account.id)
    is_work = is_work or event_feed.is_any_before(tx, account.id, _first_kept(tx, "evt"))
    is_work = is_work or provider_events.is_any_of_others(tx, account.id, _first_of_others(tx), NOT_OURS)
    soonest = min([*ends, tx.moment + timedelta(days=1)])
    return Look(is_work, max(soonest, tx.moment + TIDIED_EVERY))


def wants_reminders(account: AccountRow) -> bool:
    """Whether an account sends reminders at all."""
    return bool(account.mail_on and (account.reminders_before or account.reminders_after))


def _at_remind(tx: Tx, account: AccountRow) -> Look:
    """Once a day, in the morning where the account is."""
    is_time = tx.moment.astimezone(ZoneInfo(account.timezone)).hour >= HOUR
    return Look(is_time and wants_reminders(account), next_hour(tx.moment, account.timezone, HOUR))


def _at_months(tx: Tx, account: AccountRow) -> Look:
    """Once a day, in the morning where the account is; the job itself says whether a month's day has come. Once that is
    switched on it is looked at at once.
    """
    if account.automatic == OFF:
        return Look(is_work=False, next_at=tx.moment + timedelta(days=1))
    return Look(is_work=True, next_at=next_hour(tx.moment, account.timezone, HOUR))


LOOKS: dict[str, Callable[[Tx, AccountRow], Look]] = {
    OVERDUE: _at_overdue,
    TIDY: _at_tidy,
    REMIND: _at_remind,
    MONTHS: _at_months,
}
"""What recurs: the name is that of the kind of job that does it."""


def begin(tx: Tx, account: AccountRow) -> None:
    """Let everything recur for a new account."""
    rows = [RecurringRow(account.id, name, timestamp(look(tx, account).next_at), None) for name, look in LOOKS.items()]
    recurring.add_many(tx, rows)


def look_now(tx: Tx, account_id: str, name: str) -> None:
    """Let something be looked at at once: a change has made it due before its time."""
    recurring.bring_forward(tx, account_id, name)


def look_at_its_time(tx: Tx, account: AccountRow, name: str) -> None:
    """Let something be looked at next when its time comes as the account is by now, and not before: its days begin at
    another moment.
    """
    recurring.set_next(tx, account.id, name, timestamp(LOOKS[name](tx, account).next_at))


def fire(tx: Tx) -> int:
    """Look at what is due, of any account, some at a time; queue what is to be done, and set when to look again.

    Returns how many were due. What another worker has looked at meanwhile is left to that one.
    """
    rows = recurring.due(tx, tx.now)
    for row in rows:
        look = _looked(tx, row)
        after = row._replace(next_at=timestamp(look.next_at))
        if not recurring.advance(tx, row, after.next_at) or not look.is_work:
            continue
        if job_actions.enqueue(tx, row.account_id, row.name, {}, unique_key=row.name) is None:
            recurring.advance(tx, after, timestamp(min(look.next_at, tx.moment + LOOKED_AT_AGAIN)))
    return len(rows)


def _looked(tx: Tx, row: RecurringRow) -> Look:
    account = accounts.find(tx, row.account_id)
    assert account is not None, "what recurs goes with its account"
    try:
        return LOOKS[row.name](tx, account)
    except (LookupError, ValueError, OSError):  # its time zone is not known here, for one
        return Look(is_work=True, next_at=tx.moment + TRIED_AGAIN)  # the job says what is wrong, where a person sees it


def forget(tx: Tx, account_id: str) -> None:
    """Drop the account's stored answers, ended jobs, mail, events with their deliveries, and what a provider said of
    payments of others, as far as these were kept long enough.
    """
    idempotency.forget(tx, account_id, timestamp(tx.moment - ANSWERS_KEPT))
    jobs.forget(tx, account_id, timestamp(tx.moment - JOBS_KEPT))
    bulk.forget(tx, account_id, timestamp(tx.moment - JOBS_KEPT))
    event_feed.forget(tx, account_id, _first_kept(tx, "evt"))
    webhooks.forget(tx, account_id, _first_kept(tx, "whd"))
    mail_retention.clear(tx, account_id)
    provider_events.forget_of_others(tx, account_id, _first_of_others(tx), NOT_OURS)


def _first_of_others(tx: Tx) -> str:
    return timestamp(tx.moment - OTHERS_KEPT)


def _first_kept(tx: Tx, prefix: str) -> str:
    """What sorts before every id of events, or of deliveries, that are kept."""
    return first_at(prefix, int((tx.moment - EVENTS_KEPT).timestamp() * 1000))
