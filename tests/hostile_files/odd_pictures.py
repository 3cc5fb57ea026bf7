"""Pictures that harm the programs that open them, each with the message that refuses it."""

import io
import struct
import zlib
from collections.abc import Callable, Mapping

from PIL import Image

NO_TEXT, DAMAGED = "file contains a picture of a bill, but no text", "picture is damaged or incomplete"
TOO_MANY, TOO_SMALL, TOO_LONG = (
    "far more pixels than a page needs",
    "too small for the bill to be read",
    "far longer than a page",
)
SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, COLOURS, PALETTE, SEEN_THROUGH = 0, 2, 3, 6
_BYTES = {GREY: 1, COLOURS: 3, PALETTE: 1, SEEN_THROUGH: 4}

Make = Callable[[], bytes]


def photo(kind: str, width: int = 600, height: int = 800, **how: object) -> bytes:
    """An honest picture of a gradient."""
    made = io.BytesIO()
    Image.linear_gradient("L").resize((width, height)).convert(str(how.pop("mode", "RGB"))).save(made, kind, **how)
    return made.getvalue()


def chunk(kind: bytes, data: bytes, *, check: int | None = None) -> bytes:
    told = zlib.crc32(kind + data) if check is None else check
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", told)


def zeros(count: int) -> bytes:
    """`count` zero bytes, compressed."""
    packing, made = zlib.compressobj(6), bytearray()
    block = bytes(1_000_000)
    while count > 0:
        made += packing.compress(block[:count])
        count -= len(block)
    return bytes(made + packing.flush())


