"""Tests of the PDF about the utilities of a lease.

They check its text and its paper, and that the same terms give the same bytes.
"""

import pytest

from prorata.adapters.printing.pdf import TypstPrinter
from prorata.domain.accounts.letterheads import Letterhead
from prorata.domain.printing.lease_pages import PrintedLease
from prorata.domain.splitting.lease_terms import lease_terms
from prorata.domain.splitting.rule_versions import ALWAYS
from tests.adapters.printing.test_pdf import A4, LETTER, read
from tests.domain.printing.test_rendering import COPY, invoice
from tests.domain.splitting.test_lease_terms import BILLS, BY_AREA, DAY, HOUSE


def lease(country="US", locale="en-US", currency="USD", name="Maple Court") -> PrintedLease:
    terms = lease_terms(DAY, currency, {"WATER": {ALWAYS: BY_AREA}}, HOUSE, BILLS)
    return PrintedLease(terms, COPY.biller, COPY.place._replace(name=name, country=country), locale, Letterhead(), 14)


@pytest.mark.parametrize(
    ("country", "locale", "currency", "size", "words"),
    [
        ("US", "en-US", "USD", LETTER, ("As of March 15, 2026", "$320.10 × 850 ÷ 1,470 = $185.09", "Page 1 of 2")),
        (
            "DE",
            "de-DE",
            "EUR",
            A4,
            ("Stand: 15. März 2026", "320,10 € × 850 ÷ 1.470 = 185,09 €", "von insgesamt 1.470 m²"),
        ),
        ("ES", "es-ES", "EUR", A4, ("A fecha de 15 de marzo de 2026", "Zonas comunes")),
        ("CA", "fr-CA", "CAD", LETTER, ("Au 15 mars 2026", "Parties communes")),
    ],
)
def test_paper_words_and_forms_are_those_of_the_country_and_the_locale(country, locale, currency, size, words):
    found = read(TypstPrinter()(lease(country, locale, currency)))
    assert set(found.sizes) == {size}
    assert [one for one in words if one not in found.text] == []


def test_the_same_gives_the_same_bytes_whatever_was_printed_before():
    printer = TypstPrinter()
    first = printer(lease())
    printer(invoice())
    assert printer(lease()) == first == TypstPrinter()(lease())
    assert b"pdfaid:part>2<" in first.replace(b" ", b"")


def test_text_is_never_markup():
    odd = '#panic() $x$ *b* _i_ `c` <l> "q" [x] = h #sys.inputs'
    assert odd in read(TypstPrinter()(lease(name=odd))).text
