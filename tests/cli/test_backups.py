"""Backups can be made while others write, and are restored only where nothing is."""

import os
import signal
import sqlite3
import tarfile
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

import psycopg
import pytest

from prorata import wiring
from prorata.actions.accounts import accounts, sessions, sign_in
from prorata.actions.properties import properties
from prorata.actions.properties.properties import NewProperty
from prorata.adapters.database import postgresql_programs
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.database.schema_state import Condition, condition_of
from prorata.store.jobs import outbound_hold
from prorata.store.properties import properties as stored_properties
from prorata.store.webhooks import event_feed
from tests.cli.running import SECRET, Command
from tests.cli.seeding import database_at, seed, write_bills
from tests.cli.test_serve import wait_until
from tests.servers import PostgresServer, find_program

EMAIL = "ann@example.com"


def furnish(command: Command, url: str) -> str:
    """Make an account with bills, invoices and a document; return its API key."""
    command.account()
    key = command.key()
    seed(url, EMAIL, number=2, units=2)
    with database_at(url) as database:
        database.write(sign_in_ann)
    assert is_anybody_in(command)
    command.ok("bills", "import", write_bills(command.folder / "b.csv", number=10, of_properties=2), "--account", EMAIL)
    (command.data / "documents" / "acct_1").mkdir(parents=True)
    (command.data / "documents" / "acct_1" / "ab12cd").write_bytes(b"%PDF a bill")
    return key


TOKEN_HASH = "a" * 64


def sign_in_ann(tx: Tx) -> None:
    ann = sign_in.look_up(tx, EMAIL)
    assert ann is not None
    sessions.begin(tx, ann, token_hash=TOKEN_HASH, user_agent="Firefox", address="192.0.2.1")


def last_number(command: Command) -> int:
    """The number of the last event, after counting all that has happened."""
    with wiring.opened(read_settings(command.settings, command.folder / "no.env")) as database:

        def count(tx: Tx) -> int:
            account_id = accounts.find_account(tx, EMAIL).id
            event_feed.count_some(tx, account_id)
            return event_feed.last_sequence(tx, account_id)

        return database.write(count)


def is_anybody_in(command: Command) -> bool:
    """True if the session from before the restore still exists."""
    with wiring.opened(read_settings(command.settings, command.folder / "no.env")) as database:
        return database.read(lambda tx: sessions.find(tx, TOKEN_HASH)) is not None


def add_property(tx: Tx, name: str) -> None:
    caller = Caller(accounts.find_account(tx, EMAIL).id, "test")
    properties.create(tx, caller, NewProperty(name, "1", "Main St", "Reno", "NV", "89501", "US"))


def names(tx: Tx) -> set[str]:
    return {row.name for row in stored_properties.all_of(tx, accounts.find_account(tx, EMAIL).id)}


def elsewhere(command: Command, folder: Path, **settings: str) -> Command:
    """The command with the same settings and another data directory."""
    kept = {name: value for name, value in command.settings.items() if name != "PRORATA_DATA_DIR"}
    return Command(folder, **kept | settings)


def test_a_backup_restored_elsewhere_holds_everything_but_the_secret(on_sqlite: Command, tmp_path: Path) -> None:
    key = furnish(on_sqlite, f"sqlite:///{on_sqlite.data / 'prorata.sqlite3'}")
    counted = last_number(on_sqlite)
    on_sqlite.ok("db", "backup", "backup.tar")
    there = elsewhere(on_sqlite, tmp_path / "there")

    with tarfile.open(on_sqlite.folder / "backup.tar") as archive:
        assert not [name for name in archive.getnames() if "secret" in name]
    said = there.ok("db", "restore", on_sqlite.folder / "backup.tar")

    assert last_number(there) >= counted + event_feed.LEAP > event_feed.LEAP, "no number is given twice"
    assert not is_anybody_in(there)
    assert "Everybody is signed out" in said
    assert "the database and 1 documents" in said
    assert (there.data / "documents" / "acct_1" / "ab12cd").read_bytes() == b"%PDF a bill"
    assert there.ok("account", "list") == on_sqlite.ok("account", "list")
    assert there.ok("check") == "No problems were found in the stored data."
    assert "no API key" in there.refused("key", "revoke", "--account", EMAIL, key)
    (there.data / "secret.key").write_bytes((on_sqlite.data / "secret.key").read_bytes())
    assert "no longer works" in there.ok("key", "revoke", "--account", EMAIL, key)


