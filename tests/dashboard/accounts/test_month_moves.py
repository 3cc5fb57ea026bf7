"""Bills that a new billing month rule would move.

They are shown first, and moved once the user confirms.
"""

import re
from datetime import date

from prorata.actions.bills import bills
from prorata.store.bills.bills import BillRow
from tests.dashboard.bills.test_bills import add, lived_in, send_all
from tests.dashboard.conftest import Browser, Office

SENT = {
    "name": "Maple Homes", "timezone": "America/New_York", "locale": "en-US", "currency": "USD", "payment_terms": "14",
}  # fmt: skip


def across(office: Office, of: object, issuer: str = "City") -> BillRow:
    """A bill with most service days in January and the last in February."""
    days = {"service_start": date(2026, 1, 16), "service_end": date(2026, 2, 15)}
    return add(office, of, 10_00, issuer, **days)


def after(browser: Browser, path: str, fields: dict[str, str]) -> str:
    """Submit a form and return the page that it redirects to."""
    return browser.get(browser.post(path, fields).headers["location"]).text


def month(office: Office, row: BillRow) -> str | None:
    return office.database.read(lambda tx: bills.find(tx, office.caller, row.id)).billing_month


def test_a_new_rule_leads_to_the_bills_that_it_would_move_and_moves_them_once_confirmed(quick_office: Office) -> None:
    browser, maple = quick_office.browser("owner"), lived_in(quick_office)
    row = across(quick_office, maple)
    nothing = browser.get("/bills/months").text
    assert "No bill has to be moved" in nothing
    assert "has been sent" not in nothing
    asked = after(browser, "/settings", SENT | {"billing_month_rule": "SERVICE_END"})
    assert "Move 1 bill that hasn’t been sent?" in asked
    assert "Saved." in asked
    assert "January 2026 → February 2026: 1 bill, $10.00" in asked
    assert "this bill belongs to another month. Moving it recalculates" in asked
    seen = re.findall(r'name="seen" value="(\w+)"', asked)[0]
    other = across(quick_office, maple, "Volt")
    quick_office.database.write(lambda tx: bills.move(tx, quick_office.caller, other.id, "2026-01"))
    assert month(quick_office, row) == "2026-01"
    done = browser.post("/bills/months", {"property": "", "seen": seen}).text
    assert "1 bill was moved" in done
    assert [month(quick_office, its) for its in (row, other)] == ["2026-02", "2026-01"]


def test_bills_that_were_sent_are_named_if_no_other_moves(quick_office: Office) -> None:
    browser, maple = quick_office.browser("owner"), lived_in(quick_office)
    across(quick_office, maple)
    send_all(quick_office)
    after(browser, "/settings", SENT | {"billing_month_rule": "SERVICE_END"})
    page = browser.get("/bills/months").text
    assert "1 bill has been sent and stays in its month." in page


def test_a_propertys_new_rule_leads_to_its_bills(quick_office: Office) -> None:
    browser, maple = quick_office.browser("owner"), lived_in(quick_office)
    row = across(quick_office, maple)
    form = {"name": "Maple Court", "streetNumber": "1", "street": "Maple", "city": "Reno", "state": "NV", "zip": "89501",
            "country": "US"}  # fmt: skip
    asked = after(browser, f"/properties/{maple.id}/edit", form | {"billingMonthRule": "BILL_DATE"})
    assert "January 2026 → March 2026: 1 bill, $10.00" in asked
    refused = browser.post("/bills/months", {"property": maple.id, "seen": "another"})
    assert refused.status_code == 409
    assert "The bills to be moved have changed since you confirmed them" in refused.text
    assert "1 bill" in refused.text
    assert month(quick_office, row) == "2026-01"
