"""Imports of units, or of properties with their units, from a spreadsheet.

A person first sees a preview. Then either all records are imported, or none.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Annotated, Any, NamedTuple

from msgspec import Struct

from prorata.actions.accounts import access, accounts
from prorata.actions.intake import column_mappings
from prorata.actions.invoices import previews
from prorata.actions.properties import property_imports
from prorata.actions.properties.properties import countries_of
from prorata.actions.properties.property_imports import HousesReport, UnitsFile
from prorata.domain.files.column_mappings import ColumnMapping, is_of_header
from prorata.domain.files.grouped_problems import in_ranges
from prorata.domain.intake.unit_tables import FIELDS, UnitTable, header_mark, understood
from prorata.domain.labels import same
from prorata.domain.problems import Problem
from prorata.domain.properties.property_files import NONE_TYPED, TYPED, ReadHouses
from prorata.domain.properties.unit_differences import Effect, mark_of
from prorata.domain.texts import joined, say, say_n
from prorata.errors import DiffersMeanwhile, InvalidRequest
from prorata.ports import Forms
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard.kernel import file_columns, form_previews
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.form_bodies import chosen_file
from prorata.web.dashboard.kernel.inline_files import TOO_LARGE, packed, unpacked
from prorata.web.dashboard.kernel.list_headers import sample
from prorata.web.dashboard.kernel.pages import Answered, Ask, Download, GoTo, Shown, page
from prorata.web.dashboard.properties import unit_columns
from prorata.web.http.fields import is_email, text
from prorata.web.http.limits import (
    MOST_COLUMNS_FORM,
    MOST_PROPERTY_FILE_PROBLEMS,
    MOST_UPLOAD_BYTES,
    MOST_UPLOAD_FORM_BYTES,
)

_OF_SAMPLE = (
    "property", "streetNumber", "street", "city", "state", "zip", "country", "label", "sqft", "bedrooms", "monthlyRent",
    "tenantName", "tenantEmail", "moveInDate", "occupants",
)  # fmt: skip
_SAMPLE = (
    ("Maple Court", "12", "Main Street", "Springfield", "IL", "62701", "US", "1A", 850, 2, 1450,
     "Ann Lee", "ann@example.org", date(2025, 9, 1), 3),
    ("Maple Court", *(None,) * 6, "1A", None, None, None, "Marcus Lee", None, date(2025, 9, 1), 1),
    ("Maple Court", *(None,) * 6, "1B", 620, 1, 1150, *(None,) * 4),
)  # fmt: skip
_Chosen = Annotated[str, text(64, least=0)]


class Where(Struct, kw_only=True, forbid_unknown_fields=True):
    """The property that a file of units is for.

    If it is empty, the file itself names the properties.
    """

    property: _Chosen = ""


class Said(Where, kw_only=True):
    """The person's earlier answers about a file's columns, and the choice to remember them."""

    mapping: Annotated[str, text(MOST_COLUMNS_FORM, least=0)] = ""
    remember: bool = False


class Looked(Said, kw_only=True):
    """A file that was previewed: its name, its contents, and the person's choices.

    If `take` is set, existing records that differ from the file are changed. `differs` identifies the differences
    that the preview showed, and `left_out` the lines that it showed as left out.
    """

    name: Annotated[str, text(1_000, least=0)] = ""
    packed: Annotated[str, text(MOST_UPLOAD_FORM_BYTES)]
    take: bool = False
    differs: _Chosen = ""
    left_out: Annotated[str, text(MOST_COLUMNS_FORM, least=0)] = ""


class Held(NamedTuple):
    """A file of units that the page contains, with the person's answers about its columns."""

    name: str = ""
    packed: str = ""
    said: ColumnMapping | None = None
    remember: bool = False

    @property
    def mapping(self) -> str:
        """The person's answers about the columns, as text in the page."""
        return file_columns.written(self.said) if self.said else ""


_NO_FILE = Held()
_ADD = "/import/units/add"


@page("GET", "/import/units", may="write", query=Where)
async def units_file_page(steps: Steps) -> Answered:
    """Show the page on which a person chooses a file of units."""
    return await _shown(steps, None)


@page("GET", "/import/units/sample", may="read")
def sample_of_a_units_file(ask: Ask[None, None]) -> Download:
    """Download a sample file of units, with a header in the person's language."""
    return sample(ask, say("units"), map(unit_columns.HEADINGS.__getitem__, _OF_SAMPLE), _SAMPLE)


