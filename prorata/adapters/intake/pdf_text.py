"""A reader of the words in a PDF, with their positions, by PDFium.

An unreadable file is refused, with a different sentence for each cause. PDFium is not thread-safe, and a malicious
file may take all available memory and time, so each file is read in a separate, short-lived process (pdf_files.py).
"""

import ctypes
import re
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import pairwise
from math import degrees
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from prorata.adapters.intake.pdf_scans import covering, has_hidden_letters
from prorata.adapters.limits import (
    LARGEST_PAGE_SIDE,
    MOST_PAGE_CHARACTERS,
    MOST_PDF_ATTACHMENTS,
    MOST_PDF_PAGES,
    MOST_PDF_UNPACKED_BYTES,
    MOST_PDF_WORDS,
)
from prorata.domain.intake.bill_reading.words import FEWEST_WORDS, Page, Place, Word
from prorata.domain.intake.documents import ENCRYPTED, WRONG_PASSWORD
from prorata.domain.limits import MOST_DOCUMENT_BYTES
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest

NOT_A_PDF = say("This is not a PDF. Send the PDF from the bill’s issuer.")
BROKEN = say("This PDF is damaged or incomplete. Save or download it again.")
TOO_MANY_PAGES = say("This PDF has more than 50 pages. Send only the pages of one bill.")
TOO_MANY_WORDS = say("This PDF contains far more text than a bill does. Send only the pages of one bill.")
SCRIPTS = say("This PDF contains a script or starts other programs. Print it to a new PDF, and send that one.")
NO_LETTERS = say("The characters in this PDF can’t be read automatically. Enter the bill by hand.")

_START = re.compile(rb"%PDF-[12]\.[0-9]")
_LATEST_START = 1024
_HEX_IN_NAME = re.compile(rb"#([0-9A-Fa-f]{2})")
_ACTION = re.compile(rb"/(?:JavaScript|JS|Launch)(?=[\s()<>\[\]/%]|$)")
_UNREADABLE = frozenset(chr(code) for code in (*range(32), 0xFFFD, 0xFFFE, 0xFFFF)) - frozenset("\t\n\r\x02")
_SOFT_HYPHEN = "\xad\x02"
_TENTHS = 10
_ASLANT = 10
"""The rotation in degrees from which letters do not count as upright."""
_GAP = 0.25
"""The gap that separates words without a space, as a share of the letters' height."""


