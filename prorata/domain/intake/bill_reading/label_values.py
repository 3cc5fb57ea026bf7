"""Labels on a bill, with values to the right, below, or in the same cell."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from prorata.domain.intake.bill_reading.dates import Written, dates_in
from prorata.domain.intake.bill_reading.fact_context import (
    MOST_FACTS,
    Headed,
    headed,
    is_beside_a_bank,
    is_under_a_former_bill,
    section_of,
)
from prorata.domain.intake.bill_reading.labels import FactName, Label, label_of, label_within, likely_labels
from prorata.domain.intake.bill_reading.numbers import read_amount
from prorata.domain.intake.bill_reading.text_folding import as_label, has_figures, plain
from prorata.domain.intake.bill_reading.words import ALIGNED, LETTERS, Cell, Place, Row, around

_NUMBER = re.compile(r"[A-Za-z]{0,6}[-/. ]?[A-Z]*+[0-9][A-Z0-9]*+(?:[-/. ][A-Z0-9]++)*+", re.ASCII)
_PHONE = re.compile(r"(?:\+|1-)[0-9 ()/-]{8,}|1?[- ]?\(?8[0-9]{2}\)?[- ][0-9]{3}-[0-9]{4}")
_FEWEST_DIGITS, _LONGEST_NUMBER = 3, 34
_FIRST_AND_LAST = 2
"""The number of dates in a service period: its first and last day."""
_MASK = re.compile(r"[*#•●·]{2}|[xX]{2}|^ *[*•●·] ?(?=[0-9])")
_AROUND = " *#:•●·"
"""The characters that may surround the digits of a number, including masking characters."""
_PART = re.compile(r"[-/.]|[-/. ]?(?:[A-Z]|[A-Z]{0,2}[0-9][A-Z0-9]*)(?:[-/. ][A-Z0-9]+)*", re.ASCII)
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
_DASH = re.compile(" [–—-] ")
_NEAR = 15
"""The number of lines, of all columns, in which a label's value is looked for."""
_BETWEEN = re.compile(
    r"[\s\W]*(?:(?:to|through|thru|until|and|bis|zum|au|jusqu'au|al|a|hasta|el|days?|from|von|vom|du|del|desde)\b[\s\W]*)*"
)


class Beside(NamedTuple):
    """A label and its value.

    `sole` means that no other value can belong to the label. `under` is the place of the heading above the label
    if the meaning of this heading is unknown.
    """

    label: Label
    text: str
    place: Place
    sole: bool
    under: Place | None = None


def beside_labels(pages: Sequence[Sequence[Row]]) -> tuple[Beside, ...]:
    """Find every label on the pages of a document, together with its value."""
    every = [labelled for rows in pages for labelled in _on_page(rows)]
    below: dict[Place, set[FactName]] = {}
    for labelled in every:
        if labelled.under and (not labelled.label.likely or labelled.label.fact == "accountNumber"):
            below.setdefault(labelled.under, set()).add(labelled.label.fact)
    ours = {place for place, facts in below.items() if len(facts) >= MOST_FACTS and "accountNumber" in facts}
    return tuple(
        labelled._replace(sole=labelled.sole and (labelled.under is None or labelled.under in ours))
        for labelled in every
    )


def _on_page(rows: Sequence[Row]) -> Iterator[Beside]:
    page = headed(rows)
    for line, row in enumerate(rows):
        for column, cell in enumerate(row):
            below = _cell_below(rows, line, cell)
            whole = label_of(cell.text) or (below and _wrapped(cell, below))
            if whole:
                values = [other for other in row[column + 1 :] if other.text.strip(" :")]
                rivals = _rivals(whole, values) or _further_below(rows, line, whole, values, below)
                for labelled in _pointed_at(whole, values[0] if values else None, below):
                    is_twice = any(as_label(other.text) == as_label(labelled.text) for other in values[1:])
                    yield _judged(page, line, cell, labelled._replace(sole=labelled.sole and not rivals), is_twice)
                yield from (Beside(whole, other.text, other.place, sole=False) for other in rivals)
            else:
                for label, rest in label_within(cell.text):
                    place = _place_of_end(cell, rest)
                    if fits(label.fact, rest):
                        yield _judged(page, line, cell, Beside(label, rest, place, sole=True))
                yield from _likely(row, column, below)


