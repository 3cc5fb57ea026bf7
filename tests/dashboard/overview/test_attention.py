"""Each button under Attention leads to a list with as many rows as stated."""

import re
from datetime import date

import pytest
from sqlalchemy import bindparam

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import MailWishes
from prorata.actions.bills import bills
from prorata.actions.bulk.bulk_questions import CHANGED_SINCE
from prorata.actions.delivery import hand_delivery
from prorata.actions.overview import overview
from prorata.actions.overview.attention import Attention
from prorata.actions.overview.consistency_checks import check_account
from prorata.domain.bills.bills import NewBill
from prorata.store.database.statements import changes
from prorata.store.schema.tables import invoice
from prorata.web.dashboard.overview.overview import way_of
from tests.dashboard.billed import FEBRUARY, billed, listed, set_status
from tests.dashboard.bills.test_bills import home
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.jobs.test_jobs import failed_job
from tests.dashboard.splitting.test_share_rules import add_bill

DELIVERED = changes(invoice.update().where(invoice.c.id == bindparam("named")).values(delivery=bindparam("is_now")))


def deliver(office: Office, invoice_id: str, delivery: str) -> None:
    office.database.write(lambda tx: tx.run(DELIVERED, named=invoice_id, is_now=delivery))


def busy(office: Office) -> None:
    """Add something for every kind of attention, and beside it records that must not count."""
    kinds = ["OVERDUE", "OVERDUE", "SENT", "PAID", "SENT", "PAID", "CANCELLED"]
    states = ["failed", "bounced", "bounced", "bounced", "handOver", "handOver", "handOver"]
    made = billed(office, *(str(number) for number in range(1, len(kinds) + 1)))
    for one, status, delivery in zip(made, kinds, states, strict=True):
        set_status(office, one.id, status)
        deliver(office, one.id, delivery)
    late = NewBill(made[0].property_id, "Aqua Water Co.", ("WATER",), 10_00, date(2026, 2, 21), bill_number="2")
    office.database.write(lambda tx: bills.add(tx, office.caller, [late]))
    failed_job(office)
    for name in ("Elm House", "Oak Row"):
        billed(office, "1", "2", name=name)
    lacking = home(office, name="Lacking")
    office.browser("manager").post(f"/properties/{lacking.id}/rules/water", {"splitMethod": "SQFT", "isActive": "true"})
    add_bill(office, lacking)


def found(office: Office) -> dict[str, Attention]:
    seen = office.database.snapshot(lambda tx: overview.of_month(tx, office.caller, FEBRUARY))
    return {one.kind: one for one in seen.attention}


def rows_of(browser: Browser, to: str) -> int:
    """The number of rows in a table or in a list of jobs."""
    answer = browser.get(to)
    assert answer.status_code == 200, answer.text[:300]
    if "/jobs" in to:
        return answer.text.count("The abacus broke.")
    return len(re.findall(r"<tr", answer.text.split("<tbody>")[1].split("</tbody>")[0]))


def test_the_list_behind_every_button_has_as_many_rows_as_the_sentence_says(office: Office) -> None:
    busy(office)
    browser = office.browser("viewer")
    kinds = found(office)
    assert {kind: one.number for kind, one in kinds.items()} == {
        "overdue": 2, "mailFailed": 3, "jobsFailed": 1, "waiting": 1, "missingFacts": 1, "handOver": 1,
        "drafts": 2,
    }  # fmt: skip
    page = browser.get(f"/?month={FEBRUARY}").text.replace("&amp;", "&")
    for kind, one in kinds.items():
        to = way_of(one).to
        assert f'href="{to}"' in page, kind
        if "/properties/" not in to:
            assert rows_of(browser, to) == one.number, kind


@pytest.mark.parametrize("only", ["pending", "missingFacts", "drafts"])
def test_months_to_look_at_lead_to_their_months(office: Office, only: str) -> None:
    busy(office)
    browser = office.browser("viewer")
    text = browser.get(f"/months?only={only}").text
    assert f"/months/{FEBRUARY}" in text
    assert "There are no more on this page." in browser.get(f"/months?only={only}&page=9").text
    nothing = "Nothing to send" if only == "drafts" else "Nothing here"
    assert nothing in office.browser("stranger").get(f"/months?only={only}").text


