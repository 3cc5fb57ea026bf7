"""Reading of a utility's usage and unit price from a cell or form field."""

from decimal import Decimal
from fractions import Fraction
from functools import partial

from prorata.domain.countries import Country
from prorata.domain.currency_signs import may_mean, parted
from prorata.domain.files.cell_values import items_of
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_names import utility_named
from prorata.domain.limits import LARGEST_USAGE, LONGEST_UNIT, MOST_USAGE_DECIMALS
from prorata.domain.money import decimals_of
from prorata.domain.number_parsing import reading_with, readings, written_plainly
from prorata.domain.texts import say
from prorata.domain.usage import Usage, read, unit_named

_NO_NUMBER = say("This is not a valid number. Enter digits with any decimals, such as {sample}.")
_TWO_WAYS = say("This number is ambiguous: its mark may separate thousands or decimals. Enter {one} or {other}.")
_TOO_LARGE = say("A number here can be at most 999,999,999,999 and have at most {places} decimals.")
_SAMPLE = "WATER=12.5 m3 @ 3.20;ELECTRICITY=412 kWh"
_NO_USAGE = say("Enter the usage of each utility, and the unit price if you have it: {sample}.", sample=_SAMPLE)


def read_number(text: str, country: Country, currency: str = "", decimal: str = "") -> Decimal:
    """Read a number with all of its decimals, in the notation of a country.

    `decimal` is the file's decimal mark, if it is known. A sign of the `currency`, if given, may appear beside the
    number.

    >>> from prorata.domain.countries import COUNTRIES
    >>> read_number("1,234.5", COUNTRIES["US"]), read_number("0,284 €", COUNTRIES["DE"], "EUR")
    (Decimal('1234.5'), Decimal('0.284'))
    """
    parts = parted(text)
    if parts is None or any(not may_mean(sign, currency) for sign in _signs(parts[0], parts[2])):
        raise _no_number(country)
    if decimal:
        numbers = reading_with(parts[1], decimal)
    else:
        numbers = readings(parts[1], has_decimal_comma="," in country.decimal_marks)
    if not numbers:
        raise _no_number(country)
    if len(numbers) > 1:
        first_way, other = (written_plainly(number, _mark(country)) for number in numbers)
        raise Unclear(_TWO_WAYS.format(one=first_way, other=other))
    if not fits(numbers[0]):
        raise Unclear(_TOO_LARGE.format(places=MOST_USAGE_DECIMALS))
    return numbers[0]


def fits(number: Decimal) -> bool:
    """True if a number is acceptable as a bill's usage or unit price.

    >>> fits(Decimal("0.28415")), fits(Decimal("1e12")), fits(Decimal("0.00000000001"))
    (True, False, False)
    """
    return 0 <= number <= LARGEST_USAGE and (decimals_of(Fraction(number)) or 0) <= MOST_USAGE_DECIMALS


def read_unit(text: str) -> str:
    """Read a unit of measure, normalizing the spelling of common units."""
    unit = unit_named(text)
    if not unit:
        raise Unclear(say("Enter the unit of measure as it appears on the bill, such as kWh, m³ or gal."))
    if len(unit) > LONGEST_UNIT:
        raise Unclear(say("A unit of measure can have at most {most} characters.", most=LONGEST_UNIT))
    return unit


def read_usages(cell: Cell, country: Country, currency: str, decimal: str = "") -> tuple[tuple[str, Usage], ...]:
    """Read the usage of each utility from a cell, in the cell's order.

    Raises `Unclear` if the cell names an unknown utility, or a usage can't be read.

    >>> from prorata.domain.countries import COUNTRIES
    >>> read_usages("power=412 kWh @ 0.284", COUNTRIES["US"], "USD")
    (('ELECTRICITY', Usage(used=Decimal('412'), unit='kWh', price=Decimal('0.284'))),)
    """
    usages: dict[str, Usage] = {}
    number = partial(read_number, country=country, decimal=decimal)
    for item in items_of(cell):
        word, _, usage_text = item.partition("=")
        kind, usage = utility_named(word), read(usage_text, number, partial(number, currency=currency))
        if not kind or usage is None:
            raise Unclear(_NO_USAGE)
        if kind in usages:
            raise Unclear(
                say("{name} appears twice here. List each only once; TRASH is another name for GARBAGE.", name=kind)
            )
        usages[kind] = usage._replace(unit=read_unit(usage.unit))
    if not usages:
        raise Unclear(_NO_USAGE)
    return tuple(usages.items())


def _signs(*sides: str) -> list[str]:
    return [side.strip() for side in sides if side.strip()]


def _mark(country: Country) -> str:
    return "," if country.decimal_marks == "," else "."


def _no_number(country: Country) -> Unclear:
    return Unclear(_NO_NUMBER.format(sample=f"412{_mark(country)}5"))
