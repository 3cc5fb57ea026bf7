"""A bills file as XLSX: bytes → the domain's Sheet, with numbers exact and dates as dates.

A workbook is a ZIP of XML: what it unpacks to, and how far its cells spread, is counted before it is parsed.
"""

import io
import posixpath
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from xml.parsers.expat import ExpatError, ParserCreate

from python_calamine import CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from prorata.domain.bill_file_values import Unclear
from prorata.domain.bill_files import HEADER_WITHIN, Cell, KnownIn, Sheet, find_header
from prorata.errors import InvalidRequest

MOST_BYTES = 50 * 1024 * 1024
MOST_UNPACKED_BYTES = 200 * 1024 * 1024
MOST_PARTS = 1_000
"""Files inside the ZIP."""
MOST_SHEETS = 100
MOST_ROWS = 200_000
MOST_COLUMNS = 100
MOST_CELLS = 4_000_000
"""Rows times columns of a sheet: an empty cell costs memory like a full one."""
_EXACT_DIGITS = 15
_CHUNK = 1024 * 1024

_NOT_XLSX = "This is not an XLSX workbook, or it is damaged. Save it again as “Excel Workbook (.xlsx)”."
_OLD = "This is an old (.xls) or a password-protected workbook. Save it as .xlsx without a password."
_TOO_LARGE = "The workbook is too large. Split it into smaller files, or remove what is not needed from it."
_NO_VALUE = "This cell shows an error, or holds a formula that was never computed. Put the value itself there."
_OTHER_FORMATS = ("workbook.bin", "content.xml", "mimetype")
"""Parts of XLSB and ODS files, which the same parser would read past the checks made here."""

Places = set[tuple[int, int]]
"""Cells of one sheet, as (row, column), both from 1."""
_OTHER_UNICODE = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")
_TAG = re.compile(rb"""<(?:[\w.-]+:)?(row|c)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>""")
_ASIDE = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>", re.DOTALL)
_PLACE = re.compile(rb"""\br\s*=\s*["']([A-Za-z]*)([0-9]+)["']""")
_ERROR_CELL = re.compile(rb"""\bt\s*=\s*["']e["']""")
_UNCOMPUTED = re.compile(
    rb"<c\b([^<>]*)>\s*<f\b[^<>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"  # a formula without a value
)
_TEXT_RESULT = re.compile(rb"""\bt\s*=\s*["']str["']""")


def read_xlsx(data: bytes, known_in: KnownIn | None = None) -> Sheet:
    """The first visible sheet whose first rows hold a header, and the names of further ones that do. `known_in` counts
    the columns that a row names; without it they are those of bills.

    Line numbers are those the spreadsheet program shows.
    """
    unclear = _check(data)
    try:
        sheets = [(name, _with_unclear(sheet, unclear[name])) for name, sheet in _visible_sheets(data, known_in)]
    except InvalidRequest:
        raise
    except BaseException as failure:
        # The parser is compiled code: it raises errors of its own, and a panic, which is no Exception.
        if isinstance(failure, Exception) or type(failure).__name__ == "PanicException":
            raise InvalidRequest(_NOT_XLSX) from None
        raise
    if not sheets:
        raise InvalidRequest(
            "No sheet of the workbook has a header. The first row names the columns"
            + (": property, issuerName, utilityType, totalAmountDue, billDate and others." if known_in is None else ".")
        )
    (_, sheet), *others = sheets
    if len(sheet.rows) > MOST_ROWS:
        raise InvalidRequest(f"The sheet has more than {MOST_ROWS:,} rows. Split it into smaller files.")
    return sheet._replace(unread=tuple(name for name, other in others if _holds_something(other)))


def _visible_sheets(data: bytes, known_in: KnownIn | None) -> Iterator[tuple[str, Sheet]]:
    """The visible worksheets that have a header, with their names."""
    workbook = CalamineWorkbook.from_object(io.BytesIO(data))
    if len(workbook.sheets_metadata) > MOST_SHEETS:
        raise InvalidRequest(_TOO_LARGE)
    for about in workbook.sheets_metadata:
        if about.typ != SheetTypeEnum.WorkSheet or about.visible != SheetVisibleEnum.Visible:
            continue
        sheet = _sheet(workbook.get_sheet_by_name(about.name), known_in)
        if sheet is not None:
            yield about.name, sheet


def _sheet(source: CalamineSheet, known_in: KnownIn | None) -> Sheet | None:
    if source.start is None:
        return None
    shift: tuple[Cell, ...] = (None,) * source.start[1]
    rows = [(line, shift + tuple(map(_cell, row))) for line, row in enumerate(source.iter_rows(), start=1)]
    place = find_header(rows, known_in)
    if place is None:
        return None
    line, names = rows[place]
    header = tuple("" if name is None else str(name) for name in names)
    while header and not header[-1].strip():
        header = header[:-1]
    return Sheet(header, tuple(rows[place + 1 :]), header_line=line)


