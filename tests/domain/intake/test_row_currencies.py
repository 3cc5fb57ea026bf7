"""A bill in a table never gets the property's currency if the table states another."""

from decimal import Decimal

import pytest

from prorata.domain.bills.columns import NOTHING
from prorata.domain.files.cells import Cell, Priced
from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.sheets import Sheet, with_header_in
from prorata.domain.intake.bill_files import ReadFile, read_bills
from prorata.domain.intake.column_mappings import Understood, understood
from prorata.domain.properties.property_names import KnownProperty

MAPLE = KnownProperty("prop_maple", "Maple Court", "12 Main St, Springfield, IL 62701", "US", "USD")
BERLIN = KnownProperty("prop_berlin", "Haus am See", "Seeweg 3, 10115 Berlin", "DE", "EUR")
HEADER = ("property", "issuer", "utility", "total", "date")
GOOD: tuple[Cell, ...] = ("Maple Court", "Aqua", "WATER", "70.00", "2026-03-14")


def read(*last: Cell, name: str = "Whrg", said: str | None = None) -> tuple[Understood, ReadFile]:
    """Read a table that has one more column."""
    rows = tuple((line, (*GOOD, cell)) for line, cell in enumerate(last, 2))
    mapping = None if said is None else ColumnMapping({"".join(name.casefold().split()): said})
    found = understood(Sheet((*HEADER, name), rows), mapping, ["US"])
    return found, read_bills(found.sheet, [MAPLE, BERLIN], found.how)


def under(*above: Cell, total: Cell = "70.00", named: str = "total", row: str = "Maple Court", more: Cell = None):
    """The problems of a row that has lines above its header.

    The table also has a column of currencies.
    """
    lines = tuple((line, (cell, "")) for line, cell in enumerate(above, 1))
    header = ("property", "issuer", "utility", named, "date", "currency")
    cells = (row, *GOOD[1:3], total, GOOD[4], more)
    found = understood(Sheet(header, ((9, cells),), 8, above=lines), None, ["US", "DE"])
    bills, problems = read_bills(found.sheet, [MAPLE, BERLIN], found.how)
    assert bool(bills) != bool(problems)
    return [(one.line, one.column, one.message) for one in problems]


@pytest.mark.parametrize("blank", ["", None, "  "])
def test_a_blank_cell_leaves_a_column_of_currencies_what_it_is(blank):
    for name in ("Whrg", ""):
        found, (bills, problems) = read("EUR", blank, "usd", name=name)
        assert found.how.fields[-1] == "currency"
        assert ([each.line for each in bills], [one.line for one in problems]) == ([3, 4], [2])
    assert read(blank, blank)[0].how.fields[-1] is None


@pytest.mark.parametrize("said", [None, NOTHING, "notes", "accountNumber"])
@pytest.mark.parametrize("alone", ["EUR", " € ", "Euros", "Canadian dollars", "C$", "kr"])
def test_another_currency_alone_in_a_column_of_other_things_is_a_problem_of_its_row(said, alone):
    found, (bills, problems) = read(alone, "n/a", "$", "EUR 12", "Euro Housing", name="Zusatz", said=said)
    assert found.how.fields[-1] == said
    assert [(one.line, one.column) for one in problems] == [(2, "Zusatz")]
    assert "Amounts are not converted" in problems[0].message
    assert [each.line for each in bills] == [3, 4, 5, 6]


@pytest.mark.parametrize("said", [NOTHING, "notes", "accountNumber", "property", "dueDate"])
def test_a_column_that_plainly_holds_currencies_is_nothing_else_whatever_is_said_of_it(said):
    found, (bills, problems) = read("EUR", "", "€", said=said)
    assert (found.how.fields[-1], found.currencies) == ("currency", ("Whrg",))
    assert ([each.line for each in bills], [one.column for one in problems]) == ([3], ["Whrg", "Whrg"])
    assert read("EUR", name="notes")[0].how.fields[-1] == "currency"
    assert read("EUR", said="currency")[0].currencies == ()


@pytest.mark.parametrize("mark", ["R", "L", "ALL", "TRY", "Fr.", "Sterling"])
def test_what_may_be_no_currency_is_asked_and_may_be_said_to_be_something_else(mark):
    found, (bills, problems) = read(mark, mark)
    assert (found.how.fields[-1], bills) == ("currency", ())
    assert "If it is no currency, say that nothing is read" in problems[0].message
    for said in (NOTHING, "notes"):
        found, (bills, problems) = read(mark, mark, said=said)
        assert (len(bills), problems, found.currencies) == (2, (), ())
    assert not read(mark, "n/a")[1].problems


def test_a_house_that_is_called_like_a_currency_is_found_in_its_column():
    euro, rows = MAPLE._replace(name="Euro"), ((2, ("Euro", *GOOD[1:])),)
    found = understood(Sheet(HEADER, rows), ColumnMapping({"property": "property"}), ["US"])
    assert len(read_bills(found.sheet, [euro], found.how).bills) == 1


@pytest.mark.parametrize(
    "line", ["all amounts in EUR", "Alle Beträge in Euro", "Total: € 1.234,50", "CAD", "Costs (kr)"]
)
def test_a_line_above_the_header_that_says_another_currency_is_a_problem_of_each_row(line):
    ((number, column, message),) = under("Costs of March", line)
    assert (number, column) == (9, "total")
    assert message.startswith("Line 2, above the header, gives a different currency from the property’s, which is USD.")
    assert "Amounts are not converted" in message


def test_an_amount_above_the_header_says_its_currency_by_its_format_too():
    assert under(Priced("70", "€"))
    assert not under(Priced("70", "$"))
    assert not under(Decimal(70))


@pytest.mark.parametrize(
    "line", ["Costs of March", "all amounts in USD", "Total: $ 70", "Property: ALL", "Euro Housing"]
)
def test_other_lines_above_the_header_are_passed_over(line):
    assert under(line) == []


def test_a_line_above_the_header_is_held_against_the_property_of_each_row():
    assert under("all amounts in EUR", row="Haus am See", total="70,00") == []
    assert under("all amounts in USD", row="Haus am See", total="70,00")


def test_a_row_that_says_the_propertys_currency_itself_needs_no_line_above():
    line = "Converted from EUR to USD"
    assert under(line)
    for total in ("$70.00", "70.00 USD", "USD 70", Priced("70", "$")):
        assert under(line, total=total) == []
    assert under(line, named="total (USD)") == []
    assert under(line, more="US dollars") == []
    assert "a different currency" in under(line, more="EUR")[0][2]


def test_a_sign_that_may_mean_the_currency_of_the_line_above_does_not_say_the_propertys():
    assert under("Amounts in Canadian dollars", total="$70.00", more="$")
    assert under("Amounts in Canadian dollars", total="$70.00", more="USD") == []


def test_a_header_that_was_moved_has_other_lines_above_it():
    sheet = Sheet(("all amounts in EUR",), ((2, HEADER), (3, GOOD)))
    found = understood(with_header_in(sheet, 2), None, ["US"])
    assert [one.line for one in read_bills(found.sheet, [MAPLE], found.how).problems] == [3]
