"""Reading spreadsheets with another program's names for properties, units and tenants."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prorata.domain.exports.charge_exports import name_problem
from prorata.domain.exports.charge_layouts import Asked, Layout
from prorata.domain.files.cell_values import read_text
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_mappings import spelled
from prorata.domain.files.sheets import RowProblem, Sheet
from prorata.domain.limits import LONGEST_CHARGE_NAME_CELL, MOST_CHARGE_NAME_ROWS
from prorata.domain.problems import shown
from prorata.domain.texts import Count, say

_PROPERTY = frozenset(("property", "propertyname", "ourproperty", "building", "house"))
_UNIT = frozenset(("unit", "unitname", "unitnumber", "ourunit", "label", "apartment", "apt", "flat"))
OURS: Mapping[str, frozenset[str]] = {"property": _PROPERTY, "unit": _UNIT}
"""The names of the columns that identify our property and our unit in a row."""


class NamesLine(NamedTuple):
    """A row of the file: a property or unit, with the other program's names."""

    line: int
    property: str
    unit: str
    names: Mapping[str, str]


class ReadNames(NamedTuple):
    """The rows of a file, and all of its problems."""

    lines: tuple[NamesLine, ...]
    problems: tuple[RowProblem, ...]


def known_columns(cells: Sequence[Cell]) -> int:
    """Count how many of Prorata's own columns (property and unit) a row of titles contains.

    >>> known_columns(("Property Name", "Unit Name", "Occupancy UID")), known_columns(("Maple Court", "1A"))
    (2, 0)
    """
    names = {spelled(cell) for cell in cells if isinstance(cell, str)}
    return sum(bool(names & known) for known in OURS.values())


def read_names(sheet: Sheet, layout: Layout, *, names_property: bool) -> ReadNames:
    """Read the other program's names from a file.

    A row is for a property, or for a unit and its tenant. Columns are found by their titles. If a single column
    contains both Prorata's and the other program's name for a record, the two names are the same. Empty cells are
    ignored. `names_property` is true if each row has to name its property.
    """
    ours = {name: _place(sheet, known) for name, known in OURS.items()}
    asked_places = ((asked, _theirs(sheet, asked)) for asked in layout.asked_of("property", "unit", "tenant"))
    theirs = {asked: place for asked, place in asked_places if place is not None}
    wrong = _wrong_with_columns(sheet, layout, theirs, lacks_property=names_property and ours["property"] is None)
    if wrong:
        return ReadNames((), (RowProblem(sheet.header_line, None, wrong),))
    problems: list[RowProblem] = []
    lines: list[NamesLine] = []
    for line, cells in sheet.rows:
        try:
            texts = {name: _text(sheet, line, cells, place) for name, place in ours.items()}
            names = {asked: _name(layout, asked, sheet, line, cells, place) for asked, place in theirs.items()}
        except _At as at:
            problems.append(at.problem)
            continue
        kinds = ("property", "unit", "tenant") if texts["unit"] else ("property",)
        names_by_field = {asked.field: name for asked, name in names.items() if name and asked.of in kinds}
        if names_by_field:
            lines.append(NamesLine(line, texts["property"], texts["unit"], names_by_field))
    if not lines and not problems:
        problems.append(RowProblem(sheet.header_line, None, say("There are no names below the header.")))
    return ReadNames(tuple(lines), tuple(problems))


def _wrong_with_columns(
    sheet: Sheet, layout: Layout, theirs: Mapping[Asked, int], *, lacks_property: bool
) -> str | None:
    """Explain why a file can't be read at all, in a sentence."""
    if lacks_property:
        return say("There is no column called property. Give that name to the column that contains the properties.")
    if not theirs:
        wanted = ", ".join(asked.column for asked in layout.asked_of("property", "unit", "tenant"))
        return say(
            "None of the columns is for {title}’s names. Use these headings for the columns with those names: "
            "{wanted}.",
            title=layout.title,
            wanted=wanted,
        )
    if len(sheet.rows) > MOST_CHARGE_NAME_ROWS:
        return say("A file of names can have at most {f} rows. Split it.", f=Count(MOST_CHARGE_NAME_ROWS))
    return None


def _place(sheet: Sheet, known: frozenset[str]) -> int | None:
    return next((place for place, name in enumerate(sheet.header) if spelled(name) in known), None)


def _theirs(sheet: Sheet, asked: Asked) -> int | None:
    """Find the column that contains the other program's name of a record.

    The column titles that the layout lists for this name are tried in order, and then the name's own title.
    """
    for called in (*asked.columns, asked.title):
        place = _place(sheet, frozenset((spelled(called),)))
        if place is not None:
            return place
    return None


class _At(Exception):
    """Raised if a cell has a problem; `problem` states the cell's line and column."""

    def __init__(self, sheet: Sheet, line: int, place: int, says: str) -> None:
        super().__init__(says)
        self.problem = RowProblem(line, shown(sheet.header[place].strip()) or None, says)


def _text(sheet: Sheet, line: int, cells: Sequence[Cell], place: int | None) -> str:
    """Read a cell as text; an empty cell is "".

    Raises `_At` if the cell is not text.
    """
    if place is None or place >= len(cells):
        return ""
    try:
        return read_text(cells[place], LONGEST_CHARGE_NAME_CELL) or ""
    except Unclear as unclear:
        raise _At(sheet, line, place, str(unclear)) from None


def _name(layout: Layout, asked: Asked, sheet: Sheet, line: int, cells: Sequence[Cell], place: int) -> str:
    """Read a name; an empty cell is "".

    Raises `_At` if the name is invalid.
    """
    name = _text(sheet, line, cells, place)
    wrong = name_problem(layout, asked, name) if name else None
    if wrong is not None:
        raise _At(sheet, line, place, wrong)
    return name
