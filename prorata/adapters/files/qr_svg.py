"""QR codes to stand in a page, or on paper: of a text, and of a transfer for a banking app."""

from decimal import Decimal

import segno
from segno.helpers import make_epc_qr

from prorata.domain.printing.sections import Transfer

_QUIET_MODULES = 4


def qr_svg(text: str) -> str:
    """A drawing as SVG, dark on white whatever the page is: scanners want it so."""
    return _drawn(segno.make_qr(text, error="m"))


def transfer_qr_svg(transfer: Transfer) -> str:
    """The same of a transfer."""
    return _drawn(transfer_qr(transfer))


def transfer_qr(transfer: Transfer) -> segno.QRCode:
    """The code that European banking apps read as a transfer (EPC069-12)."""
    amount = Decimal(transfer.amount).scaleb(-2)
    return make_epc_qr(
        transfer.name, transfer.iban, amount, text=transfer.reference, bic=transfer.bic or None, encoding="utf-8"
    )


def _drawn(code: segno.QRCode) -> str:
    return code.svg_inline(
        border=_QUIET_MODULES, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True
    )
