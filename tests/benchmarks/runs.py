"""An invented run with figures that are easy to calculate with."""

from benchmarks import dashboard_lists, growth, imports, memory, mixed, workloads
from benchmarks.processes import Memory
from benchmarks.results import Latency, Measured, Rounds, Run, Spread, spread


def rounds(rate: float, *, p99: float = 4.0, cpu: float = 1.0, redis_cpu: float = 0.0) -> Rounds:
    """Three rounds around a rate, and three at half load.

    At half load, the p50 is 1 ms.
    """
    measured = [Measured(rate * times, cpu, 0.25, 1.0, redis_cpu) for times in (1.0, 0.5, 1.5)]
    return Rounds(measured, [Latency(1.0, p99 * times, rate / 2) for times in (1.0, 0.5, 1.5)])


def whole_run() -> Run:
    """A complete run that reaches every goal by a little."""
    run = Run(3, 1.0, 1.0, {"Python": "3.11"})
    for database in ("sqlite", "postgresql"):
        _compare(run, database)
        _grow(run, database)
        _open(run, database)
        _fill(run, database)
        _write(run, database)
    return run


def _compare(run: Run, database: str) -> None:
    for workers in (1, 2):
        ours = rounds(400.0, redis_cpu=0.06 if workers > 1 else 0.0)
        for workload in workloads.WORKLOADS:
            for name, of in (("prorata", ours), ("conventional", rounds(99.0)), ("floor", rounds(660.0))):
                run.note(["rounds", database, workload, workers, name], of)
        run.note(["memory", database, workers, "prorata"], Memory(100.0, 80.0, 119.0))


def _grow(run: Run, database: str) -> None:
    for workload in growth.PAGES:
        for scale, rate, cpu in (("0.1", 410.0, 0.9), ("1", 400.0, 1.0), ("10", 340.0, 1.2)):
            run.note(["rounds", "growth", database, workload, scale], rounds(rate, cpu=cpu))


def _open(run: Run, database: str) -> None:
    for listed in dashboard_lists.NAMES:
        for view, median in ((dashboard_lists.FIRST, 12.0), (dashboard_lists.LETTER, 49.0)):
            run.note(["lists", database, listed, view], Spread(median, median / 2, median * 2))


def _fill(run: Run, database: str) -> None:
    for place, step in enumerate(memory.STEPS):
        run.note(
            ["memory after", database, step], [110.0, 90.0, 119.0, *([40.0, 30.0, 50.0] if place > 2 else [0.0] * 3)]
        )
    for server in ("prorata", "conventional", "floor"):
        run.note(["start", database, server], spread([0.9]))
        run.note(["start of worker", database, server], spread([0.5]))


def _write(run: Run, database: str) -> None:
    for part in imports.PARTS:
        run.note(["import", database, part, "seconds"], spread([9.0 / part]))
        run.note(["import", database, part, "megabytes"], spread([140.0]))
        run.note(["import", database, part, "bills"], spread([15_000 // part]))
    run.note(["import", database, "database"], spread([3.0]))
    for size in (20, 1_000):
        run.note(["rule", database, size], spread([size / 2]))
    run.note(["rule", database, "database"], spread([150.0]))
    for beside in mixed.NAMES:
        for name, figure in (("p50", 1.0), ("p99", 9.0), ("worst", 20.0)):
            run.note(["mixed", database, beside, name], spread([figure]))
