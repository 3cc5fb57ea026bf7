"""Tests of the list of invoices.

It can be searched, filtered and exported, and many invoices can be changed at once.
"""

import csv
import io
import re
from datetime import date
from html import unescape

import httpx
import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills
from prorata.actions.bulk import bulk
from prorata.domain.bills.bills import NewBill
from tests.dashboard.billed import billed, listed, set_status, status_of
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.invoices.test_statements import pay
from tests.dashboard.tenants import leaves


def numbers_in(text: str) -> list[str]:
    return [part.split("</a>")[0] for part in text.split('<th scope="row"><a href="/invoices/')[1:]]


def numbers_of(browser: Browser, query: str = "") -> list[str]:
    answer = browser.get(f"/invoices{query}")
    assert answer.status_code == 200, answer.text[:300]
    return [one.split(">")[1] for one in numbers_in(answer.text)]


def test_an_account_without_invoices_is_told_how_they_come_about(quick_office: Office) -> None:
    text = quick_office.browser("manager").get("/invoices").text
    assert "No invoices yet" in text
    assert 'href="/bills"' in text
    viewers = quick_office.browser("viewer").get("/invoices").text
    assert "No invoices yet" in viewers
    assert 'class="btn" data-variant="primary" data-size="sm" href="/bills"' not in viewers


def test_an_empty_list_of_overdue_invoices_says_when_the_next_one_is_due(office: Office) -> None:
    one, two = billed(office, "1", "2")
    browser = office.browser("viewer")
    assert "No invoice is unpaid." in browser.get("/invoices?status=OVERDUE").text
    set_status(office, one.id, "SENT")
    due = date.fromisoformat(next(row.due_date or "" for row in listed(office) if row.id == one.id))
    said = f"The next unpaid invoice is due on {due:%B} {due.day}, {due.year}."
    for query in ("?status=OVERDUE", "?only=overdue", f"?status=OVERDUE&unit={one.unit_id}"):
        assert said in browser.get(f"/invoices{query}").text
    assert "No invoice is unpaid." in browser.get(f"/invoices?status=OVERDUE&unit={two.unit_id}").text
    assert "Nothing found" in browser.get("/invoices?status=OVERDUE&search=nobody").text


