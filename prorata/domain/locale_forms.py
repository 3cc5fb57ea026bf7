"""Formatting money, days, months and numbers in sentences, by locale or plainly."""

from datetime import date, time
from fractions import Fraction
from typing import Protocol

from prorata.domain.billing_calendar import Month, month_in_words
from prorata.domain.money import in_words, quantity, rounded_quantity


class Forms(Protocol):
    """The formatters of values for sentences; `prorata.ports.Forms` adds further ones."""

    def money(self, cents: int, currency: str) -> str:
        """Format an amount with its currency."""
        ...

    def day(self, day: date) -> str:
        """Format a day, with its month and year."""
        ...

    def month(self, month: Month) -> str:
        """Format a month and year, in words."""
        ...

    def time(self, at: time) -> str:
        """Format a time of day, to the minute."""
        ...

    def count(self, number: int) -> str:
        """Format a number of things, such as invoices."""
        ...

    def number(self, value: Fraction) -> str:
        """Format a number, such as a floor area or a quantity."""
        ...

    def percent(self, value: Fraction) -> str:
        """Format a number as a percentage."""
        ...


class NamedAmount(str):
    """An amount formatted in English, which a page reformats for its reader's locale."""

    __slots__ = ("cents", "currency")
    cents: int
    currency: str


class NamedDay(str):
    """A day formatted in English, which a page reformats for its reader's locale."""

    __slots__ = ("day",)
    day: date


class _Plain:
    """The formats of plain English with ISO dates, for programs and people without an account."""

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
    """The formats in which the sentences of older charges were written, with rounded numbers.

    The charges of closed months keep these sentences.
    """

    def number(self, value: Fraction) -> str:
        return rounded_quantity(value)

    def percent(self, value: Fraction) -> str:
        return f"{rounded_quantity(value)}%"


PLAIN: Forms = _Plain()
FORMER: Forms = _Former()


def counted(number: int, noun: str, write: Forms = PLAIN) -> str:
    """Write a number with its noun in the right form.

    >>> counted(1, "bill"), counted(1200, "invoice")
    ('1 bill', '1,200 invoices')
    """
    return f"{write.count(number)} {noun}{'' if number == 1 else 's'}"
