"""Tests of the pages of a bill that is long enough to be spread."""

import re
from datetime import date
from html import unescape
from typing import Any

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills
from tests.dashboard.bills.test_bills import FILLED, NEW, add, lived_in, send_all, shown_flags, shown_marks
from tests.dashboard.conftest import Office


def words(answer: Any) -> str:
    """Return the text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.text)).split())


def test_a_bill_for_a_long_service_is_spread_where_somebody_chooses_it(quick_office: Office) -> None:
    of = lived_in(quick_office)
    browser = quick_office.browser("owner")
    long = {"servicePeriodStart": "2025-12-01", "servicePeriodEnd": "2026-01-31"}
    browser.post(NEW.format(of.id), FILLED | long | {"propertyId": of.id})
    (row,) = quick_office.database.read(lambda tx: bills.page(tx, quick_office.caller, limit=9, offset=0))[0]
    page = f"/bills/{row.id}"
    assert "the whole amount is billed in January 2026" in words(browser.get(page))
    assert "#f-spread" in browser.get(page).text

    filled = FILLED | long | {"propertyId": of.id, "spread": "true"}
    answer = browser.post(f"{page}/edit", filled | {"billingMonth": "2026-01"})
    assert answer.status_code == 400
    assert "billed in one month or spread" in words(answer)
    browser.post(f"{page}/edit", filled)
    text = words(browser.get(page))
    assert "December 2025 to January 2026 (spread by service days)" in text
    assert "December 2025: 31 of 62 service days" in text
    assert "Spread it over" not in text
    assert re.search('name="spread" value="true" checked', browser.get(f"{page}/edit").text)
    assert "December 2025 to January 2026" in words(browser.get("/bills"))
    assert "December 2025 to January 2026" in words(browser.get(f"/properties/{of.id}/bills"))
    send_all(quick_office)
    assert "Invoices for December 2025, January 2026 have been sent with this bill" in words(browser.get(page))


def test_the_part_before_the_first_month_to_bill_is_said_to_charge_nobody(quick_office: Office) -> None:
    of, browser = lived_in(quick_office), quick_office.browser("owner")
    browser.post(f"/properties/{of.id}/history", {"firstMonth": "2026-01"})
    long = {"servicePeriodStart": "2025-12-01", "servicePeriodEnd": "2026-01-31", "spread": "true"}
    filled = FILLED | long | {"propertyId": of.id}
    text = words(browser.post(f"{NEW.format(of.id)}/so-far", filled))
    said = "The part for December 2025 ($45.01) is before the first month to bill and isn’t charged to anyone."
    assert said in text
    browser.post(f"/properties/{of.id}/history", {"firstMonth": "2026-02"})
    text = words(browser.post(f"{NEW.format(of.id)}/so-far", filled))
    assert "The parts for December 2025 to January 2026 ($90.01) are before the first month to bill" in text


def test_the_part_of_a_spread_bill_that_waits_is_billed_where_it_is_words(quick_office: Office) -> None:
    of = lived_in(quick_office)
    add(quick_office, of, on=date(2025, 12, 5))
    send_all(quick_office)
    new = add(quick_office, of, 100_00, on=date(2026, 2, 3), service_start=date(2025, 12, 1),
              service_end=date(2026, 1, 31), spread=True)  # fmt: skip
    browser = quick_office.browser("owner")
    text = words(browser.get(f"/bills/{new.id}"))
    assert "Part of this bill is waiting" in text
    assert "Invoices for December 2025 were sent before it arrived" in text
    assert "have been sent with this bill" not in text
    assert "Delete this bill from" in text
    assert "Charged to tenants $50.00 in January 2026" in text
    answer = browser.post(f"/bills/{new.id}/month", {"nextOpen": "true"})
    assert "Part of this bill is waiting" not in words(browser.get(f"/bills/{new.id}"))
    assert answer.status_code in {200, 303}


def test_a_spread_bill_that_is_held_says_so_and_its_months(quick_office: Office) -> None:
    of, browser = lived_in(quick_office), quick_office.browser("owner")
    long = FILLED | {"servicePeriodStart": "2025-12-01", "servicePeriodEnd": "2026-01-31", "spread": "true"}
    quick_office.database.write(lambda tx: accounts.change_settings(tx, quick_office.caller, Wishes(hold_flagged=True)))
    browser.post(NEW.format(of.id), long)
    asked = browser.post(NEW.format(of.id), long)
    assert re.search('name="spread" value="true" checked', asked.text)
    added = browser.post(NEW.format(of.id), long | {"flagsShown": shown_flags(asked.text), "later": "true"})
    page = added.headers["location"]
    text = words(browser.get(page))
    assert "Meant for December 2025 to January 2026 (spread by service days)" in text
    assert "January 2026: 31 of 62 service days" in text
    for bills_page in ("/bills", f"/properties/{of.id}/bills"):
        assert "December 2025 to January 2026 Held" in words(browser.get(bills_page))
    (mark,) = shown_marks(browser.get(page).text)
    done = browser.post(f"{page}/flags/1", {"shown": mark, "reason": "A second meter"})
    text = words(browser.get(done.headers["location"]))
    assert "The bill now counts. It’s spread over 2 months by service days." in text
    assert "Billed in December 2025 to January 2026" in text
    deleted = browser.post(f"{page}/delete", {})
    assert "was deleted. Its months were recalculated." in words(browser.get(deleted.headers["location"]))
