"""RESULTS.md: the figures of a run, and the goals that are reached."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks import dashboard_lists, goals, growth, imports, mixed, others, rule_changes, workloads
from benchmarks.places import NOTES
from benchmarks.progress import disturbed
from benchmarks.results import Measured, Ratio, Rounds, Run, Spread, ratio, ratio_by_cpu
from benchmarks.servers import DATABASE, PRORATA, SERVERS

_DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_WORKERS = {1: "one worker on one core", 2: "two workers"}
_ABOUT = """
Written by `make bench ROUNDS={rounds} SECONDS={seconds:g}`; [README.md](README.md) says what is measured and how, and
which words of `ONLY` measure one part alone. All figures are of one run, but those under "Measured again" if there are
any: medians of {rounds} rounds of {seconds:g} s, in which the servers take turns, with the least and the most in
brackets; of three rounds with two workers, at half load, as the account grows, of imports and beside long writes.
Times at half load are those of wrk: each connection waits for its answer before it sends again, so that a server that
stalls is sent less meanwhile, and what would have waited behind it is not counted (coordinated omission): tails are
lower than with clients that don't wait. Where answers are slow, less than half is sent for the same reason; the rate
that was really sent stands beside them. The p99 of fewer than a hundred requests, as of far pages, is the longest of
them.

Prorata runs as in production: `prorata serve` with keys, rate limit, validation and request log. **conventional** is
FastAPI, Pydantic and SQLAlchemy's async ORM under uvicorn with uvloop and httptools, without keys, limits or log, and
without the counts that Prorata keeps when a status changes, all of which is to its advantage. **floor** is a bare ASGI
application under granian over sqlite3 or asyncpg, with SQL and JSON written by hand, that checks nothing. **database**
is PostgreSQL itself under pgbench with the floor's statements. Prorata, conventional and floor answered the same JSON
before they were measured; pgbench answers no JSON, and its rows were compared with nothing.

Most of what conventional takes for a list of all invoices is `count(*)` for its total, and of a far page also what
comes before it; both grow with the account, and ratios of 14×, 20× and more are of that. The list to compare by is the
page of a property, which has few rows to count.
"""


def text(run: Run) -> str:
    """Write the whole file, with the notes if there are any."""
    parts = ["# Results", _ABOUT.format(rounds=run.rounds, seconds=run.seconds).strip()]
    parts += ["## What was to be reached", *_goals(run), *_again(run)]
    if NOTES.exists():
        parts.append(NOTES.read_text().strip())
    parts += ["## The machine", _table(("", ""), list(run.machine.items()), texts=True)]
    for workers, said in _WORKERS.items():
        for database, name in _DATABASES.items():
            parts += _compared(run, database, workers, f"## {name}, {said}")
    parts += [*_growth(run), *_lists(run), *_rules(run), *_imports(run), *_mixed(run), *_workers(run), *_memory(run)]
    return "\n\n".join(parts) + "\n"


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]], *, texts: bool = False) -> str:
    lines = [heading, ["---", *["---" if texts else "---:"] * (len(heading) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _goals(run: Run) -> Iterator[str]:
    found = list(goals.all_of(run))
    unsure = sum(bool(goal.disturbed) for goal in found)
    close = sum(goal.is_close and not goal.disturbed for goal in found)
    own = [goal for goal in found if goal.is_own]
    asked = [goal for goal in found if not goal.is_own]
    yield f"{_reached(asked)} figures are reached" + (f", and {_reached(own)} lists of the dashboard." if own else ".")
    if unsure:
        yield (
            f"{unsure} are not sure, and count as not reached: others, or the host, took more than {others.MOST:g} of "
            f"a core while some of their rounds were measured, {others.TRIES} times on end."
        )
    if close:
        yield f"{close} are close: single rounds say otherwise than the median, and another run may."
    rows = [(each.what, each.where, each.wanted, _measured(each), each.by_cpu, each.said) for each in found]
    yield _table(("figure", "on", "wanted", "measured", "by CPU", "reached"), rows, texts=True)
    if run.scale != 1:
        yield f"The data was {run.scale:g} times what the figures are about, so that they say little."


def _reached(found: Sequence[goals.Goal]) -> str:
    return f"{sum(goal.is_reached for goal in found)} of {len(found)}"


def _measured(goal: goals.Goal) -> str:
    return goal.measured + (f" (before {', '.join(goal.before)})" if goal.before else "")


def _again(run: Run) -> Iterator[str]:
    """Yield the repeated measurements, with the figures that they replaced."""
    if not run.again:
        return
    yield "### Measured again"
    yield (
        "All else in this file is the later of these figures. Whoever measures again only what came out badly finds "
        "what they look for: a figure that was missed before, and not for being disturbed, is called close."
    )
    for part in run.again:
        yield f'`make bench ONLY="{part.only}" AGAIN=1`, {part.when}, commit {part.commit}:'
        rows = [
            (name.replace("/", ", "), _kept(name, was), _kept(name, part.later[name]))
            for name, was in part.first.items()
        ]
        yield _table(("", "before", "then"), rows)


def _kept(name: str, figure: Any) -> str:
    """Format a stored figure in brief."""
    if name.startswith("checked/"):
        return f"nothing wrong, {figure:.0f} s"
    if name.startswith("rounds/"):
        return _rate(Rounds([Measured(*each) for each in figure[0]])) + " requests/s"
    if name.startswith("memory"):
        return f"{figure[2]:.0f} MB at most"
    return _spread(Spread(*figure), 2)


def _compared(run: Run, database: str, workers: int, heading: str) -> Iterator[str]:
    tables = []
    for workload in workloads.WORKLOADS:
        found = run.rounds_of(database, workload, workers)
        if found:
            heads = ("", "requests/s", "Prorata is", "by CPU", "cores busy", "CPU ms", *_beside(database, workers))
            rows = list(_lines(found, with_database=database != "sqlite", with_redis=workers > 1))
            checked = _checked(run, database, workers) if workload == workloads.PATCH else ""
            tables += [
                f"**{workloads.NAMES[workload]}**{checked}",
                _table((*heads, "sent/s", "p50 ms", "p99 ms", "others"), rows),
            ]
    if tables:
        yield heading
        yield (
            "On how many cores a server was busy; CPU a request, of all of its processes, and beside it that of the "
            "database, and of the Redis that counts for several workers; p50 and p99 at about half of the load that it "
            "can bear, sent at random distances: the median of rounds, with the least and the most. **sent/s** is the "
            "load that was really sent meanwhile, and how much of all it was. **by CPU** is the "
            "same ratio as that of the rates, if only CPU counted: of the server, its database and its Redis together; "
            "where a server waits for the core that load and database share, it says more. **others** is on how many "
            "cores processes were busy that are none of ours, with what the host took; rounds in which that stayed "
            "much are called disturbed."
        )
        yield from tables


def _checked(run: Run, database: str, workers: int) -> str:
    """Say which servers' data was checked; a run would have ended with any error."""
    names = [name for name in SERVERS if run.was_checked(database, workers, name)]
    return f"; afterwards `prorata check` found nothing wrong in the data of {' and '.join(names)}" if names else ""