@page(
    "POST", "/import/units", may="write", form=Said, again=units_file_page, most_bytes=MOST_UPLOAD_FORM_BYTES
)  # fmt: skip
async def look_at_units_file(steps: Steps) -> Answered:
    """Preview the import of a file of units.

    If the person has already answered questions about a file with the same columns on this page, the answers are
    reused.
    """
    file = chosen_file(steps.files, say("Choose a file that contains units."))
    if len(file.content) > MOST_UPLOAD_BYTES:
        raise InvalidRequest.because([Problem("file", TOO_LARGE)])
    column_mapping = file_columns.unwritten(steps.form.mapping)
    rows = await _read(steps, file.content)
    if column_mapping is not None and is_of_header(column_mapping, rows.table.header):
        rows = await _read(steps, file.content, column_mapping)
    held = await steps.pools.page(lambda: packed(file.content))
    of_file = Held(file.name, held, column_mapping, remember=steps.form.remember)
    return await _shown(steps, await _looked_at(steps, rows), of_file, rows)


@page(
    "POST",
    "/import/units/columns",
    may="write",
    own_fields=True,
    again=units_file_page,
    most_bytes=MOST_UPLOAD_FORM_BYTES,
)
async def choose_unit_columns(steps: Steps) -> Answered:
    """Preview the import with the column meanings that a person has chosen.

    Nothing is stored.
    """
    return await _read_again(steps, are_columns_chosen=True)


@page(
    "POST", "/import/units/addresses", may="write", own_fields=True, again=units_file_page,
    most_bytes=MOST_UPLOAD_FORM_BYTES,
)  # fmt: skip
async def type_addresses(steps: Steps) -> Answered:
    """Preview the import with the addresses that a person has typed for new properties."""
    return await _read_again(steps, are_columns_chosen=False)


async def _read_again(steps: Steps, *, are_columns_chosen: bool) -> Answered:
    """Preview the import with everything that a person has entered on the page.

    The columns' meanings count as chosen only if a person confirmed them (`are_columns_chosen`) or changed one.
    """
    typed, caller = steps.typed, steps.caller
    content = await steps.pools.page(lambda: unpacked(typed.get("packed", "")))
    known = file_columns.unwritten(typed.get("mapping", "")) or ColumnMapping()
    before = await _read(steps, content, known)
    said = file_columns.mapping_of(typed, before.table.header, FIELDS, ("property",))
    of_columns = enumerate(before.table.fields)
    is_same = said.fixed == known.fixed and all(typed.get(f"column.{at}", field) == field for at, field in of_columns)
    if is_same and not are_columns_chosen:
        said = known
    table = (await _read(steps, content, said)).table
    with_typed = partial(_with_typed, caller=caller, before=before, table=table, chosen=_chosen(steps), typed=typed)
    rows = await steps.read(with_typed)
    said = said._replace(words=rows.typed)
    held = Held(typed.get("name", ""), typed.get("packed", ""), said, remember=typed.get("remember") == "true")
    return await _shown(steps, await _looked_at(steps, rows), held, rows)


def _with_typed(
    tx: Tx, *, caller: Caller, before: UnitsFile, table: UnitTable, chosen: str, typed: Mapping[str, str]
) -> UnitsFile:
    """Return a file with the addresses in the form, which replace those typed earlier.

    `before` is the file as the form showed it, and `table` its table as it is read now. The city for all properties
    also replaces what came from an earlier one, which the file keeps under an empty name.
    """
    read = property_imports.read_of(tx, caller, before, chosen or None)
    words = {part: _typed(typed, part, read, before.typed.get(part, {})) for part in TYPED}
    if city := typed.get(unit_columns.CITY_OF_ALL, "").strip():
        cities, former = words["city"], words["city"].get("", city)
        words["city"] = {name: text for name, text in cities.items() if text != former}
        read = property_imports.read_of(tx, caller, UnitsFile(table, is_email, words), chosen or None)
        words["city"] = cities | {"": city} | {same(house.name): city for house in read.houses if house.may_be_in(city)}
    return UnitsFile(table, is_email, words)


def _typed(typed: Mapping[str, str], part: str, read: ReadHouses, earlier: Mapping[str, str]) -> dict[str, str]:
    """Return the typed parts of the addresses of new properties, by property name."""
    of_form = {same(house.name): typed.get(f"{part}-{house.line}") for house in read.houses if house.id is None}
    texts = {**earlier, **{name: text.strip() for name, text in of_form.items() if text is not None}}
    return {name: text for name, text in texts.items() if text}


