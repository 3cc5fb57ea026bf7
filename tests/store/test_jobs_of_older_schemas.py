"""Accounts of a schema without jobs get what recurs, and go on as before."""

import threading
from datetime import date

import pytest
from alembic import command

from prorata.store import migrations, recurring
from prorata.store.engine import Database
from prorata.worker import Worker
from tests.landlord import Landlord, MovableClock, opened


def downgrade_to_the_schema_before_jobs(url: str) -> None:
    """Take away what 0003 brought: what is left is what a database of that time holds."""
    with migrations._connected(url) as connection:
        for table in ("job", "failed_try", "recurring", "hold"):
            connection.exec_driver_sql(f"DROP TABLE {table}")
        command.stamp(migrations._config(connection), "0002")


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


def test_accounts_of_an_older_schema_get_what_recurs_and_their_invoices_fall_overdue(
    migrated_url: str, clock: MovableClock
) -> None:
    with opened(migrated_url, clock) as database:
        landlord = Landlord(database, clock)
        maple = landlord.property_()
        landlord.tenant(landlord.unit(maple, "1"), "Ann")
        landlord.bill(maple, 100_00, on=date(2026, 2, 20))
        landlord.set_status(maple, "1", "SENT")
    downgrade_to_the_schema_before_jobs(migrated_url)
    assert not migrations.is_current(migrated_url)

    migrations.upgrade(migrated_url)

    assert migrations.is_current(migrated_url)
    assert migrations.differences(migrated_url) == []
    clock.forward(days=20)
    with opened(migrated_url, clock) as database:
        landlord.database = database
        assert names_of_what_recurs(database, landlord) == ["overdue", "tidy"]
        Worker(database, lambda: 0).do_round(threading.Event())
        assert landlord.statuses(maple) == {"1": "OVERDUE"}
        landlord.sound()


def names_of_what_recurs(database: Database, landlord: Landlord) -> list[str]:
    return [row.name for row in database.read(lambda tx: recurring.of_account(tx, landlord.account.id))]
