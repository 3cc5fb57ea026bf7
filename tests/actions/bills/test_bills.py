"""Tests of how bills are added, moved and removed, and of late bills.

A bill that comes again is added only once. Bills can be moved and removed while nothing of them was sent.
"""

from datetime import date

import pytest
from sqlalchemy import bindparam, update

from prorata.actions.bills import bills
from prorata.actions.properties import properties
from prorata.domain.bills.bills import NewBill
from prorata.errors import Conflict, NotFound
from prorata.store.database.statements import changes
from prorata.store.schema.tables import account
from tests.landlord import Landlord

SET_LATE_BILLS = changes(
    update(account).where(account.c.id == bindparam("account")).values(late_bills=bindparam("late"))
)


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    return maple


def water(of, total=90_00, on=date(2026, 2, 20), **more):
    return NewBill(of.id, "Aqua Water Co.", ("WATER",), total, on, **more)


def test_a_bill_that_is_there_already_is_skipped(landlord, maple):
    assert landlord.do(bills.add, [water(maple)]).skipped == ()
    again = landlord.do(bills.add, [water(maple), water(maple, 50_00)])
    assert again.skipped == (0,)
    assert landlord.totals(maple) == {"1": 70_00, "2": 70_00}
    assert landlord.see(bills.page, limit=10, offset=0)[1] == 2


def test_two_identical_rows_of_one_file_are_two_bills_and_the_file_twice_adds_nothing(landlord, maple):
    file = [water(maple), water(maple)]
    assert len(landlord.do(bills.add, file).bills) == 2
    assert landlord.do(bills.add, file) == ((), (0, 1))
    assert landlord.do(bills.add, [*file, water(maple)]).skipped == (0, 1)
    assert landlord.totals(maple) == {"1": 135_00, "2": 135_00}


def test_bills_of_many_properties_and_months_are_added_at_once(landlord, maple):
    elm = landlord.property_("Elm")
    landlord.unit(elm, "1")
    landlord.do(bills.add, [water(elm, 10_00), water(maple, 20_00, date(2026, 1, 5)), water(maple, 40_00)])
    assert landlord.totals(elm) == {"1": 10_00}
    assert landlord.totals(maple) == {"1": 20_00, "2": 20_00}
    assert landlord.totals(maple, "2026-01") == {"1": 10_00, "2": 10_00}


def test_a_bill_of_before_billing_starts_is_history_and_makes_no_invoices(landlord):
    oak = landlord.property_("Oak", billing_starts_month="2026-02")
    landlord.unit(oak, "1")
    landlord.do(bills.add, [water(oak, 10_00, date(2026, 1, 5)), water(oak, 20_00)])
    assert landlord.invoices(oak, "2026-01") == {}
    assert landlord.totals(oak) == {"1": 20_00}
    assert landlord.see(bills.page, limit=10, offset=0)[1] == 2
    landlord.do(properties.change, oak.id, {"billing_starts_month": None})
    assert landlord.totals(oak, "2026-01") == {"1": 10_00}


def test_a_late_bill_waits_until_its_month_opens(landlord, maple):
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    late = landlord.bill(maple, 10_00, "GAS")
    assert landlord.waits(late)
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    assert landlord.invoices(maple)["1"].summary.pending
    assert [(line.charged, line.owner_amount) for line in landlord.lines(late)] == [(False, 0)]
    landlord.set_status(maple, "1", "DRAFT")
    assert not landlord.waits(late)
    assert landlord.totals(maple) == {"1": 50_00, "2": 50_00}


def test_a_late_bill_can_be_moved_to_an_open_month(landlord, maple):
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    late = landlord.bill(maple, 10_00, "GAS")
    landlord.move_bill(late, "2026-03")
    assert landlord.totals(maple, "2026-03") == {"1": 5_00, "2": 5_00}
    assert not landlord.waits(late)
    assert not landlord.invoices(maple)["1"].summary.pending


def test_a_late_bill_goes_to_the_next_open_month_by_itself_where_the_account_says_so(landlord, maple):
    values = {"account": landlord.account.id, "late": "next open month"}
    landlord.run(lambda tx: tx.run(SET_LATE_BILLS, **values))
    for on in (date(2026, 2, 20), date(2026, 3, 1)):
        landlord.bill(maple, 90_00, on=on)
        landlord.set_status(maple, "1", "SENT", f"{on:%Y-%m}")
    landlord.bill(maple, 10_00, "GAS")
    assert landlord.totals(maple, "2026-04") == {"1": 5_00, "2": 5_00}
    chosen = landlord.bill(maple, 10_00, "SEWER", billing_month="2026-02")
    assert landlord.waits(chosen), "a person's choice stands"


def test_a_bill_that_has_charged_a_closed_month_is_neither_moved_nor_removed(landlord, maple):
    bill = landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "PAID")
    with pytest.raises(Conflict, match="February 2026"):
        landlord.move_bill(bill, "2026-03")
    with pytest.raises(Conflict, match="back to draft"):
        landlord.remove_bill(bill)
    landlord.set_status(maple, "1", "DRAFT")
    landlord.move_bill(bill, "2026-03")
    assert landlord.invoices(maple).keys() == {"1"}, "it was sent once, so it stays, with nothing on it"
    assert landlord.totals(maple, "2026-03") == {"1": 45_00, "2": 45_00}
    landlord.remove_bill(bill)
    with pytest.raises(NotFound):
        landlord.remove_bill(bill)


def test_a_bill_that_charged_nothing_but_the_owner_still_charged_its_closed_month(landlord, maple):
    landlord.bill(maple, 90_00)
    fee = landlord.bill(maple, 5_00, amounts=(("LATE_FEE", 5_00),), issuer="City")
    landlord.set_status(maple, "1", "SENT")
    with pytest.raises(Conflict):
        landlord.remove_bill(fee)


def test_bills_are_listed_newest_first_with_their_month(landlord, maple):
    for on in (date(2026, 1, 5), date(2026, 3, 5), date(2026, 2, 5)):
        landlord.bill(maple, 10_00, on=on, billing_month="2026-02" if on.month == 3 else None)
    shown, total = landlord.see(bills.page, limit=2, offset=0)
    assert total == 3
    assert [(one.bill_date, one.billing_month) for one in shown] == [
        ("2026-03-05", "2026-02"),
        ("2026-02-05", "2026-02"),
    ]
    assert [one.bill_date for one in landlord.see(bills.page, limit=2, offset=2)[0]] == ["2026-01-05"]


def test_pages_of_any_size_from_anywhere_are_those_of_the_one_list(landlord, maple):
    for day in (3, 9, 9, 9, 1, 20, 20):
        landlord.bill(maple, 100_00 + len(landlord.stored_bills(maple)), on=date(2026, 2, day))
    whole, total = landlord.see(bills.page, limit=100, offset=0)
    wanted = [one.id for one in whole]
    assert [one.bill_date for one in whole] == [f"2026-02-{day:02d}" for day in (20, 20, 9, 9, 9, 3, 1)]
    assert [one.id for one in whole[2:5]] == sorted(one.id for one in whole[2:5])
    for limit in range(1, 9):
        for offset in range(9):
            shown, counted = landlord.see(bills.page, limit=limit, offset=offset)
            assert ([one.id for one in shown], counted) == (wanted[offset : offset + limit], total)
