"""Rows of a bank statement that are not tenants' payments."""

from tests.dashboard.conftest import Office
from tests.dashboard.payments.test_files import bring


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
    assert (
        "Lines 2–4 name people who aren’t tenants with an open invoice, or whose open invoices other lines pay: Zoe Kim, Cy &lt;Day&gt;. Check the"
        in page
    )
    page = browser.get(bring(browser, "Date,Name,Description,Amount\n" + rows[3] + "\n")).text
    assert "with an open invoice:" not in page
