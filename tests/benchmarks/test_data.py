"""The built data is sound, and Prorata and its peers do equal work on it."""

from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from benchmarks import data, lists_data
from benchmarks.data import Shape
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.intake import documents
from prorata.actions.invoices import invoices
from prorata.actions.overview import job_lists
from prorata.actions.overview.consistency_checks import check_account
from prorata.actions.payments import lists as payment_lists
from prorata.domain.intake.documents import BILLED
from prorata.store.audit.audit import Caller
from prorata.store.database.sqlite import SqliteDatabase
from prorata.store.overview import consistency_checks_of_jobs
from prorata.store.webhooks.event_outbox import note_deeds


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A property of twelve units with one closed month."""
    file = tmp_path_factory.mktemp("data") / "built.sqlite3"
    data.build(Shape("closed", (12,), 1, 1), file)
    return file


@pytest.fixture
def database(built: Path):
    with closing(SqliteDatabase(built, lambda: datetime(2026, 3, 1, tzinfo=UTC), listener=note_deeds)) as opened:
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


def test_the_other_lists_get_more_than_a_page_each(built, tmp_path):
    records, file = data.records(built), tmp_path / "copy.sqlite3"
    file.write_bytes(built.read_bytes())
    caller = Caller(records.account, "test")
    paid = [invoice for invoice, status in records.changeable if status == "PAID"]
    with closing(SqliteDatabase(file, lambda: datetime(2026, 3, 1, tzinfo=UTC))) as database:
        database.write(partial(lists_data.fill, account=records.account, bills=6_000, invoices=paid))
        for state in (documents.OPEN, (BILLED,)):
            inbox = database.read(partial(documents.inbox, caller=caller, states=state))
            assert inbox.further
            assert inbox.rows[0].draft.issuer.value
        mails = database.read(partial(incoming_mail.page, caller=caller))
        assert mails.further
        assert mails.mails[0].documents
        for state in (None, "done"):
            wish = job_lists.Wish(state)
            assert database.read(partial(job_lists.page, caller=caller, kinds={}, wish=wish, behind="")).further
        assert database.read(lambda tx: list(consistency_checks_of_jobs.odd_jobs(tx, records.account))) == []
        assert len(database.read(partial(payment_lists.page, caller=caller, limit=50)).rows) == len(paid) > 0
