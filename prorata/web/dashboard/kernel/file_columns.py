"""The columns of a file that somebody brought: what a page shows of them, and what its form says that they mean."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec

from prorata.domain.files.cells import Cell
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.number_formats import MARKS, ORDERS
from prorata.domain.files.sheets import Sheet, first_rows, names_of
from prorata.domain.labels import same
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.web.http.limits import LONGEST_TABLE_ANSWER

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


def mapping_of(
    typed: Mapping[str, str], header: Sequence[str], fields: Collection[str], fixable: Collection[str] = ()
) -> ColumnMapping:
    """What a form says of the columns of a header, and of all rows. What it doesn't offer counts as nothing."""
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
    """What a form says that texts of a field mean."""
    texts = {name.rpartition(".")[2]: text for name, text in typed.items() if name.startswith(f"text.{field}.")}
    meant = {text: typed.get(f"word.{field}.{number}", "").strip() for number, text in texts.items()}
    return {same(text)[:LONGEST_TABLE_ANSWER]: one[:LONGEST_TABLE_ANSWER] for text, one in meant.items()}


def written(said: ColumnMapping) -> str:
    """What somebody said of a file, as a page holds it."""
    return msgspec.json.encode(said).decode()


def unwritten(held: str) -> ColumnMapping | None:
    """What a page held. Raises `InvalidRequest`."""
    try:
        return msgspec.json.decode(held, type=ColumnMapping) if held else None
    except msgspec.DecodeError:
        raise InvalidRequest.because([Problem("file", say("Choose the file again."))]) from None


def _examples(sheet: Sheet, place: int) -> tuple[str, ...]:
    """The first different texts of a column, as they stand there."""
    texts = (_text(row[place]) for _, row in sheet.rows[:LOOKED_AT] if place < len(row))
    return tuple(list(dict.fromkeys(filter(None, texts)))[:EXAMPLES])


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell).strip()[:CELL_SHOWN]
