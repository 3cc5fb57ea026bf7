"""The record that defines a kind of job.

`wiring.job_kinds` lists all kinds.
"""

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

    `attempt` is 1 the first time. `subject` is the id of the record that the job concerns, or None.
    """

    account_id: str
    id: str
    kind: str
    payload: dict[str, Any]
    subject: str | None
    attempt: int


class Lease:
    """A worker's temporary right to do a job, as the job's handler sees it.

    Through its lease, a handler learns whether to go on, and records that it is about to do something irreversible.
    """

    def __init__(self, stopping: threading.Event, note_out: Callable[[], None] = lambda: None) -> None:
        self._stopping = stopping
        self._note_out = note_out
        self._lost = threading.Event()

    @property
    def is_lost(self) -> bool:
        """True if another worker has the job, or if the job was cancelled.

        The outcome of this run will then be ignored.
        """
        return self._lost.is_set()

    @property
    def is_stopping(self) -> bool:
        """True if the worker has to stop.

        A handler that has more work to do then returns `Later`, and another worker continues the job.
        """
        return self._stopping.is_set()

    def go_out(self) -> None:
        """Record that the run is about to do something irreversible.

        If the run is interrupted after this, the job is not retried at once, but after the time that its kind
        requires. Raises `LeaseLost` if the run no longer has the lease, and `Unavailable` if the database can't be
        used. In both cases, the handler must not take the irreversible step.
        """
        self._note_out()

    def lose(self) -> None:
        """Record that this run no longer has the lease."""
        self._lost.set()


def _nothing(_tx: Tx) -> None:
    return None


class Done(NamedTuple):
    """The outcome of a job that is done.

    `write` runs in the transaction that ends the job, so its writes take effect exactly once.
    """

    write: Callable[[Tx], object] = _nothing


class Later(NamedTuple):
    """The outcome of a job that has to be tried again, after the time `after`.

    `why` is the reason in a sentence. If `after` is None, the kind of job decides when the job is tried again. If
    `counts` is False, no attempt is used up, because nothing was tried; the job is then tried again at once unless
    `after` is given. So a job that waits for something must state `after`.
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

It may read, and may write in its own transactions, which are repeated if the job runs again. It calls outside services
only while no transaction is open, and leaves every write that must happen exactly once to `Done`. A `Refusal` that it
raises counts as `Refused`, except `Unavailable`, which counts as `Later`. Any other exception is a bug: it is logged,
and the job is tried again.
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job: its handler, and the terms for running it.

    `says` describes the job to people. It completes "This job …", for example with "reads a message that
    arrived".
    """

    name: str
    says: str
    handler: Handler
    at_once: int = 1
    """The number of jobs of this kind that a process runs at the same time.

    Further jobs of this kind wait. Each kind has its own number.
    """
    attempts: int = 8
    """The maximum number of attempts.

    With the usual delays, the last attempt is some hours after the first.
    """
    backoff: Backoff = _USUAL
    lease: float = 60.0
    """The time, in seconds, after which another worker may take over a dead worker's job.

    A living worker extends its lease.
    """
    after_a_break: timedelta = timedelta()
    """The minimum delay of a job after its run was interrupted, following `Lease.go_out`.

    A run is interrupted if its worker is stopped or killed. The message that the run has sent may have arrived, and an
    answer to it may come during this time.
    """
    called_off: Callable[[Tx, JobRow], None] = lambda _tx, _job: None
    """The function that records more facts when a person cancels a job of this kind.

    This function, `given_up` and `tried_again` run in the transaction that changes the job, immediately before that
    change, so that other records are always locked before jobs. They receive the job as it was. If the job has been
    changed meanwhile, their writes are undone.
    """
    given_up: Callable[[Tx, JobRow, str], None] = lambda _tx, _job, _why: None
    """The function that records more facts when a job has failed for good.

    Its last argument is the sentence with the reason.
    """
    tried_again: Callable[[Tx, JobRow], None] = lambda _tx, _job: None
    """The function that records more facts when a person has a job tried again.

    The job has failed before, or is waiting for its next attempt.
    """
    leaves_the_house: bool = False
    """True if jobs of this kind contact other systems, and are held after a restore.

    Otherwise, people would again receive messages that were sent after the backup was made.
    """

    @property
    def terms(self) -> Terms:
        """The terms for runs of this kind, such as the number of attempts."""
        return Terms(self.lease, self.attempts, self.backoff, self.after_a_break, self.given_up)


def as_job(row: JobRow) -> Job:
    """Convert a stored job to the `Job` that its handler receives."""
    return Job(row.account_id, row.id, row.kind, json.loads(row.payload), row.subject, row.attempts)
