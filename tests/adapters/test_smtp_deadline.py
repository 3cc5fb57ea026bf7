"""A mail server that says a little now and then, for ever: no silence is long, and yet nobody waits for ever."""

import socketserver
import threading
import time
from contextlib import suppress
from typing import ClassVar

import pytest

from prorata.adapters.smtp import SmtpMailer, Timeouts
from prorata.adapters.smtp_url import SmtpServer
from prorata.ports import MailDelayed, MailUnclear

MESSAGE = b"Subject: Invoice\r\n\r\nHello.\r\n"


class Trickling(socketserver.StreamRequestHandler):
    """It begins its answer to one line and never ends it."""

    after: ClassVar[bytes]

    def handle(self) -> None:
        self.wfile.write(b"220 mx.example.com\r\n")
        in_data = False
        for line in self.rfile:
            if line.startswith(self.after):
                with suppress(OSError):
                    while True:
                        self.wfile.write(b"250-and more\r\n")
                        time.sleep(0.05)
                return
            if not in_data:
                in_data = line.startswith(b"DATA")
                self.wfile.write(b"354 Go on\r\n" if in_data else b"250 OK\r\n")


@pytest.mark.parametrize(
    ("after", "outcome"), [(b"ehlo", MailDelayed), (b"MAIL", MailDelayed), (b".\r\n", MailUnclear)]
)
def test_a_server_that_trickles_is_left_once_the_time_for_all_of_it_is_over(after: bytes, outcome: type) -> None:
    handler = type("_Trickling", (Trickling,), {"after": after})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        where = SmtpServer(host="127.0.0.1", port=server.server_address[1], implicit_tls=False, starttls=False)
        mailer = SmtpMailer(where, ehlo_name="bills.example.com", timeouts=Timeouts(leaving=1, whole=0.5))
        began = time.monotonic()
        assert isinstance(mailer.send("bills@example.com", "ann@example.com", MESSAGE), outcome)
        assert time.monotonic() - began < 4
        server.shutdown()
