"""Money that went out is never read as received, whichever way the bank says so."""

from decimal import Decimal

import pytest

from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.payments.files import understood
from tests.domain.payments.test_files import read, sheet


@pytest.mark.parametrize(
    ("column", "came", "went"),
    [("Type", "Credit", "Debit"), ("Soll/Haben", "H", "S"), ("Soll/Haben", "Haben", "Soll"), ("Dr/Cr", "Cr.", "Dr."),
     ("What", "C", "D"), ("Sens", "Crédit", "Débit"), ("D/W", "D", "W"), ("Af Bij", "Bij", "Af"), ("?", "+", "-"),
     ("Kind", "Erin", "Uit"), ("Sens", "Entrée", "Sortie")],
)  # fmt: skip
def test_money_that_went_out_by_the_word_of_a_column_is_never_read_as_received(column, came, went):
    rows = (("2026-03-20", "45.00", came, "Ann"), ("2026-03-21", "9.90", went, "MAPLE-1-2026-02"))
    found = understood(sheet(f"Date;Amount;{column};Memo", *rows), None, ["US"])
    assert (found.is_open, found.fields[2]) == (False, "direction")
    done = read(found)
    assert ([row.line for row in done.rows], done.left_out, done.problems) == ([2], 1, ())


@pytest.mark.parametrize("odd", ["", "Fee", "?"])
def test_a_row_that_does_not_say_which_way_it_went_is_named_and_not_read(odd):
    rows = (("2026-03-20", "45.00", "Haben"), ("2026-03-21", "9.90", odd))
    done = read(understood(sheet("Date;Amount;Soll/Haben", *rows), None, ["US"]))
    assert [row.line for row in done.rows] == [2]
    assert [(one.line, one.column) for one in done.problems] == [(3, "Soll/Haben")]


@pytest.mark.parametrize(
    ("column", "words"),
    [("Type", ("Debit", "Credit", "ATM")), ("Kind", ("S", "X")), ("Kind", ("D", "D")),
     ("Card type", ("Debit", "Credit")), ("Memo", ("Debit", "Ann Lee"))],
)  # fmt: skip
def test_amounts_without_a_sign_beside_a_column_that_may_say_the_way_are_asked_about(column, words):
    rows = [("2026-03-20", "45.00", word) for word in words]
    found = understood(sheet(f"Date;Amount;{column}", *rows), None, ["US"])
    assert (found.is_open, found.doubtful) == (True, (column,))
    key = column.replace(" ", "").lower()
    all_came = understood(found.sheet, ColumnMapping({key: ""}), ["US"])
    assert (all_came.is_open, len(read(all_came).rows)) == (False, len(words))
    said = understood(found.sheet, ColumnMapping({key: "direction"}), ["US"])
    assert not said.is_open
    assert "Debit" not in [words[row.line - 2] for row in read(said).rows]


def test_amounts_with_signs_or_columns_that_say_nothing_of_the_kind_are_not_asked_about():
    signed = sheet("Date;Amount;Kind", ("2026-03-20", "45.00", "Erin"), ("2026-03-20", "-9.90", "Uit"))
    assert not understood(signed, None, ["US"]).is_open
    plain = sheet(
        "Date;Amount;Memo;Balance", ("2026-03-20", "45.00", "Ann", "1.00"), ("2026-03-20", "9.90", "Bo", "2.00")
    )
    assert not understood(plain, None, ["US"]).is_open


OF_SPARKASSE = (
    "Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;Glaeubiger ID;Mandatsreferenz;"
    "Kundenreferenz (End-to-End);Beguenstigter/Zahlungspflichtiger;Kontonummer/IBAN;BIC (SWIFT-Code);Betrag;Waehrung;Info"
)
OF_A_VOLKSBANK = (
    "Bezeichnung Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;BIC (SWIFT-Code) Zahlungsbeteiligter;"
    "Buchungstext;Verwendungszweck;Betrag;Waehrung;Kategorie;Steuerrelevant"
)
OF_ING = "Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung"
OF_DKB = (
    "Buchungsdatum;Wertstellung;Status;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Umsatztyp;Betrag (€)"
)
OF_CHASE = "Details;Posting Date;Description;Amount;Type;Balance;Check or Slip #"
OF_A_CREDIT_UNION = "Date;Amount;Beneficiary;Bank;Memo"


