"""A text as a QR code to stand in a page."""

import segno

_QUIET_MODULES = 4


def qr_svg(text: str) -> str:
    """A drawing as SVG, dark on white whatever the page is: scanners want it so."""
    return segno.make_qr(text, error="m").svg_inline(
        border=_QUIET_MODULES, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True
    )
