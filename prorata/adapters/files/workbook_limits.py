"""The limits for a workbook's size, and for the area of its sheets' cells."""

from prorata.adapters.limits import MOST_SHEET_CELLS, MOST_SHEET_COLUMNS, MOST_SHEET_ROWS
from prorata.domain.files.sheets import HEADER_WITHIN
from prorata.domain.texts import Count, say
from prorata.errors import InvalidRequest

Places = set[tuple[int, int]]
"""The positions of cells in one sheet, as (row, column), both counted from 1."""


def refuse_far_cells(last_row: int, last_column: int) -> None:
    """Raise `InvalidRequest` if the cells of a sheet cover too large an area.

    The parser allocates every cell up to the last one, so two cells could use up all memory.
    """
    if (
        last_row > MOST_SHEET_ROWS + HEADER_WITHIN
        or last_column > MOST_SHEET_COLUMNS
        or last_row * last_column > MOST_SHEET_CELLS
    ):
        raise InvalidRequest(
            say(
                "A sheet in the workbook has more than {rows} rows or {columns} columns. Remove what you don’t need, "
                "or split it into smaller files.",
                rows=Count(MOST_SHEET_ROWS),
                columns=MOST_SHEET_COLUMNS,
            )
        )
