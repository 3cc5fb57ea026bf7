"""Lessons about an issuer's bills: how to recognize them, and the words beside values."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.intake.bill_reading.dates import Order
from prorata.domain.intake.bill_reading.spots import Form, Sheet, Spot, key_of, shape_of
from prorata.domain.intake.bill_reading.text_folding import has_figures, plain
from prorata.domain.intake.bill_reading.totals import names_total
from prorata.domain.intake.bill_reading.words import Page, Place
from prorata.domain.intake.pointing.amount_words import words_of as beside
from prorata.domain.intake.pointing.line_rules import Way, dividing_headings, ways_of

FIELDS: Mapping[str, Form] = {
    "account_number": "number",
    "bill_number": "number",
    "bill_date": "day",
    "due_date": "day",
    "service_start": "day",
    "service_end": "day",
    "total": "money",
}
"""The fields that are read from a bill besides its lines, with their forms."""
MOST_LAYOUTS, MOST_ANCHORS, MOST_WORDS, MOST_MARKS, MOST_AMOUNTS = 6, 8, 250, 12, 400
_NEAR = 30
_SHORTEST_WORD, FEWEST_WORDS = 3, 12
_MARK = re.compile(
    r"(?<![@a-z0-9.-])(?:[a-z0-9-]+\.)+(?:com|org|net|gov|ca|de|fr|es|ch|at|uk|us|info|eu|in|my|br|au|nz|io)\b"
    r"|1?[- .]?\(?[2-9][0-9]{2}\)?[- .][0-9]{3}[- .][0-9]{4}"
)
"""An issuer's own mark: a web address or a telephone number."""
_NAMES: Mapping[str, re.Pattern[str]] = {
    "account_number": re.compile(r"acc(oun)?t|konto|vertrag|kunden|compte|contrat|client|cuenta|contrato|cliente"),
    "bill_number": re.compile(r"bill|invoice|statement|rechnung|beleg|facture|factura"),
    "bill_date": re.compile(r"(bill|invoice|statement|issue|mail)\w*.{0,10}(date|on)|rechnungsdatum|date de|fecha"),
    "due_date": re.compile(r"\bdue\b|pay (by|before)|fallig|zahlbar|echeance|avant le|vencimiento|hasta"),
    "service_start": re.compile(r"service|period|from|read|usage|zeitraum|periode|periodo"),
    "service_end": re.compile(r"service|period|to\b|read|usage|zeitraum|periode|periodo"),
}
"""Patterns for words that name a field.

A value beside them is the field's; elsewhere it may occur by chance.
"""


class Anchor(NamedTuple):
    """The position of a value on an earlier bill, with the words beside it.

    `left` and `above` are these words, masked. `x` is the left edge of the value, or the right edge if the value is
    an amount.
    """

    page: int
    left: str
    above: str
    x: int
    y: int


class Taught(NamedTuple):
    """The places of a field's value on an issuer's bills, as anchors.

    If the value is a number, `shape` is its pattern of digits and letters. If several days are beside the same
    words, as in a list of meters, `is_first` or `is_last` means that the value is the first or last of them.
    """

    anchors: tuple[Anchor, ...]
    shape: str = ""
    is_first: bool = False
    is_last: bool = False


class Layout(NamedTuple):
    """The common layout of some confirmed bills of an issuer, with the places of values.

    `marks` are the issuer's web addresses and telephone numbers, and the background pictures of the bills' pages.
    `lines` are the sets of rules by which the bills' amounts were divided into lines, latest first. `amounts` are
    all words that were beside amounts.
    """

    words: tuple[str, ...]
    marks: tuple[str, ...]
    fields: Mapping[str, Taught]
    lines: tuple[Way, ...]
    order: Order | None
    amounts: tuple[str, ...] = ()
    bills: int = 1


