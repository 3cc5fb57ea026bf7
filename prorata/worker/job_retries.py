"""The kind of job that retries a kind's failed jobs, each in its own transaction."""

from collections.abc import Mapping
from functools import partial

from prorata.actions.jobs import retries as job_retries
from prorata.actions.jobs.retries import RETRY
from prorata.domain.texts import say
from prorata.errors import Conflict, NotFound
from prorata.store.database.engine import Database
from prorata.worker.job_kinds import Done, Job, Kind, Later, Lease, Outcome


def retry_kind(kinds: Mapping[str, Kind]) -> Kind:
    """Build the kind of job that retries failed jobs of these kinds."""
    return Kind(RETRY, say("tries failed jobs again"), partial(_try_all, kinds), at_once=2)


def _try_all(kinds: Mapping[str, Kind], job: Job, database: Database, lease: Lease) -> Outcome:
    """Retry the jobs that had failed when the retry was requested.

    If the run is interrupted, the next run continues with the remaining jobs.
    """
    account_id, kind, until, behind = job.account_id, kinds.get(job.payload["kind"]), job.payload["until"], ""
    if kind is None:
        return Done()
    while failed := database.read(
        partial(job_retries.next_failed, account_id=account_id, kind=kind.name, until=until, behind=behind)
    ):
        for job_id in failed:
            if lease.is_stopping or lease.is_lost:
                return Later(
                    say("The worker was told to stop; another one will continue where it left off."), counts=False
                )
            _try(database, account_id, job_id, until, kind)
        behind = failed[-1]
    return Done()


def _try(database: Database, account_id: str, job_id: str, until: str, kind: Kind) -> None:
    work = partial(job_retries.retry, account_id=account_id, job_id=job_id, until=until, tried_again=kind.tried_again)
    try:
        database.write(work)
    except (Conflict, NotFound):
        return  # another job does the same, or it is gone: nothing to retry
