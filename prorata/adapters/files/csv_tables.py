"""CSV bill files: parse bytes of any encoding, delimiter and line ending into a Sheet."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from prorata.adapters.limits import MOST_CSV_COLUMNS, MOST_CSV_LINES, MOST_CSV_ROWS
from prorata.domain.bills.columns import find_header
from prorata.domain.exports.table_kinds import Table, parts_of
from prorata.domain.files.sheets import (
    HEADER_WITHIN,
    NO_HEADER,
    About,
    Row,
    Sheet,
    likely_header,
    may_hold_a_table,
    numbers_of,
)
from prorata.domain.texts import Count, say
from prorata.errors import InvalidRequest

DELIMITERS = ",;\t|"
_NEVER_IN_AMOUNTS = {"\t": 2, ";": 1}
"""The rank of delimiters that are preferred if several divide the rows equally well.

They are preferred to commas, because commas also appear in amounts and in names.
"""
_SAMPLE = 64 * 1024
_SAMPLE_LINES = 1_000
"""The number of lines with characters outside ASCII from which the encoding is guessed."""

_NOT_TEXT = say("This is not a CSV file. Save the table as CSV (UTF-8) or XLSX, and send that file.")
_BINARY = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"\x1f\x8b", b"GIF8")
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe\x00\x00": "utf-32", b"\x00\x00\xfe\xff": "utf-32"}
_SHORT_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}

# Legacy encodings by their languages' letters; of scripts that stand alone, the frequent ones.
_LATIN = {
    "cp1252": "àâäáãåæçèéêëìíîïñòóôöõøœùúûüßÿ",
    "cp1254": "ğışçöüâîûİ",
    "cp1250": "ąćęłńóśźżáčďéěíňřšťúůýžäöüôľĺŕőűăâîşţđß",
    "cp1257": "ąčęėįšųūžāēģīķļņōŗõäöü",
}
_NON_LATIN = {"cp1251": "оеаинтср", "cp1253": "αοιετσνςρόίά"}
_SEVERAL_BYTES = ["cp932", "euc_jp", "gb18030", "big5", "euc_kr"]
_SYMBOLS = frozenset("€£¥¢§©®™°²³½¼¾–—‘’‚“”„…•«»·×ºª№\xa0")
_MOST_UNLIKELY = 0.2
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")


def parts_of_csv(data: bytes, table: Table) -> Iterator[Sheet]:
    """Yield the header and rows of a CSV file in parts, without blank lines.

    Each row has the number of the line in which it starts. A long file is never completely in memory. Raises
    `InvalidRequest` if the file is not acceptable, possibly after some parts.
    """
    if data.startswith(_BINARY):
        raise InvalidRequest(_NOT_TEXT)
    encoding = _encoding(data)
    skipped, delimiter = _delimiter(data, encoding, table)
    rows = _rows(_records(_lines(data, encoding), delimiter), skipped)
    first = list(islice(rows, HEADER_WITHIN))
    if not first:
        raise InvalidRequest(
            say("The file is empty. Send one with a header and a row for each {row}.", row=table.a_row)
        )
    place = find_header(first, table.known_in)
    if place is None and table.prose and not may_hold_a_table(first):
        raise InvalidRequest(table.prose)
    if place is None and table.may_be_foreign:
        place = likely_header(first)
    if place is None and table.may_lack_a_header:
        empty = Sheet(numbers_of(first), (), header_line=NO_HEADER, about=About(encoding, delimiter))
        yield from parts_of(empty, _at_most(chain(first, rows)))
        return
    place = place or 0
    line, header = first[place]
    above = tuple(first[:place]) if table.may_be_foreign else ()
    empty = Sheet(header, (), header_line=line, above=above, about=About(encoding, delimiter))
    yield from parts_of(empty, _at_most(chain(first[place + 1 :], rows)))


def _rows(records: Iterable[tuple[int, tuple[str, ...]]], skipped: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the records that are not blank, each with the number of its first line."""
    for number, (line, cells) in enumerate(records):
        if number >= MOST_CSV_LINES:
            raise InvalidRequest(
                say("The file has more than {most} lines. Remove the empty ones.", most=Count(MOST_CSV_LINES))
            )
        if line <= skipped or not any(cell.strip() for cell in cells):
            continue
        if len(cells) > MOST_CSV_COLUMNS:
            raise InvalidRequest(
                say(
                    "Line {line} has more than {most} columns. Remove the ones you don’t need.",
                    line=line,
                    most=MOST_CSV_COLUMNS,
                )
            )
        yield line, cells


def _at_most(rows: Iterable[Row]) -> Iterator[Row]:
    for number, row in enumerate(rows):
        if number >= MOST_CSV_ROWS:
            raise InvalidRequest(
                say("The file has more than {most} rows. Split it into smaller files.", most=Count(MOST_CSV_ROWS))
            )
        yield row


def _lines(data: bytes, encoding: str) -> Iterable[str]:
    """Yield the lines of a file with their line ends.

    Each line is decoded only when it is needed.
    """
    return io.TextIOWrapper(io.BytesIO(data), encoding, newline="")