class PageLesson(NamedTuple):
    """The lesson about an issuer's bills: their layouts, latest first.

    `kinds` are the kinds of all lines of these bills. `accounts` has the kinds of lines for each account number,
    latest account first.
    """

    issuer: str
    layouts: tuple[Layout, ...]
    kinds: tuple[str, ...] = ()
    accounts: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Shown(NamedTuple):
    """The confirmed values of a bill, by the names in `FIELDS`, and its lines.

    The amounts of lines are in cents. `at` contains the places that the person marked: by the name of a field for
    its value, and by the kind of a line for the line's amounts.
    """

    issuer: str
    texts: Mapping[str, str]
    days: Mapping[str, date]
    total: int | None
    lines: tuple[tuple[str, int], ...]
    at: Mapping[str, tuple[Place, ...]] = {}

    @property
    def values(self) -> Mapping[str, str | date | int]:
        """The confirmed value of each field of the bill, by the field's name."""
        return {**self.texts, **self.days, **({} if self.total is None else {"total": self.total})}


def words_of(pages: Sequence[Page]) -> frozenset[str]:
    """Return the words of the first page, which identify a bill's layout.

    If they are too few, the words of all pages count. Words with digits are left out.
    """
    first = _words_on(pages[:1])
    return first if len(first) >= FEWEST_WORDS else _words_on(pages)


def _words_on(pages: Sequence[Page]) -> frozenset[str]:
    return frozenset(
        folded
        for page in pages
        for word in page.words
        if len(folded := plain(word.text).strip(" :.,;()*")) >= _SHORTEST_WORD and not has_figures(folded)
    )


def marks_of(pages: Sequence[Page]) -> frozenset[str]:
    """Return the web addresses and telephone numbers of a bill."""
    text = plain(" ".join(word.text for page in pages for word in page.words))
    return frozenset(re.sub(r"[^a-z0-9.]", "", mark) for mark in _MARK.findall(text))


def is_at(spot: Spot, value: str | date | int) -> bool:
    """True if a spot shows a certain value: an amount in cents, number or day."""
    if isinstance(value, int):
        return spot.cents == value
    if isinstance(value, str):
        return spot.key == key_of(value)
    written = spot.written
    assert written is not None, "a day is looked for among days"
    return value in {day for _, day in written.readings} or written.month_and_day == (value.month, value.day)


def spots_of(sheet: Sheet, form: Form, value: str | date | int, at: Sequence[Place] = ()) -> list[Spot]:
    """List the spots that show a value.

    If the person marked places for the value, only spots within them are listed.
    """
    its_spots = [spot for spot in sheet.spots(form) if is_at(spot, value)]
    return [spot for spot in its_spots if is_within_any(spot.place, at)] if at else its_spots


def not_on_its_pages(pages: Sequence[Page], shown: Shown) -> list[str]:
    """List the fields whose confirmed value is not on the pages.

    A field is also listed if the person marked places for its value, and the value is in none of them.
    """
    sheet = Sheet(pages)
    return [
        name for name, value in shown.values.items() if not spots_of(sheet, FIELDS[name], value, shown.at.get(name, ()))
    ]


def is_within(place: Place, box: Place) -> bool:
    """True if the center of a place lies in a box."""
    x, y = place.left + place.right, place.top + place.bottom
    return place.page == box.page and 2 * box.left <= x <= 2 * box.right and 2 * box.top <= y <= 2 * box.bottom


def is_within_any(place: Place, boxes: Sequence[Place]) -> bool:
    """True if the center of a place lies in one of these boxes."""
    return any(is_within(place, box) for box in boxes)


def order_of(sheet: Sheet, values: Iterable[str | date | int]) -> Order | None:
    """Find the order of day and month in which a bill's dates match confirmed dates."""
    days = {value for value in values if isinstance(value, date)}
    fitting = {
        order
        for spot in sheet.spots("day")
        if spot.written and (len(spot.written.readings) == 1 or len({day for _, day in spot.written.readings}) > 1)
        for order, day in spot.written.readings
        if day in days and order
    }
    return fitting.pop() if len(fitting) == 1 else None


