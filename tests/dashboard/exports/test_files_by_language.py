"""Tests of the dashboard's files in the person's language, which the dashboard also imports."""

import csv
import io
from datetime import date
from decimal import Decimal

import pytest

from prorata.actions.bills import bills
from prorata.actions.splitting import share_rules
from prorata.domain.bills.bills import NewBill
from prorata.domain.usage import Usage
from prorata.store.properties import units
from prorata.store.properties.properties import PropertyRow
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.intake.test_tables import brought, stored, take
from tests.dashboard.properties.test_units import add_tenant, add_unit
from tests.dashboard.sent_files import held, send

AREAS = (("1", 62), ("2", 1234.5))


def house(office: Office, country: str = "DE") -> PropertyRow:
    """A house with water by floor area, a combined bill and a credit."""
    its = office.add_property(country=country)
    for label, sqft in AREAS:
        add_tenant(office, add_unit(office, its, label, sqft=sqft), f"Mieter {label}")
    new = [
        NewBill(its.id, "Stadtwerke", ("WATER", "SEWER"), 1_320_10, date(2026, 3, 14),
                amounts=(("WATER", 1_000_00), ("SEWER", 320_10)),
                usages=(("WATER", Usage(Decimal("12.345"), "m³", Decimal("3.2"))),)),
        NewBill(its.id, "Gaswerk", ("GAS",), -40_50, date(2026, 3, 2)),
    ]  # fmt: skip

    rules = office.database.read(lambda tx: share_rules.of_property(tx, office.caller, its.id))
    water = next(rule.row.id for rule in rules if rule.row.utility_type == "WATER")
    office.database.write(lambda tx: share_rules.change(tx, office.caller, water, {"split_method": "SQFT"}))
    office.database.write(lambda tx: bills.add(tx, office.caller, new))
    return its


def rows_of(browser: Browser, path: str, delimiter: str = ";") -> list[dict[str, str]]:
    """The rows of a CSV file."""
    text = browser.get(path).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def test_a_german_file_has_semicolons_decimal_commas_and_german_sentences(german_office: Office) -> None:
    house(german_office)
    browser = german_office.browser("viewer")
    first = rows_of(browser, "/invoices/export?rows=invoices")[0]
    assert (first["Summe"], first["Status"], first["Zahlungsstatus"]) == ("187,62", "Entwurf", "Nicht bezahlt")
    charges = rows_of(browser, "/invoices/export?rows=charges")
    assert {(row["Betrag"], row["Beschreibung"]) for row in charges} >= {
        ("47,82", "Stadtwerke, Beleg vom 14. März 2026, 1.320,10\xa0€, davon 1.000,00\xa0€ für Wasser: 62 von 1.296,5 m²"),
    }  # fmt: skip


def test_a_french_file_is_in_french(french_office: Office) -> None:
    house(french_office)
    said = [row["Description"] for row in rows_of(french_office.browser("viewer"), "/invoices/export?rows=charges")]
    assert "Gaswerk, facture du 2 mars 2026, -40,50\xa0€\xa0: 1 sur 2 logements" in said


def test_an_english_file_has_commas_and_points(quick_office: Office) -> None:
    house(quick_office)
    rows = rows_of(quick_office.browser("viewer"), "/invoices/export?rows=charges", ",")
    assert {row["Amount"] for row in rows} >= {"47.82", "-20.25"}


@pytest.mark.parametrize("extension", ["csv", "xlsx"])
@pytest.mark.parametrize("country", ["DE", "US"])
def test_a_german_file_of_bills_reads_back_as_the_same_bills(
    german_office: Office, extension: str, country: str
) -> None:
    house(german_office, country)
    browser = german_office.browser("manager")
    path = f"/bills/export?format={extension}"
    before, file = rows_of(browser, "/bills/export"), browser.get(path).content
    assert {"WATER=1000,00;SEWER=320,10", "WATER=12,3450 m³ @ 3,2"} < {cell for row in before for cell in row.values()}
    for bill in stored(german_office):
        assert browser.post(f"/bills/{bill.id}/delete", {}).status_code == 303
    document = brought(german_office, browser, file, f"bills.{extension}")
    take(browser, document)
    assert rows_of(browser, "/bills/export") == before


@pytest.mark.parametrize(
    ("what", "says"), [("units", "Marcus Lee"), ("rules", "Maple Court"), ("bills", "Maple Court")]
)
def test_a_german_sample_has_its_cells_apart_and_reads_back(german_office: Office, what: str, says: str) -> None:
    german_office.add_property(), german_office.add_property(name="Elm House")
    browser = german_office.browser("manager")
    file = browser.get(f"/import/{what}/sample").content
    rows = list(csv.reader(io.StringIO(file.decode("utf-8-sig"), newline=""), delimiter=";"))
    assert len({len(row) for row in rows}) == 1
    assert "Project-Id-Version" not in file.decode()
    if what == "bills":
        document = brought(german_office, browser, file)
        take(browser, document)
        assert {bill.total for bill in stored(german_office)} == {320_10, 180_10}
        return
    answer = send(browser, file, f"/import/{what}")
    assert answer.status_code == 200
    assert says in answer.text


@pytest.mark.parametrize("countries", [(), ("US",), ("DE",)])
def test_a_german_sample_of_units_brings_its_rents(german_office: Office, countries: tuple[str, ...]) -> None:
    for country in countries:
        german_office.add_property(name="Maple Court", country=country)
    browser = german_office.browser("manager")
    answer = send(browser, browser.get("/import/units/sample").content, "/import/units")
    assert send(browser, None, "/import/units/add", property="", **held(answer)).status_code == 303
    brought_units, _ = german_office.database.read(
        lambda tx: units.page(tx, german_office.account_id, {}, limit=9, offset=0)
    )
    assert sorted((unit.label, unit.monthly_rent) for unit in brought_units) == [("1A", 1_450_00), ("1B", 1_150_00)]
