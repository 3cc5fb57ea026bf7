"""Month runs on the dashboard's pages.

The pages are the settings, the review of a month, and the Overview.
"""

import threading
from datetime import UTC, date, datetime, time, timedelta

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.bills import bills
from prorata.actions.invoices import invoices
from prorata.domain.billing_calendar import Month, first_day, months_back, next_month
from prorata.domain.bills.bills import NewBill
from prorata.store.months import runs as stored
from prorata.store.properties.properties import PropertyRow
from prorata.worker.months import MONTHS_KIND
from prorata.worker.recurring_jobs import CLOCKWORK
from prorata.worker.rounds import Worker
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.dashboard.bills.test_bills import add, lived_in
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.intake.test_inbox import a_bill, bring, ids, read_all

MONTH = Month("2026-03")
_LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and not one.held_out)
SETTINGS = {
    "name": "Harbor Rentals", "timezone": "UTC", "locale": "en-US", "currency": "USD", "payment_terms": "14",
    "late_bills": "ask", "mail_on": "true",
}  # fmt: skip


def choose(browser: Browser, automatic: str, day: str = "5") -> None:
    answer = browser.post("/settings", SETTINGS | {"automatic": automatic, "automatic_day": day})
    assert answer.status_code == 303, answer.text


def go_to(office: Office, day: date) -> None:
    """Move the clock to 9:30 in the morning of a day, and run the worker."""
    office.clock.moment = datetime.combine(day, time(9, 30), UTC)
    Worker(office.database, lambda: 0, (*CLOCKWORK, MONTHS_KIND)).do_round(threading.Event())


@pytest.fixture
def maple(office: Office) -> PropertyRow:
    """A property with two tenants, and water bills for four months to March 2026.

    The clock stands on April 2, 2026.
    """
    row = lived_in(office)
    for back in range(4):
        add(office, row, on=first_day(months_back(MONTH, back)))
    return row


def test_the_settings_say_what_will_happen_and_refuse_a_day_that_not_every_month_has(office: Office) -> None:
    browser = office.browser("owner")
    page = browser.get("/settings").text
    assert "Monthly automation" in page
    assert "Never sent automatically: a month with a usual bill missing" in page
    wrong = browser.post("/settings", SETTINGS | {"automatic": "send", "automatic_day": "29"})
    assert (wrong.status_code, 'id="wrong-automatic_day"' in wrong.text) == (400, True)
    assert "Monthly automation" not in browser.get("/").text
    choose(browser, "send")
    account = office.database.read(lambda tx: accounts.the_account(tx, office.caller))
    assert (account.automatic, account.automatic_day, account.automatic_from) == ("send", 5, MONTH)
    assert '<option value="send" selected>' in browser.get("/settings").text


def test_the_review_and_the_overview_say_what_comes_and_what_was_done(office: Office, maple: PropertyRow) -> None:
    browser, review = office.browser("owner"), f"/properties/{maple.id}/months/{MONTH}"
    assert "Automatic sending" not in browser.get(review).text
    choose(browser, "send")
    go_to(office, date(2026, 4, 3))
    assert (
        "It will be sent automatically on April 5, 2026, unless something comes up before then."
        in browser.get(review).text
    )
    text = browser.get("/").text
    assert "On April 5, 2026, the invoices for March 2026 will be sent where every usual bill has arrived" in text
    assert "1 month is ready for this." in text
    go_to(office, date(2026, 4, 5))
    text = browser.get("/").text
    assert "On April 5, 2026, 2 invoices of Maple Court were sent." in text
    assert "On May 5, 2026, the invoices for April 2026 will be sent" in text
    closed = browser.get(review).text
    assert "This month is closed" in closed
    assert (
        "A bill that arrives now waits until you decide which invoices charge it." in closed,
        "Its drafts stay" in closed,
    ) == (True, False)
    assert "Prorata (running the month)" in browser.get("/activity").text


def test_what_waits_is_named_with_what_it_waits_for_and_what_is_proposed_leads_to_its_review(
    office: Office, maple: PropertyRow
) -> None:
    oak = lived_in(office, name="Oak House")
    for back in range(4):
        add(office, oak, on=first_day(months_back(MONTH, back)), issuer="Volt")
        if back:
            add(office, oak, on=first_day(months_back(MONTH, back)))
    browser = office.browser("owner")
    choose(browser, "propose")
    go_to(office, date(2026, 4, 6))
    text = browser.get("/").text
    assert "1 month is ready for you to check and send." in text
    assert f'href="/properties/{maple.id}/months/{MONTH}"' in text
    assert f'<a class="link" href="/properties/{oak.id}/months/{MONTH}">Oak House, March 2026</a>' in text
    assert "The bill from Aqua Water Co. has not arrived" in text
    review = browser.get(f"/properties/{oak.id}/months/{MONTH}").text
    assert "Keeps it back" in review
    assert "It won’t be proposed for sending automatically until everything marked" in review
    assert (
        "It is proposed for sending, because every usual bill has arrived. Review"
        in browser.get(f"/properties/{maple.id}/months/{MONTH}").text
    )
    assert office.browser("viewer").get("/").status_code == 200
    assert "Oak House" not in office.browser("stranger").get("/").text


def test_a_file_in_the_inbox_that_may_be_of_the_month_keeps_it_back_until_it_is_set_aside(office: Office) -> None:
    maple = lived_in(office)
    facts, _ = a_bill()
    facts = facts._replace(
        start=date(2026, 4, 27), end=date(2026, 5, 24), billed=date(2026, 5, 25), due=date(2026, 6, 20)
    )
    billed = NewBill(
        maple.id, facts.issuer, ("ELECTRICITY",), 50_00, facts.billed, account_number=facts.account,
        service_start=facts.start, service_end=facts.end,
    )  # fmt: skip
    (row,) = office.database.write(lambda tx: bills.add(tx, office.caller, [billed])).bills
    month = Month(office.database.read(lambda tx: bills.find(tx, office.caller, row.id)).billing_month or "")
    for back in (1, 2, 3):
        on, kind = first_day(months_back(month, back)), {"types": ("ELECTRICITY",), "account_number": facts.account}
        add(office, maple, 50_00, facts.issuer, on=on, **kind)
    assert month == "2026-05"
    office.clock.moment = datetime.combine(first_day(month), time(12), UTC)
    browser = office.browser("owner")
    choose(browser, "send", "28")
    bring(browser, ("electricity.pdf", printed(facts, _LAYOUT)))
    read_all(office)
    its_day = first_day(next_month(month)).replace(day=28)
    go_to(office, its_day)
    (waits,) = office.database.read(lambda tx: stored.in_state(tx, office.account_id, "waits", 9))
    assert waits.month == month
    assert (waits.why or "").startswith("1 file in the inbox is waiting to be confirmed.")
    (document,) = ids(office)
    browser = office.browser("owner")
    assert browser.post(f"/inbox/{document}/aside", {}).status_code == 303
    go_to(office, its_day + timedelta(days=1))
    found, _ = office.database.read(
        lambda tx: invoices.page(tx, office.caller, {"month": month}, limit=9, offset=0, details=False)
    )
    assert {one.summary.status for one in found} == {"SENT"}
