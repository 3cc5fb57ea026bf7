import io
import re
import zipfile
from datetime import date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given, settings, strategies as st
from openpyxl import Workbook

from prorata.adapters.limits import MOST_SHEET_ROWS, MOST_WORKBOOK_BYTES
from prorata.domain.properties.property_names import KnownProperty
from prorata.errors import InvalidRequest
from tests.read_bills import bills_of
from tests.tables import read_table

HEADER = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate")
AFTERNOON = datetime.fromisoformat("2026-03-14T13:05")
ROW = ("Maple Court", "Aqua", "WATER", 320.1, date(2026, 3, 14))


def saved(workbook):
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def workbook_of(*rows, title="Bills"):
    workbook = Workbook()
    workbook.active.title = title
    for row in rows:
        workbook.active.append(row)
    return workbook


def with_part(data, path, change):
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            new.writestr(part.filename, change(old.read(part)) if part.filename == path else old.read(part))
    return content.getvalue()


def with_cells(cells):
    """A workbook whose sheet has this XML as its only data."""
    data = saved(workbook_of(HEADER))
    return with_part(
        data,
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(
            rb"<sheetData.*</sheetData>", b"<sheetData>" + cells + b"</sheetData>", xml, flags=re.DOTALL
        ),
    )


def test_numbers_are_exact_and_dates_are_dates():
    sheet = read_table(saved(workbook_of(HEADER, ROW, ("Maple Court", 17, True, 0.1 + 0.2, AFTERNOON))))
    assert sheet.header == HEADER
    assert sheet.rows == (
        (2, ("Maple Court", "Aqua", "WATER", Decimal("320.1"), date(2026, 3, 14))),
        (3, ("Maple Court", Decimal(17), "TRUE", Decimal("0.3"), date(2026, 3, 14))),
    )
    assert not any(isinstance(cell, datetime) for _, cells in sheet.rows for cell in cells)


@given(st.lists(st.integers(-999_999_999_999, 999_999_999_999), min_size=1, max_size=20))
@settings(max_examples=20, deadline=None)
def test_every_amount_is_read_back_to_the_cent(amounts):
    known = KnownProperty("prop_1", "Maple Court", "1 Main St", "US", "USD")
    rows = [("Maple Court", "Aqua", "WATER", cents / 100, date(2026, 3, 14)) for cents in amounts]
    result = bills_of(read_table(saved(workbook_of(HEADER, *rows))), [known])
    assert [each.bill.total for each in result.bills] == amounts


def test_a_long_account_number_in_a_number_cell_is_a_problem_and_not_another_number():
    data = saved(workbook_of((*HEADER, "accountNumber"), (*ROW, 1234567890123456)))
    known = KnownProperty("prop_1", "Maple Court", "1 Main St", "US", "USD")
    assert [problem.column for problem in bills_of(read_table(data), [known]).problems] == ["accountNumber"]


def test_line_numbers_are_those_the_spreadsheet_shows():
    workbook = Workbook()
    workbook.active["B2"] = "Bills of March"
    for column, name in zip("CDEFG", HEADER, strict=True):
        workbook.active[f"{column}5"] = name
        workbook.active[f"{column}9"] = "x"
    sheet = read_table(saved(workbook))
    assert sheet.header_line == 5
    assert sheet.header == ("", "", *HEADER)
    assert [line for line, cells in sheet.rows if any(cells)] == [9]


def test_the_first_visible_sheet_with_a_header_is_read_and_further_ones_are_named():
    workbook = workbook_of(("About this file",), title="Read me")
    hidden = workbook.create_sheet("Old")
    hidden.sheet_state = "hidden"
    workbook.create_chartsheet("Chart")
    for name in ("Jan", "Feb", "Empty"):
        workbook.create_sheet(name).append(HEADER)
    for sheet in (hidden, workbook["Jan"], workbook["Feb"]):
        sheet.append(HEADER)
        sheet.append((sheet.title, *ROW[1:]))
    read = read_table(saved(workbook))
    assert read.rows[-1][1][0] == "Jan"
    assert read.unread == ("Feb",)


def test_a_workbook_without_a_header_is_refused():
    for workbook in (Workbook(), workbook_of((3, 4), (1, 2)), workbook_of(("a", "b"))):
        with pytest.raises(InvalidRequest, match="No sheet in the workbook has a header"):
            read_table(saved(workbook))


