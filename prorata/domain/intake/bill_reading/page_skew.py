"""Mapping boxes on a straightened page to their positions in the skewed picture."""

from collections.abc import Mapping

from prorata.domain.intake.bill_reading.words import Page, Place

_WHOLE = 1000
"""The denominator of a page's tilt, which is stated in thousandths."""


def as_shown(place: Place, pages: Mapping[int, Page]) -> Place:
    """Convert a box on a straightened page to the same box in the skewed picture.

    Boxes on pages without a tilt stay unchanged.

    >>> as_shown(Place(1, 5900, 100, 6100, 140), {1: Page(1, 6000, 8000, (), from_picture=True, tilt=10)})
    Place(page=1, left=5938, top=130, right=6138, bottom=170)
    """
    page = pages.get(place.page)
    if page is None:
        return place
    right_of_middle = (place.left + place.right - page.width) // 2
    below_middle = (place.top + place.bottom - page.height) // 2
    x, y = -below_middle * page.tilt // _WHOLE, right_of_middle * page.tilt // _WHOLE
    return Place(place.page, place.left + x, place.top + y, place.right + x, place.bottom + y)
