"""A German file of units is shown in German forms, and streets are proposed."""

import io
import re
from datetime import date

from openpyxl import Workbook

from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_property_files import bring


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
