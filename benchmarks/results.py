"""The measurements as plain figures, so that RESULTS.md can be rewritten without measuring again."""

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.machine import UNKNOWN
from benchmarks.others import Taken, Watched
from benchmarks.processes import Memory

_FORM = 2
"""Of the file that figures are kept in."""


class Measured(NamedTuple):
    """One round: requests per second, CPU per request, and busy cores.

    It has the milliseconds of CPU per request in the server, in the database, and in the Redis in which several workers
    count; the number of cores that the server kept busy (if that is far below the number of its workers, something else
    has used the machine); and the cores that others and the host took meanwhile.
    """

    rate: float
    cpu: float
    database_cpu: float
    busy: float
    redis_cpu: float = 0.0
    others: float = 0.0
    stolen: float = 0.0

    @property
    def whole_cpu(self) -> float:
        """The milliseconds of CPU per request in the server, its database and its Redis."""
        return self.cpu + self.database_cpu + self.redis_cpu

    @property
    def is_disturbed(self) -> bool:
        """True if others used so much of the machine that its rate says little."""
        return Taken(self.others, self.stolen).is_much


class Latency(NamedTuple):
    """Median and 99th percentile in milliseconds, at a number of requests per second.

    It also has the cores that others and the host took meanwhile.
    """

    p50: float
    p99: float
    rate: float
    others: float = 0.0
    stolen: float = 0.0

    @property
    def is_disturbed(self) -> bool:
        """True if others used so much of the machine that its times say little."""
        return Taken(self.others, self.stolen).is_much


class Spread(NamedTuple):
    """A median with the least and the most figure, and the number of disturbed rounds."""

    median: float
    least: float
    most: float
    disturbed: int = 0


def spread(of: Sequence[float], disturbed: int = 0) -> Spread:
    """Compute the median, the least and the most of some figures."""
    return Spread(median(of), min(of), max(of), disturbed)


def spread_of_watched(of: Sequence[Watched[float]]) -> Spread:
    """Compute the spread of figures whose measurements were watched."""
    return spread([each.found for each in of], sum(each.taken.is_much for each in of))


class Rounds(NamedTuple):
    """The rounds of one server with one workload, and its rounds at half load."""

    rounds: Sequence[Measured]
    at_half: Sequence[Latency] = ()

    @property
    def rate(self) -> float:
        """The median of requests per second."""
        return median(each.rate for each in self.rounds)

    @property
    def least(self) -> float:
        """The rate of the slowest round."""
        return min(each.rate for each in self.rounds)

    @property
    def most(self) -> float:
        """The rate of the fastest round."""
        return max(each.rate for each in self.rounds)

    @property
    def cpu(self) -> float:
        """The median of the server's CPU per request, in milliseconds."""
        return median(each.cpu for each in self.rounds)

    @property
    def database_cpu(self) -> float:
        """The median of the database's CPU per request, in milliseconds."""
        return median(each.database_cpu for each in self.rounds)

    @property
    def redis_cpu(self) -> float:
        """The median of Redis's CPU per request, in milliseconds."""
        return median(each.redis_cpu for each in self.rounds)

    @property
    def sent(self) -> float | None:
        """The median of requests actually sent per second at half load."""
        return median(each.rate for each in self.at_half) if self.at_half else None

    @property
    def whole_cpu(self) -> float:
        """The median of CPU per request in server, database and Redis, in milliseconds."""
        return median(each.whole_cpu for each in self.rounds)

    @property
    def taken(self) -> Taken:
        """The medians of the cores that others and the host took."""
        return Taken(median(each.others for each in self.rounds), median(each.stolen for each in self.rounds))

    @property
    def disturbed(self) -> int:
        """The number of rounds that stayed disturbed."""
        return sum(each.is_disturbed for each in self.rounds)

    @property
    def busy(self) -> float:
        """The median of the cores that the server kept busy."""
        return median(each.busy for each in self.rounds)

    @property
    def p50(self) -> Spread | None:
        """The median latency in milliseconds at half load."""
        return self._at_half([each.p50 for each in self.at_half])

    @property
    def p99(self) -> Spread | None:
        """The 99th percentile of latency in milliseconds at half load."""
        return self._at_half([each.p99 for each in self.at_half])

    def _at_half(self, figures: Sequence[float]) -> Spread | None:
        return spread(figures, sum(each.is_disturbed for each in self.at_half)) if figures else None


class Ratio(NamedTuple):
    """The ratio of two rates: that of the medians, and the extremes of single rounds."""

    of_medians: float
    least: float
    most: float


def ratio(one: Rounds, other: Rounds) -> Ratio:
    """Compute the ratio of the first rate to the second.

    Rounds that ran one after the other are compared with each other.
    """
    of_rounds = [mine.rate / theirs.rate for mine, theirs in zip(one.rounds, other.rounds, strict=True)]
    return Ratio(one.rate / other.rate, min(of_rounds), max(of_rounds))


