"""Tests of replies to tenants' questions.

A reply appears on the invoice's page and on the tenant's page, and is sent by e-mail.
"""

import re

from prorata.actions.properties import tenants
from prorata.domain.delivery.send_schedule import NO_SERVER
from prorata.domain.limits import LONGEST_QUESTION
from prorata.store.delivery import tenant_pages
from prorata.store.delivery.tenant_pages import QuestionRow
from prorata.store.mail import messages as mail
from prorata.store.properties import units
from tests.dashboard.billed import set_status
from tests.dashboard.conftest import OWN_SITE, Browser, Office, build_office, form_token
from tests.dashboard.tenants import page_of, sent

WHY = "Why is the water so dear?"
BECAUSE = "A pipe burst in February.\nWe will look into it."


def ask(office: Office, invoice_id: str, about: str = "") -> str:
    """Ask a question from the tenant's page and return its id."""
    tenant, path = office.browser(), page_of(office, invoice_id)
    fields = {"form_token": form_token(tenant.get(path).text), "question": WHY, "about": about}
    assert tenant.client.post(path, data=fields, headers=OWN_SITE, follow_redirects=False).status_code == 303
    return questions(office, invoice_id)[-1].id


def questions(office: Office, invoice_id: str) -> list[QuestionRow]:
    return office.database.read(lambda tx: tenant_pages.questions_of(tx, office.account_id, [invoice_id]))


def reply(browser: Browser, invoice_id: str, question_id: str, text: str = BECAUSE):
    return browser.post(f"/invoices/{invoice_id}/reply", {"question": question_id, "reply": text})


def mailed(office: Office, invoice_id: str) -> list[tuple[str, str]]:
    rows = office.database.read(
        lambda tx: mail.about(tx, office.account_id, "reply", [one.id for one in questions(office, invoice_id)])
    )
    return [(row.to_address, row.state) for row in rows]


