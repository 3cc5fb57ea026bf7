"""The kind of job that checks an account's months each morning.

It proposes or sends the invoices of complete months.
"""

from functools import partial

from prorata.actions.months import runs as month_runs
from prorata.domain.texts import say
from prorata.errors import Refusal, Unavailable
from prorata.store.database.engine import Database
from prorata.store.months.runs import MonthPlace
from prorata.worker.job_kinds import Done, Job, Kind, Later, Lease, Outcome


def _run(job: Job, database: Database, lease: Lease) -> Outcome:
    """Check one month after another, each in a separate transaction."""
    after = month_runs.BEGIN
    while places := database.read(partial(month_runs.places, account_id=job.account_id, after=after)):
        for place in places:
            if lease.is_stopping or lease.is_lost:
                return Later(say("The worker was told to stop; the other months will follow."), counts=False)
            _look(database, job.account_id, place)
        after = places[-1]
    return Done(lambda tx: month_runs.tidy(tx, job.account_id))


def _look(database: Database, account_id: str, place: MonthPlace) -> None:
    if database.read(partial(month_runs.look, account_id=account_id, place=place)) is None:
        return
    try:
        database.write(partial(month_runs.propose_or_send, account_id=account_id, place=place))
    except Unavailable:
        raise
    except Refusal as refusal:
        refused = refusal
        database.write(lambda tx: month_runs.note_refused(tx, account_id, place, refused))


MONTHS_KIND = Kind(
    month_runs.RUNNING.name,
    month_runs.RUNNING.says,
    _run,
    leaves_the_house=True,
)
