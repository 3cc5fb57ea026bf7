"""CSV files and XLSX workbooks, written from rows in pieces.

The first bytes of a file are sent before its last rows are read, and the whole file is never in memory or on disk
(docs/adr/0016).
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import chain, islice
from typing import Any, NamedTuple
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from prorata.adapters.limits import MOST_SPREADSHEET_ROWS
from prorata.domain.files.spreadsheet_cells import Figures, Value, as_csv

ROWS_AT_ONCE = 500
_UTF8_MARK = "\ufeff"
"""The mark without which Excel reads UTF-8 in the code page of the user's country."""
_FIRST_DAY = date(1899, 12, 30)
_COUNTED_ALIKE_FROM = date(1900, 3, 1)
"""The first day that all spreadsheet programs number alike; earlier days become text."""
_UNWRITTEN = re.compile("[\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""The pattern of characters that XML can't contain or would change.

The pattern also matches text such as _x000D_, which spreadsheet programs would read as a code for such a character.
"""


def csv_file(
    header: Sequence[str], rows: Iterable[Sequence[Value]], *, has_decimal_comma: bool = False
) -> Iterator[bytes]:
    """Yield a CSV file (RFC 4180) for Excel, in pieces.

    Where the decimal mark is a comma, Excel separates cells by semicolons.
    """
    buffer = io.StringIO()
    buffer.write(_UTF8_MARK)
    delimiter, decimal_mark = ";," if has_decimal_comma else ",."
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow(header)
    for number, row in enumerate(rows, start=1):
        writer.writerow([as_csv(value, decimal_mark) for value in row])
        if number % ROWS_AT_ONCE == 0:
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    piece = buffer.getvalue().encode()
    buffer.seek(0)
    buffer.truncate()
    return piece


def xlsx_file(
    header: Sequence[str],
    rows: Iterable[Sequence[Value]],
    most: int = MOST_SPREADSHEET_ROWS,
    *,
    has_decimal_comma: bool = False,
) -> Iterator[bytes]:
    """Yield an XLSX workbook in pieces, with at most `most` rows per sheet.

    Text stays text, even if it looks like a formula. The decimal mark is only for numbers in texts (`Figures`). No
    program accepts a truncated file as a workbook, because the directory of the ZIP file comes last.
    """
    out = _Out()
    model = _model_of(header, sheets=1)._replace(mark="," if has_decimal_comma else ".")
    left, sheets = iter(rows), 0
    with ZipFile(out, "w", ZIP_DEFLATED) as workbook:
        while (first := next(left, None)) is not None or not sheets:
            sheets += 1
            of_sheet = chain([first] if first is not None else [], islice(left, most - 1))
            with workbook.open(_SHEET.format(sheets), "w") as sheet:
                sheet.write(model.begin)
                for written in _rows_written(of_sheet, model):
                    sheet.write(written)
                    yield out.taken()
                sheet.write(model.end)
        for name, part in (model if sheets == 1 else _model_of(header, sheets)).parts.items():
            workbook.writestr(name, part)
    yield out.taken()


class _Out(io.RawIOBase):
    """A write-only stream for a ZIP file that is sent while it is being written."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        """Return True, because this stream can always be written to."""
        return True

    def write(self, piece: Any) -> int:
        """Store a piece until `taken` returns it."""
        self._pieces.append(bytes(piece))
        return len(self._pieces[-1])

    def taken(self) -> bytes:
        """Return the bytes written since the last call."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


class _Model(NamedTuple):
    """A workbook without rows: the XML around a sheet's rows, and the other files.

    It also contains the names of the columns, the style numbers of amounts and days, and the decimal mark of numbers
    in texts.
    """

    begin: bytes
    end: bytes
    columns: list[str]
    money: str
    day: str
    parts: dict[str, bytes]
    mark: str = "."


_SHEET = "xl/worksheets/sheet{}.xml"
_DIMENSION = re.compile(rb"<dimension [^>]*/>")
_COLUMN, _STYLE = re.compile(r'<c r="([A-Z]+)1"'), re.compile(r' s="(\d+)"')
_MODEL_ROW = re.compile(rb'<row r="2".*</row>')


def _model_of(header: Sequence[str], sheets: int) -> _Model:
    """Build everything but the rows of a workbook, using XlsxWriter.

    XlsxWriter would buffer the rows on disk. So it writes only one amount and one day instead of the rows, and the
    numbers of their styles are read from the result.
    """
    from xlsxwriter import Workbook  # type: ignore[import-untyped] # noqa: PLC0415 - no start of a server waits for it

    file = io.BytesIO()
    with Workbook(file, {"in_memory": True}) as workbook:
        bold, money = workbook.add_format({"bold": True}), workbook.add_format({"num_format": "0.00"})
        day = workbook.add_format({"num_format": "yyyy-mm-dd"})
        for _ in range(sheets):
            sheet = workbook.add_worksheet()
            for column, name in enumerate(header):
                sheet.write_string(0, column, name, bold)
            sheet.freeze_panes(1, 0)
            sheet.write_number(1, 0, 0, money)
            sheet.write_number(1, 1, 0, day)
    with ZipFile(file) as made:
        parts = {name: made.read(name) for name in made.namelist()}
    of_sheets = [parts.pop(_SHEET.format(number + 1)) for number in range(sheets)]
    model_row = _MODEL_ROW.search(of_sheets[0])
    assert model_row, "there is a row of two cells"
    begin, end = _DIMENSION.sub(b"", of_sheets[0][: model_row.start()]), of_sheets[0][model_row.end() :]
    in_money, in_day = _STYLE.findall(model_row[0].decode())
    return _Model(begin, end, _COLUMN.findall(begin.decode()), in_money, in_day, parts)


def _rows_written(rows: Iterable[Sequence[Value]], model: _Model) -> Iterator[bytes]:
    """Yield the header and rows as XML, a few hundred rows at a time."""
    written: list[str] = []
    for line, row in enumerate(rows, start=2):
        cells = [
            _cell(f"{column}{line}", value, model)
            for column, value in zip(model.columns, row, strict=True)
            if value is not None
        ]
        written.append(f'<row r="{line}">{"".join(cells)}</row>')
        if len(written) == ROWS_AT_ONCE:
            yield "".join(written).encode()
            written.clear()
    yield "".join(written).encode()


def _cell(at: str, value: Value, model: _Model) -> str:
    if isinstance(value, Decimal):
        return f'<c r="{at}" s="{model.money}"><v>{value}</v></c>'
    if isinstance(value, int):
        return f'<c r="{at}"><v>{value}</v></c>'
    if isinstance(value, date):
        if value >= _COUNTED_ALIKE_FROM:
            return f'<c r="{at}" s="{model.day}"><v>{(value - _FIRST_DAY).days}</v></c>'
        value = value.isoformat()
    text = value.written(model.mark) if isinstance(value, Figures) else str(value)
    space = ' xml:space="preserve"' if text[:1].isspace() or text[-1:].isspace() else ""
    return f'<c r="{at}" t="inlineStr"><is><t{space}>{_text(text)}</t></is></c>'


def _text(text: str) -> str:
    r"""Escape a text for the XML of a sheet.

    Characters that XML can't hold become codes such as _x000D_. If the text itself contains something that looks
    like such a code, that is escaped, too.

    >>> _text("=A & <B>"), _text("a\rb"), _text("_x000D_")
    ('=A &amp; &lt;B&gt;', 'a_x000D_b', '_x005F_x000D_')
    """
    return escape(_UNWRITTEN.sub(lambda match: f"_x{ord(match[0]):04X}_", text))
