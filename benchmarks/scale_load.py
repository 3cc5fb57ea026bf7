"""Load with wrk in turns: how many requests are answered in a second, and on how many cores who was busy with it."""

import os
import resource
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.load import Outcome, outcome_of, wrk
from benchmarks.places import LOAD_SCRIPT
from benchmarks.results import Spread, spread

Busy = Mapping[str, Callable[[], float]]
"""The seconds of CPU that each part has used so far, by the part's name."""
LOAD, OTHERS = "wrk", "others"
"""What makes the load; and all that is none of ours, which takes from what could be measured."""
_SYSTEM = Path("/proc/stat")
_TICKS = os.sysconf("SC_CLK_TCK")
CONNECTIONS = 16


class Requests:
    """Requests with the key of an account, a line each, sent round and round."""

    def __init__(self, file: Path, key: str, lines: Iterable[str]) -> None:
        self._file, self._key, self._place = file, key, 0
        file.write_text("".join(line + "\n" for line in lines))

    def send(self, url: str, seconds: float, connections: int) -> Outcome:
        """Send as many as are answered; ends everything when one is refused or lost."""
        done = subprocess.run(
            [
                wrk(), "--threads", "1", "--connections", str(connections), "--duration", f"{max(1, round(seconds))}s",
                "--timeout", "10s", "--header", f"Authorization: Bearer {self._key}", "--script", str(LOAD_SCRIPT),
                url, "--", str(self._file), str(self._place), "0",
            ],
            check=False, capture_output=True, text=True,
        )  # fmt: skip
        outcome = outcome_of(done.stdout, done.stderr, url)
        if not outcome.requests:
            raise SystemExit(f"{url} answered nothing in {seconds:g} s.")
        self._place = outcome.place
        return outcome


class Round(NamedTuple):
    """Requests in a second, milliseconds of half of them, and the cores that each part was busy on."""

    rate: float
    p50: float
    busy: dict[str, float]


class Turn:
    """Requests to an address, measured round after round."""

    def __init__(self, name: str, url: str, requests: Requests, busy: Busy, connections: int = CONNECTIONS) -> None:
        self.name = name
        self.rounds: list[Round] = []
        self._url, self._requests, self._busy, self._connections = url, requests, busy, connections

    def warm_up(self) -> None:
        """Send some that do not count."""
        self._requests.send(self._url, 1, self._connections)

    def measure(self, seconds: float) -> None:
        """One round."""
        before = self._used()
        outcome = self._requests.send(self._url, seconds, self._connections)
        after = self._used()
        busy = {part: (after[part] - before[part]) / outcome.seconds for part in after}
        busy[OTHERS] = max(0.0, 2 * busy[OTHERS] - sum(busy.values()))  # of what all used: without ours
        self.rounds.append(Round(outcome.rate, outcome.p50, busy))

    def _used(self) -> dict[str, float]:
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {part: used() for part, used in self._busy.items()} | {
            LOAD: ended.ru_utime + ended.ru_stime,
            OTHERS: _used_by_all(),
        }

    @property
    def rate(self) -> Spread:
        """Requests in a second."""
        return spread([each.rate for each in self.rounds])

    @property
    def p50(self) -> float:
        """Milliseconds until half of the requests were answered; the median of the rounds."""
        return median(each.p50 for each in self.rounds)

    def cores(self, part: str) -> float:
        """On how many cores a part was busy; the median."""
        return median(each.busy[part] for each in self.rounds)

    def cpu(self, *parts: str) -> float:
        """Milliseconds of CPU that parts used for a request; the median."""
        return median(sum(each.busy[part] for part in parts) / each.rate * 1000 for each in self.rounds)


def _used_by_all() -> float:
    """The seconds of CPU that everything on this machine has used so far, waiting and idling left out."""
    user, nice, system, _idle, _waiting, *more = map(int, _SYSTEM.read_text().split("\n", 1)[0].split()[1:8])
    return (user + nice + system + sum(more)) / _TICKS


def in_turns(turns: Sequence[Turn], rounds: int, seconds: float) -> None:
    """Measure all of them, one after the other in each round: what happens to the machine meets all."""
    for turn in turns:
        turn.warm_up()
    for _ in range(rounds):
        for turn in turns:
            turn.measure(seconds)
