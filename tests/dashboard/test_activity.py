"""The page of what was done."""

import json
import re
from decimal import Decimal

from prorata.actions import share_rules, units
from prorata.store import audit
from prorata.store.audit import Caller
from tests.dashboard.billed import billed, set_status
from tests.dashboard.conftest import Office


def test_what_was_done_stands_there_with_before_and_after(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser = office.browser("manager")
    browser.post(f"/invoices/{one.id}/do/paid", {})
    page = browser.get("/activity").text
    assert ">Manager</span>" in page
    assert "set invoice MAPLECOURT-1-2026-02 to paid" in page
    assert "Status: <del>draft</del>" in page
    assert "<ins>paid</ins>" in page
    assert "Paid: <del>$0.00</del>" in page
    assert "<ins>$45.00</ins>" in page
    assert "added unit 2" in page
    assert "account_id" not in page
    assert "2026-04-02T" not in page.replace('datetime="2026-04-02T', "")


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
    assert "Utility types: <ins>Water</ins>" in page
    assert "<ins>by weights of your own</ins>" in page
    said = re.sub(r"<[^>]*>", "", page)
    for code in (one.unit_id, two.unit_id, "{", "WATER", "OTHER", "CUSTOM"):
        assert code not in said


def test_it_is_narrowed_by_record_person_and_day(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser = office.browser("owner")
    browser.post(f"/invoices/{one.id}/do/paid", {})
    by_record = browser.get(f"/activity?record={one.id}").text
    assert "to paid" in by_record
    assert "added unit" not in by_record
    by_operator = browser.get("/activity?by=cli").text
    assert "added unit" in by_operator
    assert "to paid" not in by_operator
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
    office.database.write(lambda tx: audit.record(tx, mails, "mail written", one.id))
    browser = office.browser("viewer")
    note = "noted that the e-mail of MAPLECOURT-1-2026-02 was written into the outbox"
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


def test_nothing_of_a_stranger_is_shown(quick_office: Office) -> None:
    (theirs,) = billed(quick_office, "1", name="Stranger House", account=quick_office.stranger_id)
    (mine,) = billed(quick_office, "1")
    set_status(quick_office, mine.id, "SENT")
    page = quick_office.browser("viewer").get("/activity").text
    assert "Stranger House" not in page
    assert "Nothing found" in quick_office.browser("viewer").get(f"/activity?record={theirs.id}").text
