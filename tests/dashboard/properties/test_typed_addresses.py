"""Addresses that a file of units lacks are typed beside it."""

import re
from html import unescape

import httpx
import pytest

from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_property_files import AT, bring
from tests.dashboard.sent_files import held, send


def test_a_property_that_lacks_its_state_is_asked_for_it(quick_office: Office) -> None:
    looked = bring(
        quick_office.browser("owner"), "property,streetNumber,street,city,zip,country,label\nElm,1,Elm St,Reno,1,US,1\n"
    )
    assert "1 new property lacks its address. Type it below." in looked.text
    assert "Still missing: State or province" in " ".join(looked.text.split())
    assert "What to do" not in looked.text, "there is one instruction"
    assert "Add them" not in looked.text


def told(page: httpx.Response) -> dict[str, str]:
    """The file and the answers about it, as the page would send them."""
    return held(page) | {"mapping": unescape(page.text.split('name="mapping" value="')[1].split('"')[0])}


@pytest.mark.thorough
def test_addresses_that_a_file_lacks_are_typed_beside_it(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    rows = "Property,Unit,Tenant\nElm House,1,Ann Lee\nElm House,2,\nOak House,1,Bo Chen\nAsh House,1,\n"
    looked = bring(browser, rows)
    assert "The file doesn’t give the whole address of these properties" in looked.text
    assert re.findall(r'name="(street-\d+)"', looked.text) == ["street-2", "street-4", "street-5"]
    typed = {"street-2": "12 Elm St", "city-2": "Reno, NV 89501", "street-4": "7 Oak Ave", "city-4": "Reno"}
    again = send(browser, None, f"{AT}/addresses", property="", **held(looked), **typed)
    assert 'value="7 Oak Ave"' in again.text
    assert "Add them" not in again.text, "two of the three still lack something"
    more = {"city-4": "Reno, NV 89502", "street-5": "9 Ash St, Reno, NV 89503"}
    ready = send(browser, None, f"{AT}/addresses", **told(again), **more)
    assert "Add them" in ready.text
    done = send(browser, None, f"{AT}/add", property="", **told(ready))
    page = browser.get(done.headers["location"]).text
    assert "Added: 3 properties, 4 units, 2 tenants." in page
    assert "9 Ash St" in page


def test_one_city_is_typed_for_all_properties_that_have_none(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    rows = 'Property,Street,City,Unit\nElm,12 Elm St,,1\nOak,7 Oak Ave,,1\nAsh,,,1\nFir,3 Fir Rd,,1\nBox,,"Elko, NV 89801",1\n'
    looked = bring(browser, rows)
    typed = {"city-all": "Reno, NV 89501", "street-4": "9 Ash St, Sparks, NV 89431", "city-5": "Sparks, NV 89434"}
    again = send(browser, None, f"{AT}/addresses", **told(looked), **typed)
    assert "city-all" not in again.text, "each has a city now"
    cities = dict(re.findall(r'name="(city-\d)" value="([^"]*)"', again.text))
    assert cities == {
        "city-2": "Reno, NV 89501",
        "city-3": "Reno, NV 89501",
        "city-4": "",
        "city-5": "Sparks, NV 89434",
        "city-6": "",
    }
    ready = send(
        browser, None, f"{AT}/addresses", **told(again), **{"city-3": "Reno, NV 89502", "street-6": "1 Box St"}
    )
    send(browser, None, f"{AT}/add", property="", **told(ready))
    paths = sorted(set(re.findall(r'href="(/properties/prop_\w+)"', browser.get("/properties").text)))
    pages = [" ".join(browser.get(path).text.split()) for path in paths]
    for city in ("Reno, NV 89501", "Reno, NV 89502", "Sparks, NV 89431", "Sparks, NV 89434", "Elko, NV 89801"):
        assert sum(city in page for page in pages) == 1, city


def cities(page: httpx.Response) -> list[str]:
    """The cities in the fields of the page, with the one for all first."""
    return re.findall(r'name="city-\w+" value="([^"]*)"', page.text)


def test_a_city_for_all_that_says_too_little_is_typed_again_for_all(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    looked = bring(browser, "Property,Street,Unit\nElm,12 Elm St,1\nOak,7 Oak Ave,1\nFir,3 Fir Rd,1\n")
    again = send(browser, None, f"{AT}/addresses", **told(looked), **{"city-all": "Sparks"})
    assert cities(again) == ["Sparks"] * 4
    own = {"city-2": "Sparks", "city-3": "Elko, NV 89801", "city-4": "Sparks"}
    ready = send(browser, None, f"{AT}/addresses", **told(again), **own, **{"city-all": "Reno, NV 89501"})
    assert cities(ready) == ["Reno, NV 89501", "Elko, NV 89801", "Reno, NV 89501"], "no field for all is needed now"
    assert "Add them" in ready.text


def test_the_city_for_all_completes_those_in_this_city_only(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    rows = "Property,Street,City,Unit\nElm,2 Elm St,Reno,1\nOak,7 Oak St,reno,1\nFir,3 Fir St,Elko,1\nAsh,3 Ash St,Elko,1\n"
    again = send(browser, None, f"{AT}/addresses", **told(bring(browser, rows)), **{"city-all": "Reno, NV 89501"})
    assert cities(again) == ["Reno, NV 89501", "Reno, NV 89501", "Reno, NV 89501", "", ""]
    ready = send(browser, None, f"{AT}/addresses", **told(again), **{"city-all": "Elko, NV 89801"})
    assert cities(ready) == ["Reno, NV 89501", "Reno, NV 89501", "Elko, NV 89801", "Elko, NV 89801"]
    assert "Add them" in ready.text


def test_one_property_without_a_city_has_only_its_own_field_for_it(quick_office: Office) -> None:
    assert "city-all" not in bring(quick_office.browser("manager"), "Property,Unit\nElm,1\n").text


def entered(page: httpx.Response) -> dict[str, str]:
    """Everything that the page's form of addresses and columns would send, without a change."""
    tags = re.findall(r'<input[^>]*form="reading"[^>]*>', page.text)
    inputs = [dict(re.findall(r'(name|value)="([^"]*)"', tag)) for tag in tags]
    form = page.text.split('id="reading"')[1].split("</form>")[0]
    chosen = re.findall(r'<select[^>]*name="([^"]*)".*?</select>', form)
    fields = {name: form.split(f'name="{name}"')[1].split("</select>")[0] for name in chosen}
    found = {name: re.findall(r'value="([^"]*)" selected', text) for name, text in fields.items()}
    return {
        **told(page),
        **{unescape(one["name"]): unescape(one.get("value", "")) for one in inputs},
        **{name: (its or [""])[0] for name, its in found.items()},
    }


def test_nothing_that_was_typed_or_chosen_is_lost_whichever_button_is_pressed(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    looked = bring(browser, "Property,Unit,Who,BR/BA\nElm,1,Ann Lee,x\nOak,1,Bo Chen,y\n")
    own = {"street-2": "12 Elm St", "city-2": "Sparks, NV 89431", "column.2": "tenantName", "column.3": ""}
    for first, then in (("columns", "addresses"), ("addresses", "columns")):
        again = send(browser, None, f"{AT}/{first}", **entered(looked) | own | {"city-all": "Reno, NV 89501"})
        assert entered(again).items() >= (own | {"city-3": "Reno, NV 89501"}).items(), first
        ready = send(browser, None, f"{AT}/{then}", **entered(again) | {"street-3": "7 Oak Ave"})
        assert "Add them" in ready.text, first
        assert "Ann Lee" in ready.text


def test_addresses_alone_choose_no_columns(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    looked = bring(browser, "Property,Unit,Who\nElm,1,Ann Lee\n")
    assert "Nothing is read from the column <strong>Who</strong>" in looked.text
    ready = send(browser, None, f"{AT}/addresses", **entered(looked) | {"street-2": "1 Elm St, Reno, NV 89501"})
    assert "Nothing is read from the column <strong>Who</strong>" in ready.text
