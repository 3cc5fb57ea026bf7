"""Tests of a property's list of months, and of the review before sending."""

import html
import re
from datetime import date

import pytest

from prorata.actions.accounts import access
from prorata.actions.bills import bills
from prorata.actions.bulk import bulk
from prorata.actions.delivery import deliveries
from prorata.actions.invoices.lists import Wish
from prorata.domain.bills.bills import NewBill
from tests.dashboard.billed import FEBRUARY, billed, listed, send_month
from tests.dashboard.conftest import Browser, Office, build_office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.properties.test_units import add_tenant, add_unit, divide_by, said
from tests.dashboard.splitting.test_share_rules import add_bill

MONTH = "2026-02"


def furnished(office: Office) -> str:
    """The id of a property with three units.

    One tenant gets e-mails, one gets invoices by hand, and one unit is vacant.
    """
    its = office.add_property()
    add_tenant(office, add_unit(office, its, "1"), "Ann Lee", email="ann@example.org")
    add_tenant(office, add_unit(office, its, "2"), "Bo Kim")
    add_unit(office, its, "3")
    add_bill(office, its, 90_00)
    return its.id


def test_without_a_month_the_page_says_what_begins_one(quick_office: Office) -> None:
    its = quick_office.add_property()
    assert "No months yet" in quick_office.browser("owner").get(f"/properties/{its.id}/months").text


@pytest.mark.parametrize(("locale", "called", "never"), [
    ("en-US", "garbage", "refuse col"), ("en-GB", "refuse collection", "garbage"),
])  # fmt: skip
def test_a_utility_is_called_the_same_on_every_page_and_on_the_invoice(
    migrated_sqlite_url: str, locale: str, called: str, never: str
) -> None:
    office = build_office(migrated_sqlite_url, locale=locale)
    its, browser = office.add_property(), office.browser("owner")
    add_tenant(office, add_unit(office, its, "1"), "Ann Lee")
    new = NewBill(its.id, "City", ("WATER", "GARBAGE"), 90_00, date(2026, 2, 20))
    bill = office.database.write(lambda tx: bills.add(tx, office.caller, [new])).bills[0].id
    (one,) = listed(office)
    paths = (
        f"/properties/{its.id}/months/{MONTH}", f"/bills/{bill}", f"/invoices/{one.id}", f"/properties/{its.id}/rules",
        "/", "/bills", "/charges/quickbooks-desktop/names",
    )  # fmt: skip
    for path in paths:
        page = re.sub(r"<[^>]+>", " ", browser.get(path).text.lower())
        assert called in page, path
        assert never not in page, path
        assert "trash" not in page, path


def test_months_are_listed_with_what_they_come_to(office: Office) -> None:
    its = furnished(office)
    page = office.browser("viewer").get(f"/properties/{its}/months").text
    assert "February 2026" in page
    assert "3 drafts" in page
    assert "$90.00" in page
    assert "No older months" in office.browser("viewer").get(f"/properties/{its}/months?page=9").text
    assert "Nothing found" in office.browser("viewer").get(f"/properties/{its}/months?only=closed").text
    assert "February 2026" in office.browser("viewer").get(f"/properties/{its}/months?only=open&sort=-billed").text


def test_a_month_says_what_to_look_at_each_with_its_button_and_what_sending_closes(office: Office) -> None:
    its = furnished(office)
    page = office.browser("manager").get(f"/properties/{its}/months/{MONTH}").text
    assert "Bo Kim (unit 2) has no e-mail address" in page
    assert "Add the address" in page
    assert "Unit 3 was vacant" in page
    assert "Add a tenant" in page
    assert "Send all 2" in page
    assert "Vacant: your own cost" in page
    figures = re.findall(r'<dt>([^<]*)</dt><dd class="big">([^<]*)</dd>', page)
    assert figures[:4] == [
        ("Bills", "$90.00"), ("Billed to tenants", "$60.00"), ("Vacant units", "$30.00"), ("Your own part", "$0.00")
    ]  # fmt: skip


