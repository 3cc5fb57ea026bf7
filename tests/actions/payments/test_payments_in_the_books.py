"""Rows of a bank statement may be for money that was already entered.

Prorata asks about such rows, and never records them by itself.
"""

from datetime import date

import pytest

from prorata.actions.payments import files as payment_files, payments, recording as payment_recording
from prorata.actions.payments.payments import Received
from prorata.actions.payments.picks import Picks, mark_of
from prorata.domain.files.sheets import Sheet
from tests.landlord import Landlord

HEADER = ("Date", "Amount", "Payer", "Description")


@pytest.fixture
def maple(landlord: Landlord):
    """A unit whose tenant owes $45.00 for February."""
    maple = landlord.property_()
    landlord.tenant(landlord.unit(maple, "1"), "Ann Lee", email="ann@example.org")
    landlord.bill(maple, 45_00)
    landlord.set_status(maple, "1", "SENT")
    return maple


def bring(landlord, *row, header=HEADER):
    return landlord.do(payment_files.keep, "bank.csv", repr(row).encode(), Sheet(header, ((2, row),)))


def look(landlord, kept):
    looked = landlord.see(lambda tx, caller: payment_files.look_at(tx, caller, payment_files.find(tx, caller, kept)))
    (found,) = looked.waiting
    return found


def record_matched(landlord, kept):
    return landlord.do(payment_recording.record, landlord.see(payment_recording.looked_at_and_matched, kept)[1])


def of_month(landlord, maple, month="2026-02"):
    return landlord.invoices(maple, month)["1"].summary


def by_hand(landlord, maple, cents=45_00, day=date(2026, 3, 5)):
    return landlord.do(payments.receive, of_month(landlord, maple).id, Received(cents, day))


def send_march(landlord, maple, clock):
    """Send March's invoice, which has the same total, on 9 April."""
    clock.forward(days=30)
    landlord.bill(maple, 45_00, on=date(2026, 3, 20))
    landlord.set_status(maple, "1", "SENT", month="2026-03")


@pytest.mark.parametrize("is_marked", [True, False])
def test_money_of_an_invoice_that_is_paid_is_not_recorded_for_the_next_one(landlord, maple, clock, is_marked):
    if is_marked:
        landlord.set_status(maple, "1", "PAID")
    else:
        by_hand(landlord, maple)
    send_march(landlord, maple, clock)
    kept = bring(landlord, "2026-03-05", "45.00", "LEE ANN", "water")
    assert (look(landlord, kept).verdict, record_matched(landlord, kept).rows) == ("proposed", 0)
    assert of_month(landlord, maple, "2026-03").status == "SENT"


def test_a_later_row_may_be_what_an_invoice_was_marked_as_paid_with_and_then_says_when(landlord, maple, clock):
    landlord.set_status(maple, "1", "PAID")
    send_march(landlord, maple, clock)
    kept = bring(landlord, "2026-04-09", "45.00", "LEE ANN", "water")
    found = look(landlord, kept)
    assert [part.invoice.month for (part,) in found.candidates] == ["2026-03", "2026-02"]
    assert record_matched(landlord, kept).rows == 0
    landlord.do(
        payment_recording.record,
        landlord.see(payment_recording.decide, kept, Picks({2: mark_of(found.candidates[1])})),
    )
    february = of_month(landlord, maple)
    assert (february.status, february.paid_amount) == ("PAID", 45_00)
    assert (landlord.see(payments.ledger, february.id).noted, of_month(landlord, maple, "2026-03").paid_amount) == (
        0,
        0,
    )


def test_a_part_that_was_entered_by_hand_is_recorded_no_second_time(landlord, maple):
    entry = by_hand(landlord, maple, 20_00)
    kept = bring(landlord, "2026-03-04", "20.00", "", "MAPLECOURT-1-2026-02")
    found = look(landlord, kept)
    assert [one.id for one in found.same_as] == [entry]
    assert (found.verdict, record_matched(landlord, kept).rows) == ("proposed", 0)
    landlord.do(payment_recording.call_same, landlord.see(payment_recording.asked_about, kept, 2))
    assert of_month(landlord, maple).paid_amount == 20_00


def test_what_was_entered_by_hand_and_taken_back_asks_nothing(landlord, maple):
    landlord.do(payments.take_back, of_month(landlord, maple).id, by_hand(landlord, maple, 20_00))
    kept = bring(landlord, "2026-03-05", "20.00", "", "MAPLECOURT-1-2026-02")
    assert record_matched(landlord, kept).rows == 1
    assert of_month(landlord, maple).paid_amount == 20_00


@pytest.mark.parametrize("is_taken_back", [True, False])
def test_what_was_entered_by_hand_with_the_banks_reference_asks_nothing_once_it_is_taken_back(
    landlord, maple, is_taken_back
):
    one = of_month(landlord, maple).id
    entry = landlord.do(payments.receive, one, Received(20_00, date(2026, 3, 5), reference="TX 4711"))
    if is_taken_back:
        landlord.do(payments.take_back, one, entry)
    row = "2026-03-05", "20.00", "", "MAPLECOURT-1-2026-02", "TX 4711"
    kept = bring(landlord, *row, header=(*HEADER, "Reference"))
    assert (look(landlord, kept).verdict == "matched") is is_taken_back
    assert record_matched(landlord, kept).rows == int(is_taken_back)
    assert of_month(landlord, maple).paid_amount == 20_00


# --- an invoice that was marked as paid -------------------------------------------------------------------------------


def marked_and_named(landlord, maple, cents):
    """A row for an amount that names an invoice which was marked as paid."""
    landlord.set_status(maple, "1", "PAID")
    return bring(landlord, "2026-03-05", cents, "", "MAPLECOURT-1-2026-02")


def choose(landlord, kept, which=None, number=None):
    chosen = {} if which is None else {2: mark_of(look(landlord, kept).candidates[which])}
    decided = landlord.see(payment_recording.decide, kept, Picks(chosen, {2: number} if number else {}))
    assert landlord.do(payment_recording.record, decided).rows == 1


def sums(landlord, maple):
    found = landlord.see(payments.ledger, of_month(landlord, maple).id)
    return found.invoice.paid_amount, found.noted


@pytest.mark.parametrize(
    ("cents", "comes_to"), [("45.00", (45_00, 0)), ("45.80", (45_80, 0)), ("30.00", (45_00, 15_00))]
)
def test_a_row_that_names_it_says_when_and_how_and_only_what_is_more_is_a_credit(landlord, maple, cents, comes_to):
    choose(landlord, marked_and_named(landlord, maple, cents), 0)
    assert sums(landlord, maple) == comes_to


def test_a_row_that_names_it_after_a_part_came_by_hand_takes_the_place_of_what_was_noted(landlord, maple):
    by_hand(landlord, maple, 10_00, date(2026, 3, 1))
    choose(landlord, marked_and_named(landlord, maple, "45.00"), 0)
    assert sums(landlord, maple) == (55_00, 0)


def test_a_row_that_names_it_can_be_said_to_be_another_payment(landlord, maple):
    choose(landlord, marked_and_named(landlord, maple, "45.00"), 1)
    assert sums(landlord, maple) == (90_00, 45_00)


def test_a_row_for_which_its_number_is_typed_says_when_and_how(landlord, maple):
    landlord.set_status(maple, "1", "PAID")
    kept = bring(landlord, "2026-03-05", "45.00", "J. Smith", "thanks")
    choose(landlord, kept, number="MAPLECOURT-1-2026-02")
    assert sums(landlord, maple) == (45_00, 0)
