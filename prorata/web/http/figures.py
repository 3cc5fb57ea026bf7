"""Types of fields whose amounts and numbers are written as text, such as "-12.30"."""

import re
from typing import Annotated, Any

from msgspec import Meta

_SIGNED = re.compile(r"-?[0-9]{1,10}(?:\.[0-9]{1,2})?")
_PLAIN = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})?")


def _read_signed(value: str) -> str:
    return _matching(value, _SIGNED)


def _read_plain(value: str) -> str:
    return _matching(value, _PLAIN)


def _matching(value: str, form: re.Pattern[str]) -> str:
    if not form.fullmatch(value):
        raise ValueError
    return value


def _figures(form: re.Pattern[str], description: str, must: str, read: Any) -> Any:
    return Meta(
        description=description,
        extra_json_schema={"pattern": f"^{form.pattern}$"},
        extra={"must": must, "read": read},
    )


SignedFigures = Annotated[
    str,
    _figures(
        _SIGNED, "An amount of money with at most two decimals, such as 12.30; a credit is negative.",
        'must be an amount, written as text such as "12.30"', _read_signed,
    ),
]  # fmt: skip
PlainNumber = Annotated[
    str,
    _figures(
        _PLAIN, "A number with at most six decimals, such as 412.5.",
        'must be a number written as text, such as "412.5"',
        _read_plain,
    ),
]  # fmt: skip
