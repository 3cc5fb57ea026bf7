"""An invoice counts as paid since the moment when its ledger covered it.

Whatever else was noted, taken back or undone in the meantime makes no difference.
"""

import random
from contextlib import suppress
from datetime import date, timedelta

import pytest

from prorata.actions.bulk import bulk
from prorata.actions.invoices import invoices
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.domain.invoice_states import STATUSES
from prorata.domain.invoices.ledger import PAYMENT, REFUND, REVERSAL
from prorata.errors import Conflict, InvalidRequest
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties.properties import PropertyRow
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    """A unit with a tenant, and $45.00 of water for February."""
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "1"), "Ann", email="ann@example.org")
    landlord.bill(maple, 45_00)
    return maple


class Paying:
    """The actions that people can take on one invoice of a property."""

    def __init__(self, landlord: Landlord, maple: PropertyRow) -> None:
        self.landlord, self.maple = landlord, maple
        self.id = landlord.invoices(maple)["1"].summary.id

    @property
    def row(self) -> InvoiceRow:
        found = self.landlord.read(stored_invoices.find, self.id)
        assert found is not None
        return found

    def enter(self, cents: int, day: date, kind: str = PAYMENT, *, in_place: bool = False) -> str:
        received = Received(cents, day, kind=kind, in_place_of_noted=in_place)
        return self.landlord.do(payments.receive, self.id, received)

    def set(self, status: str) -> None:
        self.landlord.set_status(self.maple, "1", status)

    def changed(self, verb: str) -> str:
        return self.landlord.do(bulk.begin, verb, [self.id]).id


def test_what_was_marked_as_paid_and_paid_after_all_was_paid_when_the_money_came(
    landlord: Landlord, maple: PropertyRow
) -> None:
    paying = Paying(landlord, maple)
    paying.set("PAID")
    marked_at = paying.row.paid_at
    paying.enter(45_00, date(2026, 3, 1))
    assert (paying.row.paid_by_status, paying.row.paid_at) == (45_00, marked_at)
    paying.set("SENT")
    assert (paying.row.payment_status, paying.row.paid_at) == ("paid", "2026-03-01T12:00:00.000Z")


def test_what_is_set_back_as_before_was_paid_when_the_money_of_now_came(landlord: Landlord, maple: PropertyRow) -> None:
    paying = Paying(landlord, maple)
    paying.set("SENT")
    entry = paying.enter(45_00, date(2026, 3, 1))
    done = paying.changed("reopen")
    landlord.do(payments.take_back, paying.id, entry)
    paying.enter(45_00, date(2026, 3, 5))
    landlord.do(bulk.undo, done)
    assert (paying.row.status, paying.row.paid_at) == ("PAID", "2026-03-05T12:00:00.000Z")


def test_a_mark_that_is_set_back_as_before_is_of_when_it_was_made(landlord: Landlord, maple: PropertyRow) -> None:
    paying = Paying(landlord, maple)
    paying.set("PAID")
    marked_at = paying.row.paid_at
    landlord.clock.forward(days=2)
    done = paying.changed("reopen")
    landlord.clock.forward(days=2)
    landlord.do(bulk.undo, done)
    assert (paying.row.status, paying.row.paid_by_status, paying.row.paid_at) == ("PAID", 45_00, marked_at)


def test_what_is_set_back_as_before_and_has_lost_its_money_meanwhile_is_not_paid(
    landlord: Landlord, maple: PropertyRow
) -> None:
    paying = Paying(landlord, maple)
    entry = paying.enter(45_00, date(2026, 3, 1))
    assert (paying.row.status, paying.row.paid_at) == ("DRAFT", "2026-03-01T12:00:00.000Z")
    done = paying.changed("cancel")
    landlord.do(payments.take_back, paying.id, entry)
    landlord.do(bulk.undo, done)
    assert (paying.row.status, paying.row.payment_status, paying.row.paid_at) == ("DRAFT", "pending", None)


@pytest.mark.parametrize("cents", [44_99, 45_00])
def test_what_is_sent_in_a_bulk_change_and_covered_is_paid_since_its_money_came(
    landlord: Landlord, maple: PropertyRow, cents: int
) -> None:
    paying = Paying(landlord, maple)
    paying.enter(cents, date(2026, 3, 1))
    landlord.clock.forward(days=2)
    paying.changed("send")
    is_paid = cents == 45_00
    assert paying.row.status == ("PAID" if is_paid else "SENT")
    assert paying.row.paid_at == ("2026-03-01T12:00:00.000Z" if is_paid else None)
    assert (paying.row.paid_by_status, paying.row.invoice_date) == (0, "2026-03-12")


def test_what_a_person_sets_to_sent_is_sent_though_its_money_came(landlord: Landlord, maple: PropertyRow) -> None:
    paying = Paying(landlord, maple)
    paying.enter(45_00, date(2026, 3, 1))
    paying.set("SENT")
    assert (paying.row.status, paying.row.payment_status) == ("SENT", "paid")


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_done_with_an_invoice_in_whatever_order_what_is_stored_of_it_is_sound(
    landlord: Landlord, maple: PropertyRow, seed: int
) -> None:
    """`prorata check` finds nothing after each step; a refused step changes nothing."""
    paying, chance = Paying(landlord, maple), random.Random(seed)
    done: list[str] = []

    def enter() -> None:
        day = landlord.clock().date() - timedelta(days=chance.randint(0, 9))
        paying.enter(chance.choice((45_00, 20_00, 5_00)), day, in_place=chance.random() < 0.3)

    def refund() -> None:
        paying.enter(chance.choice((45_00, 5_00)), landlord.clock().date(), REFUND)

    def take_back() -> None:
        rows = landlord.see(payments.ledger, paying.id).entries
        void = {row.reverses for row in rows}
        if left := [row.id for row in rows if row.kind != REVERSAL and row.id not in void]:
            landlord.do(payments.take_back, paying.id, chance.choice(left))

    def charge() -> None:
        landlord.do(invoices.add_custom_charge, paying.id, "Key", chance.choice((-60_00, -10_00, 10_00)))

    def begin() -> None:
        done.append(paying.changed(chance.choice(("send", "mark paid", "reopen", "cancel"))))

    def undo() -> None:
        landlord.do(bulk.undo, done[-1])

    def set_status() -> None:
        paying.set(chance.choice(STATUSES))

    steps = [enter, enter, refund, take_back, charge, begin, undo, set_status, set_status]
    for _ in range(30):
        landlord.clock.forward(hours=chance.choice((1, 30)))
        with suppress(Conflict, InvalidRequest, IndexError):
            chance.choice(steps)()
        landlord.sound()
