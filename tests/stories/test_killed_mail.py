"""A mail server gets every invoice, though workers are killed while they send a month.

The server gets a message again only if a kill interrupted its delivery, and then with the same bytes.
"""

import email.policy
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.parser import BytesParser
from pathlib import Path

import pytest

from prorata.actions.delivery import deliveries
from prorata.store.jobs import jobs as stored_jobs
from prorata.worker.mail import MAIL_AT_ONCE
from tests.landlord import Landlord, MovableClock, opened
from tests.smtp_server import Behaviour, SmtpServer
from tests.stories.victims import Victim

SECONDS_TO_END = 120
SECONDS_TO_TAKE = 0.05
"""The seconds between the server's taking a message and confirming it.

After a kill in this time, nobody knows about the delivery.
"""


def worker(url: str, data: Path, port: int) -> Victim:
    """A worker process."""
    return Victim("tests.stories.killable_mail", url, str(data), f"smtp://127.0.0.1:{port}", folder=data)


def test_a_server_gets_each_invoice_and_twice_only_what_a_kill_interrupted(migrated_url: str, tmp_path: Path) -> None:
    send_under_kills(migrated_url, tmp_path, kills=6, invoices=50)


@pytest.mark.soak
def test_a_server_gets_each_invoice_though_workers_are_killed_two_hundred_times(
    migrated_url: str, tmp_path: Path
) -> None:
    send_under_kills(migrated_url, tmp_path, kills=200, invoices=2_000)


def send_under_kills(url: str, folder: Path, *, kills: int, invoices: int) -> None:
    """Set invoices to SENT, kill workers at random moments, and check the delivered messages."""
    clock = MovableClock(datetime.now(UTC))
    with opened(url, clock) as database, SmtpServer(Behaviour(seconds_to_take=SECONDS_TO_TAKE)) as server:
        landlord = Landlord(database, clock)
        sent = list(sent_invoices(landlord, invoices))
        began = time.monotonic()
        for _ in range(kills):
            before = len(server.taken)
            with worker(url, folder, server.port):
                wait_for(lambda before=before: len(server.taken) > before or all_taken(server, sent))  # type: ignore[misc]
                time.sleep(random.uniform(0.0, SECONDS_TO_TAKE))
        with worker(url, folder, server.port):
            wait_for(lambda: all_have_ended(landlord, sent))
        seconds = time.monotonic() - began
        messages = [row for invoice in sent for row in landlord.see(deliveries.messages, invoice)]
        assert Counter(row.state for row in messages) == {"sent": len(sent)}
        copies = taken_by_id(server)
        assert set(copies) == {f"<{row.id}@example.com>" for row in messages}, "none is missing, none is of nobody"
        assert all(len(set(bytes_)) == 1 for bytes_ in copies.values()), "what is handed over again is the same bytes"
        again = len(server.taken) - len(sent)
        assert 0 < again <= kills * MAIL_AT_ONCE, "again is handed over what was under way at a kill, and nothing else"
        clock.moment = datetime.now(UTC)
        landlord.sound()
    print(  # noqa: T201 - the figures of docs/reliability.md
        f"{kills} kills in {seconds:.0f} s: {len(sent)} invoices, all sent; {again} handed over again, the same bytes"
    )


def sent_invoices(landlord: Landlord, number: int) -> Iterator[str]:
    """The ids of SENT invoices whose messages wait to be delivered."""
    for place in range(-(-number // 50)):
        house = landlord.property_(f"House {place}")
        for label in map(str, range(1, 51)):
            landlord.tenant(landlord.unit(house, label), "Ann", email="ann@example.org")
        landlord.bill(house, 100_00)
        for label, one in landlord.invoices(house).items():
            landlord.set_status(house, label, "SENT")
            yield one.summary.id


def all_taken(server: SmtpServer, invoices: list[str]) -> bool:
    """Check whether the server has every invoice, each with its own return address."""
    return len({taken.envelope_from for taken in server.taken}) == len(invoices)


def taken_by_id(server: SmtpServer) -> dict[str, list[bytes]]:
    """Return the messages that the server has taken, by Message-ID."""
    parse = BytesParser(policy=email.policy.default).parsebytes
    found: dict[str, list[bytes]] = defaultdict(list)
    for taken in server.taken:
        found[str(parse(taken.content)["Message-ID"])].append(taken.content)
    return found


def all_have_ended(landlord: Landlord, invoices: list[str]) -> bool:
    rows = (row for invoice in invoices for row in landlord.read(stored_jobs.of_subject, invoice))
    return all(row.state == "done" for row in rows)


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS_TO_END
    while not happened():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.02)
