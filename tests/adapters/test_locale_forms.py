"""Money, days and numbers are written in the forms of the locale."""

from datetime import date, time
from fractions import Fraction

import pytest
from babel.localedata import locale_identifiers

from prorata.adapters.locale_forms import LocaleForms
from prorata.adapters.printing.font_coverage import can_print, printable
from prorata.domain.billing_calendar import Month

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


@pytest.mark.parametrize(
    ("locale", "day"),
    [("en-US", "Nov 3, 2026"), ("en-GB", "3 Nov 2026"), ("de-DE", "03.11.2026"), ("es-ES", "3 nov 2026"), ("fr-FR", "3 nov. 2026")],
)  # fmt: skip
def test_a_day_in_a_table_is_short(locale, day):
    assert LocaleForms(locale, can_print).short_day(date(2026, 11, 3)) == day


@pytest.mark.parametrize(
    ("locale", "days", "part", "months"),
    [
        ("en-US", "Feb 15 – Mar 16, 2026", "Mar 16 – 31, 2026", "Jan – Mar 2026"),
        ("en-GB", "15 Feb – 16 Mar 2026", "16–31 Mar 2026", "Jan – Mar 2026"),
        ("de-DE", "15. Feb. – 16. März 2026", "16.–31. März 2026", "Jan.–März 2026"),
        ("es-ES", "15 feb – 16 mar 2026", "16–31 mar 2026", "ene–mar 2026"),
        ("fr-FR", "15 févr. – 16 mars 2026", "16–31 mars 2026", "janv.–mars 2026"),
        ("ja-JP", "Feb 15 – Mar 16, 2026", "Mar 16 – 31, 2026", "Jan – Mar 2026"),
    ],
)
def test_days_from_one_to_another_are_told_once_where_they_share_month_or_year(locale, days, part, months):
    forms = LocaleForms(locale, can_print)
    assert forms.days(date(2026, 2, 15), date(2026, 3, 16)) == days
    assert forms.days(date(2026, 3, 16), date(2026, 3, 31)) == part
    assert forms.days(date(2026, 1, 1), date(2026, 3, 31)) == months
    assert forms.days(date(2028, 2, 1), date(2028, 2, 29)) == forms.month(Month("2028-02"))
    assert "2025" in forms.days(date(2025, 12, 15), date(2026, 1, 14))


def test_a_known_language_in_an_unknown_place_writes_as_the_language():
    assert LocaleForms("de-ZZ", can_print).day(date(2026, 3, 14)) == "14. März 2026"


def test_a_name_may_be_written_in_other_ways():
    assert LocaleForms("DE_at", can_print).locale == LocaleForms("de-AT").locale


@pytest.mark.parametrize("locale", ["fr-FR", "fr-CA"])
def test_only_the_first_of_a_french_month_is_an_ordinal(locale):
    forms = LocaleForms(locale)
    days = [date(2026, 5, 1), date(2026, 5, 2), date(2026, 5, 11), date(2026, 5, 21)]
    assert [forms.day(day) for day in days] == ["1er mai 2026", "2 mai 2026", "11 mai 2026", "21 mai 2026"]
    assert forms.short_day(days[0]) == "1er mai 2026"


@pytest.mark.parametrize(
    ("locale", "currency", "money"),
    [
        ("de-DE", "THB", f"-1.234,50{FIXED}THB"),
        ("tr-TR", "THB", f"-THB{FIXED}1.234,50"),
        ("nl-NL", "THB", f"THB{FIXED}-1.234,50"),
        ("de-CH", "THB", f"THB{FIXED}-1’234.50"),
        ("en-US", "INR", "-₹1,234.50"),
    ],
)
def test_a_currency_whose_sign_we_can_not_write_is_named_by_its_code(locale, currency, money):
    assert LocaleForms(locale, can_print).money(-1234_50, currency) == money


@pytest.mark.thorough
def test_every_locale_writes_currencies_in_letters_that_we_have():
    for locale in locale_identifiers():
        forms = LocaleForms(locale, can_print)
        texts = [forms.number(Fraction("-1234567.25")), forms.percent(Fraction("12.5")), forms.day(date(2026, 5, 1))]
        texts += [forms.money(-1234_50, currency) for currency in ("THB", "ILS", "KHR", "USD")]
        assert not [text for text in texts if not can_print(text)], locale


def test_cents_are_always_two_and_numbers_have_all_their_decimals():
    forms = LocaleForms("en-US")
    assert [forms.money(cents, "USD") for cents in (0, 5, 100, 10**12)] == [
        "$0.00",
        "$0.05",
        "$1.00",
        "$10,000,000,000.00",
    ]
    numbers = {
        "3": "3",
        "850": "850",
        "0.0833333333": "0.0833333333",
        "1e-7": "0.0000001",
        "-2e-7": "-0.0000002",
        "1e12": "1,000,000,000,000",
        "1234567890123456": "1,234,567,890,123,456",
        "1/3": "≈0.333333333333",
        "2000000/3": "≈666,666.666667",
        "0.08333333333333": "0.08333333333333",
        "1234567.08333333333333": "1,234,567.08333333333333",
    }
    assert {text: forms.number(Fraction(text)) for text in numbers} == numbers
    assert LocaleForms("de-DE").percent(Fraction(1, 3)) == f"≈0,333333333333{FIXED}%"
    assert printable("≈") == "≈"


@pytest.mark.parametrize(
    ("locale", "count", "time_of_day", "line", "typed"),
    [
        ("en-US", "12,345", "2:05\u202fPM", "$1,234", "1234.50"),
        ("en-GB", "12,345", "14:05", "US$1,234", "1234.50"),
        ("de-DE", "12.345", "14:05", "1.234\u00a0$", "1234,50"),
        ("fr-FR", "12\u202f345", "14:05", "1\u202f234\u00a0$US", "1234,50"),
        ("es-ES", "12.345", "14:05", "1.234\u00a0US$", "1234,50"),
    ],
)
def test_counts_times_lines_and_fields_are_of_the_locale(locale, count, time_of_day, line, typed):
    forms = LocaleForms(locale)
    assert forms.count(12345) == count
    assert forms.time(time(14, 5)) == time_of_day
    assert forms.whole_money(1234_00, "USD") == line
    assert forms.whole_money(1234_50, "USD") == forms.money(1234_50, "USD")
    assert forms.typed(Fraction("1234.5"), 2) == typed
