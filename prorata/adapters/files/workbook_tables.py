"""XLSX, ODS and XLS workbooks: parse bytes into a Sheet with exact numbers and dates.

XLSX and ODS workbooks are ZIP files of XML. Their unpacked size, and the area that their cells cover, are checked
before they are parsed.
"""

import io
import posixpath
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain, islice
from xml.parsers.expat import ExpatError, ParserCreate

from python_calamine import CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from prorata.adapters.files import xls
from prorata.adapters.files.ods import CONTENT, marks_of
from prorata.adapters.files.workbook_currencies import Marks, signs_of_styles
from prorata.adapters.files.workbook_limits import Places, refuse_far_cells
from prorata.adapters.files.zip_damages import ZIP_DAMAGES
from prorata.adapters.limits import MOST_SHEET_ROWS, MOST_SHEETS, MOST_WORKBOOK_BYTES, MOST_WORKBOOK_PARTS
from prorata.domain.bills.columns import find_header
from prorata.domain.exports.table_kinds import Table, parts_of
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.sheets import (
    HEADER_WITHIN,
    NO_HEADER,
    About,
    Row,
    Sheet,
    likely_header,
    names_of,
    numbers_of,
)
from prorata.domain.groups import grouped
from prorata.domain.problems import shown
from prorata.domain.texts import Count, say
from prorata.errors import InvalidRequest

_EXACT_DIGITS = 15
_CHUNK = 1024 * 1024

_NOT_A_WORKBOOK = say(
    "This is not an XLSX, ODS or XLS workbook, or it is damaged. Save it again as “Excel Workbook (.xlsx)”."
)
_MIXED_UP = say(
    "The text in this workbook is garbled: it contains null characters. Save the workbook again as .xlsx, and send "
    "that file."
)
_TOO_LARGE = say("The workbook is too large. Split it into smaller files, or remove what you don’t need.")
_NO_VALUE = say(
    "This cell shows an error, or contains a formula that was never calculated. Enter the value itself there."
)
_XLSB = "workbook.bin"
"""The name of a part that XLSB files have.

They are refused, because the parser would read them without the checks made here.
"""
_TYPES, _RELATIONS, _BOOK = "[content_types].xml", "xl/_rels/workbook.xml.rels", "xl/workbook.xml"
_STYLES = "xl/styles.xml"
_OTHER_UNICODE = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")
_TAG = re.compile(rb"""<(?:[\w.-]+:)?(row|c)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>""")
_ASIDE = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>", re.DOTALL)
_PLACE = re.compile(rb"""\br\s*=\s*["']([A-Za-z]*)([0-9]+)["']""")
_STYLE = re.compile(rb"""\bs\s*=\s*["']([0-9]{1,6})["']""")
_ERROR_CELL = re.compile(rb"""\bt\s*=\s*["']e["']""")
_UNCOMPUTED = re.compile(
    rb"<c\b([^<>]*)>\s*<f\b[^<>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"  # a formula without a value
)
_TEXT_RESULT = re.compile(rb"""\bt\s*=\s*["']str["']""")


def parts_of_workbook(data: bytes, table: Table, wanted: int = 0) -> Iterator[Sheet]:
    """Yield in parts the first visible sheet that has a header with rows below it.

    If `wanted` is given, yield the visible sheet with this number instead, counting from 1. The last part names the
    other sheets that are tables. Line numbers are those that the spreadsheet program shows. Raises `InvalidRequest`
    if the workbook is not acceptable, possibly after some parts.
    """
    marks = _check(data)
    try:
        yield from _parts(CalamineWorkbook.from_object(io.BytesIO(data)), marks, table, wanted)
    except (InvalidRequest, MemoryError):
        raise
    except BaseException as failure:
        # The parser is compiled code: it raises its own errors, and panics, which are no Exceptions.
        if isinstance(failure, Exception) or type(failure).__name__ == "PanicException":
            raise InvalidRequest(_NOT_A_WORKBOOK) from None
        raise


