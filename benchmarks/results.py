"""What was measured: kept as plain figures, so that RESULTS.md can be written again without measuring again."""

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
    """One round: requests in a second, milliseconds of CPU a request in the server and in the database, how many cores
    the server was busy on (much less than its workers, and something else has kept the machine), and milliseconds of
    CPU a request in the Redis that counts for several workers; and the cores that others and the host took meanwhile.
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
        """Milliseconds of CPU a request in all that works for it: the server, its database, its Redis."""
        return self.cpu + self.database_cpu + self.redis_cpu

    @property
    def is_disturbed(self) -> bool:
        """Whether others took so much that its rate says little."""
        return Taken(self.others, self.stolen).is_much


class Latency(NamedTuple):
    """Milliseconds of half of the requests and of 99 % of them, at so many requests in a second; and the cores that
    others and the host took meanwhile.
    """

    p50: float
    p99: float
    rate: float
    others: float = 0.0
    stolen: float = 0.0

    @property
    def is_disturbed(self) -> bool:
        """Whether others took so much that its times say little."""
        return Taken(self.others, self.stolen).is_much


class Spread(NamedTuple):
    """A median with the least and the most, and of how many rounds others took much."""

    median: float
    least: float
    most: float
    disturbed: int = 0


def spread(of: Sequence[float], disturbed: int = 0) -> Spread:
    """The median of some figures, the least and the most."""
    return Spread(median(of), min(of), max(of), disturbed)


def spread_of_watched(of: Sequence[Watched[float]]) -> Spread:
    """The same of figures that were watched while they were measured."""
    return spread([each.found for each in of], sum(each.taken.is_much for each in of))


class Rounds(NamedTuple):
    """The rounds of one server with one workload, and those at half of its load."""

    rounds: Sequence[Measured]
    at_half: Sequence[Latency] = ()

    @property
    def rate(self) -> float:
        """Requests in a second; the median."""
        return median(each.rate for each in self.rounds)

    @property
    def least(self) -> float:
        """The slowest round."""
        return min(each.rate for each in self.rounds)

    @property
    def most(self) -> float:
        """The fastest round."""
        return max(each.rate for each in self.rounds)

    @property
    def cpu(self) -> float:
        """The server's CPU a request, in milliseconds; the median."""
        return median(each.cpu for each in self.rounds)

    @property
    def database_cpu(self) -> float:
        """The database's CPU a request, in milliseconds; the median."""
        return median(each.database_cpu for each in self.rounds)

    @property
    def redis_cpu(self) -> float:
        """The CPU of Redis a request, in milliseconds; the median."""
        return median(each.redis_cpu for each in self.rounds)

    @property
    def sent(self) -> float | None:
        """Requests that were really sent in a second at half load; the median."""
        return median(each.rate for each in self.at_half) if self.at_half else None

    @property
    def whole_cpu(self) -> float:
        """Milliseconds of CPU a request in the server, its database and its Redis together; the median."""
        return median(each.whole_cpu for each in self.rounds)

    @property
    def taken(self) -> Taken:
        """The cores that others took, and the host; the medians."""
        return Taken(median(each.others for each in self.rounds), median(each.stolen for each in self.rounds))

    @property
    def disturbed(self) -> int:
        """How many rounds were disturbed to the end."""
        return sum(each.is_disturbed for each in self.rounds)

    @property
    def busy(self) -> float:
        """On how many cores the server was busy; the median."""
        return median(each.busy for each in self.rounds)

    @property
    def p50(self) -> Spread | None:
        """Milliseconds of half of the requests at half load."""
        return self._at_half([each.p50 for each in self.at_half])

    @property
    def p99(self) -> Spread | None:
        """Milliseconds of 99 % of the requests at half load."""
        return self._at_half([each.p99 for each in self.at_half])

    def _at_half(self, figures: Sequence[float]) -> Spread | None:
        return spread(figures, sum(each.is_disturbed for each in self.at_half)) if figures else None


class Ratio(NamedTuple):
    """How often one rate is another: of the medians, and the least and most of single rounds."""

    of_medians: float
    least: float
    most: float


def ratio(one: Rounds, other: Rounds) -> Ratio:
    """How often the first rate is the second; rounds that ran one after the other are compared with each other."""
    of_rounds = [mine.rate / theirs.rate for mine, theirs in zip(one.rounds, other.rounds, strict=True)]
    return Ratio(one.rate / other.rate, min(of_rounds), max(of_rounds))


