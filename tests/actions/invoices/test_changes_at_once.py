"""Several status changes made in one piece of work have the results of single changes."""

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime

import pytest

from prorata.actions.invoices import invoices
from prorata.actions.webhooks import deliveries as webhook_deliveries
from prorata.domain.invoice_states import STATUSES
from prorata.errors import NotFound
from prorata.ids import IdSource
from prorata.store.database.engine import Database, Tx
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow
from prorata.store.webhooks import event_feed
from tests.landlord import Landlord, MovableClock

MONTHS = ("2026-01", "2026-02")
WITHOUT_IDS = dict.fromkeys(("account_id", "id", "property_id", "unit_id", "tenant_id"), "")
Change = tuple[str, str, str, str]
"""The property, the month and the unit of an invoice, and the status it is to have."""


class Street:
    """A landlord with two properties of three units each, and bills for two months."""

    def __init__(self, database: Database, clock: MovableClock, name: str) -> None:
        self.landlord = Landlord(database, clock, name=name)
        self.houses = {one: self.landlord.property_(one) for one in ("Maple Court", "Elm Court")}
        for house in self.houses.values():
            first, second, _ = self.landlord.units(house, "1", "2", "3")
            self.landlord.tenant(first, "Ann", email="ann@example.org")
            self.landlord.tenant(second, "Ben")
            for number in (1, 2):
                self.landlord.bill(house, 100_01, on=date(2026, number, 20))

    def invoice(self, house: str, month: str, unit: str) -> str:
        return self.landlord.invoices(self.houses[house], month)[unit].summary.id

    def one_by_one(self, changes: Sequence[Change]) -> None:
        for *of, status in changes:
            self.landlord.do(invoices.set_status, self.invoice(*of), status)

    def at_once(self, changes: Sequence[Change]) -> int:
        """Make the changes in one piece of work, and the rest one by one.

        Return how many were made in the one piece of work.
        """
        wanted = [(self.invoice(*of), status) for *of, status in changes]
        said = self.landlord.do(invoices.set_together, wanted)
        for (invoice_id, status), answer in zip(wanted, said, strict=True):
            if answer is None:
                self.landlord.do(invoices.set_status, invoice_id, status)
            else:
                assert answer == self.landlord.see(invoices.find, invoice_id) or invoice_id in again(wanted)
        return sum(answer is not None for answer in said)

    def became(self) -> list[object]:
        """Return the invoices with their months and counts, and the types of the events.

        Ids are left out.
        """
        landlord = self.landlord
        landlord.run(lambda tx: webhook_deliveries.count(tx, landlord.account.id))
        found: list[object] = [landlord.see(invoices.counts, {})]
        found += sorted(event.type for event in landlord.read(event_feed.page, after=0, types=(), limit=1_000))
        for house in self.houses.values():
            for month in MONTHS:
                row = landlord.month(house, month)
                assert row is not None
                found.append(row._replace(account_id="", property_id="", snapshot=str(row.is_closed)))
                for _, shown in sorted(landlord.invoices(house, month).items()):
                    stored = landlord.read(stored_invoices.find, shown.summary.id)
                    assert stored is not None
                    is_printed = str(stored.printed is not None)
                    found.append(stored._replace(**WITHOUT_IDS, printed=is_printed))
        return found


def again(wanted: Sequence[tuple[str, str]]) -> set[str]:
    """The ids of invoices that are changed more than once."""
    ids = [invoice_id for invoice_id, _ in wanted]
    return {one for one in ids if ids.count(one) > 1}


@pytest.mark.parametrize("seed", range(8))
def test_changes_at_once_come_to_what_they_come_to_one_by_one(
    database: Database, clock: MovableClock, seed: int
) -> None:
    chance = random.Random(seed)
    together, apart = Street(database, clock, "together"), Street(database, clock, "apart")
    made = 0
    for _ in range(6):
        clock.forward(hours=7)
        changes = [
            (
                chance.choice(sorted(apart.houses)),
                chance.choice(MONTHS),
                chance.choice("123"),
                chance.choice([*STATUSES, "SENT", "PAID", "PAID", "OVERDUE"]),
            )
            for _ in range(8)
        ]
        apart.one_by_one(changes)
        made += together.at_once(changes)
        assert together.became() == apart.became()
    assert made > 5
    together.landlord.sound()
    apart.landlord.sound()


