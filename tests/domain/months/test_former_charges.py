"""The spreadsheet of a parallel run: units and what the old way charged them."""

from decimal import Decimal

import pytest

from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.sheets import NO_HEADER, Sheet
from prorata.domain.months.former_charges import SumRow, TheirCharge, read_charges
from prorata.domain.months.former_columns import understood


def told(header, *rows, said=None, country="US", currency="USD"):
    sheet = Sheet(tuple(header), tuple((line, tuple(cells)) for line, cells in enumerate(rows, start=2)))
    return understood(sheet, said, country=country, currency=currency)


def read(header, *rows, said=None, country="US", currency="USD"):
    return read_charges(
        told(header, *rows, said=said, country=country, currency=currency), country=country, currency=currency
    )


def test_units_and_amounts_are_read_by_many_names_and_other_columns_are_passed_over():
    found = read(
        ("Apt #", "Resident", "Total Charge"), ("1A", "Ann", "$1,080.10"), ("", None, " "), ("2", "Bo", Decimal("5.5"))
    )
    assert found == ((TheirCharge(2, "1A", 1_080_10), TheirCharge(4, "2", 5_50)), (), ())


def test_rows_of_one_unit_are_added_up_whatever_their_capitals():
    assert read(("unit", "amount"), ("1a", "5"), ("1A ", "-2.50"), ("2", "0")).charges == (
        TheirCharge(2, "1a", 2_50), TheirCharge(4, "2", 0)
    )  # fmt: skip


def test_amounts_are_read_as_in_the_propertys_country():
    assert read(("Unit", "Amount"), ("1", "1.080,10 €"), country="DE", currency="EUR").charges[0].amount == 1_080_10


@pytest.mark.parametrize(
    ("header", "missing", "doubled"),
    [
        (("Unit", "Rent"), ("amount",), ()),
        (("Name", "Amount"), ("unit",), ()),
        (("Unit", "Flat", "Amount"), (), ("unit",)),
        (("Unit", "Total", "Amount due"), (), ("amount",)),
        (("Unit", "Amount (EUR)", "Tenant"), ("amount",), ()),
    ],
)
def test_a_header_that_can_not_be_used_is_asked_about(header, missing, doubled):
    found = told(header, ("1", "2", "3"))
    assert (found.missing, found.doubled, found.is_open) == (missing, doubled, True)


def test_a_column_for_each_utility_is_added_up_unless_one_has_the_sum():
    wide = ("Apt", "Tenant", "Water", "Strom", "Heating ($)")
    assert read(wide, ("1A", "Ann", "5", "", "2.50"), ("2", "Bo", "1", "1", "1")).charges == (
        TheirCharge(2, "1A", 7_50), TheirCharge(3, "2", 3_00)
    )  # fmt: skip
    assert read((*wide, "Total"), ("1A", "Ann", "5", "", "2.50", "7.50")).charges[0].amount == 7_50
    assert read(("Apt", "Water", "Sewer"), ("1A", "", "")).problems[0].column == "Water"


def test_what_is_said_of_columns_goes_before_their_names():
    said = ColumnMapping({"where": "unit", "a": "amount", "b": "amount", "unit": ""})
    found = read(("Unit", "Where", "A", "B"), ("x", "1A", "5.00", "2.00"), said=said)
    assert found.charges == (TheirCharge(2, "1A", 7_00),)
    assert told(("Unit", "A"), ("1", "2"), said=ColumnMapping({"unit": "unit"})).refusal == (
        "No column is said to have what was charged. Choose the one that has it."
    )


def test_amounts_that_read_two_ways_are_asked_about():
    found = told(("Unit", "Betrag"), ("1", "1.234"), country="DE", currency="EUR")
    assert (found.amounts.how, found.amounts.example, found.is_open) == ("asked", "1.234", True)
    said = ColumnMapping({"unit": "unit", "betrag": "amount"}, decimal=",")
    assert (
        read(("Unit", "Betrag"), ("1", "1.234"), said=said, country="DE", currency="EUR").charges[0].amount == 1234_00
    )


def test_sums_and_sums_of_groups_are_left_out_and_named():
    found = read(
        ("Unit", "Tenant", "Amount"), ("1", "A", "10"), ("2", "B", "20"), ("Subtotal", "", "30"), ("3", "C", "5"), ("4", "D", "6"),
        ("", "Summe", "11"), ("", "", "41"), ("TOTAL:", "", "42.00"), ("Grand total", "", ""),
    )  # fmt: skip
    assert [charge.unit for charge in found.charges] == ["1", "2", "3", "4"]
    assert found.sums == (
        SumRow(4, "Subtotal", 30_00, 30_00),
        SumRow(7, "Summe", 11_00, 11_00),
        SumRow(8, "", 41_00, 41_00),
        SumRow(9, "TOTAL:", 42_00, 41_00),
        SumRow(10, "Grand total", None, 41_00),
    )
    assert found.problems == ()


@pytest.mark.parametrize("row", [("3", "vacant", ""), ("3", "", "Leerstand"), ("3", "x", "–"), ("3", "Vacío", None)])
def test_a_unit_that_was_vacant_was_charged_nothing(row):
    assert read(("Unit", "Tenant", "Amount"), row).charges == (TheirCharge(2, "3", 0),)


def test_two_columns_without_names_are_the_unit_and_its_amount_and_more_are_asked_about():
    rows = ((1, ("1A", "80.10")), (2, ("2", "5")))
    pair = understood(Sheet(("1", "2"), rows, NO_HEADER), None, country="US", currency="USD")
    assert [one.amount for one in read_charges(pair, country="US", currency="USD").charges] == [80_10, 5_00]
    more = understood(
        Sheet(("1", "2", "3"), ((1, ("1A", "Ann", "80.10")),), NO_HEADER), None, country="US", currency="USD"
    )
    assert (more.is_open, more.fields) == (True, ("unit", None, "amount"))


def test_every_problem_of_every_row_is_told_with_its_line_and_column():
    found = read(("Unit", "Amount"), ("", "x"), ("1", ""), ("2", "3.00"), ("3",))
    assert [(problem.line, problem.column) for problem in found.problems] == [
        (2, "Unit"), (2, "Amount"), (3, "Amount"), (5, "Amount")
    ]  # fmt: skip
    assert found.charges == (TheirCharge(4, "2", 3_00),)
    assert read(("Unit", "Amount")).problems[0].message.startswith("There are no amounts below the header.")
