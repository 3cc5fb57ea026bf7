"""A rule PATCH that recalculates six open months, for 20 and for 1,000 units."""

from pathlib import Path

from benchmarks import data, floors, kept, progress, workloads
from benchmarks.databases import Copy, Store
from benchmarks.others import least_disturbed
from benchmarks.results import Run, spread
from benchmarks.servers import PRORATA, Server
from benchmarks.turns import Where

SIZES = (20, 1_000)
_METHODS = ("SQFT", "EQUAL")
_TIMES = {20: 20, 1_000: 8}
_TIMES_ALONE = 4


def measure(store: Store, folder: Path, run: Run) -> None:
    """Change the rule for water repeatedly, one request at a time.

    There is one worker on one core.
    """
    where = Where(1)
    store.pin(where.rest)
    built = kept.built(data.rules())
    records = data.records(built)
    copy = store.copy(built, "rules")
    progress.tell(f"\n{store.name}: a rule PATCH that computes six open months again")
    try:
        with Server(PRORATA, copy, folder / copy.name, account=records.account, cores=where.server) as server:
            server.wait_for(workloads.first(records))
            for size, property_id, rule in zip(SIZES, records.properties, records.rules, strict=True):
                _measure(store, server, size, property_id, rule, run)
            before = floors.rows_of(copy)
            server.timed("PATCH", f"{workloads.API}/sharerules/{records.rules[-1]}", {"splitMethod": _METHODS[1]})
            after = floors.rows_of(copy)
        _measure_alone(store, copy, before, after, run)
    finally:
        store.drop(copy)


def _measure(store: Store, server: Server, size: int, property_id: str, rule: str, run: Run) -> None:
    page = f"{workloads.API}/invoices?propertyId={property_id}&limit=1&details=true"
    before = server.ask("GET", page).body
    path = f"{workloads.API}/sharerules/{rule}"

    def changes() -> list[float]:
        """Make all changes in one round, because disturbances of a single change can't be measured."""
        bodies = [{"splitMethod": _METHODS[turn % len(_METHODS)]} for turn in range(1, _TIMES[size] + 1)]
        return [server.timed("PATCH", path, body) for body in bodies]

    server.timed("PATCH", path, {"splitMethod": _METHODS[0]})
    if server.ask("GET", page).body == before:
        raise SystemExit("A changed rule changed no invoice.")
    seconds, taken = least_disturbed(changes)
    found = spread([each * 1000 for each in seconds], _TIMES[size] * taken.is_much)
    run.note(["rule", store.name, size], found)
    progress.tell(
        f"  {size:>5,} units {found.median:>9,.1f} ms ({found.least:,.1f} to {found.most:,.1f}, {_TIMES[size]} times)"
        f"{progress.disturbed(found.disturbed)}"
    )


def _measure_alone(store: Store, copy: Copy, before: floors.Rows, after: floors.Rows, run: Run) -> None:
    """Measure the database alone as it undoes and redoes a change of the large property."""
    seconds = []
    now, wanted = after, before
    for _ in range(_TIMES_ALONE):
        seconds.append(floors.seconds_to_change(copy, now, wanted))
        now, wanted = wanted, now
    found = spread([each * 1000 for each in seconds])
    run.note(["rule", store.name, "database"], found)
    progress.tell(f"  the database alone, the rows of {SIZES[-1]:,} units: {found.median:,.1f} ms")
