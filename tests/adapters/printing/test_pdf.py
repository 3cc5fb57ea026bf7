"""Tests of the PDF of an invoice.

They check its text, its paper and its conformance claims, and that no invoice makes it fail.
"""

import re
import threading
import zlib
from dataclasses import dataclass

import pypdfium2
import pytest
from hypothesis import given, settings, strategies as st

from prorata.adapters.printing.font_coverage import BOX
from prorata.adapters.printing.pdf import TypstPrinter
from prorata.domain.accounts.pay_to import PayTo
from prorata.domain.printing.printed_invoices import Biller, Place, PrintedCharge
from prorata.domain.splitting.share_rules import Rule
from tests.conftest import SOAK
from tests.domain.printing.test_rendering import COPY, OTHERS, charges, invoice
from tests.domain.splitting.test_explanations import HALVES, water
from tests.domain.splitting.test_planned_charges import line

LETTER, A4 = (612, 792), (595, 842)
LINK = "https://pay.example.org/i/0123456789abcdef"
"""Milliseconds that a warm print may take (issue 4), in a quiet moment."""
PRINTER = TypstPrinter()
KINDS = ("WATER", "SEWER", "GARBAGE", "ELECTRICITY", "GAS", "INTERNET", "OTHER")


@dataclass
class Read:
    """The contents of a PDF as a reader sees them."""

    pages: list[str]
    sizes: list[tuple[int, int]]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.pages).split())


def read(printed: bytes) -> Read:
    document = pypdfium2.PdfDocument(printed)
    pages = list(document)
    found = Read(
        [page.get_textpage().get_text_range() for page in pages],
        [(int(page.get_width() + 0.5), int(page.get_height() + 0.5)) for page in pages],
    )
    document.close()
    return found


def printed(**other) -> Read:
    return read(PRINTER(invoice(**other)))


def of_country(country, locale, currency="EUR", **place):
    there = COPY.place._replace(country=country, **place)
    return COPY._replace(place=there, locale=locale, currency=currency)


def test_a_long_link_is_never_printed_over_its_code():
    link = "https://rechnungen.example.com/i/" + "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-" * 2
    pay_to = PayTo(holder="Harbor LLC", routing="021000021", number="123456789")
    (page,) = pypdfium2.PdfDocument(PRINTER(invoice(payment_link=link, copy=COPY._replace(pay_to=pay_to))))
    text = page.get_textpage()
    boxes = [text.get_charbox(at) for at in range(text.count_chars())]
    left, _, _, top = boxes[text.get_text_range().index("How to pay")]
    code = (left + 156, left + 230)  # in points, of a column of 230
    beside = [box for box in boxes if top - 80 < box[1] < top and box[0] < code[1] and box[2] > code[0]]
    assert beside == []
    assert link in text.get_text_range().replace("\r\n", "").replace("\ufffe", "").replace("\u200b", "")


def seven_charges():
    lines = [line(320_10 + at, kind, number=at) for at, kind in enumerate(KINDS, 1)]
    blended = [
        charges(one, rule=Rule(one.utility_type, "CUSTOM", {}, *water("EQUAL", 10)[3:5], HALVES)) for one in lines
    ]
    return tuple(charge for (charge,) in blended)


def test_everything_an_invoice_says_can_be_read_from_it():
    text = printed(payment_link=LINK).text
    for words in (
        "Harbor Rentals", "400 Harbor Road", "billing@example.org", "Ann Smith", "Maple Court", "12 Main Street",
        "Springfield, IL 62701", "2B", "March 2026", "April 6, 2026", "MAPLE-2B-2026-03", "Due by April 20, 2026",
        "Aqua Water Co., bill of March 14, 2026: $320.10", "$320.10 × 850 ÷ 3,000 = $90.70", "Balance $90.70", LINK,
        "Page 1 of 1",
    ):  # fmt: skip
        assert words in text, (words, text)


@pytest.mark.parametrize(
    ("country", "locale", "size", "words"),
    [
        ("US", "en-US", LETTER, "Due by April 20, 2026"),
        ("CA", "fr-CA", LETTER, "Avant le 20 avril 2026 inclus"),
        ("MX", "es-MX", LETTER, "Hasta el 20 de abril de 2026"),
        ("MX", "es-419", LETTER, "Hasta el 20 de abril de 2026"),
        ("DE", "de-DE", A4, "320,10 € × 850 ÷ 3.000 = 90,70 €"),
        ("AT", "de-AT", A4, "€ 320,10 × 850 ÷ 3.000 = € 90,70"),
        ("GB", "en-GB", A4, "Due by 20 April 2026"),
        ("FR", "fr-FR", A4, "Avant le 20 avril 2026 inclus"),
        ("SE", "sv-SE", A4, "Due by 20 april 2026"),
        ("GR", "el-GR", A4, "Due by 20 Απριλίου 2026"),
        ("JP", "ja-JP", A4, "Due by April 20, 2026"),
        ("EG", "ar-EG", A4, "Due by April 20, 2026"),
        ("US", "xx-US", LETTER, "Due by April 20, 2026"),
    ],
)
def test_paper_is_the_country_s_and_words_and_forms_are_the_locale_s(country, locale, size, words):
    found = printed(copy=of_country(country, locale))
    assert found.sizes == [size]
    assert words in found.text


