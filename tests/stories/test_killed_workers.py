"""Every job ends, though workers are killed in the middle of their jobs.

No job is lost, and effects that must happen once happen once.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from prorata.actions.jobs import jobs
from prorata.store.database.engine import Tx
from prorata.store.jobs import jobs as stored
from tests.landlord import Landlord, MovableClock, opened
from tests.stories.killable import CALL, CHARGE
from tests.stories.victims import Victim

WORKERS = 2
JOBS_A_KILL = 12
SECONDS_TO_END = 120


def test_jobs_end_and_their_effects_are_single_though_workers_are_killed(migrated_url: str, tmp_path: Path) -> None:
    kill_workers(migrated_url, tmp_path, kills=12)


@pytest.mark.soak
def test_jobs_end_and_their_effects_are_single_after_two_hundred_kills(migrated_url: str, tmp_path: Path) -> None:
    kill_workers(migrated_url, tmp_path, kills=200)


def kill_workers(url: str, folder: Path, kills: int) -> None:
    """Queue jobs, kill and replace workers at random moments, and check the jobs."""
    outside, clock = folder / "outside", MovableClock(datetime.now(UTC))
    outside.touch()
    with opened(url, clock) as database, ExitStack() as ended:
        landlord = Landlord(database, clock)
        drafts = list(invoices_of(landlord))
        queued: dict[str, list[str]] = {CHARGE: [], CALL: []}
        victims = [victim(url, outside) for _ in range(WORKERS)]
        ended.callback(lambda: [each.kill() for each in victims])
        began = time.monotonic()
        for turn in range(kills):
            landlord.run(lambda tx: queue(tx, landlord, drafts, queued))
            if turn % 5:
                victims[turn % WORKERS].wait_until_it_says(b"worker started")
            time.sleep(random.uniform(0.0, 0.5))
            victims[turn % WORKERS].kill()
            victims[turn % WORKERS] = victim(url, outside)
        rows = wait_until_all_have_ended(landlord, [job for ids in queued.values() for job in ids])
        seconds = time.monotonic() - began
        clock.moment = datetime.now(UTC)
        calls = outside.read_text().split()
        assert Counter(row.state for row in rows) == {"done": len(rows)}
        charged = Counter(
            charge.description for one in landlord.invoices(landlord.house).values() for charge in one.charges or ()
        )
        assert {charged[job] for job in queued[CHARGE]} == {1}, "each charge is there once"
        assert set(calls) == set(queued[CALL]), "every call was made, once at least"
        begun = sum(row.attempts for row in rows)
        assert begun > len(rows), "no kill has met a job that was being done"
        landlord.sound()
    print(  # noqa: T201 - the figures of docs/reliability.md
        f"{kills} kills in {seconds:.0f} s: {len(rows)} jobs, {begun - len(rows)} of their runs ended by a kill; "
        f"{len(queued[CHARGE])} charges, each once; {len(set(calls))} calls, {len(calls) - len(set(calls))} of them again"
    )


def victim(url: str, outside: Path) -> Victim:
    """A worker process."""
    return Victim("tests.stories.killable", url, str(outside), folder=outside.parent)


def invoices_of(landlord: Landlord) -> Iterator[str]:
    """The ids of drafts to which the jobs add charges."""
    landlord.house = landlord.property_()
    landlord.units(landlord.house, "1", "2", "3", "4")
    landlord.bill(landlord.house, 100_00)
    for one in landlord.invoices(landlord.house).values():
        yield one.summary.id


def queue(tx: Tx, landlord: Landlord, drafts: list[str], queued: dict[str, list[str]]) -> None:
    for number in range(JOBS_A_KILL):
        kind = (CHARGE, CALL)[number % 2]
        added = jobs.enqueue(tx, landlord.account.id, kind, {"invoice": drafts[number % len(drafts)]})
        assert added is not None
        queued[kind].append(added)


def wait_until_all_have_ended(landlord: Landlord, job_ids: list[str]) -> list[stored.JobRow]:
    deadline = time.monotonic() + SECONDS_TO_END
    rows: list[stored.JobRow] = []
    for job_id in job_ids:
        while (row := landlord.read(stored.find, job_id)) is not None and row.ended_at is None:
            assert time.monotonic() < deadline, f"a job has not ended: {row}"
            time.sleep(0.05)
        assert row is not None, f"{job_id} is lost"
        rows.append(row)
    return rows
