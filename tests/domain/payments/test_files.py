"""Rows of a bank statement are read, whatever names and forms the bank uses."""

from datetime import date
from decimal import Decimal

import pytest

from prorata.domain.files.cells import Unclear
from prorata.domain.files.column_currencies import may_be_in
from prorata.domain.files.column_mappings import ColumnMapping, keys_of, known_by, mark_of, remembered_by
from prorata.domain.files.sheets import NO_HEADER, Sheet
from prorata.domain.payments.columns import MONEY_FIELDS, OF_PAYMENTS, field_named, proposed_for
from prorata.domain.payments.files import read_rows, understood

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
    assert (found.dates.example, found.dates.line) == ("25.03.26", 2), "as the file has it"
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


@pytest.mark.parametrize(("place", "column"), [(0, "Date"), (1, "Amount")])
def test_a_cell_with_the_error_of_a_formula_is_told_as_such(place, column):
    row = ["2026-03-05", "45.00", "Ann Lee"]
    row[place] = Unclear("This cell shows an error.")
    (problem,) = read(understood(sheet("Date;Amount;Details", row), None, ["US"])).problems
    assert (problem.column, problem.message) == (column, "This cell shows an error.")


def test_a_row_that_adds_up_others_is_named_and_passed_over():
    rows = (
        ("2026-03-05", "45.00", "Total Energies"),
        ("Total", "999.99", ""),
        ("", "9.00", "Subtotal"),
        ("", "Total", ""),
    )
    found = read(understood(sheet("Date;Amount;Details", *rows), None, ["US"]))
    assert [row.line for row in found.rows] == [2]
    assert [(one.line, one.name) for one in found.sums] == [(3, "Total"), (5, "Total")]
    assert [one.line for one in found.problems] == [4]


def test_a_row_in_another_currency_is_a_problem():
    rows = read(understood(sheet("Date;Amount;Currency", ("2026-03-20", "45.00", "eur")), None, ["US"]))
    assert (rows.rows, rows.problems[0].column) == ((), "Currency")


@pytest.mark.parametrize("column", ["Amount (€)", "Betrag (€)", "Importe (€)"])
def test_a_column_in_another_currency_by_its_head_is_a_problem(column):
    file = sheet(f"Date;{column}", ("2026-03-20", "45.00"))
    rows = read(understood(file, None, ["US"]))
    assert (rows.rows, [(one.line, one.column) for one in rows.problems]) == ((), [(2, column)])
    assert [row.cents for row in read(understood(file, None, ["DE"]), "DE", "EUR").rows] == [4500]
    said = ColumnMapping({"betrageur": "amount"})
    assert not read(understood(sheet("Date;Betrag EUR", ("2026-03-20", "45.00")), said, ["US"])).rows


@pytest.mark.parametrize(
    ("column", "field"),
    [("Auftraggeber / Beguenstigter", "name"), ("Beguenstigter / Auftraggeber", "name"), ("Partner Name", "name"),
     ("Auftraggeber/Empfänger", "name"), ("Auftraggeber/Zahlungsempfänger", "name"), ("Auftraggeber/Begünstigter", "name"), ("Txn Date", "date"), ("Deposit Amt.", "received"),
     ("Withdrawal Amt.", "paidOut"), ("Chq./Ref.No.", "reference")],
)  # fmt: skip
def test_names_that_banks_give_their_columns_are_known(column, field):
    assert field_named(column) == field


@pytest.mark.parametrize(
    ("column", "field"),
    [("Débit euros", "paidOut"), ("Crédit euros", "received"), ("DEBIT EUROS", "paidOut"), ("Betrag (EUR)", "amount"),
     ("Amount (USD)", "amount"), ("Amount [usd]", "amount"), ("Montant EUR", "amount"), ("Importe (€)", "amount"), ("€ Betrag", "amount"),
     ("EUR Betrag", "amount"), ("amount_usd", "amount"), ("Debit Amount (USD)", "paidOut"), ("Betrag in EUR", "amount"),
     ("Montant en euros", "amount"), ("Amount (US dollars)", "amount"), ("Money in (GBP)", "received"), ("Betrag€", "amount"),
     ("Balance (USD)", None), ("USD Date", None), ("Betrag (T€)", None), ("Amount (cents)", None), ("EUR", None)],
)  # fmt: skip
def test_a_currency_in_a_head_of_money_hides_no_column(column, field):
    assert field_named(column) == field


