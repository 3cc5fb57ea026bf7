"""Events can be read from any sequence number, however many one change wrote together."""

import threading
from collections.abc import Sequence

import pytest

from prorata.domain.webhooks.events import EventType
from prorata.store.database.engine import Database, Tx
from prorata.store.webhooks import event_feed, event_outbox
from prorata.worker.rounds import Worker
from tests.landlord import Landlord, MovableClock

SIZES = (1, 7, 1, 1, 12, 3, 1, 30, 2)
KINDS: tuple[EventType, ...] = ("invoice.created", "bill.created", "invoice.sent")


def tell(tx: Tx, account_id: str) -> None:
    """Write batches of several sizes, each of another type than the one before."""
    rows = []
    for place, size in enumerate(SIZES):
        said = [(f"inv_{place}_{number}", b'{"id": "%d %d"}' % (place, number)) for number in range(size)]
        rows.append(event_outbox.batch(tx, account_id, KINDS[place % len(KINDS)], None, said))
    event_outbox.add(tx, rows)
    event_feed.count_some(tx, account_id)


def leafed(landlord: Landlord, limit: int, types: Sequence[str] = ()) -> list[event_feed.EventRow]:
    """All events, read page by page."""
    found: list[event_feed.EventRow] = []
    while True:
        after = found[-1].sequence if found else 0
        page = landlord.database.read(
            lambda tx: event_feed.page(tx, landlord.account.id, after=after, types=types, limit=limit)  # noqa: B023
        )
        assert len(page) <= limit
        if not page:
            return found
        found += page


@pytest.mark.parametrize("types", [(), KINDS[:1], KINDS[1:]])
@pytest.mark.parametrize("limit", [1, 5, 100])
def test_pages_of_any_size_hold_each_event_once_in_order(landlord: Landlord, limit: int, types: Sequence[str]) -> None:
    landlord.run(lambda tx: tell(tx, landlord.account.id))
    found = leafed(landlord, limit, types)
    places = [place for place in range(len(SIZES)) if not types or KINDS[place % len(KINDS)] in types]
    assert [one.content for one in found] == [
        b'{"id": "%d %d"}' % (place, number) for place in places for number in range(SIZES[place])
    ]
    if not types:
        assert [one.sequence for one in found] == list(range(1, sum(SIZES) + 1))


def test_a_page_opens_no_batch_that_it_does_not_need(landlord: Landlord) -> None:
    def spoil_the_last(tx: Tx) -> None:
        tell(tx, landlord.account.id)
        spoiled = event_outbox.batch(
            tx, landlord.account.id, "bill.created", None, [("bill_1", b"{}"), ("bill_2", b"{}")]
        )
        event_outbox.add(tx, [spoiled._replace(content=b"neither JSON nor deflated")])
        event_feed.count_some(tx, landlord.account.id)

    landlord.run(spoil_the_last)
    page = landlord.database.read(
        lambda tx: event_feed.page(tx, landlord.account.id, after=0, types=(), limit=sum(SIZES))
    )
    assert len(page) == sum(SIZES)


def test_an_account_whose_events_do_not_end_keeps_no_others_from_being_counted(
    database: Database, clock: MovableClock
) -> None:
    first, *others = sorted((Landlord(database, clock) for _ in range(3)), key=lambda one: one.account.id)
    for other in others:
        other.property_()

    class EndsSometime(threading.Event):
        """A stop signal that comes late.

        Whenever the worker checks it, the first account writes another event.
        """

        asked = 0

        def is_set(self) -> bool:
            first.property_()
            self.asked += 1
            return self.asked > 20

    Worker(database, lambda: 0, ()).do_round(EndsSometime())
    assert [other.read(event_feed.last_sequence) for other in others] == [1, 1]


@pytest.mark.thorough
def test_new_invoices_of_a_large_house_are_told_in_several_batches(landlord: Landlord) -> None:
    house = landlord.property_()
    landlord.units(house, *(str(number) for number in range(1, 602)))
    landlord.bill(house, 6_010_00)

    while landlord.run(lambda tx: event_feed.count_some(tx, landlord.account.id)):
        pass
    last = landlord.read(event_feed.last_sequence)
    made = [one for one in leafed(landlord, last) if one.type == "invoice.created"]
    assert len({one.id.rpartition("_")[0] for one in made}) == 2
    assert len(made) == 601