def test_a_postgresql_backup_is_restored_into_an_empty_database(
    on_postgresql: Command, postgres: PostgresServer, postgresql_url: str, tmp_path: Path
) -> None:
    furnish(on_postgresql, on_postgresql.settings["PRORATA_DATABASE_URL"])
    counted = last_number(on_postgresql)
    on_postgresql.ok("db", "backup", "backup.tar")
    there = elsewhere(on_postgresql, tmp_path / "there", PRORATA_DATABASE_URL=postgresql_url)

    there.ok("db", "restore", on_postgresql.folder / "backup.tar")

    assert not is_anybody_in(there)
    assert last_number(there) >= counted + event_feed.LEAP > event_feed.LEAP, "no number is given twice"

    assert there.ok("account", "list") == on_postgresql.ok("account", "list")
    assert there.ok("check") == "No problems were found in the stored data."
    assert (there.data / "documents" / "acct_1" / "ab12cd").exists()
    (there.data / "documents").rename(there.data / "moved")
    assert "not empty" in there.refused("db", "restore", on_postgresql.folder / "backup.tar")


def test_a_restore_that_is_killed_once_the_database_is_there_leaves_what_leaves_the_house_held(
    on_postgresql: Command, postgresql_url: str, tmp_path: Path
) -> None:
    furnish(on_postgresql, on_postgresql.settings["PRORATA_DATABASE_URL"])
    on_postgresql.ok("db", "backup", "backup.tar")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "psql").write_text(f'#!/bin/sh\n"{find_program("psql")}" "$@"\nkill -9 $PPID\n', encoding="utf-8")
    (programs / "psql").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    there = elsewhere(on_postgresql, tmp_path / "there", PRORATA_DATABASE_URL=postgresql_url, PATH=path)

    assert there.run("db", "restore", on_postgresql.folder / "backup.tar").code == -signal.SIGKILL

    with database_at(postgresql_url) as database:
        held = database.read(outbound_hold.found)
        assert held is not None
        assert "restored from a backup" in held.why
        assert database.read(lambda tx: len(names(tx))) == 2


