"""The load that wrk makes with requests from a file."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.data import KEY
from benchmarks.places import LOAD_SCRIPT
from benchmarks.processes import Cores

CONNECTIONS_AT_HALF = 32
_MOST_SECONDS = 30
"""A server that answers nothing for so long is not measured."""


class Outcome(NamedTuple):
    """The result of one run of wrk, with times in milliseconds.

    `worst` is the longest time, and `place` the position in the requests from which the next run continues.
    """

    requests: int
    seconds: float
    p50: float
    p99: float
    worst: float
    place: int

    @property
    def rate(self) -> float:
        """The requests answered per second."""
        return self.requests / self.seconds


class Requests:
    """The requests of one workload to one server, sent in a loop."""

    def __init__(self, file: Path, lines: Iterable[str]) -> None:
        self.file = file
        self.lines = list(lines)
        file.write_text("".join(line + "\n" for line in self.lines))
        self._place = 0

    def send(
        self,
        url: str,
        cores: Cores,
        seconds: float,
        *,
        connections: int,
        rate: float | None = None,
        may_be_none: bool = False,
    ) -> Outcome:
        """Send requests for some seconds: as fast as possible, or at a rate.

        At a rate, requests come at random intervals. A server that begins all requests at once may answer none for a
        long time, so the server gets twice as much time in each further attempt.
        """
        most_delay = 0 if rate is None else max(1, round(2000 * connections / rate))
        while True:
            outcome = _wrk(url, cores, seconds, connections, [str(self.file), str(self._place), str(most_delay)])
            self._place = outcome.place
            if outcome.requests or may_be_none:
                return outcome
            if seconds > _MOST_SECONDS:
                raise SystemExit(f"{url} answered nothing in {seconds:g} s: something else keeps this machine busy.")
            seconds *= 2


def _wrk(url: str, cores: Cores, seconds: float, connections: int, arguments: Sequence[str]) -> Outcome:
    command = [
        wrk(), "--threads", "1", "--connections", str(connections), "--duration", f"{max(1, round(seconds))}s",
        "--timeout", f"{_MOST_SECONDS}s", "--header", f"Authorization: Bearer {KEY}", "--script", str(LOAD_SCRIPT), url,
        "--", *arguments,
    ]  # fmt: skip
    done = subprocess.run(
        command, check=False, capture_output=True, text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )  # fmt: skip
    return outcome_of(done.stdout, done.stderr, url)


def outcome_of(said: str, complaints: str, url: str) -> Outcome:
    """Parse wrk's result, as load.lua writes it; exit if a request failed or was lost."""
    lines = [line for line in said.splitlines() if line.startswith("{")]
    if not lines:
        raise SystemExit(f"wrk failed:\n{said}{complaints}")
    found = json.loads(lines[-1])
    if found["refused"] or found["broken"]:
        raise SystemExit(
            f"{found['refused']} requests were refused and {found['broken']} lost of {found['requests']} to {url}"
        )
    return Outcome(
        found["requests"], found["microseconds"] / 1e6, found["p50"], found["p99"], found["worst"], found["place"]
    )


def wrk() -> str:
    """Find wrk, the program that makes the load."""
    found = shutil.which("wrk")
    if found is None:
        raise SystemExit("The load is made by wrk, which Debian has: apt-get install wrk")
    return found
