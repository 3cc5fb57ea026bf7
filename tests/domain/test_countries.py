import pytest

from prorata.domain import countries
from prorata.domain.countries import COUNTRIES


def test_every_country_has_one_currency_one_way_with_dates_and_one_with_decimals():
    own = [one.split(":")[0] for one in countries._OWN_CURRENCIES.split()]
    shared = [code for codes in countries._SHARED_CURRENCIES.values() for code in codes.split()]
    dates = [code for codes in countries._DATE_ORDERS.values() for code in codes.split()]
    marks = [code for codes in countries._DECIMAL_MARKS.values() for code in codes.split()]
    assert sorted(own + shared) == sorted(dates) == sorted(marks) == list(COUNTRIES)


def test_the_249_assigned_codes_are_there_and_no_others():
    assert len(COUNTRIES) == 249
    assert {"US", "CA", "GB", "DE", "BQ", "SS", "CW"} <= COUNTRIES.keys()
    assert not {"UK", "EU", "XK", "AN", "SU", "YU", "ZZ", "us"} & COUNTRIES.keys()


def test_what_is_said_of_a_country_is_well_formed():
    for code, country in COUNTRIES.items():
        assert len(code) == 2, code
        assert len(country.currency) == 3, code
        assert country.minor_digits in {0, 2, 3}, code
        assert country.decimal_marks in {".", ",", ".,"}, code
        for order, separators in country.date_orders:
            assert order in {"DMY", "MDY", "YMD"}, code
            assert separators, code
            assert set(separators) <= set("/-."), code


@pytest.mark.parametrize(
    ("code", "currency", "digits", "orders", "marks"),
    [
        ("US", "USD", 2, {"MDY"}, "."),
        ("CA", "CAD", 2, {"YMD", "DMY", "MDY"}, ".,"),
        ("GB", "GBP", 2, {"DMY"}, "."),
        ("DE", "EUR", 2, {"DMY"}, ","),
        ("BG", "EUR", 2, {"DMY"}, ","),
        ("CH", "CHF", 2, {"DMY"}, ".,"),
        ("JP", "JPY", 0, {"YMD"}, "."),
        ("KW", "KWD", 3, {"DMY"}, "."),
        ("PH", "PHP", 2, {"MDY", "DMY"}, "."),
        ("TH", "THB", 2, set(), "."),
    ],
)
def test_a_country_has_the_money_and_the_customs_it_is_known_for(code, currency, digits, orders, marks):
    country = COUNTRIES[code]
    assert (country.currency, country.minor_digits, country.decimal_marks) == (currency, digits, marks)
    assert {each.order for each in country.date_orders} == orders


def test_countries_cannot_be_changed():
    with pytest.raises(TypeError):
        COUNTRIES["US"] = COUNTRIES["CA"]
