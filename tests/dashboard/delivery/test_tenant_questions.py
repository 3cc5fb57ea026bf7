"""A question asked on the tenant's page reaches the people who answer.

It also appears in the invoice's history and on the Overview.
"""

import re
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.delivery import tenant_questions
from prorata.domain.accounts.login_throttling import QUESTIONS_OF_AN_INVOICE
from prorata.domain.limits import LONGEST_QUESTION
from prorata.store.delivery import tenant_pages
from prorata.store.delivery.tenant_pages import QuestionRow
from prorata.web.dashboard.delivery.tenant_pages import ROWS
from tests.dashboard.billed import billed
from tests.dashboard.conftest import OWN_SITE, Office, form_token
from tests.dashboard.tenants import asked, later, link_to, page_of, path_of, sent

WHY = "Why is the water so dear?\nIt was $20 in January."


def waiting(office: Office) -> list[str]:
    return [one.asked for one in office.database.read(lambda tx: tenant_questions.waiting(tx, office.caller))]


def test_a_question_reaches_the_invoice_its_history_and_the_overview_until_it_is_answered(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    tenant, path = office.browser(), page_of(office, one.id)
    answer = asked(tenant, path, WHY)
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert "Harbor Rentals has received your question." in tenant.get(path).text
    assert "has received your question" not in tenant.get(path).text
    owner = office.browser("owner")
    page = owner.get(f"/invoices/{one.id}").text
    assert page.count("Why is the water so dear?") == 2
    assert f"asked about {one.number}" in page
    assert "The tenant</span>" in page
    overview = owner.get("/").text
    assert "1 tenant question to answer." in overview
    assert 'href="/questions"' in overview
    listed = owner.get("/questions").text
    assert one.number in listed
    assert "Tenant 1, Maple Court, 1" in listed
    to = re.search(r'action="(/questions/ask_\w+/answered)"', listed)
    assert to is not None
    assert office.browser("viewer").post(to[1], {}).status_code == 403
    assert office.browser("stranger").post(to[1], {}).status_code == 404
    assert owner.post(to[1], {}).headers["location"] == f"/invoices/{one.id}"
    assert owner.post(to[1], {}).status_code == 303
    assert "of tenants wait" not in owner.get("/").text
    assert "No questions waiting" in owner.get("/questions").text
    history = owner.get(f"/invoices/{one.id}").text
    assert history.count(f"marked a question about {one.number} as answered") == 1


def test_the_days_of_a_tenants_page_are_those_where_the_account_is(office: Office) -> None:
    (one,) = sent(office, "1")
    later(office, hours=18)  # 3:00 UTC on the 3rd
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(timezone="America/New_York")))
    browser, path = office.browser(), page_of(office, one.id)
    asked(browser, path, WHY)
    assert "You asked on April 2, 2026" in browser.get(path).text


def test_a_question_that_comes_twice_counts_once_until_it_is_answered(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, path = office.browser(), page_of(office, one.id)
    for _ in range(2):
        assert asked(browser, path, WHY).status_code == 303
    assert asked(browser, path, "And the gas?").status_code == 303
    assert waiting(office) == [WHY, "And the gas?"]


@pytest.mark.parametrize(
    ("text", "says"),
    [(" \n ", "Write your question first."), ("x" * (LONGEST_QUESTION + 1), "Enter at most 2,000 characters.")],
)
def test_an_empty_or_endless_question_is_shown_again_with_what_is_wrong(office: Office, text: str, says: str) -> None:
    (one,) = sent(office, "1")
    answer = asked(office.browser(), page_of(office, one.id), text)
    assert answer.status_code == 400
    assert says in answer.text
    assert 'aria-invalid="true"' in answer.text
    assert says in answer.text.partition('id="invoice"')[0]
    assert text.strip() in answer.text
    assert waiting(office) == []


def test_so_many_questions_are_asked_about_an_invoice_in_a_day_and_no_more(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, path = office.browser(), page_of(office, one.id)
    for number in range(QUESTIONS_OF_AN_INVOICE):
        assert asked(browser, path, f"Question {number}?").status_code == 303
    refused = asked(browser, path, "One more?")
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    assert "These are many questions at once" in refused.text
    assert "One more?" in refused.text
    top = refused.text.partition('id="invoice"')[0]
    assert "These are many questions at once" in top, "who does not see the form any more is told above the invoice"
    assert len(waiting(office)) == QUESTIONS_OF_AN_INVOICE


def test_a_question_is_asked_from_the_page_itself_alone(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, path = office.browser(), page_of(office, one.id)
    token = form_token(browser.get(path).text)
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {}):
        fields = {"form_token": token, "question": "Why?"}
        assert browser.client.post(path, data=fields, headers=headers, follow_redirects=False).status_code == 403
    forged = browser.client.post(path, data={"form_token": "0" * 64, "question": "Why?"}, headers=OWN_SITE)
    assert forged.status_code == 403
    assert "Your question was not sent yet" in forged.text
    assert "Why?" in forged.text
    assert waiting(office) == []
    assert asked(browser, path, "Why?", Origin="null").status_code == 303  # as over plain http, without a referrer
    assert waiting(office) == ["Why?"]


def test_nothing_is_asked_by_a_link_that_is_over_or_leads_nowhere(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, link = office.browser(), link_to(office, one.id)
    token = form_token(browser.get(path_of(link)).text)

    def post(path: str) -> int:
        fields = {"form_token": token, "question": "Why?"}
        return browser.client.post(path, data=fields, headers=OWN_SITE, follow_redirects=False).status_code

    assert post("/i/x") == 404
    assert post(path_of(link._replace(account_id=office.stranger_id))) == 404
    later(office, days=401)
    assert post(path_of(link)) == 410
    assert waiting(office) == []


def test_what_cannot_be_seen_is_left_out_of_a_question(office: Office) -> None:
    (one,) = sent(office, "1")
    tricky = "Pay <b>here</b>\u202e https://evil.example\r\n\r\n\r\n\r\nBcc: all@example.com"
    assert asked(office.browser(), page_of(office, one.id), tricky).status_code == 303
    assert waiting(office) == ["Pay <b>here</b> https://evil.example\n\nBcc: all@example.com"]
    page = office.browser("owner").get(f"/invoices/{one.id}").text
    assert "<b>here" not in page
    assert "Pay &lt;b&gt;here&lt;/b&gt;" in page


def test_of_many_questions_a_page_is_shown_and_the_later_ones_are_led_to(quick_office: Office) -> None:
    (invoice,) = billed(quick_office, "1")

    def add(tx: Any) -> None:
        for number in range(ROWS + 2):
            row = QuestionRow(
                quick_office.account_id, tx.new_id("ask"), invoice.id, f"Why {number}?", tx.now, None, None, "Ann"
            )
            tenant_pages.add_question(tx, row)

    quick_office.database.write(add)
    browser = quick_office.browser("viewer")
    first = browser.get("/questions").text
    assert re.findall(r"Why (\d+)\?", first) == [str(number) for number in range(ROWS)]
    later = re.search(r'href="(/questions\?behind=[^"]+)"', first)
    assert later is not None
    assert re.findall(r"Why (\d+)\?", browser.get(later[1]).text) == [str(ROWS), str(ROWS + 1)]
