"""Tests of the form for moving out.

Before anything is saved, it shows the amounts that each person would pay in open months.
"""

import re

import pytest

from prorata.actions.properties import tenants
from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_units import add_tenant, add_unit, said
from tests.dashboard.splitting.test_rule_dates import send_all
from tests.dashboard.splitting.test_share_rules import add_bill

MOVES = {"moveOutDate": "2026-02-14", "name": "Bo", "moveInDate": "2026-02-16", "occupants": "", "email": "",
         "forwardingEmail": "ann@oak.example", "forwardingAddress": "9 Oak Street\nBoise"}  # fmt: skip


@pytest.fixture
def ann(office: Office) -> str:
    """The id of the tenant of one of two equal units.

    The bill for February is for $112.00.
    """
    its = office.add_property()
    one = add_unit(office, its, "1")
    row = add_tenant(office, one, "Ann")
    add_tenant(office, add_unit(office, its, "2"), "Cy")
    add_bill(office, its, 112_00)
    return row.id


def rows(page: str) -> list[list[str]]:
    found = page[page.index('id="would-change"') :]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in re.findall(r"<tr>(.*?)</tr>", found)]
    return [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


def test_it_is_shown_for_each_person_before_it_is_saved(office: Office, ann: str) -> None:
    browser = office.browser("manager")
    before = office.database.read(lambda tx: tenants.of_unit(tx, office.caller, _unit(office, ann)))

    page = browser.post(f"/tenants/{ann}/leave/preview", MOVES).text

    assert rows(page)[1:4] == [
        ["Ann Unit 1", "$56.00", "$28.00", "-$28.00"],
        ["Bo Unit 1", "$0.00", "$26.00", "+$26.00"],
        ["You, the owner", "$0.00", "$2.00", "+$2.00"],
    ]
    assert 'name="moveOutDate" value="2026-02-14"' in page
    assert office.database.read(lambda tx: tenants.of_unit(tx, office.caller, _unit(office, ann))) == before
    saved = said(browser, browser.post(f"/tenants/{ann}/leave", MOVES))
    assert "Bo replaces Ann as the tenant." in saved
    assert "9 Oak Street" in browser.get(f"/tenants/{ann}/edit").text
    assert "Now: ann@oak.example, 9 Oak Street, Boise" in browser.get(f"/units/{_unit(office, ann)}").text


def test_what_cannot_be_saved_yet_says_why(office: Office, ann: str) -> None:
    browser, at = office.browser("manager"), f"/tenants/{ann}/leave/preview"
    part = browser.post(at, MOVES | {"moveOutDate": ""}, **{"HX-Request": "true"})
    assert (part.status_code, "Last day: Please fill this in." in part.text) == (200, True)
    page = browser.post(at, MOVES | {"moveOutDate": ""})
    assert (page.status_code, "Please fill this in." in page.text) == (400, True)
    late = browser.post(at, MOVES | {"moveInDate": "2026-02-01"}, **{"HX-Request": "true"}).text
    assert "before this one moves out" in late


def test_the_form_says_what_empty_fields_mean_and_what_a_head_count_without_a_date_does(
    office: Office, ann: str
) -> None:
    browser = office.browser("manager")
    assert "Leave blank if the unit stays vacant." in browser.get(f"/tenants/{ann}/leave").text
    office.database.write(lambda tx: tenants.create(tx, office.caller, _unit(office, ann), {"name": "Bea"}))
    page = browser.get(f"/tenants/{ann}/leave").text
    assert "the unit stands vacant" not in page
    assert "Leave blank if nobody moves in." in page
    form = browser.get(f"/tenants/{ann}/edit").text
    assert "Leave blank if they lived here before you started." in form
    assert "Used by rules that divide by occupants, in all months not sent yet" in form
    assert "everyone who lives here: this tenant, children, and anyone else without their own" in form


def test_of_a_sent_month_it_is_said_what_was_asked_and_what_would_be_right(office: Office, ann: str) -> None:
    browser = office.browser("manager")
    its = office.database.read(lambda tx: tenants.access.tenant(tx, office.caller, ann)).property_id
    send_all(office, its, ["2026-02"])
    page = browser.post(f"/tenants/{ann}/leave/preview", MOVES).text
    assert ["Ann Unit 1", "–", "-$28.00", "-$28.00"] in rows(page)
    assert [
        "Ann Unit 1, February 2026, Water Aqua Water Co., bill of Feb 20, 2026",
        "$56.00",
        "$28.00",
        "-$28.00",
    ] in rows(page)


def _unit(office: Office, tenant: str) -> str:
    return office.database.read(lambda tx: tenants.access.tenant(tx, office.caller, tenant)).unit_id
