"""A comparison of SQLite journals: commits of one writer while others read (docs/adr/0004).

    .venv/bin/python benchmarks/journal.py

It compares a write-ahead log whose commits and checkpoints happen under one lock with a rollback journal (TRUNCATE)
and, for what the lock costs, with a log without it, which can lose commits before SQLite 3.51.3. Under the lock the
log is either cut to nothing by each checkpoint, which waits for readers, or kept and written over. Every commit is
on the disk (synchronous=FULL). A commit changes one invoice and adds one event; a read fetches one invoice with its
account's counts, and then thinks for a moment, as requests do. With --long-reader one more reader stays on one
state of the database all the time, as a backup or a check does.
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
from contextlib import closing, contextmanager, nullcontext, suppress
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
    """One kind of journal."""

    name: str
    mode: str
    locked: bool
    cut: bool


JOURNALS = (
    Journal("WAL under one lock, cut by checkpoints", "wal", locked=True, cut=True),
    Journal("WAL under one lock, kept", "wal", locked=True, cut=False),
    Journal("TRUNCATE", "truncate", locked=False, cut=False),
    Journal("WAL without a lock (unsafe)", "wal", locked=False, cut=False),
)


class Outcome(NamedTuple):
    """The measured figures: rates per second, and times in milliseconds."""

    commits: float
    commit_median: float
    commit_99th: float
    commit_worst: float
    refused: int
    reads: float
    read_99th: float


class Trial:
    """A fresh database, one writer and some readers, for some seconds."""

    def __init__(
        self, folder: Path, journal: Journal, readers: int, seconds: float, pause: float, long_reader: bool
    ) -> None:
        self.file = folder / "journal.db"
        self.journal = journal
        self.readers = readers
        self.seconds = seconds
        self.pause = pause
        self.long_reader = long_reader
        self.turn = threading.Lock()
        self.over = threading.Event()
        self.commits: list[float] = []
        self.reads: list[float] = []
        self.refused = 0

    def run(self) -> Outcome:
        self._fill()
        threads = [threading.Thread(target=self._read, args=(number,)) for number in range(self.readers)]
        if self.long_reader:
            threads.append(threading.Thread(target=self._read_for_long))
        threads.append(threading.Thread(target=self._write))
        for thread in threads:
            thread.start()
        time.sleep(self.seconds)
        self.over.set()
        for thread in threads:
            thread.join()
        return Outcome(
            len(self.commits) / self.seconds,
            statistics.median(self.commits or [0.0]) * 1000,
            _99th(self.commits),
            max(self.commits, default=0.0) * 1000,
            self.refused,
            len(self.reads) / self.seconds,
            _99th(self.reads),
        )

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, isolation_level=None, timeout=5.0, cached_statements=64)
        for setting in (
            f"journal_mode={self.journal.mode}",
            "synchronous=FULL",
            "cache_size=-32768",
            f"wal_autocheckpoint={0 if self.journal.cut else PAGES_BEFORE_CHECKPOINT}",
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
                    try:
                        self._commit(connection, f"inv_{number % INVOICES:06d}")
                    except sqlite3.OperationalError:  # it waited five seconds for the readers
                        connection.execute("rollback")
                        self.refused += 1
                        continue
                    if self.journal.cut:
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
        """Hold the lock across threads and processes, as the store does for each write."""
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

    def _read_for_long(self) -> None:
        with closing(self._connect()) as connection:
            connection.execute("begin")
            connection.execute("select count(*) from invoice").fetchall()
            self.over.wait()

    def _read(self, number: int) -> None:
        with closing(self._connect()) as connection:
            while not self.over.is_set():
                number += 104_729
                begun = time.perf_counter()
                with suppress(sqlite3.OperationalError):  # it waited five seconds for the writer
                    connection.execute(
                        "select * from invoice join tally using (account) where account = 'acct' and id = ?",
                        (f"inv_{number % INVOICES:06d}",),
                    ).fetchall()
                self.reads.append(time.perf_counter() - begun)
                time.sleep(self.pause)


def _99th(seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) * 99 // 100] * 1000 if seconds else 0.0


def _sync_cost(folder: Path, times: int = 200) -> float:
    """Measure the milliseconds to write a page and sync it to disk."""
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
    parser.add_argument("--long-reader", action="store_true", help="one more reader stays on one state")
    asked = parser.parse_args()
    with nullcontext(asked.folder) if asked.folder else tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        print(f"SQLite {sqlite3.sqlite_version}; a page written and synced: {_sync_cost(folder):.2f} ms")
        print(f"{'':40}readers  commits/s  median ms  99th ms  worst ms  refused   reads/s  99th ms")
        for readers in asked.readers:
            for number, journal in enumerate(JOURNALS):
                place = folder / f"{readers}-{number}"
                place.mkdir()
                of = Trial(place, journal, readers, asked.seconds, asked.pause, asked.long_reader).run()
                print(
                    f"{journal.name:40}{readers:>7}{of.commits:>11.0f}{of.commit_median:>11.2f}{of.commit_99th:>9.2f}"
                    f"{of.commit_worst:>10.1f}{of.refused:>9}{of.reads:>10.0f}{of.read_99th:>9.2f}"
                )


if __name__ == "__main__":
    main()
