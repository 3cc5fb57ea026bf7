"""Rows of a bank's file: by whatever names and forms banks write them."""

from datetime import date
from decimal import Decimal

import pytest

from prorata.domain.column_mappings import ColumnMapping
from prorata.domain.payment_files import header_mark, read_rows, understood
from prorata.domain.sheets import Sheet

TODAY = date(2026, 4, 1)


def sheet(header, *rows):
    return Sheet(tuple(header.split(";")), tuple((at + 2, tuple(row)) for at, row in enumerate(rows)))


def read(found, country="US", currency="USD"):
    return read_rows(found, country, currency, TODAY)


def test_a_german_bank_with_short_years_and_decimal_commas_reads_as_it_shows():
    found = understood(
        sheet(
            "Buchungstag;Valuta;Auftraggeber;Verwendungszweck;Betrag;Währung",
            ("25.03.26", "26.03.26", "Lee, Ann", "MAPLE-1-2026-02", "1.045,00", "EUR"),
            ("02.03.26", "02.03.26", "Stadtwerke", "Abschlag", "-80,10", "EUR"),
        ),
        None,
        ["DE"],
    )
    assert (found.amounts.value, found.dates.value, found.is_open) == (",", "DMY", False)
    rows = read(found, "DE", "EUR")
    assert [(row.day, row.cents, row.name, row.text) for row in rows.rows] == [
        (date(2026, 3, 25), 104500, "Lee, Ann", "MAPLE-1-2026-02")
    ]
    assert rows.left_out == 1


def test_money_that_came_and_went_may_stand_in_two_columns():
    rows = read(
        understood(
            sheet(
                "Posted Date;Description;Debit;Credit;Balance",
                ("03/20/2026", "ACH ANN LEE", "", "45.00", "145.00"),
                ("03/21/2026", "FEE", "9.90", "0.00", "135.10"),
            ),
            None,
            ["US"],
        )
    )
    assert [(row.line, row.cents) for row in rows.rows] == [(2, 4500)]
    assert rows.left_out == 1
    assert rows.problems == ()


@pytest.mark.parametrize(
    ("day", "amount", "column"),
    [("soon", "45.00", "Date"), ("2026-03-20", "lots", "Amount"), ("", "45.00", "Date"), ("2026-04-02", "45.00", "Date"),
     ("2026-03-20", "€45.00", "Amount")],
)  # fmt: skip
def test_a_row_that_cannot_be_read_is_named_and_keeps_no_other_out(day, amount, column):
    rows = read(understood(sheet("Date;Amount", (day, amount), ("2026-03-20", "1.00")), None, ["US"]))
    assert [(one.line, one.column) for one in rows.problems] == [(2, column)]
    assert [row.line for row in rows.rows] == [3]


def test_a_row_in_another_currency_is_a_problem():
    rows = read(understood(sheet("Date;Amount;Currency", ("2026-03-20", "45.00", "eur")), None, ["US"]))
    assert (rows.rows, rows.problems[0].column) == ((), "Currency")


def test_cells_of_a_workbook_are_numbers_and_days():
    found = understood(sheet("Date;Amount;Memo", (date(2026, 3, 20), Decimal("45.10"), "Ann")), None, ["US"])
    assert read(found).rows[0].cents == 4510


def test_what_reads_two_ways_is_asked():
    found = understood(sheet("Date;Amount", ("03/04/2026", "1.045")), None, ["CA", "DE"])
    assert (found.dates.how, found.amounts.how, found.is_open) == ("asked", "asked", True)
    said = understood(found.sheet, ColumnMapping(decimal=".", dates="MDY"), ["CA", "DE"])
    assert not said.is_open


def test_columns_that_nobody_knows_are_asked_and_what_is_said_of_them_counts():
    found = understood(sheet("Dag;Bedrag;Omschrijving", ("2026-03-20", "45.00", "Ann")), None, ["NL"])
    assert found.missing == ("date", "amount")
    said = ColumnMapping({"dag": "date", "bedrag": "amount", "omschrijving": "text"})
    assert read(understood(found.sheet, said, ["NL"]), "NL", "EUR").rows[0].text == "Ann"


def test_the_same_row_has_the_same_mark_in_every_file_and_twice_in_one_is_two_payments():
    twice = ("2026-03-20", "45.00", "Ann  LEE")
    first = read(understood(sheet("Date;Amount;Memo", twice, twice), None, ["US"])).rows
    assert first[0].source != first[1].source
    other = sheet("Memo;Amount;Date", ("ann lee", "45.00", "03/20/2026"))
    assert read(understood(other, None, ["US"])).rows[0].source == first[0].source


def test_a_header_of_payments_is_never_taken_for_one_of_bills():
    assert header_mark(("Date", "Amount")) != header_mark(("Date", "Total"))
    assert header_mark(("Date", "Amount")) == header_mark(("amount", "DATE "))
