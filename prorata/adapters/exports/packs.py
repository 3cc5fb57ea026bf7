"""Packs: reproducible ZIP files with a manifest of SHA-256 hashes."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import sha256

from prorata.adapters.files.zip_damages import ZIP_DAMAGES
from prorata.adapters.limits import LARGEST_PACK
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.ports.files import MANIFEST, PackFile

_NO_DAY = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP can contain.

All files in a pack have this time, so that a pack that is made again later has the same bytes.
"""
_READABLE = 0o644 << 16


class _Pieces(io.RawIOBase):
    """A write-only file that collects the bytes written to it, and returns them once."""

    def __init__(self) -> None:
        self._held: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._held.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        held, self._held = b"".join(self._held), []
        return held


def packed(files: Iterable[PackFile]) -> Iterator[bytes]:
    """Yield the bytes of a pack, with the manifest last.

    The same files always give the same bytes. Only one file is in memory at a time.

    >>> one, other = (b"".join(packed([PackFile("index.html", b"<p>Hello")])) for _ in range(2))
    >>> one == other, [file.name for file in unpacked(one)]
    (True, ['index.html'])
    """
    pieces, sums = _Pieces(), list[str]()
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(_entry(file.name), file.content)
            sums.append(f"{sha256(file.content).hexdigest()}  {file.name}\n")
            yield pieces.taken()
        archive.writestr(_entry(MANIFEST), "".join(sorted(sums, key=lambda line: line[66:])))
    yield pieces.taken()


def _entry(name: str) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name, _NO_DAY)
    made.compress_type, made.external_attr = zipfile.ZIP_DEFLATED, _READABLE
    return made


def unpacked(data: bytes) -> list[PackFile]:
    """Check a pack against its manifest, and return its other files.

    Raises `InvalidRequest` if the data is not a ZIP file or was truncated, or if a file is missing, changed or not
    in the manifest.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(zip_info.file_size for zip_info in archive.infolist()) > LARGEST_PACK:
                raise InvalidRequest(say("The file unpacks to more than a gigabyte, so it is not a pack from Prorata."))
            contents = {name: archive.read(name) for name in archive.namelist()}
    except ZIP_DAMAGES:
        raise InvalidRequest(say("The file is not a ZIP file, or was cut off or changed in transit.")) from None
    manifest = contents.pop(MANIFEST, None)
    if manifest is None:
        raise InvalidRequest(say("The pack's manifest, the file “{name}”, is missing.", name=MANIFEST))
    digests = {line[66:]: line[:64] for line in manifest.decode(errors="replace").splitlines()}
    for name in sorted(digests.keys() | contents.keys()):
        if name not in contents:
            raise InvalidRequest(
                say(
                    "The file “{name}” is listed in the manifest, but missing from the pack. Get a complete copy of "
                    "the pack.",
                    name=name,
                )
            )
        if sha256(contents[name]).hexdigest() != digests.get(name):
            raise InvalidRequest(say("The file “{name}” doesn’t match the manifest.", name=name))
    return [PackFile(name, content) for name, content in contents.items()]
