"""The fixtures of all tests: databases and a Redis.

For every test, the network is blocked, and under CI no test may be skipped.
"""

import gc
import importlib
import ipaddress
import itertools
import os
import shutil
import signal
import sys
import threading
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from _pytest.doctest import DoctestModule

from tests.reused_database import ReusedDatabase
from tests.servers import PostgresServer, RedisServer, roomy_memory, under_ci

BOTH = ("sqlite", "postgresql")
SOAK = os.environ.get("PRORATA_SOAK") == "1"
QUICK = os.environ.get("PRORATA_QUICK") == "1"
BEHIND_TEST = os.environ.get("PRORATA_BEHIND") == "test"
"""`make test` has just run: only what it leaves out is to be run."""
ABOUT_DATABASES = ("tests/store/",)
"""The folders whose tests `make test` too runs on both databases.

Elsewhere it takes SQLite, and leaves PostgreSQL to `make check`.
"""
LONG_FOLDERS = ("tests/stories/", "tests/browser/", "tests/cli/", "tests/bill_pdfs/")
"""The folders of tests that take long.

They use the program as others do: as a command, as processes that are killed, or as pages in a browser; or they draw
and read hundreds of bills. `make test` runs a `sample` of each folder, `make check` the rest. The tests begin first, so
that no process is left alone with one.
"""
_names = itertools.count(1)


# --- hypothesis --------------------------------------------------------------------------------------------------------

hypothesis.settings.register_profile("default", max_examples=50, deadline=None, derandomize=under_ci())
hypothesis.settings.register_profile("soak", max_examples=5_000, deadline=None, derandomize=False)
hypothesis.settings.load_profile("soak" if SOAK else "default")


# --- what runs ---------------------------------------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "soak: runs for minutes; only with PRORATA_SOAK=1, as `make soak` does")
    config.addinivalue_line(
        "markers", "thorough: takes seconds, or waits for them; `make check` runs it, `make test` does not"
    )
    config.addinivalue_line("markers", "sample: `make test` runs it too, of a folder that it leaves to `make check`")
    memory = roomy_memory()
    if memory:  # SQLite waits for the disk at each commit; no test pulls the plug
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))
    if threading.current_thread() is threading.main_thread():
        # Told to end, we still stop our servers.
        signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Disable garbage collection while tests are collected.

    The collected objects stay, and searching them took a seventh of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """Skip the search for doctests in test files that contain none."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule) or ">>>" in file_path.read_text("utf-8")]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    by_whether: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        by_whether[_is_left_out(item)].append(item)
    if by_whether[True]:
        config.hook.pytest_deselected(items=by_whether[True])
        items[:] = by_whether[False]
    items.sort(key=lambda item: not item.nodeid.startswith(LONG_FOLDERS))


def _is_left_out(item: pytest.Item) -> bool:
    """True if a test is for `make soak`, or, in `make test`, for `make check`."""
    marks = {mark.name for mark in item.iter_markers()}
    if "soak" in marks:
        return not SOAK
    if QUICK or BEHIND_TEST:
        return is_for_check(item.nodeid, marks) is QUICK
    return False


def is_for_check(test: str, marks: Collection[str]) -> bool:
    """True if `make test` leaves a test to `make check`.

    These are long tests, and tests on PostgreSQL that are not about databases.
    """
    is_of_two = "postgresql" in test.partition("[")[2] and not test.startswith(ABOUT_DATABASES)
    is_long = "thorough" in marks or (test.startswith(LONG_FOLDERS) and "sample" not in marks)
    return is_long or is_of_two


def pytest_collection_finish() -> None:
    """Freeze the collected tests, so that garbage collection never searches them again."""
    gc.collect()
    gc.freeze()


def _refuse_a_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Fail a test that was skipped under CI; an expected failure is not a skip."""
    if report.skipped and under_ci() and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"{why}\nUnder CI nothing may be skipped."


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    _refuse_a_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    report = yield
    _refuse_a_skip(report)
    return report


# --- no network --------------------------------------------------------------------------------------------------------

_strayed: list[str] = []


def _is_here(host: object) -> bool:
    """True if a host is this machine, or if no host is given."""
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    text = host.decode(errors="replace") if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _is_a_number(host: object) -> bool:
    try:
        ipaddress.ip_address(str(host))
    except ValueError:
        return False
    return True


