"""Numbers, dates and the address that stand beside their labels: right of them, below them, or in the same cell."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from prorata.domain.bill_reading.dates import Order, Written, dates_in, with_year_of
from prorata.domain.bill_reading.draft import Reading, asked, found, missing
from prorata.domain.bill_reading.labels import FactName, Label, label_of, label_within, likely_labels
from prorata.domain.bill_reading.numbers import read_amount
from prorata.domain.bill_reading.texts import as_label, plain
from prorata.domain.bill_reading.words import Cell, Place, Row, around

_NUMBER = re.compile(r"[A-Za-z]{0,6}[-/. ]?[A-Z0-9]*[0-9][A-Z0-9]*(?:[-/. ][A-Z0-9]+)*", re.ASCII)
_PHONE = re.compile(r"(?:\+|1-)[0-9 ()/-]{8,}|1?[- ]?\(?8[0-9]{2}\)?[- ][0-9]{3}-[0-9]{4}")
_FEWEST_DIGITS, _LONGEST_NUMBER = 3, 34
_POST_CODE = re.compile(r"\b[0-9]{5}(?:-[0-9]{4})?\b|\b[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]\b")
_HOUSE = re.compile(r"(?<![0-9])[0-9]{1,5} ?[a-zA-Z]?\b")
_ADDRESS_LINES = 4
_DASH = re.compile(" [–—-] ")
_NEAR = 15
"""Lines, of all columns, within which what belongs to a label is looked for."""
_ALIGNED = 60
"""Tenths of a point by which edges of one column differ at most."""
_LONGEST_BILL = timedelta(days=400)
_LATEST_DUE = timedelta(days=120)
_LATEST_SERVICE = timedelta(days=62)
_EARLIEST_SERVICE = timedelta(days=460)
_BETWEEN = re.compile(
    r"[\s\W]*(?:(?:to|through|thru|until|and|bis|zum|au|jusqu'au|al|a|hasta|el|days?|from|von|vom|du|del|desde)\b[\s\W]*)*"
)

Days = tuple[date, date]


class Beside(NamedTuple):
    """A label and what stands where it points. `sole` says that nothing else could be meant there."""

    label: Label
    text: str
    place: Place
    sole: bool


def beside_labels(pages: Sequence[Sequence[Row]], extra: dict[str, FactName]) -> tuple[Beside, ...]:
    """Every label of a document with its value. `extra` are labels known of the issuer, as `as_label` writes them."""
    return tuple(one for rows in pages for one in _on_page(rows, extra))


def _on_page(rows: Sequence[Row], extra: dict[str, FactName]) -> Iterator[Beside]:
    for line, row in enumerate(rows):
        for column, cell in enumerate(row):
            below = _cell_below(rows, line, cell)
            whole = _label(cell.text, extra) or (below and _wrapped(cell, below, extra))
            if whole:
                values = [other for other in row[column + 1 :] if other.text.strip(" :")]
                rivals = _rivals(whole, values)
                for one in _pointed_at(whole, values[0] if values else None, below):
                    sole = one.sole and not rivals and not _goes_on(rows[line : line + _NEAR], one)
                    yield one._replace(sole=sole)
                yield from (Beside(whole, other.text, other.place, sole=False) for other in rivals)
            else:
                for label, rest in _within(cell.text, extra):
                    place = _place_of_end(cell, rest)
                    if fits(label.fact, rest):
                        one = Beside(label, rest, place, sole=True)
                        yield one._replace(sole=not _goes_on(rows[line : line + _NEAR], one))
                yield from _likely(row, column, below)


def _rivals(label: Label, values: Sequence[Cell]) -> list[Cell]:
    """The other values beside the first one right of a label, of which each may be meant: those of a last bill, of
    another service. One that says the same, and what has words of its own before it, is none.
    """
    if label.fact in ("serviceAddress", "payee") or not values or not fits(label.fact, values[0].text):
        return []
    return [
        value
        for before, value in pairwise(values)
        if fits(label.fact, value.text)
        and fits(label.fact, before.text)
        and as_label(value.text) != as_label(values[0].text)
    ]


def _likely(row: Row, column: int, below: Cell | None) -> Iterator[Beside]:
    """What stands right of, below, or after a colon or dash in a cell whose words are much like a label's."""
    cell = row[column]
    start, rest = divided(cell.text)
    if rest:
        for label in likely_labels(start):
            if fits(label.fact, rest):
                yield Beside(label, rest, _place_of_end(cell, rest), sole=False)
    else:
        right = row[column + 1] if column + 1 < len(row) else None
        for label in likely_labels(cell.text):
            yield from _pointed_at(label, right, below)


