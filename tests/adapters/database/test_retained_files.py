"""Tests of the folder that keeps the exports of deleted properties."""

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from prorata.adapters.database.retained_files import FolderArchive
from prorata.errors import Unavailable

NOW = datetime(2026, 4, 2, tzinfo=UTC)


def archive(folder: Path, days: int = 30) -> FolderArchive:
    return FolderArchive(folder, days, 0, lambda: NOW)


def test_what_is_kept_is_there_whole_for_its_owner_alone(tmp_path: Path) -> None:
    archive(tmp_path).keep("prop_1.json", "Grüße")
    archive(tmp_path).keep("prop_1.json", "Grüße, anew")

    (file,) = (tmp_path / "deleted").iterdir()
    assert (file.name, file.read_bytes().decode()) == ("prop_1.json", "Grüße, anew")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_days_of_zero_keep_nothing(tmp_path: Path) -> None:
    archive(tmp_path, days=0).keep("prop_1.json", "text")

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_refuses_the_deletion(tmp_path: Path) -> None:
    (tmp_path / "deleted").write_text("a file stands where the folder should be")

    with pytest.raises(Unavailable):
        archive(tmp_path).keep("prop_1.json", "text")


def test_exports_go_once_they_were_kept_long_enough(tmp_path: Path) -> None:
    for name, age in {"old": timedelta(days=30, seconds=1), "young": timedelta(days=29, hours=23)}.items():
        archive(tmp_path).keep(name, "text")
        at = (NOW - age).timestamp()
        os.utime(tmp_path / "deleted" / name, (at, at))

    assert archive(tmp_path).drop_old() == 1
    assert [file.name for file in (tmp_path / "deleted").iterdir()] == ["young"]
    assert archive(tmp_path / "nowhere").drop_old() == 0
