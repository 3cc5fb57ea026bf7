"""The columns of a file that somebody brought: what a page shows of them, and what its form says that they mean."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from prorata.domain.files.cells import Cell
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.number_formats import MARKS, ORDERS
from prorata.domain.files.sheets import Sheet, first_rows, names_of

EXAMPLES, LOOKED_AT, CELL_SHOWN, FIRST_ROWS = 3, 100, 80, 10


class Column(NamedTuple):
    """A column of a file: its name, what stands in it first, and what it means so far."""

    place: int
    name: str
    examples: tuple[str, ...]
    field: str


def columns_of(sheet: Sheet, fields: Sequence[str | None]) -> list[Column]:
    """The columns of a file, each with what it means."""
    return [
        Column(place, name.strip(), _examples(sheet, place), fields[place] or "")
        for place, name in enumerate(sheet.header)
    ]


def lines_of(sheet: Sheet) -> list[tuple[int, str]]:
    """The lines in which the names of columns may stand, each with what it holds."""
    return [(line, " | ".join(filter(None, names_of(cells)))[:CELL_SHOWN]) for line, cells in first_rows(sheet)]


def first_rows_of(sheet: Sheet) -> list[tuple[int, list[str]]]:
    """The first rows of a file, as they stand there, each with its line."""
    width = len(sheet.header)
    rows = [(line, [*map(_text, cells), *[""] * width]) for line, cells in sheet.rows[:FIRST_ROWS]]
    return [(line, texts[:width]) for line, texts in rows]


def mapping_of(typed: Mapping[str, str], header: Sequence[str], fields: Collection[str]) -> ColumnMapping:
    """What a form says of the columns of a header. What it doesn't offer counts as nothing."""
    chosen = {key: typed.get(f"column.{place}", "") for place, key in enumerate(keys_of(header)) if key}
    decimal, dates = typed.get("decimal", ""), typed.get("dates", "")
    return ColumnMapping(
        {key: field if field in fields else "" for key, field in chosen.items()},
        decimal=decimal if decimal in MARKS else "",
        dates=dates if dates in ORDERS else "",
    )


def _examples(sheet: Sheet, place: int) -> tuple[str, ...]:
    """The first different texts of a column, as they stand there."""
    texts = (_text(row[place]) for _, row in sheet.rows[:LOOKED_AT] if place < len(row))
    return tuple(list(dict.fromkeys(filter(None, texts)))[:EXAMPLES])


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell).strip()[:CELL_SHOWN]