def test_a_first_month_says_what_later_ones_are_compared_with(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    page = quick_office.browser("owner").get(f"/properties/{one.property_id}/months/{one.month}").text
    assert "only knows which bills are usual after 3 months. Until then, it only compares a month with" in page


def test_what_a_month_bills_besides_its_bills_is_named(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser, path = quick_office.browser("owner"), f"/properties/{one.property_id}/months/{one.month}"
    assert "of it comes from elsewhere" not in browser.get(path).text
    browser.post(f"/invoices/{one.id}/charges", {"description": "Garage", "amount": "25.00"})
    assert "$25.00 of it comes from elsewhere: charges you added by hand" in browser.get(path).text


def test_what_is_not_billed_is_no_utility(quick_office: Office) -> None:
    its = quick_office.add_property()
    add_unit(quick_office, its, "1")
    amounts = (("WATER", 80_00), ("LATE_FEE", 10_00))
    new = NewBill(its.id, "Aqua Water Co.", ("WATER",), 90_00, date(2026, 2, 20), amounts=amounts)
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, [new]))
    page = quick_office.browser("viewer").get(f"/properties/{its.id}/months/{MONTH}").text
    assert ">1 utility<" in page


def test_on_the_review_of_a_month_too_a_theme_is_chosen(quick_office: Office) -> None:
    page = quick_office.browser("viewer").get(f"/properties/{furnished(quick_office)}/months/{MONTH}").text
    assert 'action="/theme"' in page


def test_the_page_of_a_month_leads_on_and_says_whose_mail_reached_nobody(office: Office) -> None:
    its, browser = furnished(office), office.browser("manager")
    page = browser.get(f"/properties/{its}/months/2026-02").text
    assert f'href="/properties/{its}/months/2026-01"' in page
    assert f'href="/properties/{its}/months/2026-03"' in page
    assert 'href="/payments"' in page.partition("Other pages")[2]
    assert "reached nobody" not in page
    browser.post("/months/send", {"chosen": f"{its} 2026-02"})
    (one,) = (row for row in listed(office) if row.delivery == "queued")
    mail_id = office.database.read(lambda tx: deliveries.messages(tx, office.caller, one.id))[-1].id
    office.database.write(lambda tx: deliveries.note_written(tx, office.account_id, mail_id, "outbox"))
    assert "The e-mail with 1 invoice reached nobody" in browser.get(f"/properties/{its}/months/2026-02").text


def test_the_draft_of_a_vacant_unit_says_what_it_is_and_who_bears_it(office: Office) -> None:
    its = office.add_property()
    add_unit(office, its, "1")
    divide_by(office, its, "EQUAL")
    add_bill(office, its)
    (one,) = listed(office)
    page = office.browser("manager").get(f"/invoices/{one.id}").text
    assert "Nobody lived in unit 1 in February 2026, so nobody receives this." in page
    assert "You, the owner, bear it: $" in page
    assert f'href="/units/{one.unit_id}/tenants/new"' in page


def test_sending_asks_sends_to_who_is_there_and_closes_the_month(office: Office) -> None:
    its, browser = furnished(office), office.browser("manager")
    at = f"/properties/{its}/months/{MONTH}"
    asked = browser.get(f"{at}/send").text
    assert "Send 2 invoices totaling $60.00?" in asked
    facts = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", asked))
    assert (facts["Invoices"], facts["Total"], facts["On paper"]) == (
        "2",
        "$60.00",
        "1, for you to print and hand over",
    )
    assert facts["By e-mail"].startswith("1. The e-mail will be sent")
    assert facts["Locked then"].startswith("February 2026. A bill that arrives later won")
    assert "in 1 property. Review these first" in asked
    sent = send_month(browser, its)
    done = said(browser, sent)
    assert "2 of 2 invoices were marked as sent" in done
    assert f'href="{sent.headers["location"]}/undo"' in done
    assert f'href="{at}"' in done
    page = browser.get(at).text
    assert "This month is closed" in page
    assert "because 2 invoices for it are no longer drafts" in page
    assert (
        "Its drafts stay as they were calculated then, and a bill that arrives now waits until you decide which invoices charge it."
        in page
    )
    assert "Send all" not in page
    nothing = send_month(browser, its)
    assert (nothing.status_code, "All of these are for vacant units" in nothing.text) == (409, True)
    assert "1 is for a vacant unit and stays a draft" in browser.get(f"{at}/send").text


