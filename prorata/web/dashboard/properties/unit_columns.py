"""The columns of a file of units, as a page asks about them, and its first rows as they were read."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from prorata.actions.properties.property_imports import HousesReport, UnitsFile
from prorata.domain.files.cells import Cell
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.sheets import together
from prorata.domain.intake.unit_tables import FIELDS
from prorata.domain.problems import Problem, shown
from prorata.domain.properties.unit_files import FileUnit
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.ports import Forms

ROWS_SHOWN, EXAMPLES, ROWS_WITH_EXAMPLES, LINE_SHOWN = 10, 3, 50, 80
FIELD_NAMES = {
    "label": "Unit",
    "tenantName": "Tenant",
    "sqft": say("Floor area"),
    "occupants": say("How many people live there"),
    "tenantEmail": say("Tenant’s e-mail address"),
    "moveInDate": say("Tenant’s first day"),
    "moveOutDate": say("Tenant’s last day"),
    "bedrooms": say("Bedrooms"),
    "monthlyRent": say("Rent for a month"),
    "activeFrom": say("First day of the unit"),
    "property": "Property",
    "streetNumber": say("House number"),
    "street": say("Street"),
    "city": say("City"),
    "state": say("State"),
    "zip": say("ZIP or postal code"),
    "country": say("Country code"),
}
"""What people call the columns of a file of units."""


class Column(NamedTuple):
    """A column of a file: its name, what stands in it first, and what it means so far."""

    place: int
    name: str
    examples: tuple[str, ...]
    field: str


class ReadRow(NamedTuple):
    """A unit with one of its tenants, or nobody, as it was read."""

    line: int
    house: str
    unit: str
    tenant: str
    size: str
    people: str
    email: str
    since: str


def said_in(typed: Mapping[str, str], header: Sequence[str]) -> ColumnMapping:
    """What a form says of the columns of a header. What it doesn't offer counts as nothing."""
    chosen = {key: typed.get(f"column.{place}", "") for place, key in enumerate(keys_of(header)) if key}
    return ColumnMapping({key: field if field in FIELDS else "" for key, field in chosen.items()})


def written(said: ColumnMapping) -> str:
    """What somebody said, as a page holds it."""
    return msgspec.json.encode(said.fields).decode()


def unwritten(held: str) -> ColumnMapping | None:
    """What a page held. Raises `InvalidRequest`."""
    try:
        return ColumnMapping(msgspec.json.decode(held, type=dict[str, str])) if held else None
    except msgspec.DecodeError:
        raise InvalidRequest.because([Problem("file", say("Choose the file again."))]) from None


def shown_of(
    file: UnitsFile, report: HousesReport, units: Sequence[tuple[str, FileUnit]], write: Forms
) -> dict[str, Any]:
    """What the page shows of a file that was looked at."""
    table = file.table
    return {
        "columns": [
            Column(place, shown(name.strip()), _examples(file, place), table.fields[place])
            for place, name in enumerate(table.header)
        ],
        "names": FIELD_NAMES,
        "problems": together(report.problems),
        "vacant": sum(not unit.tenants for _, unit in units),
        "read_rows": [row for house, unit in units[:ROWS_SHOWN] for row in _rows(house, unit, write)][:ROWS_SHOWN],
    }


def _rows(house: str, unit: FileUnit, write: Forms) -> list[ReadRow]:
    size = write.number(Fraction(unit.sqft)) if unit.sqft is not None else ""
    if not unit.tenants:
        return [ReadRow(unit.line, house, unit.label, "", size, "", "", "")]
    return [
        ReadRow(
            one.line, house, unit.label, one.name, size, write.count(1 if one.occupants is None else one.occupants),
            one.email or "", write.day(one.move_in) if one.move_in else "",
        )
        for one in unit.tenants
    ]  # fmt: skip


def _examples(file: UnitsFile, place: int) -> tuple[str, ...]:
    """The first different texts of a column, as they stand there."""
    rows = file.table.sheet.rows[:ROWS_WITH_EXAMPLES]
    texts = (_text(cells[place]) for _, cells in rows if place < len(cells))
    return tuple(list(dict.fromkeys(filter(None, texts)))[:EXAMPLES])


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell).strip()[:LINE_SHOWN]
