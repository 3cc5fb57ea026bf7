"""Old workbooks are read like new ones.

Numbers are exact, dates are dates, and an error does not look like an empty cell.
"""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.files.cells import Unclear
from prorata.errors import InvalidRequest
from tests.adapters.files.test_table_files import read
from tests.adapters.files.test_workbook_tables import HEADER, ROW
from tests.adapters.old_workbooks import ERROR, FAILED, FLAG, compound, record, xls

WIDE = (*HEADER, "amounts", "dueDate", "notes")


def test_an_old_workbook_reads_as_a_table_and_names_its_further_sheets() -> None:
    sheet = read("bills", xls(("About", [("Read me",)]), ("Jan", [("Bills",), HEADER, ROW]), ("Feb", [HEADER, ROW])))
    assert (sheet.header, sheet.header_line, sheet.unread) == (HEADER, 2, ("Feb",))
    assert sheet.rows == ((3, ("Maple Court", "Aqua", "WATER", Decimal("320.1"), date(2026, 3, 14))),)


def test_an_error_of_an_old_workbook_is_not_read_as_empty() -> None:
    first, last = read("bills", xls(("Bills", [WIDE, (*ROW, ERROR, FAILED, FLAG), (*ROW, None, None, "x")]))).rows
    assert [type(cell) for cell in first[1][5:7]] == [Unclear, Unclear]
    assert first[1][7] == "TRUE"
    assert last[1][5:] == (None, None, "x")


def test_a_long_old_workbook_is_read_to_its_end() -> None:
    rows = [(*ROW[:3], number, ROW[4]) for number in range(2_000)]
    sheet = read("bills", xls(("Bills", [HEADER, *rows])))
    assert [cells[3] for _, cells in sheet.rows] == list(map(Decimal, range(2_000)))


@pytest.mark.parametrize(
    "data",
    [
        xls(("Bills", [HEADER, ROW]), extra=record(0x2F, bytes(6))),
        compound(b"", "EncryptedPackage"),
        compound(b"", "Book"),
        compound(b""),
        xls(("Bills", [HEADER, ROW]))[:600],
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"\xd0\xcf\x11\xe0 and more",
    ],
    ids=["password", "package", "older", "nothing", "cut", "begins", "other"],
)
def test_what_is_no_old_workbook_or_has_a_password_is_refused_with_one_sentence(data: bytes) -> None:
    with pytest.raises(InvalidRequest, match=r"without a password|not an XLSX, ODS or XLS|No sheet"):
        read("bills", data)


def test_cells_of_an_old_workbook_that_spread_too_far_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="or 100 columns"):
        read("bills", xls(("Bills", [HEADER, (*[None] * 200, "x")])))


@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_a_damaged_old_workbook_is_a_sheet_or_one_sentence(damage: list[tuple[float, int]]) -> None:
    content = bytearray(xls(("Bills", [HEADER, ROW])))
    for place, byte in damage:
        content[int(place * len(content))] = byte
    try:
        sentence = str(read("bills", bytes(content)).header and ".")
    except InvalidRequest as refused:
        sentence = refused.message
    assert sentence.endswith((".", "”."))
