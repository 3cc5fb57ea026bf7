"""The state that all incoming connections share: the store for mail, and each peer's usage."""

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
"""The maximum number of seconds without data while a message is received."""
SECONDS_OF_MESSAGE = 1_800.0
"""The maximum number of seconds for receiving a message.

This is enough for the largest message at 15 KB a second.
"""
SECONDS_TO_END = 10.0
_THREADS = 4
Result = TypeVar("Result")


class MailIntake(Protocol):
    """A store for incoming mail, for all accounts of the installation."""

    def knows(self, address: str) -> bool:
        """True if an account here has the address.

        Raises `errors.Conflict` if too much mail is waiting, and `errors.Unavailable` if the database can't be used.
        """
        ...

    def take(self, recipients: Sequence[str], envelope_from: str, message: bytes, way: str) -> None:
        """Store a message for all recipients, and return once it is stored permanently.

        `envelope_from` is the sender in the envelope, and `way` is `smtp` or `lmtp`. Raises `errors.NotFound` if a
        recipient no longer exists; the message is then stored for nobody. Also raises the errors of `knows`.
        """
        ...


class Conversation(Protocol):
    """A conversation with a peer, which can be ended."""

    def hang_up(self) -> None:
        """Close the connection at once, without an answer to the peer."""
        ...


class Limits(NamedTuple):
    """The mail receiver's limits for the peers that connect to it.

    The limits for each peer don't apply to LMTP, because its peers are the operator's own mail servers.
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
    """State shared by all conversations: the store for mail, and the current usage.

    Except for the counters of `MemoryLimiter`, it may be used only in one event loop.
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
        """Count a connection of a peer; return False if there are too many.

        The connections are limited in total and for each peer.
        """
        if self.number >= self.limits.connections or self._peers[peer] >= self._most_of_peer:
            return False
        self._peers[peer] += 1
        return True

    @property
    def _most_of_peer(self) -> int:
        return self.limits.connections if self.way == "lmtp" else self.limits.connections_of_peer

    def leave(self, peer: str) -> None:
        """Record that a connection of a peer has ended."""
        self._peers[peer] -= 1
        self._peers += Counter()  # drops zero counts: no connections

    def takes_more(self, peer: str, size: int) -> bool:
        """Reserve memory for more bytes of a message; return False if that exceeds a limit."""
        of_peer = self.limits.bytes_under_way if self.way == "lmtp" else self.limits.bytes_of_peer
        fits = self._under_way[peer] + size <= of_peer and self._under_way.total() + size <= self.limits.bytes_under_way
        self._under_way[peer] += size if fits else 0
        return fits

    def lets_go(self, peer: str, size: int) -> None:
        """Release bytes that were reserved with `takes_more`."""
        self._under_way[peer] -= size
        self._under_way += Counter()  # drops zero counts: no bytes

    def counts(self, what: str, who: str, windows: tuple[Window, ...]) -> bool:
        """Count one use of `what` by `who`; return False if that exceeds a limit.

        `windows` are the limits. Limits for a peer don't apply to LMTP.
        """
        if what.endswith("peer") and self.way == "lmtp":
            return True
        return self._limiter.count(f"{what} {who}", windows).admitted

    async def ask(self, work: Callable[[], Result]) -> Result:
        """Run database work in a thread, so that other conversations continue meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        """Wait for running database work, and end its threads."""
        self._pool.shutdown(wait=True)
