"""Forms that would change invoices show a preview before they are saved.

The preview itself saves nothing.
"""

import re
from datetime import timedelta

import pytest

from prorata.actions.invoices import invoices
from prorata.actions.invoices.invoices import ShownInvoice
from prorata.actions.properties import units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import UnitRow
from prorata.web.dashboard import PAGES
from tests.dashboard.bills.test_bills import FILLED, NEW, add, home, lived_in, send_all
from tests.dashboard.conftest import Office
from tests.dashboard.splitting.test_share_rules import EQUALLY
from tests.every_row import every_row

PART = {"HX-Request": "true"}


@pytest.fixture
def url(migrated_url: str) -> str:
    return migrated_url


@pytest.fixture
def maple(office: Office) -> PropertyRow:
    """Two equal units with a tenant each, and a bill for $90.01 for March."""
    its = lived_in(office)
    add(office, its)
    return its


def flats(office: Office, its: PropertyRow) -> list[UnitRow]:
    return office.database.read(lambda tx: units.all_of(tx, office.caller, its.id))


def of_march(office: Office) -> list[ShownInvoice]:
    return office.database.read(lambda tx: invoices.page(tx, office.caller, {}, limit=9, offset=0, details=True))[0]


def rows(page: str) -> list[list[str]]:
    """The cells of each row of figures in the preview."""
    found = page[page.index('id="would-change"') :]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in re.findall(r"<tr>(.*?)</tr>", found)]
    return [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


def test_every_form_that_moves_invoices_is_previewed_at_an_address_of_its_own() -> None:
    moving = {one.path for one in PAGES if one.moves and not one.is_preview}
    assert {one.path for one in PAGES if one.is_preview} == {f"{path}/preview" for path in moving}
    assert moving >= {
        "/properties/{id}/rules/{utility}", "/split-methods/{method}", "/properties/{id}/units/new",
        "/units/{unit}/edit", "/units/{unit}/delete", "/units/{unit}/tenants/new", "/tenants/{tenant}/edit",
        "/tenants/{tenant}/leave", "/tenants/{tenant}/remove", "/tenants/{tenant}/final-invoice",
        "/properties/{id}/bills/new", "/bills/{bill}/edit", "/bills/{bill}/correct", "/bills/{bill}/month",
        "/bills/{bill}/delete", "/invoices/{invoice}/do/{step}", "/properties/{id}/months/{month}/corrections",
    }  # fmt: skip


def test_a_form_of_which_a_preview_takes_too_long_says_that_it_can_be_saved_without_one(
    office: Office, maple: PropertyRow
) -> None:
    browser, one = office.browser("manager"), flats(office, maple)[0]
    wanted = {"label": "1", "activeTo": "2026-03-10", "sqft": "", "bedrooms": "", "monthlyRent": "", "activeFrom": ""}
    office.clock.step = timedelta(seconds=6)
    part = browser.post(f"/units/{one.id}/edit/preview", wanted, **PART)
    assert (part.status_code, part.text.count("takes longer than a preview allows")) == (200, 2)
    assert "can’t be saved" not in part.text
    page = browser.post(f"/units/{one.id}/edit/preview", wanted)
    assert "takes longer than a preview allows" in page.text
    assert f'action="/units/{one.id}/edit"' in page.text


def test_a_form_of_a_unit_shows_who_would_pay_what_and_then_saves_it(
    office: Office, maple: PropertyRow, url: str
) -> None:
    browser, one = office.browser("manager"), flats(office, maple)[0]
    form = browser.get(f"/units/{one.id}/edit").text
    assert f'formaction="/units/{one.id}/edit/preview"' in form
    before = every_row(url)
    wanted = {"label": "1", "activeTo": "2026-03-10", "sqft": "", "bedrooms": "", "monthlyRent": "", "activeFrom": ""}
    page = browser.post(f"/units/{one.id}/edit/preview", wanted).text
    assert rows(page)[:4] == [
        ["Who", "Now", "Would be", "Difference"],
        ["Tenant 1 Unit 1", "$45.01", "$21.95", "-$23.06"],
        ["Tenant 2 Unit 2", "$45.00", "$68.06", "+$23.06"],
        ["You, the owner", "$0.00", "$0.00", "–"],
    ]
    assert "10 of 41 unit-days" in page
    part = browser.post(f"/units/{one.id}/edit/preview", wanted, **PART).text
    assert ("<html" in part, rows(part)) == (False, rows(page))
    assert every_row(url) == before
    hidden = dict(
        re.findall(
            r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page[page.index("Nothing has been saved yet") :]
        )
    )
    hidden.pop("form_token")
    assert hidden == wanted
    assert browser.post(f"/units/{one.id}/edit", hidden).status_code == 303
    assert [one.summary.total for one in of_march(office)] == [21_95, 68_06]


def test_a_form_of_a_rule_shows_the_invoices_that_would_change(office: Office, maple: PropertyRow, url: str) -> None:
    browser, at = office.browser("manager"), f"/properties/{maple.id}/rules/water"
    before = every_row(url)
    page = browser.post(f"{at}/preview", EQUALLY | {"ownerPercent": "10"}, **PART).text
    assert rows(page)[1:4] == [
        ["Tenant 1 Unit 1", "$45.01", "$40.51", "-$4.50"],
        ["Tenant 2 Unit 2", "$45.00", "$40.50", "-$4.50"],
        ["You, the owner", "$0.00", "$9.00", "+$9.00"],
    ]
    assert "No invoices change." in browser.post(f"{at}/preview", EQUALLY, **PART).text
    wrong = browser.post(f"{at}/preview", EQUALLY | {"ownerPercent": "200"}, **PART)
    assert (wrong.status_code, "It can’t be saved like this yet" in wrong.text) == (200, True)
    assert "Your own part, in percent: Enter a number from 0 to 100" in wrong.text
    assert every_row(url) == before


def test_a_new_bill_is_previewed_and_one_to_be_decided_of_first_is_said_to_be(
    office: Office, maple: PropertyRow, url: str
) -> None:
    browser, at = office.browser("manager"), NEW.format(maple.id)
    before = every_row(url)
    april = FILLED | {"propertyId": maple.id, "billDate": "2026-04-02", "totalAmountDue": "20.00"}
    page = browser.post(f"{at}/preview", april, **PART).text
    assert rows(page)[1:3] == [
        ["Tenant 1 Unit 1", "$0.00", "$10.00", "+$10.00"],
        ["Tenant 2 Unit 2", "$0.00", "$10.00", "+$10.00"],
    ]
    assert "New" in page
    assert "Something must be decided first." in browser.post(f"{at}/preview", FILLED | {"propertyId": maple.id}).text
    assert every_row(url) == before


def test_a_bill_that_would_move_to_another_property_changes_invoices_of_both(
    office: Office, maple: PropertyRow, url: str
) -> None:
    oak = home(office, "7", name="Oak House")
    bill = add(office, maple, 12_00, "Other Water")
    browser = office.browser("manager")
    before = every_row(url)
    moved = FILLED | {"propertyId": oak.id, "issuerName": "Other Water", "totalAmountDue": "12.00"}
    page = browser.post(f"/bills/{bill.id}/edit/preview", moved, **PART).text
    found = rows(page)
    assert ["Tenant 1 Unit 1, Maple Court", "$51.01", "$45.01", "-$6.00"] in found
    assert ["You, the owner Oak House vacant units included", "$0.00", "$12.00", "+$12.00"] in found
    assert "March 2026, Oak House" in page
    assert every_row(url) == before


def test_a_status_is_previewed_without_an_email_a_job_or_a_number(office: Office, maple: PropertyRow, url: str) -> None:
    browser = office.browser("manager")
    first = of_march(office)[0].summary
    before = every_row(url)
    sent = browser.post(f"/invoices/{first.id}/do/send/preview", {"seen": ""}, **PART).text
    assert re.search(r"Draft</span> → <span[^>]*>Sent", sent)
    assert every_row(url) == before


def test_corrections_and_removals_are_previewed(office: Office, maple: PropertyRow, url: str) -> None:
    send_all(office)
    late = add(office, maple, 20_00, "Late Water")
    browser = office.browser("manager")
    before = every_row(url)
    at = f"/properties/{maple.id}/months/2026-03/corrections"
    assert f'formaction="{at}/preview"' in browser.get(at).text
    placed = browser.post(f"{at}/preview", {"place": "next"}, **PART).text
    assert "April 2026" in placed
    assert rows(placed)[1] == ["Tenant 1 Unit 1", "+$10.00", "-$10.00", "–"]
    gone = browser.post(f"/bills/{late.id}/delete/preview", {}, **PART).text
    assert rows(gone)[1] == ["Tenant 1 Unit 1", "–", "-$10.00", "-$10.00"], "nothing of it would wait any more"
    assert "Amounts that were already waiting change accordingly." in gone
    assert every_row(url) == before


def test_what_waits_and_what_is_on_invoices_come_to_the_difference_over_every_month_that_changes(
    office: Office, maple: PropertyRow
) -> None:
    send_all(office)
    browser, april = office.browser("manager"), FILLED | {"propertyId": maple.id, "billDate": "2026-04-02"}
    assert browser.post(NEW.format(maple.id), april).status_code == 303
    wanted = EQUALLY | {"ownerPercent": "10", "effectiveFrom": ""}
    page = browser.post(f"/properties/{maple.id}/rules/water/preview", wanted, **PART).text
    assert "2 months would change." in page
    (head, *_), (ann, bo, owner) = rows(page), rows(page)[1:4]
    assert head == ["Who", "Change on invoices", "Change waiting for your decision", "Difference"]
    assert ["Who", "Charged", "Should be", "Difference"] in rows(page)
    cents = [[int(re.sub(r"[^0-9-]", "", cell)) for cell in row[1:]] for row in (ann, bo)]
    assert [on + waits for on, waits, _ in cents] == [both for *_, both in cents]
    assert sum(both for *_, both in cents) + int(re.sub(r"[^0-9-]", "", owner[1])) == 0
    assert ("You, the owner", len(owner)) == (owner[0], 2)


def test_a_forgotten_tenant_is_paid_for_by_the_owner_less_and_the_unit_says_what_waits(
    office: Office, maple: PropertyRow
) -> None:
    empty = office.database.write(lambda tx: units.create(tx, office.caller, maple.id, {"label": "3"}))
    send_all(office)
    browser, li = office.browser("manager"), {"name": "Li Chen", "moveInDate": "2026-03-01"}
    assert "were sent before" not in browser.get(f"/units/{empty.id}").text
    asked = browser.post(f"/units/{empty.id}/tenants/new/preview", li, **PART).text
    assert rows(asked)[1:3] == [
        ["Li Chen Unit 3", "–", "+$30.00", "+$30.00"],
        ["You, the owner vacant units included", "-$30.00"],
    ]
    assert browser.post(f"/units/{empty.id}/tenants/new", li).status_code == 303
    page = " ".join(re.sub(r"<[^>]+>", " ", browser.get(f"/units/{empty.id}").text).split())
    assert (
        "Amounts for March 2026 have changed since its invoices were sent. The differences are waiting for your decision:"
    ) in page
    assert "Li Chen +$30.00." in page
    assert f'href="/properties/{maple.id}/months/2026-03/corrections"' in browser.get(f"/units/{empty.id}").text


def test_what_waited_before_is_told_apart_from_what_waits_then(office: Office, maple: PropertyRow) -> None:
    send_all(office)
    browser = office.browser("manager")
    add(office, maple, 20_00, "Late Water")
    late = add(office, maple, 20_00, "Water again")
    gone = browser.post(f"/bills/{late.id}/delete/preview", {}, **PART).text
    assert "$10.00 was already waiting" in gone


def test_who_may_only_look_previews_nothing(office: Office, maple: PropertyRow) -> None:
    one = flats(office, maple)[0]
    assert office.browser("viewer").post(f"/units/{one.id}/edit/preview", {"label": "1"}).status_code == 403
    assert office.browser("stranger").post(f"/units/{one.id}/edit/preview", {"label": "1"}).status_code == 404
