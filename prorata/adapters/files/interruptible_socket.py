"""A hand on a connection: one thread talks over it, and any other can end it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, create_connection, socket
from ssl import SSLContext
from threading import Event, Timer


class Wire:
    """A connection that can be cut off from any thread, from its beginning on: also in the midst of a handshake of TLS,
    when the socket of whoever talks is between two hands.
    """

    def __init__(self) -> None:
        self._end: socket | None = None
        self._is_over = Event()

    def connect(self, host: str, port: int, seconds: float | None, tls: SSLContext | None) -> socket:
        """A connection that is made within so many seconds, with `tls` in TLS from the first byte."""
        connected = create_connection((host, port), seconds)
        self.hold(connected)
        return tls.wrap_socket(connected, server_hostname=host) if tls else connected

    def hold(self, connected: socket) -> None:
        """Keep a hand on a connection; one that was cut off before it was there is at once."""
        self._end = connected.dup()
        if self.is_cut_off:
            self.cut_off()

    @property
    def is_cut_off(self) -> bool:
        """Whether it was ended."""
        return self._is_over.is_set()

    @contextmanager
    def cut_off_after(self, seconds: float) -> Iterator[None]:
        """End it once the time is over, unless this is left before: whoever reads or writes learns of that."""
        timer = Timer(seconds, self.cut_off)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def cut_off(self) -> None:
        """End it: whoever waits for it waits no more."""
        self._is_over.set()
        if self._end is not None:
            with suppress(OSError):
                self._end.shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Let go of it."""
        if self._end is not None:
            self._end.close()
