"""Tests of jobs.

Each is queued together with its change, and runs once. A job that fails is tried again until it is given up; a person
can retry it.
"""

import threading
from datetime import datetime, timedelta

import pytest

from prorata.actions.jobs import jobs, runs as job_runs
from prorata.actions.jobs.runs import LeaseLost, Terms
from prorata.domain.jobs.backoff import Backoff
from prorata.errors import Conflict, NotFound
from prorata.store.database.engine import Database
from prorata.store.jobs import jobs as stored
from tests.landlord import Landlord, MovableClock

TERMS = Terms(lease=60, attempts=3, backoff=Backoff(10, 3, 60))


def queue(landlord: Landlord, kind: str = "mail", **more: object) -> str:
    added = landlord.run(lambda tx: jobs.enqueue(tx, landlord.account.id, kind, {"n": 1}, **more))
    assert added is not None
    return added


def take(landlord: Landlord, kind: str = "mail", places: int = 1, after: str | None = None) -> list[stored.JobRow]:
    return landlord.run(lambda tx: job_runs.claim(tx, kind, TERMS, places=places, after=after)).taken


def row_of(landlord: Landlord, job_id: str) -> stored.JobRow:
    row = landlord.read(stored.find, job_id)
    assert row is not None
    return row


def fail(landlord: Landlord, row: stored.JobRow, why: str = "The server said no.") -> bool:
    return landlord.run(lambda tx: job_runs.fail(tx, row, TERMS, why, chance=0.5))


def take_back(landlord: Landlord, terms: Terms = TERMS) -> list[stored.JobRow]:
    found = landlord.database.read(lambda tx: job_runs.abandoned(tx, ["mail"], 9, ()))
    return [landlord.run(lambda tx, row=row: job_runs.take_back(tx, row, terms, 0.0)) for row in found]


def test_a_job_is_there_exactly_when_its_change_is(landlord: Landlord) -> None:
    def change_and_break(tx):
        jobs.enqueue(tx, landlord.account.id, "mail", {})
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        landlord.run(change_and_break)
    assert take(landlord) == []
    queue(landlord)
    (row,) = take(landlord)
    assert (row.state, row.attempts, row.payload) == ("running", 1, '{"n":1}')
    assert take(landlord) == [], "it is taken once"


def test_the_oldest_is_taken_first_and_none_before_it_is_due(landlord: Landlord, clock: MovableClock) -> None:
    late = queue(landlord, due_at=clock() + timedelta(hours=1))
    second = queue(landlord, due_at=clock() - timedelta(minutes=1))
    first = queue(landlord, due_at=clock() - timedelta(minutes=2))
    assert [row.id for row in take(landlord, places=1)] == [first]
    assert [row.id for row in take(landlord, places=5)] == [second]
    clock.forward(hours=1)
    assert [row.id for row in take(landlord, places=5)] == [late]


def test_a_unique_key_keeps_a_second_job_out_until_the_first_has_ended(landlord: Landlord) -> None:
    queue(landlord, unique_key="invoice 7")

    def again(kind="mail"):
        return landlord.run(lambda tx: jobs.enqueue(tx, landlord.account.id, kind, {}, unique_key="invoice 7"))

    assert again() is None
    assert again("pdf") is not None
    (row,) = take(landlord)
    assert again() is None
    landlord.run(lambda tx: job_runs.finish(tx, row))
    assert again() is not None


def test_what_a_run_without_its_lease_writes_is_undone(landlord: Landlord, clock: MovableClock) -> None:
    job_id = queue(landlord)
    (first,) = take(landlord)
    clock.forward(seconds=61)
    take_back(landlord)
    clock.forward(seconds=2)
    (second,) = take(landlord)
    assert (second.id, second.attempts) == (job_id, 2)

    def charge_and_finish(tx):
        jobs.enqueue(tx, landlord.account.id, "charge", {})
        job_runs.finish(tx, first)

    with pytest.raises(LeaseLost):
        landlord.run(charge_and_finish)
    with pytest.raises(LeaseLost):
        fail(landlord, first)
    assert not landlord.run(lambda tx: job_runs.extend(tx, first, TERMS))
    assert take(landlord, "charge") == []
    landlord.run(lambda tx: job_runs.finish(tx, second))
    assert row_of(landlord, job_id).state == "done"


def test_a_lease_that_is_extended_is_not_taken_back(landlord: Landlord, clock: MovableClock) -> None:
    queue(landlord)
    (row,) = take(landlord)
    for _ in range(5):
        clock.forward(seconds=50)
        assert take_back(landlord) == []
        assert landlord.run(lambda tx: job_runs.extend(tx, row, TERMS))


