"""The effect of long writes on reads of one property.

The writes are changes of rules of 1,000 units, or the import of a month.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from benchmarks import data, imports, kept, progress, workloads
from benchmarks.data import Records
from benchmarks.databases import Copy, Store
from benchmarks.load import CONNECTIONS_AT_HALF, Outcome, Requests
from benchmarks.others import Watched, least_disturbed
from benchmarks.places import BIN
from benchmarks.processes import Process
from benchmarks.results import Run, spread
from benchmarks.servers import PRORATA, Server
from benchmarks.turns import Where

ALONE, RULES, IMPORT = "alone", "rule changes", "import"
NAMES = {
    ALONE: "nothing else",
    RULES: "rules of 1,000 units change, one after the other",
    IMPORT: "`prorata bills import` of 15,000 bills",
}
READS_A_SECOND = 400
_ROUNDS = 3


def measure(store: Store, folder: Path, run: Run) -> None:
    """Read at a low rate, first alone, and then during each kind of write.

    The worker is idle most of the time.
    """
    where = Where(1)
    store.pin(where.rest)
    progress.tell(f"\n{store.name}: {READS_A_SECOND} reads of one property in a second, and beside them")
    with _served(store, folder, kept.built(data.rules())) as (_, server, records):
        requests = _requests(folder, records)
        _note(run, store, ALONE, [_read(server, requests, where, run) for _ in range(_ROUNDS)])
        with _changing_rules(server, records):
            _note(run, store, RULES, [_read(server, requests, where, run) for _ in range(_ROUNDS)])
    built = kept.built(data.bare(run.scale))
    with _served(store, folder, built) as (copy, server, records):
        requests = _requests(folder, records)
        with _importing(folder, built, copy, where) as is_going_on:
            _note(run, store, IMPORT, list(_while(is_going_on, lambda: _read(server, requests, where, run))))


@contextmanager
def _served(store: Store, folder: Path, built: Path) -> Iterator[tuple[Copy, Server, Records]]:
    records = data.records(built)
    copy = store.copy(built, "mixed")
    try:
        server = Server(PRORATA, copy, folder / copy.name, account=records.account, cores=Where(1).server)
        with server:
            server.wait_for(workloads.first(records))
            yield copy, server, records
    finally:
        store.drop(copy)


def _requests(folder: Path, records: Records) -> Requests:
    return Requests(folder / "mixed-requests", workloads.lines(workloads.PROPERTY, records))


def _read(server: Server, requests: Requests, where: Where, run: Run) -> Watched[Outcome]:
    """Read for one round, and record disturbances.

    A disturbed round is not measured again, because the writing goes on meanwhile.
    """

    def read() -> Outcome:
        return requests.send(server.url, where.rest, run.seconds, connections=CONNECTIONS_AT_HALF, rate=READS_A_SECOND)

    return least_disturbed(read, tries=1)


def _while(is_going_on: Callable[[], bool], read: Callable[[], Watched[Outcome]]) -> Iterator[Watched[Outcome]]:
    """Read at least one round, and further ones while the writing goes on."""
    found = read()
    yield found
    while is_going_on():
        found = read()
        if is_going_on():
            yield found


@contextmanager
def _changing_rules(server: Server, records: Records) -> Iterator[None]:
    """Keep changing the rule of the large property within the block."""
    over = threading.Event()
    failed: list[BaseException] = []

    def change() -> None:
        number = 0
        try:
            while not over.is_set():
                body = {"splitMethod": ("SQFT", "EQUAL")[number % 2]}
                server.timed("PATCH", f"{workloads.API}/sharerules/{records.rules[1]}", body)
                number += 1
        except (Exception, SystemExit) as error:  # noqa: BLE001 - raised again where the reads are
            failed.append(error)

    changing = threading.Thread(target=change)
    changing.start()
    try:
        yield
    finally:
        over.set()
        changing.join()
    if failed:
        raise failed[0]


@contextmanager
def _importing(folder: Path, built: Path, copy: Copy, where: Where) -> Iterator[Callable[[], bool]]:
    """Import a month of bills with a command beside the running server."""
    with closing(sqlite3.connect(f"file:{built}?immutable=1", uri=True)) as connection:
        names = [row[0] for row in connection.execute("select name from property order by id")]
    file = folder / "mixed.csv"
    imports.write_bills(file, names)
    command: list[str | Path] = [BIN / "prorata", "bills", "import", file, "--account", data.EMAIL]
    environment = imports.environment(copy, folder)
    log = folder / "mixed-import.log"
    with Process(command, log, cores=where.rest, environment=environment, folder=folder) as importing:
        yield lambda: importing.running
        if importing.failed:
            raise SystemExit(f"The import failed:\n{importing.said()}")


def _note(run: Run, store: Store, beside: str, rounds: list[Watched[Outcome]]) -> None:
    found, disturbed = [each.found for each in rounds], sum(each.taken.is_much for each in rounds)
    p50, p99, worst = (
        spread([each.p50 for each in found], disturbed),
        spread([each.p99 for each in found], disturbed),
        spread([each.worst for each in found], disturbed),
    )
    for name, figures in (("p50", p50), ("p99", p99), ("worst", worst)):
        run.note(["mixed", store.name, beside, name], figures)
    progress.tell(
        f"  {NAMES[beside]:<52}{len(found)} rounds: p50 {p50.median:.2f} ms, p99 {p99.median:.2f} ms "
        f"({p99.least:.2f} to {p99.most:.2f}), the longest {worst.most:.1f} ms{progress.disturbed(disturbed)}"
    )
