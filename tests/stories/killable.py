"""A worker process for tests to kill.

Run it with `python -m tests.stories.killable URL FILE`. It has two kinds of job of its own: one adds a charge to an
invoice, which must happen only once; the other calls the outside world, here by adding a line to FILE.
"""

import os
import random
import sys
import threading
import time
from pathlib import Path

from prorata import wiring
from prorata.actions.invoices import invoices
from prorata.adapters.logs import start_logging
from prorata.domain.jobs.backoff import Backoff
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database
from prorata.worker.job_kinds import Done, Job, Kind, Lease, Outcome
from prorata.worker.recurring_jobs import CLOCKWORK
from prorata.worker.rounds import Worker

CHARGE, CALL = "charge", "call"
SECONDS_OF_LEASE = 1.0


def kinds(outside: Path) -> tuple[Kind, ...]:
    """The kinds of the recurring jobs, and two kinds of the test.

    The worker never gives up jobs of the test's kinds.
    """

    def charge(job: Job, _database: Database, _lease: Lease) -> Outcome:
        time.sleep(random.random() / 50)
        caller, invoice = Caller(job.account_id, "test"), job.payload["invoice"]
        return Done(lambda tx: invoices.add_custom_charge(tx, caller, invoice, job.id, 1))

    def call(job: Job, _database: Database, _lease: Lease) -> Outcome:
        time.sleep(random.random() / 20)
        handle = os.open(outside, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        os.write(handle, f"{job.id}\n".encode())
        os.close(handle)
        time.sleep(random.random() / 20)
        return Done()

    soon = Backoff(1, 1, 1)
    return (
        *CLOCKWORK,
        Kind(CHARGE, "adds a charge", charge, at_once=2, attempts=10_000, backoff=soon, lease=SECONDS_OF_LEASE),
        Kind(CALL, "calls outside", call, at_once=2, attempts=10_000, backoff=soon, lease=SECONDS_OF_LEASE),
    )


if __name__ == "__main__":
    url, file = sys.argv[1:]
    start_logging()
    database = wiring.open_database(read_settings({"PRORATA_DATABASE_URL": url}, Path(os.devnull)))
    Worker(database, lambda: 0, kinds(Path(file))).run(threading.Event(), seconds_between=0.05)
