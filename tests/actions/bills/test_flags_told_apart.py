"""Flags that look alike are distinguished by what the person was shown.

Bills that look alike are distinguished by their numbers.
"""

import pytest

from prorata.actions.bills import entries as bill_entries, flags as bill_flags
from prorata.actions.intake import bill_imports
from prorata.domain.files.sheets import Sheet
from prorata.errors import Conflict
from prorata.store.bills import flags as stored
from tests.actions.bills.test_flags import HEADER, enter, found, hold, kinds
from tests.tables import bills_file


@pytest.fixture
def maple(landlord):
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    return maple


def test_a_flag_that_is_another_one_by_now_is_not_accepted_by_its_number(landlord, maple):
    hold(landlord)
    first = enter(landlord, maple)
    bill = enter(landlord, maple, due_date="2026-01-01")
    seen = landlord.see(bill_flags.of_bill, bill.id)[0]
    landlord.remove_bill(first)
    (now,) = landlord.see(bill_flags.of_bill, bill.id)
    assert [(one.row.number, one.row.kind) for one in (seen, now)] == [(1, "duplicate"), (1, "dueBeforeBilled")]
    with pytest.raises(Conflict):
        landlord.do(bill_flags.accept, bill.id, 1, "a second meter", seen.mark)
    assert found(landlord, bill).held
    assert landlord.do(bill_flags.accept, bill.id, 1, "so it says", now.mark) is True


def test_the_same_sentence_about_another_bill_is_another_flag(landlord, maple):
    enter(landlord, maple)
    bill = enter(landlord, maple)
    (row,) = landlord.read(stored.of_bill, bill.id)
    assert bill_flags.mark_of([row]) != bill_flags.mark_of([row._replace(about="bill_other")])


def test_what_was_accepted_of_one_bill_is_not_accepted_of_another_that_is_like_it(landlord, maple):
    first = enter(landlord, maple)
    bill = enter(landlord, maple, reasons=("a second meter",))
    landlord.do(
        bill_entries.change, bill.id, landlord.see(bill_entries.form_of, bill.id)._replace(due_date="2026-03-20")
    )
    assert kinds(landlord, bill) == ([], ["duplicate"])
    landlord.remove_bill(first)
    enter(landlord, maple)
    landlord.do(
        bill_entries.change, bill.id, landlord.see(bill_entries.form_of, bill.id)._replace(due_date="2026-03-21")
    )
    assert kinds(landlord, bill) == (["duplicate"], ["duplicate"])


def test_a_bill_number_that_was_seen_is_flagged_with_another_account_number_and_written_otherwise(landlord, maple):
    enter(landlord, maple, "12.00", "2024-01-20", account_number="12345", bill_number="RE202617")
    late = enter(landlord, maple, "12.00", account_number="0012345", bill_number="RE 2026/17")
    assert kinds(landlord, late) == (["duplicate"], [])
    row = ("Maple Court", "Aqua Water Co.", "WATER", "12.00", "2026-02-20", "012345", "RE 2026-17")
    report = landlord.see(bill_imports.preview, bills_file(Sheet(HEADER, ((2, row),))))
    assert [[flag.kind for flag in one.flags] for one in report.flagged] == [["duplicate"]]
