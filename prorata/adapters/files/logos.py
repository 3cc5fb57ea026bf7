"""Logos as PNG or JPEG, each read in a separate, short-lived process.

A small copy is stored instead of the file, so that nobody receives anything else that the file may contain.
"""

import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from prorata.adapters.files.file_process import LIMITS, FileProcess, Sentences
from prorata.adapters.limits import (
    FEWEST_LOGO_PIXELS,
    LARGEST_LOGO,
    LONGEST_LOGO_SHAPE,
    LONGEST_LOGO_SIDE,
    MOST_PIXELS,
)
from prorata.domain.texts import say
from prorata.errors import InvalidRequest

if TYPE_CHECKING:
    from PIL import Image

_NO_PICTURE, _TOO_LARGE, _TOO_SMALL, _ODD_SHAPE = "no picture", "too large", "too small", "odd shape"
_SAYS: Mapping[str, str] = {
    _NO_PICTURE: say("This picture can’t be read. Choose a PNG or JPEG; you can save a drawing (SVG) as PNG."),
    _TOO_LARGE: say("This picture is far larger than a logo needs to be. Save it smaller: 1,000 pixels is enough."),
    _TOO_SMALL: say("This picture is too small to be printed. Choose one of at least 32 pixels on each side."),
    _ODD_SHAPE: say(
        "This picture is far too long for a logo. Choose one whose longer side is at most ten times its shorter side."
    ),
}
_SHRINK = 3, 4
"""The ratio by which a logo's sides are reduced until it is small enough.

This is needed for photos, and seldom for drawings.
"""


def in_parts(data: bytes, _kind: str) -> Iterator[bytes]:
    """Yield the picture upright, on a white background, and limited in size.

    Raises `InvalidRequest` if the picture is unusable. The error's message is a key of `_SAYS`, which contains the
    sentence for people.
    """
    from PIL import Image, ImageOps  # noqa: PLC0415 - the process that asks needs no Pillow

    from prorata.adapters.files.pictures import on_white  # noqa: PLC0415 - as above

    try:
        with Image.open(io.BytesIO(data), formats=("JPEG", "PNG")) as picture:
            if refused := _why_not(picture.size, MOST_PIXELS["PNG" if picture.format == "PNG" else "JPEG"]):
                raise InvalidRequest(refused)
            picture.draft("RGB", (LONGEST_LOGO_SIDE, LONGEST_LOGO_SIDE))
            upright = on_white(ImageOps.exif_transpose(picture))
            upright.thumbnail((LONGEST_LOGO_SIDE, LONGEST_LOGO_SIDE), Image.Resampling.LANCZOS)
    except Image.DecompressionBombError:
        raise InvalidRequest(_TOO_LARGE) from None
    except (OSError, SyntaxError, ValueError, EOFError, ArithmeticError, LookupError, TypeError):
        raise InvalidRequest(_NO_PICTURE) from None
    yield _kept(upright)


def _why_not(size: tuple[int, int], most_pixels: int) -> str | None:
    shorter, longer = sorted(size)
    if shorter * longer > most_pixels:
        return _TOO_LARGE
    if shorter < FEWEST_LOGO_PIXELS:
        return _TOO_SMALL
    return _ODD_SHAPE if longer > LONGEST_LOGO_SHAPE * shorter else None


def _kept(picture: "Image.Image") -> bytes:
    while True:
        made = io.BytesIO()
        picture.save(made, "PNG", optimize=True)
        if made.tell() <= LARGEST_LOGO:
            return made.getvalue()
        picture.thumbnail((picture.width * _SHRINK[0] // _SHRINK[1], picture.height * _SHRINK[0] // _SHRINK[1]))


class LogoProcess:
    """A reader of logos, each in a separate, short-lived process.

    It implements `ports.files.LogoReader`.
    """

    def __init__(self) -> None:
        self._read = FileProcess(__name__, (), LIMITS, Sentences(_TOO_LARGE, _TOO_LARGE, _NO_PICTURE))

    def __call__(self, data: bytes) -> bytes:
        """Return the small copy of an uploaded picture, which is stored as the logo.

        Raises `InvalidRequest` if the file is not a picture, or if its size is not suitable for a logo.
        """
        try:
            return self._read.one("", data, bytes)
        except InvalidRequest as refused:
            raise InvalidRequest(_SAYS[refused.message]) from None
