"""Tests of runs that break off, and of jobs that are given up.

A run breaks off when its worker is stopped or killed, or when its lease ends.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar, cast

import pytest

from prorata.actions.jobs import jobs, runs as job_runs
from prorata.domain.jobs.backoff import Backoff
from prorata.errors import Conflict, Unavailable
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs import jobs as stored
from prorata.worker.job_kinds import Done, Handler, Job, Kind, Later, Lease, Outcome, Refused
from prorata.worker.job_runner import Run, Runs
from tests.landlord import Landlord, MovableClock

Result = TypeVar("Result")
BREAK = timedelta(minutes=15)
NOW, AFTER_A_BREAK = "2026-03-10T18:00:00.000Z", "2026-03-10T18:15:00.000Z"


def queue(landlord: Landlord) -> str:
    job_id = landlord.run(lambda tx: jobs.enqueue(tx, landlord.account.id, "mail", {}))
    assert job_id is not None
    return job_id


def kind_of(handler: Handler, **more: object) -> Kind:
    return Kind("mail", "sends it", handler, attempts=2, backoff=Backoff(1, 1, 1), **more)


def runs_of(database: Database, kind: Kind) -> Runs:
    return Runs(database, [kind], threading.Event())


def row_of(landlord: Landlord, job_id: str) -> stored.JobRow:
    row = landlord.read(stored.find, job_id)
    assert row is not None
    return row


def begun(runs: Runs, is_begun: threading.Event) -> tuple[Run, threading.Thread]:
    """A run that is under way, and its thread."""
    (run,) = runs.claim(1)
    thread = threading.Thread(target=runs.do, args=(run,))
    thread.start()
    assert is_begun.wait(20)
    return run, thread


class Waiting:
    """A handler that waits until `go_on` is set.

    With `goes_out`, it first notes that it does something that cannot be undone.
    """

    def __init__(self, *, goes_out: bool = False) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.goes_out = goes_out

    def __call__(self, _job: Job, _database: Database, lease: Lease) -> Outcome:
        if self.goes_out:
            lease.go_out()
        self.begun.set()
        assert self.go_on.wait(20)
        return Done()


class Fading:
    """A database that refuses changes while `is_gone` is set."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.clock, self.read = database.clock, database.read
        self.is_gone = False

    def write(self, work: Callable[[Tx], Result]) -> Result:
        if self.is_gone:
            raise Unavailable("gone")
        return self._database.write(work)


def test_a_run_whose_lease_is_lost_ends_nothing_as_done(landlord: Landlord, database: Database) -> None:
    job_id = queue(landlord)
    runs = runs_of(database, kind_of(lambda *_: Done()))
    (run,) = runs.claim(1)
    run.lease.lose()
    runs.do(run)
    assert row_of(landlord, job_id).state == "running", "another takes it when the lease is over"


def test_what_could_not_be_handed_back_keeps_its_lease_and_may_end(landlord: Landlord, database: Database) -> None:
    job_id, waiting, fading = queue(landlord), Waiting(), Fading(database)
    runs = runs_of(fading, kind_of(waiting))
    run, thread = begun(runs, waiting.begun)
    fading.is_gone = True
    runs.hand_back()
    assert not run.lease.is_lost
    fading.is_gone = False
    waiting.go_on.set()
    thread.join(20)
    assert row_of(landlord, job_id).state == "done"


class Unheard(Fading):
    """A database that makes a change, but is gone before it can say so."""

    def write(self, work: Callable[[Tx], Result]) -> Result:
        result = self._database.write(work)
        if self.is_gone:
            raise Unavailable("gone")
        return result


