"""Deletion of old exports and outbox messages after their retention periods.

The exports contain the data of deleted properties. They are stored in the data directory's folder `deleted`
(docs/decisions.md#deleting-a-property).
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from prorata.adapters.database.atomic_files import write_whole
from prorata.adapters.database.erasure_list import DELETED, ErasureList
from prorata.errors import Unavailable
from prorata.ports import Clock, Erased
from prorata.settings import OUTBOX

_log = logging.getLogger(__name__)


class FolderArchive:
    """The folders of a data directory for exports and outgoing messages; implements `ports.Archive`.

    Exports are kept for `days`; if `days` is 0, they are not kept at all. Messages in the outbox folder are kept
    for `outbox_days`; if `outbox_days` is 0, they are kept forever.
    """

    def __init__(self, data_dir: Path, days: int, outbox_days: int, clock: Clock) -> None:
        self._folder = data_dir / DELETED
        self._outbox = data_dir / OUTBOX
        self._days = days
        self._outbox_days = outbox_days
        self._clock = clock
        self._erasures = ErasureList(data_dir)

    def erased(self, erased: Erased, named: Sequence[str]) -> None:
        """Add an erased tenant to the erasure list, and remove the tenant's files.

        The files removed are those whose names contain one of the ids in `named`. Raises `errors.Unavailable` if
        the list can't be written or a file can't be removed.
        """
        self._erasures.add(erased, named)

    def keep(self, name: str, text: str) -> None:
        """Store the export `text` as the file `name`, and return once it is on disk.

        Raises `errors.Unavailable` if the file can't be written.
        """
        if not self._days:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._folder / name, lambda file: file.write(text.encode()), replace=True)
        except OSError as failed:
            raise Unavailable(
                "Prorata's copy of the deleted records can't be written at the moment. Nothing was deleted; try "
                "again soon."
            ) from failed

    def drop_old(self) -> int:
        """Remove exports and outbox messages that are too old; return the number removed."""
        dropped = self._drop(self._folder, self._days)
        return dropped + (self._drop(self._outbox, self._outbox_days) if self._outbox_days else 0)

    def _drop(self, folder: Path, days: int) -> int:
        before = (self._clock() - timedelta(days=days)).timestamp()
        dropped = 0
        for file in folder.iterdir() if folder.is_dir() else ():
            try:
                if file.is_file() and file.stat().st_mtime < before:
                    file.unlink()
                    dropped += 1
            except OSError as failed:
                _log.warning("an old file could not be removed: %s", failed.strerror)
        return dropped