def _beside(database: str, workers: int) -> list[str]:
    """List the columns for the CPU of the processes that help the server."""
    return ["database CPU ms"] * (database != "sqlite") + ["Redis CPU ms"] * (workers > 1)


def _lines(found: dict[str, Rounds], *, with_database: bool, with_redis: bool) -> Iterator[tuple[str, ...]]:
    for name, of in found.items():
        is_peer = name != PRORATA and PRORATA in found
        against, by_cpu = (_ratio(each(found[PRORATA], of)) if is_peer else "" for each in (ratio, ratio_by_cpu))
        beside = [_cpu(of.database_cpu)] * with_database + [_cpu(of.redis_cpu)] * with_redis
        half = (_sent(of), _spread(of.p50, 2), _spread(of.p99, 2)) if of.p50 and of.p99 else ("", "", "")
        cpu = "" if name == DATABASE else _cpu(of.cpu)
        yield (name, _rate(of), against, by_cpu, f"{of.busy:.2f}", cpu, *beside, *half, f"{sum(of.taken):.2f}")


def _sent(of: Rounds) -> str:
    """Describe the load at which times were measured, and its share of the maximum."""
    return f"{of.sent:,.0f} ({of.sent / of.rate:.0%})" if of.sent else ""


def _cpu(milliseconds: float) -> str:
    return f"{milliseconds:.3f}" if milliseconds else ""


def _rate(of: Rounds) -> str:
    return f"{of.rate:,.0f} ({of.least:,.0f}–{of.most:,.0f}){disturbed(of.disturbed)}"


def _ratio(found: Ratio) -> str:
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
                        f"{ratio_by_cpu(one, of).of_medians:.2f}",
                    )
                )
    if rows:
        yield "## As the account grows"
        yield (
            "Prorata alone, one worker on one core. 1× is 96,000 invoices. Where there is no page 500, the last full "
            "ones stand for it. The total of each list was the number of its records."
        )
        heads = ("", "requests/s", "time, 1× is 1", "CPU ms", "database CPU ms", "CPU, 1× is 1")
        yield _table(heads, rows)


