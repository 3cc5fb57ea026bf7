"""Detection of scanned PDF pages with OCR text, which is as uncertain as pictures."""

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from prorata.adapters.limits import MOST_PAGE_OBJECTS

DEEPEST = 4
"""Forms within forms that are looked into; one further down counts as a picture."""
_NOT_DRAWN = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)


def has_hidden_letters(text: Any) -> bool:
    """True if a page holds undrawn letters: text that a scanner put below the picture."""
    color = [ctypes.c_uint() for _ in range(4)]
    for index in range(text.count_chars()):
        letters = pdfium.FPDFText_GetTextObject(text, index)
        if not letters or chr(pdfium.FPDFText_GetUnicode(text, index) & 0xFFFF).isspace():
            continue
        mode = pdfium.FPDFTextObj_GetTextRenderMode(letters)
        if mode in _NOT_DRAWN:
            return True
        can_tell = pdfium.FPDFText_GetFillColor(text, index, *(ctypes.byref(part) for part in color))
        if mode == pdfium.FPDF_TEXTRENDERMODE_FILL and can_tell and color[3].value == 0:  # wholly transparent
            return True
    return False


def is_mostly_picture(page: Any) -> bool:
    """True if pictures cover most of a page, before or behind its text."""
    left, bottom, right, top = page.get_cropbox(fallback_ok=True)
    covered = 0.0
    drawn = _pictures(page, pypdfium2.PdfMatrix(), pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, 0)
    for looked_at, box in enumerate(drawn):
        if looked_at >= MOST_PAGE_OBJECTS:
            return True
        if box is not None:
            wide, high = min(box[2], right) - max(box[0], left), min(box[3], top) - max(box[1], bottom)
            covered += max(wide, 0.0) * max(high, 0.0)
    return bool(2 * covered > (right - left) * (top - bottom))


def _pictures(holder: Any, to_page: Any, count: Any, get: Any, depth: int) -> Iterator[Any]:
    """Yield the boxes, on the page, of pictures that a page or form draws.

    Yield None for anything else that it draws.
    """
    edges = [ctypes.c_float() for _ in range(4)]
    for index in range(count(holder)):
        one = get(holder, index)
        kind = pdfium.FPDFPageObj_GetType(one)
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < DEEPEST:
            yield None
            told = pdfium.FS_MATRIX()
            pdfium.FPDFPageObj_GetMatrix(one, told)
            inner = pypdfium2.PdfMatrix.from_raw(told).multiply(to_page)
            yield from _pictures(one, inner, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, depth + 1)
        elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM) and pdfium.FPDFPageObj_GetBounds(
            one, *(ctypes.byref(edge) for edge in edges)
        ):
            yield to_page.on_rect(*(edge.value for edge in edges))
        else:
            yield None
