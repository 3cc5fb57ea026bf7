"""The cost of a page with little data, and with a million units' data.

It is measured in one process, without nginx in front of it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.processes import cpu_of_all
from benchmarks.progress import disturbed, tell
from benchmarks.scale_furnish import UNITS
from benchmarks.scale_load import Busy, Requests, Turn, in_turns
from benchmarks.scale_loading import Account
from benchmarks.scale_servers import ApiProcess, Databases

API, POSTGRESQL = "API", "PostgreSQL"
TWENTY, HUNDRED, FAR, FARTHER = "twenty", "hundred", "far", "farther"
BEFORE, COPY, BESIDE, LARGE = "before", "copy", "beside", "large"
PAGES = (TWENTY, HUNDRED, FAR)
ROUNDS = 5
_PER_PAGE = 100
_PAGE_OF_LARGE = 500


class Measured(NamedTuple):
    """A page at a place: requests per second, p50, and CPU.

    It has the rate's least and most, the milliseconds of CPU, and the number of disturbed rounds.
    """

    rate: float
    least: float
    most: float
    p50: float
    cpu: float
    disturbed: int = 0

    @property
    def milliseconds(self) -> float:
        """The time that a request takes in a fully busy process."""
        return 1000 / self.rate


class Place(NamedTuple):
    """A process that serves pages, and an account in its database."""

    name: str
    process: ApiProcess
    account: Account


def last_page(account: Account) -> int:
    """Return the number of the last full page of 100 invoices."""
    return max(1, account.properties * UNITS // _PER_PAGE)


def farther_page(account: Account) -> int:
    """Return page 500, or the last one if there are fewer."""
    return min(_PAGE_OF_LARGE, last_page(account))


def described(small: Account, large: Account) -> dict[str, str]:
    """Describe each page."""
    return {
        TWENTY: "the first page of 20",
        HUNDRED: "the first page of 100, with charges",
        FAR: f"page {last_page(small)} of 100, with charges",
        FARTHER: f"page {farther_page(large)} of 100, with charges",
    }


def path_of(page: str, small: Account, large: Account) -> str:
    """Return the address of a page.

    The far page has the number of the small account's last page, whichever account is asked for it.
    """
    number = {FAR: last_page(small), FARTHER: farther_page(large)}.get(page, 1)
    if page == TWENTY:
        return "/api/v1/invoices?limit=20"
    return f"/api/v1/invoices?limit={_PER_PAGE}&details=true&page={number}"


class Pages:
    """A measurement of pages, which stores their cost by page and place."""

    def __init__(self, databases: Databases, folder: Path, small: Account, large: Account, seconds: float) -> None:
        folder.mkdir()
        self._databases, self._folder, self._small, self._large = databases, folder, small, large
        self._seconds = seconds
        self.found: dict[str, dict[str, Measured]] = {}

    def measure(self, places: Sequence[Place]) -> None:
        """Measure each page at all places, in turns."""
        names = described(self._small, self._large)
        for page in PAGES:
            self._measure(page, names[page], places)
        large = [place for place in places if place.name == LARGE]
        if large:
            self._measure(FARTHER, names[FARTHER], large)

    def _measure(self, page: str, said: str, places: Sequence[Place]) -> None:
        path = path_of(page, self._small, self._large)
        turns = [
            Turn(
                place.name,
                place.process.url,
                Requests(self._folder / f"{page}-{place.name}", place.account.key, [f"GET {path}"]),
                self._busy(place.process),
            )
            for place in places
        ]
        in_turns(turns, ROUNDS, self._seconds)
        tell(f"  {said}")
        for turn in turns:
            rate, cpu = turn.rate, turn.cpu(API, POSTGRESQL)
            self.found.setdefault(page, {})[turn.name] = Measured(
                rate.median, rate.least, rate.most, turn.p50, cpu, turn.disturbed
            )
            tell(
                f"    {turn.name:<8}{rate.median:>8,.0f} requests/s ({rate.least:,.0f} to {rate.most:,.0f}), "
                f"{1000 / rate.median:.2f} ms each, {cpu:.2f} ms of CPU{disturbed(turn.disturbed)}"
            )

    def _busy(self, process: ApiProcess) -> Busy:
        return {API: process.cpu, POSTGRESQL: lambda: cpu_of_all(self._databases.processes())}
