"""The record that defines a kind of job. `wiring.job_kinds` lists them all."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from prorata.actions.jobs.runs import Terms
from prorata.domain.jobs.backoff import Backoff
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs.jobs import JobRow

_USUAL = Backoff()


class Job(NamedTuple):
    """A job, as its handler sees it.

    `attempt` is 1 the first time; `subject` is the record that it concerns.
    """

    account_id: str
    id: str
    kind: str
    payload: dict[str, Any]
    subject: str | None
    attempt: int


class Lease:
    """A handler's view of its own run: signals to check, and one recorded step."""

    def __init__(self, stopping: threading.Event, note_out: Callable[[], None] = lambda: None) -> None:
        self._stopping = stopping
        self._note_out = note_out
        self._lost = threading.Event()

    @property
    def is_lost(self) -> bool:
        """True if another worker has the job, or it was cancelled.

        Nothing that this run writes at its end will count.
        """
        return self._lost.is_set()

    @property
    def is_stopping(self) -> bool:
        """True if the worker is to stop.

        A handler with more work then returns `Later`, and another worker continues.
        """
        return self._stopping.is_set()

    def go_out(self) -> None:
        """Record that the run is about to do something irreversible.

        A run that is interrupted after this is not retried at once, but waits as long as its kind requires. Raises
        `LeaseLost` or `Unavailable` if this can't be recorded. In that case, the run must not take the irreversible
        action.
        """
        self._note_out()

    def lose(self) -> None:
        """Record that the lease is lost."""
        self._lost.set()


def _nothing(_tx: Tx) -> None:
    return None


class Done(NamedTuple):
    """The outcome of a job that is done.

    `write` runs in the transaction that ends the job. Either both take effect, exactly once, or neither does.
    """

    write: Callable[[Tx], object] = _nothing


class Later(NamedTuple):
    """The outcome of a job to be tried again after `after`.

    `why` is a sentence. Without `after`, the kind of the job decides when. With `counts=False`, the job tried nothing,
    so it uses up no attempt. Such a job is retried at once unless `after` is given, so a job that waits for something
    must state how long to wait.
    """

    why: str
    after: timedelta | None = None
    counts: bool = True


class Refused(NamedTuple):
    """The outcome of a job that has failed permanently.

    Further attempts would also fail. `why` is a sentence that tells a person what to do.
    """

    why: str


Outcome = Done | Later | Refused
Handler = Callable[[Job, Database, Lease], Outcome]
"""The function that does a job.

It may read, and may write in its own transactions, which may happen twice. It calls outside services with none of these
open, and leaves everything that must happen once to `Done`. A `Refusal` that it raises counts as `Refused`, except
`Unavailable`, which counts as `Later`; any other exception is a bug, which is logged, and the job is tried again.
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job.

    `says` completes "This job …", as in `marks invoices as overdue that are past due`.
    """

    name: str
    says: str
    handler: Handler
    at_once: int = 1
    """The number of jobs of this kind that a process runs at the same time.

    Other jobs wait for a place, and take none from other kinds.
    """
    attempts: int = 8
    """The number of attempts.

    With the usual backoff, the last one is some hours after the first.
    """
    backoff: Backoff = _USUAL
    lease: float = 60.0
    """The time, in seconds, after which another worker may take over a dead worker's job.

    A living worker extends its lease.
    """
    after_a_break: timedelta = timedelta()
    """The minimum delay of a job after its run was interrupted, following `Lease.go_out`.

    A run is interrupted if its worker is stopped or killed. The run's message may have arrived, and an answer may come.
    """
    called_off: Callable[[Tx, JobRow], None] = lambda _tx, _job: None
    """The function that records more facts when a person cancels a job of this kind.

    This function, `given_up` and `tried_again` run in the transaction that changes the job, immediately before the
    change, so that records are always locked before jobs. The functions receive the unchanged job. If the job turns out
    to have changed, their writes are undone.
    """
    given_up: Callable[[Tx, JobRow, str], None] = lambda _tx, _job, _why: None
    """The function that records more facts when a job has failed for good.

    It receives the sentence that the job stores.
    """
    tried_again: Callable[[Tx, JobRow], None] = lambda _tx, _job: None
    """The function that records more facts when a person has a job tried again.

    The job has failed or waits.
    """
    leaves_the_house: bool = False
    """True if jobs of this kind are held after a restore.

    Otherwise, people outside would receive messages again that they received before the backup.
    """

    @property
    def terms(self) -> Terms:
        """The terms of this kind's runs, such as the lease and the number of attempts."""
        return Terms(self.lease, self.attempts, self.backoff, self.after_a_break, self.given_up)


def as_job(row: JobRow) -> Job:
    """Convert a stored job for its handler."""
    return Job(row.account_id, row.id, row.kind, json.loads(row.payload), row.subject, row.attempts)
