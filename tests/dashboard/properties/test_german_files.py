"""A German file of units is shown in German forms, and streets are proposed."""

import io
import re
from datetime import date

from openpyxl import Workbook

from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_property_files import AT, bring
from tests.dashboard.sent_files import held, send


def test_a_name_that_is_a_street_with_its_number_is_proposed_as_the_address(german_office: Office) -> None:
    browser = german_office.browser("manager")
    page = bring(browser, "Objekt;Einheit\nMerseburger Straße 37;1\nAhornhof;1\n").text
    fields = dict(re.findall(r'name="(street-[0-9]+)" value="([^"]*)"', page))
    assert fields == {"street-2": "Merseburger Straße 37", "street-3": ""}


def test_values_of_a_spreadsheet_are_shown_as_the_reader_writes_them(german_office: Office) -> None:
    book = Workbook()
    book.active.append(["Objekt", "Einheit", "Fläche", "Einzug", "Mieter"])
    book.active.append(["Ahornhof", "1", 63.13, date(2025, 11, 8), "Ann"])
    content = io.BytesIO()
    book.save(content)
    page = bring(german_office.browser("manager"), content.getvalue()).text
    assert '<span class="sub">63,13</span>' in page
    assert '<span class="sub">08.11.2025</span>' in page


def test_areas_have_the_unit_of_the_property_and_what_is_known_of_an_address_is_shown(german_office: Office) -> None:
    browser = german_office.browser("manager")
    asked = browser.get(AT).text
    assert "Fläche in m²" in asked
    assert "Quadratfuß" not in asked
    rows = "Objekt;PLZ;Ort;Land;Straße;WE-Nr.;Fläche\nKarl-Heine-Str. 12;04229;Leipzig;;;1;61,5\n"
    page = bring(browser, rows)
    assert 'placeholder="04229 Leipzig"' in page.text
    typed = {"street-2": "Karl-Heine-Str. 12"}
    ready = send(browser, None, "/import/units/addresses", property="", **held(page), **typed).text
    assert '<td class="number">61,5\u00a0m²</td>' in ready
    american = "Objekt;PLZ;Ort;Land;Straße;WE-Nr.;Fläche\nMaple;62701;Springfield, IL;US;12 Main St;1;850\n"
    assert '<td class="number">850\u00a0sq ft</td>' in bring(browser, american).text
    german_office.add_property()
    assert "in m²; in Ländern, in denen das üblich ist, in Quadratfuß" in browser.get(AT).text, (
        "for a property in each country"
    )
