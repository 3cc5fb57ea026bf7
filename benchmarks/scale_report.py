"""SCALE.md: the results of `make scale`, and the goals that are reached."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.goals import GROWTH, IMPORT_MEGABYTES, Goal
from benchmarks.progress import disturbed as said_disturbed
from benchmarks.scale_limits import INVALID_QUOTA, QUOTA, Limited
from benchmarks.scale_loading import AT_ONCE, BILLS, Furnished, Imported
from benchmarks.scale_pages import BEFORE, BESIDE, COPY, FAR, FARTHER, LARGE, Measured
from benchmarks.scale_throughput import NAMES, Rate

MINUTES = 30.0
_GROWS = 1.5
"""Two processes with as much of a core each as the one before could answer twice as many."""
_MONTHS = 24
_ABOUT = """
Written by `make scale`: PostgreSQL, Redis, nginx, and `prorata serve` processes of one worker, all on one machine with
the load itself. {units:,} units of ten accounts got a month of bills through files. What to conclude is said in
[Beyond one machine](../docs/operating.md#beyond-one-machine).

    {command}
"""


@dataclass
class Figures:
    """The results of a run; `seconds` is the length of a round of requests.

    `share` is the part of a core that each process had while throughput was measured, or None if it could not be
    enforced.
    """

    units: int
    small_units: int
    seconds: float
    minutes: float = 0.0
    machine: dict[str, str] = field(default_factory=dict)
    furnished: Furnished | None = None
    imported: Imported | None = None
    pages: dict[str, dict[str, Measured]] = field(default_factory=dict)
    page_names: dict[str, str] = field(default_factory=dict)
    throughput: dict[str, list[Rate]] = field(default_factory=dict)
    share: float | None = None
    limited: Limited | None = None
    wrong: list[str] | None = None
    check_seconds: float = 0.0


def text(figures: Figures) -> str:
    """Write the whole file."""
    command = "make scale" if figures.units >= 1_000_000 else f"make scale SIZE={figures.units}"
    parts = ["# At a million units", _ABOUT.format(units=figures.units, command=command).strip()]
    parts += ["## What was to be reached", *_goals(figures)]
    parts += ["## The machine", _table(("", ""), [(name, said) for name, said in figures.machine.items()])]
    parts += [*_loading(figures), *_pages(figures), *_throughput(figures), *_limits(figures), *_shard(figures)]
    return "\n\n".join(parts) + "\n"


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _goals(figures: Figures) -> Iterator[str]:
    found = list(goals(figures))
    yield f"{sum(each.is_reached for each in found)} of {len(found)} goals are reached."
    rows = [(each.what, each.wanted, each.measured, each.said) for each in found]
    yield _table(("goal", "wanted", "measured", "reached"), rows)


def goals(figures: Figures) -> Iterator[Goal]:
    """Yield every goal, computed from the figures."""
    limited, imported = figures.limited, figures.imported
    if limited:
        exact = f"{limited.answers.get(200, 0)} of {limited.sent:,}"
        yield Goal("requests of one key admitted in a minute", "", f"exactly {QUOTA}", exact, limited.is_exact)
        attempts = ", ".join(str(each.get(401, 0)) for each in limited.invalid_answers)
        what = "attempts with an invalid key, by client address"
        yield Goal(what, "", f"exactly {INVALID_QUOTA} each", attempts, limited.is_exact_by_address)
    for page, at in figures.pages.items():
        first = figures.pages[FAR if page == FARTHER else page][COPY]
        for place, said in ((BESIDE, "the same account"), (LARGE, "a large account")):
            if place in at:
                times = at[place].milliseconds / first.milliseconds
                what = f"{figures.page_names[page]}: time in {said}"
                disturbed = at[place].disturbed + first.disturbed
                yield Goal(what, "", f"≤ {GROWTH:g}×", f"{times:.2f}×", times <= GROWTH, disturbed=disturbed)
    for kind, (one, two) in figures.throughput.items():
        times = two.rate / one.rate
        said, measured, disturbed = f"{NAMES[kind]}: two processes", f"{times:.2f}×", one.disturbed + two.disturbed
        yield Goal(said, "", f"≥ {_GROWS:g}×", measured, times >= _GROWS, disturbed=disturbed)
    if imported:
        held = imported.most_megabytes
        yield Goal(
            "most memory of an import", "", f"< {IMPORT_MEGABYTES:g} MB", f"{held:.0f} MB", held < IMPORT_MEGABYTES
        )
    if figures.wrong is not None:
        number = len(figures.wrong)
        yield Goal("records of a large account that are wrong", "", "0", str(number), number == 0)
    minutes = figures.minutes
    yield Goal("the whole run", "", f"< {MINUTES:g} minutes", f"{minutes:.1f} minutes", minutes < MINUTES)


def _loading(figures: Figures) -> Iterator[str]:
    furnished, imported = figures.furnished, figures.imported
    if not furnished or not imported:
        return
    yield "## The month through files"
    files = imported.of_files
    yield _table(
        ("", ""),
        [
            (
                "units and tenants, in bulk through the program's own actions",
                f"{furnished.units:,} units in {furnished.seconds:.0f} s",
            ),
            (
                f"`prorata bills import`, {len(files)} files, {AT_ONCE} at a time",
                f"{imported.bills:,} bills in {imported.seconds:.0f} s",
            ),
            ("of one file", f"{min(files):.1f} to {max(files):.1f} s"),
            ("what came of them", f"{imported.invoices:,} invoices, {imported.charges:,} charges"),
            ("CPU of the imports, without PostgreSQL's", f"{imported.cpu:.0f} s"),
            ("most memory of one", f"{imported.most_megabytes:.0f} MB"),
            ("the database before the bills", f"{furnished.megabytes:,.0f} MB"),
            ("and after them", f"{imported.megabytes:,.0f} MB"),
        ],
    )


def _pages(figures: Figures) -> Iterator[str]:
    yield "## What a page costs"
    yield (
        f"One process, {figures.seconds:g} s a round, without nginx. **before**: an account of {figures.small_units:,} "
        "units alone in the database, before anything was loaded. All others afterwards, in turns: **copy** is the "
        f"database as it was before, **beside** the same account beside {figures.units:,} units of others, **large** "
        f"one of the loaded accounts, {figures.units // 10:,} units. The ratio is to the copy, since both were "
        "measured in the same minutes; in the last row to page "
        f"{figures.page_names[FAR].split()[1]} of the copy. A page inside a month costs the more, the more of that "
        "month's invoices are before it, whatever else there is. CPU is that of the process and of PostgreSQL."
    )
    rows = []
    for page, at in figures.pages.items():
        first = figures.pages[FAR if page == FARTHER else page][COPY]
        for place in (BEFORE, COPY, BESIDE, LARGE):
            if place in at:
                of = at[place]
                rows.append(
                    (
                        f"{figures.page_names[page]}: {place}",
                        f"{of.rate:,.0f} ({of.least:,.0f}–{of.most:,.0f}){said_disturbed(of.disturbed)}",
                        f"{of.milliseconds:.2f}",
                        f"{of.milliseconds / first.milliseconds:.2f}",
                        f"{of.cpu:.2f}",
                        f"{of.cpu / first.cpu:.2f}",
                    )
                )
    yield _table(("", "requests/s", "ms each", "ratio", "CPU ms", "ratio of CPU"), rows)


def _throughput(figures: Figures) -> Iterator[str]:
    yield "## From one process to two"
    share = "The machine lets nobody give each process its share of a core, so that one may fill it already. "
    if figures.share:
        share = (
            f"Each process gets {figures.share:g} of a core from the kernel, as on a small machine of its own: on two "
            "cores one alone, with what PostgreSQL does for it, would fill the machine, and two could not answer more. "
        )
    yield (
        f"Through nginx, 32 connections, for a large account. {share}The processors are shared with PostgreSQL, "
        "Redis, nginx and wrk: the columns say on how many cores each was busy, **others** what is none of ours, "
        "**host** what the host gave to others, and the last column how many in all. Where that is as many as there "
        "are, more processes can't answer more; where it is fewer and the ratio is still near 1, they wait for each "
        "other or for the disk."
    )
    rows = []
    for kind, rates in figures.throughput.items():
        for number, rate in enumerate(rates, start=1):
            rows.append(
                (
                    f"{NAMES[kind]}: {number}",
                    f"{rate.rate:,.0f} ({rate.least:,.0f}–{rate.most:,.0f}){said_disturbed(rate.disturbed)}",
                    f"{rate.rate / rates[0].rate:.2f}",
                    *(f"{busy:.2f}" for busy in rate.cores.values()),
                    f"{sum(rate.cores.values()):.2f}",
                )
            )
    parts = list(next(iter(figures.throughput.values()))[0].cores) if figures.throughput else []
    yield _table(("", "requests/s", "ratio", *parts, "all"), rows)


def _limits(figures: Figures) -> Iterator[str]:
    limited = figures.limited
    if not limited:
        return
    yield "## Limits"
    yield (
        f"{limited.sent:,} requests with one key from 64 connections at once, in {limited.seconds:.1f} s: "
        f"{limited.answers.get(200, 0)} were answered 200, {limited.answers.get(429, 0):,} were answered 429. Of the "
        f"first, the two processes answered {' and '.join(map(str, limited.admitted_by))}. Then {limited.invalid_sent} "
        "requests with an invalid key from each of two addresses, of which the second claimed another address in "
        "X-Forwarded-For each time: "
        + " and ".join(f"{each.get(401, 0)} were answered 401" for each in limited.invalid_answers)
        + ", all others 429."
    )


def _shard(figures: Figures) -> Iterator[str]:
    """Yield a section of figures that are extrapolated, and that says so."""
    furnished, imported = figures.furnished, figures.imported
    if not furnished or not imported or not figures.throughput:
        return
    yield "## Arithmetic"
    month = (imported.megabytes - furnished.megabytes) / imported.invoices * 1e6 / 1000
    unit = furnished.megabytes / furnished.units * 1000
    gigabytes = (unit + month * _MONTHS) * furnished.units / 1e6
    yield (
        "Not measured, but computed from the figures above: for one machine, under the assumption that what a request "
        "costs stays as it is."
    )
    rows = [
        ("a unit with its tenant and its share of a property", f"{unit:.2f} kB"),
        (f"a unit's month: its invoice, {len(BILLS)} charges, its share of the bills", f"{month:.2f} kB"),
        (f"{furnished.units:,} units and {_MONTHS} months", f"{gigabytes:,.0f} GB"),
        ("importing a month, units in an hour", f"{imported.invoices / imported.seconds * 3600:,.0f}"),
    ]
    for kind, (one, _) in figures.throughput.items():
        api, database = one.cpu["API 1"], one.cpu["PostgreSQL"]
        rows.append(
            (
                f"{NAMES[kind]}: CPU of the process, of PostgreSQL, of Redis and nginx",
                f"{api:.2f}, {database:.2f}, {one.cpu['Redis'] + one.cpu['nginx']:.2f} ms",
            )
        )
        rows.append(
            (
                f"{NAMES[kind]}: processes on a core each that keep one core of PostgreSQL busy",
                f"{api / database:.1f}, at {1000 / database:,.0f} requests/s" if database else "",
            )
        )
    yield _table(("", ""), rows)
