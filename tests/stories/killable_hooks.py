"""A worker process that sends webhooks, for tests to kill.

Run it with `python -m tests.stories.killable_hooks URL`. Its leases are short, so that a worker soon takes up the jobs
that a kill leaves behind.
"""

import os
import sys
import threading
from dataclasses import replace
from pathlib import Path

from prorata import wiring
from prorata.adapters.logs import start_logging
from prorata.adapters.sealing import AesVault
from prorata.adapters.webhooks.post import WebhookPost
from prorata.domain.jobs.backoff import Backoff
from prorata.settings import read_settings
from prorata.worker.rounds import Worker
from prorata.worker.webhooks import webhook_kinds
from tests.webhook_receiver import HERE

SECONDS_OF_LEASE = 1.0

if __name__ == "__main__":
    (url,) = sys.argv[1:]
    start_logging()
    database = wiring.open_database(read_settings({"PRORATA_DATABASE_URL": url}, Path(os.devnull)))
    kinds = webhook_kinds(WebhookPost(HERE), lambda: AesVault([b"v" * 32]))
    soon = [replace(kind, lease=SECONDS_OF_LEASE, attempts=10_000, backoff=Backoff(1, 1, 1)) for kind in kinds]
    Worker(database, lambda: 0, soon).run(threading.Event(), seconds_between=0.05)
