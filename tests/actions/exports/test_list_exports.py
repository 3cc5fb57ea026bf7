"""Lists are exported as CSV and XLSX with the contents that they show.

Numbers are exported as numbers, nothing is exported as a formula, and exported bills can be imported unchanged.
"""

import io
import threading
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal

import openpyxl
import pytest
from openpyxl.utils.escape import unescape

from prorata.actions.accounts import accounts
from prorata.actions.bills import lists as bill_lists
from prorata.actions.exports import list_exports
from prorata.actions.exports.list_exports import Spreadsheet
from prorata.actions.intake import bill_imports
from prorata.actions.invoices import lists as invoice_lists
from prorata.adapters.files.spreadsheet_files import csv_file, xlsx_file
from prorata.domain.files.spreadsheet_cells import Value
from prorata.domain.usage import Usage
from prorata.errors import Conflict
from prorata.ports.files import SpreadsheetWriter
from prorata.store.database.engine import Tx
from prorata.store.properties import properties
from tests.landlord import Landlord
from tests.tables import bills_file, read_table

WRITERS = [csv_file, xlsx_file]
ALL_BILLS, ALL_INVOICES = bill_lists.Wish({}), invoice_lists.Wish({})


@pytest.fixture
def books(landlord: Landlord) -> Landlord:
    maple = landlord.property_("=Maple, Court")
    landlord.property_("Elm")
    elm = landlord.property_("ELM")
    one, _ = landlord.units(maple, "1", "2")
    landlord.tenant(one, "+Ann Chen", email="ann@example.org")
    landlord.bill(maple, 90_10, issuer="-5 Star “Water”", bill_number="=1+1", notes="two\nlines; and @more",
                  usages=(("WATER", Usage(Decimal("12.345"), "m³", Decimal("3.2"))),))  # fmt: skip
    landlord.bill(maple, -12_30, "GAS", account_number="00017", service_start=date(2026, 2, 1),
                  service_end=date(2026, 2, 28), due_date=date(2026, 3, 1))  # fmt: skip
    landlord.bill(elm, 60_00, "WATER;SEWER")
    landlord.bill(elm, 50_00, "WATER;SEWER", amounts=(("WATER", 30_00), ("SEWER", 15_00), ("LATE_FEE", 5_00)))
    landlord.bill(elm, 1_00, billing_month="2026-01", payment_status="PAID")
    return landlord


def sheet(landlord: Landlord, read: Callable[..., Spreadsheet], wish: object, *most: int) -> Spreadsheet:
    """Return a spreadsheet with all of its rows."""

    def whole(tx: Tx) -> Spreadsheet:
        header, rows = read(tx, landlord.caller, wish, *most)
        return Spreadsheet(header, iter(list(rows)))

    return landlord.database.snapshot(whole)


def bills_of(landlord: Landlord) -> Spreadsheet:
    return sheet(landlord, list_exports.of_bills, ALL_BILLS)


@pytest.mark.parametrize("write", WRITERS)
def test_a_file_of_bills_reads_back_as_the_bills_that_are_there(
    books: Landlord, write: Callable[..., Iterator[bytes]]
) -> None:
    file = bills_file(read_table(b"".join(write(*bills_of(books)))))

    report = books.do(bill_imports.import_bills, file, dry_run=False, take_good_rows=False)

    assert (report.problems, report.added, len(report.skipped)) == ((), 0, 5)


@pytest.mark.parametrize("write", WRITERS)
def test_what_is_read_back_into_another_account_comes_out_the_same(
    books: Landlord, write: Callable[..., Iterator[bytes]]
) -> None:
    wish = bill_lists.Wish({}, "=Maple court")
    of_maple = sheet(books, list_exports.of_bills, wish)
    data = b"".join(write(*of_maple))
    other = Landlord(books.database, books.clock)
    other.property_("=Maple, Court")

    report = other.do(bill_imports.import_bills, bills_file(read_table(data)), dry_run=False, take_good_rows=False)

    assert (report.problems, report.added) == ((), 2)
    again = bills_of(other)
    assert sorted(again.rows, key=str) == sorted(sheet(books, list_exports.of_bills, wish).rows, key=str)


def test_no_cell_of_a_csv_file_begins_a_formula_and_numbers_stay_numbers(books: Landlord) -> None:
    text = b"".join(csv_file(*sheet(books, list_exports.of_invoices, ALL_INVOICES))).decode()

    assert text.startswith("\ufeffinvoiceNumber,property,unit,month")
    assert '"\'=Maple, Court"' in text
    assert ",'+Ann Chen,ann@example.org,USD,38.90,0.00,38.90," in text


def test_a_workbook_has_numbers_days_and_texts_that_are_no_formulas(books: Landlord) -> None:
    data = b"".join(xlsx_file(*bills_of(books)))
    found = openpyxl.load_workbook(io.BytesIO(data)).active
    rows = {row[10].value: row for row in found.iter_rows(min_row=2)}
    assert rows["=1+1"][10].data_type == "s"
    assert rows["=1+1"][3].value == pytest.approx(90.1)
    assert rows["=1+1"][5].value.date() == date(2026, 2, 20)


def test_charges_sum_to_their_invoices_and_filters_hold(books: Landlord) -> None:
    wish = invoice_lists.Wish({}, "ann")
    (invoice,) = sheet(books, list_exports.of_invoices, wish).rows
    charges = list(sheet(books, list_exports.of_charges, wish).rows)

    assert sum(Decimal(str(row[8])) for row in charges) == invoice[8]
    assert {row[5] for row in charges} == {"+Ann Chen"}