def test_what_to_review_first_is_about_the_chosen_drafts(quick_office: Office) -> None:
    furnished(quick_office)
    browser = quick_office.browser("manager")
    ann, bo = (next(row.id for row in listed(quick_office) if row.unit_label == label) for label in ("1", "2"))
    for chosen, is_named in (([ann], False), ([bo], True), ([ann, bo], True)):
        asked = choose(browser, "/invoices/chosen", verb="send", chosen=chosen).text
        assert "Review these first" in asked, "the vacant unit"
        assert ("1 tenant without e-mail" in asked) == is_named
    assert "1 tenant without e-mail" not in browser.get(f"/invoices/{ann}/do/send").text
    assert "1 tenant without e-mail" in browser.get(f"/invoices/{bo}/do/send").text


def test_a_closed_month_shows_what_waits_and_opens_when_its_invoices_are_drafts_again(office: Office) -> None:
    its, browser = furnished(office), office.browser("manager")
    at = f"/properties/{its}/months/{MONTH}"
    send_month(browser, its)
    row = office.database.read(lambda tx: access.property_(tx, office.caller, its))
    late = add_bill(office, row, 30_00, "2026-02-21")
    page = browser.get(at).text
    assert "1 bill totaling $30.00 arrived after invoices for February 2026 were sent, and is waiting." in page
    assert f'href="/bills/{late}"' in page
    everything = Wish({"property": its})
    office.database.write(lambda tx: bulk.begin(tx, office.caller, "reopen", everything))
    page = browser.get(at).text
    assert "This month is closed" not in page
    assert "$120.00" in page


def test_a_month_of_before_billing_starts_is_history(quick_office: Office) -> None:
    its, browser = furnished(quick_office), quick_office.browser("owner")
    browser.post(f"/properties/{its}/history", {"firstMonth": "2026-03"})
    page = browser.get(f"/properties/{its}/months/{MONTH}").text
    assert "This month is history: billing starts in March 2026." in page


def test_bills_of_before_are_found_by_links_made_history_listed_and_compared(office: Office) -> None:
    its, browser = furnished(office), office.browser("manager")
    row = office.database.read(lambda tx: access.property_(tx, office.caller, its))
    old = add_bill(office, row, 30_00, "2025-11-20")
    history = f"/properties/{its}/history"
    for path, to in (("/bills", history), (f"/properties/{its}/months", history), ("/", "/history")):
        assert f'href="{to}"' in browser.get(path).text, path
    assert "/history" not in office.browser("viewer").get("/bills").text
    browser.post(history, {"firstMonth": "2026-02"})
    very_old = add_bill(office, row, 12_00, "2025-10-20")
    assert "First month to bill for" not in browser.get("/bills").text, "it was said"
    listed = browser.get(f"/properties/{its}/months").text
    months = re.findall(rf'href="/properties/{its}/months/(\d{{4}}-\d\d)"', listed)
    assert months == ["2026-02", "2025-11", "2025-10"]
    assert "1 bill totaling $12.00, not billed" in listed
    at = f"/properties/{its}/months/2025-10"
    assert f'href="{at}/compare"' in listed
    page = browser.get(at).text
    assert "This month is history" in page
    assert "$12.00" in page
    assert "not charged to anyone" in page
    for way in (f"{at}/compare", f"/bills?property={its}&amp;month=2025-10", history):
        assert f'href="{way}"' in page
    bills = browser.get(f"/bills?property={its}&month=2025-10").text
    assert f'href="/bills/{very_old}"' in bills
    assert f'href="/bills/{old}"' not in bills
    seen = office.browser("viewer").get(at).text
    assert f'href="{at}/compare"' in seen
    assert "what you charged each unit for October 2025 before you used Prorata" in browser.get(f"{at}/compare").text
    compared = browser.post(f"{at}/compare", {"pasted": "1,6.00\n2,6.00"}).text
    assert "This month is before billing starts here." in compared


