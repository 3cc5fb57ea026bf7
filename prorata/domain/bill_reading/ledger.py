"""The amounts of a bill, each with the words that say what it is: those left of it on its line, or above it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prorata.domain.bill_reading.columns import is_not_of_now, is_shown
from prorata.domain.bill_reading.heads import head_of, said_above
from prorata.domain.bill_reading.numbers import Amount
from prorata.domain.bill_reading.pieces import ALIGNED, LONGEST_HEADING, Line, Piece, is_in_column, is_wordy, line_of
from prorata.domain.bill_reading.roles import Role, is_sum, role_of, types_in
from prorata.domain.bill_reading.texts import plain
from prorata.domain.bill_reading.words import Cell, Place, Row

_LONGEST_LABEL = 9
"""Words: what is longer is a sentence, which speaks of amounts but lists none."""
_LEADERS, _SHORTEST_LEADER = " .…_·-", 3
_FOR_ALL = re.compile(
    r"(other|additional|further|misc\w*|general|common|account) (charges|fees|items|services)\b|taxes\b|fees\b"
    r"|adjustments\b|sonstige|weitere|zusatzlich|steuern\b|abgaben\b|(autres|taxes et|frais divers)|otros|impuestos\b"
)
"""Headings of what is not of one utility."""
_NEAR, _FAR = 15, 60
"""Lines, of all columns, within which words next to an amount are looked for; and a heading."""
_INDENT = 250
"""Tenths of a point by which items are set in under their heading at most."""


class MoneyRow(NamedTuple):
    """An amount and what the words beside it say. `types` are the utilities they name, or the heading above does;
    `line` counts the lines of the page from its top. `meter` is the number of the meter named last above it, and
    `before` the last heading above it, or the head of its column, if that speaks of earlier bills. `head` is the
    head of its column; `rivals` are other amounts of its line, in cents, where nothing shows which is this bill's.
    """

    words: str
    role: Role
    types: frozenset[str]
    from_heading: bool
    amount: Amount
    place: Place
    line: int
    meter: str = ""
    before: str = ""
    head: str = ""
    rivals: tuple[int, ...] = ()

    @property
    def cents(self) -> int:
        """Its amount; only rows that read one way are asked for it."""
        assert self.amount.cents is not None, "an amount that reads one way"
        return self.amount.cents


def money_rows(rows: Sequence[Row]) -> tuple[MoneyRow, ...]:
    """The amounts of a page's lines with their words, from top to bottom."""
    lines = tuple(line_of(row) for row in rows)
    used = {piece.cell for line in lines for piece in _labels_of(line.pieces)}
    above = list(said_above(lines, used))
    return tuple(
        row._replace(meter=above[line][0], before=row.before or above[line][1])
        for line in range(len(lines))
        for row in _of_line(lines, line, used)
    )


def _labels_of(line: Sequence[Piece]) -> Iterator[Piece]:
    """The words on a line that have an amount to their right."""
    last = max((index for index, piece in enumerate(line) if piece.amount), default=-1)
    yield from (piece for piece in line[: max(last, 0)] if piece.amount is None and is_wordy(piece.cell.text))


def _of_line(lines: Sequence[Line], line: int, used: set[Cell]) -> Iterator[MoneyRow]:
    label: Piece | None = None
    beside: list[Piece] = []
    """The amounts beside the label, and what stands between them."""
    for piece in lines[line].pieces:
        if piece.amount is None and is_wordy(piece.cell.text):
            if label:
                yield from _row(lines, line, label, beside, used)
            label, beside = piece, []
            continue
        if piece.amount is None:
            beside.append(piece)
            continue
        if piece.spoken:
            if label:
                yield from _row(lines, line, label, beside, used)
            label, beside = None, []
            continue
        above = _above(lines, line, piece.cell.place)
        taken = any(one.amount for one in beside)
        if above and (label is None or _is_a_box(lines, line, piece, above, label, taken=taken)):
            yield from _row(lines, line, above, [piece], used)
        elif label:
            beside.append(piece)
    if label:
        yield from _row(lines, line, label, beside, used)


