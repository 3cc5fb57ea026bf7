"""Cells of the files we hand out: a spreadsheet program takes none for a formula, and each reads back as it was."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

Value = str | int | Decimal | date | None
"""Text, a number, a day, or nothing. Amounts are `Decimal` with two places."""
_FORMULA = "[=+@\\-＝＋＠－]"
"""What a formula begins with, as OWASP names it (CSV Injection), full-width forms included."""
_DIVIDES = r"[;|\t\r\n]"
"""Where a country divides cells by another sign than the comma, its programs take what follows that for a cell."""
_BEGINS = re.compile(f"""'*(?:[ "]*{_FORMULA}|[\\t\\r\\n])""")
_INSIDE = re.compile(f"""(?<={_DIVIDES})(?='*[ "]*{_FORMULA})""")
_MADE_SAFE = re.compile(f"""(?<={_DIVIDES})'(?='*[ "]*{_FORMULA})""")
_AS_TEXT = "'"
_CENTS = -2


def safe(text: str) -> str:
    """A text that a spreadsheet program takes for text, whatever sign divides cells where it runs: with an apostrophe
    before each formula that begins it, or that would begin a cell if it were divided.

    >>> safe("=1+1"), safe("Aqua Water Co."), safe("-5 Main St"), safe("x;=1+1")
    ("'=1+1", 'Aqua Water Co.', "'-5 Main St", "x;'=1+1")
    """
    inside = _INSIDE.sub(_AS_TEXT, text)
    return _AS_TEXT + inside if _BEGINS.match(text) else inside


def as_meant(text: str) -> str:
    """A text that `safe` may have written, as it was before.

    >>> as_meant("'=1+1"), as_meant("'t Hof"), as_meant("x;'=1+1"), as_meant(safe("'=1;'+1"))
    ('=1+1', "'t Hof", 'x;=1+1', "'=1;'+1")
    """
    if text.startswith(_AS_TEXT) and _BEGINS.match(text[1:]):
        text = text[1:]
    return _MADE_SAFE.sub("", text)


def amount(cents: int) -> Decimal:
    """An amount as a number with two places.

    >>> amount(-1230)
    Decimal('-12.30')
    """
    return Decimal(cents).scaleb(_CENTS)


def amounts(parts: Sequence[tuple[str, int]]) -> str:
    """Amounts by what they are for, as the bills file writes them (docs/decisions.md#bills-file).

    >>> amounts([("WATER", 8000), ("SEWER", 4010)])
    'WATER=80.00;SEWER=40.10'
    """
    return ";".join(f"{name}={amount(cents)}" for name, cents in parts)


def as_csv(value: Value) -> str:
    """A value in a CSV file: numbers with a point, days in ISO form.

    >>> as_csv(Decimal("-12.30")), as_csv(date(2026, 3, 1)), as_csv(None), as_csv("@x")
    ('-12.30', '2026-03-01', '', "'@x")
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return safe(value)
    return value.isoformat() if isinstance(value, date) else str(value)
