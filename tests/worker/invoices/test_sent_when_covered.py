"""An invoice that payments cover when it is sent is e-mailed and PAID at once.

If a program asks for SENT, the invoice is SENT instead.
"""

import json

import pytest

from prorata.actions.bulk import bulk
from prorata.actions.delivery import invoice_reviews
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.domain.delivery.invoice_steps import SEND
from prorata.domain.locale_forms import PLAIN
from prorata.store.overview import activity
from prorata.store.webhooks import event_feed
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.mailing import House


@pytest.fixture
def covered(house: House) -> House:
    """A house whose invoice was paid and is a draft again."""
    house.set_status("SENT")
    received = Received(house.invoice.total, house.clock().date())
    house.landlord.do(payments.receive, house.invoice.id, received)
    assert house.invoice.status == "PAID"
    house.set_status("DRAFT")
    house.clock.forward(hours=1)
    return house


def by_itself(house: House) -> None:
    house.landlord.do(invoice_reviews.take, house.invoice.id, SEND, PLAIN)


def in_bulk(house: House) -> None:
    assert house.landlord.do(bulk.begin, "send", [house.invoice.id]).numbers.changed == 1


def with_its_month(house: House) -> None:
    assert house.landlord.do(bulk.send_all, house.maple.id, "2026-02").numbers.changed == 1


def by_a_job(house: House) -> None:
    """Send the invoice with so many others that a job sends them."""
    house.landlord.do(bulk.begin, "send", [house.invoice.id] + [f"inv_{number:026}" for number in range(30)])
    house.work()


@pytest.mark.parametrize("send", [by_itself, in_bulk, with_its_month, by_a_job])
def test_a_covered_invoice_that_is_sent_is_paid_and_mailed(covered: House, send: object) -> None:
    assert callable(send)
    house, began = covered, len(written(covered))
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        send(house)
        row = house.invoice
        assert (row.status, row.payment_status, row.paid_amount) == ("PAID", "paid", row.total)
        assert row.paid_at is not None
        assert written(house)[began:] == [("set invoice SENT", "DRAFT", "SENT"), ("set invoice PAID", "SENT", "PAID")]
        assert told(house)[-2:] == [("invoice.status_changed", "PAID"), ("invoice.paid", "PAID")]
        month = house.landlord.month(house.maple)
        assert month is not None
        assert (month.draft, month.sent, month.paid, month.received) == (0, 0, 1, row.total)
        house.work(minutes=1)
        assert len(server.taken) == 1
    house.landlord.sound()


def test_a_program_that_asks_for_sent_gets_what_it_asks_for(covered: House) -> None:
    assert covered.set_status("SENT").status == "SENT"


def test_money_that_covers_less_leaves_an_invoice_sent(house: House) -> None:
    received = Received(house.invoice.total - 1, house.clock().date())
    house.landlord.do(payments.receive, house.invoice.id, received)
    in_bulk(house)
    assert house.invoice.status == "SENT"


def test_sending_what_is_covered_is_taken_back_as_a_whole(covered: House) -> None:
    before = covered.invoice
    done = covered.landlord.do(bulk.begin, "send", [before.id])
    covered.clock.forward(hours=1)
    undone = covered.landlord.do(bulk.undo, done.id)
    assert undone.numbers.changed == 1
    assert covered.invoice._replace(updated_at="") == before._replace(updated_at="")
    again = covered.landlord.do(bulk.undo, undone.id)
    assert (again.numbers.changed, covered.invoice.status) == (1, "PAID")


def test_what_was_marked_as_paid_since_it_was_sent_is_not_set_back_to_a_draft(house: House) -> None:
    in_bulk(house)
    (sent,) = house.landlord.see(bulk.latest, limit=1)
    house.clock.forward(hours=1)
    house.set_status("PAID")
    undone = house.landlord.do(bulk.undo, sent.id)
    assert (undone.numbers.refused, house.invoice.status) == (1, "PAID")


def written(house: House) -> list[tuple[str, str, str]]:
    """The changes of the invoice's status, oldest first.

    Each has the verb, and the status before and after.
    """
    rows = house.landlord.read(activity.page, record=house.invoice.id, limit=50)
    changes = [row for row in reversed(rows) if row.verb.startswith("set invoice")]
    return [(row.verb, json.loads(row.before)["status"], json.loads(row.after)["status"]) for row in changes]


def told(house: House) -> list[tuple[str, str]]:
    house.landlord.run(lambda tx: event_feed.count_some(tx, house.landlord.account.id))
    types = ("invoice.status_changed", "invoice.paid")
    rows = house.landlord.read(event_feed.page, after=0, types=types, limit=100)
    return [(row.type, json.loads(row.content)["status"]) for row in rows]
