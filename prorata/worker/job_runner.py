"""Runs of jobs in one process: claiming, doing and ending them.

A process may do a job only while it has a lease for it: a right that ends after some time unless it is extended.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import NamedTuple

import structlog

from prorata.actions.jobs import runs as job_runs
from prorata.actions.jobs.runs import Claim, LeaseLost
from prorata.domain.texts import say
from prorata.errors import Refusal, Unavailable
from prorata.store.database.engine import Database, Tx, timestamp
from prorata.store.jobs import jobs, outbound_hold
from prorata.store.jobs.jobs import JobRow
from prorata.worker.job_kinds import Done, Kind, Later, Lease, Outcome, Refused, as_job

BEATS_OF_A_LEASE = 4
HANDED_BACK = say("The worker was told to stop before it had finished.")
SECONDS_BEFORE_WRITING_AGAIN = 1.0

_log = structlog.stdlib.get_logger("prorata.worker")


class Run(NamedTuple):
    """A job that this process has claimed, and does or is about to do."""

    row: JobRow
    kind: Kind
    lease: Lease


def seconds_between(kinds: Iterable[Kind]) -> float:
    """Compute the number of seconds between extensions of a lease.

    It is a fraction of the shortest lease of these kinds, so that a lease is not lost if one extension fails.
    """
    return min(kind.lease for kind in kinds) / BEATS_OF_A_LEASE


class Runs:
    """The jobs that this process has claimed and runs.

    All methods are thread-safe.
    """

    def __init__(self, database: Database, kinds: Sequence[Kind], stopping: threading.Event) -> None:
        assert len({kind.name for kind in kinds}) == len(kinds), "a kind has one record"
        self._database = database
        self._kinds = {kind.name: kind for kind in kinds}
        self._terms = {kind.name: kind.terms for kind in kinds}
        self._stopping = stopping
        self._claiming = threading.Lock()  # held while the database works, so that beats don't wait for it
        self._rounds = 0
        self._claims: Counter[str] = Counter()
        self._after = dict.fromkeys(self._kinds, "")
        self._guard = threading.Lock()  # for the following fields
        self._running: dict[str, Run] = {}  # by lease token: a job may come again while its last run goes on
        self._begun: set[str] = set()
        self._unheard: list[JobRow] = []

    @property
    def seconds_between_beats(self) -> float:
        """The number of seconds between extensions of a lease.

        It is a fraction of the shortest lease of the kinds, so that a lease is not lost if one extension fails.
        """
        return seconds_between(self._kinds.values())

    # --- taking

    def claim(self, at_once: int) -> list[Run]:
        """Claim due jobs, so that this process has at most `at_once` jobs.

        The limit of each kind (`Kind.at_once`) also applies. Each call begins with a different kind. Every second
        claim of a kind takes one job of each account in turn; the other claims take the jobs in the order in which
        they became due. Thus, 100,000 jobs of one account leave half of the capacity to other accounts.
        """
        with self._claiming:
            if self._stopping.is_set():
                return []
            with self._guard:
                most, places = at_once - len(self._running), self._places()
            due = self._database.read(lambda tx: self._due(tx, places)) if most > 0 and places else []
            if not due:
                return []
            self._rounds += 1
            due = due[self._rounds % len(due) :] + due[: self._rounds % len(due)]
            wanted = [(name, places[name]) for name in due]
            claims = self._taken(wanted, most)
            for name, claim in claims.items():
                if self._is_turn(name):
                    self._after[name] = claim.after
                self._claims[name] += 1
            rows = [row for claim in claims.values() for row in claim.taken]
            runs = [
                Run(row, self._kinds[row.kind], Lease(self._stopping, partial(self._note_out, row))) for row in rows
            ]
            with self._guard:
                self._running.update((_token(run), run) for run in runs)
            return runs

    def _taken(self, wanted: list[tuple[str, int]], most: int) -> dict[str, Claim]:
        """Claim due jobs in a transaction, and return them by kind.

        `wanted` contains the kinds, each with the number of jobs that may be claimed; `most` is the maximum number
        for all kinds together. If the connection is lost during the commit, it is unknown whether the jobs were
        claimed. These jobs are not done, and are given back as soon as the database answers (`_give_back_unheard`).
        """
        tried: list[JobRow] = []

        def take(tx: Tx) -> dict[str, Claim]:
            claims = self._take(tx, wanted, most)
            tried.extend(row for claim in claims.values() for row in claim.taken)
            return claims

        try:
            return self._database.write(take)
        except Unavailable:
            with self._guard:
                self._unheard += tried
            raise

    def _give_back_unheard(self) -> None:
        """Give back the jobs whose claim may or may not have been committed.

        None of these jobs was begun, so others may do them at once.
        """
        with self._guard:
            rows = list(self._unheard)
        for row in rows:
            with suppress(LeaseLost):  # it was not taken after all
                self._database.write(lambda tx, row=row: job_runs.put_off(tx, row, None, tx.moment))  # type: ignore[misc]
                _log.warning("given back, as it was taken unheard", **_about(row))
            with self._guard:
                self._unheard.remove(row)

    def _places(self) -> dict[str, int]:
        taken = Counter(run.kind.name for run in self._running.values())
        free = {name: kind.at_once - taken[name] for name, kind in self._kinds.items()}
        return {name: number for name, number in free.items() if number > 0}

    def _due(self, tx: Tx, places: dict[str, int]) -> list[str]:
        held = outbound_hold.found(tx) is not None
        may = [name for name in places if not (held and self._kinds[name].leaves_the_house)]
        return [name for name in may if jobs.is_due(tx, name, tx.now)]

    def _is_turn(self, name: str) -> bool:
        return self._claims[name] % 2 == 0

    def _take(self, tx: Tx, wanted: list[tuple[str, int]], most: int) -> dict[str, Claim]:
        if outbound_hold.found(tx) is not None:
            wanted = [(name, places) for name, places in wanted if not self._kinds[name].leaves_the_house]
        claims: dict[str, Claim] = {}
        for name, free in wanted:
            places = min(free, most)
            if places > 0:
                after = self._after[name] if self._is_turn(name) else job_runs.BY_AGE
                claims[name] = job_runs.claim(tx, name, self._terms[name], places=places, after=after)
                most -= len(claims[name].taken)
        return claims

    def take_back(self, most: int = job_runs.TAKEN_BACK_AT_ONCE, *, none_else_lives: bool = False) -> None:
        """Release at most `most` jobs of dead workers, so that others can do them.

        A worker counts as dead for a job once its lease for the job has run out. If `none_else_lives` is True, all
        other workers count as dead. The jobs of this process are not released, even if their leases have run out.
        Jobs whose claim may not have been committed are given back.
        """
        self._give_back_unheard()
        with self._guard:
            own = set(self._running)
        names = sorted(self._kinds)
        abandoned = partial(job_runs.abandoned, kinds=names, most=most, but=own, none_else_lives=none_else_lives)
        for row in self._database.read(abandoned):
            terms = self._terms[row.kind]
            take_back = partial(job_runs.take_back, row=row, terms=terms, none_else_lives=none_else_lives)
            try:
                after = self._database.write(partial(take_back, chance=_chance()))
            except LeaseLost:
                continue  # its worker is alive after all, or another was quicker
            except Unavailable:
                raise
            except Exception:  # noqa: BLE001 - logged with its trace; the next job is taken back all the same
                _log.exception("a job could not be taken back", **_about(row))
            else:
                _log.warning("taken back from a worker that is gone", **_about(after), state=after.state)

    # --- doing

    def do(self, run: Run) -> None:
        """Do a job, and record its outcome.

        The job is not lost, whatever the handler does: at worst, its lease runs out, and another worker does the job.
        """
        if not self._begin(run):
            return
        began = time.monotonic()
        try:
            ended = self._end_for_sure(run, self._outcome(run))
            _log.info("job", **_about(run.row), ended=ended, seconds=float(f"{time.monotonic() - began:.3f}"))
        except LeaseLost:
            run.lease.lose()
            _log.warning("another has the job by now, or it was cancelled: what it wrote is undone", **_about(run.row))
        except Unavailable as gone:
            _log.warning("how a job ended could not be written", **_about(run.row), why=gone.message)
        except BaseException:  # noqa: BLE001 - logged with its trace; the next job is done all the same
            _log.exception("how a job ended could not be written", **_about(run.row))
        finally:
            with self._guard:
                self._running.pop(_token(run), None)
                self._begun.discard(_token(run))

    def _begin(self, run: Run) -> bool:
        """Record that this thread does a run; only begun runs have their leases extended.

        Return False if the run must not be done, because it was handed back, or because it waited so long for a thread
        that another worker may have the job.
        """
        late = timestamp(self._database.clock() + timedelta(seconds=self.seconds_between_beats))
        with self._guard:
            if _token(run) not in self._running:
                return False
            if str(run.row.lease_until) <= late:
                del self._running[_token(run)]
                return False
            self._begun.add(_token(run))
            return True

    def _note_out(self, row: JobRow) -> None:
        if not self._database.write(lambda tx: job_runs.go_out(tx, row)):
            raise LeaseLost

    def _outcome(self, run: Run) -> Outcome:
        return self._tried(run, lambda: run.kind.handler(as_job(run.row), self._database, run.lease))

    def _tried(self, run: Run, step: Callable[[], Outcome]) -> Outcome:
        """Run a step of a job, and return its outcome.

        If the step fails, the outcome depends on the error: the job is tried again later, or has failed for good.
        """
        try:
            return step()
        except LeaseLost:
            raise
        except Unavailable as gone:
            return Later(gone.message)
        except Refusal as refusal:
            return Refused(refusal.message)
        except BaseException as failure:  # noqa: BLE001 - logged with its trace, and the job says so
            _log.exception("a job failed on a mistake of ours", **_about(run.row))
            return Later(_sentence(failure))

    def _end_for_sure(self, run: Run, outcome: Outcome) -> str:
        """Record the outcome of a run, waiting for the database if necessary.

        If the outcome were not recorded, the job would be done again. The lease is extended during the wait, which
        ends when the process has to stop or the run loses the lease. Return the outcome as a word for the log, such
        as "done".
        """
        while True:
            try:
                return self._end(run, outcome)
            except Unavailable as gone:
                _log.warning("how a job ended could not be written yet", **_about(run.row), why=gone.message)
                if run.lease.is_lost or self._stopping.wait(SECONDS_BEFORE_WRITING_AGAIN):
                    raise

    def _end(self, run: Run, outcome: Outcome) -> str:
        """Record the outcome of a run together with its writes, in one transaction.

        Return the outcome as a word for the log, such as "done".
        """
        if run.lease.is_lost:
            raise LeaseLost  # the handler's answer is void: it may have stopped because of it
        if isinstance(outcome, Done):
            done = outcome

            def finish() -> Outcome:
                self._database.write(lambda tx: _finish(tx, run.row, done))
                return done

            outcome = self._tried(run, finish)
            if isinstance(outcome, Done):
                return "done"
        bad = outcome
        return self._database.write(lambda tx: _note(tx, run, bad))

    # --- meanwhile

    def beat(self) -> None:
        """Extend the lease of every begun job.

        The lease of a job that no thread has begun, or whose thread has ended, is not extended, so that another worker
        does the job.
        """
        with self._guard:
            runs = [self._running[token] for token in self._begun]
        for run in runs:
            terms = run.kind.terms
            try:
                held = self._database.write(lambda tx, run=run, terms=terms: job_runs.extend(tx, run.row, terms))  # type: ignore[misc]
            except Unavailable as gone:
                _log.warning("a lease could not be extended", **_about(run.row), why=gone.message)
                continue
            with self._guard:
                ended = _token(run) not in self._running
            if not held and not ended:
                run.lease.lose()

    def hand_back(self) -> None:
        """Hand back unfinished jobs, because this process is about to end.

        Jobs that did something irreversible are due after the time that their kind requires, and all other jobs are due
        at once. If a job ends before it is handed back, its outcome counts.
        """
        with self._claiming, self._guard:
            runs = list(self._running.values())
            self._running = {token: run for token, run in self._running.items() if token in self._begun}
        for run in runs:
            hand_back = partial(job_runs.hand_back, row=run.row, why=HANDED_BACK, terms=run.kind.terms)
            try:
                self._database.write(hand_back)
                _log.info("handed back", **_about(run.row))
            except LeaseLost:
                pass  # it ended just now
            except Unavailable as gone:
                _log.warning("a job could not be handed back", **_about(run.row), why=gone.message)
                continue  # it still has its lease, and may end yet
            run.lease.lose()

    @property
    def number(self) -> int:
        """The number of jobs that this process has claimed and not finished."""
        with self._guard:
            return len(self._running)


def _token(run: Run) -> str:
    assert run.row.lease_token is not None, "it was taken under a lease"
    return run.row.lease_token


def _finish(tx: Tx, row: JobRow, outcome: Done) -> None:
    outcome.write(tx)
    job_runs.finish(tx, row)  # last, as withdrawing a job locks its records first


def _note(tx: Tx, run: Run, outcome: Outcome) -> str:
    match outcome:
        case Refused(why):
            job_runs.refuse(tx, run.row, why, run.kind.given_up)
            return "failed"
        case Later(why, after, counts) if not counts:
            job_runs.put_off(tx, run.row, why, tx.moment + (after or timedelta()))
            return "put off"
        case Later(why, after, _):
            ended = job_runs.fail(tx, run.row, run.kind.terms, why, chance=_chance(), after=after)
            return "failed" if ended else "to be tried again"
        case Done():
            raise AssertionError("the outcome Done is handled before this function is called")


def _chance() -> float:
    return random.random()  # noqa: S311 - spreads delays


def _about(row: JobRow) -> dict[str, object]:
    return {"kind": row.kind, "account": row.account_id, "job": row.id, "attempt": row.attempts}


def _sentence(failure: BaseException) -> str:
    """Describe an internal error in a sentence for people, with its position in the code."""
    frames = extract_tb(failure.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return say(
        "Prorata failed because of an internal error ({name}{place}); the log has the details.",
        name=type(failure).__name__,
        place=place,
    )
