"""Tests of charge files in the dashboard.

A member enters the other program's names and makes a file, which can be downloaded any number of times.
"""

import re
from datetime import date

import pytest

from prorata.actions.bills import bills
from prorata.actions.exports import charge_exports
from prorata.actions.properties import tenants, units
from prorata.adapters.exports.charge_layout_files import load_layouts
from prorata.domain.bills.bills import NewBill
from prorata.domain.limits import MOST_INVOICES_OF_CHARGE_FILE
from prorata.store.database.engine import Tx
from tests.dashboard.billed import FEBRUARY, billed, listed, set_status
from tests.dashboard.conftest import Browser, Office, form_token
from tests.dashboard.sent_files import send

HERE = "/charges/quickbooks-online"
_FIELD = re.compile(r'name="(name\.[^"]+)" value="([^"]*)"')
_MAKE = {"month": FEBRUARY, "property": "", "rows": "charge", "most": str(MOST_INVOICES_OF_CHARGE_FILE)}


@pytest.fixture
def browser(office: Office) -> Browser:
    for one in billed(office, "1", "2"):
        set_status(office, one.id, "SENT")
    return office.browser("manager")


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def place_of(office: Office) -> str:
    (found,) = re.findall(r'option value="(prop_[^"]+)"', office.browser("manager").get(f"{HERE}/names").text)
    return str(found)


def say_everything(office: Office, browser: Browser) -> str:
    """Save QuickBooks' name for water and the proposed names of tenants; return the property."""
    place = place_of(office)
    browser.post(f"{HERE}/names", {"name.item.WATER": "Water"})
    browser.post(f"{HERE}/names/ours", {"property": place})
    return place


def made(browser: Browser, **changes: str) -> str:
    answer = browser.post(HERE, _MAKE | changes)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_names_are_asked_for_then_a_file_is_made_and_downloaded_and_not_made_twice(
    office: Office, browser: Browser
) -> None:
    assert "QuickBooks Desktop" in browser.get("/charges").text
    said = words(browser.get(f"{HERE}?month={FEBRUARY}").text)
    assert "Map these for QuickBooks Online 2 invoices are left out until then." in said
    assert "Tenant 1 (Maple Court, 1)" in said
    assert "Create a file with" not in said
    place = place_of(office)
    names = browser.get(f"{HERE}/names?property={place}")
    proposed = dict(_FIELD.findall(names.text))
    assert sorted(proposed.values()) == ["Tenant 1", "Tenant 2"]
    assert "Suggested. It’s used once you save." in names.text
    saved = browser.post(f"{HERE}/names", {**proposed, "property": place})
    assert saved.headers["location"] == f"{HERE}/names?property={place}"
    assert "2 names were saved" in browser.get(saved.headers["location"]).text
    browser.post(f"{HERE}/names", {"name.item.WATER": "Water"})
    said = words(browser.get(f"{HERE}?month={FEBRUARY}").text)
    assert "$90.00 the same as on the invoices" in said
    assert "Create a file with 2 invoices" in said
    at = made(browser)
    page = browser.get(at)
    assert "Download the file" in page.text
    file = browser.get(f"{at}/file")
    assert file.headers["content-disposition"].endswith(".csv")
    assert file.text.startswith("*InvoiceNo,*Customer,*InvoiceDate,")
    assert "MAPLECOURT-1-2026-02,Tenant 1," in file.text
    assert browser.get(f"{at}/file").content == file.content
    said = words(browser.get(f"{HERE}?month={FEBRUARY}").text)
    assert "Already in a file 2 left out" in said
    assert "Nothing to export" in said
    refused = browser.post(HERE, _MAKE)
    assert refused.status_code == 409
    assert "The file would be empty: every sent invoice is already in a file" in refused.text


def test_the_form_sent_twice_makes_one_file(office: Office, browser: Browser) -> None:
    say_everything(office, browser)
    page = browser.get(f"{HERE}?month={FEBRUARY}")
    once = re.search(r'name="form_once" value="([^"]+)"', page.text)
    assert once is not None
    sent = _MAKE | {"form_once": once[1], "again": "true"}
    first, second = (browser.post(HERE, sent, token=form_token(page.text)) for _ in range(2))
    assert first.headers["location"].startswith("/charges/files/cexp_")
    assert second.headers["location"] == HERE
    layout = load_layouts()["quickbooks-online"]
    assert len(office.database.read(lambda tx: charge_exports.listed(tx, office.caller, layout))) == 1


def test_taking_them_again_warns_and_what_changed_since_is_named_with_its_difference(
    office: Office, browser: Browser
) -> None:
    say_everything(office, browser)
    at = made(browser)
    said = words(browser.get(f"{HERE}?month={FEBRUARY}&again=true").text)
    assert "2 of these invoices are in an earlier file." in said
    assert ", this one charges those tenants again" in said
    set_status(office, listed(office)[0].id, "CANCELLED")
    said = words(browser.get(at).text)
    assert "It was cancelled. $45.00 $0.00 -$45.00" in said
    assert "1 changed since" in words(browser.get(HERE).text)


def test_what_is_wrong_with_a_name_stands_beside_it_and_nothing_is_kept(office: Office, browser: Browser) -> None:
    refused = browser.post(f"{HERE}/names", {"name.item.WATER": "=1", "name.item.GAS": "Gas"})
    assert refused.status_code == 400
    assert 'id="wrong-name.item.WATER"' in refused.text
    assert 'value="=1"' in refused.text
    assert 'name="name.item.GAS" value=""' in browser.get(f"{HERE}/names").text