def _lists(run: Run) -> Iterator[str]:
    rows = [
        (f"{name}, {listed}, {view}", f"{of.median:.1f}", f"{of.most:.1f}", f"{of.least:.1f}")
        for database, name in _DATABASES.items()
        for listed in dashboard_lists.NAMES
        for view, of in run.lists_of(database, listed).items()
    ]
    if rows:
        yield "## The dashboard's lists"
        yield (
            "Whole pages, as somebody who is signed in opens them, one at a time: milliseconds until the last byte, "
            f"each {dashboard_lists.TIMES} times, from one worker on one core. A far page is asked for by its number, "
            "the next one from there by the mark that its button has."
        )
        yield _table(("", "p50 ms", "p99 ms", "least ms"), rows)


def _rules(run: Run) -> Iterator[str]:
    rows = [
        (f"{name}, {size:,} units", _spread(found, 1))
        for database, name in _DATABASES.items()
        for size in rule_changes.SIZES
        if (found := run.spread_of("rule", database, size))
    ]
    alone = [
        (f"{name}, the same rows by the database alone", _spread(found, 1))
        for database, name in _DATABASES.items()
        if (found := run.spread_of("rule", database, "database"))
    ]
    if rows:
        yield "## A rule PATCH that computes six open months again"
        yield (
            "There are no peers for it: no conventional program has what is computed here, and one written for this "
            "would be measured against itself. Beside it stands the limit of the database: what the change of 1,000 "
            "units wrote to invoices, charges and months, written by the driver alone in one transaction, with nothing "
            "found, computed or checked: one UPDATE a row on SQLite, COPY and one UPDATE a table on PostgreSQL. It is "
            "one request, and an import one command: with a second worker they take as long. `make bench ONLY=rules`."
        )
        yield _table(("", "ms until answered"), [*rows, *alone])


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
        alone = run.spread_of("import", database, "database")
        if alone:
            rows.append((f"{name}, all of the rows by the database alone", _spread(alone, 2), "", ""))
    if rows:
        yield "## A month of bills from a CSV file to committed invoices"
        yield (
            "`prorata bills import`: three bills for each of 5,000 properties of 20 units, or a quarter. There are no "
            "peers for it, as for rules; the database alone is given the bills, lines, months, invoices and charges "
            "that came of the file ready in memory, in one transaction: `executemany` on SQLite, COPY on PostgreSQL. "
            "What an import also writes, an audit entry for each bill, events, flags and words to search by, is not "
            "among it: that limit is of less work."
        )
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
                        f"{memory.most:.0f}",
                        f"{memory.resident:.0f}",
                        f"{memory.proportional:.0f}",
                        f"{two.most:.0f}" if two else "",
                    )
                )
    if rows:
        yield "## A worker: start and memory"
        yield (
            "Seconds from the command to the first answer that needs the database, with the programs' files in memory "
            "already: a first start, which brings them there, is not counted. Memory of the largest worker: the "
            "most that was resident at any time, what is after all of the load, and that with shared pages divided by "
            "those who share them. The floor maps SQLite's file into its memory, and what it has read of it counts as "
            "resident, though the kernel can take it back at any time: its figure is that of the file, not of Python."
        )
        heads = ("", "start s", "of its worker s", "most MB", "resident MB", "by share MB", "most of one of two MB")
        yield _table(heads, rows)


def _mixed(run: Run) -> Iterator[str]:
    rows = []
    for database, name in _DATABASES.items():
        for beside, said in mixed.NAMES.items():
            found = [run.spread_of("mixed", database, beside, figure) for figure in ("p50", "p99", "worst")]
            of = [each for each in found if each]
            if len(of) == len(found):
                rows.append((f"{name}, {said}", *(_spread(each, 2) for each in of)))
    if rows:
        yield "## Reads beside long writes"
        yield (
            f"One property, {mixed.READS_A_SECOND} times a second at random distances, from one worker on one core; "
            "rules change in the same worker, the import is a command on the other core, where wrk and PostgreSQL are. "
            "Medians of rounds, with the least and the most."
        )
        yield _table(("beside", "p50 ms", "p99 ms", "longest ms"), rows)


def _memory(run: Run) -> Iterator[str]:
    rows = []
    for database, name in _DATABASES.items():
        for step, (own, below) in run.memory_after(database).items():
            beside = [f"{each:.0f}" if below.resident else "" for each in (below.most, below.resident)]
            held = [f"{each:.0f}" for each in (own.most, own.resident, own.proportional)]
            rows.append((f"{name}, {step}", *held, *beside))
    if rows:
        yield "## What a worker holds after all that fills it"
        yield (
            "One worker, one step after the other on the same process: the most that was resident during the step, "
            "and what is after it. Then the processes that it has started, which are the one that typesets, from the "
            "first PDF on."
        )
        yield _table(("", "most MB", "resident MB", "by share MB", "typesetting: most MB", "resident MB"), rows)


def _spread(of: Spread, digits: int) -> str:
    return f"{of.median:,.{digits}f} ({of.least:,.{digits}f}–{of.most:,.{digits}f}){disturbed(of.disturbed)}"
