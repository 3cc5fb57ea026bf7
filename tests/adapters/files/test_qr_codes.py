"""The QR codes of transfers contain what a banking app reads.

The expected texts are written by hand, according to EPC069-12.
"""

from decimal import Decimal

import pytest
import segno
from hypothesis import given, strategies as st

from prorata.adapters.files.qr_svg import transfer_qr, transfer_qr_svg
from prorata.domain.accounts.pay_to import PayTo
from prorata.domain.limits import LARGEST_TRANSFER
from prorata.domain.printing.printed_invoices import Biller
from prorata.domain.printing.sections import Transfer, transfer_of
from tests.domain.printing.test_rendering import COPY, invoice

IBAN, BIC = "DE89370400440532013000", "COBADEFFXXX"


def drawn(*lines: str) -> segno.QRCode:
    """A QR code of these lines, in UTF-8 and at the standard's level M."""
    return segno.make_qr("\n".join(lines).encode(), error="m", boost_error=False)


def transfer(**other: object) -> Transfer:
    return Transfer("Müller & Söhne", IBAN, BIC, 90_70, "MAPLE-2B-2026-03")._replace(**other)


@pytest.mark.parametrize(
    ("its", "lines"),
    [
        ({}, (BIC, "Müller & Söhne", IBAN, "EUR90.7")),
        ({"bic": "", "amount": 1}, ("", "Müller & Söhne", IBAN, "EUR0.01")),
        ({"name": "Ελένη", "amount": 100_00}, (BIC, "Ελένη", IBAN, "EUR100")),
        ({"amount": LARGEST_TRANSFER}, (BIC, "Müller & Söhne", IBAN, "EUR999999999.99")),
    ],
)
def test_a_banking_app_reads_whom_how_much_and_what_for(its: dict[str, object], lines: tuple[str, ...]) -> None:
    code = transfer_qr(transfer(**its))
    expected = drawn("BCD", "002", "1", "SCT", *lines, "", "", "MAPLE-2B-2026-03")
    assert (code.matrix, code.designator) == (expected.matrix, expected.designator)
    assert code.matrix != drawn("BCD", "002", "1", "SCT", *lines, "", "", "MAPLE-2B-2026-04").matrix


def test_the_drawing_is_dark_on_white_with_a_margin() -> None:
    drawing = transfer_qr_svg(transfer())
    size = transfer_qr(transfer()).symbol_size(border=4)[0]
    assert f'viewBox="0 0 {size} {size}"' in drawing
    assert '"#fff"' in drawing
    assert '"#000"' in drawing


@given(st.text(min_size=1, max_size=255), st.text(max_size=70), st.integers(-5, 10**15), st.text("A1-ÄΩ", max_size=48))
def test_whatever_a_biller_is_called_there_is_a_code_or_none(name: str, holder: str, owed: int, number: str) -> None:
    copy = COPY._replace(biller=Biller(name, "", ""), currency="EUR", pay_to=PayTo("", holder, IBAN, BIC))
    made = transfer_of(invoice(copy=copy, total=owed, number=f"M{number}"))
    if made is None:
        assert owed <= 0 or owed > LARGEST_TRANSFER or not name.isprintable() or not name.strip()
        return
    assert transfer_qr(made).version <= 13
    assert "\n" not in made.name
    assert Decimal(made.amount) == owed


@pytest.mark.parametrize("currency", ["USD", "GBP", "CHF"])
def test_only_euros_have_a_code(currency: str) -> None:
    copy = COPY._replace(pay_to=PayTo("", "Maple", IBAN, BIC))
    assert transfer_of(invoice(copy=copy._replace(currency=currency))) is None
    assert transfer_of(invoice(copy=copy._replace(currency="EUR"))) == Transfer(
        "Maple", IBAN, BIC, 90_70, "MAPLE-2B-2026-03"
    )


def test_without_a_holder_the_biller_is_paid_and_a_long_name_is_cut() -> None:
    copy = COPY._replace(currency="EUR", pay_to=PayTo(iban=IBAN))
    long = copy._replace(biller=Biller("Ä" * 255, "", ""))
    made, cut = transfer_of(invoice(copy=copy)), transfer_of(invoice(copy=long))
    assert (made and made.name, cut and cut.name) == ("Harbor Rentals", "Ä" * 70)
