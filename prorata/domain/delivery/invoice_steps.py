"""The available steps for an invoice, and sentences that explain each before it is taken."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from prorata.domain.accounts.settings import ASK, late_in_words
from prorata.domain.delivery.receipts import offered
from prorata.domain.delivery.send_schedule import NONE_LEAVES, Leaving, of_many, saved, when
from prorata.domain.invoice_states import CANCELLED, CLOSING, DRAFT, OVERDUE, PAID, SENT, UNPAID, UNSENT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.deliveries import QUEUED, WRITTEN, may_be_handed_over
from prorata.domain.texts import Text, joined, say, say_n

SEND, MARK_PAID, NOT_PAID, REOPEN, CANCEL, SEND_AGAIN = "send", "paid", "unpaid", "reopen", "cancel", "send-again"
HANDED_OVER, REMIND = "handed-over", "remind"
STATUS_OF = {SEND: SENT, MARK_PAID: PAID, NOT_PAID: SENT, REOPEN: DRAFT, CANCEL: CANCELLED}
"""The status that a step sets; SEND_AGAIN, REMIND and HANDED_OVER set none."""
NAMES = {
    DRAFT: (SEND, MARK_PAID, CANCEL),
    SENT: (HANDED_OVER, MARK_PAID, REMIND, SEND_AGAIN, REOPEN, CANCEL),
    OVERDUE: (HANDED_OVER, MARK_PAID, REMIND, SEND_AGAIN, REOPEN, CANCEL),
    PAID: (NOT_PAID, SEND_AGAIN, REOPEN, CANCEL),
    CANCELLED: (SEND, REOPEN),
}
"""The steps from each status, the likeliest first."""


AS_SENT = say_n(
    "It goes out as it was sent. What has changed since then isn’t in it: it waits under Corrections, or is on a later "
    "invoice. To send it corrected, set all invoices of its month back to draft, then send them.",
    "They go out as they were sent. What has changed since then isn’t in them: it waits under Corrections, or is on "
    "later invoices. To send them corrected, set all invoices of their months back to draft, then send them.",
    2,
)
"""The sentence that an invoice sent again is unchanged, and how to send a corrected invoice."""
SAVE = say("Save it to the outbox folder")
"""The label of a button that sends one invoice while there is no mail server."""
_WITHDRAWN = say(
    "The e-mail with this invoice hasn’t been sent yet and is withdrawn. To let it be sent first, mark the invoice as "
    "paid later."
)
_DUE_BACK = say(
    "It is a credit, and the household has moved out: what remains after its unpaid invoices is then due as a refund."
)
_FOR_SOMEBODY = {SEND, MARK_PAID}
"""The steps that require a tenant if the invoice was not sent yet.

The amount of a vacant unit is the owner's own cost, which nobody pays.
"""


class Situation(NamedTuple):
    """The facts on which an invoice's available steps and their sentences depend.

    `month` and amounts are formatted for the reader, and `write` formats times and numbers. `leaves` says when an
    e-mail queued now would be sent, and `why_by_hand` why nobody can be e-mailed. `owed` is the `balance` in cents,
    below zero if the tenant is owed it. `is_closed` means that the month is closed, and `closes_alone` that it is
    closed only because of this invoice. `has_left` means that the household has moved out. `received` is the money in
    the invoice's ledger without carried credits, empty if there is none, and `refunded` what was refunded beyond the
    money received, such as a credit. `is_covered` means that the ledger pays the invoice in full. `is_noted` means that
    marking the invoice as paid recorded an amount. `sent_with` is the total with which the invoice was sent before, if
    `total` differs. `warning` is shown before sending; `due` is the due date if the invoice is sent now. `no_reminder`
    says why no reminder can be sent. `reminded` is the day of the last reminder, empty if there was none. `asked` is
    the amount that a reminder would ask for, and `today` the proposed day of payment. `was_received` means that the
    tenant has the current invoice and nothing to pay. `takes` is the household's credit that it takes when it is sent,
    or empty. `content` is the fingerprint of the content that would be sent, empty once the invoice has been sent. Only
    a regular invoice closes a month.
    """

    number: str
    status: str
    tenant: str | None
    address: str | None
    month: str
    property: str
    balance: str
    leaves: Leaving
    why_by_hand: str | None
    delivery: str | None
    is_closed: bool
    closes_alone: bool
    received: str
    refunded: str = ""
    late_bills: str = ASK
    owed: int = 0
    has_left: bool = False
    total: str = ""
    write: Forms = PLAIN
    is_covered: bool = False
    is_noted: bool = True
    sent_with: str = ""
    warning: str = ""
    due: str = ""
    no_reminder: str | None = None
    reminded: str = ""
    asked: str = ""
    today: str = ""
    was_received: bool = False
    takes: str = ""
    is_regular: bool = True
    content: str = ""


class Step(NamedTuple):
    """A step that a person can take with an invoice, such as sending it.

    `name` identifies the step in URLs, and `does` is the label of its button. If `asks` is set, `title` and `says`
    are shown for confirmation first. `seen` is the fingerprint of the confirmed text.
    """

    name: str
    does: str
    title: str
    says: tuple[str, ...]
    asks: bool = True
    is_grave: bool = False
    seen: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    """The facts of the step's outcome, each with a label."""
    mails: bool = False
    """True if the step e-mails somebody."""
    receipt: str = ""
    """The label of the checkbox for the tenant's receipt; empty if none can be sent."""
    paid_on: str = ""
    """The proposed day of payment; empty if the step needs none."""


