"""Jobs that are handed back while their runs go on."""

from collections.abc import Callable
from typing import TypeVar, cast

from prorata.store.database.engine import Database, Tx
from prorata.worker.job_kinds import Done
from tests.landlord import Landlord
from tests.worker.jobs.test_breaks import AFTER_A_BREAK, BREAK, Fading, kind_of, queue, row_of, runs_of

Result = TypeVar("Result")


class Overtaken(Fading):
    """A database that runs `first` just before the next change."""

    first: Callable[[], object] | None = None

    def write(self, work: Callable[[Tx], Result]) -> Result:
        first, self.first = self.first, None
        if first is not None:
            first()
        return self._database.write(work)


def test_what_goes_out_just_before_it_is_handed_back_waits_too(landlord: Landlord, database: Database) -> None:
    job_id, overtaken = queue(landlord), Overtaken(database)
    runs = runs_of(cast("Database", overtaken), kind_of(lambda *_: Done(), after_a_break=BREAK))
    (run,) = runs.claim(1)
    overtaken.first = run.lease.go_out
    runs.hand_back()
    row = row_of(landlord, job_id)
    assert (row.state, row.attempts, row.due_at) == ("waiting", 0, AFTER_A_BREAK)