@pytest.mark.parametrize(
    ("column", "mine", "other"),
    [("Débit euros", "EUR", "USD"), ("Betrag (EUR)", "EUR", "CHF"), ("EUR Betrag brutto", "EUR", "USD"), ("€ Amount", "EUR", "USD"),
     ("(€) Amount", "EUR", "USD"), ("Amount€", "EUR", "USD"), ("Amount (EUR) booked", "EUR", "USD"), ("MAD Amount", "MAD", "USD"),
     ("Amount (US dollars)", "USD", "CAD"), ("Montant ($ US)", "USD", "CAD"), ("Montant ($ CA)", "CAD", "USD"),
     ("Amount CA$", "CAD", "USD"), ("Dollars canadiens", "CAD", "USD"), ("Amount (Canadian dollars)", "CAD", "USD"),
     ("Amount (Swiss Franken)", "CHF", "EUR"), ("Amount in pounds", "GBP", "USD")],
)  # fmt: skip
def test_what_a_head_says_of_its_currency_is_believed_wherever_it_stands(column, mine, other):
    assert (may_be_in(column, mine), may_be_in(column, other)) == (True, False)
    said = ColumnMapping({keys_of((column,))[0]: "amount"})
    file = understood(sheet(f"Date;{column}", ("2026-03-20", "45.00")), said, ["US"], other)
    assert [one.column for one in read(file, "US", other).problems] == [column], "whoever says that it is the amount"


@pytest.mark.parametrize("column", ["Amount", "Top Amount", "All amounts", "Amount EUR/USD"])
def test_a_head_that_says_no_currency_keeps_nothing_out_and_one_that_says_two_does(column):
    assert may_be_in(column, "USD") == ("/" not in column)


def test_of_columns_in_several_currencies_that_of_the_account_is_read():
    file = sheet("Date;Amount (EUR);Amount (USD);Memo", ("2026-03-20", "41.00", "45.00", "Ann"))
    for currency, country, cents in (("USD", "US", 4500), ("EUR", "DE", 4100)):
        found = understood(file, None, [country], currency)
        assert (found.doubled, [row.cents for row in read(found, country, currency).rows]) == ((), [cents])
    beside = sheet("Date;Original amount;Amount (EUR);Débit USD;Crédit USD", ("2026-03-20", "9", "41.00", "", "45.00"))
    found = understood(beside, None, ["US"], "USD")
    assert [row.cents for row in read(found).rows] == [4500]
    only = understood(sheet("Date;Debit USD;Credit EUR", ("2026-03-20", "", "45.00")), None, ["US"], "USD")
    assert (only.missing, only.is_open) == (("amount",), True)


def test_days_that_read_one_way_are_not_asked_and_what_is_asked_does_read_two_ways():
    one_way = understood(sheet("Date;Amount", ("13/03/2026", "45.00")), None, ["US"])
    assert (one_way.dates.how, read(one_way).rows[0].day) == ("shown", date(2026, 3, 13))
    both = understood(sheet("Date;Amount", ("13/03/2026", "45.00"), ("03/04/2026", "1.00")), None, ["US"])
    assert (both.dates.how, both.dates.example, both.dates.line) == ("asked", "03/04/2026", 3)


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
    later = sheet("Date;Amount;Memo;", ("2026-03-19", "1.00", "Bo", ""), ("2026-03-20 ", "45.00", "ann lee", ""))
    assert read(understood(later, None, ["US"])).rows[1].source == first[0].source
    other = sheet("Memo;Amount;Date", ("ann lee", "45.00", "03/20/2026"))
    assert read(understood(other, None, ["US"])).rows[0].former == first[0].former, "as it was known before"


def test_a_row_has_the_same_mark_however_its_columns_are_read():
    twice = ("2026-03-20", "45.00", "Ann LEE", "MAPLE-1-2026-02")
    file = sheet("Date;Amount;Memo;Bank ref", twice, twice, (*twice[:3], "MAPLE-1-2026-03"))
    plain = read(understood(file, None, ["US"])).rows
    said = ColumnMapping({"memo": "name", "bankref": "reference"})
    otherwise = read(understood(file, said, ["US"])).rows
    assert [row.reference for row in otherwise] == ["MAPLE-1-2026-02", "MAPLE-1-2026-02", "MAPLE-1-2026-03"]
    assert [row.source for row in plain] == [row.source for row in otherwise]
    assert len({row.source for row in plain}) == len(plain), "what no column is read of tells rows apart too"
    assert {row.former for row in plain}.isdisjoint(row.former for row in otherwise)


