"""Tests of bulk changes to invoices, which can be found again, continued and undone."""

import re
from datetime import datetime
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import bindparam

from prorata.actions.accounts import accounts
from prorata.actions.bulk import bulk
from prorata.actions.mail import allowances as mail_allowances
from prorata.actions.properties import tenants
from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.store.database.statements import changes
from prorata.store.jobs import jobs as stored_jobs, outbound_hold
from prorata.store.schema.tables import account, invoice
from tests.dashboard.billed import FEBRUARY, billed, listed, send_month, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.invoices.test_sending import seen_in

_ARRIVED = changes(invoice.update().values(delivery="sent"))
_NEW = changes(account.update().values(mail_capped_until="2030-01-01T00:00:00.000Z"))
_WRITTEN = changes(invoice.update().where(invoice.c.id == bindparam("id")).values(delivery="written"))


def set_written(office: Office, invoice_id: str) -> None:
    """Record that an invoice's e-mail was saved to the outbox folder."""
    office.database.write(lambda tx: tx.run(_WRITTEN, id=invoice_id))


def test_the_latest_changes_are_found_again_with_their_undo(office: Office) -> None:
    one, two = billed(office, "1", "2")
    browser = office.browser("manager")
    assert "No recent changes" in browser.get("/invoices/changes").text
    assert 'href="/invoices/changes"' in browser.get("/invoices").text
    sent = send_month(browser, one.property_id).headers["location"]
    paid = choose(browser, "/invoices/changes", verb="mark paid", chosen=[two.id]).headers["location"]
    page = browser.get("/invoices/changes").text
    assert "are listed for a week." in page
    assert "stays in <a class='link' href='/activity'>Activity</a>." in page
    assert page.index(f'href="{paid}"') < page.index(f'href="{sent}"')
    assert "2 of 2 invoices were marked as sent." in page
    assert f'href="{sent}/undo"' in page
    assert f'href="{sent}/undo"' not in office.browser("viewer").get("/invoices/changes").text
    assert sent not in office.browser("stranger").get("/invoices/changes").text


def test_the_list_says_what_goes_on_and_what_was_taken_back(quick_office: Office) -> None:
    billed(quick_office, *(str(number) for number in range(1, 24)))
    browser = quick_office.browser("manager")
    begun = choose(browser, "/invoices/changes", verb="send", all="true").headers["location"]
    page = browser.get("/invoices/changes").text
    assert f'href="{begun}">Sending</a>' in page
    assert 'hx-trigger="every 2s"' in page
    assert f'href="{begun}"' in browser.get("/").text, "the Overview says what is in progress"
    bulk_id = begun.rpartition("/")[2]
    while step := quick_office.database.read(lambda tx: bulk.next_step(tx, quick_office.account_id, bulk_id)):
        quick_office.database.write(lambda tx, step=step: bulk.go_on(tx, quick_office.account_id, step))  # type: ignore[misc]
    quick_office.database.write(lambda tx: bulk.end(tx, quick_office.account_id, bulk_id))
    page = browser.get("/invoices/changes").text
    assert f'href="{begun}">Sent</a>' in page
    assert "every 2s" not in page
    assert f'href="{begun}"' not in browser.get("/").text
    assert "This change has been undone." not in browser.get(begun).text
    quick_office.database.write(lambda tx: bulk.undo(tx, quick_office.caller, bulk_id))
    page = browser.get("/invoices/changes").text
    assert ">Undone</span>" in page
    assert ">Undoing</a>" in page
    assert "This change has been undone." in browser.get(begun).text


def test_the_page_of_a_months_sending_leads_back_to_the_month(quick_office: Office) -> None:
    one, two = billed(quick_office, "1", "2")
    (elm,) = billed(quick_office, "9", name="Elm House")
    browser, at = quick_office.browser("owner"), f"/properties/{one.property_id}/months/{FEBRUARY}"
    sent = send_month(browser, one.property_id).headers["location"]
    assert f'href="{at}">Go to February 2026</a>' in browser.get(sent).text
    both = choose(browser, "/invoices/changes", verb="cancel", chosen=[two.id, elm.id]).headers["location"]
    assert "Go to February 2026" not in browser.get(both).text