def test_a_header_whose_names_nobody_knows_is_found_and_what_stands_above_it_kept():
    read = read_table(saved(workbook_of(("Costs",), ("Haus", "Betrag"), ("Elm", 5), ("Oak", 7))))
    assert (read.header, read.header_line, len(read.rows)) == (("Haus", "Betrag"), 2, 2)
    assert read.above[0][1][0] == "Costs"
    assert read.about.sheet == "Bills"


def test_an_error_cell_is_a_problem_of_its_row_and_not_read_as_empty():
    names = "".join(
        f'<c r="{column}1" t="inlineStr"><is><t>{name}</t></is></c>'
        for column, name in zip("ABCDEF", (*HEADER, "dueDate"), strict=True)
    )
    data = with_cells(f'<row r="1">{names}</row><row r="2"><c r="F2" t="e"><v>#REF!</v></c></row>'.encode())
    problems = bills_of(read_table(data), []).problems
    (problem,) = [problem for problem in problems if problem.column == "dueDate"]
    assert (problem.line, "shows an error" in problem.message) == (2, True)


def test_a_formula_that_was_never_computed_is_a_problem_of_its_row_and_the_other_rows_are_read():
    data = saved(workbook_of(HEADER, ROW, (*ROW[:3], "=1+1", "=TODAY()"), ROW, (*ROW, "=1+1")))
    read = bills_of(read_table(data), [KnownProperty("prop_1", "Maple Court", "1 Main St", "US", "USD")])
    assert [bill.line for bill in read.bills] == [2, 4, 5]
    assert [(problem.line, problem.column) for problem in read.problems] == [(3, "totalAmountDue"), (3, "billDate")]
    assert all("shows an error, or contains a formula" in problem.message for problem in read.problems)


def test_rows_of_nothing_but_formulas_at_the_end_are_problems_and_not_lost():
    data = saved(workbook_of(HEADER, ROW, ("=1", "=1", "=1", "=1", "=1")))
    read = bills_of(read_table(data), [KnownProperty("prop_1", "Maple Court", "1 Main St", "US", "USD")])
    assert len(read.bills) == 1
    assert [problem.line for problem in read.problems] == [3] * len(HEADER)


def test_formulas_of_another_sheet_are_no_matter_of_this_one():
    workbook = workbook_of((*HEADER, "notes"), (*ROW, None), ROW)
    other = workbook.create_sheet("Sums")
    for place in ("A2", "D2", "F2", "F3", "A9"):
        other[place] = "=SUM(1,2)"
    read = bills_of(read_table(saved(workbook)), [KnownProperty("prop_1", "Maple Court", "1 Main St", "US", "USD")])
    assert (len(read.bills), read.problems) == (2, ())


def test_a_time_is_text():
    assert read_table(saved(workbook_of(HEADER, (time(1, 2), *ROW[1:])))).rows[0][1][0] == "01:02:00"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"), (b"PK\x03\x04" + b"x" * 100, "not an XLSX"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "without a password"),
    ],
)  # fmt: skip
def test_what_is_no_workbook_is_refused_with_one_sentence(data, words):
    with pytest.raises(InvalidRequest, match=words):
        read_table(data)


