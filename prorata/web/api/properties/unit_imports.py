"""Imports of units, or of properties with their units, from a file.

A client first has the file checked, and then imports it completely.
"""

from functools import partial
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from prorata.actions.intake import column_mappings
from prorata.actions.properties import property_imports
from prorata.actions.properties.property_imports import HousesReport, UnitsFile
from prorata.domain.files.column_mappings import ColumnMapping, spelled
from prorata.domain.files.sheets import Sheet
from prorata.domain.intake.unit_tables import header_mark, understood
from prorata.domain.limits import MOST_PROBLEMS
from prorata.domain.money import in_figures
from prorata.domain.problems import Problem, shown
from prorata.domain.properties.unit_differences import OtherPeople, mark_of
from prorata.domain.properties.unit_files import FileUnit
from prorata.errors import InvalidRequest
from prorata.web.api.properties import unit_import_schemas as schemas
from prorata.web.api.properties.unit_import_schemas import UnitField, UnitFileUpload, UnitImport
from prorata.web.http.fields import is_email
from prorata.web.http.limits import MOST_UPLOAD_BYTES
from prorata.web.http.operations import FORM, Call, operation
from prorata.web.http.request_schemas import given

_UNITS_SHOWN, _EXAMPLES, _LOOKED_AT, _CELL_SHOWN = 20, 3, 100, 80
_NO_COLUMNS = 'columns must be a JSON object from names of columns to fields, such as {"Whg.": "label"}.'
_NO_MARK = "`changeDiffering` needs the `mark` of the response that showed you the differences."
Sent = Call[None, UnitFileUpload]


class _Read(NamedTuple):
    """A unit file as read, with the client's column meanings and the left-out lines."""

    file: UnitsFile
    said: ColumnMapping | None
    left_out: tuple[int, ...] = ()


def _said(body: UnitFileUpload) -> ColumnMapping | None:
    columns = given(body.columns)
    try:
        named = msgspec.json.decode(columns, type=dict[str, UnitField | None]) if columns else None
    except msgspec.DecodeError:
        raise InvalidRequest.because([Problem("columns", _NO_COLUMNS)]) from None
    return ColumnMapping({spelled(name): field or "" for name, field in named.items()}) if named else None


def _read(call: Sent) -> _Read:
    """Read the file, without lines that have problems if the client wants them left out.

    Raises `InvalidRequest` if the file can't be read.
    """
    assert call.sheet is not None, "the form's file is read as a table"
    body, column_mapping = call.body, _said(call.body)
    known = column_mappings.remembered_units(call.tx, call.caller, call.sheet)
    table = understood(
        known.sheet, column_mapping or known.mapping, is_of_many=not body.property_id, country=known.country
    )
    file = UnitsFile(table, is_email)
    good = property_imports.good_rows(file, _look(call, file), partial(_look, call)) if body.leave_out else None
    return _Read(good[0], column_mapping, good[1]) if good else _Read(file, column_mapping)


def _look(call: Sent, file: UnitsFile) -> HousesReport:
    """Import the file as a trial that stores nothing, and return the import's report."""
    return property_imports.bring(call.tx, call.caller, file, call.body.property_id or None, dry_run=True)


def _shown(call: Sent, read: _Read, report: HousesReport) -> UnitImport:
    table = read.file.table
    found = property_imports.read_of(call.tx, call.caller, read.file, call.body.property_id or None)
    units = [(house.name, unit) for house in found.houses for unit in house.units]
    return UnitImport(
        columns=[
            schemas.FileColumn(
                name=shown(name.strip()),
                field=field or None,  # type: ignore[arg-type]
                examples=_examples(table.sheet, at),
            )
            for at, (name, field) in enumerate(zip(table.header, table.fields, strict=True))
        ],
        header_line=table.sheet.header_line,
        properties=report.properties,
        units=report.units,
        tenants=report.tenants,
        skipped=report.skipped,
        changed=report.changed,
        left_out=list(read.left_out),
        differs=[
            schemas.FileDifference(
                line=one.line, property=one.property, unit=one.unit, tenant=one.tenant or None, field=one.column,
                here=one.here, in_file=one.there,
            )
            for one in report.differs
        ],
        people=[_other_people(one) for one in report.people],
        mark=mark_of(report.differs) or None,
        problems=[schemas.FileRowProblem(**one._asdict()) for one in report.problems],
        read=[_unit(house, unit) for house, unit in units[:_UNITS_SHOWN]],
        taken=[
            schemas.FileRowsTaken(line=taken.line, property=taken.name, lines=list(taken.lines))
            for taken in table.taken
        ],
        repeats=[schemas.FileRepeat(line=repeat.line, above=repeat.above) for repeat in found.repeats],
        unclear=list(table.unclear),
    )  # fmt: skip


