"""The columns of an uploaded file, and the form that asks for their meanings."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import msgspec

from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.column_names import utilities_without_type
from prorata.domain.files.grouped_problems import ProblemOfRows, of_rows
from prorata.domain.files.number_formats import MARKS, ORDERS
from prorata.domain.files.sheets import RowProblem, Sheet, first_rows, is_blank, names_of
from prorata.domain.labels import same
from prorata.domain.problems import Problem, shown
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.ports import Forms
from prorata.web.http.limits import LONGEST_TABLE_ANSWER

EXAMPLES, LOOKED_AT, CELL_SHOWN, FIRST_ROWS = 3, 100, 80, 10


class Column(NamedTuple):
    """A column of a file: its name, first values, and current meaning."""

    place: int
    name: str
    examples: tuple[str, ...]
    field: str


class ShownProblem(NamedTuple):
    """A problem in lines of a file, and what the file has there.

    `rows` are the first texts of these lines, such as names of properties, and `cells` the texts in the column with the
    problem. Of several different texts, only the first few are listed.
    """

    where: str
    rows: tuple[str, ...]
    column: str | None
    cells: tuple[str, ...]
    message: str


def problems_of(problems: Sequence[RowProblem], sheet: Sheet, write: Forms) -> list[ShownProblem]:
    """Group the problems of a file, and add what it has in their rows."""
    lines = {problem.line for problem in problems}
    rows = {line: cells for line, cells in sheet.rows if line in lines}
    places = {shown(name.strip()): place for place, name in reversed(list(enumerate(sheet.header)))}

    def said(one: ProblemOfRows) -> ShownProblem:
        those = [rows.get(line, ()) for line in one.lines]
        place = places.get(one.column or "", len(sheet.header))
        firsts = (next((cell for cell in cells if not is_blank(cell)), None) for cells in those if place)
        read = (cells[place] for cells in those if place < len(cells))
        names, texts = (_first_few(cell_text(cell, write) for cell in cells) for cells in (firsts, read))
        return ShownProblem(one.where, names, one.column, texts, one.message)

    return [said(one) for one in of_rows(problems)]


def columns_of(sheet: Sheet, fields: Sequence[str | None], write: Forms) -> list[Column]:
    """List the columns of a file with their first values and current meanings."""
    return [
        Column(place, name.strip(), _examples(sheet, place, write), fields[place] or "")
        for place, name in enumerate(sheet.header)
    ]


def headers_as_other(sheet: Sheet, fields: Sequence[str | None]) -> tuple[str, ...]:
    """List the names of columns with amounts of services billed under OTHER, such as heating."""
    return utilities_without_type(name for name, to in zip(sheet.header, fields, strict=True) if to == "amount:OTHER")


def cells_as_other(sheet: Sheet, fields: Sequence[str | None]) -> tuple[str, ...]:
    """List the cells that name services billed under OTHER, such as heating.

    Only columns of utility types are searched.
    """
    places = [place for place, field in enumerate(fields) if field == "utilityType"]
    return utilities_without_type(row[place] for place in places for _, row in sheet.rows if place < len(row))


def lines_of(sheet: Sheet) -> list[tuple[int, str]]:
    """List the first lines of a file, from which a person chooses the header."""
    return [(line, " | ".join(filter(None, names_of(cells)))[:CELL_SHOWN]) for line, cells in first_rows(sheet)]


def first_rows_of(sheet: Sheet, write: Forms) -> list[tuple[int, list[str]]]:
    """Return a file's first rows, with their line numbers."""
    width = len(sheet.header)
    rows = [
        (line, [*(cell_text(cell, write) for cell in cells), *[""] * width]) for line, cells in sheet.rows[:FIRST_ROWS]
    ]
    return [(line, texts[:width]) for line, texts in rows]


def mapping_of(
    typed: Mapping[str, str], header: Sequence[str], fields: Collection[str], fixable: Collection[str] = ()
) -> ColumnMapping:
    """Parse the form in which a person states the meanings of a file's columns.

    `header` contains the columns' names. Each column means one of `fields` or nothing, and a field in `fixable`
    may have one value for all rows. If the form doesn't contain a column's field, the column means nothing.
    """
    chosen = {key: typed.get(f"column.{place}", "") for place, key in enumerate(keys_of(header)) if key}
    fixed = {field: typed.get(f"fixed.{field}", "").strip()[:LONGEST_TABLE_ANSWER] for field in fixable}
    decimal, dates = typed.get("decimal", ""), typed.get("dates", "")
    return ColumnMapping(
        {key: field if field in fields else "" for key, field in chosen.items()},
        {field: value for field, value in fixed.items() if value},
        decimal=decimal if decimal in MARKS else "",
        dates=dates if dates in ORDERS else "",
    )


def words_of(typed: Mapping[str, str], field: str) -> dict[str, str]:
    """Parse the form's answers about the meanings of unknown words in a column.

    `field` is the field that the column contains. The words are, for example, names of properties. The result maps each
    word to its meaning.
    """
    texts = {name.rpartition(".")[2]: text for name, text in typed.items() if name.startswith(f"text.{field}.")}
    meant = {text: typed.get(f"word.{field}.{number}", "").strip() for number, text in texts.items()}
    return {same(text)[:LONGEST_TABLE_ANSWER]: meaning[:LONGEST_TABLE_ANSWER] for text, meaning in meant.items()}


def written(mapping: ColumnMapping) -> str:
    """Convert a column mapping to the text of a hidden field."""
    return msgspec.json.encode(mapping).decode()


def unwritten(held: str) -> ColumnMapping | None:
    """Parse a column mapping from the text of a hidden field.

    Return None if the text is empty. Raises `InvalidRequest` if it is not valid.
    """
    try:
        return msgspec.json.decode(held, type=ColumnMapping) if held else None
    except msgspec.DecodeError:
        raise InvalidRequest.because([Problem("file", say("Choose the file again."))]) from None


def _examples(sheet: Sheet, place: int, write: Forms) -> tuple[str, ...]:
    """Return the first few different values of a column."""
    texts = (cell_text(row[place], write) for _, row in sheet.rows[:LOOKED_AT] if place < len(row))
    return _first_few(texts)


def _first_few(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the first few different texts that are not empty."""
    return tuple(list(dict.fromkeys(filter(None, texts)))[:EXAMPLES])


def cell_text(cell: Cell, write: Forms) -> str:
    """Format a cell's value for the reader.

    A number or date of a spreadsheet is written in the reader's locale, a text as in the file. A formula's error is
    left out.
    """
    if cell is None or isinstance(cell, Unclear):
        return ""
    if isinstance(cell, date):
        return write.short_day(cell)
    if isinstance(cell, Decimal) and cell.is_finite():
        return write.typed(cell)
    return str(cell).strip()[:CELL_SHOWN]
