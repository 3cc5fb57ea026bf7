"""Tests of the list of properties, and of the form of a property."""

import re
from datetime import date

import pytest

from prorata.actions.accounts import access
from prorata.actions.bills import bills
from prorata.actions.properties import properties
from prorata.domain.bills.bills import NewBill
from prorata.store.properties.properties import PropertyRow
from tests.dashboard.conftest import Office

FILLED = {
    "name": "Elm House", "streetNumber": "7", "street": "Elm Street", "city": "Galena", "state": "IL", "zip": "61036",
    "country": "US", "billingStartsMonth": "",
}  # fmt: skip


EDITED = {name: value for name, value in FILLED.items() if name != "billingStartsMonth"}


def test_a_property_is_added_and_the_next_page_says_so_once(office: Office) -> None:
    browser = office.browser("manager")
    answer = browser.post("/properties/new", FILLED)
    assert answer.status_code == 303
    assert "Elm House was added." in browser.get(answer.headers["location"]).text
    listed = browser.get("/properties").text
    assert "Elm House was added." not in listed
    assert "Elm Street" in listed


@pytest.mark.parametrize(
    ("country", "order"),
    [
        ("US", ["streetNumber", "street", "city", "state", "zip"]),
        ("DE", ["street", "streetNumber", "zip", "city", "state"]),
        ("FR", ["streetNumber", "street", "zip", "city", "state"]),
    ],
)
def test_an_address_is_asked_for_in_the_order_of_its_country(
    quick_office: Office, country: str, order: list[str]
) -> None:
    browser = quick_office.browser("owner")
    added = browser.post("/properties/new", FILLED | {"country": country}).headers["location"]
    for form in (f"{added}/edit", "/properties/new"):
        fields = re.findall(r'<input [^>]*name="(\w+)"', browser.get(form).text)
        assert [field for field in fields if field in order] == order


def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_is_kept(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    answer = browser.post("/properties/new", FILLED | {"name": " ", "billingStartsMonth": "March", "city": "<Galena>"})
    assert answer.status_code == 400
    assert 'aria-invalid="true" aria-describedby="wrong-name"' in answer.text
    assert "Please fill this in." in answer.text
    assert "Enter the month as YYYY-MM, such as 2026-03." in answer.text
    assert 'value="March"' in answer.text
    assert "&lt;Galena&gt;" in answer.text
    assert '<option value="US" selected>' in answer.text


def test_a_property_is_changed_and_deleted_after_asking(office: Office) -> None:
    browser, mine = office.browser("owner"), office.add_property()
    form = browser.get(f"/properties/{mine.id}/edit").text
    assert 'value="Main Street"' in form
    assert browser.post(f"/properties/{mine.id}/edit", EDITED).status_code == 303
    assert "Elm House" in browser.get("/properties").text
    assert "permanently deleted" in browser.get(f"/properties/{mine.id}/delete").text
    browser.post(f"/properties/{mine.id}/delete", {})
    assert "Add your first property" in browser.get("/properties").text


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("?search=HOUSE", ["Birch House", "Elm House"]),
        ("?search=main+street", ["Birch House", "Elm House", "Oak Row"]),
        ("?search=%25", []),
        ("?sort=-name", ["Oak Row", "Elm House", "Birch House"]),
        ("?sort=added", ["Elm House", "Birch House", "Oak Row"]),
    ],
)
def test_the_list_is_searched_and_sorted(office: Office, query: str, names: list[str]) -> None:
    for name in ("Elm House", "Birch House", "Oak Row"):
        office.add_property(name=name)
    office.add_property(office.stranger_id, "House of a stranger")
    text = office.browser("owner").get(f"/properties{query}").text
    found = sorted(
        (text.index(f">{name}<"), name) for name in ("Elm House", "Birch House", "Oak Row") if f">{name}<" in text
    )
    assert [name for _, name in found] == names
    assert "stranger" not in text.lower()


def test_a_long_list_has_pages(office: Office) -> None:
    for number in range(30):
        office.add_property(name=f"House {number:02d}")
    browser = office.browser("viewer")
    first, second = browser.get("/properties").text, browser.get("/properties?page=2").text
    assert "1–25 of 30 properties" in first
    assert 'href="/properties?page=2&amp;sort=name"' in first
    assert "26–30 of 30 properties" in second
    assert "House 29" in second
    assert browser.get("/properties?page=nine").status_code == 400


def stored(office: Office, its: PropertyRow) -> PropertyRow:
    return office.database.read(lambda tx: access.property_(tx, office.caller, its.id))


def test_the_currency_follows_a_corrected_country_until_the_first_bill(office: Office) -> None:
    browser, mine = office.browser("owner"), office.add_property()
    form = browser.get(f"/properties/{mine.id}/edit").text
    assert 'name="currency"' not in form
    browser.post(f"/properties/{mine.id}/edit", EDITED | {"country": "DE"})
    assert stored(office, mine).currency == "EUR"
    bill = NewBill(mine.id, "Stadtwerke", ("WATER",), 90_00, date(2026, 2, 20))
    office.database.write(lambda tx: bills.add(tx, office.caller, [bill]))
    browser.post(f"/properties/{mine.id}/edit", EDITED | {"country": "US"})
    assert (stored(office, mine).country, stored(office, mine).currency) == ("US", "EUR")


def test_the_first_month_to_bill_is_not_changed_by_the_form_but_asked_about_on_its_page(office: Office) -> None:
    browser, mine = office.browser("owner"), office.add_property()
    office.database.write(lambda tx: properties.change(tx, office.caller, mine.id, {"billing_starts_month": "2026-02"}))
    form = browser.get(f"/properties/{mine.id}/edit").text
    assert 'name="billingStartsMonth"' not in form
    assert f'href="/properties/{mine.id}/history"' in form
    assert browser.post(f"/properties/{mine.id}/edit", EDITED | {"billingStartsMonth": ""}).status_code == 400
    assert browser.post(f"/properties/{mine.id}/edit", EDITED).status_code == 303
    assert stored(office, mine).billing_starts_month == "2026-02"


def test_names_stand_in_their_natural_order_and_both_lists_find_the_same(office: Office) -> None:
    for name in ("House 10", "House 9", "Élan"):
        office.add_property(name=name)
    browser = office.browser("owner")
    text = browser.get("/properties?search=house").text
    assert text.index(">House 9<") < text.index(">House 10<")
    for path in ("/properties", "/bills/new"):
        assert ">Élan<" in browser.get(f"{path}?search=elan").text
        assert ">House 9<" not in browser.get(f"{path}?search=elan").text
        assert "Nothing found" in browser.get(f"{path}?search=ouse").text
    assert "No more properties" in browser.get("/properties?page=9").text


def test_an_address_stands_in_the_order_of_its_country(quick_office: Office) -> None:
    german = {"street_number": "5", "street": "Hauptstraße", "city": "Köln", "state": "Köln", "zip": "50667"}
    there = quick_office.add_property(name="Domhaus", **german, country="DE")
    here, browser = quick_office.add_property(), quick_office.browser("viewer")
    assert "Hauptstraße 5, 50667 Köln" in browser.get(f"/properties/{there.id}").text
    assert "12 Main Street, Springfield, IL 62701" in browser.get(f"/properties/{here.id}").text
    listed = browser.get("/properties").text
    assert "Hauptstraße 5<" in listed
    assert "12 Main Street<" in listed
