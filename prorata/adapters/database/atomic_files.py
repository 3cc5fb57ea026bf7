"""Files that are there whole or not at all, whatever ends the process or the power while they are written."""

import errno
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO


def write_whole(file: Path, write: Callable[[IO[bytes]], object], *, replace: bool) -> None:
    """Write a file beside its place and put it there once it is on the disk; only its owner may read it.

    Raises `FileExistsError` when it is there already and is not to be replaced.
    """
    beside = file.with_name(f".{file.name}.{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600), "wb") as opened:
            write(opened)
            opened.flush()
            os.fsync(opened.fileno())
        put_in_place(beside, file, replace=replace)
    finally:
        with suppress(FileNotFoundError):
            beside.unlink()


def remove_unfinished(folder: Path, *, older_than: float) -> None:
    """Remove what was begun in a folder so many seconds ago, and never put in its place: its writer was killed."""
    before = time.time() - older_than
    for file in folder.glob(".*.part"):
        with suppress(OSError):
            if file.stat().st_mtime < before:
                file.unlink()


def put_in_place(beside: Path, file: Path, *, replace: bool) -> None:
    """Give a file that is on the disk its name, in one step. Raises `FileExistsError` where it may not replace one."""
    if replace:
        beside.replace(file)
    else:
        _link(beside, file)
    sync_folder(file.parent)


def _link(beside: Path, file: Path) -> None:
    try:
        os.link(beside, file)
    except FileExistsError:
        raise
    except OSError:  # a disk that has no links, such as a stick
        if file.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file)) from None
        beside.rename(file)
    else:
        beside.unlink()


def sync_folder(folder: Path) -> None:
    """See to it that the names in a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
