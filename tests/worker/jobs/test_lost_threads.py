"""Tests of threads that end, or that never begin a job that was taken.

No lease is extended for a job on which no thread works.
"""

import threading

from prorata.store.database.engine import Database
from prorata.worker.job_kinds import Done, Job, Kind, Lease, Outcome
from prorata.worker.rounds import Worker
from tests.landlord import Landlord, MovableClock
from tests.worker.jobs.test_breaks import kind_of, queue, row_of, runs_of


class Panic(BaseException):
    """The error of a Rust library, which is no `Exception`."""


def test_a_job_that_was_taken_and_never_begun_is_anothers_after_its_lease(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    job_id, begun = queue(landlord), threading.Event()

    def begin(*_: object) -> Outcome:
        begun.set()
        return Done()

    runs = runs_of(database, kind_of(begin))
    (run,) = runs.claim(1)
    clock.forward(seconds=50)
    runs.beat()
    clock.forward(seconds=11)
    runs_of(database, kind_of(begin)).take_back()
    assert row_of(landlord, job_id).state == "waiting", "no thread did it, so its lease was not extended"
    runs.do(run)
    assert not begun.is_set(), "whoever takes it up so late does not do it beside the other"
    assert runs.number == 0


def test_a_thread_outlives_whatever_a_job_raises(landlord: Landlord, database: Database) -> None:
    jobs = [queue(landlord) for _ in range(3)]
    done = threading.Event()

    def panic(job: Job, _database: Database, _lease: Lease) -> Outcome:
        if job.id == jobs[0]:
            raise Panic("the typesetter fell")
        if job.id == jobs[1]:
            raise SystemExit(3)
        done.set()
        return Done()

    stop = threading.Event()
    worker = Worker(database, lambda: 0, [Kind("mail", "sends it", panic)])
    thread = threading.Thread(target=worker.run, args=(stop, 0.05))
    thread.start()
    try:
        assert done.wait(20), "there is one thread, and it does the third"
    finally:
        stop.set()
        thread.join(20)
    first, second, third = (row_of(landlord, job) for job in jobs)
    assert (first.state, second.state, third.state) == ("waiting", "waiting", "done")
    assert "(Panic in test_lost_threads.py" in str(first.last_error)
    assert "(SystemExit in test_lost_threads.py" in str(second.last_error)
