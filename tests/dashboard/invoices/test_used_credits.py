"""An invoice whose credit was used asks for nothing more, and its page says so."""

from datetime import date

from prorata.actions.bills import bills
from prorata.actions.invoices import invoices
from prorata.domain.bills.bills import NewBill
from tests.dashboard.billed import billed, listed, set_status
from tests.dashboard.bulk.test_resends import arrive, sent
from tests.dashboard.conftest import Office
from tests.dashboard.invoices.test_invoice_mail import shown
from tests.dashboard.invoices.test_invoices import choose


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
    assert ">$3.19 paid or credited<" in browser.get("/invoices?month=2026-03").text
    due = browser.get("/invoices?month=2026-02").text
    assert "Apr 16" not in due
    assert "Apr 16" in browser.get("/invoices?month=2026-03").text


def test_before_a_credit_is_sent_its_question_and_its_mail_say_which_open_invoice_it_pays(office: Office) -> None:
    (one,) = sent(office, "1")
    arrive(office, one)
    credit = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), -60_00, date(2026, 3, 20))
    office.database.write(lambda tx: bills.add(tx, office.caller, [credit]))
    (later,) = listed(office, {"month": "2026-03"})
    browser = office.browser("manager")
    asked = choose(browser, "/invoices/chosen", verb="send", chosen=[later.id]).text
    assert f"$60.00 of the credit on {later.number} pays invoice {one.number}, which is still open." in asked
    mail = shown(browser.get(f"/invoices/{later.id}/mail").text)
    assert "will be taken off your next invoice" not in mail
    assert one.number in mail
    assert "$30.00, due on" in mail, "the rest of the open invoice"
    set_status(office, later.id, "SENT")
    assert ">$60.00 paid or credited<" in browser.get("/invoices?month=2026-02").text
