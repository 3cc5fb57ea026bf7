"""Many invoices changed at once, each by the action that changes one; what is refused keeps its sentence.

A few are changed in the request's own transaction; more by a job, one invoice in each transaction, in which it is also
written that this one is done: so a worker that is killed loses none and changes none twice.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from prorata.actions import access, invoice_lists, invoices, jobs
from prorata.actions import accounts as account_actions
from prorata.actions.invoice_lists import Wish
from prorata.domain.bulk import (
    CHANGED,
    DONE,
    GOING_ON,
    REFUSED,
    STOPPED,
    UNCHANGED,
    UNDO,
    VERBS,
    WAITING,
    Numbers,
    Question,
    ask,
    in_words,
    why_not,
)
from prorata.domain.lifecycle import DRAFT
from prorata.errors import Conflict, InvalidRequest, NotFound, Refusal
from prorata.ids import is_id
from prorata.store import bulk, properties
from prorata.store import invoices as stored_invoices
from prorata.store import jobs as stored_jobs
from prorata.store.audit import Caller
from prorata.store.bulk import BulkRow, ItemRow, RefusedItem
from prorata.store.engine import Tx

BULK = "bulk"
"""The kind of job that goes on with a bulk change."""
MOST_INVOICES = 10_000
"""Invoices of one bulk change."""
MOST_AT_ONCE = 20
"""So many are changed while the person waits; more are changed by a job."""
MOST_REFUSED_SHOWN = 100


class ShownBulk(NamedTuple):
    """How a bulk change stands, in numbers and in a sentence; the first that were refused, and why. `can_undo` says
    that what it changed can be taken back as a whole.
    """

    id: str
    verb: str
    state: str
    numbers: Numbers
    says: str
    why: str | None
    refused: list[RefusedItem]
    can_undo: bool


class _Wanted(NamedTuple):
    """An invoice and the status it is to have; where it matters, the one it is expected in."""

    invoice_id: str
    status: str
    expected: str | None = None


def preview(
    tx: Tx, caller: Caller, verb: str, chosen: Sequence[str] | Wish, money: Callable[[int, str], str]
) -> Question:
    """What a person is asked before `begin`; `money` writes amounts. Raises `InvalidRequest` as that does."""
    ids = _chosen(tx, caller, verb, chosen)
    parts = bulk.parts(tx, caller.account_id, ids)
    mail_on = account_actions.the_account(tx, caller).mail_on
    chosen_number = sum(part.number for part in parts)
    if not chosen_number:
        raise InvalidRequest("None of these invoices is there any more. Load the list again.")
    wanted = VERBS[verb]
    to_change = [
        part for part in parts if part.status != wanted and not why_not(expected=None, found=part.status, status=wanted)
    ]
    sums: dict[str, int] = {}
    for part in to_change:
        sums[part.currency] = sums.get(part.currency, 0) + part.total
    return ask(
        verb,
        chosen=chosen_number,
        to_change=sum(part.number for part in to_change),
        by_mail=sum(part.number for part in to_change if part.has_address) if mail_on else 0,
        amounts=" + ".join(money(cents, currency) for currency, cents in sorted(sums.items())),
    )


def begin(tx: Tx, caller: Caller, verb: str, chosen: Sequence[str] | Wish) -> ShownBulk:
    """Change these invoices, or all that match, as one of `VERBS` says. Raises `InvalidRequest` for another verb, for
    none, and for more than `MOST_INVOICES`.
    """
    ids = _chosen(tx, caller, verb, chosen)
    return _begin(tx, caller, verb, [_Wanted(one, VERBS[verb]) for one in ids])


def _chosen(tx: Tx, caller: Caller, verb: str, chosen: Sequence[str] | Wish) -> list[str]:
    if verb not in VERBS:
        raise InvalidRequest(f"What is to be done must be one of {', '.join(VERBS)}.")
    if isinstance(chosen, Wish):
        chosen = invoice_lists.ids_of(tx, caller, chosen, most=MOST_INVOICES + 1)
    ids = list(dict.fromkeys(chosen))
    if not ids:
        raise InvalidRequest("No invoice is chosen. Choose at least one.")
    if len(ids) > MOST_INVOICES:
        raise InvalidRequest(f"These are more than {MOST_INVOICES:,} invoices. Choose fewer, by property or by month.")
    return ids


def send_all(tx: Tx, caller: Caller, property_id: str, month: str) -> ShownBulk:
    """Send the drafts of a property's month that are for somebody; what stands empty is the owner's, and stays a draft.

    Raises `NotFound`, and `Conflict` when there is nobody to send an invoice to.
    """
    row = access.property_(tx, caller, property_id)
    of_month = stored_invoices.of_months(tx, caller.account_id, [row.id], [month])
    drafts = sorted((one for one in of_month if one.status == DRAFT and one.tenant_id), key=lambda one: one.number_key)
    if not drafts:
        raise Conflict(f"{row.name} has no drafts for {month} that are for a tenant: there is nothing to send.")
    return begin(tx, caller, "send", [one.id for one in drafts])


def undo(tx: Tx, caller: Caller, bulk_id: str) -> ShownBulk:
    """Set the invoices that a bulk change has changed back to what they were, but for those changed again since. Mail
    that has not left is withdrawn with it. Raises `NotFound`, and `Conflict` when it goes on, or was undone.
    """
    row = _locked(tx, caller, bulk_id)
    if row.state == GOING_ON:
        raise Conflict("It is still going on. Stop it first; then what it has changed can be taken back.")
    items = bulk.of_outcome(tx, caller.account_id, row.id, CHANGED)
    if row.is_undone or not items:
        raise Conflict("There is nothing to take back: it has changed nothing, or was taken back already.")
    bulk.save(tx, row._replace(is_undone=True))
    return _begin(tx, caller, UNDO, [_Wanted(one.invoice_id, one.before or DRAFT, one.status) for one in items])


def _begin(tx: Tx, caller: Caller, verb: str, wanted: Sequence[_Wanted]) -> ShownBulk:
    at_once = len(wanted) <= MOST_AT_ONCE
    row = BulkRow(
        account_id=caller.account_id,
        id=tx.new_id("bulk"),
        verb=verb,
        actor=caller.actor,
        state=DONE if at_once else GOING_ON,
        total=len(wanted),
        is_undone=False,
        why=None,
        created_at=tx.now,
        ended_at=tx.now if at_once else None,
    )
    items = [
        ItemRow(row.account_id, row.id, number, *one, before=None, outcome=WAITING, why=None)
        for number, one in enumerate(wanted, start=1)
    ]
    if at_once:
        places = bulk.places(tx, caller.account_id, [one.invoice_id for one in wanted])
        properties.lock_many(tx, caller.account_id, sorted(set(places.values())))
        items = [_changed(tx, caller, item) for item in items]
    bulk.add(tx, row, items)
    if not at_once:
        jobs.enqueue(tx, caller.account_id, BULK, {"bulk": row.id}, subject=row.id, unique_key=row.id)
    return _shown(tx, row)


def _changed(tx: Tx, caller: Caller, item: ItemRow) -> ItemRow:
    """Change one invoice, and say what became of it. What refuses it does so before it writes."""
    try:
        _, invoice = access.invoice_to_change(tx, caller, item.invoice_id)
    except NotFound as gone:
        return item._replace(outcome=REFUSED, why=gone.message)
    why = why_not(expected=item.expected, found=invoice.status, status=item.status)
    if why:
        return item._replace(before=invoice.status, outcome=REFUSED, why=why)
    if invoice.status == item.status:
        return item._replace(before=invoice.status, outcome=UNCHANGED)
    invoices.set_status(tx, caller, invoice.id, item.status)
    return item._replace(before=invoice.status, outcome=CHANGED)


def go_on(tx: Tx, account_id: str, bulk_id: str) -> bool:
    """Change the next invoice of a bulk change; returns whether there are more. In one transaction it is changed, and
    noted as such.
    """
    row = bulk.lock(tx, account_id, bulk_id)
    if row is None or row.state != GOING_ON:
        return False
    items = bulk.next_items(tx, account_id, bulk_id, limit=1)
    for item in items:
        bulk.save_item(tx, _changed(tx, Caller(account_id, row.actor), item))
    if not items:
        bulk.save(tx, row._replace(state=DONE, ended_at=tx.now))
    return bool(items)


def pass_over(tx: Tx, account_id: str, bulk_id: str, refusal: Refusal) -> None:
    """Note that the next invoice is left alone, with the sentence of what refused it."""
    row = bulk.lock(tx, account_id, bulk_id)
    if row is not None and row.state == GOING_ON:
        for item in bulk.next_items(tx, account_id, bulk_id, limit=1):
            bulk.save_item(tx, item._replace(outcome=REFUSED, why=refusal.message))


def stop(tx: Tx, caller: Caller, bulk_id: str) -> ShownBulk:
    """Leave the invoices alone that are still to be changed. Raises `NotFound`, and `Conflict` when it has ended."""
    row = _locked(tx, caller, bulk_id)
    if row.state != GOING_ON:
        raise Conflict("It has ended already: there is nothing to stop. What it changed can be taken back.")
    note_stopped(tx, caller.account_id, bulk_id, None)
    stored_jobs.call_off(tx, caller.account_id, BULK, bulk_id, [bulk_id])
    return find(tx, caller, bulk_id)


def note_stopped(tx: Tx, account_id: str, bulk_id: str, why: str | None) -> None:
    """Note that nobody goes on with a bulk change: a person has stopped it, or its job has failed (`why`)."""
    row = bulk.lock(tx, account_id, bulk_id)
    if row is not None and row.state == GOING_ON:
        bulk.save(tx, row._replace(state=STOPPED, why=why, ended_at=tx.now))


def note_resumed(tx: Tx, account_id: str, bulk_id: str) -> None:
    """Note that a bulk change goes on whose job had failed."""
    row = bulk.lock(tx, account_id, bulk_id)
    if row is not None and row.state == STOPPED:
        bulk.save(tx, row._replace(state=GOING_ON, why=None, ended_at=None))


def find(tx: Tx, caller: Caller, bulk_id: str) -> ShownBulk:
    """How a bulk change stands. Raises `NotFound`."""
    row = bulk.find(tx, caller.account_id, bulk_id) if is_id(bulk_id, "bulk") else None
    if row is None:
        raise NotFound("bulk change")
    return _shown(tx, row)


def latest(tx: Tx, caller: Caller, *, limit: int) -> list[ShownBulk]:
    """The account's bulk changes, the newest first."""
    return [_shown(tx, row) for row in bulk.latest(tx, caller.account_id, limit=limit)]


def _locked(tx: Tx, caller: Caller, bulk_id: str) -> BulkRow:
    row = bulk.lock(tx, caller.account_id, bulk_id) if is_id(bulk_id, "bulk") else None
    if row is None:
        raise NotFound("bulk change")
    return row


def _shown(tx: Tx, row: BulkRow) -> ShownBulk:
    numbers = bulk.numbers(tx, row.account_id, row.id)
    return ShownBulk(
        row.id,
        row.verb,
        row.state,
        numbers,
        in_words(row.verb, row.state, numbers),
        row.why,
        bulk.refused(tx, row.account_id, row.id, limit=MOST_REFUSED_SHOWN) if numbers.refused else [],
        can_undo=row.state != GOING_ON and not row.is_undone and numbers.changed > 0,
    )
