"""The kinds of job that recur for every account by themselves (actions/recurring.py says when)."""

from functools import partial

from prorata.actions import recurring
from prorata.actions.invoices import mark_overdue
from prorata.actions.recurring import OVERDUE, TIDY
from prorata.store import accounts
from prorata.store.engine import Database
from prorata.worker.kinds import Done, Job, Kind, Later, Lease, Outcome


def _mark_overdue(job: Job, database: Database, lease: Lease) -> Outcome:
    """Make the account's invoices OVERDUE that are past due, some in each transaction: twice is the same as once."""
    account = database.read(lambda tx: accounts.find(tx, job.account_id))
    if account is None:
        return Done()
    while database.write(partial(mark_overdue, account=account)):
        if lease.is_stopping:
            return Later("The worker was told to stop; the others follow.", counts=False)
    return Done()


def _tidy(job: Job, _database: Database, _lease: Lease) -> Outcome:
    return Done(lambda tx: recurring.forget(tx, job.account_id))


CLOCKWORK = (
    Kind(OVERDUE, "makes sent invoices OVERDUE that are past due", _mark_overdue, at_once=2),
    Kind(TIDY, "lets go of stored answers after a day, and of finished jobs after a week", _tidy),
)