def _guard(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse connections to other machines, and names that only the network could resolve."""
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        allowed = not isinstance(address, tuple) or _is_here(address[0])
    elif event == "socket.getaddrinfo":
        address = arguments[0]
        allowed = _is_here(address) or _is_a_number(address)
    else:
        return
    if not allowed:
        _strayed.append(f"{event}: {address}")
        raise OSError(f"tests may only reach loopback, not {address}")


# A hook of the interpreter: it sees every thread and cannot be taken out. libpq and other C code do not pass here.
sys.addaudithook(_guard)


@pytest.fixture(autouse=True)
def strayed() -> Iterator[list[str]]:
    """Fail a test that tried to reach beyond loopback.

    The test fails even if the code under test swallowed the error.
    """
    _strayed.clear()
    yield _strayed
    assert not _strayed, f"this test tried to reach beyond loopback: {_strayed}"


# --- databases ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The PostgreSQL server of this test process, started when it is first needed.

    A test that stops a server starts one of its own.
    """
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of the Redis server that the tests of this process share.

    Each test uses keys that no other test uses.
    """
    with RedisServer() as server:
        yield server.url


def _migrate(url: str) -> None:
    importlib.import_module("prorata.store.migrations").upgrade(url)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that is migrated once, for tests to copy."""
    file = tmp_path_factory.mktemp("migrated") / "prorata.db"
    _migrate(f"sqlite:///{file}")
    assert not file.with_name("prorata.db-wal").exists(), "the migration left its connection open"
    return file


@pytest.fixture(scope="session")
def migrated_template(postgres: PostgresServer) -> str:
    """The name of a PostgreSQL database that is migrated once, for tests to copy."""
    _migrate(postgres.create_database("migrated"))
    postgres.close_database("migrated")
    return "migrated"


def _database_of_postgres(postgres: PostgresServer, template: str) -> Iterator[str]:
    name = f"test_{next(_names)}"
    yield postgres.create_database(name, template)
    postgres.drop_database(name)


@pytest.fixture
def postgresql_url(postgres: PostgresServer) -> Iterator[str]:
    """The address of an empty PostgreSQL database that only this test uses."""
    yield from _database_of_postgres(postgres, "template1")


@pytest.fixture(scope="session")
def reused_database(postgres: PostgresServer, migrated_template: str) -> Iterator[ReusedDatabase]:
    """The database that `migrated_postgresql_url` hands out."""
    database = ReusedDatabase(postgres, migrated_template)
    yield database
    database.drop()


@pytest.fixture
def migrated_postgresql_url(reused_database: ReusedDatabase) -> Iterator[str]:
    """The address of a migrated PostgreSQL database without rows.

    Only this test uses the database until the test ends.
    """
    yield reused_database.take()
    reused_database.give_back()


@pytest.fixture
def stripe() -> Iterator[Any]:
    """A fake Stripe server on this machine."""
    from tests.stripe_server import Stripe

    server = Stripe()
    yield server
    server.close()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of a SQLite database that only this test uses.

    The database does not exist yet.
    """
    return f"sqlite:///{tmp_path / 'prorata.db'}"


@pytest.fixture
def migrated_sqlite_url(sqlite_url: str, tmp_path: Path, migrated_file: Path) -> str:
    """The address of a migrated SQLite database that only this test uses."""
    shutil.copyfile(migrated_file, tmp_path / "prorata.db")
    return sqlite_url


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database that only this test uses.

    The test runs on SQLite and on PostgreSQL.
    """
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(params=BOTH)
def migrated_url(request: pytest.FixtureRequest) -> str:
    """The address of a migrated database that only this test uses.

    The test runs on SQLite and on PostgreSQL.
    """
    return request.getfixturevalue(f"migrated_{request.param}_url")


@pytest.fixture(scope="module", params=BOTH)
def lasting_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a migrated database that the tests of one file share.

    It is for tests that do not affect each other, and they run on SQLite and on PostgreSQL.
    """
    if request.param == "sqlite":
        file = tmp_path_factory.mktemp("lasting") / "prorata.db"
        shutil.copyfile(request.getfixturevalue("migrated_file"), file)
        return f"sqlite:///{file}"
    template = request.getfixturevalue("migrated_template")
    url: str = request.getfixturevalue("postgres").create_database(f"lasting_{next(_names)}", template)
    return url
