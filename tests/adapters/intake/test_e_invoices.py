"""E-invoices are read in a process of their own, which ends afterwards.

The files are of either syntax, or inside of PDFs.
"""

from datetime import date

import pytest

from prorata.adapters.intake import xml_trees
from prorata.adapters.intake.e_invoice_paths import UNITS
from prorata.adapters.intake.e_invoice_xml import FRACTIONS, LACKS, NO_INVOICE, TWICE
from prorata.adapters.intake.pdf_files import NOT_USED, PdfProcess
from prorata.adapters.limits import MOST_XML_DEPTH, MOST_XML_ELEMENTS
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.usage import unit_named, written
from prorata.errors import InvalidRequest
from tests.adapters.intake.test_pdf_text import SENTENCE, pdf
from tests.e_invoices.in_pdfs import within
from tests.e_invoices.made import Line, Made, cii, ubl

TWO = Made(lines=(Line("Trinkwasser", 100_00, 7), Line("Schmutzwasser", 50_00, 19)), prepaid=30_00)


def read(content: bytes) -> Draft:
    return PdfProcess().read(content).draft


def refused(content: bytes) -> str:
    with pytest.raises(InvalidRequest) as refusal:
        PdfProcess().read(content)
    return refusal.value.message


@pytest.mark.parametrize("write", [cii, ubl])
def test_what_it_says_is_found(write) -> None:
    draft = read(write(TWO))

    said = (draft.issuer, draft.bill_number, draft.bill_date, draft.due_date, draft.service_start, draft.service_end)
    assert [one.surety for one in said] == ["found"] * 6
    assert [one.value for one in said[:2]] == ["Stadtwerke Musterstadt GmbH", "R-2026-17"]
    assert [one.value for one in said[2:]] == [
        date(2026, 3, 14), date(2026, 4, 1), date(2026, 2, 1), date(2026, 2, 28)
    ]  # fmt: skip
    assert (draft.account_number.surety, draft.account_number.value) == ("found", "4711-20")
    assert draft.service_address.value == "Ahornweg 5, 12345 Musterstadt"
    assert (draft.total.surety, draft.total.value, draft.currency) == ("found", 136_50, "EUR")
    assert draft.stated is not None
    assert draft.stated.seller == "DE123456789"
    assert [(one.name, one.cents) for one in draft.stated.items] == [
        ("Trinkwasser", 107_00), ("Schmutzwasser", 59_50), ("What was prepaid", -30_00)
    ]  # fmt: skip
    assert draft.lines.surety == "asked"


USED = [
    ("412.5 KWH", "0.284", "412.5 kWh @ 0.284"),
    ("412.5 KWH", "28.40 per 100 KWH", "412.5 kWh @ 0.284"),
    ("412.5 KWH", "28.40 per 100", "412.5 kWh @ 0.284"),
    ("412.5 KWH", "28.40 per 100 MTQ", "412.5 kWh"),
    ("412.5 KWH", "1.00 per 3", "412.5 kWh"),  # 0.3333…
    ("412.5 KWH", "1.00 per 0", "412.5 kWh"),
    ("412.5 KWH", "-0.284", "412.5 kWh"),
    ("412.5 KWH", "a lot", "412.5 kWh"),
    ("12 MTQ", "", "12 m³"),
    ("4000 GLL", "", "4000 gal"),
    ("1 C62", "100.00", None),
    ("28 DAY", "3.57", None),
    ("some KWH", "0.284", None),
    ("412.5", "0.284", None),
    ("", "0.284", None),
]


@pytest.mark.parametrize("write", [cii, ubl])
def test_what_was_used_is_read_with_the_net_price_of_one_where_that_is_clear(write) -> None:
    wanted = {f"Strom {used or 'flat'} for {price or 'nothing'}": [said] if said else [] for used, price, said in USED}
    lines = (
        Line(f"Strom {used or 'flat'} for {price or 'nothing'}", 100_00, 19, used=used, price=price)
        for used, price, _ in USED
    )

    stated = read(write(Made(lines=tuple(lines)))).stated

    assert stated is not None
    assert {one.name: [written(usage) for usage in one.usages] for one in stated.items} == wanted


