"""The issuer that a bill is of, by the words of its first page and what names it."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.intake.bill_reading.text_folding import plain as plain_text
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.pointing.lessons import (
    Layout,
    PageLesson,
    marks_of,
    words_of,
)

_NO_LETTER = re.compile(r"[^a-z0-9]+")
_LEAST_ALIKE, _LEAST_ALIKE_UNMARKED, _APART = 50, 75, 8
"""Hundredths of a layout's words that stand on a bill of it: with a mark of the issuer there too, without; and how much
more they are than those of another issuer.
"""


class Known(NamedTuple):
    """An issuer whose bill this seems to be, and the layout it has; it `is_named` where its name, web address or
    telephone number stands on the bill.
    """

    lesson: PageLesson
    layout: Layout
    is_named: bool


def known_of(pages: Sequence[Page], lessons: Sequence[PageLesson]) -> Known | None:
    """The issuer whose layout a bill has; None where it has none's, or two issuers' alike, or where it has a web
    address or telephone number of another, and does not name the issuer.
    """
    words, marks = words_of(pages), marks_of(pages)
    fitting = sorted(
        (
            (alike, number, layout)
            for number, lesson in enumerate(lessons)
            for layout in lesson.layouts
            if (alike := _alike(layout, words, marks)) is not None
        ),
        key=lambda one: (-one[0], one[1]),
    )
    if not fitting:
        return None
    best = fitting[0]
    rival = next((one for one in fitting if lessons[one[1]].issuer != lessons[best[1]].issuer), None)
    if rival and best[0] - rival[0] < _APART:
        return None
    lesson, layout = lessons[best[1]], best[2]
    is_named = bool(marks & set(layout.marks)) or _says(lesson.issuer, pages)
    return Known(lesson, layout, is_named) if is_named or not marks else None


def _says(issuer: str, pages: Sequence[Page]) -> bool:
    """Whether a name stands on a bill, its words in order."""
    text = _bare(" ".join(word.text for page in pages for word in page.words))
    return f" {_bare(issuer).strip()} " in text


def _bare(text: str) -> str:
    return f" {' '.join(_NO_LETTER.sub(' ', plain_text(text)).split())} "


def _alike(layout: Layout, words: frozenset[str], marks: frozenset[str]) -> Fraction | None:
    """How much of a layout's words a bill has, in hundredths; None where that is too little."""
    share = Fraction(100 * len(words & set(layout.words)), max(1, len(layout.words)))
    is_marked = bool(marks & set(layout.marks))
    return share if share >= (_LEAST_ALIKE if is_marked else _LEAST_ALIKE_UNMARKED) else None
