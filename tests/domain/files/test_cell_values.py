from contextlib import suppress
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import read_amount, read_date
from prorata.domain.files.cells import Unclear
from prorata.domain.limits import LARGEST_AMOUNT


@pytest.mark.parametrize(
    ("country", "written", "cents"),
    [
        ("US", "80", 8000), ("US", "80.5", 8050), ("US", "$1,234.50", 123450), ("US", "1,234", 123400),
        ("US", "1,234,567.89", 123456789), ("US", "-12.30", -1230), ("US", "−12.30", -1230), ("US", "(12.30)", -1230),
        ("US", "($12.30)", -1230), ("US", "$(12.30)", -1230), ("US", "12.30-", -1230), ("US", "+5", 500),
        ("US", "USD 12.30", 1230), ("US", "12.30 USD", 1230), ("US", "US$12.30", 1230), ("US", "$12.30 USD", 1230),
        ("US", ".50", 50), ("US", "-$.50", -50), ("US", "1.234,50", 123450), ("US", "1.234.567", 123456700),
        ("US", "0.00", 0), ("US", "-0", 0), ("US", "9,999,999,999.99", LARGEST_AMOUNT),
        ("DE", "80.00", 8000), ("DE", "80,00", 8000), ("DE", "1.234,50 €", 123450), ("DE", "1 234,50", 123450),
        ("DE", "1\u202f234,5", 123450), ("DE", "50,-", 5000), ("DE", "50,– €", 5000), ("DE", "1.234,-", 123400),
        ("DE", "1.234.567", 123456700), ("DE", "-50,--", -5000), ("DE", "EUR 12,30", 1230),
        ("CH", "1’234.50", 123450), ("CH", "Fr. 12.30", 1230), ("CH", "CHF 12,30", 1230), ("CH", "50.-", 5000),
        ("CA", "CA$12.30", 1230), ("CA", "CAD$12.30", 1230), ("CA", "$1,234.00", 123400), ("CA", "12,30 $", 1230),
        ("GB", "£1,234", 123400), ("DK", "kr. 50", 5000), ("DK", "50 kr.", 5000), ("PL", "1 234,50 zł", 123450),
        ("IN", "₹1,23,456.50", 12345650), ("IN", "Rs.500", 50000), ("IN", "Rs. .50", 50), ("AU", "A$5", 500),
    ],
)  # fmt: skip
def test_an_amount_is_read_as_it_is_written_in_the_property_s_country(country, written, cents):
    assert read_amount(written, COUNTRIES[country], COUNTRIES[country].currency) == cents


@pytest.mark.parametrize(
    ("country", "written"),
    [
        ("US", "1.234"), ("DE", "1.234"), ("GB", "12.345"), ("DE", "1,234"), ("CA", "1,234"), ("CH", "123,456"),
        ("ZA", "$1,234"), ("DE", "-1.234"),
    ],
)  # fmt: skip
def test_an_amount_that_reads_two_ways_is_a_problem(country, written):
    with pytest.raises(Unclear, match="is ambiguous" if "$" not in written else "currency"):
        read_amount(written, COUNTRIES[country], COUNTRIES[country].currency)


@pytest.mark.parametrize(
    "written",
    [
        "12,30", "1,23", "1,2345", "1234,567", "12,34,567", "0,123", "1 2", "1,234 567", "1,,234", "--5", "-5-", "(-5)",
        "5 CR", "twelve", "$", "-", "1e3", "0x10", "١٢", "½", "5%", "12.", "1.2.3", "=5", "5-6", "9" * 5000, "NaN", "Infinity",
    ],
)  # fmt: skip
def test_what_is_no_amount_in_the_us_is_a_problem(written):
    with pytest.raises(Unclear, match="not a valid amount"):
        read_amount(written, COUNTRIES["US"], "USD")


@pytest.mark.parametrize("written", ["12.345,678", "0.123", "1234.567", "1,234.567", "12.3001", Decimal("0.001")])
def test_more_than_two_decimals_are_a_problem(written):
    with pytest.raises(Unclear, match="two decimals"):
        read_amount(written, COUNTRIES["US"], "USD")


