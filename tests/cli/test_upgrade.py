"""Tests of `prorata db upgrade` while servers run, and of servers on an upgraded database."""

import time
from contextlib import closing
from pathlib import Path

import httpx
import psycopg
import pytest

from prorata.adapters.database.folder_lock import only_one
from prorata.settings import SettingsError
from prorata.store.database import schema_lock
from prorata.store.database.schema_state import Condition, condition_of, known_revisions
from tests.cli.running import Command
from tests.store.database.test_migrations import set_back, set_revision

HOUSE = {"name": "Elm", "streetNumber": "1", "street": "Elm", "city": "X", "state": "IL", "zip": "1", "country": "US"}


def add_house(client: httpx.Client) -> httpx.Response:
    return client.post("/properties", json=HOUSE)


def is_held(url: str) -> bool:
    try:
        with schema_lock.alone(url):
            return False
    except SettingsError:
        return True


def test_a_server_keeps_an_upgrade_out_and_writes_nothing_to_another_schema(command: Command, url: str) -> None:
    command.account()
    key = command.key()
    with command.serving() as server, server.client(key) as client:
        assert add_house(client).status_code == 201
        set_back(url)

        assert command.refused("db", "upgrade") == schema_lock.IN_USE
        refused = add_house(client)

        assert (refused.status_code, refused.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
        assert "another version" in refused.json()["error"]
        assert client.get("/properties").json()["pagination"]["total"] == 1
        assert httpx.get(f"{server.url}/ready").status_code == 503
        assert server.stop() == 0
    assert command.ok("db", "upgrade") == "The database is up to date."
    assert command.ok("check") == "No problems were found in the stored data."


def test_a_worker_keeps_an_upgrade_out_until_it_ends(command: Command, url: str) -> None:
    command.account()
    worker = command.start("worker")
    try:
        while not is_held(url):
            assert worker.poll() is None
            time.sleep(0.05)
        set_back(url)
        assert command.refused("db", "upgrade") == schema_lock.IN_USE
    finally:
        worker.kill()
        worker.communicate()
    assert command.ok("db", "upgrade") == "The database is up to date."


def test_a_server_that_lost_its_lock_to_a_restart_of_postgresql_takes_it_again(
    on_postgresql: Command, migrated_postgresql_url: str
) -> None:
    with schema_lock.in_use(migrated_postgresql_url, seconds_between_looks=0.05):
        with closing(psycopg.connect(migrated_postgresql_url, autocommit=True)) as other:
            holders = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()"
            (holder,) = other.execute(holders).fetchone() or (0,)
            other.execute("SELECT pg_terminate_backend(%s)", (holder,))
            deadline = time.monotonic() + 10
            while (now := other.execute(holders).fetchone()) in {None, (holder,)}:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            assert now is not None
        set_back(migrated_postgresql_url)
        assert on_postgresql.refused("db", "upgrade") == schema_lock.IN_USE
    assert on_postgresql.ok("db", "upgrade") == "The database is up to date."


@pytest.mark.parametrize(
    ("revision", "says"),
    [("0007", "docs/operating.md explains how"), ("later_on", "belongs to a newer version of Prorata")],
)
def test_a_database_of_an_unknown_revision_is_left_alone_with_a_sentence(
    command: Command, url: str, revision: str, says: str
) -> None:
    command.account()
    set_revision(url, revision)
    for words in (("db", "upgrade"), ("serve",), ("worker",), ("check",)):
        assert says in command.refused(*words)
    set_revision(url, known_revisions()[-1])
    assert command.ok("check") == "No problems were found in the stored data."


@pytest.mark.parametrize(
    ("revision", "says"), [("0007", "docs/operating.md explains how"), ("later_on", "newer version of Prorata")]
)
def test_a_backup_of_an_unknown_revision_is_not_restored(
    command: Command, url: str, request: pytest.FixtureRequest, tmp_path: Path, revision: str, says: str
) -> None:
    command.account()
    set_revision(url, revision)
    command.ok("db", "backup", "backup.tar")
    there = Command(tmp_path / "there", **{k: v for k, v in command.settings.items() if k != "PRORATA_DATA_DIR"})
    if url.startswith("postgresql"):
        there.settings["PRORATA_DATABASE_URL"] = request.getfixturevalue("postgresql_url")

    assert says in there.refused("db", "restore", command.folder / "backup.tar")

    if url.startswith("postgresql"):
        assert condition_of(there.settings["PRORATA_DATABASE_URL"]) is Condition.EMPTY


def test_a_server_of_before_the_first_release_keeps_an_upgrade_out(command: Command, url: str) -> None:
    """Servers from before the first release hold no lock on the schema.

    The upgrade recognizes them by their lock on the data directory, and on PostgreSQL by their connections.
    """
    command.account()
    set_back(url)
    if url.startswith("sqlite"):
        before, says = only_one(command.data), schema_lock.IN_USE
    else:
        before, says = closing(psycopg.connect(url)), "Other programs are connected to the database"
    with before:
        assert says in command.refused("db", "upgrade")
    assert command.ok("db", "upgrade") == "The database is up to date."