def _cell(value: float | str | bool | time | date | datetime | timedelta) -> Cell:
    """A cell as the domain has it. A number is what its 15 digits show: a spreadsheet keeps no more of it."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        exact = value == int(value) if abs(value) < 10.0**18 else False
        return Decimal(int(value)) if exact else Decimal(format(value, f".{_EXACT_DIGITS}g"))
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else str(value)


def _holds_something(sheet: Sheet) -> bool:
    return any(cell is not None for _, cells in sheet.rows for cell in cells)


def _with_unclear(sheet: Sheet, unclear: Places) -> Sheet:
    """The sheet with `Unclear` where its workbook has no value but no empty cell either: the parser gives None there,
    or, at the end of the sheet, no row at all.
    """
    width = len(sheet.header)
    places = [(line, column) for line, column in unclear if line > sheet.header_line and column <= width]
    if not places:
        return sheet
    rows = {line: list(cells) for line, cells in sheet.rows}
    for line, column in places:
        cells = rows.setdefault(line, [])
        cells += [None] * (width - len(cells))
        if cells[column - 1] is None:
            cells[column - 1] = Unclear(_NO_VALUE)
    return sheet._replace(rows=tuple((line, tuple(cells)) for line, cells in sorted(rows.items())))


def _check(data: bytes) -> dict[str, Places]:
    """Refuses what is no workbook or too large a one, and gives each sheet's cells that hold no clear value."""
    if len(data) > MOST_BYTES:
        raise InvalidRequest(f"The file is larger than {MOST_BYTES // 1024 // 1024} MB. Split it into smaller files.")
    if not data:
        raise InvalidRequest("The file is empty. Send one with a header and a row for each bill.")
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise InvalidRequest(_OLD)
    unclear: dict[str, Places] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            names = [part.filename.lower() for part in parts]
            if "[content_types].xml" not in names or any(name.endswith(_OTHER_FORMATS) for name in names):
                raise InvalidRequest(_NOT_XLSX)
            if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
                raise InvalidRequest(_TOO_LARGE)
            for part in parts:
                unpacked = _unpacked(archive, part)
                if unpacked.startswith(_OTHER_UNICODE) or b"<!DOCTYPE" in unpacked:
                    raise InvalidRequest(_NOT_XLSX)
                if b"sheetData" in unpacked:
                    ParserCreate().Parse(unpacked, True)
                    unclear[part.filename] = _spread(_ASIDE.sub(b"", unpacked))
            parts_of_sheets = _parts_of_sheets(archive)
    except (zipfile.BadZipFile, zlib.error, ExpatError, NotImplementedError, RuntimeError, OSError, ValueError):
        raise InvalidRequest(_NOT_XLSX) from None
    return defaultdict(set, ((name, unclear.get(part, set())) for name, part in parts_of_sheets))


def _parts_of_sheets(archive: zipfile.ZipFile) -> list[tuple[str, str]]:
    """The name of each sheet, and the part of the workbook that holds it (ECMA-376 part 1 section 12.3)."""
    targets: dict[str, str] = {}
    sheets: list[tuple[str, str]] = []

    def relationship(tag: str, of: dict[str, str]) -> None:
        if tag.endswith("Relationship"):
            targets[of.get("Id", "")] = posixpath.normpath(posixpath.join("xl", of.get("Target", ""))).lstrip("/")

    def sheet(tag: str, of: dict[str, str]) -> None:
        if tag.rpartition(":")[2] == "sheet":
            sheets.extend((of.get("name", ""), value) for name, value in of.items() if name.endswith(":id"))

    for part, found in (("xl/_rels/workbook.xml.rels", relationship), ("xl/workbook.xml", sheet)):
        if part in archive.namelist():
            parser = ParserCreate()
            parser.StartElementHandler = found
            parser.Parse(archive.read(part), True)
    return [(name, targets.get(target, "")) for name, target in sheets]


def _unpacked(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """The content of one part, which may be no longer than the ZIP says it is."""
    chunks, size = [], 0
    with archive.open(part) as opened:
        while chunk := opened.read(_CHUNK):
            size += len(chunk)
            if size > part.file_size:
                raise InvalidRequest(_NOT_XLSX)
            chunks.append(chunk)
    return b"".join(chunks)


def _spread(xml: bytes) -> Places:
    """Refuses a sheet whose cells spread too far, and gives those of its cells that hold no clear value. The XML is
    well-formed and has no comments, so that a pattern finds every tag.

    The parser makes room for every cell up to the last one, so that two cells could ask for all memory there is.
    """
    row = column = last_row = last_column = 0
    unclear = set()
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
    if last_row > MOST_ROWS + HEADER_WITHIN or last_column > MOST_COLUMNS or last_row * last_column > MOST_CELLS:
        raise InvalidRequest(
            f"A sheet of the workbook has more than {MOST_ROWS:,} rows or {MOST_COLUMNS} columns. "
            "Remove what is not needed, or split it into smaller files."
        )
    for formula in _UNCOMPUTED.finditer(xml):
        place = _PLACE.search(formula[1])
        if place and place[1] and not _TEXT_RESULT.search(formula[1]):
            unclear.add((int(place[2]), _column(place[1])))
    return unclear


def _column(letters: bytes) -> int:
    """The number of a column from its letters: A is 1, AA is 27."""
    number = 0
    for letter in letters.upper()[:4]:
        number = number * 26 + letter - 64
    return number
