"""Printing many invoices as one PDF, to be sent by post."""

import pypdfium2
import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import MailWishes
from prorata.actions.limits import MOST_PRINTED_TOGETHER
from tests.dashboard.billed import FEBRUARY, billed, send_month
from tests.dashboard.conftest import Office
from tests.dashboard.invoices.test_invoices import choose


def texts_of(content: bytes) -> list[str]:
    """Return the text on each page of a PDF."""
    with pypdfium2.PdfDocument(content) as document:
        return [page.get_textpage().get_text_range() for page in document]


def test_those_that_are_chosen_are_one_pdf_with_each_on_a_page_of_its_own(office: Office) -> None:
    one, two, three = billed(office, "1", "2", "10")
    browser = office.browser("viewer")
    answer = choose(browser, "/invoices/pdf", chosen=[one.id, three.id])
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"].startswith("inline")
    first, second = texts_of(answer.content)
    assert (one.number in first, three.number in second) == (True, True)
    assert "Page 1 of 1" in second
    assert "Draft" in first
    every = texts_of(choose(browser, "/invoices/pdf", all="true", month=FEBRUARY).content)
    assert [row.number in page for row, page in zip((one, two, three), every, strict=True)] == [True] * 3


def test_one_invoice_alone_is_the_file_that_its_own_page_gives(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("owner")
    alone = choose(browser, "/invoices/pdf", chosen=[one.id])
    assert alone.content == browser.get(f"/invoices/{one.id}/pdf").content


def test_a_strangers_invoice_is_not_printed(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    (theirs,) = billed(quick_office, "7", account=quick_office.stranger_id)
    browser = quick_office.browser("owner")
    refused = choose(browser, "/invoices/pdf", chosen=[theirs.id])
    assert (refused.status_code, "None of these invoices exists any longer. Reload" in refused.text) == (400, True)
    assert choose(browser, "/invoices/pdf").status_code == 400
    (page,) = texts_of(choose(browser, "/invoices/pdf", chosen=[one.id, theirs.id]).content)
    assert theirs.number not in page


def test_more_than_one_pdf_holds_are_refused_with_how_many_it_holds(quick_office: Office) -> None:
    many = [f"inv_{at:026d}" for at in range(MOST_PRINTED_TOGETHER + 1)]
    answer = choose(quick_office.browser("owner"), "/invoices/pdf", chosen=many)
    assert answer.status_code == 409
    assert "A PDF can contain at most 500 invoices, but you selected 501." in answer.text


@pytest.mark.parametrize("way", ["month", "change"])
def test_after_sending_those_on_paper_are_offered_as_one_pdf(quick_office: Office, way: str) -> None:
    one, two = billed(quick_office, "1", "2")
    quick_office.database.write(lambda tx: accounts.change_mail(tx, quick_office.caller, MailWishes(on=False)))
    browser, at = quick_office.browser("manager"), f"/properties/{one.property_id}/months/{FEBRUARY}"
    assert "on paper" not in browser.get(at).text
    change = send_month(browser, one.property_id).headers["location"]
    page = browser.get(at if way == "month" else change).text
    assert "2 invoices are waiting to be handed over on paper." in page
    assert "Print 2" in page
    asked = {"only": "handOver", "property": one.property_id, "month": FEBRUARY, "all": "true"}
    assert len(texts_of(choose(browser, "/invoices/pdf", **asked).content)) == 2
    choose(browser, "/invoices/changes", verb="hand over", chosen=[one.id])
    assert "1 invoice is waiting to be handed over on paper." in browser.get(at).text
    (left,) = texts_of(choose(browser, "/invoices/pdf", **asked).content)
    assert two.number in left
