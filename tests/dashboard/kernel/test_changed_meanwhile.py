"""Nobody overwrites a colleague's change without having seen it.

A form therefore states the version of its record that it was opened on.
"""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from prorata.actions.accounts import access, accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills, entries as bill_entries
from prorata.actions.properties import properties, tenants, units
from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.share_rules import Terms
from prorata.actions.splitting.split_methods import NewBlend
from prorata.domain.bills.bills import NewBill
from tests.dashboard.conftest import Office

_VERSION = re.compile(r'name="version" value="([^"]*)"')


class Case(NamedTuple):
    """A form that a person submits after a colleague has saved the same record.

    The person submits `sent`, and the colleague has saved `meanwhile`. The form is refused and shows the colleague's
    value as `shown`. `stored` reads the record's value: `theirs` after the refusal, and `ours` once the person submits
    the form again.
    """

    path: str
    sent: dict[str, str]
    meanwhile: Callable[[Any], object]
    shown: str
    stored: Callable[[Any], object]
    ours: object
    theirs: object


def _property(office: Office) -> Case:
    its, who = office.add_property(), office.caller
    sent = {"name": "Maple Yard", "streetNumber": "12", "street": "Main Street", "city": "Springfield", "state": "IL",
            "zip": "62701", "country": "US"}  # fmt: skip
    return Case(
        f"/properties/{its.id}/edit", sent,
        lambda tx: properties.change(tx, who, its.id, {"country": "CA", "name": "Maple Hall"}), "Maple Hall",
        lambda tx: access.property_(tx, who, its.id).name, "Maple Yard", "Maple Hall",
    )  # fmt: skip


def _unit(office: Office) -> Case:
    its, who = office.add_property(), office.caller
    unit = office.database.write(lambda tx: units.create(tx, who, its.id, {"label": "1"}))
    sent = {"label": "1", "sqft": "800", "bedrooms": "", "monthlyRent": "", "activeFrom": "", "activeTo": ""}
    return Case(
        f"/units/{unit.id}/edit", sent, lambda tx: units.change(tx, who, unit.id, {"sqft": 850}), "850",
        lambda tx: access.unit(tx, who, unit.id).sqft, "800", "850",
    )  # fmt: skip


def _tenant(office: Office, path: str = "edit") -> Case:
    its, who = office.add_property(), office.caller
    unit = office.database.write(lambda tx: units.create(tx, who, its.id, {"label": "1"}))
    ann = office.database.write(lambda tx: tenants.create(tx, who, unit.id, {"name": "Ann"}))
    sent = {"name": "Anne", "email": "", "moveInDate": "", "moveOutDate": "2026-03-31"}
    if path == "leave":
        sent |= {"name": ""}
    return Case(
        f"/tenants/{ann.id}/{path}", sent,
        lambda tx: tenants.change(tx, who, ann.id, {"move_out": "2026-04-30"}), "April 30, 2026",
        lambda tx: access.tenant(tx, who, ann.id).move_out, "2026-03-31", "2026-04-30",
    )  # fmt: skip


def _leaving(office: Office) -> Case:
    return _tenant(office, "leave")


def _rule(office: Office) -> Case:
    its, who = office.add_property(), office.caller
    office.database.write(lambda tx: units.create(tx, who, its.id, {"label": "1"}))
    rule = office.database.read(lambda tx: share_rules.of_property(tx, who, its.id))[0].row
    sent = {"splitMethod": "EQUAL", "isActive": "true", "ownerPercent": "5", "vacantOccupants": "0"}
    return Case(
        f"/properties/{its.id}/rules/{rule.utility_type.lower()}", sent,
        lambda tx: share_rules.change(tx, who, rule.id, {"owner_percent": 15}), "15",
        lambda tx: access.rule(tx, who, rule.id).owner_percent, "5", "15",
    )  # fmt: skip


def _first_rule(office: Office) -> Case:
    case, who = _rule(office), office.caller
    property_id, utility = case.path.split("/")[2], case.path.split("/")[-1].upper()
    ways = {"owner_percent": Decimal(30), "vacant_occupants": Decimal(), "is_active": True}
    by_area = Terms("SQFT", None, custom_weights_json=None, **ways)

    def own_part(tx: Any) -> object:
        rules = share_rules.of_property(tx, who, property_id)
        return next(rule.row.owner_percent for rule in rules if rule.row.utility_type == utility)

    first = office.database.read(lambda tx: share_rules.of_property(tx, who, property_id))[0]
    office.database.write(lambda tx: share_rules.remove(tx, who, first.row.id))
    return case._replace(
        meanwhile=lambda tx: share_rules.set_terms(tx, who, property_id, utility, by_area, seen=""),
        shown="30", stored=own_part, theirs="30",
    )  # fmt: skip


