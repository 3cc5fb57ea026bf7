"""Finding the property of each row in a table of units.

A row without a property belongs to the property of an earlier row: of a heading, or of the last row that names a
property.
"""

import re
from collections.abc import Iterator, Sequence, Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from prorata.domain.files.cells import Cell
from prorata.domain.files.row_words import begins_as_sum, folded_name, is_sum, is_sum_of
from prorata.domain.files.sheets import Row, Sheet, is_blank
from prorata.domain.labels import same
from prorata.domain.problems import shown
from prorata.domain.properties import property_files, unit_files

ABOVE = "above"
"""The answer that unclear rows without a property take the property of the row above."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile(r"[0-9]+")


class Taken(NamedTuple):
    """A row that names a property, and the later rows that belong to this property.

    Both are given by their line numbers.
    """

    line: int
    name: str
    lines: tuple[int, ...]


class Housed(NamedTuple):
    """A table whose rows name their properties, as far as these can be determined.

    `unclear` are the lines that may belong to the property named above or to the one named below.
    """

    sheet: Sheet
    taken: tuple[Taken, ...] = ()
    unclear: tuple[int, ...] = ()


def housed(sheet: Sheet, *, is_of_many: bool, is_told: bool = False, skipped: AbstractSet[int] = frozenset()) -> Housed:
    """Give each row without a property the property of an earlier row.

    The table's header consists of field names. A heading is a row that names a property and no unit. If the table
    has no column of properties, it has headings only if it may have units of several properties (`is_of_many`) and
    its first row is a heading. Unclear rows get the property named above only if somebody has confirmed that
    (`is_told`). Lines that are `skipped` are left out. But if a skipped line names another property, the rows
    below that line don't belong to the property named above.

    >>> rows = ((2, ("Elm", "1")), (3, ("", "2")), (4, ("Oak", "")), (5, (None, "1")))
    >>> housed(Sheet(("property", "label"), rows), is_of_many=True)[1]
    (Taken(line=2, name='Elm', lines=(3,)), Taken(line=4, name='Oak', lines=(5,)))
    >>> [cells for _, cells in housed(Sheet(("property", "label"), rows), is_of_many=True).sheet.rows]
    [('Elm', '1'), ('Elm', '2'), ('Oak', '1')]
    """
    rows = tuple(row for row in sheet.rows if any(not is_blank(cell) for cell in row[1]))
    if "label" not in sheet.header:
        return Housed(sheet)
    if "property" not in sheet.header:
        headings = set(_headings(rows, sheet.header.index("label"))) - skipped if is_of_many else set[int]()
        if not rows or rows[0][0] not in headings:
            return Housed(sheet)
        width = len(sheet.header)
        sheet = sheet._replace(header=(*sheet.header, "property"))
        rows = tuple(_with_name(row, width, is_heading=row[0] in headings) for row in rows)
    return _Filler(sheet.header, rows, skipped, is_told=is_told).filled(sheet)


def _headings(rows: Sequence[Row], label: int) -> Iterator[int]:
    """Yield the lines of headings in a table without a column of properties.

    A heading has one text and no other cells, and the row below it has several cells. A text that resembles the
    labels of other units (column `label`), such as "Apt 2" if there is an "Apt 1", is not a heading but a unit
    without other facts.
    """
    forms = _label_forms(rows, label)
    for (line, cells), (_, below) in pairwise(rows):
        texts = [cell for cell in cells if not is_blank(cell)]
        is_text = len(texts) == 1 and isinstance(texts[0], str) and _WORD.search(texts[0]) is not None
        if is_text and _form(texts[0]) not in forms and sum(not is_blank(cell) for cell in below) > 1:
            yield line


def _label_forms(rows: Sequence[Row], label: int) -> set[str]:
    """List the forms (`_form`) of unit labels, from rows with more than a label."""
    return {
        _form(cells[label])
        for _, cells in rows
        if _is_there(cells, label) and sum(not is_blank(cell) for cell in cells) > 1
    }


def _form(cell: Cell) -> str:
    """Reduce a label to its words, with `#` in place of each number.

    >>> _form("Apt 2"), _form("12B"), _form(3)
    ('apt #', '#b', '#')
    """
    return _NUMBER.sub("#", same(str(cell)))


def _with_name(row: Row, width: int, *, is_heading: bool) -> Row:
    """Add a cell for the property to a row.

    In a heading, this is the only cell with a text.
    """
    line, cells = row
    if not is_heading:
        return line, (*_padded(cells, width)[:width], None, *cells[width:])
    text = next(str(cell).strip() for cell in cells if not is_blank(cell))
    kind, _, name = text.partition(":")
    is_named = bool(name.strip()) and property_files.field_named(kind) == "property"  # "Property: Elm"
    return line, (*[None] * width, name.strip() if is_named else text)


class _Filler:
    """The rows of a table, in which missing properties are filled in from earlier rows."""

    def __init__(self, header: Sequence[str], rows: Sequence[Row], skipped: AbstractSet[int], *, is_told: bool) -> None:
        self._rows, self._place, self._skipped, self._is_told = rows, header.index("property"), skipped, is_told
        self._label = header.index("label")
        self._of_units = [place for place, field in enumerate(header) if field in unit_files.FIELDS]
        self._of_houses = [place for place, field in enumerate(header) if field in property_files.FIELDS]
        self._forms = _label_forms(rows, self._label)
        names = ["" if self._is_sum(line, cells) else self._name(cells) for line, cells in rows]
        is_repeated = any(above and above == below for above, below in pairwise(names))
        self._is_once = not is_repeated and names.count("") * 2 >= len(names)
        self._names, self._next_names = names, names[:]
        for at in reversed(range(len(names) - 1)):
            self._next_names[at] = names[at] or self._next_names[at + 1]

    def filled(self, sheet: Sheet) -> Housed:
        """Give each row without a property the property of an earlier row."""
        found, lines, unclear = list[Row](), dict[tuple[int, str], list[int]](), list[int]()
        above: Row | None = None
        is_below_heading = False
        for at, (line, cells) in enumerate(self._rows):
            own = cells
            if line in self._skipped:
                if self._is_sum(line, cells):
                    above = above if above and self._is_sum_of(cells, above[1]) else None
                elif self._names[at]:
                    above, is_below_heading = (line, cells), False
                continue
            if self._is_heading(at):
                above, is_below_heading = (line, cells), True
                continue
            if above and (not self._names[at] or (is_below_heading and self._names[at] == self._name(above[1]))):
                is_clear = self._is_told or (
                    self._is_a_unit(cells)
                    and (is_below_heading or self._is_once or self._next_names[at] == self._name(above[1]))
                )
                if self._names[at] or is_clear:
                    own = self._with_house(cells, above[1], is_whole=is_below_heading)
                if not self._names[at]:
                    of = above[0], shown(str(above[1][self._place]).strip())
                    (lines.setdefault(of, []) if is_clear else unclear).append(line)
            elif self._names[at]:
                above, is_below_heading = (line, cells), False
            found.append((line, own))
        taken = tuple(Taken(*of, tuple(its)) for of, its in lines.items())
        return Housed(sheet._replace(rows=tuple(found)), taken, tuple(unclear))

    def _is_heading(self, at: int) -> bool:
        """True if a row names a property but no unit, and a unit follows it."""
        _, cells = self._rows[at]
        if not self._names[at] or at + 1 == len(self._rows) or any(_is_there(cells, place) for place in self._of_units):
            return False
        return _is_there(self._rows[at + 1][1], self._label) and self._names[at + 1] in ("", self._names[at])

    def _is_a_unit(self, cells: Sequence[Cell]) -> bool:
        """True if a row has more than a label, or a label like other units'.

        A row with a single other text, such as a note below the table, is not a unit.
        """
        is_label_alone = sum(not is_blank(cell) for cell in cells) == 1 and _is_there(cells, self._label)
        return not is_label_alone or _form(cells[self._label]) in self._forms

    def _is_sum(self, line: int, cells: Sequence[Cell]) -> bool:
        """True if a skipped row is a sum whose name is in the property column."""
        return line in self._skipped and self._place < len(cells) and begins_as_sum(cells[self._place])

    def _is_sum_of(self, cells: Sequence[Cell], above: Sequence[Cell]) -> bool:
        """True if a row with a sum names the property of the row `above`.

        "Total Oak St 12" does not name "Oak St 1".
        """
        return not is_sum(cells[self._place]) and is_sum_of(cells[self._place], {folded_name(self._name(above))})

    def _with_house(self, cells: tuple[Cell, ...], above: tuple[Cell, ...], *, is_whole: bool) -> tuple[Cell, ...]:
        """Fill in the property of a row from the row `above`.

        If `is_whole` is set, the other columns about the property, such as its address, are filled in too.
        """
        new = [*_padded(cells, self._place + 1)]
        for place in self._of_houses if is_whole else [self._place]:
            if place < len(above) and not _is_there(new, place):
                new = [*_padded(new, place + 1)]
                new[place] = above[place]
        return tuple(new)

    def _name(self, cells: Sequence[Cell]) -> str:
        return same(str(cells[self._place])) if _is_there(cells, self._place) else ""


def _is_there(cells: Sequence[Cell], place: int) -> bool:
    return place < len(cells) and not is_blank(cells[place])


def _padded(cells: Sequence[Cell], width: int) -> tuple[Cell, ...]:
    return (*cells, *[None] * (width - len(cells)))
