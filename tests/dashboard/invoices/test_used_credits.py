"""An invoice whose credit was used asks for nothing more, and its page says so."""

from datetime import date

from prorata.actions.bills import bills
from prorata.actions.invoices import invoices
from prorata.domain.bills.bills import NewBill
from tests.dashboard.billed import billed, listed, set_status
from tests.dashboard.conftest import Office


def test_an_invoice_whose_credit_was_used_has_no_due_day_and_is_not_to_be_paid(office: Office) -> None:
    (one,) = billed(office, "1")
    office.database.write(lambda tx: invoices.add_custom_charge(tx, office.caller, one.id, "Settled", -93_19))
    set_status(office, one.id, "SENT")
    browser, here = office.browser("manager"), f"/invoices/{one.id}"
    page = browser.get(here).text
    assert "Credit of the tenant" in page
    assert "/do/paid" in page, "it may be paid back"
    assert "Due" in page
    march = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 60_00, date(2026, 3, 20))
    office.database.write(lambda tx: bills.add(tx, office.caller, [march]))
    (later,) = listed(office, {"month": "2026-03"})
    set_status(office, later.id, "SENT")

    page = browser.get(here).text
    assert "$3.19 of this credit is deducted from" in page
    assert "Credit of the tenant" not in page
    assert '<dd class="big">$0.00</dd>' in page
    assert "/do/paid" not in page
    assert 'data-variant="primary" data-size="sm" href' not in page
    due = browser.get("/invoices?month=2026-02").text
    assert "Apr 16" not in due
    assert "Apr 16" in browser.get("/invoices?month=2026-03").text
