"""Paper invoices have a readable layout.

The address is in the window of the envelope, the letters are large enough, and six charges fit on a page.
"""

from ctypes import c_uint, pointer
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import pypdfium2
import pytest
from pypdfium2 import raw

from prorata.domain.accounts.pay_to import PayTo
from prorata.domain.printing.earlier_amounts import Then
from prorata.domain.printing.printed_invoices import Biller, CarriedCredit
from prorata.domain.splitting.stays import LineDays
from prorata.domain.usage import Usage
from tests.adapters.printing.test_how_to_pay import AMERICAN, IBAN
from tests.adapters.printing.test_pdf import KINDS, LINK, PRINTER, of_country, printed, some_charges
from tests.domain.printing.test_rendering import charges, invoice
from tests.domain.splitting.test_explanations import water
from tests.domain.splitting.test_planned_charges import line

MM, INCH = 72 / 25.4, 72
SMALLEST = 9.5
"""Points of the smallest text, but for the line that says where to return an envelope."""
LOCALES = ("en-US", "de-DE", "es-ES", "fr-FR")


class Letter(NamedTuple):
    """A character on paper, with its place in points from the left and top."""

    char: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    colour: tuple[int, ...]


def letters(content: bytes, at: int = 0) -> list[Letter]:
    """The visible characters of a page, in the order of its text."""
    document = pypdfium2.PdfDocument(content)
    page = document[at]
    words, found = page.get_textpage(), []
    for place in range(words.count_chars()):
        char = words.get_text_range(place, 1)
        if not char.strip():
            continue
        left, bottom, right, top = words.get_charbox(place)
        height = page.get_height()
        size = raw.FPDFText_GetFontSize(words, place)
        colour = [c_uint() for _ in range(4)]
        raw.FPDFText_GetFillColor(words, place, *map(pointer, colour))
        found.append(Letter(char, left, height - top, right, height - bottom, size, tuple(one.value for one in colour)))
    document.close()
    return found


def told(of: list[Letter]) -> str:
    return "".join(one.char for one in of)


def within(of: list[Letter], left: float, top: float, right: float, bottom: float) -> str:
    """The text of which any part lies within an area."""
    return told([one for one in of if one.right > left and one.left < right and one.bottom > top and one.top < bottom])


def placed(of: list[Letter], text: str) -> list[Letter]:
    """The characters of a text at the first place where it stands."""
    start = told(of).index(text.replace(" ", ""))
    return of[start : start + len(text.replace(" ", ""))]


def test_on_a4_the_address_stands_in_the_window_of_din_5008_form_b():
    page = letters(PRINTER(invoice(copy=of_country("DE", "de-DE"))))
    address, back = "AnnSmithEinheit2BMainStreet1262701Springfield,IL", "HarborRentals·400HarborRoad·Duluth"
    assert within(page, 20 * MM, 45 * MM, 105 * MM, 90 * MM) == back + address, "nothing else is seen in it"
    assert within(page, 25 * MM - 1, 62.7 * MM, 105 * MM, 90 * MM) == address
    lines = placed(page, address)
    assert min(one.left for one in lines) == pytest.approx(25 * MM, abs=1.5)
    assert (min(one.top for one in lines) > 62.7 * MM, max(one.bottom for one in lines) < 90 * MM) == (True, True)
    assert max(one.bottom for one in placed(page, back)) < 62.7 * MM


@pytest.mark.parametrize(
    ("country", "locale", "address"),
    [
        ("US", "en-US", "AnnSmithUnit2B12MainStreetSpringfield,IL62701"),
        ("CA", "fr-CA", "AnnSmithLogement2B12MainStreetSpringfield,IL62701"),
        ("MX", "es-MX", "AnnSmithUnidad2BMainStreet1262701Springfield,IL"),
    ],
)
def test_on_letter_the_address_stands_in_the_left_window_of_a_number_10_envelope(country, locale, address):
    copy = of_country(country, locale)
    page = letters(PRINTER(invoice(copy=copy)))
    top, bottom = (11 / 3 - 0.5 - 1.125) * INCH, (11 / 3 - 0.5) * INCH
    assert within(page, 0.875 * INCH, top, 4.375 * INCH, bottom) == address, "nothing else is seen in it"
    lines, free = placed(page, address), INCH / 8
    assert min(one.left for one in lines) > 0.875 * INCH + free - 1, "though the sheet lies at the left"
    assert max(one.right for one in lines) < 4.375 * INCH - free, "or at the right"
    assert min(one.top for one in lines) > top + free
    assert max(one.bottom for one in lines) < bottom - free


