"""Workbooks that no program would save.

XLSX and ODS workbooks are archives of XML, and XLS workbooks have sectors that form rings.
"""

import struct
from collections.abc import Sequence

from tests.hostile_files.archives import Entry, bomb, entry, zip_of

HEADER = b"property,issuerName,utilityType,totalAmountDue,billDate"
ROW = b"Maple Court,Aqua,WATER,320.10,2026-03-14"
_MAIN = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = b"http://schemas.openxmlformats.org/package/2006/"
_SPACES = b" ".join(
    b'xmlns:%s="urn:oasis:names:tc:opendocument:xmlns:%s:1.0"' % (name, name) for name in (b"office", b"table", b"text")
)
LAUGHS = b"<!DOCTYPE x [<!ENTITY a 'ha'>%s]>" % b"".join(
    b"<!ENTITY %c '%s'>" % (98 + level, b"&%c;" % (97 + level) * 10) for level in range(12)
)
OUTSIDE = b'<!DOCTYPE x [<!ENTITY m SYSTEM "file:///etc/passwd">]>'
ADDRESS = b'<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">'


def cells(line: bytes) -> bytes:
    return b"".join(b'<c t="inlineStr"><is><t>%s</t></is></c>' % cell for cell in line.split(b","))


def rows(*lines: bytes) -> bytes:
    return b"".join(b"<row>%s</row>" % cells(line) for line in lines)


def sheet(content: bytes, before: bytes = b"") -> bytes:
    return b'<?xml version="1.0"?>%s<worksheet xmlns="%s"><sheetData>%s</sheetData></worksheet>' % (
        before,
        _MAIN,
        content,
    )


def parts(sheet_xml: bytes, *, before_book: bytes = b"", strings: bytes = b"") -> list[Entry]:
    """The parts of an XLSX workbook with one sheet."""
    types = (
        b'<Types xmlns="%scontent-types"><Default Extension="xml" ContentType="application/xml"/></Types>' % _PACKAGE
    )
    book = b'%s<workbook xmlns="%s" xmlns:r="%s"><sheets><sheet name="B" sheetId="1" r:id="r1"/></sheets></workbook>'
    relation = b'<Relationship Id="%s" Type="%s/%s" Target="%s"/>'
    related = [relation % (b"r1", _RELATIONS, b"worksheet", b"worksheets/sheet1.xml")]
    made = []
    if strings:
        related.append(relation % (b"r2", _RELATIONS, b"sharedStrings", b"sharedStrings.xml"))
        made.append(entry("xl/sharedStrings.xml", b'<sst xmlns="%s">%s</sst>' % (_MAIN, strings)))
    relations = b'<Relationships xmlns="%srelationships">%s</Relationships>'
    begin = relation % (b"r0", _RELATIONS, b"officeDocument", b"xl/workbook.xml")
    return [
        entry("[Content_Types].xml", types),
        entry("_rels/.rels", relations % (_PACKAGE, begin)),
        entry("xl/workbook.xml", book % (before_book, _MAIN, _RELATIONS)),
        entry("xl/_rels/workbook.xml.rels", relations % (_PACKAGE, b"".join(related))),
        *made,
        entry("xl/worksheets/sheet1.xml", sheet_xml),
    ]


def xlsx(content: bytes = rows(HEADER, ROW), before: bytes = b"", **how: bytes) -> bytes:
    return zip_of(parts(sheet(content, before), **how))


def xlsx_with(*more: Entry, without_sheet: bool = False) -> bytes:
    """A workbook with additional parts, or with one of these in place of its sheet."""
    made = parts(sheet(rows(HEADER, ROW)))
    return zip_of([*(made[:-1] if without_sheet else made), *more])


def xlsx_bomb(size: int, claimed: int | None = None) -> bytes:
    """A workbook whose sheet unpacks to `size` spaces."""
    return xlsx_with(bomb("xl/worksheets/sheet1.xml", size, claimed, b" " * 1_000_000), without_sheet=True)


def ods_row(line: bytes, repeat: bytes = b"", of_row: bytes = b"") -> bytes:
    told = b'<table:table-cell office:value-type="string" %s><text:p>%s</text:p></table:table-cell>'
    return b"<table:table-row %s>%s</table:table-row>" % (
        of_row,
        b"".join(told % (repeat, cell) for cell in line.split(b",")),
    )


def ods(*lines: bytes, before: bytes = b"", more: Sequence[Entry] = ()) -> bytes:
    content = (
        b'<?xml version="1.0"?>%s<office:document-content %s><office:body><office:spreadsheet><table:table table:name="B">'
        b"%s</table:table></office:spreadsheet></office:body></office:document-content>"
    ) % (before, _SPACES, b"".join(lines) or ods_row(HEADER) + ods_row(ROW))
    media = entry("mimetype", b"application/vnd.oasis.opendocument.spreadsheet", packing=False)
    return zip_of([media, entry("META-INF/manifest.xml", b"<manifest/>"), entry("content.xml", content), *more])


def xls_in_a_ring(*, large: bool = False, ring_of_tables: bool = False, length: int = 2**31 - 1) -> bytes:
    """An XLS workbook whose stream never ends, because its one sector follows itself.

    With large sectors, all tables of sectors are the same table, so the ring reaches half a gigabyte before the table
    ends.
    """
    size = 4096 if large else 512
    head = bytearray(b"\xff" * size)
    head[:30] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<3H", 0x3E, 4 if large else 3, 0xFFFE)
    head[30:76] = struct.pack("<2H", 12 if large else 9, 6) + bytes(42)
    struct.pack_into("<6I", head, 44, 1, 1, 0, 64, 0xFFFFFFFE, 0)
    struct.pack_into("<2I", head, 68, 0 if ring_of_tables else 0xFFFFFFFE, 1)
    for at in range(76, 76 + 4 * (109 if large else 1), 4):
        struct.pack_into("<I", head, at, 0)
    root, book = (
        name.encode("utf-16-le").ljust(64, b"\x00") + struct.pack("<HBB", 2 * len(name) + 2, kind, 1) + bytes(48)
        for name, kind in (("Root Entry", 5), ("Workbook", 2))
    )
    entries = root + struct.pack("<IQ", 0xFFFFFFFE, 0) + book + struct.pack("<IQ", 2, length)
    table = struct.pack("<3I", 0xFFFFFFFD, 0xFFFFFFFE, 2).ljust(size, b"\xff")
    return bytes(head) + table + entries.ljust(size, b"\x00") + bytes(size)


def patched(workbook: bytes, at: int, content: bytes) -> bytes:
    """A workbook with other bytes at an offset; a negative offset counts from the end."""
    at %= len(workbook)
    return workbook[:at] + content + workbook[at + len(content) :]
