"""The growth of a page's cost with the size of the account.

The account has a tenth of its size, its own size, and ten times its size.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import data, kept, progress, workloads
from benchmarks.data import Records
from benchmarks.databases import Store
from benchmarks.load import Requests
from benchmarks.results import Run
from benchmarks.servers import PRORATA, Server
from benchmarks.turns import ServerTurn, Where, in_turns

SCALES = (0.1, 1.0, 10.0)
PAGES = (workloads.PAGE, workloads.DETAILS, workloads.DEEP)
_ROUNDS = 3


def measure(store: Store, folder: Path, run: Run) -> None:
    """Measure the pages at each scale in turns, one worker on one core."""
    where = Where(1)
    store.pin(where.rest)
    with ExitStack() as held:
        servers: list[tuple[str, Server, Records]] = []
        for scale in SCALES:
            built = kept.built(data.account(scale * run.scale))
            records = data.records(built)
            copy = store.whole(built, f"growth-{len(records.properties)}")
            held.callback(store.drop, copy)
            server = held.enter_context(
                Server(PRORATA, copy, folder / copy.name, account=records.account, cores=where.server)
            )
            server.wait_for(workloads.first(records))
            _check_totals(server, records)
            servers.append((f"{scale:g}", server, records))
        for workload in PAGES:
            _measure(workload, servers, store, folder, run)


def _measure(
    workload: str, servers: Sequence[tuple[str, Server, Records]], store: Store, folder: Path, run: Run
) -> None:
    progress.heading(f"{store.name}, 1 worker, as the account grows: {workload}")
    turns = [
        ServerTurn(
            scale,
            server,
            store,
            Requests(folder / f"growth-{store.name}-{workload}-{scale}", workloads.lines(workload, records)),
            Where(1),
            workloads.CONNECTIONS[workload],
        )
        for scale, server, records in servers
    ]
    found = in_turns(turns, min(_ROUNDS, run.rounds), run.seconds, at_half=False)
    for turn, rounds in zip(turns, found, strict=True):
        run.note(["rounds", "growth", store.name, workload, turn.name], rounds)
        progress.rounds(f"{turn.name}×", rounds, f"{turns[0].name}×", found[0])


def _check_totals(server: Server, records: Records) -> None:
    """Check that a list's total is the number of its records, whatever its source."""
    per_property = records.invoices // len(records.properties)
    for condition, number in (("", records.invoices), (f"&propertyId={records.properties[0]}", per_property)):
        answer = server.ask("GET", f"{workloads.API}/invoices?limit=1{condition}")
        total = answer.body["pagination"]["total"]
        if total != number:
            raise SystemExit(f"A list of {number:,} invoices says that it has {total:,}.")
