"""The encoding of responses as JSON, with amounts made from cents and times as stored."""

from decimal import Decimal
from typing import Any

import msgspec

from prorata.domain.money import in_figures
from prorata.domain.texts import plain

_encoder = msgspec.json.Encoder(decimal_format="number", enc_hook=plain)
_MIDNIGHT = "T00:00:00.000Z"


def encode(answer: Any) -> bytes:
    """Encode the body of a response as JSON."""
    return _encoder.encode(answer)


def amount_as_number(cents: int) -> Decimal:
    """Convert cents to an amount as the API shows it, which is a JSON number.

    >>> amount_as_number(1230), amount_as_number(-100), amount_as_number(0)
    (Decimal('12.3'), Decimal('-1'), Decimal('0'))
    """
    return Decimal(in_figures(cents).rstrip("0").rstrip("."))


def measure_as_number(text: str | None) -> Decimal | None:
    """Convert a stored measure, such as a floor area, to the API's JSON number."""
    return None if text is None else Decimal(text)


def first_instant_of_month(month: str) -> str:
    """Return a month's first instant in UTC, which is the API's format for invoices' months.

    >>> first_instant_of_month("2026-03")
    '2026-03-01T00:00:00.000Z'
    """
    return f"{month}-01{_MIDNIGHT}"


def first_instant_of_day(day: str) -> str:
    """Return a calendar day's first instant in UTC, the API's format for days."""
    return day + _MIDNIGHT
