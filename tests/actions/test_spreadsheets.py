"""What a list shows comes out as CSV and XLSX: numbers as numbers, nothing a formula, and bills read back the same."""

import io
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal

import openpyxl
import pytest

from prorata.actions import accounts, bill_imports, bill_lists, invoice_lists, spreadsheets
from prorata.actions.bill_imports import BillsFile
from prorata.actions.spreadsheets import Spreadsheet
from prorata.adapters.bill_csv import read_csv
from prorata.adapters.bill_xlsx import read_xlsx
from prorata.adapters.spreadsheet_files import csv_file, xlsx_file
from prorata.domain.bill_files import Sheet
from prorata.errors import Conflict
from tests.landlord import Landlord

READERS = [(csv_file, read_csv), (xlsx_file, read_xlsx)]
ALL_BILLS, ALL_INVOICES = bill_lists.Wish({}), invoice_lists.Wish({})


@pytest.fixture
def books(landlord: Landlord) -> Landlord:
    maple = landlord.property_("=Maple, Court")
    landlord.property_("Elm")
    elm = landlord.property_("ELM")
    one, _ = landlord.units(maple, "1", "2")
    landlord.tenant(one, "+Ann Chen", email="ann@example.org")
    landlord.bill(maple, 90_10, issuer="-5 Star “Water”", bill_number="=1+1", notes="two\nlines; and @more")
    landlord.bill(maple, -12_30, "GAS", account_number="00017", service_start=date(2026, 2, 1),
                  service_end=date(2026, 2, 28), due_date=date(2026, 3, 1))  # fmt: skip
    landlord.bill(elm, 60_00, "WATER;SEWER")
    landlord.bill(elm, 50_00, "WATER;SEWER", amounts=(("WATER", 30_00), ("SEWER", 15_00), ("LATE_FEE", 5_00)))
    landlord.bill(elm, 1_00, billing_month="2026-01", payment_status="PAID")
    return landlord


def bills_of(landlord: Landlord) -> Spreadsheet:
    return spreadsheets.of_bills(landlord.database, landlord.caller, ALL_BILLS)


@pytest.mark.parametrize(("write", "read"), READERS)
def test_a_file_of_bills_reads_back_as_the_bills_that_are_there(
    books: Landlord, write: Callable[..., Iterator[bytes]], read: Callable[[bytes], Sheet]
) -> None:
    file = BillsFile(read(b"".join(write(*bills_of(books)))))

    report = books.do(bill_imports.import_bills, file, dry_run=False, take_good_rows=False)

    assert (report.problems, report.added, len(report.skipped)) == ((), 0, 5)


@pytest.mark.parametrize(("write", "read"), READERS)
def test_what_is_read_back_into_another_account_comes_out_the_same(
    books: Landlord, write: Callable[..., Iterator[bytes]], read: Callable[[bytes], Sheet]
) -> None:
    wish = bill_lists.Wish({}, "=Maple court")
    of_maple = spreadsheets.of_bills(books.database, books.caller, wish)
    data = b"".join(write(*of_maple))
    other = Landlord(books.database, books.clock)
    other.property_("=Maple, Court")

    report = other.do(bill_imports.import_bills, BillsFile(read(data)), dry_run=False, take_good_rows=False)

    assert (report.problems, report.added) == ((), 2)
    again = spreadsheets.of_bills(other.database, other.caller, ALL_BILLS)
    assert sorted(again.rows, key=str) == sorted(
        spreadsheets.of_bills(books.database, books.caller, wish).rows, key=str
    )


def test_no_cell_of_a_csv_file_begins_a_formula_and_numbers_stay_numbers(books: Landlord) -> None:
    text = b"".join(csv_file(*spreadsheets.of_invoices(books.database, books.caller, ALL_INVOICES))).decode()

    assert text.startswith("\ufeffinvoiceNumber,property,unit,month")
    assert '"\'=Maple, Court"' in text
    assert ",'+Ann Chen,ann@example.org,USD,38.90,0.00,38.90," in text


def test_a_workbook_has_numbers_days_and_texts_that_are_no_formulas(books: Landlord) -> None:
    data = b"".join(xlsx_file(*bills_of(books)))
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    rows = {row[10].value: row for row in sheet.iter_rows(min_row=2)}
    assert rows["=1+1"][10].data_type == "s"
    assert rows["=1+1"][3].value == pytest.approx(90.1)
    assert rows["=1+1"][5].value.date() == date(2026, 2, 20)


def test_charges_sum_to_their_invoices_and_filters_hold(books: Landlord) -> None:
    wish = invoice_lists.Wish({}, "ann")
    (invoice,) = spreadsheets.of_invoices(books.database, books.caller, wish).rows
    charges = list(spreadsheets.of_charges(books.database, books.caller, wish).rows)

    assert sum(Decimal(str(row[8])) for row in charges) == invoice[8]
    assert {row[5] for row in charges} == {"+Ann Chen"}


def test_a_hundred_thousand_rows_take_no_memory() -> None:
    rows = ((f"Invoice {number}", Decimal("12.30"), date(2026, 3, 1), None) for number in range(100_000))
    tracemalloc.start()
    size = sum(len(piece) for piece in csv_file(("a", "b", "c", "d"), rows))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > 3_000_000
    assert peak < 1_000_000


def test_what_happened_at_a_moment_stands_in_the_file_as_the_day_it_was_there(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.unit(maple, "1")
    landlord.bill(maple, 90_00)
    zone = accounts.Wishes(timezone="America/Los_Angeles")
    landlord.do(accounts.change_settings, zone)
    landlord.clock.forward(hours=10)  # 04:00 UTC on 11 March, 21:00 on 10 March there
    landlord.set_status(maple, "1", "PAID")
    sheet = spreadsheets.of_invoices(landlord.database, landlord.caller, ALL_INVOICES)
    (row,) = sheet.rows
    assert dict(zip(sheet.header, row, strict=True))["paidOn"] == date(2026, 3, 10)


@pytest.mark.parametrize("what", ["of_bills", "of_invoices", "of_charges"])
def test_a_list_that_is_too_long_for_a_file_is_refused_and_not_cut(books: Landlord, what: str) -> None:
    wish = ALL_BILLS if what == "of_bills" else ALL_INVOICES
    with pytest.raises(Conflict, match=r"holds 1 records.*Choose fewer"):
        getattr(spreadsheets, what)(books.database, books.caller, wish, 1)


def test_another_accounts_records_stand_in_no_file(books: Landlord) -> None:
    stranger = Landlord(books.database, books.clock)
    assert list(bills_of(stranger).rows) == []
    assert list(spreadsheets.of_charges(stranger.database, stranger.caller, ALL_INVOICES).rows) == []
