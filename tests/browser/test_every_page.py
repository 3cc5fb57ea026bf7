"""Every page: seen in both themes and on a phone, by axe, and without a complaint of the browser."""

from typing import get_type_hints

import pytest

from prorata import wiring
from prorata.actions import documents, incoming_mail
from prorata.actions.inbox_addresses import Recipient
from prorata.store.engine import Tx
from prorata.web.dashboard import PAGES
from prorata.web.dashboard.pages import Download, Streamed
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.browser.conftest import DESK, PHONE, Opened
from tests.browser.landlord import Landlord
from tests.incoming import a_message

FOR_GUESTS = sorted(page.path for page in PAGES if page.method == "GET" and page.may is None)
FOR_PEOPLE = sorted(
    page.path
    for page in PAGES
    if page.method == "GET" and page.may is not None
    if get_type_hints(page.work)["return"] not in (Download, Streamed)  # which a browser keeps, or opens by itself
)

EVERY = [*FOR_GUESTS, *FOR_PEOPLE, "/nowhere"]
PARTS = 4


def brought(landlord: Landlord) -> str:
    """A bill that came as a PDF and waits for the landlord, the same at each call."""
    content = printed(facts_of("en-US", 3, "ELECTRICITY", "plain"), LAYOUTS[0])
    draft = wiring.bill_reader().read(content).draft

    def bring(tx: Tx) -> str:
        row = documents.take(tx, landlord.caller, "power.pdf", content, "upload").row
        documents.note_draft(tx, landlord.caller.account_id, row.id, draft)
        return row.id

    with wiring.made(landlord.settings) as database:
        to = Recipient(landlord.caller.account_id)
        message = a_message(("bill.pdf", content))
        database.write(lambda tx: incoming_mail.keep(tx, to, envelope_from="", message=message, way="smtp"))
        return database.write(bring)


def address(path: str, landlord: Landlord, document: str) -> str:
    known = {
        "{id}": landlord.property.id, "{key}": landlord.key_id, "{member}": landlord.member_id,
        "{unit}": landlord.unit.id, "{tenant}": landlord.tenant.id, "{method}": landlord.blend.id,
        "{bill}": landlord.bill.id, "{utility}": "water", "{month}": "2026-02", "{invoice}": landlord.invoice_id,
        "{step}": "send", "{change}": landlord.change_id, "{document}": document,
    }  # fmt: skip
    for name, value in known.items():
        path = path.replace(name, value)
    return path.replace("{token}", "nothing")


@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_serious_in_either_theme_and_on_a_phone_no_page_is_wider_than_the_screen(
    landlord: Landlord, visit: Opened, part: int
) -> None:
    guest, visitor = visit(signed_in=False, color_scheme="light"), visit(color_scheme="light")
    findings, wide, document = [], [], brought(landlord)
    for path in EVERY[part::PARTS]:
        who = guest if path in FOR_GUESTS else visitor
        page = who.go(address(path, landlord, document))
        findings += who.findings_of_both_themes()
        page.set_viewport_size(PHONE)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path)
        page.set_viewport_size(DESK)
    assert (findings, wide) == ([], [])


def test_on_a_phone_the_menu_opens(visit: Opened) -> None:
    page = visit(phone=True).go("/")
    page.locator(".bar summary").click()
    page.get_by_role("navigation", name="Menu").get_by_role("link", name="Properties").click()
    assert page.get_by_role("heading", name="Properties").is_visible()