@page("POST", _ADD, may="write", form=Looked, again=units_file_page, most_bytes=MOST_UPLOAD_FORM_BYTES)
async def import_units_file(steps: Steps) -> Answered:
    """Import the records of the file that don't exist yet: all of them, or none.

    Existing records that differ are changed only if the person chose that and saw the same differences in the
    preview.
    """
    form: Looked = steps.form
    wrong, column_mapping = "", file_columns.unwritten(form.mapping)
    file, report, left_out = await _to_add(steps, column_mapping)
    if not report.problems:
        try:
            report = await steps.write(partial(_brought, caller=steps.caller, file=file, form=form))
        except DiffersMeanwhile as refused:
            report, wrong = await _looked_at(steps, file), refused.message
    if report.problems or wrong:
        held = Held(form.name, form.packed, column_mapping, remember=form.remember)
        shown = await _shown(steps, report, held, file)
        return shown._replace(status=409, wrong=wrong)
    to = f"/properties/{form.property}" if form.property else "/properties"
    return GoTo(to, sentence(report, steps.forms, left_out))


async def _to_add(steps: Steps, mapping: ColumnMapping | None) -> tuple[UnitsFile, HousesReport, tuple[int, ...]]:
    """Return the form's file, the report of a trial import, and the lines left out.

    The file is read before the transaction that writes, so that other writers need not wait for it. The lines left
    out are those that the preview showed. If other lines have problems now, no line is left out.
    """
    form: Looked = steps.form
    content = await steps.pools.page(lambda: unpacked(form.packed))
    file = await _read(steps, content, mapping)
    report = await _looked_at(steps, file)
    good = await _good_rows(steps, file, report) if form.left_out else None
    if good and _named(good[1]) == form.left_out:
        return good[0], await _looked_at(steps, good[0]), good[1]
    return file, report, ()


@page(
    "POST", "/import/units/add/preview", may="write", form=Looked, again=units_file_page,
    most_bytes=MOST_UPLOAD_FORM_BYTES,
)  # fmt: skip
async def preview_units_file(steps: Steps) -> Answered:
    """Show how the import would change units, tenants and invoices, without importing anything."""
    form: Looked = steps.form
    file, _, _ = await _to_add(steps, file_columns.unwritten(form.mapping))
    return await steps.rehearse(partial(_previewed, caller=steps.caller, file=file, form=form, typed=steps.typed))


def _previewed(tx: Tx, *, caller: Caller, file: UnitsFile, form: Looked, typed: Mapping[str, str]) -> Shown:
    pairs = list(typed.items())
    read, effects = _effects(tx, caller=caller, file=file, chosen=form.property)
    people = property_imports.bring(tx, caller, file, form.property or None, dry_run=True).people
    try:
        found = previews.touched(tx, caller, [(previews.of_account, "")])
        told = previews.preview(tx, caller, found, [lambda: _brought(tx, caller=caller, file=file, form=form)])
    except previews.TakesTooLong:
        page = form_previews.too_long(_ADD, pairs)
    else:
        page = form_previews.shown(tx, caller, told, found, GoTo(_ADD), _ADD, pairs)
    values = {**page.values, **unit_columns.effects_of(read, effects), "most_effects": MOST_PROPERTY_FILE_PROBLEMS}
    values |= {"take": form.take, "people": people, "enctype": "multipart/form-data"}
    return Shown("unit_import_preview.html", values)


def _brought(tx: Tx, *, caller: Caller, file: UnitsFile, form: Looked) -> HousesReport:
    chosen = form.property or None
    report = property_imports.bring(tx, caller, file, chosen, dry_run=False, take=form.take, seen=form.differs)
    column_mapping = file_columns.unwritten(form.mapping)
    if form.remember and not report.problems and column_mapping and column_mapping.fields:
        column_mappings.remember(tx, caller, file.table.header, column_mapping._replace(words={}), header_mark)
    return report


def sentence(report: HousesReport, write: Forms, left_out: Sequence[int] = ()) -> str:
    """Describe how many records were imported, and which lines were left out."""
    kinds = [
        (report.units, say_n("{n} unit", "{n} units", 2)),
        (report.tenants, say_n("{n} tenant", "{n} tenants", 2)),
    ]
    if report.properties:
        kinds.insert(0, (report.properties, say_n("{n} property", "{n} properties", 2)))
    parts = [noun.of(number, write.count(number)) for number, noun in kinds]
    says = [say("Added: {parts}.", parts=joined(parts, ", "))]
    if report.changed:
        says.append(say("Updated to match the file: {n}.", n=write.count(report.changed)))
    if report.skipped:
        there = say_n("{n} was already there.", "{n} were already there.", 2)
        says.append(there.of(report.skipped, write.count(report.skipped)))
    if left_out:
        were = say_n("{n} row was left out: line {lines}.", "{n} rows were left out: lines {lines}.", len(left_out))
        says.append(were.format(lines=in_ranges(left_out)))
    return joined(says)


