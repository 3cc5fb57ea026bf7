"""Members learn about the e-mails before they send invoices.

The page says when e-mails leave or why they wait, and only the invoices that the member saw are sent.
"""

import re
from typing import Any

import pytest

from prorata.actions.accounts import access
from prorata.actions.bulk import bulk
from prorata.actions.invoices import invoices
from prorata.actions.properties import tenants
from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.store.accounts import members
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes
from prorata.store.jobs import outbound_hold
from prorata.store.mail import quota as mail_days
from prorata.store.schema.tables import account, invoice
from tests.dashboard.billed import FEBRUARY, billed, listed, set_status, status_of
from tests.dashboard.conftest import Office, build_office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.properties.test_units import add_unit
from tests.people import set_confirmed

_CAP = changes(account.update().values(mail_capped_until="2099-01-01T00:00:00.000Z"))
_AT_NINE = changes(account.update().values(send_at="09:00"))
CHANGED = "Something has changed since you were asked"


def unconfirmed(office: Office) -> None:
    def work(tx: Tx) -> None:
        for row in members.all_of(tx, office.account_id):
            if row.role == "owner":
                set_confirmed(tx, row.id, None)

    office.database.write(work)


def used_up(office: Office) -> None:
    def work(tx: Tx) -> None:
        tx.run(_CAP)
        for _ in range(MOST_MAIL_A_DAY - 1):
            mail_days.take(tx, office.account_id, tx.now[:10], MOST_MAIL_A_DAY)

    office.database.write(work)


def held(office: Office) -> None:
    office.database.write(lambda tx: outbound_hold.hold_outside_jobs(tx, "the database was restored"))


def at_nine(office: Office) -> None:
    office.database.write(lambda tx: tx.run(_AT_NINE))


def seen_in(text: str) -> str:
    found = re.search(r'name="seen" value="([0-9a-f]+)"', text)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (unconfirmed, "address is not confirmed yet"),
        (used_up, "A new account can send 200 e-mails a day in its first week: 1 will be sent today"),
        (held, "E-mail is on hold: the database was restored"),
        (at_nine, "The e-mails will be sent at 9:00"),
        (lambda _office: None, "The e-mails will be sent at once."),
    ],
)
def test_before_many_are_sent_it_is_said_when_mail_leaves_or_why_it_waits(office: Office, why: Any, said: str) -> None:
    one, two = billed(office, "1", "2")
    why(office)
    browser = office.browser("manager")
    assert said in choose(browser, "/invoices/chosen", verb="send", chosen=[one.id, two.id]).text
    at = f"/properties/{one.property_id}/months/{FEBRUARY}"
    assert said in browser.get(f"{at}/send").text


@pytest.mark.parametrize(
    ("why", "said"),
    [(unconfirmed, "address is not confirmed yet"), (held, "E-mail is on hold: the database was restored")],
)
def test_an_invoice_that_waits_says_why_in_the_question_and_afterwards(office: Office, why: Any, said: str) -> None:
    one, _two = billed(office, "1", "2")
    why(office)
    browser = office.browser("manager")
    question = browser.get(f"/invoices/{one.id}/do/send").text
    assert "No e-mails are being sent for now." in question
    assert said in question
    assert "at once" not in question
    browser.post(f"/invoices/{one.id}/do/send", {})
    page = browser.get(f"/invoices/{one.id}").text
    assert "The e-mail has not been sent yet." in page
    assert said in page
    assert "Leaves <time" not in page


def test_without_a_mail_server_no_page_promises_mail(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, mail_held="No mail server is set up.")
    one, _two = billed(office, "1", "2")
    question = office.browser("owner").get(f"/invoices/{one.id}/do/send").text
    assert "No e-mails are being sent for now. No mail server is set up." in question


# --- what was asked about is what is done -----------------------------------------------------------------------------


def test_all_that_match_are_asked_about_again_when_more_match_by_now(office: Office) -> None:
    billed(office, "1", "2")
    browser = office.browser("manager")
    seen = seen_in(choose(browser, "/invoices/chosen", verb="send", all="true", search="tenant").text)
    billed(office, "9", name="Elm House")
    again = choose(browser, "/invoices/changes", verb="send", all="true", search="tenant", seen=seen)
    assert again.status_code == 409
    assert CHANGED in again.text
    assert "Send 3 invoices totaling $180.00?" in again.text
    assert {row.status for row in listed(office)} == {"DRAFT"}
    fresh = seen_in(again.text)
    done = choose(browser, "/invoices/changes", verb="send", all="true", search="tenant", seen=fresh)
    assert done.status_code == 303
    assert {row.status for row in listed(office)} == {"SENT"}


def test_ticked_invoices_over_another_amount_are_asked_about_again(quick_office: Office) -> None:
    one, _two = billed(quick_office, "1", "2")
    browser = quick_office.browser("manager")
    seen = seen_in(choose(browser, "/invoices/chosen", verb="send", chosen=[one.id]).text)
    quick_office.database.write(lambda tx: invoices.add_custom_charge(tx, quick_office.caller, one.id, "Garage", 5_00))
    again = choose(browser, "/invoices/changes", verb="send", chosen=[one.id], seen=seen)
    assert again.status_code == 409
    assert "Send 1 invoice totaling $50.00?" in again.text
    assert status_of(quick_office, one.id) == "DRAFT"
    set_email(quick_office, one.id, "new@example.org")
    anew = choose(browser, "/invoices/changes", verb="send", chosen=[one.id], seen=seen_in(again.text))
    assert (anew.status_code, status_of(quick_office, one.id)) == (409, "DRAFT")
    sent = choose(browser, "/invoices/changes", verb="send", chosen=[one.id], seen=seen_in(anew.text))
    assert (sent.status_code, status_of(quick_office, one.id)) == (303, "SENT")


