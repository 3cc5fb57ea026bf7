"""The currencies that a workbook's number formats show beside the numbers in cells."""

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import takewhile
from typing import NamedTuple, Self
from unicodedata import category
from xml.parsers.expat import ParserCreate

from prorata.adapters.files.workbook_limits import Places
from prorata.adapters.limits import LONGEST_CELL_FORMAT
from prorata.domain.files.cells import Cell, Priced, is_sign
from prorata.domain.files.column_currencies import is_currency, signs_said
from prorata.domain.files.sheets import Row
from prorata.domain.number_parsing import in_one_form

_SAID = re.compile(r'\[\$([^\]-]*)(?:-[^\]]*)?\]|"([^"]*)"|((?:\\.)+)|[_*].|\[[^\]]*\]|(.)')
"""The pattern of the parts of a number format.

Some parts are shown as they are written: `[$€-407]`, `"EUR"`, escaped signs, or a single sign. Other parts only show a
space as wide as a sign (`_€`), fill a cell, or state a color or a condition.
"""
_FIGURE = "0"


def sign_in(code: str) -> str:
    r"""Return the sign or code of the currency that a number format shows, or "".

    Number formats are defined in ECMA-376 part 1 section 18.8.31. A format that shows the currency of the country
    in which the workbook is opened contains no sign, so the result is "". If the format shows "Cr", "-" or "("
    beside amounts above zero, the result is that text; Tally, for example, writes 42.00 Cr.

    >>> [sign_in(code) for code in ('#,##0.00 [$€-407]', '"CHF" #,##0.00', '£#,##0', '0.00 "kWh"', '#,##0.00')]
    ['€', 'CHF', '£', '', '']
    >>> [sign_in(code) for code in (r"_-* #,##0.00\ _€_-", r"0.00\ \k\r", r"\E\U\R 0.00", r"0.00\ \€")]
    ['', 'kr', 'EUR', '€']
    >>> sign_in('0.00 "EUR incl. VAT"'), sign_in('0.00 "kWh"')
    ('EUR', '')
    >>> [sign_in(code) for code in ('0.00" Cr"', '-0.00', '€(0.00)', '0.00;-0.00', '_-* 0.00_);(0.00)', '0.00 ($)')]
    ['Cr', '-', '(', '', '', '$']
    """
    code = code[:LONGEST_CELL_FORMAT]
    shown = list(_shown_by(code.partition(";")[0]))
    before = in_one_form("".join(takewhile(lambda text: text != _FIGURE, shown)))
    if before.count("(") > before.count(")"):
        return "("
    if "-" in (before[:1], before[-1:]):
        return "-"
    if side := next((text for text in shown if is_sign(text) and text != "("), None):
        return side
    for text in _shown_by(code):
        if text and (signs := [text] if is_currency(text) else signs_said(text)):
            return " ".join(signs[0].split())
    return ""


def _shown_by(code: str) -> Iterator[str]:
    """Yield the texts that a number format shows, and `_FIGURE` for each digit.

    "" is yielded for parts of the format that show no text, such as colors or padding.
    """
    for named, quoted, escaped, bare in _SAID.findall(code):
        text = (named or quoted or escaped.replace("\\", "")).strip()
        if bare:
            is_shown = bare in "()" or is_sign(bare) or category(bare) == "Sc"
            text = _FIGURE if bare in "0#?G" else bare if is_shown else ""
        yield text


def signs_of_styles(styles: bytes | bytearray) -> dict[int, str]:
    """Return the currencies that an XLSX workbook's cell styles show, by style number.

    The format is ECMA-376 part 1 section 18.8.10.
    """
    codes: dict[str, str] = {}
    found: dict[int, str] = {}
    is_of_cells, number = False, 0

    def start(tag: str, of: dict[str, str]) -> None:
        nonlocal is_of_cells, number
        kind = tag.rpartition(":")[2]
        if kind == "numFmt":
            codes[of.get("numFmtId", "")] = sign_in(of.get("formatCode", ""))
        elif kind == "cellXfs":
            is_of_cells = True
        elif kind == "xf" and is_of_cells:
            if sign := codes.get(of.get("numFmtId", "")):
                found[number] = sign
            number += 1

    def end(tag: str) -> None:
        nonlocal is_of_cells
        if tag.rpartition(":")[2] == "cellXfs":
            is_of_cells = False

    parser = ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.Parse(styles, True)
    return found


class Signs:
    """A sheet's cells that show a currency.

    Rows and columns are counted from 1. Each cell takes four bytes of memory.
    """

    def __init__(self) -> None:
        self._rows: dict[int, dict[str, array[int]]] = defaultdict(lambda: defaultdict(lambda: array("I")))

    def note(self, row: int, column: int, sign: str) -> None:
        """Record that a cell shows the currency with this sign or code.

        The cells of a column must be recorded from top to bottom.
        """
        self._rows[column][sign].append(row)

    def on(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows, with a `Priced` for each number that is shown with a currency."""
        for line, cells in rows:
            yield line, self._shown(line, cells) if self._rows else cells

    def _shown(self, line: int, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        shown = list(cells)
        for column, by_sign in self._rows.items():
            cell = cells[column - 1] if column <= len(cells) else None
            for sign, rows in by_sign.items():
                place = bisect_left(rows, line)
                if place < len(rows) and rows[place] == line and isinstance(cell, Decimal):
                    shown[column - 1] = Priced(cell, sign)
        return tuple(shown)


class Marks(NamedTuple):
    """A sheet's special cells: those without a clear value, and those that show a currency."""

    unclear: Places
    signs: Signs

    @classmethod
    def none(cls) -> Self:
        """Build the `Marks` of a sheet that has no special cells."""
        return cls(set(), Signs())
