"""RESULTS.md: the figures of a run, and of each that was asked for whether it is reached."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import goals, growth, imports, rule_changes, workloads
from benchmarks.places import NOTES
from benchmarks.results import Rounds, Run, Spread, ratio
from benchmarks.servers import DATABASE, PRORATA, SERVERS

_DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_WORKERS = {1: "one worker on one core", 2: "two workers"}
_ABOUT = """
Written by `make bench`; [README.md](README.md) says what is measured and how. All figures are of one run: medians of
{rounds} rounds of {seconds:g} s, in which the servers take turns, with the least and the most of them in brackets.

Prorata runs as in production: `prorata serve` with keys, rate limit, validation and request log. **conventional** is
FastAPI, Pydantic and SQLAlchemy's async ORM under uvicorn with uvloop and httptools, without keys, limits or log, and
without the counts that Prorata keeps when a status changes, all of which is to its advantage. **floor** is a bare ASGI
application under granian over sqlite3 or asyncpg, with SQL and JSON written by hand, that checks nothing. **database**
is PostgreSQL itself under pgbench with the floor's statements. All answered the same JSON before they were measured.
"""


def write(run: Run, file: Path) -> None:
    """Write the file, with the notes where there are any."""
    parts = ["# Results", _ABOUT.format(rounds=run.rounds, seconds=run.seconds).strip()]
    parts += ["## What was to be reached", *_goals(run)]
    if NOTES.exists():
        parts.append(NOTES.read_text().strip())
    parts += ["## The machine", _table(("", ""), list(run.machine.items()), texts=True)]
    for workers, said in _WORKERS.items():
        for database, name in _DATABASES.items():
            parts += _compared(run, database, workers, f"## {name}, {said}")
    parts += [*_growth(run), *_rules(run), *_imports(run), *_workers(run)]
    file.write_text("\n\n".join(parts) + "\n")


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]], *, texts: bool = False) -> str:
    lines = [heading, ["---", *["---" if texts else "---:"] * (len(heading) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _goals(run: Run) -> Iterator[str]:
    found = list(goals.all_of(run))
    missed = sum(not goal.is_reached for goal in found)
    yield f"{len(found) - missed} of {len(found)} figures are reached."
    rows = [
        (each.what, each.where, each.wanted, each.measured, "yes" if each.is_reached else "**no**") for each in found
    ]
    yield _table(("figure", "on", "wanted", "measured", "reached"), rows, texts=True)
    if run.scale != 1:
        yield f"The data was {run.scale:g} times what the figures are about, so that they say little."


def _compared(run: Run, database: str, workers: int, heading: str) -> Iterator[str]:
    tables = []
    for workload in workloads.WORKLOADS:
        found = run.rounds_of(database, workload, workers)
        if found:
            heads = ("", "requests/s", "Prorata is", "cores busy", "CPU ms", "database CPU ms", "p50 ms", "p99 ms")
            tables += [f"**{workloads.NAMES[workload]}**", _table(heads, list(_lines(found)))]
    if tables:
        yield heading
        yield (
            "On how many cores a server was busy; CPU a request, of all of its processes; p50 and p99 at about half of "
            "the load that it can bear, sent at random distances."
        )
        yield from tables


def _lines(found: dict[str, Rounds]) -> Iterator[tuple[str, ...]]:
    for name, of in found.items():
        against = "" if name == PRORATA or PRORATA not in found else _ratio(found[PRORATA], of)
        half = (f"{of.half.p50:.2f}", f"{of.half.p99:.2f}") if of.half.p50 else ("", "")
        cpu = "" if name == DATABASE else f"{of.cpu:.3f}"
        yield (
            name,
            _rate(of),
            against,
            f"{of.busy:.2f}",
            cpu,
            f"{of.database_cpu:.3f}" if of.database_cpu else "",
            *half,
        )


def _rate(of: Rounds) -> str:
    return f"{of.rate:,.0f} ({of.least:,.0f}–{of.most:,.0f})"


def _ratio(one: Rounds, other: Rounds) -> str:
    found = ratio(one, other)
    return f"{found.of_medians:.2f}× ({found.least:.2f}–{found.most:.2f})"


def _growth(run: Run) -> Iterator[str]:
    rows = []
    for database, name in _DATABASES.items():
        for workload in growth.PAGES:
            found = run.rounds_of("growth", database, workload)
            for scale, of in found.items():
                one = found["1"]
                rows.append(
                    (
                        f"{name}, {workloads.NAMES[workload]}, {scale}×",
                        _rate(of),
                        f"{one.rate / of.rate:.2f}",
                        f"{of.cpu:.3f}",
                        f"{of.database_cpu:.3f}" if of.database_cpu else "",
                        f"{(of.cpu + of.database_cpu) / (one.cpu + one.database_cpu):.2f}",
                    )
                )
    if rows:
        yield "## As the account grows"
        yield (
            "Prorata alone, one worker on one core. 1× is 96,000 invoices. Where there is no page 500 it is the last "
            "full page. The total of each list was the number of its records."
        )
        heads = ("", "requests/s", "time, 1× is 1", "CPU ms", "database CPU ms", "CPU, 1× is 1")
        yield _table(heads, rows)


def _rules(run: Run) -> Iterator[str]:
    rows = [
        (f"{name}, {size:,} units", _spread(found, 1))
        for database, name in _DATABASES.items()
        for size in rule_changes.SIZES
        if (found := run.spread_of("rule", database, size))
    ]
    if rows:
        yield "## A rule PATCH that computes six open months again"
        yield _table(("", "ms until answered"), rows)


def _imports(run: Run) -> Iterator[str]:
    rows = []
    for database, name in _DATABASES.items():
        for part in imports.PARTS:
            seconds = run.spread_of("import", database, part, "seconds")
            megabytes = run.spread_of("import", database, part, "megabytes")
            bills = run.spread_of("import", database, part, "bills")
            if seconds and megabytes and bills:
                each = f"{seconds.median / bills.median * 1000:.2f}"
                rows.append((f"{name}, {bills.median:,.0f} bills", _spread(seconds, 2), each, _spread(megabytes, 0)))
    if rows:
        yield "## A month of bills from a CSV file to committed invoices"
        yield "`prorata bills import`: three bills for each of 5,000 properties of 20 units, or a quarter."
        yield _table(("", "seconds", "ms a bill", "most MB"), rows)


def _workers(run: Run) -> Iterator[str]:
    rows = []
    for database, name in _DATABASES.items():
        for server in SERVERS:
            start, worker = run.spread_of("start", database, server), run.spread_of("start of worker", database, server)
            memory, two = run.memory_of(database, 1, server), run.memory_of(database, 2, server)
            if start and worker and memory:
                rows.append(
                    (
                        f"{name}, {server}",
                        _spread(start, 2),
                        f"{worker.median:.2f}",
                        f"{memory.resident:.0f}",
                        f"{memory.proportional:.0f}",
                        f"{two.resident:.0f}" if two else "",
                    )
                )
    if rows:
        yield "## A worker: cold start and memory"
        yield (
            "Seconds from the command to the first answer that needs the database. Memory of the largest worker after "
            "all of the load: what is resident, and with shared pages divided by those who share them."
        )
        yield _table(("", "start s", "of its worker s", "resident MB", "by share MB", "one of two workers MB"), rows)


def _spread(of: Spread, digits: int) -> str:
    return f"{of.median:,.{digits}f} ({of.least:,.{digits}f}–{of.most:,.{digits}f})"
