"""Tables from any program are read in a process that can do no harm."""

import io
import zipfile
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import pytest
from xlsxwriter import Workbook  # type: ignore[import-untyped]

from prorata.adapters.files.file_process import LIMITS
from prorata.adapters.files.table_files import FOR_BROWSERS, TableProcess, in_parts
from prorata.adapters.limits import MOST_TABLE_BYTES
from prorata.domain.exports.table_kinds import ROWS_AT_ONCE, TableName, gathered
from prorata.domain.files.cells import Unclear
from prorata.domain.files.file_kinds import told
from prorata.domain.files.sheets import NO_HEADER, Sheet
from prorata.domain.months.former_charges import read_charges
from prorata.domain.months.former_columns import understood
from prorata.domain.properties.property_names import KnownProperty
from prorata.errors import InvalidRequest
from tests.adapters.files.test_workbook_tables import HEADER, ROW, saved, with_part, workbook_of
from tests.adapters.old_workbooks import xls

_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)
ODS_MEDIA = "application/vnd.oasis.opendocument.spreadsheet"


def read(kind: TableName, data: bytes) -> Sheet:
    return gathered(in_parts(data, kind))


def ods(*tables: str) -> bytes:
    """A workbook in the form in which LibreOffice saves it."""
    spaces = f'{_SPACES} xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", ODS_MEDIA)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}><office:body>'
            f"<office:spreadsheet>{''.join(tables)}</office:spreadsheet></office:body></office:document-content>",
        )
    return content.getvalue()


def table(*rows: str, name: str = "Bills") -> str:
    return f'<table:table table:name="{name}">{"".join(rows)}</table:table>'


def row(*cells: object, times: int = 1) -> str:
    return f'<table:table-row table:number-rows-repeated="{times}">{"".join(map(cell, cells))}</table:table-row>'


def cell(value: object) -> str:
    if isinstance(value, str) and value.startswith("<"):
        return value
    if value is None:
        return "<table:table-cell/>"
    kind = {float: "float", int: "float", date: "date"}.get(type(value), "string")
    given = {"float": f' office:value="{value}"', "date": f' office:date-value="{value}"', "string": ""}[kind]
    return (
        f'<table:table-cell office:value-type="{kind}"{given} calcext:value-type="{kind}"><text:p>{value}</text:p>'
        "</table:table-cell>"
    )


FAILED = (
    '<table:table-cell table:formula="of:=1/0" office:value-type="string" office:string-value="" '
    'calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>'
)
NEVER_COMPUTED = '<table:table-cell table:formula="of:=1+1"/>'
WIDE = (
    '<table:table-row><table:table-cell office:value-type="float" office:value="1" '
    'table:number-columns-repeated="16384"/></table:table-row>'
)
FAR = (
    '<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
    'table:number-columns-repeated="16384"/></table:table-row>'
)


def swelling(cells: int = 1_000) -> bytes:
    """A workbook that swells from a few kilobytes to 300 MB in a parser.

    A thousand cells show one text of 300 kilobytes.
    """
    content = io.BytesIO()
    with Workbook(content) as workbook:
        sheet = workbook.add_worksheet()
        for at, cells_of_row in enumerate([HEADER, *[("long",)] * cells]):
            sheet.write_row(at, 0, cells_of_row)
    long = b">" + b"x" * 300_000 + b"<"
    return with_part(content.getvalue(), "xl/sharedStrings.xml", lambda xml: xml.replace(b">long<", long))


def test_an_ods_workbook_reads_as_the_same_table_of_a_spreadsheet_program():
    data = ods(table(row("Bills of March"), row(None, times=3), row(*HEADER), row(*ROW), row(*ROW, times=2), FAR))
    sheet = read("bills", data)
    assert (sheet.header, sheet.header_line) == (HEADER, 5)
    wanted = ("Maple Court", "Aqua", "WATER", Decimal("320.1"), date(2026, 3, 14))
    assert [(line, cells[:5]) for line, cells in sheet.rows if any(cells)] == [(6, wanted), (7, wanted), (8, wanted)]
    assert not any(type(one) not in (str, Decimal, date) for one in wanted)


def test_an_error_of_an_ods_workbook_is_not_read_as_empty():
    header, good = row(*HEADER, "amounts", "dueDate"), row(*ROW)
    sheet = read("bills", ods(table(header, row(*ROW, FAILED, NEVER_COMPUTED), good)))
    assert [type(one) for one in sheet.rows[0][1][5:7]] == [Unclear, Unclear]
    assert not any(isinstance(one, Unclear) for one in sheet.rows[1][1])


def test_further_sheets_of_an_ods_workbook_are_named():
    jan, feb = (table(row(*HEADER), row(*ROW), name=name) for name in ("Jan", "Feb"))
    assert read("bills", ods(table(row("Read me"), name="About"), jan, feb)).unread == ("Feb",)


@pytest.mark.parametrize(
    "rows",
    [
        (row(*ROW, times=1_000_000),),
        (WIDE,),
        (FAR, row(*ROW)),
    ],
    ids=["rows", "columns", "far"],
)  # fmt: skip
def test_cells_of_an_ods_workbook_that_spread_too_far_are_refused(rows: Sequence[str]):
    with pytest.raises(InvalidRequest, match="more than 200,000 rows or 100 columns"):
        read("bills", ods(table(row(*HEADER), *rows)))


@pytest.mark.parametrize("content", ["", "<a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", '<x table:n="y"/>'])
def test_a_damaged_ods_workbook_is_refused(content: str):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", ODS_MEDIA)
        archive.writestr("content.xml", content)
    with pytest.raises(InvalidRequest, match=r"not an XLSX, ODS or XLS workbook|No sheet"):
        read("bills", made.getvalue())


