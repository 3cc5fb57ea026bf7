"""The payments of an account can be searched, sorted and read page by page."""

from datetime import date

import pytest

from prorata.actions.invoices import invoices
from prorata.actions.payments import lists as payment_lists, payments
from prorata.actions.payments.payments import Received
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    for label in ("1", "2", "3"):
        landlord.tenant(landlord.unit(maple, label), f"Tenant {label}")
    landlord.bill(maple, 90_00)
    for label, cents in (("1", 10_00), ("2", 20_00), ("1", 5_50)):
        row = landlord.invoices(maple)[label].summary
        landlord.do(payments.receive, row.id, Received(cents, date(2026, 3, 1)))
    return maple


def found(landlord, text="", **more):
    page = landlord.see(payment_lists.page, text, limit=more.pop("limit", 9), **more)
    return [one.amount for one in page.rows]


def test_payments_are_listed_from_the_latest_or_from_the_first_a_page_at_a_time(landlord, maple):
    assert found(landlord) == [5_50, 20_00, 10_00]
    assert found(landlord, oldest_first=True) == [10_00, 20_00, 5_50]
    for oldest_first in (False, True):
        first = landlord.see(payment_lists.page, oldest_first=oldest_first, limit=2)
        rest = landlord.see(payment_lists.page, behind=first.further, oldest_first=oldest_first, limit=2)
        assert len({one.id for one in (*first.rows, *rest.rows)}) == 3
        assert rest.further is None
    assert found(landlord, behind="pay_x") == found(landlord)


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("tenant 1", [5_50, 10_00]),
        ("maple", [5_50, 20_00, 10_00]),
        ("5.50", [5_50]),
        ("maplecourt-2-2026-02", [20_00]),
        ("february 2026 10.00", [10_00]),
        ("january 2026", []),
        ("nobody", []),
        ("…", []),
    ],
)
def test_payments_are_found_by_tenant_unit_property_invoice_month_and_amount(landlord, maple, text, amounts):
    assert found(landlord, text) == amounts
    assert found(landlord, text, oldest_first=True) == amounts[::-1]


def test_a_rare_payment_is_looked_for_further_on_and_not_in_all_of_them_at_once(landlord, maple):
    page = landlord.see(payment_lists.page, "10.00", limit=9, most=1)
    assert (page.rows, page.further is None) == ([], False)
    rest = landlord.see(payment_lists.page, "10.00", behind=page.further, limit=9, most=1)
    assert ([one.amount for one in rest.rows], rest.further) == ([10_00], None)


def test_anothers_payments_are_not_found(landlord, maple):
    stranger = Landlord(landlord.database, landlord.clock, name="stranger")
    assert stranger.see(payment_lists.page, limit=9).rows == []
    assert stranger.see(payment_lists.page, "10.00", limit=9).rows == []


def test_of_money_to_be_given_back_so_many_are_shown_and_all_are_counted(landlord, maple):
    for label in ("1", "2"):
        landlord.do(invoices.set_status, landlord.invoices(maple)[label].summary.id, "CANCELLED")
    rows, number = landlord.see(payment_lists.refunds_due, 1)
    assert (len(rows), number) == (1, 2)
    assert len(landlord.see(payment_lists.refunds_due, 9)[0]) == 2
