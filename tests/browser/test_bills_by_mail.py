"""A bill that comes by e-mail ends up on the invoices.

A real mail client sends the bill to the mail receiver of a running server.
"""

import re
import socketserver
import threading
import time
from collections.abc import Iterator

import pytest
from dns import rrset
from dns.message import from_wire, make_response
from playwright.sync_api import Page, expect

from prorata import wiring
from prorata.adapters.passwords import Argon2Passwords
from prorata.domain.billing_calendar import month_with_most_days
from tests.adapters.inbound_mail.test_dkim_check import record, signed
from tests.bill_pdfs.facts import Facts, facts_of
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
LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and not one.held_out)


class AnswersWithKeys(socketserver.BaseRequestHandler):
    """A name server that answers every query with the tests' public key."""

    def handle(self) -> None:
        data, connection = self.request
        answer = make_response(from_wire(data))
        text = record().decode()
        parts = " ".join(f'"{text[at : at + 200]}"' for at in range(0, len(text), 200))
        answer.answer.append(rrset.from_text(answer.question[0].name, 60, "IN", "TXT", parts))
        connection.sendto(answer.to_wire(), self.client_address)


@pytest.fixture(scope="module")
def landlord(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Landlord]:
    """A landlord with a property, on a server that receives mail.

    The server looks up keys at the name server of the tests.
    """
    with socketserver.UDPServer(("127.0.0.1", 0), AnswersWithKeys) as names:
        threading.Thread(target=names.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        asked = f"127.0.0.1:{names.server_address[1]}"
        command = Command(
            tmp_path_factory.mktemp("browser"),
            PRORATA_INBOUND_SMTP=f"127.0.0.1:{PORT}", PRORATA_NAME_SERVER=asked,
        )  # fmt: skip
        made = Landlord(command, Argon2Passwords().hash(PASSWORD))
        with command.serving() as server:
            made.url = server.url
            yield made
        names.shutdown()


def test_a_bill_sent_by_mail_appears_in_the_inbox_and_once_confirmed_on_the_invoices(
    landlord: Landlord, visit: Opened
) -> None:
    facts = facts_of("en-US", 1, kinds="ELECTRICITY", story="plain")
    with wiring.opened(landlord.settings) as database:
        to = address_of(database, landlord.caller.account_id).partition("@")[0]
    page = visit().go("/inbox/mail")
    shown = page.locator("#inbox-address").inner_text()
    assert shown == f"{to}@localhost"
    send(PORT, shown, a_message(("power.pdf", printed(facts, LAYOUT)), subject="Your power bill"))

    wait_for(page, f"{landlord.url}/inbox/mail?show=waiting", "Your power bill")
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("The contents of the message were accepted")
    expect(page.get_by_text("is waiting to be confirmed")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("navigation", name="Bills").get_by_role("link", name="Inbox").click()
    expect(page.get_by_text("To confirm", exact=True)).to_be_visible()
    confirm(page, "power.pdf", facts, "Electricity")

    page.goto(f"{landlord.url}/inbox/mail")
    expect(page.get_by_text("became a bill")).to_be_visible()
    stands_on_an_invoice(page, landlord, facts)


def test_what_an_allowed_sender_has_signed_is_in_the_inbox_at_once_and_then_on_the_invoices(
    landlord: Landlord, visit: Opened
) -> None:
    facts = facts_of("en-US", 2, kinds="GAS", story="plain")
    page = visit().go("/settings/inbox")
    page.get_by_label("Allowed senders").fill("aqua.example")
    page.get_by_role("button", name="Save senders").click()
    expect(page.get_by_role("status").first).to_be_visible()
    to = page.locator("#inbox-address").inner_text()
    message = a_message(("gas.pdf", printed(facts, LAYOUT)), subject="Your gas bill", message_id="<2@aqua.example>")
    send(PORT, to, signed(message, domain="aqua.example"))

    wait_for(page, f"{landlord.url}/inbox", "gas.pdf")
    expect(page.get_by_text("To confirm", exact=True)).to_be_visible(timeout=PATIENCE)
    confirm(page, "gas.pdf", facts, "Gas")

    page.goto(f"{landlord.url}/inbox/mail")
    mail = page.locator("li", has_text="Your gas bill")
    expect(mail).to_contain_text("became a bill")
    expect(mail).to_contain_text("Taken")
    stands_on_an_invoice(page, landlord, facts)


def confirm(page: Page, name: str, facts: Facts, utility: str) -> None:
    """Open a file in the inbox, select its property and utility, and add the bill."""
    page.get_by_role("link", name=name).click()
    page.get_by_label("Property", exact=True).select_option(label="Maple Court")
    page.get_by_role("button", name="Continue").click()
    form = page.locator("#bill")
    expect(form.get_by_label("Total")).to_have_value(re.compile(rf"{facts.total / 100:.2f}"))
    form.get_by_role("checkbox", name=utility).check()
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")


def stands_on_an_invoice(page: Page, landlord: Landlord, facts: Facts) -> None:
    """Check that an invoice for the bill's month names its issuer."""
    page.goto(f"{landlord.url}/invoices?month={month_with_most_days(facts.start, facts.end)}")
    page.get_by_role("link", name=re.compile("1A")).first.click()
    expect(page.locator("main")).to_contain_text(facts.issuer)


def wait_for(page: Page, address: str, text: str) -> None:
    """Reload a page until it contains a text."""
    deadline = time.monotonic() + PATIENCE / 1_000
    while not page.get_by_text(text).count():
        assert time.monotonic() < deadline, f"{text} does not appear"
        page.goto(address)
        time.sleep(0.2)