def ratio_by_cpu(one: Rounds, other: Rounds) -> Ratio:
    """How many requests the first answers with the CPU that one costs the second, all that works for it included:
    what the ratio of rates would be if nobody waited for anything.
    """
    of_rounds = [
        theirs.whole_cpu / mine.whole_cpu
        for mine, theirs in zip(one.rounds, other.rounds, strict=True)
        if mine.whole_cpu
    ]
    of_medians = other.whole_cpu / one.whole_cpu if one.whole_cpu else 0.0
    return Ratio(of_medians, min(of_rounds, default=0.0), max(of_rounds, default=0.0))


class Again(NamedTuple):
    """A part that was measured again: what ONLY named, when, at which commit; and by name the figures that it took the
    place of, and those that it found.
    """

    only: str
    when: str
    commit: str
    first: dict[str, Any]
    later: dict[str, Any]


class Run:
    """A run of the measurements: how it was made, and all of its figures by name."""

    def __init__(self, rounds: int, seconds: float, scale: float, machine: dict[str, str]) -> None:
        self.rounds, self.seconds, self.scale, self.machine = rounds, seconds, scale, machine
        self.figures: dict[str, Any] = {}
        self.again: list[Again] = []

    @property
    def commits(self) -> list[str]:
        """All commits that its figures are of."""
        return list(dict.fromkeys([self.machine.get("commit", UNKNOWN), *(each.commit for each in self.again)]))

    def before(self) -> list["Run"]:
        """As it was before each part that was measured again; the first one first."""
        found, figures = [], self.figures
        for part in reversed(self.again):
            figures = figures | part.first
            run = Run(self.rounds, self.seconds, self.scale, self.machine)
            run.figures = figures
            found.append(run)
        return found[::-1]

    def note(self, name: Sequence[object], figure: object) -> None:
        """Keep a figure under a name, given in its parts."""
        self.figures["/".join(map(str, name))] = figure

    def rounds_of(self, *name: object) -> dict[str, Rounds]:
        """The rounds that were noted below a name, by the last part of theirs."""
        start = "/".join(map(str, ("rounds", *name, "")))
        return {
            key.removeprefix(start): Rounds([Measured(*each) for each in kept[0]], [Latency(*each) for each in kept[1]])
            for key, kept in self.figures.items()
            if key.startswith(start)
        }

    def was_checked(self, database: str, workers: int, server: str) -> bool:
        """Whether it was looked whether what a server had changed is right."""
        return f"checked/{database}/{workers}/{server}" in self.figures

    def memory_of(self, database: str, workers: int, server: str) -> Memory | None:
        """What a server's worker held; None where that was not measured."""
        kept = self.figures.get(f"memory/{database}/{workers}/{server}")
        return None if kept is None else Memory(*kept)

    def memory_after(self, database: str) -> dict[str, tuple[Memory, Memory]]:
        """What a worker held in and after each step, and what the processes below it held."""
        start = f"memory after/{database}/"
        return {
            key.removeprefix(start): (Memory(*kept[:3]), Memory(*kept[3:]))
            for key, kept in self.figures.items()
            if key.startswith(start)
        }

    def spread_of(self, *name: object) -> Spread | None:
        """A figure that was noted with its spread; None where it was not measured."""
        kept = self.figures.get("/".join(map(str, name)))
        return None if kept is None else Spread(*kept)

    def lists_of(self, database: str, name: str) -> dict[str, Spread]:
        """How long a list took to open, by what was opened of it: the most is that of 99 %."""
        start = f"lists/{database}/{name}/"
        return {key.removeprefix(start): Spread(*kept) for key, kept in self.figures.items() if key.startswith(start)}

    def is_made_like(self, other: "Run") -> bool:
        """Whether its figures may stand beside those of another: as many rounds, as long, of as much data."""
        return (self.rounds, self.seconds, self.scale) == (other.rounds, other.seconds, other.scale)

    def replace(self, later: "Run", only: str) -> None:
        """Take the figures of a later run of one part for those that this one has of it, and keep both."""
        assert self.is_made_like(later), "figures of one table can be compared"
        first = {name: self.figures[name] for name in later.figures if name in self.figures}
        self.again.append(Again(only, later.machine["when"], later.machine["commit"], first, dict(later.figures)))
        self.figures |= later.figures

    def save(self, file: Path) -> None:
        """Write everything down."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(vars(self) | {"form": _FORM}, indent=1))


def load_run(file: Path) -> Run:
    """What `save` wrote; ends everything where nothing was kept, or by an earlier program, which noted less."""
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
