"""The sender of an API request: its API key, and the client's address.

See docs/decisions.md#rate-limits and docs/decisions.md#api-keys.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from typing import NamedTuple

import structlog

from prorata.actions.accounts import api_keys
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.domain.accounts.api_keys import has_form
from prorata.domain.accounts.login_throttling import client_of, read_ip
from prorata.errors import Unauthorized
from prorata.store.accounts.api_keys import ApiKeyRow
from prorata.store.database.engine import Database, Tx
from prorata.web.http.limits import MOST_KEYS_REMEMBERED
from prorata.web.http.pools import Pools

BELIEVED = 0.5
"""The number of seconds for which a key's look-up is trusted.

A revoked key thus stops working within a second in every process.
"""
_SCHEME = "bearer "
_log = structlog.get_logger("prorata.web")


def not_valid() -> Unauthorized:
    """Build the refusal of a request whose API key is mistyped, revoked or expired."""
    return Unauthorized("This API key isn't valid: it is mistyped, revoked or expired.")


class FoundKey(NamedTuple):
    """A valid API key, with the hashes under which it may be stored.

    If `is_due` is set, the time of the key's last use must be recorded again. The result of the look-up is trusted
    until `until`, in seconds of the monotonic clock.
    """

    row: ApiKeyRow
    hashes: tuple[str, ...]
    is_due: bool
    until: float


@dataclass(slots=True)
class Keys:
    """A finder of requests' API keys, which remembers each look-up for `BELIEVED` seconds."""

    database: Database
    pools: Pools
    hasher: KeyHasher
    monotonic: Callable[[], float] = time.monotonic
    _noting: set[str] = field(default_factory=set)
    _remembered: OrderedDict[str, tuple[float, FoundKey | None]] = field(default_factory=OrderedDict)
    _under_way: dict[str, asyncio.Task[FoundKey | None]] = field(default_factory=dict)

    async def find(self, authorization: str | None) -> FoundKey:
        """Return the valid API key named in an Authorization header.

        Raises `Unauthorized` if there is none.
        """
        if authorization is None:
            raise Unauthorized("Send your API key in the header Authorization: Bearer <API_KEY>.")
        known = self._remembered.get(authorization)
        found_key = known[1] if known and known[0] > self.monotonic() else await self._look_up(authorization)
        if found_key is None:
            raise not_valid()
        return found_key

    def confirming(self, key: FoundKey) -> Callable[[Tx], None]:
        """Build a check, for a write's transaction, that the key is still valid.

        The check is needed because a body may take long to arrive, and a write may have to wait for others. While
        the last look-up is still trusted, the check does not query the database. It raises `Unauthorized` if the
        key is no longer valid.
        """

        def confirm(tx: Tx) -> None:
            if self.monotonic() > key.until and api_keys.find_live(tx, key.hashes) is None:
                raise not_valid()

        return confirm

    async def _look_up(self, authorization: str) -> FoundKey | None:
        """Look up a key in the database; simultaneous requests with the key share one look-up."""
        asking = self._under_way.get(authorization)
        if asking is None:
            asking = self._under_way[authorization] = asyncio.create_task(self._ask(authorization))
            asking.add_done_callback(lambda done: self._answered(authorization, done))
        return await asyncio.shield(asking)

    def _answered(self, authorization: str, done: "asyncio.Task[FoundKey | None]") -> None:
        self._under_way.pop(authorization, None)
        if not done.cancelled():
            done.exception()  # retrieved even if nobody waits for it any more

    async def _ask(self, authorization: str) -> FoundKey | None:
        until = self.monotonic() + BELIEVED
        key = authorization[len(_SCHEME) :].strip() if authorization.lower().startswith(_SCHEME) else ""
        if not has_form(key):
            return None
        hashes = self.hasher(key)
        row = await self.pools.check(lambda: self.database.read(lambda tx: api_keys.find_live(tx, hashes)))
        due = row is not None and api_keys.is_due(row, self.database.clock(), hashes)
        found_key = None if row is None else FoundKey(row, hashes, due, until)
        self._remembered[authorization] = (until, found_key)
        self._remembered.move_to_end(authorization)
        if len(self._remembered) > MOST_KEYS_REMEMBERED:
            self._remembered.popitem(last=False)
        return found_key

    def is_due(self, key: FoundKey) -> bool:
        """True if a key's use must be recorded again, at most once a minute."""
        return key.is_due and key.row.id not in self._noting

    async def note_use(self, found_key: FoundKey) -> None:
        """Record that an API key was used now.

        Until this coroutine ends, `is_due` is False for the key, so that no other request records the use as well.
        If recording fails, the failure is logged, and the request is still answered.
        """
        key, hashes = found_key.row, found_key.hashes
        self._noting.add(key.id)
        try:
            await self.pools.write_briefly(lambda: self.database.write(lambda tx: api_keys.touch(tx, key, hashes)))
            await asyncio.sleep(BELIEVED)  # until no remembered look-up says that it's due
        except Exception as failed:  # noqa: BLE001 - logged; the request itself has its answer
            _log.warning("the use of a key could not be noted", key=key.id, cause=type(failed).__name__)
        finally:
            self._noting.discard(key.id)


Networks = tuple[IPv4Network | IPv6Network, ...]


def client_address(peer: str, forwarded_for: str | None, trusted: Networks) -> str:
    """Return the client's address: the peer's, or the one that trusted proxies report.

    `peer` is the address of the connection, and `forwarded_for` the X-Forwarded-For header. If the peer is one of
    the `trusted` proxies, the client is the last address in the header that is not one of them. An IPv6 address is
    reduced to its /64 network, because a client can use all addresses of this network.

    >>> from ipaddress import ip_network
    >>> client_address("10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2", (ip_network("10.0.0.0/8"),))
    '203.0.113.9'
    >>> client_address("203.0.113.9", "1.2.3.4", ())
    '203.0.113.9'
    """
    hops = [peer, *reversed([hop.strip() for hop in (forwarded_for or "").split(",")])]
    client_ip = read_ip(peer)
    for hop in hops:
        address = read_ip(hop)
        if address is None:
            break
        client_ip = address
        if not any(address in network for network in trusted):
            break
    return client_of(str(client_ip))
