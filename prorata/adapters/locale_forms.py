"""Money, days and numbers as a locale writes them, by Babel and the Unicode CLDR it carries."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton
from babel.numbers import format_currency, format_decimal

from prorata.domain.money import in_figures
from prorata.domain.months import Month, first_day

OTHERWISE = "en"
_PLACES = "#,##0.######"
"""Whole when it is whole, and never more than six decimals."""
_LOCALES_KEPT = 64


class LocaleForms:
    """How one locale writes. One that the CLDR does not know, or whose months `can_write` can't, writes as English."""

    def __init__(self, name: str, can_write: Callable[[str], bool] = lambda _text: True) -> None:
        found = _locale(name)
        months = (form_of_month(Month(f"2026-{number:02d}"), found) for number in range(1, 13))
        self.locale = found if all(map(can_write, months)) else Locale.parse(OTHERWISE)

    def money(self, cents: int, currency: str) -> str:
        """An amount with its currency, such as $1,234.50 or 1.234,50 €."""
        return format_currency(Decimal(in_figures(cents)), currency, locale=self.locale, currency_digits=False)

    def day(self, day: date) -> str:
        """A day, its month in words."""
        return format_date(day, "long", locale=self.locale)

    def month(self, month: Month) -> str:
        """A month of a year, in words."""
        return form_of_month(month, self.locale)

    def number(self, value: Fraction) -> str:
        """A number; what has more than six decimals is cut to them."""
        return format_decimal(_decimal(value), _PLACES, locale=self.locale)

    def percent(self, value: Fraction) -> str:
        """So many hundredths, with the sign where the locale has it."""
        sign = self.locale.percent_formats[None].pattern.removeprefix("#,##0").removeprefix("#,##,##0")
        gap = "\N{NO-BREAK SPACE}" if sign[:1].isspace() else ""
        return f"{self.number(value)}{gap}%"


def form_of_month(month: Month, locale: Locale) -> str:
    """A month of a year in the words of a locale."""
    return format_skeleton("yMMMM", first_day(month), locale=locale)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


@lru_cache(maxsize=_LOCALES_KEPT)
def _locale(name: str) -> Locale:
    """The locale of that name, else its language's, else English."""
    for tried in (name, name.partition("-")[0]):
        try:
            return Locale.parse(tried, sep="-")
        except (UnknownLocaleError, ValueError):
            continue
    return Locale.parse(OTHERWISE)
