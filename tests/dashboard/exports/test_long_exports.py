"""A hundred thousand invoices are exported completely, in little memory and in reasonable time."""

import time
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.data import account, build
from prorata.actions.exports import list_exports
from prorata.actions.invoices import lists as invoice_lists
from prorata.adapters.files.spreadsheet_files import csv_file, xlsx_file
from prorata.ports.files import SpreadsheetWriter
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database
from prorata.store.database.sqlite import SqliteDatabase
from tests.clock import TestClock
from tests.pace import slowness

SCALE = 1.0
"""96,000 invoices with some 480,000 charges."""
MOST_MEMORY = 8_000_000
LONGEST = 120
"""Seconds of a processor: 2 to 6 as measured, and what watching the memory takes."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    file: Path = tmp_path_factory.mktemp("long") / "prorata.db"
    build(account(SCALE), file)
    with closing(SqliteDatabase(file, TestClock())) as opened:
        yield opened


@pytest.mark.soak
@pytest.mark.parametrize("write", [csv_file, xlsx_file])
@pytest.mark.parametrize("read", [list_exports.of_invoices, list_exports.of_charges])
def test_a_hundred_thousand_invoices_leave_in_bounded_memory_and_time(
    database: Database, read: Any, write: SpreadsheetWriter
) -> None:
    caller = Caller(database.read(accounts.everyone)[0].id, "test")
    tracemalloc.start()
    began = time.process_time()
    try:
        size = database.snapshot(lambda tx: sum(map(len, write(*read(tx, caller, invoice_lists.Wish({}))))))
        assert size > 50 * len("invoice") * 1_000 * SCALE
        took, (_, most) = time.process_time() - began, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (took < LONGEST * slowness(), most < MOST_MEMORY) == (True, True), (took, most)