def _of(fact: FactName, every: Sequence[Beside]) -> list[Beside]:
    """What stands beside the labels of a fact: those known of the issuer where there are some; beside likely ones only
    where no other has a value.
    """
    mine = [one for one in every if one.label.fact == fact]
    return [one for one in mine if one.label.of_issuer] or [one for one in mine if not one.label.likely] or mine


def _goes_on(rows: Sequence[Row], one: Beside) -> bool:
    """Whether more figures stand right below a number or date, without a label: it may be but their start."""
    place = one.place
    if one.label.fact in ("serviceAddress", "payee"):
        return False
    height = place.bottom - place.top
    for row in rows:
        for column, cell in enumerate(row):
            near = -height <= 2 * (cell.place.top - place.bottom) <= 2 * height and cell.place.top > place.top
            aligned = min(abs(cell.place.left - place.left), abs(cell.place.right - place.right)) <= _ALIGNED
            figures = any(letter.isdigit() for letter in cell.text) and not re.search(r"[^\W\d_]{4}", cell.text)
            if (
                near
                and aligned
                and figures
                and not any(re.search(r"[^\W\d_]{2}", other.text) for other in row[:column])
            ):
                return True
    return False


def _label(text: str, extra: dict[str, FactName]) -> Label | None:
    known = extra.get(plain(text).strip(" :.#*-"))
    return Label(known, plain(text), strong=True, of_issuer=True) if known else label_of(text)


def divided(text: str) -> tuple[str, str]:
    """What stands before and behind the colon of a cell, or its dash between spaces; nothing behind where it has none.

    >>> divided("Paid by – 1 May"), divided("No.: 7"), divided("INV-7")
    (('Paid by', '1 May'), ('No.', '7'), ('INV-7', ''))
    """
    start, _, rest = _DASH.sub(": ", text).partition(":")
    return start.strip(), rest.strip()


def _within(text: str, extra: dict[str, FactName]) -> Iterator[tuple[Label, str]]:
    """A label with which a cell begins, and what follows it; one known of the issuer before all others."""
    start, rest = divided(text)
    known = extra.get(as_label(start)) if rest else None
    if known:
        yield Label(known, as_label(start), strong=True, of_issuer=True), rest
    else:
        yield from label_within(text)


def _wrapped(cell: Cell, below: Cell, extra: dict[str, FactName]) -> Label | None:
    """The label that goes on in the next line."""
    close = below.place.top - cell.place.bottom <= cell.height and abs(below.place.left - cell.place.left) <= _ALIGNED
    return _label(f"{cell.text} {below.text}", extra) if close else None


def _place_of_end(cell: Cell, rest: str) -> Place:
    """The box of the last words of a cell."""
    count = max(1, min(len(rest.split()), len(cell.words)))
    return around(word.place for word in cell.words[-count:])


def _pointed_at(label: Label, right: Cell | None, below: Cell | None) -> Iterator[Beside]:
    """The value right of a label, else the one below it. Where both could be, neither is sure."""
    is_right = right is not None and fits(label.fact, right.text)
    is_below = below is not None and fits(label.fact, below.text)
    if is_right and right is not None:
        yield Beside(label, right.text, right.place, sole=not is_below or _is_labelled(label, right, below))
    elif is_below and below is not None:
        yield Beside(label, below.text, below.place, sole=True)


def _is_labelled(label: Label, right: Cell, below: Cell | None) -> bool:
    """Whether what stands below belongs to the same list of labels and values as the line above it."""
    return label.fact in ("serviceAddress", "payee") or (below is not None and below.place.left >= right.place.left)


def _cell_below(rows: Sequence[Row], line: int, cell: Cell) -> Cell | None:
    """The next cell below that begins, ends or is centred where this one does, when it is near."""
    place = cell.place
    for row in rows[line + 1 : line + _NEAR]:
        for other in row:
            there = other.place
            if there.top < place.bottom - cell.height or there.top - place.bottom > 2 * cell.height + _ALIGNED:
                continue
            aligned = min(
                abs(there.left - place.left),
                abs(there.right - place.right),
                abs(there.left + there.right - place.left - place.right),
            )
            if aligned <= _ALIGNED:
                return other
    return None


