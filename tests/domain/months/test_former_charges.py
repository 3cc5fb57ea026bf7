"""Tests of the spreadsheet for a comparison: units, and the former program's charges."""

from datetime import date
from decimal import Decimal

import pytest

from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.sheets import NO_HEADER, Sheet
from prorata.domain.months.former_charges import ReadCharges, SumRow, TheirCharge, read_charges, unknown_houses
from prorata.domain.months.former_columns import FIELD_NAMES, understood
from prorata.domain.properties.property_names import KnownProperty

GIVEN = {"property": "prop_1", "month": "2026-03"}
MAPLE, ELM = (
    KnownProperty("prop_1", "Maple Court", "1 Main St", "US", "USD"),
    KnownProperty("prop_2", "Elm", "2 Elm St", "US", "USD"),
)


def told(header, *rows, said=None, country="US", currency="USD", given=GIVEN):
    sheet = Sheet(tuple(header), tuple((line, tuple(cells)) for line, cells in enumerate(rows, start=2)))
    return understood(sheet, said, [(country, currency)], given)


def read(header, *rows, said=None, country="US", currency="USD", given=GIVEN):
    found = told(header, *rows, said=said, country=country, currency=currency, given=given)
    houses = [house._replace(country=country, currency=currency) for house in (MAPLE, ELM)]
    charges, problems, sums = read_charges(found, houses)
    return ReadCharges(tuple(TheirCharge(*charge[:3]) for charge in charges), problems, tuple(sums))


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
        (("Name", "Amount"), (), ()),
        (("Colour", "Amount"), ("unit",), ()),
        (("Unit", "Flat", "Amount"), (), ("unit",)),
        (("Unit", "Total", "Amount due"), (), ("amount",)),
        (("Unit", "Amount (EUR)", "Tenant"), ("amount",), ()),
    ],
)
def test_a_header_that_can_not_be_used_is_asked_about(header, missing, doubled):
    found = told(header, ("1", "2", "3"))
    assert (found.missing, found.doubled, found.is_open) == (missing, doubled, bool(missing or doubled))


def test_a_column_for_each_utility_has_its_charges_unless_one_has_the_sum():
    wide = ("Apt", "Tenant", "Water", "Strom", "Heating ($)")
    found = read_charges(told(wide, ("1A", "Ann", "5", "", "2.50"), ("2", "Bo", "1", "1", "1")), [MAPLE])
    assert [(one.unit, one.utility, one.amount) for one in found.charges] == [
        ("1A", "WATER", 5_00), ("1A", "OTHER", 2_50), ("2", "WATER", 1_00), ("2", "ELECTRICITY", 1_00), ("2", "OTHER", 1_00),
    ]  # fmt: skip
    assert read((*wide, "Total"), ("1A", "Ann", "5", "", "2.50", "7.50")).charges[0].amount == 7_50
    assert read(("Apt", "Water", "Sewer"), ("1A", "", "")).problems[0].column == "Water"


def test_what_is_said_of_columns_goes_before_their_names():
    said = ColumnMapping({"where": "unit", "a": "amount", "b": "amount", "unit": ""})
    found = read(("Unit", "Where", "A", "B"), ("x", "1A", "5.00", "2.00"), said=said)
    assert found.charges == (TheirCharge(2, "1A", 7_00),)
    assert told(("Unit", "A"), ("1", "2"), said=ColumnMapping({"unit": "unit"})).refusal == (
        "No column is set as “What it was charged”. Choose the one that contains it."
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
        SumRow(4, "Subtotal", 30_00, 30_00, "USD"),
        SumRow(7, "Summe", 11_00, 11_00, "USD"),
        SumRow(8, "", 41_00, 41_00, "USD"),
        SumRow(9, "TOTAL:", 42_00, 41_00, "USD"),
        SumRow(10, "Grand total", None, 41_00, "USD"),
    )
    assert found.problems == ()


