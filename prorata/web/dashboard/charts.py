"""Charts as drawings that need no script: their bars are also told in words, in a table that a reader hears."""

from collections.abc import Sequence

from markupsafe import Markup

_WIDTH, _HEIGHT, _FOOT, _TOP = 720, 200, 22, 8
_WIDEST = 34


def columns(bars: Sequence[tuple[str, Sequence[int]]]) -> Markup:
    """A column for each label, its parts stacked; the tallest fills the height. Parts below zero are left out."""
    tallest = max((sum(max(0, part) for part in parts) for _, parts in bars), default=0)
    if not tallest:
        return Markup()
    step = _WIDTH // len(bars)
    wide = min(_WIDEST, step * 2 // 3)
    drawn = [Markup('<path class="line" d="M0 {y}.5H{w}"/>').format(y=_HEIGHT - _FOOT, w=_WIDTH)]
    for at, (label, parts) in enumerate(bars):
        left, floor = at * step + (step - wide) // 2, _HEIGHT - _FOOT
        for number, part in enumerate(parts, 1):
            tall = max(0, part) * (_HEIGHT - _FOOT - _TOP) // tallest
            floor -= tall
            drawn.append(
                Markup('<rect class="s{n}" x="{x}" y="{y}" width="{w}" height="{h}" rx="2"/>').format(
                    n=number, x=left, y=floor, w=wide, h=tall
                )
            )
        drawn.append(
            Markup('<text x="{x}" y="{y}" text-anchor="middle">{label}</text>').format(
                x=left + wide // 2, y=_HEIGHT - 5, label=label
            )
        )
    drawing = Markup().join(drawn)
    return Markup('<svg class="drawing" viewBox="0 0 {w} {h}" aria-hidden="true">{drawing}</svg>').format(
        w=_WIDTH, h=_HEIGHT, drawing=drawing
    )
