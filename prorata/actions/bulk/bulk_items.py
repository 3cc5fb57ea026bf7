"""The items of a bulk change, each changed as a person confirmed, or refused."""

from collections.abc import Callable, Mapping, Sequence

from prorata.actions.accounts import access
from prorata.actions.bulk import hand_overs, reminders, resends
from prorata.actions.delivery import receipts
from prorata.actions.delivery.receipts import Paid
from prorata.actions.invoices import statuses as invoice_statuses
from prorata.actions.invoices.statuses import NewStatus
from prorata.actions.limits import MOST_CHANGED_AT_ONCE
from prorata.domain.bulk.bulk import (
    CHANGED,
    CHARGES_DIFFER,
    NOT_KNOWN,
    REFUSED,
    UNCHANGED,
    Asked,
    amount_of,
    why_not,
    why_not_as_asked,
)
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.invoice_states import DRAFT, UNPAID
from prorata.errors import NotFound
from prorata.store.audit.audit import Caller
from prorata.store.bulk import bulk
from prorata.store.bulk.bulk import ChosenRow, ItemRow
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties import properties

THAT_KEEP_STATUS: Mapping[str, Callable[[Tx, Caller, Sequence[str]], list[tuple[str, str]]]] = {
    BulkVerb.SEND_AGAIN: resends.wanted,
    BulkVerb.REMIND: reminders.wanted,
    BulkVerb.HAND_OVER: hand_overs.wanted,
}
"""The bulk changes that keep statuses, each with the function that selects its invoices.

The function returns the chosen invoices to which the change applies, with their statuses.
"""


def lock_places(tx: Tx, caller: Caller, invoice_ids: Sequence[str]) -> None:
    """Lock the properties of these invoices until the end of the transaction."""
    places = bulk.places(tx, caller.account_id, list(invoice_ids))
    properties.lock_many(tx, caller.account_id, sorted({place.property_id for place in places.values()}))


def as_they_stand(tx: Tx, caller: Caller, invoice_ids: Sequence[str]) -> list[ChosenRow]:
    """Load the current state of these invoices for a bulk change, omitting missing ones.

    A few invoices, which are changed in the same transaction, are locked first, so that they can't change in
    between. More invoices are not locked: the job locks each of them later and compares it with the state that a
    person confirmed.
    """
    if len(invoice_ids) <= MOST_CHANGED_AT_ONCE:
        lock_places(tx, caller, invoice_ids)
    return bulk.chosen(tx, caller.account_id, list(invoice_ids))


def asked_of(row: ChosenRow, status: str) -> Asked:
    """Return the facts of an invoice that a person confirms: amount and tenant.

    The amount is in cents.
    """
    return Asked(amount_of(total=row.total, paid=row.paid_amount, status=status), row.tenant_id)


def changed(tx: Tx, caller: Caller, verb: str, items: Sequence[ItemRow]) -> list[ItemRow]:
    """Change invoices of one month, and return each item with its outcome.

    Each invoice is checked, and refused if necessary, before anything is written.
    """
    if verb == BulkVerb.SEND_AGAIN:
        return resends.sent(tx, caller, items)
    if verb == BulkVerb.REMIND:
        return reminders.sent(tx, caller, items)
    if verb == BulkVerb.NOT_REMINDED:
        return reminders.taken_back(tx, caller, items)
    if verb == BulkVerb.HAND_OVER:
        return hand_overs.noted(tx, caller, items)
    if verb == BulkVerb.NOT_HANDED_OVER:
        return hand_overs.taken_back(tx, caller, items)
    return _changed(tx, caller, verb, items)


def _changed(tx: Tx, caller: Caller, verb: str, items: Sequence[ItemRow]) -> list[ItemRow]:
    after, wanted, locked = {item.number: item for item in items}, {}, None
    for item in items:
        try:
            locked, invoice = access.invoice_to_change(tx, caller, item.invoice_id)
        except NotFound as gone:
            after[item.number] = item._replace(outcome=REFUSED, why=gone.message)
            continue
        item_row = item._replace(before=invoice.status)
        why = why_not(
            expected=item.expected,
            found=invoice.status,
            status=item.status,
            has_tenant=invoice.tenant_id is not None,
        )
        back_to = None
        if verb == BulkVerb.UNDO and why is None and invoice.status != item.status:
            back_to = invoice_statuses.before(tx, caller.account_id, invoice.id, invoice.status, back_to=item.status)
            why = None if back_to is not None and back_to.status == item.status else NOT_KNOWN
        if why is None and invoice.status != item.status:
            why = _why_not_as_asked(item, invoice, locked.currency)
        if why:
            after[item.number] = item_row._replace(outcome=REFUSED, why=why)
        elif invoice.status == item.status:
            after[item.number] = item_row._replace(outcome=UNCHANGED)
        else:
            after[item.number] = item_row
            wanted[item.number] = NewStatus(invoice, item.status, back_to, settles=verb != BulkVerb.UNDO)
    if locked is not None:
        statuses = invoice_statuses.set_many(tx, caller, locked, list(wanted.values()))
        if verb == BulkVerb.CONFIRM_PAID:
            paid = [
                Paid(new_status.invoice.id) for new_status in wanted.values() if new_status.invoice.status in UNPAID
            ]
            receipts.queue(tx, caller.account_id, paid)
        for number in wanted:
            after[number] = _became(verb, after[number], statuses[after[number].invoice_id].status)
    return list(after.values())


def _became(verb: str, item: ItemRow, status: str) -> ItemRow:
    """Record that an invoice was changed, with the `status` that it now has.

    The status may differ from the requested one: an invoice that is sent becomes PAID at once if money already
    covers it. If undoing a change left the invoice a draft instead of its former status, the item is recorded as
    refused.
    """
    if verb == BulkVerb.UNDO and status == DRAFT != item.status:
        return item._replace(outcome=REFUSED, why=CHARGES_DIFFER)
    return item._replace(outcome=CHANGED, status=status)


def _why_not_as_asked(item: ItemRow, invoice: InvoiceRow, currency: str) -> str | None:
    if item.asked_amount is None:
        return None
    asked = Asked(item.asked_amount, item.asked_tenant)
    amount = amount_of(total=invoice.total, paid=invoice.paid_amount, status=item.status)
    return why_not_as_asked(item.status, asked=asked, now=Asked(amount, invoice.tenant_id), currency=currency)
