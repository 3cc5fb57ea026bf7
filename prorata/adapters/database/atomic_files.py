"""Files that are either complete or missing, even if the process or the power fails."""

import errno
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO


def write_whole(file: Path, write: Callable[[IO[bytes]], object], *, replace: bool) -> None:
    """Write a file completely or not at all.

    The function `write` writes to a temporary file in the same folder. Once this file is on disk, it is renamed to
    `file`. Only the file's owner may read it. Raises `FileExistsError` if the file exists and `replace` is False.
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
    """Remove temporary files of `write_whole` whose writers were killed.

    A temporary file in `folder` is removed if it was last written more than `older_than` seconds ago.
    """
    before = time.time() - older_than
    for file in folder.glob(".*.part"):
        with suppress(OSError):
            if file.stat().st_mtime < before:
                file.unlink()


def put_in_place(beside: Path, file: Path, *, replace: bool) -> None:
    """Rename the finished temporary file `beside` to `file` in one step.

    Raises `FileExistsError` if `file` exists and `replace` is False.
    """
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
    except OSError:  # a file system without hard links, such as a USB stick's
        if file.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file)) from None
        beside.rename(file)
    else:
        beside.unlink()


def sync_folder(folder: Path) -> None:
    """Write the names of a folder's files to disk, and wait until that is done."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