class _Letter(NamedTuple):
    """One letter, with its edges in points from the displayed page's top left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@contextmanager
def opened(content: bytes, password: str | None = None) -> Iterator[pypdfium2.PdfDocument]:
    """Open a PDF for reading.

    Raises `InvalidRequest`, with a sentence for people, if the PDF is not acceptable. If a password is missing or
    wrong, the error names the field `password`.
    """
    if not _START.search(content, 0, _LATEST_START):
        raise InvalidRequest(NOT_A_PDF)
    _refuse_scripts(content)
    with _opened(content, password) as document:
        if len(document) > MOST_PDF_PAGES:
            raise InvalidRequest(TOO_MANY_PAGES)
        if pdfium.FPDFDoc_GetJavaScriptActionCount(document) > 0:
            raise InvalidRequest(SCRIPTS)
        yield document


def pages_of(document: pypdfium2.PdfDocument) -> tuple[Page, ...]:
    """Return the pages with their words.

    Raises `InvalidRequest` if the PDF is not acceptable.
    """
    pages, words = [], 0
    for number in range(len(document)):
        page = _page(document, number)
        words += len(page.words)
        if words > MOST_PDF_WORDS:
            raise InvalidRequest(TOO_MANY_WORDS)
        pages.append(page)
    return tuple(pages)


def sizes_of(document: pypdfium2.PdfDocument) -> tuple[tuple[int, int], ...]:
    """Return the pages' widths and heights in tenths of a point.

    Raises `InvalidRequest` if the PDF is not acceptable.
    """
    return tuple(_size(*document.get_page_size(number)) for number in range(len(document)))


def attached_to(document: pypdfium2.PdfDocument, names: Collection[str]) -> bytes | None:
    """Return the first file inside a PDF that has one of the `names`.

    The names are in lower case. The result is empty if that file is damaged or too large, and None if there is no such
    file.
    """
    for number in range(min(document.count_attachments(), MOST_PDF_ATTACHMENTS)):
        try:
            attachment, size = document.get_attachment(number), ctypes.c_ulong()
            if attachment.get_name().lower() in names:
                pdfium.FPDFAttachment_GetFile(attachment, None, 0, size)
                return bytes(attachment.get_data()) if size.value <= MOST_DOCUMENT_BYTES else b""
        except pypdfium2.PdfiumError:
            return b""
    return None


@contextmanager
def _opened(content: bytes, password: str | None) -> Iterator[pypdfium2.PdfDocument]:
    try:
        document = pypdfium2.PdfDocument(content, password=password)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) != pdfium.FPDF_ERR_PASSWORD:
            raise InvalidRequest(BROKEN) from None
        sentence = ENCRYPTED if password is None else WRONG_PASSWORD
        raise InvalidRequest(sentence, problems=[Problem("password", sentence)]) from None
    try:
        if len(document) < 1:
            raise InvalidRequest(BROKEN)
        yield document
    finally:
        document.close()


def _refuse_scripts(content: bytes) -> None:
    """Refuse a PDF whose objects, even compressed ones, name a script or program."""
    unpacked = 0
    for part, packed in _parts(content):
        if packed:
            text = _inflated(part, MOST_PDF_UNPACKED_BYTES - unpacked)
            unpacked += len(text)
            if unpacked >= MOST_PDF_UNPACKED_BYTES:
                raise InvalidRequest(TOO_MANY_WORDS)
        else:
            text = part
        if _ACTION.search(_HEX_IN_NAME.sub(lambda match: bytes([int(match[1], 16)]), text)):
            raise InvalidRequest(SCRIPTS)


def _parts(content: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the PDF's content outside its streams, and each stream of compressed objects.

    Each part comes with True if it is such a stream, and otherwise with False.
    """
    at = 0
    while (start := content.find(b"stream", at)) >= 0:
        end = content.find(b"endstream", start + len(b"stream"))
        if end < 0:
            break
        yield content[at:start], False
        if b"/ObjStm" in content[max(at, start - 300) : start]:
            yield content[start + len(b"stream") : end].lstrip(b"\r\n"), True
        at = end + len(b"endstream")
    yield content[at:], False


def _inflated(packed: bytes, most: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, most)
    except zlib.error:  # encrypted, or compressed in another way: PDFium will find out
        return b""


def _page(document: pypdfium2.PdfDocument, number: int) -> Page:
    try:
        page = document[number]
        text = page.get_textpage()
    except pypdfium2.PdfiumError:
        raise InvalidRequest(BROKEN) from None
    try:
        width, height = page.get_size()
        size = _size(width, height)
        letters = _upright(list(_letters(page, text, width, height)))
        _refuse_nonsense(letters)
        words = tuple(_words(letters, number + 1))
        paper = "" if not words or has_hidden_letters(text) else covering(page)
        return Page(number + 1, *size, words, from_picture=bool(words) and paper is not None, paper=paper or "")
    finally:
        text.close()
        page.close()


def _size(width: float, height: float) -> tuple[int, int]:
    if not (0 < width <= LARGEST_PAGE_SIDE and 0 < height <= LARGEST_PAGE_SIDE):
        raise InvalidRequest(BROKEN)
    return int(width * _TENTHS), int(height * _TENTHS)


def _refuse_nonsense(letters: list[_Letter]) -> None:
    """Refuse text in a font that does not state which letters it draws.

    Raises `InvalidRequest` if more than a quarter of a page's letters are unreadable for this reason.
    """
    strange = sum(1 for letter in letters if letter.text in _UNREADABLE or "\ue000" <= letter.text <= "\uf8ff")
    if len(letters) > FEWEST_WORDS and 4 * strange > len(letters):
        raise InvalidRequest(NO_LETTERS)


