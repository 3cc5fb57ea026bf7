"""Tests of reading the words of a PDF and their places.

Each refused file gets a sentence.
"""

import io
import random
import zlib
from hashlib import md5

import pypdfium2
import pytest
import typst

from prorata.adapters.intake import pdf_text
from prorata.adapters.printing.font_coverage import FONTS
from prorata.domain.intake import documents
from prorata.errors import InvalidRequest
from tests.hostile_files.pdfs import one_page, pdf_of
from tests.pdf_pages import read_pdf

FAMILY = '#set text(font: "Noto Sans")\n'
SENTENCE = "The bill of the month says what is to be paid by whom."


def pdf(markup: str) -> bytes:
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[FONTS])
    made = typst.compile((FAMILY + markup).encode(), font_paths=fonts, format="pdf")
    assert isinstance(made, bytes)
    return made


def with_object(content: bytes, told: bytes) -> bytes:
    """A PDF with an additional object that no other object refers to."""
    return content.replace(b"\nxref", b"\n99 0 obj\n" + told + b"\nendobj\nxref", 1) if b"\nxref" in content else (
        content + b"\n99 0 obj\n" + told + b"\nendobj\n"
    )  # fmt: skip


def refused(content: bytes, **how: str) -> str:
    with pytest.raises(InvalidRequest) as refusal:
        read_pdf(content, **how)
    return refusal.value.message


def test_words_stand_where_they_are_printed_in_tenths_of_a_point_from_the_top_left() -> None:
    (page,) = read_pdf(
        pdf(f"#set page(width: 400pt, height: 200pt, margin: 50pt)\n{SENTENCE} #place(dx: 200pt, dy: 60pt)[Ende]")
    )

    assert (page.width, page.height) == (4000, 2000)
    assert [word.text for word in page.words][:3] == ["The", "bill", "of"]
    first, last = page.words[0].place, next(word.place for word in page.words if word.text == "Ende")
    assert abs(first.left - 500) < 15
    assert 400 < first.top < first.bottom < 700
    assert abs(last.left - 2500) < 20
    assert last.top > first.bottom


def test_a_page_that_is_turned_is_read_as_it_is_shown() -> None:
    document = pypdfium2.PdfDocument(pdf(f"#set page(width: 500pt, height: 300pt)\n{SENTENCE}"))
    upright = read_pdf(_saved(document))
    document[0].set_rotation(180)

    assert read_pdf(pdf(f"#set page(width: 500pt, height: 300pt)\n{SENTENCE}")) == upright
    assert read_pdf(_saved(document))[0].words == (), "upside down as it is shown: no letter stands upright"


def _saved(document: pypdfium2.PdfDocument) -> bytes:
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def _rc4(key: bytes, text: bytes) -> bytes:
    box, j = list(range(256)), 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out, i, j = bytearray(), 0, 0
    for byte in text:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def protected(password: str, said: str = SENTENCE) -> bytes:
    """A PDF of one page that only opens with a password.

    It uses the oldest encryption of the standard.
    """
    padded = (password.encode() + _PAD)[:32]
    owner = _rc4(md5(padded).digest()[:5], padded)
    key = md5(padded + owner + (-4 & 0xFFFFFFFF).to_bytes(4, "little") + b"ID").digest()[:5]
    text = f"BT /F1 12 Tf 50 100 Td ({said}) Tj ET".encode()
    text = _rc4(md5(key + bytes([4, 0, 0, 0, 0])).digest()[:10], text)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>"
        % (owner.hex().encode(), _rc4(key, _PAD).hex().encode()),
    ]
    made, places = b"%PDF-1.4\n", []
    for number, told in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, told)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"<< /Size 7 /Root 1 0 R /Encrypt 6 0 R /ID [<4944> <4944>] >>"
    return made + b"xref\n0 7\n0000000000 65535 f \n%strailer\n%s\nstartxref\n%d\n%%%%EOF" % (table, trailer, len(made))