def test_what_opens_closes_or_computes_a_month_is_left_to_be_done_by_itself(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    landlord.bill(maple, 90_00)
    one, two = (shown.summary.id for _, shown in sorted(landlord.invoices(maple).items()))
    assert landlord.do(invoices.set_together, [(one, "SENT"), (two, "CANCELLED")]) == [None, None]
    assert landlord.statuses(maple) == {"1": "DRAFT", "2": "DRAFT"}
    landlord.set_status(maple, "1", "SENT")
    (paid, twice, draft) = landlord.do(invoices.set_together, [(one, "PAID"), (one, "DRAFT"), (two, "DRAFT")])
    assert paid == landlord.see(invoices.find, one)
    assert (twice, draft) == (None, None)
    assert landlord.statuses(maple) == {"1": "PAID", "2": "DRAFT"}


def test_an_invoice_that_is_not_there_or_another_account_s_keeps_no_other_from_being_changed(
    landlord: Landlord, database: Database, clock: MovableClock
) -> None:
    other = Landlord(database, clock, name="other")
    ids = []
    for owner in (landlord, other):
        maple = owner.property_()
        owner.unit(maple, "1")
        owner.bill(maple, 90_00)
        ids.append(owner.set_status(maple, "1", "SENT").summary.id)
    mine, theirs = ids
    wanted = [(IdSource()("inv", 1), "PAID"), (theirs, "PAID"), ("inv_1", "PAID"), (mine, "PAID"), (mine, "SENT")]
    said = landlord.do(invoices.set_together, wanted)
    assert [type(one) for one in said] == [NotFound] * 3 + [invoices.ShownInvoice, type(None)]
    assert other.see(invoices.find, theirs).summary.status == "SENT"
    assert landlord.see(invoices.find, mine).summary.status == "PAID"


def test_what_is_of_a_property_that_somebody_else_changes_is_not_waited_for(
    landlord: Landlord, database: Database
) -> None:
    if database.dialect == "sqlite":  # where one writes at a time
        return
    houses = [landlord.property_(name) for name in ("Maple Court", "Elm Court")]
    for house in houses:
        landlord.unit(house, "1")
        landlord.bill(house, 90_00)
        landlord.set_status(house, "1", "SENT")
    busy, free = (landlord.invoices(house)["1"].summary.id for house in houses)
    with being_changed(database, landlord, houses[0]):
        said = landlord.do(invoices.set_together, [(busy, "PAID"), (free, "PAID")])
    assert [one and one.summary.status for one in said] == [None, "PAID"]
    assert landlord.statuses(houses[0]) == {"1": "SENT"}


@contextmanager
def being_changed(database: Database, landlord: Landlord, house: PropertyRow) -> Iterator[None]:
    """Keep a property locked, as if somebody else were changing it."""
    locked, released = threading.Event(), threading.Event()

    def change(tx: Tx) -> None:
        properties.lock(tx, landlord.account.id, house.id)
        locked.set()
        assert released.wait(20)

    changing = threading.Thread(target=database.write, args=(change,))
    changing.start()
    try:
        assert locked.wait(20)
        yield
    finally:
        released.set()
        changing.join()


def test_a_further_invoice_of_an_open_month_is_left_to_be_set_by_itself(
    landlord: Landlord, clock: MovableClock
) -> None:
    clock.moment = datetime(2026, 4, 10, 9, tzinfo=UTC)
    of = landlord.property_()
    one = landlord.unit(of, "1")
    landlord.tenant(one, "Ann", move_in="2026-01-01", move_out="2026-03-14", email="ann@example.org")
    landlord.tenant(one, "Eve", move_in="2026-03-15", email="eve@example.org")
    landlord.bill(of, 310_00, on=date(2026, 3, 20))
    anns = landlord.set_status(of, "1.1", "SENT", "2026-03").summary.id
    assert landlord.do(invoices.set_together, [(anns, "PAID")]) == [None]
    landlord.do(invoices.set_status, anns, "PAID")
    landlord.sound()
