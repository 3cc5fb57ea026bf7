"""The goals, computed from the measurements."""

from collections.abc import Iterator
from typing import NamedTuple

from benchmarks import dashboard_lists, growth, memory, workloads
from benchmarks.results import Run, Spread, ratio, ratio_by_cpu
from benchmarks.servers import CONVENTIONAL, FLOOR, PRORATA

DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
WORKERS = (1, 2)
OF_CONVENTIONAL, OF_FLOOR, OF_CONVENTIONAL_CHANGED = 4.0, 0.6, 3.0
TAIL = 10.0
GROWTH = 1.2
IMPORT_SECONDS = {"sqlite": 10.0, "postgresql": 15.0}
IMPORT_MEGABYTES = 500.0
LINEAR = 1.1
"""The maximum ratio of a file's time to four times that of its quarter."""
RULE_MILLISECONDS = 1_000.0
START_SECONDS = 1.0
WORKER_MEGABYTES = 120.0


class Goal(NamedTuple):
    """A goal, with the wanted and the measured figure.

    `is_close` is true if single rounds contradict their median, so that another run might, too. `disturbed` is the
    number of rounds that stayed disturbed; if there are any, the goal is not sure: neither reached nor missed. `by_cpu`
    is the ratio of the rates by CPU per request, and `before` has the figures from before the measurement was repeated.
    `is_own` is true for our own goals, which do not belong to the comparison.
    """

    what: str
    where: str
    wanted: str
    measured: str
    is_enough: bool
    is_close: bool = False
    disturbed: int = 0
    by_cpu: str = ""
    before: tuple[str, ...] = ()
    is_own: bool = False

    @property
    def is_reached(self) -> bool:
        """True if the result is good enough, and nothing disturbed the measurement."""
        return self.is_enough and not self.disturbed

    @property
    def said(self) -> str:
        """The result in words."""
        if self.disturbed:
            rounds = "a round was" if self.disturbed == 1 else f"{self.disturbed} rounds were"
            return f"not sure: {rounds} disturbed"
        return ("yes" if self.is_enough else "**no**") + (", close" if self.is_close else "")


def all_of(run: Run) -> Iterator[Goal]:
    """Yield every goal, with the earlier figure if it was measured again.

    A goal is close if the two figures disagree about it and nothing had disturbed the earlier one.
    """
    earlier = [{(goal.what, goal.where): goal for goal in _found(each)} for each in run.before()]
    for goal in _found(run):
        before = [goals[goal.what, goal.where] for goals in earlier if (goal.what, goal.where) in goals]
        other = [each for each in before if each.measured != goal.measured]
        contradicts = any(each.is_enough != goal.is_enough and not each.disturbed for each in before)
        yield goal._replace(
            before=tuple(dict.fromkeys(each.measured for each in other)), is_close=goal.is_close or contradicts
        )


def _found(run: Run) -> Iterator[Goal]:
    for database, name in DATABASES.items():
        for workers in WORKERS:
            where = f"{name}, {workers} worker{'s' * (workers > 1)}"
            for workload in workloads.WORKLOADS:
                yield from _of_rates(run, database, workload, workers, where)
            yield from _of_memory(run, database, workers, where)
        yield from _of_growth(run, database, name)
        yield from _of_lists(run, database, name)
        yield from _of_import(run, database, name)
        yield from _of_times(run, database, name)


def _of_rates(run: Run, database: str, workload: str, workers: int, where: str) -> Iterator[Goal]:
    found = run.rounds_of(database, workload, workers)
    if PRORATA not in found:
        return
    ours, what = found[PRORATA], workloads.NAMES[workload]
    is_read = workload in workloads.READS
    least = OF_CONVENTIONAL if is_read else OF_CONVENTIONAL_CHANGED
    for peer, wanted in ((CONVENTIONAL, least), (FLOOR, OF_FLOOR if is_read else None)):
        if peer in found and wanted is not None:
            times, by_cpu = ratio(ours, found[peer]), ratio_by_cpu(ours, found[peer])
            yield Goal(
                f"{what}: requests/s of {peer}", where, f"≥ {wanted:g}×", f"{times.of_medians:.2f}×",
                times.of_medians >= wanted, times.least < wanted <= times.most,
                ours.disturbed + found[peer].disturbed, f"{by_cpu.of_medians:.2f}×",
            )  # fmt: skip
    if is_read and ours.p50 and ours.p99:
        tail, longest = ours.p99.median / ours.p50.median, ours.p99.most / ours.p50.median
        said, most = f"{what}: p99 at half load", f"< {TAIL:g} × p50"
        disturbed = ours.p99.disturbed
        yield Goal(said, where, most, f"{tail:.1f} × p50", tail < TAIL, tail < TAIL <= longest, disturbed)


