"""`make bench`, which measures everything, or the parts that ONLY names.

It writes RESULTS.md after a whole run (README.md).
"""

import argparse
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    dashboard_lists,
    data,
    growth,
    imports,
    kept,
    machine,
    memory,
    mixed,
    progress,
    published,
    report,
    rule_changes,
    starts,
)
from benchmarks.compare import Comparison
from benchmarks.databases import Store, needs_redis, opened, work_folder
from benchmarks.places import KEPT, RESULTS
from benchmarks.results import Run, load_run
from benchmarks.servers import DATABASE, SERVERS
from benchmarks.workloads import READS, WORKLOADS

DATABASES = ("sqlite", "postgresql")
WORKERS = {"one": 1, "two": 2}
PARTS: dict[str, Callable[[Store, Path, Run], None]] = {
    "start": starts.measure,
    "rules": rule_changes.measure,
    "memory": memory.measure,
    "import": imports.measure,
    "mixed": mixed.measure,
    "growth": growth.measure,
    "lists": dashboard_lists.measure,
}
_FIGURES = KEPT / "figures.json"
_FEWEST_ROUNDS = 3


class Choice:
    """The measurements to run, of each kind: those that ONLY names, or all."""

    def __init__(self, only: str) -> None:
        words = only.replace("reads", " ".join(READS)).split()
        known = {*DATABASES, *WORKERS, *WORKLOADS, *PARTS, *SERVERS, DATABASE}
        if unknown := set(words) - known:
            raise SystemExit(f"ONLY knows these words: {' '.join(sorted(known))} reads results; not {unknown.pop()}.")
        self.databases = [name for name in DATABASES if name in words] or list(DATABASES)
        self.workers = [number for name, number in WORKERS.items() if name in words] or list(WORKERS.values())
        self.servers = [name for name in (*SERVERS, DATABASE) if name in words] or [*SERVERS, DATABASE]
        self.parts = [name for name in PARTS if name in words]
        self.workloads = [name for name in WORKLOADS if name in words]
        compares = {*WORKERS, *SERVERS, DATABASE} & set(words)
        if not self.parts and not self.workloads:
            self.parts = [] if compares else list(PARTS)
            self.workloads = list(WORKLOADS)
        self.is_all = not words


def main() -> None:
    """Run the selected measurements."""
    asked = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if asked.only == "results":
        _write(load_run(_FIGURES))
        return
    choice = Choice(asked.only)
    if choice.workloads and max(choice.workers) > 1:
        needs_redis()
    run = Run(asked.rounds, asked.seconds, asked.scale, machine.described())
    whole = load_run(_FIGURES) if asked.again else run
    if not whole.is_made_like(run):
        raise SystemExit(
            f"AGAIN=1 needs what the last whole run had: "
            f"ROUNDS={whole.rounds} SECONDS={whole.seconds:g} SCALE={whole.scale:g}"
        )
    if choice.is_all or asked.again:
        published.warn(_file(whole), run.machine["commit"])
    begun = time.monotonic()
    with work_folder() as folder:
        for name in choice.databases:
            with opened(name, folder) as store:
                run.machine[store.name] = store.version
                _measure(store, folder, run, choice)
            if choice.is_all:
                run.save(_FIGURES)
    run.machine["commit"] = machine.commit_since(run.machine["commit"])
    progress.tell(f"\n{(time.monotonic() - begun) / 60:.1f} minutes")
    if asked.again:
        whole.replace(run, asked.only)
    if choice.is_all or asked.again:
        whole.save(_FIGURES)
        _write(whole)


def _write(run: Run) -> None:
    """Write RESULTS.md, or print it if not everybody can check out its commits."""
    published.write(report.text(run), _file(run), run.commits)


def _file(run: Run) -> Path:
    """Return the path of RESULTS.md, or another path if the run is too small."""
    return RESULTS if run.scale == 1 and run.rounds >= _FEWEST_ROUNDS else KEPT / RESULTS.name


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--only", default="", help="what to measure: words of README.md")
    parser.add_argument("--scale", type=float, default=1.0, help="how many times 200 properties")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--again", action="store_true", help="measure what ONLY names again, for the last whole run")
    parser.add_argument("--seconds", type=float, default=2.0, help="of a round")
    return parser.parse_args()


def _measure(store: Store, folder: Path, run: Run, choice: Choice) -> None:
    if choice.workloads:
        comparison = Comparison(store, folder, kept.built(data.account(run.scale)), run)
        for workers in choice.workers:
            comparison.compare(choice.servers, choice.workloads, workers)
    for part in choice.parts:
        PARTS[part](store, folder, run)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Interrupted.")