def set_email(office: Office, invoice_id: str, email: str) -> None:
    def work(tx: Tx) -> None:
        tenant_id = access.invoice(tx, office.caller, invoice_id).tenant_id or ""
        tenants.change(tx, office.caller, tenant_id, {"email": email})

    office.database.write(work)


def test_a_month_whose_drafts_have_changed_is_looked_at_again_before_it_is_sent(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser, at = office.browser("manager"), f"/properties/{one.property_id}/months/{FEBRUARY}"
    chosen = f"{one.property_id} {FEBRUARY}"
    seen = seen_in(browser.get(f"{at}/send").text)
    office.database.write(lambda tx: invoices.add_custom_charge(tx, office.caller, one.id, "Garage", 5_00))
    refused = browser.post("/months/send", {"chosen": chosen, "seen": seen})
    assert refused.status_code == 409
    assert CHANGED in refused.text
    assert "Send 2 invoices totaling $95.00?" in refused.text
    assert status_of(office, one.id) == "DRAFT"
    sent = browser.post("/months/send", {"chosen": chosen, "seen": seen_in(refused.text)})
    assert sent.headers["location"].startswith("/invoices/changes/")
    assert status_of(office, one.id) == "SENT"


# --- over how much ----------------------------------------------------------------------------------------------------


def test_marking_as_paid_asks_over_what_is_still_owed_and_leaves_what_is_cancelled(quick_office: Office) -> None:
    one, two, three = billed(quick_office, "1", "2", "3")
    set_status(quick_office, one.id, "SENT")
    set_status(quick_office, three.id, "CANCELLED")
    partly = changes(invoice.update().values(paid_amount=20_00).where(invoice.c.id == one.id))
    quick_office.database.write(lambda tx: tx.run(partly))
    everything = [one.id, two.id, three.id]
    asked = choose(quick_office.browser("owner"), "/invoices/chosen", verb="mark paid", chosen=everything).text
    assert "Mark 2 invoices totaling $40.00 as paid?" in asked
    assert "1 is cancelled and stays that way" in asked
    done = quick_office.database.write(lambda tx: bulk.begin(tx, quick_office.caller, "mark paid", [three.id]))
    assert (done.numbers.refused, status_of(quick_office, three.id)) == (1, "CANCELLED")


def test_sending_a_month_once_more_says_how_many_invoices_replace_sent_ones(quick_office: Office) -> None:
    one, two = billed(quick_office, "1", "2")
    for status in ("SENT", "DRAFT"):
        set_status(quick_office, one.id, status)
    browser = quick_office.browser("owner")
    asked = choose(browser, "/invoices/chosen", verb="send", chosen=[one.id, two.id]).text
    assert "sent before with" not in asked
    dearer = changes(
        invoice.update().values(total=one.total + 1).where(invoice.c.account_id == quick_office.account_id)
    )
    quick_office.database.write(lambda tx: tx.run(dearer))
    asked = choose(browser, "/invoices/chosen", verb="send", chosen=[one.id, two.id]).text
    assert "1 was sent before with a different total. It gets a new number, and states what it replaces" in asked


def test_an_invoice_over_nothing_is_named_before_it_is_sent(quick_office: Office) -> None:
    one, two = billed(quick_office, "1", "2")
    nothing = changes(invoice.update().values(total=0).where(invoice.c.id == two.id))
    quick_office.database.write(lambda tx: tx.run(nothing))
    asked = choose(quick_office.browser("owner"), "/invoices/chosen", verb="send", chosen=[one.id, two.id]).text
    assert "1 comes to zero, for example because nobody of the household lived there on the days billed." in asked


# --- vacant units -----------------------------------------------------------------------------------------------------


def with_a_vacant_unit(office: Office) -> list[str]:
    (one,) = billed(office, "1")
    its = office.database.read(lambda tx: access.property_(tx, office.caller, one.property_id))
    add_unit(office, its, "3")
    return [found.id for found in listed(office)]


def test_the_draft_of_a_vacant_unit_is_sent_by_no_door_and_nagged_about_by_none(office: Office) -> None:
    chosen = with_a_vacant_unit(office)
    browser = office.browser("manager")
    asked = choose(browser, "/invoices/chosen", verb="send", chosen=chosen).text
    assert "Send 1 invoice totaling $45.00?" in asked
    assert "1 is for a vacant unit and stays a draft: you bear its cost." in asked
    assert "hand over" not in asked
    done = choose(browser, "/invoices/changes", verb="send", chosen=chosen)
    assert "1 of 1 invoice was marked as sent." in browser.get(done.headers["location"]).text
    vacant = next(row for row in listed(office) if row.tenant_name is None)
    assert vacant.status == "DRAFT"
    page = browser.get(f"/invoices/{vacant.id}").text
    assert "/do/send" not in page
    assert browser.post(f"/invoices/{vacant.id}/do/send", {}).status_code == 409
    assert "to check and send" not in browser.get("/").text
