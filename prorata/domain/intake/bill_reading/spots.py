"""The spots of a page that may contain a value, with adjacent words.

All lengths are tenths of a point. Adjacent words are masked for comparison with other bills of the issuer: dates
and numbers, which change from bill to bill, become `<day>` and `0`.
"""

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from typing import Literal, NamedTuple

from prorata.domain.intake.bill_reading.dates import Order, Written, dates_in, with_year_of
from prorata.domain.intake.bill_reading.numbers import Amount, read_amount
from prorata.domain.intake.bill_reading.text_folding import MEASURES, has_figures, plain
from prorata.domain.intake.bill_reading.utility_words import types_in
from prorata.domain.intake.bill_reading.words import Cell, Page, Place, Row, Word, around, rows_of

Form = Literal["money", "unclear", "day", "number"]
MOST_SPOTS = 3_000
"""The maximum number of spots of one form on a bill.

If there are more, no spot is used.
"""
_LONGEST_MONEY, _LONGEST_NUMBER = 4, 5
"""The maximum number of words in an amount and in a number.

An amount may be "-", "$", "1,234.50", "CR", and a number "441 20 1187 3".
"""
_FEWEST_DIGITS = 3
_LONGEST_LABEL, _LONGEST_BEFORE = 6, 24
"""The maximum number of words in a label, and of words read before a value."""
_LETTERS = string.ascii_letters
_FIGURE = re.compile(r"[0-9]+")
_LEADERS = re.compile(r" ?[.·…_]{3,}")
"""A pattern for the row of dots that leads from words to an amount."""
_A_DAY, _LONGEST = timedelta(days=1), timedelta(days=130)
"""The duration of one day, and the longest duration of a service period."""
_A_LINE = 30
_NO_ZERO = re.compile(r"(?<![0-9])(?=[.][0-9]{2}(?![0-9]))")
_CUT = 12
"""The gap, in hundredths of the letters' height, from which figures are separate numbers.

Closer figures are one number, and no part of it is a value.
"""
_BEYOND = re.compile(r"[0-9.,]")
_QUANTITY = re.compile(rf"0 (m0|{MEASURES})")
"""A masked quantity, such as `0 kwh`, possibly between an amount and its words."""
_OF_A_PLACE = re.compile(
    r"(unit|apt|apartment|suite|ste|flat|lot|building|bldg|house|floor|whg|wohnung|einheit|haus|stock|local|piso|puerta"
    r"|vivienda|appt|appartement|logement|maison|etage|batiment)[. #]{0,2}[\w.-]{1,8}"
)
"""A pattern for a masked unit or building between an amount and its words."""
_SEPARATORS = re.compile(r"[^A-Z0-9]")
_WORD = re.compile(r"[^\W\d_]{2}")
_SHORT_DAY = re.compile(
    r"(?<![0-9./-])(?<!x)(?<!\bx )(1[0-2]|0?[1-9])/(3[01]|[12][0-9]|0?[1-9])(?![0-9./-])"
    r"(?! ?(?:in(?! full| total)|inch|inches|ft|foot|feet|mi|miles?|gal|gallons?|lbs?|hp)\b)"
    r"(?! ?(?:x ?[0-9]|[\"\u2033\u201d]|''))",
    re.ASCII,
)
"""A month and a day without a year.

The size of a meter or a pipe, such as 5/8 x 3/4 inch, does not match.
"""
_SLACK = 20
"""The maximum horizontal distance between a label and the value below it."""


class Spot(NamedTuple):
    """Words of a page that may be a value.

    `written` is set if the words are a date, and gives the days that the date may mean. `left` and `above` are the
    masked words to the left of the spot and above it, or "". The `edge` of an amount is the position where its
    digits end; if its digits alone do not say how many cents it is, it `is_unclear`. A number `is_part` of a longer
    one if more digits are next to it.
    """

    text: str
    place: Place
    left: str
    above: str = ""
    cents: int = 0
    edge: int = 0
    written: Written | None = None
    is_part: bool = False
    is_unclear: bool = False

    @property
    def key(self) -> str:
        """The spot's text reduced to letters and digits."""
        return key_of(self.text)


def key_of(number: str) -> str:
    """Strip separators from a number, and convert it to upper case.

    >>> key_of("4471 20-1"), key_of("no 4471.201")
    ('4471201', 'NO4471201')
    """
    return _SEPARATORS.sub("", number.upper())


def shape_of(number: str) -> str:
    """Return the form of a number: which characters are digits, and which letters.

    >>> shape_of("4471 20-1"), shape_of("RE-2026-17")
    ('9999999', 'AA999999')
    """
    return re.sub("[A-Z]", "A", re.sub("[0-9]", "9", key_of(number)))


