"""Rendering of PDF pages (by PDFium) and photos in a separate, short-lived process."""

import io
import struct
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from prorata.adapters.files.file_process import LIMITS, FileProcess
from prorata.adapters.limits import LONGEST_SHOWN_SIDE
from prorata.domain.files.file_kinds import PICTURE_KINDS, told
from prorata.domain.texts import say
from prorata.errors import InvalidRequest, NotFound

if TYPE_CHECKING:
    from PIL import Image

_PIXELS_A_POINT = 1.5
_QUALITY = 80
"""The quality of a photo in percent, enough for reading it."""
_NOT_SHOWN = say("This page can't be shown.")
_NO_SUCH_PAGE = "no_such_page"
_RGB, _SIGNATURE = 2, b"\x89PNG\r\n\x1a\n"


def in_parts(data: bytes, kind: str) -> Iterator[bytes]:
    """Yield one page as a picture; `kind` is the page's number.

    Raises `InvalidRequest` if the page can't be shown.
    """
    number = int(kind)
    if told("", data).kind in PICTURE_KINDS:
        yield _photo(data, number)
    else:
        yield _page(data, number)


def _photo(data: bytes, number: int) -> bytes:
    from prorata.adapters.files.pictures import opened  # noqa: PLC0415 - the process that asks needs no Pillow

    if number != 1:
        raise InvalidRequest(_NO_SUCH_PAGE)
    made = io.BytesIO()
    opened(data, LONGEST_SHOWN_SIDE).save(made, "JPEG", quality=_QUALITY)
    return made.getvalue()


def _page(data: bytes, number: int) -> bytes:
    document = _opened(data, None)
    if not 1 <= number <= len(document):
        raise InvalidRequest(_NO_SUCH_PAGE)
    page = document[number - 1]
    scale = min(_PIXELS_A_POINT, LONGEST_SHOWN_SIDE / max(page.get_size()))
    picture = page.render(scale=scale, rev_byteorder=True, may_draw_forms=False)
    rows = bytes(picture.buffer)
    width, height, stride, channels = picture.width, picture.height, picture.stride, picture.n_channels
    return png(
        width,
        height,
        (_row(rows[top * stride : top * stride + width * channels], width, channels) for top in range(height)),
    )


def _opened(data: bytes, password: str | None) -> Any:
    import pypdfium2  # noqa: PLC0415 - the process that asks needs no PDFium

    try:
        return pypdfium2.PdfDocument(data, password=password)
    except pypdfium2.PdfiumError:
        raise InvalidRequest(_NOT_SHOWN) from None


def scanned(
    data: bytes, password: str | None, numbers: tuple[int, ...], pixels_a_point: float, longest: int
) -> "Iterator[tuple[int, tuple[float, float], Image.Image]]":
    """Render pages of a PDF as pictures, so that OCR can read their words.

    Yield each page's number, its size in points, and its picture. A picture has `pixels_a_point` pixels per point,
    but fewer if its longer side would exceed `longest` pixels. Raises `InvalidRequest` if the PDF can't be opened.
    """
    document = _opened(data, password)
    for number in numbers:
        if not 1 <= number <= len(document):
            raise InvalidRequest(_NO_SUCH_PAGE)
        page = document[number - 1]
        size = page.get_size()
        scale = min(pixels_a_point, longest / max(size))
        yield number, size, page.render(scale=scale, rev_byteorder=True, may_draw_forms=False).to_pil().convert("RGB")
        page.close()


def _row(row: bytes, width: int, channels: int) -> bytes:
    """Return the red, green and blue values of one row of pixels, without other channels."""
    if channels == 3:  # noqa: PLR2004
        return row[: width * 3]
    whole = bytearray(width * 3)
    for color in range(3):
        whole[color::3] = row[color : width * channels : channels]
    return bytes(whole)


def png(width: int, height: int, rows: Iterator[bytes]) -> bytes:
    """Encode rows of red, green and blue pixels as a PNG.

    The format is W3C PNG, third edition, sections 5 and 11.
    """
    packing = zlib.compressobj(6)
    packed = b"".join(packing.compress(b"\0" + row) for row in rows) + packing.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, _RGB, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


class PictureProcess:
    """A renderer of pages, each in a separate, short-lived process.

    It implements `ports.PagePictures`.
    """

    def __init__(self) -> None:
        self._read = FileProcess(__name__, (), LIMITS)

    def __call__(self, data: bytes, page: str) -> bytes:
        """Render a PDF page as a PNG, or a photo as a JPEG.

        Raises `NotFound` if there is no such page, and `InvalidRequest` if the file can't be shown.
        """
        if not (page.isascii() and page.isdigit() and len(page) <= 4):  # noqa: PLR2004
            raise NotFound("page")
        try:
            return self._read.one(page, data, bytes)
        except InvalidRequest as refused:
            if refused.message == _NO_SUCH_PAGE:
                raise NotFound("page") from None
            raise
