"""Properties, units and tenants can be imported from one file.

Either all rows are imported or none, and importing the file again adds nothing.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest

from prorata.actions.properties import properties as property_actions, property_imports
from prorata.actions.properties.property_imports import HousesReport, UnitsFile
from prorata.domain.files.sheets import Sheet
from prorata.domain.intake.unit_tables import understood
from prorata.errors import Conflict
from prorata.store.database.engine import Tx
from prorata.store.properties import properties, units
from tests.landlord import FakeArchive, Landlord

HEADER = ("Building", "Street", "House Number", "City", "State", "Postcode", "Country", "Unit", "Rent", "Tenant")
ROWS = (
    ("Elm House", "Elm St", "7", "Reno", "NV", "89501", "us", "1", "1,200.00", "Ann"),
    ("elm house", "", "", "", "", "", "", "2", "", ""),
    ("Haus Linde", "Lindenweg", "3", "Bonn", "NW", "53111", "DE", "1", "900,50", "Bo"),
    ("Maple Court", "", "", "", "", "", "", "1", "", "Eve"),
)


def sheet(*rows: tuple[str, ...]) -> Sheet:
    return Sheet(HEADER, tuple(enumerate(rows, start=2)))


def brought(*rows: tuple[str, ...]) -> UnitsFile:
    return UnitsFile(understood(sheet(*rows), None), lambda _: True)


def run(landlord: Landlord, *rows: tuple[str, ...]) -> HousesReport:
    return landlord.do(property_imports.import_houses, brought(*rows))


def test_units_over_many_properties_come_in_one_file_and_twice_adds_nothing(landlord: Landlord) -> None:
    maple = landlord.property_()
    before = landlord.see(property_imports.preview, brought(*ROWS))

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
        ("Elm House", "Elm St", "5", "Reno", "", "", "US", "1", "", ""),
        ("", "", "", "", "", "", "", "2", "", ""),
        ("Oak", "Oak St", "1", "Reno", "NV", "1", "Atlantis", "1", "much", ""),
        ("Fir", "Fir St", "1", "Reno", "NV", "1", "US", "1", "", ""),
        ("Fir", "Pine St", "", "", "", "", "", "", "", ""),
    )

    found = {(problem.line, problem.column) for problem in report.problems}
    assert found == {(2, "Building"), (3, "Building"), (4, "Country"), (4, "Rent"), (6, "Street"),
                     (6, "Unit")}  # fmt: skip
    assert (report.properties, landlord.read(properties.all_of)) == (0, [])


def test_a_name_that_two_properties_have_is_a_problem(landlord: Landlord) -> None:
    landlord.property_("Elm")
    landlord.property_("ELM")
    report = run(landlord, ("Elm", "", "", "", "", "", "", "1", "", ""))
    assert "2 properties have this name" in report.problems[0].message


def test_a_property_that_stands_by_its_name_and_by_its_id_is_one(landlord: Landlord) -> None:
    maple = landlord.property_()
    report = run(
        landlord,
        ("Maple Court", "", "", "", "", "", "", "1", "", "Ann"),
        (maple.id, "", "", "", "", "", "", "1", "", "Bo"),
    )
    assert report == HousesReport(0, 1, 2, 0, ())
    assert [unit.label for unit in landlord.stored_units(maple)] == ["1"]


def test_a_new_property_needs_its_whole_address_as_its_form_does(landlord: Landlord) -> None:
    (problem,) = run(landlord, ("Elm House", "Elm St", "", "Reno", "", "89501", "US", "1", "", "")).problems
    assert "To add it, enter its streetNumber, state in this row." in problem.message


def test_a_new_property_needs_no_state_where_addresses_have_none(landlord: Landlord) -> None:
    report = run(landlord, ("Haus Eins", "Lindenweg", "5", "Berlin", "", "10115", "DE", "1", "", ""))
    assert report == HousesReport(1, 1, 0, 0, ())
    assert [(row.city, row.state) for row in landlord.read(properties.all_of)] == [("Berlin", "Berlin")]


def test_of_many_imports_of_one_file_at_once_each_property_is_there_once(landlord: Landlord) -> None:
    with ThreadPoolExecutor(6) as threads:
        reports = list(threads.map(lambda _: run(landlord, *ROWS[:3]), range(6)))
    assert sorted(report.properties for report in reports) == [0, 0, 0, 0, 0, 2]
    assert [row.name for row in landlord.read(properties.all_of)] == ["Elm House", "Haus Linde"]


def test_a_property_that_was_deleted_since_the_file_was_looked_at_is_said(landlord: Landlord) -> None:
    maple, file = landlord.property_(), brought(("Maple Court", "", "", "", "", "", "", "1", "", ""))
    assert landlord.see(property_imports.preview, file).units == 1
    landlord.do(property_actions.remove, maple.id, FakeArchive())
    (problem,) = landlord.do(property_imports.import_houses, file).problems
    assert "doesn’t exist yet" in problem.message


class Counting:
    """A transaction that counts its statements."""

    def __init__(self, tx: Tx) -> None:
        self.tx, self.statements = tx, 0

    def __getattr__(self, name: str) -> Any:
        if name in {"all", "one", "run", "run_many", "add_many"}:
            self.statements += 1
        return getattr(self.tx, name)


def statements_for(landlord: Landlord, number: int) -> int:
    rows = [(f"House {number}.{at}", "Elm St", "7", "Reno", "NV", "1", "US", "1", "", "Ann") for at in range(number)]
    file = brought(*rows, *[(row[0], "", "", "", "", "", "", "2", "", "") for row in rows])

    def work(tx: Tx) -> int:
        counting = Counting(tx)
        property_imports.import_houses(cast("Tx", counting), landlord.caller, file)
        return counting.statements

    return landlord.run(work)


def test_a_file_of_many_properties_takes_no_more_statements_than_one_of_few(landlord: Landlord) -> None:
    assert statements_for(landlord, 40) <= statements_for(landlord, 3)


def test_too_many_units_are_refused_before_anything_is_added_and_so_is_the_preview(landlord: Landlord) -> None:
    new = [("Elm", "Elm St", "7", "Reno", "NV", "1", "US", str(number), "", "") for number in range(5_001)]
    for work in (landlord.see, landlord.do):
        action = property_imports.preview if work == landlord.see else property_imports.import_houses
        with pytest.raises(Conflict, match="“Elm” would have 5,001 units"):
            work(action, brought(*new))
    assert landlord.read(properties.all_of) == []