def test_a_job_that_fails_waits_longer_each_time_and_then_for_a_person(landlord: Landlord, clock: MovableClock) -> None:
    job_id = queue(landlord)
    waited = []
    for _ in range(2):
        (row,) = take(landlord)
        assert not fail(landlord, row)
        after = row_of(landlord, job_id)
        waited.append((datetime.fromisoformat(after.due_at) - clock()).total_seconds())
        assert (after.state, after.last_error) == ("waiting", "The server said no.")
        assert take(landlord) == []
        clock.forward(seconds=waited[-1])
    assert waited == [5, 15]
    (row,) = take(landlord)
    assert fail(landlord, row)
    dead = row_of(landlord, job_id)
    assert (dead.state, dead.last_error) == ("failed", "The server said no. It was tried 3 times.")
    clock.forward(days=30)
    assert take(landlord) == []
    (numbers,) = landlord.database.read(jobs.in_numbers)
    assert (numbers.waiting, numbers.failed, numbers.failed_tries) == (0, 1, 3)

    landlord.run(lambda tx: jobs.retry(tx, landlord.account.id, job_id))
    (row,) = take(landlord)
    assert row.attempts == 1
    landlord.run(lambda tx: job_runs.finish(tx, row))
    assert row_of(landlord, job_id).last_error is None


def test_a_run_that_tried_nothing_uses_up_no_attempt(landlord: Landlord, clock: MovableClock) -> None:
    job_id = queue(landlord)
    for _ in range(10):
        (row,) = take(landlord)
        landlord.run(lambda tx, row=row: job_runs.put_off(tx, row, "Not yet.", tx.moment))
        assert row_of(landlord, job_id).attempts == 0
    assert landlord.database.read(jobs.in_numbers)[0].failed_tries == 0


def test_a_job_that_ends_every_worker_comes_to_an_end_and_says_so(landlord: Landlord, clock: MovableClock) -> None:
    job_id = queue(landlord)
    for _ in range(3):
        assert len(take(landlord)) == 1
        clock.forward(seconds=61)
        take_back(landlord)
        clock.forward(seconds=60)
    dead = row_of(landlord, job_id)
    assert dead.state == "failed"
    assert "stopped partway through, or could not reach the database" in dead.last_error
    assert "tried 3 times" in dead.last_error


def test_a_cancelled_job_writes_nothing_more_and_stays_cancelled(landlord: Landlord) -> None:
    job_id = queue(landlord)
    (row,) = take(landlord)
    landlord.run(lambda tx: jobs.cancel(tx, landlord.account.id, job_id))
    with pytest.raises(LeaseLost):
        landlord.run(lambda tx: job_runs.finish(tx, row))
    for act in (jobs.cancel, jobs.retry):
        with pytest.raises(Conflict, match="was cancelled"):
            landlord.run(lambda tx, act=act: act(tx, landlord.account.id, job_id))


def test_a_failed_job_is_not_tried_again_beside_another_that_does_the_same(landlord: Landlord) -> None:
    job_id = queue(landlord, unique_key="one")
    (row,) = take(landlord)
    landlord.run(lambda tx: job_runs.refuse(tx, row, "Nobody is there."))
    queue(landlord, unique_key="one")
    with pytest.raises(Conflict, match="Another unfinished task does the same"):
        landlord.run(lambda tx: jobs.retry(tx, landlord.account.id, job_id))


def test_a_job_of_another_account_is_not_there(landlord: Landlord, database: Database, clock: MovableClock) -> None:
    other = Landlord(database, clock)
    job_id = queue(other)
    for act in (jobs.cancel, jobs.retry):
        with pytest.raises(NotFound):
            landlord.run(lambda tx, act=act: act(tx, landlord.account.id, job_id))
    with pytest.raises(NotFound):
        landlord.database.read(lambda tx: jobs.account_of(tx, "job_x"))


def test_each_account_gets_its_turn_however_many_jobs_another_has(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    others = [Landlord(database, clock) for _ in range(3)]

    def many(tx):
        for _ in range(500):
            jobs.enqueue(tx, landlord.account.id, "mail", {})

    landlord.run(many)
    clock.forward(minutes=1)
    for other in others:
        queue(other)
        queue(other, due_at=clock() + timedelta(days=1))
    after, taken = "", []
    for _ in range(4):
        claim = landlord.run(lambda tx, after=after: job_runs.claim(tx, "mail", TERMS, places=1, after=after))
        after = claim.after
        taken += [row.account_id for row in claim.taken]
    assert sorted(taken) == sorted([landlord.account.id, *(other.account.id for other in others)])
    assert {row.account_id for row in take(landlord, places=4)} == {landlord.account.id}, "else the oldest"


def test_many_takers_at_once_take_each_job_once(landlord: Landlord) -> None:
    def many(tx):
        return [jobs.enqueue(tx, landlord.account.id, "mail", {}) for _ in range(60)]

    queued = landlord.run(many)
    taken: list[str] = []
    start = threading.Barrier(4)

    def taker(number: int) -> None:
        start.wait()
        after = "" if number % 2 else None
        while rows := take(landlord, places=2, after=after):
            taken.extend(row.id for row in rows)

    threads = [threading.Thread(target=taker, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(queued)
