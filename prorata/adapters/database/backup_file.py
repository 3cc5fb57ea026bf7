"""A backup: one tar file with the database, the documents and, last, a manifest.

The manifest lists the database and the documents with their hashes. It is the last part, so that a truncated file is
recognized. The backup does not contain the secret.
"""

import io
import json
import os
import re
import tarfile
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, Literal, NamedTuple

from prorata.adapters.database.atomic_files import write_whole
from prorata.adapters.limits import LARGEST_BACKUP_LIST

Kind = Literal["sqlite", "postgresql"]
DATABASE_NAMES: dict[Kind, str] = {"sqlite": "database.sqlite3", "postgresql": "database.pgdump"}
DOCUMENTS = "documents"
_LIST = "prorata-backup.json"
_FORMAT = 1
_CHUNK = 1024 * 1024
_NAME = re.compile(r"(?:database\.(?:sqlite3|pgdump)|documents(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)+)", re.ASCII)


class NotABackup(Exception):
    """Raised if a file is not a backup of Prorata, or is incomplete.

    The error's message is a sentence for people.
    """


class Contents(NamedTuple):
    """The header of a backup: the kind of its database, its date, and its origin.

    `made_at` is the time of the backup in UTC, `version` Prorata's version, and `files` the number of files in it.
    """

    kind: Kind
    made_at: str
    version: str
    files: int


class _Hashed:
    """A file being read, with the hash of the bytes read so far."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._hash = sha256()

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes of the file."""
        data = self._source.read(size)
        self._hash.update(data)
        return data

    @property
    def hexdigest(self) -> str:
        """Return the hash of the bytes read so far, in hexadecimal."""
        return self._hash.hexdigest()


def write_backup(
    file: Path, kind: Kind, database: Path, documents: Path, *, made_at: datetime, version: str
) -> Contents:
    """Write a backup with a database and the folder of documents to a new file.

    `database` is a file with a copy of the database. The folder `documents` need not exist. Raises `FileExistsError` if
    `file` exists.
    """
    contents = Contents(kind, f"{made_at:%Y-%m-%dT%H:%M:%SZ}", version, 0)

    def write(opened: IO[bytes]) -> None:
        nonlocal contents
        listed: dict[str, dict[str, object]] = {}
        with tarfile.open(fileobj=opened, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, source in _sources(kind, database, documents):
                listed[name] = _add(archive, name, source)
            contents = contents._replace(files=len(listed))
            written = {"format": _FORMAT, **contents._asdict(), "files": listed}
            _add_bytes(archive, _LIST, json.dumps(written, indent=1).encode())

    write_whole(file, write, replace=False)
    return contents


def _sources(kind: Kind, database: Path, documents: Path) -> Iterator[tuple[str, Path]]:
    yield DATABASE_NAMES[kind], database
    for path in sorted(documents.rglob("*")) if documents.is_dir() else ():
        name = f"{DOCUMENTS}/{path.relative_to(documents).as_posix()}"
        if path.is_file() and _NAME.fullmatch(name):  # unfinished files have names that begin with a dot
            yield name, path


def _add(archive: tarfile.TarFile, name: str, source: Path) -> dict[str, object]:
    with source.open("rb") as opened:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = opened.seek(0, 2), 0o600
        entry.mtime = int(source.stat().st_mtime)
        opened.seek(0)
        hashed = _Hashed(opened)
        archive.addfile(entry, hashed)
    return {"size": entry.size, "sha256": hashed.hexdigest}


def _add_bytes(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), 0o600
    archive.addfile(entry, io.BytesIO(data))


def unpack_backup(file: Path, kind: Kind, database: Path, documents: Path) -> Contents:
    """Unpack a backup's database and documents, and compare their hashes with its manifest.

    `database` and `documents` are the paths to which they are unpacked. Raises `NotABackup` if the file is not a
    backup, is incomplete or changed, or is for another kind of database.
    """
    contents: dict[str, dict[str, object]] = {}
    listed = None
    try:
        with tarfile.open(file, mode="r:") as archive:
            for entry in archive:
                opened = archive.extractfile(entry) if entry.isreg() else None
                if opened is None:
                    raise NotABackup(_NONE)
                if entry.name == _LIST and entry.size <= LARGEST_BACKUP_LIST:
                    listed = json.load(opened)
                    break
                place = _place(entry.name, kind, database, documents)
                contents[entry.name] = {"size": entry.size, "sha256": _unpack(opened, place)}
    except (tarfile.TarError, EOFError, ValueError):
        raise NotABackup(_NONE) from None
    if not isinstance(listed, dict) or listed.get("format") != _FORMAT:
        raise NotABackup(_NONE)
    if not all(isinstance(listed.get(name), kind_of) for name, kind_of in _SAYS.items()):
        raise NotABackup(
            "This backup is damaged: its manifest must list its contents, and state when and by which version it "
            "was made."
        )
    if listed["files"] != contents or DATABASE_NAMES[kind] not in contents:
        raise NotABackup("This backup is damaged: its contents don't match its manifest.")
    return Contents(listed["kind"], listed["made_at"], listed["version"], len(contents))


_SAYS = {"kind": str, "made_at": str, "version": str, "files": dict}
_NONE = "This file is not a Prorata backup, or is incomplete."


def _place(name: str, kind: Kind, database: Path, documents: Path) -> Path:
    if name == DATABASE_NAMES[kind]:
        return database
    if name in DATABASE_NAMES.values():
        raise NotABackup(
            "This is a backup of a different kind of database. Restore it where PRORATA_DATABASE_URL points to a "
            "database of the same kind."
        )
    if not _NAME.fullmatch(name):
        raise NotABackup(_NONE)
    return documents / name.removeprefix(f"{DOCUMENTS}/")


def _unpack(opened: IO[bytes], place: Path) -> str:
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    hashed = _Hashed(opened)
    with os.fdopen(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600), "wb") as written:
        while chunk := hashed.read(_CHUNK):
            written.write(chunk)
        written.flush()
        os.fsync(written.fileno())
    return hashed.hexdigest
