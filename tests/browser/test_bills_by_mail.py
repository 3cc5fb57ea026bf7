"""A bill that comes by e-mail, from a real client to the receiver of a running server, to the invoices."""

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from prorata import wiring
from prorata.adapters.passwords import hash_password
from prorata.domain.months import month_of_service
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.browser.conftest import Opened
from tests.browser.landlord import PASSWORD, Landlord
from tests.cli.running import Command
from tests.cli.test_mail_in import send
from tests.incoming import a_message, address_of
from tests.servers import free_port

PATIENCE = 60_000.0
PORT = free_port()


@pytest.fixture(scope="module")
def landlord(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Landlord]:
    """A server to which mail comes, and a landlord who has a property."""
    command = Command(tmp_path_factory.mktemp("browser"), PRORATA_INBOUND_SMTP=f"127.0.0.1:{PORT}")
    made = Landlord(command, hash_password(PASSWORD))
    with command.serving() as server:
        made.url = server.url
        yield made


def test_a_bill_sent_by_mail_appears_in_the_inbox_and_once_confirmed_on_the_invoices(
    landlord: Landlord, visit: Opened
) -> None:
    layout = next(one for one in LAYOUTS if one.locale == "en-US" and not one.held_out)
    facts = facts_of("en-US", 1, kinds="ELECTRICITY", story="plain")
    with wiring.opened(landlord.settings) as database:
        to = address_of(database, landlord.caller.account_id).partition("@")[0]
    page = visit().go("/inbox/mail")
    shown = page.locator("#inbox-address").inner_text()
    assert shown == f"{to}@localhost"
    send(PORT, shown, a_message(("power.pdf", printed(facts, layout)), subject="Your power bill"))

    wait_for(page, "/inbox/mail?show=waiting", "Your power bill")
    page.get_by_role("button", name="Take it up", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("What the message brings is taken")
    expect(page.get_by_text("waits to be confirmed")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Files", exact=True).click()
    expect(page.get_by_text("To confirm", exact=True)).to_be_visible()
    page.get_by_role("link", name="power.pdf").click()
    page.get_by_label("Property", exact=True).select_option(label="Maple Court")
    page.get_by_role("button", name="Go on").click()
    form = page.locator("#bill")
    expect(form.get_by_label("Total")).to_have_value(re.compile(rf"{facts.total / 100:.2f}"))
    form.get_by_role("checkbox", name="Electricity").check()
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")

    page.goto(f"{landlord.url}/inbox/mail")
    expect(page.get_by_text("became a bill")).to_be_visible()
    page.goto(f"{landlord.url}/invoices?month={month_of_service(facts.start, facts.end)}")
    page.get_by_role("link", name=re.compile("1A")).first.click()
    expect(page.locator("main")).to_contain_text(facts.issuer)


def wait_for(page: Page, path: str, text: str) -> None:
    """Load a page again until a text stands on it."""
    deadline = time.monotonic() + PATIENCE / 1_000
    while not page.get_by_text(text).count():
        assert time.monotonic() < deadline, f"{text} does not appear"
        page.goto(page.url.partition("/inbox")[0] + path)
        time.sleep(0.2)