def test_drafts_lead_to_the_review_of_their_month_before_sending(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    text = quick_office.browser("owner").get(f"/?month={FEBRUARY}").text
    assert f'href="/properties/{one.property_id}/months/{FEBRUARY}"' in text
    assert "status=DRAFT" not in text


def test_every_month_with_drafts_is_named(quick_office: Office) -> None:
    one, two = billed(quick_office, "1", "2")
    browser = quick_office.browser("owner")
    march = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 60_00, date(2026, 3, 20))
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, [march]))
    text = browser.get("/?month=2026-03").text
    assert "To check and send: March 2026: 2 drafts, February 2026: 2 drafts." in text
    assert 'href="/months?only=drafts&amp;month=2026-02">February 2026 (1)</a>' in text
    assert 'href="/months?only=drafts"' in text
    for row in (one, two):
        set_status(quick_office, row.id, "SENT")
    text = browser.get("/?month=2026-02").text
    assert "2 drafts for March 2026 to check and send." in text, "whichever month is looked at"


def test_what_was_handed_over_is_noted_and_asked_for_no_more(office: Office) -> None:
    one, two, three = billed(office, "1", "2", "3")
    for row in (one, two, three):
        set_status(office, row.id, "SENT")
        deliver(office, row.id, "handOver")
    browser = office.browser("manager")
    assert found(office)["handOver"].number == 3
    assert "/do/handed-over" in browser.get(f"/invoices/{one.id}").text
    assert browser.post(f"/invoices/{one.id}/do/handed-over", {}).status_code == 303
    page = browser.get(f"/invoices/{one.id}").text
    assert "For you to hand over." not in page
    assert "Handed over" in page
    assert "handed over invoice MAPLECOURT-1-2026-02" in page
    set_status(office, two.id, "PAID")
    assert found(office)["handOver"].number == 1, "who has paid has it"
    assert browser.post(f"/invoices/{two.id}/do/handed-over", {}).status_code == 409
    listed = f"/invoices?only=handOver&month={FEBRUARY}"
    assert 'name="verb" value="hand over"' in browser.get(listed).text
    noted = {"verb": "hand over", "chosen": three.id}
    assert browser.post("/invoices/changes", noted | {"only": "handOver"}).status_code == 303
    assert "handOver" not in found(office)
    assert browser.post("/invoices/changes", noted).status_code == 409
    (theirs,) = billed(office, "1", account=office.stranger_id)
    assert browser.post("/invoices/changes", noted | {"chosen": theirs.id}).status_code == 409


def test_what_was_noted_as_handed_over_is_taken_back_and_noted_again(office: Office) -> None:
    rows = billed(office, "1", "2", "3")
    for row in rows:
        set_status(office, row.id, "SENT")
        deliver(office, row.id, "handOver")
    browser = office.browser("manager")
    noted = browser.post("/invoices/changes", {"verb": "hand over", "all": "true", "only": "handOver"})
    change = noted.headers["location"]
    assert "3 of 3 invoices were handed over." in browser.get(change).text
    set_status(office, rows[0].id, "DRAFT")
    undone = browser.post(f"{change}/undo", {}).headers["location"]
    page = browser.get(undone).text
    assert "2 of 3 invoices are to be handed over again; 1 was skipped." in page
    assert "It has since been sent another way, or set back to draft." in page
    assert found(office)["handOver"].number == 2
    again = browser.post(f"{undone}/undo", {}).headers["location"]
    assert "2 of 2 invoices were handed over." in browser.get(again).text
    assert "handOver" not in found(office)
    for one in ("Handed over", "To hand over again"):
        assert f">{one}</a>" in browser.get("/invoices/changes").text
    assert list(check_account(office.database, office.account_id)) == []


def test_each_month_with_invoices_to_hand_over_leads_to_them(office: Office) -> None:
    (one,) = billed(office, "1")
    late = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 10_00, date(2026, 1, 20), bill_number="2")
    office.database.write(lambda tx: bills.add(tx, office.caller, [late]))
    rows = listed(office)
    for row in rows:
        set_status(office, row.id, "SENT")
        deliver(office, row.id, "handOver")
    assert sorted(row.month for row in rows) == ["2026-01", FEBRUARY]
    browser = office.browser("viewer")
    page = browser.get("/?month=2026-03").text.replace("&amp;", "&")
    for month, said in (("2026-01", "January 2026 (1)"), (FEBRUARY, "February 2026 (1)")):
        to = f"/invoices?only=handOver&month={month}"
        assert f'href="{to}">{said}</a>' in page
        assert rows_of(browser, to) == 1
    assert rows_of(browser, way_of(found(office)["handOver"]).to) == 2