@pytest.mark.parametrize("row", [("3", "vacant", ""), ("3", "", "Leerstand"), ("3", "x", "–"), ("3", "Vacío", None)])
def test_a_unit_that_was_vacant_was_charged_nothing(row):
    assert read(("Unit", "Tenant", "Amount"), row).charges == (TheirCharge(2, "3", 0),)


def test_two_columns_without_names_are_the_unit_and_its_amount_and_more_are_asked_about():
    rows = ((1, ("1A", "80.10")), (2, ("2", "5")))
    pair = understood(Sheet(("1", "2"), rows, NO_HEADER), None, [("US", "USD")], GIVEN)
    assert [one.amount for one in read_charges(pair, [MAPLE]).charges] == [80_10, 5_00]
    more = understood(Sheet(("1", "2", "3"), ((1, ("1A", "Ann", "80.10")),), NO_HEADER), None, [("US", "USD")], GIVEN)
    assert (more.is_open, more.fields) == (True, ("unit", None, "amount"))


def test_every_problem_of_every_row_is_told_with_its_line_and_column():
    found = read(("Unit", "Amount"), ("", "x"), ("1", ""), ("2", "3.00"), ("3",))
    assert [(problem.line, problem.column) for problem in found.problems] == [
        (2, "Unit"), (2, "Amount"), (3, "Amount"), (5, "Amount")
    ]  # fmt: skip
    assert found.charges == (TheirCharge(4, "2", 3_00),)
    assert read(("Unit", "Amount")).problems[0].message.startswith("There are no amounts below the header.")


# --- of many properties and months -----------------------------------------------------------------------------------

FIRM = ("Property", "Unit", "Tenant", "Month", "Utility", "Amount")


def of_firm(*rows, header=FIRM, said=None):
    found = told(header, *rows, said=said, given={})
    return found, read_charges(found, [MAPLE, ELM])


def test_each_charge_is_of_its_property_month_and_utility():
    rows = (
        ("maple court", "1", "Ann", "2026-03", "Water", "5"), ("Maple Court", "1", "Ann", "Mar 2026", "water", "2"),
        ("Maple Court", "1", "Ann", date(2026, 3, 14), "Gas", "1"), ("Elm", "1", "Bo", "03/31/2026", "Water", "3"),
        ("Elm", "1", "Bo", "April 2026", "Water", "4"),
    )  # fmt: skip
    _, read = of_firm(*rows)
    assert [(one.house, one.unit, one.month, one.utility, one.amount) for one in read.charges] == [
        ("prop_1", "1", "2026-03", "Water", 7_00), ("prop_1", "1", "2026-03", "Gas", 1_00),
        ("prop_2", "1", "2026-03", "Water", 3_00), ("prop_2", "1", "2026-04", "Water", 4_00),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        (("Building", "Apt #", "Resident", "Period", "Charge Code", "Charge"), [*FIELD_NAMES][:6]),
        (("Objekt", "WE", "Mieter", "Monat", "Kostenart", "Betrag"), [*FIELD_NAMES][:6]),
        (("Finca", "Piso", "Inquilino", "Mes", "Suministro", "Importe"), [*FIELD_NAMES][:6]),
        (("Immeuble", "Logement", "Locataire", "Mois", "Poste", "Montant"), [*FIELD_NAMES][:6]),
        (("Property", "Unit", "Date", "Total"), ("property", "unit", "month", "amount")),
    ],
)
def test_its_columns_are_known_by_what_people_call_them(header, fields):
    found = told(header, given={})
    assert (found.fields, found.missing) == (tuple(fields), ())


def test_a_file_of_one_house_or_month_is_asked_for_what_it_lacks():
    assert told(("Unit", "Amount"), given={}).missing == ("property", "month")
    said = ColumnMapping({"unit": "unit", "amount": "amount"}, {"property": "prop_2", "month": "2026-05"})
    read = of_firm(("1", "5"), header=("Unit", "Amount"), said=said)[1]
    assert [(one.house, one.month) for one in read.charges] == [("prop_2", "2026-05")]


