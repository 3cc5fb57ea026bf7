"""A table is interpreted by its header, its number and date forms, and its columns."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from prorata.domain.bills.columns import FIELDS, NOTHING, REQUIRED
from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import read_amount, read_date
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_mappings import ColumnMapping, keys_of, mark_of
from prorata.domain.files.number_formats import date_form, decimal_form
from prorata.domain.files.sheets import Sheet, first_rows, likely_header, with_header_in
from prorata.domain.intake.bill_files import ReadFile, read_bills
from prorata.domain.intake.column_mappings import Understood, understood
from prorata.domain.intake.unknown_names import unknown_names
from prorata.domain.properties.property_names import KnownProperty

MAPLE = KnownProperty("prop_1", "Maple Court", "12 Main Street, Springfield, IL 62701", "US", "USD")
HEADER = ("Wo", "Von", "Art", "Geld", "Am")
FIELDS_OF_IT = dict(
    zip(keys_of(HEADER), ("property", "issuerName", "utilityType", "totalAmountDue", "billDate"), strict=True)
)
names = st.lists(st.text(st.characters(categories=["L"]), min_size=1, max_size=8), min_size=2, max_size=6)
days = st.dates(date(1990, 1, 1), date(2060, 12, 31))
amounts = st.integers(0, 99_999_999_99)


def grouped(cents: int, mark: str) -> str:
    """An amount with `mark` before its decimals and the other mark between thousands."""
    text = f"{cents // 100:,}.{cents % 100:02d}"
    return text if mark == "." else text.translate(str.maketrans(",.", ".,"))


@given(st.lists(amounts, min_size=1, max_size=20), st.sampled_from(".,"), st.sampled_from(["US", "DE", "CH"]))
def test_amounts_with_decimals_are_read_as_they_were_written_wherever_the_property_is(all_cents, mark, country):
    texts = [grouped(cents, mark) for cents in all_cents]
    form = decimal_form(enumerate(texts), [country])
    assert (form.how, form.value) == ("shown", mark)
    currency = COUNTRIES[country].currency
    assert [read_amount(text, COUNTRIES[country], currency, form.value) for text in texts] == all_cents


@given(st.lists(days, min_size=1, max_size=20), st.sampled_from(["DMY", "MDY"]), st.sampled_from("./-"))
def test_a_date_is_read_as_it_was_written_or_asked_and_never_turned_around(all_days, order, sign):
    pattern = f"%d{sign}%m{sign}%Y" if order == "DMY" else f"%m{sign}%d{sign}%Y"
    texts = [day.strftime(pattern) for day in all_days]
    for country in ("US", "DE", "GB", "CA", "HU"):
        form = date_form(enumerate(texts), [country])
        if form.how == "shown":
            assert form.value == order
            assert [read_date(text, COUNTRIES[country], form.value) for text in texts] == all_days
        assert date_form(enumerate(texts), [country], order).value == order
        assert [read_date(text, COUNTRIES[country], order) for text in texts] == all_days


@pytest.mark.parametrize(
    ("cells", "countries", "how"),
    [
        (["1,234"], ["US"], "customary"), (["1,234"], ["US", "DE"], "asked"), (["1.234"], ["US"], "asked"),
        (["80.10", "80,10"], ["US"], "mixed"), (["12", "$5", "none"], ["DE"], "nothing"),
        (["1.234", "1.234.567"], ["US"], "asked"), (["1.234", "1.234.567"], ["DE"], "shown"),
        (["1,234", "80,10"], ["US"], "asked"), (["1,234", "80,10"], ["US", "DE"], "asked"), (["80,10"], ["US"], "shown"),
        (["1,234", "80.10"], ["US"], "shown"), ([Decimal("1.234"), date(2026, 3, 1), None], ["DE"], "nothing"),
    ],
)  # fmt: skip
def test_what_reads_two_ways_is_asked_unless_the_file_or_the_country_says_it(cells, countries, how):
    assert decimal_form(enumerate(cells, 2), countries).how == how


@pytest.mark.parametrize(
    ("cells", "countries", "form"),
    [
        (["03/04/2026"], ["US"], ("customary", "")), (["03/04/2026"], ["CA"], ("asked", "")),
        (["03.04.2026"], ["US"], ("asked", "")), (["03/04/2026", "25/03/2026"], ["US"], ("asked", "DMY")),
        (["25.03.2026", "03.04.2026"], ["US"], ("shown", "DMY")), (["05/05/2026", "2026-03-04"], ["CA"], ("nothing", "")),
        (["25/03/2026", "03/25/2026"], ["CA"], ("asked", "")), (["03/25/2026"], ["US", "FR"], ("customary", "")),
    ],
)  # fmt: skip
def test_an_order_of_dates_that_is_not_customary_is_asked(cells, countries, form):
    assert date_form(enumerate(cells, 2), countries)[:2] == form


@given(names, st.randoms(use_true_random=False))
def test_a_header_is_known_again_in_any_order_and_spelling(header, random):
    shuffled = [f" {name.upper()}_" if name.upper().casefold() == name.casefold() else name for name in header]
    random.shuffle(shuffled)
    assert mark_of(shuffled) == mark_of(header)
    assert mark_of([*header, "one more"]) != mark_of(header)
    assert len({key for key in keys_of(header) if key}) == len(header)


def sheet_of(*rows: tuple[Cell, ...], header: tuple[str, ...] = HEADER) -> Sheet:
    return Sheet(header, tuple(enumerate(rows, 5)), 4, above=((1, ("Costs of March",)),))


GOOD = ("Maple Court", "Köln", "WATER", "1.234,50", "25.03.2026")


def test_a_table_is_read_by_what_was_said_of_its_columns():
    found = understood(sheet_of(GOOD, ("Maple Court", "Köln", "WATER", "80,1", "03.04.2026")), None, ["US"])
    assert found.missing == ("property", "issuerName", "utilityType", "totalAmountDue", "billDate")
    found = understood(found.sheet, ColumnMapping(FIELDS_OF_IT), ["US"])
    assert not found.is_open
    bills, problems = read_bills(found.sheet, [MAPLE], found.how)
    assert problems == ()
    assert [(each.line, each.bill.total, each.bill.bill_date) for each in bills] == [
        (5, 1234_50, date(2026, 3, 25)), (6, 80_10, date(2026, 4, 3)),
    ]  # fmt: skip


def test_what_holds_for_all_rows_and_what_names_mean_is_used_and_a_column_goes_before_it():
    fields = FIELDS_OF_IT | {"wo": NOTHING, "von": NOTHING}
    said = ColumnMapping(
        fields, {"property": "prop_1", "issuerName": "Volt", "utilityType": "GAS"}, {"utilityType": {"wasser": "WATER"}}
    )
    found = understood(sheet_of(("elsewhere", "Köln", " Wasser", "5", "25.03.2026")), said, ["US"])
    (each,), problems = read_bills(found.sheet, [MAPLE], found.how)
    assert problems == ()
    assert (each.bill.property_id, each.bill.issuer_name, each.bill.utility_types) == ("prop_1", "Volt", ("WATER",))


WIDE = ("Building", "Month", "Water", "Gas ($)", "Trash")


def wide(*rows: tuple[Cell, ...], header: tuple[str, ...] = WIDE, **said: object) -> tuple[Understood, ReadFile]:
    """A table with one column for each utility, and one issuer for all bills."""
    mapping = ColumnMapping(fixed={"issuerName": "City"})._replace(**said)
    found = understood(sheet_of(*rows, header=header), mapping, ["US"])
    return found, read_bills(found.sheet, [MAPLE], found.how)


def test_a_row_with_a_column_for_each_utility_is_one_bill_with_a_line_for_each():
    found, (bills, problems) = wide(
        ("Maple Court", "March 2026", "180.10", "96.40", "$55.00"),
        ("Maple Court", "2026-04", "180.10", "-", "0.00"),
        ("Total Maple Court", None, "360.20", "96.40", "55.00"),
        ("", "Total", "360.20", "96.40", "55.00"),
    )
    assert (found.is_open, problems, [one.line for one in found.sums]) == (False, (), [7, 8])
    assert [(each.bill.bill_date, each.bill.billing_month) for each in bills] == [
        (date(2026, 3, 31), "2026-03"), (date(2026, 4, 30), "2026-04"),
    ]  # fmt: skip
    march, april = (each.bill for each in bills)
    assert (march.total, march.utility_types) == (331_50, ("WATER", "GAS", "GARBAGE"))
    assert march.amounts == (("WATER", 180_10), ("GAS", 96_40), ("GARBAGE", 55_00))
    assert (april.total, april.utility_types, april.amounts, april.issuer_name) == (180_10, ("WATER",), (), "City")


def test_only_who_sent_them_is_asked_of_a_table_with_a_column_for_each_utility():
    sheet = sheet_of(("Maple Court", "2026-03", "1", "2", "3"), header=WIDE)
    found = understood(sheet, None, ["US"])
    assert found.missing == ("issuerName",)
    assert found.how.fields == ("property", "billingMonth", "amount:WATER", "amount:GAS", "amount:GARBAGE")
    assert understood(sheet._replace(header=(*WIDE[:2], "H2O", "Kind", "")), None, ["US"]).missing == REQUIRED[1:]


def test_a_total_beside_the_columns_of_utilities_has_to_be_their_sum():
    header = (*WIDE, "Total")
    _, (bills, problems) = wide(
        ("Maple Court", "2026-03", "1.00", "2.00", "", "3.00"),
        ("Maple Court", "2026-04", "1.00", "2.00", "3.00", "5.00"),
        ("Maple Court", "2026-05", "1.00", "2.00", "3.00", ""),
        header=header,
    )
    assert [(each.line, each.bill.total) for each in bills] == [(5, 3_00), (7, 6_00)]
    assert [(one.line, one.column, "do not add up" in one.message) for one in problems] == [(6, "Total", True)]


def test_columns_of_one_utility_are_added_up_and_what_has_no_amount_is_a_problem():
    header = ("Building", "Date", "Heat", "Hot water", "Late fee", "Power")
    fields = dict(
        zip(keys_of(header), ("property", "billDate", *["amount:OTHER"] * 2, "amount:LATE_FEE", ""), strict=True)
    )
    _, (bills, problems) = wide(
        ("Maple Court", "2026-03-14", "10", "5", "2.50", "7"),
        ("Maple Court", "2026-03-15", "", "", "2.50", "7"),
        ("Maple Court", "2026-03-16", "ten", "5", "", "7"),
        header=header, fields=fields,
    )  # fmt: skip
    assert [(each.bill.total, each.bill.amounts) for each in bills] == [(17_50, (("OTHER", 15_00), ("LATE_FEE", 2_50)))]
    assert [(one.line, one.column) for one in problems] == [(6, None), (7, "Heat")]


def test_an_amount_of_a_utility_in_another_currency_is_a_problem():
    _, (_, problems) = wide(("Maple Court", "2026-03", "1", "2"), header=("House", "Month", "Water (EUR)", "Gas"))
    assert [(one.line, one.column) for one in problems] == [(5, "Water (EUR)")]


def test_amounts_by_utility_in_one_cell_and_in_columns_of_their_own_are_not_both_read():
    fields = dict(zip(keys_of(WIDE), ("property", "billingMonth", "amounts", "amount:GAS", ""), strict=True))
    found, (bills, problems) = wide(("Maple Court", "2026-03", "1", "2", "3"), fields=fields)
    assert (found.doubled, bills, len(problems)) == (("amounts",), (), 1)


def test_two_columns_of_one_field_and_what_is_missing_have_to_be_said():
    fields = FIELDS_OF_IT | {"von": "billDate"}
    found = understood(sheet_of(GOOD), ColumnMapping(fields), ["US"])
    assert (found.missing, found.doubled, found.is_open) == (("issuerName",), ("billDate",), True)


@pytest.mark.parametrize("of_column", [None, NOTHING, "currency"])
def test_a_currency_that_a_column_names_is_read_whatever_was_said_of_it_before_and_may_stand_twice(of_column):
    header = (*HEADER, "Währung", "Ccy", "Coin")
    said = ColumnMapping(FIELDS_OF_IT | ({"währung": of_column, "coin": "currency"} if of_column is not None else {}))
    sheet = sheet_of((*GOOD, "USD", "$", "EUR"), (*GOOD, "EUR", None, None), (*GOOD, None, "€", None), header=header)
    found = understood(sheet, said, ["US"])
    assert not found.is_open
    bills, problems = read_bills(found.sheet, [MAPLE], found.how)
    assert [(one.line, one.column) for one in problems] == [(5, "Coin"), (6, "Währung"), (7, "Ccy")]
    assert not bills


@pytest.mark.parametrize("of_column", [None, NOTHING])
def test_a_column_in_which_nothing_but_currencies_stands_is_read_as_that_whatever_it_is_called(of_column):
    header = (*HEADER, "Whrg")
    said = ColumnMapping(FIELDS_OF_IT | ({"whrg": of_column} if of_column else {}))
    sheet = sheet_of((*GOOD, "EUR"), (*GOOD, None), (*GOOD, "usd"), header=header)
    found = understood(sheet, said, ["US"])
    _, problems = read_bills(found.sheet, [MAPLE], found.how)
    assert [(one.line, one.column) for one in problems] == [(5, "Whrg")]
    mixed = understood(sheet_of((*GOOD, "EUR"), (*GOOD, "Elm"), header=header), said, ["US"])
    assert mixed.how.fields[-1] != "currency"


def test_a_column_that_names_a_currency_may_be_said_to_be_something_else():
    sheet = sheet_of((*GOOD, "€ 12"), header=(*HEADER, "Moneda"))
    found = understood(sheet, ColumnMapping(FIELDS_OF_IT | {"moneda": "notes"}), ["US"])
    (each,), problems = read_bills(found.sheet, [MAPLE], found.how)
    assert (each.bill.notes, problems) == ("€ 12", ())


def test_an_amount_with_its_currency_is_not_taken_where_another_column_is_said_to_be_the_amount():
    sheet = sheet_of((*GOOD, "7,00"), header=(*HEADER, "Amount (EUR)"))
    found = understood(sheet, ColumnMapping(FIELDS_OF_IT), ["US"])
    assert (found.how.fields[-1], found.doubled) == (None, ())


def test_texts_that_name_nothing_here_are_told_once_in_their_order():
    rows = [("Elm", "x", kind, "1", "25.03.2026") for kind in ("Stromtarif", "Wasseruhr", "stromtarif ", "WATER")]
    found = understood(sheet_of(*rows), ColumnMapping(FIELDS_OF_IT), ["US"])
    assert unknown_names(found.sheet, [MAPLE], found.how) == {
        "property": ("Elm",),
        "utilityType": ("Stromtarif", "Wasseruhr"),
    }


def test_what_a_file_calls_a_service_is_the_name_that_tenants_see():
    kinds = ("Heizung", "Wasser/Warmwasser", "Sonstiges", "WATER", "Lift", "Misc", "All of it", "Allgemeinstrom")
    rows = [("Maple Court", "x", kind, "2", "25.03.2026") for kind in kinds]
    said = ColumnMapping(
        FIELDS_OF_IT, words={"utilityType": {"lift": "OTHER", "misc": "OTHER", "all of it": "WATER;OTHER"}}
    )
    found = understood(sheet_of(*rows), said, ["DE"])
    bills, problems = read_bills(found.sheet, [MAPLE], found.how)
    assert [dict(each.bill.names) for each in bills] == [
        {"OTHER": "Heizung"}, {"OTHER": "Warmwasser"}, {}, {}, {"OTHER": "Lift"}, {}, {},
        {"ELECTRICITY": "Allgemeinstrom"},
    ]  # fmt: skip
    assert not problems


def test_columns_of_amounts_name_lines_and_a_column_of_names_comes_first():
    header = ("Haus", "Versorger", "Wasser", "Heizkosten", "Betrag Warmwasser", "Datum", "names")
    rows = (
        ("Maple Court", "x", "1", "2", "3", "25.03.2026", ""),
        ("Maple Court", "x", "1", "2", "", "25.03.2026", ""),
        ("Maple Court", "x", "1", "2", "3", "25.03.2026", "OTHER=Wärme; Wasser=Brunnen"),
        ("Maple Court", "x", "1", "", "", "25.03.2026", "OTHER=Wärme"),
        ("Maple Court", "x", "1", "", "", "25.03.2026", "Wärme"),
    )
    found = understood(sheet_of(*rows, header=header), ColumnMapping(), ["DE"])
    bills, problems = read_bills(found.sheet, [MAPLE], found.how)
    assert [dict(each.bill.names) for each in bills] == [
        {"OTHER": "Heizkosten, Warmwasser"}, {"OTHER": "Heizkosten"}, {"OTHER": "Wärme", "WATER": "Brunnen"}
    ]  # fmt: skip
    assert [(problem.line, problem.column) for problem in problems] == [(8, "names"), (9, "names")]


@given(st.lists(st.sampled_from(["", *FIELDS]), min_size=5, max_size=5), st.sampled_from(["", ".", ","]))
def test_whatever_is_said_every_row_is_a_bill_or_has_a_problem(fields, decimal):
    said = ColumnMapping(dict(zip(keys_of(HEADER), fields, strict=True)), decimal=decimal)
    found = understood(sheet_of(GOOD, GOOD[::-1], (None, Unclear("An error."))), said, ["US", "DE"])
    bills, problems = read_bills(found.sheet, [MAPLE], found.how)
    lines = {each.line for each in bills} | {problem.line for problem in problems}
    assert found.missing or found.doubled or lines == {5, 6, 7}
    assert found.sheet.header_line in lines or not (found.missing or found.doubled)


@given(st.integers(0, 6))
def test_a_header_is_found_below_what_stands_above_it_and_moved_without_a_loss(lines_above):
    above = [
        (line, ("As of", "", "3/31/2026") if line % 2 else ("Costs of all houses",))
        for line in range(1, lines_above + 1)
    ]
    rows = [*above, (10, HEADER), (11, GOOD), (12, GOOD)]
    assert likely_header(rows) == lines_above
    sheet = Sheet(HEADER, ((11, GOOD), (12, GOOD)), 10, above=tuple(above))
    for line, _ in rows:
        moved = with_header_in(sheet, line)
        assert [each for each, _ in first_rows(moved)] == [each for each, _ in first_rows(sheet)]
        assert with_header_in(moved, 10) == sheet


def test_rows_of_numbers_and_repeated_words_are_no_header():
    assert (
        likely_header([(1, ("1", "2")), (2, ("a", "a")), (3, ("x" * 200, "y")), (4, (None, None)), (5, ("a", "b"))])
        is None
    )
