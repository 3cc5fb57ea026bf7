"""Importing a file of bills adds, skips or asks about each row."""

from contextlib import suppress
from typing import Any

import pytest

from prorata.actions.intake import bill_imports
from prorata.actions.intake.bill_imports import BillsFile, ImportReport
from prorata.actions.properties import properties
from prorata.domain.billing_calendar import Month
from prorata.domain.files.sheets import Sheet
from prorata.errors import Conflict
from prorata.store.bills import bills as stored_bills
from prorata.store.properties.properties import PropertyRow
from tests.actions.bills.test_bills import SET_LATE_BILLS
from tests.landlord import Landlord
from tests.meanwhile import while_somebody_else_writes
from tests.tables import bills_file

HEADER = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate", "billNumber")
Row = tuple[str, ...]


def row(total: str = "100.00", number: str = "", *, of: str = "Maple Court", on: str = "2026-02-20") -> Row:
    return (of, "Aqua Water Co.", "WATER", total, on, number)


def sheet(*rows: Row) -> BillsFile:
    return bills_file(Sheet(HEADER, tuple(enumerate(rows, start=2))))


def bring(
    landlord: Landlord, *rows: Row, dry_run: bool = False, take_good_rows: bool = False, **more: Any
) -> ImportReport:
    return landlord.do(bill_imports.import_bills, sheet(*rows), dry_run=dry_run, take_good_rows=take_good_rows, **more)


def totals(landlord: Landlord, of: PropertyRow) -> list[int]:
    return sorted(bill.total for bill in landlord.read(stored_bills.all_of_property, of.id))


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    found = landlord.property_("Maple Court")
    landlord.units(found, "1", "2")
    return found


def test_bills_of_a_file_are_on_the_invoices_at_once(landlord: Landlord, maple: PropertyRow) -> None:
    report = bring(landlord, row("100.00"), row("50.00", on="2026-03-01"))

    assert report._replace(bills=()) == ImportReport(added=2, good=2, skipped=(), problems=(), dry_run=False)
    assert landlord.totals(maple) == {"1": 50_00, "2": 50_00}
    landlord.sound()


@pytest.mark.parametrize(("late", "month", "state"), [("ask", "2026-02", "waiting"), ("next", "2026-03", "charged")])
def test_what_is_new_is_told_by_month_as_it_is_then_added(
    landlord: Landlord, maple: PropertyRow, late: str, month: str, state: str
) -> None:
    if late == "next":
        landlord.run(lambda tx: tx.run(SET_LATE_BILLS, account=landlord.caller.account_id, late="next open month"))
    bring(landlord, row("100.00"))
    landlord.set_status(maple, "1", "SENT")
    file = sheet(row("100.00"), row("50.00", "8"))
    assert landlord.see(bill_imports.outlook, file).new == (
        bill_imports.NewBills("Maple Court", "USD", Month(month), 1, 50_00, 0, state),
    )
    report = landlord.do(bill_imports.import_bills, file, dry_run=False, take_good_rows=False)
    assert bool(report.waiting) == (state == "waiting")


def test_a_file_imported_twice_adds_nothing_the_second_time(landlord: Landlord, maple: PropertyRow) -> None:
    rows = (row("100.00", "7"), row("100.00"), row("100.00"))
    bring(landlord, *rows)

    again = bring(landlord, *rows)
    longer = bring(landlord, *rows, row("100.00"))

    assert (again.added, again.skipped) == (0, (2, 3, 4))
    assert (longer.added, longer.skipped) == (1, (2, 3, 4))
    assert totals(landlord, maple) == [100_00] * 4


def test_a_file_with_a_bad_row_writes_nothing_unless_the_good_rows_are_to_be_taken(
    landlord: Landlord, maple: PropertyRow
) -> None:
    rows = (row("100.00"), row("a lot"), row("50.00", of="Nowhere"))

    refused = bring(landlord, *rows)
    assert (refused.added, refused.good, totals(landlord, maple)) == (0, 1, [])
    assert [(problem.line, problem.column) for problem in refused.problems] == [(3, "totalAmountDue"), (4, "property")]

    taken = bring(landlord, *rows, take_good_rows=True)
    assert (taken.added, taken.problems, totals(landlord, maple)) == (1, refused.problems, [100_00])


def test_a_dry_run_says_what_would_be_and_writes_nothing(landlord: Landlord, maple: PropertyRow) -> None:
    bring(landlord, row("100.00"))

    report = bring(landlord, row("100.00"), row("50.00"), dry_run=True)

    assert report == ImportReport(added=1, good=1, skipped=(2,), problems=(), dry_run=True)
    assert landlord.see(bill_imports.preview, sheet(row("100.00"), row("50.00"))) == report
    assert totals(landlord, maple) == [100_00]


