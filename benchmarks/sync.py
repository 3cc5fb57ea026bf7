"""A copy of a large account, made through the API and compared with the original.

It has every property, every unit with its tenants, and the invoices of a month with their charges.

`.venv/bin/python -m benchmarks.sync` reports how many requests that takes, and how long; docs/reliability.md has
the results.
"""

import argparse
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import data
from benchmarks.databases import opened, work_folder
from benchmarks.progress import tell
from benchmarks.servers import PRORATA, Server

MOST_REQUESTS = 220
"""Of 100,000 units, so that a copy fits into an hour's limit four times."""
_UNITS_OF_A_PROPERTY = 20
_MONTH = "2024-01"
_LISTS = {
    "properties": "/properties?limit=1000",
    "units": "/units?includeInactive=true&expand=tenants&limit=1000",
    "invoices": f"/invoices?month={_MONTH}&expand=charges&limit=1000",
}


class Reader:
    """A client that makes the copy, and counts its requests and their seconds."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.seconds: list[float] = []

    def get(self, path: str) -> Any:
        """Send one request, and return the body of the answer."""
        begun = time.perf_counter()
        answer = self._server.ask("GET", f"/api/v1{path}")
        self.seconds.append(time.perf_counter() - begun)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {answer.body}")
        return answer.body

    def walk(self, path: str) -> Iterator[dict[str, Any]]:
        """Read a list to its end."""
        cursor: str | None = "start"
        while cursor is not None:
            part = self.get(f"{path}&after={cursor}")
            yield from part["data"]
            cursor = part["next"]


def _copied(reader: Reader) -> dict[str, int]:
    """Read everything, and count the records of each kind."""
    reader.get("/events?limit=1")
    ids: dict[str, set[str]] = {name: set() for name in (*_LISTS, "tenants", "charges")}
    for name, path in _LISTS.items():
        for one in reader.walk(path):
            ids[name].add(one["id"])
            ids["tenants"].update(tenant["id"] for tenant in one.get("tenants", ()))
            ids["charges"].update(charge["id"] for charge in one.get("charges", ()))
    return {name: len(its) for name, its in ids.items()}


def _stored(file: Path) -> dict[str, int]:
    tables = {
        "properties": "property",
        "units": "unit",
        "invoices": "invoice",
        "tenants": "tenant",
        "charges": "charge",
    }
    with closing(sqlite3.connect(file)) as connection:
        return {
            name: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for name, table in tables.items()
        }


def measure(database: str, units: int) -> None:
    """Build, serve, read, compare and report; end with 1 if there are differences.

    Too many requests count as a failure, too.
    """
    with work_folder() as folder:
        shape = data.Shape("sync", (_UNITS_OF_A_PROPERTY,) * max(1, units // _UNITS_OF_A_PROPERTY), 1, 0)
        built = folder / "built.sqlite3"
        tell(f"builds {shape.units} units")
        data.build(shape, built)
        expected = _stored(built)
        with (
            opened(database, folder) as store,
            Server(PRORATA, store.copy(built, "sync"), folder / "served", account="") as server,
        ):
            server.wait_for("/api/v1/account")
            reader = Reader(server)
            begun = time.perf_counter()
            found = _copied(reader)
            whole = time.perf_counter() - begun
            changed = len(list(reader.walk("/units?updatedAfter=2999-01-01T00:00:00Z&limit=1000")))
    requests = len(reader.seconds) - 1
    milliseconds = [1000 * one for one in reader.seconds]
    print(
        f"{database}: {found} in {requests} requests and {whole:.1f} s; of one request {median(milliseconds):.0f} ms, "
        f"at most {max(milliseconds):.0f} ms"
    )
    most = MOST_REQUESTS if units <= 100_000 else MOST_REQUESTS * units // 100_000
    if found != expected or changed or requests > most:
        raise SystemExit(f"It should be {expected} in at most {most} requests.")


def main() -> None:
    """Run with the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sync", description=__doc__)
    parser.add_argument("--units", type=int, default=100_000)
    parser.add_argument("--databases", nargs="+", choices=("sqlite", "postgresql"), default=["sqlite", "postgresql"])
    asked = parser.parse_args()
    for database in asked.databases:
        measure(database, asked.units)


if __name__ == "__main__":
    main()
