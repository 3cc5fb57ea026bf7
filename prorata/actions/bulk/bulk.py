"""Bulk changes of invoices: each invoice is changed separately, or refused with a reason.

A request changes a few invoices itself; a job changes more of them in steps, each within one month. One transaction
recalculates the month, changes the invoices and records this, so a killed worker neither loses nor repeats a change.
"""

from collections.abc import Collection, Sequence
from itertools import groupby, takewhile
from typing import Final, NamedTuple

from prorata.actions.accounts import access
from prorata.actions.bulk import bulk_items, reminders
from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.invoices.lists import Wish
from prorata.actions.jobs import jobs
from prorata.actions.jobs.recurring import Kept
from prorata.actions.limits import MOST_BULK_INVOICES, MOST_BULK_REFUSALS_SHOWN, MOST_CHANGED_AT_ONCE
from prorata.domain.bulk.bulk import (
    CHANGED,
    DONE,
    GOING_ON,
    REFUSED,
    STOPPED,
    VERBS,
    WAITING,
    Numbers,
    in_words,
    part_of,
)
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.invoice_states import DRAFT, PAID, SENT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import Count, say
from prorata.errors import Conflict, InvalidRequest, Refusal
from prorata.ids import is_id
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller, Together
from prorata.store.bulk import bulk
from prorata.store.bulk.bulk import BulkRow, ChosenRow, ItemRow, Place, RefusedItem
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.properties import properties
from prorata.store.recalculation import corrections

BULK = "bulk"
"""The kind of the job that continues a bulk change."""
IN_A_STEP = 100
"""The most invoices per transaction of the job; until it ends, nobody else can write to the property."""


class ShownBulk(NamedTuple):
    """A bulk change as the dashboard and the API show it.

    `refused` contains the first refused invoices with reasons; `can_go_on` means that the change can be resumed.
    """

    id: str
    verb: str
    actor: str
    state: str
    numbers: Numbers
    says: str
    why: str | None
    refused: list[RefusedItem]
    created_at: str
    can_undo: bool
    can_go_on: bool
    is_undone: bool


class Step(NamedTuple):
    """Items `first` to `last` of a bulk change: invoices of one month, or deleted invoices."""

    bulk_id: str
    property_id: str | None
    first: int
    last: int

    @property
    def apart(self) -> "list[Step]":
        """Split the step into one step for each invoice."""
        return [self._replace(first=number, last=number) for number in range(self.first, self.last + 1)]


class _Wanted(NamedTuple):
    """An invoice, its new status, and the status, amount and tenant that a person saw."""

    invoice_id: str
    status: str
    expected: str | None = None
    asked_amount: int | None = None
    asked_tenant: str | None = None


def begin(
    tx: Tx, caller: Caller, verb: str, chosen: Sequence[str] | Wish, rows: Sequence[ChosenRow] | None = None,
    *, receipts: bool = False,
) -> ShownBulk:  # fmt: skip
    """Start a bulk change of chosen invoices, or of all that a list's filters select.

    `verb` is one of `VERBS`, or `SEND_AGAIN`, `REMIND` or `HAND_OVER`, which keep the status. If `receipts` is set,
    `MARK_PAID` e-mails receipts. Drafts of vacant units are not sent. `rows` are the invoices as a person saw them, by
    default as they are now; an invoice whose amount or tenant has changed since is refused. Raises `InvalidRequest`
    for another verb, for no invoices or more than `MOST_BULK_INVOICES`, and `Conflict` if no invoice can be changed.
    """
    verb = BulkVerb.CONFIRM_PAID if receipts and verb == BulkVerb.MARK_PAID else verb
    if verb in bulk_items.THAT_KEEP_STATUS:
        wanted = bulk_items.THAT_KEEP_STATUS[verb](tx, caller, ids_of(tx, caller, chosen))
        return _begin(tx, caller, verb, [_Wanted(*one) for one in wanted])
    if verb not in VERBS:
        raise InvalidRequest(say("The action must be one of {names}.", names=", ".join(VERBS)))
    ids, status = ids_of(tx, caller, chosen), VERBS[verb]
    by_id = {row.id: row for row in (bulk_items.as_they_stand(tx, caller, ids) if rows is None else rows)}
    those = [_wanted(one, status, by_id.get(one)) for one in ids if not _is_for_nobody(by_id.get(one), status)]
    if not those:
        raise Conflict(say("All of these are for vacant units: you bear their cost, and their invoices stay drafts."))
    return _begin(tx, caller, verb, those)


