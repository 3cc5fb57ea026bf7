"""The gain in throughput from a second process behind nginx, with the CPU used meanwhile."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.processes import Process, cpu_of_all, tree
from benchmarks.progress import disturbed, tell
from benchmarks.scale_load import LOAD, OTHERS, STOLEN, Busy, Requests, Turn, in_turns
from benchmarks.scale_loading import Account
from benchmarks.scale_servers import ApiProcess, Databases, Group

ROUNDS = 5
SHARE = 0.25
"""The part of a core that each process gets.

The machine must have twice the resources that PostgreSQL, nginx and the load take for one process.
"""
_CONNECTIONS = 32
_SAMPLES = 1_000
PROPERTY, TWENTY, HUNDRED, PATCH = "property", "twenty", "hundred", "patch"
NAMES = {
    PROPERTY: "one property",
    TWENTY: "the first page of 20",
    HUNDRED: "a property's 20 invoices, with charges",
    PATCH: "an invoice set to SENT or PAID",
}


class Rate(NamedTuple):
    """One or two processes with one kind of request: rate, p50 and CPU.

    It has the least and most requests per second, the busy cores and the milliseconds of CPU per request by part,
    and the number of disturbed rounds.
    """

    rate: float
    least: float
    most: float
    p50: float
    cores: dict[str, float]
    cpu: dict[str, float]
    disturbed: int = 0


class Front:
    """nginx and all processes behind it, in two groups: the first process, and both."""

    def __init__(
        self,
        databases: Databases,
        redis: Process,
        nginx: Process,
        groups: Sequence[Group],
        processes: Sequence[ApiProcess],
    ) -> None:
        self.groups, self.processes = groups, processes
        self.busy: Busy = {
            **{f"API {place}": process.cpu for place, process in enumerate(processes, start=1)},
            "PostgreSQL": lambda: cpu_of_all(databases.processes()),
            "Redis": lambda: cpu_of_all(tree(redis.pid)),
            "nginx": lambda: cpu_of_all(tree(nginx.pid)),
        }


def measure(
    front: Front, databases: Databases, name: str, account: Account, folder: Path, seconds: float
) -> dict[str, list[Rate]]:
    """Measure requests of each kind to one process and to both, in turns."""
    folder.mkdir()
    found = {}
    for kind, said in NAMES.items():
        lines = _lines(kind, databases, name, account)
        turns = [
            Turn(
                str(number),
                group.url,
                Requests(folder / f"{kind}-{number}", account.key, lines[number - 1 :: 2] if kind == PATCH else lines),
                front.busy,
                _CONNECTIONS,
            )
            for number, group in enumerate(front.groups, start=1)
        ]
        in_turns(turns, ROUNDS, seconds)
        found[kind] = [_rate(turn, front.busy) for turn in turns]
        _tell(said, found[kind])
    return found


def _rate(turn: Turn, parts: Iterable[str]) -> Rate:
    rate, names = turn.rate, [*parts, LOAD, OTHERS, STOLEN]
    return Rate(
        rate.median,
        rate.least,
        rate.most,
        turn.p50,
        {part: turn.cores(part) for part in names},
        {part: turn.cpu(part) for part in names},
        turn.disturbed,
    )


def _tell(said: str, rates: Sequence[Rate]) -> None:
    tell(f"  {said}: {rates[1].rate / rates[0].rate:.2f} times")
    for number, rate in enumerate(rates, start=1):
        cores = ", ".join(f"{part} {busy:.2f}" for part, busy in rate.cores.items())
        said = f"{rate.least:,.0f} to {rate.most:,.0f}{disturbed(rate.disturbed)}"
        tell(f"    {number} {rate.rate:>8,.0f} requests/s ({said})")
        tell(f"      cores: {cores}")


def _lines(kind: str, databases: Databases, name: str, account: Account) -> list[str]:
    """Build requests of one kind, to properties and invoices across the account."""
    if kind == TWENTY:
        return ["GET /api/v1/invoices?limit=20"]
    if kind == PATCH:
        invoices = _some(databases, name, "invoice", account)
        return [_patch(each, status) for status in ("SENT", "PAID") for each in invoices]
    properties = _some(databases, name, "property", account)
    if kind == PROPERTY:
        return [f"GET /api/v1/properties/{each}" for each in properties]
    return [f"GET /api/v1/invoices?propertyId={each}&details=true&limit=100" for each in properties]


def _patch(invoice: str, status: str) -> str:
    return f'PATCH /api/v1/invoices/{invoice} {{"status": "{status}"}}'


def _some(databases: Databases, name: str, table: str, account: Account) -> list[str]:
    """Pick some ids at equal distances, an even number of them."""
    query = f"select id from {table} where account_id = '{account.id}' order by id"
    ids = [row[0] for row in databases.rows(name, query)]
    chosen = ids[:: max(1, len(ids) // _SAMPLES)][:_SAMPLES]
    return chosen[: len(chosen) // 2 * 2]