def _is_a_box(lines: Sequence[Line], line: int, piece: Piece, above: Piece, label: Piece, *, taken: bool) -> bool:
    """Whether an amount stands alone under its words, so that the words on its line are not about it."""
    if role_of(above.cell.text) is not Role.TOTAL:
        return False
    beside = role_of(label.cell.text) is Role.ITEM and not types_in(label.cell.text)
    return (taken or beside) and not _below(lines, line, piece.cell)


def _row(
    lines: Sequence[Line], line: int, label: Piece, beside: Sequence[Piece], used: set[Cell]
) -> Iterator[MoneyRow]:
    """The row of a label, with the last of the amounts beside it; none where there is no amount."""
    amounts = [(piece.cell.place, piece.amount) for piece in beside if piece.amount]
    if not amounts:
        return
    place, amount = amounts.pop()
    words = _without_leaders(label.cell.text)
    role = role_of(words) if len(words.split()) <= _LONGEST_LABEL else Role.ASIDE
    types, from_heading = types_in(words), False
    if not types and role in (Role.ITEM, Role.SUBTOTAL, Role.CREDIT):
        heading = _heading(lines, line, label.cell.place, used)
        types, from_heading = (types_in(heading.cell.text), True) if heading else (types, False)
    between = " ".join(piece.cell.text for piece in beside if piece.cell.place.right <= place.left)
    heads = [head_of(lines, line, one) for one, _ in amounts]
    others = [one for _, one in amounts]
    rivals = () if is_shown(amount, others, between, heads) else tuple(one.cents or 0 for one in others)
    head = head_of(lines, line, place)
    before = head if is_not_of_now(head) else ""
    yield MoneyRow(words, role, types, from_heading, amount, place, line, before=before, head=head, rivals=rivals)


def _without_leaders(words: str) -> str:
    """Words without the dots that lead the eye to an amount."""
    bare = words.rstrip(_LEADERS)
    return bare if len(words) - len(bare) >= _SHORTEST_LEADER else words


def _above(lines: Sequence[Line], line: int, place: Place) -> Piece | None:
    """The words next above a box, when they are near."""
    height = place.bottom - place.top
    for index in range(line - 1, max(-1, line - _NEAR), -1):
        for piece in lines[index].pieces:
            if piece.cell.place.bottom > place.top + height:
                continue
            if place.top - piece.cell.place.bottom > 2 * height:
                continue
            if is_in_column(piece.cell.place, place):
                return piece if piece.amount is None and is_wordy(piece.cell.text) else None
    return None


def _below(lines: Sequence[Line], line: int, cell: Cell) -> bool:
    """Whether another amount stands close below."""
    return any(
        piece.amount is not None
        and is_in_column(piece.cell.place, cell.place)
        and piece.cell.place.top - cell.place.bottom < 2 * cell.height
        for index in range(line + 1, min(len(lines), line + _NEAR))
        for piece in lines[index].pieces
    )


def _heading(lines: Sequence[Line], line: int, label: Place, used: set[Cell]) -> Piece | None:
    """The nearest heading above that names a utility, with no sum between it and the line."""
    for index in range(line - 1, max(-1, line - _FAR), -1):
        for piece in lines[index].pieces:
            place = piece.cell.place
            if not (-ALIGNED <= label.left - place.left <= _INDENT) or piece.amount is not None:
                continue
            words = piece.cell.text
            if piece.cell in used:
                if is_sum(words) or role_of(words) in (Role.TOTAL, Role.CURRENT, Role.CARRIED):
                    return None
                continue
            if len(words.split()) <= LONGEST_HEADING and types_in(words):
                return piece
            if _FOR_ALL.match(plain(words)):
                return None
    return None
