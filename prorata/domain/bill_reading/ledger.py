"""The amounts of a bill, each with the words that say what it is: those left of it on its line, or above it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prorata.domain.bill_reading.columns import is_not_of_now, is_of_before, is_shown
from prorata.domain.bill_reading.dates import dates_in
from prorata.domain.bill_reading.labels import label_of, label_within
from prorata.domain.bill_reading.numbers import Amount, read_amount
from prorata.domain.bill_reading.roles import Role, is_sum, role_of, types_in
from prorata.domain.bill_reading.texts import plain
from prorata.domain.bill_reading.words import Cell, Place, Row, cell_of

_LONGEST_LABEL = 9
"""Words: what is longer is a sentence, which speaks of amounts but lists none."""
_LONGEST_AMOUNT = 4
"""Words that one amount is written in: `- 1 234,50 €`."""
_LEADERS, _SHORTEST_LEADER = " .…_·-", 3
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_MEASURE = re.compile(
    r"(kwh|kw|m3|m³|ccf|hcf|cf|gal|gallons|kgal|therms?|mcf|days?|tage?|jours?|dias?|x|@|mbit/s|units?|stk?\.?|usd|eur|gbp"
    r"|[$€£%]|ct|c€|cent|/|per|je|par|por|[0-9.,*×-]+| )+"
)
_QUANTITY = re.compile(r"[0-9.,]+ ?(kwh|kw|m3|m³|ccf|hcf|cf|gal|kgal|therms?|mcf)", re.IGNORECASE)
_HEADING = 7
"""Words that a heading has at most."""
_FOR_ALL = re.compile(
    r"(other|additional|further|misc\w*|general|common|account) (charges|fees|items|services)\b|taxes\b|fees\b"
    r"|adjustments\b|sonstige|weitere|zusatzlich|steuern\b|abgaben\b|(autres|taxes et|frais divers)|otros|impuestos\b"
)
"""Headings of what is not of one utility."""
_METER = re.compile(r"\bmeter\b|zahler|\bcompteur|\bcontador|\bmedidor")
_METER_NUMBER = re.compile(r"[A-Za-z-]*[0-9][0-9A-Za-z-]{2,}")
_NOW = re.compile(r"\b(current|this|new)\b|aktuell|laufend|\bdiese|\bneue|\bce mois|\bcette|\bactual|\best[ea]\b")
_HEAD_LINES, _WIDE = 4, 2
"""Lines of a head; and heights of a line that part a table from what stands above it."""
_NEAR, _FAR = 15, 60
"""Lines, of all columns, within which words next to an amount are looked for; and a heading."""
_ALIGNED = 60
_INDENT = 250
"""Tenths of a point: how far edges of one column differ; and how far items are set in under their heading."""


class Piece(NamedTuple):
    """Part of a line: words, or an amount."""

    cell: Cell
    amount: Amount | None
    spoken: bool
    """Whether the amount stands within a sentence or before a measure."""


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
        size = _amount_at([word.text for word in words[at : at + _LONGEST_AMOUNT]])
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


def _amount_at(texts: Sequence[str]) -> int:
    """How many of the words, from the first, write one amount; the most that do."""
    if not texts or not re.match(r"[-+(]?[$€£A-Z0-9(+-]", texts[0].translate(str.maketrans("−–", "--"))):
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
    return bool(_LETTERS.search(text)) and not _MEASURE.fullmatch(plain(text)) and not _is_date(text)


def _is_date(text: str) -> bool:
    found = dates_in(text)
    return bool(found) and found[-1].end - found[0].start >= len(plain(text)) - 3


def money_rows(rows: Sequence[Row]) -> tuple[MoneyRow, ...]:
    """The amounts of a page's lines with their words, from top to bottom."""
    divided = [pieces_of(row) for row in rows]
    used = {piece.cell for line in divided for piece in _labels_of(line)}
    above = list(_said_above(divided, used))
    return tuple(
        row._replace(meter=above[line][0], before=row.before or above[line][1])
        for line in range(len(divided))
        for row in _of_line(divided, line, used)
    )


