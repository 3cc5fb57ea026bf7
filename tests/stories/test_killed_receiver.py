"""The receiver of mail keeps its promises, though it is killed while several send.

A message that it answered with 250 is stored, byte for byte. A message without that answer is stored once after it was
sent again.
"""

import random
import smtplib
import threading
import time
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest

from prorata.actions.inbound_mail import incoming_mail
from prorata.domain.inbound_mail.inbox_addresses import RECEIVED
from prorata.store.database.engine import Database
from prorata.store.inbound_mail import incoming_mail as stored
from prorata.store.jobs import jobs
from tests.incoming import a_message, address_of
from tests.landlord import Landlord, MovableClock, opened
from tests.servers import free_port
from tests.stories.victims import Victim

SENDERS = 3
SECONDS_TO_END = 120


class Sender(threading.Thread):
    """A thread that sends one message after another, each until it is taken.

    It remembers the messages that the receiver promised to keep, and counts the tries that were broken off.
    """

    def __init__(self, name: str, to: str, port: int, stop: threading.Event) -> None:
        super().__init__(name=name, daemon=True)
        self._to, self._port, self._stop_sending = to, port, stop
        self.promised: list[bytes] = []
        self.broken_off = 0

    def run(self) -> None:
        for number in count():
            if self._stop_sending.is_set():
                return
            self._send_for_sure(a_message(("a.pdf", random.randbytes(20_000)), subject=f"{self.name} {number}"))

    def _send_for_sure(self, message: bytes) -> None:
        while True:
            try:
                with smtplib.SMTP("127.0.0.1", self._port, timeout=30) as client:
                    client.sendmail("bills@aqua.example", [self._to], message)
            except (OSError, smtplib.SMTPException):
                self.broken_off += 1
                time.sleep(0.02)
            else:
                self.promised.append(message)
                return


def test_what_was_promised_is_there_though_the_receiver_is_killed(migrated_url: str, tmp_path: Path) -> None:
    send_under_kills(migrated_url, tmp_path, kills=5)


@pytest.mark.soak
def test_what_was_promised_is_there_though_the_receiver_is_killed_a_hundred_times(
    migrated_url: str, tmp_path: Path
) -> None:
    send_under_kills(migrated_url, tmp_path, kills=100)


def send_under_kills(url: str, folder: Path, *, kills: int) -> None:
    """Send messages, kill the receiver at random moments, and check the stored messages."""
    clock = MovableClock(datetime.now(UTC))
    port, stop = free_port(), threading.Event()
    with opened(url, clock) as database:
        landlord = Landlord(database, clock)
        to = address_of(database, landlord.account.id)
        senders = [Sender(f"sender {number}", to, port, stop) for number in range(SENDERS)]
        for sender in senders:
            sender.start()
        for _ in range(kills):
            before = number_promised(senders)
            victim = Victim("tests.stories.killable_receiver", url, str(port), folder=folder)
            wait_until(senders, before + 2)
            time.sleep(random.uniform(0.0, 0.05))
            victim.kill()
        stop.set()
        last = Victim("tests.stories.killable_receiver", url, str(port), folder=folder)
        for sender in senders:
            sender.join(SECONDS_TO_END)
        last.kill()
        promised = [message for sender in senders for message in sender.promised]
        assert sum(sender.broken_off for sender in senders) > 0, "kills were noticed"
        assert_kept(database, landlord, promised)
        landlord.sound()


def assert_kept(database: Database, landlord: Landlord, promised: list[bytes]) -> None:
    """Check that exactly the promised messages are stored, each once and as it was sent.

    Each has a job that reads it.
    """
    rows = database.read(
        lambda tx: stored.page(tx, landlord.account.id, [RECEIVED], before="incoming_~", limit=100_000)
    )
    assert sorted(row.digest for row in rows) == sorted(sha256(message).hexdigest() for message in promised)
    for row in rows:
        content = landlord.see(incoming_mail.content_of, row.id)
        assert sha256(content).hexdigest() == row.digest
        assert [job.kind for job in landlord.read(jobs.of_subject, row.id)] == [incoming_mail.READ_MAIL]


def number_promised(senders: list[Sender]) -> int:
    return sum(len(sender.promised) for sender in senders)


def wait_until(senders: list[Sender], number: int) -> None:
    deadline = time.monotonic() + SECONDS_TO_END
    while number_promised(senders) < number:
        assert time.monotonic() < deadline, "nothing is taken"
        time.sleep(0.01)