class Sheet:
    """The pages of a bill, searched once for possible amounts, days and numbers."""

    def __init__(
        self,
        pages: Sequence[Page],
        rows: Sequence[Sequence[Row]] | None = None,
        kept: Mapping[Form, tuple[Spot, ...]] | None = None,
    ) -> None:
        self.pages = pages
        self.rows = [rows_of(page) for page in pages] if rows is None else rows
        self._kept: dict[Form, tuple[Spot, ...]] = dict(kept or {})

    def cells(self) -> Iterator[Cell]:
        """Yield the cells of all pages, from top to bottom."""
        return (cell for rows in self.rows for row in rows for cell in row)

    def spots(self, form: Form) -> tuple[Spot, ...]:
        """Return the bill's possible values of one form, such as amounts or days.

        They are sorted from top to bottom. The result is empty if the pages have implausibly many of them.
        """
        if form not in self._kept and form in ("money", "unclear"):
            amounts = list(self._found(_money))
            self._keep("money", (spot for spot in amounts if not spot.is_unclear))
            self._keep("unclear", (spot for spot in amounts if spot.is_unclear))
        elif form not in self._kept:
            self._keep(form, self._found(_days if form == "day" else _numbers))
        return self._kept[form]

    def reworded(self, names: Mapping[str, str]) -> "Sheet":
        """Copy the sheet, with the words beside some amounts replaced by others."""
        money = tuple(
            spot._replace(left=names.get(spot.left, spot.left))
            if spot.left
            else spot._replace(above=names.get(spot.above, spot.above))
            for spot in self.spots("money")
        )
        return Sheet(self.pages, self.rows, {**self._kept, "money": money})

    def _found(self, find: Callable[[Row], Iterator[Spot]]) -> Iterator[Spot]:
        for rows, labels in zip(self.rows, self._labels, strict=True):
            for line, row in enumerate(rows):
                above = labels[:line]
                yield from (spot._replace(above=_above(above, spot.place)) for spot in find(row))

    @cached_property
    def _labels(self) -> list[list[Row]]:
        return [[tuple(cell for cell in row if _is_label(cell.text)) for row in rows] for rows in self.rows]

    def _keep(self, form: Form, spots: Iterable[Spot]) -> None:
        its_spots = tuple(islice(spots, MOST_SPOTS + 1))
        self._kept[form] = its_spots if len(its_spots) <= MOST_SPOTS else ()


def _money(row: Row) -> Iterator[Spot]:
    for column, cell in enumerate(row):
        first = 0
        while first < len(cell.words):
            last = next(
                (
                    last
                    for last in range(min(len(cell.words), first + _LONGEST_MONEY), first, -1)
                    if _may_be_money(cell.words[first:last]) and not _is_cut(cell, first, last)
                ),
                None,
            )
            if last is None:
                first += 1
                continue
            amount = _amount(cell.words[first:last])
            if amount is not None:
                own = cell.words[first:last]
                edge = max(_edge(word) for word in own if has_figures(word.text))
                spot = _spot(row, column, first, last)
                left = _of_utility(row[:column], spot.left)
                yield spot._replace(cents=amount.cents or 0, edge=edge, left=left, is_unclear=amount.cents is None)
            first = last


def _edge(word: Word) -> int:
    """Return the right edge of an amount's digits, excluding letters as in "12.30CR"."""
    width, letters = word.place.right - word.place.left, len(word.text) - len(word.text.rstrip(_LETTERS))
    return word.place.right - int(Fraction(width * letters, len(word.text)))


def _may_be_money(words: Sequence[Word]) -> bool:
    return has_figures(words[-1].text + words[0].text) and _amount(words) is not None


def _amount(words: Sequence[Word]) -> Amount | None:
    """Return the amount that words state; the amount may begin with a decimal point."""
    return read_amount(_NO_ZERO.sub("0", " ".join(word.text for word in words)))


def _is_cut(cell: Cell, first: int, last: int) -> bool:
    """True if words are only part of a value.

    This is the case if more digits touch the beginning or the end of the words.
    """
    before = cell.words[first - 1] if first else None
    behind = cell.words[last] if last < len(cell.words) else None
    return bool(
        (before and _touch(before, cell.words[first]) and _BEYOND.search(before.text[-1:]))
        or (behind and _touch(cell.words[last - 1], behind) and _BEYOND.search(behind.text[:1]))
    )


def _touch(word: Word, other: Word) -> bool:
    height = max(word.place.bottom - word.place.top, other.place.bottom - other.place.top)
    return 100 * (other.place.left - word.place.right) < _CUT * height


def _days(row: Row) -> Iterator[Spot]:
    words = [(column, at, word) for column, cell in enumerate(row) for at, word in enumerate(cell.words)]
    starts, text = [], ""
    for _, _, word in words:
        text += " " if text else ""
        starts.append(len(text))
        text += plain(word.text)
    if len(plain(text)) != len(text):
        return
    short = [Written(*match.span(), (), (int(match[1]), int(match[2]))) for match in _SHORT_DAY.finditer(text)]
    for written in (*dates_in(text), *short):
        own = [at for at, start in enumerate(starts) if start < written.end and written.start < _end(starts, at, text)]
        column = words[own[0]][0]
        its = [words[at] for at in own]
        place = around(word.place for _, _, word in its)
        left = _left(row, column, its[0][1])
        if own[0] and starts[own[0]] < written.start:  # as in "1/5/2026-2/4/2026", a single word
            left = masked(f"{left} {text[starts[own[0]] : written.start]}")
        yield Spot(text[written.start : written.end], place, left, written=written)


