"""The clock of a story: the system's clock, set to another day.

The clock goes on from there, so that actions of two processes get different times.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path


class StoryClock:
    """A clock whose distance from the system's clock is in a file.

    Every process of the story reads the same file.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=float(self._file.read_text()))

    def set_to(self, moment: datetime) -> None:
        """Set the clock to a moment.

        Once a story has begun, the clock can only be set forward.
        """
        assert not self._file.exists() or moment >= self(), f"it is past {moment} by now"
        self._write((moment - datetime.now(UTC)).total_seconds())

    def forward(self, seconds: float) -> None:
        """Let this number of seconds pass at once."""
        self._write(float(self._file.read_text()) + seconds)

    def _write(self, seconds: float) -> None:
        new = self._file.with_suffix(".new")
        new.write_text(repr(seconds))
        new.replace(self._file)
