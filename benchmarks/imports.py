"""An import of a month of bills from CSV: three for each of 5,000 properties.

It ends when the invoices are committed. Each property has 20 units.
"""

import csv
import os
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import psycopg

from benchmarks import data, floors, kept, progress
from benchmarks.databases import Copy, Store
from benchmarks.others import Watched, least_disturbed
from benchmarks.places import BIN
from benchmarks.processes import ALL_CORES, most_held, tree
from benchmarks.results import Run, spread, spread_of_watched

PARTS = (1, 4)
"""All of the file, and a quarter of it."""
_ROUNDS = 3
_TRIES = 2
"""An import is long: it is measured again once."""
_BILLS = (
    ("City Water Department", "WATER", 61_300),
    ("Prairie Power", "ELECTRICITY", 148_700),
    ("Gas Co", "GAS", 97_500),
)
_PAUSE = 0.02


class Imported(NamedTuple):
    """The duration of an import, and its peak megabytes."""

    seconds: float
    megabytes: float


def measure(store: Store, folder: Path, run: Run) -> None:
    """Import the file and a quarter of it in turns, on all cores.

    Each import goes into its own copy.
    """
    store.pin(ALL_CORES)
    built = kept.built(data.bare(run.scale))
    with closing(sqlite3.connect(f"file:{built}?immutable=1", uri=True)) as connection:
        names = [row[0] for row in connection.execute("select name from property order by id")]
    found: dict[int, list[Watched[Imported]]] = {part: [] for part in PARTS}
    alone: list[float] = []
    progress.tell(f"\n{store.name}: a file of {len(names) * len(_BILLS):,} bills, and a quarter of it")
    for _ in range(min(_ROUNDS, run.rounds)):
        for part in PARTS:
            file = folder / f"bills-{part}.csv"
            properties = write_bills(file, names[: len(names) // part])
            with _fresh_copies(store, built) as (copies, make):
                found[part].append(_watched_import(file, copies, make, folder))
                _check(copies[0], properties)
                if part == 1 and not alone:  # once: it takes long, and a limit need not be exact
                    alone.append(_by_database_alone(store, built, copies[0]))
    run.note(["import", store.name, "database"], spread(alone))
    progress.tell(f"  the database alone, the same rows: {spread(alone).median:.2f} s")
    for part, imports in found.items():
        seconds = spread_of_watched([Watched(each.found.seconds, each.taken) for each in imports])
        megabytes = spread([each.found.megabytes for each in imports])
        run.note(["import", store.name, part, "seconds"], seconds)
        run.note(["import", store.name, part, "megabytes"], megabytes)
        run.note(["import", store.name, part, "bills"], [len(names) // part * len(_BILLS)] * 3)
        progress.tell(
            f"  {len(names) // part * len(_BILLS):>7,} bills {seconds.median:>7.2f} s "
            f"({seconds.least:.2f} to {seconds.most:.2f}), {megabytes.median:,.0f} MB at most"
            f"{progress.disturbed(seconds.disturbed)}"
        )


@contextmanager
def _fresh_copies(store: Store, built: Path) -> Iterator[tuple[list[Copy], Callable[[], None]]]:
    """Yield a list that holds one copy, and a function that replaces the copy.

    This way, each import begins with the same rows.
    """
    copies: list[Copy] = []

    def make() -> None:
        while copies:
            store.drop(copies.pop())
        copies.append(store.copy(built, "import"))

    try:
        yield copies, make
    finally:
        for copy in copies:
            store.drop(copy)


def write_bills(file: Path, names: list[str]) -> int:
    """Write three bills for each property, as CSV; return the number of properties."""
    with file.open("w", newline="") as into:
        rows = csv.writer(into)
        rows.writerow(["property", "issuerName", "utilityType", "totalAmountDue", "billDate"])
        for place, name in enumerate(names):
            for issuer, kind, cents in _BILLS:
                amount = cents + place * 13
                rows.writerow([name, issuer, kind, f"{amount // 100}.{amount % 100:02d}", "2026-03-14"])
    return len(names)


def environment(copy: Copy, folder: Path) -> dict[str, str]:
    """Build the environment of a Prorata command on a copy, without our own variables."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PRORATA_DATA_DIR": str(folder / "import-data"),
        "PRORATA_DATABASE_URL": copy.url,
        "PRORATA_SECRET_KEY": data.SECRET,
    }


def _import(file: Path, copy: Copy, folder: Path) -> Imported:
    log = folder / "import.log"
    begun = time.perf_counter()
    with log.open("wb") as into:
        process = subprocess.Popen(
            [BIN / "prorata", "bills", "import", file, "--account", data.EMAIL],
            stdin=subprocess.DEVNULL, stdout=into, stderr=subprocess.STDOUT, env=environment(copy, folder), cwd=folder,
        )  # fmt: skip
        most = 0.0
        try:
            while process.poll() is None:
                most = max(most, sum(most_held(pid) for pid in tree(process.pid)))
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_PAUSE)
        finally:
            process.kill()
            process.wait()
    seconds = time.perf_counter() - begun
    if process.returncode:
        raise SystemExit(f"The import failed:\n{log.read_text()[-2000:]}")
    return Imported(seconds, most)


def _watched_import(file: Path, copies: list[Copy], make: Callable[[], None], folder: Path) -> Watched[Imported]:
    return least_disturbed(lambda: _import(file, copies[0], folder), wait=make, tries=_TRIES)


def _by_database_alone(store: Store, built: Path, imported: Copy) -> float:
    """Measure the seconds to write an import's rows from memory into a new copy."""
    rows = floors.rows_of(imported)
    copy = store.copy(built, "import-alone")
    try:
        return floors.seconds_to_add(copy, rows)
    finally:
        store.drop(copy)


def _check(copy: Copy, properties: int) -> None:
    """Check that every unit has its invoice, and each invoice its charges."""
    query = "select (select count(*) from invoice), (select count(*) from charge)"
    if copy.file is not None:
        with closing(sqlite3.connect(copy.file)) as connection:
            found = connection.execute(query).fetchone()
    else:
        with psycopg.connect(copy.url) as connection:
            found = connection.execute(query).fetchone()
    invoices = properties * 20
    if found is None or tuple(found) != (invoices, invoices * len(_BILLS)):
        raise SystemExit(f"The import made {found} invoices and charges, where {invoices:,} invoices were due.")
