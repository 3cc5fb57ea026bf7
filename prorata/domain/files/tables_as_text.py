"""A table as text that can be pasted, and read again line for line."""

from datetime import date
from decimal import Decimal

from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cells import Cell
from prorata.domain.files.sheets import NO_HEADER, Sheet
from prorata.domain.number_parsing import written_plainly


def as_text(sheet: Sheet, country: str) -> str:
    r"""The rows of a table, each in its line, with tabs between cells; numbers as they are written in a country.

    >>> as_text(Sheet(("Unit", "Amount"), ((4, ("1A", Decimal("80.1"))),), 2), "DE")
    '\nUnit\tAmount\n\n1A\t80,10\n'
    """
    mark = COUNTRIES[country].decimal_marks[0]
    header = () if sheet.header_line == NO_HEADER else ((sheet.header_line, sheet.header),)
    lines: list[str] = []
    for line, cells in (*sheet.above, *header, *sheet.rows):
        lines += [""] * (line - 1 - len(lines))
        lines.append("\t".join(_text(cell, mark) for cell in cells).rstrip("\t"))
    return "".join(f"{line}\n" for line in lines)


def _text(cell: Cell, mark: str) -> str:
    if isinstance(cell, Decimal):
        return written_plainly(cell, mark, places=2 if cell != int(cell) else 0)
    if isinstance(cell, date):
        return cell.isoformat()
    text = " ".join(cell.split()) if isinstance(cell, str) else ""
    return text.replace('"', "'") if text.startswith('"') else text
