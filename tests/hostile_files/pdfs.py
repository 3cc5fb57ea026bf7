"""PDFs that no issuer sends: quick to make, but made to demand far too much."""

import zlib
from collections.abc import Mapping, Sequence

from tests.hostile_files.archives import endless

HEADER = b"%PDF-1.7\n"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
SENTENCE = b"BT /F1 12 Tf 50 100 Td (The bill of the month says what is to be paid by whom.) Tj ET"


def stream(content: bytes, told: bytes = b"", length: bytes | None = None) -> bytes:
    """A stream object; `length` is the length that it claims."""
    claimed = b"%d" % len(content) if length is None else length
    return b"<< /Length %s %s >>\nstream\n%s\nendstream" % (claimed, told, content)


def packed(content: bytes, told: bytes = b"", times: int = 1) -> bytes:
    """A stream that unpacks to `content` after `times` steps."""
    for _ in range(times):
        content = zlib.compress(content, 9)
    filters = b"/FlateDecode " * times
    return stream(content, b"/Filter [%s] %s" % (filters, told))


def pdf_of(
    objects: Mapping[int, bytes], trailer: bytes = b"", *, table: bool = True, start: int | None = None
) -> bytes:
    """A PDF of these objects, of which the first is its catalog.

    It can lack the table of objects, or give a wrong `start` of that table.
    """
    made, places = bytearray(HEADER), {}
    for number, told in objects.items():
        places[number] = len(made)
        made += b"%d 0 obj\n%s\nendobj\n" % (number, told)
    if not table:
        return bytes(made)
    at, size = len(made), max(objects) + 1
    made += b"xref\n0 %d\n" % size
    made += b"".join(
        b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n" for number in range(size)
    )
    made += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (
        size,
        trailer,
        at if start is None else start,
    )
    return bytes(made)


def one_page(
    content: bytes = SENTENCE,
    *,
    of_page: bytes = b"",
    of_catalog: bytes = b"",
    font: bytes = FONT,
    more: Mapping[int, bytes] | None = None,
    box: bytes = b"[0 0 500 200]",
    contents: bytes | None = None,
) -> dict[int, bytes]:
    """The objects of a PDF with one page.

    Further objects begin at number 6.
    """
    return {
        1: b"<< /Type /Catalog /Pages 2 0 R %s >>" % of_catalog,
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> "
        b"/XObject << /X 6 0 R >> >> %s >>" % (box, of_page),
        4: stream(content) if contents is None else contents,
        5: font,
        **(more or {}),
    }


def pages(count: int, *, claimed: int | None = None) -> bytes:
    """A PDF with `count` pages that share one content."""
    kids = b" ".join(b"%d 0 R" % number for number in range(10, 10 + count))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count if claimed is None else claimed),
        4: stream(SENTENCE),
        5: FONT,
        **dict.fromkeys(range(10, 10 + count), page),
    }
    return pdf_of(objects)


def tree(kids: Mapping[int, Sequence[int]], counts: int = 1) -> bytes:
    """A PDF with this page tree, which may have rings or far too many nodes."""
    nodes = {
        number: b"<< /Type /Pages /Parent 2 0 R /Count %d /Kids [%s] >>"
        % (counts, b" ".join(b"%d 0 R" % one for one in of))
        for number, of in kids.items()
    }
    return pdf_of({1: b"<< /Type /Catalog /Pages 2 0 R >>", **nodes})


def picture(width: int, height: int, content: bytes | None = None) -> bytes:
    """A PDF whose page draws a picture of this size."""
    told = (
        b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 "
        b"/Filter /FlateDecode" % (width, height)
    )
    image = stream(endless(50_000_000, wrapped=True) if content is None else content, told)
    return pdf_of(one_page(SENTENCE + b" q 500 0 0 200 0 0 cm /X Do Q", more={6: image}))


def forms_that_draw_forms(depth: int, times: int) -> bytes:
    """A PDF in which each form draws the next form `times` times.

    That makes times ** depth drawings in all.
    """
    objects = one_page(SENTENCE + b" /X Do")
    for number in range(6, 6 + depth):
        following = b"<< /XObject << /X %d 0 R >> /Font << /F1 5 0 R >> >>" % (number + 1)
        objects[number] = stream(
            b"/X Do " * times, b"/Type /XObject /Subtype /Form /BBox [0 0 500 200] /Resources " + following
        )
    objects[6 + depth] = stream(
        SENTENCE, b"/Type /XObject /Subtype /Form /BBox [0 0 500 200] /Resources << /Font << /F1 5 0 R >> >>"
    )
    return pdf_of(objects)
