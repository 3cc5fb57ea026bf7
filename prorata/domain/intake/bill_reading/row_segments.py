"""The lines of a page divided into words and amounts."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from prorata.domain.files.cells import is_side
from prorata.domain.intake.bill_reading.dates import dates_in
from prorata.domain.intake.bill_reading.numbers import Amount, read_amount
from prorata.domain.intake.bill_reading.text_folding import plain
from prorata.domain.intake.bill_reading.words import Cell, Place, Row, Word, cell_of
from prorata.domain.number_parsing import in_one_form

LONGEST_HEADING = 7
"""Words that a heading has at most."""
LETTERS = re.compile(r"[^\W\d_]{2,}")
"""What makes words of letters."""
_LONGEST_AMOUNT = 4
"""Words that one amount is written in: `- 1 234,50 €`."""
_MEASURE = re.compile(
    r"(?:kwh|kw|m3|m³|ccf|hcf|cf|gallons|gal|kgal|therms?|mcf|days?|tage?|jours?|dias?|x|@|mbit/s|units?|carts?|bins?|stk?\.?|usd|eur|gbp"
    r"|[$€£%]|ct|c€|cent|/|per|je|par|por|[0-9.,*×-]| )++"
)
_QUANTITY = re.compile(r"[0-9.,]++ ?(kwh|kw|m3|m³|ccf|hcf|cf|gal|kgal|therms?|mcf)", re.IGNORECASE)
_PAIR = re.compile(r"(?:19|20)[0-9]{2}|[0-9]{1,4}[-–/][0-9]{1,4}")
"""A year, a month of a year, or an age in days: what a column may be headed with."""
ALIGNED, INDENT = 60, 250
"""Tenths of a point: how far edges of one column differ; and how far items are set in under their heading."""


class Piece(NamedTuple):
    """Part of a line: words, or an amount."""

    cell: Cell
    amount: Amount | None
    spoken: bool
    """Whether the amount stands within a sentence or before a measure."""


class Line(NamedTuple):
    """A line of a page: its pieces, its edges, and whether an amount is among them. `words` are its pieces that may
    be the words of a column: they have letters or are a time, and are no amount and no quantity.
    """

    pieces: tuple[Piece, ...]
    top: int
    bottom: int
    has_amount: bool
    words: tuple[Piece, ...]


def line_of(row: Row) -> Line:
    """A line of a page, divided."""
    pieces = pieces_of(row)
    words = tuple(one for one in pieces if one.amount is None and _is_of_letters(one.cell.text))
    top, bottom = min(cell.place.top for cell in row), max(cell.place.bottom for cell in row)
    return Line(pieces, top, bottom, any(one.amount for one in pieces), words)


def _is_of_letters(text: str) -> bool:
    return bool(LETTERS.search(text) or _PAIR.fullmatch(text) or dates_in(text)) and not _QUANTITY.fullmatch(text)


def pieces_of(row: Row) -> tuple[Piece, ...]:
    """A line divided into words and amounts; a currency sign that stands apart belongs to the amount after it."""
    words = [word for cell in row for word in cell.words]
    ends = {cell.words[-1] for cell in row}
    pieces: list[Piece] = []
    plain_words: list[int] = []
    at = 0

    def close() -> None:
        if plain_words:
            pieces.append(Piece(cell_of(words[index] for index in plain_words), None, spoken=False))
            plain_words.clear()

    while at < len(words):
        size = _amount_at(list(_that_may_be_one(words[at : at + _LONGEST_AMOUNT], ends)))
        if size:
            close()
            amount = read_amount(" ".join(word.text for word in words[at : at + size]))
            last = words[at + size - 1]
            followed = last not in ends and at + size < len(words)
            spoken = followed and not _amount_at([word.text for word in words[at + size : at + size + _LONGEST_AMOUNT]])
            pieces.append(Piece(cell_of(words[at : at + size]), amount, spoken))
            at += size
            continue
        plain_words.append(at)
        if words[at] in ends:
            close()
        at += 1
    close()
    return tuple(pieces)


def _that_may_be_one(words: Sequence[Word], ends: set[Word]) -> Iterator[str]:
    """The texts of words until a cell ends with a figure and the next begins with one: they are two numbers. What says
    the side of a ledger belongs to an amount in the cell before it where it is a cell of its own.
    """
    for word, following in zip_longest(words, words[1:]):
        yield word.text
        if following is None or word not in ends:
            continue
        is_of_words = following not in ends and is_side(following.text)
        if is_of_words or is_side(word.text) or (word.text[-1].isdigit() and following.text[0].isdigit()):
            return


def _amount_at(texts: Sequence[str]) -> int:
    """How many of the words, from the first, write one amount; the most that do."""
    if not texts or not re.match(r"[-+(]?[$€£A-Z0-9(+-]|cr\b", in_one_form(texts[0])):
        return 0
    for size in range(len(texts), 0, -1):
        if read_amount(" ".join(texts[:size])) is not None and _is_one(texts[:size]):
            return size
    return 0


def _is_one(texts: Sequence[str]) -> bool:
    """Whether words that read as an amount are parts of one, and not two numbers that stand side by side."""
    return sum(1 for text in texts if re.search("[.,][0-9]{2}$", text.rstrip("€$£)-*"))) <= 1


def is_wordy(text: str) -> bool:
    """Whether a text says what something is: it has words, and is no measure and no date."""
    return bool(LETTERS.search(text)) and not _MEASURE.fullmatch(plain(text)) and not _is_date(text)


def _is_date(text: str) -> bool:
    found = dates_in(text)
    return bool(found) and found[-1].end - found[0].start >= len(plain(text)) - 3


def labels_in(line: Sequence[Piece]) -> Iterator[Piece]:
    """The words on a line that have an amount to their right."""
    last = max((index for index, piece in enumerate(line) if piece.amount), default=-1)
    yield from (piece for piece in line[: max(last, 0)] if piece.amount is None and is_wordy(piece.cell.text))


def is_in_column(one: Place, other: Place) -> bool:
    """Whether two boxes stand above each other: they overlap, or share an edge."""
    return one.left < other.right + ALIGNED and other.left < one.right + ALIGNED