@pytest.mark.parametrize("write", [cii, ubl])
def test_less_than_nothing_was_not_used(write) -> None:
    (line,) = read(write(Made(lines=(Line("Strom", 100_00, 19, used="-3 KWH", price="0.284"),)))).lines.choices[0]

    assert line.usage is None


@pytest.mark.parametrize("content", [cii, lambda of: ubl(of, "CreditNote")])
def test_a_credit_note_says_of_nothing_that_it_was_used(content) -> None:
    made = Made(code="381", lines=(Line("Strom", 100_00, 19, used="412.5 KWH", price="0.284"),))

    assert [one.usage for one in read(content(made)).lines.choices[0]] == [None]


def test_a_unit_of_an_e_invoice_is_spelled_as_one_that_is_typed() -> None:
    assert {unit_named(unit) for unit in UNITS.values()} == {*UNITS.values()}


def test_both_syntaxes_say_the_same() -> None:
    assert read(cii(TWO)) == read(ubl(TWO))


@pytest.mark.parametrize("content", [cii(Made(code="381")), ubl(Made(code="381"), "CreditNote")])
def test_a_credit_note_is_below_zero(content: bytes) -> None:
    draft = read(content)

    assert draft.stated is not None
    assert (draft.total.value, [one.cents for one in draft.stated.items]) == (-119_00, [-119_00])


def test_the_first_version_of_zugferd_says_it_by_other_names() -> None:
    renamed = cii()
    for new, old in (
        (b"standard:CrossIndustryInvoice:100", b"x"), (b"urn:un:unece:uncefact:data:x", b"urn:ferd:CrossIndustryDocument:invoice:1p0"),
        (b"rsm:CrossIndustryInvoice", b"rsm:CrossIndustryDocument"), (b"ExchangedDocument", b"HeaderExchangedDocument"),
        (b"rsm:SupplyChain", b"rsm:SpecifiedSupplyChain"), (b"ApplicableHeaderTrade", b"ApplicableSupplyChainTrade"),
        (b"SpecifiedLineTrade", b"SpecifiedSupplyChainTrade"), (b"IssuerAssignedID", b"ID"),
        (b"SettlementHeaderMonetary", b"SettlementMonetary"), (b"SettlementLineMonetary", b"SettlementMonetary"),
        (b"RateApplicablePercent", b"ApplicablePercent"),
    ):  # fmt: skip
        renamed = renamed.replace(new, old)

    assert read(renamed) == read(cii())


@pytest.mark.thorough
def test_a_pdf_shows_its_pages_beside_what_its_e_invoice_says() -> None:
    content = pdf(f"#set page(width: 400pt, height: 200pt)\n{SENTENCE}#pagebreak(){SENTENCE}")
    for name in ("factur-x.xml", "ZUGFeRD-invoice.xml", "xrechnung.xml"):
        draft = read(within(content, cii(), name))

        assert (draft.total.value, draft.pages, draft.sizes) == (119_00, 2, ((4000, 2000), (4000, 2000)))
        assert draft._replace(pages=0, sizes=()) == read(cii())
    assert read(within(content, cii(), "other.xml")).stated is None


def test_what_an_e_invoice_has_no_room_for_is_read_of_the_pages_around_it() -> None:
    facts = "Account number: 4417-2231 \\ Service period: March 10, 2026 - April 9, 2026 \\"
    content = pdf(f"#set page(width: 400pt, height: 400pt)\n{facts}\n{SENTENCE}")
    bare, whole = Made(period=None, contract=""), Made()

    draft, own = read(within(content, cii(bare))), read(within(content, cii(whole)))

    assert (draft.account_number.value, draft.service_end.value) == ("4417-2231", date(2026, 4, 9))
    assert (own.account_number.value, own.service_end.value) == (whole.contract, date(2026, 2, 28))
    assert (draft.total.value, draft.bill_number.value) == (119_00, bare.number)


def test_a_credit_note_of_less_than_nothing_contradicts_itself() -> None:
    below = Made(lines=(Line("Water supply", -100_00),), code="381")

    assert "a credit note, and what is to be paid is below zero" in refused(cii(below))


def test_a_picture_in_a_pdf_needs_no_reading_where_its_e_invoice_says_all() -> None:
    read = PdfProcess().read(within(pdf("#rect(width: 100%, height: 50%)"), cii()))

    assert (read.draft.total.value, read.said, read.wordless) == (119_00, None, ())


