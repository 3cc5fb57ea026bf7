"""Load that wrk sends in turns: answers per second, and busy cores by part."""

import resource
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple, Protocol

from benchmarks.load import Outcome, outcome_of, wrk
from benchmarks.others import Look, Taken, least_disturbed, look
from benchmarks.places import LOAD_SCRIPT
from benchmarks.results import Spread, spread
from benchmarks.turns import wait_until_quiet

Busy = Mapping[str, Callable[[], float]]
"""The seconds of CPU that each part has used so far, by the part's name."""
LOAD, OTHERS, STOLEN = "wrk", "others", "host"
"""The load generator, other programs, and time that the host gave to others.

The latter two reduce the measured performance.
"""
CONNECTIONS = 16


class Requests:
    """Requests with the key of an account, one per line, sent in a loop."""

    def __init__(self, file: Path, key: str, lines: Iterable[str]) -> None:
        self._file, self._key, self._place = file, key, 0
        file.write_text("".join(line + "\n" for line in lines))

    def send(self, url: str, seconds: float, connections: int) -> Outcome:
        """Send requests as fast as possible; exit if one is refused or lost."""
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


class Sends(Protocol):
    """A sender of a turn's requests."""

    def send(self, url: str, seconds: float, connections: int) -> Outcome:
        """Send requests as fast as possible."""
        ...


class Round(NamedTuple):
    """Requests per second, their median time in milliseconds, and busy cores by part."""

    rate: float
    p50: float
    busy: dict[str, float]

    @property
    def is_disturbed(self) -> bool:
        """True if others used so much of the machine that the round's rate says little."""
        return Taken(self.busy[OTHERS], self.busy[STOLEN]).is_much


class Turn:
    """Requests to an address, measured round after round."""

    def __init__(
        self,
        name: str,
        url: str,
        requests: Sends,
        busy: Busy,
        connections: int = CONNECTIONS,
        looks: Callable[[], Look] = look,
    ) -> None:
        self.name, self._looks = name, looks
        self.rounds: list[Round] = []
        self._url, self._requests, self._busy, self._connections = url, requests, busy, connections

    def warm_up(self) -> None:
        """Send some requests that do not count."""
        self._requests.send(self._url, 1, self._connections)

    def measure(self, seconds: float) -> None:
        """Measure one round once our own processes are idle; repeat it if disturbed."""
        (outcome, busy), taken = least_disturbed(
            lambda: self._send(seconds), wait=lambda: wait_until_quiet(self._used_by_ours), looks=self._looks
        )
        self.rounds.append(Round(outcome.rate, outcome.p50, busy | {OTHERS: taken.others, STOLEN: taken.stolen}))

    def _send(self, seconds: float) -> tuple[Outcome, dict[str, float]]:
        before = self._used()
        outcome = self._requests.send(self._url, seconds, self._connections)
        return outcome, {part: (now - before[part]) / outcome.seconds for part, now in self._used().items()}

    def _used(self) -> dict[str, float]:
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {part: used() for part, used in self._busy.items()} | {LOAD: ended.ru_utime + ended.ru_stime}

    def _used_by_ours(self) -> float:
        return sum(used() for used in self._busy.values())

    @property
    def rate(self) -> Spread:
        """The requests per second."""
        return spread([each.rate for each in self.rounds])

    @property
    def p50(self) -> float:
        """The median of the rounds' median latencies, in milliseconds."""
        return median(each.p50 for each in self.rounds)

    @property
    def disturbed(self) -> int:
        """The number of rounds that stayed disturbed."""
        return sum(each.is_disturbed for each in self.rounds)

    def cores(self, part: str) -> float:
        """Return the median of the cores that a part kept busy."""
        return median(each.busy[part] for each in self.rounds)

    def cpu(self, *parts: str) -> float:
        """Return the median of the milliseconds of CPU that parts used for a request."""
        return median(sum(each.busy[part] for part in parts) / each.rate * 1000 for each in self.rounds)


def in_turns(turns: Sequence[Turn], rounds: int, seconds: float) -> None:
    """Measure all turns, one after the other in each round.

    This way, whatever happens to the machine affects all of them.
    """
    for turn in turns:
        turn.warm_up()
    for _ in range(rounds):
        for turn in turns:
            turn.measure(seconds)
