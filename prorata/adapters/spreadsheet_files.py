"""Rows → the bytes of a CSV file or an XLSX workbook, a piece at a time: no file is ever whole in memory."""

import csv
import io
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from xlsxwriter import Workbook  # type: ignore[import-untyped]

from prorata.domain.spreadsheet_cells import Value, as_csv
from prorata.errors import InvalidRequest

MOST_XLSX_ROWS = 1_000_000
"""Rows of a workbook; a sheet can have 1,048,576."""
ROWS_AT_ONCE = 500
_PIECE = 256 * 1024
_UTF8_MARK = "\ufeff"
"""Without it Excel takes UTF-8 for the code page of its country."""


def csv_file(header: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[bytes]:
    """A CSV file (RFC 4180) as Excel reads it, in pieces."""
    buffer = io.StringIO()
    buffer.write(_UTF8_MARK)
    writer = csv.writer(buffer)
    writer.writerow(header)
    for number, row in enumerate(rows, start=1):
        writer.writerow(map(as_csv, row))
        if number % ROWS_AT_ONCE == 0:
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    piece = buffer.getvalue().encode()
    buffer.seek(0)
    buffer.truncate()
    return piece


def xlsx_file(header: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[bytes]:
    """An XLSX workbook of one sheet, in pieces. Its rows lie in a temporary file until all are there, as the format
    has it. Texts are text, whatever they begin with.
    """
    with tempfile.TemporaryFile() as file, tempfile.TemporaryDirectory() as folder:
        _write_workbook(file, folder, header, rows)
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece


def _write_workbook(file: object, folder: str, header: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
    settings = {"constant_memory": True, "tmpdir": folder, "default_date_format": "yyyy-mm-dd"}
    with Workbook(file, settings) as workbook:
        sheet = workbook.add_worksheet()
        bold, money = workbook.add_format({"bold": True}), workbook.add_format({"num_format": "0.00"})
        day = workbook.add_format({"num_format": "yyyy-mm-dd"})
        for column, name in enumerate(header):
            sheet.write_string(0, column, name, bold)
        sheet.freeze_panes(1, 0)
        for line, row in enumerate(rows, start=1):
            if line > MOST_XLSX_ROWS:
                raise InvalidRequest(f"A workbook holds at most {MOST_XLSX_ROWS:,} rows. Narrow the list, or take CSV.")
            for column, value in enumerate(row):
                if isinstance(value, str):
                    sheet.write_string(line, column, value)
                elif isinstance(value, Decimal):
                    sheet.write_number(line, column, value, money)
                elif isinstance(value, int):
                    sheet.write_number(line, column, value)
                elif isinstance(value, date):
                    sheet.write_datetime(line, column, value, day)
