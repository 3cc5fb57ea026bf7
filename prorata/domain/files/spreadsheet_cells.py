"""The contents of cells in exported files, which no spreadsheet reads as formulas.

When such a file is imported again, the original text is restored exactly.
"""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

Value = str | int | Decimal | date | None
"""The value of an exported cell: text, a number, a day, or nothing.

Amounts are `Decimal` with two places.
"""
_POINT = re.compile(r"(?<=[0-9])\.(?=[0-9])")
"""A decimal point between digits."""
_FORMULA = "[=+@\\-＝＋＠－]"
"""The characters that begin a formula (OWASP, CSV Injection), including full-width forms."""
_DIVIDES = r"[;|\t\r\n]"
"""The characters after which a program may begin a new cell.

In countries that don't separate cells by commas, programs treat the text after their separator as a cell.
"""
_BEGINS = re.compile(f"""'*(?:[ "]*{_FORMULA}|[\\t\\r\\n])""")
_INSIDE = re.compile(f"""(?<={_DIVIDES})(?='*[ "]*{_FORMULA})""")
_MADE_SAFE = re.compile(f"""(?<={_DIVIDES})'(?='*[ "]*{_FORMULA})""")
_AS_TEXT = "'"
_CENTS = -2


class Figures(str):
    """A text with numbers, such as "WATER=80.00", which takes its file's decimal mark."""

    __slots__ = ()

    def written(self, decimal_mark: str) -> str:
        """Return the text with this decimal mark in its numbers.

        >>> Figures("WATER=12.345 cu.ft @ 3.20").written(",")
        'WATER=12,345 cu.ft @ 3,20'
        """
        return _POINT.sub(decimal_mark, self)


def safe(text: str) -> str:
    """Escape text so that no spreadsheet program reads it as a formula.

    An apostrophe is put before a formula at the text's beginning, and at the beginning of each cell into which any
    delimiter would split the text.

    >>> safe("=1+1"), safe("Aqua Water Co."), safe("-5 Main St"), safe("x;=1+1")
    ("'=1+1", 'Aqua Water Co.', "'-5 Main St", "x;'=1+1")
    """
    inside = _INSIDE.sub(_AS_TEXT, text)
    return _AS_TEXT + inside if _BEGINS.match(text) else inside


def as_meant(text: str) -> str:
    """Restore the text that `safe` escaped.

    >>> as_meant("'=1+1"), as_meant("'t Hof"), as_meant("x;'=1+1"), as_meant(safe("'=1;'+1"))
    ('=1+1', "'t Hof", 'x;=1+1', "'=1;'+1")
    """
    if text.startswith(_AS_TEXT) and _BEGINS.match(text[1:]):
        text = text[1:]
    return _MADE_SAFE.sub("", text)


def amount(cents: int) -> Decimal:
    """Convert cents to a number with two decimal places.

    >>> amount(-1230)
    Decimal('-12.30')
    """
    return Decimal(cents).scaleb(_CENTS)


def amounts(parts: Sequence[tuple[str, int]]) -> Figures:
    """Write a bill's amounts by utility type or unbilled reason, as in a bills file.

    docs/decisions.md#bills-file describes the format.

    >>> amounts([("WATER", 8000), ("SEWER", 4010)])
    'WATER=80.00;SEWER=40.10'
    """
    return Figures(";".join(f"{name}={amount(cents)}" for name, cents in parts))


def as_csv(value: Value, decimal_mark: str = ".") -> str:
    """Format a value for CSV.

    Dates are in ISO format, and text can't be read as a formula.

    >>> as_csv(Decimal("-12.30")), as_csv(date(2026, 3, 1)), as_csv(None), as_csv("@x"), as_csv(Decimal("12.30"), ",")
    ('-12.30', '2026-03-01', '', "'@x", '12,30')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return safe(value.written(decimal_mark) if isinstance(value, Figures) else value)
    return value.isoformat() if isinstance(value, date) else str(value).replace(".", decimal_mark)