def test_a_header_of_payments_is_never_taken_for_one_of_bills():
    (mark,) = known_by(Sheet(("Date", "Amount"), ()), OF_PAYMENTS)
    assert (mark,) == known_by(Sheet(("amount", "DATE "), ()), OF_PAYMENTS)
    assert mark not in (*known_by(Sheet(("Date", "Total"), ()), OF_PAYMENTS), mark_of(("Date", "Amount")))


def headerless(*rows: tuple[str, ...]) -> Sheet:
    return Sheet(tuple(str(place + 1) for place in range(len(rows[0]))), tuple(enumerate(rows, start=1)), NO_HEADER)


PLAIN_ROWS = (
    ("05.03.2026", "", "45,00", "145,00", "Ann Lee MAPLE-1-2026-02"),
    ("06.03.2026", "", "-9,90", "135,10", "account fee for March"),
)


def test_a_file_without_a_header_is_asked_about_with_what_its_columns_may_be():
    found = understood(headerless(*PLAIN_ROWS), None, ["DE"])
    assert found.fields == ("date", None, "amount", None, "text")
    assert (found.is_proposed, found.is_open, found.refusal) == (True, True, "")


def test_what_is_said_of_columns_without_names_holds_for_the_next_file_of_the_same_shape():
    first = headerless(*PLAIN_ROWS)
    said = ColumnMapping({"1": "date", "2": "", "3": "amount", "4": "", "5": "text"})
    found = understood(first, said, ["DE"])
    assert not found.is_open
    rows = read_rows(found, "DE", "EUR", date(2026, 4, 1))
    assert [(row.line, row.cents, row.text) for row in rows.rows] == [(1, 45_00, "Ann Lee MAPLE-1-2026-02")]
    mark = remembered_by(first, said, OF_PAYMENTS, MONEY_FIELDS)
    assert mark in known_by(headerless(("01.04.2026", "note", "7,50", "142,60", "BO CHEN")), OF_PAYMENTS)
    assert mark in known_by(headerless(("01.04.2026", "", "7", "142,60", "BO CHEN")), OF_PAYMENTS), (
        "a whole amount may be one"
    )
    assert mark not in known_by(headerless(("BO CHEN", "", "7,50", "142,60", "01.04.2026")), OF_PAYMENTS)
    assert mark not in known_by(headerless(("01.04.2026", "", "7,50", "142,60")), OF_PAYMENTS)
    assert mark not in known_by(Sheet(("datta",), ()), OF_PAYMENTS)


def test_of_two_columns_of_amounts_none_is_proposed_unless_one_is_the_balance():
    rows = [("2026-03-05", "45.00", "12.50", "x"), ("2026-03-06", "20.00", "7.25", "y")]
    assert proposed_for(headerless(*rows)) == ("date", None, None, "text")
    came_and_went = [("2026-03-05", "45.00", "", "x"), ("2026-03-06", "", "7.25", "y")]
    found = understood(headerless(*came_and_went), None, ["US"])
    assert found.missing == ("amount",)
    newest_first = [("2026-03-06", "145.00", "45.00", "x"), ("2026-03-05", "100.00", "20.00", "y")]
    assert proposed_for(headerless(*newest_first)) == ("date", None, "amount", "text")


def test_two_columns_that_are_said_to_be_one_thing_are_refused_in_a_sentence():
    said = ColumnMapping({"1": "date", "3": "amount", "4": "amount"})
    twice = understood(headerless(*PLAIN_ROWS), said, ["DE"]).refusal
    assert twice == "Several columns are set as “Amount, below zero where money went out”. Keep one of them."
    nothing = understood(headerless(*PLAIN_ROWS), ColumnMapping(), ["DE"]).refusal
    assert nothing == (
        "No column is set as the day. Choose the one that contains it. No column is set as the amount. Choose the "
        "one that contains it."
    )
