"""What a recurrence of accounts is made of, and how a change has one looked at before its time.

Each area declares its own beside what it does. `actions/overview/schedule.py` has the list of them and decides, of
those whose row is due (`store/jobs/recurring.py`), which become jobs and when they are due next.
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
"""The names, for those who have something looked at before its time."""
MORNING = f"each day at {HOUR}:00 in the account's time zone"


class Look(NamedTuple):
    """Whether there is something to do, and when to look again."""

    is_work: bool
    next_at: datetime


class Recurring(NamedTuple):
    """Work that recurs for every account. The name is that of the kind of job that does it, `says` completes "It …",
    and `when` says in words what `look` decides.
    """

    name: str
    says: str
    when: str
    look: Callable[[Tx, AccountRow], Look]


class Kept(NamedTuple):
    """What an account keeps for a time: whether some was kept long enough, what drops that, and, where it is known,
    when the first of it will have been.
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
    """Something kept for a period. Each function is given the timestamp before which that is over; `first` says when
    the first that is younger began.
    """

    def before(tx: Tx) -> str:
        return timestamp(tx.moment - period)

    def first_ends(tx: Tx, account_id: str) -> datetime | None:
        found = first(tx, account_id, before(tx))
        return datetime.fromisoformat(found) + period if found else None

    return Kept(
        lambda tx, account_id: is_any_before(tx, account_id, before(tx)),
        lambda tx, account_id: forget(tx, account_id, before(tx)),
        first_ends,
    )


def begin(tx: Tx, account: AccountRow, recurs: Sequence[Recurring]) -> None:
    """Let everything recur for a new account."""
    rows = [RecurringRow(account.id, one.name, timestamp(one.look(tx, account).next_at), None) for one in recurs]
    recurring.add_many(tx, rows)


def next_morning(tx: Tx, account: AccountRow) -> datetime:
    """When it is the hour next at which a day's mail is looked for, where the account is."""
    return next_hour(tx.moment, account.timezone, HOUR)


def look_now(tx: Tx, account_id: str, name: str) -> None:
    """Let something be looked at at once: a change has made it due before its time."""
    recurring.bring_forward(tx, account_id, name)


def look_next_morning(tx: Tx, account: AccountRow, name: str) -> None:
    """Let something be looked at in the morning as the account is by now, and not before: its days begin at another
    moment.
    """
    recurring.set_next(tx, account.id, name, timestamp(next_morning(tx, account)))
