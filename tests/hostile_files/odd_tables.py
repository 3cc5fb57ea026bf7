"""Workbooks, text files and archives that harm their readers, each with its refusal."""

from collections.abc import Callable, Mapping
from datetime import date

from tests.adapters.old_workbooks import xls
from tests.hostile_files.archives import A_LINK, DEFLATED, Entry, bomb, entry, honest, zip_of
from tests.hostile_files.pdfs import one_page, pdf_of
from tests.hostile_files.workbooks import (
    ADDRESS,
    HEADER,
    LAUGHS,
    OUTSIDE,
    ROW,
    cells,
    ods,
    ods_row,
    parts,
    patched,
    rows,
    sheet,
    xls_in_a_ring,
    xlsx,
    xlsx_bomb,
    xlsx_with,
)

Make = Callable[[], bytes]
Files = Mapping[str, tuple[str | None, Make]]

TABLE = HEADER + b"\n" + ROW + b"\n"
HEADER_CELLS = tuple(HEADER.decode().split(","))
ROW_CELLS = ("Maple Court", "Aqua", "WATER", 320.1, date(2026, 3, 14))
NOT_A_WORKBOOK, TOO_LARGE, TOO_FAR = (
    "not an XLSX, ODS or XLS workbook",
    "workbook is too large",
    "more than 200,000 rows",
)
NOT_READ, TOO_MUCH, OTHER_NAME = "This workbook can't be read", "too much memory", "name of this file ends in"
UNPACKS, BAD_ENTRY, NESTED = (
    "unpacks to more than|take up too much space",
    "damaged in the archive",
    "inside an archive aren’t opened",
)
BAD_QUOTES, TOO_MANY_FILES = "can't be read from line", "more than 100 files"
FORMULAS = b'=cmd|\' /C calc\'!A0,@SUM(1+1),-2+3+cmd,+1,=HYPERLINK(""http://127.0.0.1:9/"")\n'


def wide(cell: bytes, count: int) -> bytes:
    return rows(HEADER) + b"<row>" + cell * count + b"</row>"


def with_a_far_cell(row: int, place: bytes) -> Make:
    return lambda: xlsx(rows(HEADER) + b'<row r="%d"><c r="%s"><v>1</v></c></row>' % (row, place))


XLSX: Files = {
    "two gigabytes": (TOO_LARGE, lambda: xlsx_bomb(2_000_000_000)),
    "two gigabytes that claim to be 50 MB": (NOT_A_WORKBOOK, lambda: xlsx_bomb(2_000_000_000, 50_000_000)),
    "two gigabytes that claim to be ten bytes": (NOT_A_WORKBOOK, lambda: xlsx_bomb(2_000_000_000, 10)),
    "two gigabytes of a part that nobody needs": (TOO_LARGE, lambda: xlsx_with(bomb("docProps/x.xml", 2_000_000_000))),
    "70,000 parts": (TOO_LARGE, lambda: xlsx_with(*[Entry(b"p%d.xml" % at, b"") for at in range(70_000)])),
    "a part twice": (None, lambda: zip_of([*parts(sheet(rows(HEADER, ROW))), parts(sheet(rows(HEADER)))[-1]])),
    "entities that grow": (NOT_A_WORKBOOK, lambda: xlsx(rows(HEADER, b"&l;,a,b,c,d"), LAUGHS)),
    "entities that grow, in the book": (NOT_A_WORKBOOK, lambda: xlsx(before_book=LAUGHS)),
    "an entity of this computer's files": (NOT_A_WORKBOOK, lambda: xlsx(rows(HEADER, b"&m;,a,b,c,d"), OUTSIDE)),
    "a description elsewhere": (NOT_A_WORKBOOK, lambda: xlsx(before=ADDRESS)),
    "another encoding": (NOT_A_WORKBOOK, lambda: zip_of(parts(sheet(rows(HEADER)).decode().encode("utf-16")))),
    "a cell in the last corner": (TOO_FAR, with_a_far_cell(1_048_576, b"XFD1048576")),
    "a cell far behind it": (TOO_FAR, with_a_far_cell(4_294_967_295, b"ZZZZZZ4294967295")),
    "1,000,000 columns": (TOO_FAR, lambda: xlsx(wide(b"<c><v>1</v></c>", 1_000_000))),
    "a million elements in each other": (NOT_A_WORKBOOK, lambda: xlsx(b"<a>" * 1_000_000)),
    "XML that does not end": (NOT_A_WORKBOOK, lambda: xlsx(b"<row><c>")),
    "a binary book beside the other": (NOT_A_WORKBOOK, lambda: xlsx_with(entry("xl/workbook.bin", b"x"))),
    "formulas": (None, lambda: xlsx(rows(HEADER, ROW, b"=cmd|' /C calc'!A0,@SUM(1),-2+3,+1,=1"))),
    "a formula that calls outside": (
        None,
        lambda: xlsx(
            rows(HEADER, ROW) + b"<row>" + cells(b"Maple") + b'<c><f>WEBSERVICE("http://127.0.0.1:9")</f></c></row>'
        ),
    ),
    "names that lead elsewhere": (None, lambda: xlsx_with(entry("../../../etc/cron.d/x", b"* * * * * root x"))),
}

