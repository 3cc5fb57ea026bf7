"""The amounts of a bill, each with the words that say what it is: those left of it on its line, or above it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prorata.domain.intake.bill_reading.amount_columns import is_shown
from prorata.domain.intake.bill_reading.amount_context import LeftOpen, Nearby, Sheet
from prorata.domain.intake.bill_reading.amount_roles import Role, is_sum, role_of, types_in
from prorata.domain.intake.bill_reading.numbers import Amount
from prorata.domain.intake.bill_reading.row_segments import (
    ALIGNED,
    INDENT,
    LONGEST_HEADING,
    Line,
    Piece,
    is_in_column,
    is_wordy,
    line_of,
)
from prorata.domain.intake.bill_reading.text_folding import MEASURES, plain
from prorata.domain.intake.bill_reading.words import Cell, Place, Row

_LONGEST_LABEL = 9
"""Words: what is longer is a sentence, which speaks of amounts but lists none."""
_LEADERS, _SHORTEST_LEADER = " .…_·-", 3
_FOR_ALL = re.compile(
    r"(other|additional|further|misc\w*|general|common|account) (charges|fees|items|services)\b|taxes\b|fees\b"
    r"|adjustments\b|sonstige|weitere|zusatzlich|steuern\b|abgaben\b|(autres|taxes et|frais divers)|otros|impuestos\b"
)
"""Headings of what is not of one utility."""
_TITLE = re.compile(r"\byour\b.*\b(bill|statement|invoice)\b|ihre .*rechnung|votre facture|su factura")
"""The title of a bill, as at the head of a later page: it is no heading of one utility."""
_MEASURED = re.compile(rf"[0-9] ?({MEASURES}|l)\b")
"""In notes of what was used."""
_SITE = re.compile(r"www\.|@")
_LONGEST_ALONE = 16
"""Words of a heading that stands alone on its line."""
_NEAR, _FAR = 15, 60
"""Lines, of all columns, within which words next to an amount are looked for; and a heading."""


class MoneyRow(NamedTuple):
    """An amount and what the words beside it say. `types` are the utilities they name, or the heading above does,
    `of_heading`; `line` counts the lines of the page from its top. `rivals` are other amounts of its line, in cents,
    where nothing shows which is this bill's.
    """

    words: str
    role: Role
    types: frozenset[str]
    of_heading: str
    amount: Amount
    place: Place
    line: int
    nearby: Nearby
    rivals: tuple[int, ...] = ()

    @property
    def from_heading(self) -> bool:
        """Whether the heading above names its utilities."""
        return bool(self.of_heading)

    @property
    def cents(self) -> int:
        """Its amount; only rows that read one way are asked for it."""
        assert self.amount.cents is not None, "an amount that reads one way"
        return self.amount.cents


def money_rows(pages: Sequence[Sequence[Row]], facts: frozenset[Place]) -> list[MoneyRow]:
    """The amounts of a document's pages with their words, from top to bottom. `facts` are where facts of the bill
    stand, such as its date: they say nothing of the amounts beside them.
    """
    found: list[MoneyRow] = []
    above = LeftOpen()
    for rows in pages:
        sheet = Sheet(tuple(line_of(row) for row in rows), facts, above)
        found += (row for line in range(len(rows)) for row in _of_line(sheet, line))
        above = sheet.left_open()
    return found


def _of_line(sheet: Sheet, line: int) -> Iterator[MoneyRow]:
    label: Piece | None = None
    beside: list[Piece] = []
    """The amounts beside the label, and what stands between them."""
    for piece in sheet.lines[line].pieces:
        if piece.amount is None and is_wordy(piece.cell.text):
            if label:
                yield from _row(sheet, line, label, beside)
            label, beside = piece, []
            continue
        if piece.amount is None:
            beside.append(piece)
            continue
        if piece.spoken:
            if label:
                yield from _row(sheet, line, label, beside)
            label, beside = None, []
            continue
        above = _above(sheet.lines, line, piece.cell.place)
        taken = any(one.amount for one in beside)
        if above and (label is None or _is_a_box(sheet.lines, line, piece, above, label, taken=taken)):
            yield from _row(sheet, line, above, [piece])
        elif label:
            beside.append(piece)
    if label:
        yield from _row(sheet, line, label, beside)


def _is_a_box(lines: Sequence[Line], line: int, piece: Piece, above: Piece, label: Piece, *, taken: bool) -> bool:
    """Whether an amount stands alone under its words, so that the words on its line are not about it."""
    if role_of(above.cell.text) is not Role.TOTAL:
        return False
    beside = role_of(label.cell.text) is Role.ITEM and not types_in(label.cell.text)
    return (taken or beside) and not _below(lines, line, piece.cell)


def _row(sheet: Sheet, line: int, label: Piece, beside: Sequence[Piece]) -> Iterator[MoneyRow]:
    """The row of a label, with the last of the amounts beside it; none where there is no amount."""
    amounts = [(piece.cell.place, piece.amount) for piece in beside if piece.amount]
    if not amounts:
        return
    place, amount = amounts.pop()
    words = _without_leaders(label.cell.text)
    role = role_of(words) if len(words.split()) <= _LONGEST_LABEL else Role.ASIDE
    types, of_heading = types_in(words), ""
    if not types and role in (Role.ITEM, Role.SUBTOTAL, Role.CREDIT):
        heading = _heading(sheet, line, label.cell.place)
        of_heading = heading.cell.text if heading else ""
        types = types_in(of_heading)
    between = " ".join(piece.cell.text for piece in beside if piece.cell.place.right <= place.left)
    between = f"{words} {between}" if _MEASURED.search(plain(words)) else between
    heads = [sheet.head_of(line, label.cell.place, one) for one, _ in amounts]
    others = [one for _, one in amounts]
    rivals = () if is_shown(amount, others, between, heads) else tuple(one.cents or 0 for one in others)
    nearby = sheet.near(line, label.cell.place, place)
    yield MoneyRow(words, role, types, of_heading, amount, place, line, nearby, rivals)


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


def _heading(sheet: Sheet, line: int, label: Place) -> Piece | None:
    """The nearest heading above that names a utility, with no sum between it and the line."""
    for index in range(line - 1, max(-1, line - _FAR), -1):
        for piece in sheet.lines[index].pieces:
            place = piece.cell.place
            if not (-ALIGNED <= label.left - place.left <= INDENT) or piece.amount is not None:
                continue
            words = piece.cell.text
            if piece.cell in sheet.labels:
                if is_sum(words) or role_of(words) in (Role.TOTAL, Role.CURRENT, Role.CARRIED):
                    return None
                continue
            is_alone = len(sheet.lines[index].pieces) == 1 and not words.endswith(".") and not _SITE.search(words)
            if is_alone and place.page > 1 and _TITLE.search(plain(words)):
                return None
            is_short = len(words.split()) <= (_LONGEST_ALONE if is_alone else LONGEST_HEADING)
            if is_short and types_in(words) and not _MEASURED.search(plain(words)):
                return piece
            if _FOR_ALL.match(plain(words)):
                return None
    return None
