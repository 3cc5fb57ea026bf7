"""Mail for the tests' receiver.

The module makes messages, runs a receiver in this process, and decides who is believed to have sent a message.
"""

import email.policy
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from ssl import SSLContext

from prorata.actions.inbound_mail import inbox_addresses
from prorata.adapters.inbound_mail.inbound_settings import Listening
from prorata.adapters.inbound_mail.mail_receiver import MailReceiver
from prorata.adapters.inbound_mail.message_files import MessageProcess
from prorata.adapters.inbound_mail.smtp_quota import Limits
from prorata.ports.mail import Authenticity
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database
from prorata.wiring import files_in
from prorata.worker.incoming_mail import Intake, incoming_mail_kind
from prorata.worker.job_kinds import Kind
from tests.servers import free_port

MAIL_FROM = "bills@example.com"
SECONDS_TO_START = 60
USUAL = Limits()
PDF = b"%PDF-1.7 of which the rest was lost"


def a_message(
    *files: tuple[str, bytes],
    sender: str = "Aqua <bills@aqua.example>",
    subject: str = "Your bill",
    message_id: str = "<1@aqua.example>",
    **headers: str,
) -> bytes:
    """A message with these files attached."""
    made = EmailMessage(policy=email.policy.SMTP)
    made["From"], made["To"], made["Subject"] = sender, "bills@example.com", subject
    made["Date"], made["Message-ID"] = "Mon, 02 Mar 2026 10:00:00 +0000", message_id
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content("Your bill is attached.")
    for name, content in files:
        made.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    made_up = made.get_boundary()
    if made_up is None and made.is_multipart():
        made.set_boundary("=_parts")
    return made.as_bytes()


def address_of(database: Database, account_id: str) -> str:
    """The address at which an account receives mail."""
    row = database.read(lambda tx: inbox_addresses.find(tx, Caller(account_id, "cli")))
    return f"bills-{row.token}@example.com"


class Believes:
    """A check of senders that believes every message, or none."""

    def __init__(self, *, everybody: bool) -> None:
        self._everybody = everybody

    def __call__(self, _message: bytes) -> Authenticity:
        if self._everybody:
            return Authenticity(passed=True, domain="aqua.example", why="aqua.example has signed it.")
        return Authenticity(passed=False, domain=None, why="Nobody has signed it.")


def reading(*, everybody: bool) -> Kind:
    """The kind of job that reads messages, and believes every sender or none."""
    return incoming_mail_kind(MessageProcess(), Believes(everybody=everybody), files_in)


@contextmanager
def receiving(database: Database, limits: Limits = USUAL, *, lmtp: bool = False) -> Iterator[int]:
    """Run a receiver for a database, and yield its port."""
    with listening(Intake(database, MAIL_FROM), limits, lmtp=lmtp) as where:
        yield where.port


@contextmanager
def listening(
    intake: object,
    limits: Limits = USUAL,
    *,
    lmtp: bool = False,
    path: Path | None = None,
    tls: Callable[[], SSLContext] | None = None,
) -> Iterator[Listening]:
    """Run a receiver that hands each message to `intake`, and yield its address."""
    port = 0 if path else free_port()
    where = Listening(lmtp, path=str(path)) if path else Listening(lmtp, "127.0.0.1", port)
    receiver = MailReceiver(where, "mail.test", intake, limits, tls)  # type: ignore[arg-type]
    receiver.start()
    try:
        assert receiver.wait(SECONDS_TO_START), "it listens"
        yield where
    finally:
        receiver.stop()


class Talk:
    """A conversation with the receiver, line by line."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._file = self._socket.makefile("rb")
        self.greeting = self.heard()

    def heard(self) -> str:
        """Read the next answer, and return its last line."""
        while True:
            line = self._file.readline().decode()
            if line[3:4] != "-":
                return line.rstrip()

    def say(self, line: str | bytes) -> str:
        """Send a line, and return the answer."""
        self._socket.sendall((line if isinstance(line, bytes) else line.encode()) + b"\r\n")
        return self.heard()

    def say_all(self, lines: Sequence[str]) -> list[str]:
        """Send lines one after another, and return the answers."""
        return [self.say(line) for line in lines]

    def close(self) -> None:
        """Hang up without a word."""
        self._file.close()
        self._socket.close()
