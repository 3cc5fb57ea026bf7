"""The result of a job depends on its handler.

The tests cover outcomes, failures, a lost lease, and a worker that must stop.
"""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Self

import pytest
import structlog
from sqlalchemy import text

from prorata.actions.jobs import jobs
from prorata.adapters.locale_forms import LocaleForms
from prorata.domain.jobs.backoff import Backoff
from prorata.errors import NotFound, Unavailable
from prorata.store.database.engine import Database
from prorata.store.database.statements import changes
from prorata.store.jobs import jobs as stored, outbound_hold
from prorata.store.overview import job_lists
from prorata.worker.job_kinds import Done, Handler, Job, Kind, Later, Lease, Outcome, Refused
from prorata.worker.recurring_jobs import CLOCKWORK, announce_kind
from prorata.worker.rounds import Worker
from tests.landlord import Landlord, MovableClock


def queue(landlord: Landlord, kind: str = "letter", **payload: object) -> str:
    job_id = landlord.run(lambda tx: jobs.enqueue(tx, landlord.account.id, kind, payload))
    assert job_id is not None
    return job_id


def letter(handler: Handler, **more: object) -> Kind:
    return Kind("letter", "writes a letter", handler, attempts=3, backoff=Backoff(10, 2, 60), **more)


def go_round(landlord: Landlord, *kinds: Kind) -> None:
    Worker(landlord.database, lambda: 0, kinds).do_round(threading.Event())


def row_of(landlord: Landlord, job_id: str) -> stored.JobRow:
    row = landlord.read(stored.find, job_id)
    assert row is not None
    return row


def waits_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not what():
        assert time.monotonic() < deadline, "it did not come to pass in 20 seconds"
        time.sleep(0.01)


def test_a_handler_is_told_what_was_queued_and_what_it_writes_ends_the_job(landlord: Landlord) -> None:
    seen: list[Job] = []

    def write(job: Job, _database: Database, _lease: Lease) -> Outcome:
        seen.append(job)
        return Done(lambda tx: jobs.enqueue(tx, job.account_id, "reply", {"to": job.payload["n"]}))

    job_id = queue(landlord, n=7)
    go_round(landlord, letter(write))

    assert seen == [Job(landlord.account.id, job_id, "letter", {"n": 7}, None, 1)]
    assert row_of(landlord, job_id).state == "done"
    (reply,) = landlord.database.read(lambda tx: job_lists.listed(tx, account_id=None, state="waiting", limit=9))
    assert reply.kind == "reply"


def test_what_is_refused_waits_for_a_person_with_the_reason(landlord: Landlord) -> None:
    def nobody(job: Job, _database: Database, _lease: Lease) -> Outcome:
        if job.payload["raises"]:
            raise NotFound("invoice")
        return Refused("The tenant has no address. Enter one.")

    said, raised = queue(landlord, raises=False), queue(landlord, raises=True)
    go_round(landlord, letter(nobody))

    assert (row_of(landlord, said).state, row_of(landlord, said).last_error) == (
        "failed",
        "The tenant has no address. Enter one.",
    )
    assert row_of(landlord, raised).state == "failed"
    assert row_of(landlord, raised).last_error == "There is no invoice with this id."


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (
            ZeroDivisionError("secret"),
            "Prorata failed because of an internal error (ZeroDivisionError in test_handlers.py",
        ),
        (Unavailable("The printer is gone."), "The printer is gone."),
    ],
)
def test_a_failure_is_tried_again_and_kept_in_a_sentence(
    landlord: Landlord, clock: MovableClock, failure: Exception, said: str
) -> None:
    def breaks(_job: Job, _database: Database, _lease: Lease) -> Outcome:
        raise failure

    job_id = queue(landlord)
    go_round(landlord, letter(breaks))
    row = row_of(landlord, job_id)
    assert (row.state, row.attempts) == ("waiting", 1)
    assert row.last_error.startswith(said)
    assert "secret" not in row.last_error
    for _ in range(2):
        clock.forward(minutes=2)
        go_round(landlord, letter(breaks))
    assert row_of(landlord, job_id).state == "failed"


def test_a_failure_while_the_end_is_written_undoes_it_and_is_tried_again(landlord: Landlord) -> None:
    def write(tx):
        jobs.enqueue(tx, landlord.account.id, "reply", {})
        raise ZeroDivisionError

    job_id = queue(landlord)
    go_round(landlord, letter(lambda _job, _database, _lease: Done(write)))

    assert row_of(landlord, job_id).state == "waiting"
    assert landlord.database.read(lambda tx: stored.is_due(tx, "reply", tx.now)) is False


