"""Workers are killed while they send a month of invoices: each invoice is sent, none of them twice."""

import email.policy
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.parser import BytesParser
from pathlib import Path

import pytest

from prorata.actions import deliveries
from prorata.store import jobs as stored_jobs
from tests.house.sources import ROOT
from tests.landlord import Landlord, MovableClock, opened

SECONDS_TO_END = 120


@contextmanager
def worker(url: str, data: Path) -> Iterator[None]:
    """A worker's process, killed in the end."""
    command = [sys.executable, "-m", "tests.stories.killable_mail", url, str(data)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def test_each_invoice_is_sent_once_though_workers_are_killed(migrated_url: str, tmp_path: Path) -> None:
    send_under_kills(migrated_url, tmp_path, kills=6, invoices=60)


@pytest.mark.soak
def test_each_invoice_is_sent_once_after_two_hundred_kills(migrated_url: str, tmp_path: Path) -> None:
    send_under_kills(migrated_url, tmp_path, kills=200, invoices=2_000)


def send_under_kills(url: str, folder: Path, *, kills: int, invoices: int) -> None:
    """Set invoices to SENT, kill a worker at random moments, and look at what has left the house."""
    clock, outbox = MovableClock(datetime.now(UTC)), folder / "outbox"
    with opened(url, clock) as database:
        landlord = Landlord(database, clock)
        sent = list(sent_invoices(landlord, invoices))
        began = time.monotonic()
        for _ in range(kills):
            before = number_in(outbox)
            with worker(url, folder):
                wait_for(lambda before=before: number_in(outbox) > before or before == len(sent))  # type: ignore[misc]
                time.sleep(random.uniform(0.0, 0.05))
        with worker(url, folder):
            wait_for(lambda: all_have_ended(landlord, sent))
        seconds = time.monotonic() - began
        messages = [row for invoice in sent for row in landlord.see(deliveries.messages, invoice)]
        runs = sum(job.attempts for invoice in sent for job in landlord.read(stored_jobs.of_subject, invoice))
        assert Counter(row.state for row in messages) == {"written": len(sent)}
        parse = BytesParser(policy=email.policy.default).parsebytes
        ids = Counter(parse(file.read_bytes())["Message-ID"] for file in outbox.glob("*.eml"))
        assert ids == Counter(f"<{row.id}@example.com>" for row in messages), "each message left once"
        assert runs > len(sent), "no kill has met a message that was being sent"
        clock.moment = datetime.now(UTC)
        landlord.sound()
    print(  # noqa: T201 - the figures of docs/reliability.md
        f"{kills} kills in {seconds:.0f} s: {len(sent)} invoices, each sent once; {runs - len(sent)} runs ended by a kill"
    )


def sent_invoices(landlord: Landlord, number: int) -> Iterator[str]:
    """The ids of invoices that are SENT and whose messages wait."""
    for place in range(-(-number // 50)):
        house = landlord.property_(f"House {place}")
        for label in map(str, range(1, 51)):
            landlord.tenant(landlord.unit(house, label), "Ann", email="ann@example.org")
        landlord.bill(house, 100_00)
        for label, one in landlord.invoices(house).items():
            landlord.set_status(house, label, "SENT")
            yield one.summary.id


def number_in(folder: Path) -> int:
    return len(list(folder.glob("*.eml")))


def all_have_ended(landlord: Landlord, invoices: list[str]) -> bool:
    rows = (row for invoice in invoices for row in landlord.read(stored_jobs.of_subject, invoice))
    return all(row.state == "done" for row in rows)


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS_TO_END
    while not happened():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.02)