def _examples(sheet: Sheet, place: int) -> list[str]:
    """Return the first few different values of a column."""
    cells = (row[place] for _, row in sheet.rows[:_LOOKED_AT] if place < len(row))
    texts = (str(cell).strip()[:_CELL_SHOWN] for cell in cells if cell is not None)
    return list(dict.fromkeys(filter(None, texts)))[:_EXAMPLES]


def _other_people(others: OtherPeople) -> schemas.FileOtherPeople:
    stay, gone = (
        [schemas.FileResident(id=one.id, name=one.name, move_out_date=one.last) for one in its]
        for its in (others.stay, others.gone)
    )
    return schemas.FileOtherPeople(
        line=others.line, property=others.property, unit=others.unit, named=list(others.named), stay=stay,
        added=list(others.added), gone=gone, effect=others.effect(),
    )  # fmt: skip


def _unit(house: str, unit: FileUnit) -> schemas.FileUnitRead:
    return schemas.FileUnitRead(
        line=unit.line,
        property=house,
        label=unit.label,
        sqft=unit.sqft,
        bedrooms=unit.bedrooms,
        monthly_rent=None if unit.monthly_rent is None else in_figures(unit.monthly_rent),
        active_from=unit.active_from.isoformat() if unit.active_from else None,
        tenants=[
            schemas.FileTenantRead(
                name=tenant.name,
                email=tenant.email,
                move_in_date=tenant.move_in.isoformat() if tenant.move_in else None,
                move_out_date=tenant.move_out.isoformat() if tenant.move_out else None,
                occupants=tenant.occupants,
            )
            for tenant in unit.tenants
        ],
    )


@operation(
    "POST", "/unit-imports/check", summary="Look at a file of units", body=UnitFileUpload, takes=FORM, table="units",
    most_bytes=MOST_UPLOAD_BYTES, answer=UnitImport, status=200, missing=("property",), undone=True,
    also_needs=("tenants:read",),
    conflict="A property would have too many units.",
)  # fmt: skip
def check_unit_file(call: Sent) -> UnitImport:
    """Check a unit file without importing anything.

    The answer shows how the columns and rows are read, the records that an import would add, and the problems of
    the file.
    """
    read = _read(call)
    return _shown(call, read, _look(call, read.file))


@operation(
    "POST", "/unit-imports", summary="Import a file of units", body=UnitFileUpload, takes=FORM, table="units",
    most_bytes=MOST_UPLOAD_BYTES, answer=UnitImport, status=200, missing=("property",), also_needs=("tenants:write",),
    conflict="A property would have too many units, or the differences have changed since you saw them.",
)  # fmt: skip
def import_units(call: Sent) -> UnitImport:
    """Import from a file the properties, units and tenants that don't exist yet.

    Either all of them are imported or, if the file has a problem, none.

    If you import the same file twice, the second import adds nothing. Existing records that differ from the file
    stay unchanged, unless you ask to change them and send the `mark` of a check.
    """
    _refuse_unseen(call.body)
    body, read = call.body, _read(call)
    report = property_imports.bring(
        call.tx, call.caller, read.file, body.property_id or None, dry_run=False, take=body.change_differing,
        seen=given(body.mark),
    )  # fmt: skip
    _refuse(report)
    if body.remember and read.said:
        column_mappings.remember(call.tx, call.caller, read.file.table.header, read.said, header_mark)
    return _shown(call, read, report)


def _refuse_unseen(body: UnitFileUpload) -> None:
    """Raise `InvalidRequest` if existing records are to be changed without a check's `mark`.

    The mark proves that the client has seen how these records differ from the file.
    """
    if body.change_differing and body.mark is UNSET:
        raise InvalidRequest.because([Problem("mark", _NO_MARK)])


def _refuse(report: HousesReport) -> None:
    """Raise `InvalidRequest` if the file has problems, with the line of each."""
    if report.problems:
        raise InvalidRequest.because(
            [Problem("file", schemas.in_its_line(problem)) for problem in report.problems[:MOST_PROBLEMS]]
        )