def test_a_tenant_names_the_unit_where_no_cell_does_and_sums_of_houses_are_left_out():
    rows = (
        ("Elm", "", "Bo Chen", "2026-03", "Water", "3"), ("Elm", "9", "VACANT - ready", "2026-03", "Water", ""),
        ("Total Elm", "", "", "", "", "3"), ("Total", "2 units", "", "", "", "3"), ("Elm", "", "", "2026-03", "Water", "8"),
    )  # fmt: skip
    _, read = of_firm(*rows)
    assert [(one.unit, one.tenant, one.amount) for one in read.charges] == [("", "Bo Chen", 3_00), ("9", "", 0)]
    assert [one.name for one in read.sums] == ["Total Elm", "2 units"]
    assert [(one.line, one.column) for one in read.problems] == [(6, "Unit")]


def test_names_that_mean_no_property_are_asked_about_with_the_likely_one():
    rows = (("MAPLE", "1", "", "2026-03", "", "3"), ("Oak", "1", "", "2026-03", "", "3"), ("Sum", "", "", "", "", "6"))
    found, read = of_firm(*rows)
    assert unknown_houses(found, [MAPLE, ELM]) == {"MAPLE": "prop_1", "Oak": ""}
    assert [(one.line, one.column) for one in read.problems] == [(2, "Property"), (3, "Property")]
    found = found._replace(words={"maple": "prop_1", "oak": ""})
    assert unknown_houses(found, [MAPLE, ELM]) == {}
    assert [one.house for one in read_charges(found, [MAPLE, ELM]).charges] == ["prop_1"]


def test_every_cell_that_can_not_be_read_is_a_problem_of_its_column():
    _, read = of_firm(("", "1", "", "someday", "", "3"), ("Elm", "1", "", "", "", "x"))
    assert [(one.line, one.column) for one in read.problems] == [
        (2, "Property"), (2, "Month"), (3, "Month"), (3, "Amount"),
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "problems"), [("Month", 0), ("Monat", 0), ("Date", 1), ("Rechnungsdatum", 1)])
def test_a_month_with_a_short_year_is_no_day_unless_its_column_is_of_days(name, problems):
    found = told(("Unit", "Amount", name), ("1A", "5", "9/26"), given={"property": "prop_1"})
    charges, wrong, _ = read_charges(found, [MAPLE])
    assert ([one.month for one in charges], len(wrong)) == (["2026-09"] * (1 - problems), problems)


def test_rows_take_the_property_above_but_sums_do_not():
    header = ("Property", "Unit", "Tenant", "Month", "Utility", "Amount")
    rows = (
        ("Elm", "1", "Ann", "9/26", "Water", "5"), ("", "2", "Bo", "9/26", "Water", "6"), ("Total", "", "", "", "", "11"),
        ("Maple Court", "", "", "", "", ""), ("", "1", "Cy", "9/26", "Water", "7"), ("", "Total", "", "", "", "7"),
    )  # fmt: skip
    found = told(header, *rows, given={})
    charges, problems, sums = read_charges(found, [MAPLE, ELM])
    assert [(one.house, one.unit, one.amount) for one in charges] == [
        ("prop_2", "1", 5_00), ("prop_2", "2", 6_00), ("prop_1", "1", 7_00),
    ]  # fmt: skip
    assert (problems, [one.agrees for one in sums]) == ((), [True, True])
    assert [(one.line, one.lines) for one in found.taken] == [(2, (3,)), (5, (6,))]


