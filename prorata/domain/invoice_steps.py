"""What a person can do with an invoice as it stands, and what each step does, in sentences read before it is taken."""

from collections.abc import Callable
from typing import NamedTuple

from prorata.domain.deliveries import QUEUED
from prorata.domain.lifecycle import CANCELLED, CLOSING, DRAFT, OVERDUE, PAID, SENT

SEND, MARK_PAID, NOT_PAID, REOPEN, CANCEL, SEND_AGAIN = "send", "paid", "unpaid", "reopen", "cancel", "send-again"
STATUS_OF = {SEND: SENT, MARK_PAID: PAID, NOT_PAID: SENT, REOPEN: DRAFT, CANCEL: CANCELLED}
"""The status that a step sets; SEND_AGAIN sets none."""
NAMES = {
    DRAFT: (SEND, MARK_PAID, CANCEL),
    SENT: (MARK_PAID, SEND_AGAIN, REOPEN, CANCEL),
    OVERDUE: (MARK_PAID, SEND_AGAIN, REOPEN, CANCEL),
    PAID: (NOT_PAID, SEND_AGAIN, REOPEN, CANCEL),
    CANCELLED: (SEND, REOPEN),
}
"""The steps from each status, the likeliest first."""


class Situation(NamedTuple):
    """What the sentences depend on. `month` and amounts are written for the reader; `why_by_hand` says why nobody can
    be e-mailed, `leaves` when a message would leave. `is_closed` says that the month is, `closes_alone` that it is by
    this invoice alone. `received` is money beside what marking it as paid noted; empty where there is none.
    """

    number: str
    status: str
    tenant: str | None
    address: str | None
    month: str
    property: str
    balance: str
    leaves: str
    why_by_hand: str | None
    delivery: str | None
    is_closed: bool
    closes_alone: bool
    received: str


class Step(NamedTuple):
    """Something to do: its name in addresses, what stands on its button, and what is asked first where it `asks`."""

    name: str
    does: str
    title: str
    says: tuple[str, ...]
    asks: bool = True
    is_grave: bool = False


def steps(now: Situation) -> tuple[Step, ...]:
    """What can be done, the likeliest first.

    >>> draft = Situation("MAPLE-1-2026-03", "DRAFT", "Ann", "ann@example.org", "March 2026", "Maple Court", "$9.00",
    ...                   "at once", None, None, False, False, "")
    >>> [step.name for step in steps(draft)]
    ['send', 'paid', 'cancel']
    >>> [step.name for step in steps(draft._replace(status="OVERDUE", is_closed=True))]
    ['paid', 'send-again', 'reopen', 'cancel']
    """
    made = [_MAKERS[name](now) for name in NAMES[now.status]]
    can_mail = now.why_by_hand is None and now.delivery != QUEUED
    return tuple(one for one in made if one.name != SEND_AGAIN or can_mail)


def step(now: Situation, name: str) -> Step | None:
    """The step of that name, where it can be taken."""
    return next((one for one in steps(now) if one.name == name), None)


def _send(now: Situation) -> Step:
    if now.why_by_hand is None:
        goes = f"{now.tenant} gets it by e-mail at {now.address}, with the PDF, {now.leaves}."
    else:
        goes = f"Nobody is e-mailed. {now.why_by_hand}"
    return Step(SEND, "Send", f"Send {now.number}?", (goes, *_closing(now)))


def _closing(now: Situation) -> tuple[str, ...]:
    if now.is_closed:
        return ()
    says = f"This closes {now.month} of {now.property}: its invoices no longer follow changes, and a later bill waits."
    return (says,)


def _paid(now: Situation) -> Step:
    noted = f"It is noted that {now.balance} was received today. No money is moved."
    return Step(MARK_PAID, "Mark as paid", f"Mark {now.number} as paid?", (noted, *_closing(now)))


def _not_paid(now: Situation) -> Step:
    says = (
        "What was noted when it was marked as paid is taken back, and it waits for payment again. Nobody is e-mailed."
    )
    return Step(NOT_PAID, "Not paid after all", f"{now.number} is not paid after all?", (says,))


def _again(now: Situation) -> Step:
    says = f"{now.tenant} gets it once more by e-mail at {now.address}, with the PDF. Its status stays."
    return Step(SEND_AGAIN, "Send again", f"Send {now.number} again?", (says,))


def _reopen(now: Situation) -> Step:
    says = ["It becomes a draft, which can be changed and sent again.", *_mail_of(now)]
    if now.status == PAID:
        says.append("What was noted when it was marked as paid is taken back.")
    if now.closes_alone:
        says.append(
            f"{now.month} of {now.property} opens with it: its drafts are computed again, with all that has changed "
            "meanwhile."
        )
    elif now.is_closed:
        says.append(f"{now.month} of {now.property} stays closed, as other invoices of it were sent.")
    return Step(REOPEN, "Back to draft", f"Set {now.number} back to draft?", tuple(says))


def _cancel(now: Situation) -> Step:
    says = ["It asks for nothing any more, and its part of the month's bills becomes the owner's cost.", *_mail_of(now)]
    if now.received:
        says.append(f"{now.received} was received for it: that is then yours to refund.")
    if now.closes_alone:
        says.append(f"{now.month} of {now.property} opens with it, and its drafts are computed again.")
    return Step(CANCEL, "Cancel the invoice", f"Cancel {now.number}?", tuple(says), is_grave=True)


def _mail_of(now: Situation) -> tuple[str, ...]:
    """What becomes of the message with it."""
    if now.delivery == QUEUED:
        return ("Its e-mail has not left and is withdrawn.",)
    if now.status in CLOSING and now.delivery in {"sent", "delivered"}:
        return (f"What {now.tenant} has got by e-mail stays with them.",)
    return ()


_MAKERS: dict[str, Callable[[Situation], Step]] = {
    SEND: _send,
    MARK_PAID: _paid,
    NOT_PAID: _not_paid,
    SEND_AGAIN: _again,
    REOPEN: _reopen,
    CANCEL: _cancel,
}
