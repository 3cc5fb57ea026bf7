"""A property's settings can be copied to several others at once.

The settings are share rules, the first month to bill, and payment instructions.
"""

import re
from decimal import Decimal
from typing import Any

import pytest

from prorata.actions.accounts import access
from prorata.actions.properties import properties
from prorata.actions.splitting import share_rules
from prorata.store.properties.properties import PropertyRow
from tests.dashboard.billed import listed
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.properties.test_units import add_tenant, add_unit, said
from tests.dashboard.splitting.test_rule_dates import send_all
from tests.dashboard.splitting.test_share_rules import EQUALLY, add_bill


def rules_of(office: Office, its: PropertyRow) -> dict[str, share_rules.Terms]:
    rules = office.database.read(lambda tx: share_rules.of_property(tx, office.caller, its.id))
    return {one.row.utility_type: one.terms for one in rules}


def copy(browser: Browser, source: PropertyRow, *to: PropertyRow, **fields: Any) -> Any:
    return browser.post(f"/properties/{source.id}/copy", {"to": [one.id for one in to], **fields})


@pytest.fixture
def three(office: Office) -> list[PropertyRow]:
    """Three properties.

    Elm splits water by percentages and gas by floor area. Maple Court has the same unit labels, 1 and 2; Oak Row has
    others.
    """
    elm, maple, oak = (office.add_property(name=name) for name in ("Elm", "Maple Court", "Oak Row"))
    for its, labels in ((elm, "12"), (maple, "12"), (oak, "AB")):
        for label in labels:
            add_tenant(office, add_unit(office, its, label), f"{its.name} {label}")
    browser = office.browser("manager")
    at = f"/properties/{elm.id}/rules"
    form = browser.post(f"{at}/water/split", EQUALLY | {"splitMethod": "PERCENTAGE"}).text
    weights = dict(zip(re.findall(r'name="(weight\.unit_\w+)"', form), ("70", "30"), strict=True))
    browser.post(f"{at}/water", EQUALLY | {"splitMethod": "PERCENTAGE"} | weights)
    browser.post(f"{at}/gas", EQUALLY | {"splitMethod": "SQFT", "ownerPercent": "10"})
    return [elm, maple, oak]


def test_rules_are_copied_to_chosen_properties_and_what_can_not_be_is_said(
    office: Office, three: list[PropertyRow]
) -> None:
    elm, maple, oak = three
    add_bill(office, maple, 100_00)
    browser = office.browser("manager")
    form = browser.get(f"/properties/{elm.id}/copy").text
    assert re.findall(r'name="utilities" value="(\w+)"', form).count("GAS") == 1
    assert re.findall(r'name="to" value="(\w+)"', form) == [maple.id, oak.id], "not to itself"
    text = said(browser, copy(browser, elm, maple, oak, utilities=["WATER", "GAS"]))
    assert "Copied to 2 properties. Left as they were: Oak Row, water: " in text
    of_elm, of_maple, of_oak = (rules_of(office, one) for one in three)
    assert of_maple["GAS"] == of_oak["GAS"] == of_elm["GAS"]
    assert of_maple["WATER"] == of_elm["WATER"]
    assert of_oak["WATER"].split_method == "EQUAL"
    assert of_maple["ELECTRICITY"].split_method == "EQUAL"
    totals = {one.unit_label: one.total for one in listed(office, {"property": maple.id})}
    assert totals == {"1": 70_00, "2": 30_00}, "open months follow at once"


def test_copied_rules_leave_sent_months_alone_unless_one_is_chosen(office: Office, three: list[PropertyRow]) -> None:
    elm, maple, _ = three
    add_bill(office, maple, 100_00)
    send_all(office, maple.id, ["2026-02"])
    browser = office.browser("manager")
    assert "The first month that wasn’t sent, in each property" in browser.get(f"/properties/{elm.id}/copy").text

    def since() -> list[str | None]:
        versions = office.database.read(lambda tx: share_rules.of_type(tx, office.caller, maple.id, "WATER"))[1]
        return [version.effective_from for version in versions if version.terms.split_method == "PERCENTAGE"]

    copy(browser, elm, maple, utilities=["WATER"], effectiveFrom="")
    assert since() == ["2026-03"], "the month after the one that was sent"
    asked = browser.post(
        f"/properties/{elm.id}/copy/preview", {"to": [maple.id], "utilities": ["WATER"], "effectiveFrom": "2026-02"}
    ).text
    assert "The differences wait for your decision" in asked
    copy(browser, elm, maple, utilities=["WATER"], effectiveFrom="2026-02")
    assert since() == ["2026-02", "2026-03"]


