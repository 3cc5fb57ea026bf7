"""Tests of the e-mails about tenants' pages.

Every message about an invoice has a link to its page, and a tenant's question reaches the account by e-mail.
"""

import json
from email.message import EmailMessage

import pypdfium2

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.delivery import tenant_pages, tenant_questions
from prorata.actions.delivery.tenant_pages import LinkOver, TenantPage
from prorata.actions.invoices import tenant_links
from prorata.actions.properties import tenants
from prorata.domain.invoices.tenant_links import LASTS, TenantLink
from prorata.store.overview import activity
from tests.dashboard.tenants import PAY
from tests.smtp_server import SmtpServer
from tests.worker.mailing import House, parsed, tenant_links as signer

BASE = "https://prorata.example/i/"
WHY = "Why so much?\nBcc: all@example.com\r\nX-Evil: 1"


def link_in(message: EmailMessage) -> TenantLink:
    text = text_of(message)
    token = text.split(BASE)[1].split()[0]
    html = message.get_body(("html",))
    assert html is not None
    assert f'href="{BASE}{token}"' in html.get_content()
    found = signer().read(token)
    assert found is not None
    return found


def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def opened(house: House, link: TenantLink) -> TenantPage | LinkOver:
    return house.landlord.database.snapshot(lambda tx: tenant_pages.look(tx, link))


def test_the_invoice_and_its_reminders_hold_a_link_that_opens_its_page(house: House) -> None:
    with SmtpServer() as server:
        house.goes_through(server)
        house.wishes(days_before=(3,))
        house.set_status("SENT")
        house.work()
        for _ in range(11):
            house.work(days=1)
            house.work()
    first, reminder = (parsed(one.content) for one in server.taken)
    assert "See the invoice online, or ask about it" in text_of(first)
    for message in (first, reminder):
        page = opened(house, link_in(message))
        assert isinstance(page, TenantPage)
        assert page.row.id == house.invoice.id
    assert link_in(reminder).until > link_in(first).until, "each message renews it"
    assert (link_in(first).until - house.clock.moment.date()).days == LASTS.days - 11


def test_who_pays_online_is_led_to_the_page_that_has_the_link_of_then(house: House) -> None:
    with SmtpServer() as server:
        house.goes_through(server)
        house.set_status("SENT")
        pay = "https://pay.example/p/1"
        house.landlord.run(lambda tx: tx.run(PAY, named=house.invoice.id, url=pay, paid=0))
        house.work()
    message = parsed(server.taken[0].content)
    text = " ".join(text_of(message).split())
    attached = next(part for part in message.iter_attachments() if part.get_content_type() == "application/pdf")

    assert f"online: {BASE}" in text
    assert "pay.example" not in text
    links = links_in(attached.get_content())
    assert {link.startswith(BASE) for link in links} == {True}


def links_in(pdf: bytes) -> list[str]:
    """Return the addresses in a PDF."""
    document = pypdfium2.PdfDocument(pdf)
    text = document[0].get_textpage().get_text_range()
    document.close()
    return [word for word in text.replace("\u200b", "").split() if word.startswith("https://")]


def test_what_is_sent_while_its_link_is_stopped_has_none_and_the_link_before_is_over(house: House) -> None:
    with SmtpServer() as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
        link = link_in(parsed(server.taken[0].content))
        house.landlord.do(tenant_links.stop, house.invoice.id)
        assert isinstance(opened(house, link), LinkOver)
        house.set_status("DRAFT")
        house.set_status("SENT")
        house.work(minutes=1)
        assert BASE not in text_of(parsed(server.taken[1].content))
        house.landlord.do(tenant_links.renew, house.invoice.id)
        house.set_status("DRAFT")
        house.set_status("SENT")
        house.work(minutes=1)
    again = link_in(parsed(server.taken[2].content))
    assert again.generation == 2
    noted = house.landlord.read(activity.page, record=house.invoice.id, limit=20)
    kept = {
        one.verb: [json.loads(text) for text in (one.before, one.after)] for one in noted if "tenant page" in one.verb
    }
    assert [one["links"] for one in kept["stop tenant page"]] == ["open", "stopped"]
    assert [one["generation"] for one in kept["renew tenant page"]] == [1, 2]
    assert isinstance(opened(house, again), TenantPage)
    assert isinstance(opened(house, link), LinkOver)


def ask(house: House, text: str = WHY) -> None:
    house.set_status("SENT")
    row = house.invoice
    link = TenantLink(house.landlord.account.id, row.id, 1, house.clock.moment.date())
    house.landlord.run(lambda tx: tenant_questions.ask(tx, link, text))


def asked_in(house: House) -> list[EmailMessage]:
    return [one for one in house.outbox() if str(one["Subject"]).startswith("Question")]


def test_a_question_goes_to_the_account_in_the_outbox_and_is_answered_by_a_reply(house: House) -> None:
    house.landlord.do(accounts.change_settings, Wishes(contact="office@example.com"))
    ask(house)
    house.work()
    (message,) = asked_in(house)
    assert message["To"] == "office@example.com"
    assert message["Reply-To"] == "zoe@example.org"
    assert message["Subject"] == f"Question about invoice {house.invoice.number} (Maple Court, 1)"
    assert message["Auto-Submitted"] == "auto-generated"
    text = text_of(message)
    assert f"Zoë Ωmega asks about invoice {house.invoice.number} for February 2026" in " ".join(text.split())
    assert "Why so much?\nBcc: all@example.com\nX-Evil: 1\n" in text
    assert f"https://prorata.example/invoices/{house.invoice.id}" in text
    assert "Reply to this e-mail to answer Zoë Ωmega." in text
    for name in ("Bcc", "X-Evil"):
        assert message[name] is None
    house.work()
    assert len(asked_in(house)) == 1


def test_a_question_goes_through_the_mail_server_as_any_message(house: House) -> None:
    with SmtpServer() as server:
        house.goes_through(server)
        ask(house)
        house.work()
    (question,) = (one for one in server.taken if b"Question about" in one.content)
    assert question.recipients == (house.landlord.account.contact,)
    assert [one.kind for one in house.messages()] == ["invoice"], "it is no message about the invoice"


def test_where_the_contact_is_no_address_a_confirmed_owner_is_told(house: House) -> None:
    house.landlord.do(accounts.change_settings, Wishes(contact="", phone="+1 555 0199"))
    ask(house)
    house.work()
    (message,) = asked_in(house)
    assert message["To"] == house.landlord.account.contact


def test_a_tenant_without_an_address_is_answered_otherwise(house: House) -> None:
    house.landlord.do(tenants.change, house.tenant.id, {"email": None})
    ask(house)
    house.work()
    (message,) = asked_in(house)
    assert message["Reply-To"] is None
    assert "There is no e-mail address of Zoë Ωmega to reply to" in " ".join(text_of(message).split())