def test_a_spreadsheet_of_names_is_kept_or_refused_with_its_lines(office: Office, browser: Browser) -> None:
    place, to = place_of(office), "/charges/yardi-voyager/names/file"
    good = "property,unit,Property code,Unit code,Tenant code\nMaple Court,1,mpl,0001,t0000001\nMaple Court,2,,2,t2\n"
    kept = send(browser, good, to)
    assert kept.headers["location"] == "/charges/yardi-voyager/names"
    assert "5 names were saved" in browser.get("/charges/yardi-voyager/names").text
    page = browser.get(f"/charges/yardi-voyager/names?property={place}").text
    assert set(dict(_FIELD.findall(page)).values()) == {"mpl", "0001", "2", "t0000001", "t2"}
    wrong = send(browser, "unit,Tenant code\n9,t9\n", to, property=place)
    assert wrong.status_code == 400
    assert "No names were saved. Line 2: Maple Court has no unit “9”." in words(wrong.text)
    assert "Choose a file that contains names." in send(browser, None, to).text
    assert 'id="wrong-file"' in send(browser, b"\x00\x01", to).text


def test_from_a_month_and_from_the_invoices_one_gets_there_with_what_is_chosen(
    office: Office, browser: Browser
) -> None:
    place = place_of(office)
    month = browser.get(f"/properties/{place}/months/{FEBRUARY}")
    assert f"/charges?month={FEBRUARY}&amp;property={place}" in month.text
    chosen = browser.get(f"/charges?month={FEBRUARY}&property={place}").text
    assert f"/charges/appfolio?month={FEBRUARY}&amp;property={place}" in chosen
    assert f"/charges?month={FEBRUARY}" in browser.get(f"/invoices?month={FEBRUARY}").text
    assert browser.get(f"/charges/appfolio?month={FEBRUARY}&property={place}").status_code == 200


def test_several_currencies_are_divided_before_a_file_is_made(office: Office, browser: Browser) -> None:
    say_everything(office, browser)
    elm, caller = office.add_property(name="Elm House", currency="CAD"), office.caller

    def add(tx: Tx) -> None:
        unit = units.create(tx, caller, elm.id, {"label": "9"})
        tenants.create(tx, caller, unit.id, {"name": "Cy"})
        bills.add(tx, caller, [NewBill(elm.id, "Aqua", ("WATER",), 10_00, date(2026, 2, 20))])

    office.database.write(add)
    (one,) = listed(office, {"property": elm.id})
    set_status(office, one.id, "SENT")
    browser.post(f"{HERE}/names/ours", {"property": elm.id})
    page = browser.get(f"{HERE}?month={FEBRUARY}").text
    assert "These invoices are in several currencies" in page
    assert "Create a file with" not in page
    refused = browser.post(HERE, _MAKE)
    assert (refused.status_code, "Choose a currency first." in refused.text) == (409, True)
    assert f"{HERE}?month={FEBRUARY}&amp;currency=CAD" in page
    chosen = words(browser.get(f"{HERE}?month={FEBRUARY}&currency=CAD").text)
    assert "Only amounts in CAD." in chosen
    assert "Create a file with 1 invoice" in chosen
    at = made(browser, currency="CAD")
    assert browser.get(f"{at}/file").text.endswith(",10.00,10.00\r\n")


def test_a_viewer_looks_and_downloads_and_makes_nothing(office: Office, browser: Browser) -> None:
    say_everything(office, browser)
    at = made(browser)
    viewer = office.browser("viewer")
    assert "Create a file with" not in viewer.get(f"{HERE}?month={FEBRUARY}&again=true").text
    assert viewer.get(f"{at}/file").status_code == 200
    token = form_token(viewer.get("/settings/security").text)
    for path, fields in ((HERE, _MAKE), (f"{HERE}/names", {}), (f"{HERE}/names/ours", {"property": place_of(office)})):
        assert viewer.post(path, fields, token=token).status_code == 403


def test_what_is_not_there_says_so(office: Office, browser: Browser) -> None:
    assert browser.get("/charges/nowhere").status_code == 404
    assert browser.get("/charges/files/cexp_1").status_code == 404
    assert browser.get(f"{HERE}?month=2026-13").status_code in (200, 400)
    assert browser.get(f"{HERE}?property=prop_1").status_code == 404


def test_to_another_account_files_and_names_are_not_there(office: Office, browser: Browser) -> None:
    place = say_everything(office, browser)
    at = made(browser)
    stranger = office.browser("stranger")
    for path in (at, f"{at}/file", f"{HERE}?property={place}", f"{HERE}/names?property={place}"):
        assert stranger.get(path).status_code == 404, path
    assert "Nothing to export" in stranger.get(f"{HERE}?month={FEBRUARY}").text
    assert stranger.post(f"{HERE}/names", {"property": place, "name.customer.x": "y"}).status_code == 404


def test_activity_says_in_words_who_made_a_file(office: Office, browser: Browser) -> None:
    say_everything(office, browser)
    made(browser)
    said = words(office.browser("owner").get("/activity").text)
    assert re.search(r"made the file quickbooks-online-2026-02-\w+\.csv of charges for another program", said)
    assert "set another program’s names for properties, units, tenants and utilities" in said


def test_control_characters_among_names_are_refused_on_the_page_itself(browser: Browser) -> None:
    answer = browser.post(f"{HERE}/names", {"property": "\x00", "name.customer.x": "y"})
    assert answer.status_code == 400
    assert "Map accounts" in answer.text
