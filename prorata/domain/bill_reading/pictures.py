"""What was read from a picture: none of it is plain, and its places are those of the picture as it is shown."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from prorata.domain.bill_reading.draft import Draft, Reading
from prorata.domain.bill_reading.tilts import as_shown
from prorata.domain.bill_reading.words import Page, Place

Value = TypeVar("Value")
COMPARE = "It was read from a picture. Compare it with the page."


def with_care(draft: Draft, pages: Sequence[Page]) -> Draft:
    """The draft of pages of which some are pictures: what would be found is proposed, and a person has to confirm it.

    >>> from prorata.domain.bill_reading.draft import UNREAD, found
    >>> read = with_care(UNREAD._replace(total=found(9_50)), [Page(1, 5950, 8420, (), from_picture=True)])
    >>> read.total.surety, read.total.value, read.total.choices, read.bill_date.surety, read.from_picture
    ('asked', 950, (950,), 'missing', True)
    """
    tilts = {page.number: page for page in pages if page.tilt}
    careful = draft._replace(
        issuer=_asked(draft.issuer),
        account_number=_asked(draft.account_number),
        bill_number=_asked(draft.bill_number),
        bill_date=_asked(draft.bill_date),
        due_date=_asked(draft.due_date),
        service_start=_asked(draft.service_start),
        service_end=_asked(draft.service_end),
        service_address=_asked(draft.service_address),
        total=_asked(draft.total),
        lines=_asked(draft.lines),
        from_picture=True,
    )
    return _moved(careful, lambda place: as_shown(place, tilts)) if tilts else careful


def _asked(reading: Reading[Value]) -> Reading[Value]:
    if reading.surety != "found" or reading.value is None:
        return reading
    return Reading("asked", reading.value, reading.places, COMPARE, (reading.value,))


def _moved(draft: Draft, move: Callable[[Place], Place]) -> Draft:
    """A draft whose every place is moved."""

    def moved(reading: Reading[Value]) -> Reading[Value]:
        return reading._replace(places=tuple(move(place) for place in reading.places))

    lines = moved(draft.lines)
    kept = tuple(line._replace(places=tuple(move(place) for place in line.places)) for line in lines.value or ())
    budget = draft.budget
    return draft._replace(
        issuer=moved(draft.issuer),
        account_number=moved(draft.account_number),
        bill_number=moved(draft.bill_number),
        bill_date=moved(draft.bill_date),
        due_date=moved(draft.due_date),
        service_start=moved(draft.service_start),
        service_end=moved(draft.service_end),
        service_address=moved(draft.service_address),
        total=moved(draft.total),
        lines=lines._replace(value=kept if lines.value is not None else None),
        budget=budget and budget._replace(places=tuple(move(place) for place in budget.places)),
    )
