"""A sender of webhook messages, with short timeouts.

The host name of a URL is looked up once for each message. The connection is made to one of the addresses found, and
the certificate is checked against the host name. Thus, nobody can reach the internal network by changing the
address of a host name between two look-ups.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from http.client import HTTPConnection, HTTPException, HTTPResponse
from queue import Empty, SimpleQueue

from prorata import __version__
from prorata.adapters.files.interruptible_socket import Wire
from prorata.adapters.limits import MOST_ADDRESSES_TRIED, MOST_WEBHOOK_ANSWER_BYTES
from prorata.domain.limits import LONGEST_WEBHOOK_ANSWER
from prorata.domain.webhooks.addresses import (
    Destination,
    Networks,
    NotAllowed,
    all_public,
    read_destination,
    refuse_unless_allowed,
)
from prorata.domain.webhooks.webhooks import LookUp, Posted

SECONDS_TO_LOOK_UP = 5.0
SECONDS_TO_CONNECT = 5.0
SECONDS_TO_READ = 10.0
"""The maximum number of seconds between two pieces of an answer."""
SECONDS_IN_ALL = 15.0
"""The maximum number of seconds from the connection to the end of the answer."""
_REDIRECTS = range(300, 400)
_NOT_KEPT = "It is on a private network, so its answer is not shown here."
"""The text that replaces an answer from a private network.

Members of an account choose the address, and must not read the answer of an internal service.
"""
Connect = Callable[[tuple[str, int], float], socket.socket]


def look_up(host: str) -> list[str]:
    """Look up the addresses of a host name.

    The result is empty if the host has no address, or if the look-up takes too long.
    """
    simple_queue: SimpleQueue[list[str]] = SimpleQueue()

    def ask() -> None:
        try:
            answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            answers = []
        simple_queue.put(list(dict.fromkeys(str(answer[4][0]) for answer in answers)))

    threading.Thread(target=ask, name="look-up", daemon=True).start()
    try:
        return simple_queue.get(timeout=SECONDS_TO_LOOK_UP)
    except Empty:
        return []


class WebhookPost:
    """A sender of webhook messages, which implements `webhooks.PostWebhook`.

    Messages are sent to public addresses, and to addresses in the networks `private`. `certificates` is a
    file of certificates that are trusted in addition to the system's.
    """

    def __init__(
        self,
        private: Networks = (),
        *,
        find: LookUp = look_up,
        connect: Connect = socket.create_connection,
        certificates: str | None = None,
        seconds_in_all: float = SECONDS_IN_ALL,
    ) -> None:
        self._private = private
        self._find = find
        self._connect = connect
        self._certificates = certificates
        self._seconds_in_all = seconds_in_all

    def __call__(self, url: str, headers: Mapping[str, str], body: bytes) -> Posted:
        """Send a message once; return the status and text of the response, and the duration.

        If no response is received, the status is None, and the text is a sentence with the reason.
        """
        began = time.monotonic()
        status, answer_text = self._sent(url, headers, body)
        return Posted(status, answer_text, time.monotonic() - began)

    def _sent(self, url: str, headers: Mapping[str, str], body: bytes) -> tuple[int | None, str]:
        try:
            destination = read_destination(url, self._private)
            addresses = self._addresses(destination)
        except NotAllowed as wrong:
            return None, f"Not sent: the address {wrong}."
        if not addresses:
            return None, f"The name {destination.host} could not be looked up."
        try:
            connected = self._connected(addresses[:MOST_ADDRESSES_TRIED], destination.port)
        except OSError as failed:
            return None, f"No connection: {_why(failed)}."
        status, answer_text = self._over(connected, destination, headers, body)
        is_theirs = answer_text and status is not None and status not in _REDIRECTS
        return status, _NOT_KEPT if is_theirs and not all_public(addresses) else answer_text

    def _addresses(self, destination: Destination) -> Sequence[str]:
        """Return the addresses of a destination.

        Raises `NotAllowed` if messages may not be sent to them.
        """
        addresses = [destination.host] if destination.literal else self._find(destination.host)
        refuse_unless_allowed(destination, addresses, self._private)
        return addresses

    def _connected(self, addresses: Sequence[str], port: int) -> socket.socket:
        """Connect to the first of these addresses that accepts the connection.

        Raises `OSError` if none of them does.
        """
        failed = OSError("nobody answers")
        for address in addresses:
            try:
                return self._connect((address, port), SECONDS_TO_CONNECT)
            except OSError as refused:
                failed = refused
        raise failed

    def _over(
        self, connected: socket.socket, destination: Destination, headers: Mapping[str, str], body: bytes
    ) -> tuple[int | None, str]:
        """Send a message over a connection, and close the connection afterwards.

        Return the status and text of the response, or None and a sentence with the reason.
        """
        connected.settimeout(SECONDS_TO_READ)
        with closing(Wire()) as wire:
            wire.hold(connected)
            with closing(self._secured(connected, destination)) as talking, wire.cut_off_after(self._seconds_in_all):
                try:
                    if isinstance(talking, ssl.SSLSocket):
                        talking.do_handshake()
                    answered: tuple[int | None, str] = _asked(talking, destination, headers, body)
                except (OSError, HTTPException, ValueError) as failed:
                    answered = None, f"No answer: {_why(failed)}."
        if wire.is_cut_off:
            return None, f"No complete answer arrived within {self._seconds_in_all:g} seconds."
        return answered

    def _secured(self, connected: socket.socket, destination: Destination) -> socket.socket:
        if destination.scheme == "http":
            return connected
        return self._context.wrap_socket(
            connected, server_hostname=destination.host, do_handshake_on_connect=False
        )  # fmt: skip

    @cached_property
    def _context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if self._certificates is not None:
            context.load_verify_locations(self._certificates)
        return context


class _Over(HTTPConnection):
    """An HTTP conversation over an existing connection."""

    def __init__(self, talking: socket.socket, destination: Destination) -> None:
        super().__init__(destination.host, destination.port)
        self.sock = talking
        self.auto_open = 0


def _asked(
    talking: socket.socket, destination: Destination, headers: Mapping[str, str], body: bytes
) -> tuple[int, str]:  # fmt: skip
    over = _Over(talking, destination)
    over.putrequest("POST", destination.target, skip_host=True, skip_accept_encoding=True)
    sent = {
        "Host": destination.host_header,
        "User-Agent": f"Prorata/{__version__} (webhooks)",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    for name, value in sent.items():
        over.putheader(name, value)
    over.endheaders(body)
    answer = over.getresponse()
    return answer.status, _said(answer)


def _said(answer: HTTPResponse) -> str:
    """Format a response for the delivery log: one line, without unprintable characters."""
    if answer.status in _REDIRECTS:
        return "It answered with a redirect, which is not followed. Enter the address it redirects to."
    text = answer.read(MOST_WEBHOOK_ANSWER_BYTES)[: 4 * LONGEST_WEBHOOK_ANSWER].decode("utf-8", "replace")
    return "".join(character for character in " ".join(text.split()) if character.isprintable())[
        :LONGEST_WEBHOOK_ANSWER
    ]


def _why(failed: Exception) -> str:
    """Describe in a few words why no response was received."""
    if isinstance(failed, TimeoutError):
        return "it took too long"
    if isinstance(failed, ssl.SSLCertVerificationError):
        return f"the certificate is not valid ({failed.verify_message})"
    if isinstance(failed, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(failed, ConnectionError):
        return "the connection was closed before the answer"
    reason = getattr(failed, "strerror", None) or str(failed) or type(failed).__name__
    return " ".join(str(reason).split())[:LONGEST_WEBHOOK_ANSWER].rstrip(".")
