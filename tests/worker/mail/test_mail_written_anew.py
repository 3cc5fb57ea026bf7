"""A waiting message is rewritten if its content is no longer true.

Links that went to a former address end.
"""

from datetime import date
from email.message import EmailMessage

import pytest

from prorata.actions.delivery import deliveries
from prorata.actions.delivery.tenant_pages import LinkOver, TenantPage
from prorata.actions.invoices import tenant_links
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import tenants
from prorata.domain.limits import MOST_LINK_GENERATIONS
from prorata.store.delivery import tenant_pages as stored
from prorata.store.delivery.tenant_pages import LinkRow
from prorata.store.overview import activity
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.delivery.test_tenant_pages import link_in, opened, text_of
from tests.worker.mailing import House, parsed

LATER = Behaviour(rcpt="451 4.7.1 Greylisted, come back")


def greylisted(house: House, **later: float) -> None:
    """Have a message written that no server accepts yet."""
    with SmtpServer(LATER) as server:
        house.goes_through(server)
        house.work(**later)
        house.work()
    assert [row.state for row in house.messages()][-1] == "queued"


def taken(house: House) -> list[EmailMessage]:
    """The messages that a server accepts an hour later."""
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.work(hours=1)
        house.work(minutes=1)
        return [parsed(one.content) for one in server.taken]


def pay(house: House, cents: int) -> None:
    house.landlord.do(payments.receive, house.invoice.id, Received(cents, date(2026, 3, 10)))


def corrected(house: House, address: str | None = "right@example.org") -> None:
    house.landlord.do(tenants.change, house.tenant.id, {"email": address})


def renewals(house: House) -> int:
    rows = house.landlord.read(activity.page, record=house.invoice.id, limit=50)
    return sum(row.verb == "renew tenant page" for row in rows)


def test_a_message_that_waits_asks_for_what_is_left_once_a_part_was_paid(house: House) -> None:
    house.set_status("SENT")
    greylisted(house)
    pay(house, 20_00)
    (message,) = taken(house)
    assert "Please pay $100.50 by" in text_of(message)
    assert "Paid: $20.00" in text_of(message)
    assert house.invoice.delivery == "sent"


def test_so_does_a_reminder(house: House) -> None:
    house.wishes(days_before=(3,))
    house.set_status("SENT")
    assert len(taken(house)) == 1
    greylisted(house, days=11)
    pay(house, 20_00)
    (message,) = taken(house)
    assert "$100.50" in text_of(message)
    assert [(row.kind, row.state) for row in house.messages()] == [("invoice", "sent"), ("before_due", "sent")]


def test_a_message_that_waits_leads_to_the_page_by_the_link_of_now(house: House) -> None:
    house.set_status("SENT")
    greylisted(house)
    house.landlord.do(tenant_links.renew, house.invoice.id)
    (message,) = taken(house)
    assert isinstance(opened(house, link_in(message)), TenantPage)


def test_a_message_of_which_all_is_so_goes_as_it_was_written(house: House) -> None:
    house.set_status("SENT")
    greylisted(house)
    (row,) = house.messages()
    found = house.landlord.read(deliveries.outgoing, row.id, lambda _message: True)
    assert found is not None
    (message,) = taken(house)
    assert found.message is not None
    assert message.as_bytes() == parsed(found.message).as_bytes()


def test_a_link_that_is_renewed_while_its_message_is_written_keeps_that_from_being_kept(house: House) -> None:
    house.set_status("SENT")
    (row,) = house.messages()
    found = house.landlord.read(deliveries.outgoing, row.id, lambda _message: True)
    assert found is not None
    house.landlord.do(tenant_links.renew, house.invoice.id)
    assert house.landlord.database.write(lambda tx: deliveries.keep(tx, found, message=b"a", pdf=b"b")) is None


# --- links that went to another address -------------------------------------------------------------------------------


def test_sending_again_to_a_corrected_address_ends_the_link_in_the_mailbox_before(house: House) -> None:
    house.set_status("SENT")
    (wrong,) = taken(house)
    house.landlord.do(deliveries.send_again, house.invoice.id)
    (same,) = taken(house)
    assert isinstance(opened(house, link_in(wrong)), TenantPage), "it went to the same address"
    corrected(house)
    house.landlord.do(deliveries.send_again, house.invoice.id)
    for message in (wrong, same):
        assert isinstance(opened(house, link_in(message)), LinkOver)
    (right,) = taken(house)
    assert right["To"].endswith("<right@example.org>")
    assert isinstance(opened(house, link_in(right)), TenantPage)
    assert renewals(house) == 1


def test_a_reminder_to_a_corrected_address_does_so_too(house: House) -> None:
    house.wishes(days_before=(3,))
    house.set_status("SENT")
    (wrong,) = taken(house)
    corrected(house)
    house.clock.forward(days=11)
    (reminder,) = taken(house)
    assert isinstance(opened(house, link_in(wrong)), LinkOver)
    assert isinstance(opened(house, link_in(reminder)), TenantPage)
    assert (house.invoice.tenant_email, renewals(house)) == ("right@example.org", 1)


def test_and_an_invoice_that_is_set_back_and_sent_anew(house: House) -> None:
    house.set_status("SENT")
    (wrong,) = taken(house)
    house.set_status("DRAFT")
    corrected(house)
    house.set_status("SENT")
    assert isinstance(opened(house, link_in(wrong)), LinkOver)
    (right,) = taken(house)
    assert isinstance(opened(house, link_in(right)), TenantPage)
    assert renewals(house) == 1


@pytest.mark.parametrize(("before", "after", "ended"), [(None, "right@example.org", 0), ("A@x.com", "a@x.com", 0)])
def test_a_link_that_went_to_no_other_mailbox_is_left(house: House, before: str | None, after: str, ended: int) -> None:
    corrected(house, before)
    house.set_status("SENT")
    taken(house)
    corrected(house, after)
    house.landlord.do(deliveries.send_again, house.invoice.id)
    assert len(taken(house)) == 1
    assert renewals(house) == ended


@pytest.mark.parametrize(("generation", "is_stopped"), [(3, True), (MOST_LINK_GENERATIONS, False)])
def test_a_stopped_link_stays_so_and_the_last_one_ends(house: House, generation: int, is_stopped: bool) -> None:
    house.set_status("SENT")
    (wrong,) = taken(house)
    row = LinkRow(house.landlord.account.id, house.invoice.id, generation, is_stopped, "2026-03-10T18:00:00.000Z")
    house.landlord.run(lambda tx: stored.save_link(tx, row))
    corrected(house)
    house.landlord.do(deliveries.send_again, house.invoice.id)
    after = house.landlord.read(stored.find_link, house.invoice.id)
    assert after is not None
    assert (after.generation, bool(after.is_stopped)) == (generation, True)
    (message,) = taken(house)
    assert "https://prorata.example/i/" not in text_of(message)
    assert isinstance(opened(house, link_in(wrong)), LinkOver)
