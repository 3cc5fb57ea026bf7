"""A hand on a connection: one thread talks over it, and any other can end it."""

from contextlib import suppress
from socket import SHUT_RDWR, socket
from threading import Event


class Wire:
    """A connection that can be cut off from any thread, from its beginning on: also in the midst of a handshake of TLS,
    when the socket of whoever talks is between two hands.
    """

    def __init__(self) -> None:
        self._end: socket | None = None
        self._is_over = Event()

    def hold(self, connected: socket) -> None:
        """Keep a hand on a connection; one that was cut off before it was there is at once."""
        self._end = connected.dup()
        if self._is_over.is_set():
            self.cut_off()

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