def png(
    width: int, height: int, *, colour: int = COLOURS, depth: int = 8, pixels: bytes | None = None, before: bytes = b"",
    woven: int = 0, end: bool = True,
) -> bytes:  # fmt: skip
    """A PNG that claims this size.

    If no pixels are given, it has all of its pixels, and they are black.
    """
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, woven)
    if pixels is None:
        pixels = zeros(height * (1 + width * _BYTES[colour] * depth // 8))
    last = chunk(b"IEND", b"") if end else b""
    return SIGNATURE + chunk(b"IHDR", header) + before + chunk(b"IDAT", pixels) + last


def jpeg_that_says(width: int, height: int) -> bytes:
    """A small JPEG whose header claims another size."""
    whole = bytearray(photo("JPEG"))
    at = whole.index(b"\xff\xc0")
    whole[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(whole)


def with_scans(times: int) -> bytes:
    """A picture of nine million pixels that is drawn again and again."""
    made = io.BytesIO()
    Image.new("L", (3_000, 3_000), 128).save(made, "JPEG", progressive=True)
    whole = made.getvalue()
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * times + whole[-2:]


def with_exif(told: bytes) -> bytes:
    """A JPEG with the given Exif data."""
    whole, segment = photo("JPEG"), b"Exif\x00\x00" + told
    return whole[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + whole[2:]


def ring_of_exif() -> bytes:
    """Exif data in which a list of facts continues with itself."""
    return b"MM\x00\x2a\x00\x00\x00\x08\x00\x01\x87\x69\x00\x04\x00\x00\x00\x01\x00\x00\x00\x08\x00\x00\x00\x08"


PNG: Mapping[str, tuple[str | None, Make]] = {
    "an honest one": (NO_TEXT, lambda: photo("PNG")),
    "a bomb of 900 million pixels": (TOO_MANY, lambda: png(30_000, 30_000, pixels=zeros(50_000_000))),
    "2,147,483,647 pixels a side": (TOO_MANY, lambda: png(2**31 - 1, 2**31 - 1, pixels=zeros(1000))),
    "4,294,967,295 pixels a side": (f"{TOO_MANY}|{DAMAGED}", lambda: png(2**32 - 1, 2**32 - 1, pixels=zeros(1000))),
    "as many pixels as may be": (NO_TEXT, lambda: png(5_000, 5_900)),
    "as many pixels as may be, of 64 bits": (
        f"{NO_TEXT}|too much memory",
        lambda: png(5_000, 5_900, colour=SEEN_THROUGH, depth=16),
    ),
    "as many pixels as may be, woven": (f"{NO_TEXT}|{DAMAGED}", lambda: png(5_000, 5_900, woven=1)),
    "no pixel": (f"{DAMAGED}|{TOO_SMALL}", lambda: png(0, 0, pixels=zeros(1))),
    "one pixel": (TOO_SMALL, lambda: png(1, 1)),
    "a line of 50,000 pixels": (TOO_LONG, lambda: png(50_000, 210)),
    "no pixels for its size": (DAMAGED, lambda: png(2_000, 2_000, pixels=zeros(1_000))),
    "far more pixels than its size": (f"{NO_TEXT}|{DAMAGED}", lambda: png(300, 300, pixels=zeros(100_000_000))),
    "noise for pixels": (DAMAGED, lambda: png(300, 300, pixels=bytes(range(256)) * 40)),
    "a header alone": (DAMAGED, lambda: SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 300, 300, 8, 2, 0, 0, 0))),
    "a header with a wrong sum": (DAMAGED, lambda: SIGNATURE + chunk(b"IHDR", bytes(13), check=1)),
    "no end": (f"{NO_TEXT}|{DAMAGED}", lambda: png(300, 300, end=False)),
    "a palette that is not there": (f"{NO_TEXT}|{DAMAGED}", lambda: png(300, 300, colour=PALETTE)),
    "colours of no kind": (DAMAGED, lambda: png(300, 300, colour=PALETTE, depth=16, pixels=zeros(400_000))),
    "a text of 100 MB": (
        f"{NO_TEXT}|{DAMAGED}",
        lambda: png(300, 300, before=chunk(b"zTXt", b"Comment\0\0" + zeros(100_000_000))),
    ),
    "colours described in 100 MB": (
        f"{NO_TEXT}|{DAMAGED}",
        lambda: png(300, 300, before=chunk(b"iCCP", b"x\0\0" + zeros(100_000_000))),
    ),
    "300,000 notes": (f"{NO_TEXT}|{DAMAGED}", lambda: png(300, 300, before=chunk(b"tEXt", b"a\0b") * 300_000)),
    "a film of 4,294,967,295 pictures": (
        f"{NO_TEXT}|{DAMAGED}",
        lambda: png(300, 300, before=chunk(b"acTL", b"\xff" * 8)),
    ),
    "a part of 2 GB": (DAMAGED, lambda: SIGNATURE + struct.pack(">I", 2**31 - 1) + b"IHDR" + bytes(100)),
    "a web page within": (
        NO_TEXT,
        lambda: png(300, 300, before=chunk(b"tEXt", b"a\0<script>alert(1)</script>")),
    ),
}

JPEG: Mapping[str, tuple[str | None, Make]] = {
    "an honest one": (NO_TEXT, lambda: photo("JPEG")),
    "an honest one in shades of grey": (NO_TEXT, lambda: photo("JPEG", mode="L")),
    "an honest one in the colours of print": (NO_TEXT, lambda: photo("JPEG", mode="CMYK")),
    "an honest one of 48 million pixels": (NO_TEXT, lambda: photo("JPEG", 6_000, 8_000)),
    "65,500 pixels a side": (TOO_MANY, lambda: jpeg_that_says(65_500, 65_500)),
    "far more pixels than it has": (f"{NO_TEXT}|{DAMAGED}", lambda: jpeg_that_says(5_000, 6_000)),
    "no height": (f"{DAMAGED}|{TOO_SMALL}", lambda: jpeg_that_says(600, 0)),
    "no size": (f"{DAMAGED}|{TOO_SMALL}", lambda: jpeg_that_says(0, 0)),
    "eight pixels": (TOO_SMALL, lambda: photo("JPEG", 8, 8)),
    "a line of 30,000 pixels": (TOO_LONG, lambda: photo("JPEG", 30_000, 250)),
    "a beginning alone": (DAMAGED, lambda: b"\xff\xd8\xff\xe0" + bytes(100)),
    "noise behind a beginning": (DAMAGED, lambda: b"\xff\xd8\xff" + bytes(range(256)) * 100),
    "65,000 empty parts": (DAMAGED, lambda: b"\xff\xd8" + b"\xff\xe0\x00\x02" * 65_000),
    "a way up that is none": (
        NO_TEXT,
        lambda: with_exif(b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x63\0\0\0\0\0\0"),
    ),
    "facts that go on with themselves": (NO_TEXT, lambda: with_exif(ring_of_exif())),
    "facts cut off": (NO_TEXT, lambda: with_exif(b"MM\x00\x2a\x00\x00\x00\x08\xff\xff")),
    "noise for facts": (NO_TEXT, lambda: with_exif(bytes(range(256)) * 200)),
    "a program behind it": (NO_TEXT, lambda: photo("JPEG") + b"MZ\x90\x00" * 1000),
}

DEADLY: Mapping[str, tuple[str, Make]] = {
    "nine million pixels drawn 20,000 times over": ("takes more than 1 seconds", lambda: with_scans(20_000)),
}
