"""Logos are stored small, and without anything else that was in their file.

A file that is no logo is refused.
"""

import io
import struct
import zlib
from random import Random

import pytest
from PIL import Image

from prorata.adapters.files.logos import LogoProcess
from prorata.adapters.limits import LARGEST_LOGO, LONGEST_LOGO_SIDE
from prorata.errors import InvalidRequest

READ = LogoProcess()
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30"/></svg>'


def picture(width: int, height: int, mode: str = "RGB", color: object = 0, kind: str = "PNG") -> bytes:
    made = io.BytesIO()
    Image.new(mode, (width, height), color).save(made, kind)  # type: ignore[arg-type]
    return made.getvalue()


def bomb() -> bytes:
    """A PNG file of a few kilobytes whose header claims 900 million pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(9_000)))
        + chunk(b"IEND", b"")
    )


def kept(content: bytes) -> Image.Image:
    found = Image.open(io.BytesIO(READ(content)))
    assert found.format == "PNG"
    return found


def test_a_drawing_keeps_its_size_and_what_shows_through_is_white():
    found = kept(picture(300, 100, "RGBA", (200, 0, 0, 0)))
    assert (found.size, found.mode, found.getpixel((5, 5))) == ((300, 100), "RGB", (255, 255, 255))


def test_a_large_picture_is_made_smaller_in_its_shape():
    assert kept(picture(4_000, 1_000, kind="JPEG")).size == (LONGEST_LOGO_SIDE, LONGEST_LOGO_SIDE // 4)


def test_a_photo_is_kept_within_its_bytes():
    noise = io.BytesIO()
    Image.frombytes("RGB", (900, 900), Random(1).randbytes(900 * 900 * 3)).save(noise, "JPEG", quality=95)
    small = READ(noise.getvalue())
    assert len(small) <= LARGEST_LOGO
    assert Image.open(io.BytesIO(small)).width > 100


def test_nothing_else_of_the_file_is_kept():
    held = picture(100, 100) + b"<script>alert(1)</script>"
    assert b"script" not in READ(held)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "picture can’t be read"), (b"no picture", "picture can’t be read"), (SVG, "picture can’t be read"),
        (picture(100, 100)[:60], "picture can’t be read"), (picture(100, 100, kind="GIF"), "picture can’t be read"),
        (bomb(), "far larger"), (picture(31, 100), "too small"), (picture(1_000, 90), "far too long"),
    ],
)  # fmt: skip
def test_what_can_be_no_logo_is_refused_with_what_to_do(content, why):
    with pytest.raises(InvalidRequest, match=why):
        READ(content)
