"""The messages of payment providers, and their effects on the ledgers of invoices.

Each message takes effect once, in whatever order messages arrive, and only if its account, payment link, currency and
amount are those of the invoice (docs/decisions.md#provider-messages).
"""

from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.delivery import receipts
from prorata.actions.delivery.receipts import Paid
from prorata.actions.jobs.recurring import Kept
from prorata.actions.online_payments import duplicate_payments, payment_links as link_actions, payments_under_way
from prorata.actions.payments import duplicate_decisions, failed_payments, payments
from prorata.actions.payments.payments import Received, TakenBack
from prorata.domain.audit.verbs import Verb
from prorata.domain.invoices.ledger import CARD, PAYMENT, REFUND
from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    COUNTED,
    FAILED,
    GIVEN_BACK,
    PAID,
    PASSED_OVER,
    REFUND_FAILED,
    REFUNDED,
    TO_CHECK,
    UNDER_WAY,
    WAITS,
    ProviderEvent,
    why_not_counted,
)
from prorata.domain.online_payments.provider_reasons import Reason, Why
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp
from prorata.store.invoices import earlier_invoices, invoices
from prorata.store.online_payments import payment_links, provider_events, providers as payment_providers
from prorata.store.online_payments.provider_events import EventRow
from prorata.store.payments import payments as stored_payments
from prorata.store.payments.payments import PaymentRow

OTHERS_KEPT = timedelta(days=90)
"""The time for which messages about payments by foreign links are kept.

Such payments come, for instance, from a shop with the same provider. A payment may be reported later than its refund,
but not much later.
"""
SHOWN = 50
"""The most messages that a page of the dashboard lists for a person to check."""
NOT_BELIEVED: Final = say(
    "This message was signed with a secret that is no longer used. It is trusted only for payments made before the "
    "secret was replaced."
)
_TAKEN_BACK: Final = {
    REFUNDED: Reason.PAYMENT_TAKEN_BACK, CHARGED_BACK: Reason.PAYMENT_TAKEN_BACK, GIVEN_BACK: Reason.LOSS_TAKEN_BACK,
}  # fmt: skip
_ENDS: Final = (PAID, FAILED)


def take(tx: Tx, account_id: str, provider: str, event: ProviderEvent, until: str | None = None) -> str:
    """Store a provider's message, and apply its effect to a ledger; return the message's state.

    A repeated message has no effect. A payment is entered for the invoice of its payment link, and a failed payment
    does not reverse anything. A message that does not fit the ledger yet waits, and is tried again with each further
    message about the payment.

    For a message signed with a former secret, `until` is the time at which that secret was replaced. Raises
    `InvalidRequest` if such a message is not about a payment by a link made before that time.
    """
    payment_providers.lock(tx, account_id)  # messages about one payment arrive together: each must see the other
    if until is not None and not _is_of_before(tx, account_id, provider, event, until):
        raise InvalidRequest(NOT_BELIEVED)
    there = provider_events.find(tx, account_id, provider, event.id)
    if there is not None:
        return there.state
    row = _as_it_comes(tx, account_id, provider, event)
    provider_events.add(tx, row)
    while _try_waiting(tx, row):
        pass
    kept = provider_events.find(tx, account_id, provider, event.id)
    assert kept is not None, "it was just added"
    return kept.state


def _is_of_before(tx: Tx, account_id: str, provider: str, event: ProviderEvent, until: str) -> bool:
    """True if a message concerns a known payment, or a link made before `until`."""
    if event.happening not in (PAID, FAILED, UNDER_WAY):
        return bool(provider_events.of_happening(tx, account_id, provider, event.payment, PAID))
    link = payment_links.of_provider(tx, account_id, provider, event.link) if event.link else None
    if link is None and event.marks is not None:  # made, but its provider id is not known yet
        asked = payment_links.find(tx, account_id, event.marks.link)
        link = asked if asked is not None and asked.provider == provider and asked.provider_id is None else None
    return link is not None and link.created_at <= until


