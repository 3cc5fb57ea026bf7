"""ZIP files of bills, unpacked in a separate process into named files or problems.

The sizes that an archive states are not trusted, so the unpacked bytes are counted. Nothing is written to disk.
"""

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from prorata.adapters.files.file_process import LIMITS, FileProcess, Sentences
from prorata.adapters.limits import (
    MOST_ARCHIVE_BYTES,
    MOST_ARCHIVE_ENTRIES,
    MOST_ARCHIVE_FILES,
    MOST_ARCHIVE_UNPACKED_BYTES,
    MOST_ARCHIVED_FILE_BYTES,
)
from prorata.domain.files.file_kinds import names_in, told
from prorata.domain.texts import say
from prorata.errors import InvalidRequest, PayloadTooLarge

_CHUNK = 256 * 1024

TOO_LARGE = say(
    "A ZIP archive can be at most {megabytes} MB. Send the files in several archives.",
    megabytes=MOST_ARCHIVE_BYTES >> 20,
)
TOO_MANY = say("This archive contains more than {most} files. Send them in several archives.", most=MOST_ARCHIVE_FILES)
EMPTY = say("This archive contains no files.")
BROKEN = say("This archive is damaged or incomplete. Create it again, or send its files separately.")
_SENTENCES = Sentences(
    slow=say("Unpacking this archive takes more than {seconds} seconds. Send its files separately."),
    large=say("There is too much in this archive. Send its files separately, or in several smaller archives."),
    broken=BROKEN,
)

NESTED = say("Archives inside an archive aren’t opened. Unpack this one, and send its files.")
LOCKED = say("This file is password-protected in the archive. Unpack it, and send the file itself.")
NO_FILE = say("This is a link to another place, not a file. Put the file itself in the archive.")
ODDLY_PACKED = say(
    "This file is compressed in a way that Prorata can’t read. Use an ordinary ZIP, or send the file itself."
)
DAMAGED = say("This file is damaged in the archive. Create the archive again, or send the file itself.")
TOO_LONG = say(
    "This file unpacks to more than {megabytes} MB. Send it on its own, or split it.",
    megabytes=MOST_ARCHIVED_FILE_BYTES >> 20,
)
NOT_REACHED = say(
    "This file was not read, because the files before it take up too much space when unpacked. Send it "
    "in another archive."
)

_LOCKED_FLAG = 0x1
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_OF_SYSTEMS = ("__macosx/",)
_NAMES_OF_SYSTEMS = (".ds_store", "thumbs.db", "desktop.ini")


class PackedFile(NamedTuple):
    """One file of an archive, with its name, which may be malicious.

    It has either the file's bytes, or the problem that explains why the bytes are missing.
    """

    name: str
    data: bytes = b""
    problem: str | None = None


def in_parts(data: bytes, kind: str) -> Iterator[PackedFile]:  # noqa: ARG001 - archives are of one kind
    """Yield the files of an archive in order, each with its bytes or a problem.

    Raises `InvalidRequest` if the archive can't be opened, or contains too many files.
    """
    if len(list(names_in(data, MOST_ARCHIVE_ENTRIES + 1))) > MOST_ARCHIVE_ENTRIES:
        raise InvalidRequest(TOO_MANY)  # before a directory of a million entries is read
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise InvalidRequest(BROKEN) from None
    entries = [entry for entry in archive.infolist() if not _is_no_file(entry)]
    if not entries:
        raise InvalidRequest(EMPTY)
    if len(entries) > MOST_ARCHIVE_FILES:
        raise InvalidRequest(TOO_MANY)
    left = MOST_ARCHIVE_UNPACKED_BYTES
    for entry in entries:
        content, problem = _unpacked(archive, entry, left)
        left -= len(content)
        problem = problem or (NESTED if told("", content).kind == "zip" else None)
        yield PackedFile(entry.orig_filename, b"" if problem else content, problem)


def _is_no_file(entry: zipfile.ZipInfo) -> bool:
    name = entry.orig_filename.replace("\\", "/").lower()
    last = name.rpartition("/")[2]
    return not last or name.startswith(_OF_SYSTEMS) or last in _NAMES_OF_SYSTEMS


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> tuple[bytes, str | None]:
    """Unpack an entry within the size limits; return its bytes and any problem."""
    if entry.flag_bits & _LOCKED_FLAG:
        return b"", LOCKED
    mode = stat.S_IFMT(entry.external_attr >> 16)
    if mode not in (0, stat.S_IFREG):
        return b"", NO_FILE
    if entry.compress_type not in _PACKINGS:
        return b"", ODDLY_PACKED
    most, content = min(MOST_ARCHIVED_FILE_BYTES, left), bytearray()
    try:
        with archive.open(entry) as opened:
            while len(content) <= most and (chunk := opened.read(_CHUNK)):
                content += chunk
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
        return bytes(content), DAMAGED
    if len(content) > most:
        return bytes(content), TOO_LONG if most == MOST_ARCHIVED_FILE_BYTES else NOT_REACHED
    return bytes(content), None


class ZipProcess:
    """An unpacker of archives, each in a separate, short-lived process."""

    def __init__(self) -> None:
        self._read = FileProcess(__name__, (PackedFile,), LIMITS, _SENTENCES)

    def __call__(self, data: bytes) -> tuple[PackedFile, ...]:
        """Unpack the files of an archive, in the order of the archive.

        Raises `InvalidRequest` or `PayloadTooLarge` if the archive is not accepted, and `Unavailable` if no process
        can be started.
        """
        if len(data) > MOST_ARCHIVE_BYTES:
            raise PayloadTooLarge(TOO_LARGE)
        files = self._read("zip", data)
        if not files or not all(isinstance(file, PackedFile) for file in files):
            raise InvalidRequest(BROKEN)
        return tuple(files)