def _end(starts: Sequence[int], at: int, text: str) -> int:
    return starts[at + 1] - 1 if at + 1 < len(starts) else len(text)


def _numbers(row: Row) -> Iterator[Spot]:
    for column, cell in enumerate(row):
        starts = [at for at, word in enumerate(cell.words) if has_figures(word.text)]
        for first in starts:
            for last in (at + 1 for at in starts if first <= at < first + _LONGEST_NUMBER):
                text = " ".join(word.text for word in cell.words[first:last])
                if sum(letter.isdigit() for letter in text) >= _FEWEST_DIGITS and not _is_a_day(text):
                    beside = (*cell.words[max(0, first - 1) : first], *cell.words[last : last + 1])
                    is_part = any(has_figures(word.text) for word in beside)
                    yield _spot(row, column, first, last)._replace(is_part=is_part)


def _is_a_day(text: str) -> bool:
    """True if a number is a date, in a form that no account number has."""
    return ("/" in text or "." in text) and bool(dates_in(text))


def _spot(row: Row, column: int, first: int, last: int) -> Spot:
    own = row[column].words[first:last]
    place = around(word.place for word in own)
    return Spot(" ".join(word.text for word in own), place, _left(row, column, first))


def _left(row: Row, column: int, first: int) -> str:
    """Return the masked words to the left of a possible value.

    They are the words before the value in its cell, or else the nearest label on its line.
    """
    within = masked(" ".join(word.text for word in row[column].words[max(0, first - _LONGEST_BEFORE) : first]))
    if _has_letters(within) or "<day>" in within:
        return _last_words(within)
    labels = list(_labels(row[:column]))
    return _last_words(next((words for words in labels if not _QUANTITY.fullmatch(words)), next(iter(labels), "")))


def _of_utility(before: Row, nearest: str) -> str:
    """Choose the words beside a value in a table row, preferring those for a utility.

    If the nearest words only name a place, such as "unit 0a", the nearest words in the row that name a utility
    replace them. In all other cases, the result is `nearest`.
    """
    if not _OF_A_PLACE.fullmatch(nearest):
        return nearest
    return next((_last_words(words) for words in _labels(before) if types_in(words)), nearest)


def _labels(before: Row) -> Iterator[str]:
    """Yield the masked texts of the labels among the cells before a cell, nearest first."""
    return (masked(cell.text) for cell in reversed(before) if _is_label(cell.text))


def _above(labels: Sequence[Row], place: Place) -> str:
    """Return the masked words of the nearest label above a box on the page.

    `labels` are the labels of each line above, from top to bottom.
    """
    for row in reversed(labels):
        for cell in row:
            there = cell.place.left - _SLACK < place.right and place.left < cell.place.right + _SLACK
            if there and cell.place.bottom <= place.bottom:
                return _last_words(masked(cell.text))
    return ""


@lru_cache(maxsize=8192)
def _is_label(text: str) -> bool:
    """True if a text contains words, and is not just an amount with its currency."""
    return _has_letters(masked(text)) and read_amount(text) is None


def _has_letters(text: str) -> bool:
    return _WORD.search(text.replace("<day>", "")) is not None


def _last_words(text: str) -> str:
    return " ".join(text.split()[-_LONGEST_LABEL:])


@lru_cache(maxsize=8192)
def masked(text: str) -> str:
    """Mask words for comparison: dates become `<day>`, numbers `0`; case and accents are dropped.

    >>> masked("Balance on Jan 5, 2026"), masked("Amount due 1,234.50:")
    ('balance on <day>', 'amount due 0:')
    """
    folded, parts, at = _LEADERS.sub(" ", plain(text)), [], 0
    for written in dates_in(folded):
        parts += [folded[at : written.start], "<day>"]
        at = written.end
    return re.sub(r"0(?:[.,]0)*", "0", _FIGURE.sub("0", "".join([*parts, folded[at:]]))).strip()


def day_of(spot: Spot, order: Order | None, before: date | None = None) -> date | None:
    """Return the day that a printed date means if its parts are in this order.

    The result is None if the day is unclear. If the date has no year, the result is the last such day up to the
    day `before`, or None if `before` is None.
    """
    if spot.written is None:
        return None
    day = spot.written.day(order)
    return day if day or before is None else with_year_of(spot.written, before + _A_DAY)


def periods_of(spots: Sequence[Spot], order: Order | None, before: date | None) -> list[tuple[date, date]]:
    """Return the distinct pairs of days on one line that may be service periods.

    The two days of a pair are next to each other.
    """
    periods: dict[tuple[date, date], None] = {}
    for spot, other in pairwise(spots):
        is_beside = spot.place.page == other.place.page and abs(spot.place.top - other.place.top) < _A_LINE
        first, last = day_of(spot, order, before), day_of(other, order, before)
        is_over = before is None or last is None or last <= before
        if is_beside and first and last and is_over and first <= last <= first + _LONGEST:
            periods[first, last] = None
    return list(periods)