async def _read(steps: Steps, content: bytes, mapping: ColumnMapping | None = None) -> UnitsFile:
    """Read the rows of a file of units.

    The columns have the meanings in `mapping`. If it contains none, they have those remembered from earlier files.
    Raises `InvalidRequest` if the file can't be read; the page shows the problem beside the field for the file.
    """
    caller = steps.caller
    try:
        sheet = await steps.read_table("units", content)
        known = await steps.read(lambda tx: column_mappings.remembered_units(tx, caller, sheet))
        is_of_many = not _chosen(steps)
        columns = mapping if mapping and mapping.fields else known.mapping
        table = understood(known.sheet, columns, is_of_many=is_of_many, country=known.country)
        return UnitsFile(table, is_email, mapping.words if mapping else NONE_TYPED)
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None


def _named(lines: Sequence[int]) -> str:
    """Write line numbers as the text of a hidden field."""
    return " ".join(map(str, lines))


async def _good_rows(steps: Steps, file: UnitsFile, report: HousesReport) -> tuple[UnitsFile, tuple[int, ...]] | None:
    """Return the file without the rows that have problems, and these rows' line numbers.

    Return None if the remaining rows can't be imported.
    """
    caller, chosen = steps.caller, _chosen(steps) or None

    def found(tx: Tx) -> tuple[UnitsFile, tuple[int, ...]] | None:
        look = partial(property_imports.bring, tx, caller, property_id=chosen, dry_run=True)
        return property_imports.good_rows(file, report, look)

    return await steps.read(found)


async def _looked_at(steps: Steps, file: UnitsFile) -> HousesReport:
    """Try the import without storing anything or blocking writers, and return its report."""
    caller, chosen = steps.caller, _chosen(steps) or None
    return await steps.read(lambda tx: property_imports.bring(tx, caller, file, chosen, dry_run=True))


async def _shown(
    steps: Steps, report: HousesReport | None, held: Held = _NO_FILE, file: UnitsFile | None = None
) -> Shown:
    """Show the import page, with the preview of a file if there is one."""
    chosen = _chosen(steps)
    caller = steps.caller
    row: PropertyRow | None = await steps.read(lambda tx: access.property_(tx, caller, chosen)) if chosen else None
    countries = {row.country} if row else await steps.read(lambda tx: countries_of(tx, caller))
    good = await _good_rows(steps, file, report) if report and file and report.problems else None
    left_out = good[1] if good else ()
    values: dict[str, Any] = {
        "report": report, "held": held, "property": row, "most": MOST_PROPERTY_FILE_PROBLEMS, "file": file,
        "headings": unit_columns.HEADINGS, "rest": await _looked_at(steps, good[0]) if good else None,
        "left_out": left_out, "lines_left_out": _named(left_out), "mark": mark_of(report.differs) if report else "",
        "countries": countries,
    }  # fmt: skip
    if report and file:
        read, effects = await steps.read(partial(_effects, caller=caller, file=file, chosen=chosen))
        account, today = await steps.read(lambda tx: (accounts.the_account(tx, caller), accounts.today(tx, caller)))
        values["may_change"] = account.bill_count > 0  # without a bill no invoice can change
        values |= unit_columns.shown_of(file, report, read, effects, steps.forms, today, asks_addresses=not chosen)
    return Shown("unit_import.html", values)


def _effects(tx: Tx, *, caller: Caller, file: UnitsFile, chosen: str) -> tuple[ReadHouses, list[Effect]]:
    """Return a file's contents, and how importing them would affect each unit and tenant.

    If the contents have problems, there are no effects.
    """
    read = property_imports.read_of(tx, caller, file, chosen or None)
    return read, [] if read.problems else property_imports.effects(tx, caller, read)


def _chosen(steps: Steps) -> str:
    """Return the id of the property in the address or form.

    Return an empty string if neither names one.
    """
    for source in (steps.query, steps.form, steps.typed):
        property_id = source.get("property") if isinstance(source, Mapping) else getattr(source, "property", "")
        if property_id:
            return str(property_id)
    return ""
