"""The list of erased tenants, stored beside the database, and the removal of their files."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from prorata.errors import Unavailable
from prorata.ports import Erased
from prorata.settings import OUTBOX

NAME = "erasures.jsonl"
"""The name of the file in the data directory with a line for each erasure.

A line contains ids and the time of the erasure, but no names.
"""

DELETED = "deleted"
"""The name of the folder with the exports of deleted properties."""


class ErasureList:
    """The list of erasures in a data directory, and the folders there with tenants' files."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / NAME
        self._folders = (data_dir / OUTBOX, data_dir / DELETED)

    def add(self, erased: Erased, named: Sequence[str]) -> None:
        """Add an erasure to the list, and remove the erased tenant's files.

        The files removed are the outbox files and exports whose names contain one of the ids in `named`. The list
        is on disk when this returns. Raises `Unavailable` if the list can't be written or a file can't be removed.
        """
        try:
            for folder in self._folders:
                for file in folder.iterdir() if folder.is_dir() else ():
                    if any(record_id in file.name for record_id in named):
                        file.unlink(missing_ok=True)
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "ab") as opened:
                opened.write(json.dumps(erased._asdict()).encode() + b"\n")
                opened.flush()
                os.fsync(opened.fileno())
        except OSError as failed:
            raise Unavailable(
                "The list of erased tenants can't be written at the moment. Nothing was erased; try again soon."
            ) from failed

    def read(self) -> Iterator[Erased]:
        """Yield the distinct erasures in the list, oldest first, skipping truncated lines."""
        seen = set[Erased]()
        for line in self._file.read_bytes().splitlines() if self._file.exists() else ():
            try:
                erased = Erased(**json.loads(line))
            except (ValueError, TypeError):
                continue
            if erased not in seen:
                seen.add(erased)
                yield erased
