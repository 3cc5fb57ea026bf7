"""Times to open the dashboard's lists for a signed-in person.

The person opens the first page and a far page of each list, sorts the list in other orders, and searches it for a word
and for a letter. Records that the account lacks are put into its copy first (`lists_data`), because empty pages are
quick.
"""

import http.client
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from benchmarks import data, kept, lists_data, progress, workloads
from benchmarks.data import EMAIL, FIRST_MONTH, SECRET, Records, Shape
from benchmarks.databases import Copy, Store
from benchmarks.results import Run, Spread
from benchmarks.servers import PRORATA, Server
from benchmarks.turns import Where
from prorata import wiring
from prorata.actions.accounts import sessions
from prorata.settings import read_settings
from prorata.store.accounts import members
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.sessions import SESSION, new_token

MOST_MILLISECONDS = 50.0
"""The maximum median time to open a list, in milliseconds."""
TIMES = 40
_WARM = 3
_SECONDS_TO_ANSWER = 60
_NEXT = re.compile(r'rel="next" href="([^"]+)"')
FIRST, FAR, NEXT, WORD, LETTER = "first page", "far page", "the next one from there", "a word", "a letter"


class Listed(NamedTuple):
    """A list: its name, its address, its number of rows, and its rows per page.

    `rows` is 0 if its pages have no numbers. `orders` are its orders other than the usual one. If the list can be
    searched, `word` and `letter` are what to search for.
    """

    name: str
    path: str
    rows: int
    a_page: int
    orders: tuple[str, ...] = ()
    word: str = ""
    letter: str = ""

    def address(self, **query: object) -> str:
        """Return the address of a page of the list."""
        more = "&".join(f"{name}={value}" for name, value in query.items())
        return self.path if not more else f"{self.path}{'&' if '?' in self.path else '?'}{more}"


NAMES = (
    *("properties", "units of a property", "tenants", "invoices", "bills", "months"),
    *("months of a property", "invoices of a month", "activity"),
    *("files in the inbox", "files that became bills", "messages"),
    *("background tasks", "background tasks that are done", "payments"),
)