def _split_method(office: Office) -> Case:
    who = office.caller
    parts = [("EQUAL", Decimal(50)), ("SQFT", Decimal(50))]
    row = office.database.write(lambda tx: split_methods.create(tx, who, NewBlend("Half and half", parts)))
    fifth = NewBlend("Mostly by area", [("EQUAL", Decimal(20)), ("SQFT", Decimal(80))])
    return Case(
        f"/split-methods/{row.id}", {"name": "Halves", "equal": "50", "sqft": "50", "occupants": "", "bedrooms": ""},
        lambda tx: split_methods.replace(tx, who, row.id, fifth), "80",
        lambda tx: access.split_method(tx, who, row.id).name, "Halves", "Mostly by area",
    )  # fmt: skip


def _bill(office: Office) -> Case:
    its, who = office.add_property(), office.caller
    new = NewBill(its.id, "Aqua Water Co.", ("WATER",), 90_00, date(2026, 2, 20))
    bill = office.database.write(lambda tx: bills.add(tx, who, [new])).bills[0]
    sent = {"propertyId": its.id, "issuerName": "Aqua Water Co.", "totalAmountDue": "90.00", "billDate": "2026-02-20",
            "paymentStatus": "UNPAID", "hasWater": "true", "notes": "old meter"}  # fmt: skip

    def meanwhile(tx: Any) -> object:
        form = bill_entries.form_of(tx, who, bill.id)
        return bill_entries.change(tx, who, bill.id, form._replace(total="120.00"))

    return Case(
        f"/bills/{bill.id}/edit", sent, meanwhile, "120.00",
        lambda tx: access.bill(tx, who, bill.id).total, 90_00, 120_00,
    )  # fmt: skip


def _corrected_bill(office: Office) -> Case:
    case = _bill(office)
    path = case.path.replace("/edit", "/correct")
    return case._replace(path=path, sent={"totalAmountDue": "90.00", "then": "later"})


def _settings(office: Office) -> Case:
    who = office.caller
    sent = {"name": "Harbor Rentals", "address": "", "contact": "", "timezone": "UTC", "locale": "en-US",
            "currency": "USD", "payment_terms": "21", "late_bills": "ask", "mail_on": "true"}  # fmt: skip
    return Case(
        "/settings", sent, lambda tx: accounts.change_settings(tx, who, Wishes(payment_terms=10)), "10",
        lambda tx: accounts.the_account(tx, who).payment_terms, 21, 10,
    )  # fmt: skip


CASES = [_property, _unit, _tenant, _leaving, _rule, _first_rule, _split_method, _bill, _corrected_bill, _settings]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__.strip("_"))
def test_what_a_colleague_saved_is_shown_before_it_is_overwritten(
    office: Office, case: Callable[[Office], Case]
) -> None:
    browser, at = office.browser("owner"), case(office)
    opened = _VERSION.search(browser.get(at.path).text)
    assert opened, "the form says which version it shows"
    office.database.write(at.meanwhile)

    refused = browser.post(at.path, at.sent | {"version": opened[1]})

    assert refused.status_code == 409
    assert "Somebody has saved this in the meantime" in refused.text
    assert f"Now saved: <strong>{at.shown}</strong>" in refused.text
    assert office.database.read(at.stored) == at.theirs
    anew = _VERSION.search(refused.text)
    assert anew, "the form goes by what is there now"
    assert browser.post(at.path, at.sent | {"version": anew[1]}).status_code == 303
    assert office.database.read(at.stored) == at.ours


def test_what_was_typed_stays_and_only_what_differs_is_told(office: Office) -> None:
    browser, at = office.browser("owner"), _property(office)
    opened = _VERSION.search(browser.get(at.path).text)
    assert opened
    office.database.write(at.meanwhile)

    text = browser.post(at.path, at.sent | {"version": opened[1]}).text

    assert 'value="Maple Yard"' in text
    assert "Now saved: <strong>Canada</strong>" in text
    assert text.count("Now saved") == 2


def test_a_form_with_a_slip_keeps_the_version_it_was_opened_on(office: Office) -> None:
    browser, at = office.browser("owner"), _unit(office)
    opened = _VERSION.search(browser.get(at.path).text)
    assert opened
    office.database.write(at.meanwhile)

    slip = browser.post(at.path, at.sent | {"label": "", "version": opened[1]})

    assert slip.status_code == 400
    kept = _VERSION.search(slip.text)
    assert kept
    assert kept[1] == opened[1], "else what the colleague saved would be overwritten unseen"
    assert browser.post(at.path, at.sent | {"version": kept[1]}).status_code == 409


def test_a_box_that_a_colleague_ticked_is_told(office: Office) -> None:
    browser, at = office.browser("owner"), _settings(office)
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(mail_on=False)))
    opened = _VERSION.search(browser.get(at.path).text)
    assert opened
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(mail_on=True)))
    sent = {name: value for name, value in at.sent.items() if name != "mail_on"}
    assert "Now saved: <strong>ticked</strong>" in browser.post(at.path, sent | {"version": opened[1]}).text
