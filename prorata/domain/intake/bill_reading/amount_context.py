"""What stands around the amounts of a page and may say that they are of another bill: heads of their columns, headings
of their sections, and other words of their lines.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prorata.domain.intake.bill_reading.amount_roles import Role, may_be, role_of
from prorata.domain.intake.bill_reading.charge_vocabulary import are_known
from prorata.domain.intake.bill_reading.labels import label_of, label_within
from prorata.domain.intake.bill_reading.previous_bill import is_not_of_now, is_of_before
from prorata.domain.intake.bill_reading.row_segments import (
    ALIGNED,
    INDENT,
    LETTERS,
    LONGEST_HEADING,
    Line,
    Piece,
    is_in_column,
    is_wordy,
    labels_in,
)
from prorata.domain.intake.bill_reading.text_folding import has_figures, plain
from prorata.domain.intake.bill_reading.time_words import is_a_time, is_of_another_time
from prorata.domain.intake.bill_reading.words import Cell, Place

_METER = re.compile(r"\bmeter\b|zahler|\bcompteur|\bcontador|\bmedidor")
_READING = re.compile(r"\bread|ablesung|zahlerstand|stand\b|releve|\bindex\b|lectura")
_METER_NUMBER = re.compile(r"[A-Za-z-]*[0-9][0-9A-Za-z-]{2,}")
_NOW = re.compile(r"\b(current|this|new)\b|aktuell|laufend|\bdiese|\bneue|\bce mois|\bcette|\bactual|\best[ea]\b")
_FACT = re.compile(r"\b[0-9]{5}\b.*[^\W\d_]{3}|[^\W\d_]{3}.*\b[0-9]{5}\b|: *\S*[0-9]")
"""A place with its post code; and a number behind a colon."""
_FEWEST_OF_A_BOX = 3
"""Words above an amount to be paid, in a box; fewer, as `Noch offen`, may be a heading."""
_OPEN, _GOES_ON = -1, -2
"""Lines of heads on the page before: with no amount below them, and of a list that may go on at the top of the page."""
_HEAD_LINES, _WIDE = 4, 4
"""Lines of a head; and heights of a line that part a table from what stands above it."""


class Nearby(NamedTuple):
    """What stands around an amount: the `head` of its column; the `headings` next above its list, where its label
    begins; the other words of its line; the number of the `meter` named last above; and what of all that is above or
    beside it speaks of another bill, if anything does.
    """

    head: str = ""
    headings: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    meter: str = ""
    former: str = ""

    @property
    def said(self) -> tuple[str, ...]:
        """All that may say a day or a month."""
        return tuple(filter(None, (self.head, *self.headings, *self.beside)))


class _Head(NamedTuple):
    """Words beside others that say of a column what it is, and the line of the page that they stand on, or which of
    the page before. They hold for what stands left of `until`, where the next words of their line begin. `is_former`
    says that they need not be of this bill; else they are a month or a year.
    """

    line: int
    text: str
    place: Place
    until: int | None
    is_former: bool


class LeftOpen(NamedTuple):
    """What the end of a page says of the next one: the heading of an earlier bill and heads of columns that no amount
    stands below, and a heading that says a time.
    """

    heading: str = ""
    time: str = ""
    heads: tuple[_Head, ...] = ()


class Sheet:
    """The lines of a page, with what holds for the amounts on them."""

    def __init__(self, lines: Sequence[Line], facts: frozenset[Place], above: LeftOpen) -> None:
        """`facts` are where facts of the bill stand, `above` is what the page before left open."""
        self.lines = lines
        self.labels = frozenset(piece.cell for line in lines for piece in labels_in(line.pieces))
        """Words that have an amount beside them."""
        self._wordy = tuple(at for at, line in enumerate(lines) if not line.has_amount)
        """The lines without an amount."""
        self._list_goes_to = next(iter(self._wordy), len(lines))
        """The first line of the page that is no amount's."""
        self._bare: dict[tuple[int, int, int], tuple[int, int, int]] = {}
        """Of a column, from left to right, with letters so high: two lines between which no words stand in it, nor wide
        space, and the top of what stands there.
        """
        self._facts = facts
        self._above = above
        self._said = tuple(self._said_above(above.heading))
        self._far_heads = (*above.heads, *self._heads())

    def near(self, line: int, label: Place, amount: Place) -> Nearby:
        """What stands around an amount of a line."""
        meter, section = self._said[line]
        head, far, beside = self.head_of(line, label, amount), self._far_head_of(line, amount), self._beside(line)
        of_far = far.text if far and far.is_former else ""
        of_before = section or of_far or next(filter(is_of_before, beside), "")
        former = head if is_not_of_now(head) else of_before
        return Nearby(head or (far.text if far else ""), self._headings_of(line, label), beside, meter, former)

    def head_of(self, number: int, label: Place, place: Place) -> str:
        """The words at the head of a column of amounts, of one line or of several close above each other: they stand
        beside other words, or right of the labels, or speak of earlier bills, and beside no amount, with no wide space
        between them and the amounts; "" for none. `number` counts the lines of the page, to that of the amount.
        """
        top, height = place.top, place.bottom - place.top
        column, at = (place.left, place.right, height), number
        after, before, highest = self._bare.get(column, (number, number, top))
        while at > 0:
            at -= 1
            line = self.lines[at]
            if top - line.bottom > _WIDE * height:
                self._bare[column] = at, number, top
                return ""
            if after < at < before <= number:
                top, at = min(top, highest), after + 1
                continue
            found = _in_column(line, place)
            if found and not found.cell.text.startswith("("):
                self._bare[column] = at, number, top
                is_apart = found.cell.place.left > label.left + INDENT
                is_beside = len(line.pieces) > 1 or is_apart or is_of_before(found.cell.text)
                is_head = is_beside and not line.has_amount and not _are_facts(line)
                return " ".join([*_over(self.lines, at, found, place), found.cell.text]) if is_head else ""
            top = min(top, line.top)
        self._bare[column] = -1, number, top
        return ""

    def left_open(self) -> LeftOpen:
        """What this page says of the next one."""
        last = max((number for number, line in enumerate(self.lines) if line.has_amount), default=-1)
        heading = self._said[-1][1] if self._said else ""
        is_open = last < 0 or heading != self._said[last][1]
        goes_on = last == len(self.lines) - 1
        heads = tuple(
            one._replace(line=_OPEN if one.line > last else _GOES_ON)
            for one in self._far_heads
            if one.line > last or goes_on
        )
        return LeftOpen(heading if is_open else "", self._time_at_end(), heads)

    def _time_at_end(self) -> str:
        """The words that end the page alone on their line, if they say a time; "" for none."""
        if not self.lines or len(self.lines[-1].pieces) > 1 or _are_facts(self.lines[-1]):
            return ""
        text = self.lines[-1].pieces[0].cell.text
        is_time = len(text.split()) <= LONGEST_HEADING and is_of_another_time(text, None, None)
        return text if is_time else ""

    def _said_above(self, heading: str) -> Iterator[tuple[str, str]]:
        """For each line the meter and the heading of an earlier bill that hold for it."""
        meter = ""
        for line in self.lines:
            texts = [piece.cell.text for piece in line.pieces if piece.amount is None]
            if any(names_a_meter(text) and not _READING.search(plain(text)) for text in texts):
                meter = " ".join(number for text in texts for number in _METER_NUMBER.findall(text))
            if not line.has_amount:
                heading = _before(texts[0], heading, is_alone=len(texts) == 1)
            yield meter, heading

    def _heads(self) -> Iterator[_Head]:
        """The words that may head a column far below: those of earlier bills, of a month or a year; and, where they end
        the page, all that are not known.
        """
        for number, line in enumerate(self.lines):
            texts = [one.cell.text for one in line.pieces]
            if line.has_amount or len(texts) == 1 or _are_facts(line) or any(map(label_of, texts)):
                continue
            is_end = number == len(self.lines) - 1
            for piece, following in zip(line.pieces, (*line.pieces[1:], None), strict=True):
                text = piece.cell.text
                is_former = is_of_before(text) or (is_end and is_not_of_now(text))
                if len(text.split()) <= LONGEST_HEADING and (is_former or is_a_time(text)):
                    until = following.cell.place.left if following else None
                    yield _Head(number, text, piece.cell.place, until, is_former)

    def _far_head_of(self, number: int, place: Place) -> _Head | None:
        """The last of those words in the column of an amount above it, on this page or the one before."""
        for one in reversed(self._far_heads):
            is_right = one.place.left <= place.left and (one.until is None or place.right <= one.until)
            is_above = one.line < number and (one.line != _GOES_ON or number < self._list_goes_to)
            if is_above and (is_right or is_in_column(one.place, place)):
                return one
        return None

    def _headings_of(self, number: int, label: Place) -> tuple[str, ...]:
        """The words next above a list of amounts that begin where its labels do, or stand alone close above it."""
        found: list[str] = []
        last = number
        for at in reversed(self._wordy[: bisect_left(self._wordy, number)]):
            if found and (at < last - 1 or len(found) == _HEAD_LINES):
                break
            line, last = self.lines[at], at
            piece = next((one for one in line.pieces if -ALIGNED <= label.left - one.cell.place.left <= INDENT), None)
            is_close = self.lines[at + 1].top - line.bottom <= _WIDE * (line.bottom - line.top)
            if piece is None and is_close and len(line.pieces) == 1:
                piece = line.pieces[0]
            is_of_a_box = piece and len(piece.cell.words) >= _FEWEST_OF_A_BOX and role_of(piece.cell.text) is Role.TOTAL
            if piece is None or is_of_a_box:
                continue
            if self._is_fact(line, piece.cell) or not _may_be_a_heading(piece.cell.text):
                break
            found.append(piece.cell.text)
        return tuple(found or filter(None, [self._above.time]))

    def _is_fact(self, line: Line, cell: Cell) -> bool:
        """Whether words are a label or a value of a fact, and no heading."""
        is_found = any(cell.place.left <= one.left and cell.place.top == one.top for one in self._facts)
        of_label = label_of(cell.text) is not None or (len(line.pieces) > 1 and _are_facts(line))
        return is_found or of_label or bool(_FACT.search(cell.text))

    def _beside(self, number: int) -> tuple[str, ...]:
        """The words of a line that are no label of an amount and no value of a fact."""
        line = self.lines[number]
        if _are_facts(line):
            return ()
        named = {label for label, piece in _named(line) if piece.amount}
        words = (one.cell for one in line.pieces if one.amount is None and one.cell not in named)
        return tuple(cell.text for cell in words if cell.place not in self._facts)