def test_jobs_that_were_taken_unheard_are_given_back_at_once_when_the_database_answers(
    landlord: Landlord, database: Database
) -> None:
    job_id, unheard = queue(landlord), Unheard(database)
    runs = runs_of(cast("Database", unheard), kind_of(lambda *_: Done(), after_a_break=BREAK))
    unheard.is_gone = True
    with pytest.raises(Unavailable):
        runs.claim(1)
    assert row_of(landlord, job_id).state == "running"
    unheard.is_gone = False
    runs.take_back()
    row = row_of(landlord, job_id)
    assert (row.state, row.due_at, row.attempts, row.last_error) == ("waiting", NOW, 0, None)
    (run,) = runs.claim(1)
    runs.take_back()
    runs.do(run)
    assert row_of(landlord, job_id).state == "done"


def test_jobs_that_were_not_taken_after_all_are_left_to_whoever_has_them(
    landlord: Landlord, database: Database
) -> None:
    job_id, unheard = queue(landlord), Unheard(database)
    runs, others = (runs_of(cast("Database", one), kind_of(lambda *_: Done())) for one in (unheard, database))
    unheard.is_gone = True
    with pytest.raises(Unavailable):
        runs.claim(1)
    taken = row_of(landlord, job_id)
    landlord.run(lambda tx: job_runs.put_off(tx, taken, None, tx.moment))
    (run,) = others.claim(1)
    unheard.is_gone = False
    runs.take_back()
    assert row_of(landlord, job_id).lease_token == run.row.lease_token


@pytest.mark.parametrize("outcome", [Done(), Later("The server is silent."), Refused("No.")])
def test_how_a_job_ended_is_written_as_soon_as_the_database_is_back(
    landlord: Landlord, database: Database, outcome: Outcome
) -> None:
    job_id, fading = queue(landlord), Fading(database)

    def fade(*_: object) -> Outcome:
        fading.is_gone = True
        return outcome

    runs = runs_of(cast("Database", fading), kind_of(fade, after_a_break=BREAK))
    (run,) = runs.claim(1)
    thread = threading.Thread(target=runs.do, args=(run,))
    thread.start()
    thread.join(0.2)
    assert runs.number == 1, "its lease is still extended"
    fading.is_gone = False
    thread.join(20)
    row = row_of(landlord, job_id)
    ends = {"Done": ("done", None), "Later": ("waiting", "The server is silent."), "Refused": ("failed", "No.")}
    assert (row.state, row.last_error) == ends[type(outcome).__name__]
    assert runs.number == 0


def test_a_worker_that_is_told_to_stop_does_not_wait_for_the_database(landlord: Landlord, database: Database) -> None:
    job_id, fading, stopping = queue(landlord), Fading(database), threading.Event()

    def fade(*_: object) -> Outcome:
        fading.is_gone = True
        return Done()

    runs = Runs(cast("Database", fading), [kind_of(fade)], stopping)
    (run,) = runs.claim(1)
    stopping.set()
    runs.do(run)
    assert (row_of(landlord, job_id).state, runs.number) == ("running", 0)


@pytest.mark.parametrize(("goes_out", "due"), [(True, AFTER_A_BREAK), (False, NOW)])
def test_what_is_handed_back_after_it_went_out_waits_and_the_rest_does_not_and_is_not_begun(
    landlord: Landlord, database: Database, goes_out: bool, due: str
) -> None:
    queued, waiting = {queue(landlord), queue(landlord)}, Waiting(goes_out=goes_out)
    runs = runs_of(database, kind_of(waiting, at_once=2, after_a_break=BREAK))
    first, thread = begun(runs, waiting.begun)
    (second,) = runs.claim(2)
    runs.hand_back()
    assert {first.row.id, second.row.id} == queued
    assert first.lease.is_lost
    waiting.begun.clear()
    runs.do(second)
    assert not waiting.begun.is_set()
    waiting.go_on.set()
    thread.join(20)
    after = [row_of(landlord, run.row.id) for run in (first, second)]
    assert [(row.state, row.attempts, row.due_at) for row in after] == [
        ("waiting", 0, due),
        ("waiting", 0, NOW),
    ]


