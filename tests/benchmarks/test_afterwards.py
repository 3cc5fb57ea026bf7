"""A run ends if the check after the load finds wrong data."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks import afterwards, data
from benchmarks.data import Shape
from benchmarks.databases import Copy, Sqlite


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A property of two units with one closed month."""
    file = tmp_path_factory.mktemp("afterwards") / "built.sqlite3"
    data.build(Shape("after", (2,), 1, 1), file)
    return file


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Copy:
    return Sqlite(tmp_path).copy(built, "copy")


def test_data_that_is_right_is_looked_at_and_takes_its_time(copy: Copy, tmp_path: Path):
    assert afterwards.check(copy, "floor", tmp_path) > 0


def test_an_invoice_that_was_changed_without_its_counts_ends_the_run(copy: Copy, tmp_path: Path):
    with closing(sqlite3.connect(copy.file)) as connection:
        connection.execute("update invoice set status = 'SENT' where status <> 'SENT'")
        connection.commit()
    with pytest.raises(SystemExit, match=r"`prorata check` finds in the data of floor:\n."):
        afterwards.check(copy, "floor", tmp_path)