ODS: Files = {
    "entities that grow": (NOT_A_WORKBOOK, lambda: ods(ods_row(HEADER), ods_row(b"&l;,a"), before=LAUGHS)),
    "an entity of this computer's files": (
        NOT_A_WORKBOOK,
        lambda: ods(ods_row(HEADER), ods_row(b"&m;"), before=OUTSIDE),
    ),
    "a row 2,147,483,648 times": (
        TOO_FAR,
        lambda: ods(ods_row(HEADER), ods_row(ROW, of_row=b'table:number-rows-repeated="2147483648"')),
    ),
    "a cell 2,147,483,648 times": (
        TOO_FAR,
        lambda: ods(ods_row(HEADER), ods_row(ROW, b'table:number-columns-repeated="2147483648"')),
    ),
    "a cell less than no times": (
        NOT_A_WORKBOOK,
        lambda: ods(ods_row(HEADER), ods_row(ROW, b'table:number-columns-repeated="-1"')),
    ),
    "a cell x times": (NOT_A_WORKBOOK, lambda: ods(ods_row(ROW, b'table:number-columns-repeated="x"'))),
    "two gigabytes": (TOO_LARGE, lambda: ods(more=[bomb("Pictures/a.png", 2_000_000_000)])),
    "a million elements in each other": (NOT_A_WORKBOOK, lambda: ods(b"<a>" * 1_000_000)),
}

XLS: Files = {
    "sectors in a ring": (NOT_READ, xls_in_a_ring),
    "a long ring": (TOO_MUCH, lambda: xls_in_a_ring(large=True)),
    "tables of sectors in a ring": (NOT_READ, lambda: xls_in_a_ring(ring_of_tables=True)),
    "sectors of 2,147,483,648 bytes": (NOT_READ, lambda: patched(old(), 30, b"\x1f\x00")),
    "a directory beyond the end": (NOT_READ, lambda: patched(old(), 48, b"\xf0\xff\xff\x00")),
    "a cell in the last corner": (TOO_FAR, lambda: old(far=True)),
    "a password": (NOT_READ, lambda: xls(("Bills", [HEADER_CELLS]), extra=b"\x2f\x00\x02\x00\x00\x00")),
}


def old(*, far: bool = False) -> bytes:
    """An XLS workbook; if `far`, one of its cells is far away from the others."""
    made = xls(("Bills", [HEADER_CELLS, ROW_CELLS]))
    place = made.index(b"Maple Court") - 9
    return patched(made, place, b"\xff\xff\xff\x00") if far else made


CSV: Files = {
    "a line of 45 MB": (BAD_QUOTES, lambda: b"x" * 45_000_000),
    "a line of 30 MB below the header": (BAD_QUOTES, lambda: HEADER + b"\n" + b"x" * 30_000_000),
    "a quote that is never closed": (BAD_QUOTES, lambda: HEADER + b'\n"' + b"x\n" * 10_000_000),
    "nothing but quotes": (BAD_QUOTES, lambda: b'"' * 20_000_000),
    "nothing but delimiters": ("more than 100 columns|too much memory", lambda: b",;\t|" * 5_000_000),
    "10,000,000 blank lines": ("more than 1,100,000 lines", lambda: b"\n" * 10_000_000),
    "10,000,000 ends of lines of another kind": ("more than 1,100,000 lines", lambda: b"\r" * 10_000_000),
    "1,000,000 columns": ("more than 100 columns", lambda: b"a," * 1_000_000),
    "1,000,000 empty columns": (None, lambda: TABLE + b"," * 1_000_000),
    "5,000,000 rows": ("more than 200,000 rows", lambda: HEADER + b"\n" + b"a,b\n" * 5_000_000),
    "zeros": ("can't be determined from its contents", lambda: TABLE + bytes(1_000)),
    "zeros that make programs see another end": (
        "can't be determined from its contents",
        lambda: HEADER + b"\x00.exe\n" + ROW,
    ),
    "formulas": (None, lambda: TABLE + FORMULAS),
    "UTF-7": (None, lambda: TABLE + b"+AD0-cmd,+ADw-script+AD4-alert(1)+ADw-/script+AD4-\n" * 3),
    "half a letter of UTF-16": ("text is cut off", lambda: TABLE.decode().encode("utf-16")[:-1]),
    "UTF-16 after the mark of UTF-32": (".", lambda: b"\xff\xfe\x00\x00" + TABLE.decode().encode("utf-16-le")),
    "UTF-16 without a mark, the other way round": (None, lambda: TABLE.decode().encode("utf-16-be")),
    "4 MB of letters in no encoding": (".", lambda: b"\xe9" * 4_000_000),
    "letters that turn around what is read": (None, lambda: TABLE + "\u202e01.023,ypoC\n".encode()),
}


