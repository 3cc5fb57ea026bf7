"""Cold starts: from the command to the first answer that needs the database."""

from pathlib import Path

from benchmarks import data, kept, progress, workloads
from benchmarks.databases import Store
from benchmarks.processes import ALL_CORES
from benchmarks.results import Run, spread
from benchmarks.servers import SERVERS, Server

_TIMES = 5


def measure(store: Store, folder: Path, run: Run) -> None:
    """Start each server some times, in turns, on all cores."""
    store.pin(ALL_CORES)
    built = kept.built(data.account(run.scale))
    records = data.records(built)
    copies = {name: store.copy(built, f"start-{name}") for name in SERVERS}
    seconds: dict[str, list[float]] = {name: [] for name in SERVERS}
    of_worker: dict[str, list[float]] = {name: [] for name in SERVERS}
    try:
        for turn in range(_TIMES + 1):
            for name, copy in copies.items():
                with Server(name, copy, folder / copy.name, account=records.account) as server:
                    start = server.wait_for(workloads.first(records))
                if turn:  # the first brings files into memory
                    seconds[name].append(start.command)
                    of_worker[name].append(start.worker)
    finally:
        for copy in copies.values():
            store.drop(copy)
    progress.tell(f"\n{store.name}: seconds from the command to the first answer")
    for name in SERVERS:
        whole, worker = spread(seconds[name]), spread(of_worker[name])
        run.note(["start", store.name, name], whole)
        run.note(["start of worker", store.name, name], worker)
        progress.tell(
            f"  {name:<12} {whole.median:.2f} s ({whole.least:.2f} to {whole.most:.2f}), "
            f"{worker.median:.2f} s of them since its worker began"
        )
