"""Locks on files and data directories.

The operating system releases a lock when the process that holds it ends in any way.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FILE_NAME = "serve.lock"
_held: set[Path] = set()
"""The directories that this process has locked."""


class Taken(Exception):
    """Raised if another process has locked the directory."""


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Lock a directory during the block; create the directory if it is missing.

    Raises `Taken` if another process has locked the directory. If this process has already locked it, it is not
    locked again.
    """
    if folder.absolute() in _held:
        yield
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(folder / FILE_NAME, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Taken from None
        _held.add(folder.absolute())
        yield
    finally:
        _held.discard(folder.absolute())
        os.close(handle)


@contextmanager
def beside_others(file: Path, when_alone: Callable[[], object]) -> Iterator[None]:
    """Hold a shared lock on a file during the block.

    If no other process holds the lock, `when_alone` is called first; other processes that want the lock wait until it
    returns.
    """
    handle = os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        with suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            when_alone()
        fcntl.flock(handle, fcntl.LOCK_SH)
        yield
    finally:
        os.close(handle)