def _parts(workbook: CalamineWorkbook, marks: Mapping[str, Marks], table: Table, wanted: int) -> Iterator[Sheet]:
    """Yield the chosen sheet, and then the names of the other sheets that are tables."""
    names = _visible(workbook)
    name, rows = _chosen(workbook, names, table, wanted) if wanted else _meant(workbook, names, table)
    unclear, signs = marks[name]
    rows = signs.on(rows)
    first = list(islice(rows, HEADER_WITHIN))
    place = _header_in(first, table)
    line, header = (first[place][0], names_of(first[place][1])) if place is not None else (NO_HEADER, numbers_of(first))
    above: tuple[Row, ...] = ()
    if place is None:
        below = _with_unclear(chain(first, rows), unclear, NO_HEADER, len(header))
    elif table.may_be_foreign:  # its header may be elsewhere: unclear cells are marked above it too
        below = _with_unclear(chain(first, rows), unclear, 0, max(len(cells) for _, cells in first))
        above = tuple(islice(below, place + 1))[:-1]
    else:
        below = _with_unclear(chain(first[place + 1 :], rows), unclear, line, len(header))
    empty = Sheet(header, (), header_line=line, above=above, about=About(sheet=name, sheets=tuple(names)))
    yield from parts_of(empty, _at_most(below))
    others, is_foreign = (
        (other for other in names if other != name),
        table.may_be_foreign and not table.known_in(header),
    )
    unread = tuple(other for other in others if _is_another(workbook, other, table, is_foreign=is_foreign))
    yield empty._replace(unread=unread)


def _visible(workbook: CalamineWorkbook) -> list[str]:
    """List the names of the visible worksheets."""
    if len(workbook.sheets_metadata) > MOST_SHEETS:
        raise InvalidRequest(_TOO_LARGE)
    return [
        about.name
        for about in workbook.sheets_metadata
        if about.typ == SheetTypeEnum.WorkSheet and about.visible == SheetVisibleEnum.Visible
    ]


def _meant(workbook: CalamineWorkbook, names: Iterable[str], table: Table) -> tuple[str, Iterator[Row]]:
    """Choose the first sheet with a header and rows, or failing that, with a header.

    If the table needs no header and no sheet has one, choose the first sheet with any content.
    """
    empty = with_something = None
    for name in names:
        source = workbook.get_sheet_by_name(name)
        rows = _rows(source)
        first = list(islice(rows, HEADER_WITHIN))
        place = find_header(first, table.known_in)
        if place is not None and any(_holds_something(cells) for _, cells in chain(first[place + 1 :], rows)):
            return name, _rows(source)
        if empty is None and place is not None:
            empty = name, _rows(source)
        if with_something is None and _may_be_meant(first, table):
            with_something = name, _rows(source)
    named_rows = empty or with_something
    if named_rows is None:
        message = say(
            "No sheet in the workbook has a header. The first row must name the columns: {columns}.",
            columns=table.columns,
        )
        raise InvalidRequest(message)
    return named_rows


def _chosen(workbook: CalamineWorkbook, names: Sequence[str], table: Table, wanted: int) -> tuple[str, Iterator[Row]]:
    """Return the sheet whose number is `wanted`.

    Raises `InvalidRequest` if there is no such sheet, or if the sheet has no header although the table needs one.
    """
    if wanted > len(names):
        raise InvalidRequest(say("The workbook has no such sheet. Choose one of its sheets."))
    name = names[wanted - 1]
    source = workbook.get_sheet_by_name(name)
    if not _may_be_meant(list(islice(_rows(source), HEADER_WITHIN)), table):
        raise InvalidRequest(
            say(
                "The sheet “{name}” has no header: none of its first {rows} rows contains column names. Choose "
                "another sheet.",
                name=shown(name),
                rows=HEADER_WITHIN,
            )
        )
    return name, _rows(source)


def _header_in(rows: list[Row], table: Table) -> int | None:
    place = find_header(rows, table.known_in)
    return likely_header(rows) if place is None and table.may_be_foreign else place


def _may_be_meant(rows: list[Row], table: Table) -> bool:
    """True if a sheet has a header or, if the table needs none, any content."""
    if table.may_lack_a_header and any(_holds_something(cells) for _, cells in rows):
        return True
    return _header_in(rows, table) is not None


