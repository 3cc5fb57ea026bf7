"""Tests of the entries in an invoice's ledger.

They check the moment and day of each entry, how many entries there may be, and what is recorded about them.
"""

from datetime import date, timedelta

import pytest

from prorata.actions.audit import activity
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received, TakenBack
from prorata.domain.invoices.ledger import REFUND
from prorata.domain.limits import MOST_PAYMENT_ENTRIES
from prorata.errors import Conflict, InvalidRequest
from prorata.store.payments import payments as stored_payments
from tests.landlord import Landlord

TODAY = date(2026, 3, 10)
NOW = "2026-03-10T18:00:00.000Z"


@pytest.fixture
def sent(landlord: Landlord):
    """A sent invoice of $90.00."""
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "1"), "Ann", email="ann@example.org")
    landlord.bill(maple, 90_00)
    return landlord.set_status(maple, "1", "SENT").summary


def receive(landlord, invoice, amount, day=TODAY, **more):
    return landlord.do(payments.receive, invoice.id, Received(amount, day, **more))


def rows(landlord, invoice):
    return landlord.read(stored_payments.of_invoices, [invoice.id])


def test_an_entry_is_of_the_moment_that_the_provider_says_else_of_now_or_noon_of_its_day(landlord, sent):
    receive(landlord, sent, 1_00)
    receive(landlord, sent, 2_00, TODAY - timedelta(days=1))
    said = "2026-03-09T07:08:09.000Z"
    entry = receive(landlord, sent, 3_00, TODAY - timedelta(days=1), provider="sandbox", source="sandbox:1", at=said)
    back = TakenBack(day=TODAY - timedelta(days=1), provider="sandbox", source="sandbox:2", at=said)
    landlord.do(payments.take_back, sent.id, entry, back)
    landlord.do(payments.take_back, sent.id, rows(landlord, sent)[0].id)
    assert [row.at for row in rows(landlord, sent)] == [NOW, "2026-03-09T12:00:00.000Z", said, said, NOW]
    assert [row.kind for row in rows(landlord, sent)][3:] == ["REVERSAL", "REVERSAL"]


def test_a_day_to_come_is_believed_of_a_provider_alone(landlord, sent):
    tomorrow = TODAY + timedelta(days=1)
    with pytest.raises(InvalidRequest):
        receive(landlord, sent, 1_00, tomorrow)
    entry = receive(landlord, sent, 1_00, tomorrow, provider="sandbox", source="sandbox:1")
    with pytest.raises(InvalidRequest) as refused:
        landlord.do(payments.take_back, sent.id, entry, TakenBack(day=tomorrow, note="x" * 501))
    assert [problem.field for problem in refused.value.problems] == ["date", "note"]
    assert len(rows(landlord, sent)) == 1
    landlord.do(payments.take_back, sent.id, entry, TakenBack(day=tomorrow, provider="sandbox", source="sandbox:2"))
    assert [row.day for row in rows(landlord, sent)] == ["2026-03-11", "2026-03-11"]
    with pytest.raises(InvalidRequest):
        receive(landlord, sent, 1_00, date(1999, 12, 31), provider="sandbox", source="sandbox:3")


@pytest.mark.thorough
def test_a_ledger_has_at_most_so_many_entries(landlord, sent):
    many = [(sent.id, Received(1, TODAY)) for _ in range(MOST_PAYMENT_ENTRIES)]
    ids = landlord.do(payments.receive_many, many)
    for entering in (
        lambda: receive(landlord, sent, 1),
        lambda: landlord.do(payments.take_back, sent.id, ids[0]),
    ):
        with pytest.raises(Conflict, match="at most"):
            entering()
    assert len(rows(landlord, sent)) == MOST_PAYMENT_ENTRIES


def test_each_entry_is_written_down_once_as_what_it_is(landlord, sent):
    def done():
        noted = landlord.see(activity.page, limit=50)
        return [(deed.says, [one.became for one in deed.changes if one.written == "money"]) for deed in noted]

    before = len(done())
    entry = receive(landlord, sent, 20_00)
    receive(landlord, sent, 5_00, kind=REFUND)
    landlord.do(payments.take_back, sent.id, rows(landlord, sent)[1].id)
    landlord.do(payments.take_back, sent.id, entry)
    assert done()[: len(done()) - before] == [
        (f"reversed a payment or refund of {sent.number}", [20_00]),
        (f"reversed a payment or refund of {sent.number}", [5_00]),
        (f"recorded a refund of {sent.number}", [5_00]),
        (f"recorded a payment of {sent.number}", [20_00]),
    ]


def test_what_taking_an_entry_back_does_is_said_before(landlord, sent):
    def said(entry):
        return payments.lost_with(*landlord.see(payments.find, sent.id, entry))

    first = receive(landlord, sent, 50_00)
    assert said(first).startswith("Do this if it was entered by mistake")
    second = receive(landlord, sent, 45_00)
    assert (
        said(second) == "The entry no longer counts, and the invoice stays paid only if the remaining entries cover it."
    )
    refund = receive(landlord, sent, 5_00, kind=REFUND)
    assert said(refund).startswith("Do this if it was entered by mistake")


def test_what_was_noted_goes_with_an_entry_that_is_taken_back(landlord):
    oak = landlord.property_("Oak")
    landlord.tenant(landlord.unit(oak, "1"), "Bo")
    landlord.bill(oak, 90_00)
    one = landlord.set_status(oak, "1", "SENT").summary
    entry = receive(landlord, one, 50_00)
    landlord.set_status(oak, "1", "PAID")
    found = landlord.see(payments.find, one.id, entry)
    assert payments.lost_with(*found).endswith("The amount noted by marking it as paid is removed too.")
    landlord.do(payments.take_back, one.id, entry)
    shown = landlord.see(payments.ledger, one.id)
    assert (shown.invoice.status, shown.invoice.paid_amount, shown.noted) == ("SENT", 0, 0)
