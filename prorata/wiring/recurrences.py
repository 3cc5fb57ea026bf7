"""The list of all recurring work of Prorata, with times and frequencies.

`prorata jobs schedule` prints the list; docs/operating.md (Recurring work) shows the output.
"""

from prorata import wiring
from prorata.actions.overview.schedule import RECURRING
from prorata.adapters.listening import WATCHING_CONNECTIONS
from prorata.domain.jobs.recurrences import ACCOUNTS, Recurrence
from prorata.settings import Settings
from prorata.store.database.schema_lock import KEEPING_UPGRADES_OUT
from prorata.web.http.malloc_trim import GIVING_MEMORY_BACK
from prorata.worker.mailbox import POLLING
from prorata.worker.rounds import recurrences as of_worker


def recurrences(settings: Settings) -> tuple[Recurrence, ...]:
    """List all recurring work of accounts and processes; a test checks this description.

    For each account:
        overdue                each day at midnight in the account's time zone
        tidy                   once a day at least, and every hour at most
        remind                 each day at 9:00 in the account's time zone, if reminders are turned on
        announce               each day at 9:00 in the account's time zone, if tenants are notified of rule changes
        months                 each day at 9:00 in the account's time zone, if automatic sending is turned on
        forget                 each day at 9:00 in the account's time zone
    In the background process:
        start recurring work   every second
        count events           every second
        queue webhooks         every second
        take back jobs         every second
        drop old files         every hour
        extend the audit chain every 10 seconds
        take jobs              every second, and when another is done
        extend leases          every 15 seconds
        poll the mailbox       every minute, where PRORATA_IMAP_URL is set
        give memory back       every 5 seconds
    In each web process:
        watch connections      every second
    In each server:
        keep upgrades out      every 5 seconds, on PostgreSQL
    """
    return (
        *(Recurrence(recurring.name, recurring.says, recurring.when, ACCOUNTS) for recurring in RECURRING),
        *of_worker(wiring.job_kinds(settings)),
        POLLING,
        GIVING_MEMORY_BACK,
        WATCHING_CONNECTIONS,
        KEEPING_UPGRADES_OUT,
    )
