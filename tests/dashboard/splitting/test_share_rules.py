"""Tests of a property's share rules.

Before a rule is saved, its form shows how the rule would split the last bill.
"""

import re
from datetime import date
from decimal import Decimal

import pytest

from prorata.actions.bills import bills
from prorata.actions.properties import units
from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.domain.bills.bills import NewBill
from prorata.store.properties.properties import PropertyRow
from tests.dashboard.bills.test_bills import send_all
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.properties.test_units import add_tenant, add_unit, said

EQUALLY = {"splitMethod": "EQUAL", "isActive": "true", "ownerPercent": "0", "vacantOccupants": "0"}


def add_bill(office: Office, its: PropertyRow, total: int = 100_00, day: str = "2026-02-20", **values: object) -> str:
    new = NewBill(
        property_id=its.id, issuer_name="Aqua Water Co.", utility_types=("WATER",), total=total,
        bill_date=date.fromisoformat(day), **values,
    )  # fmt: skip
    return office.database.write(lambda tx: bills.add(tx, office.caller, [new])).bills[0].id


def shares(page: str) -> list[list[str]]:
    """The rows of the split preview, without tags."""
    found = page[page.index('id="split"') :]
    found = re.sub(r'<td class="[^"]*wide">.*?</td>', "", found, flags=re.DOTALL)
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", found, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[re.sub(r"<span.*</span>|<[^>]+>", "", cell, flags=re.DOTALL).strip() for cell in row] for row in cells]


def weight_names(browser: Browser, at: str) -> list[str]:
    """The names of the fields for the units' weights.

    They appear once a split method with weights is chosen.
    """
    page = browser.post(f"{at}/split", EQUALLY | {"splitMethod": "PERCENTAGE"}).text
    return re.findall(r'name="(weight\.unit_\w+)"', page)


def furnish(office: Office) -> PropertyRow:
    its = office.add_property()
    for label, sqft in (("1", 500), ("2", 1500)):
        add_tenant(office, add_unit(office, its, label, sqft=sqft), f"Tenant {label}")
    return its


def test_a_new_property_divides_seven_utilities_equally(quick_office: Office) -> None:
    its = quick_office.add_property()
    page = quick_office.browser("manager").get(f"/properties/{its.id}/rules").text
    assert page.count("<td>Equally</td>") == 7


def test_percentages_of_units_that_follow_each_other_are_summed_by_day(office: Office) -> None:
    its, browser = office.add_property(), office.browser("manager")
    add_unit(office, its, "1", active_to="2026-02-15")
    add_unit(office, its, "2", active_from="2026-02-17")
    add_unit(office, its, "3")
    add_bill(office, its)
    at = f"/properties/{its.id}/rules/water"
    names = [f"weight.{unit.id}" for unit in office.database.read(lambda tx: units.all_of(tx, office.caller, its.id))]
    sent = EQUALLY | {"splitMethod": "PERCENTAGE"} | dict(zip(names, ("60", "60", "40"), strict=True))
    page = browser.post(f"{at}/split", sent).text
    assert "too much" not in page
    assert "100% is given to units on any day at most; the rest stays with you." in page
    assert "As units come and go, a part is given to no unit, and is the owner’s." in page
    page = browser.post(f"{at}/split", sent | {names[2]: "41"}).text
    assert "101% is given to units: 1% too much." in page