def fits(fact: FactName, text: str) -> bool:
    """Whether a text has the form of a value of this kind.

    >>> fits("accountNumber", "4417-2231"), fits("accountNumber", "03/14/2026"), fits("billDate", "March 14, 2026")
    (True, False, True)
    """
    match fact:
        case "accountNumber" | "billNumber":
            return _is_number(text)
        case "billDate" | "dueDate" | "servicePeriodStart" | "servicePeriodEnd":
            return len(dates := dates_in(text)) == 1 and _rest_is_nothing(text, dates)
        case "servicePeriod":
            return len(dates := dates_in(text)) == 2 and _rest_is_nothing(text, dates)  # noqa: PLR2004 - first and last
        case "serviceAddress":
            return bool(re.search(r"[^\W\d_]{2}", text)) and label_of(text) is None and not dates_in(text)
        case "payee":
            return bool(re.search(r"[^\W\d_]{3}", text)) and label_of(text) is None


def _is_number(text: str) -> bool:
    written = text.strip(" *#:")
    digits = sum(character.isdigit() for character in written)
    return (
        digits >= _FEWEST_DIGITS
        and len(written) <= _LONGEST_NUMBER
        and bool(_NUMBER.fullmatch(written))
        and not _PHONE.fullmatch(written)
        and read_amount(written) is None
        and not dates_in(written)
    )


def _rest_is_nothing(text: str, dates: Sequence[Written]) -> bool:
    """Whether a text is its dates and nothing but the words between them, or a number of days after them."""
    bare = re.sub(r"\(?[0-9]{1,3} (?:days|tage|jours|dias)\)?", "", plain(text))
    if bare != plain(text):
        dates = dates_in(bare)
    parts = [bare[: dates[0].start], *(bare[one.end : two.start] for one, two in pairwise(dates))]
    return all(_BETWEEN.fullmatch(part) for part in [*parts, bare[dates[-1].end :]])


def number_of(fact: FactName, every: Sequence[Beside], what: str) -> Reading[str]:
    """The number beside its label. Two grounds: the label, and that nothing else stands where it points."""
    mine = _of(fact, every)
    if not mine:
        return missing(what)
    different = {re.sub(r"[^A-Z0-9]", "", one.text.upper()): one for one in reversed(mine)}
    values = tuple(one.text.strip(" *#:") for one in different.values())
    places = tuple(one.place for one in mine)
    if len(different) > 1:
        return asked(f"The bill shows more than one number that may be the {what}.", *values, places=places)
    if not any(one.label.strong for one in mine):
        return asked(f"The bill calls this number something that need not be the {what}.", *values, places=places)
    if not any(one.sole for one in mine if one.label.strong):
        return asked(f"Two numbers stand where the {what} is looked for.", *values, places=places)
    return found(values[0], *places)


def day_of(fact: FactName, every: Sequence[Beside], order: Order | None, what: str) -> Reading[date]:
    """The date beside its label, read in the order that the document shows."""
    mine = _of(fact, every)
    if not mine:
        return missing(what)
    places = tuple(one.place for one in mine)
    days: set[date] = set()
    for one in mine:
        (written,) = dates_in(one.text)
        day = written.day(order)
        if day is None or (order is None and len(written.readings) > 1):
            choices = tuple(sorted({choice for _, choice in written.readings}))
            return asked(f"The {what} reads two ways, or has no year.", *choices, places=places)
        days.add(day)
    return _one_day(days, mine, what, places)


def _one_day(days: set[date], mine: Sequence[Beside], what: str, places: tuple[Place, ...]) -> Reading[date]:
    if len(days) > 1:
        return asked(f"The bill shows more than one {what}.", *sorted(days), places=places)
    if not any(one.label.strong for one in mine):
        return asked(f"The words beside this date do not say plainly that it is the {what}.", *days, places=places)
    if not any(one.sole for one in mine):
        return asked(f"Two dates stand where the {what} is looked for.", *days, places=places)
    return found(days.pop(), *places)


def period_of(every: Sequence[Beside], order: Order | None) -> tuple[Reading[date], Reading[date]]:
    """First and last day of service, beside one label or two."""
    mine = _of("servicePeriod", every)
    if not mine:
        return (
            day_of("servicePeriodStart", every, order, "first day of service"),
            day_of("servicePeriodEnd", every, order, "last day of service"),
        )
    places = tuple(one.place for one in mine)
    periods = {_period(one.text, order) for one in mine}
    known = sorted(period for period in periods if period)
    firsts, lasts = sorted({first for first, _ in known}), sorted({last for _, last in known})
    if None in periods:
        why = "The service period reads two ways, or has no year."
    elif len(known) > 1:
        why = "The bill shows more than one service period."
    elif not any(one.label.strong for one in mine):
        why = "The words beside these dates do not say plainly that they are the service period."
    elif not any(one.sole for one in mine):
        why = "Two periods stand where the service period is looked for."
    else:
        return found(firsts[0], *places), found(lasts[0], *places)
    return asked(why, *firsts, places=places), asked(why, *lasts, places=places)