def test_a_question_about_a_charge_is_quoted_and_its_reply_stands_on_both_pages(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    tenant = office.browser().get(page_of(office, one.id)).text
    assert '<option value="Water: $45.00">' in tenant
    question_id = ask(office, one.id, "Water: $45.00")
    owner = office.browser("owner")
    shown = owner.get(f"/invoices/{one.id}").text
    quoted = re.search(r"<blockquote[^>]*>(.*?)</blockquote>", shown, re.DOTALL)
    assert quoted is not None
    assert quoted[1].startswith("Water: $45.00\n")
    assert "$90.00 ÷ 2 = $45.00" in quoted[1]
    assert "Water: $45.00" in owner.get("/questions").text
    assert reply(owner, one.id, question_id).headers["location"] == f"/invoices/{one.id}"
    shown = owner.get(f"/invoices/{one.id}").text
    assert "Your reply is on its way by e-mail" in shown
    assert "A pipe burst in February." in shown
    assert "Waiting to be sent" in shown
    assert mailed(office, one.id) == [("t1@example.org", "queued")]
    tenant = office.browser().get(page_of(office, one.id)).text
    assert "What you asked" in tenant
    assert "Harbor Rentals replied on" in tenant
    assert "A pipe burst in February." in tenant
    assert "owner@" not in tenant.partition("What you asked")[2].partition("</section>")[0], "no member is named"
    assert f"replied to a question about {one.number}" in shown


def test_a_charge_that_is_not_there_is_not_asked_about(office: Office) -> None:
    (one,) = sent(office, "1")
    ask(office, one.id, "Gold: $1,000.00")
    assert questions(office, one.id)[0].about is None


def test_the_navigation_counts_questions_until_they_are_answered(office: Office) -> None:
    (one,) = sent(office, "1")
    owner = office.browser("owner")
    assert "/questions" not in owner.get("/invoices").text
    question_id = ask(office, one.id)
    assert "1 question from a tenant" in owner.get("/invoices").text
    count = re.search(r'href="/invoices"[^>]*>.*?<span class="count"[^>]*>(\d+)', owner.get("/").text, re.DOTALL)
    assert count is not None
    assert count[1] == "1"
    reply(owner, one.id, question_id)
    assert "question from a tenant" not in owner.get("/invoices").text


def test_an_empty_or_endless_reply_is_shown_again_with_what_is_wrong(office: Office) -> None:
    (one,) = sent(office, "1")
    question_id, owner = ask(office, one.id), office.browser("owner")
    answer = reply(owner, one.id, question_id, " \n ")
    assert (answer.status_code, "Write a reply." in answer.text) == (400, True)
    answer = reply(owner, one.id, question_id, "x" * (LONGEST_QUESTION + 1))
    assert (answer.status_code, "Enter at most 2,000 characters." in answer.text) == (400, True)
    assert "x" * LONGEST_QUESTION in answer.text
    assert questions(office, one.id)[0].answered_at is None
    assert mailed(office, one.id) == []


def test_a_reply_that_comes_twice_is_one_and_another_is_refused(office: Office) -> None:
    (one,) = sent(office, "1")
    question_id, owner = ask(office, one.id), office.browser("owner")
    assert [reply(owner, one.id, question_id).status_code for _ in range(2)] == [303, 303]
    assert len(mailed(office, one.id)) == 1
    assert reply(owner, one.id, question_id, "No.").status_code == 409
    assert questions(office, one.id)[0].reply == BECAUSE


def test_a_question_that_was_answered_on_the_telephone_can_still_be_replied_to(office: Office) -> None:
    (one,) = sent(office, "1")
    question_id, owner = ask(office, one.id), office.browser("owner")
    assert owner.post(f"/questions/{question_id}/answered", {}).status_code == 303
    assert "Answered on" in office.browser().get(page_of(office, one.id)).text
    assert reply(owner, one.id, question_id).status_code == 303


def test_only_who_may_change_things_replies_and_nobody_of_another_account(office: Office) -> None:
    (one,) = sent(office, "1")
    question_id = ask(office, one.id)
    assert "Send the reply" not in office.browser("viewer").get(f"/invoices/{one.id}").text
    assert reply(office.browser("viewer"), one.id, question_id).status_code == 403
    assert reply(office.browser("stranger"), one.id, question_id).status_code == 404
    assert questions(office, one.id)[0].reply is None


def test_a_tenant_without_an_address_finds_the_reply_on_the_page(office: Office) -> None:
    (one,) = sent(office, "1")
    (tenant,) = office.database.read(lambda tx: units.tenants_of_properties(tx, office.account_id, [one.property_id]))
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant.id, {"email": None}))
    owner, question_id = office.browser("owner"), ask(office, one.id)
    assert reply(owner, one.id, question_id).status_code == 303
    shown = owner.get(f"/invoices/{one.id}").text
    assert "No e-mail was sent: tell the tenant" in shown
    assert "not e-mailed" in shown
    assert mailed(office, one.id) == []


def test_while_the_invoice_is_changed_its_page_keeps_the_thread_and_quotes_no_amount(office: Office) -> None:
    (one,) = sent(office, "1")
    path = page_of(office, one.id)
    reply(office.browser("owner"), one.id, ask(office, one.id, "Water: $90.00"))
    assert "Water: $90.00" in office.browser().get(path).text
    set_status(office, one.id, "DRAFT")
    shown = office.browser().get(path).text
    assert "A pipe burst in February." in shown
    assert "$90.00" not in shown


def test_without_a_mail_server_a_reply_is_not_said_to_be_on_its_way(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, mail_held=NO_SERVER)
    (one,) = sent(office, "1")
    tenants = office.browser().get(page_of(office, one.id)).text
    assert ("The answer appears on this page." in tenants, "comes by e-mail" in tenants) == (True, False)
    owner = office.browser("owner")
    page = owner.get(reply(owner, one.id, ask(office, one.id)).headers["location"]).text
    assert "messages are saved in the outbox folder and reach nobody. Tell the tenant that it’s there." in page
    assert "on its way by e-mail" not in page
