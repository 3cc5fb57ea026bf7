"""Rows of a bank statement are compared with payments that were recorded before.

The result depends neither on the number of these payments nor on the invoices that they were recorded for.
"""

from datetime import date

import pytest

from prorata.actions.payments import files as payment_files, payments, recording as payment_recording
from prorata.actions.payments.payments import Received
from prorata.actions.payments.picks import Picks
from prorata.actions.properties import properties
from prorata.domain.files.sheets import Sheet
from prorata.domain.invoices.ledger import TRANSFER
from prorata.store.invoices import invoices as stored_invoices

HEADER = ("Date", "Amount", "Payer", "Description")
OF_ANN = ("2026-03-10", "45.00", "ANN LEE", "water")


def bring(landlord, *rows, content=None):
    sheet = Sheet(HEADER, tuple((at + 2, row) for at, row in enumerate(rows)))
    return landlord.do(payment_files.keep, "march.csv", content or repr(rows).encode(), sheet)


def look(landlord, kept):
    return landlord.see(lambda tx, caller: payment_files.look_at(tx, caller, payment_files.find(tx, caller, kept)))


def record_matched(landlord, kept):
    return landlord.do(payment_recording.record, landlord.see(payment_recording.looked_at_and_matched, kept)[1])


def house_of_ann(landlord, name, on=date(2026, 2, 20)):
    """A property where Ann Lee owes $45.00 for February."""
    house = landlord.property_(name)
    landlord.tenant(landlord.unit(house, "1"), "Ann Lee", email="ann@example.org")
    landlord.bill(house, 45_00, on=on)
    landlord.set_status(house, "1", "SENT")
    return house


def stored(landlord, house):
    return landlord.read(stored_invoices.find, landlord.invoices(house)["1"].summary.id)


@pytest.mark.parametrize("is_former", [False, True])
def test_a_row_that_was_recorded_for_a_house_which_was_deleted_is_recorded_for_no_other(landlord, is_former):
    oak = house_of_ann(landlord, "Oak")
    kept = bring(landlord, OF_ANN)
    decided = landlord.see(payment_recording.looked_at_and_matched, kept)[1]
    if is_former:  # by the mark that rows had before there were those of their cells
        decided = decided._replace(rows=tuple((row._replace(source=row.former), to) for row, to in decided.rows))
    assert landlord.do(payment_recording.record, decided).rows == 1
    maple = house_of_ann(landlord, "Maple", on=date(2026, 2, 21))
    landlord.do(properties.remove, oak.id, landlord.archive)
    assert look(landlord, kept).recorded == (2,)
    later = bring(landlord, OF_ANN, OF_ANN, content=b"in a later file, and once more")
    assert look(landlord, later).recorded == (2,)
    assert record_matched(landlord, later).rows == 1, "the second one is another payment"
    assert stored(landlord, maple).paid_amount == 45_00
    landlord.sound()


def test_what_was_decided_before_the_house_was_deleted_is_not_recorded_again_for_another(landlord):
    oak = house_of_ann(landlord, "Oak")
    first = bring(landlord, OF_ANN)
    number = landlord.invoices(oak)["1"].summary.number
    second = bring(landlord, OF_ANN, content=b"the same row")
    maple = house_of_ann(landlord, "Maple")
    to_maple = landlord.see(
        payment_recording.decide, second, Picks({}, {2: landlord.invoices(maple)["1"].summary.number})
    )
    landlord.do(payment_recording.record, landlord.see(payment_recording.decide, first, Picks({}, {2: number})))
    landlord.do(properties.remove, oak.id, landlord.archive)
    assert landlord.do(payment_recording.record, to_maple).refused == (2,)
    assert stored(landlord, maple).paid_amount == 0


def enter(landlord, house, *entries):
    """Enter payments as (day, cents, source).

    The source is the mark of the row that the payment came from; None means that it was entered by hand.
    """
    received = [Received(cents, date.fromisoformat(day), TRANSFER, source=source) for day, cents, source in entries]
    landlord.do(payments.receive_many, [(stored(landlord, house).id, one) for one in received])


def house_of_bo(landlord):
    """A property where another tenant owes the same amount."""
    house = landlord.property_("Ash")
    landlord.tenant(landlord.unit(house, "1"), "Bo Chen", email="bo@example.org")
    landlord.bill(house, 45_00, on=date(2026, 2, 20))
    return house


def looked_among(landlord, kept, most):
    file = landlord.see(payment_files.find, kept)
    return landlord.see(payment_files.look_at, file, most=most)


def test_of_many_payments_those_are_looked_at_that_a_row_may_be(landlord):
    house_of_ann(landlord, "Oak")
    others = [
        *(("2026-03-10", cents, f"file:{cents:064}:1") for cents in range(46_00, 46_09)),
        *(("2026-03-09", 45_00, f"file:{at:064}:1") for at in range(9)),
        *(("2026-03-09", cents, None) for cents in range(46_00, 46_09)),
        *((f"2026-02-{day:02}", 45_00, None) for day in range(20, 29)),
    ]
    enter(landlord, house_of_bo(landlord), *others)
    kept = bring(landlord, OF_ANN)
    looked = looked_among(landlord, kept, most=3)
    assert ([one.verdict for one in looked.waiting], looked.is_cut) == (["matched"], False)


@pytest.mark.parametrize("source", [None, "file:{}:1"])
def test_where_there_are_more_payments_than_are_looked_at_nothing_is_recorded_by_itself(landlord, source):
    house = house_of_ann(landlord, "Oak")
    entries = [("2026-03-10", 45_00, source and source.format(f"{at:064}")) for at in range(4)]
    enter(landlord, house_of_bo(landlord), *entries)
    kept = bring(landlord, (*OF_ANN[:3], stored(landlord, house).number))
    assert [one.verdict for one in look(landlord, kept).waiting] == ["matched"]
    looked = looked_among(landlord, kept, most=4)
    assert looked.is_cut
    (asked,) = looked.waiting
    assert (asked.verdict, "may already be recorded" in asked.reason) == ("proposed", True)


def test_a_payment_of_several_invoices_from_a_file_is_known_by_the_amount_of_its_row(landlord):
    houses = house_of_ann(landlord, "Oak"), house_of_ann(landlord, "Elm")
    numbers = [stored(landlord, house).number for house in houses]
    record_matched(landlord, bring(landlord, ("2026-03-10", "90.00", "ANN LEE", " ".join(numbers))))
    ash = house_of_ann(landlord, "Ash")
    for house in houses:
        assert stored(landlord, house).paid_amount == 45_00
    later = bring(landlord, ("2026-03-10", "90.00", "", f"{stored(landlord, ash).number} and more"))
    (asked,) = look(landlord, later).waiting
    assert [one.number for one in asked.same_as] == numbers
    assert asked.verdict == "proposed"
