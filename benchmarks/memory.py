"""The memory of a worker after everything that fills it.

That means reads, status changes, 60 PDFs, and four rule changes of 1,000 units.
"""

from pathlib import Path

from benchmarks import data, kept, progress, workloads
from benchmarks.data import Records
from benchmarks.databases import Store
from benchmarks.load import Requests
from benchmarks.processes import forget_most_held, memory_below, memory_of, tree
from benchmarks.results import Run
from benchmarks.servers import PRORATA, Server
from benchmarks.turns import Where

PDFS, RULE_CHANGES = 60, 4
STEPS = ("started", "reads", "changes of status", f"{PDFS} PDFs", f"{RULE_CHANGES} rule changes of 1,000 units")
_CONNECTIONS = 16
_SECONDS = 2
_STATUSES = ("PAID", "CANCELLED")
"""None of them sends an e-mail."""


def measure(store: Store, folder: Path, run: Run) -> None:
    """Measure one worker on one core: the peak of each step, and the memory afterwards.

    Measure the same for the processes that the worker has started, if any.
    """
    where = Where(1)
    store.pin(where.rest)
    built = kept.built(data.rules())
    records = data.records(built)
    copy = store.copy(built, "memory")
    progress.tell(f"\n{store.name}: what a worker holds, and beside it the processes that it has started")
    try:
        with Server(PRORATA, copy, folder / copy.name, account=records.account, cores=where.server) as server:
            server.wait_for(workloads.first(records))
            worker = server.busiest(1)[0]
            for place, step in enumerate(STEPS):
                if place:  # its memory until the first answer counts as the start's
                    forget_most_held(tree(worker))
                _do(place, server, records, folder, where)
                own, below = memory_of(worker), memory_below(worker)
                run.note(["memory after", store.name, step], [*own, *below])
                progress.tell(
                    f"  {step:<36}{own.most:>6.0f} MB at most, {own.resident:>4.0f} MB then; {below.most:>6.0f} MB"
                )
    finally:
        store.drop(copy)


def _do(place: int, server: Server, records: Records, folder: Path, where: Where) -> None:
    """Do one of the steps."""
    small, large = records.properties
    if place == 1:
        lines = [
            f"GET {workloads.API}/invoices?propertyId={large}&details=true&limit=100",
            f"GET {workloads.first(records)}",
        ]
        _send(lines, server, folder, where)
    elif place == 2:
        invoices = _invoices(server, small)
        _send([_change(each, status) for status in _STATUSES for each in invoices], server, folder, where)
    elif place == 3:
        for invoice in _invoices(server, large)[:PDFS]:
            server.timed("GET", f"{workloads.API}/invoices/{invoice}/pdf")
    elif place == 4:
        for number in range(RULE_CHANGES):
            body = {"splitMethod": ("SQFT", "EQUAL")[number % 2]}
            server.timed("PATCH", f"{workloads.API}/sharerules/{records.rules[1]}", body)


def _invoices(server: Server, property_id: str) -> list[str]:
    answer = server.ask("GET", f"{workloads.API}/invoices?propertyId={property_id}&limit=100")
    return [each["id"] for each in answer.body["data"]]


def _change(invoice: str, status: str) -> str:
    return f'PATCH {workloads.API}/invoices/{invoice} {{"status": "{status}"}}'


def _send(lines: list[str], server: Server, folder: Path, where: Where) -> None:
    Requests(folder / "memory-requests", lines).send(server.url, where.rest, _SECONDS, connections=_CONNECTIONS)