def _said_above(divided: Sequence[Sequence[Piece]], used: set[Cell]) -> Iterator[tuple[str, str]]:
    """For each line the meter and the heading of earlier bills that hold for it."""
    meter = before = ""
    for line in divided:
        texts = [piece.cell.text for piece in line if piece.amount is None]
        if any(_METER.search(plain(text)) for text in texts):
            meter = " ".join(number for text in texts for number in _METER_NUMBER.findall(text))
        if len(line) == len(texts) == 1 and line[0].cell not in used and len(texts[0].split()) <= _HEADING:
            role = role_of(texts[0])
            if role in (Role.CARRIED, Role.PREVIOUS) or (role is Role.ASIDE and not texts[0].endswith(".")):
                before = texts[0]
            elif role is Role.CURRENT or _NOW.search(plain(texts[0])):
                before = ""
        yield meter, before


def _labels_of(line: Sequence[Piece]) -> Iterator[Piece]:
    """The words on a line that have an amount to their right."""
    last = max((index for index, piece in enumerate(line) if piece.amount), default=-1)
    yield from (piece for piece in line[: max(last, 0)] if piece.amount is None and is_wordy(piece.cell.text))


def _of_line(divided: Sequence[Sequence[Piece]], line: int, used: set[Cell]) -> Iterator[MoneyRow]:
    label: Piece | None = None
    beside: list[Piece] = []
    """The amounts beside the label, and what stands between them."""
    for piece in divided[line]:
        if piece.amount is None and is_wordy(piece.cell.text):
            if label:
                yield from _row(divided, line, label, beside, used)
            label, beside = piece, []
            continue
        if piece.amount is None:
            beside.append(piece)
            continue
        if piece.spoken:
            if label:
                yield from _row(divided, line, label, beside, used)
            label, beside = None, []
            continue
        above = _above(divided, line, piece.cell.place)
        taken = any(one.amount for one in beside)
        if above and (label is None or _is_a_box(divided, line, piece, above, label, taken=taken)):
            yield from _row(divided, line, above, [piece], used)
        elif label:
            beside.append(piece)
    if label:
        yield from _row(divided, line, label, beside, used)


def _is_a_box(
    divided: Sequence[Sequence[Piece]], line: int, piece: Piece, above: Piece, label: Piece, *, taken: bool
) -> bool:
    """Whether an amount stands alone under its words, so that the words on its line are not about it."""
    if role_of(above.cell.text) is not Role.TOTAL:
        return False
    beside = role_of(label.cell.text) is Role.ITEM and not types_in(label.cell.text)
    return (taken or beside) and not _below(divided, line, piece.cell)


