"""Text beside a cell's number is part of its value: 70,00 € is not $70.00."""

import io
from datetime import date
from decimal import Decimal

import pytest
from xlsxwriter import Workbook  # type: ignore[import-untyped]

from prorata.actions.intake import stored_sheets
from prorata.adapters.files.table_files import TableProcess
from prorata.domain.files.cells import Priced
from prorata.domain.files.sheets import Sheet
from prorata.domain.payments.files import read_rows, understood
from prorata.domain.properties.property_names import KnownProperty
from tests.adapters.files.test_table_files import ods, read, row, table
from tests.adapters.files.test_workbook_tables import HEADER
from tests.adapters.old_workbooks import IN_EUROS, xls
from tests.read_bills import bills_of

BEGIN = ("Maple Court", "Aqua", "WATER")
DAY = date(2026, 3, 14)
US = KnownProperty("p_us", "Maple Court", "1 Main St", "US", "USD")
DE = KnownProperty("p_de", "Maple Court", "Hauptstr. 1", "DE", "EUR")
AN_ODS_PRICE = (
    '<table:table-cell office:value-type="currency" office:currency="EUR" office:value="70"><text:p>70,00 €</text:p>'
    "</table:table-cell>"
)


def xlsx(number_format: str, *others: str) -> bytes:
    content = io.BytesIO()
    workbook = Workbook(content, {"in_memory": True})
    sheet = workbook.add_worksheet("Bills")
    sheet.write_row(0, 0, HEADER)
    for line, code in enumerate((number_format, *others), start=1):
        sheet.write_row(line, 0, BEGIN)
        sheet.write_number(line, 3, 70, workbook.add_format({"num_format": code}))
        sheet.write(line, 4, DAY.isoformat())
    workbook.close()
    return content.getvalue()


WORKBOOKS = {
    "xlsx": xlsx(IN_EUROS),
    "ods": ods(table(row(*HEADER), row(*BEGIN, AN_ODS_PRICE, DAY))),
    "xls": xls(("Bills", [HEADER, (*BEGIN, Priced("70", "€"), DAY)])),
}


@pytest.mark.parametrize("data", WORKBOOKS.values(), ids=WORKBOOKS)
def test_a_currency_that_stands_in_the_format_of_a_cell_alone_is_no_other_one(data: bytes) -> None:
    sheet = read("bills", data)

    assert sheet.rows[0][1][3] == Decimal(70)
    refused = bills_of(sheet, [US])
    assert not refused.bills
    assert [(one.line, one.column) for one in refused.problems] == [(2, "totalAmountDue")]
    assert "the property's currency, which is USD" in refused.problems[0].message
    assert [one.bill.total for one in bills_of(sheet, [DE]).bills] == [7000]


def test_rows_of_one_column_may_be_in_several_currencies() -> None:
    sheet = read("bills", xlsx("#,##0.00", '"€" #,##0.00', "[$$-409]#,##0.00", '0.00 "kWh"', "[$CHF] 0.00"))

    assert [getattr(cells[3], "sign", None) for _, cells in sheet.rows] == [None, "€", "$", None, "CHF"]
    assert [one.line for one in bills_of(sheet, [US]).problems] == [3, 6]


def test_what_a_cell_shows_is_kept_with_the_file_and_comes_out_of_the_process_that_reads_it() -> None:
    sheet = TableProcess()("bills", WORKBOOKS["xlsx"])
    again = stored_sheets.unpacked(stored_sheets.packed(sheet))

    for one in (sheet, again):
        cell = one.rows[0][1][3]
        assert isinstance(cell, Priced)
        assert (cell, cell.sign) == (Decimal(70), "€")


def test_a_payment_in_another_currency_is_a_problem_of_its_row() -> None:
    sheet = Sheet(("Date", "Amount"), ((2, (DAY, Priced("45", "€"))), (3, (DAY, Priced("45", "$")))))

    found = read_rows(understood(sheet, None, ["US"]), "US", "USD", date(2026, 4, 1))
    assert [one.line for one in found.problems] == [2]
    assert [(one.line, one.cents) for one in found.rows] == [(3, 4500)]


@pytest.mark.parametrize(
    "code",
    ['0.00" Cr"', '"€ "0.00 "(CR)"', '0.00 "Dr"', r"\-0.00", "(0.00)", '-"€"0.00;0.00',
     '"\u2212 "0.00', '"-€"0.00', "€ (0.00)", "(0.00 €)", "[>=0](0.00)", '"("General")"'],
)  # fmt: skip
def test_a_sign_that_stands_in_the_format_of_a_cell_alone_is_asked(code: str) -> None:
    found = bills_of(read("bills", xlsx(code)), [DE])
    assert not found.bills
    assert [(one.line, one.column) for one in found.problems] == [(2, "totalAmountDue")]
    assert "the number itself has a different sign" in found.problems[0].message
    old = xls(("Bills", [HEADER, (*BEGIN, Priced("70", "€"), DAY)]))
    assert [one.bill.total for one in bills_of(read("bills", old), [DE]).bills] == [7000]


@pytest.mark.parametrize(
    "code", ["0.00_);(0.00)", '_-* 0.00_-;\\-* 0.00_-;_-* "-"??_-', "0.00;[Red]-0.00", "0.00 ($)", "($) 0.00"]
)
def test_a_format_that_shows_the_sign_that_its_number_has_is_plain(code: str) -> None:
    assert [one.bill.total for one in bills_of(read("bills", xlsx(code)), [US]).bills] == [7000]
