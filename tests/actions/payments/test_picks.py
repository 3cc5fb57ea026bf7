"""Rows of a bank statement can be picked page by page.

They are recorded in parts, and rows for one invoice stay in one part.
"""

import pytest

from prorata.actions.payments import recording as payment_recording
from prorata.actions.payments.picks import Picks, in_parts, mark_of, mark_of_matched
from prorata.errors import Conflict, InvalidRequest
from tests.actions.payments.test_files import PLAIN, bring, look, three_flats
from tests.actions.properties.test_property_imports import Counting
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    return three_flats(landlord)


def test_rows_for_one_invoice_stay_in_one_part_and_every_row_is_in_one(landlord, maple):
    kept = bring(
        landlord,
        ("2026-03-05", "10.00", "A", "MAPLECOURT-1-2026-02"),
        ("2026-03-05", "30.00", "B", "MAPLECOURT-2-2026-02"),
        ("2026-03-06", "20.00", "A", "MAPLECOURT-1-2026-02"),
        ("2026-03-06", "30.00", "C", "MAPLECOURT-3-2026-02"),
    )
    decided = landlord.see(payment_recording.looked_at_and_matched, kept)[1]
    parts = list(in_parts(decided.rows, 2))
    assert [[row.line for row, _ in part] for part in parts] == [[2, 4], [3, 5]]
    assert list(in_parts((), 2)) == [()]
    done = landlord.do(payment_recording.record, decided._replace(rows=parts[0]))
    later = landlord.do(payment_recording.record, decided._replace(rows=parts[1]))
    assert done.and_then(later) == (4, 90_00, (), 3, 0)
    assert {one.summary.status for one in landlord.invoices(maple).values()} == {"PAID"}


def test_what_was_picked_on_other_pages_is_recorded_with_what_is_matched_there(landlord, maple):
    kept = bring(
        landlord,
        PLAIN,
        ("2026-03-05", "30.00", "B", "MAPLECOURT-2-2026-02"),
        ("2026-03-06", "7.00", "nobody", "thanks"),
    )
    landlord.do(payment_recording.settle, kept, Picks({3: ""}, {4: "MAPLECOURT-3-2026-02"}))
    with pytest.raises(InvalidRequest) as wrong:
        landlord.do(payment_recording.settle, kept, Picks({}, {4: "MAPLE-9"}))
    assert [problem.field for problem in wrong.value.problems] == ["number-4"]
    waiting = look(landlord, kept).waiting
    with pytest.raises(Conflict, match="on other pages have changed"):
        landlord.see(payment_recording.decide, kept, Picks(), of_all=mark_of_matched(waiting, [2]))
    decided = landlord.see(payment_recording.decide, kept, Picks(), of_all=mark_of_matched(waiting, []))
    assert landlord.do(payment_recording.record, decided) == (2, 37_00, (), 1, 0)
    paid = {label: one.summary.paid_amount for label, one in landlord.invoices(maple).items()}
    assert paid == {"1": 30_00, "2": 0, "3": 7_00}


def test_only_what_was_picked_is_recorded_where_nothing_is_said_of_other_pages(landlord, maple):
    kept = bring(landlord, PLAIN, ("2026-03-05", "30.00", "B", "MAPLECOURT-2-2026-02"))
    landlord.do(payment_recording.settle, kept, Picks({3: "gone"}))
    mark = mark_of(look(landlord, kept).waiting[0].candidates[0])
    decided = landlord.see(payment_recording.decide, kept, Picks({2: mark}))
    assert [row.line for row, _ in decided.rows] == [2]


def test_a_matched_row_of_another_page_that_changed_meanwhile_is_looked_at_again(landlord, maple):
    kept = bring(landlord, PLAIN, ("2026-03-05", "30.00", "B", "MAPLECOURT-2-2026-02"))
    shown = mark_of_matched(look(landlord, kept).waiting, [2])
    landlord.set_status(maple, "2", "PAID")
    with pytest.raises(Conflict):
        landlord.see(payment_recording.decide, kept, Picks({2: ""}), of_all=shown)


def test_many_rows_take_no_more_statements_than_few(landlord, maple):
    def statements(*rows):
        kept, counted = bring(landlord, *rows), []

        def counting(work, how):
            def run(tx):
                its = Counting(tx)
                found = work(its)
                counted.append(its.statements)
                return found

            return how(run)

        caller, write = landlord.caller, landlord.database.write
        counting(lambda tx: payment_recording.settle(tx, caller, kept, Picks({2: ""})), write)
        _, decided = counting(
            lambda tx: payment_recording.looked_at_and_matched(tx, caller, kept), landlord.database.read
        )
        done = counting(lambda tx: payment_recording.record(tx, caller, decided), write)
        assert done.rows == len(rows)
        return counted

    statements(*(("2026-03-03", "1.00", "A", f"MAPLECOURT-{label}-2026-02") for label in "123"))
    few = statements(("2026-03-04", "1.00", "A", "MAPLECOURT-1-2026-02"))
    rows = [("2026-03-05", f"0.{at:02}", "A", f"MAPLECOURT-{at % 3 + 1}-2026-02") for at in range(1, 61)]
    assert statements(*rows) == few
