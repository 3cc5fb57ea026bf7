"""Adding, changing and deleting an account's own blends by form."""

import re
from decimal import Decimal
from typing import Any

import pytest

from prorata.actions.splitting import split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.store.splitting.share_rules import SplitMethodRow
from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_units import said
from tests.dashboard.splitting.test_share_rules import EQUALLY

HALF = {"name": "Half and half", "equal": "50", "sqft": "50", "occupants": "", "bedrooms": ""}


def own(office: Office) -> SplitMethodRow:
    return office.database.read(lambda tx: split_methods.all_own(tx, office.caller))[0]


def test_a_blend_is_added_changed_and_deleted(office: Office) -> None:
    browser = office.browser("manager")
    assert "None yet" in browser.get("/split-methods").text
    page = said(browser, browser.post("/split-methods", HALF))
    assert "50% equally and 50% by floor area" in page
    at = f"/split-methods/{own(office).id}"
    assert 'value="50"' in browser.get(at).text
    page = said(browser, browser.post(at, HALF | {"sqft": "12.5", "bedrooms": "37.5"}))
    assert "50% equally, 12.5% by floor area and 37.5% by bedrooms" in page
    assert "Delete Half and half?" in browser.get(f"{at}/delete").text
    assert "Half and half was deleted." in said(browser, browser.post(f"{at}/delete", {}))


def test_percents_that_are_not_all_are_refused_and_kept(office: Office) -> None:
    answer = office.browser("manager").post("/split-methods", HALF | {"sqft": "49"})
    assert answer.status_code == 400
    assert answer.text.count("The percentages must add up to 100, but these add up to 99.") == 1
    assert "marked below" not in answer.text, "no single field is wrong"
    assert 'value="49"' in answer.text


def test_a_taken_name_is_said_beside_it_and_what_was_typed_is_kept(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    browser.post("/split-methods", HALF)
    answer = browser.post("/split-methods", HALF | {"equal": "40", "sqft": "60"})
    assert answer.status_code == 409
    assert 'aria-invalid="true" aria-describedby="wrong-name"' in answer.text
    assert 'value="60"' in answer.text


def test_a_blend_that_a_rule_uses_is_not_deleted(office: Office) -> None:
    browser, its = office.browser("manager"), office.add_property()
    browser.post("/split-methods", HALF)
    browser.post(f"/properties/{its.id}/rules/water", EQUALLY | {"splitMethod": own(office).id})
    at = f"/split-methods/{own(office).id}/delete"
    page = browser.get("/split-methods").text
    assert "Maple Court divides by it." in page
    assert at not in page
    assert "Half and half can’t be deleted yet: Maple Court divides by it." in said(browser, browser.get(at))
    answer = browser.post(at, {})
    assert answer.status_code == 409
    alert = answer.text.index("Maple Court divides by it. Choose")
    assert alert < answer.text.index('id="own"'), "it stands above the list, not in the form of another one"
    assert "Maple Court divides by it. Choose another way to divide in the rules first" in answer.text


@pytest.mark.parametrize("at", ["", "/delete"])
def test_a_strangers_blend_is_not_there(quick_office: Office, at: str) -> None:
    quick_office.browser("owner").post("/split-methods", HALF)
    path, stranger = f"/split-methods/{own(quick_office).id}{at}", quick_office.browser("stranger")
    assert stranger.get(path).status_code == 404
    assert stranger.post(path, {} if at else HALF).status_code == 404


def test_a_viewer_sees_the_methods_and_no_form(quick_office: Office) -> None:
    page = quick_office.browser("viewer").get("/split-methods").text
    assert "By floor area" in page
    assert 'name="equal"' not in page


def test_of_many_split_methods_a_page_is_shown_and_the_others_are_found(quick_office: Office) -> None:
    def add(tx: Any) -> None:
        for number in range(1, 28):
            parts = [("EQUAL", Decimal(number)), ("SQFT", Decimal(100 - number))]
            split_methods.create(tx, quick_office.caller, NewBlend(f"Blend {number} north", parts))

    quick_office.database.write(add)
    browser = quick_office.browser("manager")

    def names(query: str = "") -> list[str]:
        return re.findall(r"<strong>(Blend \d+) north</strong>", browser.get(f"/split-methods{query}").text)

    assert names() == [f"Blend {number}" for number in range(1, 26)]
    assert names("?page=2") == ["Blend 26", "Blend 27"]
    assert names("?search=nor+27") == ["Blend 27"]
    assert "Nothing found" in browser.get("/split-methods?search=south").text
