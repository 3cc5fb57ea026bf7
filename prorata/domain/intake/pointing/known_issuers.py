"""Recognizing the issuer of a bill by its first page's words, web addresses and numbers."""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.intake.bill_reading.spots import key_of
from prorata.domain.intake.bill_reading.text_folding import plain as plain_text
from prorata.domain.intake.bill_reading.words import Page, Word
from prorata.domain.intake.pointing.lessons import (
    FEWEST_WORDS,
    Layout,
    PageLesson,
    marks_of,
    words_of,
)

_LEAST_NUMBER, _LONGEST_NUMBER = 6, 4
"""The minimum characters and maximum words of account numbers that identify an issuer."""
_NO_LETTER = re.compile(r"[^a-z0-9]+")
_LEAST_ALIKE, _LEAST_ALIKE_UNMARKED, _APART = 50, 75, 8
"""The minimum shares of a layout's words on a bill, and the lead, in hundredths.

The first share applies if the bill has a mark of the issuer, the second if it doesn't. The lead is over the next
issuer's share.
"""


class Known(NamedTuple):
    """The likely issuer of a bill: the lesson learned, and the layout that fits.

    `is_named` means that the bill has the issuer's name, web address or telephone number, or the number of an
    account whose bills were confirmed.
    """

    lesson: PageLesson
    layout: Layout
    is_named: bool


def known_of(pages: Sequence[Page], lessons: Sequence[PageLesson]) -> Known | None:
    """Find the issuer whose earlier bills have the same layout as this bill.

    Return None if no issuer's layout fits, or if layouts of two issuers fit equally well. Also return None if the
    bill has web addresses or telephone numbers, but nothing on the bill identifies the issuer: no such address or
    number, no name and no account number.
    """
    words, marks = words_of(pages), marks_of(pages)
    fitting = sorted(
        (
            (alike, number, layout)
            for number, lesson in enumerate(lessons)
            for layout in lesson.layouts
            if (alike := _alike(layout, words, marks)) is not None
        ),
        key=lambda rated: (-rated[0], rated[1]),
    )
    if not fitting:
        return None
    near = [(number, layout) for alike, number, layout in fitting if fitting[0][0] - alike < _APART]
    text, names = _text_of(pages), {number: _bare(lessons[number].issuer) for number, _ in near}
    named_in_text = {number for number, name in names.items() if name in text}
    named = named_in_text | {number for number, layout in near if marks & set(layout.marks)}
    named = named or _of_accounts(lessons, {number for number, _ in near}, pages)
    wanted = named or {number for number, _ in near}
    if len(wanted) > 1 and named_in_text:  # of one issuer's two names, the more specific
        wanted = {max(named_in_text, key=lambda number: len(names[number]))}
    if len(wanted) > 1 or (marks and not named):
        return None
    (number,) = wanted
    return Known(
        lessons[number], next(layout for lesson_number, layout in near if lesson_number == number), bool(named)
    )


def _of_accounts(lessons: Sequence[PageLesson], near: Iterable[int], pages: Sequence[Page]) -> set[int]:
    """Return the indexes of the lessons that contain an account number of this bill.

    Only the lessons at the indexes in `near` are searched. Their account numbers come from confirmed bills.
    """
    numbers = {key_of("".join(word.text for word in words)) for page in pages for words in _runs(page)}
    keys = {number: {key for key, _ in lessons[number].accounts if len(key) >= _LEAST_NUMBER} for number in near}
    return {number for number, its in keys.items() if its & numbers}


def _runs(page: Page) -> Iterator[Sequence[Word]]:
    """Yield the sequences of words on a page that may together be one number."""
    for first in range(len(page.words)):
        yield from (page.words[first:last] for last in range(first + 1, first + _LONGEST_NUMBER + 1))


def says(issuer: str, pages: Sequence[Page]) -> bool:
    """True if a bill contains a name with its words in order."""
    return _bare(issuer) in _text_of(pages)


def _text_of(pages: Sequence[Page]) -> str:
    return _bare(" ".join(word.text for page in pages for word in page.words))


def _bare(text: str) -> str:
    return f" {' '.join(_NO_LETTER.sub(' ', plain_text(text)).split())} "


def _alike(layout: Layout, words: frozenset[str], marks: frozenset[str]) -> Fraction | None:
    """Return the percentage of a layout's words that are on a bill.

    Return None if the percentage is too low, or if the layout has too few words and none of its marks is on the
    bill.

    A mark is a web address, a telephone number or a background picture; with one of the layout's marks on the bill,
    a lower percentage is enough.
    """
    if len(layout.words) < FEWEST_WORDS and not marks & set(layout.marks):
        return None
    share = Fraction(100 * len(words & set(layout.words)), max(1, len(layout.words)))
    is_marked = bool(marks & set(layout.marks))
    return share if share >= (_LEAST_ALIKE if is_marked else _LEAST_ALIKE_UNMARKED) else None
