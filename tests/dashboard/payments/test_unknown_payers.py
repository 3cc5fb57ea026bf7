"""Rows of a bank statement that are not tenants' payments."""

from tests.dashboard.billed import billed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.payments.test_files import bring, chosen, words


def test_people_in_a_statement_who_are_no_tenants_are_one_sentence_with_their_rows(quick_office: Office) -> None:
    quick_office.add_property()
    browser = quick_office.browser("manager")
    rows = (
        "01/02/2026,Zoe Kim,rent,1.01",
        "01/03/2026,Cy <Day>,rent,1.02",
        "01/05/2026,Zoe Kim,rent,1.03",
        "01/06/2026,,x,1.04",
    )
    page = browser.get(bring(browser, "Date,Name,Description,Amount\n" + "\n".join(rows) + "\n")).text
    assert "Lines 2–4 name people who aren’t tenants with an open invoice: Zoe Kim, Cy &lt;Day&gt;. Check the" in page
    page = browser.get(bring(browser, "Date,Name,Description,Amount\n" + rows[3] + "\n")).text
    assert "with an open invoice:" not in page


def test_rows_that_are_no_tenants_payments_are_set_aside_and_taken_back(office: Office) -> None:
    for one in billed(office, "1", "2"):
        set_status(office, one.id, "SENT")
    browser = office.browser("manager")
    loan = "Posted Date,Description,Payer,Amount\n03/05/2026,loan,BANK,900.00\n03/06/2026,refund,AQUA,12.00\n"
    at = bring(browser, loan + "03/07/2026,interest,BANK,1.00\n03/08/2026,MAPLECOURT-1-2026-02,T,45.00\n")
    shown = browser.get(at)
    assert 'name="aside" value="2 3 4"' in shown.text
    ticked = chosen(shown)
    browser.post(f"{at}/aside", {"aside": "2", "shown": "5", "number-3": "maplecourt-2-2026-02"})
    after = browser.get(at)
    assert "1 row was set aside." in words(after.text)
    assert 'value="maplecourt-2-2026-02"' in after.text, "what was typed is kept"
    assert (chosen(after), list(ticked)) == ({}, ["to-5"]), "and what was unticked"
    browser.post(f"{at}/aside", {"aside": "3 4", "number-3": ""})
    browser.post(f"{at}/record", ticked)
    assert "Every payment in this file has been recorded or set aside." in words(browser.get(at).text)
    assert browser.post(f"{at}/aside", {"aside": "5"}).status_code == 409, "it is recorded"
    assert office.browser("viewer").post(f"{at}/aside", {"back": "2"}).status_code == 403
    browser.post(f"{at}/aside", {"back": "2"})
    assert 'name="aside" value="2"' in browser.get(at).text
    assert "said which rows of the payments file" in words(browser.get("/activity").text)
