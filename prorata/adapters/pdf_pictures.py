"""Pages of a PDF as pictures, made by PDFium in a process that ends with them."""

import struct
import zlib
from collections.abc import Iterator

from prorata.adapters.file_process import LIMITS, FileProcess
from prorata.errors import InvalidRequest, NotFound

_PIXELS_A_POINT = 1.5
_LONGEST_SIDE = 2_000
"""Pixels: a page that is larger is shown smaller."""
_NOT_SHOWN = "This page can't be shown."
_NO_SUCH_PAGE = "no such page"
_RGB, _SIGNATURE = 2, b"\x89PNG\r\n\x1a\n"


def in_parts(data: bytes, kind: str) -> Iterator[bytes]:
    """The page whose number `kind` is. Raises `InvalidRequest`."""
    import pypdfium2  # noqa: PLC0415 - the process that asks needs no PDFium

    number = int(kind)
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        raise InvalidRequest(_NOT_SHOWN) from None
    if not 1 <= number <= len(document):
        raise InvalidRequest(_NO_SUCH_PAGE)
    page = document[number - 1]
    scale = min(_PIXELS_A_POINT, _LONGEST_SIDE / max(page.get_size()))
    picture = page.render(scale=scale, rev_byteorder=True, may_draw_forms=False)
    rows = bytes(picture.buffer)
    width, height, stride, channels = picture.width, picture.height, picture.stride, picture.n_channels
    yield png(
        width,
        height,
        (_row(rows[top * stride : top * stride + width * channels], width, channels) for top in range(height)),
    )


def _row(row: bytes, width: int, channels: int) -> bytes:
    """The red, green and blue of one row, whatever else its pixels hold."""
    if channels == 3:  # noqa: PLR2004
        return row[: width * 3]
    whole = bytearray(width * 3)
    for color in range(3):
        whole[color::3] = row[color : width * channels : channels]
    return bytes(whole)


def png(width: int, height: int, rows: Iterator[bytes]) -> bytes:
    """A picture of rows of red, green and blue as a PNG (W3C PNG, third edition, sections 5 and 11)."""
    packing = zlib.compressobj(6)
    packed = b"".join(packing.compress(b"\0" + row) for row in rows) + packing.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, _RGB, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


class PictureProcess:
    """Makes pictures of pages, each in a process that ends with it. Plays `ports.PagePictures`."""

    def __init__(self) -> None:
        self._read = FileProcess(__name__, (), LIMITS)

    def __call__(self, data: bytes, page: str) -> bytes:
        """A page as a PNG. Raises `NotFound` for one that is not there, `InvalidRequest` for what can't be shown."""
        if not (page.isascii() and page.isdigit() and len(page) <= 4):  # noqa: PLR2004
            raise NotFound("page")
        try:
            (made,) = self._read(page, data)
        except InvalidRequest as refused:
            if refused.message == _NO_SUCH_PAGE:
                raise NotFound("page") from None
            raise
        return bytes(made)
