"""Bulk changes that send reminders of chosen invoices at once."""

from collections.abc import Sequence

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.delivery import reminders, send_schedule
from prorata.actions.delivery.deliveries import REMINDING
from prorata.actions.delivery.reminders import Remindable
from prorata.domain.bulk.bulk import CHANGED, REFUSED, Question
from prorata.domain.bulk.reminders import Chosen, ask
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.delivery.send_schedule import NoServer
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.deliveries import WRITTEN
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.audit.audit import Caller
from prorata.store.bulk import bulk, bulk_mail
from prorata.store.bulk.bulk import BulkRow, ItemRow
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties import properties


def preview(tx: Tx, caller: Caller, ids: Sequence[str], write: Forms, mail_held: str | None = None) -> Question:
    """Build the confirmation for sending reminders of these invoices.

    `mail_held` is the reason why no mail server accepts messages. Raises `InvalidRequest` if none of the invoices
    exists.
    """
    rows = _found(tx, caller, ids, has_server=not isinstance(mail_held, NoServer), write=write)
    if not rows:
        raise InvalidRequest(say("None of these invoices exists any longer. Reload the list."))
    chosen = [
        Chosen(
            row.invoice.id, row.invoice.total - row.invoice.paid_amount - row.asked.disputed, row.why_not, row.last,
            is_file=row.invoice.delivery == WRITTEN, for_paper=row.for_paper,
            name=f"{row.invoice.number}, {row.invoice.tenant_name}",
        )
        for row in rows
    ]  # fmt: skip
    account = account_actions.the_account(tx, caller)
    leaves = send_schedule.of_account(tx, account, mail_held)._replace(at=None)  # they wait for no time of day
    return ask(chosen, leaves=leaves, write=write)


def wanted(tx: Tx, caller: Caller, ids: Sequence[str]) -> list[tuple[str, str]]:
    """List these invoices, each with its status, which a reminder does not change.

    Raises `Conflict` if a reminder can be sent for none of them. If the reason is the same for all, the error gives
    that reason.
    """
    rows = _found(tx, caller, ids)
    if all(one.why_not for one in rows):
        reasons = {one.why_not for one in rows}
        shared = reasons.pop() if len(reasons) == 1 else None
        raise Conflict(shared or say("No reminder can be sent for any of these invoices now. Reload the list."))
    return [(one.invoice.id, one.invoice.status) for one in rows]


def sent(tx: Tx, caller: Caller, items: Sequence[ItemRow]) -> list[ItemRow]:
    """Queue reminders of the invoices of one locked property; return the outcome of each."""
    rows = {row.id: row for row in invoices.find_many(tx, caller.account_id, [item.invoice_id for item in items])}
    account = account_actions.the_account(tx, caller)
    said = reminders.remind_now(tx, caller, account, list(rows.values()))
    return [_outcome(item, rows.get(item.invoice_id), said.get(item.invoice_id)) for item in items]


def taken_back(tx: Tx, caller: Caller, items: Sequence[ItemRow]) -> list[ItemRow]:
    """Withdraw the waiting reminders that undone bulk changes queued; return each item's outcome.

    The items are invoices of one locked property. Their other reminders stay.
    """
    rows = {row.id: row for row in invoices.find_many(tx, caller.account_id, [item.invoice_id for item in items])}
    queued = bulk_mail.queued_by_undone(tx, caller.account_id, BulkVerb.REMIND, list(rows), REMINDING)
    withdrawn = reminders.withdraw(tx, caller, list(rows.values()), only=queued)
    why_not = {invoice_id: reminders.NONE_WAITS for invoice_id in rows if invoice_id not in withdrawn}
    return [_outcome(item, rows.get(item.invoice_id), why_not.get(item.invoice_id)) for item in items]


def still_waiting(tx: Tx, rows: Sequence[BulkRow]) -> set[str]:
    """Return the ids of those bulk changes whose reminders still wait to be sent."""
    reminding = [row for row in rows if row.verb == BulkVerb.REMIND]
    if not reminding:
        return set()
    return bulk_mail.with_queued(tx, reminding[0].account_id, [row.id for row in reminding], REMINDING)


def _outcome(item: ItemRow, invoice: InvoiceRow | None, why_not: str | None) -> ItemRow:
    if invoice is None:
        return item._replace(outcome=REFUSED, why=NotFound("invoice").message)
    if why_not is not None:
        return item._replace(outcome=REFUSED, why=why_not, before=invoice.status)
    return item._replace(outcome=CHANGED, before=invoice.status)


def to_print(tx: Tx, caller: Caller, bulk_id: str) -> tuple[str, ...]:
    """List the refused invoices whose tenants can be reminded on paper, by number."""
    refused = [item.invoice_id for item in bulk.of_outcome(tx, caller.account_id, bulk_id, REFUSED)]
    rows = [row.invoice for row in _found(tx, caller, refused) if row.for_paper]
    return tuple(row.id for row in sorted(rows, key=lambda row: row.number_key))


def note_on_paper(tx: Tx, caller: Caller, ids: Sequence[str]) -> int:
    """Record that tenants of chosen invoices were reminded on paper; return their number.

    Raises `Conflict` if none of them can be reminded on paper today.
    """
    places = bulk.places(tx, caller.account_id, list(ids))
    properties.lock_many(tx, caller.account_id, sorted({place.property_id for place in places.values()}))
    number = reminders.note_on_paper(tx, caller, invoices.find_many(tx, caller.account_id, list(ids)))
    if not number:
        raise Conflict(say("There is nothing left to note here. Reload the page to see the current state."))
    return number


def _found(
    tx: Tx, caller: Caller, ids: Sequence[str], *, has_server: bool = False, write: Forms = PLAIN
) -> list[Remindable]:
    rows = {row.id: row for row in invoices.find_many(tx, caller.account_id, list(ids))}
    chosen = [rows[invoice_id] for invoice_id in ids if invoice_id in rows]
    return reminders.remindable(tx, account_actions.the_account(tx, caller), chosen, has_server=has_server, write=write)