def _period(text: str, order: Order | None) -> Days | None:
    first, last = dates_in(text)
    end = last.day(order) if order is not None or len(last.readings) == 1 else None
    if end is None:
        return None
    if first.month_and_day is not None:
        is_day_first = not first.pointed or order == "DMY" or (last.pointed and last.orders == {"DMY"})
        start = with_year_of(first, end) if is_day_first else None
    else:
        start = first.day(order) if order is not None or len(first.readings) == 1 else None
    return (start, end) if start is not None else None


def in_their_order(
    billed: Reading[date], due: Reading[date], first: Reading[date], last: Reading[date]
) -> tuple[Reading[date], Reading[date], Reading[date], Reading[date]]:
    """Dates that contradict each other are all asked: a bill is due after it is made, and made as service ends."""
    bill_day, due_day = _known(billed), _known(due)
    start, end = _known(first), _known(last)
    if bill_day and due_day and not timedelta(0) <= due_day - bill_day <= _LATEST_DUE:
        why = "The due date does not follow the bill date as it should."
        billed, due = _doubted(billed, why), _doubted(due, why)
    if start and end and not timedelta(0) < end - start <= _LONGEST_BILL:
        why = "The service period does not begin before it ends, or is longer than a year."
        first, last = _doubted(first, why), _doubted(last, why)
    if bill_day and start and end and not (end - bill_day <= _LATEST_SERVICE and bill_day - start <= _EARLIEST_SERVICE):
        why = "The service period lies far from the bill date."
        billed, first, last = _doubted(billed, why), _doubted(first, why), _doubted(last, why)
    return billed, due, first, last


def _known(reading: Reading[date]) -> date | None:
    return reading.value if reading.surety == "found" else None


def _doubted(reading: Reading[date], why: str) -> Reading[date]:
    if reading.value is None:
        return reading
    return asked(why, reading.value, places=reading.places)


def address_of(pages: Sequence[Sequence[Row]], every: Sequence[Beside]) -> Reading[str]:
    """The service address beside its label. Two grounds: the label, and a house number with a post code."""
    mine = _of("serviceAddress", every)
    read = [(one, *_address(pages, one)) for one in mine]
    read = [one for one in read if any(character.isdigit() for character in one[1])]
    if not read:
        return missing("service address")
    different = {plain(text): text for _, text, _ in read}
    places = tuple(place for _, _, place in read)
    if len(different) > 1:
        why = "The bill shows more than one service address."
    elif not any(one.label.strong for one, _, _ in read):
        why = "The words beside this address do not say plainly that it is the service address."
    else:
        (text,) = different.values()
        code = _POST_CODE.search(text)
        if code and _HOUSE.search(text[: code.start()] + text[code.end() :]):
            return found(text, *places)
        why = "This address lacks its house number or its post code."
    return asked(why, *different.values(), places=places)


def _address(pages: Sequence[Sequence[Row]], one: Beside) -> tuple[str, Place]:
    """The lines of an address from its first one down, until a label, an amount or a wider space."""
    texts, places = [one.text.strip(" ,")], [one.place]
    height = one.place.bottom - one.place.top
    rows = next((rows for rows in pages if rows and rows[0][0].place.page == one.place.page), ())
    for row in rows:
        for cell in row:
            near = 0 <= cell.place.top - places[-1].bottom + height <= 2 * height
            if not near or cell.place.top <= places[-1].top or abs(cell.place.left - one.place.left) > _ALIGNED:
                continue
            is_other = label_of(cell.text) or any(True for _ in label_within(cell.text))
            if is_other or read_amount(cell.text) or dates_in(cell.text) or len(texts) >= _ADDRESS_LINES:
                return ", ".join(texts), around(places)
            if _POST_CODE.search(", ".join(texts)):
                return ", ".join(texts), around(places)
            texts.append(cell.text.strip(" ,"))
            places.append(cell.place)
    return ", ".join(texts), around(places)