def test_the_list_is_narrowed_searched_and_sorted(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    billed(office, "9", name="Elm House", total=10_00)
    billed(office, "1", name="Stranger House", account=office.stranger_id)
    set_status(office, one.id, "SENT")
    browser = office.browser("viewer")
    assert numbers_of(browser) == ["ELMHOUSE-9-2026-02", "MAPLECOURT-1-2026-02", "MAPLECOURT-2-2026-02"]
    assert numbers_of(browser, "?status=SENT") == ["MAPLECOURT-1-2026-02"]
    assert numbers_of(browser, f"?property={one.property_id}&sort=-number") == [
        "MAPLECOURT-2-2026-02",
        "MAPLECOURT-1-2026-02",
    ]
    assert numbers_of(browser, f"?unit={one.unit_id}") == ["MAPLECOURT-1-2026-02"]
    assert numbers_of(browser, "?search=tenant+9") == ["ELMHOUSE-9-2026-02"]
    assert numbers_of(browser, "?sort=-total")[0] != "ELMHOUSE-9-2026-02"
    assert numbers_of(browser, "?month=2026-02&search=elm") == ["ELMHOUSE-9-2026-02"]
    assert "Nothing found" in browser.get("/invoices?month=2025-01").text
    assert browser.get("/invoices?status=LATE").status_code == 400
    assert browser.get("/invoices?month=March").status_code == 400


def test_the_tabs_say_how_many_stand_in_each_status(quick_office: Office) -> None:
    one, _two = billed(quick_office, "1", "2")
    billed(quick_office, "9", name="Elm House")
    set_status(quick_office, one.id, "PAID")
    browser = quick_office.browser("owner")
    text = browser.get("/invoices").text
    assert 'All <span class="count">3</span>' in text
    assert 'Paid <span class="count">1</span>' in text
    of_property = browser.get(f"/invoices?property={one.property_id}&month=2026-02").text
    assert 'All <span class="count">2</span>' in of_property
    assert '<span class="count">' not in browser.get("/invoices?search=maple").text


def test_a_tab_is_highlighted_only_if_the_list_has_no_status_besides_it(quick_office: Office) -> None:
    billed(quick_office, "1")
    browser = quick_office.browser("viewer")

    def current(query: str) -> list[str]:
        tabs = re.search(r'<nav class="tabs-row" aria-label="Status">(.*?)</nav>', browser.get(query).text, re.DOTALL)
        assert tabs is not None
        assert "only=" not in tabs[1], "a tab replaces what the list was narrowed to"
        return re.findall(r'aria-current="page">(\w+)', tabs[1])

    assert current("/invoices?month=2026-02") == ["All"]
    assert current("/invoices?only=overdue&currency=USD") == []
    assert current("/invoices?only=undelivered&status=SENT") == ["Sent"]


def test_a_long_list_has_pages_and_keeps_what_it_is_narrowed_to(quick_office: Office) -> None:
    (_first, *_) = billed(quick_office, *(str(number) for number in range(1, 61)))
    browser = quick_office.browser("viewer")
    text = browser.get("/invoices?month=2026-02").text
    assert "1–50 of 60 invoices" in text
    assert "month=2026-02" in text.split('rel="next" href="')[1].split('"')[0]
    assert len(numbers_of(browser, "?month=2026-02&page=2")) == 10


def test_a_sorted_list_is_leafed_through_to_its_end_and_back(quick_office: Office) -> None:
    billed(quick_office, *(str(number) for number in range(1, 121)))
    browser = quick_office.browser("viewer")
    text = browser.get("/invoices?sort=-total&search=maple").text
    seen, ways = numbers_in(text), []
    while 'rel="next"' in text:
        ways.append(unescape(text.split('rel="next" href="')[1].split('"')[0]))
        text = browser.get(ways[-1]).text
        seen += numbers_in(text)
    assert "101–120 of 120 invoices" in text
    assert len(set(seen)) == len(seen) == 120
    assert "sort=-total" in ways[-1]
    back = browser.get(unescape(text.split('rel="prev" href="')[1].split('"')[0])).text
    assert numbers_in(back) == seen[50:100]
    assert "51–100 of 120 invoices" in back
    first = browser.get(unescape(back.split('rel="prev" href="')[1].split('"')[0])).text
    assert numbers_in(first) == seen[:50]
    assert browser.get("/invoices?sort=total&after=nonsense").status_code == 400


def test_a_viewer_chooses_nothing(quick_office: Office) -> None:
    billed(quick_office, "1")
    text = quick_office.browser("viewer").get("/invoices").text
    assert 'name="chosen"' not in text
    assert 'name="verb"' not in text


def test_a_file_of_a_list_is_named_in_the_language_of_the_page(german_office: Office) -> None:
    billed(german_office, "1")
    browser = german_office.browser("viewer")
    for rows, name in (("invoices", "Rechnungen"), ("charges", "Posten")):
        answer = browser.get(f"/invoices/export?rows={rows}")
        assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''{name}.csv"


def test_an_invoice_that_is_paid_in_part_shows_what_is_left(quick_office: Office) -> None:
    one, _two = billed(quick_office, "1", "2")
    set_status(quick_office, one.id, "SENT")
    pay(quick_office, one.id, 20_00)
    page = quick_office.browser("manager").get("/invoices").text
    assert "$45.00" in page
    assert ">$20.00 paid or credited<" in page
    assert ">$25.00 left to pay<" in page


def test_a_list_says_what_its_boxes_are_for_to_those_who_may_change_it(quick_office: Office) -> None:
    billed(quick_office, "1")
    hint = "Select invoices to print, send, remind tenants of, hand over or mark as paid."
    assert hint in quick_office.browser("manager").get("/invoices").text
    assert hint not in quick_office.browser("viewer").get("/invoices").text
    assert "Select months to send their invoices." in quick_office.browser("manager").get("/months").text


@pytest.mark.parametrize(("format_", "media"), [("csv", "text/csv"), ("xlsx", "application/vnd.openxml")])
def test_what_is_listed_is_handed_out_as_a_file(office: Office, format_: str, media: str) -> None:
    billed(office, "1", "2")
    billed(office, "9", name="Elm House")
    browser = office.browser("viewer")
    answer = browser.get(f"/invoices/export?search=maple&rows=invoices&format={format_}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media)
    assert f"invoices.{format_}" in answer.headers["content-disposition"]
    if format_ == "csv":
        rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
        assert [row["Invoice number"] for row in rows] == ["MAPLECOURT-1-2026-02", "MAPLECOURT-2-2026-02"]


def test_charges_are_handed_out_too(quick_office: Office) -> None:
    billed(quick_office, "1", "2")
    answer = quick_office.browser("viewer").get("/invoices/export?rows=charges")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["Utility"], row["Status"], row["Amount"]) for row in rows] == [("Water", "Draft", "45.00")] * 2