@pytest.mark.parametrize(("write", "least"), [(csv_file, 600_000), (xlsx_file, 100_000)])
def test_many_rows_take_no_memory_and_leave_as_they_come(write: SpreadsheetWriter, least: int) -> None:
    taken = 0

    def rows() -> Iterator[tuple[Value, ...]]:
        nonlocal taken
        for taken in range(20_000):
            yield f"Invoice {taken}", Decimal("12.30"), date(2026, 3, 1), None

    b"".join(write(("a",), iter([("what is loaded once is loaded",)])))
    tracemalloc.start()
    size = half = 0
    for piece in write(("a", "b", "c", "d"), rows()):
        size += len(piece)
        half = half or (size if taken >= 10_000 else 0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > least
    assert least / 4 < half < size
    assert peak < 1_500_000


def test_a_spreadsheet_is_one_state_of_the_database(books: Landlord) -> None:
    def read(tx: Tx) -> list[tuple[Value, ...]]:
        found = list_exports.of_bills(tx, books.caller, ALL_BILLS)
        writer = threading.Thread(target=lambda: books.bill(elm, 70_00, "GAS"))
        writer.start()
        writer.join()
        return list(found.rows)

    elm = books.property_("Third")
    assert len(books.database.snapshot(read)) == 5
    assert len(list(bills_of(books).rows)) == 6


def test_rows_are_read_some_at_a_time_while_others_are_read(books: Landlord) -> None:
    def read(tx: Tx) -> list[tuple[int, list[str]]]:
        pieces = tx.pieces(bill_lists.asking(tx, books.caller, ALL_BILLS, most=9), 2)
        return [(len(properties.all_of(tx, books.account.id)), ids) for ids in pieces]

    pieces = books.database.snapshot(read)
    assert [(number, len(ids)) for number, ids in pieces] == [(3, 2), (3, 2), (3, 1)]
    assert [one for _, ids in pieces for one in ids] == [
        one.id for one in books.see(bill_lists.page, ALL_BILLS, limit=9).rows
    ]


def test_rows_that_one_sheet_can_not_hold_are_on_the_next() -> None:
    rows = [(str(number), Decimal(number)) for number in range(5)]
    workbook = openpyxl.load_workbook(io.BytesIO(b"".join(xlsx_file(("name", "amount"), iter(rows), 2))))
    on_sheets = [list(found.iter_rows(min_row=2, values_only=True)) for found in workbook.worksheets]
    assert on_sheets == [[("0", 0), ("1", 1)], [("2", 2), ("3", 3)], [("4", 4)]]
    assert [found["A1"].value for found in workbook.worksheets] == ["name"] * 3
    assert openpyxl.load_workbook(io.BytesIO(b"".join(xlsx_file(("name",), iter(()))))).active.max_row == 1


def test_any_text_reads_back_from_a_workbook_as_it_was() -> None:
    texts = ["=1+1", ' <a> & "b" ', "two\nlines", "a\rb\x01\x1f\ufffe", "_x000D_ and _x0041_", "𝒳 Straße", "007"]
    data = b"".join(
        xlsx_file(("text", "day", "old day"), iter([(text, date(2026, 3, 1), date(1899, 1, 1)) for text in texts]))
    )
    found = openpyxl.load_workbook(io.BytesIO(data)).active
    assert [unescape(row[0].value) for row in found.iter_rows(min_row=2)] == texts
    assert {(row[1].value.date(), row[2].value) for row in found.iter_rows(min_row=2)} == {
        (date(2026, 3, 1), "1899-01-01")
    }


def test_a_workbook_without_its_end_is_none() -> None:
    pieces = list(xlsx_file(("name",), (("Ann",) for _ in range(1_000))))
    with pytest.raises(zipfile.BadZipFile):
        openpyxl.load_workbook(io.BytesIO(b"".join(pieces[:-1])))


def test_what_happened_at_a_moment_stands_in_the_file_as_the_day_it_was_there(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.unit(maple, "1")
    landlord.bill(maple, 90_00)
    zone = accounts.Wishes(timezone="America/Los_Angeles")
    landlord.do(accounts.change_settings, zone)
    landlord.clock.forward(hours=10)  # 04:00 UTC on 11 March, 21:00 on 10 March there
    landlord.set_status(maple, "1", "PAID")
    paid = sheet(landlord, list_exports.of_invoices, ALL_INVOICES)
    (row,) = paid.rows
    assert dict(zip(paid.header, row, strict=True))["paidOn"] == date(2026, 3, 10)


@pytest.mark.parametrize("what", ["of_bills", "of_invoices", "of_charges"])
def test_a_list_that_is_too_long_for_a_file_is_refused_and_not_cut(books: Landlord, what: str) -> None:
    wish = ALL_BILLS if what == "of_bills" else ALL_INVOICES
    with pytest.raises(Conflict, match=r"at most 1 records.*select fewer"):
        sheet(books, getattr(list_exports, what), wish, 1)


def test_another_accounts_records_stand_in_no_file(books: Landlord) -> None:
    stranger = Landlord(books.database, books.clock)
    assert list(bills_of(stranger).rows) == []
    assert list(sheet(stranger, list_exports.of_charges, ALL_INVOICES).rows) == []
