"""A writer of winmail.dat files: as Outlook writes them, and as nobody should."""

import struct

SIGNATURE = b"\x78\x9f\x3e\x22"
MESSAGE = bytes.fromhex("0703020000000000c000000000000046")
CODE_PAGE = struct.pack("<II", 1252, 0)
OF_MESSAGE, OF_FILE = 1, 2


def attribute(level: int, number: int, value: bytes, checksum: int | None = None) -> bytes:
    checked = sum(value) & 0xFFFF if checksum is None else checksum
    return struct.pack("<BII", level, number, len(value)) + value + struct.pack("<H", checked)


def padded(value: bytes) -> bytes:
    return value + bytes(-len(value) % 4)


def varying(number: int, kind: int, *values: bytes) -> bytes:
    head = struct.pack("<HHI", kind | (0x1000 if len(values) > 1 else 0), number, len(values))
    return head + b"".join(struct.pack("<I", len(value)) + padded(value) for value in values)


def fixed(number: int, kind: int, value: bytes) -> bytes:
    return struct.pack("<HH", kind, number) + padded(value)


def named(number: int, kind: int, name: str | int, value: bytes) -> bytes:
    """A property whose number means what its name says."""
    wide = name.encode("utf-16le") if isinstance(name, str) else b""
    says = struct.pack("<II", 1, len(wide)) + padded(wide) if isinstance(name, str) else struct.pack("<II", 0, name)
    return struct.pack("<HH", kind, number) + bytes(16) + says + padded(value)


def properties(*each: bytes) -> bytes:
    return struct.pack("<I", len(each)) + b"".join(each)


def file(name: str, content: bytes, *, long_name: str = "", is_hidden: bool = False, object_: bytes = b"") -> bytes:
    said = [fixed(0x3705, 0x0003, struct.pack("<I", 5 if object_ else 1)), named(0x8001, 0x0003, "Some name", bytes(4))]
    said += [
        named(0x8002, 0x000B, 7, b"\x01"),
        fixed(0x0E21, 0x0014, bytes(8)),
        varying(0x3712, 0x101E, b"a\0", b"b\0"),
    ]
    if long_name:
        said.append(varying(0x3707, 0x001F, long_name.encode("utf-16le") + b"\0\0"))
    if is_hidden:
        said.append(fixed(0x7FFE, 0x000B, b"\x01\x00"))
    if object_:
        said.append(varying(0x3701, 0x000D, MESSAGE + object_))
    parts = [attribute(OF_FILE, 0x00069002, bytes(14)), attribute(OF_FILE, 0x00018010, name.encode("cp1252") + b"\0")]
    if not object_:
        parts.append(attribute(OF_FILE, 0x0006800F, content))
    return b"".join((*parts, attribute(OF_FILE, 0x00069005, properties(*said))))


def stream(*files: bytes) -> bytes:
    head = attribute(OF_MESSAGE, 0x00089006, b"\x00\x00\x01\x00") + attribute(OF_MESSAGE, 0x00069007, CODE_PAGE)
    return SIGNATURE + b"\x01\x00" + head + b"".join(files)