def _judged(page: Headed, line: int, cell: Cell, labelled: Beside, is_twice: bool = False) -> Beside:
    """Lower the certainty of a label's value if its surroundings raise doubts.

    The value is no longer `sole` if it may belong to another bill, if it may be a bank account, or if it is only
    the beginning of a longer value. `is_twice` means that the label has two values, one for each of two bills; a
    column heading that names a former bill is then no reason for doubt.
    """
    rows, section = page.rows, section_of(page, line, cell, labelled.label.fact)
    is_of_another = (
        section.is_other
        or (not is_twice and is_under_a_former_bill(rows, line, labelled.place))
        or (labelled.label.fact == "accountNumber" and is_beside_a_bank(rows, line, cell))
    )
    is_part = _goes_on(rows[line : line + _NEAR], labelled) or _is_masked_or_divided(
        rows[line : line + _NEAR], labelled
    )
    sole = labelled.sole and not is_of_another and not is_part
    return labelled._replace(sole=sole, under=section.unknown)


def _rivals(label: Label, values: Sequence[Cell]) -> list[Cell]:
    """List further cells to the right of a label that may contain its value.

    Their values may belong to a previous bill or another service. A cell doesn't count if it has the same value as
    the nearest cell, or if it follows words that may be its own label.
    """
    if label.fact in ("serviceAddress", "payee") or not values or not fits(label.fact, values[0].text):
        return []
    return [
        value
        for before, value in pairwise(values)
        if fits(label.fact, value.text)
        and fits(label.fact, before.text)
        and as_label(value.text) != as_label(values[0].text)
    ]


def _further_below(
    rows: Sequence[Row], line: int, label: Label, values: Sequence[Cell], below: Cell | None
) -> list[Cell]:
    """Look for a second, different value further below a label.

    For example, the upper value may be the previous bill's, and the lower one this bill's. The list is empty or
    has one cell.
    """
    is_below = below is not None and fits(label.fact, below.text) and not (values and fits(label.fact, values[0].text))
    if below is None or not is_below or label.fact in ("serviceAddress", "payee"):
        return []
    for row in rows[line + 1 : line + _NEAR]:
        for cell in row:
            place = cell.place
            is_aligned = min(abs(place.left - below.place.left), abs(place.right - below.place.right)) <= ALIGNED
            if place.top <= below.place.bottom or not is_aligned:
                continue
            if not fits(label.fact, cell.text):
                return []
            if as_label(cell.text) != as_label(below.text):
                return [cell]
    return []


def _likely(row: Row, column: int, below: Cell | None) -> Iterator[Beside]:
    """Yield the likely values of a cell's text, which resembles a known label.

    A value may be at the end of the cell, to the right of the cell or below it.
    """
    cell = row[column]
    start, rest = divided(cell.text)
    if rest:
        for label in likely_labels(start):
            if fits(label.fact, rest):
                yield Beside(label, rest, _place_of_end(cell, rest), sole=False)
    else:
        right = row[column + 1] if column + 1 < len(row) else None
        for label in likely_labels(cell.text):
            yield from _pointed_at(label, right, below)


def _goes_on(rows: Sequence[Row], labelled: Beside) -> bool:
    """True if a value's number or date may continue in the line below.

    Digits just below the value continue it, unless words precede them.
    """
    place = labelled.place
    if labelled.label.fact in ("serviceAddress", "payee"):
        return False
    height = place.bottom - place.top
    for row in rows:
        for column, cell in enumerate(row):
            near = -height <= 2 * (cell.place.top - place.bottom) <= 2 * height and cell.place.top > place.top
            aligned = min(abs(cell.place.left - place.left), abs(cell.place.right - place.right)) <= ALIGNED
            figures = has_figures(cell.text) and not re.search(r"[^\W\d_]{4}", cell.text)
            if near and aligned and figures and not any(LETTERS.search(other.text) for other in row[:column]):
                return True
    return False


def _is_masked_or_divided(rows: Sequence[Row], labelled: Beside) -> bool:
    """True if an account or bill number is incomplete.

    Some of its digits are masked, or more digits follow on its line in a column that has no heading.
    """
    if labelled.label.fact not in ("accountNumber", "billNumber"):
        return False
    if _MASK.search(labelled.text):
        return True
    row = next(
        (
            row
            for row in rows
            if row[-1].place.top <= labelled.place.bottom and any(_holds(cell, labelled) for cell in row)
        ),
        (),
    )
    after = [cell for cell in row if cell.place.left >= labelled.place.right]
    text = after[0].text if after else ""
    is_part = bool(_PART.fullmatch(text)) and as_label(text) != as_label(labelled.text)
    if not is_part or read_amount(text) or dates_in(text):
        return False
    place = after[0].place
    heads = (cell for other in rows[: rows.index(row)] for cell in other)
    return not any(cell.place.left < place.right and place.left < cell.place.right for cell in heads)


def _holds(cell: Cell, labelled: Beside) -> bool:
    there = cell.place
    return (
        there.top <= labelled.place.top
        and there.bottom >= labelled.place.bottom
        and there.right == labelled.place.right
    )


