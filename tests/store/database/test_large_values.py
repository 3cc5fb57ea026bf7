"""A process does not keep the memory of large messages that it has written."""

import ctypes
import gc
import os
import threading
from pathlib import Path

from prorata.actions.accounts import accounts
from prorata.actions.overview.schedule import RECURRING
from prorata.store.database.sqlite import SqliteDatabase
from prorata.worker.incoming_mail import Intake
from tests.clock import TestClock
from tests.incoming import address_of
from tests.web.conftest import open_database

MB = 1024 * 1024
THREADS = 6


def held() -> int:
    """The process's own memory in megabytes, without any that it could release at once."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/status").read_text().split("RssAnon:")[1].split()[0]) // 1024


def test_no_thread_keeps_a_large_message_that_it_has_written(migrated_sqlite_url: str) -> None:
    database = open_database(migrated_sqlite_url, TestClock(), 10.0)
    assert isinstance(database, SqliteDatabase)
    account_id = database.write(
        lambda tx: accounts.open_account(
            tx,
            recurs=RECURRING,
            name="H",
            email="h@example.com",
            password_hash="x",
            timezone="UTC",
            locale="en-US",
            currency="USD",
        )
    ).id
    address, intake = address_of(database, account_id), Intake(database, "out@example.org")
    done, end = threading.Barrier(THREADS + 1), threading.Event()

    def take(number: int) -> None:
        head = f"From: a@b.example\r\nSubject: {number}\r\n\r\n".encode()
        intake.take([address], "a@b.example", head + os.urandom(16 * MB), "smtp")
        done.wait(60)
        end.wait(60)

    before = held()
    threads = [threading.Thread(target=take, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    done.wait(60)
    kept = held() - before
    end.set()
    for thread in threads:
        thread.join()
    database.close()
    assert kept < 60
