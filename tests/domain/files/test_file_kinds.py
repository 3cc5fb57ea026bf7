"""The kind of a file is determined by its bytes.

It also determines the names that the file may not have.
"""

import io
import re
import time
import zipfile

import pytest
from hypothesis import given, strategies as st

from prorata.domain.files.file_kinds import IN_WORDS, WEB_PAGE, names_in, told
from tests.e_invoices.made import cii, ubl
from tests.pace import slowness

TABLE = "property;total\nMaple Court;1,5 €\n"
PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF"


def archive(*names: str, comment: bytes = b"") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as opened:
        for name in names:
            opened.writestr(name, b"x")
        opened.comment = comment
    return made.getvalue()


XLSX = archive("xl/workbook.xml", "[Content_Types].xml")
ODS = archive("mimetype", "content.xml")


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("bills.csv", TABLE.encode(), "text"),
        ("bills.tsv", TABLE.encode("utf-16"), "text"),
        ("bills.txt", TABLE.encode("utf-16-le"), "text"),
        ("bills", TABLE.encode("cp1252"), "text"),
        ("BM.csv", b"BM,Mz,RIF\n", "text"),
        ("bill.xml", cii(), "xml"),
        ("bill", ubl().partition(b"?>")[2].decode().encode("utf-16"), "xml"),
        ("bills.xlsx", XLSX, "xlsx"),
        ("bills.xls", XLSX, "xlsx"),
        ("bills.csv", XLSX, "xlsx"),
        ("bills.xls", TABLE.encode(), "text"),
        ("bills.ods", ODS, "ods"),
        ("bills.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "xls"),
        ("bill.PDF", PDF, "pdf"),
        ("bill.pdf", b"\x1b%-12345X@PJL\n" + PDF, "pdf"),
        ("bill.2026", PDF, "pdf"),
        ("bill.jpeg", b"\xff\xd8\xff\xe0" + bytes(9), "jpeg"),
        ("bill.png", b"\x89PNG\r\n\x1a\n" + bytes(9), "png"),
        ("bills.zip", archive("a.xlsx", comment=b"of March"), "zip"),
        ("bills.zip", archive(), "zip"),
    ],
)
def test_a_file_is_what_its_bytes_are(name: str, data: bytes, kind: str):
    assert told(name, data) == (kind, None, False)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("letter.docx", archive("word/document.xml", "[Content_Types].xml"), "text document"),
        ("letter.rtf", b"{\\rtf1 Dear", "text document"),
        ("tool.jar", archive("META-INF/MANIFEST.MF"), "program"),
        ("tool.zip", archive("META-INF/MANIFEST.MF"), "program"),
        ("bill.js", TABLE.encode(), "program"),
        ("split.py", b"totals = [80, 120]\nprint(1, 2)\n", "program"),
        ("split.rb", b"puts 80, 120\n", "program"),
        ("bill.htm", PDF, "web page"),
        ("photo.heic", b"\x00\x00\x00\x18ftypheic" + bytes(50), "Save it as JPEG or PNG"),
        ("photo.tif", b"II*\x00" + bytes(50), "Save it as JPEG or PNG"),
        ("bills.rar", b"Rar!\x1a\x07\x00", "Unpack it"),
        ("bill.png", PDF, r"ends in \.png, but it is a PDF"),
        ("bill.pdf", b"\x89PNG\r\n\x1a\n", r"ends in \.pdf, but it is a picture"),
        ("bills.dat", bytes(range(256)), "can't be determined from its contents"),
        ("bills.csv", b"", "is empty"),
    ],
)
def test_what_is_known_to_be_something_else_says_what_to_do(name: str, data: bytes, said: str):
    kind, refused, is_program = told(name, data)
    assert kind is None
    assert re.search(said, refused or "")
    assert is_program == (said == "program")


def test_a_web_page_is_told_in_whatever_encoding():
    for page in ("<html>", "  <!-- x -->\n<!DOCTYPE html>", "<?xml version='1.0'?><svg/>", "<Table><tr>"):
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le"):
            assert told("bills.xls", page.encode(encoding)).refused == WEB_PAGE, (page, encoding)


@given(st.text(max_size=20), st.binary(max_size=300) | st.sampled_from([XLSX, ODS, PDF]))
def test_every_file_is_of_a_kind_or_refused_with_a_sentence(name: str, data: bytes):
    kind, refused, is_program = told(name, data)
    assert (kind is None) != (refused is None)
    assert kind is None or kind in IN_WORDS
    assert refused is None or refused.endswith(".")
    assert kind is None or not is_program


@given(st.lists(st.text(st.characters(codec="ascii", exclude_characters="\x00"), min_size=1), max_size=8, unique=True))
def test_the_names_of_an_archive_are_those_of_its_directory(names: list[str]):
    with zipfile.ZipFile(io.BytesIO(archive(*names))) as opened:
        its = [one.filename.encode() for one in opened.infolist()]
    assert list(names_in(archive(*names))) == its
    assert list(names_in(archive(*names), 2)) == its[:2]


@given(st.data())
def test_a_damaged_archive_has_fewer_names_and_never_fails(data: st.DataObject):
    damaged = bytearray(XLSX[: data.draw(st.integers(0, len(XLSX)))])
    for at in data.draw(st.lists(st.integers(0, max(len(damaged) - 1, 0)), max_size=6)):
        damaged[at : at + 1] = b"\xff"
    assert len(list(names_in(bytes(damaged)))) <= 2


def test_what_is_much_like_a_web_page_takes_no_time():
    began = time.process_time()
    for piece in (b"<!---->", b"<!-- ", b" ", b"<?xml ", b"-->"):
        told("bills.csv", b"<?xml >" + piece * 100_000)
        told("bills.csv", piece * 100_000)
    assert time.process_time() - began < 2 * slowness()
