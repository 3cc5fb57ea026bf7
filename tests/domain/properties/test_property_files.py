"""Property files may contain addresses in the forms that companies use."""

from collections.abc import Sequence

import pytest

from prorata.domain.files.grouped_problems import of_rows
from prorata.domain.files.sheets import Sheet
from prorata.domain.intake.unit_tables import understood
from prorata.domain.properties.property_files import KnownHouse, ReadHouses, read_houses


def read(
    header: tuple[str, ...], *rows: tuple[str, ...], likely: str = "", known: Sequence[KnownHouse] = ()
) -> ReadHouses:
    table = understood(Sheet(header, tuple(enumerate(rows, start=2))), None)
    assert not table.is_open
    return read_houses(table.sheet, known, currency_of=lambda _: "USD", is_email=lambda _: True, likely=likely)


def address(header: str, row: str, *, likely: str = "") -> str:
    """The address of one property, from columns and cells that are divided by bars."""
    found = read(("Property", "Unit", *header.split("|")), ("Elm", "1", *row.split("|")), likely=likely)
    assert found.problems == ()
    said = found.houses[0].address
    return "|".join(said[column] for column in ("streetNumber", "street", "city", "state", "zip", "country"))


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        ("Address|City, State ZIP|Country", "12 Maple Street|Springfield, IL 62701|USA",
         "12|Maple Street|Springfield|IL|62701|US"),
        ("Address|City|Country", "12-14 1/2 Mile Rd|Salt Lake City UT 84101-1234|United States",
         "12-14|1/2 Mile Rd|Salt Lake City|UT|84101-1234|US"),
        ("Address|City/State|Zip|Country", "12B Hwy 50|Reno, Nevada|89501|us", "12B|Hwy 50|Reno|Nevada|89501|US"),
        ("Address|Country", "12 Maple Street, Springfield, IL 62701|U.S.A.", "12|Maple Street|Springfield|IL|62701|US"),
        ("Straße|PLZ/Ort|Land", "Ahornstr. 5a|12345 Berlin|Deutschland", "5a|Ahornstr.|Berlin|Berlin|12345|DE"),
        ("Anschrift|Ort|PLZ|Land", "Straße des 17. Juni 135 - 137|Bad Homburg|61348|Germany",
         "135 - 137|Straße des 17. Juni|Bad Homburg|Bad Homburg|61348|DE"),
        ("Address|Town|Country", "10 Downing Street|London SW1A 2AA|UK",
         "10|Downing Street|London|London|SW1A 2AA|GB"),
        ("Dirección|Ciudad|País", "Calle Mayor 3|28013 Madrid, Madrid|España", "3|Calle Mayor|Madrid|Madrid|28013|ES"),
        ("Street|No.|City|State|Zip|Country", "5th Avenue 9|7|New York|NY|10001|US",
         "7|5th Avenue 9|New York|NY|10001|US"),
        ("Street|No.|City|Country", "Elm Street|7|Reno, NV 89501|US", "7|Elm Street|Reno|NV|89501|US"),
    ],
)  # fmt: skip
def test_an_address_is_read_as_firms_write_it(header: str, row: str, said: str) -> None:
    assert address(header, row) == said


def test_where_no_country_stands_that_of_the_account_counts() -> None:
    assert address("Straße|Ort", "Ahornstr. 5a|12345 Berlin", likely="DE") == "5a|Ahornstr.|Berlin|Berlin|12345|DE"
    assert address("Street|City|Country", "Elm 5|12345 Berlin|Germany", likely="US").endswith("|12345|DE")


def test_what_an_address_lacks_still_is_said_and_an_unknown_country_is_no_country() -> None:
    lacking = read(("Property", "Unit", "Address", "City"), ("Elm", "1", "Elm Street", "Reno"), likely="US")
    assert [one.message for one in lacking.problems] == [
        "Elm doesn’t exist yet. To add it, enter its streetNumber, state, zip in this row."
    ]
    unknown = read(("Property", "Unit", "Country"), ("Elm", "1", "Atlantis"))
    assert (2, "country") in [(one.line, one.column) for one in unknown.problems]


@pytest.mark.parametrize("name", ["Elm, 12 Main Street, Reno, NV 89501", "12 Main Street, Reno, NV 89501"])
def test_an_address_in_the_name_counts_where_there_is_no_column_of_streets(name: str) -> None:
    (house,) = read(("Property", "Unit"), (name, "1"), (name, "2"), likely="US").houses
    assert (house.name, house.address["streetNumber"], house.address["zip"]) == (
        name.split(",", maxsplit=1)[0],
        "12",
        "89501",
    )
    its_address = ("12", "Main Street.", "RENO", "89501")
    known = [KnownHouse("prop_1", house.name, "US", "USD", its_address), KnownHouse("prop_2", name, "US", "USD")]
    assert [one.id for one in read(("Property", "Unit"), (name, "1"), known=known[:1]).houses] == ["prop_1"]
    assert [one.id for one in read(("Property", "Unit"), (name, "1"), known=known).houses] == ["prop_2"]


