"""A scan of an ODS workbook for its sheets' sizes and its special cells.

Special cells have no clear value or show a currency. The format is OpenDocument 1.3 part 3.
"""

from xml.parsers.expat import ParserCreate

from prorata.adapters.files.workbook_currencies import Marks
from prorata.adapters.files.workbook_limits import refuse_far_cells
from prorata.adapters.limits import MOST_UNCLEAR_CELLS
from prorata.domain.files.column_currencies import is_currency
from prorata.domain.texts import say
from prorata.errors import InvalidRequest

CONTENT = "content.xml"
_CELLS = ("table:table-cell", "table:covered-table-cell")
_ERRORS = ("#", "Err:")
"""The texts with which the content of a cell begins if its formula failed."""
_ENOUGH = 4
"""The number of characters of a cell that are enough to recognize an error."""
_HIGHEST_REPEAT = 2**20
"""The maximum number of rows that a sheet can have."""


def marks_of(content: bytes | bytearray) -> dict[str, Marks]:
    """Find each sheet's cells with an error, an uncomputed formula or a currency.

    Raises `InvalidRequest` if the cells of a sheet cover too large an area, or if too many have errors, and
    `ExpatError` if the data is not XML.
    """
    reader = _Reader()
    parser = ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.Parse(content, True)
    return reader.found


class _Reader:
    """A handler of a workbook's XML elements, which finds the cells for `marks_of`.

    It recognizes elements and attributes only by the usual prefixes, such as `table:`, because the parser that reads
    the values recognizes no others.
    """

    def __init__(self) -> None:
        self.found: dict[str, Marks] = {}
        self._marks = Marks.none()
        self._row, self._rows = 0, 1
        self._column, self._columns = 0, 1
        self._cell: dict[str, str] | None = None
        self._text = ""

    def start(self, tag: str, of: dict[str, str]) -> None:
        """Handle the start of an element."""
        if tag == "table:table":
            self._marks, self._row = self.found.setdefault(of.get("table:name", ""), Marks.none()), 0
        elif tag == "table:table-row":
            self._rows, self._column = _repeats(of, "table:number-rows-repeated"), 0
        elif tag in _CELLS:
            self._columns = _repeats(of, "table:number-columns-repeated")
            self._cell, self._text = of, ""

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if tag == "table:table-row":
            self._row += self._rows
        elif tag in _CELLS:
            if self._cell is not None:
                self._take(self._cell)
            self._column += self._columns
            self._cell = None

    def text(self, text: str) -> None:
        """Collect the displayed text of a cell, as far as needed to recognize an error."""
        if self._cell is not None and len(self._text) < _ENOUGH:
            self._text += text.strip()

    def _take(self, cell: dict[str, str]) -> None:
        """Record a cell and its repetitions if it has an error or shows a currency.

        A formula that was not computed counts as an error.
        """
        kind = cell.get("office:value-type")
        if kind is None and "table:formula" not in cell and not self._text:
            return
        refuse_far_cells(self._row + self._rows, self._column + self._columns)
        is_computed = kind is not None and not (kind == "string" and self._text.startswith(_ERRORS))
        rows = range(self._row + 1, self._row + self._rows + 1)
        columns = range(self._column + 1, self._column + self._columns + 1)
        if cell.get("calcext:value-type") == "error" or ("table:formula" in cell and not is_computed):
            if len(self._marks.unclear) + len(rows) * len(columns) > MOST_UNCLEAR_CELLS:
                raise InvalidRequest(
                    say("Too many cells in the workbook contain errors. Fix them, then save it again.")
                )
            self._marks.unclear.update((row, column) for row in rows for column in columns)
        if kind == "currency" and is_currency(sign := cell.get("office:currency", "")):
            for row in rows:
                for column in columns:
                    self._marks.signs.note(row, column, sign)


def _repeats(of: dict[str, str], name: str) -> int:
    """Return the number of times that an element is repeated.

    Raises `ValueError` if the attribute is not a number.
    """
    return min(max(int(of.get(name, "1")), 1), _HIGHEST_REPEAT)