def test_taking_back_asks_and_says_how_many_tenants_have_theirs(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser = office.browser("manager")
    sent = send_month(browser, one.property_id).headers["location"]
    office.database.write(lambda tx: tx.run(_ARRIVED))
    for text in (browser.get(sent).text, browser.get(f"{sent}/undo").text):
        assert "Undo the change to 2 invoices?" in text
        assert "2 e-mails have already been sent and can’t be recalled." in text
    undone = browser.post(f"{sent}/undo", {})
    assert undone.status_code == 303
    assert "2 e-mails have already been sent and can’t be recalled." in browser.get(undone.headers["location"]).text
    assert "e-mail" not in browser.get(sent).text.partition('id="progress"')[2]
    assert {row.status for row in listed(office)} == {"DRAFT"}
    assert browser.get(f"{sent}/undo").status_code == 409
    assert office.browser("stranger").get(f"{sent}/undo").status_code == 404


def test_sent_says_which_e_mails_have_not_left_and_why(office: Office) -> None:
    one, two = billed(office, "1", "2")
    office.database.write(lambda tx: outbound_hold.hold_outside_jobs(tx, "the database was restored"))
    browser = office.browser("manager")
    sent = send_month(browser, one.property_id).headers["location"]
    page = browser.get(sent).text
    assert "2 e-mails have not been sent yet." in page
    assert "No e-mails are being sent for now. E-mail is on hold: the database was restored." in page
    set_written(office, one.id)
    page = browser.get(sent).text
    assert "1 e-mail was saved to the outbox folder and reached nobody" in page
    assert "1 e-mail has not been sent yet." in page
    assert "It is called <code>outbox</code> and is next to the database" in page
    assert "Print these 2 invoices" in page
    assert browser.post(f"{sent}/pdf", {}).headers["content-type"] == "application/pdf"
    (those,) = re.findall(r'href="(/invoices[?][^"]+)">See them', page)
    assert all(row.number in browser.get(unescape(those)).text for row in (one, two))
    kept = "1 e-mail has already been saved to the outbox folder and stays there."
    assert kept in browser.get(f"{sent}/undo").text
    assert kept in browser.get(browser.post(f"{sent}/undo", {}).headers["location"]).text


def test_what_went_to_the_outbox_folder_and_on_paper_is_handed_over_together(office: Office) -> None:
    one, two, three = billed(office, "1", "2", "3")
    tenant = three.tenant_id or ""
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant, {"email": None}))
    browser = office.browser("manager")
    sent = send_month(browser, one.property_id).headers["location"]
    page = browser.get(sent).text
    assert "as handed over…" not in page, "the e-mails wait"
    assert "1 invoice is waiting to be handed over on paper." in page
    for each in (one, two):
        set_written(office, each.id)
    page = browser.get(sent).text
    assert f'formaction="{sent}/hand-over">Mark 3 as handed over…</button>' in page
    assert "is waiting to be handed over on paper" not in page
    assert "hand-over" not in office.browser("viewer").get(sent).text
    asked = browser.post(f"{sent}/hand-over", {}).text
    assert "Were 3 invoices handed over?" in asked
    assert f'href="{sent}">Not now' in asked
    chosen = re.findall(r'name="chosen" value="(\w+)"', asked)
    choose(browser, "/invoices/changes", verb="hand over", chosen=chosen, seen=seen_in(asked))
    assert {row.delivery for row in listed(office)} == {"handedOver"}
    assert "as handed over…" not in browser.get(sent).text


def test_messages_beyond_a_new_accounts_quota_are_named_wherever_they_are_looked_for(quick_office: Office) -> None:
    one, two, three = billed(quick_office, "1", "2", "3")
    account_id = quick_office.account_id
    quick_office.database.write(lambda tx: tx.run(_NEW))
    browser = quick_office.browser("owner")
    assert "waiting to be sent" not in browser.get("/invoices").text
    quick_office.database.write(lambda tx: [mail_allowances.take(tx, account_id) for _ in range(MOST_MAIL_A_DAY - 2)])
    for row in (one, two):
        set_status(quick_office, row.id, "SENT")
    quick_office.database.write(lambda tx: mail_allowances.take(tx, account_id))
    waits = (
        "2 e-mails are waiting to be sent. A new account can send 200 e-mails a day in its first week: 1 will be sent"
    )
    for page in ("/invoices", f"/properties/{one.property_id}/months/{one.month}"):
        assert waits in browser.get(page).text
    asked = choose(browser, "/invoices/chosen", verb="send", chosen=[three.id]).text
    assert "none will be sent today, only on the following days" in asked


def test_sent_says_until_when_it_can_be_taken_back(quick_office: Office) -> None:
    one, _two = billed(quick_office, "1", "2")
    quick_office.database.write(
        lambda tx: accounts.change_settings(tx, quick_office.caller, accounts.Wishes(mail_on=True, mail_hold=5))
    )
    browser = quick_office.browser("manager")
    sent = send_month(browser, one.property_id).headers["location"]
    due = quick_office.database.read(
        lambda tx: min(job.due_at for job in stored_jobs.of_subject(tx, quick_office.account_id, one.id))
    )
    zone = quick_office.database.read(lambda tx: accounts.the_account(tx, quick_office.caller)).timezone
    at = datetime.fromisoformat(due).astimezone(ZoneInfo(zone))
    said = re.sub(r"\s+", " ", browser.get(sent).text)
    time = f"{at.hour % 12 or 12}:{at.minute:02d}"
    written = f"They will be saved to the outbox folder at {time}"
    assert f"They will be sent at {time}" in said or written in said
    assert "Until then, you can withdraw them." in said
    assert "No e-mails are being sent for now" not in said