@pytest.mark.parametrize(
    ("country", "written"),
    [("US", "€5"), ("DE", "$5"), ("GB", "EUR 5"), ("CA", "US$5"), ("NO", "5 zł"), ("US", "$5 CAD")],
)
def test_a_currency_sign_that_contradicts_the_property_s_currency_is_a_problem(country, written):
    with pytest.raises(Unclear, match="not in the property's currency"):
        read_amount(written, COUNTRIES[country], COUNTRIES[country].currency)


@pytest.mark.parametrize("cell", ["10,000,000,000", "-10000000000.00", Decimal(10**10), Decimal("1e300")])
def test_an_amount_over_the_limit_is_a_problem(cell):
    with pytest.raises(Unclear, match="at most"):
        read_amount(cell, COUNTRIES["US"], "USD")


@pytest.mark.parametrize("cell", [date(2026, 3, 14), Decimal("NaN"), Decimal("Infinity"), None])
def test_a_cell_that_holds_no_number_is_no_amount(cell):
    with pytest.raises(Unclear, match="not a valid amount"):
        read_amount(cell, COUNTRIES["US"], "USD")


@given(st.integers(-LARGEST_AMOUNT, LARGEST_AMOUNT), st.sampled_from(["US", "DE", "CH", "IN", "CA"]))
def test_every_amount_is_read_back_to_the_cent(cents, country):
    code, currency = COUNTRIES[country], COUNTRIES[country].currency
    american = f"{abs(cents) // 100:,}.{abs(cents) % 100:02d}"
    european = american.translate(str.maketrans(",.", ".,"))
    sign = "-" if cents < 0 else ""
    clear_in_itself = abs(cents) >= 1000_00 or "," in code.decimal_marks
    for written in (
        american,
        european if clear_in_itself else american,
        american.replace(",", " "),
        american.replace(",", ""),
    ):
        assert read_amount(sign + written, code, currency) == cents
    assert read_amount(Decimal(cents) / 100, code, currency) == cents


@given(st.text(max_size=40), st.sampled_from(sorted(COUNTRIES)))
def test_any_text_is_an_amount_a_date_or_unclear_and_nothing_else_happens(text, country):
    for reader in (lambda: read_amount(text, COUNTRIES[country], "USD"), lambda: read_date(text, COUNTRIES[country])):
        with suppress(Unclear):
            assert isinstance(reader(), int | date)


@pytest.mark.parametrize(
    ("country", "written", "day"),
    [
        ("US", "2026-03-14", date(2026, 3, 14)), ("US", "2026-03-14T00:00:00.000Z", date(2026, 3, 14)),
        ("US", "03/04/2026", date(2026, 3, 4)), ("US", "3-4-2026", date(2026, 3, 4)),
        ("GB", "03/04/2026", date(2026, 4, 3)), ("DE", "3.4.2026", date(2026, 4, 3)), ("DE", "03. 04. 2026", date(2026, 4, 3)),
        ("HR", "03. 04. 2026.", date(2026, 4, 3)), ("HU", "2026. 04. 03.", date(2026, 4, 3)),
        ("JP", "2026/4/3", date(2026, 4, 3)), ("CA", "2026/04/03", date(2026, 4, 3)), ("ZA", "2026/04/03", date(2026, 4, 3)),
        ("CA", "03/25/2026", date(2026, 3, 25)), ("CA", "25/03/2026", date(2026, 3, 25)), ("CA", "03/03/2026", date(2026, 3, 3)),
        ("US", "12/08/25", date(2025, 12, 8)), ("DE", "8.12.25", date(2025, 12, 8)), ("GB", "03/04/26", date(2026, 4, 3)),
        ("NL", "14-03-2026", date(2026, 3, 14)), ("US", "1970-01-01", date(1970, 1, 1)), ("US", "2999-12-31", date(2999, 12, 31)),
    ],
)  # fmt: skip
def test_a_date_is_iso_or_the_local_form_of_the_property_s_country(country, written, day):
    assert read_date(written, COUNTRIES[country]) == day


