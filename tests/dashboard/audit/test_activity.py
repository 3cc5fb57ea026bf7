"""Tests of the Activity page."""

import json
import re
from decimal import Decimal
from typing import NamedTuple

import pytest
import structlog

from prorata.actions.bulk import bulk
from prorata.actions.intake import documents
from prorata.actions.properties import units
from prorata.actions.splitting import share_rules
from prorata.domain.audit.verbs import Verb
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from tests.dashboard.billed import billed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.overview.test_attention import DELIVERED
from tests.dashboard.payments.test_payments import record


def test_what_was_done_stands_there_with_before_and_after(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser = office.browser("manager")
    browser.post(f"/invoices/{one.id}/do/paid", {})
    page = browser.get("/activity").text
    assert ">Manager</span>" in page
    assert "marked invoice MAPLECOURT-1-2026-02 as paid" in page
    assert "Status: <del>draft</del>" in page
    assert "<ins>paid</ins>" in page
    assert "Paid: <del>$0.00</del>" in page
    assert "<ins>$45.00</ins>" in page
    assert "added unit 2" in page
    assert "account_id" not in page
    assert "2026-04-02T" not in page.replace('datetime="2026-04-02T', "")


def test_an_invoice_that_a_payment_covers_is_not_said_to_be_marked_as_paid(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    set_status(office, one.id, "SENT")
    browser = office.browser("manager")
    record(browser, one.id)
    for page in (browser.get("/activity").text, browser.get(f"/invoices/{one.id}").text):
        assert f"recorded a payment of {one.number}" in page
        assert f"noted that invoice {one.number} is now paid in full by payments or credits" in page
        assert "as paid" not in page.partition('id="history"')[2]


def test_the_state_of_an_address_stands_there_as_it_was_entered(office: Office) -> None:
    billed(office, "1")
    page = office.browser("manager").get("/activity").text
    assert "State: <ins>IL</ins>" in page


def test_what_concerns_people_stands_there_in_words(office: Office) -> None:
    owner = office.browser("owner")
    owner.post("/settings/security/name", {"name": "Ada Stone"})
    owner.post("/settings/members", {"email": "cleo@example.com", "role": "viewer"})
    page = owner.get("/activity").text
    assert "opened account Harbor Rentals" in page
    assert "changed member Ada Stone" in page
    assert "invited member cleo@example.com" in page
    assert "E-mail: <ins>cleo@example.com</ins>" in page
    for inner in ("Created by", "Kind:", "member_0", "Mail capped"):
        assert inner not in re.sub(r'<option value="[^"]*"|href="[^"]*"', "", page)


def test_no_codes_and_no_ids_stand_there(office: Office) -> None:
    one, two = billed(office, "1", "2")
    weights = json.dumps({"1": 2.5, "2": 1})
    terms = share_rules.Terms("CUSTOM", None, True, weights, Decimal(0), Decimal(0))
    office.database.write(lambda tx: share_rules.create(tx, office.caller, one.property_id, "OTHER", terms))
    page = office.browser("manager").get("/activity?by=all").text
    assert "added share rule for other bills" in page
    assert '<span class="quiet">, Maple Court</span>' in page
    assert "Weights: <ins>1: 2.5, 2: 1</ins>" in page
    assert "Utilities: <ins>Water</ins>" in page
    assert "<ins>by custom weights</ins>" in page
    said = re.sub(r"<[^>]*>", "", page)
    for code in (one.unit_id, two.unit_id, "{", "WATER", "OTHER", "CUSTOM"):
        assert code not in said


def test_it_is_narrowed_by_record_person_and_day(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser = office.browser("owner")
    browser.post(f"/invoices/{one.id}/do/paid", {})
    by_record = browser.get(f"/activity?record={one.id}").text
    assert "as paid" in by_record
    assert "added unit" not in by_record
    by_operator = browser.get("/activity?by=cli").text
    assert "added unit" in by_operator
    assert "as paid" not in by_operator
    office.clock.advance(days=3)
    unit_of = one.unit_id
    office.database.write(lambda tx: units.change(tx, Caller(office.account_id, "cli"), unit_of, {"sqft": 700}))
    browser = office.browser("owner")
    assert "changed unit 1" in browser.get("/activity").text
    before = browser.get("/activity?day=2026-04-02").text
    assert "changed unit 1" not in before
    assert "added unit" in before
    assert "Nothing found" in browser.get("/activity?day=2026-01-01").text
    assert browser.get("/activity?day=yesterday").status_code == 400


def test_what_people_did_comes_first_and_the_rest_when_it_is_asked_for(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    mails = Caller(office.account_id, "mail")
    office.database.write(lambda tx: audit.record(tx, mails, Verb.MAIL_WRITTEN, one.id))
    browser = office.browser("viewer")
    note = "noted that the e-mail with MAPLECOURT-1-2026-02 was saved to the outbox"
    for path, is_there in (("", False), ("?by=all", True), ("?by=mail", True), (f"?record={one.id}", True)):
        assert (note in browser.get(f"/activity{path}").text) is is_there
    assert "added unit 2" in browser.get("/activity").text
    assert "added unit 2" in browser.get("/activity?by=all").text


def test_it_is_leafed_through_from_the_newest_to_the_oldest(quick_office: Office) -> None:
    billed(quick_office, *(str(number) for number in range(1, 61)))
    browser = quick_office.browser("viewer")
    seen, further = [], "/activity"
    for _ in range(10):
        page = browser.get(further).text
        seen += [part.split("<")[0] for part in page.split("added unit ")[1:]]
        if 'rel="next"' not in page:
            break
        further = page.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    assert seen == [str(number) for number in range(60, 0, -1)]


def each_of(page: str) -> str:
    """Return the address of the list of single changes behind a summary line."""
    found = re.search(r'href="(/activity\?by=bulk_\w+)"', page)
    assert found
    return found[1]


def test_many_changes_at_once_are_one_line_that_leads_to_each(office: Office) -> None:
    made = billed(office, *(str(number) for number in range(1, 6)))
    browser = office.browser("manager")
    choose(browser, "/invoices/changes", verb="mark paid", chosen=[one.id for one in made])
    page = browser.get("/activity").text
    assert page.count("marked 5 invoices as paid") == 1
    assert "marked invoice" not in page
    assert 'Manager</span> <a href="/activity?by=bulk_' in page
    assert '<span class="quiet">, Maple Court</span>' in page
    for path in ("?by=all", "?kind=invoices", f"?by={member_id(page)}"):
        narrowed = browser.get(f"/activity{path}").text
        assert narrowed.count("marked 5 invoices as paid") == 1, path
        assert "marked invoice" not in narrowed, path
    each = browser.get(each_of(page)).text
    assert re.findall(r"marked invoice MAPLECOURT-(\d)-2026-02 as paid", each) == ["1", "2", "3", "4", "5"]
    assert each.count('strong">Manager</span>') == 5
    assert "Status: <del>draft</del>" in each
    assert "marked invoice MAPLECOURT-1" not in office.browser("stranger").get(each_of(page)).text
    history = browser.get(f"/invoices/{made[0].id}").text
    assert "marked invoice MAPLECOURT-1-2026-02 as paid" in history
    assert 'strong">Manager</span>' in history
    assert each_of(history) == each_of(page)


def member_id(page: str) -> str:
    found = re.search(r'<option value="(member_\w+)">Manager', page)
    assert found
    return found[1]


def test_a_change_of_many_by_a_job_is_one_line_that_says_what_it_came_to(quick_office: Office) -> None:
    made = billed(quick_office, *(str(number) for number in range(1, 60)))
    set_status(quick_office, made[0].id, "SENT")
    browser = quick_office.browser("manager")
    begun = choose(browser, "/invoices/changes", verb="send", all="true").headers["location"].rpartition("/")[2]
    while step := quick_office.database.read(lambda tx: bulk.next_step(tx, quick_office.account_id, begun)):
        quick_office.database.write(lambda tx, step=step: bulk.go_on(tx, quick_office.account_id, step))  # type: ignore[misc]
    page = browser.get("/activity").text
    assert "sent 59 invoices" in page
    assert "58 of 59 invoices were marked as sent; 1 was already in this state." in page
    first = browser.get(each_of(page)).text
    assert first.count("marked invoice") == 50
    further = first.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    assert browser.get(further).text.count("marked invoice") == 8
    assert browser.get("/activity?by=bulk_01kb1n3x6ve2hrrk0p1w4bqv2f").status_code == 200


def test_one_invoice_that_is_chosen_alone_is_noted_as_itself(quick_office: Office) -> None:
    one, two = billed(quick_office, "1", "2")
    browser = quick_office.browser("manager")
    choose(browser, "/invoices/changes", verb="mark paid", chosen=[one.id])
    page = browser.get("/activity").text
    assert "marked invoice MAPLECOURT-1-2026-02 as paid" in page
    assert "by=bulk_" not in page
    set_status(quick_office, one.id, "SENT")
    set_status(quick_office, two.id, "SENT")
    for row in (one, two):
        quick_office.database.write(
            lambda tx, row=row: tx.run(DELIVERED, named=row.id, is_now="handOver")  # type: ignore[misc]
        )
    choose(browser, "/invoices/changes", verb="hand over", chosen=[one.id, two.id])
    assert browser.get("/activity").text.count("handed over 2 invoices") == 1


def test_it_is_narrowed_by_kind_of_thing_and_searched(office: Office) -> None:
    one, two = billed(office, "1", "2")
    billed(office, "7", name="Elm House")
    browser = office.browser("owner")
    choose(browser, "/invoices/changes", verb="mark paid", chosen=[one.id, two.id])
    tenants = browser.get("/activity?kind=tenants").text
    assert "added tenant Tenant 7" in tenants
    assert "added unit" not in tenants
    assert "opened account" in browser.get("/activity?kind=people").text
    elm = browser.get("/activity?search=elm").text
    assert "added unit 7" in elm
    assert "added unit 1" not in elm
    found = browser.get("/activity?search=tenant+2").text
    assert "marked invoice MAPLECOURT-2-2026-02 as paid" in found, "each of many is found"
    assert "together with others" in found
    assert "MAPLECOURT-1" not in found
    assert "Aqua Water Co." in browser.get("/activity?search=aqua&kind=bills").text
    assert "marked invoice MAPLECOURT-1-2026-02" in browser.get("/activity?search=MAPLECOURT-1-2026-02").text
    assert "Nothing found" in browser.get("/activity?search=nobody").text
    assert browser.get("/activity?kind=colors").status_code == 400


def test_nothing_of_a_stranger_is_shown(quick_office: Office) -> None:
    (theirs,) = billed(quick_office, "1", name="Stranger House", account=quick_office.stranger_id)
    (mine,) = billed(quick_office, "1")
    set_status(quick_office, mine.id, "SENT")
    page = quick_office.browser("viewer").get("/activity").text
    assert "Stranger House" not in page
    assert "Nothing found" in quick_office.browser("viewer").get(f"/activity?record={theirs.id}").text


def test_what_was_done_with_a_file_stands_there_in_words(quick_office: Office) -> None:
    def bring(tx: Tx) -> str:
        found = documents.take(tx, quick_office.caller, "march.pdf", b"%PDF-1.7 x", "upload").row
        documents.set_aside(tx, quick_office.caller, found.id)
        documents.take_up(tx, quick_office.caller, found.id)
        return found.id

    document_id = quick_office.database.write(bring)
    browser = quick_office.browser("viewer")
    page = browser.get("/activity?kind=files&by=all").text
    for said in (
        "brought the file march.pdf into the Inbox",
        "set the file march.pdf aside",
        "took the file march.pdf up again",
    ):
        assert f'<a href="/inbox/{document_id}" class="plain-link">{said}</a>' in page
    assert "State: <del>set aside</del>" in page
    for inner in ("Digest", "Size", "Draft:", "Way"):
        assert inner not in page
    assert '<option value="files" selected>Files and mail in the Inbox</option>' in page
    assert "march.pdf" not in browser.get("/activity?kind=bills&by=all").text


class Damaged(NamedTuple):
    """The values of an audit entry that Prorata itself would never write."""

    account_id: str
    bill_date: str
    method: object = None


@pytest.mark.parametrize("row", [Damaged("", "2026-02-30"), Damaged("", "2026-03-01", 5)])
def test_an_entry_that_cannot_be_shown_says_so_and_is_logged_and_the_others_stay(
    quick_office: Office, row: Damaged
) -> None:
    (one,) = billed(quick_office, "1")
    sent = Verb.SET_INVOICE_SENT
    quick_office.database.write(lambda tx: audit.record(tx, quick_office.caller, sent, one.id, after=row))
    browser = quick_office.browser("viewer")
    for path, other in (("/activity?by=all", "added unit 1"), (f"/invoices/{one.id}", "Aqua Water Co.")):
        with structlog.testing.capture_logs() as lines:
            page = browser.get(path)
        assert page.status_code == 200
        assert "can’t be shown" in page.text
        assert other in page.text
        assert [line["log_level"] for line in lines if line["event"] == "entry not shown"] == ["error"]
