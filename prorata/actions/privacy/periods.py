"""Retention periods that an account sets, and the deletion of expired records.

There is one period for former tenants, one for erased tenants' invoices, and one for bank files.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.jobs import recurring
from prorata.actions.jobs.recurring import Look, Recurring
from prorata.actions.limits import MOST_FORGOTTEN_AT_ONCE
from prorata.actions.privacy import erasing
from prorata.actions.privacy.erasing import Blanked
from prorata.actions.privacy.read_files import read_files
from prorata.domain.audit.verbs import Verb
from prorata.domain.delivery.reminders import HOUR
from prorata.domain.payments.files import CLOSED
from prorata.domain.privacy.personal_words import FORMER_TENANT, PersonalWords
from prorata.domain.privacy.years import years_after
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.ports import Archive
from prorata.ports.files import NamedFiles
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx, timestamp
from prorata.store.payments import files as payment_files
from prorata.store.privacy import blanked_events, erasures, own_records, sent_records

_ACTOR = "clock"


def former_tenants(tx: Tx, account: AccountRow, after: str = "") -> list[str]:
    """List tenants who moved out long enough ago to be erased, sorted by id.

    Only the next ones after the id `after` are listed.
    """
    if not account.keep_tenants_years:
        return []
    before = years_after(account_actions.today_in(account, tx).isoformat(), -account.keep_tenants_years)
    return erasures.left_before(tx, account.id, before, FORMER_TENANT, after=after, limit=MOST_FORGOTTEN_AT_ONCE)


def erase_one(database: Database, account_id: str, tenant_id: str, archive: Archive, named_files: NamedFiles) -> None:
    """Erase a tenant whose retention period is over.

    If an e-mail is still to be sent or read, the tenant can't be erased yet; another attempt is made the next day.
    """
    caller = Caller(account_id, _ACTOR)
    read = read_files(database, caller, tenant_id, named_files)
    with suppress(Conflict):
        database.write(lambda tx: erasing.erase(tx, caller, tenant_id, archive, read))


def forget_sent(tx: Tx, account: AccountRow) -> int:
    """Remove some erased tenants' names from invoices and e-mails past their retention.

    Return the number of these tenants.
    """
    tenant_ids = _sent_long_ago(tx, account)
    for tenant_id in tenant_ids:
        own = own_records.find(tx, account.id, tenant_id, PersonalWords((FORMER_TENANT,), ("",)))
        entries = blanked_events.find(tx, account.id, own.messages, sent_records.words_of(tx, account.id, own))
        blanked_events.blank(tx, account.id, entries)
        sent_records.forget(tx, account.id, own)
        erasures.end(tx, account.id, tenant_id)
        after = Blanked(tenant_id, " ".join(entries))
        audit.record(tx, Caller(account.id, _ACTOR), Verb.ERASE_TENANT, tenant_id, after=after)
    return len(tenant_ids)


def _sent_long_ago(tx: Tx, account: AccountRow) -> list[str]:
    before = years_after(account_actions.today_in(account, tx).isoformat(), -account.keep_invoices_years)
    return erasures.over(tx, account.id, before=before, limit=MOST_FORGOTTEN_AT_ONCE)


def drop_bank_files(tx: Tx, account: AccountRow) -> int:
    """Delete some bank files that were marked as done long enough ago; return their number.

    The payments recorded from these files stay.
    """
    file_ids = _old_bank_files(tx, account)
    for file_id in file_ids:
        payment_files.remove(tx, account.id, file_id)
    return len(file_ids)


def _old_bank_files(tx: Tx, account: AccountRow) -> list[str]:
    if not account.keep_bank_files_days:
        return []
    before = timestamp(tx.moment - timedelta(days=account.keep_bank_files_days))
    return payment_files.done_before(tx, account.id, CLOSED, before, MOST_FORGOTTEN_AT_ONCE)


def _is_morning(tx: Tx, account: AccountRow) -> Look:
    is_time = tx.moment.astimezone(ZoneInfo(account.timezone)).hour >= HOUR
    is_work = is_time and bool(
        former_tenants(tx, account) or _sent_long_ago(tx, account) or _old_bank_files(tx, account)
    )
    return Look(is_work, recurring.next_morning(tx, account))


FORGETTING: Final = Recurring(
    recurring.FORGET,
    say("erases former tenants, erased tenants’ names on what they were sent, and bank files, each after its period"),
    recurring.MORNING,
    _is_morning,
)
