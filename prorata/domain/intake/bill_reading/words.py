"""The words of a printed page and their positions from the top left.

All lengths are whole tenths of a point.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Place(NamedTuple):
    """A box on a page.

    `page` counts from 1; the edges are tenths of a point from the page's top left corner.
    """

    page: int
    left: int
    top: int
    right: int
    bottom: int


class Word(NamedTuple):
    """Characters without a space between them, and the box around them."""

    text: str
    place: Place


class Page(NamedTuple):
    """One page: its size in tenths of a point, and its words in any order.

    `from_picture` means that a program recognized the words in a picture, and may have misread them. `tilt` is the
    slope of the lines in that picture, in thousandths of their length; the words' places are those on the
    straightened page. If a single picture, such as a scan or a letterhead, covers the page behind visible text,
    `paper` identifies the picture.
    """

    number: int
    width: int
    height: int
    words: tuple[Word, ...]
    from_picture: bool = False
    tilt: int = 0
    paper: str = ""


class Cell(NamedTuple):
    """Words close together on one line, such as a label or an amount."""

    words: tuple[Word, ...]
    place: Place

    @property
    def text(self) -> str:
        """The cell's words, separated by spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def height(self) -> int:
        """The height of the letters in the cell, in tenths of a point."""
        return self.place.bottom - self.place.top


Row = tuple[Cell, ...]
"""The cells of one line, from left to right."""

FEWEST_WORDS = 8
"""The minimum number of words on a page.

A page with fewer words is a picture, or blank.
"""
WIDEST_SPACE = 9
"""The widest space within a cell, in tenths of the letters' height."""
LONGEST_HEADING = 7
"""The maximum number of words in a heading."""
ALIGNED = 60
"""The maximum difference between the edges of one column, in tenths of a point."""
LETTERS = re.compile(r"[^\W\d_]{2,}")
"""The pattern of words that consist of letters."""


def around(places: Iterable[Place]) -> Place:
    """Return the smallest box that contains all of these boxes of one page.

    >>> around([Place(1, 10, 10, 20, 20), Place(1, 30, 12, 40, 22)])
    Place(page=1, left=10, top=10, right=40, bottom=22)
    """
    every = tuple(places)
    return Place(
        every[0].page,
        min(place.left for place in every),
        min(place.top for place in every),
        max(place.right for place in every),
        max(place.bottom for place in every),
    )


def rows_of(page: Page) -> tuple[Row, ...]:
    """List the lines of a page, top to bottom, divided into cells at wide spaces.

    Words are on one line if the middle of one lies within the height of the other.

    >>> words = [Word("due", Place(1, 45, 2, 60, 11)), Word("Amount", Place(1, 0, 0, 40, 10))]
    >>> words += [Word("9.50", Place(1, 300, 0, 320, 10)), Word("Thanks", Place(1, 0, 20, 30, 30))]
    >>> [[cell.text for cell in row] for row in rows_of(Page(1, 5000, 5000, tuple(words)))]
    [['Amount due', '9.50'], ['Thanks']]
    """
    lines: list[list[Word]] = []
    for word in sorted(page.words, key=lambda word: (word.place.top + word.place.bottom, word.place.left)):
        for line in reversed(lines[-6:]):
            if _on_one_line(line[-1].place, word.place):
                line.append(word)
                break
        else:
            lines.append([word])
    rows = [tuple(_cells(sorted(line, key=lambda word: word.place.left))) for line in lines]
    return tuple(sorted(rows, key=lambda row: (min(cell.place.top for cell in row), row[0].place.left)))


def are_on_one_line(places: Sequence[Place]) -> bool:
    """True if boxes are beside each other on one page."""
    return all(place.page == places[0].page and _on_one_line(places[0], place) for place in places)


def _on_one_line(place: Place, other: Place) -> bool:
    twice_middle = other.top + other.bottom
    within = 2 * place.top < twice_middle < 2 * place.bottom
    back = 2 * other.top < place.top + place.bottom < 2 * other.bottom
    return within and back


def _cells(line: Sequence[Word]) -> list[Cell]:
    groups = [[line[0]]]
    for before, word in pairwise(line):
        height = max(before.place.bottom - before.place.top, word.place.bottom - word.place.top)
        if 10 * (word.place.left - before.place.right) > WIDEST_SPACE * height:
            groups.append([word])
        else:
            groups[-1].append(word)
    return [cell_of(group) for group in groups]


def cell_of(words: Iterable[Word]) -> Cell:
    """Build a cell from words that are close together on one line."""
    together = tuple(words)
    return Cell(together, around(word.place for word in together))