@pytest.mark.parametrize("end", [",,,", ""], ids=["as wide as the table", "alone"])
def test_a_title_stands_above_the_header_of_a_units_file(end: str):
    sheet = read("units", f"Rent roll of Maple Court{end}\n\nUnit,Sq Ft,Tenant,Email\n1A,850,Ann,\n".encode())
    assert (sheet.header, sheet.header_line) == (("Unit", "Sq Ft", "Tenant", "Email"), 3)
    sheet = read("charges", f"March 2026{end}\nApt;Charged\n1A;80,10\n".encode())
    assert sheet.header == ("Apt", "Charged")


def test_old_amounts_come_as_a_workbook_with_a_header_and_without_one():
    for rows in ([("Charges of March", None), ("Unit", "Amount"), ("1A", 80.1), (2, 5)], [("1A", 80.1), (2, 5)]):
        for data in (saved(workbook_of(*rows)), ods(table(*[row(*one) for one in rows]))):
            given = {"property": "prop_1", "month": "2026-03"}
            found = understood(read("charges", data), None, [("US", "USD")], given)
            charges = read_charges(found, [KnownProperty("prop_1", "Maple Court", "", "US", "USD")]).charges
            assert [(one.unit, one.amount) for one in charges] == [("1A", 80_10), ("2", 5_00)]


def test_a_table_of_payments_may_have_no_header():
    for rows in (
        [("2026-03-05", 45.5, "Ann"), ("2026-03-06", -9, "fee")],
        [(None, None, None), ("2026-03-05", 45.5, "Ann")],
    ):
        for data in (saved(workbook_of(*rows)), ods(table(*[row(*one) for one in rows]))):
            sheet = read("payments", data)
            assert (sheet.header, sheet.header_line) == (("1", "2", "3"), NO_HEADER)
            assert Decimal("45.5") in [cells[1] for _, cells in sheet.rows if cells]
    sheet = read("payments", b"2026-03-05;45,50;Ann\n2026-03-06;-9,00;fee\n")
    assert (sheet.header, [line for line, _ in sheet.rows]) == (("1", "2", "3"), [1, 2])


@pytest.mark.parametrize(("kind", "noun"), [("bills", "bill"), ("units", "unit"), ("charges", "unit")])
def test_an_empty_file_says_what_goes_in_it(kind: TableName, noun: str):
    for data in (b"", b"\n\n"):
        with pytest.raises(InvalidRequest, match=f"a row for each {noun}"):
            read(kind, data)


def test_what_comes_from_the_process_is_what_is_read_here():
    rows = "".join(f"Maple Court,Aqua,WATER,{number}.10,2026-03-14\n" for number in range(2 * ROWS_AT_ONCE + 1))
    failed = ods(table(row(*HEADER), row(*ROW[:3], FAILED, ROW[4])))
    for data in ((",".join(HEADER) + "\n" + rows).encode(), saved(workbook_of(HEADER, ROW)), failed):
        assert repr(TableProcess()("bills", data)) == repr(read("bills", data))


def test_a_file_over_the_limit_is_refused_before_a_process_is_started():
    with pytest.raises(InvalidRequest, match="larger than 50 MB"):
        TableProcess(LIMITS._replace(memory=0))("bills", b"x" * (MOST_TABLE_BYTES + 1))


def test_a_workbook_that_swells_where_it_is_read_is_a_sentence_for_whoever_brought_it():
    assert len(swelling()) < 100_000
    with pytest.raises(InvalidRequest, match="too much"):
        TableProcess(FOR_BROWSERS)("bills", swelling())


def test_a_bills_table_that_is_too_long_for_a_page_is_refused_with_what_to_do() -> None:
    lines = ["property,issuerName,utilityType,totalAmountDue,billDate", *["Maple,Aqua,WATER,1.00,2026-03-14"] * 6_000]
    data = "\n".join(lines).encode()

    assert len(TableProcess(FOR_BROWSERS, 6_000)("bills", data).rows) == 6_000
    with pytest.raises(InvalidRequest) as refused:
        TableProcess(FOR_BROWSERS, 5_999)("bills", data)
    assert "more than 5,999 rows" in refused.value.message
    assert "prorata bills import" in refused.value.message


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"OFXHEADER:100\r\nDATA:OFXSGML\r\n\r\n<OFX><SIGNONMSGSRSV1>", "OFX"),
        (b'<?xml version="1.0"?>\n<?OFX OFXHEADER="200"?>\n<OFX>', "OFX"),
        (b"!Type:Bank\nD03/05/2026\nT-42.00\n^\n", "QIF"),
        (
            b'\xef\xbb\xbf<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
            "CAMT",
        ),
        (b"{1:F01BANKDEFFXXXX0000000000}{2:I940}{4:\r\n:20:1\r\n", "MT940"),
        (b":20:STARTUMS\r\n:25:10020030/1234567\r\n:28C:1/1\r\n", "MT940"),
        (b'<?xml version="1.0"?>\n<bills/>', "XML"),
    ],
)
def test_a_format_of_programs_is_named_and_what_to_bring_instead(data: bytes, name: str) -> None:
    for kind in ("payments", "bills"):
        with pytest.raises(
            InvalidRequest, match=rf"{name} (?:format|file), which can’t be read|an {name} file, which can be read only"
        ):
            read(kind, data)
    assert name in (told("march.txt", data).refused or "")


def test_texts_of_an_old_workbook_that_hold_zeros_are_refused_with_a_sentence() -> None:
    spoiled = xls(("Bills", [HEADER, ("M\0a\0p\0l\0e\0", *ROW[1:])]))
    with pytest.raises(InvalidRequest, match="garbled"):
        read("bills", spoiled)
