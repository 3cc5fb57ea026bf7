"""Money, days and numbers in a locale's format, by Babel and its Unicode CLDR."""

import re
from collections.abc import Callable
from datetime import date, time, timedelta
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_interval, format_skeleton, format_time
from babel.numbers import NumberPattern, format_currency, format_decimal, get_decimal_symbol, parse_pattern

from prorata.domain.billing_calendar import Month, first_day, last_day, month_of
from prorata.domain.money import CENTS, decimals_of, in_figures
from prorata.domain.number_parsing import written_plainly

OTHERWISE = "en"
ABOUT = "≈"
"""The sign before a number that is not written in full."""
_FIGURES = 12
"""The number of significant digits to which a number with endless decimals is rounded."""
_TYPED_FIGURES = 60
_KEPT = 64
_AMOUNTS_KEPT = 4096
_FIRST_IN_FRENCH = re.compile(r"^1(?= )")
_SIGN_BEFORE, _SIGN_BEHIND = re.compile("¤(?=[-#0])"), re.compile("(?<=[#0])¤")
_GAP = "\N{NO-BREAK SPACE}"
_NO_CENTS = ".00"
_A_DAY = timedelta(days=1)
_THIN = "\N{THIN SPACE}"
_WITHOUT_CENTS = re.compile(r"(?<=0)[.]00")


def _anything(_text: str) -> bool:
    return True


class LocaleForms:
    """The number and date formats of one locale.

    English is used instead of a locale that the CLDR does not know, or whose numbers or dates can't be written with
    the available fonts. `can_write` returns True if the fonts have all characters of a text.
    """

    def __init__(self, name: str, can_write: Callable[[str], bool] = _anything) -> None:
        self.locale = _writable(name, can_write)
        self._can_write = can_write

    def money(self, cents: int, currency: str) -> str:
        """Format an amount with its currency, such as $1,234.50 or 1.234,50 €.

        The currency's code is used if no font has its sign.
        """
        return _money(cents, currency, self.locale, self._can_write)

    def price(self, value: Decimal, currency: str) -> str:
        """Format a unit price, such as $0.284, with all its decimals.

        It has at least as many decimals as an amount.
        """
        return _price(value, currency, self.locale, self._can_write)

    def day(self, day: date) -> str:
        """Format a day, with its month in words."""
        return _form_of_day(day, self.locale)

    def short_day(self, day: date) -> str:
        """Format a day for a table, as short as possible: Mar 14, 2026 or 14.03.2026."""
        return _form_of_day(day, self.locale, "medium")

    def month(self, month: Month) -> str:
        """Format a month with its year, in words."""
        return form_of_month(month, self.locale)

    def month_of_year(self, month: Month) -> str:
        """Format a month with its year, abbreviated, such as Mar 2026."""
        return format_skeleton("yMMM", first_day(month), locale=self.locale)

    def days(self, first: date, last: date) -> str:
        """Format a range of days, abbreviated, or whole months: Feb 15 – Mar 16, 2026."""
        is_whole = (first.day, (last + _A_DAY).day) == (1, 1)
        if is_whole and month_of(first) == month_of(last):
            return self.month(month_of(first))
        return _form_of_days(first, last, "yMMM" if is_whole else "yMMMd", self.locale)

    def short_month(self, month: Month) -> str:
        """Format a month without its year, abbreviated, such as Mar."""
        return format_skeleton("MMM", first_day(month), locale=self.locale)

    def country(self, code: str) -> str:
        """Return a country's name."""
        name = self.locale.territories.get(code)
        return str(name) if name else code

    def number(self, value: Fraction) -> str:
        """Format a number with all its decimals, so that readers can recompute results.

        A number with endless decimals is rounded to 12 digits, and begins with ≈: ≈0.333333333333.
        """
        return _number(value, self.locale)

    def count(self, number: int) -> str:
        """Format a count, with thousands separators."""
        return format_decimal(number, "#,##0", locale=self.locale)

    def whole_money(self, cents: int, currency: str) -> str:
        """Format an amount for a chart's axis, such as $1,234.

        Cents are left out if they are 0.
        """
        if not in_figures(cents).endswith(_NO_CENTS):
            return self.money(cents, currency)
        return _whole_money(cents, currency, self.locale)

    def time(self, at: time) -> str:
        """Format a time of day, such as 2:05 PM or 14:05."""
        return format_time(at, "short", locale=self.locale)

    @property
    def has_decimal_comma(self) -> bool:
        """True if the decimal mark is a comma."""
        return self._decimal_mark == ","

    @property
    def _decimal_mark(self) -> str:
        return "," if get_decimal_symbol(self.locale) == "," else "."

    def typed(self, value: Fraction | Decimal, places: int = 0) -> str:
        """Format a finite number for a form field, from which it is read back unchanged."""
        with localcontext(prec=_TYPED_FIGURES):
            exact = value if isinstance(value, Decimal) else Decimal(value.numerator) / Decimal(value.denominator)
        return written_plainly(exact, self._decimal_mark, places=places)

    def percent(self, value: Fraction) -> str:
        """Format a percentage, with a space before the sign if the locale has one there."""
        sign = self.locale.percent_formats[None].pattern.removeprefix("#,##0").removeprefix("#,##,##0")
        gap = _GAP if sign[:1].isspace() else ""
        return f"{self.number(value)}{gap}%"