# --- many at once ----------------------------------------------------------------------------------------------------


def choose(browser: Browser, path: str, **fields: object) -> httpx.Response:
    token = browser.get("/invoices").text.split('name="form_token" value="')[1].split('"')[0]
    data = {"form_token": token} | fields
    return browser.client.post(path, data=data, headers={"Sec-Fetch-Site": "same-origin"}, follow_redirects=False)


def test_chosen_invoices_are_sent_after_asking_and_taken_back(office: Office) -> None:
    one, two, three = billed(office, "1", "2", "3")
    browser = office.browser("manager")
    asked = choose(browser, "/invoices/chosen", verb="send", chosen=[one.id, two.id], search="maple")
    assert "Send 2 invoices totaling $60.00?" in asked.text
    assert "<dt>By e-mail</dt><dd>2. The e-mails will be sent at once.</dd>" in asked.text
    assert status_of(office, one.id) == "DRAFT"
    done = choose(browser, "/invoices/changes", verb="send", chosen=[one.id, two.id])
    assert done.status_code == 303
    page = browser.get(done.headers["location"]).text
    assert "2 of 2 invoices were marked as sent." in page
    assert [row.status for row in listed(office)] == ["SENT", "SENT", "DRAFT"]
    undone = choose(browser, done.headers["location"] + "/undo")
    assert "2 of 2 invoices were set back as before." in browser.get(undone.headers["location"]).text
    assert {row.status for row in listed(office)} == {"DRAFT"}
    assert three.status == "DRAFT"


def test_all_that_match_are_changed_and_what_is_refused_says_why(quick_office: Office) -> None:
    one, _two = billed(quick_office, "1", "2")
    billed(quick_office, "9", name="Elm House")
    set_status(quick_office, one.id, "PAID")
    browser = quick_office.browser("owner")
    asked = choose(browser, "/invoices/chosen", verb="send", all="true", search="maple")
    assert "Send 1 invoice totaling $45.00?" in asked.text
    assert "1 was already sent and stays as it is." in asked.text
    done = choose(browser, "/invoices/changes", verb="send", all="true", search="maple")
    page = browser.get(done.headers["location"]).text
    assert "Not changed" in page
    assert "It was sent before and is now paid." in page
    assert status_of(quick_office, one.id) == "PAID"
    assert [row.status for row in listed(quick_office)] == ["DRAFT", "PAID", "SENT"]


def test_not_now_leads_back_to_the_same_page_with_the_same_ticks(quick_office: Office) -> None:
    one, two, three = billed(quick_office, "1", "2", "3")
    browser = quick_office.browser("owner")
    asked = choose(
        browser, "/invoices/chosen", verb="send", chosen=[one.id, three.id], search="maple", sort="-total", page="1"
    )
    back = browser.get(unescape(asked.text.split("Not now</a>")[0].split('href="')[-1].split('"')[0])).text
    assert 'value="maple"' in back
    assert [f'value="{row.id}" checked' in back for row in (one, two, three)] == [True, False, True]
    assert 'aria-sort="descending"' in back


def test_the_arrow_at_the_numbers_says_that_the_newest_month_comes_first(quick_office: Office) -> None:
    billed(quick_office, "1")
    browser = quick_office.browser("owner")
    assert 'aria-sort="descending"' in browser.get("/invoices").text
    assert 'aria-sort="ascending"' in browser.get("/invoices?sort=-number").text


def test_what_is_ticked_stays_so_where_the_form_is_stale(quick_office: Office) -> None:
    one, two, three = billed(quick_office, "1", "2", "3")
    browser = quick_office.browser("owner")
    fields = {"verb": "send", "chosen": [one.id, three.id]}
    again = browser.client.post("/invoices/chosen", data=fields, headers={"Sec-Fetch-Site": "same-origin"})
    assert again.status_code == 403
    assert [f'value="{row.id}" checked' in again.text for row in (one, two, three)] == [True, False, True]


