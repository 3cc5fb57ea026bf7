"""The erasure of tenants.

After an erasure, only sent invoices and payments name the tenant, until their retention ends.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.invoices import tenant_links
from prorata.actions.privacy import bank_files, words_of_tenants
from prorata.actions.privacy.read_files import UNREAD, ReadFiles
from prorata.actions.recalculation import recalculation
from prorata.domain.audit.verbs import Verb
from prorata.domain.invoice_states import DRAFT
from prorata.domain.invoices.open_money import open_money
from prorata.domain.mail.deliveries import MAIL
from prorata.domain.privacy.personal_words import FORMER_TENANT, PersonalWords
from prorata.domain.privacy.years import years_after
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.ids import is_id
from prorata.ports import Archive, Erased
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import incoming_mail as stored_mail
from prorata.store.invoices import invoices
from prorata.store.jobs import jobs
from prorata.store.privacy import blanked_events, erasures, incoming, own_records, sent_records, shared_texts
from prorata.store.privacy.erasures import ErasureRow
from prorata.store.privacy.own_records import Own
from prorata.store.properties import properties, search_words, units
from prorata.store.properties.units import TenantRow
from prorata.store.webhooks import event_outbox

_DROPPED = say(
    "This message named an erased tenant and was deleted before it was read. Ask the sender for its bills again."
)


class Blanked(NamedTuple):
    """The audit note of an erasure.

    `blanked` are the ids of the audit log entries whose content was deleted, separated by spaces.
    """

    tenant_id: str
    blanked: str


class Erasure(NamedTuple):
    """The effect of a tenant's erasure, in numbers.

    `questions`, `messages`, `texts`, `files` and `drafts` count what is erased. `kept_invoices` counts the invoices
    that stay until `kept_until`, which is None if nothing was ever sent. `blanked` are the ids of the audit log
    entries whose content is deleted, separated by spaces. `unsearched` are the ids of records that stay, because
    their file or e-mail could not be searched. `unsettled_invoices` counts invoices on which the tenant owes money or
    has a credit.
    """

    tenant_id: str
    blanked: str
    questions: int
    messages: int
    texts: int
    files: int
    kept_invoices: int
    drafts: int
    kept_until: str | None
    unsearched: tuple[str, ...] = ()
    unsettled_invoices: int = 0

    @property
    def entries(self) -> int:
        """The number of audit log entries whose content is deleted."""
        return len(self.blanked.split())

    @property
    def kept_until_day(self) -> date:
        """The day until which sent invoices and payments are kept.

        Use it only if `kept_until` is not None.
        """
        assert self.kept_until is not None, "something stays"
        return date.fromisoformat(self.kept_until)


class NothingOutside:
    """An archive that does nothing, for an erasure that is only previewed or repeated."""

    def keep(self, name: str, text: str) -> None:
        """Store nothing."""

    def erased(self, erased: Erased, named: Sequence[str]) -> None:
        """Erase nothing."""


def tenant_of_any_time(tx: Tx, caller: Caller, tenant_id: str) -> TenantRow:
    """Find a tenant of the account, even a removed one.

    Raises `NotFound` if there is no such tenant.
    """
    return access.there(
        units.find_tenant_of_past(tx, caller.account_id, tenant_id) if is_id(tenant_id, "tenant") else None, "tenant"
    )


def has_ended(tx: Tx, caller: Caller, row: TenantRow) -> bool:
    """True if a tenant was removed or has moved out before today."""
    today = account_actions.today(tx, caller).isoformat()
    return row.ended_at is not None or (row.move_out is not None and row.move_out < today)


class _Found(NamedTuple):
    """A tenant who can be erased, with all of the tenant's names and addresses.

    `own` are the tenant's records. `words` are all names and addresses. `shared` are those that no other tenant of
    the account has; only these are removed from records that also concern other tenants.
    """

    row: TenantRow
    own: Own
    words: PersonalWords
    shared: PersonalWords
    erasure: Erasure


def look(tx: Tx, caller: Caller, tenant_id: str) -> Erasure:
    """Preview a tenant's erasure, without searching files.

    Raises everything that `erase` raises.
    """
    return _find(tx, caller, tenant_id).erasure


def _find(tx: Tx, caller: Caller, tenant_id: str, *, again: bool = False) -> _Found:
    row = tenant_of_any_time(tx, caller, tenant_id)
    words = words_of_tenants.every_word(tx, row)
    own = own_records.find(tx, row.account_id, row.id, words)
    if not again:
        _refuse(tx, caller, row, own)
    shared = words_of_tenants.that_are_nobody_elses(tx, row, words)
    entries = blanked_events.find(tx, row.account_id, [row.id, *own.questions, *own.messages], shared)
    rows = invoices.find_many(tx, row.account_id, own.invoices)
    dates = [invoice.invoice_date for invoice in rows if invoice.status != DRAFT]
    until = kept_until(tx, caller, dates)
    drafts = len(rows) - len(dates)
    erasure = Erasure(
        row.id, " ".join(entries), len(own.questions), len(own.messages), 0, 0, len(dates), drafts, until,
        unsettled_invoices=sum(
            any(open_money(invoice.status, invoice.total, invoice.paid_amount, has_tenant=True)) for invoice in rows
        ),
    )  # fmt: skip
    return _Found(row, own, words, shared, erasure)


def erase_again(tx: Tx, erased: Erased, read: ReadFiles) -> bool:
    """Repeat an erasure after a backup was restored; return True if the tenant existed."""
    row = units.find_tenant_of_past(tx, erased.account_id, erased.tenant_id)
    if row is None or words_of_tenants.was_erased(row):
        return False
    caller = Caller(erased.account_id, "cli")
    today = account_actions.today(tx, caller).isoformat()
    units.save_tenant(tx, row._replace(move_out=min(row.move_out or today, today), ended_at=row.ended_at or tx.now))
    _erase(tx, caller, _find(tx, caller, row.id, again=True), NothingOutside(), read)
    return True


def erase(tx: Tx, caller: Caller, tenant_id: str, archive: Archive, read: ReadFiles) -> Erasure:
    """Erase a former tenant's data, except sent invoices and payments.

    `read` is the result of `read_files`, which must run before this transaction.

    Raises `NotFound` if there is no such tenant, and `Conflict` if the stay has not ended, an e-mail is still to be
    sent or read, the tenant has already been erased, or the names have changed since the files were read.
    """
    return _erase(tx, caller, _find(tx, caller, tenant_id), archive, read)


def _erase(tx: Tx, caller: Caller, to_erase: _Found, archive: Archive, read: ReadFiles) -> Erasure:
    row, own, words, shared, found = to_erase
    if shared != read.words:
        raise Conflict(say("The names of tenants have changed in the meantime. Try again."))
    locked = access.there(properties.lock(tx, caller.account_id, row.property_id), "tenant")
    for invoice_id in own.invoices:
        tenant_links.end(tx, row.account_id, invoice_id)
    blanked_events.blank(tx, row.account_id, found.blanked.split())
    event_outbox.forget_tenant(tx, row, words.names)
    about = own_records.messages_about(tx, row.account_id, own)
    mail_ids = sorted({*own.messages, *about})
    jobs.forget_keys(tx, row.account_id, MAIL, [*own.invoices, *mail_ids], mail_ids)
    own_records.erase(tx, row.account_id, own)
    shared_texts.drop_answers(tx, row.account_id, row.id, shared)
    texts = shared_texts.cut(tx, row.account_id, shared)
    sent_records.leave_shared(tx, row.account_id, row.unit_id, {row.name, *words.names})
    files = bank_files.cut_files(tx, caller, read)
    dropped, unsearched = _drop_mail(tx, row.account_id, read)
    search_words.forget(tx, row)
    _forget(tx, row)
    if found.kept_until:
        erasures.add(tx, ErasureRow(row.account_id, row.id, tx.now))
    done = found._replace(
        texts=texts, files=files.number + dropped, unsearched=(*files.unopened, *unsearched)
    )  # fmt: skip
    audit.record(tx, caller, Verb.ERASE_TENANT, row.id, after=Blanked(row.id, done.blanked))
    event_outbox.note_gone(tx, row.account_id, "tenant.erased", row.id, row.property_id)
    recalculation.recalculate(tx, caller, [locked])
    archive.erased(Erased(row.account_id, row.id), mail_ids)
    return done


def _drop_mail(tx: Tx, account_id: str, read: ReadFiles) -> tuple[int, list[str]]:
    """Delete the content of received e-mails that name the tenant, even of unread ones.

    Unread e-mails occur only in a restored backup. The records of the e-mails stay, and so do the files that came
    with them. Return the number of e-mails, and the ids of e-mails that can't be searched.
    """
    naming, unsearched = read.mail(tx, account_id)
    for mail_id in incoming.unread(tx, account_id).intersection(naming):
        incoming_mail.note_unreadable(tx, account_id, mail_id, _DROPPED)
    stored_mail.clear(tx, account_id, naming)
    return len(naming), unsearched


def _refuse(tx: Tx, caller: Caller, row: TenantRow, own: Own) -> None:
    if words_of_tenants.was_erased(row):
        raise Conflict(say("This tenant has already been erased."))
    if not has_ended(tx, caller, row):
        raise Conflict(
            say("{name} still lives here. A tenant’s data can be erased only after the move-out date.", name=row.name)
        )
    if incoming.unread(tx, row.account_id):
        raise Conflict(UNREAD)
    if own_records.unsent(tx, row.account_id, own):
        raise Conflict(
            say(
                "A message to {name} has not been sent yet. Withdraw it, or wait until it has been sent.",
                name=row.name,
            )
        )


def _forget(tx: Tx, row: TenantRow) -> None:
    erased = row._replace(
        name=FORMER_TENANT,
        email=None,
        forwarding_email=None,
        forwarding_address=None,
        ended_at=row.ended_at or tx.now,
        updated_at=tx.now,
    )
    units.save_tenant(tx, erased)


def kept_until(tx: Tx, caller: Caller, invoice_dates: Sequence[str]) -> str | None:
    """Return the day until which a tenant's sent invoices are kept, if there are any.

    The day follows from the account's settings.
    """
    years = account_actions.the_account(tx, caller).keep_invoices_years
    return years_after(max(invoice_dates), years) if invoice_dates else None
