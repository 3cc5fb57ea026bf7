"""Drafts read from pictures.

No value is certain, and places refer to the picture.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from prorata.domain.intake.bill_reading.draft import READINGS, Draft, Reading
from prorata.domain.intake.bill_reading.page_skew import as_shown
from prorata.domain.intake.bill_reading.words import Page, Place
from prorata.domain.texts import say

Value = TypeVar("Value")
COMPARE = say("It was read from a picture. Compare it with the page.")
"""The default reason for asking a person about a value read from a picture."""


def with_care(draft: Draft, pages: Sequence[Page]) -> Draft:
    """Turn all values of a draft into questions, because some of its pages are pictures.

    >>> from prorata.domain.intake.bill_reading.draft import UNREAD, found
    >>> read = with_care(UNREAD._replace(total=found(9_50)), [Page(1, 5950, 8420, (), from_picture=True)])
    >>> read.total.surety, read.total.value, read.total.choices, read.bill_date.surety, read.from_picture
    ('asked', 950, (950,), 'missing', True)
    """
    tilts = {page.number: page for page in pages if page.tilt}
    asked: dict[str, Any] = {name: _asked(getattr(draft, name)) for name in READINGS}
    careful = draft._replace(**asked, from_picture=True)
    return _moved(careful, lambda place: as_shown(place, tilts)) if tilts else careful


def with_found(careful: Draft, printed: Draft) -> Draft:
    """Restore the values that the printed pages of a bill show with certainty.

    `careful` is the draft with all values as questions. `printed` is the draft read only from the pages that are
    not pictures.

    >>> from prorata.domain.intake.bill_reading.draft import UNREAD, Reading, found
    >>> careful = UNREAD._replace(total=Reading("asked", 9_50), from_picture=True)
    >>> read = with_found(careful, UNREAD._replace(total=found(9_50)))
    >>> read.total.surety, read.from_picture
    ('found', False)
    """
    readings: dict[str, Any] = {
        name: reading for name in READINGS if (reading := getattr(printed, name)).surety == "found"
    }
    is_asked = any(getattr(careful, name).value is not None for name in READINGS if name not in readings)
    forms = ("language", "currency") if "total" in readings else ()
    return careful._replace(**readings, **{name: getattr(printed, name) for name in forms}, from_picture=is_asked)


def _asked(reading: Reading[Value]) -> Reading[Value]:
    if reading.surety != "found" or reading.value is None:
        return reading
    return Reading("asked", reading.value, reading.places, None, (reading.value,))


def _moved(draft: Draft, move: Callable[[Place], Place]) -> Draft:
    """Apply the function `move` to the page positions of all values in a draft."""

    def moved(reading: Reading[Value]) -> Reading[Value]:
        return reading._replace(places=tuple(move(place) for place in reading.places))

    lines = moved(draft.lines)
    kept = tuple(line._replace(places=tuple(move(place) for place in line.places)) for line in lines.value or ())
    budget = draft.budget
    readings: dict[str, Any] = {name: moved(getattr(draft, name)) for name in READINGS}
    return draft._replace(
        **{**readings, "lines": lines._replace(value=kept if lines.value is not None else None)},
        budget=budget and budget._replace(places=tuple(move(place) for place in budget.places)),
    )
