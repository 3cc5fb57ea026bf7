"""The built data is such that Prorata and its peers do the same to it."""

from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from benchmarks import data
from benchmarks.data import Shape
from prorata.actions import invoices
from prorata.actions.checks import check_account
from prorata.store.audit import Caller
from prorata.store.sqlite import SqliteDatabase


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A property of twelve units with one closed month."""
    file = tmp_path_factory.mktemp("data") / "built.sqlite3"
    data.build(Shape("closed", (12,), 1, 1), file)
    return file


@pytest.fixture
def database(built: Path):
    with closing(SqliteDatabase(built, lambda: datetime(2026, 3, 1, tzinfo=UTC))) as opened:
        yield opened


def test_nothing_is_wrong_with_it(built, database):
    assert list(check_account(database, data.records(built).account)) == []


def test_a_change_of_status_changes_nothing_that_only_prorata_knows_of(built, database):
    records = data.records(built)
    caller = Caller(records.account, "test")
    for invoice_id, status in records.changeable:
        before = database.read(partial(invoices.find, caller=caller, invoice_id=invoice_id)).summary
        other = {"SENT": "PAID", "PAID": "SENT"}[status]
        change = partial(invoices.set_status, caller=caller, invoice_id=invoice_id, status=other)
        after = database.write(change).summary
        assert (after.delivery, after.email_status) == (before.delivery, before.email_status)