def test_later_is_when_the_handler_says_and_counts_unless_nothing_was_tried(
    landlord: Landlord, clock: MovableClock
) -> None:
    def later(job: Job, _database: Database, _lease: Lease) -> Outcome:
        return Later("The office is closed.", timedelta(hours=1), counts=job.payload["counts"])

    counted, uncounted = queue(landlord, counts=True), queue(landlord, counts=False)
    go_round(landlord, letter(later))

    assert [row_of(landlord, job).attempts for job in (counted, uncounted)] == [1, 0]
    assert {row_of(landlord, job).due_at for job in (counted, uncounted)} == {"2026-03-10T19:00:00.000Z"}


def test_a_job_cancelled_while_it_is_done_writes_nothing(landlord: Landlord) -> None:
    job_id = queue(landlord)

    def cancelled(job: Job, database: Database, _lease: Lease) -> Outcome:
        database.write(lambda tx: jobs.cancel(tx, job.account_id, job.id))
        return Done(lambda tx: jobs.enqueue(tx, job.account_id, "reply", {}))

    go_round(landlord, letter(cancelled))

    assert row_of(landlord, job_id).state == "cancelled"
    assert landlord.database.read(lambda tx: stored.is_due(tx, "reply", tx.now)) is False


def test_jobs_that_leave_the_house_are_held_until_they_are_released_and_others_are_not(landlord: Landlord) -> None:
    def done(_job: Job, _database: Database, _lease: Lease) -> Outcome:
        return Done()

    kinds = (letter(done, leaves_the_house=True), Kind("note", "writes a note", done))
    outside, inside = queue(landlord), queue(landlord, "note")
    landlord.run(lambda tx: outbound_hold.hold_outside_jobs(tx, "of a test"))
    go_round(landlord, *kinds)
    assert [row_of(landlord, job).state for job in (outside, inside)] == ["waiting", "done"]
    assert landlord.run(outbound_hold.release)
    go_round(landlord, *kinds)
    assert row_of(landlord, outside).state == "done"


class Running:
    """A worker in a thread of this process."""

    def __init__(self, database: Database, *kinds: Kind, seconds_to_finish: float = 0.2) -> None:
        self._worker = Worker(database, lambda: 0, kinds, seconds_to_finish=seconds_to_finish)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._worker.run, args=(self._stop, 0.02))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(20)
        assert not self._thread.is_alive()


def test_a_kind_is_done_as_often_at_once_as_it_says_and_holds_up_no_other(landlord: Landlord) -> None:
    go_on = threading.Event()
    at_once, most = [], []

    def slow(_job: Job, _database: Database, _lease: Lease) -> Outcome:
        at_once.append(1)
        most.append(len(at_once))
        go_on.wait(20)
        at_once.pop()
        return Done()

    slow_ones = [queue(landlord) for _ in range(5)]
    note = queue(landlord, "note")
    kinds = letter(slow, at_once=2), Kind("note", "writes a note", lambda *_: Done())
    with Running(landlord.database, *kinds):
        waits_for(lambda: row_of(landlord, note).state == "done" and len(at_once) == 2)
        go_on.set()
        waits_for(lambda: all(row_of(landlord, job).state == "done" for job in slow_ones))
    assert max(most) == 2


def test_a_worker_told_to_stop_hands_back_at_once_what_it_does_not_finish(landlord: Landlord) -> None:
    begun, go_on = threading.Event(), threading.Event()
    leases: list[Lease] = []

    def endless(_job: Job, _database: Database, lease: Lease) -> Outcome:
        leases.append(lease)
        begun.set()
        go_on.wait(20)
        return Done(lambda tx: jobs.enqueue(tx, landlord.account.id, "reply", {}))

    job_id = queue(landlord)
    with Running(landlord.database, letter(endless)):
        assert begun.wait(20)
    row = row_of(landlord, job_id)
    assert (row.state, row.attempts, row.due_at) == ("waiting", 0, "2026-03-10T18:00:00.000Z")
    assert leases[0].is_stopping
    assert leases[0].is_lost
    go_on.set()
    go_round(landlord, letter(lambda *_: Done()))
    assert row_of(landlord, job_id).state == "done"
    assert landlord.database.read(lambda tx: stored.is_due(tx, "reply", tx.now)) is False


def test_a_worker_extends_the_lease_of_what_takes_longer_and_learns_when_it_is_lost(
    landlord: Landlord, clock: MovableClock
) -> None:
    lost, begun = threading.Event(), threading.Event()

    def long(_job: Job, _database: Database, lease: Lease) -> Outcome:
        begun.set()
        waits_for(lambda: lease.is_lost)
        lost.set()
        return Done()

    job_id = queue(landlord)
    with Running(landlord.database, letter(long, lease=0.4)):
        assert begun.wait(20)
        until = row_of(landlord, job_id).lease_until
        clock.forward(seconds=0.3)
        waits_for(lambda: row_of(landlord, job_id).lease_until > until)
        landlord.run(lambda tx: jobs.cancel(tx, landlord.account.id, job_id))
        assert lost.wait(20)


