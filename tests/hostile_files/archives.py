"""ZIP archives written byte by byte, so that they can make false claims."""

import struct
import zlib
from collections.abc import Sequence
from typing import NamedTuple

STORED, DEFLATED = 0, 8
A_LINK = 0o120777 << 16


class Entry(NamedTuple):
    """An entry: its name, its stored bytes, and its claims if they differ."""

    name: bytes
    packed: bytes
    method: int = STORED
    size: int | None = None
    claimed_packed: int | None = None
    crc: int = 0
    flags: int = 0
    attributes: int = 0
    at: int | None = None


def entry(name: str, content: bytes, *, packing: bool = True) -> Entry:
    """An honest entry."""
    crc = zlib.crc32(content)
    if not packing:
        return Entry(name.encode(), content, size=len(content), crc=crc)
    return Entry(name.encode(), raw_deflated(content), DEFLATED, len(content), crc=crc)


def raw_deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def endless(size: int, piece: bytes = bytes(1_000_000), *, wrapped: bool = False) -> bytes:
    """Return data that unpacks to `piece` again and again, `size` bytes in all.

    The piece is packed once, and its packed bytes are repeated. If `wrapped`, the data has the form used in PDFs, with
    a wrong checksum at its end.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    made = first + again * (size // len(piece) - 1) + packer.flush()
    return b"\x78\xda" + made + bytes(4) if wrapped else made


def bomb(name: str, size: int, claimed: int | None = None, piece: bytes = bytes(1_000_000)) -> Entry:
    """An entry that unpacks to `size` bytes, whatever it claims."""
    return Entry(name.encode(), endless(size, piece), DEFLATED, size if claimed is None else claimed)


def zip_of(
    entries: Sequence[Entry],
    *,
    times: int = 1,
    count: int | None = None,
    directory: int | None = None,
    tail: bytes = b"",
) -> bytes:
    """An archive of these entries.

    Its directory lists each of them `times` times, or claims another count or length.
    """
    made, listed = bytearray(), bytearray()
    for one in entries:
        at = len(made) if one.at is None else one.at
        size = len(one.packed) if one.size is None else one.size
        packed = len(one.packed) if one.claimed_packed is None else one.claimed_packed
        about = struct.pack(
            "<5H3I2H",
            20,
            one.flags,
            one.method,
            0,
            0x21,
            one.crc,
            packed & 0xFFFFFFFF,
            size & 0xFFFFFFFF,
            len(one.name),
            0,
        )
        if one.at is None:
            made += b"PK\x03\x04" + about + one.name + one.packed
        listed += (
            b"PK\x01\x02"
            + struct.pack("<H", 20 | 3 << 8)
            + about
            + struct.pack("<3H2I", 0, 0, 0, one.attributes, at)
            + one.name
        )
    listed *= times
    number = min(len(entries) * times, 0xFFFF) if count is None else count
    length = len(listed) if directory is None else directory
    end = b"PK\x05\x06" + struct.pack("<4H2IH", 0, 0, number, number, length & 0xFFFFFFFF, len(made), 0)
    return bytes(made + listed + end) + tail


def honest(**contents: bytes) -> bytes:
    """An honest archive of files by name, where `_` stands for the dot."""
    return zip_of([entry(name.replace("_", "."), content) for name, content in contents.items()])
