"""A worker process that hands mail to a server, for tests to kill.

Run it with `python -m tests.stories.killable_mail URL DATA_DIR SMTP_URL`. Its kinds of job are those of the program.
Only the kind that sends mail has a short lease and short delays, because no test can wait for minutes.
"""

import sys
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from prorata import wiring
from prorata.domain.jobs.backoff import Backoff
from prorata.domain.mail.deliveries import MAIL
from prorata.settings import read_settings
from prorata.worker.rounds import Worker

LEASE, SOON = 1.0, Backoff(1, 1, 1)


def main(url: str, data: str, smtp: str) -> None:
    """Work until killed."""
    settings = read_settings(
        {
            "PRORATA_DATABASE_URL": url,
            "PRORATA_DATA_DIR": data,
            "PRORATA_MAIL_FROM": "bills@example.com",
            "PRORATA_SMTP_URL": smtp,
            "PRORATA_SECRET_KEY": "a secret for the links to tenants' pages",
        },
        Path("no such file"),
    )
    kinds = [
        replace(kind, lease=LEASE, backoff=SOON, after_a_break=timedelta()) if kind.name == MAIL else kind
        for kind in wiring.job_kinds(settings)
    ]
    Worker(wiring.open_database(settings), lambda: 0, kinds).run(threading.Event(), seconds_between=0.1)


if __name__ == "__main__":
    main(*sys.argv[1:])
