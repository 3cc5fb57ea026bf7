"""A scan of an old XLS workbook for its sheets' sizes and its special cells.

Special cells have an error or show a currency. The formats are [MS-CFB] and [MS-XLS] 2.4.
"""

import struct
from collections.abc import Iterator

from prorata.adapters.files.workbook_currencies import Marks, sign_in
from prorata.adapters.files.workbook_limits import refuse_far_cells
from prorata.adapters.limits import MOST_SHEETS
from prorata.domain.texts import say
from prorata.errors import InvalidRequest

BEGINS = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BOOK = "Workbook"
_LAST_SECTOR = 0xFFFFFFFA
"""The lowest number in the sector table that is not the number of a sector."""
_DIFAT_IN_HEADER, _ENTRY = 109, 128
_BOUNDSHEET, _FILEPASS, _EOF, _BOOLERR, _FORMULA = 0x85, 0x2F, 0x0A, 0x205, 0x06
_CELLS = {_BOOLERR, _FORMULA, 0x203, 0x204, 0x27E, 0xFD, 0xBD}
_MULTIPLE = 0xBD
"""The type of a record with several adjacent numbers.

Each number takes six bytes, and the record ends with the last column.
"""
_NUMBERS = {_FORMULA, 0x203, 0x27E}
_FORMAT, _STYLE = 0x41E, 0xE0
_ERROR_RESULT = (2, 0xFFFF)

_NOT_READ = say(
    "This workbook can't be read: it is damaged, is older than Excel 97, or has a password. Save it as .xlsx without "
    "a password."
)


def marks_of(data: bytes) -> dict[str, Marks]:
    """Find each sheet's cells with an error or a currency.

    Raises `InvalidRequest` if the cells of a sheet cover too large an area, or if the file is unreadable.
    """
    try:
        book = _stream(data)
        signs_of = _signs_of_styles(book)
        return {name: _marks(book, start, signs_of) for name, start in _sheets(book)}
    except (struct.error, IndexError, ValueError):
        raise InvalidRequest(_NOT_READ) from None


def _stream(data: bytes) -> bytes:
    """Return the bytes of the workbook's stream, from its sectors in the right order."""
    size = 1 << struct.unpack_from("<H", data, 30)[0]
    if size not in (512, 4096):
        raise InvalidRequest(_NOT_READ)
    first_of_directory, _, short, first_short, _, first_difat = struct.unpack_from("<6I", data, 48)
    table: list[int] = []
    for sector in _difat(data, size, first_difat):
        table.extend(struct.unpack_from(f"<{size // 4}I", data, (sector + 1) * size))
    directory = _joined(data, size, table, first_of_directory)
    root = directory[:_ENTRY]
    for at in range(0, len(directory) - _ENTRY + 1, _ENTRY):
        entry = directory[at : at + _ENTRY]
        name = entry[: max(struct.unpack_from("<H", entry, 64)[0] - 2, 0)].decode("utf-16-le", "replace")
        if name == _BOOK:
            first, length = struct.unpack_from("<II", entry, 116)
            if length >= short:
                return _joined(data, size, table, first)[:length]
            small = _joined(data, size, table, struct.unpack_from("<I", root, 116)[0])
            short_table = _joined(data, size, table, first_short)
            links = list(struct.unpack(f"<{len(short_table) // 4}I", short_table))
            return b"".join(
                small[sector_number * 64 : sector_number * 64 + 64] for sector_number in _chain(links, first)
            )[:length]
    raise InvalidRequest(_NOT_READ)


def _difat(data: bytes, size: int, first: int) -> Iterator[int]:
    """Yield the numbers of the sectors that contain the sector table."""
    yield from (sector for sector in struct.unpack_from(f"<{_DIFAT_IN_HEADER}I", data, 76) if sector < _LAST_SECTOR)
    seen = set[int]()
    while first < _LAST_SECTOR and first not in seen:
        seen.add(first)
        *sectors, following = struct.unpack_from(f"<{size // 4}I", data, (first + 1) * size)
        yield from (sector for sector in sectors if sector < _LAST_SECTOR)
        first = following


