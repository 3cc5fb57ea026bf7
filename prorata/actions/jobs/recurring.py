"""The recurring work of an account, and how a change makes it due earlier.

Each module that does such work declares it next to its code. `actions/overview/schedule.py` lists all of them,
queues jobs for those that are due and have something to do (`store/jobs/recurring.py`), and sets the time of the
next check.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from prorata.domain.delivery.reminders import HOUR
from prorata.domain.due_times import next_hour
from prorata.store.accounts.accounts import AccountRow
from prorata.store.database.engine import Tx, timestamp
from prorata.store.jobs import recurring
from prorata.store.jobs.recurring import RecurringRow

OVERDUE, TIDY, REMIND, MONTHS, ANNOUNCE, FORGET = "overdue", "tidy", "remind", "months", "announce", "forget"
"""The names of recurrences, for code that requests an early check."""
MORNING = f"each day at {HOUR}:00 in the account's time zone"


class Look(NamedTuple):
    """The result of checking for recurring work, and the time of the next check.

    `is_work` is set if a job has something to do.
    """

    is_work: bool
    next_at: datetime


class Recurring(NamedTuple):
    """Work that recurs for every account, such as setting invoices to overdue.

    `name` is the kind of the job that does the work, `says` completes a sentence about the work that begins with
    "It", `look` checks if there is work, and `when` describes the time of the next check in words.
    """

    name: str
    says: str
    when: str
    look: Callable[[Tx, AccountRow], Look]


class Kept(NamedTuple):
    """Records that an account stores for a limited time.

    `is_any_old` returns True if a record has expired, and `forget` deletes the expired ones. `first_ends` returns
    the time at which the next record expires, or None if that is not known.
    """

    is_any_old: Callable[[Tx, str], bool]
    forget: Callable[[Tx, str], object]
    first_ends: Callable[[Tx, str], datetime | None] = lambda _tx, _account_id: None


def kept_for(
    period: timedelta,
    is_any_before: Callable[[Tx, str, str], bool],
    forget: Callable[[Tx, str, str], object],
    first: Callable[[Tx, str, str], str | None],
) -> Kept:
    """Build a `Kept` for records that expire after a fixed period.

    `is_any_before` and `forget` get the timestamp before which stored records have expired; `first` gets it too,
    and returns the timestamp of the oldest unexpired record.
    """

    def before(tx: Tx) -> str:
        return timestamp(tx.moment - period)

    def first_ends(tx: Tx, account_id: str) -> datetime | None:
        first_at = first(tx, account_id, before(tx))
        return datetime.fromisoformat(first_at) + period if first_at else None

    return Kept(
        lambda tx, account_id: is_any_before(tx, account_id, before(tx)),
        lambda tx, account_id: forget(tx, account_id, before(tx)),
        first_ends,
    )


def begin(tx: Tx, account: AccountRow, recurs: Sequence[Recurring]) -> None:
    """Start the recurring work of a new account."""
    rows = [RecurringRow(account.id, recur.name, timestamp(recur.look(tx, account).next_at), None) for recur in recurs]
    recurring.add_many(tx, rows)


def next_morning(tx: Tx, account: AccountRow) -> datetime:
    """Return the next time of the daily morning check, in the account's time zone."""
    return next_hour(tx.moment, account.timezone, HOUR)


def look_now(tx: Tx, account_id: str, name: str) -> None:
    """Check for an account's recurring work at once, because a change made it due earlier."""
    recurring.bring_forward(tx, account_id, name)


def look_next_morning(tx: Tx, account: AccountRow, name: str) -> None:
    """Set the next check for an account's recurring work to the account's next morning."""
    recurring.set_next(tx, account.id, name, timestamp(next_morning(tx, account)))
