"""A bill for a long service period may be spread over its months by days.

The part of each month is a line of its own.
"""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import bindparam, update

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import (
    bills,
    entries as bill_entries,
    flags as bill_flags,
    late_bills,
    lines as bill_lines,
    lists as bill_lists,
    splits as bill_splits,
)
from prorata.actions.bills.flags import Decision
from prorata.actions.exports import list_exports
from prorata.actions.intake import bill_imports
from prorata.actions.properties import properties
from prorata.domain.bills.flags import shown_as
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.domain.files.sheets import Sheet
from prorata.errors import Conflict, InvalidRequest
from prorata.store.bills.bills import BillRow, BillSummary
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes
from prorata.store.properties.properties import PropertyRow
from prorata.store.schema.tables import account
from tests.landlord import Landlord
from tests.tables import bills_file

LONG = {"service_start": "2025-12-01", "service_end": "2026-01-31"}


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    maple = landlord.property_("Maple Court")
    landlord.units(maple, "1", "2")
    return maple


def form(of: PropertyRow, total: str = "100.00", **more: Any) -> BillForm:
    lines = more.pop("lines", (FormLine("WATER"),))
    return BillForm(of.id, "Aqua Water Co.", total, "2026-02-03", lines, **{**LONG, "spread": True, **more})


def enter(landlord: Landlord, of: PropertyRow, *arguments: Any, **more: Any) -> BillSummary:
    """Enter a bill, and leave its flags open."""
    filled = form(of, *arguments, **more)
    entered = landlord.do(bill_entries.enter, filled)
    if entered.bill is None:
        decision = Decision(shown_as(entered.flags), later=True)
        entered = landlord.do(bill_entries.enter, filled, decision=decision)
    assert entered.bill is not None
    return entered.bill


def change(landlord: Landlord, bill: BillSummary | BillRow, **wishes: Any) -> BillSummary:
    before = landlord.see(bill_entries.form_of, bill.id)
    return landlord.do(bill_entries.change, bill.id, before._replace(**wishes))


def parts(landlord: Landlord, bill: Any) -> list[tuple[str, int, int | None]]:
    return [(line.month, line.amount, line.days) for line in landlord.lines(bill)]


def settle(landlord: Landlord, bill: Any, *month: str) -> BillSummary:
    return landlord.do(late_bills.settle, bill.id, *month)


def test_each_month_is_charged_for_its_days_to_the_cent(landlord: Landlord, maple: PropertyRow) -> None:
    bill = enter(landlord, maple, "100.01")
    assert parts(landlord, bill) == [("2025-12", 50_01, 31), ("2026-01", 50_00, 31)]
    assert landlord.totals(maple, "2025-12") == {"1": 25_01, "2": 25_00}
    assert landlord.totals(maple, "2026-01") == {"1": 25_00, "2": 25_00}
    assert (bill.billing_month, bill.last_month, bool(bill.waiting)) == ("2025-12", "2026-01", False)
    split = landlord.see(bill_splits.of_bill, bill.id)
    assert (split.charged, split.owner, split.unbilled, split.may_be_spread) == (100_01, 0, 0, True)
    assert "spread over 2 months" in landlord.see(bill_splits.outcome, bill)
    (charge,) = landlord.invoices(maple, "2025-12")["1"].charges
    said = charge.description
    assert "$100.01, of which water $50.01 for 31 of 62 days: " in said


def test_a_combined_bill_is_spread_line_by_line_and_edited_as_a_whole(landlord: Landlord, maple: PropertyRow) -> None:
    lines = (FormLine("WATER", "70.01"), FormLine("SEWER", "30.00"), FormLine("LATE_FEE", "0.02"))
    bill = enter(landlord, maple, "100.03", lines=lines)
    assert [line.amount for line in landlord.lines(bill)] == [35_01, 35_00, 15_00, 15_00, 1, 1]
    as_before = landlord.see(bill_entries.form_of, bill.id)
    assert (as_before.lines, as_before.spread) == (lines, True)
    assert change(landlord, bill, notes="read").billing_month == "2025-12"
    change(landlord, bill, total="90.03", lines=(FormLine("WATER", "60.01"), *lines[1:]))
    assert [line.amount for line in landlord.lines(bill)] == [30_01, 30_00, 15_00, 15_00, 1, 1]
    change(landlord, bill, spread=False)
    assert [(line.month, line.amount, line.days) for line in landlord.lines(bill)] == [
        ("2026-01", 60_01, None), ("2026-01", 30_00, None), ("2026-01", 2, None),
    ]  # fmt: skip
    assert landlord.totals(maple, "2025-12") == {}