def test_the_same_bill_number_with_another_total_asks_whether_it_replaces_the_earlier_one(
    landlord: Landlord, maple: PropertyRow
) -> None:
    bring(landlord, row("100.00", "A-7"))

    report = bring(landlord, row("120.00", " a-7 "), row("80.00", "A-8"), row("100.00", "A-7"))

    assert report.added == 0
    assert report.skipped == (4,)
    assert [(problem.line, problem.column) for problem in report.problems] == [(2, "billNumber")]
    assert "replaces" in report.problems[0].message


def test_a_bill_number_that_stands_twice_in_a_file_with_two_totals_names_the_other_line(
    landlord: Landlord, maple: PropertyRow
) -> None:
    report = bring(landlord, row("100.00", "7"), row("120.00", "7"), row("100.00", "7"), take_good_rows=True)

    assert report.added == 2
    assert [problem.line for problem in report.problems] == [3]
    assert "Line 2" in report.problems[0].message


def test_the_same_number_at_another_property_or_of_another_issuer_is_another_bill(
    landlord: Landlord, maple: PropertyRow
) -> None:
    landlord.property_("Oak House")

    report = bring(landlord, row("100.00", "7"), row("120.00", "7", of="Oak House"))

    assert (report.added, report.problems) == (2, ())


def test_another_account_s_property_is_found_no_more_than_one_that_is_not_there(
    landlord: Landlord, maple: PropertyRow
) -> None:
    stranger = Landlord(landlord.database, landlord.clock)
    stranger.property_("Elm")

    (by_id,) = bring(stranger, row(of=maple.id)).problems
    (by_name,) = bring(stranger, row(of="Maple Court")).problems
    (unknown,) = bring(stranger, row(of="Nowhere")).problems

    assert by_id.message == by_name.message == unknown.message


def test_an_import_that_does_not_fit_is_undone_as_a_whole(landlord: Landlord, maple: PropertyRow) -> None:
    oak = landlord.property_("Oak House")
    landlord.units(oak, "1")
    months = [f"{2000 + number // 12}-{number % 12 + 1:02d}-01" for number in range(121)]

    with pytest.raises(Conflict, match="121 open months"):
        bring(landlord, row("10.00"), *(row("10.00", of="Oak House", on=month) for month in months))

    assert (totals(landlord, maple), totals(landlord, oak)) == ([], [])
    landlord.sound()


@pytest.mark.thorough
def test_many_bills_are_written_part_by_part_and_each_part_is_told(landlord: Landlord, maple: PropertyRow) -> None:
    oak = landlord.property_("Oak House")
    landlord.units(oak, "1")
    told: list[tuple[int, int]] = []
    rows = [row(f"{1 + number}.00") for number in range(1000)] + [row(of="Oak House")] * 10

    report = bring(landlord, *rows, rows[0], progress=lambda done, of_all: told.append((done, of_all)))

    assert report.added == 1011
    assert told == [(0, 1011), (1001, 1011), (1011, 1011)]
    assert bring(landlord, *rows, rows[0]).skipped == tuple(range(2, 1013))
    landlord.sound()


def test_a_property_renamed_between_the_check_and_the_import_is_not_charged_by_its_old_name(landlord, maple):
    file = sheet(row("100.00"))
    assert landlord.see(bill_imports.preview, file).good == 1
    landlord.do(properties.change, maple.id, {"name": "Birch Court"})
    report = landlord.do(bill_imports.import_bills, file, dry_run=False, take_good_rows=False)
    assert (report.added, [problem.column for problem in report.problems]) == (0, ["property"])
    assert totals(landlord, maple) == []


@pytest.mark.parametrize(
    ("changes", "column"), [({"currency": "EUR"}, "totalAmountDue"), ({"name": "Birch Court"}, "property")]
)
def test_a_property_that_somebody_else_changes_while_a_file_waits_for_it_is_read_as_it_is_then(
    landlord, maple, changes, column
):
    file, caller = sheet(row("$70.00")), landlord.caller
    report = while_somebody_else_writes(
        landlord.database,
        lambda tx: properties.change(tx, caller, maple.id, changes),
        lambda tx: bill_imports.import_bills(tx, caller, file, dry_run=False, take_good_rows=False),
    )
    assert (report.added, [problem.column for problem in report.problems]) == (0, [column])
    assert totals(landlord, maple) == []


def test_a_file_whose_rows_fall_to_another_property_while_it_waits_is_to_be_imported_again(landlord, maple):
    oak, file, caller = landlord.property_("Oak House"), sheet(row(), row(of="Elm")), landlord.caller

    def swap(tx):
        properties.change(tx, caller, maple.id, {"name": "Old Court"})
        properties.change(tx, caller, oak.id, {"name": "Maple Court"})

    def bring_it(tx):
        return bill_imports.import_bills(tx, caller, file, dry_run=False, take_good_rows=True)

    with suppress(Conflict):  # on SQLite mine begins when theirs is done
        while_somebody_else_writes(landlord.database, swap, bring_it)
    assert totals(landlord, maple) == []
    landlord.run(bring_it)
    assert (totals(landlord, maple), totals(landlord, oak)) == ([], [100_00])
