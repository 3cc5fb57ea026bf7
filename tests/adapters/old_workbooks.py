"""Old workbooks (XLS) laid out like those of Excel 97.

No other program that writes them is available here.
"""

import struct
from collections.abc import Sequence
from datetime import date

from prorata.domain.files.cells import Priced

SECTOR, END, FREE, TABLE = 512, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
FIRST_DAY = date(1899, 12, 30)
IN_EUROS = "#,##0.00 [$€-407]"
ERROR, FAILED, FLAG = object(), object(), object()
"""An error that was typed, a formula that failed, and TRUE."""


def xls(*sheets: tuple[str, Sequence[Sequence[object]]], extra: bytes = b"") -> bytes:
    """A workbook with these sheets, each given as its name and its rows."""
    parts = [_sheet(rows) for _, rows in sheets]
    formats = record(0x41E, struct.pack("<HHB", 164, len(IN_EUROS), 1) + IN_EUROS.encode("utf-16-le"))
    for of in (0, 14, 164):
        formats += record(0xE0, struct.pack("<HHHBBBBIIH", 0, of, 0, 0, 0, 0, 0, 0, 0, 0))
    head = record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0)) + extra + formats
    length = len(head) + sum(12 + len(name) for name, _ in sheets) + 4
    bounds = b""
    for (name, _), part in zip(sheets, parts, strict=True):
        bounds += record(0x85, struct.pack("<IBBBB", length, 0, 0, len(name), 0) + name.encode("latin-1"))
        length += len(part)
    return compound(head + bounds + record(0x0A, b"") + b"".join(parts))


def record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _sheet(rows: Sequence[Sequence[object]]) -> bytes:
    cells = [_cell(row, column, value) for row, its in enumerate(rows) for column, value in enumerate(its)]
    bof = record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    return bof + b"".join(cells) + record(0x0A, b"")


def _cell(row: int, column: int, value: object) -> bytes:
    at = struct.pack("<HHH", row, column, 1 if isinstance(value, date) else 2 if isinstance(value, Priced) else 0)
    if value is None:
        return b""
    if value is ERROR:
        return record(0x205, at + bytes((0x07, 1)))
    if value is FLAG:
        return record(0x205, at + bytes((1, 0)))
    if value is FAILED:
        return record(0x06, at + bytes((2, 0, 0x17, 0, 0, 0, 0xFF, 0xFF)) + struct.pack("<HIH", 0, 0, 0))
    if isinstance(value, str):
        return record(0x204, at + struct.pack("<HB", len(value), 0) + value.encode("latin-1"))
    number = (value - FIRST_DAY).days if isinstance(value, date) else value
    return record(0x203, at + struct.pack("<d", number))


def compound(book: bytes, name: str = "Workbook") -> bytes:
    """A compound file with one stream, which is padded to be a long stream."""
    book = book.ljust(4096, b"\x00")
    count = -(-len(book) // SECTOR)
    tables = -(-(count + 2) // (SECTOR // 4 - 1))
    used = [TABLE] * tables + [END] + [tables + 2 + at for at in range(count - 1)] + [END]
    table = b"".join(struct.pack("<I", one) for one in used).ljust(tables * SECTOR, b"\xff")
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, tables, tables, 0, 4096, END, 0, END, 0)
    header += struct.pack("<109I", *range(tables), *[FREE] * (109 - tables))
    directory = _entry("Root Entry", 5, END, 0, child=1) + _entry(name, 2, tables + 1, len(book))
    return header + table + directory.ljust(SECTOR, b"\x00") + book.ljust(count * SECTOR, b"\x00")


def _entry(name: str, kind: int, first: int, length: int, child: int = FREE) -> bytes:
    text = name.encode("utf-16-le") + b"\x00\x00"
    about = struct.pack("<HBBIII", len(text), kind, 1, FREE, FREE, child)
    return text.ljust(64, b"\x00") + about + bytes(36) + struct.pack("<IQ", first, length)
