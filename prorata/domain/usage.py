"""The usage and unit price on a bill, which explain a charge without changing it."""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from prorata.domain.labels import same
from prorata.domain.money import beyond_rounding
from prorata.domain.number_parsing import written_plainly

_OTHERWISE = {
    "kWh": "kilowatthours kilowatt-hours kwhs", "m³": "m3 m^3 cbm", "ft³": "ft3 ft^3 cf cuft", "CCF": "hcf",
    "gal": "gals gallon gallons usgal", "kgal": "kgals tgal", "therm": "therms thm",
    "L": "ltr liter liters litre litres", "MWh": "", "GJ": "", "MMBtu": "",
}  # fmt: skip
UNITS = tuple(_OTHERWISE)
"""The usual units of measure; a bill may have any other."""
_SPELLED = {same(name): unit for unit, names in _OTHERWISE.items() for name in (unit, *names.split())}
_SPELLED |= dict.fromkeys(map(same, ("cu ft", "cu. ft.", "cubic feet", "cubic foot")), "ft³")
_OF_MANY = {("1000", "gal"): "kgal", ("100", "ft³"): "CCF", ("1000", "L"): "m³"}
"""Multiples of units as bills write them, with the unit that each equals."""
_MANY = re.compile(r"(1[,.’' ]?000|100)\s*(\D.*)")
_WRITTEN = re.compile(r"(?P<used>[0-9][0-9.,' ]*?)\s*(?P<unit>[^\W0-9_][^;=@]*?)(?:\s*@\s*(?P<price>\S.*))?")
_UNIT = re.compile(r"[^\W0-9_][^;=@]*")


class Usage(NamedTuple):
    """The metered quantity, its unit of measure, and the unit price, if stated."""

    used: Decimal
    unit: str
    price: Decimal | None = None

    def rest_of(self, amount: int) -> int:
        """Return the part of an amount, in cents, that is not for the usage.

        It is 0 if there is no unit price, or if the unit price may have been rounded to its last decimal, or to cents.

        >>> Usage(Decimal(1390), "kWh", Decimal("0.34")).rest_of(493_90)
        2130
        >>> Usage(Decimal(1390), "kWh", Decimal("0.34")).rest_of(479_00), Usage(Decimal(1390), "kWh").rest_of(479_00)
        (0, 0)
        """
        if self.price is None:
            return 0
        rest = beyond_rounding(amount, *(self.used * self.price * 100).as_integer_ratio())
        last_decimal = Decimal(1).scaleb(min(int(self.price.as_tuple().exponent), -2))
        return rest if rest > self.used * last_decimal * 50 else 0


def unit_named(name: str) -> str:
    """Normalize a unit of measure; empty if the name can't be a unit.

    >>> unit_named("KWH"), unit_named("m3"), unit_named("HCF"), unit_named("bins"), unit_named("12")
    ('kWh', 'm³', 'CCF', 'bins', '')
    >>> unit_named("1,000 gallons"), unit_named("100 cu ft"), unit_named("7 gal")
    ('kgal', 'CCF', '')
    """
    name = " ".join(name.split())
    if many := _MANY.fullmatch(name):
        return _OF_MANY.get((re.sub(r"\D", "", many[1]), unit_named(many[2])), "")
    return _SPELLED.get(same(name)) or (name if _UNIT.fullmatch(name) else "")


def written(usage: Usage) -> str:
    """Write a usage as one string that `read` parses.

    Its numbers have a decimal point and no thousands separators, so they are unambiguous in any file.

    >>> written(Usage(Decimal("412.0"), "kWh", Decimal("0.284"))), written(Usage(Decimal("12.5"), "m³"))
    ('412 kWh @ 0.284', '12.5 m³')
    """
    price = "" if usage.price is None else f" @ {written_plainly(usage.price, '.')}"
    return f"{written_plainly(usage.used, '.')} {usage.unit}{price}"


def read(
    text: str, number: Callable[[str], Decimal] = Decimal, price: Callable[[str], Decimal] = Decimal
) -> Usage | None:
    """Parse a usage in the form that `written` produces; None for any other text.

    The functions `number` and `price` parse the numbers; a caller replaces them for text that a person wrote.

    >>> read("412kwh @0.284")
    Usage(used=Decimal('412'), unit='kWh', price=Decimal('0.284'))
    """
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        return None
    price_text = match["price"]
    return Usage(number(match["used"]), unit_named(match["unit"]), None if price_text is None else price(price_text))


def as_text(usages: Iterable[tuple[str, Usage]]) -> str | None:
    """Write the usages of several utilities as one string for storage; None for no usage.

    >>> as_text([("WATER", Usage(Decimal("12.5"), "m³", Decimal("3.20"))), ("ELECTRICITY", Usage(Decimal(412), "kWh"))])
    'WATER=12.5 m³ @ 3.2;ELECTRICITY=412 kWh'
    """
    return ";".join(f"{kind}={written(usage)}" for kind, usage in usages) or None


@lru_cache(maxsize=4_096)
def from_text(text: str | None) -> tuple[tuple[str, Usage], ...]:
    """Parse usages that `as_text` wrote."""
    parts = (item.partition("=") for item in text.split(";")) if text else ()
    return tuple((kind, usage) for kind, _, usage_text in parts if (usage := read(usage_text)) is not None)


def added(usages: Sequence[Usage]) -> Usage | None:
    """Sum the usages of a bill's items for one utility.

    The sum has a unit price if all items have the same unit price. The result is None if the units of measure
    differ. Power is often billed in several items for the same kWh, so the result is also None if two usages are
    equal, or if one usage is the sum of the others.

    >>> day, night = Usage(Decimal(300), "kWh", Decimal("0.30")), Usage(Decimal(112), "kWh", Decimal("0.20"))
    >>> added([day, night]), added([day, day._replace(price=Decimal("0.05"))])
    (Usage(used=Decimal('412'), unit='kWh', price=None), None)
    >>> added([day, night, Usage(Decimal(412), "kWh")]), added([day, Usage(Decimal(3), "m³")])
    (None, None)
    """
    some = [usage for usage in usages if usage.used]
    units, prices, parts = (
        {usage_given.unit for usage_given in some},
        {usage_given.price for usage_given in some},
        sorted(usage_given.used for usage_given in some),
    )
    whole = sum(parts, Decimal(0))
    if len(units) != 1 or whole <= 0 or (len(parts) > 1 and (len(set(parts)) < len(parts) or whole == 2 * parts[-1])):
        return None
    return Usage(whole, units.pop(), prices.pop() if len(prices) == 1 else None)