def test_the_job_of_a_killed_worker_waits_where_it_had_gone_out_in_that_run(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    job_id = queue(landlord)
    kind = kind_of(lambda *_: Done(), after_a_break=BREAK)
    (run,) = runs_of(database, kind).claim(1)
    run.lease.go_out()
    clock.forward(seconds=61)
    runs_of(database, kind).take_back()
    row = row_of(landlord, job_id)
    assert (row.state, row.due_at, row.attempts) == ("waiting", "2026-03-10T18:16:01.000Z", 1)
    clock.forward(minutes=16)
    assert len(runs_of(database, kind_of(lambda *_: Done(), after_a_break=BREAK)).claim(1)) == 1
    clock.forward(seconds=61)
    runs_of(database, replace(kind, attempts=9)).take_back()
    assert row_of(landlord, job_id).due_at < "2026-03-10T18:18:10", "that run had not gone out"


def test_the_job_of_a_killed_worker_that_had_not_gone_out_is_tried_at_once_and_the_next_time_after_a_delay(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    job_id = queue(landlord)
    kind = replace(kind_of(lambda *_: Done(), after_a_break=BREAK), attempts=9)
    for due in ("2026-03-10T18:01:01.000Z", "2026-03-10T18:02:03.000Z"):
        runs_of(database, kind).claim(1)
        clock.forward(seconds=61)
        runs_of(database, kind).take_back()
        assert row_of(landlord, job_id).due_at == due


def test_where_no_other_worker_lives_nobody_waits_for_a_lease(landlord: Landlord, database: Database) -> None:
    job_id, waiting = queue(landlord), Waiting()
    kind = kind_of(waiting, at_once=2, after_a_break=BREAK)
    runs_of(database, kind).claim(1)
    own = queue(landlord)
    runs = runs_of(database, kind)
    run, thread = begun(runs, waiting.begun)
    runs.take_back(none_else_lives=True)
    assert [row_of(landlord, one).state for one in (job_id, own)] == ["waiting", "running"]
    assert (row_of(landlord, job_id).due_at, run.row.id) == (NOW, own)
    waiting.go_on.set()
    thread.join(20)


def test_a_run_that_another_has_by_now_does_not_go_out(landlord: Landlord, database: Database) -> None:
    queue(landlord)
    runs = runs_of(database, kind_of(lambda *_: Done()))
    (run,) = runs.claim(1)
    runs.hand_back()
    with pytest.raises(job_runs.LeaseLost):
        run.lease.go_out()


def test_a_worker_takes_back_no_job_that_it_does_itself_however_late_its_beats(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    job_id, waiting = queue(landlord), Waiting()
    runs = runs_of(database, kind_of(waiting, at_once=2))
    run, thread = begun(runs, waiting.begun)
    clock.forward(seconds=61)
    runs.take_back()
    assert row_of(landlord, job_id).lease_token == run.row.lease_token
    runs.beat()
    runs_of(database, kind_of(waiting)).take_back()
    assert row_of(landlord, job_id).lease_token == run.row.lease_token, "its lease is extended"
    waiting.go_on.set()
    thread.join(20)
    assert row_of(landlord, job_id).state == "done"


def test_a_second_run_of_a_job_is_counted_beside_the_first_that_still_goes_on(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    queue(landlord)
    waiting = Waiting()
    runs = runs_of(database, kind_of(waiting, at_once=2))
    first, thread = begun(runs, waiting.begun)
    clock.forward(seconds=61)
    runs_of(database, kind_of(waiting)).take_back()
    clock.forward(seconds=2)
    (second,) = runs.claim(2)
    assert (second.row.id, runs.number) == (first.row.id, 2)
    runs.beat()
    assert (first.lease.is_lost, second.lease.is_lost) == (True, False)
    waiting.go_on.set()
    thread.join(20)
    assert runs.number == 1
    runs.do(second)
    assert runs.number == 0


class GivenUp:
    """Notes each job that is given up, in the database and in `noted`."""

    def __init__(self) -> None:
        self.noted: list[tuple[str, str, str]] = []

    def __call__(self, tx: Tx, job: stored.JobRow, why: str) -> None:
        now = stored.find(tx, job.account_id, job.id)
        assert now is not None
        self.noted.append((job.id, now.state, why))
        jobs.enqueue(tx, job.account_id, "noted", {})

    def stands(self, landlord: Landlord) -> bool:
        return landlord.database.read(lambda tx: stored.is_due(tx, "noted", tx.now))


@pytest.mark.parametrize(("outcome", "tries"), [(Refused("Nobody is there."), 1), (Later("The server said no."), 2)])
def test_what_else_is_noted_of_a_job_that_is_given_up_is_noted_with_its_end(
    landlord: Landlord, database: Database, clock: MovableClock, outcome: Outcome, tries: int
) -> None:
    job_id, given_up = queue(landlord), GivenUp()
    runs = runs_of(database, kind_of(lambda *_: outcome, given_up=given_up))
    for _ in range(tries):
        assert not given_up.stands(landlord)
        (run,) = runs.claim(1)
        runs.do(run)
        clock.forward(seconds=2)
    assert row_of(landlord, job_id).state == "failed"
    assert given_up.noted == [(job_id, "running", row_of(landlord, job_id).last_error)], "once, and before its end"
    assert given_up.stands(landlord)


def test_what_else_is_noted_is_undone_where_the_job_was_cancelled_meanwhile(
    landlord: Landlord, database: Database
) -> None:
    job_id, given_up = queue(landlord), GivenUp()
    runs = runs_of(database, kind_of(lambda *_: Refused("Nobody is there."), given_up=given_up))
    (run,) = runs.claim(1)
    landlord.run(lambda tx: jobs.cancel(tx, landlord.account.id, job_id))
    runs.do(run)
    assert len(given_up.noted) == 1
    assert not given_up.stands(landlord)


def test_a_job_that_kills_its_workers_is_noted_when_it_is_given_up_and_not_before(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    job_id, given_up = queue(landlord), GivenUp()
    kind = kind_of(lambda *_: Done(), given_up=given_up)
    for _ in range(2):
        assert given_up.noted == []
        assert len(runs_of(database, kind).claim(1)) == 1
        clock.forward(seconds=61)
        runs_of(database, kind).take_back()
        clock.forward(seconds=2)
    row = row_of(landlord, job_id)
    assert row.state == "failed"
    assert given_up.noted == [(job_id, "running", row.last_error)]
    assert given_up.stands(landlord)


def test_a_job_whose_worker_lives_after_all_is_not_given_up(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    queue(landlord)
    given_up = GivenUp()
    terms = kind_of(lambda *_: Done(), given_up=given_up).terms._replace(attempts=1)
    (row,) = database.write(lambda tx: job_runs.claim(tx, "mail", terms, places=1, after=None)).taken
    clock.forward(seconds=61)
    (found,) = database.read(lambda tx: job_runs.abandoned(tx, ["mail"], 9, ()))
    assert database.write(lambda tx: job_runs.extend(tx, row, terms))
    with pytest.raises(job_runs.LeaseLost):
        database.write(lambda tx: job_runs.take_back(tx, found, terms, 0.0))
    assert not given_up.stands(landlord)
    assert row_of(landlord, row.id).state == "running"


def test_a_mistake_in_what_else_is_noted_keeps_no_other_job_from_being_taken_back(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    def breaks(_tx: Tx, job: stored.JobRow, _why: str) -> None:
        if job.id == first:
            raise Conflict("It is gone.")

    first, second = queue(landlord), queue(landlord)
    kind = Kind("mail", "sends it", lambda *_: Done(), at_once=2, attempts=1, given_up=breaks)
    assert len(runs_of(database, kind).claim(2)) == 2
    clock.forward(seconds=61)
    runs_of(database, kind).take_back()
    assert [row_of(landlord, job).state for job in (first, second)] == ["running", "failed"]
