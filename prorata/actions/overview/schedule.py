"""The list of all recurring checks, and the schedule that turns them into jobs.

A recurring check looks for something that has become due: an invoice past its due date, a reminder, a month to send,
an expired record. Each area of `actions` declares its own (`actions/jobs/recurring.py`). The list is in the last
area, which may import all others (ARCHITECTURE.md).

A worker replaces a check's next time only if it is unchanged, and queues the check's job in the same transaction.
Therefore only one of any number of workers queues the job. Only checks that are due are read.
"""

from datetime import timedelta
from typing import Final

from prorata.actions.bulk import batches, bulk
from prorata.actions.delivery import reminders, rule_announcements
from prorata.actions.inbound_mail import retention as mail_retention
from prorata.actions.invoices import invoices
from prorata.actions.jobs import jobs
from prorata.actions.jobs.recurring import TIDY, Look, Recurring
from prorata.actions.lists import form_tokens
from prorata.actions.months import runs as month_runs
from prorata.actions.payments import provider_events
from prorata.actions.privacy import periods as privacy_periods
from prorata.actions.webhooks import deliveries as webhooks
from prorata.domain.jobs.recurrences import every
from prorata.domain.texts import say
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.store.database.engine import Tx, timestamp
from prorata.store.jobs import recurring
from prorata.store.jobs.recurring import RecurringRow

TIDIED_EVERY = timedelta(hours=1)
"""The shortest time between two deletions of expired records.

The longest time is one day.
"""
LOOKED_AT_AGAIN = timedelta(minutes=1)
"""The time until the next check if the work is already under way.

That work may have read the state before a change.
"""
TRIED_AGAIN = timedelta(hours=1)

KEPT: Final = (
    form_tokens.ANSWERS,
    jobs.ENDED,
    bulk.ENDED,
    batches.ENDED,
    mail_retention.MAIL,
    webhooks.EVENTS,
    provider_events.OF_OTHERS,
)
"""The records that are kept for a limited time and then deleted."""


def _at_tidy(tx: Tx, account: AccountRow) -> Look:
    """Check for expired records, and find when the next one expires."""
    ends = [end for kept in KEPT if (end := kept.first_ends(tx, account.id))]
    soonest = min([*ends, tx.moment + timedelta(days=1)])
    is_work = any(kept.is_any_old(tx, account.id) for kept in KEPT)
    return Look(is_work, max(soonest, tx.moment + TIDIED_EVERY))


def tidy(tx: Tx, account_id: str) -> None:
    """Delete an account's expired records."""
    for kept in KEPT:
        kept.forget(tx, account_id)


TIDYING: Final = Recurring(
    TIDY,
    say("deletes API answers after a day, finished tasks after a week, events after 30 days, and old incoming mail"),
    f"once a day at least, and {every(TIDIED_EVERY)} at most",
    _at_tidy,
)
RECURRING: Final = (
    invoices.BECOMING_OVERDUE,
    TIDYING,
    reminders.REMINDING,
    rule_announcements.ANNOUNCING,
    month_runs.RUNNING,
    privacy_periods.FORGETTING,
)
"""The recurring work of every account, each declared next to its code."""
_BY_NAME: Final = {work.name: work for work in RECURRING}


def fire(tx: Tx) -> int:
    """Run some due recurring checks: queue their jobs and set their next times.

    The checks may be of any account. Return the number of due checks. Checks that another worker has handled
    meanwhile are skipped.
    """
    rows = recurring.due(tx, tx.now)
    for row in rows:
        look = _looked(tx, row)
        after = row._replace(next_at=timestamp(look.next_at))
        if not recurring.advance(tx, row, after.next_at) or not look.is_work:
            continue
        if jobs.enqueue(tx, row.account_id, row.name, {}, unique_key=row.name) is None:
            recurring.advance(tx, after, timestamp(min(look.next_at, tx.moment + LOOKED_AT_AGAIN)))
    return len(rows)


def _looked(tx: Tx, row: RecurringRow) -> Look:
    account = accounts.find(tx, row.account_id)
    assert account is not None, "what recurs goes with its account"
    try:
        return _BY_NAME[row.name].look(tx, account)
    except (LookupError, ValueError, OSError):  # for instance an unknown time zone
        return Look(is_work=True, next_at=tx.moment + TRIED_AGAIN)  # the job reports the error where a person sees it