def _is_for_nobody(row: ChosenRow | None, status: str) -> bool:
    """True if an invoice is skipped because its unit is vacant."""
    if row is None or status not in (SENT, PAID):
        return False
    return part_of(found=row.status, status=status, has_tenant=row.has_tenant) == "vacant"


def _wanted(invoice_id: str, status: str, row: ChosenRow | None) -> _Wanted:
    asked = bulk_items.asked_of(row, status) if row else (None, None)
    return _Wanted(invoice_id, status, None, *asked)


def ids_of(tx: Tx, caller: Caller, chosen: Sequence[str] | Wish) -> list[str]:
    """List the ids of the chosen invoices, or of all that a list's filters select.

    Malformed ids are dropped. Raises `InvalidRequest` if there are no invoices or more than `MOST_BULK_INVOICES`.
    """
    if isinstance(chosen, Wish):
        chosen = invoice_lists.ids_of(tx, caller, chosen, most=MOST_BULK_INVOICES + 1)
    ids = list(dict.fromkeys(chosen))
    if not ids:
        raise InvalidRequest(say("No invoices are selected. Choose at least one."))
    if len(ids) > MOST_BULK_INVOICES:
        raise InvalidRequest(
            say(
                "You can change at most {most} invoices at once. Narrow the selection by property or month.",
                most=Count(MOST_BULK_INVOICES),
            )
        )
    invoices = [one for one in ids if is_id(one, "inv")]
    if not invoices:
        raise InvalidRequest(say("None of the selected items is an invoice. Reload the list."))
    return invoices


def drafts_of(tx: Tx, caller: Caller, keys: Sequence[tuple[str, str]]) -> list[str]:
    """List these months' drafts by number, except those for vacant units that proved occupied."""
    wanted, ids, months = set(keys), sorted({one[0] for one in keys}), sorted({one[1] for one in keys})
    found = stored_invoices.of_months(tx, caller.account_id, ids, months) if keys else []
    drafts = [one for one in found if one.status == DRAFT and (one.property_id, one.month) in wanted]
    outdated = corrections.lived_in_since(tx, caller.account_id, [one.id for one in drafts if not one.tenant_id])
    return [one.id for one in sorted(drafts, key=lambda one: one.number_key) if one.id not in outdated]


def send_all(tx: Tx, caller: Caller, property_id: str, month: str) -> ShownBulk:
    """Send all drafts of a property's month, except those of vacant units.

    Raises `NotFound` if there is no such property, and `Conflict` if there is nobody to send an invoice to.
    """
    row = access.property_to_change(tx, caller, property_id)
    of_month = stored_invoices.of_months(tx, caller.account_id, [row.id], [month])
    drafts = sorted((one for one in of_month if one.status == DRAFT and one.tenant_id), key=lambda one: one.number_key)
    if not drafts:
        raise nothing_to_send(row.name, month)
    return begin(tx, caller, BulkVerb.SEND, [one.id for one in drafts])


def nothing_to_send(name: str, month: str) -> Conflict:
    """Build the error for a property's month that has no draft for a tenant."""
    return Conflict(
        say("{name} has no drafts for tenants in {month}, so there is nothing to send.", name=name, month=month)
    )


def undo(tx: Tx, caller: Caller, bulk_id: str) -> ShownBulk:
    """Undo a bulk change: return its invoices to their former state and dates.

    Invoices changed afterwards are skipped. Unsent mail is withdrawn or queued again; sent mail is not resent. A
    formerly sent invoice with changed charges stays a draft. Raises `NotFound`, or `Conflict` if running or undone.
    """
    seen = access.bulk_change(tx, caller, bulk_id)
    items = bulk.of_outcome(tx, caller.account_id, seen.id, CHANGED)
    if len(items) <= MOST_CHANGED_AT_ONCE:
        bulk_items.lock_places(tx, caller, [one.invoice_id for one in items])  # before it, like every write
    row = access.bulk_change_to_change(tx, caller, bulk_id)
    if row.state == GOING_ON:
        raise Conflict(say("This change is still running. Stop it first; then you can undo what it has changed."))
    if not _shown(tx, row).can_undo:
        raise Conflict(
            say("There is nothing to undo: this change altered nothing that can be undone, or has already been undone.")
        )
    bulk.save(tx, row._replace(is_undone=True))
    return _begin(
        tx,
        caller,
        BulkVerb.of_code(row.verb).undone_by,
        [_Wanted(one.invoice_id, one.before or DRAFT, one.status) for one in items],
    )


