"""Tests of the test setup itself.

They check that databases are fresh, servers stop, the network can't be reached, and skips fail under CI.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import create_engine, inspect

from tests import servers
from tests.house.sources import ROOT
from tests.servers import PostgresServer, RedisServer


def tables(url: str) -> list[str]:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    try:
        return inspect(engine).get_table_names()
    finally:
        engine.dispose()


def test_a_test_gets_an_empty_database_of_each_kind(database_url):
    assert tables(database_url) == []


def test_a_test_gets_a_migrated_database_of_each_kind(migrated_url):
    assert "account" in tables(migrated_url)


@pytest.mark.parametrize("time", [1, 2])
def test_no_test_sees_what_another_left(postgresql_url, sqlite_url, time):
    for url in (postgresql_url, sqlite_url):
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE left_behind (id text)")
        engine.dispose()


def test_the_role_that_owns_the_databases_is_nobody_special(postgresql_url):
    with psycopg.connect(postgresql_url) as connection:
        assert connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone() == (False,)


@pytest.mark.thorough
def test_what_was_committed_outlives_a_killed_postgresql():
    with PostgresServer(durable=True) as server:
        url = server.create_database("kept")
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE bill AS SELECT 1 AS id")
        with closing(psycopg.connect(url)) as connection:
            connection.execute("INSERT INTO bill VALUES (2)")
            server.kill()
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")
        server.start()
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT id FROM bill").fetchall() == [(1,)]
        folder = server.log.parent
    assert not folder.exists()
    assert not server.running


def test_redis_answers_again_after_a_stop_and_a_kill():
    with RedisServer() as server:
        for end in (server.stop, server.kill):
            end()
            assert not server.running
            with pytest.raises(OSError):
                socket.create_connection(("127.0.0.1", server.port))
            server.start()


HOLDS_A_SERVER = """
import time
from tests.servers import RedisServer
with RedisServer() as server:
    print(server.port, server._process.folder, flush=True)
    time.sleep(60)
"""


def answers(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_server_ends_with_a_test_run_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", HOLDS_A_SERVER], cwd=ROOT, stdout=subprocess.PIPE, text=True) as run:
        port, folder = run.stdout.readline().split()
        assert answers(int(port))
        run.kill()
    deadline = time.monotonic() + 10
    while answers(int(port)) and time.monotonic() < deadline:
        time.sleep(0.01)
    shutil.rmtree(folder)
    assert not answers(int(port))


@pytest.mark.parametrize("ci", ["true", ""])
def test_a_missing_server_fails_under_ci_and_is_skipped_loudly_elsewhere(monkeypatch, ci):
    monkeypatch.setenv("CI", ci)
    refusal = pytest.fail.Exception if ci else pytest.skip.Exception
    with pytest.raises(refusal, match=r"REDIS IS NOT TESTED.*apt-get install redis-server"):
        servers.missing("Redis", "redis-server")


def test_a_connection_beyond_loopback_is_refused_and_noted(strayed):
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as datagrams:
        for reach in (
            lambda: socket.create_connection(("192.0.2.1", 80), timeout=1),
            lambda: socket.getaddrinfo("prorata.example", 80),
            lambda: datagrams.sendto(b"", ("192.0.2.1", 53)),
        ):
            with pytest.raises(OSError, match="only reach loopback"):
                reach()
    assert len(strayed) == 3
    strayed.clear()


SKIPS = """
import pytest

def test_skipped_by_itself():
    pytest.skip("no")

@pytest.mark.skipif(True, reason="no")
def test_skipped_by_a_mark(): ...

@pytest.mark.xfail(reason="known")
def test_expected_to_fail():
    assert 0

@pytest.mark.soak
def test_left_to_the_soak(): ...
"""


def test_a_skip_is_a_failure_under_ci(tmp_path):
    conftest = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom tests.conftest import *\n"
    (tmp_path / "conftest.py").write_text(conftest)
    (tmp_path / "test_skips.py").write_text(SKIPS)
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", tmp_path, tmp_path]
    environment = {**os.environ, "CI": "true", "PRORATA_SOAK": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)
    assert "1 failed, 1 deselected, 1 xfailed, 1 error" in done.stdout, done.stdout
