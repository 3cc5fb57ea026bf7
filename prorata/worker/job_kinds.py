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

    `attempt` is 1 the first time; `subject` is the record that it is about.
    """

    account_id: str
    id: str
    kind: str
    payload: dict[str, Any]
    subject: str | None
    attempt: int


class Lease:
    """A handler's view of its own run: signals to check, and a step to record."""

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

        A handler that has more to do then answers `Later`, and another worker continues.
        """
        return self._stopping.is_set()

    def go_out(self) -> None:
        """Record that the run is about to do something irreversible.

        A run interrupted after this waits as long as its kind says, and is not retried at once. If this raises
        `LeaseLost` or `Unavailable`, the run must not do it.
        """
        self._note_out()

    def lose(self) -> None:
        """Record that the lease is lost."""
        self._lost.set()


def _nothing(_tx: Tx) -> None:
    return None


class Done(NamedTuple):
    """The outcome of a job that is done.

    `write` runs in the transaction that ends the job.

    So both happen or neither does, and only once.
    """

    write: Callable[[Tx], object] = _nothing


class Later(NamedTuple):
    """The outcome of a job to be tried again after `after`; `why` is a sentence.

    Without `after`, its kind says when. If nothing was tried (`counts=False`), it uses up no attempt, and without
    `after` it is retried at once; a job that waits for something must therefore say for how long.
    """

    why: str
    after: timedelta | None = None
    counts: bool = True


class Refused(NamedTuple):
    """The outcome of a job that has failed permanently, because no further attempt can help.

    `why` is a sentence that says what a person can do.
    """

    why: str


Outcome = Done | Later | Refused
Handler = Callable[[Job, Database, Lease], Outcome]
"""Does a job. It may read, and write in transactions of its own that may happen twice; call the outside with none open;
and leave to `Done` what must happen once. A `Refusal` that it raises is as `Refused`, but for `Unavailable`, which is
as `Later`; any other exception is a mistake of ours, logged, and tried again.
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
    """How many a process does at the same time; others wait for a place, and take none from other kinds."""
    attempts: int = 8
    """With the usual backoff the last is tried some hours after the first."""
    backoff: Backoff = _USUAL
    lease: float = 60.0
    """Seconds after which others may take it from a worker that is gone: while it lives it extends its lease."""
    after_a_break: timedelta = timedelta()
    """How long a job waits at least whose run was broken off, by a stop or a kill, after `Lease.go_out`: what was sent
    may have arrived, and an answer may come."""
    called_off: Callable[[Tx, JobRow], None] = lambda _tx, _job: None
    """What else is noted when a person cancels a job of this kind.

    It, `given_up` and `tried_again` run in the transaction that changes the job, just before: so records are locked
    before jobs, everywhere. The job is as it was; when it turns out to have changed, what was noted is undone.
    """
    given_up: Callable[[Tx, JobRow, str], None] = lambda _tx, _job, _why: None
    """What else is noted when a job of this kind has failed for good, with the sentence that the job keeps."""
    tried_again: Callable[[Tx, JobRow], None] = lambda _tx, _job: None
    """What else is noted when a person has a job of this kind tried again, which failed or waits."""
    leaves_the_house: bool = False
    """Whether it is held after a restore: people outside would get a second time what they got before the backup."""

    @property
    def terms(self) -> Terms:
        """The terms of this kind's runs."""
        return Terms(self.lease, self.attempts, self.backoff, self.after_a_break, self.given_up)


def as_job(row: JobRow) -> Job:
    """Convert a stored job for its handler."""
    return Job(row.account_id, row.id, row.kind, json.loads(row.payload), row.subject, row.attempts)
