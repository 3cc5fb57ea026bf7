"""`make scale`: a million units' month behind nginx, two processes, Redis and PostgreSQL.

It writes SCALE.md. The run, its order and its goals are printed as it goes; docs/operating.md says what to conclude.
"""

import argparse
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks import machine, published, scale_limits, scale_pages, scale_report, scale_throughput
from benchmarks.databases import program, work_folder
from benchmarks.load import wrk
from benchmarks.places import BIN, KEPT, ROOT
from benchmarks.processes import Process
from benchmarks.progress import tell
from benchmarks.scale_commands import run
from benchmarks.scale_furnish import UNITS
from benchmarks.scale_loading import AT_ONCE, Account, Loader
from benchmarks.scale_pages import Pages, Place
from benchmarks.scale_servers import (
    NEVER_REFUSED,
    ApiProcess,
    Databases,
    Group,
    needed,
    nginx,
    postgresql,
    redis_server,
    settings,
    web_port,
)
from benchmarks.scale_throughput import SHARE, Front
from benchmarks.shares import at_most
from prorata import wiring
from prorata.actions.overview.consistency_checks import check_account
from prorata.settings import read_settings

WHOLE = 1_000_000
ACCOUNTS = 10
_SMALL = 25
"""So many times as many properties as the account measured before the loading has each of the loaded ones."""
_NAME, _COPY = "prorata", "before"
_FEWEST_OF_SMALL = 10


class Size(NamedTuple):
    """The amount to load: the properties of each account, and those of the small account.

    The small account is made first.
    """

    properties: int
    small: int

    @property
    def units(self) -> int:
        """The units of the loaded accounts."""
        return self.properties * UNITS * ACCOUNTS


class Story:
    """One run, with its results so far."""

    def __init__(
        self, folder: Path, databases: Databases, redis: tuple[str, Process], size: Size, seconds: float
    ) -> None:
        self._folder, self._databases, self._redis, self._size = folder, databases, redis, size
        self._seconds = seconds
        self._url = databases.empty(_NAME)
        self._environment = settings(self._url, folder)
        self._ports: list[int] = []
        self.version = databases.version
        self.figures = scale_report.Figures(units=size.units, small_units=size.small * UNITS, seconds=seconds)

    def tell(self) -> None:
        """Run all steps, in order."""
        tell(f"\nA small account: {self._size.small * UNITS:,} units and a month of bills")
        run([BIN / "prorata", "db", "upgrade"], self._environment, self._folder / "upgrade.log")
        loader = Loader(self._databases, _NAME, self._environment, self._folder / "loading")
        small = loader.open_account("small", self._size.small)
        loader.furnish([small])
        loader.import_month([small])
        self._databases.tidy(_NAME)
        self._databases.copy_as(_NAME, _COPY)
        accounts = [loader.open_account(f"large{number}", self._size.properties) for number in range(1, ACCOUNTS + 1)]
        pages = Pages(self._databases, self._folder / "pages", small, accounts[0], self._seconds)
        tell("\nPages before loading")
        with self._api("alone", self._url) as process:
            pages.measure([Place(scale_pages.BEFORE, process, small)])
        self._load(loader, accounts)
        self._measure(pages, small, accounts[0])
        self.figures.pages = pages.found
        self.figures.page_names = scale_pages.described(small, accounts[0])
        self._limit(loader.new_key(accounts[1].email))
        self._check(accounts[0])

    def _load(self, loader: Loader, accounts: Sequence[Account]) -> None:
        tell(f"\n{self._size.units:,} units for {ACCOUNTS} accounts, in bulk through the program's own actions …")
        furnished = self.figures.furnished = loader.furnish(accounts)
        tell(f"  {furnished.seconds:.0f} s; the database has {furnished.megabytes:,.0f} MB")
        tell(f"\nA month of bills, a file for each account, {AT_ONCE} at a time: prorata bills import")
        imported = self.figures.imported = loader.import_month(accounts)
        tell(
            f"  {imported.seconds:.0f} s for {imported.bills:,} bills, {imported.invoices:,} invoices and "
            f"{imported.charges:,} charges; the database has {imported.megabytes:,.0f} MB"
        )
        begun = time.perf_counter()
        self._databases.tidy(_NAME)
        tell(f"  VACUUM ANALYZE and a checkpoint: {time.perf_counter() - begun:.0f} s")

    def _measure(self, pages: Pages, small: Account, large: Account) -> None:
        """Measure the pages again, and the growth of throughput."""
        with ExitStack() as held:
            copy = held.enter_context(self._api("copy", self._databases.address(_COPY)))
            one, two = (held.enter_context(self._api(name, self._url)) for name in ("one", "two"))
            tell("\nPages after loading: a copy of the database from before, the same account, and one of the large")
            pages.measure(
                [
                    Place(scale_pages.COPY, copy, small),
                    Place(scale_pages.BESIDE, one, small),
                    Place(scale_pages.LARGE, one, large),
                ]
            )
            tell("\nThrough nginx to one process, and to both")
            shares = [held.enter_context(at_most(SHARE, each.pids())) for each in (one, two)]
            self.figures.share = SHARE if all(shares) else None
            groups = [Group([one.address], self._port()), Group([one.address, two.address], self._port())]
            proxy = held.enter_context(nginx(self._folder / "nginx", groups))
            front = Front(self._databases, self._redis[1], proxy, groups, [one, two])
            self.figures.throughput = scale_throughput.measure(
                front, self._databases, _NAME, large, self._folder / "throughput", self._seconds
            )

    def _limit(self, key: str) -> None:
        """Measure limits as deployed, with nginx in front of both processes."""
        tell(f"\nLimits: {scale_limits.QUOTA} requests a minute, through nginx, against both processes at once")
        with ExitStack() as held:
            processes = [
                held.enter_context(self._api(f"limited-{name}", self._url, quota=scale_limits.QUOTA))
                for name in ("one", "two")
            ]
            group = Group([each.address for each in processes], self._port())
            held.enter_context(nginx(self._folder / "nginx-limited", [group]))
            found = self.figures.limited = scale_limits.measure(group, processes, key)
        tell(f"  {found.sent:,} requests in {found.seconds:.1f} s were answered {_said(found.answers)}")
        tell(f"  of those with 200, the processes answered {' and '.join(map(str, found.admitted_by))}")
        for answers in found.invalid_answers:
            tell(f"  an address with an invalid key was answered {_said(answers)}")

    def _check(self, account: Account) -> None:
        tell(f"\nEvery invariant of {account.email}, as `prorata check` looks at them")
        begun = time.perf_counter()
        database = wiring.open_database(read_settings(self._environment, self._folder / "none"))
        try:
            self.figures.wrong = list(check_account(database, account.id))
        finally:
            database.close()
        self.figures.check_seconds = time.perf_counter() - begun
        for sentence in self.figures.wrong[:10]:
            tell(f"  {sentence}")
        tell(f"  {len(self.figures.wrong):,} records are wrong; {self.figures.check_seconds:.0f} s")

    def _port(self) -> int:
        self._ports.append(web_port(self._ports))
        return self._ports[-1]

    def _api(self, name: str, url: str, quota: int = NEVER_REFUSED) -> ApiProcess:
        port = self._port()
        environment = settings(
            url,
            self._folder / name,
            redis_url=self._redis[0],
            trusted_proxies="127.0.0.1",
            rate_limit_per_minute=quota,
            rate_limit_per_hour=max(quota, quota * 10),
        )
        return ApiProcess(self._folder / name, environment, port)