def anchor_of(spot: Spot, form: Form) -> Anchor:
    """Build the anchor that finds a spot again on the next bill."""
    x = spot.edge if form == "money" else spot.place.left
    return Anchor(spot.place.page, spot.left, spot.above, x, spot.place.top)


def names(name: str, words: str) -> bool:
    """True if words beside a value show that it belongs to the field `name`."""
    if name == "total":
        return names_total(words)
    pattern = _NAMES.get(name)
    return pattern is not None and pattern.search(words) is not None


def taught(name: str, form: Form, spots: Sequence[Spot], value: str | date | int) -> Taught | None:
    """Return the places of a value to remember, preferably beside words that name its field.

    Return None if there are no spots.
    """
    named = [spot for spot in spots if names(name, spot.left) or names(name, spot.above)]
    anchors = tuple(dict.fromkeys(anchor_of(spot, form) for spot in named or spots))[:MOST_ANCHORS]
    return Taught(anchors, shape_of(value) if isinstance(value, str) else "") if anchors else None


def among_others(sheet: Sheet, learned: Taught, day: date) -> Taught:
    """Record that a learned day was the first or last of several on the bill.

    Only days beside the same words, at the same distance from the left edge, are compared.
    """
    days = set()
    for anchor in learned.anchors:
        beside = [spot for spot in sheet.spots("day") if (spot.left, spot.above) == (anchor.left, anchor.above)]
        days |= {
            its_day
            for spot in beside
            if spot.written and abs(spot.place.left - anchor.x) <= _NEAR
            for its_day in [spot.written.day(None)]
            if its_day
        }
    if len(days) > 1:
        return learned._replace(is_first=day == min(days), is_last=day == max(days))
    return learned


def layout_of(pages: Sequence[Page], sheet: Sheet, shown: Shown) -> Layout:
    """Build the layout of a bill from that bill alone."""
    fields = {
        name: learned
        for name, value in shown.values.items()
        if (learned := taught(name, FIELDS[name], spots_of(sheet, FIELDS[name], value, shown.at.get(name, ())), value))
    }
    for name in ("service_start", "service_end"):
        if name in fields and isinstance(day := shown.values[name], date):
            fields[name] = among_others(sheet, fields[name], day)
    ways = lines_of(sheet, shown)
    seen = [*(beside(spot) for spot in sheet.spots("money") if spot.cents), *dividing_headings(sheet)]
    amounts = dict.fromkeys(seen) if ways else ()
    return Layout(
        tuple(sorted(words_of(pages)))[:MOST_WORDS],
        (*sorted({page.paper for page in pages} - {""}), *sorted(_of_issuer(marks_of(pages), shown)))[:MOST_MARKS],
        fields,
        ways,
        order_of(sheet, shown.values.values()),
        tuple(amounts)[:MOST_AMOUNTS],
    )


def _of_issuer(marks: frozenset[str], shown: Shown) -> Iterator[str]:
    """Yield the marks of a bill that are not numbers of the bill itself.

    Marks are web addresses and telephone numbers, by which the issuer is recognized. Numbers such as the account
    number may look like telephone numbers.
    """
    numbers = [key_of(text) for text in shown.texts.values()]
    return (mark for mark in marks if not any(key_of(mark) in number or number in key_of(mark) for number in numbers))


def lines_of(sheet: Sheet, shown: Shown) -> tuple[Way, ...]:
    """Return the sets of rules that divide a bill's amounts into its confirmed lines."""
    total = shown.total
    if total is None or not shown.lines:
        return ()
    spots = sheet.spots("money")
    pointed = {
        kind: [spot for spot in spots if is_within_any(spot.place, shown.at[kind])]
        for kind, _ in shown.lines
        if shown.at.get(kind)
    }
    return ways_of(spots, total, dict(shown.lines), pointed)
