"""What the main operations cost, through the actions: `make bench`, or `.venv/bin/python benchmarks/basics.py [URL]`.

Medians over rounds, in wall-clock and CPU time of this process, on a database of its own: SQLite in a temporary folder,
or the empty PostgreSQL database that is named. The comparison with other programs has its own place and issue.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from prorata.actions import access, accounts, bills, invoices, properties, share_rules
from prorata.domain.bills import NewBill
from prorata.store import units
from prorata.store.audit import Caller
from prorata.store.engine import Database, Tx
from prorata.store.migrations import upgrade
from prorata.store.postgresql import PostgresqlDatabase
from prorata.store.sqlite import SqliteDatabase

UNITS = 1_000
MONTHS = 6
ROUNDS = 5


def main() -> None:
    if len(sys.argv) > 1:
        measure(sys.argv[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(f"sqlite:///{folder}/bench.sqlite3")


def measure(url: str) -> None:
    upgrade(url)
    database: Database
    if url.startswith("sqlite"):
        database = SqliteDatabase(Path(url.removeprefix("sqlite:///")), lambda: datetime.now(UTC))
    else:
        database = PostgresqlDatabase(url, lambda: datetime.now(UTC))
    print(f"{database.dialect}: one property of {UNITS:,} units with {MONTHS} open months of 3 lines")
    caller, property_id = build(database)
    invoice_id = database.read(lambda tx: invoices.page(tx, caller, {}, limit=1, offset=0, details=False))[0][
        0
    ].summary.id
    methods = ("SQFT", "EQUAL")

    def rule(turn: int) -> None:
        terms = share_rules.Terms(methods[turn % 2], None, True, None, Decimal(0), Decimal(0))
        database.write(lambda tx: share_rules.create(tx, caller, property_id, "WATER", terms))

    def month(turn: int) -> None:
        bill = NewBill(property_id, "Gas Co", ("GAS",), 100_000 + turn, date(2026, 1, 14))
        database.write(lambda tx: bills.add(tx, caller, [bill]))

    def read(_turn: int) -> None:
        for _ in range(100):
            database.read(lambda tx: access.property_(tx, caller, property_id))

    def page(_turn: int) -> None:
        database.read(lambda tx: invoices.page(tx, caller, {}, limit=100, offset=0, details=True))

    def status(turn: int) -> None:
        database.write(lambda tx: invoices.set_status(tx, caller, invoice_id, ("CANCELLED", "DRAFT")[turn % 2]))

    report("100 reads of a property", read)
    report("a page of 100 invoices with charges", page)
    report(f"a bill that recalculates one month of {UNITS:,} units", month)
    report(f"a rule that recalculates {MONTHS} months of {UNITS:,} units", rule)
    report(f"a status that computes a month of {UNITS:,} units again", status)
    database.close()


def build(database: Database) -> tuple[Caller, str]:
    account = database.write(
        lambda tx: accounts.open_account(
            tx, name="Bench", email="bench@example.com", password_hash="-", timezone="UTC", locale="en", currency="USD"
        )
    )
    caller = Caller(account.id, "bench")
    new = properties.NewProperty("Bench", "1", "Main Street", "Springfield", "IL", "62701", "US")
    property_id = database.write(lambda tx: properties.create(tx, caller, new)).id
    database.write(lambda tx: add_units(tx, caller, property_id))
    for number in range(1, MONTHS + 1):
        bill = NewBill(property_id, "City", ("WATER", "SEWER", "OTHER"), 1_000_000, date(2026, number, 14))
        database.write(lambda tx, bill=bill: bills.add(tx, caller, [bill]))
    return caller, property_id


def add_units(tx: Tx, caller: Caller, property_id: str) -> None:
    for number in range(UNITS):
        sqft = str(500 + number % 700)
        units.add(
            tx,
            units.UnitRow(
                caller.account_id, tx.new_id("unit"), property_id, str(number), str(number), f"U{number}",
                sqft, None, None, None, None, tx.now, tx.now,
            ),
        )  # fmt: skip


def report(what: str, work: Callable[[int], None]) -> None:
    work(0)
    walls, cpus = [], []
    for turn in range(1, ROUNDS + 1):
        wall, cpu = time.perf_counter(), time.process_time()
        work(turn)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    print(
        f"  {what:<55} {statistics.median(walls) * 1000:9.1f} ms wall"
        f" ({min(walls) * 1000:.1f} to {max(walls) * 1000:.1f}) {statistics.median(cpus) * 1000:9.1f} ms CPU"
    )


if __name__ == "__main__":
    main()
