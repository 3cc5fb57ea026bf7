"""What stands above the amounts of a page and may be of another bill: heads of their columns, and headings."""

import re
from collections.abc import Iterator, Sequence

from prorata.domain.bill_reading.columns import is_of_before
from prorata.domain.bill_reading.labels import label_of, label_within
from prorata.domain.bill_reading.pieces import LONGEST_HEADING, Line, Piece, is_in_column
from prorata.domain.bill_reading.roles import Role, role_of
from prorata.domain.bill_reading.texts import plain
from prorata.domain.bill_reading.words import Cell, Place

_METER = re.compile(r"\bmeter\b|zahler|\bcompteur|\bcontador|\bmedidor")
_METER_NUMBER = re.compile(r"[A-Za-z-]*[0-9][0-9A-Za-z-]{2,}")
_NOW = re.compile(r"\b(current|this|new)\b|aktuell|laufend|\bdiese|\bneue|\bce mois|\bcette|\bactual|\best[ea]\b")
_HEAD_LINES, _WIDE = 4, 2
"""Lines of a head; and heights of a line that part a table from what stands above it."""


def said_above(lines: Sequence[Line], used: set[Cell]) -> Iterator[tuple[str, str]]:
    """For each line of a page the meter and the heading of earlier bills that hold for it. `used` are words that have
    an amount beside them.
    """
    meter = before = ""
    for line in lines:
        texts = [piece.cell.text for piece in line.pieces if piece.amount is None]
        if any(_METER.search(plain(text)) for text in texts):
            meter = " ".join(number for text in texts for number in _METER_NUMBER.findall(text))
        if len(line.pieces) == len(texts) == 1 and line.pieces[0].cell not in used:
            before = _before(texts[0], before)
        yield meter, before


def _before(heading: str, before: str) -> str:
    """The heading of earlier bills that holds below a line of words, where `before` held above it."""
    if len(heading.split()) > LONGEST_HEADING:
        return before
    role = role_of(heading)
    if role in (Role.CARRIED, Role.PREVIOUS) or (role is Role.ASIDE and not heading.endswith(".")):
        return heading
    return "" if role is Role.CURRENT or _NOW.search(plain(heading)) else before


def head_of(lines: Sequence[Line], number: int, place: Place) -> str:
    """The words at the head of a column of amounts, of one line or of several close above each other: they stand beside
    other words, or speak of earlier bills, and beside no amount, with no wide space between them and the amounts; ""
    for none. `number` counts the lines of the page, to that of the amount.
    """
    top, height = place.top, place.bottom - place.top
    for at in range(number - 1, -1, -1):
        line = lines[at]
        if top - line.bottom > _WIDE * height:
            return ""
        top = min(top, line.top)
        found = _in_column(line, place)
        if found:
            is_beside = len(line.pieces) > 1 or is_of_before(found.cell.text)
            is_head = is_beside and not line.has_amount and not _are_facts(line)
            return " ".join([*_over(lines, at, found), found.cell.text]) if is_head else ""
    return ""


def _are_facts(line: Line) -> bool:
    """Whether a line is one of facts, such as an address beside its label, and no head."""
    texts = [one.cell.text for one in line.pieces]
    has_figures = any(letter.isdigit() for text in texts for letter in text)
    return has_figures and any(label_of(text) or any(True for _ in label_within(text)) for text in texts)


def _over(lines: Sequence[Line], at: int, piece: Piece) -> list[str]:
    """The words right above the last line of a head, from the top."""
    words: list[str] = []
    for line in reversed(lines[max(0, at - _HEAD_LINES + 1) : at]):
        above = _in_column(line, piece.cell.place)
        if above is None or 2 * (piece.cell.place.top - above.cell.place.bottom) > piece.cell.height:
            break
        words.insert(0, above.cell.text)
        piece = above
    return words


def _in_column(line: Line, place: Place) -> Piece | None:
    """The words of a line that stand in a column."""
    return next((one for one in line.words if is_in_column(one.cell.place, place)), None)
