"""An account's logo and color, which its invoices and its tenants' pages show."""

import re
from decimal import Decimal
from typing import NamedTuple

from prorata.domain.texts import say

READABLE = Decimal("4.5")
"""The minimum contrast of text with white (WCAG 2.2, success criterion 1.4.3)."""
_COLOR = re.compile("#[0-9a-f]{6}")
_WEIGHTS = (Decimal("0.2126"), Decimal("0.7152"), Decimal("0.0722"))
_POWER, _OFFSET, _GLARE = Decimal("2.4"), Decimal("14.025"), Decimal("0.05")
_WHITE = (255 + _OFFSET) ** _POWER
_NEARLY_BLACK, _OF_NEARLY_BLACK = 10, _WHITE * Decimal("0.000303527")
"""The end of a color channel's range with linear luminance, and the slope there.

The first number is the highest value of a channel in this range. The second is the luminance per unit of the channel's
value: the luminance of white divided by 255 × 12.92.
"""


class Letterhead(NamedTuple):
    """An account's logo, as PNG, and its color, such as #0b4f5c.

    Each of the two is None if the account has not chosen one.
    """

    logo: bytes | None = None
    color: str | None = None


def color_of(text: str) -> str | None:
    """Normalize a color that a person entered; None if they entered nothing.

    >>> color_of(" #0B4F5C "), color_of("")
    ('#0b4f5c', None)
    """
    return text.strip().lower() or None


def color_problem(color: str) -> str | None:
    """Return the error if a color is malformed or illegible on white; otherwise None.

    >>> color_problem("#0b4f5c"), color_problem("#767676")
    (None, None)
    >>> color_problem("#777777")
    'This color is too pale to read on white. Choose a darker one.'
    >>> color_problem("teal")
    'Enter the color as # and six digits or letters from a to f, such as #0b4f5c.'
    """
    if not _COLOR.fullmatch(color):
        return say("Enter the color as # and six digits or letters from a to f, such as #0b4f5c.")
    if not _is_readable(color):
        return say("This color is too pale to read on white. Choose a darker one.")
    return None


def _is_readable(color: str) -> bool:
    """True if a color contrasts enough with white (WCAG 2.2, success criterion 1.4.3)."""
    parts = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    light = sum((weight * _light(part) for weight, part in zip(_WEIGHTS, parts, strict=True)), Decimal(0))
    return (light + _GLARE * _WHITE) * READABLE <= (1 + _GLARE) * _WHITE


def _light(part: int) -> Decimal:
    return part * _OF_NEARLY_BLACK if part <= _NEARLY_BLACK else (part + _OFFSET) ** _POWER
