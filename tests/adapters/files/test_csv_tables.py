import csv
import io

import pytest
from hypothesis import given, strategies as st

from prorata.adapters.limits import MOST_CSV_LINES, MOST_CSV_ROWS
from prorata.domain.properties.property_names import KnownProperty
from prorata.errors import InvalidRequest
from tests.read_bills import bills_of
from tests.tables import read_table

HEADER = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate")
ROW = ("Maple Court", "Société d'eau", "WATER;SEWER", "1,234.50", "2026-03-14")


def written(rows, delimiter=",", end="\r\n", header=HEADER):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=end).writerows([header, *rows])
    return text.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encoding_delimiter_and_line_ends_are_found_out(delimiter, encoding, end):
    sheet = read_table(written([ROW, ROW], delimiter, end).encode(encoding))
    assert sheet[:4] == (HEADER, ((2, ROW), (3, ROW)), 1, ())
    assert sheet.about.delimiter == delimiter


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "£12.30"), ("cp1252", "12,30 €"), ("cp1252", "Stadtwerke Köln – 5 m³"), ("cp1252", "Señora Peña"),
        ("cp1250", "Zakład Gazowniczy Łódź"), ("cp1250", "Pražská plynárenská"), ("cp1251", "Водоканал"),
        ("cp1253", "ΔΕΗ Ηλεκτρισμός"), ("cp1254", "Elektrik Şirketi İstanbul Dağıtım"), ("cp932", "東京電力株式会社"),
        ("gb18030", "北京自来水集团有限公司"), ("euc_kr", "한국전력공사"),
    ],
)  # fmt: skip
def test_a_legacy_encoding_is_told_by_the_language_it_writes(encoding, text):
    assert read_table(written([("Maple", text, "WATER", "1", "x")], ";").encode(encoding)).rows[0][1][1] == text


def test_semicolons_inside_quoted_cells_stay_where_semicolons_divide_cells():
    sheet = read_table(written([ROW], ";").encode())
    assert '"WATER;SEWER"' in written([ROW], ";")
    assert sheet.rows[0][1] == ROW


def test_unquoted_semicolons_end_as_a_problem_and_not_as_another_bill():
    data = (";".join(HEADER) + "\nMaple Court;Aqua;WATER;SEWER;12.00;2026-03-14\n").encode()
    known = KnownProperty("prop_1", "Maple Court", "1 Main St", "US", "USD")
    result = bills_of(read_table(data), [known])
    assert result.bills == ()
    assert [problem.line for problem in result.problems] == [2]


def test_lines_are_counted_as_an_editor_counts_them():
    text = written([("Maple", "two\nlines\nand a third", "WATER", "1", "x")], end="\n") + "\n\n" + ",".join(ROW[:2])
    sheet = read_table(text.encode())
    assert [line for line, _ in sheet.rows] == [2, 7]


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("EG\t564,30\nDG\t330,10", "\t"),
        ("Groß, Anna\t564,30\nÖz, Bert\t330,10", "\t"),
        ("EG;564,30\nDG;330,10", ";"),
        ("1A,80.10\n1B,74.25", ","),
        ("A; B,80.10\nC,74.25", ","),
        ("1A,80.10", ","),
    ],
)
def test_where_no_header_tells_a_comma_within_amounts_divides_no_cells(text, delimiter):
    assert read_table(text.encode(), "charges").about.delimiter == delimiter


def test_a_title_above_the_header_is_passed_over():
    sheet = read_table(("Bills of March;;\n\n" + written([ROW], ";", "\n")).encode())
    assert (sheet.header, sheet.header_line) == (HEADER, 3)
    assert [line for line, _ in sheet.rows] == [4]


def test_the_line_by_which_excel_tells_the_delimiter_is_obeyed():
    sheet = read_table(b"sep=;\r\n" + written([ROW], ";").encode())
    assert (sheet.header, sheet.header_line) == (HEADER, 2)


def test_without_a_known_header_the_first_row_is_the_header():
    assert read_table(b"\na,b,c\n1,2,3\n").header == ("a", "b", "c")


@pytest.mark.parametrize(
    "text",
    [
        "Please find our bill attached.",
        "Dear Ann,\nthe bill of March is $80.10, please pay it by 4 April, 2026.\n\nKind regards,\nAqua Water, Springfield",
        "Call 555 0100 for questions.\n1. Open the tap.\n2. Close the tap.\n2026",
        "Raum;Farbe;Blume",
    ],
)
def test_prose_is_no_table_of_bills_and_the_sentence_says_what_to_bring(text):
    with pytest.raises(InvalidRequest, match="text without a table of bills\\. Send the bill itself as a PDF"):
        read_table(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "Haus;Betrag\nMaple;80 EUR",
        "Haus,Datum\nMaple,4 Apr",
        "property,issuerName",
        "Haus;Betrag;Datum",
        "x\ny\n\na,b\nc,80.10",
        "Maple,80.10,2026-03-14",
    ],
)
def test_what_has_a_header_or_rows_of_numbers_may_be_a_table(text):
    assert read_table(text.encode()).header


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"), (b"\xef\xbb\xbf", "empty"), (b"\r\n \r\n", "empty"), (b"PK\x03\x04rest", "workbook"),
        (b"%PDF-1.7\n", "not a CSV"), (bytes(range(128, 256)) * 4, "encoding"), (b"\xff\xfea", "damaged"),
        (b'a,b\n1,2\n3,"open\n4,5\n', "line 3"), (b'a,b\n"x"y,2\n', "line 2"), (b"a,b\n" + b"x" * 200_000, "line 2"),
        (b"a,b\nx" + b"," * 200, "100 columns"), (b";;;\n;;;\n", "empty"), (b"sep=;\n", "empty"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_table_is_refused_with_one_sentence(data, words):
    with pytest.raises(InvalidRequest, match=words):
        read_table(data)


@pytest.mark.thorough
def test_more_rows_than_the_limit_are_refused_and_blank_lines_do_not_keep_the_reader():
    most = b"property,issuerName\n" + b"x,y\n" * MOST_CSV_ROWS
    assert len(read_table(most).rows) == MOST_CSV_ROWS
    with pytest.raises(InvalidRequest, match="more than 200,000 rows"):
        read_table(most + b"x,y\n")
    assert len(read_table(b"property,issuerName\nx,y\n" + b",\n" * 1_048_570).rows) == 1
    with pytest.raises(InvalidRequest, match="more than 1,100,000 lines"):
        read_table(b"property,issuerName\nx,y\n" + b"\n" * MOST_CSV_LINES)


@given(st.binary(max_size=400) | st.text(alphabet='a,;"\t|\r\n=£é\x00', max_size=80).map(str.encode))
def test_any_bytes_are_a_sheet_or_one_sentence(data):
    try:
        sheet = read_table(data)
    except InvalidRequest as refusal:
        sentence = refusal.message
    else:
        sentence = "."
        assert all(any(cell.strip() for cell in cells) for _, cells in sheet.rows)
    assert sentence.endswith(".")


cell = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)


@given(st.lists(st.tuples(*[cell.map(lambda text: f"x{text}")] * 5), max_size=5), st.sampled_from(",;\t|"))
def test_what_was_written_is_read_back(rows, delimiter):
    assert [cells for _, cells in read_table(written(rows, delimiter).encode()).rows] == rows
