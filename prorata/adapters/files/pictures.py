"""Photos and scans as JPEG and PNG, opened by Pillow and turned upright.

The size in pixels is read before a picture is unpacked; if it is too large, the picture is refused. This code runs in a
separate process, which ends when the picture is read.
"""

import io
import warnings
from typing import TYPE_CHECKING

from PIL import Image, ImageOps, UnidentifiedImageError

from prorata.adapters.limits import FEWEST_PIXELS, LONGEST_SHAPE, MOST_PIXELS
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.texts import say
from prorata.errors import InvalidRequest

if TYPE_CHECKING:
    pass

PAGE_SIDE = 8_420
"""The longer side of the page made from a picture, in tenths of a point.

It is the longer side of A4.
"""

BROKEN = say("This picture is damaged or incomplete. Save it again, or photograph the bill again.")
TOO_MANY_PIXELS = say(
    "This picture has far more pixels than a page needs. Save it smaller: a height of about 2,500 pixels is enough."
)
TOO_SMALL = say("This picture is too small for the bill to be read. Photograph the whole page, or scan it at 200 dpi.")
ODD_SHAPE = say("This picture is far longer than a page. Send each page as a separate picture.")


def opened(content: bytes, longest: int) -> Image.Image:
    """Open a picture, turn it upright, and convert it to RGB.

    The picture is shrunk if its longer side has more than `longest` pixels. Raises `InvalidRequest` if the picture
    is damaged, or if its size is not that of a page.
    """
    try:
        with warnings.catch_warnings(action="ignore"), _begun(content) as picture:
            _refuse_sizes(picture)
            picture.draft("RGB", (longest, longest))  # a JPEG is decoded no larger than needed
            picture.load()
            upright: Image.Image = ImageOps.exif_transpose(_smaller(picture, longest))
            return on_white(upright)
    except (OSError, SyntaxError, ValueError, EOFError, ArithmeticError, LookupError, TypeError):
        raise InvalidRequest(BROKEN) from None


def page_of(content: bytes) -> Page:
    """Build the page for a picture: its number and size, but no words yet.

    Raises `InvalidRequest` if the picture can't be opened.
    """
    width, height = opened(content, FEWEST_PIXELS * LONGEST_SHAPE).size
    return Page(1, *page_size(width, height), ())


def page_size(width: int, height: int) -> tuple[int, int]:
    """Return the page size for a picture's size in pixels.

    The page has the shape of the picture, and its longer side is `PAGE_SIDE`, in tenths of a point.

    >>> page_size(1000, 2000), page_size(3508, 2480)
    ((4210, 8420), (8420, 5952))
    """
    longer = max(width, height)
    return max(1, width * PAGE_SIDE // longer), max(1, height * PAGE_SIDE // longer)


def _begun(content: bytes) -> Image.Image:
    try:
        return Image.open(io.BytesIO(content), formats=("JPEG", "PNG"))
    except Image.DecompressionBombError:
        raise InvalidRequest(TOO_MANY_PIXELS) from None
    except UnidentifiedImageError:
        raise InvalidRequest(BROKEN) from None


def _refuse_sizes(picture: Image.Image) -> None:
    shorter, longer = sorted(picture.size)
    if shorter * longer > MOST_PIXELS["PNG" if picture.format == "PNG" else "JPEG"]:
        raise InvalidRequest(TOO_MANY_PIXELS)
    if shorter < FEWEST_PIXELS:
        raise InvalidRequest(TOO_SMALL)
    if longer > LONGEST_SHAPE * shorter:
        raise InvalidRequest(ODD_SHAPE)


def _smaller(picture: Image.Image, longest: int) -> Image.Image:
    """Shrink a picture to the wanted size before the picture is converted to RGB.

    Converting a large picture would take more memory.
    """
    if picture.mode in ("1", "P"):
        picture = picture.convert("RGBA" if "transparency" in picture.info else "RGB")
    if max(picture.size) > longest:
        picture.thumbnail((longest, longest), Image.Resampling.LANCZOS, reducing_gap=2.0)
    if picture.mode.startswith("I"):  # 16 bits a pixel
        picture = picture.convert("I").point(lambda shade: shade / 257).convert("L")
    return picture


def on_white(picture: Image.Image) -> Image.Image:
    """Put a picture on a white background, without transparency."""
    if picture.mode in ("RGBA", "LA", "PA", "La", "RGBa"):
        seen = picture.convert("RGBA")
        paper = Image.new("RGBA", seen.size, "white")
        paper.alpha_composite(seen)
        return paper.convert("RGB")
    return picture.convert("RGB")