def _as_it_comes(tx: Tx, account_id: str, provider: str, event: ProviderEvent) -> EventRow:
    """Build a new message's row, which first waits to take effect.

    If the payment was made through a link of Prorata that is missing in the database, a person must check the
    message. Otherwise, nobody would notice that money has come.
    """
    row = EventRow(
        account_id, provider, event.id, event.happening, event.payment, event.link, event.reference, event.amount,
        event.currency, event.at, WAITS, None, None, tx.now,
    )  # fmt: skip
    marks = event.marks
    if event.happening != PAID or marks is None or event.link is None or marks.account not in (None, account_id):
        return row
    if payment_links.of_provider(tx, account_id, provider, event.link) is not None:
        return row
    asked = link_actions.learn(tx, account_id, provider, marks.link, event.link)
    if asked is not None and asked.provider_id == event.link:
        return row
    numbered = earlier_invoices.find_by_number(tx, account_id, marks.number) if marks.number else None
    its = asked.invoice_id if asked else numbered.id if numbered else None
    number = marks.number
    why = Why.of(Reason.NOT_KNOWN_OF_INVOICE, number=number) if number else Why(Reason.NOT_KNOWN)
    return row.because(why, TO_CHECK, its)


def _try_waiting(tx: Tx, about: EventRow) -> bool:
    """Retry the waiting messages about a payment, in the order in which their events happened.

    Return True as soon as one of them no longer waits.
    """
    for row in provider_events.waiting(tx, about.account_id, about.provider, about.payment):
        done = _counted(tx, row)
        if done != row:
            provider_events.save(tx, done)
        if done.state != WAITS:
            return True
    return False


def checked(
    tx: Tx, caller: Caller, provider: str, event_id: str, *,
    of_invoice: str | None = None, is_same: bool = False, asked: str | None = None,
) -> None:  # fmt: skip
    """Store a person's decision about a message, and retry the messages that wait for it.

    With `of_invoice`, the message must be about that invoice. `is_same` is set if the message repeats money in the
    ledger: its payment replaces the amount with which the invoice was marked as paid, or the payment or refund
    entered by hand is reversed. The invoice's audit log states which entry the message was declared to duplicate, or
    not to duplicate. `asked` is the code of the question that the person read, because a message may ask several in
    turn.

    Raises `NotFound` if there is no such message, and `Conflict` if it now asks another question, or one of the two
    entries was reversed.
    """
    row = _locked(tx, caller, provider, event_id)
    if of_invoice is not None and row.invoice_id != of_invoice:
        raise NotFound("invoice")
    if asked and asked != row.why:
        raise Conflict(say("The question about this payment has changed in the meantime. Check the invoice again."))
    if row.state == COUNTED and row.invoice_id is not None:
        after = duplicate_decisions.take(tx, caller, row, row.invoice_id, is_same=is_same)
    elif is_same:
        raise NotFound("message")
    else:
        after = row._replace(state=PASSED_OVER)
        audit.record(
            tx, caller, Verb.CHECK_PAYMENT_MESSAGE, row.invoice_id or caller.account_id, before=row, after=after
        )
    provider_events.save(tx, after)
    while _try_waiting(tx, after):
        pass


def _locked(tx: Tx, caller: Caller, provider: str, event_id: str) -> EventRow:
    """Find a message that a person checks, after locking the account's payment provider.

    The account's other messages then wait. Raises `NotFound` if there is no such message.
    """
    payment_providers.lock(tx, caller.account_id)
    row = provider_events.find(tx, caller.account_id, provider, event_id)
    if row is None or row.why is None or row.state == PASSED_OVER:
        raise NotFound("message")
    return row


def number_to_check(tx: Tx, caller: Caller, invoice_id: str | None = None) -> int:
    """Count the messages that a person must check: all, or those about one invoice."""
    return provider_events.count_to_check(tx, caller.account_id, invoice_id)


def to_check(
    tx: Tx, caller: Caller, invoice_id: str | None = None, *, limit: int = SHOWN, offset: int = 0
) -> list[EventRow]:
    """List the messages that a person must check, latest first.

    If an invoice is given, only the messages about that invoice are listed.
    """
    return provider_events.to_check(tx, caller.account_id, invoice_id, limit=limit, offset=offset)


def _counted(tx: Tx, row: EventRow) -> EventRow:
    each = {FAILED: _failed, PAID: _paid, REFUND_FAILED: _refund_failed, UNDER_WAY: payments_under_way.follow}
    by_itself = each.get(row.happening)
    return by_itself(tx, row) if by_itself else _of_a_payment(tx, row)


