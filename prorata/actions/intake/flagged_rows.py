"""The flagged rows of a file of bills, the most urgent first, for review."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from prorata.actions.intake.bill_imports import FlaggedRow
from prorata.domain.bills.bills import NewBill
from prorata.domain.bills.flags import Flag, FlagKind
from prorata.domain.intake.bill_files import FileBill

FLAGGED_ON_A_PAGE = 500
"""The number of flagged rows on a page, so many that their checks are mostly together on one."""
_ORDER: Final[Sequence[FlagKind]] = (
    "duplicate", "inFuture", "overlap", "doesNotSum", "dueBeforeBilled", "unusualAmount", "gap",
)  # fmt: skip


class FlaggedBill(NamedTuple):
    """A flagged row of a file: its line, its flags and its bill."""

    line: int
    flags: tuple[Flag, ...]
    bill: NewBill


def page(rows: Sequence[FlaggedRow], bills: Sequence[FileBill], number: int) -> list[FlaggedBill]:
    """Return one page of flagged rows, likely duplicates first.

    The rows are sorted by their most urgent flag; among equals, the largest total comes first.
    """
    by_line = {each.line: each.bill for each in bills}
    found = [FlaggedBill(row.line, row.flags, by_line[row.line]) for row in rows]
    found.sort(key=lambda one: (min(_ORDER.index(flag.kind) for flag in one.flags), -one.bill.total, one.line))
    return found[(number - 1) * FLAGGED_ON_A_PAGE : number * FLAGGED_ON_A_PAGE]