def _is_another(workbook: CalamineWorkbook, name: str, table: Table, *, is_foreign: bool) -> bool:
    """True if a sheet is another table: it has a header with rows below it.

    The header must have known columns, unless `is_foreign` is True: the sheet that was read then has none either.
    """
    rows = _rows(workbook.get_sheet_by_name(name))
    first = list(islice(rows, HEADER_WITHIN))
    place = likely_header(first) if is_foreign else find_header(first, table.known_in)
    return place is not None and any(_holds_something(cells) for _, cells in chain(first[place + 1 :], rows))


def _holds_something(cells: Iterable[Cell]) -> bool:
    return any(cell is not None for cell in cells)


def _rows(source: CalamineSheet) -> Iterator[Row]:
    """Yield the rows of a sheet, each with its line number.

    Empty rows and columns before the first cell are included, so that positions are those of the spreadsheet.
    """
    if source.start is None:
        return
    shift: tuple[Cell, ...] = (None,) * source.start[1]
    for line, row in enumerate(source.iter_rows(), start=1):
        yield line, shift + tuple(map(_cell, row))


def _at_most(rows: Iterable[Row]) -> Iterator[Row]:
    for number, row in enumerate(rows):
        if number >= MOST_SHEET_ROWS:
            raise InvalidRequest(
                say("The sheet has more than {rows} rows. Split it into smaller files.", rows=Count(MOST_SHEET_ROWS))
            )
        yield row


def _cell(value: float | str | bool | time | date | datetime | timedelta) -> Cell:
    """Convert a cell's value to the domain's type.

    A number keeps the 15 digits that spreadsheets store.
    """
    if isinstance(value, str):
        if "\0" in value:
            raise InvalidRequest(_MIXED_UP)
        return value or None
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        exact = value == int(value) if abs(value) < 10.0**18 else False
        return Decimal(int(value)) if exact else Decimal(format(value, f".{_EXACT_DIGITS}g"))
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else str(value)


def _with_unclear(rows: Iterable[Row], places: Places, header_line: int, width: int) -> Iterator[Row]:
    """Put `Unclear` in place of cells that have content but no clear value.

    The parser returns None for such a cell or, at the end of the sheet, no row at all.
    """
    columns = grouped((line, column) for line, column in places if line > header_line and column <= width)
    for line, cells in rows:
        yield line, _marked(cells, columns.pop(line, ()), width)
    for line in sorted(columns):
        yield line, _marked((), columns[line], width)


def _marked(cells: tuple[Cell, ...], columns: Iterable[int], width: int) -> tuple[Cell, ...]:
    if not columns:
        return cells
    marked = [*cells, *[None] * (width - len(cells))]
    for column in columns:
        if marked[column - 1] is None:
            marked[column - 1] = Unclear(_NO_VALUE)
    return tuple(marked)


_DAMAGES = (*ZIP_DAMAGES, ExpatError)
"""The exceptions raised when a damaged ZIP file or its damaged XML is read."""


def _check(data: bytes) -> Mapping[str, Marks]:
    """Check that data is an acceptable workbook, and return its special cells by sheet.

    Raises `InvalidRequest` if the data is not an acceptable workbook.
    """
    if data.startswith(xls.BEGINS):
        return defaultdict(Marks.none, xls.marks_of(data))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _check_parts(archive)
    except _DAMAGES:
        raise InvalidRequest(_NOT_A_WORKBOOK) from None


