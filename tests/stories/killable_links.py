"""A worker process that has payment links made, for tests to kill.

Run it with `python -m tests.stories.killable_links URL STRIPE_URL`. Its leases are short, so that a worker soon takes
up the jobs that a kill leaves behind.
"""

import os
import sys
import threading
from dataclasses import replace
from pathlib import Path

from prorata import wiring
from prorata.adapters.logs import start_logging
from prorata.adapters.online_payments.stripe import StripePayments
from prorata.domain.jobs.backoff import Backoff
from prorata.domain.online_payments.payment_links import STRIPE
from prorata.settings import read_settings
from prorata.worker.payment_links import payment_link_kind
from prorata.worker.rounds import Worker
from tests.worker.trade import VAULT

SECONDS_OF_LEASE = 1.0

if __name__ == "__main__":
    url, stripe = sys.argv[1:]
    start_logging()
    database = wiring.open_database(read_settings({"PRORATA_DATABASE_URL": url}, Path(os.devnull)))
    kind = payment_link_kind({STRIPE: StripePayments(stripe)}, lambda: VAULT)
    soon = replace(kind, lease=SECONDS_OF_LEASE, attempts=10_000, backoff=Backoff(1, 1, 1))
    Worker(database, lambda: 0, [soon]).run(threading.Event(), seconds_between=0.05)