def _begin(tx: Tx, caller: Caller, verb: str, wanted: Sequence[_Wanted]) -> ShownBulk:
    at_once = len(wanted) <= MOST_CHANGED_AT_ONCE
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
    places = bulk.places(tx, caller.account_id, [one.invoice_id for one in wanted])
    in_order = sorted(wanted, key=lambda one: places.get(one.invoice_id, _NOWHERE))  # month by month
    items = [
        ItemRow(
            row.account_id, row.id, number, one.invoice_id, one.status, one.expected, None, WAITING, None,
            one.asked_amount, one.asked_tenant,
        )
        for number, one in enumerate(in_order, start=1)
    ]  # fmt: skip
    if at_once:
        bulk_items.lock_places(tx, caller, [item.invoice_id for item in items])
    if row.total > 1:
        (property_id, *others) = {places.get(one.invoice_id, _NOWHERE).property_id for one in wanted}
        audit.record_together(tx, caller, row.id, Together(verb, row.total, None if others else property_id or None))
    if at_once:
        of_months = groupby(items, key=lambda item: places.get(item.invoice_id, _NOWHERE))
        items = [
            item for _, of_month in of_months for item in bulk_items.changed(tx, noted_under(row), verb, list(of_month))
        ]
    bulk.add(tx, row, items)
    if not at_once:
        jobs.enqueue(tx, caller.account_id, BULK, {"bulk": row.id}, subject=row.id, unique_key=row.id)
    return _shown(tx, row)


_NOWHERE = Place("", "")


def noted_under(row: BulkRow) -> Caller:
    """Return the actor for the audit log entries of a bulk change's items.

    It is the bulk change, whose own entry names the person who began it, or that person if only one invoice changes.
    """
    return Caller(row.account_id, row.id if row.total > 1 else row.actor)


def next_step(tx: Tx, account_id: str, bulk_id: str, *, most: int = IN_A_STEP) -> Step | None:
    """Return a bulk change's next invoices; None if it is finished, stopped or gone."""
    row = bulk.find(tx, account_id, bulk_id)
    items = bulk.next_items(tx, account_id, bulk_id, limit=most) if row and row.state == GOING_ON else []
    if not items:
        return None
    places = bulk.places(tx, account_id, [item.invoice_id for item in items])
    first = places.get(items[0].invoice_id)
    together = list(takewhile(lambda item: places.get(item.invoice_id) == first, items))
    return Step(bulk_id, first.property_id if first else None, items[0].number, together[-1].number)


def go_on(tx: Tx, account_id: str, step: Step) -> None:
    """Change a step's waiting invoices, and record in the same transaction that they are done."""
    if step.property_id is not None:
        properties.lock(tx, account_id, step.property_id)
    row = bulk.lock(tx, account_id, step.bulk_id)
    if row is None or row.state != GOING_ON:
        return
    items = bulk.waiting_between(tx, account_id, step.bulk_id, step.first, step.last)
    bulk.save_items(tx, bulk_items.changed(tx, noted_under(row), row.verb, items))


def end(tx: Tx, account_id: str, bulk_id: str) -> None:
    """Set a bulk change's state to done if none of its invoices is waiting now."""
    row = bulk.lock(tx, account_id, bulk_id)
    if row is not None and row.state == GOING_ON and not bulk.next_items(tx, account_id, bulk_id, limit=1):
        bulk.save(tx, row._replace(state=DONE, ended_at=tx.now))


def pass_over(tx: Tx, account_id: str, step: Step, refusal: Refusal) -> None:
    """Record that a waiting invoice is skipped, with the reason as a sentence."""
    assert step.first == step.last, "the sentence is about one invoice"
    row = bulk.lock(tx, account_id, step.bulk_id)
    if row is not None and row.state == GOING_ON:
        items = bulk.waiting_between(tx, account_id, step.bulk_id, step.first, step.last)
        bulk.save_items(tx, [item._replace(outcome=REFUSED, why=refusal.message) for item in items])


def stop(tx: Tx, caller: Caller, bulk_id: str) -> ShownBulk:
    """Stop a bulk change, leaving the remaining invoices unchanged.

    Raises `NotFound` if there is no such bulk change, and `Conflict` if it has ended.
    """
    row = access.bulk_change_to_change(tx, caller, bulk_id)
    if row.state != GOING_ON:
        raise Conflict(say("This change has already ended. You can no longer stop it, but you can undo it."))
    note_stopped(tx, caller.account_id, bulk_id, None)
    stored_jobs.call_off(tx, caller.account_id, BULK, [bulk_id], [bulk_id])
    return find(tx, caller, bulk_id)