def _row(
    divided: Sequence[Sequence[Piece]], line: int, label: Piece, beside: Sequence[Piece], used: set[Cell]
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
        heading = _heading(divided, line, label.cell.place, used)
        types, from_heading = (types_in(heading.cell.text), True) if heading else (types, False)
    between = " ".join(piece.cell.text for piece in beside if piece.cell.place.right <= place.left)
    heads = [_head_of(divided, line, one) for one, _ in amounts]
    others = [one for _, one in amounts]
    rivals = () if is_shown(amount, others, between, heads) else tuple(one.cents or 0 for one in others)
    head = _head_of(divided, line, place)
    before = head if is_not_of_now(head) else ""
    yield MoneyRow(words, role, types, from_heading, amount, place, line, before=before, head=head, rivals=rivals)


def _without_leaders(words: str) -> str:
    """Words without the dots that lead the eye to an amount."""
    bare = words.rstrip(_LEADERS)
    return bare if len(words) - len(bare) >= _SHORTEST_LEADER else words


def _near_in_column(one: Place, other: Place) -> bool:
    """Whether two boxes stand above each other: they overlap, or share an edge."""
    return one.left < other.right + _ALIGNED and other.left < one.right + _ALIGNED


def _above(divided: Sequence[Sequence[Piece]], line: int, place: Place) -> Piece | None:
    """The words next above a box, when they are near."""
    height = place.bottom - place.top
    for index in range(line - 1, max(-1, line - _NEAR), -1):
        for piece in divided[index]:
            if piece.cell.place.bottom > place.top + height:
                continue
            if place.top - piece.cell.place.bottom > 2 * height:
                continue
            if _near_in_column(piece.cell.place, place):
                return piece if piece.amount is None and is_wordy(piece.cell.text) else None
    return None


def _head_of(divided: Sequence[Sequence[Piece]], line: int, place: Place) -> str:
    """The words at the head of a column of amounts, of one line or of several close above each other: they stand beside
    other words, or speak of earlier bills, and beside no amount, with no wide space between them and the amounts; ""
    for none.
    """
    top, height = place.top, place.bottom - place.top
    for number in range(line - 1, -1, -1):
        if not divided[number]:
            continue
        if top - max(one.cell.place.bottom for one in divided[number]) > _WIDE * height:
            return ""
        top = min(top, *(one.cell.place.top for one in divided[number]))
        found = _in_column(divided[number], place)
        if found and _are_facts([one.cell.text for one in divided[number]]):
            return ""
        if found:
            is_beside = len(divided[number]) > 1 or is_of_before(found.cell.text)
            is_head = is_beside and not any(one.amount for one in divided[number])
            return " ".join([*_over(divided, number, found), found.cell.text]) if is_head else ""
    return ""


def _are_facts(texts: Sequence[str]) -> bool:
    """Whether a line is one of facts, such as an address beside its label, and no head."""
    has_figures = any(letter.isdigit() for text in texts for letter in text)
    return has_figures and any(label_of(text) or any(True for _ in label_within(text)) for text in texts)


def _over(divided: Sequence[Sequence[Piece]], line: int, piece: Piece) -> list[str]:
    """The words right above the last line of a head, from the top."""
    words: list[str] = []
    for number in range(line - 1, max(-1, line - _HEAD_LINES), -1):
        above = _in_column(divided[number], piece.cell.place)
        if above is None or 2 * (piece.cell.place.top - above.cell.place.bottom) > piece.cell.height:
            break
        words.insert(0, above.cell.text)
        piece = above
    return words


def _in_column(pieces: Sequence[Piece], place: Place) -> Piece | None:
    """The words of a line that stand in a column."""
    near = (one for one in pieces if one.amount is None and _near_in_column(one.cell.place, place))
    return next(
        (one for one in near if _LETTERS.search(one.cell.text) and not _QUANTITY.fullmatch(one.cell.text)), None
    )


def _below(divided: Sequence[Sequence[Piece]], line: int, cell: Cell) -> bool:
    """Whether another amount stands close below."""
    return any(
        piece.amount is not None
        and _near_in_column(piece.cell.place, cell.place)
        and piece.cell.place.top - cell.place.bottom < 2 * cell.height
        for index in range(line + 1, min(len(divided), line + _NEAR))
        for piece in divided[index]
    )


def _heading(divided: Sequence[Sequence[Piece]], line: int, label: Place, used: set[Cell]) -> Piece | None:
    """The nearest heading above that names a utility, with no sum between it and the line."""
    for index in range(line - 1, max(-1, line - _FAR), -1):
        for piece in divided[index]:
            place = piece.cell.place
            if not (-_ALIGNED <= label.left - place.left <= _INDENT) or piece.amount is not None:
                continue
            words = piece.cell.text
            if piece.cell in used:
                if is_sum(words) or role_of(words) in (Role.TOTAL, Role.CURRENT, Role.CARRIED):
                    return None
                continue
            if len(words.split()) <= _HEADING and types_in(words):
                return piece
            if _FOR_ALL.match(plain(words)):
                return None
    return None