@pytest.mark.parametrize(("country", "locale"), [("DE", "de-DE"), ("US", "en-US")])
def test_the_address_stays_in_its_window_whatever_stands_around_it(country, locale):
    copy = of_country(country, locale)._replace(
        biller=Biller("Harbor Rentals", "Office\n400 Harbor Road\nDuluth", "a@example.org\n+1 555 0100")
    )
    (usual, *_) = placed(letters(PRINTER(invoice(copy=of_country(country, locale)))), "Ann Smith")
    for other in ({"status": "DRAFT", "due_date": None}, {"status": "CANCELLED", "due_date": None}, {"paid": 100_00}):
        page = letters(PRINTER(invoice(copy=copy, **other)))
        (first, *_) = placed(page, "Ann Smith")
        assert (first.left, first.top) == (usual.left, usual.top)


def test_who_moved_out_is_written_to_where_they_live_by_now():
    copy = of_country("DE", "de-DE")._replace(forwarding_address="Lindenweg 5\n10115 Berlin")
    page = letters(PRINTER(invoice(copy=copy)))
    assert within(page, 20 * MM, 62.7 * MM, 105 * MM, 90 * MM) == "AnnSmithLindenweg510115Berlin"


@pytest.mark.parametrize("country", ["US", "DE"])
def test_no_text_is_small_and_what_explains_is_as_dark_as_what_is_charged(country):
    copy = of_country(country, "de-DE", "EUR")._replace(pay_to=IBAN)
    page = letters(PRINTER(invoice(copy=copy, charges=compared(some_charges(2)), payment_link=LINK)))
    small = [one for one in page if one.size < SMALLEST]
    assert told(small) == ("HarborRentals·400HarborRoad·Duluth" if country == "DE" else "")
    name, how = placed(page, "Wasser"), placed(page, "Nach Fläche verteilt")
    assert {one.colour for one in how} == {one.colour for one in name}
    assert {one.size for one in how} == {SMALLEST}


def compared(made):
    """Charges with their amounts of a month and a year before."""
    return tuple(one._replace(earlier=(Then(one.amount - 1_33), Then(one.amount + 1_014_22))) for one in made)


def six_by_people():
    """Six charges that are parts of bills for several services, split by people and days.

    Some have a cent more or less.
    """
    rules = [water("OCCUPANTS")._replace(utility_type=kind) for kind in KINDS[:6]]
    lines = [line(1_320_10 + at, kind, number=at, total=9_999_99) for at, kind in enumerate(KINDS[:6], 1)]
    return tuple(one for each, rule in zip(lines, rules, strict=True) for one in charges(each, rule=rule))


def parts(made):
    """Charges for a part of their bills."""
    its = [(one, one.explanation, one.explanation.line._replace(bill_total=9_999_99)) for one in made]
    return tuple(one._replace(explanation=why._replace(line=line)) for one, why, line in its)


def used(made):
    """Charges with the usage that their bills state."""
    usage = Usage(Decimal("1412.5"), "kWh", Decimal("0.284"))
    its = [(one, one.explanation, one.explanation.line._replace(usage=usage)) for one in made]
    return tuple(one._replace(explanation=why._replace(line=line)) for one, why, line in its)


def crossing(made):
    """Charges of which some days are in the next month.

    So the invoice says why they are on it.
    """
    its = [(one, one.explanation) for one in made]
    days = LineDays(date(2026, 3, 12), date(2026, 4, 9))
    return tuple(one._replace(explanation=why._replace(days=days, yours=days)) for one, why in its)