def _check_parts(archive: zipfile.ZipFile) -> Mapping[str, Marks]:
    parts = sorted(archive.infolist(), key=lambda part: part.filename != _STYLES)
    names = [part.filename.lower() for part in parts]
    is_xlsx, is_ods = _TYPES in names, CONTENT in names
    if is_xlsx == is_ods or any(name.endswith(_XLSB) for name in names):
        raise InvalidRequest(_NOT_A_WORKBOOK)
    if len(parts) > MOST_WORKBOOK_PARTS or sum(part.file_size for part in parts) > MOST_WORKBOOK_BYTES:
        raise InvalidRequest(_TOO_LARGE)
    marks: dict[str, Marks] = {}
    signs_of: dict[int, str] = {}
    tables_of_contents: dict[str, bytes] = {}
    for part in parts:
        unpacked = _unpacked(archive, part)
        if unpacked.startswith(_OTHER_UNICODE) or b"<!DOCTYPE" in unpacked:
            raise InvalidRequest(_NOT_A_WORKBOOK)
        if is_ods and part.filename == CONTENT:
            return defaultdict(Marks.none, marks_of(unpacked))
        if part.filename == _STYLES:
            signs_of = signs_of_styles(unpacked)
        if b"sheetData" in unpacked:
            ParserCreate().Parse(unpacked, True)
            marks[part.filename] = _spread(_ASIDE.sub(b"", unpacked) if b"<!" in unpacked else unpacked, signs_of)
        if part.filename in (_RELATIONS, _BOOK):
            tables_of_contents[part.filename] = bytes(unpacked)
    parts_of_sheets = _parts_of_sheets(tables_of_contents)
    return defaultdict(Marks.none, ((name, marks.get(part) or Marks.none()) for name, part in parts_of_sheets))


def _parts_of_sheets(unpacked: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """List the sheets, each with the file in the ZIP (ECMA-376 part 1 section 12.3)."""
    targets: dict[str, str] = {}
    sheets: list[tuple[str, str]] = []

    def relationship(tag: str, of: dict[str, str]) -> None:
        if tag.endswith("Relationship"):
            targets[of.get("Id", "")] = posixpath.normpath(posixpath.join("xl", of.get("Target", ""))).lstrip("/")

    def sheet(tag: str, of: dict[str, str]) -> None:
        if tag.rpartition(":")[2] == "sheet":
            sheets.extend((of.get("name", ""), value) for name, value in of.items() if name.endswith(":id"))

    for part, handler in ((_RELATIONS, relationship), (_BOOK, sheet)):
        if part in unpacked:
            parser = ParserCreate()
            parser.StartElementHandler = handler
            parser.Parse(unpacked[part], True)
    return [(name, targets.get(target, "")) for name, target in sheets]


def _unpacked(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytearray:
    """Unpack one part of a workbook, which may not exceed its stated size."""
    content = bytearray()
    with archive.open(part) as opened:
        while chunk := opened.read(_CHUNK):
            content += chunk
            if len(content) > part.file_size:
                raise InvalidRequest(_NOT_A_WORKBOOK)
    return content


def _spread(xml: bytes | bytearray, signs_of: Mapping[int, str]) -> Marks:
    """Find a sheet's cells with an error, an uncomputed formula or a currency.

    `signs_of` contains the currencies of cell styles by style number. The XML is well-formed and has no comments,
    so a pattern finds every tag. Raises `InvalidRequest` if the cells cover too large an area: the parser allocates
    every cell up to the last one, so two cells could use up all memory.
    """
    row = column = last_row = last_column = 0
    unclear, signs = Marks.none()
    for tag in _TAG.finditer(xml):
        kind, attributes = tag.groups()
        place = _PLACE.search(attributes)
        if kind == b"row":
            row, column = int(place[2]) if place else row + 1, 0
            continue
        column += 1
        if place and place[1]:
            row, column = int(place[2]), _column(place[1])
        if attributes.endswith(b"/"):
            continue
        last_row, last_column = max(last_row, row), max(last_column, column)
        if _ERROR_CELL.search(attributes):
            unclear.add((row, column))
        style = _STYLE.search(attributes) if signs_of else None
        if style and (sign := signs_of.get(int(style[1]))):
            signs.note(row, column, sign)
    refuse_far_cells(last_row, last_column)
    for formula in _UNCOMPUTED.finditer(xml):
        place = _PLACE.search(formula[1])
        if place and place[1] and not _TEXT_RESULT.search(formula[1]):
            unclear.add((int(place[2]), _column(place[1])))
    return Marks(unclear, signs)


def _column(letters: bytes) -> int:
    """Return the number of a column from its letters: A is 1, AA is 27."""
    number = 0
    for letter in letters.upper()[:4]:
        number = number * 26 + letter - 64
    return number