def steps(now: Situation) -> tuple[Step, ...]:
    """List the steps that a person can take with an invoice now, likeliest first.

    >>> draft = Situation("MAPLE-1-2026-03", "DRAFT", "Ann", "ann@example.org", "March 2026", "Maple Court", "$9.00",
    ...                   Leaving(), None, None, False, False, "", owed=9_00)
    >>> [step.name for step in steps(draft)]
    ['send', 'paid', 'cancel']
    >>> [step.name for step in steps(draft._replace(status="OVERDUE", is_closed=True))]
    ['paid', 'remind', 'send-again', 'reopen', 'cancel']
    >>> [step.name for step in steps(draft._replace(tenant=None))]
    ['cancel']
    """
    made = (_MAKERS[name](now) for name in NAMES[now.status] if _fits(now, name))
    return tuple(its_step._replace(seen=_mark(now, its_step)) for its_step in made)


_LONG_ENOUGH = 32


def _mark(now: Situation, its_step: Step) -> str:
    """Fingerprint the details that a person confirms.

    They are the text of the step, and the invoice's total, balance and content.
    """
    said = (its_step.title, *its_step.says, now.total, now.balance, now.content)
    return sha256("\n".join(said).encode()).hexdigest()[:_LONG_ENOUGH]


def _fits(now: Situation, name: str) -> bool:
    has_tenant = now.tenant is not None
    if (name == NOT_PAID and not now.is_noted) or (name == MARK_PAID and not now.owed and now.status in UNPAID):
        return False  # only a refund or a reversal does that, or nothing is to be received or refunded
    if name == SEND_AGAIN:
        return now.why_by_hand is None and now.delivery != QUEUED
    if name == REMIND:
        return now.no_reminder is None
    if name == HANDED_OVER:
        return may_be_handed_over(status=now.status, delivery=now.delivery, has_tenant=has_tenant)
    return can_be_taken(name, status=now.status, has_tenant=has_tenant)


def can_be_taken(name: str, *, status: str, has_tenant: bool) -> bool:
    """True if an invoice's status and tenant allow the step called `name`.

    The state of the invoice's e-mail is not considered.

    >>> can_be_taken("send", status="DRAFT", has_tenant=False), can_be_taken("send", status="PAID", has_tenant=True)
    (False, False)
    """
    return name in NAMES[status] and (has_tenant or status not in UNSENT or name not in _FOR_SOMEBODY)


def step(now: Situation, name: str) -> Step | None:
    """Return the step called `name`, or None if it is not available."""
    return next((its_step for its_step in steps(now) if its_step.name == name), None)


def _send(now: Situation) -> Step:
    is_mailed = now.why_by_hand is None and not now.was_received
    goes: tuple[str, ...] = (mails(now.tenant, now.address, now.leaves, now.write),)
    if now.was_received:
        goes = (say("It is unchanged and paid, so it isn’t e-mailed again."),)
    elif now.why_by_hand is not None:
        goes = (say("Nobody is e-mailed."), now.why_by_hand)
    paid = (say("The money received for it already covers it, so it then counts as paid."),) if now.is_covered else ()
    warned = (now.warning,) if now.warning else ()
    left = (_DUE_BACK,) if now.owed < 0 and now.has_left else ()
    says = (*warned, joined(goes), *_replacing(now), *paid, *left, *_closing(now))
    does = SAVE if is_mailed and now.leaves.is_saved else say("Send")
    facts = [(say("Total"), now.total), (say("Credit taken off"), now.takes), (say("Due"), now.due)]
    title = say("Send {number}?", number=now.number)
    facts = [(name, value) for name, value in facts if value]
    return Step(SEND, does, title, says, facts=tuple(facts), mails=is_mailed)


