"""A process takes the jobs of each kind by age and by account in turn.

It never takes more jobs than it has places for.
"""

import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from prorata.actions.jobs import jobs, runs as job_runs
from prorata.actions.jobs.runs import Terms
from prorata.domain.jobs.backoff import Backoff
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs import jobs as stored
from prorata.store.jobs.jobs import LOOKED_AT_ONCE
from prorata.worker.job_kinds import Done, Kind
from prorata.worker.job_runner import Runs
from tests.landlord import Landlord, MovableClock
from tests.worker.jobs.test_breaks import Waiting, begun

Result = TypeVar("Result")
TERMS = Terms(lease=60, attempts=3, backoff=Backoff())


def queue(landlord: Landlord, kind: str, number: int = 1, **more: object) -> None:
    landlord.run(lambda tx: [jobs.enqueue(tx, landlord.account.id, kind, {}, **more) for _ in range(number)])


def runs_of(database: Database, *kinds: str, at_once: int = 1) -> Runs:
    does = [Kind(name, "does it", lambda *_: Done(), at_once=at_once) for name in kinds]
    return Runs(database, does, threading.Event())


def taken_in_turn(runs: Runs, claims: int) -> Counter[tuple[str, str]]:
    """Count the jobs that a process with one place takes, by kind and account."""
    taken: Counter[tuple[str, str]] = Counter()
    for _ in range(claims):
        (run,) = runs.claim(1)
        taken[run.row.kind, run.row.account_id] += 1
        runs.do(run)
    return taken


def test_an_account_with_many_jobs_leaves_half_of_the_places_to_others(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    others = [Landlord(database, clock) for _ in range(4)]
    queue(landlord, "mail", 300)
    clock.forward(minutes=1)
    for other in others:
        queue(other, "mail", 10)

    taken = taken_in_turn(runs_of(database, "mail"), 40)

    assert taken["mail", landlord.account.id] == 20 + 4, "half of the places by age, and its own turn"
    assert [taken["mail", other.account.id] for other in others] == [4, 4, 4, 4]


def test_two_kinds_that_share_a_place_each_have_their_turns_by_account(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    other = Landlord(database, clock)
    for kind in ("mail", "pdf"):
        queue(landlord, kind, 100)
    clock.forward(minutes=1)
    for kind in ("mail", "pdf"):
        queue(other, kind, 10)

    taken = taken_in_turn(runs_of(database, "mail", "pdf"), 16)

    for kind in ("mail", "pdf"):
        assert (taken[kind, landlord.account.id], taken[kind, other.account.id]) == (6, 2)


def test_the_turn_passes_accounts_that_wait_for_later_however_many_there_are(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    queue(landlord, "mail", 50)
    clock.forward(minutes=1)
    for _ in range(LOOKED_AT_ONCE + 1):
        queue(Landlord(database, clock), "mail", due_at=clock() + timedelta(days=1))
    last = Landlord(database, clock)
    queue(last, "mail")
    after, taken = "", []
    for _ in range(4):
        claim = database.write(lambda tx, after=after: job_runs.claim(tx, "mail", TERMS, places=1, after=after))
        after = claim.after
        taken += [row.account_id for row in claim.taken]

    assert last.account.id in taken
    assert after in {landlord.account.id, last.account.id}, "and then it begins anew"


def test_a_process_takes_no_more_than_it_has_places_for_however_many_of_its_threads_ask_at_once(
    landlord: Landlord, database: Database
) -> None:
    queue(landlord, "mail", 40)
    runs = runs_of(database, "mail", at_once=40)
    start = threading.Barrier(6)

    def ask() -> None:
        start.wait()
        for _ in range(3):
            runs.claim(5)

    askers = [threading.Thread(target=ask) for _ in range(6)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert runs.number == 5
    assert runs.claim(5) == []


class Hanging:
    """A database that keeps readers waiting until `go_on` is set."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.clock, self.write = database.clock, database.write
        self.asked, self.go_on = threading.Event(), threading.Event()

    def read(self, work: Callable[[Tx], Result]) -> Result:
        self.asked.set()
        assert self.go_on.wait(20)
        return self._database.read(work)


def test_leases_are_extended_while_a_claim_waits_for_the_database(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    queue(landlord, "mail", 2)
    hanging = Hanging(database)
    waiting = Waiting()
    runs = Runs(hanging, [Kind("mail", "does it", waiting, at_once=2)], threading.Event())
    hanging.go_on.set()
    run, doing = begun(runs, waiting.begun)
    hanging.go_on.clear()
    hanging.asked.clear()
    claiming = threading.Thread(target=runs.claim, args=(2,))
    claiming.start()
    assert hanging.asked.wait(20)
    clock.forward(seconds=30)
    beating = threading.Thread(target=runs.beat, daemon=True)
    beating.start()
    beating.join(5)
    beaten = not beating.is_alive()
    hanging.go_on.set()
    claiming.join(20)
    row = landlord.run(lambda tx: stored.find(tx, landlord.account.id, run.row.id))
    waiting.go_on.set()
    doing.join(20)
    assert beaten
    assert row is not None
    assert row.lease_until > run.row.lease_until
