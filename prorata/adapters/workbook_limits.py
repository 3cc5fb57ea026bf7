"""How large a workbook may be, and how far the cells of its sheets may spread."""

from prorata.domain.sheets import HEADER_WITHIN
from prorata.errors import InvalidRequest

MOST_UNPACKED_BYTES = 100 * 1024 * 1024
MOST_PARTS = 1_000
"""Files inside the ZIP."""
MOST_SHEETS = 100
MOST_ROWS = 200_000
MOST_COLUMNS = 100
MOST_CELLS = 4_000_000
"""Rows times columns of a sheet: an empty cell costs memory like a full one."""

Places = set[tuple[int, int]]
"""Cells of one sheet, as (row, column), both from 1."""


def refuse_far_cells(last_row: int, last_column: int) -> None:
    """Refuse a sheet whose cells spread too far: the parser makes room for every cell up to the last one, so that two
    cells could ask for all memory there is. Raises `InvalidRequest`.
    """
    if last_row > MOST_ROWS + HEADER_WITHIN or last_column > MOST_COLUMNS or last_row * last_column > MOST_CELLS:
        raise InvalidRequest(
            f"A sheet of the workbook has more than {MOST_ROWS:,} rows or {MOST_COLUMNS} columns. "
            "Remove what is not needed, or split it into smaller files."
        )
