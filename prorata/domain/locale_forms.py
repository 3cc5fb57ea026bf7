"""How sentences write money, days, months and numbers: in the forms of a locale, or plainly where there is none."""

from datetime import date, time
from fractions import Fraction
from typing import Protocol

from prorata.domain.billing_calendar import Month, month_in_words
from prorata.domain.money import in_words, quantity, rounded_quantity


class Forms(Protocol):
    """How a sentence writes what it names (prorata.ports.Forms can do more)."""

    def money(self, cents: int, currency: str) -> str:
        """An amount with its currency."""
        ...

    def day(self, day: date) -> str:
        """A day."""
        ...

    def month(self, month: Month) -> str:
        """A month of a year, in words."""
        ...

    def time(self, at: time) -> str:
        """A time of day, to the minute."""
        ...

    def count(self, number: int) -> str:
        """How many there are."""
        ...

    def number(self, value: Fraction) -> str:
        """A number."""
        ...

    def percent(self, value: Fraction) -> str:
        """So many hundredths."""
        ...


class NamedAmount(str):
    """An amount as a sentence in English has it, which a page writes as its reader does."""

    __slots__ = ("cents", "currency")
    cents: int
    currency: str


class NamedDay(str):
    """A day as a sentence in English has it, which a page writes as its reader does."""

    __slots__ = ("day",)
    day: date


class _Plain:
    """English, with days as the API writes them: what a program reads, and whoever has no account."""

    def money(self, cents: int, currency: str) -> str:
        named = NamedAmount(in_words(cents, currency))
        named.cents, named.currency = cents, currency
        return named

    def day(self, day: date) -> str:
        named = NamedDay(day.isoformat())
        named.day = day
        return named

    def month(self, month: Month) -> str:
        return month_in_words(month)

    def time(self, at: time) -> str:
        return at.isoformat("minutes")

    def count(self, number: int) -> str:
        return f"{number:,}"

    def number(self, value: Fraction) -> str:
        return quantity(value)

    def percent(self, value: Fraction) -> str:
        return f"{quantity(value)}%"


class _Former(_Plain):
    """As charges were written before numbers had all their digits; closed months keep such sentences."""

    def number(self, value: Fraction) -> str:
        return rounded_quantity(value)

    def percent(self, value: Fraction) -> str:
        return f"{rounded_quantity(value)}%"


PLAIN: Forms = _Plain()
FORMER: Forms = _Former()


def counted(number: int, noun: str, write: Forms = PLAIN) -> str:
    """A number with its noun.

    >>> counted(1, "bill"), counted(1200, "invoice")
    ('1 bill', '1,200 invoices')
    """
    return f"{write.count(number)} {noun}{'' if number == 1 else 's'}"