def _replacing(now: Situation) -> tuple[str, ...]:
    if not now.sent_with:
        return ()
    return (
        say(
            "It was sent before with a total of {amount}. It gets a new number, and states that it replaces {number} "
            "and what has changed.",
            amount=now.sent_with,
            number=now.number,
        ),
    )


def mails(tenant: str | None, address: str | None, leaves: Leaving, write: Forms, *, again: bool = False) -> Text:
    """Describe who gets an invoice by e-mail and when, or why the e-mail waits.

    >>> mails("Ann", "ann@example.org", Leaving(), PLAIN)
    'It is e-mailed to Ann at ann@example.org, with the PDF, at once.'
    """
    who: dict[str, Any] = {"tenant": tenant, "address": address}
    if leaves.is_saved and not again:
        return say(
            "E-mail isn’t set up, so {tenant} won’t get it. It is marked as sent, and the e-mail to {address} is saved "
            "in the outbox folder {when}.",
            when=when(leaves, write),
            **who,
        )
    if leaves.waits:
        gets = (
            say("It is e-mailed again to {tenant} at {address}, with the PDF.", **who)
            if again
            else say("It is e-mailed to {tenant} at {address}, with the PDF.", **who)
        )
        return joined([gets, NONE_LEAVES, leaves.waits])
    who["when"] = when(leaves, write)
    if again:
        return say("It is e-mailed again to {tenant} at {address}, with the PDF, {when}.", **who)
    return say("It is e-mailed to {tenant} at {address}, with the PDF, {when}.", **who)


def _closing(now: Situation) -> tuple[str, ...]:
    if now.is_closed:
        return ()
    if not now.is_regular:
        stays_open = say("{month} stays open for {property}.", month=now.month, property=now.property)
        return (stays_open,) if now.status in UNSENT else ()
    return (
        say(
            "This closes {month} for {property}: its invoices no longer follow changes, and a bill that arrives "
            "later {late}.",
            month=now.month, property=now.property, late=late_in_words(now.late_bills),
        ),
    )  # fmt: skip


def _paid(now: Situation) -> Step:
    if now.is_covered:
        noted = say("The money received for it already covers it, so nothing more is noted.")
    elif now.owed < 0:
        noted = say("This notes that {amount} was refunded today. No money is moved.", amount=now.balance)
    elif now.status not in UNPAID:
        noted = say("This notes that {amount} was received today. No money is moved.", amount=now.balance)
    else:
        noted = say("This notes that {amount} was received. No money is moved.", amount=now.balance)
    title = say("Mark {number} as paid?", number=now.number)
    is_received = now.status in UNPAID and not (now.is_covered or now.owed < 0)
    receipt = offered(now.tenant or "", now.leaves.why_not) if is_received and now.why_by_hand is None else ""
    return Step(
        MARK_PAID,
        say("Mark as paid"),
        title,
        (noted, *((_WITHDRAWN,) if now.delivery == QUEUED else ()), *_replacing(now), *_closing(now)),
        receipt=receipt,
        paid_on=now.today if is_received else "",
    )


def _not_paid(now: Situation) -> Step:
    says = (
        say(
            "The amount noted when it was marked as paid is undone, but the money received for it stays and covers "
            "it. Nobody is e-mailed."
        )
        if now.is_covered
        else say(
            "The amount noted when it was marked as paid is undone, and it awaits payment again. Nobody is e-mailed."
        )
    )
    title = say("Mark {number} as not paid after all?", number=now.number)
    return Step(NOT_PAID, say("Not paid after all"), title, (says,))


def _again(now: Situation) -> Step:
    at_once = now.leaves._replace(at=None)  # `at` applies to the first sending only
    goes = mails(now.tenant, now.address, at_once, now.write, again=True)
    says = (goes, AS_SENT.of(1, "1"), say("Its status does not change."))
    return Step(SEND_AGAIN, say("Send again"), say("Send {number} again?", number=now.number), says, mails=True)