def _chain(table: list[int], sector: int) -> Iterator[int]:
    """Yield the numbers of a chain of sectors that begins with `sector`.

    `table` contains, for each sector, the number of the next one. If a damaged chain never ends, it is cut off
    after as many sectors as `table` has.
    """
    for _ in table:
        if sector >= _LAST_SECTOR:
            return
        yield sector
        sector = table[sector]


def _joined(data: bytes, size: int, table: list[int], sector: int) -> bytes:
    return b"".join(data[(number + 1) * size : (number + 2) * size] for number in _chain(table, sector))


def _records(book: bytes, at: int) -> Iterator[tuple[int, int, int]]:
    """Yield the records from the offset `at` to the end of their substream.

    A record is given by its type, the offset of its content, and the content's length.
    """
    while at + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, at)
        if kind == _EOF:
            return
        yield kind, at + 4, length
        at += 4 + length


def _sheets(book: bytes) -> Iterator[tuple[str, int]]:
    """Yield the names of the sheets, and their offsets."""
    number = 0
    for kind, at, length in _records(book, 0):
        if kind == _FILEPASS:
            raise InvalidRequest(_NOT_READ)
        if kind == _BOUNDSHEET:
            number += 1
            start, _state, _type, letters, is_wide = struct.unpack_from("<IBBBB", book, at)
            name = book[at + 8 : at + length]
            yield (name[: letters * 2].decode("utf-16-le") if is_wide & 1 else name[:letters].decode("latin-1")), start
    if not 0 < number <= MOST_SHEETS:
        raise InvalidRequest(_NOT_READ)


def _signs_of_styles(book: bytes) -> dict[int, str]:
    """Return the currencies that cell styles show, by style number."""
    codes: dict[int, str] = {}
    styles: list[int] = []
    for kind, at, length in _records(book, 0):
        if kind == _FORMAT:
            number, letters, is_wide = struct.unpack_from("<HHB", book, at)
            text = book[at + 5 : at + length]
            code = text[: letters * 2].decode("utf-16-le") if is_wide & 1 else text[:letters].decode("latin-1")
            codes[number] = sign_in(code)
        elif kind == _STYLE:
            styles.append(struct.unpack_from("<H", book, at + 2)[0])
    return {place: sign for place, number in enumerate(styles) if (sign := codes.get(number))}


def _styled(book: bytes, kind: int, at: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield the column and the style number of each number in a record of cells."""
    column = struct.unpack_from("<H", book, at + 2)[0]
    if kind == _MULTIPLE:
        for place in range((length - 6) // 6):
            yield column + place, struct.unpack_from("<H", book, at + 4 + 6 * place)[0]
    elif kind in _NUMBERS:
        yield column, struct.unpack_from("<H", book, at + 4)[0]


def _marks(book: bytes, start: int, signs_of: dict[int, str]) -> Marks:
    """Find a sheet's cells with an error or a currency."""
    marks = Marks.none()
    last_row = last_column = 0
    for kind, at, length in _records(book, start):
        if kind not in _CELLS:
            continue
        row, column = struct.unpack_from("<HH", book, at)
        last = struct.unpack_from("<H", book, at + length - 2)[0] if kind == _MULTIPLE else column
        last_row, last_column = max(last_row, row + 1), max(last_column, last + 1)
        is_error = kind == _BOOLERR and book[at + 7] == 1
        if kind == _FORMULA:
            first, end = book[at + 6], struct.unpack_from("<H", book, at + 12)[0]
            is_error = (first, end) == _ERROR_RESULT
        if is_error:
            marks.unclear.add((row + 1, column + 1))
        for place, style in _styled(book, kind, at, length) if signs_of else ():
            if sign := signs_of.get(style):
                marks.signs.note(row + 1, place + 1, sign)
    refuse_far_cells(last_row, last_column)
    return marks
