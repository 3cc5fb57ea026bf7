"""Starts of servers: from the command to the first answer that needs the database.

The programs' files are in memory.
"""

from functools import partial
from pathlib import Path

from benchmarks import data, kept, progress, workloads
from benchmarks.databases import Copy, Store
from benchmarks.others import Watched, least_disturbed
from benchmarks.processes import ALL_CORES
from benchmarks.results import Run, spread_of_watched
from benchmarks.servers import SERVERS, Server, Start

_TIMES = 5


def measure(store: Store, folder: Path, run: Run) -> None:
    """Start each server several times, in turns, on all cores."""
    store.pin(ALL_CORES)
    built = kept.built(data.account(run.scale))
    records = data.records(built)
    copies = {name: store.copy(built, f"start-{name}") for name in SERVERS}
    starts: dict[str, list[Watched[Start]]] = {name: [] for name in SERVERS}

    def start(name: str, copy: Copy) -> Start:
        with Server(name, copy, folder / copy.name, account=records.account) as server:
            return server.wait_for(workloads.first(records))

    try:
        for turn in range(_TIMES + 1):
            for name, copy in copies.items():
                found = least_disturbed(partial(start, name, copy))
                if turn:  # the first turn loads files into memory
                    starts[name].append(found)
    finally:
        for copy in copies.values():
            store.drop(copy)
    progress.tell(f"\n{store.name}: seconds from the command to the first answer")
    for name in SERVERS:
        whole = spread_of_watched([Watched(each.found.command, each.taken) for each in starts[name]])
        worker = spread_of_watched([Watched(each.found.worker, each.taken) for each in starts[name]])
        run.note(["start", store.name, name], whole)
        run.note(["start of worker", store.name, name], worker)
        progress.tell(
            f"  {name:<12} {whole.median:.2f} s ({whole.least:.2f} to {whole.most:.2f}), "
            f"{worker.median:.2f} s of them since its worker began{progress.disturbed(whole.disturbed)}"
        )
