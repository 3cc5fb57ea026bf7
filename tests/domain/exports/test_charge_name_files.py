"""Tests of spreadsheets with another program's names for records in Prorata."""

from decimal import Decimal

from prorata.adapters.exports.charge_layout_files import load_layouts
from prorata.domain.exports.charge_name_files import ReadNames, read_names
from prorata.domain.files.cells import Cell
from prorata.domain.files.sheets import Sheet
from prorata.domain.limits import MOST_CHARGE_NAME_ROWS

APPFOLIO, YARDI = load_layouts()["appfolio"], load_layouts()["yardi-voyager"]


def read(header: tuple[str, ...], *rows: tuple[Cell, ...], names_property: bool = True) -> ReadNames:
    sheet = Sheet(header, tuple(enumerate(rows, start=2)))
    return read_names(sheet, APPFOLIO if "Occupancy UID" in header else YARDI, names_property=names_property)


def test_the_template_that_appfolio_hands_out_is_a_file_of_names_as_it_is() -> None:
    header = ("Property Name", "Unit Name", "Occupancy UID", "Tenant Name", "Occupancy ID", "Amount", "Description")
    found = read(header, ("Maple Court", "1A", "abc", "Ann", Decimal(17), "", ""))
    assert found.problems == ()
    assert found.lines[0].names == {
        "property": "Maple Court", "unit": "1A", "occupancy-uid": "abc", "occupancy-id": "17",
    }  # fmt: skip


def test_a_row_without_a_unit_speaks_of_the_property_alone() -> None:
    found = read(
        ("property", "unit", "Property code", "Tenant code"), ("Maple", "", "mpl", "t1"), ("Maple", "1", "", "t2")
    )
    assert [(one.line, one.unit, dict(one.names)) for one in found.lines] == [
        (2, "", {"property": "mpl"}), (3, "1", {"person": "t2"}),
    ]  # fmt: skip


def test_what_is_wrong_is_said_with_its_line_and_column() -> None:
    found = read(("property", "unit", "Tenant code"), ("Maple", "1", "=1"), ("Maple", "2", "t" * 41), ("", "", ""))
    assert [(one.line, one.column) for one in found.problems] == [(2, "Tenant code"), (3, "Tenant code")]
    assert (
        read(("unit", "Tenant code"), ("1", "t1")).problems[0].message.startswith("There is no column called property.")
    )
    assert read(("unit", "Tenant code"), ("1", "t1"), names_property=False).lines[0].names == {"person": "t1"}
    assert "Tenant code" in read(("property", "unit"), ("Maple", "1")).problems[0].message
    assert (
        read(("property", "unit", "Tenant code"), ("Maple", "1", ""))
        .problems[0]
        .message.startswith("There are no names")
    )
    too_many = [("Maple", "1", "t1")] * (MOST_CHARGE_NAME_ROWS + 1)
    assert "20,000" in read(("property", "unit", "Tenant code"), *too_many).problems[0].message