def _remind(now: Situation) -> Step:
    leaves, title, does = now.leaves._replace(at=None), say("Send a reminder of {number} now?"), say("Send a reminder")
    if leaves.is_saved:
        goes = saved(leaves, 1, now.write)
        title, does = say("Save a reminder of {number} now?"), say("Save a reminder to the outbox folder")
    else:
        to = say("It is e-mailed to {tenant} at {address}.", tenant=now.tenant, address=now.address)
        goes = joined([to, of_many(leaves, 1, now.write)])
    asks = say("It asks for {amount}.", amount=now.asked)
    before = (
        say("The last reminder was on {day}.", day=now.reminded)
        if now.reminded
        else say("No reminder has been sent yet.")
    )
    only_saved = (say("The invoice itself was only saved in the outbox folder, and not sent."),)
    says = (asks, goes, *(only_saved if now.delivery == WRITTEN else ()), before)
    return Step(REMIND, does, title.format(number=now.number), says, mails=True)


def _handed_over(now: Situation) -> Step:
    says = say(
        "This notes that {tenant} has received it. Nobody is e-mailed, and its status does not change.",
        tenant=now.tenant,
    )
    return Step(HANDED_OVER, say("Handed over"), say("Was {number} handed over?", number=now.number), (says,))


def _reopen(now: Situation) -> Step:
    says = [say("It becomes a draft, which can be changed and sent again."), *_mail_of(now), *_recorded(now)]
    if now.received:
        says.append(say("The {amount} received for it stays, and counts once it is sent again.", amount=now.received))
    of = {"month": now.month, "property": now.property}
    if now.closes_alone:
        says.append(
            say(
                "This also reopens {month} for {property}: its drafts are recalculated with everything that has "
                "changed in the meantime.",
                **of,
            )
        )
    elif now.is_closed:
        says.append(say("{month} stays closed for {property}, because other invoices for it have been sent.", **of))
    title = say("Set {number} back to draft?", number=now.number)
    return Step(REOPEN, say("Back to draft"), title, tuple(says), facts=_taken_back(now))


def _cancel(now: Situation) -> Step:
    says = [
        say("It no longer asks for payment, and its part of the month's bills becomes the owner's cost."),
        *_mail_of(now),
        *_recorded(now),
    ]
    if now.received:
        says.append(say("{amount} was received for it, which is then yours to refund.", amount=now.received))
    if now.closes_alone:
        opens = say("This also reopens {month} for {property}, and its drafts are recalculated.")
        says.append(opens.format(month=now.month, property=now.property))
    title = say("Cancel {number}?", number=now.number)
    return Step(CANCEL, say("Cancel the invoice"), title, tuple(says), is_grave=True, facts=_taken_back(now))


def _taken_back(now: Situation) -> tuple[tuple[str, str], ...]:
    """List the facts by which a person recognizes the invoice that a step takes back."""
    return ((say("Tenant"), now.tenant), (say("Total"), now.total)) if now.tenant else ((say("Total"), now.total),)


def _recorded(now: Situation) -> Iterator[Text]:
    """Say what becomes of the amount noted for a paid invoice, or of refunds."""
    if now.status == PAID and now.is_noted:
        yield say("The amount noted when it was marked as paid is undone.")
    if now.refunded:
        yield say("{amount} was refunded for it; this refund stays recorded.", amount=now.refunded)


def _mail_of(now: Situation) -> tuple[Text, ...]:
    """Describe what happens to the invoice's e-mail if a step takes the invoice back.

    A queued e-mail is withdrawn; an e-mail that was sent stays with the tenant. The result is empty if there is no
    e-mail.
    """
    if now.delivery == QUEUED:
        return (say("Its e-mail has not been sent and is withdrawn."),)
    if now.status in CLOSING and now.delivery in {"sent", "delivered"}:
        return (say("{tenant} keeps the e-mail that has already been sent.", tenant=now.tenant),)
    return ()


_MAKERS: dict[str, Callable[[Situation], Step]] = {
    SEND: _send,
    MARK_PAID: _paid,
    NOT_PAID: _not_paid,
    SEND_AGAIN: _again,
    REMIND: _remind,
    HANDED_OVER: _handed_over,
    REOPEN: _reopen,
    CANCEL: _cancel,
}
