"""A mail server that says a little at a time keeps no client waiting forever.

Each of its silences is short.
"""

import socketserver
import threading
import time
from contextlib import suppress
from typing import ClassVar

import pytest

from prorata.adapters.mail.smtp import SmtpMailer, Timeouts
from prorata.adapters.mail.urls import MailServer
from prorata.ports.mail import MailDelayed, MailTaken, MailUnclear

MESSAGE = b"Subject: Invoice\r\n\r\nHello.\r\n"


MORE = b"250-and more\r\n"


class Trickling(socketserver.StreamRequestHandler):
    """A server that begins an answer and never ends it.

    It is the answer to one line, or the greeting.
    """

    after: ClassVar[bytes]
    begins: ClassVar[bytes]
    says: ClassVar[bytes]

    def handle(self) -> None:
        if not self.after:
            self.trickle()
            return
        self.wfile.write(b"220 mx.example.com\r\n")
        in_data = False
        for line in self.rfile:
            if line.startswith(self.after):
                self.trickle()
                return
            if in_data:
                if line == b".\r\n":
                    self.wfile.write(b"250 Taken\r\n")
                    in_data = False
            else:
                in_data = line.startswith(b"DATA")
                said = b"250-mx.example.com\r\n250 STARTTLS\r\n" if line.startswith(b"ehlo") else b"250 OK\r\n"
                self.wfile.write(b"354 Go on\r\n" if in_data else said)

    def trickle(self) -> None:
        with suppress(OSError):
            self.wfile.write(self.begins)
            while True:
                self.wfile.write(self.says)
                time.sleep(0.05)


HALF_A_HANDSHAKE = b"\x16\x03\x03\x40\x00"
"""A record of TLS that holds 16,384 bytes, which come one by one."""


@pytest.mark.parametrize(
    ("after", "begins", "says", "tls", "outcome"),
    [
        (b"", b"", b"220-please wait\r\n", None, MailDelayed),
        (b"", HALF_A_HANDSHAKE, b"x", "implicit", MailDelayed),
        (b"ehlo", b"", MORE, None, MailDelayed),
        (b"STARTTLS", b"220 Go on\r\n" + HALF_A_HANDSHAKE, b"x", "starttls", MailDelayed),
        (b"MAIL", b"", MORE, None, MailDelayed),
        (b".\r\n", b"", MORE, None, MailUnclear),
        (b"QUIT", b"", MORE, None, MailTaken),
    ],
    ids=["greeting", "TLS", "ehlo", "STARTTLS", "MAIL", "the last line", "QUIT"],
)
def test_a_server_that_trickles_is_left_once_the_time_for_all_of_it_is_over(
    after: bytes, begins: bytes, says: bytes, tls: str | None, outcome: type
) -> None:
    handler = type("_Trickling", (Trickling,), {"after": after, "begins": begins, "says": says})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        port = server.server_address[1]
        where = MailServer("127.0.0.1", port, implicit_tls=tls == "implicit", starttls=tls == "starttls")
        mailer = SmtpMailer(where, ehlo_name="bills.example.com", timeouts=Timeouts(leaving=1, whole=0.5))
        began = time.monotonic()
        assert isinstance(mailer.send("bills@example.com", "ann@example.com", MESSAGE), outcome)
        assert time.monotonic() - began < 4
        server.shutdown()
