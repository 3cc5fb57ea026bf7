"""Everything that Prorata does again and again by itself: the one list."""

from prorata import wiring
from prorata.actions.overview.schedule import RECURRING
from prorata.adapters.listening import WATCHING
from prorata.domain.jobs.recurrences import ACCOUNTS, Recurrence
from prorata.settings import Settings
from prorata.store.database.schema_lock import KEEPING_UPGRADES_OUT
from prorata.web.http.malloc_trim import GIVING_BACK
from prorata.worker.mailbox import POLLING
from prorata.worker.rounds import recurrences as of_worker


def recurrences(settings: Settings) -> tuple[Recurrence, ...]:
    """Each recurrence, for accounts and in every process, as it is declared beside what does it."""
    return (
        *(Recurrence(one.name, one.says, one.when, ACCOUNTS) for one in RECURRING),
        *of_worker(wiring.job_kinds(settings)),
        POLLING,
        GIVING_BACK,
        WATCHING,
        KEEPING_UPGRADES_OUT,
    )
