"""Previews of forms that are not about one record.

They cover copies, first months, files, and data that arrived automatically.
"""

import re
from pathlib import Path

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.properties import units
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard import PAGES
from tests.dashboard.bills.test_bills import FILLED, NEW, add, home, send_all
from tests.dashboard.bills.test_flagged_bills import shown_flags, shown_marks
from tests.dashboard.conftest import Office
from tests.dashboard.intake.test_inbox import a_bill, bring as bring_files, fields, read_all
from tests.dashboard.intake.test_tables import brought
from tests.dashboard.kernel.test_form_previews import PART, flats, maple, of_march, rows
from tests.dashboard.properties.test_property_files import AT as UNITS_FILE, bring as bring_units
from tests.dashboard.sent_files import held, send
from tests.dashboard.splitting.test_share_rules import EQUALLY
from tests.every_row import every_row

TEMPLATES = Path(__file__).parents[3] / "prorata/web/dashboard/templates"
__all__ = ["maple"]


@pytest.fixture
def url(migrated_url: str) -> str:
    return migrated_url


def test_every_page_that_offers_a_preview_has_a_place_for_it() -> None:
    """Without such a place, pressing the button shows nothing in a browser with scripts."""
    offering = {one.name: one.read_text() for one in TEMPLATES.glob("*.html") if one.name != "parts.html"}
    by_buttons = {name for name, text in offering.items() if "preview_button(" in text or "moves=true) }}" in text}
    assert {name for name in by_buttons if "preview_place(" not in offering[name]} == set()


def test_further_forms_that_recalculate_are_previewed() -> None:
    assert {one.path for one in PAGES if one.moves and not one.is_preview} >= {
        "/units/{unit}/reactivate", "/properties/{id}/copy", "/properties/{id}/history", "/history",
        "/inbox/{document}", "/inbox/{document}/rows", "/bills/{bill}/flags", "/bills/{bill}/flags/{number}",
        "/invoices/{invoice}/charges", "/invoices/{invoice}/charges/{charge}/remove",
    }  # fmt: skip
    assert "/import/units/add/preview" in {one.path for one in PAGES}


def test_a_unit_that_would_be_used_again_takes_its_part_again(office: Office, maple: PropertyRow, url: str) -> None:
    browser, one = office.browser("manager"), flats(office, maple)[0]
    office.database.write(lambda tx: units.change(tx, office.caller, one.id, {"active_to": "2026-03-10"}))
    before = every_row(url)
    page = browser.get(f"/units/{one.id}").text
    assert f'formaction="/units/{one.id}/reactivate/preview"' in page
    assert 'id="effect"' in page
    assert rows(browser.post(f"/units/{one.id}/reactivate/preview", {}, **PART).text)[1] == [
        "Tenant 1 Unit 1", "$21.95", "$45.01", "+$23.06",
    ]  # fmt: skip
    alone = browser.post(f"/units/{one.id}/reactivate/preview", {}).text
    assert f'href="/units/{one.id}">Cancel' in alone
    assert every_row(url) == before


def test_rules_that_would_be_copied_change_invoices_of_the_others_and_say_what_is_left(
    office: Office, maple: PropertyRow, url: str
) -> None:
    oak, browser = home(office, "7", name="Oak House"), office.browser("manager")
    rule = f"/properties/{oak.id}/rules/water"
    form = browser.post(f"{rule}/split", EQUALLY | {"splitMethod": "PERCENTAGE"}).text
    (weight,) = re.findall(r'name="(weight\.unit_\w+)"', form)
    browser.post(rule, EQUALLY | {"splitMethod": "PERCENTAGE", weight: "100"})
    browser.post(f"/properties/{maple.id}/rules/water", EQUALLY | {"ownerPercent": "20"})
    wanted = {"to": [maple.id], "utilities": ["WATER", "GAS"]}
    page = browser.post(f"/properties/{oak.id}/copy/preview", wanted, **PART).text
    assert "Left as they were: Maple Court, water:" in page
    assert "No invoices change." in page
    elm = home(office, "9", name="Elm House")
    assert f'formaction="/properties/{elm.id}/copy/preview"' in browser.get(f"/properties/{elm.id}/copy").text
    before = every_row(url)
    page = browser.post(f"/properties/{elm.id}/copy/preview", wanted, **PART).text
    assert ["Tenant 1 Unit 1", "$36.01", "$45.01", "+$9.00"] in rows(page)
    assert every_row(url) == before


def test_the_first_month_to_bill_shows_the_invoices_that_would_go(office: Office, maple: PropertyRow, url: str) -> None:
    browser, at = office.browser("manager"), f"/properties/{maple.id}/history"
    form = browser.get(f"{at}?firstMonth=2026-04").text
    assert f'formaction="{at}/preview"' in form
    (seen,) = re.findall(r'name="seenNumbers" value="([^"]*)"', form)
    before = every_row(url)
    asked = {"firstMonth": "2026-04", "seen": "2026-04", "seenNumbers": seen}
    gone = ["Tenant 1 Unit 1", "$45.01", "$0.00", "-$45.01"]
    assert gone in rows(browser.post(f"{at}/preview", asked).text)
    other = browser.post(f"{at}/preview", asked | {"firstMonth": "2026-05"}).text
    assert "Nothing has been set yet" in other, "those of another month are to be seen first"
    (chosen,) = re.findall(r'name="chosen" value="([^"]+)"', browser.get("/history?firstMonth=2026-04").text)
    page = browser.post("/history/preview", {"firstMonth": "2026-04", "seen": "2026-04", "chosen": [chosen]}, **PART)
    assert gone in rows(page.text)
    assert every_row(url) == before