def _of_memory(run: Run, database: str, workers: int, where: str) -> Iterator[Goal]:
    kept = run.memory_of(database, workers, PRORATA)
    if kept:
        what, said = "most memory of a worker: reads and changes of status", f"{kept.resident:.0f} MB afterwards"
        yield Goal(
            what, where, f"< {WORKER_MEGABYTES:g} MB", f"{kept.most:.0f} MB, {said}", kept.most < WORKER_MEGABYTES
        )
    steps = run.memory_after(database) if workers == 1 else {}
    if steps:
        most, after = max(own.most for own, _ in steps.values()), max(own.resident for own, _ in steps.values())
        below = max(below.most for _, below in steps.values())
        measured = f"{most:.0f} MB, {after:.0f} MB afterwards"
        measured += f", beside {below:.0f} MB of the process that typesets" if below else ""
        what = f"most memory of a worker: {memory.PDFS} PDFs and {memory.RULE_CHANGES} rules of 1,000 units"
        yield Goal(what, where, f"< {WORKER_MEGABYTES:g} MB", measured, most < WORKER_MEGABYTES)


def _of_growth(run: Run, database: str, name: str) -> Iterator[Goal]:
    for workload in growth.PAGES:
        found = run.rounds_of("growth", database, workload)
        if not {"1", "10"} <= found.keys():
            continue
        one, ten = found["1"], found["10"]
        what = f"{workloads.NAMES[workload]}: 10× the data costs"
        for said, times in (("in time", ratio(one, ten)), ("in CPU", ratio_by_cpu(one, ten))):
            yield Goal(
                f"{what} {said}", name, f"≤ {GROWTH:g}×", f"{times.of_medians:.2f}×", times.of_medians <= GROWTH,
                times.least <= GROWTH < times.most, one.disturbed + ten.disturbed,
            )  # fmt: skip


def _of_lists(run: Run, database: str, name: str) -> Iterator[Goal]:
    most = dashboard_lists.MOST_MILLISECONDS
    for listed in dashboard_lists.NAMES:
        found = run.lists_of(database, listed)
        if found:
            slowest = max(found, key=lambda view: found[view].median)
            measured = f"{found[slowest].median:.0f} ms ({slowest})"
            what = f"the dashboard's list of {listed}: p50 of its slowest page"
            is_close = found[slowest].least < most <= found[slowest].median
            yield Goal(
                what, name, f"< {most:g} ms", measured, found[slowest].median < most, is_close,
                found[slowest].disturbed, is_own=True,
            )  # fmt: skip


def _of_import(run: Run, database: str, name: str) -> Iterator[Goal]:
    whole, quarter = (run.spread_of("import", database, part, "seconds") for part in (1, 4))
    megabytes = run.spread_of("import", database, 1, "megabytes")
    if whole and quarter and megabytes:
        most, held = IMPORT_SECONDS[database], megabytes.median
        yield _below(whole, most, "import of 15,000 bills", name, f"< {most:g} s", f"{whole.median:.1f} s")
        yield Goal("import: most memory", name, f"< {IMPORT_MEGABYTES:g} MB", f"{held:.0f} MB", held < IMPORT_MEGABYTES)
        times = whole.median / quarter.median
        wanted = 4 * LINEAR
        yield Goal(
            "import: 4× the bills takes", name, f"≤ {wanted:g}×", f"{times:.2f}×", times <= wanted,
            disturbed=whole.disturbed + quarter.disturbed,
        )  # fmt: skip


def _of_times(run: Run, database: str, name: str) -> Iterator[Goal]:
    rule, start = run.spread_of("rule", database, 1_000), run.spread_of("start", database, PRORATA)
    if rule:
        wanted, measured = f"< {RULE_MILLISECONDS:,.0f} ms", f"{rule.median:,.0f} ms"
        yield _below(rule, RULE_MILLISECONDS, "a rule of 1,000 units, six open months", name, wanted, measured)
    if start:
        yield _below(
            start, START_SECONDS, "start, files in memory", name, f"< {START_SECONDS:g} s", f"{start.median:.2f} s"
        )


def _below(of: Spread, most: float, what: str, where: str, wanted: str, measured: str) -> Goal:
    """Build a goal whose median must be below `most`."""
    return Goal(what, where, wanted, measured, of.median < most, of.least < most <= of.most, of.disturbed)
