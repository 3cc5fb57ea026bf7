"""Detection of scanned PDF pages whose text comes from OCR.

Such text is as uncertain as text that is read from pictures.
"""

import ctypes
import hashlib
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from prorata.adapters.limits import LARGEST_EMPTY_PICTURE, MOST_PAGE_OBJECTS

DEEPEST = 4
"""The maximum depth of examined nested forms; a deeper form counts as a picture."""
_NOT_DRAWN = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)


def has_hidden_letters(text: Any) -> bool:
    """True if a page contains invisible letters, such as those that scanners add."""
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


def covering(page: Any) -> str | None:
    """Return the digest of the picture that covers most of a page.

    The picture may be in front of the text or behind it. Return None if pictures do not cover most of the page.
    Return "" if it takes several pictures to cover most of the page, or if the picture can't be identified.
    """
    left, bottom, right, top = page.get_cropbox(fallback_ok=True)
    most, covered, large = (right - left) * (top - bottom) / 2, 0.0, []
    drawn = _pictures(page, pypdfium2.PdfMatrix(), pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, 0)
    for looked_at, (picture, box) in enumerate(drawn):
        if looked_at >= MOST_PAGE_OBJECTS:
            return ""
        if box is not None:
            wide, high = min(box[2], right) - max(box[0], left), min(box[3], top) - max(box[1], bottom)
            area = max(wide, 0.0) * max(high, 0.0)
            large += [picture] if area > most else []
            covered += area if area <= most else 0.0
    if covered > most or len(large) > 1:
        return ""
    return _told(large[0]) if large else None


def _told(picture: Any) -> str:
    """Return the SHA-256 of a picture as it is stored in the file.

    Return "" if the picture can't be read or is almost empty. An almost empty picture may be the background of a scan
    in layers, whose words are in other pictures.
    """
    size = pdfium.FPDFImageObj_GetImageDataRaw(picture, None, 0)
    content = ctypes.create_string_buffer(size)
    pdfium.FPDFImageObj_GetImageDataRaw(picture, content, size)
    return hashlib.sha256(content).hexdigest() if size > LARGEST_EMPTY_PICTURE else ""


def _pictures(holder: Any, to_page: Any, count: Any, get: Any, depth: int) -> Iterator[Any]:
    """Yield every object that a page or a form object draws.

    Each object comes with its box if it is a picture, and otherwise with None.
    """
    edges = [ctypes.c_float() for _ in range(4)]
    for index in range(count(holder)):
        one = get(holder, index)
        kind = pdfium.FPDFPageObj_GetType(one)
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < DEEPEST:
            yield one, None
            told = pdfium.FS_MATRIX()
            pdfium.FPDFPageObj_GetMatrix(one, told)
            inner = pypdfium2.PdfMatrix.from_raw(told).multiply(to_page)
            yield from _pictures(one, inner, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, depth + 1)
        elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM) and pdfium.FPDFPageObj_GetBounds(
            one, *(ctypes.byref(edge) for edge in edges)
        ):
            yield one, to_page.on_rect(*(edge.value for edge in edges))
        else:
            yield one, None
