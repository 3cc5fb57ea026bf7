"""The question that a person confirms before a bulk change, and the change's page."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.bulk import bulk, bulk_items, hand_overs, reminders, resends
from prorata.actions.bulk.bulk import ShownBulk
from prorata.actions.delivery import how_to_pay, send_schedule
from prorata.actions.delivery.deliveries import REMINDING
from prorata.actions.invoices import carries, contents, earlier_invoices, lists as invoice_lists
from prorata.actions.invoices.lists import Wish
from prorata.actions.limits import MOST_CHANGED_AT_ONCE, MOST_UNDONE_PAYMENTS_SHOWN
from prorata.actions.mail import allowances as mail_allowances
from prorata.actions.printing.roommates import names_beside
from prorata.domain.billing_calendar import Month
from prorata.domain.bulk import undone_payments
from prorata.domain.bulk.bulk import (
    ASKED,
    GOING_ON,
    VERBS,
    Chosen,
    Question,
    ask,
    ask_undo,
    fingerprint,
    part_of,
)
from prorata.domain.bulk.mail_outcomes import of_mail, of_mail_that_stays, until
from prorata.domain.bulk.reminders import ask_withdraw, of_reminders
from prorata.domain.bulk.send_question import Locked, ask_to_send
from prorata.domain.bulk.undone_payments import UndonePayments
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.delivery.receipts import going_out, offered_to_all
from prorata.domain.delivery.send_schedule import Leaving, of_many
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.groups import added_up
from prorata.domain.invoice_states import CLOSING, PAID, SENT, UNPAID, UNSENT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.deliveries import HAND_OVER, QUEUED, REACHED_NOBODY, WITH_THE_INVOICE, WITHDRAWN, WRITTEN
from prorata.domain.texts import joined, listed, say, say_n
from prorata.errors import Conflict, InvalidRequest
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.bulk import bulk as stored, bulk_mail, undone_payments as stored_undone
from prorata.store.bulk.bulk import BulkRow, ChosenRow, Place
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.recalculation import billing_months


class BulkReview(NamedTuple):
    """A bulk change as its page shows it.

    `place` is the property and month of its invoices if they all have the same, otherwise None. `undo` is the
    confirmation for undoing the change, if that is possible. `of_mail` are sentences about its e-mails. `on_paper`
    is the number of invoices to hand over: all those of `place` or, if that is None, only those that the change
    sent. `undone` are the payments that were noted by marking invoices as paid, and that the change has undone.
    `to_print` are the ids of invoices of which a person reminds their tenants on paper, because the change could not.
    """

    change: ShownBulk
    place: Place | None
    undo: Question | None
    of_mail: tuple[str, ...]
    on_paper: int = 0
    undone: UndonePayments = UndonePayments()
    to_print: tuple[str, ...] = ()
    queued: int = 0
    """The number of its invoices whose e-mails wait."""
    to_hand_over: int = 0
    """The number of its invoices to hand over, once some are in the outbox folder and no e-mail waits."""


class Ways(NamedTuple):
    """The numbers of invoices that would be e-mailed and that a person would hand over.

    `leaves` states when the e-mails are sent. `had` is the number of invoices that are not sent again, because
    their tenants already have them and have nothing to pay.
    """

    by_mail: int
    on_paper: int
    leaves: Leaving
    had: int = 0


CHANGED_SINCE = say("Something has changed since you were asked. This is the current state; nothing has been done yet.")
"""The sentence above a confirmation that is shown again because something has changed."""


def preview(
    tx: Tx,
    caller: Caller,
    verb: str,
    chosen: Sequence[str] | Wish,
    write: Forms,
    mail_held: str | None = None,
) -> Question:
    """Build the confirmation of a bulk change that `bulk.begin` would start.

    `write` formats the values in the text; `mail_held` is the reason why no mail server accepts messages. Raises
    `InvalidRequest` in the same cases as `bulk.begin`.
    """
    if verb == BulkVerb.SEND_AGAIN:
        return resends.preview(tx, caller, bulk.ids_of(tx, caller, chosen), write, mail_held)
    if verb == BulkVerb.REMIND:
        return reminders.preview(tx, caller, bulk.ids_of(tx, caller, chosen), write, mail_held)
    if verb == BulkVerb.HAND_OVER:
        return hand_overs.preview(tx, caller, bulk.ids_of(tx, caller, chosen), write)
    if verb not in ASKED:
        raise InvalidRequest(say("The action must be one of {names}.", names=", ".join(ASKED)))
    rows = stored.chosen(tx, caller.account_id, bulk.ids_of(tx, caller, chosen))
    return _question(tx, caller, verb, rows, write, mail_held)


def _question(
    tx: Tx, caller: Caller, verb: str, rows: Sequence[ChosenRow], write: Forms, mail_held: str | None
) -> Question:
    if not rows:
        raise InvalidRequest(say("None of these invoices exists any longer. Reload the list."))
    account, status = account_actions.the_account(tx, caller), VERBS[verb]
    parts = [(part_of(found=row.status, status=status, has_tenant=row.has_tenant), row) for row in rows]
    to_change = [row for part, row in parts if part == "change"]
    chosen = Chosen(**Counter[str](part for part, _ in parts))
    sums = added_up((row.currency, bulk_items.asked_of(row, status).amount) for row in to_change)
    amounts = " + ".join(write.money(cents, currency) for currency, cents in sorted(sums.items()))
    if verb != BulkVerb.SEND:
        noted = [row for row in to_change if row.paid_by_status > 0 and verb in undone_payments.UNDOING]
        seen = fingerprint(
            [
                *((row.id, bulk_items.asked_of(row, status).amount) for row in to_change),
                *((f"{row.id} noted", row.paid_by_status) for row in noted),
            ]
        )
        undone = added_up((row.currency, row.paid_by_status) for row in noted)
        also = (undone_payments.in_words(len(noted), undone, write),) if noted else ()
        mails = sum(row.delivery == QUEUED for row in to_change)
        told = account.mail_on and any(row.has_address and row.status in UNPAID for row in to_change)
        asked = ask(verb, chosen, amounts=amounts, mails=mails, also=also, seen=seen, write=write)
        return asked._replace(receipts=offered_to_all(mail_held)) if told and verb == BulkVerb.MARK_PAID else asked
    due = account_actions.today_in(account, tx) + timedelta(days=account.payment_terms)
    ways, (credit, given) = _ways(tx, account, to_change, mail_held), _credits(tx, account, to_change, write)
    saved = sum(row.status in UNPAID and row.delivery in REACHED_NOBODY and row.has_tenant for row in rows)
    asked = ask_to_send(
        chosen,
        amounts=amounts,
        due=write.day(due),
        by_mail=ways.by_mail,
        credit=credit,
        leaves=ways.leaves,
        had=ways.had,
        replacing=earlier_invoices.number_replacing(tx, account.id, [row.id for row in to_change]),
        empty=sum(row.total == 0 for row in to_change),
        locked=_locked(tx, caller, to_change),
        late_bills=account.late_bills,
        warning=how_to_pay.warning(tx, account),
        seen=contents.fingerprint(tx, account, [row.id for row in to_change], " ".join((credit, *given)).strip()),
        write=write,
    )
    says = (*given, *asked.says, *((_not_delivered(saved, write),) if saved else ()))
    if len(to_change) <= MOST_CHANGED_AT_ONCE:  # of more, the pages of their months say it
        says = (*says, *_for_several(tx, caller, to_change))
    return asked._replace(says=says, drafts=tuple((row.property_id, row.month, row.id) for row in to_change))


def _credits(tx: Tx, account: AccountRow, rows: Sequence[ChosenRow], write: Forms) -> tuple[str, tuple[str, ...]]:
    """State the credits that these drafts take when they are sent, and those they give.

    The latter are sentences, one for each open invoice that a credit among the drafts pays.
    """
    currencies = {row.id: row.currency for row in rows}
    carried = carries.if_sent(tx, account, invoices.find_many(tx, account.id, list(currencies)))
    sums = added_up((currencies[taker.id], cents) for _, taker, cents in carried if taker.id in currencies)
    given = tuple(
        say(
            "{amount} of the credit on {number} pays invoice {other}, which is still open.",
            amount=write.money(cents, currencies[giver.id]),
            number=giver.number,
            other=taker.number,
        )
        for giver, taker, cents in carried
        if taker.id not in currencies
    )
    return " + ".join(write.money(cents, currency) for currency, cents in sorted(sums.items())), given


def _for_several(tx: Tx, caller: Caller, rows: Sequence[ChosenRow]) -> tuple[str, ...]:
    """Return, for each shared household, a sentence that names the tenant who gets the invoice."""
    beside = names_beside(tx, caller.account_id, rows)
    return tuple(
        say("{tenant} gets it for {others}, too.", tenant=row.tenant_name, others=listed(beside[row.id]))
        for row in rows
        if beside.get(row.id)
    )


def _not_delivered(number: int, write: Forms) -> str:
    return say_n(
        "The e-mail for {n} of them wasn’t delivered. Choose “Send again…”, which sends the invoice as it was, or "
        "“Handed over…” for it.",
        "The e-mails for {n} of them weren’t delivered. Choose “Send again…”, which sends the invoices as they were, "
        "or “Handed over…” for them.",
        number,
        n=write.count(number),
    )


def ways_of(tx: Tx, caller: Caller, ids: Sequence[str], mail_held: str | None = None) -> Ways:
    """Count how many of these drafts would be e-mailed and how many handed over."""
    rows = stored.chosen(tx, caller.account_id, list(ids))
    return _ways(tx, account_actions.the_account(tx, caller), rows, mail_held)


def _ways(tx: Tx, account: AccountRow, rows: Sequence[ChosenRow], mail_held: str | None) -> Ways:
    had = earlier_invoices.had_already(tx, account.id, [row.id for row in rows])
    going = [row for row in rows if row.id not in had]
    by_mail = sum(row.has_address for row in going) if account.mail_on else 0
    return Ways(by_mail, len(going) - by_mail, send_schedule.of_account(tx, account, mail_held), len(had))


def _locked(tx: Tx, caller: Caller, rows: Sequence[ChosenRow]) -> Locked:
    """Return the open months that sending these drafts will close.

    Only regular invoices close a month.
    """
    keys = {(row.property_id, row.month) for row in rows if not row.sequence}
    ids, months = sorted({key[0] for key in keys}), sorted({key[1] for key in keys})
    month_rows = billing_months.find_many(tx, caller.account_id, ids, months) if keys else []
    closing = [row.key for row in month_rows if row.key in keys and not row.is_closed]
    return Locked(
        sorted({Month(month) for _, month in closing}), len({property_id for property_id, _ in closing}), not keys
    )


def begin_as_asked(
    tx: Tx,
    caller: Caller,
    verb: str,
    chosen: Sequence[str] | Wish,
    write: Forms,
    *,
    seen: str | None,
    mail_held: str | None = None,
    receipts: bool = False,
) -> ShownBulk | Question:
    """Start a bulk change if its confirmation is still the one that a person saw.

    `seen` is the `Question.seen` of that confirmation, or None to start without a confirmation. If the
    confirmation has changed, return the current one and change nothing. If `receipts` is true, tenants whose
    invoices are marked as paid get a receipt.
    """
    ids = bulk.ids_of(tx, caller, chosen)
    rows = bulk_items.as_they_stand(tx, caller, ids) if verb in ASKED else None
    if seen is not None:
        of_now = _question(tx, caller, verb, rows, write, mail_held) if rows is not None else None
        now = of_now or preview(tx, caller, verb, ids, write, mail_held)
        if now.seen != seen:
            return now._replace(says=(CHANGED_SINCE, *now.says))
    return bulk.begin(tx, caller, verb, ids, rows, receipts=receipts)


def review(tx: Tx, caller: Caller, bulk_id: str, write: Forms = PLAIN, mail_held: str | None = None) -> BulkReview:
    """Load the data that the page of a bulk change shows.

    `write` formats values, and `mail_held` is the reason why no mail server accepts messages. Raises `NotFound` if
    there is no such bulk change.
    """
    row = access.bulk_change(tx, caller, bulk_id)
    change = bulk.find(tx, caller, bulk_id, write)
    place = stored.only_place(tx, row)
    if row.state == GOING_ON or row.is_undone:
        return BulkReview(change, place, None, ())
    if BulkVerb.of_code(row.verb).only_mails:
        reminds = row.verb == BulkVerb.REMIND
        queued = bulk_mail.told(tx, row, REMINDING) if reminds else bulk_mail.deliveries(
            tx, row.account_id, row.id, sorted(CLOSING)
        )  # fmt: skip
        waits = _when_they_leave(tx, caller, row, queued, write, mail_held)
        undo = ask_withdraw(queued, write) if change.can_undo else None
        if reminds:
            to_print = reminders.to_print(tx, caller, row.id) if change.numbers.refused else ()
            return BulkReview(change, place, undo, of_reminders(queued, waits, write), to_print=to_print)
        return _with_outbox(BulkReview(change, place, undo, of_mail(queued, waits, write)), queued)
    if row.verb != BulkVerb.SEND:
        said = of_mail_that_stays(bulk_mail.deliveries(tx, row.account_id, row.id, sorted(UNSENT)), write)
        if row.verb == BulkVerb.CONFIRM_PAID:
            said = (*said, *_of_receipts(tx, caller, row, write, mail_held))
        return BulkReview(change, place, _undo(change, {}, write), said, undone=_undone(tx, row))
    on_their_way = bulk_mail.deliveries(tx, row.account_id, row.id, [PAID, SENT])  # invoices covered by money are PAID
    waits = _when_they_leave(tx, caller, row, on_their_way, write, mail_held)
    said = of_mail(bulk_mail.sent_mail(tx, row), waits, write)
    on_paper = on_their_way.get(HAND_OVER, 0)
    if place and on_paper:
        on_paper = invoice_lists.number_on_paper(tx, caller, place.property_id, place.month)
    return _with_outbox(BulkReview(change, place, _undo(change, on_their_way, write), said, on_paper), on_their_way)


def _with_outbox(found: BulkReview, deliveries: Mapping[str, int]) -> BulkReview:
    """Add the numbers of invoices that wait for the outbox folder or were saved there."""
    queued, saved = deliveries.get(QUEUED, 0), deliveries.get(WRITTEN, 0)
    to_hand_over = saved + deliveries.get(HAND_OVER, 0) if saved and not queued else 0
    return found._replace(queued=queued, to_hand_over=to_hand_over)


def _undone(tx: Tx, row: BulkRow) -> UndonePayments:
    if row.verb not in undone_payments.UNDOING:
        return UndonePayments()
    return stored_undone.undone(tx, row, bulk.noted_under(row).actor, limit=MOST_UNDONE_PAYMENTS_SHOWN)


def _of_receipts(tx: Tx, caller: Caller, row: BulkRow, write: Forms, mail_held: str | None) -> Iterator[str]:
    """Yield sentences about a bulk change's receipts: their outcome, and when queued ones are sent."""
    told = bulk_mail.told(tx, row, [Kind.RECEIPT.value])
    if queued := told.get(QUEUED):
        due = bulk_mail.mail_due(tx, row, [Kind.RECEIPT.value])
        left = datetime.fromisoformat(due) - tx.moment if due else timedelta()
        leaving = _leaving(tx, account_actions.the_account(tx, caller), mail_held)
        yield going_out(queued, leaving._replace(hold=max(0, -(-left // timedelta(minutes=1)))), write)
    yield from of_mail({state: number for state, number in told.items() if state not in (QUEUED, WITHDRAWN)})


def _undo(change: ShownBulk, deliveries: Mapping[str, int], write: Forms) -> Question | None:
    if not change.can_undo:
        return None
    return ask_undo(change.verb, changed=change.numbers.changed, deliveries=deliveries, write=write)


def _when_they_leave(
    tx: Tx, caller: Caller, row: BulkRow, deliveries: Mapping[str, int], write: Forms, mail_held: str | None
) -> str:
    """Describe until when queued messages can be withdrawn, or why they won't be sent.

    The text says so if they will be saved in the outbox folder instead. It is empty if no message is queued.
    """
    queued = deliveries.get(QUEUED, 0)
    if not queued:
        return ""
    account = account_actions.the_account(tx, caller)
    leaving = _leaving(tx, account, mail_held)
    if not leaving.is_saved and (leaving.why_not is not None or (leaving.room is not None and leaving.room < queued)):
        return of_many(leaving, queued, write)
    due = bulk_mail.mail_due(tx, row, REMINDING if row.verb == BulkVerb.REMIND else WITH_THE_INVOICE)
    at = datetime.fromisoformat(due).astimezone(ZoneInfo(account.timezone)) if due else None
    sentences = [leaving.why_not] if leaving.why_not else []
    if at is not None and at > tx.moment:
        today = account_actions.today_in(account, tx)
        sentences.append(until(at, today=today, number=queued, is_saved=leaving.is_saved, write=write))
    return joined(sentences)


def _leaving(tx: Tx, account: AccountRow, mail_held: str | None) -> Leaving:
    """Predict when messages that wait already are sent."""
    leaving = send_schedule.of_account(tx, account, mail_held)
    return leaving._replace(room=mail_allowances.room_today(tx, account))


def question_of_undo(tx: Tx, caller: Caller, bulk_id: str, write: Forms = PLAIN) -> Question:
    """Build the confirmation for undoing a bulk change.

    Raises `NotFound` if there is no such bulk change, and `Conflict` if it can't be undone.
    """
    asked = review(tx, caller, bulk_id, write).undo
    if asked is None:
        raise Conflict(
            say(
                "There is nothing to undo: this change is still running, has changed nothing, or has already been "
                "undone."
            )
        )
    return asked