def _of_a_payment(tx: Tx, row: EventRow) -> EventRow:
    """Decide the effect of a refund or chargeback, once its payment was reported."""
    if row.happening == REFUNDED and _about_the_same(tx, row, REFUND_FAILED):
        return row.because(None, PASSED_OVER)
    known = stored_payments.by_sources(tx, row.account_id, [row.of_payment])
    paid = provider_events.of_happening(tx, row.account_id, row.provider, row.payment, PAID)
    if not paid:
        return row
    if not known:
        return _of_one_not_counted(tx, row, paid[0])
    if row.currency != paid[0].currency:
        why = Why.of(Reason.REFUND_IN_OTHER_CURRENCY, currency=row.currency, paid_in=paid[0].currency)
        return row.because(why, TO_CHECK, known[0].invoice_id)
    if row.happening == GIVEN_BACK:
        return _given_back(tx, row, known[0].invoice_id)
    return _entered(tx, row, known[0].invoice_id, REFUND, about=known[0])


def _of_one_not_counted(tx: Tx, row: EventRow, paid: EventRow) -> EventRow:
    """Decide the effect of a refund or chargeback whose payment is in no ledger.

    If a person entered the payment by hand, a person must enter the refund or chargeback as well.
    """
    if paid.state == WAITS:
        return row
    if paid.why == Reason.OF_OTHERS:
        return row.because(None, PASSED_OVER)
    if row.happening == GIVEN_BACK:
        return _given_back(tx, row, paid.invoice_id)
    why = Reason.INVOICE_DELETED if paid.state == COUNTED else Reason.PAYMENT_NOT_COUNTED
    return row.because(Why(why), TO_CHECK, paid.invoice_id)


def _failed(tx: Tx, row: EventRow) -> EventRow:
    """Handle a failed payment, which took no money but has used up its link.

    The failure is recorded once, unless the payment succeeded after all.
    """
    link = payment_links.of_provider(tx, row.account_id, row.provider, row.link) if row.link else None
    if link is not None and not stored_payments.by_sources(tx, row.account_id, [row.of_payment]):
        link_actions.used_up(tx, link)
        told = [
            provider_events.of_happening(tx, row.account_id, row.provider, row.payment, happening)
            for happening in _ENDS
        ]
        is_first = [event.event_id for some in told for event in some] == [row.event_id]
        if is_first and link_actions.whose_else(tx, link) is None:
            failed_payments.note(tx, row, link.invoice_id)
    return row._replace(state=PASSED_OVER)


def _refund_failed(tx: Tx, row: EventRow) -> EventRow:
    """Handle a refund that failed or was cancelled: reverse the refund's ledger entry.

    The tenant got no money back, whatever other messages about the refund report.
    """
    about = _about_the_same(tx, row, REFUNDED)
    for told in about:
        if _was_looked_at(told):
            return row.because(Why(Reason.REFUND_FAILED), TO_CHECK, told.invoice_id)
        if told.state in (WAITS, TO_CHECK):
            provider_events.save(tx, told.because(None, PASSED_OVER))
    entries = stored_payments.by_sources(tx, row.account_id, [row.marked(REFUNDED)])
    if not entries:
        return row._replace(state=PASSED_OVER)
    caller, entry, its_state = Caller(row.account_id, row.provider), entries[0], COUNTED
    may_be_by_hand = any(told.why == Reason.REFUNDED_TWICE for told in about)
    taken = TakenBack(
        _day_of(tx, caller, row.at), reference=row.reference, provider=row.provider, source=row.of_entry, at=row.at
    )
    try:
        payments.take_back(tx, caller, entry.invoice_id, entry.id, taken)
    except Conflict:  # a person has done so already, perhaps because it was entered by hand too
        its_state, may_be_by_hand = PASSED_OVER, True
    if may_be_by_hand and duplicate_payments.by_hand(tx, row.account_id, entry.invoice_id, REFUND, entry.amount):
        return row.because(Why(Reason.REFUND_FAILED), TO_CHECK, entry.invoice_id)
    return row._replace(state=its_state, invoice_id=entry.invoice_id)


def _about_the_same(tx: Tx, row: EventRow, happening: str) -> list[EventRow]:
    """List the messages that report `happening` about the same refund or chargeback."""
    events = provider_events.of_happening(tx, row.account_id, row.provider, row.payment, happening)
    return [event for event in events if event.reference == row.reference]