def test_history_is_asked_about_again_where_other_drafts_would_go(office: Office) -> None:
    its = office.add_property()
    add_unit(office, its, "1")
    add_bill(office, its, 10_00, "2026-01-03")
    browser, at = office.browser("manager"), f"/properties/{its.id}/history"
    form = {"firstMonth": "2026-03", "seen": "2026-03"}
    numbers = re.compile(r'name="seenNumbers" value="([^"]+)"')
    found = numbers.search(browser.get(f"{at}?firstMonth=2026-03").text)
    assert found is not None
    add_bill(office, its, 20_00, "2026-02-03")
    refused = browser.post(at, form | {"seenNumbers": found[1]})
    assert refused.status_code == 409
    assert "Nothing has been changed yet." in refused.text
    fresh = numbers.search(refused.text)
    assert fresh is not None
    assert fresh[1] != found[1]
    assert browser.post(at, form | {"seenNumbers": fresh[1]}).status_code == 303


def test_months_of_history_are_paged_with_the_others(quick_office: Office) -> None:
    its = quick_office.add_property()
    add_unit(quick_office, its, "1")
    browser = quick_office.browser("owner")
    browser.post(f"/properties/{its.id}/history", {"firstMonth": "2026-02"})
    for month in range(1, 13):
        add_bill(quick_office, its, 10_00, f"2024-{month:02d}-03")
        add_bill(quick_office, its, 10_00, f"2023-{month:02d}-03")
    add_bill(quick_office, its, 10_00)
    at = f"/properties/{its.id}/months"
    assert f'href="{at}?sort=-month&amp;page=2"' in browser.get(at).text
    assert "January 2023" in browser.get(f"{at}?page=2").text
    assert "January 2023" in browser.get(f"{at}?only=history&sort=month").text


def test_sending_a_month_without_drafts_is_not_asked(quick_office: Office) -> None:
    its, browser = quick_office.add_property(), quick_office.browser("manager")
    page = said(browser, browser.get(f"/properties/{its.id}/months/{MONTH}/send"))
    assert "February 2026 has no drafts to send." in page


@pytest.mark.parametrize(("month", "status"), [("2026-02", 200), ("2031-01", 200), ("2026-13", 404), ("March", 404)])
def test_every_month_has_a_page_and_what_is_no_month_has_none(quick_office: Office, month: str, status: int) -> None:
    its, browser = quick_office.add_property(), quick_office.browser("viewer")
    for path in (month, f"{month}/compare"):
        answer = browser.get(f"/properties/{its.id}/months/{path}")
        assert answer.status_code == status
        assert "/docs" not in answer.text


def test_a_viewer_sees_a_month_and_sends_nothing(quick_office: Office) -> None:
    its = furnished(quick_office)
    browser = quick_office.browser("viewer")
    page = browser.get(f"/properties/{its}/months/{MONTH}").text
    assert "Bo Kim (unit 2)" in page
    assert "Send all" not in page
    assert "/edit" not in page
    token = page.split('name="form_token" value="')[1].split('"')[0]
    assert browser.post("/months/send", {"chosen": f"{its} {MONTH}"}, token=token).status_code == 403


def test_a_month_of_many_units_lists_50_invoices_at_a_time(quick_office: Office) -> None:
    its = quick_office.add_property()
    for number in range(52):
        add_unit(quick_office, its, str(number))
    add_bill(quick_office, its, 520_00)
    browser, at = quick_office.browser("viewer"), f"/properties/{its.id}/months/{MONTH}"
    assert "1–50 of 52 invoices" in browser.get(at).text
    assert ">51</a>" in browser.get(f"{at}?page=2").text
    assert "There are no more on this page." in browser.get(f"{at}?page=3").text


