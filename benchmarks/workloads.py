"""The requests to the servers, and a check that their answers are the same."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks.data import Records
from benchmarks.servers import Server

PROPERTY, PAGE, DETAILS, DEEP, PATCH = "property", "page", "details", "deep", "patch"
READS = (PROPERTY, PAGE, DETAILS, DEEP)
WORKLOADS = (*READS, PATCH)
NAMES = {
    PROPERTY: "one property",
    PAGE: "a page of 20 invoices, with total",
    DETAILS: "a page of 100 with charges, of a property",
    DEEP: "page 500 of 100 with charges",
    PATCH: "an invoice set from SENT to PAID or back",
}
CONNECTIONS = {PROPERTY: 16, PAGE: 16, DETAILS: 8, DEEP: 4, PATCH: 16}
"""Connections that a server is kept busy with; each sends its next request when it has its answer."""
_SEED = 20260301
_MOST = 2_000
_DEEP_PAGE = 500
_PAGES = 10
"""So many pages are asked for in turn, from the first or from page 500 on: one alone would be measured hottest."""
_MOMENTS = frozenset({"updatedAt", "paidAt"})
_SAMPLES = 5
API = "/api/v1"


def first(records: Records) -> str:
    """Return the path of a request that every server answers."""
    return f"{API}/properties/{records.properties[0]}"


def deep_pages(invoices: int) -> range:
    """Return ten pages from page 500 on, or the last full ones."""
    full = max(1, invoices // 100)
    first = max(1, min(_DEEP_PAGE, full - _PAGES + 1))
    return range(first, min(first + _PAGES, full + 1))


def lines(workload: str, records: Records) -> list[str]:
    """List the requests of a workload, one per line, always in the same order."""
    chance = random.Random(_SEED)
    properties = chance.sample(records.properties, min(_MOST, len(records.properties)))
    if workload == PROPERTY:
        return [f"GET {API}/properties/{each}" for each in properties]
    if workload == PAGE:
        return [f"GET {API}/invoices?limit=20&page={page}" for page in range(1, _PAGES + 1)]
    if workload == DETAILS:
        return [f"GET {API}/invoices?propertyId={each}&details=true&limit=100" for each in properties]
    if workload == DEEP:
        return [f"GET {API}/invoices?limit=100&details=true&page={page}" for page in deep_pages(records.invoices)]
    assert workload == PATCH
    chosen = chance.sample(records.changeable, min(_MOST, len(records.changeable)))
    return [*_changes(chosen, {"SENT": "PAID", "PAID": "SENT"}), *_changes(chosen, {"SENT": "SENT", "PAID": "PAID"})]


def _changes(chosen: Sequence[tuple[str, str]], becomes: dict[str, str]) -> Iterator[str]:
    return (f'PATCH {API}/invoices/{each} {{"status": "{becomes[status]}"}}' for each, status in chosen)


class Difference(NamedTuple):
    """A difference between two answers, and its path."""

    path: str
    ours: Any
    theirs: Any


def difference(ours: Any, theirs: Any, path: str = "", but: frozenset[str] = frozenset()) -> Difference | None:
    """Find the first difference between two documents, ignoring some fields; None if equal."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            return Difference(path, sorted(ours), sorted(theirs))
        pairs = [(f"{path}.{name}", ours[name], theirs[name]) for name in ours if name not in but]
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = [(f"{path}[{place}]", one, other) for place, (one, other) in enumerate(zip(ours, theirs, strict=True))]
    else:
        return None if ours == theirs and type(ours) is type(theirs) else _unless_numbers(path, ours, theirs)
    return next((found for each in pairs if (found := difference(each[1], each[2], each[0], but))), None)


def _unless_numbers(path: str, ours: Any, theirs: Any) -> Difference | None:
    """Compare JSON numbers: 850 equals 850.0, and true equals neither."""
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (ours, theirs))
    return None if numbers and ours == theirs else Difference(path, ours, theirs)


def check_equal(workload: str, asked: Sequence[str], servers: Sequence[Server]) -> None:
    """Exit with the differences unless all servers give equal answers to some requests."""
    but = _MOMENTS if workload == PATCH else frozenset[str]()
    # A change, and its reversal.
    some = [asked[0], asked[len(asked) // 2]] if workload == PATCH else asked[:_SAMPLES]
    for line in some:
        method, path, *rest = line.split(" ", 2)
        body = {"status": "PAID" if "PAID" in rest[0] else "SENT"} if rest else None
        answers = [server.ask(method, path, body) for server in servers]
        for server, answer in zip(servers, answers, strict=True):
            if answer.status != 200:
                raise SystemExit(f"{server.name} answers {answer.status} to {line}: {answer.body}\n{server.said()}")
            found = difference(answers[0].body, answer.body, but=but)
            if found:
                raise SystemExit(f"{servers[0].name} and {server.name} differ on {line}:\n{found}")
