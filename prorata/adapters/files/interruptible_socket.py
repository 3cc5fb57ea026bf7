"""A socket that one thread can close while another uses it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, create_connection, socket
from ssl import SSLContext
from threading import Event, Timer


class Wire:
    """A connection that any thread can cut off, even during a TLS handshake.

    This class keeps track of the socket in use, because a TLS handshake replaces it.
    """

    def __init__(self) -> None:
        self._end: socket | None = None
        self._is_over = Event()

    def connect(self, host: str, port: int, seconds: float | None, tls: SSLContext | None) -> socket:
        """Connect within a number of seconds, and return the socket.

        If `tls` is given, TLS is used from the first byte.
        """
        connected = create_connection((host, port), seconds)
        self.hold(connected)
        return tls.wrap_socket(connected, server_hostname=host) if tls else connected

    def hold(self, connected: socket) -> None:
        """Register the socket in use.

        If another thread has already asked to cut off the connection, the socket is cut off at once.
        """
        self._end = connected.dup()
        if self.is_cut_off:
            self.cut_off()

    @property
    def is_cut_off(self) -> bool:
        """True if another thread cut off the connection."""
        return self._is_over.is_set()

    @contextmanager
    def cut_off_after(self, seconds: float) -> Iterator[None]:
        """Cut off the connection after some seconds, unless the block has ended by then.

        A thread that is reading from or writing to the connection then gets an error.
        """
        timer = Timer(seconds, self.cut_off)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def cut_off(self) -> None:
        """Cut off the connection: reading from it and writing to it then fails."""
        self._is_over.set()
        if self._end is not None:
            with suppress(OSError):
                self._end.shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Forget the socket, so that it can no longer be cut off."""
        if self._end is not None:
            self._end.close()