@pytest.mark.parametrize(
    "part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml", "xl/styles.xml"]
)
def test_a_workbook_with_a_broken_part_is_a_sheet_or_one_sentence(part):
    whole = saved(workbook_of(HEADER, ROW))
    for change in (lambda xml: xml[: len(xml) // 2], lambda _: b"", lambda xml: xml.replace(b"<", b"<<")):
        try:
            assert read_table(with_part(whole, part, change)).header == HEADER
        except InvalidRequest as refusal:
            sentence = refusal.message
        else:
            sentence = "."
        assert sentence.endswith((".", "”."))


def test_a_zip_or_another_format_is_refused():
    for name in ("hello.txt", "content.xml", "xl/workbook.bin"):
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            archive.writestr("[Content_Types].xml" if name != "hello.txt" else "other.xml", "<Types/>")
            archive.writestr(name, "hello")
        with pytest.raises(InvalidRequest, match="not an XLSX"):
            read_table(content.getvalue())


def test_a_bomb_is_refused_before_it_is_unpacked():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        for number in range(3):
            archive.writestr(f"xl/{number}.xml", b"\x20" * (MOST_WORKBOOK_BYTES // 3 + 1))
    assert len(content.getvalue()) < 1024 * 1024
    with pytest.raises(InvalidRequest, match="too large"):
        read_table(content.getvalue())


def test_a_part_that_unpacks_to_more_than_it_says_is_refused():
    data = saved(workbook_of(HEADER, *[ROW] * 50))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = archive.getinfo("xl/worksheets/sheet1.xml").file_size
    lying = data.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != data
    with pytest.raises(InvalidRequest, match="damaged"):
        read_table(lying)


@pytest.mark.parametrize(
    "cells",
    [
        b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c><v>1</v></c></row>',
        b"<row><c><v>1</v></c></row><row><c x='>' r='XFD1'><v>1</v></c></row>",
        b"<row r='1'>" + b"<c><v>1</v></c>" * 101 + b"</row>",
        b"<row r='1'>" + b"<c><v>1</v></c><!-- <row> -->" * 101 + b"</row>",
        b"<row r='150000'><c r='CV150000'><v>1</v></c></row>",
    ],
)  # fmt: skip
def test_cells_that_spread_too_far_are_refused_before_the_parser_makes_room_for_them(cells):
    with pytest.raises(InvalidRequest, match="rows or 100 columns"):
        read_table(with_cells(cells))


@pytest.mark.parametrize("cells", [b'<row r="1"><c x="<" r="XFD1048576"><v>1</v></c></row>', b"<row><c></row>"])
def test_a_sheet_that_is_not_well_formed_is_refused(cells):
    with pytest.raises(InvalidRequest, match="damaged"):
        read_table(with_cells(cells))


def test_styled_empty_cells_far_away_are_no_obstacle():
    empty = b'<row r="1048576"><c r="XFD1048576" s="1"/></row></sheetData>'
    data = with_part(
        saved(workbook_of(HEADER, ROW)), "xl/worksheets/sheet1.xml", lambda xml: xml.replace(b"</sheetData>", empty)
    )
    assert len(read_table(data).rows) == 1


def test_a_document_type_is_refused():
    doctype = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet'
    data = with_part(
        saved(workbook_of(HEADER, ROW)), "xl/worksheets/sheet1.xml", lambda xml: xml.replace(b"<worksheet", doctype, 1)
    )
    with pytest.raises(InvalidRequest, match="damaged"):
        read_table(data)


@pytest.mark.thorough
def test_more_rows_than_the_limit_are_refused():
    names = b"".join(b'<c t="inlineStr"><is><t>%b</t></is></c>' % name.encode() for name in HEADER)
    rows = b"<row>" + names + b"</row>" + b"<row><c><v>1</v></c></row>" * MOST_SHEET_ROWS
    assert len(read_table(with_cells(rows)).rows) == MOST_SHEET_ROWS
    with pytest.raises(InvalidRequest, match="more than 200,000 rows"):
        read_table(with_cells(rows + b"<row><c><v>1</v></c></row>"))


@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_a_damaged_workbook_is_a_sheet_or_one_sentence(damage):
    content = bytearray(saved(workbook_of(HEADER, ROW)))
    for place, byte in damage:
        content[int(place * len(content))] = byte
    try:
        sentence = str(read_table(bytes(content)).header and ".")
    except InvalidRequest as refusal:
        sentence = refusal.message
    assert sentence


def test_a_workbook_with_a_part_that_goes_on_behind_its_end_is_refused():
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("[Content_Types].xml", b"<Types/>")
        (part,) = archive.infolist()
        part.file_size = part.compress_size = 1_000_000
    with pytest.raises(InvalidRequest):
        read_table(written.getvalue())


def test_any_visible_sheet_can_be_chosen_by_its_number():
    workbook = workbook_of(("About this file",), title="Read me")
    hidden = workbook.create_sheet("Old")
    hidden.sheet_state = "hidden"
    for name in ("Jan", "Feb"):
        workbook.create_sheet(name).append(HEADER)
        workbook[name].append((name, *ROW[1:]))
    data = saved(workbook)
    assert read_table(data).about.sheets == ("Read me", "Jan", "Feb")
    chosen = read_table(data, "bills:3")
    assert (chosen.about.sheet, chosen.rows[0][1][0]) == ("Feb", "Feb")
    assert chosen.unread == ("Jan",), "the sheet before it"
    for number, why in ((1, "“Read me” has no header"), (4, "no such sheet")):
        with pytest.raises(InvalidRequest, match=why):
            read_table(data, f"bills:{number}")


def test_a_sheet_with_bills_goes_before_one_that_has_a_header_alone():
    workbook = workbook_of(HEADER, title="Template")
    workbook.create_sheet("Bills").append(HEADER)
    workbook["Bills"].append(ROW)
    read = read_table(saved(workbook))
    assert (read.about.sheet, len(read.rows)) == ("Bills", 1)
    assert read_table(saved(workbook_of(HEADER))).rows == ()
