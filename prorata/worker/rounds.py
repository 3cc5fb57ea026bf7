"""Background work in any number of processes: recurring steps and jobs.

If a process ends for any reason, another one does the remaining work, because a job is a database row until it is done
(docs/adr/0010). If the database is unavailable, the worker logs this and tries again in the next round.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

import structlog

from prorata.actions.overview import schedule
from prorata.actions.webhooks import deliveries as webhook_deliveries
from prorata.domain.jobs.recurrences import WORKER, Recurrence, every
from prorata.errors import Unavailable
from prorata.store.database.engine import Database
from prorata.store.jobs import recurring as recurring_rows
from prorata.store.webhooks import event_feed, webhooks as endpoints
from prorata.worker.audit_chaining import chain
from prorata.worker.job_kinds import Kind
from prorata.worker.job_runner import Run, Runs, seconds_between
from prorata.worker.recurring_jobs import CLOCKWORK

SECONDS_BETWEEN_ROUNDS = 1.0
ROUND = timedelta(seconds=SECONDS_BETWEEN_ROUNDS)
SECONDS_TO_FINISH = 10.0
"""The number of seconds that running jobs have to end once the worker must stop.

After that, unfinished jobs are handed back.
"""
EXPORTS_DROPPED_EVERY = timedelta(hours=1)
CHAINED_EVERY = timedelta(seconds=10)
"""The interval at which every account's new events are added to its chain."""
SECONDS_OF_COUNTING = 1.0
"""The maximum number of seconds for which jobs wait for the numbering of events.

Events that remain are numbered in the next round.
"""
THREADS = 8

_log = structlog.stdlib.get_logger("prorata.worker")


