"""Charts, drawn as SVG without scripts.

Pages show the same numbers as a table, for people who can't see the chart.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup

_HEIGHT, _FOOT, _TOP = 240, 22, 10
_EACH_LETTER, _BESIDE = 7, 16
"""The maximum width of an amount's letter, and the space around the amounts."""
_WIDEST = 34
_STEPS = (1, 2, 5, 10)
_LINES = 4
"""The maximum number of lines across the drawing."""


class Column(NamedTuple):
    """A column of a chart: label, description, and parts from bottom to top.

    Each part is a color number and an amount.
    """

    label: str
    told: str
    parts: Sequence[tuple[int, int]]


def columns(drawn: Sequence[Column], write: Callable[[int], str], width: int, *, labelled: int = 1) -> Markup:
    """Draw a chart of stacked columns, `width` wide, over grid lines.

    `write` formats the amounts beside the grid lines. Parts below zero are left out; if no amount is above zero,
    nothing is drawn. The last column and every `labelled`th column before it have a label.
    """
    tallest = max((sum(max(0, part) for _, part in column.parts) for column in drawn), default=0)
    if not tallest:
        return Markup()
    step = _step(tallest)
    top = -(-tallest // step) * step
    labels = {amount: write(amount) for amount in range(0, top + 1, step)}
    left = max(map(len, labels.values())) * _EACH_LETTER + _BESIDE
    wide = (width - left) // len(drawn)
    pieces = [_line(amount, top, text, left, width) for amount, text in labels.items()]
    for at, column in enumerate(drawn, start=1):
        shown = column if (len(drawn) - at) % labelled == 0 else column._replace(label="")
        pieces.append(_column(shown, left + (at - 1) * wide, wide, top))
    return Markup('<svg class="drawing" viewBox="0 0 {w} {h}" aria-hidden="true">{drawing}</svg>').format(
        w=width, h=_HEIGHT, drawing=Markup().join(pieces)
    )


def _step(tallest: int) -> int:
    """Choose the distance between grid lines for a chart whose tallest column is `tallest`.

    The distance, in cents, is 1, 2 or 5 followed by zeros, and gives only a few lines.

    >>> _step(1_234_00), _step(99), _step(4)
    (50000, 50, 1)
    """
    size = 1
    while size * _STEPS[-1] * _LINES < tallest:
        size *= _STEPS[-1]
    return next(size * each for each in _STEPS if size * each * _LINES >= tallest)


def _tall(reach: int, top: int) -> int:
    return reach * (_HEIGHT - _FOOT - _TOP) // top


def _line(amount: int, top: int, label: str, left: int, width: int) -> Markup:
    y = _HEIGHT - _FOOT - _tall(amount, top)
    text = Markup('<text class="amount" x="{x}" y="{y}" text-anchor="end">{said}</text>')
    line = Markup('<path class="line" d="M{x} {y}.5H{w}"/>').format(x=left, y=y, w=width)
    return line + text.format(x=left - _BESIDE // 2, y=y + 4, said=label)


def _column(column: Column, left: int, wide: int, top: int) -> Markup:
    bar = min(_WIDEST, wide * 2 // 3)
    x, floor = left + (wide - bar) // 2, _HEIGHT - _FOOT
    drawn = [Markup("<title>{told}</title>").format(told=column.told)]
    for hue, part in column.parts:
        tall = _tall(max(0, part), top)
        floor -= tall
        drawn.append(
            Markup('<rect class="s{n}" x="{x}" y="{y}" width="{w}" height="{h}"/>').format(
                n=hue, x=x, y=floor, w=bar, h=tall
            )
        )
    if column.label:
        text = Markup('<text x="{x}" y="{y}" text-anchor="middle">{label}</text>')
        drawn.append(text.format(x=left + wide // 2, y=_HEIGHT - 5, label=column.label))
    around = Markup('<rect class="around" x="{x}" y="0" width="{w}" height="{h}"/>').format(x=left, w=wide, h=_HEIGHT)
    return Markup("<g>{around}{drawn}</g>").format(around=around, drawn=Markup().join(drawn))
