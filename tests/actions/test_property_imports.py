"""Properties, units and tenants come from one file: all or nothing, and twice adds nothing."""

from prorata.actions import property_imports
from prorata.actions.property_imports import HousesReport
from prorata.domain.bill_files import Sheet
from prorata.store import properties, units
from tests.landlord import Landlord

HEADER = ("Building", "Street", "House Number", "City", "Postcode", "Country", "Unit", "Rent", "Tenant")
ROWS = (
    ("Elm House", "Elm St", "7", "Reno", "89501", "us", "1", "1,200.00", "Ann"),
    ("elm house", "", "", "", "", "", "2", "", ""),
    ("Haus Linde", "Lindenweg", "3", "Bonn", "53111", "DE", "1", "900,50", "Bo"),
    ("Maple Court", "", "", "", "", "", "1", "", "Eve"),
)


def sheet(*rows: tuple[str, ...]) -> Sheet:
    return Sheet(HEADER, tuple(enumerate(rows, start=2)))


def run(landlord: Landlord, *rows: tuple[str, ...]) -> HousesReport:
    return landlord.do(property_imports.import_houses, sheet(*rows), is_email=lambda _: True)


def test_units_over_many_properties_come_in_one_file_and_twice_adds_nothing(landlord: Landlord) -> None:
    maple = landlord.property_()
    before = landlord.see(property_imports.preview, sheet(*ROWS), is_email=lambda _: True)

    assert run(landlord, *ROWS) == before == HousesReport(2, 4, 3, 0, ())

    rows = landlord.read(properties.all_of)
    assert [(row.name, row.country, row.currency) for row in rows] == [
        ("Maple Court", "US", "USD"), ("Elm House", "US", "USD"), ("Haus Linde", "DE", "EUR"),
    ]  # fmt: skip
    rents = {row.property_id: row.monthly_rent for row in landlord.read(units.of_properties, [rows[1].id, rows[2].id])}
    assert rents[rows[2].id] == 90_050
    assert len(landlord.stored_units(maple)) == 1
    assert run(landlord, *ROWS) == HousesReport(0, 0, 0, 7, ())


def test_every_row_is_checked_before_anything_is_written(landlord: Landlord) -> None:
    report = run(
        landlord,
        ("Elm House", "Elm St", "", "Reno", "", "US", "1", "", ""),
        ("", "", "", "", "", "", "2", "", ""),
        ("Oak", "Oak St", "", "Reno", "1", "Atlantis", "1", "much", ""),
        ("Fir", "Fir St", "", "Reno", "1", "US", "1", "", ""),
        ("Fir", "Pine St", "", "", "", "", "", "", ""),
    )

    found = {(problem.line, problem.column) for problem in report.problems}
    assert found == {(2, "property"), (3, "property"), (4, "country"), (4, "property"), (4, "Rent"), (6, "street"),
                     (6, "Unit")}  # fmt: skip
    assert (report.properties, landlord.read(properties.all_of)) == (0, [])


def test_a_name_that_two_properties_have_is_a_problem(landlord: Landlord) -> None:
    landlord.property_("Elm")
    landlord.property_("ELM")
    report = run(landlord, ("Elm", "", "", "", "", "", "1", "", ""))
    assert "2 properties have this name" in report.problems[0].message
