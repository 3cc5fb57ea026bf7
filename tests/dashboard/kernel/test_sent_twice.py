"""A form that adds something, but is submitted twice, adds it once.

Users submit a form twice by a double click, over a slow connection, or after going back.
"""

import re

import pytest

from prorata.actions.accounts import members
from prorata.actions.bills import bills
from prorata.actions.properties import properties, tenants, units
from prorata.store.properties.units import TenantRow
from tests.dashboard.bills.test_bills import FILLED, shown_flags
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.properties.test_units import add_tenant, add_unit, said

ELM = {
    "name": "Elm House", "streetNumber": "7", "street": "Elm Street", "city": "Galena", "state": "IL", "zip": "61036",
    "country": "US", "billingStartsMonth": "",
}  # fmt: skip
CAME_TWICE = "The form was sent twice but counts only once."
_HIDDEN = re.compile(r'name="(form_once|version)" value="([^"]*)"')


def opened(browser: Browser, path: str) -> dict[str, str]:
    """The hidden fields of the form that a page shows."""
    return dict(_HIDDEN.findall(browser.get(path).text))


def people(office: Office, of: TenantRow) -> list[str]:
    return [one.name for one in office.database.read(lambda tx: tenants.of_unit(tx, office.caller, of.unit_id))]


def bills_of(office: Office) -> int:
    return office.database.read(lambda tx: bills.page(tx, office.caller, limit=9, offset=0))[1]


@pytest.mark.parametrize("move_out", [None, "2026-02-07"])
def test_the_next_tenant_who_is_sent_twice_follows_once(office: Office, move_out: str | None) -> None:
    ann = add_tenant(office, add_unit(office, office.add_property(), "1"), "Ann", move_out=move_out)
    browser, at = office.browser("manager"), f"/tenants/{ann.id}/leave"
    form = opened(browser, at) | {"moveOutDate": "2026-02-07", "name": "Bea", "email": "", "moveInDate": ""}
    office.clock.advance(seconds=1)
    assert "Bea replaces Ann as the tenant." in said(browser, browser.post(at, form))
    assert CAME_TWICE in said(browser, browser.post(at, form))
    assert people(office, ann) == ["Ann", "Bea"]


def test_two_who_have_the_form_open_let_one_person_follow(office: Office) -> None:
    ann = add_tenant(office, add_unit(office, office.add_property(), "1"), "Ann", move_out="2026-02-07")
    at = f"/tenants/{ann.id}/leave"
    both = [office.browser(who) for who in ("owner", "manager")]
    forms = [opened(browser, at) | {"moveOutDate": "2026-02-07", "name": "Bea"} for browser in both]
    office.clock.advance(seconds=1)
    first, second = (browser.post(at, form) for browser, form in zip(both, forms, strict=True))
    assert (first.status_code, second.status_code) == (303, 409)
    assert people(office, ann) == ["Ann", "Bea"]


def test_a_property_that_is_sent_twice_is_there_once(office: Office) -> None:
    browser = office.browser("owner")
    form = opened(browser, "/properties/new") | ELM
    assert "Elm House was added." in said(browser, browser.post("/properties/new", form))
    assert CAME_TWICE in said(browser, browser.post("/properties/new", form))
    _rows, total = office.database.read(lambda tx: properties.page(tx, office.caller, limit=10, offset=0))
    assert total == 1


@pytest.mark.parametrize("more", [{}, {"another": "true"}])
def test_a_unit_that_is_sent_twice_is_not_refused(office: Office, more: dict[str, str]) -> None:
    browser, its = office.browser("owner"), office.add_property()
    at = f"/properties/{its.id}/units/new"
    form = opened(browser, at) | {"label": "2B", "tenantName": "Ann", "tenantEmail": ""} | more
    assert "Unit 2B was added." in said(browser, browser.post(at, form))
    assert CAME_TWICE in said(browser, browser.post(at, form))
    (unit,) = office.database.read(lambda tx: units.all_of(tx, office.caller, its.id))
    (ann,) = office.database.read(lambda tx: tenants.of_unit(tx, office.caller, unit.id))
    assert ann.name == "Ann"


@pytest.mark.parametrize("starts", ["2026-04", None])
def test_a_bill_that_is_sent_twice_is_there_once_and_asks_nothing(office: Office, starts: str | None) -> None:
    browser, its = office.browser("manager"), office.add_property(billing_starts_month=starts)
    add_unit(office, its, "1")
    at = f"/properties/{its.id}/bills/new"
    form = opened(browser, at) | FILLED
    assert "The bill was added." in said(browser, browser.post(at, form))
    assert CAME_TWICE in said(browser, browser.post(at, form))
    assert bills_of(office) == 1


def test_a_bill_that_is_flagged_first_is_added_once_and_its_first_form_asks_again(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    add_unit(office, its, "1")
    at = f"/properties/{its.id}/bills/new"
    browser.post(at, opened(browser, at) | FILLED)
    form = opened(browser, at) | FILLED
    asked = [browser.post(at, form) for _ in range(2)]
    assert [one.status_code for one in asked] == [409, 409], "nothing was made of it, so it asks again"
    decided = dict(_HIDDEN.findall(asked[1].text)) | FILLED
    decided |= {"flagsShown": shown_flags(asked[1].text), "reason1": "A second meter"}
    assert decided["form_once"]
    assert "The bill was added." in said(browser, browser.post(at, decided))
    assert CAME_TWICE in said(browser, browser.post(at, decided))
    assert bills_of(office) == 2


def test_an_invitation_that_is_sent_twice_is_mailed_once(office: Office) -> None:
    browser = office.browser("owner")
    once = re.findall(r'name="once" value="([^"]+)"', browser.get("/settings/members").text)
    form = {"once": once[0], "email": "cleo@example.com", "role": "viewer"}
    for _ in range(2):
        assert "cleo@example.com" in said(browser, browser.post("/settings/members", form))
    assert len(office.database.read(lambda tx: members.invitations(tx, office.caller))) == 1
    assert browser.get("/activity").text.count("invited") == 1