def _was_looked_at(row: EventRow) -> bool:
    """True if a person has checked a message that was not entered in a ledger.

    That person may have entered the money by hand.
    """
    return row.state == PASSED_OVER and row.why is not None


def _given_back(tx: Tx, row: EventRow, invoice_id: str | None) -> EventRow:
    """Handle a won chargeback, in which the landlord gets the money back.

    If the chargeback was entered in a ledger, the returned money is entered too; otherwise, neither is. If a person
    handled the chargeback, a person must handle this message as well.
    """
    same = _about_the_same(tx, row, CHARGED_BACK)
    if not same:
        return row
    lost = same[0]
    if _was_looked_at(lost):
        return row.because(Why(Reason.PAYMENT_NOT_COUNTED), TO_CHECK, invoice_id)
    if lost.state == COUNTED:
        assert invoice_id is not None, "what was counted has an invoice"
        took = stored_payments.by_sources(tx, row.account_id, [row.marked(CHARGED_BACK)])
        return _entered(tx, row, invoice_id, PAYMENT, about=took[0] if took else None)
    if lost.amount != row.amount:
        return row.because(Why(Reason.GIVES_OTHER_AMOUNT), invoice_id=invoice_id)
    provider_events.save(tx, lost.because(None, PASSED_OVER))
    return row.because(None, PASSED_OVER)


def _paid(tx: Tx, row: EventRow) -> EventRow:
    link = payment_links.of_provider(tx, row.account_id, row.provider, row.link) if row.link else None
    if link is None:
        return row.because(Why(Reason.OF_OTHERS), PASSED_OVER)
    why = why_not_counted(row.amount, row.currency, link.amount, link.currency)
    why = why or link_actions.whose_else(tx, link)
    if why is not None:
        return row.because(why, TO_CHECK, link.invoice_id)
    done = _entered(tx, row, link.invoice_id, PAYMENT)
    if done.state == COUNTED:
        link_actions.used_up(tx, link)
    return done


def _entered(tx: Tx, row: EventRow, invoice_id: str, kind: str, about: PaymentRow | None = None) -> EventRow:
    """Enter a message's money in the ledger, and return the message's row.

    A message that the ledger refuses keeps its state, because it may fit after another message. `about` is the entry
    to which the message refers, such as a refunded payment. If this entry has been reversed already, or if the
    invoice was deleted, a person must handle the message.
    """
    caller = Caller(row.account_id, row.provider)
    is_new = not stored_payments.by_sources(tx, row.account_id, [row.of_entry])
    if is_new and about is not None and not duplicate_payments.counts(tx, about):
        return row.because(Why(_TAKEN_BACK[row.happening]), TO_CHECK, invoice_id)
    received = Received(
        row.amount, _day_of(tx, caller, row.at), CARD, kind, reference=row.reference or row.payment,
        provider=row.provider, source=row.of_entry, at=row.at,
    )  # fmt: skip
    try:
        entry_id = payments.receive(tx, caller, invoice_id, received)
    except NotFound:
        return row.because(Why(Reason.INVOICE_DELETED), TO_CHECK, invoice_id)
    except (InvalidRequest, Conflict) as refused:  # it may fit after another message
        return row.because(Why.of(Reason.REFUSED, says=refused.message), invoice_id=invoice_id)
    invoice = invoices.find(tx, row.account_id, invoice_id) if is_new else None
    if invoice is not None and row.happening == PAID:
        receipts.queue(tx, row.account_id, [Paid(invoice.id, entry_id)])
    asked = duplicate_payments.asked_of(tx, kind, row.amount, invoice) if invoice else None
    return row.because(Why(asked) if asked else None, COUNTED, invoice_id)


def _day_of(tx: Tx, caller: Caller, at: str) -> date:
    account = account_actions.the_account(tx, caller)
    return datetime.fromisoformat(at).astimezone(ZoneInfo(account.timezone)).date()


def _long_ago(tx: Tx) -> str:
    return timestamp(tx.moment - OTHERS_KEPT)


OF_OTHERS: Final = Kept(
    lambda tx, account_id: provider_events.is_any_of_others(tx, account_id, _long_ago(tx)),
    lambda tx, account_id: provider_events.forget_of_others(tx, account_id, _long_ago(tx)),
)