def lists_of(shape: Shape, property_id: str) -> tuple[Listed, ...]:
    """List all lists, in the order of `NAMES`."""
    here, properties = f"/properties/{property_id}", len(shape.properties)
    months = properties * shape.months
    month = f"{here}/months/{FIRST_MONTH:%Y-%m}"
    of_invoices = ("-number", "total", "-tenant", "status")
    found = (
        Listed("properties", "/properties", properties, 25, ("-name", "city", "-added"), "maple", "m"),
        Listed("units of a property", here, shape.properties[0], 25, ("-label", "sqft"), "1a", "1"),
        Listed("tenants", "/tenants", shape.units * 9 // 10, 25, ("unit", "property", "-stay"), "chen", "c"),
        Listed("invoices", "/invoices", shape.invoices, 50, (*of_invoices, "due"), "chen", "c"),
        Listed("bills", "/bills", 4 * months, 25, ("total", "issuer", "-due", "property"), "prairie", "p"),
        Listed("months", "/months?only=all", months, 50, ("month", "property", "-total"), "maple", "m"),
        Listed("months of a property", f"{here}/months", shape.months, 24, ("month", "-billed")),
        Listed("invoices of a month", month, shape.properties[0], 50, of_invoices, "chen", "c"),
        Listed("activity", "/activity", 0, 50, (), "maple", "m"),
        Listed("files in the inbox", "/inbox", 0, 50, ("oldest",), "prairie", "p"),
        Listed("files that became bills", "/inbox?show=billed", 0, 50, ("oldest",), "prairie", "p"),
        Listed("messages", "/inbox/mail", 0, 50, ("oldest",), "prairie", "p"),
        Listed("background tasks", "/jobs", 0, 50, ("newest",), "chen", "c"),
        Listed("background tasks that are done", "/jobs?state=done", 0, 50, ("oldest",), "chen", "c"),
        Listed("payments", "/payments", 0, 50),
    )
    assert tuple(one.name for one in found) == NAMES
    return found


def measure(store: Store, folder: Path, run: Run) -> None:
    """Open every list, one request at a time, from one worker on one core."""
    where = Where(1)
    store.pin(where.rest)
    shape = data.account(run.scale)
    built = kept.built(shape)
    records = data.records(built)
    copy = store.copy(built, "lists")
    progress.tell(f"\n{store.name}: the dashboard's lists, milliseconds until half and 99 % of {TIMES} were there")
    try:
        with Server(PRORATA, copy, folder / copy.name, account=records.account, cores=where.server) as server:
            server.wait_for(workloads.first(records))
            with _Visitor(server.url, _prepared(copy, folder / copy.name, shape, records)) as visitor:
                _open_all(visitor, store, shape, records, run)
    finally:
        store.drop(copy)


def _prepared(copy: Copy, folder: Path, shape: Shape, records: Records) -> str:
    """Fill the other lists of a copy; return a new session token of the owner."""
    settings = read_settings(
        {
            "PRORATA_DATA_DIR": str(folder / "data"),
            "PRORATA_DATABASE_URL": copy.url,
            "PRORATA_SECRET_KEY": SECRET,
        },
        Path("/dev/null"),
    )
    token = new_token()

    paid = [invoice for invoice, status in records.changeable if status == "PAID"]

    def begin(tx: Tx) -> None:
        member = members.find_by_email(tx, EMAIL)
        assert member is not None, "the account has an owner"
        token_hash = wiring.session_hasher(settings)(token)[0]
        sessions.begin(tx, member, token_hash=token_hash, user_agent="bench", address="127.0.0.1")

    with wiring.opened(settings) as database:
        database.write(begin)
        database.write(lambda tx: lists_data.fill(tx, records.account, 4 * len(shape.properties) * shape.months, paid))
    return token


def _open_all(visitor: "_Visitor", store: Store, shape: Shape, records: Records, run: Run) -> None:
    for listed in lists_of(shape, records.properties[0]):
        progress.tell(f"  {listed.name}")
        for view, address in _views(visitor, listed):
            found = visitor.times(address)
            run.note(["lists", store.name, listed.name, view], found)
            progress.tell(f"    {view:<28}{found.median:>8.1f} {found.most:>8.1f}")


def _views(visitor: "_Visitor", listed: Listed) -> Iterator[tuple[str, str]]:
    """Yield the name and the address of each view of a list to measure."""
    yield FIRST, listed.address()
    pages = listed.rows // listed.a_page
    far = listed.address(page=pages - 1) if pages > 1 else listed.address()
    if pages > 1:
        yield FAR, far
    if leads_on := _NEXT.search(visitor.open(far)):
        yield NEXT, unescape(leads_on[1])
    for order in listed.orders:
        yield f"by {order}", listed.address(sort=order)
        if pages > 1 and (leads_on := _NEXT.search(visitor.open(listed.address(sort=order, page=pages // 2)))):
            yield f"by {order}, {FAR}", unescape(leads_on[1])
    if listed.word:
        yield WORD, listed.address(search=listed.word)
        yield LETTER, listed.address(search=listed.letter)


class _Visitor:
    """A signed-in person, on a persistent connection."""

    def __init__(self, url: str, token: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_SECONDS_TO_ANSWER)
        self._headers = {"Cookie": f"{SESSION}={token}", "Accept": "text/html"}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def open(self, address: str) -> str:
        """Open a page; exit if it is refused."""
        self._connection.request("GET", address, headers=self._headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != http.client.OK:
            raise SystemExit(f"{address} was answered with {answer.status}:\n{text[:1_000]}")
        return text

    def times(self, address: str) -> Spread:
        """Measure the milliseconds to open a page: median, least, and 99th percentile."""
        for _ in range(_WARM):
            self.open(address)
        taken = []
        for _ in range(TIMES):
            begun = time.perf_counter()
            self.open(address)
            taken.append((time.perf_counter() - begun) * 1000)
        taken.sort()
        return Spread(taken[TIMES // 2], taken[0], taken[TIMES * 99 // 100])
