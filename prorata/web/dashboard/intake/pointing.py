"""Places on a document's pages to which a person points to fill in fields.

A field accepts only places whose text fits the field, such as amounts. The page contains all places as data, and
the script `pointing.js` draws them over the picture of the document's page while a person fills in a field.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from prorata.actions.intake import page_lessons
from prorata.domain.bills.forms import written
from prorata.domain.countries import COUNTRIES
from prorata.domain.intake.bill_reading.dates import Written
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.spots import Sheet, Spot
from prorata.domain.intake.bill_reading.words import Page, Place
from prorata.domain.intake.pointing.lessons import FIELDS as LEARNED
from prorata.domain.texts import say
from prorata.domain.utility_names import NOT_BILLED_REASONS, UTILITY_TYPES
from prorata.web.dashboard.bills.entries import FilledIn, field_named
from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_POINTED_CHARACTERS, MOST_POINTS

FIELDS = {
    "issuer": ("issuerName", say("Who sent the bill")),
    "total": ("totalAmountDue", say("Total")),
    "bill_date": ("billDate", say("Date of the bill")),
    "due_date": ("dueDate", say("Due")),
    "lines": ("lines", say("What it’s for")),
    "service_start": ("servicePeriodStart", say("First day of service")),
    "service_end": ("servicePeriodEnd", say("Last day of service")),
    "account_number": ("accountNumber", say("Account number")),
    "bill_number": ("billNumber", say("Bill number")),
    "service_address": ("", say("Service address")),
}
"""The fields that a draft reads, with their form fields and display names."""
_LEARNED = {FIELDS[its][0]: its for its in (*LEARNED, "issuer")} | {
    field_named("amount", kind): kind for kind in (*UTILITY_TYPES, *NOT_BILLED_REASONS)
}
"""The names of values in lessons, by the form field in which each is entered."""
_SOON = timedelta(days=60)
_MASK = re.compile(r"<[a-z]+>")
"""The placeholder for a value within the words beside another value."""


Confirmed: Any = msgspec.defstruct(
    "Confirmed",
    [("at", Annotated[str, text(MOST_POINTED_CHARACTERS, least=0)], "")],
    bases=(FilledIn,),
    kw_only=True,
    forbid_unknown_fields=True,
    rename="camel",
)
"""The form that confirms a bill from a document.

`at` contains the places on the document's pages that a person pointed at.
"""


class Point(NamedTuple):
    """A place on a document's page to which a person can point.

    Doing so fills in a field: `form` is the kind of field that the text at this place fits, and `text` is the
    value to enter. If it is an amount, `cents` is the amount in cents. `label` contains the words printed beside
    the place.
    """

    form: Literal["money", "day", "number", "word"]
    text: str
    cents: int
    label: str
    place: Place


def points_of(pages: Sequence[Page], draft: Draft, country: str) -> list[Point]:
    """List all places on a document's pages to which a person can point.

    The values of amounts and days are written as the bill's form expects them.
    """
    sheet, order = Sheet(pages), COUNTRIES[country].date_orders[0].order
    near = draft.bill_date.value or max(
        (day for spot in sheet.spots("day") for _, day in _written(spot).readings), default=date.min
    )
    points = [
        *(_point("money", spot, written(spot.cents, country)) for spot in sheet.spots("money")),
        *(
            _point("day", spot, day.isoformat())
            for spot in sheet.spots("day")
            if (day := _day(_written(spot), order, near))
        ),
        *(_point("number", spot, spot.text) for spot in sheet.spots("number")),
        *(Point("word", word.text, 0, "", word.place) for page in pages for word in page.words),
    ]
    return points[:MOST_POINTS]


def _point(form: Literal["money", "day", "number"], spot: Spot, text: str) -> Point:
    beside = _MASK.sub("", spot.left or spot.above).strip(" -:;.,·")
    return Point(form, text, spot.cents, beside, spot.place)


def _written(spot: Spot) -> Written:
    assert spot.written is not None, "it is of a day"
    return spot.written


def _day(written_: Written, order: str, near: date) -> date | None:
    """Choose the day that a printed date means.

    If the date can be read in several ways, the reading in the country's `order` of day and month is chosen, or
    the first reading if none has this order. A date without a year means its latest occurrence, up to 60 days
    after `near`.
    """
    if written_.month_and_day:
        return max(_of_years(*written_.month_and_day, near), default=None)
    of_order = [day for known, day in written_.readings if known in (None, order)]
    return next(iter(of_order or [day for _, day in written_.readings]), None)


def _of_years(month: int, day: int, near: date) -> Iterator[date]:
    for year in (near.year - 1, near.year, near.year + 1):
        try:
            day_near = date(year, month, day)
        except ValueError:  # the year one, or a 29th of February
            continue
        if day_near <= near + _SOON:
            yield day_near


def as_learned(sent: str) -> str:
    """Rename form fields to lesson fields in the places to which a person pointed.

    Both `sent` and the result are JSON objects that map fields to places. Fields about which there are no lessons are
    left out. Raises `InvalidRequest` if a place is not valid.
    """
    places: Mapping[str, Sequence[Place]] = page_lessons.as_places(sent)
    return msgspec.json.encode({_LEARNED[name]: its for name, its in places.items() if name in _LEARNED}).decode()