@pytest.mark.parametrize(
    ("xml", "why"),
    [(b"<nothing", "damaged"), (cii(Made(sums={"payable": 1_00})), "The sums in this e-invoice contradict each other")],
)
def test_a_pdf_whose_e_invoice_is_wrong_is_read_by_its_pages_and_says_so(xml: bytes, why: str) -> None:
    draft = read(within(pdf(SENTENCE), xml))

    assert draft.stated is None
    assert draft.note is not None
    assert draft.note.startswith(NOT_USED.format(why=""))
    assert why in draft.note


@pytest.mark.parametrize(
    "sums", [{"lines": 1}, {"charges": 1}, {"allowances": 1}, {"net": 1}, {"tax": 1}, {"gross": 1}, {"payable": 1}]
)
@pytest.mark.parametrize("write", [cii, ubl])
def test_one_whose_sums_contradict_each_other_by_a_cent_is_refused(write, sums: dict[str, int]) -> None:
    right = TWO.all_sums()

    said = refused(write(TWO._replace(sums={name: right[name] + more for name, more in sums.items()})))

    assert said.startswith("The sums in this e-invoice contradict each other: ")
    assert said.endswith("Nothing was taken from it. Ask its sender for a corrected one.")


@pytest.mark.thorough
def test_what_it_leaves_out_or_says_twice_is_named() -> None:
    assert refused(cii(Made(number=""))) == LACKS.format(what="its number")
    assert refused(cii(Made(issued=""))) == LACKS.format(what="its date")
    assert refused(ubl(Made(seller=""))) == LACKS.format(what="who sent it")
    assert refused(ubl().replace(b"<cbc:IssueDate>", b"<cbc:ID>R-2</cbc:ID><cbc:IssueDate>")) == TWICE.format(
        what="number"
    )
    assert refused(cii().replace(b"100.00", b"100.005")) == FRACTIONS.format(amount="100.005")
    assert refused(ubl().replace(b"cbc:ID>", b"cbc:Id>")) == LACKS.format(what="its number")
    assert "“1e9” where an amount is expected" in refused(cii().replace(b"119.00", b"1e9"))
    for rate in ("100.01", "-1", "x"):
        changed = cii().replace(b"Percent>19<", f"Percent>{rate}<".encode())
        assert f"“{rate}” where an amount is expected" in refused(changed)
    assert refused(b"<x>" + ubl().partition(b"?>")[2] + b"</x>") == NO_INVOICE


def bomb(entities: str) -> bytes:
    return cii().replace(b"<rsm:", f"<!DOCTYPE x [{entities}]>\n<rsm:".encode(), 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (bomb('<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">'), xml_trees.DECLARES),
        (bomb('<!ENTITY a SYSTEM "file:///etc/passwd">'), xml_trees.DECLARES),
        (bomb(""), xml_trees.DECLARES),
        (cii().replace(b"<ram:Name>", b"<ram:Name>" + b"<a>" * MOST_XML_DEPTH, 1), xml_trees.TOO_DEEP),
        (cii().replace(b"<ram:Name>", b"<ram:Name>" + b"<a/>" * MOST_XML_ELEMENTS, 1), xml_trees.TOO_MANY),
        (cii()[:-9], xml_trees.DAMAGED.format(line=26)),
        (cii().replace(b"UTF-8", b"EBCDIC-9"), xml_trees.DAMAGED.format(line=1)),
    ],
    ids=["entities", "a file", "a document type", "depth", "elements", "cut off", "an unknown encoding"],
)
def test_hostile_and_damaged_xml_is_refused_in_a_sentence(content: bytes, said: str) -> None:
    assert refused(content) == said


def test_a_file_within_an_e_invoice_is_passed_over() -> None:
    held = b"<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject>"
    ends = b"</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference><cac:InvoicePeriod>"

    assert read(ubl().replace(b"<cac:InvoicePeriod>", held + b"QUJD" * 2_000_000 + ends)) == read(ubl())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_it_may_be_written_in_other_letters(encoding: str) -> None:
    text = cii(Made(seller="Städtische Werke")).decode().replace("UTF-8", encoding.replace("-sig", ""))

    assert read(text.encode(encoding)).issuer.value == "Städtische Werke"
