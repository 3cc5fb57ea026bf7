"""Encoding of parsed sheets for storage, preserving each cell's type and exact value."""

import zlib
from datetime import date
from decimal import Decimal
from typing import Any

import msgspec

from prorata.domain.files.cells import Cell, Priced, Unclear
from prorata.domain.files.sheets import About, Row, Sheet

_NUMBER, _PRICED, _DAY, _UNCLEAR = "n", "p", "d", "u"
_Kept = list[tuple[int, list[Any]]]


class _KeptSheet(msgspec.Struct):
    """A sheet as stored.

    Text and empty cells are unchanged; other cells are stored with the name of their type, such as a number or date.
    """

    header: tuple[str, ...]
    rows: _Kept
    header_line: int
    unread: tuple[str, ...]
    above: _Kept
    about: About


def packed(sheet: Sheet) -> bytes:
    """Encode a sheet for storage, and compress it."""
    kept = _KeptSheet(
        sheet.header, _put(sheet.rows), sheet.header_line, sheet.unread, _put(sheet.above), sheet.about
    )  # fmt: skip
    return zlib.compress(msgspec.json.encode(kept))


def unpacked(stored: bytes) -> Sheet:
    """Decompress and decode a stored sheet."""
    kept = msgspec.json.decode(zlib.decompress(stored), type=_KeptSheet)
    return Sheet(kept.header, _taken(kept.rows), kept.header_line, kept.unread, _taken(kept.above), kept.about)


def _put(rows: tuple[Row, ...]) -> _Kept:
    return [(line, [cell if cell is None or isinstance(cell, str) else _marked(cell) for cell in cells])
            for line, cells in rows]  # fmt: skip


def _marked(cell: Decimal | date | Unclear) -> tuple[str, str]:
    if isinstance(cell, Priced):
        return _PRICED, f"{cell} {cell.sign}"
    if isinstance(cell, Decimal):
        return _NUMBER, str(cell)
    return (_DAY, cell.isoformat()) if isinstance(cell, date) else (_UNCLEAR, str(cell))


def _taken(rows: _Kept) -> tuple[Row, ...]:
    return tuple(
        (line, tuple(cell if cell is None or isinstance(cell, str) else _as_it_was(*cell) for cell in cells))
        for line, cells in rows
    )


def _as_it_was(kind: str, stored_text: str) -> Cell:
    if kind == _PRICED:
        return Priced(*stored_text.split(" ", 1))
    if kind == _NUMBER:
        return Decimal(stored_text)
    return date.fromisoformat(stored_text) if kind == _DAY else Unclear(stored_text)
