"""Two landlords on one server cannot see or change each other's records.

The pages of the other landlord's records do not exist for them, and forms about these records do nothing.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import Browser

from prorata import wiring
from prorata.actions.accounts import members, sessions
from prorata.actions.bulk import bulk
from prorata.actions.delivery import tenant_questions
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.inbound_mail.inbox_addresses import Recipient
from prorata.actions.intake import documents
from prorata.actions.invoices import invoices
from prorata.actions.payments import files as payment_files, payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import properties, units
from prorata.adapters.passwords import Argon2Passwords
from prorata.domain.delivery.disputes import OPEN
from prorata.domain.files.sheets import Sheet
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.store.accounts import members as stored_members
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes as stored_disputes
from prorata.store.delivery.disputes import DisputeRow
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.jobs import jobs as stored_jobs
from prorata.web.dashboard import PAGES
from prorata.web.dashboard.kernel.pages import Page
from tests.browser.conftest import DESK, Visitor
from tests.browser.landlord import PASSWORD, Landlord, a_charge_file, a_sent_reminder
from tests.cli.running import Command
from tests.filled_forms import fields_of
from tests.incoming import PDF, a_message

BEA = "bea@example.com"
_TODAY = date(2026, 3, 1)
_STATEMENT = Sheet(("Date", "Amount", "Text"), ((2, ("2026-03-01", "1.00", "Aqua")),))
_POST = """async ([path, token, fields]) => {
    const body = new URLSearchParams({form_token: token, ...fields});
    const answer = await fetch(path, {method: "POST", body, redirect: "manual"});
    return [answer.status, await answer.text()];
}"""


class Bea(Landlord):
    """The other landlord, who has one record of every kind that has a page."""

    def __init__(self, command: Command, password_hash: str) -> None:
        super().__init__(command, password_hash, BEA)
        with wiring.made(self.settings) as database:
            self.records = database.write(self._records)

    def _records(self, tx: Tx) -> dict[str, str]:
        invited = members.invite(tx, self.caller, email="cy@example.com", role="viewer")
        charged = invoices.add_custom_charge(tx, self.caller, self.invoice_id, "Key", 5_00)
        (charge,) = [one for one in charged.charges or () if one.id.startswith("cchg_")]
        member = stored_members.find(tx, self.caller.account_id, self.member_id)
        assert member is not None
        begun = sessions.begin(tx, member, token_hash="0" * 64, user_agent="x", address="192.0.2.1")
        to = Recipient(self.caller.account_id)
        mail = incoming_mail.keep(tx, to, envelope_from="", message=a_message(("bill.pdf", PDF)), way="smtp")
        assert mail is not None
        link = TenantLink(self.caller.account_id, self.invoice_id, 1, tx.moment.date())
        tenant_questions.ask(tx, link, "Why so much?")
        (asked,) = tenant_questions.waiting(tx, self.caller)
        dispute = DisputeRow(
            self.caller.account_id,
            asked.id,
            self.invoice_id,
            charge.id,
            None,
            None,
            None,
            None,
            None,
            5_00,
            5_00,
            1_00,
            "2026-03-15",
            None,
            OPEN,
        )
        stored_disputes.add(tx, dispute, [])
        (job, *_) = stored_jobs.oldest_due(tx, "mail", "9999", 1)
        invoice = stored_invoices.find(tx, self.caller.account_id, self.invoice_id)
        assert invoice is not None
        return {
            "id": self.property.id, "key": self.key_id, "member": self.member_id, "unit": self.unit.id,
            "tenant": self.tenant.id, "method": self.blend.id, "bill": self.bill.id, "utility": "water",
            "month": "2026-02", "invoice": self.invoice_id, "step": "send", "change": self.change_id,
            "link": invited.id, "charge": charge.id, "session": begun.id, "job": job.id,
            "document": documents.take(tx, self.caller, "water.pdf", b"%PDF-1.7", "upload").row.id, "number": "1",
            "mail": mail.id, "payment": payments.receive(tx, self.caller, self.invoice_id, Received(1_00, _TODAY)),
            "file": payment_files.keep(tx, self.caller, "march.csv", b"x", _STATEMENT), "question": asked.id,
            "dispute": asked.id,
            "endpoint": self.hook_id, "delivery": self.delivery_id, "export": a_charge_file(tx, self.caller),
            "earlier": invoice.number, "message": a_sent_reminder(tx, self.caller, self.invoice_id),
        }  # fmt: skip

    def at(self, page: Page) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: self.records[name[1]], page.path)

    def kept(self) -> tuple[Any, ...]:
        """Return the records that a stranger could have changed."""
        with wiring.made(self.settings) as database:
            return database.read(
                lambda tx: (
                    properties.page(tx, self.caller, limit=9, offset=0),
                    units.all_of(tx, self.caller, self.property.id),
                    invoices.page(tx, self.caller, {}, limit=9, offset=0, details=True),
                    members.listed(tx, self.caller),
                    bulk.latest(tx, self.caller, limit=9),
                )
            )


@pytest.fixture(scope="module")
def neighbours(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[tuple[Visitor, Bea]]:
    """A browser in which Ann is signed in, and the other landlord, Bea."""
    command, hashed = Command(tmp_path_factory.mktemp("two")), Argon2Passwords().hash(PASSWORD)
    ann, bea = Landlord(command, hashed), Bea(command, hashed)
    with command.serving() as server:
        ann.url = bea.url = server.url
        context = chromium.new_context(viewport=DESK)
        visitor = Visitor(context, server.url)
        visitor.sign_in()
        yield visitor, bea
        context.close()


ABOUT_A_RECORD = [
    page for page in PAGES if page.may is not None and re.search(r"\{(?!utility|month|step|kind|system)", page.path)
]


def test_no_page_about_a_record_of_the_other_is_there(neighbours: tuple[Visitor, Bea]) -> None:
    ann, bea = neighbours
    found = []
    for page in ABOUT_A_RECORD:
        if page.method == "GET":
            answer = ann.page.goto(ann.url + bea.at(page))
            assert answer is not None
            shown = ann.page.get_by_role("main").inner_text()
            if answer.status != 404 or not shown or "Aqua" in shown:
                found.append((page.path, answer.status))
    assert found == []


def test_no_form_about_a_record_of_the_other_does_anything(neighbours: tuple[Visitor, Bea]) -> None:
    ann, bea = neighbours
    before = bea.kept()
    token = ann.go("/properties/new").locator("[name='form_token']").first.get_attribute("value")
    found = []
    for page in ABOUT_A_RECORD:
        if page.method == "POST":
            status, text = ann.page.evaluate(_POST, [bea.at(page), token, fields_of(page)])
            if status != 404 or "Maple Court" in text:
                found.append((page.path, status))
    assert found == []
    assert bea.kept() == before


def test_what_lists_and_searches_names_nothing_of_the_other(neighbours: tuple[Visitor, Bea]) -> None:
    ann, bea = neighbours
    for path in ("/bills?search=aqua", f"/invoices?property={bea.property.id}", f"/bills?property={bea.property.id}"):
        ann.go(path)
        assert not ann.page.locator(f"a[href*='{bea.bill.id}'], a[href*='{bea.invoice_id}']").count()
