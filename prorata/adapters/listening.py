"""The number of connections that wait to be accepted, as far as Linux reports it."""

import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path

import structlog

from prorata.domain.jobs.recurrences import WEB, Recurrence, every

SECONDS_BETWEEN = 1.0
WATCHING_CONNECTIONS = Recurrence(
    "watch connections",
    "checks if connections wait because the process has reached its limit",
    every(SECONDS_BETWEEN),
    WEB,
)
_DESCRIPTORS = Path("/proc/self/fd")
_WAITING = struct.Struct("24xI")
"""The part of `struct tcp_info` that contains `tcpi_unacked`.

For a listening socket, this is the number of connections that wait to be accepted.
"""
_log = structlog.stdlib.get_logger("prorata.web")


class Listening:
    """The listening socket of this process, once it exists.

    The code that opened the socket also closes it, so it is never closed here.
    """

    def __init__(self) -> None:
        self._descriptor: int | None = None

    def waiting(self) -> int | None:
        """Return the number of connections waiting to be accepted.

        Return None if this process has no listening socket, or if the system does not report the number.
        """
        told = None if self._descriptor is None else _waiting_at(self._descriptor)
        if told is None and _DESCRIPTORS.is_dir():
            for descriptor in [int(descriptor_path.name) for descriptor_path in _DESCRIPTORS.iterdir()]:
                if (told := _waiting_at(descriptor)) is not None:
                    self._descriptor = descriptor
                    break
        return told


def _waiting_at(descriptor: int) -> int | None:
    try:
        listener = socket.socket(fileno=descriptor)
    except OSError:
        return None  # it is no socket, or closed by now
    try:
        if not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return None
        waiting: int = _WAITING.unpack(listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _WAITING.size))[0]
    except OSError:
        return None
    finally:
        listener.detach()
    return waiting


def watch_connections(count_second: Callable[[], object], seconds_between: float = SECONDS_BETWEEN) -> None:
    """Watch, in a thread, for connections that wait because this process can't take more.

    The check is made once a second. If connections wait at two checks in a row, `count_second` is called, and the
    log says so once.
    """

    def watch() -> None:
        listening, before, is_said = Listening(), 0, False
        while not threading.Event().wait(seconds_between):
            now = listening.waiting() or 0
            is_full = bool(now and before)  # a single reading may be a connection that has just come
            if is_full:
                count_second()
                if not is_said:
                    _log.warning("this process holds as many connections as it may, and others wait", waiting=now)
            before, is_said = now, is_full

    threading.Thread(target=watch, name="connections", daemon=True).start()
