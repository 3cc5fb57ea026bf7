"""What the lease of a property says, as a page and as PDF."""

from tests.dashboard.conftest import Office
from tests.dashboard.splitting.test_share_rules import add_bill, furnish


def test_the_page_says_how_each_utility_is_divided_and_works_out_the_average_bill(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    add_bill(office, its)
    page = browser.get(f"/properties/{its.id}/lease").text
    assert page.count("Divided equally") == 8  # seven rules, and one example
    assert "One, of $100.00" in page
    assert "$100.00 ÷ 2 = $50.00" in page
    later = browser.get(f"/properties/{its.id}/lease?day=2030-01-01").text
    assert "As of January 1, 2030" in later
    assert "None, and so there is no example" in later


def test_the_pdf_says_the_same_and_a_viewer_may_have_it(quick_office: Office) -> None:
    its = furnish(quick_office)
    answer = quick_office.browser("viewer").get(f"/properties/{its.id}/lease.pdf?day=2026-03-01")
    assert answer.content.startswith(b"%PDF-")
    assert answer.headers["content-type"] == "application/pdf"
    assert "2026-03-01.pdf" in answer.headers["content-disposition"]


def test_the_page_is_in_the_language_of_invoices_whatever_its_reader_speaks(office: Office) -> None:
    its, browser = furnish(office), office.browser("owner")
    browser.post("/settings/security/name", {"name": "Olga", "locale": "de-DE"})
    page = browser.get(f"/properties/{its.id}/lease").text
    assert '<html lang="de"' in page
    assert '<div lang="en"' in page
    assert "How utilities are divided" in page
