"""The load: wrk, with requests from a file."""

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


class Outcome(NamedTuple):
    """What one run of wrk found; times in milliseconds. `place` is where the next run goes on in the requests."""

    requests: int
    seconds: float
    p50: float
    p99: float
    place: int

    @property
    def rate(self) -> float:
        """Requests answered in a second."""
        return self.requests / self.seconds


class Requests:
    """The requests of one workload to one server, sent round and round."""

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
        """Send requests for some seconds: as many as are answered, or so many in a second, at random distances."""
        most_delay = 0 if rate is None else max(1, round(2000 * connections / rate))
        outcome = _wrk(url, cores, seconds, connections, [str(self.file), str(self._place), str(most_delay)])
        self._place = outcome.place
        if not (outcome.requests or may_be_none):
            raise SystemExit(f"{url} answered nothing in {seconds:g} s: something else keeps this machine busy.")
        return outcome


def _wrk(url: str, cores: Cores, seconds: float, connections: int, arguments: Sequence[str]) -> Outcome:
    command = [
        wrk(), "--threads", "1", "--connections", str(connections), "--duration", f"{max(1, round(seconds))}s",
        "--timeout", "10s", "--header", f"Authorization: Bearer {KEY}", "--script", str(LOAD_SCRIPT), url, "--",
        *arguments,
    ]  # fmt: skip
    done = subprocess.run(
        command, check=False, capture_output=True, text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        raise SystemExit(f"wrk failed:\n{done.stdout}{done.stderr}")
    said = json.loads(lines[-1])
    if said["refused"] or said["broken"]:
        raise SystemExit(
            f"{said['refused']} requests were refused and {said['broken']} lost of {said['requests']} to {url}"
        )
    return Outcome(said["requests"], said["microseconds"] / 1e6, said["p50"], said["p99"], said["place"])


def wrk() -> str:
    """The program that makes the load."""
    found = shutil.which("wrk")
    if found is None:
        raise SystemExit("`make bench` needs wrk, which Debian has: apt-get install wrk")
    return found