@pytest.mark.parametrize(
    ("country", "written", "reason"),
    [
        ("CA", "03/04/2026", "ambiguous"), ("PH", "03-04-2026", "ambiguous"), ("CA", "25/03/26", "four digits"),
        ("SE", "03/04/26", "four digits"), ("TH", "14/03/69", "four digits"), ("US", "03/04/6", "four digits"),
        ("US", "26/12/31", "not a date"), ("PH", "03-04-26", "ambiguous"), ("US", "25/03/2026", "not a date"), ("US", "03.04.2026", "not a date"),
        ("DE", "03/04/2026", "not a date"), ("US", "03/04", "not a date"), ("US", "2026-02-30", "not a valid date"),
        ("US", "2026-3-4", "not a date"), ("US", "2026-03-14T13:00:00Z", "not a date"), ("US", "02/30/2026", "not a valid date"),
        ("TH", "14/03/2569", "not a date"), ("NP", "2083/01/01", "not a date"), ("TW", "115/03/14", "not a date"),
        ("US", "1969-12-31", "must be between"), ("US", "3000-01-01", "must be between"), ("IR", "1405/01/15", "must be between"),
        ("US", "٢٠٢٦-٠٣-١٤", "not a date"), ("US", "46095", "not a date"), ("US", "03/04-2026", "not a date"),
    ],
)  # fmt: skip
def test_a_date_that_is_none_or_two_is_a_problem(country, written, reason):
    with pytest.raises(Unclear, match=reason):
        read_date(written, COUNTRIES[country])


def test_date_cells_are_exact_and_numbers_are_no_dates():
    assert read_date(date(2026, 3, 14), COUNTRIES["CA"]) == date(2026, 3, 14)
    with pytest.raises(Unclear, match="must be between"):
        read_date(date(1900, 1, 1), COUNTRIES["CA"])
    with pytest.raises(Unclear, match="Format the cell as a date"):
        read_date(Decimal(46095), COUNTRIES["CA"])


@given(st.dates(date(1970, 1, 1), date(2999, 12, 31)), st.sampled_from(sorted(COUNTRIES)))
def test_a_local_date_is_read_as_that_day_or_refused_never_as_another(day, country):
    for order, separators in COUNTRIES[country].date_orders:
        for separator in separators:
            parts = {"D": f"{day.day:02d}", "M": f"{day.month:02d}", "Y": f"{day.year}"}
            written = separator.join(parts[part] for part in order)
            if day.day <= 12 and {"DMY", "MDY"} <= {each.order for each in COUNTRIES[country].date_orders}:
                with suppress(Unclear):
                    assert read_date(written, COUNTRIES[country]) == day
            else:
                assert read_date(written, COUNTRIES[country]) == day


def test_zeros_behind_the_cents_are_no_further_decimals_and_eight_figures_are_a_day() -> None:
    us, de = COUNTRIES["US"], COUNTRIES["DE"]
    assert [read_amount(said, us, "USD") for said in ("1315.0300", "-1,315.0300", "12.0000", "0.5000")] == [
        131503,
        -131503,
        1200,
        50,
    ]
    assert read_amount("1.315,0300", de, "EUR") == 131503
    for odd in ("1315.0301", "1.030", "12.345"):
        with pytest.raises(Unclear):
            read_amount(odd, de, "EUR")
    for cell in ("20190511", Decimal(20190511), " 20190511 "):
        assert read_date(cell, de) == date(2019, 5, 11)
    for cell in ("20191311", "11052019", Decimal(43596), "2019051"):
        with pytest.raises(Unclear):
            read_date(cell, de)


@pytest.mark.parametrize(
    ("country", "text", "said"),
    [
        ("DE", "31.02.2026", "31.02.2026 is not a valid date, because that month has 28 days."),
        ("GB", "31/02/2026", "31/02/2026 is not a valid date, because that month has 28 days."),
        ("US", "31/02/2026", "31/02/2026 is not a date in the format of the property's country: there is no month 31."),
        ("US", "2026-02-30", "2026-02-30 is not a valid date, because that month has 28 days."),
        ("DE", "03/04/2026", "03/04/2026 is not a date in the format of the property's country."),
    ],
)
def test_a_date_that_there_is_not_is_quoted_and_what_is_wrong_with_it_is_said(
    country: str, text: str, said: str
) -> None:
    with pytest.raises(Unclear) as refused:
        read_date(text, COUNTRIES[country])
    assert str(refused.value).startswith(said)
