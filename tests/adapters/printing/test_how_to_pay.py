"""Payment instructions on paper have words, codes and enough space."""

import io

import pytest
import segno

from prorata.adapters.printing.pdf import data_of
from prorata.domain.accounts.pay_to import PayTo
from tests.adapters.printing.test_pdf import LINK, of_country, printed, some_charges
from tests.domain.printing.test_rendering import invoice

NUMBER = "MAPLE-2B-2026-03"
IBAN = PayTo("", "Jörg Müller & Söhne", "DE89370400440532013000", "COBADEFFXXX")
WORDY = IBAN._replace(text="\n".join("Bitte geben Sie die Nummer der Rechnung an und nichts sonst." for _ in range(6)))
AMERICAN = PayTo("By check to the office, 12 Main Street.", "Maple Homes", routing="021000021", number="12345678")
EPC = f"BCD\n002\n1\nSCT\nCOBADEFFXXX\nJörg Müller & Söhne\nDE89370400440532013000\nEUR90.7\n\n\n{NUMBER}"


def pictured(payload, **how):
    """The picture of a code as it is printed on paper."""
    into = io.BytesIO()
    code = segno.make_qr(payload, error="m", **how)
    code.save(into, kind="svg", border=0, xmldecl=False, dark="#1b2126", omitsize=True)
    return into.getvalue().decode()


def german(pay_to):
    return of_country("DE", "de-DE", "EUR")._replace(pay_to=pay_to)


def test_paper_says_whom_to_pay_by_iban_and_has_the_code_of_it():
    copy = german(IBAN)
    text = printed(copy=copy).text
    for said in (
        "So können Sie zahlen", "Per Überweisung von 90,70 € auf dieses Konto:", "Kontoinhaber: Jörg Müller & Söhne",
        "IBAN: DE89 3704 0044 0532 0130 00", "BIC: COBADEFFXXX", f"Verwendungszweck: {NUMBER}",
        "Oder scannen Sie den QR-Code mit Ihrer Banking-App.",
    ):  # fmt: skip
        assert said in text, (said, text)
    pay, wrong = data_of(invoice(copy=copy))["sections"]
    assert pay["code"] == pictured(EPC.encode(), boost_error=False)
    assert (pay["alt"], wrong["code"]) == (f"QR-Code zum Bezahlen der Rechnung {NUMBER} mit einer Banking-App", None)


def test_paper_says_whom_to_pay_in_the_united_states_and_has_no_code():
    copy = of_country("US", "en-US", "USD")._replace(pay_to=AMERICAN)
    text = printed(copy=copy).text
    for said in (
        "By check to the office, 12 Main Street.", "By bank transfer of $90.70 to this account:", "Account holder: Maple Homes",
        "Routing number: 021000021", "Account number: 12345678", f"Reference: {NUMBER}",
    ):  # fmt: skip
        assert said in text, (said, text)
    assert "QR" not in text
    assert [one["code"] for one in data_of(invoice(copy=copy))["sections"]] == [None, None]


def test_a_link_and_a_transfer_have_each_its_code_beside_it():
    copy = german(IBAN)
    online, other, wrong = data_of(invoice(copy=copy, payment_link=LINK))["sections"]
    assert online["code"] == pictured(LINK)
    assert other["code"] == pictured(EPC.encode(), boost_error=False)
    assert (online["title"], other["title"], wrong["code"]) == ("So können Sie zahlen", "Andere Zahlungswege", None)
    text = printed(copy=copy, payment_link=LINK).text
    assert text.index(LINK) < text.index("Andere Zahlungswege") < text.index("IBAN: DE89") < text.index("Stimmt etwas")


@pytest.mark.parametrize(
    "other", [{"status": "PAID", "paid": 90_70}, {"paid": 100_00}, {"status": "CANCELLED", "due_date": None}]
)
def test_paper_of_a_credit_or_of_what_is_paid_says_nothing_of_paying(other):
    text = printed(copy=german(IBAN), payment_link=LINK, **other).text
    assert "IBAN" not in text
    assert "QR" not in text


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "es-ES", "fr-FR"])
@pytest.mark.parametrize(("country", "currency", "pay_to"), [("US", "USD", AMERICAN), ("DE", "EUR", IBAN)])
def test_six_charges_and_a_bank_account_fit_one_page(locale, country, currency, pay_to):
    copy = of_country(country, locale, currency)._replace(pay_to=pay_to)
    assert len(printed(charges=some_charges(6), copy=copy).pages) == 1


@pytest.mark.parametrize("charges", range(1, 8))
@pytest.mark.parametrize("link", [None, LINK])
def test_how_to_pay_stays_together_on_the_page_of_the_balance(charges, link):
    last = printed(charges=some_charges(charges), copy=german(WORDY), payment_link=link).pages[-1]
    words = ("So können Sie zahlen", "IBAN: DE89", "Verwendungszweck", "Stimmt etwas nicht?", "Offen")
    assert [word for word in words if word not in last] == []


def test_the_name_of_what_is_to_be_paid_in_a_dispute_is_on_one_line():
    (page,) = printed(copy=german(AMERICAN), disputed=40_00).pages
    assert "Jetzt zu zahlen" in page.replace("\N{NO-BREAK SPACE}", " "), page
