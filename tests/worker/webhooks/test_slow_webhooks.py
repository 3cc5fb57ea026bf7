"""Tests of slow receivers of webhooks.

They are separate from the quick ones and take turns, and two jobs never send to one of them at once.
"""

import threading
import time

import pytest

from prorata.actions.webhooks import deliveries as webhook_deliveries, webhooks
from prorata.actions.webhooks.deliveries import QUICK, SLOW
from prorata.domain.webhooks.webhooks import QUICK_IN_A_ROW, Posted
from prorata.store.database.engine import Database
from prorata.worker.rounds import Worker
from tests.landlord import Landlord, MovableClock
from tests.webhook_receiver import Receiver, waits
from tests.worker.hooked import Hooked, jobs_in


@pytest.mark.thorough
def test_a_slow_receiver_delays_no_quick_one(database: Database, clock: MovableClock) -> None:
    """The quick receiver gets its message in seconds; the six slow ones need a minute."""
    slow: list[Receiver] = [Receiver(waits(10.0)) for _ in range(6)]
    stop = threading.Event()
    with Receiver() as quick:
        for number, receiver in enumerate(slow):
            receiver.__enter__()
            theirs = Hooked(Landlord(database, clock, name=f"slow{number}"), clock)
            endpoint, _ = theirs.hook(receiver.url)
            theirs.put_among(endpoint, slow=True)
            theirs.landlord.property_()
        mine = Hooked(Landlord(database, clock), clock)
        mine.hook(quick.url)
        worker = Worker(database, lambda: 0, mine.kinds, seconds_to_finish=0.1)
        running = threading.Thread(target=worker.run, args=(stop, 0.05))
        running.start()
        try:
            for name in ("Maple Court", "Elm Court", "Oak Court"):
                began = time.monotonic()
                number = len(quick.got)
                mine.landlord.property_(name)
                while len(quick.got) == number:
                    assert time.monotonic() - began < 5, "it waited for others"
                    time.sleep(0.01)
        finally:
            stop.set()
            running.join()
            for receiver in slow:
                receiver.__exit__()


@pytest.mark.parametrize(
    ("took", "is_slow"),
    [
        ([5.0, *[0.1] * QUICK_IN_A_ROW], [True] * QUICK_IN_A_ROW + [False]),
        ([5.0, 0.1, 5.0, *[0.1] * QUICK_IN_A_ROW], [True] * (2 + QUICK_IN_A_ROW) + [False]),
        ([0.1, 0.1], [False, False]),
    ],
)
def test_an_endpoint_that_answers_late_is_among_the_slow_ones_until_it_was_quick_for_a_while(
    landlord: Landlord, clock: MovableClock, took: list[float], is_slow: list[bool]
) -> None:
    seconds = iter(took)
    hooked = Hooked(landlord, clock, lambda *_: Posted(204, "", next(seconds)))
    endpoint, _ = hooked.hook("http://127.0.0.1:9/")
    found = []
    for number in range(len(took)):
        landlord.property_(f"House {number}")
        hooked.work()
        found.append(bool(hooked.endpoint(endpoint).is_slow))
    assert found == is_slow


def test_a_new_endpoint_has_no_quick_ones_place_before_it_has_answered_quickly(
    landlord: Landlord, clock: MovableClock
) -> None:
    """Otherwise, three endpoints that never answer would hold every quick place.

    They would hold it again each time they are made anew or changed.
    """
    took = {"http://127.0.0.1:9/slow": 15.0, "http://127.0.0.1:9/quick": 0.1}
    hooked = Hooked(landlord, clock, lambda url, *_: Posted(None, "No answer.", took[url]))

    slow, quick = (hooked.hook(url, is_new=True)[0] for url in took)
    landlord.property_()
    for _ in range(3):
        hooked.work(seconds=6)
    assert {row.kind for row in jobs_in(landlord, "done")} == {SLOW}
    assert [bool(hooked.endpoint(one).is_slow) for one in (slow, quick)] == [True, False]
    landlord.do(webhooks.change, quick, description="Bookkeeping")
    assert not hooked.endpoint(quick).is_slow
    landlord.do(webhooks.change, quick, url="http://127.0.0.1:9/other")
    assert hooked.endpoint(quick).is_slow