def ratio_by_cpu(one: Rounds, other: Rounds) -> Ratio:
    """Compute how many requests `one` answers with the CPU of one request of `other`.

    The CPU of all processes that work for a server counts. The result is what the ratio of the rates would be if nobody
    waited for anything.
    """
    of_rounds = [
        theirs.whole_cpu / mine.whole_cpu
        for mine, theirs in zip(one.rounds, other.rounds, strict=True)
        if mine.whole_cpu
    ]
    of_medians = other.whole_cpu / one.whole_cpu if one.whole_cpu else 0.0
    return Ratio(of_medians, min(of_rounds, default=0.0), max(of_rounds, default=0.0))


class Again(NamedTuple):
    """A part that was measured again: the value of ONLY, the time, and the commit.

    It has the replaced figures and the new ones, by name.
    """

    only: str
    when: str
    commit: str
    first: dict[str, Any]
    later: dict[str, Any]


class Run:
    """A run of the measurements: its parameters, and all of its figures by name."""

    def __init__(self, rounds: int, seconds: float, scale: float, machine: dict[str, str]) -> None:
        self.rounds, self.seconds, self.scale, self.machine = rounds, seconds, scale, machine
        self.figures: dict[str, Any] = {}
        self.again: list[Again] = []

    @property
    def commits(self) -> list[str]:
        """All commits at which figures of the run were measured."""
        return list(dict.fromkeys([self.machine.get("commit", UNKNOWN), *(each.commit for each in self.again)]))

    def before(self) -> list["Run"]:
        """Return the run as it was before each repeated measurement, the earliest first."""
        found, figures = [], self.figures
        for part in reversed(self.again):
            figures = figures | part.first
            run = Run(self.rounds, self.seconds, self.scale, self.machine)
            run.figures = figures
            found.append(run)
        return found[::-1]

    def note(self, name: Sequence[object], figure: object) -> None:
        """Store a figure under a name, which is given in parts."""
        self.figures["/".join(map(str, name))] = figure

    def rounds_of(self, *name: object) -> dict[str, Rounds]:
        """Return the rounds stored below a name, by the last part of their own names."""
        start = "/".join(map(str, ("rounds", *name, "")))
        return {
            key.removeprefix(start): Rounds([Measured(*each) for each in kept[0]], [Latency(*each) for each in kept[1]])
            for key, kept in self.figures.items()
            if key.startswith(start)
        }

    def was_checked(self, database: str, workers: int, server: str) -> bool:
        """True if the check found nothing wrong with a server's changes."""
        return f"checked/{database}/{workers}/{server}" in self.figures

    def memory_of(self, database: str, workers: int, server: str) -> Memory | None:
        """Return the memory of a server's worker; return None if it was not measured."""
        kept = self.figures.get(f"memory/{database}/{workers}/{server}")
        return None if kept is None else Memory(*kept)

    def memory_after(self, database: str) -> dict[str, tuple[Memory, Memory]]:
        """Return the memory in and after each step, of a worker and of its processes."""
        start = f"memory after/{database}/"
        return {
            key.removeprefix(start): (Memory(*kept[:3]), Memory(*kept[3:]))
            for key, kept in self.figures.items()
            if key.startswith(start)
        }

    def spread_of(self, *name: object) -> Spread | None:
        """Return a figure with its spread; return None if it was not measured."""
        kept = self.figures.get("/".join(map(str, name)))
        return None if kept is None else Spread(*kept)

    def lists_of(self, database: str, name: str) -> dict[str, Spread]:
        """Return the times to open a list, by view; `most` is the 99th percentile."""
        start = f"lists/{database}/{name}/"
        return {key.removeprefix(start): Spread(*kept) for key, kept in self.figures.items() if key.startswith(start)}

    def is_made_like(self, other: "Run") -> bool:
        """True if its figures are comparable with another's: same rounds, duration and data size."""
        return (self.rounds, self.seconds, self.scale) == (other.rounds, other.seconds, other.scale)

    def replace(self, later: "Run", only: str) -> None:
        """Replace this run's figures of one part with a later run's, keeping both."""
        assert self.is_made_like(later), "figures of one table can be compared"
        first = {name: self.figures[name] for name in later.figures if name in self.figures}
        self.again.append(Again(only, later.machine["when"], later.machine["commit"], first, dict(later.figures)))
        self.figures |= later.figures

    def save(self, file: Path) -> None:
        """Write everything to a file."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(vars(self) | {"form": _FORM}, indent=1))


def load_run(file: Path) -> Run:
    """Load the run that `save` wrote.

    Exit if there is none, or if an earlier program, which recorded less, wrote it.
    """
    if not file.exists():
        raise SystemExit(f"No whole run is kept here ({file}): run `make bench` first, without ONLY.")
    kept = json.loads(file.read_text())
    if kept.get("form") != _FORM:
        raise SystemExit(
            f"{file} is of an earlier `make bench`, which noted less of each round: measure all of it again."
        )
    run = Run(kept["rounds"], kept["seconds"], kept["scale"], kept["machine"])
    run.figures = kept["figures"]
    run.again = [Again(*each) for each in kept["again"]]
    return run
