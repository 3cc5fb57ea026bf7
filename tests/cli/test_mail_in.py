"""Tests of mail that reaches a running `serve`.

They also cover settings with which no mail can come in.
"""

import smtplib
import socket
import time
from pathlib import Path

import pytest

from prorata import wiring
from prorata.actions.inbound_mail import incoming_mail
from prorata.settings import read_settings
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from tests.adapters.inbound_mail.test_imap_mailbox import url_of
from tests.cli.running import Command
from tests.dovecot_server import DovecotServer
from tests.incoming import PDF, a_message, address_of
from tests.servers import free_port

SECONDS = 60


def send(port: int, to: str, message: bytes) -> None:
    """Send a message as soon as a receiver listens."""
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            with smtplib.SMTP("127.0.0.1", port, timeout=30) as client:
                client.sendmail("bills@aqua.example", [to], message)
        except ConnectionRefusedError:
            assert time.monotonic() < deadline, "nobody listens"
            time.sleep(0.1)
        else:
            return


def test_mail_to_a_running_server_is_read_and_waits_in_the_inbox(tmp_path: Path) -> None:
    port = free_port()
    command = Command(tmp_path, PRORATA_INBOUND_SMTP=f"127.0.0.1:{port}")
    command.account()
    settings = read_settings(command.settings, tmp_path / "no.env")
    with wiring.opened(settings) as database:
        (account,) = database.read(accounts.everyone)
        caller = Caller(account.id, "tests")
        with command.serving() as server:
            send(port, address_of(database, account.id), a_message(("bill.pdf", PDF)))
            deadline = time.monotonic() + SECONDS
            while not (waiting := database.read(lambda tx: incoming_mail.page(tx, caller, ["waiting"])).mails):
                assert time.monotonic() < deadline, "it was not read"
                time.sleep(0.1)
            assert server.stop() == 0
    assert waiting[0].row.subject == "Your bill"
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)
    assert command.ok("check") == "No problems were found in the stored data."


def test_a_mailbox_is_polled_and_its_mail_waits_in_the_inbox(tmp_path: Path) -> None:
    with DovecotServer() as dovecot:
        dovecot.deliver(a_message(("bill.pdf", PDF)), a_message(("scan.pdf", b"x" * 20_000_000), subject="Large"))
        command = Command(tmp_path, PRORATA_IMAP_URL=url_of(dovecot))
        command.account()
        settings = read_settings(command.settings, tmp_path / "no.env")
        with wiring.opened(settings) as database, command.serving() as server:
            (account,) = database.read(accounts.everyone)
            caller = Caller(account.id, "tests")
            deadline = time.monotonic() + SECONDS
            while not (waiting := database.read(lambda tx: incoming_mail.page(tx, caller, ["waiting"])).mails):
                assert time.monotonic() < deadline, "it was not fetched"
                time.sleep(0.1)
            while not (large := database.read(lambda tx: incoming_mail.page(tx, caller, ["refused"])).mails):
                assert time.monotonic() < deadline, "it was not told that one is too large"
                time.sleep(0.1)
            assert server.stop() == 0
        assert [(one.row.subject, one.row.size > 25 << 20, one.is_too_large) for one in large] == [
            ("Large", True, True)
        ]
        assert [one.row.way for one in waiting] == ["imap"]
        assert dovecot.unseen() == 0


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"PRORATA_INBOUND_SMTP": "25"}, "PRORATA_INBOUND_SMTP must be a host and a port, such as 0.0.0.0:25"),
        ({"PRORATA_INBOUND_SMTP": "192.0.2.1:2525"}, "can't listen at 192.0.2.1:2525"),
        ({"PRORATA_IMAP_URL": "pop://x"}, "PRORATA_IMAP_URL must start with"),
        ({"PRORATA_NAME_SERVER": "dns.example:53"}, "PRORATA_NAME_SERVER must be the IP address of a name server"),
        ({"PRORATA_NAME_SERVER": "127.0.0.1:dns"}, "PRORATA_NAME_SERVER must be the IP address of a name server"),
        (
            {"PRORATA_INBOUND_SMTP": "127.0.0.1:2525", "PRORATA_INBOUND_ADDRESS": "bills"},
            "PRORATA_INBOUND_ADDRESS must be an e-mail address",
        ),
        (
            {"PRORATA_INBOUND_SMTP": "127.0.0.1:2525", "PRORATA_BASE_URL": "http://192.0.2.7"},
            "PRORATA_BASE_URL has no host that can receive mail",
        ),
    ],
)
def test_a_server_with_which_no_mail_can_come_in_does_not_start(
    tmp_path: Path, settings: dict[str, str], said: str
) -> None:
    refused = Command(tmp_path, **settings).refused("serve", "--port", str(free_port()))
    assert said in refused
    assert refused.count("\n") == 0