def test_copied_rules_begin_no_earlier_than_a_property_bills(office: Office, three: list[PropertyRow]) -> None:
    elm, maple, _ = three
    office.database.write(
        lambda tx: properties.change(tx, office.caller, maple.id, {"billing_starts_month": "2026-03"})
    )
    browser = office.browser("manager")
    text = said(browser, copy(browser, elm, maple, utilities=["WATER"], effectiveFrom="2026-01"))
    assert "Copied to 1 property." in text
    assert "Left as they were" not in text


def test_the_first_month_and_how_tenants_pay_are_copied_too(office: Office, three: list[PropertyRow]) -> None:
    elm, maple, oak = three
    wanted = {"billing_starts_month": "2026-03", "pay_text": "Cash."}
    office.database.write(lambda tx: properties.change(tx, office.caller, elm.id, wanted))
    add_bill(office, maple, 100_00)
    copy(office.browser("owner"), elm, maple, firstMonth="true", howToPay="true")
    now = [
        office.database.read(lambda tx, one=one: access.property_(tx, office.caller, one.id)) for one in (maple, oak)
    ]
    assert [(one.billing_starts_month, one.pay_text) for one in now] == [("2026-03", "Cash."), (None, "")]
    assert listed(office, {"property": maple.id}) == [], "February is history there"
    assert rules_of(office, maple)["GAS"].owner_percent == Decimal(0)


def test_only_an_owner_copies_where_money_goes(office: Office, three: list[PropertyRow]) -> None:
    elm, maple, _ = three
    office.database.write(lambda tx: properties.change(tx, office.caller, elm.id, {"pay_text": "Cash."}))
    manager = office.browser("manager")
    copy(manager, elm, maple, utilities=["GAS"], howToPay="true")
    assert office.database.read(lambda tx: access.property_(tx, office.caller, maple.id)).pay_text == ""
    at = f"/properties/{elm.id}/copy"
    assert ["howToPay" in browser.get(at).text for browser in (manager, office.browser("owner"))] == [False, True]


@pytest.mark.parametrize(
    ("fields", "said_of_it"),
    [
        ({"utilities": ["GAS"]}, "Choose 1 to 100 properties to copy to."),
        ({"to": "self", "utilities": ["GAS"]}, "Choose 1 to 100 properties to copy to."),
        ({"to": "other"}, "Nothing has been chosen to copy."),
        ({"to": "stranger", "utilities": ["GAS"]}, ""),
        ({"to": "nobody", "utilities": ["GAS"]}, ""),
    ],
)
def test_what_can_not_be_copied_is_refused_and_changes_nothing(
    office: Office, three: list[PropertyRow], fields: dict[str, Any], said_of_it: str
) -> None:
    elm, maple, _ = three
    stranger = office.add_property(office.stranger_id)
    ids = {"self": elm.id, "other": maple.id, "stranger": stranger.id, "nobody": "prop_1"}
    to = (
        [maple.id, ids[fields["to"]]]
        if fields.get("to") in ("stranger", "nobody")
        else [ids[fields["to"]]]
        if "to" in fields
        else []
    )
    answer = office.browser("manager").post(f"/properties/{elm.id}/copy", fields | {"to": to})
    assert answer.status_code in (400, 404)
    assert said_of_it in answer.text
    assert rules_of(office, maple)["GAS"].split_method == "EQUAL"


def test_a_viewer_copies_nothing(quick_office: Office) -> None:
    its = quick_office.add_property()
    browser = quick_office.browser("viewer")
    assert browser.get(f"/properties/{its.id}/copy").status_code == 403
    assert "/copy" not in browser.get(f"/properties/{its.id}/rules").text
    assert "No other properties" in quick_office.browser("owner").get(f"/properties/{its.id}/copy").text