def note_stopped(tx: Tx, account_id: str, bulk_id: str, why: str | None) -> None:
    """Record that a bulk change was stopped by a person or its job's failure (`why`)."""
    row = bulk.lock(tx, account_id, bulk_id)
    if row is not None and row.state == GOING_ON:
        bulk.save(tx, row._replace(state=STOPPED, why=why, ended_at=tx.now))


def note_resumed(tx: Tx, account_id: str, bulk_id: str) -> None:
    """Record that a bulk change continues after its job failed, unless a person stopped it."""
    row = bulk.lock(tx, account_id, bulk_id)
    if row is not None and row.state == STOPPED and row.why is not None:
        bulk.save(tx, row._replace(state=GOING_ON, why=None, ended_at=None))


def resume(tx: Tx, caller: Caller, bulk_id: str) -> ShownBulk:
    """Resume a bulk change that a person or a failed job stopped.

    Raises `NotFound` if it does not exist, and `Conflict` if it was not stopped, is completed, or was undone.
    """
    row = access.bulk_change_to_change(tx, caller, bulk_id)
    if not _shown(tx, row).can_go_on:
        raise Conflict(say("You can’t continue this change: it is running, has finished, or was undone."))
    bulk.save(tx, row._replace(state=GOING_ON, why=None, ended_at=None))
    stored_jobs.call_off(tx, row.account_id, BULK, [row.id], [row.id])  # the one that failed
    for key in (row.id, f"{row.id} again"):  # a running job may have seen the stop and be about to end
        if jobs.enqueue(tx, row.account_id, BULK, {"bulk": row.id}, subject=row.id, unique_key=key):
            break
    return find(tx, caller, bulk_id)


def find(tx: Tx, caller: Caller, bulk_id: str, write: Forms = PLAIN) -> ShownBulk:
    """Find a bulk change with its progress, or raise `NotFound`."""
    return _shown(tx, access.bulk_change(tx, caller, bulk_id), write)


def latest(
    tx: Tx, caller: Caller, *, limit: int, before: str | None = None, by: str | None = None, state: str = "",
    write: Forms = PLAIN) -> list[ShownBulk]:  # fmt: skip
    """List the account's bulk changes, newest first, without their refused items.

    `before` is the id of the previous page's last bulk change, and `by` the actor who started the bulk changes.
    Changes in a state other than `state` are dropped after the query, so that fewer than `limit` may be returned.
    """
    rows = bulk.latest(tx, caller.account_id, limit=limit, before=before, by=by)
    those = [row for row in rows if state in ("", row.state)]
    numbers = bulk.numbers_of_many(tx, caller.account_id, [row.id for row in those])
    waiting = reminders.still_waiting(tx, those)
    return [_stands(row, numbers.get(row.id, Numbers()), waiting, write) for row in those]


def came_to(tx: Tx, caller: Caller, bulk_ids: list[str], write: Forms = PLAIN) -> dict[str, str]:
    """Map ids of bulk changes with unchanged items to sentences that describe the result."""
    numbers = bulk.numbers_of_many(tx, caller.account_id, bulk_ids)
    rows = bulk.find_many(tx, caller.account_id, sorted(numbers)) if numbers else []
    found = ((row, numbers[row.id]) for row in rows)
    return {row.id: in_words(row.verb, row.state, its, write) for row, its in found if its.changed < row.total}


def _shown(tx: Tx, row: BulkRow, write: Forms = PLAIN) -> ShownBulk:
    numbers = bulk.numbers(tx, row.account_id, row.id)
    refused = bulk.refused(tx, row.account_id, row.id, limit=MOST_BULK_REFUSALS_SHOWN) if numbers.refused else []
    return _stands(row, numbers, reminders.still_waiting(tx, [row]), write)._replace(refused=refused)


def _stands(row: BulkRow, numbers: Numbers, waiting: Collection[str], write: Forms) -> ShownBulk:
    return ShownBulk(
        row.id,
        row.verb,
        row.actor,
        row.state,
        numbers,
        in_words(row.verb, row.state, numbers, write),
        row.why,
        [],
        row.created_at,
        can_undo=row.state != GOING_ON
        and not row.is_undone
        and numbers.changed > 0
        and (BulkVerb.of_code(row.verb).can_be_undone or row.id in waiting),
        can_go_on=row.state == STOPPED and not row.is_undone and numbers.waiting > 0,
        is_undone=row.is_undone,
    )


ENDED: Final = Kept(
    lambda tx, account_id: bulk.is_any_before(tx, account_id, jobs.long_ago(tx)),
    lambda tx, account_id: bulk.forget(tx, account_id, jobs.long_ago(tx)),
)
