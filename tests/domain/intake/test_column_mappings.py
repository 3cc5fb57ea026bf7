"""What a table is taken for: its header, how its amounts and dates are written, what its columns mean."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from prorata.domain.bills.columns import FIELDS, NOTHING
from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import read_amount, read_date
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_mappings import ColumnMapping, keys_of, mark_of
from prorata.domain.files.number_formats import date_form, decimal_form
from prorata.domain.files.sheets import Sheet, first_rows, likely_header, with_header_in
from prorata.domain.intake.bill_files import read_bills, unknown_names
from prorata.domain.intake.column_mappings import understood
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
    """An amount with marks between its thousands and `mark` before its decimals."""
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
    rows = [("Elm", "x", kind, "1", "25.03.2026") for kind in ("Strom", "Wasser", "strom ", "WATER")]
    found = understood(sheet_of(*rows), ColumnMapping(FIELDS_OF_IT), ["US"])
    assert unknown_names(found.sheet, [MAPLE], found.how) == {"property": ("Elm",), "utilityType": ("Strom", "Wasser")}


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
