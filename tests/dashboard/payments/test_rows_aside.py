"""A member can set aside rows of a bank statement that are not tenants' payments."""

from tests.dashboard.conftest import Browser, Office
from tests.dashboard.payments.test_files import bring, browser, chosen, words

__all__ = ["browser"]


def test_rows_that_are_no_tenants_payments_are_set_aside_and_taken_back(office: Office, browser: Browser) -> None:
    loan = "Posted Date,Description,Payer,Amount\n03/05/2026,loan,BANK,900.00\n03/06/2026,refund,AQUA,12.00\n"
    at = bring(browser, loan + "03/07/2026,interest,BANK,1.00\n03/08/2026,MAPLECOURT-1-2026-02,T,45.00\n")
    shown = browser.get(at)
    assert 'name="aside" value="2 3 4"' in shown.text
    assert "then record that part under “Record a payment” on the invoice’s page." in shown.text
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


def test_a_statement_of_which_only_outgoing_payments_are_left_is_finished_by_itself(
    office: Office, browser: Browser
) -> None:
    header, ours = "Date,Description,Payer,Amount\n", "03/08/2026,MAPLECOURT-1-2026-02,,45.00\n"
    at = bring(browser, header + "03/07/2026,fee,BANK,-9.90\n" + ours)
    shown = browser.get(at)
    assert "MAPLECOURT-1-2026-02" in shown.text
    assert "No name" not in shown.text
    assert "Open files" in browser.get("/payments").text
    done = browser.post(f"{at}/record", chosen(shown)).headers["location"]
    assert "Nothing in this file is waiting any longer, so it is marked as done." in words(browser.get(done).text)
    payments = browser.get("/payments").text
    assert "Open files" not in payments
    assert "Finished files" in payments
    again = bring(browser, header + ours + "03/09/2026,fee,BANK,-1.00\n")
    assert "This file is marked as done." in browser.get(again).text, "its only payment was recorded before"
    out = bring(browser, header + "03/09/2026,fee,BANK,-1.00\n")
    assert "This file is marked as done." not in browser.get(out).text, "it may be read wrongly"


def test_a_row_that_is_taken_back_reopens_its_file(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    at = bring(browser, "Date,Description,Payer,Amount\n03/05/2026,loan,BANK,900.00\n")
    browser.post(f"{at}/aside", {"aside": "2"})
    assert "Open files" not in browser.get("/payments").text
    browser.post(f"{at}/aside", {"back": "2"})
    assert "Open files" in browser.get("/payments").text


def test_an_invoice_that_a_file_pays_twice_is_offered_with_what_the_first_payment_leaves(
    office: Office, browser: Browser
) -> None:
    named, rest = "MAPLECOURT-1-2026-02,,", "MAPLECOURT-2-2026-02,,"
    rows = [f"03/05/2026,{named}45.00", f"03/06/2026,{named}45.00", f"03/07/2026,{rest}2.77", f"03/08/2026,{rest}60.00"]
    said = words(browser.get(bring(browser, "\n".join(["Date,Description,Payer,Amount", *rows, ""]))).text)
    assert "MAPLECOURT-1-2026-02, Tenant 1 ($45.00 to pay)" in said, "of the row that is matched"
    assert "MAPLECOURT-1-2026-02, Tenant 1 (paid by another payment in this file)" in said
    assert "MAPLECOURT-2-2026-02, Tenant 2 ($42.23 to pay)" in said
