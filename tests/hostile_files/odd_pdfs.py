"""PDFs that harm their readers, each with the message that refuses it."""

import zlib
from collections.abc import Callable, Mapping

from tests.adapters.intake.test_pdf_text import protected
from tests.hostile_files.archives import endless, honest
from tests.hostile_files.pdfs import (
    HEADER,
    SENTENCE,
    forms_that_draw_forms,
    one_page,
    packed,
    pages,
    pdf_of,
    picture,
    stream,
    tree,
)

DAMAGED, SCRIPT, NO_TEXT = "is damaged", "contains a script", "picture of a bill, but no text"
TOO_MUCH_TEXT, KILLED = "far more text than a bill", "can't be read: it is damaged or takes too much memory"
OF_FONT = b"<< /Type /Font /Subtype /%s /BaseFont /X /FirstChar 0 /LastChar 255 /FontDescriptor 7 0 R >>"
DESCRIBED = b"<< /Type /FontDescriptor /FontName /X /Flags 4 /%s 8 0 R >>"
FORM = b"/Type /XObject /Subtype /Form /BBox [0 0 500 200] /Resources << /XObject << /X 6 0 R >> >>"

Make = Callable[[], bytes]


def page(content: bytes = SENTENCE, **how: object) -> Make:
    """Return a function that makes a PDF with one page."""
    return lambda: pdf_of(one_page(content, **how))


def action(told: bytes) -> Make:
    """Return a function that makes a PDF with an action that runs on opening."""
    return page(of_catalog=b"/OpenAction << %s >>" % told)


def letters_at_many_places(count: int) -> bytes:
    return b"BT /F1 1 Tf 1 TL 0 190 Td " + b"(Nothing but words that are not of any bill.) Tj T*\n" * count + b"ET"


def odd_font(kind: bytes, of_file: bytes, content: bytes) -> Make:
    """Return a function that makes a page whose font is garbage."""
    return lambda: pdf_of(one_page(font=OF_FONT % kind, more={7: DESCRIBED % of_file, 8: stream(content)}))


def font_of_itself() -> bytes:
    """A PDF with a font whose letters are pages of text in that same font."""
    told = b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 7 0 R >> "
    told += b"/Encoding << /Differences [0 %s] >> /FirstChar 0 /LastChar 255 /Widths [%s]" % (b"/a " * 256, b"1 " * 256)
    told += b" /Resources << /Font << /F1 5 0 R >> >> >>"
    return pdf_of(one_page(font=told, more={7: stream(b"BT /F1 1 Tf (aaaa) Tj ET")}))


def endless_letters() -> bytes:
    """A PDF with a font that maps all of its 65,536 letters 20,000 times."""
    told = b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /ToUnicode 7 0 R /DescendantFonts [8 0 R] >>"
    letters = b"begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
    letters += b"1 beginbfrange <0000> <ffff> <0041> endbfrange " * 20_000
    below = (
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
    )
    return pdf_of(one_page(font=told, more={7: packed(letters), 8: below + b"/Supplement 0 >> >>"}))


def endless_tree() -> bytes:
    """A PDF with twelve levels of ten equal nodes each: a million million pages."""
    return tree({**{number: [number + 1] * 10 for number in range(2, 14)}, 14: [14]}, counts=10**9)


def a_stream_of_objects() -> bytes:
    """A PDF with a stream of objects that unpacks to a gigabyte."""
    told = b"/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode"
    return pdf_of(one_page(more={6: stream(endless(1_000_000_000, wrapped=True), told)}))


