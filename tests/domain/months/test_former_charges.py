"""The spreadsheet of a parallel run: units and what the old way charged them."""

from decimal import Decimal

import pytest

from prorata.domain.files.sheets import Sheet
from prorata.domain.months.former_charges import TheirCharge, read_charges


def read(header, *rows, country="US", currency="USD"):
    sheet = Sheet(tuple(header), tuple((line, tuple(cells)) for line, cells in enumerate(rows, start=2)))
    return read_charges(sheet, country=country, currency=currency)


def test_units_and_amounts_are_read_by_many_names_and_other_columns_are_passed_over():
    found = read(
        ("Apt #", "Resident", "Total Charge"), ("1A", "Ann", "$1,080.10"), ("", None, " "), ("2", "Bo", Decimal("5.5"))
    )
    assert found == (((TheirCharge(2, "1A", 1_080_10)), TheirCharge(4, "2", 5_50)), ())


def test_rows_of_one_unit_are_added_up_whatever_their_capitals():
    assert read(("unit", "amount"), ("1a", "5"), ("1A ", "-2.50"), ("2", "0")).charges == (
        TheirCharge(2, "1a", 2_50), TheirCharge(4, "2", 0)
    )  # fmt: skip


def test_amounts_are_read_as_in_the_propertys_country():
    assert read(("Unit", "Amount"), ("1", "1.080,10 €"), country="DE", currency="EUR").charges[0].amount == 1_080_10


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (("Unit", "Rent"), "No column holds the amount. Name it “Amount” in the header."),
        (("Name", "Amount"), "No column holds the unit. Name it “Unit” in the header."),
        (("Unit", "Flat", "Amount"), "“Unit” and “Flat” could both be the unit. Keep one of them."),
    ],
)
def test_a_header_that_can_not_be_used_says_what_to_change(header, message):
    assert [problem.message for problem in read(header, ("1", "2", "3")).problems] == [message]


def test_every_problem_of_every_row_is_told_with_its_line_and_column():
    found = read(("Unit", "Amount"), ("", "x"), ("1", ""), ("2", "3.00"), ("3",))
    assert [(problem.line, problem.column) for problem in found.problems] == [
        (2, "Unit"), (2, "Amount"), (3, "Amount"), (5, "Amount")
    ]  # fmt: skip
    assert found.charges == (TheirCharge(4, "2", 3_00),)
    assert read(("Unit", "Amount")).problems[0].message.startswith("There are no amounts below the header.")