SIX = [
    *(some_charges(6), six_by_people(), used(some_charges(6)), used(six_by_people()), used(parts(some_charges(6)))),
    *(crossing(used(some_charges(6))), crossing(used(six_by_people()))),
]
SIX_IDS = [
    *("area", "people", "area and usage", "people and usage", "part of a bill, area and usage"),
    *("area, usage and days of another month", "people, usage and days of another month"),
]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("country", ["US", "DE"])
@pytest.mark.parametrize("link", [None, LINK])
@pytest.mark.parametrize("made", SIX, ids=SIX_IDS)
def test_six_charges_with_what_they_were_before_the_total_and_how_to_pay_fit_one_page(locale, country, link, made):
    pay_to = PayTo() if link else IBAN if country == "DE" else AMERICAN
    copy = of_country(country, locale, "EUR" if country == "DE" else "USD")._replace(pay_to=pay_to)
    assert len(printed(charges=compared(made), copy=copy, payment_link=link).pages) == 1


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("country", ["US", "DE"])
def test_six_charges_with_a_credit_and_a_link_for_paying_fit_one_page(locale, country):
    copy = of_country(country, locale, "EUR" if country == "DE" else "USD")
    carried = (CarriedCredit("MAPLECOURT-12B-2026-01", 30_00),)
    made = compared(used(six_by_people()))
    assert len(printed(charges=made, copy=copy, payment_link=LINK, credits=carried, paid=30_00).pages) == 1


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("made", SIX, ids=SIX_IDS)
def test_six_charges_and_two_ways_to_pay_them_fit_one_page_of_letter(locale, made):
    copy = of_country("US", locale, "USD")._replace(pay_to=AMERICAN)
    assert len(printed(charges=compared(made), copy=copy, payment_link=LINK).pages) == 1


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "fr-FR"])
@pytest.mark.parametrize("made", [some_charges(6), used(some_charges(6))], ids=["area", "area and usage"])
def test_six_charges_of_three_lines_and_two_codes_to_scan_fit_one_page_of_a4(locale, made):
    copy = of_country("DE", locale, "EUR")._replace(pay_to=IBAN)
    assert len(printed(charges=compared(made), copy=copy, payment_link=LINK).pages) == 1


def test_what_was_used_stands_behind_its_bill_where_it_has_room_and_else_below_it():
    short, long = printed(charges=used(some_charges(1))).text, printed(charges=used(six_by_people())).text
    assert "bill of March 14, 2026: $320.11. Usage: 1,412.5 kWh at $0.284 each. Divided by floor area" in short
    assert (
        "of which $1,320.11 is for water 1,412.5 kWh × $0.284 + $918.96 not for usage. Divided by people × days" in long
    )


def test_the_address_of_the_house_and_the_unit_are_not_said_again_beside_the_window():
    assert printed().text.count("Springfield, IL 62701") == 1
    assert printed().text.count("Unit") == 1, "in the address"
    elsewhere = printed(copy=of_country("US", "en-US")._replace(forwarding_address="9 Oak Street\nReno, NV 89501"))
    assert elsewhere.text.count("Springfield, IL 62701") == 1, "as what the invoice is about"
    assert elsewhere.text.count("Reno, NV 89501") == 1
    alike = printed(copy=of_country("US", "en-US")._replace(forwarding_address="Unit 12B\nSpringfield, IL 62701"))
    assert alike.text.count("Springfield, IL 62701") == 2, "in the address, and as what the invoice is about"
    assert alike.text.count("12B") == elsewhere.text.count("12B") + 1


def test_how_to_pay_keeps_its_width_beside_totals_that_name_other_invoices():
    carried = (CarriedCredit("MAPLECOURT-12B-2026-01", 30_00),)
    copy = of_country("DE", "de-DE", "EUR")._replace(pay_to=IBAN)
    page = letters(PRINTER(invoice(copy=copy, credits=carried, paid=30_00)))
    number = placed(page, "IBAN: DE89 3704 0044 0532 0130 00")
    assert number[0].left == pytest.approx(25 * MM, abs=1.5)
    assert max(one.bottom for one in number) - min(one.top for one in number) < 2 * SMALLEST, "in one line"


def test_the_months_before_stand_over_their_amounts_and_the_amount_of_now_at_the_edge():
    page = letters(PRINTER(invoice(charges=compared(some_charges(2)))))
    for head, amount in (("Mar 2025", "$1,104.92"), ("Feb 2026", "$89.37"), ("Your part", "$90.70")):
        assert placed(page, head)[-1].right == pytest.approx(placed(page, amount)[-1].right, abs=2)
    assert "Feb 2026" not in printed(charges=some_charges(2)).text
