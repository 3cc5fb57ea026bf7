"""The limit of the database: the floor's prepared statements through pgbench, without an application."""

import os
import re
import sqlite3
import subprocess
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import psycopg

from benchmarks import workloads
from benchmarks.data import Records
from benchmarks.databases import Copy, Store, program
from benchmarks.peers import statements
from benchmarks.processes import Cores, cpu_of_all
from benchmarks.results import Measured
from benchmarks.servers import DATABASE

_CLIENTS, _CLIENTS_THAT_WRITE = 8, 2
"""Most is done so: writers wait for one another, since the counts of an account are one row."""
_SECONDS_TO_END = 0.2
"""PostgreSQL's processes end a little after their clients, and only then is their CPU that of the whole."""
_NOW = "'2026-01-01T00:00:00.000Z'"
_EVENT_ID = "'evt_' || md5(random()::text || clock_timestamp()::text)"
_ASKED = "create table asked (number int primary key, id varchar, invoices varchar[], skipped int, month varchar)"
"""pgbench's variables are numbers: what a request is for is looked up by its number."""
_ID, _INVOICES, _SKIPPED, _MONTH = (
    f"(select {each} from asked where number = :number)" for each in ("id", "invoices", "skipped", "month")
)
_STATUS = "case when :paid = 1 then 'PAID' else 'SENT' end"


class Asked(NamedTuple):
    """The target of one request: an id, or the start and contents of a page.

    `invoices` are the invoices whose charges the page shows, `skipped` is the number of invoices before the page, and
    `month` is the month in which a far page begins; in that case, `skipped` counts only invoices of that month.
    """

    id: str
    invoices: list[str]
    skipped: int = 0
    month: str = ""


class DatabaseTurn:
    """A turn of pgbench with the statements of one workload."""

    name = DATABASE

    def __init__(self, store: Store, copy: Copy, script: Path, cores: Cores, *, writes: bool) -> None:
        self._store, self._copy, self._script, self._cores = store, copy, script, cores
        self._connections = _CLIENTS_THAT_WRITE if writes else _CLIENTS
        self.measured: list[Measured] = []

    def warm_up(self) -> None:
        """Run some statements that do not count."""
        self._run(1)

    def used(self) -> float:
        """Return the seconds of CPU that the database has used so far."""
        return cpu_of_all(self._store.processes())

    def measure(self, seconds: float) -> Measured:
        """Run one round, as fast as the database can."""
        before = self.used()
        rate, done = self._run(seconds)
        time.sleep(_SECONDS_TO_END)
        used = self.used() - before
        return Measured(rate, 0.0, used / done * 1000, used / seconds)

    def _run(self, seconds: float) -> tuple[float, int]:
        command: list[str | Path] = [
            program("pgbench"), "-n", "-M", "prepared", "-c", str(self._connections), "-j", "1",
            "-T", str(max(1, round(seconds))), "-f", self._script, self._copy.url,
        ]  # fmt: skip
        settings = " ".join(f"-c {name}={value}" for name, value in statements.SETTINGS.items())
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, env={"PATH": os.defpath, "PGOPTIONS": settings},
            preexec_fn=lambda: os.sched_setaffinity(0, self._cores),
        )  # fmt: skip
        return done_of(done.stdout, done.stderr)


def done_of(said: str, complaints: str) -> tuple[float, int]:
    """Parse pgbench's transactions per second and their number; exit if a transaction failed."""
    rate = re.search(r"tps = ([\d.]+)", said)
    number = re.search(r"actually processed: (\d+)", said)
    failed = re.search(r"failed transactions: ([1-9]\d*)", said)
    if rate is None or number is None or failed:
        raise SystemExit(f"pgbench failed:\n{said[-2000:]}{complaints[-2000:]}")
    return float(rate[1]), int(number[1])


def prepare(workload: str, lines: Sequence[str], records: Records, built: Path, copy: Copy, script: Path) -> None:
    """Write a workload's script, and the table with its requests."""
    with closing(sqlite3.connect(f"file:{built}?immutable=1", uri=True)) as source:
        asked = [_asked(line, records, source) for line in lines]
        account = f"'{records.account}'::varchar"
        query = parse_qs(urlsplit(lines[0].split(" ")[1]).query)
        answer = _answer(workload, account, query, is_far=bool(asked[0].month))
    with psycopg.connect(copy.url, autocommit=True) as connection:
        connection.execute(_ASKED)
        with connection.cursor().copy("copy asked from stdin") as into:
            for number, each in enumerate(asked, start=1):
                into.write_row((number, *each))
        connection.execute("analyze asked")
    settings = rf"\set number random(1, {len(asked)})", r"\set paid random(0, 1)"
    script.write_text("\n".join([*settings, *(f"{' '.join(each.split())};" for each in answer)]) + "\n")


def _asked(line: str, records: Records, source: sqlite3.Connection) -> Asked:
    address = urlsplit(line.split(" ")[1])
    last = address.path.rpartition("/")[2]
    query = {name: values[0] for name, values in parse_qs(address.query).items()}
    if "limit" not in query:
        return Asked(last, [last] if last.startswith("inv_") else [])
    property_id, limit = query.get("propertyId"), int(query["limit"])
    skipped = limit * (int(query.get("page", "1")) - 1)
    condition = "" if property_id is None else " and property_id = ?"
    rows = source.execute(
        f"select id from invoice where account_id = ?{condition} order by month desc, number_key, id limit ? offset ?",
        (records.account, *(() if property_id is None else (property_id,)), limit, skipped),
    )
    found = Asked(property_id or "", [row[0] for row in rows], skipped)
    if skipped <= statements.FAR:
        return found
    months = source.execute(_with(statements.MONTHS, f"'{records.account}'")).fetchall()
    month, rest = statements.begins_in(months, skipped)
    return found._replace(skipped=rest, month=month)


def _answer(workload: str, account: str, query: dict[str, list[str]], *, is_far: bool) -> list[str]:
    """Return the statements that answer a request.

    The pages of a workload are either all far or all near.
    """
    charges = _with(statements.CHARGES_POSTGRESQL, account, _INVOICES)
    if workload == workloads.PROPERTY:
        return [_with(statements.PROPERTY, account, _ID)]
    if workload == workloads.PATCH:
        return [_with(statements.CHANGE_POSTGRESQL, account, _ID, f"({_STATUS})", _NOW, f"({_EVENT_ID})"), charges]
    limit = int(query["limit"][0])
    if workload == workloads.DETAILS:
        return [_with(statements.page(limit, of_property=True), account, "0", _ID), charges]
    if is_far:
        page = _with(statements.page(limit, until=True), account, _SKIPPED, _MONTH)
        pages = [_with(statements.MONTHS, account), page]
    else:
        pages = [_with(statements.page(limit), account, _SKIPPED)]
    return [*pages, charges] if "details" in query else pages


def _with(statement: str, *values: str) -> str:
    """Write a statement with the values in place of its parameters."""
    return re.sub(r"\$(\d)", lambda found: values[int(found[1]) - 1], statement)