@pytest.mark.parametrize(
    "more", [{"service_end": "2026-01-14"}, {"service_start": "", "service_end": ""}, {"billing_month": "2026-01"}]
)
def test_only_a_long_service_is_spread_and_where_no_month_is_chosen(
    landlord: Landlord, maple: PropertyRow, more: dict[str, str]
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        enter(landlord, maple, **more)
    assert [problem.field for problem in refused.value.problems] == ["spread"]
    assert landlord.stored_bills(maple) == []


def test_the_part_of_a_closed_month_waits_and_is_billed_in_another(landlord: Landlord, maple: PropertyRow) -> None:
    landlord.bill(maple, 20_00, on=date(2025, 12, 5))
    landlord.set_status(maple, "1", "SENT", "2025-12")
    bill = enter(landlord, maple)
    assert bill.waiting
    assert "Part of it is waiting" in landlord.see(bill_splits.outcome, bill)
    assert landlord.see(bill_splits.of_bill, bill.id).closed == (), "what waits can be changed"
    assert landlord.totals(maple, "2026-01") == {"1": 25_00, "2": 25_00}
    assert landlord.see(late_bills.next_open_month, bill.id) == "2026-01"

    settled = settle(landlord, bill)
    assert not settled.waiting
    assert parts(landlord, bill) == [("2026-01", 50_00, 31), ("2026-01", 50_00, 31)]
    assert landlord.totals(maple, "2026-01") == {"1": 50_00, "2": 50_00}
    assert landlord.totals(maple, "2025-12") == {"1": 10_00, "2": 10_00}
    change(landlord, bill, notes="still there")
    assert parts(landlord, bill) == [("2026-01", 50_00, 31), ("2026-01", 50_00, 31)]
    landlord.sound()


def test_a_part_that_waits_is_divided_when_its_month_opens_again(landlord: Landlord, maple: PropertyRow) -> None:
    landlord.bill(maple, 20_00, on=date(2025, 12, 5))
    landlord.set_status(maple, "1", "SENT", "2025-12")
    bill = enter(landlord, maple)
    landlord.set_status(maple, "1", "DRAFT", "2025-12")
    assert not landlord.see(bills.find, bill.id).waiting
    assert landlord.totals(maple, "2025-12") == {"1": 35_00, "2": 35_00}


def test_a_spread_bill_that_charged_a_closed_month_is_fixed(landlord: Landlord, maple: PropertyRow) -> None:
    bill = enter(landlord, maple)
    landlord.set_status(maple, "1", "SENT", "2026-01")
    for wish in ({"spread": False}, {"total": "90.00"}):
        with pytest.raises(Conflict, match="January 2026"):
            change(landlord, bill, **wish)
    assert landlord.see(bill_splits.of_bill, bill.id).closed == ("2026-01",)
    with pytest.raises(Conflict, match="January 2026"):
        landlord.do(bills.remove, bill.id)
    change(landlord, bill, notes="seen")
    assert landlord.totals(maple, "2025-12") == {"1": 25_00, "2": 25_00}
    landlord.sound()

    landlord.set_status(maple, "1", "DRAFT", "2026-01")
    landlord.do(bills.remove, bill.id)
    assert landlord.totals(maple, "2025-12") == {}
    assert landlord.totals(maple, "2026-01") == {"1": 0}, "it was sent once, and stays"


def by_itself(landlord: Landlord) -> None:
    """Make the account move late bills to the next open month automatically."""
    wish = changes(update(account).where(account.c.id == bindparam("own")).values(late_bills=bindparam("late")))
    landlord.run(lambda tx: tx.run(wish, own=landlord.account.id, late="next open month"))


def test_late_parts_go_to_the_next_open_month_by_themselves(landlord: Landlord, maple: PropertyRow) -> None:
    by_itself(landlord)
    landlord.bill(maple, 20_00, on=date(2025, 12, 5))
    landlord.set_status(maple, "1", "SENT", "2025-12")
    assert [month for month, *_ in parts(landlord, enter(landlord, maple))] == ["2026-01", "2026-01"]


def test_a_spread_bill_is_one_row_of_a_file_and_found_in_each_of_its_months(
    landlord: Landlord, maple: PropertyRow
) -> None:
    bill = enter(landlord, maple, lines=(FormLine("WATER", "70.00"), FormLine("SEWER", "30.00")))
    _, rows = exported(landlord)
    assert len(rows) == 1
    for month in ("2025-12", "2026-01"):
        found = landlord.see(bill_lists.page, bill_lists.Wish({"month": month}), limit=9)
        assert ([row.id for row in found.rows], found.total) == ([bill.id], 1)


def exported(landlord: Landlord) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    def whole(tx: Tx) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        header, rows = list_exports.of_bills(tx, landlord.caller, bill_lists.Wish({}))
        return header, list(rows)

    return landlord.database.snapshot(whole)


def test_a_file_of_bills_says_which_are_spread_and_they_come_back_so(landlord: Landlord, maple: PropertyRow) -> None:
    enter(landlord, maple, "100.01")
    header, rows = exported(landlord)
    other = Landlord(landlord.database, landlord.clock)
    there = other.property_("Maple Court")
    other.units(there, "1", "2")
    file = bills_file(Sheet(header, tuple(enumerate(rows, start=2))))

    (told,) = other.see(bill_imports.outlook, file).new
    report = other.do(bill_imports.import_bills, file, dry_run=False, take_good_rows=False)

    assert (told.month, told.last_month, told.total) == ("2025-12", "2026-01", 100_01)
    assert (report.problems, report.added) == ((), 1)
    assert parts(other, other.stored_bills(there)[0]) == [("2025-12", 50_01, 31), ("2026-01", 50_00, 31)]
    assert exported(other) == (header, rows)


# --- a bill that is flagged, or held ----------------------------------------------------------------------------------


def held(landlord: Landlord, of: PropertyRow, **more: Any) -> BillSummary:
    """Enter a bill that is held because it is like another one."""
    landlord.do(accounts.change_settings, Wishes(hold_flagged=True))
    bill = enter(landlord, of, **more)
    assert bill.held
    return bill


def kept(landlord: Landlord, bill: Any) -> list[tuple[str, int, int | None, int | None]]:
    """The lines of a bill, whether the bill counts or is held."""
    lines = landlord.see(bill_lines.stored, bill.id).lines
    return [(line.month, line.amount, line.days, line.of_days) for line in lines]


def accept(landlord: Landlord, bill: Any) -> bool:
    (flag,) = landlord.see(bill_flags.of_bill, bill.id)
    return landlord.do(bill_flags.accept, bill.id, 1, "a second meter", flag.mark)


def test_a_bill_that_is_held_is_charged_in_each_of_its_months_once_it_is_accepted(
    landlord: Landlord, maple: PropertyRow
) -> None:
    lines = (FormLine("WATER", "70.01"), FormLine("SEWER", "29.99"))
    enter(landlord, maple, lines=lines)
    before = landlord.totals(maple, "2025-12"), landlord.totals(maple, "2026-01")
    bill = held(landlord, maple, lines=lines)
    days = [
        ("2025-12", 35_01, 31, 62), ("2026-01", 35_00, 31, 62), ("2025-12", 15_00, 31, 62), ("2026-01", 14_99, 31, 62),
    ]  # fmt: skip
    assert kept(landlord, bill) == days
    assert landlord.lines(bill) == []
    assert (bill.billing_month, bill.last_month, bool(bill.waiting)) == ("2025-12", "2026-01", False)
    assert (landlord.totals(maple, "2025-12"), landlord.totals(maple, "2026-01")) == before
    filled = landlord.see(bill_entries.form_of, bill.id)
    assert (filled.lines, filled.spread) == (lines, True)
    for month in ("2025-12", "2026-01"):
        found = landlord.see(bill_lists.page, bill_lists.Wish({"month": month}), limit=9)
        assert bill.id in [one.id for one in found.rows]
    assert change(landlord, bill, notes="read").held
    assert kept(landlord, bill) == days
    landlord.sound()

    assert accept(landlord, bill)
    assert kept(landlord, bill) == days
    assert [line.charged for line in landlord.lines(bill)] == [True] * 4
    assert landlord.totals(maple, "2025-12") == {"1": 50_02, "2": 50_00}
    assert landlord.totals(maple, "2026-01") == {"1": 50_00, "2": 49_98}
    said = [charge.description for charge in landlord.invoices(maple, "2026-01")["1"].charges]
    assert sum("for 31 of 62 days" in one for one in said) == len(said) == 4
    released = landlord.see(bills.find, bill.id)
    assert (released.billing_month, released.last_month, bool(released.held)) == ("2025-12", "2026-01", False)
    landlord.sound()


def test_a_bill_is_spread_or_no_longer_while_it_is_held(landlord: Landlord, maple: PropertyRow) -> None:
    enter(landlord, maple)
    bill = held(landlord, maple, spread=False)
    assert kept(landlord, bill) == [("2026-01", 100_00, None, None)]
    assert change(landlord, bill, spread=True).held
    assert kept(landlord, bill) == [("2025-12", 50_00, 31, 62), ("2026-01", 50_00, 31, 62)]
    landlord.sound()
    assert change(landlord, bill, spread=False).held
    assert accept(landlord, bill)
    assert landlord.totals(maple, "2025-12") == {"1": 25_00, "2": 25_00}
    assert landlord.totals(maple, "2026-01") == {"1": 75_00, "2": 75_00}
    landlord.sound()


def test_the_part_of_a_month_that_was_closed_while_a_bill_was_held_waits(
    landlord: Landlord, maple: PropertyRow
) -> None:
    enter(landlord, maple)
    bill = held(landlord, maple)
    landlord.set_status(maple, "1", "SENT", "2025-12")
    assert not landlord.see(bills.find, bill.id).waiting
    assert accept(landlord, bill)
    assert landlord.see(bills.find, bill.id).waiting
    assert parts(landlord, bill) == [("2025-12", 50_00, 31), ("2026-01", 50_00, 31)]
    assert landlord.totals(maple, "2025-12") == {"1": 25_00, "2": 25_00}
    assert landlord.totals(maple, "2026-01") == {"1": 50_00, "2": 50_00}
    landlord.sound()
    assert not settle(landlord, bill, "2026-02").waiting
    assert parts(landlord, bill) == [("2026-02", 50_00, 31), ("2026-01", 50_00, 31)]
    landlord.sound()


def test_that_part_goes_to_the_next_open_month_where_late_bills_do(landlord: Landlord, maple: PropertyRow) -> None:
    by_itself(landlord)
    enter(landlord, maple)
    bill = held(landlord, maple)
    landlord.set_status(maple, "1", "SENT", "2025-12")
    assert accept(landlord, bill)
    assert parts(landlord, bill) == [("2026-01", 50_00, 31), ("2026-01", 50_00, 31)]
    assert landlord.totals(maple, "2026-01") == {"1": 75_00, "2": 75_00}
    landlord.sound()


def test_a_bill_with_one_month_that_is_billed_is_looked_at(landlord: Landlord, maple: PropertyRow) -> None:
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-01"})
    mostly_before = {"service_start": "2025-11-01", "service_end": "2026-01-05"}
    enter(landlord, maple, **mostly_before)
    assert not enter(landlord, maple, **mostly_before, total="9.00", due_date="2025-01-01", spread=False).flagged
    bill = held(landlord, maple, **mostly_before)
    assert change(landlord, bill, account_number="A-1").held
    assert landlord.bill(maple, 7_00).id
    assert landlord.see(bills.find, bill.id).held
    assert accept(landlord, bill)
    assert [line.charged for line in landlord.lines(bill)] == [False, False, True]
    landlord.sound()


def test_what_is_kept_of_a_bill_that_is_held_says_its_days(landlord: Landlord, maple: PropertyRow) -> None:
    enter(landlord, maple)
    held(landlord, maple)
    landlord.do(properties.remove, maple.id, landlord.archive)
    (text,) = landlord.archive.kept.values()
    assert '"of_days": 62' in text.split('"heldLines": [')[1]
