"""The clock of a story: the system's, set to another day. It goes on from there, as clocks do, so that what two processes
do at the same time is told apart.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path


class StoryClock:
    """Reads from a file how far it is from the system's clock; every process of the story reads the same one."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=float(self._file.read_text()))

    def set_to(self, moment: datetime) -> None:
        """Set it; once a story has begun it is only set forward."""
        assert not self._file.exists() or moment >= self(), f"it is past {moment} by now"
        self._write((moment - datetime.now(UTC)).total_seconds())

    def forward(self, seconds: float) -> None:
        """Let so much time pass at once."""
        self._write(float(self._file.read_text()) + seconds)

    def _write(self, seconds: float) -> None:
        new = self._file.with_suffix(".new")
        new.write_text(repr(seconds))
        new.replace(self._file)