@pytest.mark.parametrize(
    ("header", "first", "second"),
    [(OF_SPARKASSE, "DE1;02.11.25;02.11.25;GUTSCHR;NK 1;;;;Ann Lee;DE2;BYLADEM;184,20;EUR;gebucht",
      "DE1;03.11.25;03.11.25;DAUERAUFTRAG;NK 2;;;;Bo Chen;DE3;INGDDEFF;97,35;EUR;vorgemerkt"),
     (OF_A_VOLKSBANK, "Giro;02.11.2025;02.11.2025;Ann Lee;BYLADEM;Gutschrift;NK 1;184,20;EUR;Sonstiges;ja",
      "Giro;03.11.2025;03.11.2025;Bo Chen;INGDDEFF;Dauerauftrag;NK 2;97,35;EUR;Miete;nein"),
     (OF_ING, "03.11.2025;03.11.2025;Ann Lee;Gutschrift;NK 1;97,35;EUR;184,20;EUR",
      "02.11.2025;02.11.2025;Bo Chen;Gutschrift;NK 2;10,00;EUR;97,35;EUR"),
     (OF_DKB, "02.11.25;02.11.25;Gebucht;Ann Lee;Haus GmbH;NK 1;Eingang;184,20",
      "03.11.25;03.11.25;Vorgemerkt;Bo Chen;Haus & Hof;NK 2;Eingang;97,35"),
     (OF_CHASE, "CREDIT;11/23/2025;Zelle from Ann Lee;184.20;QUICKPAY_CREDIT;281.55;",
      "CREDIT;11/22/2025;Zelle from Bo Chen;97.35;ACH_CREDIT;97.35;"),
     (OF_A_CREDIT_UNION, "2025-11-02;184.20;Ann Lee;First Bank;rent", "2025-11-03;97.35;Bo Chen;Second Bank;water")],
)  # fmt: skip
def test_two_names_in_a_file_of_money_that_came_are_no_question_about_its_direction(header, first, second):
    found = understood(sheet(header, first.split(";"), second.split(";")), None, ["DE"], "EUR")
    assert (found.is_open, found.doubtful, found.doubled) == (False, (), ())
    done = read(found, "DE", "EUR")
    assert ([row.cents for row in done.rows], done.left_out, done.problems) == ([184_20, 97_35], 0, ())


def test_an_amount_beside_what_went_out_went_out():
    rows = (("2026-03-20", "45.00", "", "45.00"), ("2026-03-21", "9.90", "9.90", ""))
    done = read(understood(sheet("Date;Amount;Debit;Credit", *rows), None, ["US"]))
    assert ([row.line for row in done.rows], done.left_out) == ([2], 1)


def test_a_sign_and_a_word_that_both_say_something_agree_on_what_came():
    rows = (("2026-03-20", "45.00", "Debit"), ("2026-03-21", "-9.90", "Credit"), ("2026-03-22", "7.00", "Credit"))
    done = read(understood(sheet("Date;Amount;Type", *rows), None, ["US"]))
    assert ([row.line for row in done.rows], done.left_out) == ([4], 2)


COLUMNS = "Date;Debit;Credit;Memo"


def of_columns(*rows):
    return read(understood(sheet(COLUMNS, *(("2026-03-20", *row, "MAPLE-1-2026-02") for row in rows)), None, ["US"]))


@pytest.mark.parametrize("returned", ["-42.00", "(42.00)", "42.00-", "\u221242.00", "\u201042.00", Decimal(-42)])
def test_a_payment_that_was_returned_stands_below_zero_among_what_came_and_is_money_that_went_out(returned):
    done = of_columns(("", "42.00"), ("", returned), ("9.90", ""))
    assert ([(row.line, row.cents) for row in done.rows], done.left_out, done.problems) == ([(2, 4200)], 2, ())


@pytest.mark.parametrize("minus", "-\u2212\u2010\u2011\u2012\u2013\u2014\ufe63\uff0d")
@pytest.mark.parametrize("written", ["{}42.00", "42.00{}", "{}US$ 42.00", "42.00 USD{}", "{}USD$ 42.00"])
def test_where_all_that_came_is_below_zero_each_row_is_asked(minus, written):
    returned = written.format(minus)
    done = of_columns(("", returned), ("9.90", "0.00"))
    assert (done.rows, done.left_out) == ((), 1)
    assert [(one.line, one.column) for one in done.problems] == [(2, "Credit")]
    signed = sheet("Date;Amount;Kind", ("2026-03-20", "45.00", "Erin"), ("2026-03-20", returned, "Uit"))
    assert not understood(signed, None, ["US"]).is_open
    assert "does not show whether the money came in or went" in done.problems[0].message


def test_a_minus_in_a_column_of_what_went_out_is_how_the_bank_writes_unless_others_there_have_none():
    assert of_columns(("-9.90", ""), ("", "42.00")).left_out == 1
    given_back = of_columns(("9.90", ""), ("-9.90", ""), ("", "42.00"))
    assert ([row.line for row in given_back.rows], given_back.left_out) == ([4], 1)
    assert [(one.line, one.column) for one in given_back.problems] == [(3, "Debit")]


def test_a_row_with_money_that_came_and_money_that_went_is_asked():
    done = of_columns(("9.90", "42.00"), ("", "42.00"))
    assert ([row.line for row in done.rows], [one.line for one in done.problems]) == ([3], [2])


def test_an_amount_with_a_credit_below_zero_beside_it_went_out():
    rows = (("2026-03-20", "42.00", "-42.00"), ("2026-03-21", "7.00", "7.00"), ("2026-03-22", "-9.90", "-9.90"))
    done = read(understood(sheet("Date;Amount;Credit", *rows), None, ["US"]))
    assert ([row.line for row in done.rows], done.left_out, done.problems) == ([3], 2, ())