FILES: Mapping[str, tuple[str | None, Make]] = {
    "10,000 pages": ("more than 50 pages", lambda: pages(10_000)),
    "one page that claims to be 2,000,000,000": (None, lambda: pages(1, claimed=2_000_000_000)),
    "less than no page": (None, lambda: pages(1, claimed=-5)),
    "pages in a ring of two": (DAMAGED, lambda: tree({2: [3], 3: [2]})),
    "pages that are their own": (DAMAGED, lambda: tree({2: [2]})),
    "pages 20,000 levels down": (DAMAGED, lambda: tree({number: [number + 1] for number in range(2, 20_000)})),
    "200,000 lists in lists": (None, page(of_page=b"/Deep " + b"[" * 200_000 + b"]" * 200_000)),
    "100,000 dictionaries in dictionaries": (None, page(of_page=b"/D " + b"<</A " * 100_000 + b"1" + b">>" * 100_000)),
    "lists without an end": (NO_TEXT, page(b"[" * 300_000 + SENTENCE)),
    "500,000 saved states": (None, page(b"q " * 500_000 + SENTENCE)),
    "a sentence written 100,000 times in one place": (None, page(contents=packed((SENTENCE + b"\n") * 100_000))),
    "5,000 lines on a page": (TOO_MUCH_TEXT, page(letters_at_many_places(5_000))),
    "a stream that claims 2 GB": (None, page(contents=stream(SENTENCE, length=b"2147483647"))),
    "a stream that claims 4 GB": (None, page(contents=stream(SENTENCE, length=b"4294967296"))),
    "a stream shorter than nothing": (None, page(contents=stream(SENTENCE, length=b"-1"))),
    "a stream as long as itself": (None, page(contents=stream(SENTENCE, length=b"4 0 R"))),
    "a stream packed 100,000 times over": (
        None,
        page(contents=stream(SENTENCE, b"/Filter [" + b"/AHx " * 100_000 + b"]")),
    ),
    "references beyond the end": (None, lambda: pdf_of(one_page(), start=2**40)),
    "references that refer to themselves": (None, lambda: pdf_of(one_page(), b"/Prev 9")),
    "no references": (DAMAGED, lambda: pdf_of(one_page(), table=False)),
    "references for 2,147,483,647 objects": (
        DAMAGED,
        lambda: (
            HEADER
            + b"xref\n0 2147483647\n0000000000 65535 f \ntrailer\n<< /Size 2147483647 /Root 1 0 R >>\nstartxref\n9\n"
        ),
    ),
    "packed references for as many": (
        DAMAGED,
        lambda: (
            HEADER
            + b"1 0 obj\n<< /Type /XRef /Size 2147483647 /W [1 8 8] /Root 1 0 R /Length 10 >>\nstream\n0123456789\n"
            + b"endstream\nendobj\nstartxref\n9\n%%EOF"
        ),
    ),
    "200,000 objects": (None, lambda: pdf_of({**one_page(), **dict.fromkeys(range(10, 200_000), b"null")})),
    "objects that unpack to a gigabyte": (TOO_MUCH_TEXT, a_stream_of_objects),
    "a million beginnings of streams": (DAMAGED, lambda: HEADER + b"stream " * 1_000_000),
    "a million beginnings of objects": (DAMAGED, lambda: HEADER + b"1 0 obj " * 1_000_000),
    "a picture of 100,000 by 100,000 points": (None, lambda: picture(100_000, 100_000)),
    "a picture of 2,147,483,647 points a side": (None, lambda: picture(2**31 - 1, 2**31 - 1, b"x")),
    "3,000 forms in forms": (None, lambda: forms_that_draw_forms(3_000, 1)),
    "a page larger than the earth": (None, page(box=b"[0 0 1e30 1e30]")),
    "a line of 80 points": (None, page(SENTENCE + b" BT /F1 4 Tf 1 20 Td (" + b"." * 80 + b"ab 9.99 12.00) Tj ET")),
    "a page without a size": (None, page(box=b"[a b c d]")),
    "a font of garbage": (None, odd_font(b"TrueType", b"FontFile2", bytes(range(256)) * 400)),
    "a font that is an endless program": (
        None,
        odd_font(b"Type1", b"FontFile", b"%!PS-AdobeFont-1.0\n" + b"{" * 200_000),
    ),
    "a font in itself": (None, font_of_itself),
    "a font of endless letters": (NO_TEXT, endless_letters),
    "a script when it is opened": (SCRIPT, action(b"/S /JavaScript /JS (app.alert(1))")),
    "a script under another spelling": (SCRIPT, action(b"/S /J#61vaScript /J#53 (app.alert(1))")),
    "a script when a page is shown": (SCRIPT, page(of_page=b"/AA << /O << /S /JavaScript /JS (x) >> >>")),
    "a script among the names": (SCRIPT, page(of_catalog=b"/Names << /JavaScript << /Names [(a) 7 0 R] >> >>")),
    "a program that it starts": (SCRIPT, action(b"/S /Launch /Win << /F (cmd.exe) /P (/C calc) >>")),
    "a link to another file": (None, action(b"/S /GoToR /F (\\\\\\\\127.0.0.1\\\\share\\\\x.pdf) /D [0 /Fit]")),
    "a form that is sent somewhere": (None, action(b"/S /SubmitForm /F (http://127.0.0.1:9/)")),
    "a file in it": (
        None,
        page(
            of_catalog=b"/Names << /EmbeddedFiles << /Names [(calc.exe) 7 0 R] >> >>",
            more={7: b"<< /Type /Filespec /F (calc.exe) /EF << /F 8 0 R >> >>", 8: stream(b"MZ\x90\x00")},
        ),
    ),
    "a password": ("protected by a password", lambda: protected("secret")),
    "a protection that nobody knows": (
        "is damaged|password",
        lambda: pdf_of({**one_page(), 7: b"<< /Filter /Unheard /V 99 /R 99 >>"}, b"/Encrypt 7 0 R /ID [<00> <00>]"),
    ),
    "a PDF that is an archive too": (None, lambda: pdf_of(one_page()) + honest(a_csv=b"a,b\n")),
}

DEADLY: Mapping[str, tuple[str, Make]] = {
    "a page that unpacks to a gigabyte": (
        KILLED,
        page(contents=stream(endless(1_000_000_000, wrapped=True), b"/Filter /FlateDecode")),
    ),
    "a page packed twice, of three gigabytes": (
        KILLED,
        page(
            contents=stream(
                zlib.compress(endless(3_000_000_000, wrapped=True), 9), b"/Filter [/FlateDecode /FlateDecode]"
            )
        ),
    ),
    "forms that draw each other 10,000,000,000 times": (KILLED, lambda: forms_that_draw_forms(10, 10)),
    "a form that draws itself": (KILLED, page(SENTENCE + b" /X Do", more={6: stream(b"/X Do /X Do", FORM)})),
    "a million million pages": ("more than [0-9]+ seconds", endless_tree),
}