def listed_units(browser: Browser, address: str) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/invoices/\w+">([^<]*)</a>', browser.get(address).text)


def test_the_invoices_of_a_month_are_searched_sorted_and_leafed(quick_office: Office) -> None:
    its = quick_office.add_property()
    for number in range(1, 53):
        add_tenant(quick_office, add_unit(quick_office, its, str(number)), f"Tenant {'AB'[number % 2]}{number:02d}")
    add_unit(quick_office, its, "53")
    add_bill(quick_office, its, 530_00)
    browser, at = quick_office.browser("viewer"), f"/properties/{its.id}/months/{MONTH}"
    assert 'id="look"' in browser.get(at).text
    alone = browser.get(f"{at}?search=a52").text
    assert 'id="look"' not in alone, "the review costs by all units, the list by its page"
    assert f'href="{at}">Back to' in alone
    assert listed_units(browser, f"{at}?search=a52") == ["52"]
    assert listed_units(browser, f"{at}?search=tenant+b") == [str(number) for number in range(1, 53, 2)]
    assert listed_units(browser, f"{at}?search=10.00")[:2] == ["1", "2"]
    assert "Nothing found" in browser.get(f"{at}?search=nobody").text
    assert listed_units(browser, f"{at}?sort=-number")[0] == "53"
    first = browser.get(f"{at}?sort=tenant").text
    assert "1–50 of 53 invoices" in first
    found = re.search(r'rel="next" href="([^"]+)"', first)
    assert found is not None
    assert listed_units(browser, html.unescape(found[1])) == ["49", "51", "53"], "who has no tenant comes last"


def test_another_first_month_than_the_one_that_was_shown_is_shown_before_it_is_set(quick_office: Office) -> None:
    its, browser = quick_office.add_property(), quick_office.browser("manager")
    here = f"/properties/{its.id}/history"
    assert 'name="seen" value="2026-04"' in browser.get(f"{here}?firstMonth=2026-04").text
    chosen = browser.post(here, {"firstMonth": "2026-03", "seen": "2026-04"})
    assert chosen.headers["location"] == f"{here}?firstMonth=2026-03"
    page = browser.get(chosen.headers["location"]).text
    assert "You chose March 2026. Nothing has been set yet: this is what would happen." in page
    assert "Bill starting with March 2026" in page
    looked = browser.post(here, {"firstMonth": "2026-02", "seen": "2026-04", "look": "true"})
    assert looked.headers["location"] == f"{here}?firstMonth=2026-02"
    assert "You chose" not in browser.get(looked.headers["location"]).text
    assert browser.post(here, {"firstMonth": "2026-02", "seen": "2026-02"}).headers["location"].endswith("/months")


def test_an_unusual_amount_is_said_to_be_right_on_the_page_of_its_month(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1", total=290_00)
    before = [
        NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 90_00, date(2025, month, 20)) for month in (10, 11, 12)
    ]
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, before))
    browser, here = quick_office.browser("manager"), f"/properties/{one.property_id}/months/{FEBRUARY}"
    page = browser.get(here).text
    said = "charges $290.00 for water: more than twice the usual $90.00."
    assert said in page
    ids = re.search(r'name="bills" value="([^"]+)"', page)
    assert ids is not None
    assert "Explain briefly why it is right." in browser.post(f"{here}/unusual", {"bills": ids[1], "reason": ""}).text
    assert browser.post(f"{here}/unusual", {"bills": ids[1], "reason": "A burst pipe"}).status_code == 303
    assert said not in browser.get(here).text
    assert "A burst pipe" in browser.get(f"/bills/{ids[1]}").text
    assert 'name="bills"' not in quick_office.browser("viewer").get(here).text