def _letters(page: Any, text: Any, width: float, height: float) -> Iterator[tuple[_Letter, float]]:
    """Yield a page's letters in writing order, each with its rotation in degrees.

    A letter with the text "" marks the end of a word.
    """
    count = text.count_chars()
    if count > MOST_PAGE_CHARACTERS:
        raise InvalidRequest(TOO_MANY_WORDS)
    shown = _shown(page, width, height)
    box = pdfium.FS_RECTF()
    for index in range(count):
        code = pdfium.FPDFText_GetUnicode(text, index)
        letter = chr(code) if 0 < code <= 0x10FFFF else "\ufffd"  # noqa: PLR2004 - the last code there is
        if letter.isspace() or pdfium.FPDFText_IsGenerated(text, index) == 1:
            yield _Letter("", 0, 0, 0, 0), 0
            continue
        if not pdfium.FPDFText_GetLooseCharBox(text, index, ctypes.byref(box)):
            continue
        left, top, right, bottom = shown(box.left, box.bottom, box.right, box.top)
        if right > 0 and bottom > 0 and left < width and top < height:
            angle = pdfium.FPDFText_GetCharAngle(text, index)  # radians, counterclockwise, on the unrotated page
            yield _Letter(letter, left, top, right, bottom), (degrees(angle) - page.get_rotation()) % 360


def _upright(letters: list[tuple[_Letter, float]]) -> list[_Letter]:
    """Keep letters that are upright or slightly slanted.

    Each letter comes with its rotation in degrees. Letters that are mirrored twice (a negative size in a rotated space)
    have the rotation of letters upside down. Such letters count as upright if most of them follow each other to the
    right.
    """
    upside = [letter for letter, turned in letters if letter.text and abs(turned - 180) < _ASLANT]
    in_line = [
        (its_letter, other)
        for its_letter, other in pairwise(upside)
        if abs(its_letter.bottom - other.bottom) < its_letter.bottom - its_letter.top
    ]
    are_upright = 2 * sum(its_letter.left < other.left for its_letter, other in in_line) > len(in_line)
    taken = (0, 180, 360) if are_upright else (0, 360)
    return [letter for letter, turned in letters if any(abs(turned - angle) < _ASLANT for angle in taken)]


def _shown(
    page: Any, width: float, height: float
) -> Callable[[float, float, float, float], tuple[float, float, float, float]]:
    """Build the function that converts a page's own coordinates to displayed coordinates.

    The page's own coordinates ignore its rotation and begin at its lower left corner. The resulting coordinates
    begin at the top left corner of the displayed page.
    """
    x0, y0 = page.get_cropbox(fallback_ok=True)[:2]
    rotation = page.get_rotation()

    def turn(x: float, y: float) -> tuple[float, float]:
        x, y = x - x0, y - y0
        turned = {0: (x, height - y), 90: (y, x), 180: (width - x, y), 270: (width - y, height - x)}
        return turned[rotation]

    def place(left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        (ax, ay), (bx, by) = turn(left, bottom), turn(right, top)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    return place


def _words(letters: list[_Letter], page: int) -> Iterator[Word]:
    """Join letters that are on one line and close together into words."""
    word: list[_Letter] = []
    for letter in letters:
        if word and (not letter.text or _is_apart(word[-1], letter)):
            yield from _written(word, page)
            word = []
        if letter.text:
            word.append(letter)
    yield from _written(word, page)


def _is_apart(before: _Letter, letter: _Letter) -> bool:
    height = max(before.bottom - before.top, letter.bottom - letter.top)
    same_line = abs(before.bottom - letter.bottom) < height * _GAP
    return not same_line or letter.left - before.right > height * _GAP or letter.right < before.left


def _written(word: list[_Letter], page: int) -> Iterator[Word]:
    text = "".join("-" if letter.text in _SOFT_HYPHEN else letter.text for letter in word)
    text = "".join(character for character in text if character.isprintable())
    if text:
        edges = (
            min(letter.left for letter in word),
            min(letter.top for letter in word),
            max(letter.right for letter in word),
            max(letter.bottom for letter in word),
        )
        yield Word(text, Place(page, *(max(0, int(edge * _TENTHS)) for edge in edges)))