@pytest.mark.parametrize(
    "name",
    ["Ελένη Παπαδοπούλου", "Олена Ковальчук-Їжак", "Łukasz Żółć", "Ñandú Peña", "Nguyễn Thị Ánh", "İbrahim Şahin",
     "Zoë Œuvrard", "Ɖela Ƒia", "A ✓ B ★ C → D ≤ E ♥ F ½ ² № €", "Jiří Ďuriš", "O’Neil “Bo” – Co."],
)  # fmt: skip
def test_names_in_latin_greek_cyrillic_and_symbols_come_out_right(name):
    assert name in printed(tenant_name=name).text


def test_what_no_font_has_is_a_box_and_what_nobody_sees_is_left_out():
    text = printed(tenant_name="東京 Bo\u202e\u0007\u200d 👩", copy=COPY._replace(unit_label="a\u0301 b")).text
    assert f"{BOX}{BOX} Bo {BOX}" in text
    assert "á b" in text


def test_text_is_never_markup():
    odd = '#panic() $x$ *b* _i_ `c` <l> @r // \\ "q" [x] = h #sys.inputs'
    assert " ".join(odd.split()) in printed(tenant_name=odd).text


@settings(max_examples=2_000 if SOAK else 40)
@given(st.text(max_size=300), st.text(max_size=80), st.text(max_size=400), st.sampled_from(["en-US", "de-DE", "xx"]))
@pytest.mark.thorough
def test_no_text_makes_it_fail(name, label, words, locale):
    copy = COPY._replace(unit_label=label, locale=locale, biller=Biller(name, words, label))
    by_hand = PrintedCharge(None, 25_00, words)
    found = printed(
        tenant_name=name, copy=copy, charges=(by_hand, PrintedCharge("WATER", -5, words)), number=label or "1"
    )
    assert found.pages


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "es-ES", "fr-FR"])
@pytest.mark.parametrize("country", ["US", "DE"])
@pytest.mark.parametrize(
    ("number", "address"),
    [
        ("MAPLECOURT-1-2026-03", "invoices@maple-court.example.org"),
        ("MAPLECOURT-12B-2026-03-2", "accounts-due@maple-court.example.org"),
        ("M-1-2026-03", "a-b-c-d-e-f@rent-a-room-2.example.org"),
    ],
)  # fmt: skip
def test_numbers_and_addresses_are_copied_as_they_are(locale, country, number, address):
    contact = f"Office of the house, {address}"
    copy = of_country(country, locale)._replace(biller=Biller("Harbor Rentals", "", contact))
    for link in (None, LINK):
        text = printed(number=number, copy=copy, payment_link=link).text
        assert text.count(address) == (3 if link is None else 2)
        assert text.count(number) == (4 if link is None else 3)
        assert "\ufffe" not in text
        assert "\u200b" not in text


def test_an_address_too_long_for_its_place_is_copied_with_all_of_its_hyphens():
    address = "the-office-of-the-house@" + "-".join(["maple-court"] * 12) + ".example.org"
    found = read(PRINTER(invoice(copy=COPY._replace(biller=Biller("Harbor Rentals", "", address)))))
    assert "".join(found.text.split()).count(address) == 3


def test_long_names_break_and_stay_on_the_page():
    copy = COPY._replace(place=Place("W" * 255, "1" * 50, "x" * 255, "y" * 100, "z" * 50, "9" * 20, "US"))
    reads = pypdfium2.PdfDocument(PRINTER(invoice(tenant_name="N" * 255, copy=copy, payment_link=LINK + "q" * 500)))
    for page in reads:
        words = page.get_textpage()
        for at in range(words.count_chars()):
            left, _, right, _ = words.get_charbox(at)
            assert -1 <= left <= right <= page.get_width() - 30, words.get_text_range(at, 1)
    reads.close()


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "es-ES", "fr-FR"])
@pytest.mark.parametrize("number", ["ARTHURHOF110-01-2026-09", "ARTHURHOFFMANNSTRASSE-110-123456-2026-09", "W" * 60])
def test_a_long_number_stays_within_the_margin_and_is_copied_whole(locale, number):
    printed_page = pypdfium2.PdfDocument(PRINTER(invoice(number=number, copy=of_country("DE", locale))))
    words = printed_page[0].get_textpage()
    right_edge = max(words.get_charbox(at)[2] for at in range(words.count_chars()))
    assert right_edge <= printed_page[0].get_width() - 56, "20 mm"
    text = words.get_text_range()
    assert "\ufffe" not in text
    assert "".join(text.split()).count(number) >= 2, "at the top and at the foot"
    printed_page.close()