def _said(answers: dict[int, int]) -> str:
    return ", ".join(f"{number:,} with {status}" for status, number in sorted(answers.items()))


def main() -> None:
    """Run all steps, and write the results."""
    parser = argparse.ArgumentParser(prog="make scale", description=__doc__)
    parser.add_argument("--size", type=int, default=WHOLE, help="units of all accounts together")
    parser.add_argument("--seconds", type=float, default=2.0, help="of a round of requests")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for name, package in (("nginx", "nginx"), ("redis-server", "redis-server")):
        needed(name, package)
    wrk()
    _needs_postgresql()
    properties = max(_FEWEST_OF_SMALL, asked.size // ACCOUNTS // UNITS)
    size = Size(properties, max(_FEWEST_OF_SMALL, properties // _SMALL))
    described = machine.described() | {"pinned": "nothing: whatever runs shares all processors"}
    described["load average before"] = _load_average()
    file = ROOT / "benchmarks" / "SCALE.md" if size.units >= WHOLE else KEPT / "SCALE.md"
    published.warn(file, described["commit"])
    begun = time.monotonic()
    with _opened(size, asked.seconds) as story:
        story.tell()
        described["database"] = story.version
    figures = story.figures
    figures.minutes = (time.monotonic() - begun) / 60
    described["load average after"] = _load_average()
    described["commit"] = machine.commit_since(described["commit"])
    figures.machine = described
    tell(f"\n{figures.minutes:.1f} minutes.")
    published.write(scale_report.text(figures), file, [described["commit"]])


def _load_average() -> str:
    """Return the load average: the load of others before the run, and ours afterwards."""
    return ", ".join(f"{each:.1f}" for each in os.getloadavg())


def _needs_postgresql() -> None:
    try:
        program("initdb")
    except SystemExit:
        raise SystemExit("`make scale` needs PostgreSQL, which Debian has: apt-get install postgresql") from None


@contextmanager
def _opened(size: Size, seconds: float) -> Iterator[Story]:
    with (
        work_folder() as folder,
        postgresql(folder / "postgresql") as databases,
        redis_server(folder / "redis") as redis,
    ):
        yield Story(folder, databases, redis, size, seconds)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Interrupted.")
