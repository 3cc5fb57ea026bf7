"""QR codes as SVG, for texts and for bank transfers."""

from decimal import Decimal

import segno
from segno.helpers import make_epc_qr

from prorata.domain.printing.sections import Transfer

_QUIET_MODULES = 4


def qr_svg(text: str) -> str:
    """Draw a text's QR code as SVG, dark on white, as scanners need it."""
    return _drawn(segno.make_qr(text, error="m"))


def transfer_qr_svg(transfer: Transfer) -> str:
    """Draw the QR code of a bank transfer as SVG."""
    return _drawn(transfer_qr(transfer))


def transfer_qr(transfer: Transfer) -> segno.QRCode:
    """Build the QR code from which European banking apps fill in a bank transfer (EPC069-12)."""
    amount = Decimal(transfer.amount).scaleb(-2)
    return make_epc_qr(
        transfer.name, transfer.iban, amount, text=transfer.reference, bic=transfer.bic or None, encoding="utf-8"
    )


def _drawn(code: segno.QRCode) -> str:
    return code.svg_inline(
        border=_QUIET_MODULES, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True
    )
