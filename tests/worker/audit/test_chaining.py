"""The worker chains the entries of every account's audit log.

It does so after they were written, and includes entries from before there was a chain.
"""

import threading

from prorata.actions.audit import chaining as audit_chains
from prorata.actions.overview.consistency_checks import check
from prorata.store import migrations
from prorata.store.audit import chains as stored
from prorata.store.database.engine import Database
from prorata.worker.audit_chaining import chain
from prorata.worker.rounds import CHAINED_EVERY, Worker
from tests.landlord import Landlord, MovableClock, opened
from tests.store.database.test_migrations import AFTER_OLDER, fill_older


def numbers(landlord: Landlord) -> list[int]:
    found = landlord.read(stored.entries, after=0, last=10**9, limit=10**6)
    return [entry.link.number for entry in found]


def test_a_round_of_a_worker_chains_what_was_done_in_every_account(
    database: Database, landlord: Landlord, clock: MovableClock
) -> None:
    other = Landlord(database, clock, name="other")
    landlord.property_()
    worker = Worker(database, lambda: 0, ())
    worker.do_round(threading.Event())
    assert (numbers(landlord), numbers(other)) == ([1, 2], [1])
    landlord.property_("Elm")
    worker.do_round(threading.Event())
    assert numbers(landlord) == [1, 2], "it looks again after a while"
    clock.forward(seconds=CHAINED_EVERY.total_seconds())
    worker.do_round(threading.Event())
    assert numbers(landlord) == [1, 2, 3]
    other.sound()


def test_a_long_log_is_chained_in_pieces_and_whoever_stops_the_worker_waits_for_one(landlord: Landlord) -> None:
    landlord.property_()
    stopped = threading.Event()
    stopped.set()
    assert not chain(landlord.database, stopped)
    assert numbers(landlord) == []
    assert not chain(landlord.database, threading.Event(), seconds=-1), "its time is over, and there is more"
    assert chain(landlord.database, threading.Event())
    assert numbers(landlord) == [1, 2]


def test_the_chain_of_an_older_program_goes_on_after_an_upgrade(database_url: str) -> None:
    fill_older(database_url)
    migrations.upgrade(database_url)
    with opened(database_url, MovableClock(AFTER_OLDER)) as database:
        assert chain(database, threading.Event())
        assert database.read(audit_chains.behind) == []
        assert list(check(database)) == []