def form_of_month(month: Month, locale: Locale) -> str:
    """Format a month with its year, in words of the locale's language."""
    return format_skeleton("yMMMM", first_day(month), locale=locale)


def _form_of_day(day: date, locale: Locale, length: Literal["long", "medium"] = "long") -> str:
    text = format_date(day, length, locale=locale)
    # The CLDR writes "1 mai"; in French the first of a month alone is an ordinal.
    return _FIRST_IN_FRENCH.sub("1er", text) if locale.language == "fr" and day.day == 1 else text


def _form_of_days(first: date, last: date, skeleton: str, locale: Locale) -> str:
    text: str = format_interval(first, last, skeleton, locale=locale)
    return text.replace(_THIN, " ")


def _exponent_below(value: Decimal) -> int:
    """Return the number of decimals of a value, not counting trailing zeros."""
    exponent = value.normalize().as_tuple().exponent
    assert isinstance(exponent, int), "a number is finite"
    return -exponent


@lru_cache(maxsize=_AMOUNTS_KEPT)
def _number(value: Fraction, locale: Locale) -> str:
    whole, decimals = len(str(abs(value.numerator) // value.denominator)), decimals_of(value)
    with localcontext(prec=max(_FIGURES, whole) if decimals is None else whole + decimals):
        shown = Decimal(value.numerator) / Decimal(value.denominator)
    places = max(0, _exponent_below(shown))
    text = format_decimal(shown, f"#,##0.{'#' * places}" if places else "#,##0", locale=locale)
    return text if Fraction(shown) == value else f"{ABOUT}{text}"


@lru_cache(maxsize=_AMOUNTS_KEPT)
def _money(cents: int, currency: str, locale: Locale, can_write: Callable[[str], bool]) -> str:
    """Format an amount.

    The results are cached, because the same amounts occur often on invoices.
    """
    return _price(Decimal(in_figures(cents)), currency, locale, can_write)


def _price(value: Decimal, currency: str, locale: Locale, can_write: Callable[[str], bool]) -> str:
    further = max(0, _exponent_below(value) - CENTS)
    text: str = format_currency(value, currency, _pattern(locale, further), locale=locale, currency_digits=False)
    if can_write(text):
        return text
    with_code = _pattern(locale, further, with_code=True)
    return format_currency(value, currency, with_code, locale=locale, currency_digits=False)


@lru_cache(maxsize=_KEPT)
def _pattern(locale: Locale, further: int, *, with_code: bool = False) -> NumberPattern:
    """Return a locale's pattern for amounts with up to `further` decimals after the cents.

    `with_code` chooses the currency's code instead of its sign.
    """
    pattern = _with_code(locale) if with_code else locale.currency_formats["standard"].pattern
    return parse_pattern(pattern.replace(_NO_CENTS, f"{_NO_CENTS}{'#' * further}"))


def _whole_money(cents: int, currency: str, locale: Locale) -> str:
    pattern = _WITHOUT_CENTS.sub("", locale.currency_formats["standard"].pattern)
    return format_currency(Decimal(in_figures(cents)), currency, pattern, locale=locale, currency_digits=False)


def _with_code(locale: Locale) -> str:
    """Return a locale's pattern for amounts with the currency's code, set apart by a space."""
    pattern = locale.currency_formats["standard"].pattern
    apart = _SIGN_BEHIND.sub(f"{_GAP}¤", _SIGN_BEFORE.sub(f"¤{_GAP}", pattern))
    return apart.replace("¤", "¤¤")


@lru_cache(maxsize=_KEPT)
def _writable(name: str, can_write: Callable[[str], bool]) -> Locale:
    """Return the named locale if the fonts have all characters for it, and otherwise English.

    Currency signs are not considered.
    """
    locale = _locale(name)
    months = [Month(f"2026-{number:02d}") for number in range(1, 13)]
    written = [form_of_month(month, locale) for month in months]
    written += [_form_of_day(first_day(month), locale) for month in months]
    written += [_form_of_days(first_day(month), last_day(month), "yMMMd", locale) for month in months]
    written += [
        format_decimal(Decimal("-1234567890.5"), locale=locale),
        format_currency(Decimal("-1234567890.5"), "USD", _with_code(locale), locale=locale),
    ]
    return locale if all(map(can_write, written)) else Locale.parse(OTHERWISE)


def _locale(name: str) -> Locale:
    """Return the named locale, or else the locale of its language, or else English."""
    dashed = name.replace("_", "-")
    for tried in (dashed, dashed.partition("-")[0]):
        try:
            return Locale.parse(tried, sep="-")
        except (UnknownLocaleError, ValueError):
            continue
    return Locale.parse(OTHERWISE)
