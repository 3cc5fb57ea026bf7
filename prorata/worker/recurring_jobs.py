"""Kinds of jobs for accounts' recurring work, queued by `actions/overview/schedule.py`."""

from collections.abc import Callable
from functools import partial

from prorata.actions.accounts.accounts import wants_reminders
from prorata.actions.delivery import reminders, rule_announcements
from prorata.actions.delivery.reminders import Place
from prorata.actions.invoices.invoices import BECOMING_OVERDUE, mark_overdue
from prorata.actions.overview import schedule
from prorata.actions.privacy import periods
from prorata.domain.texts import say
from prorata.ports import Archive, Forms
from prorata.ports.files import NamedFiles
from prorata.store.accounts import accounts
from prorata.store.database.engine import Database
from prorata.worker.job_kinds import Done, Job, Kind, Later, Lease, Outcome


def _mark_overdue(job: Job, database: Database, lease: Lease) -> Outcome:
    """Mark the account's past-due invoices as OVERDUE, a few in each transaction.

    Running this again has no further effect.
    """
    account = database.read(lambda tx: accounts.find(tx, job.account_id))
    if account is None:
        return Done()
    while database.write(partial(mark_overdue, account=account)):
        if lease.is_stopping:
            return Later(say("The worker was told to stop; the others will follow."), counts=False)
    return Done()


def _remind(job: Job, database: Database, lease: Lease) -> Outcome:
    """Queue the reminders that are due today, a few in each transaction.

    Running this again does not queue a reminder twice.
    """
    account = database.read(lambda tx: accounts.find(tx, job.account_id))
    if account is None or not wants_reminders(account):
        return Done()
    place: Place | None = reminders.BEGIN
    while place is not None:
        place = database.write(partial(reminders.remind_some, account=account, place=place))
        if place is not None and lease.is_stopping:
            return Later(say("The worker was told to stop; the others will follow."), counts=False)
    return Done()


def _tidy(job: Job, _database: Database, _lease: Lease) -> Outcome:
    return Done(lambda tx: schedule.tidy(tx, job.account_id))


def announce_kind(forms: Callable[[str], Forms]) -> Kind:
    """Build the kind of job that announces rule changes.

    `forms` returns the number and date formats of a locale.
    """

    def announce(job: Job, database: Database, lease: Lease) -> Outcome:
        account = database.read(lambda tx: accounts.find(tx, job.account_id))
        if account is None or not rule_announcements.wants(account):
            return Done()
        for property_id in database.read(partial(rule_announcements.changing, account=account)):
            if lease.is_stopping:
                return Later(say("The worker was told to stop; the others will follow."), counts=False)
            told = partial(rule_announcements.announce_due, account=account, property_id=property_id, forms=forms)
            database.write(told)
        return Done()

    return Kind(rule_announcements.ANNOUNCING.name, rule_announcements.ANNOUNCING.says, announce)


CLOCKWORK = (
    Kind(BECOMING_OVERDUE.name, BECOMING_OVERDUE.says, _mark_overdue, at_once=2),
    Kind(reminders.REMINDING.name, reminders.REMINDING.says, _remind),
    Kind(schedule.TIDYING.name, schedule.TIDYING.says, _tidy),
)


def forget_kind(archive: Archive, named_files: NamedFiles) -> Kind:
    """Build the kind of job that, once a day, erases data past its retention period.

    `archive` records the erased tenants, and `named_files` opens files that may name them.
    """

    def forget(job: Job, database: Database, lease: Lease) -> Outcome:
        account = database.read(lambda tx: accounts.find(tx, job.account_id))
        if account is None:
            return Done()
        after = ""
        while found := database.read(partial(periods.former_tenants, account=account, after=after)):
            for after in found:
                if lease.is_stopping:
                    return Later(say("The worker was told to stop; the others will follow."), counts=False)
                periods.erase_one(database, account.id, after, archive, named_files)
        for some in (periods.forget_sent, periods.drop_bank_files):
            while database.write(partial(some, account=account)):
                if lease.is_stopping:
                    return Later(say("The worker was told to stop; the others will follow."), counts=False)
        return Done()

    return Kind(periods.FORGETTING.name, periods.FORGETTING.says, forget)