def _named(line: Line) -> Iterator[tuple[Cell, Piece]]:
    """Each piece of a line with the words next before it that say what it is."""
    label: Cell | None = None
    for piece in line.pieces:
        if label:
            yield label, piece
        if piece.amount is None and is_wordy(piece.cell.text):
            label = piece.cell


def _may_be_a_heading(text: str) -> bool:
    return bool(LETTERS.search(text)) or is_of_another_time(text, None, None)


def _before(heading: str, before: str, *, is_alone: bool) -> str:
    """The heading of earlier bills that holds below a line of words, where `before` held above it."""
    if len(heading.split()) > LONGEST_HEADING:
        return before
    is_aside = may_be(heading, Role.ASIDE) and not heading.endswith(".")
    if may_be(heading, Role.CARRIED) or (is_alone and (is_aside or may_be(heading, Role.PREVIOUS))):
        return heading
    words = plain(heading)
    is_of_now = is_alone and _NOW.search(words) and are_known(heading) and not names_a_meter(heading)
    return "" if role_of(heading) is Role.CURRENT or is_of_now else before


def names_a_meter(text: str) -> bool:
    """Whether words name a meter."""
    return bool(_METER.search(plain(text)))


def _are_facts(line: Line) -> bool:
    """Whether a line is one of facts, such as an address beside its label, and no head."""
    texts = [one.cell.text for one in line.pieces]
    return any(map(has_figures, texts)) and any(
        label_of(text) or any(True for _ in label_within(text)) for text in texts
    )


def _over(lines: Sequence[Line], at: int, piece: Piece, place: Place) -> list[str]:
    """The words right above the last line of a head, in the column of an amount, from the top."""
    words: list[str] = []
    for line in reversed(lines[max(0, at - _HEAD_LINES + 1) : at]):
        above = _in_column(line, place) or _in_column(line, piece.cell.place)
        if above is None or 2 * (piece.cell.place.top - above.cell.place.bottom) > piece.cell.height:
            break
        words.insert(0, above.cell.text)
        piece = above
    return words


def _in_column(line: Line, place: Place) -> Piece | None:
    """The words of a line that stand in a column. It is asked for each amount of each line above, hence the loop."""
    for one in line.words:
        if is_in_column(one.cell.place, place):
            return one
    return None