def divided(text: str) -> tuple[str, str]:
    """Split a cell at its colon or spaced dash; the second part may be empty.

    >>> divided("Paid by – 1 May"), divided("No.: 7"), divided("INV-7")
    (('Paid by', '1 May'), ('No.', '7'), ('INV-7', ''))
    """
    start, _, rest = _DASH.sub(": ", text).partition(":")
    return start.strip(), rest.strip()


def _wrapped(cell: Cell, below: Cell) -> Label | None:
    """Return the label that begins in a cell and continues in the cell below.

    Return None if there is no such label.
    """
    close = below.place.top - cell.place.bottom <= cell.height and abs(below.place.left - cell.place.left) <= ALIGNED
    return label_of(f"{cell.text} {below.text}") if close else None


def _place_of_end(cell: Cell, rest: str) -> Place:
    """Return the box around the last words of a cell, which are the text `rest`."""
    count = max(1, min(len(rest.split()), len(cell.words)))
    return around(word.place for word in cell.words[-count:])


def _pointed_at(label: Label, right: Cell | None, below: Cell | None) -> Iterator[Beside]:
    """Yield the value to the right of a label, or else the value below.

    The value is uncertain if there are values in both places, unless the one on the right clearly belongs to the
    label.
    """
    is_below = below is not None and fits(label.fact, below.text)
    is_right = right is not None and fits(label.fact, right.text) and not (is_below and _is_a_head(label, right.text))
    if is_right and right is not None:
        yield Beside(label, right.text, right.place, sole=not is_below or _is_labelled(label, right, below))
    elif is_below and below is not None:
        yield Beside(label, below.text, below.place, sole=True)


def _is_a_head(label: Label, text: str) -> bool:
    """True if the text right of an address label is a heading, not an address.

    An address contains a house number, so a text without digits is taken for a heading.
    """
    return label.fact == "serviceAddress" and not has_figures(text)


def _is_labelled(label: Label, right: Cell, below: Cell | None) -> bool:
    """True if the value to the right of a label clearly belongs to the label.

    The values of service addresses and payees always do. Any other value does if the cell below the label doesn't
    begin to the left of the value.
    """
    return label.fact in ("serviceAddress", "payee") or (below is not None and below.place.left >= right.place.left)


def _cell_below(rows: Sequence[Row], line: int, cell: Cell) -> Cell | None:
    """Find the next near cell below that is aligned (left, right or centered) with `cell`."""
    place = cell.place
    for row in rows[line + 1 : line + _NEAR]:
        for other in row:
            there = other.place
            if there.top < place.bottom - cell.height or there.top - place.bottom > 2 * cell.height + ALIGNED:
                continue
            aligned = min(
                abs(there.left - place.left),
                abs(there.right - place.right),
                abs(there.left + there.right - place.left - place.right),
            )
            if aligned <= ALIGNED:
                return other
    return None


def fits(fact: FactName, text: str) -> bool:
    """True if a text has the form of a fact's value, such as a date.

    >>> fits("accountNumber", "4417-2231"), fits("accountNumber", "03/14/2026"), fits("billDate", "March 14, 2026")
    (True, False, True)
    """
    match fact:
        case "accountNumber" | "billNumber":
            return _is_number(text)
        case "billDate" | "dueDate" | "servicePeriodStart" | "servicePeriodEnd":
            return len(dates := dates_in(text)) == 1 and _rest_is_nothing(text, dates)
        case "servicePeriod":
            return len(dates := dates_in(text)) == _FIRST_AND_LAST and _rest_is_nothing(text, dates)
        case "serviceAddress":
            return bool(LETTERS.search(text)) and label_of(text) is None and not dates_in(text)
        case "payee":
            return bool(re.search(r"[^\W\d_]{3}", text)) and label_of(text) is None


def _is_number(text: str) -> bool:
    written = text.strip(_AROUND)
    digits = sum(character.isdigit() for character in written)
    return (
        digits >= _FEWEST_DIGITS
        and len(written) <= _LONGEST_NUMBER
        and bool(_NUMBER.fullmatch(written))
        and not _PHONE.fullmatch(written)
        and not _IBAN.fullmatch(written.replace(" ", ""))
        and read_amount(written) is None
        and not dates_in(written)
    )


def _rest_is_nothing(text: str, dates: Sequence[Written]) -> bool:
    """True if the text consists only of dates, connecting words and a number of days."""
    bare = re.sub(r"\(?[0-9]{1,3} (?:days|tage|jours|dias)\)?", "", plain(text))
    if bare != plain(text):
        dates = dates_in(bare)
    parts = [bare[: dates[0].start], *(bare[written.end : two.start] for written, two in pairwise(dates))]
    return all(_BETWEEN.fullmatch(part) for part in [*parts, bare[dates[-1].end :]])