# --- columns named after months --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "months"),
    [
        (("Jan 2025", "Feb 2025"), ("2025-01", "2025-02")),
        (("2025-01-01", "2025-02-01 00:00:00"), ("2025-01", "2025-02")),
        (("01/2025", "2025-02 (USD)"), ("2025-01", "2025-02")),
        (("Jän. 25", "Feb-25"), ("2025-01", "2025-02")),
        (("enero de 2025", "février 2025"), ("2025-01", "2025-02")),
    ],
)
def test_a_column_named_after_a_month_has_its_charges(names, months):
    found = told(
        ("Unit", "Tenant", *names, "Total", "Month"), ("1", "Ann", "5", "6", "11", ""), given={"property": "p"}
    )
    assert (found.missing, found.doubled, found.months) == ((), (), months)
    assert found.unread == ("Total", "Month"), "the headings have the months, and the total is their sum"


def test_empty_cells_beside_others_are_no_charges_and_a_vacant_row_was_charged_nothing():
    header = ("Unit", "Tenant", "Jan 2026", "Feb 2026")
    rows = (
        ("1", "Ann", "5", "6"),
        ("2", "Bo", "", "7"),
        ("3", "vacant", "", ""),
        ("4", "Cy", "", ""),
        ("Total", "", "5", "13"),
    )
    charges, problems, sums = read_charges(told(header, *rows), [MAPLE])
    assert [(one.line, one.unit, one.month, one.amount) for one in charges] == [
        (2, "1", "2026-01", 5_00), (2, "1", "2026-02", 6_00), (3, "2", "2026-02", 7_00),
        (4, "3", "2026-01", 0), (4, "3", "2026-02", 0),
    ]  # fmt: skip
    assert [(one.line, one.column) for one in problems] == [(5, "Jan 2026")]
    assert [one.agrees for one in sums] == [True]


def test_a_year_that_the_headings_lack_is_taken_from_above_or_asked_for():
    sheet = Sheet(("Unit", "Nov", "Dec", "Jan"), ((4, ("1", "5", "6", "7")),), 3)
    given = {"property": "prop_1"}
    found = understood(sheet, None, [("US", "USD")], given)
    assert found.missing == ("year",)
    assert found.refusal == "Enter the year of the columns that are named after months, such as 2025."
    titled = sheet._replace(above=((1, ("Charges 2024", None)),))
    assert understood(titled, None, [("US", "USD")], given).months == ("2024-11", "2024-12", "2025-01")
    titled = sheet._replace(above=((1, ("2024/2025", None)),))
    assert understood(titled, None, [("US", "USD")], given).missing == ("year",), "two years are no year"
    said = ColumnMapping({"unit": "unit", "nov": "amount", "dec": "amount"}, {"year": "2025"})
    assert understood(sheet, said, [("US", "USD")], given).months == ("2025-11", "2025-12")
    for wrong in ("25", "next", "20255"):
        assert understood(sheet, said._replace(fixed={"year": wrong}), [("US", "USD")], given).missing == ("year",)


def test_one_column_called_as_a_month_without_a_year_is_asked_about():
    assert told(("Unit", "Sept"), ("1", "5")).missing == ("amount",)


def test_a_column_of_months_that_is_said_goes_before_the_headings():
    said = ColumnMapping({"unit": "unit", "when": "month", "jan2026": "amount", "feb2026": "amount"})
    found = told(("Unit", "When", "Jan 2026", "Feb 2026"), ("1", "2025-05", "5", "6"), said=said)
    assert [(one.month, one.amount) for one in read_charges(found, [MAPLE]).charges] == [("2025-05", 11_00)]


def test_an_amount_beside_a_utility_may_be_called_so():
    assert told(("Unit", "Utility charge"), ("1", "5")).fields == ("unit", "amount")
    found = told(("Unit", "Utility", "Utility charge"), ("1", "Water", "5"))
    assert found.fields == ("unit", "utility", "amount")
    assert told(("Whg.", "Wasserkosten", "Stromkosten"), ("1", "5", "6")).utilities == ("Wasserkosten", "Stromkosten")
    assert told(("Unit", "Rent charge"), ("1", "5")).missing == ("amount",)