def _records(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the records of a CSV file, each with the number of its first line."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, tuple(cells)
            line = reader.line_num + 1
    except csv.Error:
        raise InvalidRequest(
            say(
                "The file can't be read from line {line} on: a quoted cell is not closed, is followed by other text, "
                "or is longer than {most} characters. Fix the double quotes there.",
                line=line,
                most=Count(csv.field_size_limit()),
            )
        ) from None


def _delimiter(data: bytes, encoding: str, table: Table) -> tuple[int, str]:
    """Find the number of lines to skip, and the delimiter.

    If the first line is Excel's `sep=;`, that line is skipped, and it names the delimiter. Otherwise, no line is
    skipped, and the delimiter is the one with which the first rows contain the most names of known columns. If that
    is true of several delimiters, the one that divides the most rows into the same number of cells is chosen. If
    that does not decide either, a tab or semicolon is preferred, and after that the delimiter that is most frequent
    in the first line.
    """
    first = next(iter(_lines(data, encoding)), "")
    told = re.fullmatch(r'"?sep=([,;\t|])"?', first.strip("\ufeff\r\n "), re.IGNORECASE)
    if told:
        return 1, told[1]

    def fits(delimiter: str) -> tuple[int, int, int, int]:
        try:
            first_rows = [cells for _, cells in islice(_records(_lines(data, encoding), delimiter), HEADER_WITHIN)]
        except InvalidRequest:
            return 0, 0, 0, 0
        known = max((table.known_in(cells[:MOST_CSV_COLUMNS]) for cells in first_rows), default=0)
        alike = Counter(len(cells) for cells in first_rows if len(cells) > 1)
        most = max(alike.values(), default=0)
        return known, most, _NEVER_IN_AMOUNTS.get(delimiter, 0) if most else 0, first.count(delimiter)

    return 0, max(DELIMITERS, key=fits)


def _encoding(data: bytes) -> str:
    """Find a file's encoding: a Unicode one if possible, otherwise the likeliest older one."""
    marked = next((name for mark, name in (_MARKS | _SHORT_MARKS).items() if data.startswith(mark)), None)
    try:
        for encoding in [marked] if marked is not None else _unicode(data):
            data.decode(encoding)
            return encoding
    except UnicodeDecodeError:
        if marked is not None:
            raise InvalidRequest(say("The file is damaged: its text is cut off or garbled. Save it again.")) from None
    legacy = _legacy_encoding(data)
    if legacy is None or _CONTROL.search(data.decode(legacy)):
        raise InvalidRequest(
            say("The file's encoding can't be determined. Save it as CSV (UTF-8), and send that file.")
        )
    return legacy


def _unicode(data: bytes) -> list[str]:
    """Guess the encoding of Unicode text without a byte order mark.

    The guess is UTF-16 if most bytes at even positions, or most at odd positions, are zero; otherwise, it is UTF-8.
    """
    if b"\x00" in data[:_SAMPLE]:
        half = len(data[:_SAMPLE]) // 2
        for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
            if data[start:_SAMPLE:2].count(0) > half * 0.7:
                return [name]
    return ["utf-8"]


def _legacy_encoding(data: bytes) -> str | None:
    """Guess the encoding of a text that is not Unicode.

    An encoding is judged by how well the decoded text resembles the languages that use it. For short files, general
    statistics alone are not enough: they take `£12.30` for Persian.
    """
    sample = b"\n".join(line for line in data[: 16 * _SAMPLE].splitlines() if not line.isascii())[:_SAMPLE]
    rest = (line for line in io.BytesIO(data) if not line.isascii())
    sample = sample or b"\n".join(islice(rest, _SAMPLE_LINES))[:_SAMPLE]
    unlikeliness: dict[str, float] = {}
    for encoding in (*_LATIN, *_NON_LATIN):
        try:
            unlikeliness[encoding] = _unlikeliness(sample.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    best = min(unlikeliness, key=unlikeliness.__getitem__, default=None)
    if best is None or unlikeliness[best] > _MOST_UNLIKELY:
        from charset_normalizer import from_bytes  # noqa: PLC0415 - few files need it, and no start waits for it

        guess = from_bytes(sample, cp_isolation=_SEVERAL_BYTES).best()
        best = guess.encoding if guess else None
    try:
        return best if best and data.decode(best) else None
    except UnicodeDecodeError:
        return None


def _unlikeliness(text: str, encoding: str) -> float:
    """Rate how unlikely it is that a text's characters outside ASCII were decoded correctly.

    The result is between 0, if the characters are usual in a language, and 1, if they are noise.
    """
    own: Mapping[str, str] = _LATIN | _NON_LATIN
    latin, odd, count = encoding in _LATIN, 0.0, 0
    for before, character, after in zip(" " + text, text, text[1:] + " ", strict=False):
        if character.isascii():
            continue
        count += 1
        beside = [each for each in (before, after) if each.isalpha()]
        if character in _SYMBOLS:
            odd += len(beside) > 1
        elif not character.isalpha():
            odd += 1
        elif latin:
            expected = 0.0 if {character, character.lower()} & set(own[encoding]) else 0.8
            odd += expected + 0.1 * sum(not each.isascii() for each in beside)
        else:
            odd += any(each.isascii() for each in beside) or (0.0 if character.lower() in own[encoding] else 0.1)
    return odd / max(count, 1)
