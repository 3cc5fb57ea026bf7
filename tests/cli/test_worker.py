"""Tests of the work that the worker does by itself, again and again."""

import signal
import threading
from collections.abc import Callable
from datetime import date
from typing import TypeVar

from prorata.errors import Unavailable
from prorata.store.database import idempotency
from prorata.store.database.engine import Database, Tx
from prorata.store.database.idempotency import AnswerRow
from prorata.worker.rounds import Worker
from tests.cli.running import Command
from tests.landlord import Landlord, MovableClock

Result = TypeVar("Result")


class Faulty:
    """A database that is unavailable while a test says so."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.dialect, self.clock = database.dialect, database.clock
        self.is_gone = False

    def _run(self, run: Callable[[Callable[[Tx], Result]], Result], work: Callable[[Tx], Result]) -> Result:
        if self.is_gone:
            raise Unavailable("gone")
        return run(work)

    def read(self, work: Callable[[Tx], Result]) -> Result:
        return self._run(self._database.read, work)

    def snapshot(self, work: Callable[[Tx], Result]) -> Result:
        return self._run(self._database.snapshot, work)

    def write(self, work: Callable[[Tx], Result]) -> Result:
        return self._run(self._database.write, work)

    def close(self) -> None:
        pass


def sent_invoice(database: Database, clock: MovableClock) -> tuple[Landlord, Callable[[], str]]:
    """A landlord with a sent invoice, and a function that returns its status."""
    landlord = Landlord(database, clock)
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "1"), "Ann")
    landlord.bill(maple, 100_00, on=date(2026, 2, 20))
    landlord.set_status(maple, "1", "SENT")
    return landlord, lambda: landlord.statuses(maple)["1"]


def test_sent_invoices_of_every_account_become_overdue_the_day_after_they_were_due(
    database: Database, clock: MovableClock
) -> None:
    accounts = [sent_invoice(database, clock) for _ in range(2)]
    worker = Worker(database, lambda: 0)

    clock.forward(days=14)
    worker.do_round(threading.Event())
    assert [status() for _, status in accounts] == ["SENT", "SENT"]
    clock.forward(days=1)
    worker.do_round(threading.Event())

    assert [status() for _, status in accounts] == ["OVERDUE", "OVERDUE"]
    for landlord, _ in accounts:
        landlord.sound()


def test_the_worker_goes_on_when_the_database_was_gone_for_a_while(database: Database, clock: MovableClock) -> None:
    _, status = sent_invoice(database, clock)
    faulty = Faulty(database)
    worker = Worker(faulty, lambda: 0)
    clock.forward(days=20)

    faulty.is_gone = True
    worker.do_round(threading.Event())
    assert status() == "SENT"
    faulty.is_gone = False
    worker.do_round(threading.Event())

    assert status() == "OVERDUE"


def test_a_mistake_in_one_step_keeps_no_other_step_from_being_done(database: Database, clock: MovableClock) -> None:
    _, status = sent_invoice(database, clock)
    clock.forward(days=20)
    asked = []

    def fails() -> int:
        asked.append(1)
        raise OSError("the disk is full")

    worker = Worker(database, fails)
    worker.do_round(threading.Event())
    worker.do_round(threading.Event())

    assert status() == "OVERDUE"
    assert len(asked) == 2, "what did not go well is tried again in the next round"


def test_stored_answers_are_forgotten_after_24_hours_and_exports_dropped_once_an_hour(
    database: Database, clock: MovableClock
) -> None:
    landlord = Landlord(database, clock)
    dropped: list[int] = []
    worker = Worker(database, lambda: len(dropped.append(1) or dropped))
    answer = AnswerRow(landlord.account.id, "a key", "0" * 64, 200, "{}", "2026-03-10T18:00:00.000Z")
    landlord.run(lambda tx: idempotency.claim(tx, answer))

    def rounds_after(**time: float) -> AnswerRow | None:
        clock.forward(**time)
        worker.do_round(threading.Event())
        return landlord.read(idempotency.find, "a key")

    assert rounds_after() is not None
    assert rounds_after(minutes=30) is not None
    assert len(dropped) == 1
    assert rounds_after(hours=23, minutes=30) is not None
    assert rounds_after(hours=1) is None
    assert len(dropped) == 3


def test_the_worker_stops_between_two_steps_when_it_is_told_to(database: Database, clock: MovableClock) -> None:
    _, status = sent_invoice(database, clock)
    clock.forward(days=20)
    stop = threading.Event()
    stop.set()

    Worker(database, lambda: 0).do_round(stop)
    Worker(database, lambda: 0).run(stop)

    assert status() == "SENT"


def test_prorata_worker_runs_until_it_is_told_to_stop(command: Command) -> None:
    command.account()
    process = command.start("worker")
    assert process.stderr is not None
    first = process.stderr.readline()

    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)

    assert "worker started" in first
    assert (process.returncode, out) == (0, "")
    assert "worker stopped" in err