def test_several_workers_fire_what_recurs_once(database: Database, clock: MovableClock) -> None:
    landlords = [Landlord(database, clock) for _ in range(5)]
    for landlord in landlords:
        maple = landlord.property_()
        landlord.tenant(landlord.unit(maple, "1"), "Ann")
        landlord.bill(maple, 100_00)
        landlord.set_status(maple, "1", "SENT")
    clock.forward(days=20)
    fired: list[str] = []

    def count(job: Job, _database: Database, _lease: Lease) -> Outcome:
        fired.append(job.account_id)
        return Done()

    kinds = [Kind(kind.name, kind.says, count, at_once=2) for kind in CLOCKWORK if kind.name == "overdue"]
    with Running(database, *kinds), Running(database, *kinds), Running(database, *kinds):
        waits_for(lambda: len(fired) >= 5)
        time.sleep(0.2)
    assert sorted(fired) == sorted(landlord.account.id for landlord in landlords)


def test_an_invoice_set_back_to_sent_after_its_due_date_falls_overdue_at_once(
    landlord: Landlord, clock: MovableClock
) -> None:
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "1"), "Ann")
    landlord.bill(maple, 100_00)
    landlord.set_status(maple, "1", "SENT")
    clock.forward(days=20)
    go_round(landlord, *CLOCKWORK)
    assert landlord.statuses(maple) == {"1": "OVERDUE"}
    landlord.set_status(maple, "1", "SENT")
    go_round(landlord, *CLOCKWORK)
    assert landlord.statuses(maple) == {"1": "OVERDUE"}


def test_due_dates_pass_at_midnight_where_the_account_is(database: Database, clock: MovableClock) -> None:
    chicago = Landlord(database, clock, timezone="America/Chicago")
    maple = chicago.property_()
    chicago.tenant(chicago.unit(maple, "1"), "Ann")
    chicago.bill(maple, 100_00)
    chicago.set_status(maple, "1", "SENT")  # on 10 March; 14 days, so due on the 24th
    worker = Worker(database, lambda: 0)

    def status_at(day: int, hour: int, minute: int) -> str:
        clock.moment = clock.moment.replace(day=day, hour=hour, minute=minute)
        worker.do_round(threading.Event())
        return chicago.statuses(maple)["1"]

    assert status_at(24, 12, 0) == "SENT"
    assert status_at(25, 4, 59) == "SENT"
    assert status_at(25, 5, 1) == "OVERDUE"


def test_jobs_that_are_done_are_forgotten_after_a_week_and_those_that_failed_are_not(
    landlord: Landlord, clock: MovableClock
) -> None:
    def by_payload(job: Job, _database: Database, _lease: Lease) -> Outcome:
        return Done() if job.payload["well"] else Refused("No.")

    well, ill = queue(landlord, well=True), queue(landlord, well=False)
    go_round(landlord, *CLOCKWORK, letter(by_payload))
    for _ in range(8):
        assert landlord.read(stored.find, well) is not None
        clock.forward(hours=23)
        go_round(landlord, *CLOCKWORK)
    clock.forward(hours=25)
    go_round(landlord, *CLOCKWORK)
    assert landlord.read(stored.find, well) is None
    assert row_of(landlord, ill).state == "failed"


def test_the_seconds_of_a_job_are_a_number_in_the_log(landlord: Landlord) -> None:
    queue(landlord)
    with structlog.testing.capture_logs() as lines:
        go_round(landlord, letter(lambda *_: Done()))
    assert [type(line["seconds"]) for line in lines if line["event"] == "job"] == [float]


def test_an_account_whose_time_zone_is_unknown_has_a_job_that_says_so_and_keeps_no_other_waiting(
    database: Database, clock: MovableClock
) -> None:
    lost, found = Landlord(database, clock), Landlord(database, clock)
    moved = changes(text("UPDATE account SET timezone = 'Mars/Base' WHERE id = '" + lost.account.id + "'"))
    lost.run(lambda tx: tx.run(moved))
    clock.forward(days=2)
    go_round(found, *CLOCKWORK, announce_kind(LocaleForms))

    waiting = database.read(lambda tx: job_lists.listed(tx, account_id=None, state="waiting", limit=9))
    (job,) = (one for one in waiting if one.kind == "overdue")
    assert {one.account_id for one in waiting} == {lost.account.id}
    assert "ZoneInfoNotFoundError" in job.last_error
    found.sound()
