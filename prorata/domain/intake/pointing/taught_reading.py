"""Reading a bill by the lessons about its issuer, checked against the bill's contents.

A value is found if it has two grounds: the words beside it and its position; the words to its left and those above
it; or two places on the bill. If there is only one ground, or a contradiction, a person is asked.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from prorata.domain.intake.bill_reading.bill_facts import in_their_order
from prorata.domain.intake.bill_reading.draft import Draft, Reading, asked, found, missing
from prorata.domain.intake.bill_reading.pictures import with_care
from prorata.domain.intake.bill_reading.reading import SEVERAL_BILLS, is_of_several, read_sheet
from prorata.domain.intake.bill_reading.spots import Sheet, day_of, periods_of
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.pointing.known_issuers import Known, known_of, says
from prorata.domain.intake.pointing.lessons import FIELDS, Layout, PageLesson, marks_of
from prorata.domain.intake.pointing.taught_amounts import amounts_of
from prorata.domain.intake.pointing.votes import COLUMN, Value, reading_of, votes_of
from prorata.domain.texts import say

_OTHER_PERIODS = say("The bill also shows other periods, such as those of several meters.")
_NEXT_DAY = timedelta(days=1)
_LATEST_DUE = timedelta(days=90)
_NOT_KNOWN = say("There is nothing where this value appeared on earlier bills. Compare it with the page.")
_IS_PART = say("There are more figures next to it. Compare it with the page.")
_NOT_NAMED = say("The bill looks like those from this company, but doesn’t name it.")


def read_with(pages: Sequence[Page], lessons: Sequence[PageLesson]) -> Draft:
    """Read a bill by the lessons about its issuer, or by its labels alone.

    A person is asked for each value that was read from a picture.
    """
    known = known_of(pages, lessons)
    if known:  # two scans never are the same picture, but letterheads are
        marks = known.layout.marks
        pages = [one._replace(from_picture=one.from_picture and one.paper not in marks) for one in pages]
    sheet = Sheet(pages)
    plain = read_sheet(sheet)
    if known is None or _is_of_another(plain, known, pages):
        return plain
    draft = read_by(known, sheet, plain)
    if is_of_several(plain, sheet):
        readings: dict[str, Any] = {name: _doubted(getattr(draft, name), SEVERAL_BILLS) for name in (*FIELDS, "lines")}
        readings |= {"account_number": plain.account_number, "total": plain.total}
        draft = draft._replace(**readings)
    return with_care(draft, pages) if any(page.from_picture for page in pages) else draft


def _is_of_another(plain: Draft, known: Known, pages: Sequence[Page]) -> bool:
    """True if a bill clearly names a sender other than the `known` issuer.

    A web address that both have in common makes the result False.
    """
    name = plain.issuer.value
    if plain.issuer.surety != "found" or name is None or says(known.lesson.issuer, pages):
        return False
    return not any(mark in known.layout.marks for mark in marks_of(pages) if not mark.isdigit())


def read_by(known: Known, sheet: Sheet, plain: Draft) -> Draft:
    """Read a bill of a known issuer by the lessons about this issuer.

    A person is asked for the values that the lessons don't give; the proposals then come from `plain`, the draft
    read by labels alone.
    """
    layout = known.layout
    billed = _day(layout, "bill_date", sheet, None)
    near = (billed or plain.bill_date).value
    start, end = (_day(layout, name, sheet, near) for name in ("service_start", "service_end"))
    start, end = _together(start, end, periods_of(sheet.spots("day"), layout.order, near))
    dates = in_their_order(
        billed or _doubted(plain.bill_date),
        _day(layout, "due_date", sheet, near and near + _LATEST_DUE) or _doubted(plain.due_date),
        _of_all("service_start", start, sheet, layout, near) or _doubted(plain.service_start),
        _of_all("service_end", end, sheet, layout, near) or _doubted(plain.service_end),
    )
    account = _number(layout, "account_number", sheet)
    amounts = amounts_of(known, sheet)
    return plain._replace(
        issuer=found(known.lesson.issuer) if known.is_named else asked(_NOT_NAMED, known.lesson.issuer),
        account_number=account or _doubted(plain.account_number),
        bill_number=_number(layout, "bill_number", sheet) or _doubted(plain.bill_number),
        bill_date=dates[0],
        due_date=dates[1],
        service_start=dates[2],
        service_end=dates[3],
        total=amounts.total or _doubted(plain.total),
        lines=amounts.lines or missing("line"),
    )


def _together(
    start: Reading[date] | None, end: Reading[date] | None, periods: Sequence[tuple[date, date]]
) -> tuple[Reading[date] | None, Reading[date] | None]:
    """Make the start and end of a service period certain if either is certain.

    The two days must be next to each other on the bill.
    """
    if (
        start is None
        or end is None
        or (start.value, end.value) not in periods
        or "found" not in (start.surety, end.surety)
    ):
        return start, end
    return start._replace(surety="found", reason=None, choices=()), end._replace(
        surety="found", reason=None, choices=()
    )


def _of_all(
    name: str, reading: Reading[date] | None, sheet: Sheet, layout: Layout, near: date | None
) -> Reading[date] | None:
    """Turn a found service day into a question if the bill lists further periods.

    These may be for several meters, for example. The day stays certain if it is the first or last day of all
    listed periods.
    """
    taught = layout.fields.get(name)
    if reading is None or taught is None or reading.surety != "found" or reading.value is None:
        return reading
    is_end, spots = name == "service_end", sheet.spots("day")
    words = {spot.above for spot in spots if spot.place in reading.places} - {""}
    rows = {(spot.place.page, spot.place.top) for spot in spots if spot.above in words}
    beside = periods_of([spot for spot in spots if (spot.place.page, spot.place.top) in rows], layout.order, near)
    next_to = (0 if is_end else 1), (1 if is_end else -1)
    joined = [
        period
        for period in periods_of(spots, layout.order, near)
        if timedelta(0) <= next_to[1] * (period[next_to[0]] - reading.value) <= _NEXT_DAY
    ]
    periods = [*joined, *(beside if any(reading.value in period for period in beside) else ())]
    days = [last if is_end else first for first, last in periods]
    edge = (max if is_end else min)([*days, reading.value])
    if edge == reading.value:
        return reading
    return asked(_OTHER_PERIODS, edge, reading.value, places=reading.places)


def _doubted(reading: Reading[Value], why: str = _NOT_KNOWN) -> Reading[Value]:
    """Turn a found value into a question that proposes this value to a person."""
    if reading.surety != "found" or reading.value is None:
        return reading
    return asked(why, reading.value, places=reading.places)


def _number(layout: Layout, name: str, sheet: Sheet) -> Reading[str] | None:
    taught = layout.fields.get(name)
    if taught is None:
        return None
    votes = votes_of(taught, FIELDS[name], sheet.spots(FIELDS[name]), lambda spot: spot.key)
    written = {spot.key: spot.text for spot in reversed(sheet.spots(FIELDS[name]))}
    reading = reading_of(votes)
    if reading is None:
        return None
    is_whole = any(spot.place in reading.places and not spot.is_part for spot in sheet.spots(FIELDS[name]))
    if not is_whole:
        reading = _doubted(reading, _IS_PART)
    value = None if reading.value is None else written[reading.value].strip(" *#:")
    return reading._replace(value=value, choices=tuple(written[choice].strip(" *#:") for choice in reading.choices))


def _day(layout: Layout, name: str, sheet: Sheet, near: date | None) -> Reading[date] | None:
    """Read a day of a bill, such as the due date, by its former places.

    The day is expected at the places where it was on earlier bills. If the printed date has no year, the result is
    the last such day up to the known day `near`.
    """
    taught = layout.fields.get(name)
    if taught is None:
        return None
    votes = votes_of(taught, "day", sheet.spots("day"), lambda spot: day_of(spot, layout.order, near))
    if votes and (taught.is_first or taught.is_last):
        days = [vote.value for vote in votes]
        edge = min(days) if taught.is_first else max(days)
        votes = [vote._replace(strength=vote.strength + COLUMN) for vote in votes if vote.value == edge]
    return reading_of(votes)