@pytest.mark.parametrize("status", [204, 410])
def test_an_answer_of_a_former_address_says_nothing_of_the_one_that_took_its_place(
    landlord: Landlord, clock: MovableClock, status: int
) -> None:
    posted: list[str] = []

    def post(url: str, *_: object) -> Posted:
        posted.append(url)
        if url.endswith("/former"):
            landlord.do(webhooks.change, endpoint, url="http://127.0.0.1:9/other")
        return Posted(status if url.endswith("/former") else 204, "", 0.1)

    hooked = Hooked(landlord, clock, post)
    endpoint, _ = hooked.hook("http://127.0.0.1:9/former")
    landlord.units(landlord.property_(), "1", "2")
    hooked.work()
    assert posted == ["http://127.0.0.1:9/former"], "what follows is not for it any more"
    row = hooked.endpoint(endpoint)
    assert (row.state, bool(row.is_slow)) == ("on", True)
    hooked.work(minutes=10)
    hooked.work(minutes=10)
    assert set(posted[1:]) == {"http://127.0.0.1:9/other"}
    assert {one.state for one in hooked.log(endpoint)} == {"delivered"}
    assert not hooked.endpoint(endpoint).is_slow


def test_a_job_ends_where_its_endpoint_became_slow_and_one_of_the_slow_goes_on(
    landlord: Landlord, clock: MovableClock
) -> None:
    """Otherwise, two jobs would send to the endpoint at once.

    The first job would go on, and a new event would wake another.
    """
    posted: list[object] = []

    def post(*_: object) -> Posted:
        posted.append(_)
        return Posted(204, "", 5.0)

    hooked = Hooked(landlord, clock, post)
    endpoint, _ = hooked.hook("http://127.0.0.1:9/")
    landlord.units(landlord.property_(), "1", "2")
    hooked.work()
    assert len(posted) == 1
    assert [row.kind for row in jobs_in(landlord, "done")] == [QUICK]
    assert landlord.read(webhook_deliveries.next_to_send, endpoint, kind=QUICK) is None
    due = landlord.read(webhook_deliveries.next_to_send, endpoint, kind=SLOW)
    assert due is not None
    assert [one.event.sequence for one in due.to_send] == [2, 3]
    hooked.work(seconds=16)
    assert len(posted) == 3
    assert sorted(row.kind for row in jobs_in(landlord, "done")) == [QUICK, SLOW]
    assert [(row.sequence, row.attempts) for row in hooked.log(endpoint)] == [(1, 1), (2, 1), (3, 1)]


def test_a_job_among_the_slow_ends_where_its_endpoint_is_quick_again(landlord: Landlord, clock: MovableClock) -> None:
    seconds = iter([5.0, *[0.1] * (QUICK_IN_A_ROW + 2)])
    hooked = Hooked(landlord, clock, lambda *_: Posted(204, "", next(seconds)))
    endpoint, _ = hooked.hook("http://127.0.0.1:9/")
    landlord.property_()
    hooked.work()
    landlord.units(landlord.property_("Elm Court"), *map(str, range(QUICK_IN_A_ROW + 1)))
    hooked.work()
    hooked.work(seconds=1)
    assert sorted(row.kind for row in jobs_in(landlord, "done")) == [QUICK, QUICK, SLOW]
    assert {(row.state, row.attempts) for row in hooked.log(endpoint)} == {("delivered", 1)}
    assert len(hooked.log(endpoint)) == QUICK_IN_A_ROW + 3


def test_slow_endpoints_of_one_account_have_one_place_and_take_turns(landlord: Landlord, clock: MovableClock) -> None:
    posted: list[str] = []

    def post(url: str, *_: object) -> Posted:
        posted.append(url)
        return Posted(204, "", 5.0)

    hooked = Hooked(landlord, clock, post)
    urls = [f"http://127.0.0.1:9/{number}" for number in range(3)]
    for url in urls:
        endpoint, _ = hooked.hook(url)
        hooked.put_among(endpoint, slow=True)
    landlord.property_()
    landlord.run(lambda tx: webhook_deliveries.count(tx, landlord.account.id))
    assert landlord.run(webhook_deliveries.queue) == 3
    assert len(jobs_in(landlord, "waiting")) == 1, "one of them has the place"
    for _ in range(4):
        hooked.work(seconds=6)
    assert sorted(posted) == urls
    assert jobs_in(landlord, "waiting") == []
