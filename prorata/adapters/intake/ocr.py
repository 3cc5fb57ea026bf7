"""A reader of the words in a page's picture, with their positions, by RapidOCR.

RapidOCR finds lines of text as boxes, which may be slanted, and recognizes the letters in each line. It may make
mistakes. If a page was photographed at an angle, the positions are straightened here, so that words in the same
line can be recognized; the page records the angle.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from prorata.adapters.limits import MOST_OCR_WORDS
from prorata.domain.intake.bill_reading.words import Page, Place, Word

if TYPE_CHECKING:
    from PIL import Image

LEAST_SURE = 0.5
"""The lowest confidence, from 0 to 1, with which a line is accepted.

Lines with a lower confidence are left out.
"""
STEEPEST_FALL = 0.15
"""The steepest slope of an accepted line, as height per length.

A steeper line is left out, because it is written in another direction.
"""
_LONG = 3
"""The ratio of length to height from which a line shows the page's slope."""
_WIDE = 0.7
"""The gap that separates two words, as a share of the line's height.

Such a gap separates words even if RapidOCR read no space there.
"""
_OF_LETTERS = 0.75
"""The height of letters, as a share of the line box's height."""
_LOOKED_AT = 960
"""The number of pixels of the longer side at which lines are detected.

The detected lines are read at full resolution.
"""


class _Letter(NamedTuple):
    """A recognized letter, with its position in pixels.

    `middle` is the letter's vertical middle. `is_first` is True if the letter begins a word.
    """

    text: str
    left: float
    right: float
    middle: float
    height: float
    is_first: bool


class _Line(NamedTuple):
    """A line of letters, with its length and height in pixels, and its slope."""

    letters: Sequence[_Letter]
    width: float
    height: float
    fall: float


@cache
def _engine() -> Any:
    """Return the OCR engine with its package's models, loaded once per process."""
    from rapidocr import RapidOCR  # noqa: PLC0415 - an extra that need not be there

    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.max_side_len": 4_000,  # the picture already has its final size
            "Global.text_score": LEAST_SURE,
            "Global.use_cls": False,  # it would turn upright lines around
            "Det.limit_type": "max",
            "Det.limit_side_len": _LOOKED_AT,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def read_picture(picture: "Image.Image", number: int, width: int, height: int) -> Page:
    """Read the words of a picture, and return them as a page.

    The page is measured in tenths of a point.
    """
    lines = [line for line in _lines(picture) if abs(line.fall) < STEEPEST_FALL]
    falls = [line.fall for line in lines if line.width > _LONG * line.height]
    fall = median(falls) if falls else 0.0
    shown = _Shown(number, width / picture.width, fall, picture.width / 2, picture.height / 2)
    words = tuple(shown.word(letters) for line in lines for letters in _apart(line))
    return Page(number, width, height, words[:MOST_OCR_WORDS], from_picture=True, tilt=int(fall * 1000))


def _lines(picture: "Image.Image") -> Iterator[_Line]:
    """Yield the lines that the engine recognizes with enough confidence."""
    import numpy as np  # noqa: PLC0415 - it comes with the engine

    seen = _engine()(np.asarray(picture)[:, :, ::-1], return_word_box=True, return_single_char_box=True)
    if seen.boxes is None or seen.txts is None:
        return
    for corners, text, boxes in zip(seen.boxes, seen.txts, seen.word_results, strict=True):
        (left, top), (right, end), _, (_, below) = ((float(x), float(y)) for x, y in corners)
        letters = list(_letters(text, [box for _, _, box in boxes]))
        if letters and right > left and below > top:
            yield _Line(letters, right - left, _OF_LETTERS * (below - top), (end - top) / (right - left))


def _letters(text: str, boxes: Sequence[Sequence[Sequence[float]]]) -> Iterator[_Letter]:
    """Yield the letters of a line with their boxes, leaving out spaces."""
    is_first, place = True, 0
    for letter in text:
        if letter.isspace():
            is_first = True
        elif place < len(boxes):
            (a, top), (b, other_top), (c, other_below), (d, below) = boxes[place]
            middle, height = (top + other_top + other_below + below) / 4, (below - top + other_below - other_top) / 2
            yield _Letter(letter, (a + d) / 2, (b + c) / 2, middle, _OF_LETTERS * height, is_first)
            is_first, place = False, place + 1


def _apart(line: _Line) -> Iterator[list[_Letter]]:
    """Split a line into words, each of which is a list of letters."""
    word: list[_Letter] = []
    for letter in line.letters:
        if word and (letter.is_first or letter.left - word[-1].right > _WIDE * line.height):
            yield word
            word = []
        word.append(letter)
    yield word


class _Shown(NamedTuple):
    """The conversion of positions in a picture to positions on the straightened page.

    `page` is the page's number, and `scale` the number of tenths of a point per pixel. `fall` is the slope of the
    picture's lines, and `across` and `down` are the picture's middle in pixels.
    """

    page: int
    scale: float
    fall: float
    across: float
    down: float

    def word(self, letters: Sequence[_Letter]) -> Word:
        """Build a word from its letters, with its position on the page."""
        left, right = letters[0].left, letters[-1].right
        middle, height = median(letter.middle for letter in letters), median(letter.height for letter in letters)
        from_middle = (left + right) / 2 - self.across
        x, y = (middle - self.down) * self.fall, -from_middle * self.fall
        edges = (left + x, middle - height / 2 + y, right + x, middle + height / 2 + y)
        return Word(
            "".join(letter.text for letter in letters),
            Place(self.page, *(max(0, int(edge * self.scale)) for edge in edges)),
        )