class Worker:
    """A worker that does background work until it is stopped.

    `begin` is called once, before anything else. `drop_old_files` deletes exports and outbox messages whose retention
    period is over. When the worker stops, running jobs have `seconds_to_finish` to end.
    """

    def __init__(
        self,
        database: Database,
        drop_old_files: Callable[[], int],
        kinds: Sequence[Kind] = CLOCKWORK,
        *,
        begin: Callable[[], object] | None = None,
        seconds_to_finish: float = SECONDS_TO_FINISH,
    ) -> None:
        self._database = database
        self._begin = begin
        self._drop_old_files = drop_old_files
        self._done_at: dict[str, datetime] = {}
        self._counted_to = ""
        self._stopping = threading.Event()
        self._runs = Runs(database, kinds, self._stopping)
        self._threads = min(THREADS, sum(kind.at_once for kind in kinds))
        self._seconds_to_finish = seconds_to_finish
        self._taken: queue.SimpleQueue[Run | None] = queue.SimpleQueue()
        """The claimed runs that wait for a thread; None makes a thread end."""

    def take_over(self) -> None:
        """Release the jobs of all other workers, which the caller knows to be dead.

        Thus, the jobs don't have to wait until their leases run out.
        """
        self._survive("take back jobs", partial(self._runs.take_back, none_else_lives=True))

    def run(self, stop: threading.Event, seconds_between: float = SECONDS_BETWEEN_ROUNDS) -> None:
        """Do all due work at once, and check again regularly until `stop` is set.

        The check is made every `seconds_between` seconds. At the end, running jobs have a few seconds to finish; jobs
        that don't finish in time are handed back.
        """
        _log.info("worker started")
        for number in range(self._threads):
            threading.Thread(target=self._do_taken, name=f"job-{number}", daemon=True).start()
        with self._beating():
            while not stop.is_set():
                self._look(stop)
                self._survive("take jobs", self._take)
                stop.wait(seconds_between)
            self._stopping.set()
            self._end()
        for _ in range(self._threads):
            self._taken.put(None)
        _log.info("worker stopped")

    def do_round(self, stop: threading.Event) -> None:
        """Do everything due now in this thread, one after another, unless `stop` is set.

        A failure for one account does not delay the work of other accounts.
        """
        if stop.is_set():
            return
        self._look(stop)
        self._survive("take jobs", lambda: self._do_due(stop))

    def _do_due(self, stop: threading.Event) -> None:
        while not stop.is_set() and (claimed := self._runs.claim(1)):
            self._runs.do(claimed[0])

    # --- what is due

    def _look(self, stop: threading.Event) -> None:
        """Run each due step; failed and unfinished steps are repeated in the next round."""
        if self._begin is not None and self._survive("begin", self._begin):
            self._begin = None
        now = self._database.clock()
        for step in STEPS:
            done_at = self._done_at.get(step.name)
            if step.every == ROUND or done_at is None or now - done_at >= step.every:
                self._survive(step.name, partial(self._do_step, step, now, stop))

    def _do_step(self, step: "Step", now: datetime, stop: threading.Event) -> None:
        if step.work(self, stop) is not False:
            self._done_at[step.name] = now

    def drop_exports(self, _stop: threading.Event) -> None:
        """Remove exports and outbox messages whose retention period is over."""
        self._drop_old_files()

    def take_back(self, _stop: threading.Event) -> None:
        """Release the jobs of dead workers, so that others can do them."""
        self._runs.take_back()

    def chain_deeds(self, stop: threading.Event) -> bool:
        """Add new events to the audit logs' chains, for a limited time.

        Return True if no such events remain.
        """
        return chain(self._database, stop)

    def fire(self, stop: threading.Event) -> None:
        """Queue the recurring work that is due."""
        while not stop.is_set() and self._database.read(lambda tx: recurring_rows.is_any_due(tx, tx.now)):
            if not self._database.write(schedule.fire):
                return  # another process does it

    def count_events(self, stop: threading.Event) -> None:
        """Number the new events, one account after another.

        Each call begins with the account after the one at which the previous call ended. The call ends when all
        events are numbered, after `SECONDS_OF_COUNTING`, or when `stop` is set.
        """
        deadline = time.monotonic() + SECONDS_OF_COUNTING
        while not stop.is_set() and time.monotonic() < deadline:
            account_id = self._database.read(partial(event_feed.account_with_uncounted, after=self._counted_to))
            if account_id is None and not self._counted_to:
                return
            self._counted_to = account_id or ""
            if account_id is not None:
                self._database.write(partial(webhook_deliveries.count, account_id=account_id))

    def queue_webhooks(self, _stop: threading.Event) -> None:
        """Queue the deliveries of events that are due to be sent to webhooks."""
        if self._database.read(lambda tx: endpoints.is_any_due(tx, tx.now)):
            self._database.write(webhook_deliveries.queue)

    # --- jobs, in threads of their own

    def _take(self) -> None:
        for run in self._runs.claim(self._threads):
            self._taken.put(run)

    def _do_taken(self) -> None:
        while (run := self._taken.get()) is not None:
            self._survive("do a job", partial(self._runs.do, run))
            self._survive("take jobs", self._take)

    @contextmanager
    def _beating(self) -> Iterator[None]:
        ended = threading.Event()

        def beat() -> None:
            while not ended.wait(self._runs.seconds_between_beats):
                self._survive("extend leases", self._runs.beat)

        threading.Thread(target=beat, name="leases", daemon=True).start()
        try:
            yield
        finally:
            ended.set()

    def _end(self) -> None:
        deadline = time.monotonic() + self._seconds_to_finish
        while self._runs.number and time.monotonic() < deadline:
            time.sleep(0.02)
        self._survive("hand jobs back", self._runs.hand_back)

    def _survive(self, step: str, work: Callable[[], object]) -> bool:
        """Run a step, and log any error instead of raising it.

        The next round runs a failed step again.
        """
        try:
            work()
        except Unavailable as gone:
            _log.warning("database or disk does not answer", step=step, why=gone.message)
        except BaseException:  # noqa: BLE001 - logged with its trace; a bug in one step keeps no other from being done
            _log.exception("a step of the worker failed", step=step)
        else:
            return True
        return False


class Step(NamedTuple):
    """A regular step of a worker, done at most once in the interval `every`.

    `says` describes the step to people, in words that follow "It". If `work` returns False, the step is continued
    in the next round.
    """

    name: str
    says: str
    every: timedelta
    work: Callable[[Worker, threading.Event], bool | None]


STEPS = (
    Step("start recurring work", "queues the recurring work that is due", ROUND, Worker.fire),
    Step("count events", "numbers events, and notes to which webhook endpoints they go", ROUND, Worker.count_events),
    Step("queue webhooks", "queues the webhook deliveries that are due", ROUND, Worker.queue_webhooks),
    Step("take back jobs", "requeues the jobs of workers that have stopped", ROUND, Worker.take_back),
    Step(
        "drop old files",
        "deletes exports of deleted properties, and messages in the outbox, when their time is up",
        EXPORTS_DROPPED_EVERY,
        Worker.drop_exports,
    ),
    Step("extend the audit chain", "adds new audit log entries to the hash chain", CHAINED_EVERY, Worker.chain_deeds),
)
"""The steps that a worker takes in a round before it takes jobs."""


def recurrences(kinds: Sequence[Kind]) -> tuple[Recurrence, ...]:
    """List all recurring work of a worker that does these kinds of jobs."""
    return (
        *(Recurrence(step.name, step.says, every(step.every), WORKER) for step in STEPS),
        Recurrence("take jobs", "starts the jobs that are due", f"{every(ROUND)}, and when another is done", WORKER),
        Recurrence("extend leases", "extends the leases of running jobs", every(seconds_between(kinds)), WORKER),
    )
