"""The checks of `prorata check` on an account's jobs and recurring checks."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from prorata.actions.overview.schedule import RECURRING
from prorata.store.database.engine import Tx, timestamp
from prorata.store.jobs import recurring
from prorata.store.overview import consistency_checks_of_jobs

FARTHEST = timedelta(days=2)
"""The longest time until the next check of recurring work.

Everything recurs at least once a day, by any clock.
"""


def of_jobs(tx: Tx, account_id: str) -> Iterator[str]:
    """Yield a sentence for every job or recurring check that breaks an invariant."""
    for job in consistency_checks_of_jobs.odd_jobs(tx, account_id):
        yield f"Job {job.id} is {job.state}, but its lease, its end, its attempts or its error don't match that."
    for key in consistency_checks_of_jobs.keys_twice(tx, account_id):
        yield f"Account {account_id} has more than one unfinished job with the key {key}."
    rows = {row.name: row for row in recurring.of_account(tx, account_id)}
    names = {work.name for work in RECURRING}
    for name in sorted(names ^ rows.keys()):
        stands = "is missing" if name in names else "is not known"
        yield f"Account {account_id}: of what recurs, {name} {stands}."
    latest = timestamp(tx.moment + FARTHEST)
    for row in rows.values():
        if row.next_at > latest or not _is_time(row.next_at):
            yield f"Account {account_id}: {row.name} is due next at {row.next_at}, but should be due by {latest}."


def _is_time(text: str) -> bool:
    try:
        return timestamp(datetime.fromisoformat(text)) == text
    except ValueError:
        return False
