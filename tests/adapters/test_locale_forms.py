"""Money, days and numbers as locales write them."""

from datetime import date
from fractions import Fraction

import pytest

from prorata.adapters.locale_forms import LocaleForms
from prorata.adapters.printable import can_print
from prorata.domain.months import Month

THIN, FIXED = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("locale", "money", "day", "month", "number", "percent"),
    [
        ("en-US", "-$1,234.50", "March 14, 2026", "March 2026", "12,400.5", "12.5%"),
        ("de-DE", f"-1.234,50{FIXED}$", "14. März 2026", "März 2026", "12.400,5", f"12,5{FIXED}%"),
        ("es-ES", f"-1.234,50{FIXED}US$", "14 de marzo de 2026", "marzo de 2026", "12.400,5", f"12,5{FIXED}%"),
        ("fr-FR", f"-1{THIN}234,50{FIXED}$US", "14 mars 2026", "mars 2026", f"12{THIN}400,5", f"12,5{FIXED}%"),
        ("ru-RU", f"-1{FIXED}234,50{FIXED}$", f"14 марта 2026{THIN}г.", f"март 2026{THIN}г.", f"12{FIXED}400,5", f"12,5{FIXED}%"),
    ],
)  # fmt: skip
def test_a_locale_writes_in_its_own_way(locale, money, day, month, number, percent):
    forms = LocaleForms(locale, can_print)
    assert forms.money(-1234_50, "USD") == money
    assert forms.day(date(2026, 3, 14)) == day
    assert forms.month(Month("2026-03")) == month
    assert forms.number(Fraction("12400.5")) == number
    assert forms.percent(Fraction("12.5")) == percent


@pytest.mark.parametrize("locale", ["ja-JP", "ar-EG", "th-TH", "xx-YY", "english", "", "zz"])
def test_a_locale_whose_letters_we_do_not_have_or_that_nobody_knows_writes_as_english(locale):
    assert LocaleForms(locale, can_print).day(date(2026, 3, 14)) == "March 14, 2026"


def test_a_known_language_in_an_unknown_place_writes_as_the_language():
    assert LocaleForms("de-ZZ", can_print).day(date(2026, 3, 14)) == "14. März 2026"


def test_cents_are_always_two_and_measures_have_at_most_six_decimals():
    forms = LocaleForms("en-US")
    assert [forms.money(cents, "USD") for cents in (0, 5, 100, 10**12)] == [
        "$0.00",
        "$0.05",
        "$1.00",
        "$10,000,000,000.00",
    ]
    assert [forms.number(value) for value in (Fraction(3), Fraction(1, 3), Fraction(850))] == ["3", "0.333333", "850"]
