"""Tests of the flags of bills in a file.

They are shown by line before the import, kept with the bills, and found without a statement for each bill.
"""

from datetime import date

import pytest

from prorata.actions.intake import bill_imports
from prorata.domain.intake.bill_files import Sheet
from prorata.store.bills import flags as stored
from tests.actions.bills.test_flags import HEADER, enter, hold
from tests.landlord import Landlord
from tests.tables import bills_file


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    return maple


def file(*rows):
    return bills_file(Sheet(HEADER, tuple(enumerate(rows, start=2))))


def row(total, on, number="", account=""):
    return ("Maple Court", "Aqua Water Co.", "WATER", total, on, account, number)


def bring(landlord, *rows, hold=False):
    return landlord.do(bill_imports.import_bills, file(*rows), dry_run=False, take_good_rows=False, hold=hold)


def test_flags_of_a_file_are_told_by_line_before_and_kept_with_the_bills(landlord, maple):
    first = enter(landlord, maple, "100.00", "2026-02-20")
    rows = (row("100.00", "2026-02-20", "7"), row("30.00", "2026-03-01", "8"), row("30.00", "2026-03-01", "9"))
    before = landlord.see(bill_imports.preview, file(*rows))
    told = [(one.line, [flag.kind for flag in one.flags], one.flags[0].bills) for one in before.flagged]
    assert told == [(2, ["duplicate"], (first.id,)), (4, ["duplicate"], ("line 3",))]
    after = bring(landlord, *rows)
    assert (after.added, after.flagged, after.held) == (3, before.flagged, 0)
    by_number = {one.bill_number: one for one in landlord.stored_bills(maple)}
    (flag,) = landlord.read(stored.of_bill, by_number["9"].id)
    assert flag.about == by_number["8"].id
    assert landlord.see(bill_imports.preview, file(*rows)).flagged == (), "what is there already is not looked at"


def test_a_file_with_odd_bills_is_held_only_where_it_is_asked_for_and_the_account_wants_that(landlord, maple):
    rows = (row("30.00", "2026-02-01", "8"), row("30.00", "2026-02-01", "9"))
    assert bring(landlord, *rows, hold=True).held == 0
    hold(landlord)
    more = (row("31.00", "2026-02-02", "10"), row("31.00", "2026-02-02", "11"))
    assert bring(landlord, *more).held == 0
    assert landlord.totals(maple) == {"1": 61_00, "2": 61_00}
    last = (row("32.00", "2026-02-03", "12"), row("32.00", "2026-02-03", "13"))
    assert bring(landlord, *last, hold=True).held == 1
    assert landlord.totals(maple) == {"1": 77_00, "2": 77_00}
    assert bring(landlord, *last, hold=True).skipped == (2, 3), "a bill that is held is there already"


def test_bills_of_a_file_in_any_order_are_compared_by_their_dates(landlord, maple):
    days = [date(2026, month, 5).isoformat() for month in (3, 1, 2)]
    report = bring(landlord, *(row(f"{90 + at}.00", on, account="A-1") for at, on in enumerate(days)))
    assert report.flagged == ()
    odd = bring(landlord, row("900.00", "2026-04-05", account="A-1"))
    assert [flag.kind for one in odd.flagged for flag in one.flags] == ["unusualAmount"]


def test_a_file_takes_no_statement_for_each_of_its_bills(landlord, maple):
    def statements(*rows):
        seen = []
        landlord.database.read(lambda tx: bill_imports.preview(Counting(tx, seen), landlord.caller, file(*rows)))
        return len(seen)

    few = statements(row("30.00", "2026-02-01", "8", "A-1"))
    many = statements(*(row(f"{at}.00", "2026-02-01", str(at), f"A-{at}") for at in range(1, 60)))
    assert few == many < 15


class Counting:
    """A transaction that records the statements of its queries."""

    def __init__(self, tx, seen):
        self._tx, self._seen = tx, seen

    def __getattr__(self, name):
        work = getattr(self._tx, name)
        if name in ("one", "all"):

            def noted(*arguments, **named):
                self._seen.append(arguments[0])
                return work(*arguments, **named)

            return noted
        return work
