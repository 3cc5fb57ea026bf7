"""Tests of a tenant's page in a real browser.

They open it on a phone, in both themes and without scripts, use it by keyboard, and ask questions on it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2
import pytest

from prorata import wiring
from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.delivery import tenant_questions
from prorata.actions.invoices import invoices, tenant_links
from prorata.actions.invoices.lists import Wish, ids_of
from prorata.domain.invoices.tenant_links import PATH
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices as stored
from tests.browser.conftest import LOCALES, Opened
from tests.browser.landlord import Landlord


@pytest.fixture(scope="module")
def path(landlord: Landlord) -> str:
    """The address of the page of a sent invoice."""
    return sent(landlord, landlord.invoice_id)


def sent(landlord: Landlord, invoice_id: str) -> str:
    """Send an invoice, and return the address of its page."""
    signer = wiring.tenant_links(landlord.settings)

    def send(tx: Tx) -> str:
        invoices.set_status(tx, landlord.caller, invoice_id, "SENT")
        row = stored.find(tx, landlord.caller.account_id, invoice_id)
        assert row is not None
        link = tenant_links.link_to(tx, row)
        assert link is not None
        return f"{PATH}{signer.token(link)}"

    with wiring.made(landlord.settings) as database:
        return database.write(send)


@contextmanager
def account_in(landlord: Landlord, locale: str) -> Iterator[str]:
    """Have the account write in a language; yield the id of the other unit's invoice.

    Afterwards, the account writes in English again.
    """

    def write_in(chosen: str) -> str:
        def change(tx: Tx) -> str:
            accounts.change_settings(tx, landlord.caller, Wishes(locale=chosen))
            (its,) = (one for one in ids_of(tx, landlord.caller, Wish({}), most=2) if one != landlord.invoice_id)
            invoices.set_status(tx, landlord.caller, its, "DRAFT")
            return its

        with wiring.made(landlord.settings) as database:
            return database.write(change)

    yield write_in(locale)
    write_in("en-US")


@pytest.mark.parametrize("locale", LOCALES)
def test_axe_minds_nothing_in_any_language_theme_or_width(landlord: Landlord, visit: Opened, locale: str) -> None:
    visitor, findings = visit(signed_in=False, color_scheme="light", locale=locale), []

    def look(address: str) -> None:
        page = visitor.go(address)
        assert page.locator("html").get_attribute("lang") == locale[:2]
        findings.extend(visitor.wrong_in_every_look())

    with account_in(landlord, locale) as invoice_id:
        path = sent(landlord, invoice_id)
        look(path)
        look(f"{path[:-1]}x")
        with wiring.made(landlord.settings) as database:
            database.write(lambda tx: tenant_links.stop(tx, landlord.caller, invoice_id))
        look(path)  # which says that its link is over
        with wiring.made(landlord.settings) as database:
            database.write(lambda tx: tenant_links.renew(tx, landlord.caller, invoice_id))
    assert findings == []


def test_a_question_is_asked_by_keyboard_and_is_seen_in_the_dashboard(
    path: str, visit: Opened, landlord: Landlord
) -> None:
    page = visit(signed_in=False, phone=True).go(path)
    page.get_by_label("Your question").focus()
    page.keyboard.type("Why is the water so dear?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Harbor Rentals has received your question.").wait_for()
    office = visit()
    overview = office.go("/")
    overview.get_by_text("1 tenant question to answer.").wait_for()
    listed = office.go("/questions")
    listed.get_by_text("Why is the water so dear?").wait_for()
    listed.get_by_role("button", name="Mark the question about").click()
    listed.get_by_text("The question was marked as answered.").wait_for()
    assert listed.url == f"{landlord.url}/invoices/{landlord.invoice_id}"
    with wiring.made(landlord.settings) as database:
        assert database.read(lambda tx: tenant_questions.number_waiting(tx, landlord.caller)).all == 0


def test_a_reply_is_written_where_the_question_was_asked_and_read_on_the_phone(
    path: str, visit: Opened, landlord: Landlord
) -> None:
    phone = visit(signed_in=False, phone=True)
    page = phone.go(path)
    page.get_by_label("What is it about?").select_option(index=1)
    page.get_by_label("Your question").fill("Is this the water of March?")
    page.get_by_role("button", name="Send the question").click()
    page.get_by_role("status").wait_for()
    office = visit()
    listed = office.go("/invoices")
    listed.get_by_role("link", name="1 question from a tenant").click()
    listed.get_by_role("link", name="Reply").click()
    quoted = listed.locator("blockquote").inner_text()
    listed.get_by_label("Your reply").fill("No, that of February.")
    listed.get_by_role("button", name="Send the reply").click()
    listed.get_by_role("status").get_by_text("Your reply").wait_for()
    assert office.findings_of_both_themes() == []
    phone.go(path)
    thread = page.get_by_role("region", name="What you asked")
    assert thread.get_by_text("No, that of February.").is_visible()
    assert thread.get_by_text(quoted.splitlines()[0]).is_visible()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert phone.findings_of_both_themes() == []


def test_it_fits_a_phone_whose_pages_are_zoomed_to_twice_their_size(path: str, visit: Opened) -> None:
    page = visit(signed_in=False, phone=True).go(path)
    page.set_viewport_size({"width": 195, "height": 422})
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    cut = "(parts) => parts.filter(part => part.scrollWidth > part.clientWidth).map(part => part.innerText)"
    assert page.locator(".tenant :is(.panel, .scroll, .totals, .prose-stack)").evaluate_all(cut) == []


def test_it_works_without_scripts(path: str, visit: Opened) -> None:
    page = visit(signed_in=False, java_script_enabled=False).go(path)
    assert page.get_by_role("heading", name="Charges for February 2026").is_visible()
    page.get_by_label("Your question").fill("And without scripts?")
    page.get_by_role("button", name="Send the question").click()
    page.get_by_text("Harbor Rentals has received your question.").wait_for()
    assert page.get_by_role("link", name="Invoice as PDF").get_attribute("href") == f"{path}/pdf"


def test_a_browser_tells_nobody_where_it_comes_from(path: str, visit: Opened, landlord: Landlord) -> None:
    visitor = visit(signed_in=False)
    visitor.go(path)
    said: list[str] = []
    visitor.page.on("request", lambda request: said.append(request.headers.get("referer", "")))
    visitor.page.get_by_role("link", name="Invoice as PDF").evaluate("link => { link.href = '/health' }")
    visitor.page.get_by_role("link", name="Invoice as PDF").click()
    visitor.page.wait_for_url(f"{landlord.url}/health")
    assert said
    assert not any("/i/" in one for one in said)


def test_the_days_of_a_charge_keep_their_line_beside_amounts_of_before_on_a_phone(visit: Opened, path: str) -> None:
    page = visit(signed_in=False, phone=True).go(path)
    days = page.locator(".charge-top > p").first
    alone = days.bounding_box()
    days.evaluate(
        "(days) => { const before = document.createElement('p'); before.className = 'quiet small';"
        " before.textContent = 'Oct 2026: $1,012.87 · Nov 2025: $1,011.00'; days.after(before); }"
    )
    beside = days.bounding_box()
    assert alone is not None
    assert beside is not None
    assert beside["height"] == alone["height"]


def test_a_printed_page_cuts_no_row_and_has_nothing_to_press(visit: Opened, path: str) -> None:
    page = visit(signed_in=False).go(path)
    assert page.get_by_role("link", name="Dispute this charge").first.is_visible()
    page.locator("section[aria-labelledby=statement] tbody").evaluate(
        "body => { for (let at = 0; at < 60; at++) { const row = body.lastElementChild.cloneNode(true);"
        " row.querySelector('th').innerHTML = `First${at}x${'<br>more'.repeat(12)}<br>Second${at}x`; body.append(row); } }"
    )

    document = pypdfium2.PdfDocument(page.pdf(format="A4"))
    sheets = [sheet.get_textpage().get_text_range() for sheet in document]
    document.close()

    assert len(sheets) > 2
    assert not any(said in sheet for sheet in sheets for said in ("Dispute this charge", "Send the question"))
    for at in range(60):
        assert [f"First{at}x" in sheet for sheet in sheets] == [f"Second{at}x" in sheet for sheet in sheets]


def test_the_link_is_shown_to_be_copied_on_the_invoice(path: str, visit: Opened, landlord: Landlord) -> None:
    page = visit().go(f"/invoices/{landlord.invoice_id}")
    shown = page.locator("#tenant-link").inner_text()
    assert "/i/" in shown
    page.get_by_role("button", name="Stop the link").click()
    page.get_by_text("The link was stopped: anyone who follows it is told to ask you for another.").wait_for()
    guest = visit(signed_in=False)
    guest.go(path).get_by_role("heading", name="This link no longer works").wait_for()
    page.get_by_role("button", name="Create a new link").click()
    page.get_by_text("A new link was created.").wait_for()
    again = page.locator("#tenant-link").inner_text()
    guest.go(f"/i/{again.rpartition('/')[2]}").get_by_role("heading", name="Ask a question").wait_for()
