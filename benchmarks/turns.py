"""Measuring in turns: each server with its requests, round after round; what happens to the machine meets all."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from benchmarks.databases import Store
from benchmarks.load import CONNECTIONS_AT_HALF, Outcome, Requests
from benchmarks.processes import ALL_CORES, OTHER_CORES, SERVER_CORES, Cores, cpu_of_all
from benchmarks.results import Latency, Measured, Rounds
from benchmarks.servers import Server

SECONDS_AT_HALF = 3
_HALF = 0.5
_FEWEST_REQUESTS, _MOST_SECONDS = 25, 8.0
"""A round of a slow server is longer, since requests under way at its end are lost."""


class Where(NamedTuple):
    """Which processors serve, and which do the rest."""

    workers: int

    @property
    def server(self) -> Cores:
        """One worker has a core to itself; two have what there is."""
        return SERVER_CORES if self.workers == 1 else ALL_CORES

    @property
    def rest(self) -> Cores:
        """Where the load and PostgreSQL run."""
        return OTHER_CORES if self.workers == 1 else ALL_CORES


class Turn(Protocol):
    """Whoever takes a turn in each round."""

    name: str
    measured: list[Measured]

    def warm_up(self) -> None:
        """Do some work that does not count."""
        ...

    def measure(self, seconds: float) -> None:
        """Do one round."""
        ...


class ServerTurn:
    """A server with the requests of one workload."""

    def __init__(
        self, name: str, server: Server, store: Store, requests: Requests, where: Where, connections: int
    ) -> None:
        self.name, self._server, self._store, self._requests, self._where = name, server, store, requests, where
        self._connections = connections
        self._least_seconds = 0.0
        self.measured: list[Measured] = []

    def warm_up(self) -> None:
        """Send some requests that do not count; and find out how long a round must be to have enough of them."""
        rate = max(1.0, self._send(1, may_be_none=True).rate)
        self._least_seconds = min(_MOST_SECONDS, _FEWEST_REQUESTS / rate)

    def _send(self, seconds: float, *, may_be_none: bool = False) -> Outcome:
        return self._requests.send(
            self._server.url, self._where.rest, seconds, connections=self._connections, may_be_none=may_be_none
        )

    def measure(self, seconds: float) -> None:
        """One round: as many requests as the server answers."""
        before, before_store = self._server.cpu(), cpu_of_all(self._store.processes())
        outcome = self._send(max(seconds, self._least_seconds))
        server, store = self._server.cpu() - before, cpu_of_all(self._store.processes()) - before_store
        each = 1000 / outcome.requests
        self.measured.append(Measured(outcome.rate, server * each, store * each, server / outcome.seconds))

    def at_half_load(self) -> Latency:
        """How long requests take at half the load that the server can bear."""
        rates = sorted(each.rate for each in self.measured)
        half = rates[len(rates) // 2] * _HALF
        outcome = self._requests.send(
            self._server.url, self._where.rest, SECONDS_AT_HALF, connections=CONNECTIONS_AT_HALF, rate=half
        )
        return Latency(outcome.p50, outcome.p99, outcome.rate)


def in_turns(turns: Sequence[Turn], rounds: int, seconds: float, *, at_half: bool = True) -> list[Rounds]:
    """Measure all of them, one after the other in each round; and how long servers take at half of their load."""
    for turn in turns:
        turn.warm_up()
    for _ in range(rounds):
        for turn in turns:
            turn.measure(seconds)
    return [
        Rounds(turn.measured, turn.at_half_load() if at_half and isinstance(turn, ServerTurn) else Latency(0, 0, 0))
        for turn in turns
    ]