def test_a_bill_from_the_inbox_is_previewed_before_it_is_added(office: Office, maple: PropertyRow, url: str) -> None:
    browser, (facts, pdf) = office.browser("manager"), a_bill()
    here = bring_files(browser, ("bill.pdf", pdf)).headers["location"]
    read_all(office)
    form = browser.get(f"{here}?property={maple.id}").text
    assert f'formaction="{here}/preview"' in form
    before = every_row(url)
    page = browser.post(f"{here}/preview", fields(form) | {"hasElectricity": "true"}, **PART)
    added = sum(int(re.sub(r"\D", "", row[3])) for row in rows(page.text)[1:4] if row[3] != "–")
    assert added == facts.total
    assert every_row(url) == before


def test_a_table_of_bills_is_previewed_before_it_is_added(office: Office, maple: PropertyRow, url: str) -> None:
    browser = office.browser("manager")
    table = "property,issuerName,utilityType,totalAmountDue,billDate\nMaple Court,Volt,ELECTRICITY,20.00,2026-03-09\n"
    at = f"/inbox/{brought(office, browser, table)}"
    form = browser.get(f"{at}/table").text
    assert f'formaction="{at}/rows/preview"' in form
    (shown,) = re.findall(r'name="shown" value="(\w+)"', form)
    before = every_row(url)
    page = browser.post(f"{at}/rows/preview", {"shown": shown}, **PART).text
    assert rows(page)[1] == ["Tenant 1 Unit 1", "$45.01", "$55.01", "+$10.00"]
    assert every_row(url) == before


def test_a_file_of_units_is_previewed_and_added_from_there(office: Office, maple: PropertyRow, url: str) -> None:
    browser = office.browser("manager")
    looked = bring_units(browser, "Unit,Tenant\n3,Eve\n", maple.id)
    assert 'formaction="/import/units/add/preview"' in looked.text
    before = every_row(url)
    page = send(browser, None, f"{UNITS_FILE}/add/preview", property=maple.id, **held(looked)).text
    assert rows(page)[1] == ["Tenant 1 Unit 1", "$45.01", "$30.01", "-$15.00"]
    assert ["Eve Unit 3", "$0.00", "$30.00", "+$30.00"] in rows(page)
    assert every_row(url) == before
    hidden = dict(
        re.findall(
            r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page[page.index("Nothing has been saved yet") :]
        )
    )
    hidden.pop("form_token")
    assert send(browser, None, f"{UNITS_FILE}/add", **hidden).status_code == 303
    assert sorted(one.summary.total for one in of_march(office)) == [30_00, 30_00, 30_01]


def test_what_accepting_a_held_bill_would_charge_is_shown_first(office: Office, maple: PropertyRow, url: str) -> None:
    browser = office.browser("owner")
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(hold_flagged=True)))
    asked = browser.post(NEW.format(maple.id), FILLED)
    later = FILLED | {"flagsShown": shown_flags(asked.text), "later": "true"}
    bill = browser.post(NEW.format(maple.id), later).headers["location"]
    page = browser.get(bill).text
    assert f'formaction="{bill}/flags/1/preview"' in page
    (mark,) = shown_marks(page)
    before = every_row(url)
    said = browser.post(f"{bill}/flags/1/preview", {"shown": mark, "reason": "A second meter"}, **PART).text
    assert rows(said)[1][3].startswith("+$")
    assert every_row(url) == before


def test_a_charge_of_ones_own_is_previewed_as_it_is_added_and_as_it_goes(
    office: Office, maple: PropertyRow, url: str
) -> None:
    browser, first = office.browser("manager"), of_march(office)[0].summary
    at = f"/invoices/{first.id}"
    assert f'formaction="{at}/charges/preview"' in browser.get(at).text
    before = every_row(url)
    garage = {"description": "Garage", "amount": "25"}
    assert rows(browser.post(f"{at}/charges/preview", garage, **PART).text)[1] == [
        "Tenant 1 Unit 1", "$45.01", "$70.01", "+$25.00",
    ]  # fmt: skip
    assert every_row(url) == before
    browser.post(f"{at}/charges", garage)
    (remove,) = set(re.findall(rf'formaction="({at}/charges/\w+/remove/preview)"', browser.get(at).text))
    before = every_row(url)
    assert rows(browser.post(remove, {}).text)[1] == ["Tenant 1 Unit 1", "$70.01", "$45.01", "-$25.00"]
    assert every_row(url) == before


def test_a_late_bill_has_its_preview_beside_both_ways_to_bill_it(office: Office, maple: PropertyRow) -> None:
    send_all(office)
    late = add(office, maple, 20_00, "Late Water")
    page = office.browser("manager").get(f"/bills/{late.id}").text
    assert page.count(f'formaction="/bills/{late.id}/month/preview"') == 2
    assert page.count('id="effect"') == 1


def test_head_counts_of_a_file_that_reach_sent_months_say_how_many_invoices_are_corrected(
    office: Office, maple: PropertyRow
) -> None:
    browser = office.browser("manager")
    browser.post(f"/properties/{maple.id}/rules/water", EQUALLY | {"splitMethod": "OCCUPANTS"})
    send_all(office)
    looked = bring_units(browser, "Unit,Tenant,People\n1,Tenant 1,4\n", maple.id)
    assert "what would change in their months becomes a correction" in looked.text
    (differs,) = re.findall(r'name="differs" value="([^"]+)"', looked.text)
    taken = held(looked) | {"property": maple.id, "differs": differs, "take": "true"}
    page = send(browser, None, f"{UNITS_FILE}/add/preview", **taken).text
    assert "2 households would have a correction. Invoices that have been sent stay as they are." in page