def test_a_name_with_an_address_means_no_known_house_at_another_one() -> None:
    name = "12 Oak Street, Reno, NV 89501"
    here = KnownHouse("prop_1", "12 Oak Street", "US", "USD", ("12", "Oak Street", "Reno", "89501"))
    there = here._replace(id="prop_2", address=("12", "Oak Street", "Sparks", "89431"))
    longer = here._replace(id="prop_3", name="12 Oak Street North", address=("12", "Oak Street North", "Reno", "89501"))
    found = read(("Property", "Unit"), (name, "1"), known=[there, longer], likely="US")
    assert (found.houses, [(problem.line, problem.column) for problem in found.problems]) == ((), [(2, "property")])
    assert "with a different address" in found.problems[0].message
    found = read(("Property", "Unit"), (name, "1"), ("prop_1", "2"), known=[there, here, longer], likely="US")
    assert ([(house.id, len(house.units)) for house in found.houses], found.problems) == ([("prop_1", 2)], ())
    twins = read(("Property", "Unit"), (name, "1"), known=[here, here._replace(id="prop_4")], likely="US")
    assert [problem.message[:30] for problem in twins.problems] == ["2 properties have this name. G"]


OF_COLUMNS = ("Property", "Street", "City", "ZIP", "Unit")
RENO = KnownHouse("prop_1", "Elm", "US", "USD", ("12", "Main Street", "Reno", "89501"))
SPARKS = KnownHouse("prop_2", "Elm", "US", "USD", ("7", "Oak Street", "Sparks", "89431"))


@pytest.mark.parametrize("street", ["12 Main Street", "12 MAIN ST.", "12 Main Street #4"])
def test_a_known_house_is_the_one_at_the_address_in_columns_of_their_own(street: str) -> None:
    rows = (("Elm", street, "Reno", "89501", "1"), ("elm", "7 Oak St", "Sparks", "89431-1200", "1"))
    found = read(OF_COLUMNS, *rows, known=[RENO, SPARKS], likely="US")
    assert ([house.id for house in found.houses], found.problems) == (["prop_1", "prop_2"], ())
    assert [house.id for house in read(OF_COLUMNS, rows[0], known=[RENO]).houses] == ["prop_1"]
    assert [house.id for house in read(("Property", "Unit"), ("Elm", "1"), known=[RENO]).houses] == ["prop_1"]


@pytest.mark.parametrize(
    "row",
    [("Elm", "14 Main Street", "Reno", "89501", "1"), ("Elm", "12 Main Street", "Sparks", "89431", "1"),
     ("Elm", "Pine Street", "", "", "1")],
)  # fmt: skip
def test_a_name_beside_columns_with_an_address_means_no_known_house_at_another_one(row: tuple[str, ...]) -> None:
    found = read(OF_COLUMNS, row, known=[RENO], likely="US")
    assert (found.houses, [(problem.line, problem.column) for problem in found.problems]) == ((), [(2, "property")])
    assert "already exists, with a different address. If you mean" in found.problems[0].message


def test_new_houses_of_one_name_at_two_addresses_are_two() -> None:
    first, second = "Elm, 12 Main St, Reno, NV 89501", "Elm, 12 Oak St, Reno, NV 89501"
    found = read(("Property", "Unit"), (first, "1"), (second, "1"), (first, "2"), likely="US")
    assert [(house.name, house.address["street"], len(house.units)) for house in found.houses] == [
        ("Elm", "Main St", 2), ("Elm", "Oak St", 1)
    ]  # fmt: skip
    header = ("Property", "Street", "City", "State", "ZIP", "Unit")
    rows = (
        ("Elm", "12 Main St", "Reno", "NV", "89501", "1"), ("Elm", "14 Main St", "Reno", "NV", "89501", "1"),
        ("Elm", "", "", "", "", "2"),
    )  # fmt: skip
    found = read(header, *rows, likely="US")
    assert found.problems == ()
    assert [(house.address["streetNumber"], len(house.units)) for house in found.houses] == [("12", 1), ("14", 2)]
    mistyped = read(header, rows[0], ("Elm", "12 Man St", "Reno", "NV", "89501", "2"), likely="US")
    assert [(one.line, one.message[:27]) for one in mistyped.problems] == [(3, "This differs from what line")]


def test_houses_of_which_only_the_names_stand_there_are_one_problem_that_says_what_to_do() -> None:
    found = read(("Property", "Unit"), ("Elm", "1"), ("Elm", "2"), ("Oak", "1"), likely="US")
    (problem,) = of_rows(found.problems)
    assert problem.lines == (2, 4)
    assert "Add columns with the street and its number" in problem.message


@pytest.mark.parametrize("name", ["Area sq ft", "Sq. ft.", "Area (Sq. Ft.)"])
def test_square_feet_are_known_however_they_are_written(name: str) -> None:
    assert understood(Sheet(("Unit", name), ()), None).fields == ("label", "sqft")


def test_a_number_beside_a_street_is_the_house_s_and_without_one_it_is_asked() -> None:
    assert understood(Sheet(("Unit", "Street", "No."), ()), None).fields == ("label", "street", "streetNumber")
    assert understood(Sheet(("Unit", "Tenant", "No."), ()), None).fields == ("label", "tenantName", "")
    assert understood(Sheet(("Street", "Number"), ()), None).fields == ("street", "label")
