"""Exports of deleted properties, kept for some days in the data directory's `deleted/`
(docs/decisions.md#deleting-a-property).
"""

import logging
from datetime import timedelta
from pathlib import Path

from prorata.adapters.database.atomic_files import write_whole
from prorata.errors import Unavailable
from prorata.ports import Clock

_log = logging.getLogger(__name__)


class FolderArchive:
    """A folder of files. Plays `ports.Archive`; with `days` of 0 it keeps nothing, and drops what it has."""

    def __init__(self, folder: Path, days: int, clock: Clock) -> None:
        self._folder = folder
        self._days = days
        self._clock = clock

    def keep(self, name: str, text: str) -> None:
        """Write `text` so that it is on the disk when this returns. Raises `errors.Unavailable` when it can't be."""
        if not self._days:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._folder / name, lambda file: file.write(text.encode()), replace=True)
        except OSError as failed:
            raise Unavailable(
                "The copy that is kept of deleted records can't be written at the moment. Nothing was deleted; "
                "try again soon."
            ) from failed

    def drop_old(self) -> int:
        """Remove what was kept longer ago than the days it is to be kept, and say how many files that were."""
        before = (self._clock() - timedelta(days=self._days)).timestamp()
        dropped = 0
        for file in self._folder.iterdir() if self._folder.is_dir() else ():
            try:
                if file.is_file() and file.stat().st_mtime < before:
                    file.unlink()
                    dropped += 1
            except OSError as failed:
                _log.warning("an old export could not be removed: %s", failed.strerror)
        return dropped
