"""Undoing a bulk change restores the invoices, including their dates.

Nobody is sent the same message twice.
"""

from datetime import date

import pytest

from prorata.actions.bulk import bulk
from prorata.actions.bulk.bulk import ShownBulk
from prorata.actions.invoices import invoices
from prorata.domain.bulk.bulk import CHARGES_DIFFER, Numbers
from prorata.store.invoices.invoices import InvoiceSummary
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.mailing import House


def begin(house: House, verb: str) -> ShownBulk:
    done = house.landlord.do(bulk.begin, verb, [house.invoice.id])
    assert done.numbers == Numbers(changed=1)
    return done


def undo(house: House, done: ShownBulk) -> ShownBulk:
    return house.landlord.do(bulk.undo, done.id)


def looks(invoice: InvoiceSummary) -> InvoiceSummary:
    """An invoice without the time of its last change."""
    return invoice._replace(updated_at="")


@pytest.mark.parametrize("verb", ["cancel", "reopen"])
@pytest.mark.parametrize("status", ["SENT", "OVERDUE", "PAID"])
def test_an_invoice_that_was_sent_is_as_it_was_and_is_not_sent_again(house: House, verb: str, status: str) -> None:
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
        if status == "OVERDUE":
            house.work(days=20)
        elif status == "PAID":
            house.landlord.clock.forward(days=2)
            house.set_status("PAID")
        house.landlord.clock.forward(days=5)
        before = looks(house.invoice)
        assert before.status == status

        done = begin(house, verb)
        assert looks(house.invoice) != before
        house.landlord.clock.forward(days=1)
        undone = undo(house, done)

        assert undone.numbers == Numbers(changed=1)
        assert looks(house.invoice) == before
        house.work()
        assert len(house.messages()) == len(server.taken)
        assert [one.kind for one in house.messages()].count("invoice") == 1
        assert "again" not in [one.kind for one in house.messages()]


@pytest.mark.parametrize("verb", ["cancel", "reopen", "mark paid"])
def test_a_message_that_had_not_left_waits_again(house: House, verb: str) -> None:
    house.wishes(hold=30)
    house.set_status("SENT")

    done = begin(house, verb)
    assert house.invoice.delivery is None
    undo(house, done)

    assert (house.invoice.status, house.invoice.delivery) == ("SENT", "queued")
    house.work(minutes=31)
    assert len(house.outbox()) == 1


def test_an_undone_undo_sends_nothing_again_either(house: House) -> None:
    house.set_status("SENT")
    house.work()
    sent = looks(house.invoice)

    undone = undo(house, begin(house, "cancel"))
    again = undo(house, undone)
    assert again.numbers == Numbers(changed=1)
    assert house.invoice.status == "CANCELLED"
    undo(house, again)

    house.work(minutes=1)
    assert looks(house.invoice) == sent
    assert len(house.outbox()) == 1


@pytest.mark.parametrize("verb", ["cancel", "reopen"])
def test_what_charges_something_else_by_now_is_left_as_a_draft(house: House, verb: str) -> None:
    house.set_status("SENT")
    house.work()
    done = begin(house, verb)
    house.landlord.bill(house.maple, 30_00, "GAS", date(2026, 2, 21))

    undone = undo(house, done)

    assert undone.numbers == Numbers(refused=1)
    assert undone.refused[0].why == CHARGES_DIFFER
    assert (house.invoice.status, house.invoice.total) == ("DRAFT", 150_50)
    house.work(minutes=1)
    assert len(house.outbox()) == 1


def test_a_charge_added_to_a_draft_is_not_taken_for_what_was_sent(house: House) -> None:
    house.set_status("SENT")
    house.work()
    done = begin(house, "reopen")
    house.landlord.do(invoices.add_custom_charge, house.invoice.id, "Key", 5_00)

    assert undo(house, done).refused[0].why == CHARGES_DIFFER
    assert house.invoice.status == "DRAFT"
