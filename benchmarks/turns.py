"""Measurement in turns: each server with its requests, round after round.

This way, whatever happens to the machine affects all of them.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from benchmarks.databases import Redis, Store
from benchmarks.load import CONNECTIONS_AT_HALF, Outcome, Requests
from benchmarks.others import Look, least_disturbed, look
from benchmarks.processes import ALL_CORES, OTHER_CORES, SERVER_CORES, Cores, cpu_of_all
from benchmarks.progress import tell
from benchmarks.results import Latency, Measured, Rounds
from benchmarks.servers import Server

_HALF = 0.5
_ROUNDS_AT_HALF = 3
_FEWEST_REQUESTS, _MOST_SECONDS = 20, 5.0
"""A round of a slow server is longer, since requests under way at its end are lost."""
_LOOK = 0.1
"""Seconds from one look at the CPU that was used to the next; a tick of the system is a tenth of it."""
_QUIET_LOOKS = 2
_QUIET = 0.2
"""Cores that may be busy where nobody works: background processes look once a second what is due."""
_PATIENCE = 20.0

_Round = TypeVar("_Round", Measured, Latency)


class Where(NamedTuple):
    """The cores that serve, and the cores for everything else."""

    workers: int

    @property
    def server(self) -> Cores:
        """The cores for the server: one for a single worker, all for two."""
        return SERVER_CORES if self.workers == 1 else ALL_CORES

    @property
    def rest(self) -> Cores:
        """The cores for the load and PostgreSQL."""
        return OTHER_CORES if self.workers == 1 else ALL_CORES


class Turn(Protocol):
    """A participant that has a turn in each round."""

    name: str
    measured: list[Measured]

    def warm_up(self) -> None:
        """Do some work that does not count."""
        ...

    def measure(self, seconds: float) -> Measured:
        """Do one round."""
        ...

    def used(self) -> float:
        """Return the seconds of CPU that the participant and its helpers have used so far."""
        ...


@runtime_checkable
class TurnAtHalf(Protocol):
    """A participant that can also be measured at half of its load."""

    at_half: list[Latency]

    def measure_at_half(self, seconds: float) -> Latency:
        """Do one round at half of its maximum load."""
        ...


class ServerTurn:
    """A server with the requests of one workload."""

    def __init__(
        self,
        name: str,
        server: Server,
        store: Store,
        requests: Requests,
        where: Where,
        connections: int,
        redis: Redis | None = None,
    ) -> None:
        self.name, self._server, self._store, self._requests, self._where = name, server, store, requests, where
        self._connections, self._redis = connections, redis
        self._least_seconds = 0.0
        self.measured: list[Measured] = []
        self.at_half: list[Latency] = []

    def used(self) -> float:
        """Return the seconds of CPU that the server and its database have used so far."""
        return self._server.cpu() + self._used_by_store()

    def _used_by_store(self) -> float:
        return cpu_of_all(self._store.processes())

    def _used_by_redis(self) -> float:
        return 0.0 if self._redis is None else self._redis.cpu()

    def warm_up(self) -> None:
        """Send some requests that do not count, and determine the length of a round.

        A round must be long enough for enough requests.
        """
        rate = self._send(1, may_be_none=True).rate or self._send(_MOST_SECONDS).rate
        self._least_seconds = min(_MOST_SECONDS, _FEWEST_REQUESTS / rate)

    def _send(self, seconds: float, *, may_be_none: bool = False) -> Outcome:
        return self._requests.send(
            self._server.url, self._where.rest, seconds, connections=self._connections, may_be_none=may_be_none
        )

    def measure(self, seconds: float) -> Measured:
        """Run one round, as fast as the server answers."""
        before = self._server.cpu(), self._used_by_store(), self._used_by_redis()
        outcome = self._send(max(seconds, self._least_seconds))
        after = self._server.cpu(), self._used_by_store(), self._used_by_redis()
        server, store, redis = (now - was for now, was in zip(after, before, strict=True))
        each = 1000 / outcome.requests
        return Measured(outcome.rate, server * each, store * each, server / outcome.seconds, redis * each)

    def measure_at_half(self, seconds: float) -> Latency:
        """Measure the latency at half the load that the server can bear."""
        rates = sorted(each.rate for each in self.measured)
        half = rates[len(rates) // 2] * _HALF
        outcome = self._requests.send(
            self._server.url,
            self._where.rest,
            max(seconds, min(_MOST_SECONDS, _FEWEST_REQUESTS / half)),
            connections=CONNECTIONS_AT_HALF,
            rate=half,
        )
        return Latency(outcome.p50, outcome.p99, outcome.rate)


def wait_until_quiet(
    used: Callable[[], float],
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> float:
    """Wait until busy processes are almost idle, and return the seconds.

    After some time, report that a process is still busy, and go on.
    """
    begun = before = clock()
    had, quiet = used(), 0
    while quiet < _QUIET_LOOKS:
        sleep(_LOOK)
        now, has = clock(), used()
        quiet = quiet + 1 if has - had <= _QUIET * (now - before) else 0
        before, had = now, has
        if now - begun > _PATIENCE:
            tell(f"  (somebody is still busy after {_PATIENCE:.0f} s)")
            break
    return clock() - begun


def in_turns(
    turns: Sequence[Turn],
    rounds: int,
    seconds: float,
    *,
    at_half: bool = True,
    looks: Callable[[], Look] = look,
    wait: Callable[[Callable[[], float]], object] = wait_until_quiet,
) -> list[Rounds]:
    """Measure all turns, one after the other in each round, and at half load.

    Each turn begins once the server has finished the work that the previous turn left behind: it still works on
    requests for which nobody waits any more. A round that others disturbed is measured again, and recorded with the
    cores that they took.
    """

    def used() -> float:
        return sum(turn.used() for turn in turns)

    def measured(measure: Callable[[float], _Round]) -> _Round:
        found, taken = least_disturbed(lambda: measure(seconds), wait=lambda: wait(used), looks=looks)
        return found._replace(others=taken.others, stolen=taken.stolen)

    for turn in turns:
        turn.warm_up()
    for _ in range(rounds):
        for turn in turns:
            turn.measured.append(measured(turn.measure))
    if at_half:
        for _ in range(min(_ROUNDS_AT_HALF, rounds)):
            for turn in turns:
                if isinstance(turn, TurnAtHalf):
                    turn.at_half.append(measured(turn.measure_at_half))
    return [Rounds(turn.measured, turn.at_half if isinstance(turn, TurnAtHalf) else ()) for turn in turns]
