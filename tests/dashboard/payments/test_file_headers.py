"""A member chooses which line of a bank statement names its columns, or none."""

import re

from tests.dashboard.conftest import Browser, Office
from tests.dashboard.payments.test_files import bring, browser, words

__all__ = ["browser"]


def test_the_line_that_is_the_header_is_chosen_and_stays_so_if_it_is_sent_as_it_is(browser: Browser) -> None:
    at = bring(browser, "My account;x\nBalance;1,00\n\nDate;Amount;Memo\n2026-03-05;45,00;MAPLECOURT-1-2026-02\n")
    shown = browser.get(f"{at}?change=true").text
    assert '<option value="4" selected>4: Date | Amount | Memo</option>' in shown
    assert '<option value="0">None: the first row is a payment</option>' in shown
    assert browser.post(f"{at}/columns", {"line": "4"}).headers["location"] == f"{at}?change=true"
    assert browser.get(f"{at}?change=true").text == shown


def test_a_row_that_was_taken_for_the_header_can_be_said_to_be_a_payment(office: Office, browser: Browser) -> None:
    at = bring(browser, "credit,memo,45.00,2026-03-05\nMAPLECOURT-1-2026-02,x,45.00,2026-03-06\n")
    assert '<option value="0">None: the first row is a payment</option>' in browser.get(at).text
    assert browser.post(f"{at}/columns", {"line": "0"}).headers["location"] == f"{at}?change=true"
    said = {"line": "0", "column.0": "text", "column.2": "amount", "column.3": "date"}
    browser.post(f"{at}/columns", said)
    assert "MAPLECOURT-1-2026-02" in words(browser.get(at).text)
    assert len(re.findall("Line [12]", browser.get(at).text)) == 2