def some_charges(number):
    lines = [line(320_10 + at, kind, number=at) for at, kind in enumerate(KINDS[:number], 1)]
    plain = [charges(one, rule=Rule(one.utility_type, "SQFT", {}, *water("EQUAL", 0)[3:5], ())) for one in lines]
    return tuple(charge for (charge,) in plain)


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "es-ES", "fr-FR"])
@pytest.mark.parametrize("country", ["US", "DE"])
@pytest.mark.parametrize("link", [None, LINK])
def test_six_charges_and_how_to_pay_them_fit_one_page(locale, country, link):
    assert len(printed(charges=some_charges(6), copy=of_country(country, locale), payment_link=link).pages) == 1


@pytest.mark.parametrize("more", range(9))
@pytest.mark.parametrize("link", [None, LINK])
def test_the_total_is_on_the_page_of_the_last_charge_with_all_that_follows_it(more, link):
    by_hand = tuple(PrintedCharge(None, 5_00, f"Something else {at + 1}") for at in range(more))
    last = printed(charges=some_charges(6) + by_hand, payment_link=link, elsewhere=OTHERS).pages[-1]
    charge = f"Something else {more}" if more else "Internet"
    missing = [words for words in (charge, "Balance", "How to pay", "Is something wrong?") if words not in last]
    assert missing == []


def test_seven_charges_go_on_a_second_page_under_the_same_head():
    found = printed(charges=seven_charges(), payment_link=LINK)
    assert len(found.pages) == 2
    assert all("Charges for March 2026" in page for page in found.pages)
    assert "Page 2 of 2" in found.text


def test_it_claims_pdf_a_and_pdf_ua_and_says_its_title_and_language():
    raw = PRINTER(invoice(copy=of_country("DE", "de-DE"), payment_link=LINK))
    opened = b"".join(unpacked(raw))
    for claim in (b"pdfaid:part", b"pdfuaid:part", b"<dc:title>", b"Rechnung MAPLE-2B-2026-03"):
        assert claim in opened, claim
    assert re.search(rb"pdfaid:part>2<.*pdfaid:conformance>A<", opened, re.DOTALL)
    assert re.search(rb"pdfuaid:part>1<", opened)
    assert re.search(rb"/Lang ?\(de-DE\)", opened)
    assert re.search(rb"/MarkInfo ?<<[^>]*/Marked true", opened)
    assert b"/S /TH" in opened or b"/S/TH" in opened
    assert b"/Alt" in opened
    assert b"/DisplayDocTitle true" in opened
    document = pypdfium2.PdfDocument(raw)
    assert document.get_metadata_value("Title") == "Rechnung MAPLE-2B-2026-03"
    document.close()


def unpacked(raw: bytes):
    """The bytes of a PDF, and those of each compressed stream in it."""
    yield raw
    for found in re.finditer(rb"stream\r?\n", raw):
        try:
            yield zlib.decompressobj().decompress(raw[found.end() :])
        except zlib.error:
            continue


def test_the_fonts_are_the_vendored_ones():
    names = set(
        re.findall(rb"/BaseFont ?/[A-Z]{6}\+([\w-]+)", b"".join(unpacked(PRINTER(invoice(tenant_name="A ★ ≤ ⌂")))))
    )
    assert {name.split(b"-")[0] for name in names} == {
        b"NotoSans",
        b"NotoSansMath",
        b"NotoSansSymbols",
        b"NotoSansSymbols2",
    }


def test_a_link_that_is_no_web_address_is_only_text_and_one_too_long_has_no_code():
    raw = b"".join(unpacked(PRINTER(invoice(payment_link="javascript:alert(1)"))))
    assert b"/URI" not in raw
    assert b"/URI" in b"".join(unpacked(PRINTER(invoice(payment_link=LINK))))
    assert "Pay $90.70 online" in printed(payment_link=LINK + "/" + "q" * 4000).text


def test_the_same_invoice_gives_the_same_bytes_also_from_another_printer():
    one = invoice(payment_link=LINK, charges=seven_charges())
    first = PRINTER(one)
    PRINTER(invoice(tenant_name="Somebody else"))
    assert PRINTER(one) == first == TypstPrinter()(one)
    assert PRINTER(one._replace(paid=1)) != first


def test_threads_may_share_a_printer():
    wanted = {name: PRINTER(invoice(tenant_name=name)) for name in ("Ann", "Bo", "Cy", "Di")}
    found: dict[str, bytes] = {}

    def work(name: str) -> None:
        for _ in range(5):
            found[name] = PRINTER(invoice(tenant_name=name))

    threads = [threading.Thread(target=work, args=(name,)) for name in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == wanted