@pytest.mark.parametrize("has_failed", [True, False])
def test_a_change_that_was_stopped_is_gone_on_with(office: Office, *, has_failed: bool) -> None:
    billed(office, *(str(number) for number in range(1, 24)))
    browser = office.browser("manager")
    begun = choose(browser, "/invoices/changes", verb="mark paid", all="true").headers["location"]
    bulk_id = begun.rpartition("/")[2]
    if has_failed:
        (job,) = office.database.read(lambda tx: stored_jobs.of_subject(tx, office.account_id, bulk_id))
        failed = job._replace(state="failed", last_error="The disk is full.", ended_at="2026-04-01T00:00:00.000Z")
        office.database.write(lambda tx: stored_jobs.save(tx, [failed]))
        office.database.write(lambda tx: bulk.note_stopped(tx, office.account_id, bulk_id, "The disk is full."))
    else:
        browser.post(f"{begun}/stop", {})
    page = browser.get(begun).text
    assert "Stopped" in page
    assert f'action="{begun}/go-on"' in page
    assert browser.post(f"{begun}/go-on", {}).headers["location"] == begun
    states = office.database.read(lambda tx: stored_jobs.of_subject(tx, office.account_id, bulk_id))
    assert sorted(job.state for job in states) == ["cancelled", "waiting"]
    while step := office.database.read(lambda tx: bulk.next_step(tx, office.account_id, bulk_id)):
        office.database.write(lambda tx, step=step: bulk.go_on(tx, office.account_id, step))  # type: ignore[misc]
    office.database.write(lambda tx: bulk.end(tx, office.account_id, bulk_id))
    assert {row.status for row in listed(office)} == {"PAID"}
    assert browser.post(f"{begun}/go-on", {}).status_code == 409


def test_what_was_taken_back_is_not_gone_on_with(quick_office: Office) -> None:
    billed(quick_office, *(str(number) for number in range(1, 24)))
    browser = quick_office.browser("manager")
    begun = choose(browser, "/invoices/changes", verb="mark paid", all="true").headers["location"]
    bulk_id = begun.rpartition("/")[2]
    step = quick_office.database.read(lambda tx: bulk.next_step(tx, quick_office.account_id, bulk_id, most=2))
    assert step is not None
    quick_office.database.write(lambda tx: bulk.go_on(tx, quick_office.account_id, step))
    browser.post(f"{begun}/stop", {})
    browser.post(f"{begun}/undo", {})
    assert browser.post(f"{begun}/go-on", {}).status_code == 409
    assert "/go-on" not in browser.get(begun).text


def test_the_question_leads_back_to_the_page_of_the_list(quick_office: Office) -> None:
    one, _two = billed(quick_office, "1", "2")
    asked = choose(quick_office.browser("owner"), "/invoices/chosen", verb="send", chosen=[one.id], page="3").text
    assert 'href="/invoices?' in asked
    assert "page=3" in asked.split("Not now")[0].rpartition("href=")[2]


def test_the_latest_changes_are_narrowed_by_person_and_day_and_leafed_through(quick_office: Office) -> None:
    one, _two = billed(quick_office, "1", "2")
    manager, owner = quick_office.browser("manager"), quick_office.browser("owner")
    choose(manager, "/invoices/changes", verb="mark paid", chosen=[one.id])
    quick_office.clock.advance(days=2)
    for _ in range(22):
        choose(owner, "/invoices/changes", verb="mark paid", chosen=[one.id])
    page = owner.get("/invoices/changes").text
    assert page.count(">Marked as paid</a>") == 20
    further = page.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    last = owner.get(further).text
    assert last.count(">Marked as paid</a>") == 3
    assert "Manager, <time" in last
    by_day = owner.get("/invoices/changes?day=2026-04-02").text
    assert by_day.count(">Marked as paid</a>") == 1
    who = by_day.split(">Manager</option>")[0].rpartition('value="')[2].rstrip('">')
    assert owner.get(f"/invoices/changes?by={who}").text.count(">Marked as paid</a>") == 1
    assert "Nothing found" in owner.get("/invoices/changes?day=2026-01-01").text
    assert owner.get("/invoices/changes?day=soon").status_code == 400
