"""A comparison of Prorata, its peers and the database alone, on the same data.

It measures each workload on all of them.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import afterwards, data, pgbench, progress, workloads
from benchmarks.databases import Redis, Store, redis_for_limits
from benchmarks.load import Requests
from benchmarks.results import Run
from benchmarks.servers import DATABASE, PRORATA, SERVERS, Server
from benchmarks.turns import ServerTurn, Turn, Where, in_turns

_ROUNDS_OF_TWO = 3
"""Two workers are measured in fewer rounds: it is the same once more."""


class Comparison:
    """The servers of one kind of database and one number of workers."""

    def __init__(self, store: Store, folder: Path, built: Path, run: Run) -> None:
        self._store, self._folder, self._built, self._run = store, folder, built, run
        self._records = data.records(built)

    def compare(self, names: Sequence[str], asked: Sequence[str], workers: int) -> None:
        """Measure workloads on servers, and record the results."""
        where = Where(workers)
        self._store.pin(where.rest)
        with ExitStack() as held:
            redis = held.enter_context(redis_for_limits(self._folder)) if workers > 1 else None
            assert workers == 1 or redis is not None, "it was asked for in the beginning"
            servers = [self._started(held, name, where, redis) for name in SERVERS if name in names]
            with_database = DATABASE in names and self._store.name == "postgresql" and workers == 1
            for workload in asked:
                self._measure(workload, servers, where, redis, with_database=with_database)
                if workload == workloads.PATCH:
                    self._check(servers, workers)
            for server in servers:
                memory = server.memory()
                self._run.note(["memory", self._store.name, workers, server.name], memory)
                progress.memory(server.name, memory)

    def _started(self, held: ExitStack, name: str, where: Where, redis: Redis | None) -> Server:
        copy = self._store.copy(self._built, f"{name}-{where.workers}")
        held.callback(self._store.drop, copy)
        server = held.enter_context(
            Server(
                name, copy, self._folder / copy.name, account=self._records.account, workers=where.workers,
                cores=where.server, redis_url=redis.url if redis and name == PRORATA else None,
            )
        )  # fmt: skip
        server.wait_for(workloads.first(self._records))
        return server

    def _check(self, servers: Sequence[Server], workers: int) -> None:
        for server in servers:
            if server.name in afterwards.CHECKED:
                seconds = afterwards.check(server.copy, server.name, self._folder)
                self._run.note(["checked", self._store.name, workers, server.name], seconds)
                progress.tell(f"  {server.name:<12} `prorata check` finds nothing wrong afterwards ({seconds:.0f} s)")

    def _measure(
        self, workload: str, servers: Sequence[Server], where: Where, redis: Redis | None, *, with_database: bool
    ) -> None:
        lines = workloads.lines(workload, self._records)
        workloads.check_equal(workload, lines, servers)
        progress.heading(f"{self._store.name}, {where.workers} worker{'s' * (where.workers > 1)}: {workload}")
        connections = workloads.CONNECTIONS[workload] * where.workers
        name = f"{self._store.name}-{workload}-{where.workers}"
        with ExitStack() as held:
            turns: list[Turn] = [
                ServerTurn(
                    server.name, server, self._store, Requests(self._folder / f"{name}-{server.name}", lines), where,
                    connections, redis if server.name == PRORATA else None,
                )
                for server in servers
            ]  # fmt: skip
            if with_database:
                copy = self._store.copy(self._built, DATABASE)
                held.callback(self._store.drop, copy)
                script = self._folder / f"{name}.sql"
                pgbench.prepare(workload, lines, self._records, self._built, copy, script)
                writes = workload == workloads.PATCH
                turns.append(pgbench.DatabaseTurn(self._store, copy, script, where.server, writes=writes))
            rounds = self._run.rounds if where.workers == 1 else min(_ROUNDS_OF_TWO, self._run.rounds)
            found = in_turns(turns, rounds, self._run.seconds)
        for turn, measured in zip(turns, found, strict=True):
            self._run.note(["rounds", self._store.name, workload, where.workers, turn.name], measured)
            progress.rounds(turn.name, measured, turns[0].name, found[0])