def several_names() -> bytes:
    names = ("../../etc/passwd.csv", "/abs.csv", "C:\\win.csv", "a\x00.csv", "..\\..\\x.csv", "same.csv", "SAME.csv")
    return zip_of([entry(name, TABLE) for name in (*names, "a" * 60_000 + ".csv")])


ZIP: Files = {
    "five gigabytes beside a good file": (
        UNPACKS,
        lambda: zip_of([bomb("a.csv", 5_000_000_000), entry("b.csv", TABLE)]),
    ),
    "two gigabytes that claim to be ten bytes": (BAD_ENTRY, lambda: zip_of([bomb("a.csv", 2_000_000_000, 10)])),
    "99 files of a gigabyte": (UNPACKS, lambda: zip_of([bomb("a0.csv", 400_000_000)] * 99)),
    "files that are the same bytes": (
        BAD_ENTRY,
        lambda: zip_of(
            [bomb("a.csv", 19_000_000), *[Entry(b"b%d.csv" % at, b"", DEFLATED, 19_000_000, at=0) for at in range(90)]]
        ),
    ),
    "archives in archives": (NESTED, lambda: honest(a_zip=honest(b_zip=honest(c_csv=TABLE)), ok_csv=TABLE)),
    "an archive named as a table": (NESTED, lambda: honest(a_csv=honest(c_csv=TABLE))),
    "names that lead elsewhere": (None, several_names),
    "a million names": (TOO_MANY_FILES, lambda: zip_of([entry("a.csv", b"a")], times=900_000)),
    "101 files": (TOO_MANY_FILES, lambda: zip_of([entry(f"{at}.csv", TABLE) for at in range(101)])),
    "a directory that claims 65,535 files": (None, lambda: zip_of([entry("a.csv", TABLE)], count=65_535)),
    "a directory that claims two gigabytes": (
        "archive is damaged",
        lambda: zip_of([entry("a.csv", TABLE)], directory=2**31),
    ),
    "a file that claims two gigabytes": (
        BAD_ENTRY,
        lambda: zip_of([Entry(b"a.csv", TABLE, claimed_packed=2**31, size=2**31)]),
    ),
    "a link": ("link to another place", lambda: zip_of([Entry(b"a.csv", b"/etc/passwd", attributes=A_LINK)])),
    "a password": ("password-protected", lambda: zip_of([Entry(b"a.csv", b"x" * 50, flags=1)])),
    "another packing": (
        "compressed in a way",
        lambda: zip_of([Entry(b"a.csv", b"\x09\x04\x05\x00\x5d" + b"\xff" * 50, 14)]),
    ),
    "a wrong sum": (BAD_ENTRY, lambda: zip_of([Entry(b"a.csv", TABLE, crc=1), entry("b.csv", TABLE)])),
    "no file": ("contains no files", lambda: zip_of([])),
    "a program among bills": ("is a program", lambda: honest(a_exe=b"MZ\x90\x00", b_csv=TABLE)),
}

MISNAMED: Files = {
    "program.pdf": ("is a program", lambda: b"MZ\x90\x00" + bytes(500)),
    "program.csv": ("is a program", lambda: b"\x7fELF\x02\x01\x01" + bytes(500)),
    "script.csv": ("is a program", lambda: b"#!/bin/sh\nrm -rf /\n"),
    "bill.pdf.exe": ("is a program", lambda: pdf_of(one_page())),
    "bill.pdf ": (None, lambda: pdf_of(one_page())),
    "pdf.csv": (OTHER_NAME, lambda: pdf_of(one_page())),
    "table.pdf": (OTHER_NAME, lambda: TABLE),
    "workbook.pdf": (OTHER_NAME, xlsx),
    "archive.xlsx": (OTHER_NAME, lambda: honest(a_csv=TABLE)),
    "page.xls": ("is a web page", lambda: b"<html><script>alert(1)</script><table><tr><td>1</td></tr></table></html>"),
    "page.csv": ("is a web page", lambda: b"\xef\xbb\xbf <!-- x --> <!DOCTYPE html><html></html>"),
    "page.pdf": ("is a web page", lambda: "<svg onload='alert(1)'/>".encode("utf-16")),
    "picture.pdf": (OTHER_NAME, lambda: b"\xff\xd8\xff\xe0" + bytes(100)),
    "letter.csv": ("is a text document", lambda: zip_of([entry("word/document.xml", b"x")])),
    "packed.csv": ("kind of archive can", lambda: b"\x1f\x8b\x08\x00" + bytes(50)),
    "noise": ("can't be determined from its contents", lambda: bytes(range(256)) * 20),
    "nothing.csv": ("is empty", bytes),
}

DEADLY: Mapping[str, tuple[str, Make]] = {
    "a long text in 50,000 cells": (
        TOO_MUCH,
        lambda: xlsx(
            rows(HEADER) + (b"<row>" + b'<c t="s"><v>0</v></c>' * 5 + b"</row>") * 10_000,
            strings=b"<si><t>" + b"x" * 300_000 + b"</t></si>",
        ),
    ),
}