def test_all_that_match_is_ticked_again_and_says_how_many_they_are(quick_office: Office) -> None:
    billed(quick_office, *(str(number) for number in range(1, 61)))
    browser = quick_office.browser("owner")
    assert 'data-all="All 60 matches"' in browser.get("/invoices?search=maple").text
    asked = choose(browser, "/invoices/chosen", verb="send", all="true", search="maple")
    assert "Send 60 invoices" in asked.text
    back = browser.get(unescape(asked.text.split("Not now</a>")[0].split('href="')[-1].split('"')[0])).text
    assert 'name="all" value="true" checked' in back


def test_with_nothing_chosen_the_list_says_so(quick_office: Office) -> None:
    billed(quick_office, "1")
    answer = choose(quick_office.browser("owner"), "/invoices/chosen", verb="cancel")
    assert answer.status_code == 400
    assert "No invoices are selected. Choose at least one." in answer.text
    assert numbers_in(answer.text)


def test_a_change_of_many_shows_how_far_it_is_until_it_ends_and_can_be_stopped(office: Office) -> None:
    billed(office, *(str(number) for number in range(1, 24)))
    browser = office.browser("manager")
    begun = choose(browser, "/invoices/changes", verb="mark paid", all="true").headers["location"]
    page = browser.get(begun).text
    assert 'hx-trigger="every 1s"' in page
    assert "0 of 23 done" in page
    bulk_id = begun.rpartition("/")[2]
    step = office.database.read(lambda tx: bulk.next_step(tx, office.account_id, bulk_id, most=1))
    assert step is not None
    office.database.write(lambda tx: bulk.go_on(tx, office.account_id, step))
    assert "1 of 23 done" in browser.get(begun).text
    choose(browser, f"{begun}/stop")
    ended = browser.get(begun).text
    assert "hx-trigger" not in ended
    assert "22 were left as they are" in ended
    assert "Undo" in ended
    assert "Undo" not in office.browser("viewer").get(begun).text


def test_a_strangers_invoices_are_not_changed(quick_office: Office) -> None:
    billed(quick_office, "1")
    (theirs,) = billed(quick_office, "7", account=quick_office.stranger_id)
    browser = quick_office.browser("owner")
    assert choose(browser, "/invoices/chosen", verb="send", chosen=[theirs.id]).status_code == 400
    done = choose(browser, "/invoices/changes", verb="send", chosen=[theirs.id])
    page = browser.get(done.headers["location"]).text
    assert "An invoice that no longer exists" in page
    assert theirs.number not in page
    noted = choose(browser, "/invoices/changes", verb="hand over", chosen=[theirs.id])
    assert noted.status_code == 409
    assert theirs.number not in noted.text
    strangers = quick_office.browser("stranger")
    assert strangers.get(done.headers["location"]).status_code == 404


def test_a_month_that_is_searched_without_its_year_is_offered_with_it(quick_office: Office) -> None:
    billed(quick_office, "1")
    browser = quick_office.browser("viewer")
    text = browser.get("/invoices?search=maple+February").text
    assert "a month, include its year" in text
    way = unescape(re.search(r'href="([^"]*)"[^>]*>\s*February 2026', text.split("include its year")[1]).group(1))
    assert numbers_of(browser, way.partition("/invoices")[2]) == ["MAPLECOURT-1-2026-02"]
    assert "a month with its year" in browser.get("/invoices?search=nobody").text
    assert numbers_of(browser, "?search=%25") == []


def test_an_invoice_that_was_handed_over_is_shown_as_that_in_lists(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    quick_office.database.write(
        lambda tx: accounts.change_settings(tx, quick_office.caller, accounts.Wishes(mail_on=False))
    )
    set_status(quick_office, one.id, "SENT")
    browser = quick_office.browser("owner")
    assert ">Hand over<" in browser.get("/invoices").text
    browser.post(f"/invoices/{one.id}/do/handed-over", {})
    assert ">Handed over</span>" in browser.get("/invoices").text


def test_the_landlord_reads_of_an_invoice_in_another_language_in_their_own(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    march = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 30_00, date(2026, 3, 20))
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, [march]))
    (draft,) = [row for row in listed(quick_office) if row.status == "DRAFT"]
    set_status(quick_office, draft.id, "SENT")
    leaves(quick_office, draft.id)
    quick_office.database.write(lambda tx: accounts.change_settings(tx, quick_office.caller, Wishes(locale="de-DE")))
    page = quick_office.browser("manager").get(f"/invoices/{one.id}").text
    assert f"{draft.number} (März 2026): 30,00\xa0$, fällig am" in page
