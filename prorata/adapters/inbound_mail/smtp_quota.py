"""State shared by all incoming conversations: the intake of mail, and each peer's usage."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Protocol, TypeVar
from weakref import WeakSet

from prorata.adapters.limits_memory import MemoryLimiter
from prorata.domain.limits import MOST_MESSAGE_BYTES
from prorata.ports import Window

SECONDS_OF_BLOCK = 180.0
"""The number of seconds without data after which a message is given up."""
SECONDS_OF_MESSAGE = 1_800.0
"""The number of seconds that a message may take in all.

It is enough for the largest message at 15 KB a second.
"""
SECONDS_TO_END = 10.0
_THREADS = 4
Result = TypeVar("Result")


class MailIntake(Protocol):
    """An intake of incoming mail for the accounts here."""

    def knows(self, address: str) -> bool:
        """True if an account here has the address.

        Raises `errors.Conflict` if too much mail is waiting, and `errors.Unavailable` if the database can't be used.
        """
        ...

    def take(self, recipients: Sequence[str], envelope_from: str, message: bytes, way: str) -> None:
        """Store a message permanently for all recipients before returning.

        `envelope_from` is the sender in the envelope, and `way` is `smtp` or `lmtp`. Raises `errors.NotFound` if a
        recipient no longer exists, in which case nobody gets the message, and the errors of `knows`.
        """
        ...


class Conversation(Protocol):
    """A conversation that can be ended."""

    def hang_up(self) -> None:
        """Close the connection without a message."""
        ...


class Limits(NamedTuple):
    """The receiver's limits for peers.

    LMTP peers are the installation's own mail servers, so they are not counted.
    """

    connections: int = 100
    connections_of_peer: int = 10
    messages_of_peer: tuple[Window, ...] = (Window("minute", 60, 60), Window("hour", 600, 3_600))
    messages_to_recipient: tuple[Window, ...] = (Window("minute", 60, 60), Window("hour", 500, 3_600))
    unknown_of_peer: tuple[Window, ...] = (Window("hour", 20, 3_600),)
    recipients: int = 20
    bytes_under_way: int = 8 * MOST_MESSAGE_BYTES
    bytes_of_peer: int = 2 * MOST_MESSAGE_BYTES  # under way: a slow sender leaves room for others
    seconds_of_block: float = SECONDS_OF_BLOCK
    seconds_of_message: float = SECONDS_OF_MESSAGE
    seconds_to_end: float = SECONDS_TO_END


class Door:
    """State shared by all conversations: the intake of mail, and the current usage.

    It belongs to one event loop, except for the counters of `MemoryLimiter`.
    """

    def __init__(self, intake: MailIntake, limits: Limits, limiter: MemoryLimiter, way: str) -> None:
        self.intake = intake
        self.limits = limits
        self.way = way
        self._limiter = limiter
        self._peers: Counter[str] = Counter()
        self._under_way: Counter[str] = Counter()
        self.conversations: WeakSet[Conversation] = WeakSet()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="mail-in")

    @property
    def number(self) -> int:
        """The number of connections."""
        return self._peers.total()

    def enter(self, peer: str) -> bool:
        """Admit a peer, unless there are too many connections, in total or from this peer."""
        if self.number >= self.limits.connections or self._peers[peer] >= self._most_of_peer:
            return False
        self._peers[peer] += 1
        return True

    @property
    def _most_of_peer(self) -> int:
        return self.limits.connections if self.way == "lmtp" else self.limits.connections_of_peer

    def leave(self, peer: str) -> None:
        """Record that a peer is gone."""
        self._peers[peer] -= 1
        self._peers += Counter()  # drops zero counts: no connections

    def takes_more(self, peer: str, size: int) -> bool:
        """Reserve more bytes for a peer; return False if that would exceed a limit."""
        of_peer = self.limits.bytes_under_way if self.way == "lmtp" else self.limits.bytes_of_peer
        fits = self._under_way[peer] + size <= of_peer and self._under_way.total() + size <= self.limits.bytes_under_way
        self._under_way[peer] += size if fits else 0
        return fits

    def lets_go(self, peer: str, size: int) -> None:
        """Release bytes that were reserved for a peer."""
        self._under_way[peer] -= size
        self._under_way += Counter()  # drops zero counts: no bytes

    def counts(self, what: str, who: str, windows: tuple[Window, ...]) -> bool:
        """Count one use by a peer; return False after too many."""
        if what.endswith("peer") and self.way == "lmtp":
            return True
        return self._limiter.count(f"{what} {who}", windows).admitted

    async def ask(self, work: Callable[[], Result]) -> Result:
        """Run work that waits for the database, without blocking other conversations."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        """Wait for running writes to the database, and end their threads."""
        self._pool.shutdown(wait=True)
