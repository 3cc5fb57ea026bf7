"""Tests of `prorata tenant` and `prorata account delete`.

They also cover restoring a backup that was made before an erasure.
"""

import json
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.properties import tenants
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import units
from prorata.wiring.surroundings import utc_now
from tests.cli.running import SECRET, Command
from tests.cli.seeding import database_at, seed
from tests.dashboard.privacy.canary import EMAIL as WRITES_TO, NAME, places
from tests.every_row import every_row
from tests.servers import PostgresServer, find_program

EMAIL = "ann@example.com"
OF_ANN = ("--account", EMAIL)


def furnished(command: Command, url: str) -> str:
    """The id of a tenant who left yesterday; the account's other tenant stays."""
    command.account()
    seed(url, EMAIL, number=1, units=2)

    def leave(tx: Tx) -> str:
        caller = Caller(accounts.find_account(tx, EMAIL).id, "test")
        one = units.page_of_tenants(tx, caller.account_id, {}, limit=1, offset=0)[0][0]
        yesterday = (utc_now().date() - timedelta(days=1)).isoformat()
        left = {"name": NAME, "email": WRITES_TO, "move_out": yesterday}
        return tenants.change(tx, caller, one.id, left).id

    with database_at(url) as database:
        return database.write(leave)


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Command:
    return Command(tmp_path / "here", PRORATA_SECRET_KEY=SECRET)


def url_of(command: Command) -> str:
    return command.settings.get("PRORATA_DATABASE_URL") or f"sqlite:///{command.data / 'prorata.sqlite3'}"


def test_a_tenant_is_exported_looked_at_and_erased(on_sqlite: Command) -> None:
    tenant = furnished(on_sqlite, url_of(on_sqlite))
    assert on_sqlite.ok("tenant", "export", tenant, *OF_ANN) == f"{tenant}.zip"
    with zipfile.ZipFile(on_sqlite.folder / f"{tenant}.zip") as archive:
        assert json.loads(archive.read("tenant.json"))["tenant"][0]["name"] == NAME
    assert "already exists" in on_sqlite.refused("tenant", "export", tenant, *OF_ANN)
    dry = on_sqlite.run("tenant", "erase", tenant, *OF_ANN, "--dry-run")
    assert "Nothing was erased." in dry.err
    assert places(url_of(on_sqlite), on_sqlite.data)
    done = on_sqlite.run("tenant", "erase", tenant, *OF_ANN)
    assert (done.code, done.out) == (0, dry.out)
    assert not places(url_of(on_sqlite), on_sqlite.data)
    assert on_sqlite.ok("check") == "No problems were found in the stored data."
    assert "already been erased" in on_sqlite.refused("tenant", "erase", tenant, *OF_ANN)
    other = next(row["id"] for row in every_row(url_of(on_sqlite))["tenant"] if row["id"] != tenant)
    assert "still lives here" in on_sqlite.refused("tenant", "erase", other, *OF_ANN)


def restored(command: Command, there: Command) -> str:
    """Restore a backup made before an erasure, and return the command's output.

    The data directory contains the list of erasures.
    """
    there.data.mkdir(parents=True, exist_ok=True)
    (there.data / "erasures.jsonl").write_bytes((command.data / "erasures.jsonl").read_bytes())
    return there.ok("db", "restore", command.folder / "backup.tar")


@pytest.mark.thorough
def test_who_was_erased_is_erased_again_where_a_backup_from_before_is_restored(
    on_sqlite: Command, tmp_path: Path
) -> None:
    tenant = furnished(on_sqlite, url_of(on_sqlite))
    on_sqlite.ok("db", "backup", on_sqlite.folder / "backup.tar")
    on_sqlite.ok("tenant", "erase", tenant, *OF_ANN)
    there = Command(tmp_path / "there", PRORATA_SECRET_KEY=SECRET)
    assert "Erased again" in restored(on_sqlite, there)
    assert not places(url_of(there), there.data)
    there.ok("check")
    elsewhere = Command(tmp_path / "elsewhere", PRORATA_SECRET_KEY=SECRET)
    assert "There is no erasures.jsonl" in elsewhere.ok("db", "restore", on_sqlite.folder / "backup.tar")
    assert places(url_of(elsewhere), elsewhere.data)


def test_so_it_is_on_postgresql(tmp_path: Path, postgresql_url: str, postgres: PostgresServer) -> None:
    find_program("pg_dump")
    here = Command(tmp_path / "here", PRORATA_SECRET_KEY=SECRET, PRORATA_DATABASE_URL=postgresql_url)
    here.data.mkdir(parents=True)
    here.ok("db", "upgrade")
    tenant = furnished(here, postgresql_url)
    here.ok("db", "backup", here.folder / "backup.tar")
    here.ok("tenant", "erase", tenant, *OF_ANN)
    url = postgres.create_database("restored_without")
    there = Command(tmp_path / "there", PRORATA_SECRET_KEY=SECRET, PRORATA_DATABASE_URL=url)
    assert "Erased again" in restored(here, there)
    assert not places(url, there.data)
    there.ok("check")


def test_an_account_is_deleted_once_one_is_sure_and_again_from_a_backup(on_sqlite: Command, tmp_path: Path) -> None:
    furnished(on_sqlite, url_of(on_sqlite))
    on_sqlite.ok("db", "backup", on_sqlite.folder / "backup.tar")
    assert "would be deleted, with 1 properties" in on_sqlite.run("account", "delete", *OF_ANN).out
    assert every_row(url_of(on_sqlite))["account"]
    assert "was deleted" in on_sqlite.ok("account", "delete", *OF_ANN, "--yes")
    assert not any(every_row(url_of(on_sqlite))[name] for name in ("account", "tenant", "event", "member"))
    there = Command(tmp_path / "there", PRORATA_SECRET_KEY=SECRET)
    assert "Erased again" in restored(on_sqlite, there)
    assert not every_row(url_of(there))["account"]
