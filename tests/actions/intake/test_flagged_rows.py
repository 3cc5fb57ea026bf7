"""Flagged rows of a file of bills are sorted by the likelihood of an error."""

from datetime import date

from prorata.actions.intake import flagged_rows
from prorata.actions.intake.bill_imports import FlaggedRow
from prorata.domain.bills.bills import NewBill
from prorata.domain.bills.flags import Flag
from prorata.domain.intake.bill_files import FileBill


def test_likely_duplicates_come_first_and_then_the_largest_amounts():
    of = {2: ("gap", 90_00), 3: ("unusualAmount", 10_00), 4: ("unusualAmount", 80_00), 5: ("duplicate", 5_00)}
    rows = [FlaggedRow(line, (Flag("gap", ""), Flag(kind, ""))) for line, (kind, _) in of.items()]
    bills = [
        FileBill(line, NewBill("prop_1", "City", ("WATER",), total, date(2026, 3, 1)))
        for line, (_, total) in of.items()
    ]
    assert [one.line for one in flagged_rows.page(rows, bills, 1)] == [5, 4, 3, 2]
    assert flagged_rows.page(rows, bills, 2) == []