def test_what_follows_a_restore_is_in_its_transaction(
    on_postgresql: Command, postgresql_url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    postgresql_programs.dump(on_postgresql.settings["PRORATA_DATABASE_URL"], copy)
    with pytest.raises(postgresql_programs.ProgramFailed, match="division by zero"):
        postgresql_programs.restore(postgresql_url, copy, "SELECT 1 / 0;")
    assert condition_of(postgresql_url) is Condition.EMPTY


def test_a_restore_overwrites_nothing(on_sqlite: Command, tmp_path: Path) -> None:
    furnish(on_sqlite, f"sqlite:///{on_sqlite.data / 'prorata.sqlite3'}")
    on_sqlite.ok("db", "backup", "backup.tar")
    before = on_sqlite.ok("account", "list")
    there = elsewhere(on_sqlite, tmp_path / "there")
    there.data.mkdir(parents=True)
    file = on_sqlite.folder / "backup.tar"

    assert "never overwrites" in on_sqlite.refused("db", "restore", file)
    assert on_sqlite.ok("account", "list") == before
    (there.data / "prorata.sqlite3-wal").write_bytes(b"what is left of another database")
    assert "never overwrites" in there.refused("db", "restore", file)
    (there.data / "prorata.sqlite3-wal").unlink()
    (there.data / "documents").mkdir()
    (there.data / "documents" / "kept").write_bytes(b"")
    assert "never overwrites" in there.refused("db", "restore", file)
    assert "never overwrites" in on_sqlite.refused("db", "backup", file)


def test_a_backup_that_is_damaged_leaves_nothing_behind(on_sqlite: Command, tmp_path: Path) -> None:
    furnish(on_sqlite, f"sqlite:///{on_sqlite.data / 'prorata.sqlite3'}")
    on_sqlite.ok("db", "backup", "backup.tar")
    whole = (on_sqlite.folder / "backup.tar").read_bytes()
    there = elsewhere(on_sqlite, tmp_path / "there")

    for name, content in {"cut": whole[: len(whole) // 2], "none": b"", "text": b"hello" * 5000}.items():
        (there.folder / name).write_bytes(content)
        assert "not a Prorata backup" in there.refused("db", "restore", there.folder / name)
    assert {file.name for file in there.data.iterdir()} <= {"serve.lock"}


def test_documents_are_taken_away_again_when_the_database_cannot_be_restored(
    on_postgresql: Command, postgresql_url: str, tmp_path: Path
) -> None:
    furnish(on_postgresql, on_postgresql.settings["PRORATA_DATABASE_URL"])
    on_postgresql.ok("db", "backup", "backup.tar")
    with psycopg.connect(postgresql_url) as connection:
        connection.execute(f"alter database {connection.info.dbname} set default_transaction_read_only = on")
    there = elsewhere(on_postgresql, tmp_path / "there", PRORATA_DATABASE_URL=postgresql_url)

    there.refused("db", "restore", on_postgresql.folder / "backup.tar")

    assert {file.name for file in there.data.iterdir()} == {"serve.lock"}


def test_there_is_no_backup_of_nothing(on_sqlite: Command) -> None:
    assert "nothing to back up" in on_sqlite.refused("db", "backup", "backup.tar")
    assert not (on_sqlite.folder / "backup.tar").exists()


def test_a_backup_of_one_kind_of_database_is_not_restored_into_the_other(
    on_sqlite: Command, postgresql_url: str, tmp_path: Path
) -> None:
    on_sqlite.account()
    on_sqlite.ok("db", "backup", "backup.tar")
    settings = {"PRORATA_DATABASE_URL": postgresql_url, "PRORATA_SECRET_KEY": SECRET}
    there = elsewhere(on_sqlite, tmp_path / "there", **settings)

    assert "a different kind of database" in there.refused("db", "restore", on_sqlite.folder / "backup.tar")


def test_a_backup_taken_while_others_write_is_sound_and_holds_all_that_was_written_before_it(
    command: Command, url: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    command.account()
    stop = threading.Event()
    written: list[str] = []

    def write_on() -> None:
        with database_at(url) as database:
            while not stop.is_set():
                name = f"House {len(written)}"
                database.write(partial(add_property, name=name))
                written.append(name)

    writer = threading.Thread(target=write_on)
    writer.start()
    try:
        before: list[set[str]] = []
        for number in range(3):
            before.append(set(written))
            command.ok("db", "backup", f"backup{number}.tar")
    finally:
        stop.set()
        writer.join()

    for number in range(3):
        there_url = postgres.create_database(f"restored_{number}") if "PRORATA_DATABASE_URL" in command.settings else ""
        there = elsewhere(command, tmp_path / str(number), PRORATA_DATABASE_URL=there_url)
        there.ok("db", "restore", command.folder / f"backup{number}.tar")
        assert there.ok("check") == "No problems were found in the stored data."
        with database_at(there_url or f"sqlite:///{there.data / 'prorata.sqlite3'}") as database:
            found = database.read(names)
        assert before[number] <= found <= set(written)
        if there_url:
            postgres.drop_database(f"restored_{number}")
    assert len(written) > len(before[0])


def test_check_names_the_record_that_is_not_as_it_should_be(command: Command, url: str) -> None:
    furnish(command, url)
    spoil = "update invoice set total = total + 1 where id = (select min(id) from invoice)"
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
            connection.execute(spoil)
    else:
        with psycopg.connect(url) as connection:
            connection.execute(spoil)

    done = command.run("check")

    assert done.code == 1
    assert "inv_" in done.out
    assert done.err.endswith("have problems.\n")


def test_what_a_killed_restore_left_is_cleared_by_the_next(on_sqlite: Command, tmp_path: Path) -> None:
    furnish(on_sqlite, f"sqlite:///{on_sqlite.data / 'prorata.sqlite3'}")
    on_sqlite.ok("db", "backup", "backup.tar")
    there = elsewhere(on_sqlite, tmp_path / "there", PRORATA_DATABASE_URL=f"sqlite:///{tmp_path / 'other' / 'mine.db'}")
    os.mkfifo(tmp_path / "slow.tar")
    process = there.start("db", "restore", tmp_path / "slow.tar")

    def left() -> list[Path]:
        return [*there.data.glob(".prorata-*"), *(tmp_path / "other").glob(".prorata-*")]

    wait_until(lambda: len(left()) == 2)
    process.kill()
    process.communicate()
    others = tmp_path / "other" / ".prorata-restore-theirs.db-1"
    others.mkdir()

    there.ok("db", "restore", on_sqlite.folder / "backup.tar")

    assert left() == [others], "that of another database is left alone"