def test_a_rule_shows_how_the_last_bill_would_split_and_saves_nothing(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    add_bill(office, its)
    at = f"/properties/{its.id}/rules/water"
    assert "No change" in browser.get(at).text
    sent = EQUALLY | {"splitMethod": "SQFT", "ownerPercent": "10"}
    page = browser.post(f"{at}/split", sent).text
    assert shares(page)[1:] == [
        ["1", "$50.00", "$22.50", "-$27.50"], ["2", "$50.00", "$67.50", "+$17.50"],
        ["Your own part", "$0.00", "$10.00", "+$10.00"], ["The bill", "$100.00", "$100.00", ""],
    ]  # fmt: skip
    assert "500 of 2,000 sq ft" in page
    assert "Aqua Water Co." in page
    assert 'value="10"' in page
    assert "No change" in browser.get(at).text


def test_where_homes_are_measured_in_square_metres_no_page_or_file_says_feet(german_office: Office) -> None:
    its, browser = german_office.add_property(country="DE"), german_office.browser("manager")
    flats = [add_unit(german_office, its, label, sqft=sqft) for label, sqft in (("1", 62), ("2", 1234.5), ("3", None))]
    bill, at = add_bill(german_office, its), f"/properties/{its.id}/rules/water"
    preview = browser.post(f"{at}/split", EQUALLY | {"splitMethod": "SQFT"}).text
    assert "62 von 1.296,5 m²" in preview
    told = browser.post(f"{at}/preview", EQUALLY | {"splitMethod": "SQFT"}, **{"HX-Request": "true"}).text
    assert "Beleg vom 20. Februar 2026, 100,00\xa0€: 62 von 1.296,5 m²" in told
    said(browser, browser.post(at, EQUALLY | {"splitMethod": "SQFT"}))
    its_bill = browser.get(f"/bills/{bill}").text
    assert "1.234,5 von 1.296,5 m²" in its_bill
    pages = [preview, told, its_bill, browser.get(at).text, browser.get(f"/properties/{its.id}").text]
    charges = browser.get("/invoices/export?rows=charges&format=csv").text
    assert "62 von 1.296,5 m²" in charges
    assert "Fläche nicht erfasst: 0 von 1.296,5 m²" in charges
    send_all(german_office)
    measured = dict.fromkeys(("bedrooms", "monthlyRent", "activeFrom", "activeTo"), "")
    assert browser.post(f"/units/{flats[0].id}/edit", measured | {"label": "1", "sqft": "70"}).status_code == 303
    pages.append(browser.get(f"/properties/{its.id}/months/2026-02/corrections").text)
    assert "70 von 1.304,5 m²" in pages[-1]
    assert not [page for page in (*pages, charges) if "sq ft" in page or "quare feet" in page]


def test_without_a_bill_an_example_is_split(quick_office: Office) -> None:
    its = furnish(quick_office)
    page = quick_office.browser("manager").get(f"/properties/{its.id}/rules/gas").text
    assert "There are no bills of this kind yet" in page
    assert "those of the bill’s service period, such as Sep 14 – Oct 13, 2026, or, if it has none" in page
    assert shares(page)[1] == ["1", "$50.00", "$50.00", ""]


def test_a_saved_rule_is_in_the_list_in_words(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    answer = browser.post(
        f"/properties/{its.id}/rules/water", EQUALLY | {"splitMethod": "SQFT", "ownerPercent": "12.5"}
    )
    page = said(browser, answer)
    assert "The rule for water was saved." in page
    assert "By floor area" in page
    assert "12.5%" in page
    browser.post(f"/properties/{its.id}/rules/water", {"splitMethod": "SQFT", "ownerPercent": "12.5"})
    assert "Not divided: you pay all of it" in browser.get(f"/properties/{its.id}/rules").text


def test_percentages_are_typed_by_unit_with_their_sum(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    names = weight_names(browser, f"/properties/{its.id}/rules/water")
    assert len(names) == 2
    at = f"/properties/{its.id}/rules/water"
    sent = EQUALLY | {"splitMethod": "PERCENTAGE", names[0]: "40", names[1]: "45.5"}
    page = browser.post(f"{at}/split", sent).text
    assert "85.5% is given to units; 14.5% stays with you." in page
    assert shares(page)[1:4] == [
        ["1", "$50.00", "$40.00", "-$10.00"], ["2", "$50.00", "$45.50", "-$4.50"],
        ["Your own part", "$0.00", "$14.50", "+$14.50"],
    ]  # fmt: skip
    assert browser.post(at, sent).status_code == 303
    again = browser.get(at).text
    assert 'value="45.5"' in again
    assert "85.5% is given to units; 14.5% stays with you." in browser.get(f"/properties/{its.id}/rules").text


@pytest.mark.parametrize("to", ["", "/split"])
def test_what_is_wrong_with_a_rule_stands_beside_its_field_and_what_was_typed_is_kept(office: Office, to: str) -> None:
    its, browser = furnish(office), office.browser("manager")
    at = f"/properties/{its.id}/rules/water"
    names = weight_names(browser, at)
    sent = EQUALLY | {"splitMethod": "PERCENTAGE", "ownerPercent": "150", names[0]: "lots", names[1]: "7"}
    answer = browser.post(at + to, sent)
    assert answer.status_code == (200 if to else 400)
    assert "Enter a number from 0 to 100, such as 12.5." in answer.text
    assert "Unit 1: enter a number from 0 to 100, such as 12.5." in answer.text
    assert all(f'value="{typed}"' in answer.text for typed in ("150", "lots", "7"))
    too_much = browser.post(at + to, EQUALLY | {"splitMethod": "PERCENTAGE", names[0]: "60", names[1]: "41"})
    assert "The weights must not add up to more than 100 percent." in too_much.text
    assert "1% too much" in too_much.text
    assert "can’t be divided like this yet" in too_much.text


def test_a_split_method_that_was_deleted_meanwhile_is_said_beside_the_choice(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    at = f"/properties/{its.id}/rules/water"
    for to in ("", "/split"):
        page = browser.post(at + to, EQUALLY | {"splitMethod": "split_00000000000000000000000000"}).text
        assert 'id="wrong-splitMethod">This split method no longer exists. Choose another' in page
        assert "splitMethod alone" not in page
    assert "Choose a split method." in browser.post(at, {"isActive": "true"}).text


def test_what_a_way_to_divide_does_not_use_is_no_hindrance(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    at = f"/properties/{its.id}/rules/water"
    people = EQUALLY | {"splitMethod": "OCCUPANTS", "vacantOccupants": "many"}
    page = browser.post(f"{at}/split", people).text
    assert "<li>People assumed in a vacant unit: enter a number from 0 to 1,000, such as 1250.5.</li>" in page
    assert browser.post(at, people | {"vacantOccupants": "2"}).status_code == 303
    assert browser.post(at, people | {"splitMethod": "SQFT"}).status_code == 303
    rule = office.database.read(lambda tx: share_rules.of_property(tx, office.caller, its.id))
    kept = next(one.row for one in rule if one.row.utility_type == "WATER")
    assert (kept.split_method, kept.vacant_occupants) == ("SQFT", "2")


def test_the_sum_is_that_of_the_fields_and_counts_the_owners_percent(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    at = f"/properties/{its.id}/rules/water"
    by_percent = EQUALLY | {"splitMethod": "PERCENTAGE"}
    names = re.findall(r'name="(weight\.unit_\w+)"', browser.post(f"{at}/split", by_percent).text)
    sent = EQUALLY | {"splitMethod": "PERCENTAGE", names[0]: "40", names[1]: "45.5", "ownerPercent": "10"}
    page = browser.post(f"{at}/split", sent).text
    assert "85.5% of what is left after your own part is given to units; 23.05% of the bill stays with you." in page
    assert ["Your own part", "$0.00", "$23.05", "+$23.05"] in shares(page)
    browser.post(at, sent)
    emptied = browser.post(f"{at}/split", sent | {names[0]: "", names[1]: "", "ownerPercent": "0"}).text
    assert "0% is given to units; 100% stays with you." in emptied
    wrong = browser.post(f"{at}/split", sent | {names[0]: "lots"}).text
    assert "<li>Unit 1: enter a number from 0 to 100, such as 12.5.</li>" in wrong


def test_a_viewer_sees_a_rule_with_its_weights_and_its_split_and_changes_nothing(office: Office) -> None:
    its, browser = furnish(office), office.browser("viewer")
    at = f"/properties/{its.id}/rules/water"
    assert f'href="{at}"' in browser.get(f"/properties/{its.id}/rules").text
    manager = office.browser("manager")
    by_percent = EQUALLY | {"splitMethod": "PERCENTAGE"}
    names = re.findall(r'name="(weight\.unit_\w+)"', manager.post(f"{at}/split", by_percent).text)
    manager.post(at, EQUALLY | {"splitMethod": "PERCENTAGE", names[0]: "40", names[1]: "45.5"})
    page = browser.get(at).text
    assert "By percentage. Each unit pays its percentage" in page
    assert '<th scope="row">2</th><td class="number">45.5</td>' in page
    assert shares(page)[1] == ["1", "$40.00", "$40.00", ""]
    assert "<form" not in page[page.index('class="split-view"') :]
    rules = office.database.read(lambda tx: share_rules.of_property(tx, office.caller, its.id))
    gas = next(one.row.id for one in rules if one.row.utility_type == "GAS")
    office.database.write(lambda tx: share_rules.remove(tx, office.caller, gas))
    assert "Not divided: the owner pays the whole bill" in browser.get(f"/properties/{its.id}/rules/gas").text


def test_a_rule_divides_by_an_own_split_method(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    parts = [("EQUAL", Decimal(50)), ("SQFT", Decimal(50))]
    new = NewBlend("Half and half", parts)
    blend = office.database.write(lambda tx: split_methods.create(tx, office.caller, new))
    at = f"/properties/{its.id}/rules/water"
    sent = EQUALLY | {"splitMethod": blend.id}
    assert shares(browser.post(f"{at}/split", sent).text)[1] == ["1", "$50.00", "$37.50", "-$12.50"]
    assert "Half and half: 50% equally and 50% by floor area" in said(browser, browser.post(at, sent))
    assert f'value="{blend.id}" checked' in browser.get(at).text
    people = [("OCCUPANTS", Decimal(50)), ("SQFT", Decimal(50))]
    office.database.write(
        lambda tx: split_methods.replace(tx, office.caller, blend.id, NewBlend("Half and half", people))
    )
    assert f'value="{blend.id}" checked data-people' in browser.get(at).text


def test_a_blend_that_counts_nobody_asks_for_no_people_in_vacant_units(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    new = NewBlend("Half and half", [("EQUAL", Decimal(50)), ("SQFT", Decimal(50))])
    blend = office.database.write(lambda tx: split_methods.create(tx, office.caller, new))
    at = f"/properties/{its.id}/rules/water"
    sent = EQUALLY | {"splitMethod": blend.id}
    assert browser.post(at, sent).status_code == 303
    assert f'value="{blend.id}" checked>' in browser.get(at).text
    assert browser.post(at, sent | {"vacantOccupants": "1", "effectiveFrom": "2099-01"}).status_code == 303
    assert "from January 2099" not in browser.get(at.rpartition("/")[0]).text
    assert browser.post(at, sent | {"vacantOccupants": "many"}).status_code == 303


def test_a_utility_whose_rule_was_deleted_gets_one_again(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    rule = office.database.read(lambda tx: share_rules.of_property(tx, office.caller, its.id))[0].row
    office.database.write(lambda tx: share_rules.remove(tx, office.caller, rule.id))
    assert "No rule" in browser.get(f"/properties/{its.id}/rules").text
    at = f"/properties/{its.id}/rules/{rule.utility_type.lower()}"
    assert browser.post(at, EQUALLY | {"splitMethod": "OCCUPANTS", "vacantOccupants": "1"}).status_code == 303
    assert "By occupants" in browser.get(f"/properties/{its.id}/rules").text


@pytest.mark.parametrize("utility", ["WATER", "heat"])
def test_a_utility_that_there_is_not_has_no_page(quick_office: Office, utility: str) -> None:
    its = quick_office.add_property()
    assert quick_office.browser("owner").get(f"/properties/{its.id}/rules/{utility}").status_code == 404


def test_the_rule_of_other_names_what_is_billed_so(office: Office) -> None:
    its, browser = office.add_property(), office.browser("viewer")
    at, said = (
        f"/properties/{its.id}/rules",
        "Everything that is billed as “Other” in this property is divided by this rule",
    )
    assert f"{said}." in browser.get(f"{at}/other").text
    for name, day in (("Heating", "2026-02-20"), ("Cleaning", "2026-03-02"), ("Lift", "2024-12-31")):
        add_bill(office, its, day=day, names=(("OTHER", name), ("WATER", "Cold water")))
    add_bill(office, its, day="2026-01-20", names=(("OTHER", "Heating"),))
    assert f"{said}: Cleaning, Heating." in browser.get(f"{at}/other").text
    assert said not in browser.get(f"{at}/water").text