def test_all_that_match_are_asked_about_before_they_are_noted_as_handed_over(quick_office: Office) -> None:
    rows = billed(quick_office, "1", "2", "3")
    for row in rows[:2]:
        set_status(quick_office, row.id, "SENT")
        deliver(quick_office, row.id, "handOver")
    browser, whole = quick_office.browser("manager"), {"all": "true", "only": "handOver", "verb": "hand over"}

    def ask(to: str = "changes", **more: str) -> tuple[int, str, str]:
        answer = browser.post(f"/invoices/{to}", whole | more)
        return answer.status_code, answer.text, (re.findall(r'name="seen" value="(\w+)"', answer.text) or [""])[0]

    status, text, seen = ask("chosen")
    assert (status, "Were 2 invoices handed over?" in text) == (200, True)
    assert found(quick_office)["handOver"].number == 2, "nothing was noted yet"
    set_status(quick_office, rows[2].id, "SENT")
    deliver(quick_office, rows[2].id, "handOver")
    status, text, now = ask(seen=seen)
    assert (status, "Were 3 invoices handed over?" in text, CHANGED_SINCE in text) == (409, True, True)
    assert found(quick_office)["handOver"].number == 3
    assert ask(seen=now)[0] == 303
    assert "handOver" not in found(quick_office)
    assert ask()[0] == 400, "there is none"


def test_what_was_handed_over_keeps_every_invariant(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    quick_office.database.write(lambda tx: accounts.change_mail(tx, quick_office.caller, MailWishes(on=False)))
    set_status(quick_office, one.id, "SENT")
    quick_office.database.write(lambda tx: hand_delivery.note(tx, quick_office.caller, one.id))
    assert next(row.delivery for row in listed(quick_office)) == "handedOver"
    assert list(check_account(quick_office.database, quick_office.account_id)) == []


def test_an_invoice_to_hand_over_that_becomes_a_draft_is_to_be_handed_over_anew(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    deliver(quick_office, one.id, "handedOver")
    set_status(quick_office, one.id, "DRAFT")
    assert "Handed over" not in quick_office.browser("owner").get(f"/invoices/{one.id}").text.split('id="history"')[0]


def test_the_list_is_narrowed_by_delivery_with_its_search_and_order(office: Office) -> None:
    busy(office)
    browser = office.browser("viewer")
    assert rows_of(browser, "/invoices?only=undelivered&search=tenant+1") == 1
    assert rows_of(browser, "/invoices?only=undelivered&status=OVERDUE&sort=-total") == 2
    assert "Nothing found" in browser.get("/invoices?only=undelivered&month=2025-01").text
    file = browser.get("/invoices/export?only=undelivered&rows=invoices&format=csv")
    assert len(file.text.strip().splitlines()) == 4


def test_what_is_only_in_the_outbox_folder_was_not_delivered(office: Office) -> None:
    one, other = billed(office, "1", "2")
    for its, delivery in ((one, "written"), (other, "delivered")):
        set_status(office, its.id, "SENT")
        deliver(office, its.id, delivery)
    browser = office.browser("viewer")
    assert rows_of(browser, "/invoices?only=undelivered") == 1
    assert "or is only in the outbox folder" in browser.get("/").text


@pytest.mark.parametrize("list_", ["/invoices", "/bills"])
def test_a_page_behind_the_last_one_says_so(quick_office: Office, list_: str) -> None:
    billed(quick_office, "1")
    text = quick_office.browser("viewer").get(f"{list_}?page=9&sort=-total").text
    assert "There are no more on this page." in text
    assert f'href="{list_}?' in text


def test_one_invoice_is_one_invoice_in_words(quick_office: Office) -> None:
    billed(quick_office, "1")
    text = quick_office.browser("viewer").get(f"/?month={FEBRUARY}").text
    assert "1 invoice, not sent yet</dd>" in text
    assert ">1 draft</dd>" in text
