"""The PDF of a letter has the words of an e-mail.

It has the paper of the country, and the address is in the window.
"""

from datetime import date

import pytest

from prorata.adapters.printing.pdf import TypstPrinter
from prorata.domain.mail.message_body import Facts, Letter, Link, Text
from prorata.domain.printing.printed_letters import PrintedLetter
from tests.adapters.printing.test_pdf import A4, LETTER, read
from tests.domain.printing.test_rendering import COPY, invoice

BLOCKS = (
    Text("Hello Ann,"),
    Facts((("Invoice", "M-1"),)),
    Link("Pay online", "https://pay.example/1"),
    Text("Bye,\nMe"),
)


@pytest.mark.parametrize(
    ("country", "locale", "size", "day"),
    [("US", "en-US", LETTER, "October 5, 2026"), ("DE", "de-DE", A4, "5. Oktober 2026")],
)
def test_a_letter_has_the_words_of_the_mail_and_the_paper_of_the_country(country, locale, size, day):
    copy = COPY._replace(place=COPY.place._replace(country=country), locale=locale)
    letter = PrintedLetter(invoice(copy=copy), Letter(locale[:2], "Payment #received", BLOCKS), date(2026, 10, 5))
    printer = TypstPrinter()
    found = read(printer(letter))
    assert found.sizes == (size,) or list(found.sizes) == [size]
    said = ("Payment #received", "Hello Ann,", "M-1", "https://pay.example/1", day, COPY.biller.name)
    assert [one for one in said if one not in found.text] == []
    assert printer(letter) == printer(letter)
