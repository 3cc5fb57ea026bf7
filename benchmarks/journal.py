"""Which journal for SQLite: commits of one writer while others read (docs/adr/0004).

    .venv/bin/python benchmarks/journal.py

Compares a write-ahead log whose commits and checkpoints happen under one lock, as store/sqlite.py has it, with a
rollback journal (TRUNCATE), and, for what the lock costs, with a log that SQLite checkpoints by itself, which loses
commits before SQLite 3.51.3. Every commit is on the disk (synchronous=FULL). A commit changes one invoice and adds one
event; a read fetches one invoice with its account's counts, and then thinks for a moment, as requests do.
"""

import argparse
import fcntl
import os
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

INVOICES = 20_000
PAGES_BEFORE_CHECKPOINT = 1000
PAGE = 4096
SCHEMA = """
    create table invoice (account text, id text, status text, total integer, note text, primary key (account, id))
        without rowid;
    create table tally (account text primary key, sent integer, paid integer) without rowid;
    create table event (id integer primary key, account text, record text, said text);
"""


class Journal(NamedTuple):
    """One way to keep a journal."""

    name: str
    mode: str
    locked: bool
    autocheckpoint: int


JOURNALS = (
    Journal("WAL, commit and checkpoint under one lock", "wal", True, 0),
    Journal("TRUNCATE", "truncate", False, 0),
    Journal("WAL, checkpoints by SQLite (unsafe before 3.51.3)", "wal", False, PAGES_BEFORE_CHECKPOINT),
)


class Outcome(NamedTuple):
    """What was measured: rates per second, and milliseconds."""

    commits: float
    commit_median: float
    commit_99th: float
    reads: float
    read_99th: float
    refused: int


class Trial:
    """A fresh database, one writer and some readers, for some seconds."""

    def __init__(self, folder: Path, journal: Journal, readers: int, seconds: float, pause: float) -> None:
        self.file = folder / "journal.db"
        self.journal = journal
        self.readers = readers
        self.seconds = seconds
        self.pause = pause
        self.turn = threading.Lock()
        self.over = threading.Event()
        self.commits: list[float] = []
        self.reads: list[float] = []
        self.refused = 0

    def run(self) -> Outcome:
        self._fill()
        threads = [threading.Thread(target=self._read, args=(number,)) for number in range(self.readers)]
        threads.append(threading.Thread(target=self._write))
        for thread in threads:
            thread.start()
        time.sleep(self.seconds)
        self.over.set()
        for thread in threads:
            thread.join()
        return Outcome(
            len(self.commits) / self.seconds,
            statistics.median(self.commits) * 1000,
            _99th(self.commits),
            len(self.reads) / self.seconds,
            _99th(self.reads),
            self.refused,
        )

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, isolation_level=None, timeout=5.0, cached_statements=64)
        for setting in (
            f"journal_mode={self.journal.mode}",
            "synchronous=FULL",
            "cache_size=-32768",
            f"wal_autocheckpoint={self.journal.autocheckpoint}",
        ):
            connection.execute(f"pragma {setting}")
        return connection

    def _fill(self) -> None:
        with closing(self._connect()) as connection:
            connection.executescript(SCHEMA)
            connection.execute("begin immediate")
            connection.execute("insert into tally values ('acct', 0, 0)")
            rows = (("acct", f"inv_{number:06d}", "DRAFT", 100_00, "x" * 200) for number in range(INVOICES))
            connection.executemany("insert into invoice values (?, ?, ?, ?, ?)", rows)
            connection.execute("commit")

    def _write(self) -> None:
        with closing(self._connect()) as connection:
            number = 0
            while not self.over.is_set():
                number += 7919
                begun = time.perf_counter()
                with self._alone():
                    self._commit(connection, f"inv_{number % INVOICES:06d}")
                    if self.journal.locked:
                        self._checkpoint(connection)
                self.commits.append(time.perf_counter() - begun)

    def _commit(self, connection: sqlite3.Connection, invoice: str) -> None:
        connection.execute("begin immediate")
        connection.execute(
            "update invoice set status = 'SENT', total = total + 1 where account = 'acct' and id = ?", (invoice,)
        )
        connection.execute("update tally set sent = sent + 1 where account = 'acct'")
        connection.execute("insert into event (account, record, said) values ('acct', ?, ?)", (invoice, "y" * 300))
        connection.execute("commit")

    def _checkpoint(self, connection: sqlite3.Connection) -> None:
        if self.file.with_name(self.file.name + "-wal").stat().st_size > PAGES_BEFORE_CHECKPOINT * PAGE:
            connection.execute("pragma wal_checkpoint(truncate)").fetchall()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """The lock across threads and processes, as the store takes it for each write."""
        if not self.journal.locked:
            yield
            return
        with self.turn:
            handle = os.open(self.file.with_name("journal.db-lock"), os.O_CREAT | os.O_RDWR, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                yield
            finally:
                os.close(handle)

    def _read(self, number: int) -> None:
        with closing(self._connect()) as connection:
            while not self.over.is_set():
                number += 104_729
                begun = time.perf_counter()
                try:
                    connection.execute(
                        "select * from invoice join tally using (account) where account = 'acct' and id = ?",
                        (f"inv_{number % INVOICES:06d}",),
                    ).fetchall()
                except sqlite3.OperationalError:
                    self.refused += 1
                self.reads.append(time.perf_counter() - begun)
                time.sleep(self.pause)


def _99th(seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) * 99 // 100] * 1000 if seconds else 0.0


def _sync_cost(folder: Path, times: int = 200) -> float:
    """Milliseconds to write a page and see it on the disk."""
    handle = os.open(folder / "sync", os.O_CREAT | os.O_RDWR)
    begun = time.perf_counter()
    for number in range(times):
        os.pwrite(handle, b"x" * PAGE, number * PAGE)
        os.fsync(handle)
    os.close(handle)
    return (time.perf_counter() - begun) / times * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="where the database is made; a disk, not memory")
    parser.add_argument("--readers", type=int, nargs="*", default=[0, 4])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--pause", type=float, default=0.001, help="seconds a reader thinks after each read")
    asked = parser.parse_args()
    with nullcontext(asked.folder) if asked.folder else tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        print(f"SQLite {sqlite3.sqlite_version}; a page written and synced: {_sync_cost(folder):.2f} ms")
        print(
            f"{'':52}{'readers':>8}{'commits/s':>11}{'median ms':>11}{'99th ms':>9}{'reads/s':>9}{'99th ms':>9}{'refused':>9}"
        )
        for readers in asked.readers:
            for number, journal in enumerate(JOURNALS):
                place = folder / f"{readers}-{number}"
                place.mkdir()
                of = Trial(place, journal, readers, asked.seconds, asked.pause).run()
                print(
                    f"{journal.name:52}{readers:>8}{of.commits:>11.0f}{of.commit_median:>11.2f}{of.commit_99th:>9.2f}"
                    f"{of.reads:>9.0f}{of.read_99th:>9.2f}{of.refused:>9}"
                )


if __name__ == "__main__":
    main()