def test_a_protected_pdf_asks_for_its_password_and_opens_with_it() -> None:
    content = protected("secret")

    with pytest.raises(InvalidRequest) as refusal:
        read_pdf(content)
    assert (refusal.value.message, refusal.value.problems[0].field) == (documents.ENCRYPTED, "password")
    assert refused(content, password="wrong") == documents.WRONG_PASSWORD
    assert [word.text for word in read_pdf(content, password="secret")[0].words][:2] == ["The", "bill"]
    assert read_pdf(protected("")), "protected against changes alone: it is read without asking"


def test_every_page_is_read_and_more_than_fifty_are_refused() -> None:
    assert len(read_pdf(pdf("#pagebreak()".join([SENTENCE] * 50)))) == 50
    assert refused(pdf("#pagebreak()".join([SENTENCE] * 51))) == pdf_text.TOO_MANY_PAGES


def test_what_is_no_pdf_and_what_was_cut_off_are_told_apart() -> None:
    whole = pdf(SENTENCE)

    assert refused(b"property,issuerName\n") == pdf_text.NOT_A_PDF
    assert refused(b"%PDF-1.7\nnothing of a PDF follows") == pdf_text.BROKEN
    assert refused(whole[:400]) == pdf_text.BROKEN


def test_a_page_without_text_has_its_size_and_no_words() -> None:
    (page,) = read_pdf(pdf("#rect(width: 100%, height: 50%)"))
    assert (page.words, page.from_picture) == ((), False)
    assert page.width > 0
    assert page.height > 0


@pytest.mark.parametrize(
    "told",
    [
        b"<< /S /JavaScript /JS (app.alert(1)) >>",
        b"<< /S /Java#53cript >>",
        b"<< /S /Launch /F (calc.exe) >>",
    ],
)
def test_scripts_and_programs_to_start_are_refused_however_they_are_written(told: bytes) -> None:
    packed = zlib.compress(b"99 0 " + told)
    stream = b"<< /Type /ObjStm /N 1 /First 5 /Filter /FlateDecode >>\nstream\n" + packed + b"\nendstream"

    assert refused(with_object(pdf(SENTENCE), told)) == pdf_text.SCRIPTS
    assert refused(with_object(pdf(SENTENCE), stream)) == pdf_text.SCRIPTS


def test_a_damaged_pdf_is_read_or_refused_and_never_fails_otherwise() -> None:
    whole, dice = pdf(f"= Bill\n{SENTENCE * 5}"), random.Random(7)
    results = []
    for _ in range(60):
        damaged = bytearray(whole[: dice.randrange(len(whole) // 2, len(whole))] if dice.random() < 0.3 else whole)
        for _ in range(dice.randrange(1, 80)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        try:
            results.append(bool(read_pdf(bytes(damaged))))
        except InvalidRequest as refusal:
            results.append(refusal.message.endswith("."))
    assert all(results)


def test_words_about_scripts_are_no_scripts() -> None:
    assert read_pdf(pdf(f"{SENTENCE} /JavaScript /JS (on paper)"))


def test_a_page_with_far_more_text_than_a_bill_is_refused() -> None:
    assert (
        refused(pdf("#set page(height: auto)\n#set text(size: 5pt)\n" + f"{SENTENCE} " * 450))
        == pdf_text.TOO_MANY_WORDS
    )


def drawn(*texts: bytes) -> bytes:
    return pdf_of(
        one_page(b"BT " + b" ".join(texts) + b" ET", font=b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    )


def test_letters_that_are_mirrored_twice_are_read_as_they_run_and_those_upside_down_are_not() -> None:
    said = b"(The bill of the month says it.) Tj"
    (upright,) = read_pdf(drawn(b"/F1 12 Tf 1 0 0 1 50 100 Tm", said))
    (mirrored,) = read_pdf(drawn(b"/F1 -12 Tf -1 0 0 -1 50 100 Tm", said))
    (upside,) = read_pdf(drawn(b"/F1 12 Tf -1 0 0 -1 400 100 Tm", said))
    assert [word.text for word in mirrored.words] == ["The", "bill", "of", "the", "month", "says", "it."]
    assert [
        abs(one.place.left - other.place.left) < 5 for one, other in zip(upright.words, mirrored.words, strict=True)
    ] == [True] * 7
    assert upside.words == ()
