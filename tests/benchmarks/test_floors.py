"""The measurement of the database alone writes exactly the rows that the program wrote."""

from pathlib import Path

import pytest

from benchmarks import data, floors
from benchmarks.data import Shape
from benchmarks.databases import Copy, Sqlite


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A property of two units with the bills of a month."""
    folder = tmp_path_factory.mktemp("floors")
    file = folder / "built.sqlite3"
    data.build(Shape("floor", (2,), 1, 0), file)
    return file


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Copy:
    return Sqlite(tmp_path).copy(built, "copy")


def test_all_rows_of_an_import_are_there_to_be_written(copy: Copy):
    rows = floors.rows_of(copy)
    assert {name: len(some) for name, some in rows.items()} == {
        "bill": 4,
        "bill_line": 5,
        "billing_month": 1,
        "invoice": 2,
        "charge": 10,
    }


def test_rows_that_differ_are_changed_and_changed_back(copy: Copy):
    before = floors.rows_of(copy)
    place = floors.columns_of("invoice").index("total")
    first, *others = before["invoice"]
    wanted = before | {"invoice": [(*first[:place], 4711, *first[place + 1 :]), *others]}
    assert floors.seconds_to_change(copy, before, wanted) > 0
    assert floors.rows_of(copy) == wanted
    floors.seconds_to_change(copy, wanted, before)
    assert floors.rows_of(copy) == before


def test_where_nothing_differs_nothing_is_written(copy: Copy):
    before = floors.rows_of(copy)
    floors.seconds_to_change(copy, before, before)
    assert floors.rows_of(copy) == before


def test_rows_are_added_as_they_were(built: Path, copy: Copy, tmp_path: Path):
    rows = floors.rows_of(copy)
    (tmp_path / "empty").mkdir()
    empty = Sqlite(tmp_path / "empty").copy(built, "copy")
    with floors.opened(empty) as connection:
        for name in reversed(floors.WRITTEN):
            connection.execute(f"delete from {name}")
    assert not any(floors.rows_of(empty).values())
    assert floors.seconds_to_add(empty, rows) > 0
    assert floors.rows_of(empty) == rows
