"""The lock for writing to an SQLite file, first come, first served.

The lock works across threads and processes.

There are two lock files: the holder of one may write, and the holder of the other is next. Only the process that is
next may wait for the right to write, so a process that writes again and again does not get this right twice in a
row while others wait. The other processes wait in the operating system's queue for the second lock. The operating
system releases both locks when a process ends. A wait for a lock can't be interrupted, so a separate thread waits
for it. A caller that has waited long enough gives up, while the thread goes on waiting.
"""

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prorata.store.database.engine import too_busy
from prorata.store.database.schema_state import gone


class Turn:
    """The right to write to a file, with lock files beside the file."""

    def __init__(self, path: Path) -> None:
        self._files = [path.with_name(path.name + end) for end in ("-lock", "-line")]
        self._waiting: list[threading.Event] = []
        self._guard = threading.Lock()
        self._place: _Place | None = None

    @contextmanager
    def taken(self, patience: float) -> Iterator[None]:
        """Hold the right to write during the block, waiting for it up to `patience` seconds.

        Raises `Unavailable` if the wait would be longer.
        """
        deadline = time.monotonic() + patience
        ticket = threading.Event()
        with self._guard:
            self._waiting.append(ticket)
            if self._waiting[0] is ticket:
                ticket.set()
        try:
            if not ticket.wait(patience):
                raise too_busy()
            with self._alone(deadline):
                yield
        finally:
            with self._guard:
                self._waiting.remove(ticket)
                if self._waiting:
                    self._waiting[0].set()

    @contextmanager
    def _alone(self, deadline: float) -> Iterator[None]:
        """Keep other processes from writing during the block, after waiting for the right to write.

        Only one thread of this process may call this at a time. Raises `Unavailable` if the right to write is not
        free before `deadline`.
        """
        place = self._kept_place() or _Place(*self._files)
        if not place.is_first:
            self._place = place
            if not place.comes_until(deadline):
                raise too_busy()
            self._place = None
        try:
            yield
        finally:
            place.leave()

    def _kept_place(self) -> "_Place | None":
        """Return the place in the queue that an earlier caller in this process gave up.

        With it, the process need not queue again. Return None if there is no such place.
        """
        kept, self._place = self._place, None
        return kept if kept is not None and kept.is_wanted_again() else None


class _Place:
    """The place of this process in the queue of processes that want to write."""

    def __init__(self, lock_file: Path, line_file: Path) -> None:
        self._guard = threading.Lock()
        self._came = threading.Event()
        self._is_wanted = True
        self._failed: OSError | None = None
        self._lock, self._line = _open(lock_file), -1
        try:
            self._line = _open(line_file)
            is_next = _locked_at_once(self._line)
            self.is_first = is_next and _locked_at_once(self._lock)
        except BaseException:
            self.leave()
            raise
        if self.is_first:
            self._let_next()
        else:
            threading.Thread(target=self._wait, name="turn to write", daemon=True).start()

    def comes_until(self, deadline: float) -> bool:
        """Wait for the right to write; return False if the deadline passes first."""
        try:
            self._came.wait(max(0.0, deadline - time.monotonic()))
        except BaseException:  # interrupted: those behind this one need not wait for it
            if self._is_still_wanted():
                self.leave()
            raise
        if self._is_still_wanted() and self._failed is not None:
            self.leave()
            raise gone() from self._failed
        return self._is_wanted

    def _is_still_wanted(self) -> bool:
        with self._guard:
            self._is_wanted = self._came.is_set()
            return self._is_wanted

    def is_wanted_again(self) -> bool:
        """Claim this place again after a caller gave it up.

        Return False if it is too late, because the place has already reached the head of the queue.
        """
        with self._guard:
            self._is_wanted = not self._came.is_set()
            return self._is_wanted

    def leave(self) -> None:
        """Release the locks that the place holds, so that the next process can write."""
        self._let_next()
        os.close(self._lock)

    def _wait(self) -> None:
        try:
            fcntl.flock(self._line, fcntl.LOCK_EX)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        except OSError as failed:
            self._failed = failed
        self._let_next()
        with self._guard:
            self._came.set()
            if not self._is_wanted:
                self.leave()

    def _let_next(self) -> None:
        if self._line != -1:
            os.close(self._line)
            self._line = -1


def _open(file: Path) -> int:
    try:
        return os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as failed:
        raise gone() from failed


def _locked_at_once(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as failed:
        raise gone() from failed
    return True
