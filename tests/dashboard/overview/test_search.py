"""Tests of the search and the navigation, which are on every page."""

import re

import pytest

from tests.dashboard.billed import billed
from tests.dashboard.conftest import Office


def found(text: str) -> dict[str, list[str]]:
    """The names of the records that were found, by the heading above them."""
    parts = re.findall(r'<h2 id="\w+">(\w+)</h2>(.*?)</section>', text, re.DOTALL)
    return {kind: re.findall(r'class="strong" href="[^"]*">([^<]*)</a>', rows) for kind, rows in parts}


def test_one_search_finds_tenants_units_properties_invoices_and_bills(office: Office) -> None:
    one, two = billed(office, "Attic", "Cellar")
    browser = office.browser("viewer")
    assert found(browser.get("/search?search=tenant+att").text)["Tenants"] == ["Tenant Attic"]
    assert found(browser.get("/search?search=attic").text)["Units"] == ["Attic"]
    maple = found(browser.get("/search?search=maple").text)
    assert maple["Properties"] == ["Maple Court"]
    assert set(maple["Invoices"]) == {one.number, two.number}
    assert found(browser.get("/search?search=aqua").text)["Bills"] == ["Aqua Water Co."]
    assert found(browser.get("/search?search=90.00").text)["Bills"] == ["Aqua Water Co."]
    assert found(browser.get(f"/search?search={one.number}").text)["Invoices"] == [one.number]
    assert found(office.browser("stranger").get("/search?search=maple").text) == {}


@pytest.mark.parametrize("asked", ["", "+", "nowhere"])
def test_a_search_that_finds_nothing_says_what_can_be_looked_for(quick_office: Office, asked: str) -> None:
    billed(quick_office, "1")
    text = quick_office.browser("viewer").get(f"/search?search={asked}").text
    assert "an amount with its cents" in text


def test_of_each_kind_a_few_are_shown_and_all_are_a_link_away(quick_office: Office) -> None:
    billed(quick_office, *(str(number) for number in range(1, 12)))
    text = quick_office.browser("viewer").get("/search?search=tenant").text
    assert len(found(text)["Tenants"]) == 8
    assert 'href="/tenants?search=tenant">Show all 11</a>' in text


def test_every_page_has_the_search_and_one_way_to_each_kind_of_work(quick_office: Office) -> None:
    page = quick_office.browser("owner").get("/bills?search=aqua").text
    main = page.partition('<nav aria-label="Main">')[2].partition("</nav>")[0]
    assert re.findall(r'<a href="([^"]*)"', main) == [
        "/", "/months", "/bills", "/invoices", "/payments", "/tenants", "/properties", "/settings"
    ]  # fmt: skip
    assert 'action="/search"' in page
    assert 'aria-current="page"' in main
