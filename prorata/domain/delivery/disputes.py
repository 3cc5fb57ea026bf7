"""Disputes: the disputed amount of a charge, the deadline for an answer, and the outcome."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal, get_args

from prorata.domain.invoice_states import UNSENT
from prorata.domain.limits import LONGEST_QUESTION
from prorata.domain.locale_forms import Forms
from prorata.domain.problems import Problem
from prorata.domain.texts import Count, say

State = Literal["OPEN", "RESOLVED", "CORRECTED", "WITHDRAWN"]
STATES: tuple[str, ...] = get_args(State)
OPEN, RESOLVED, CORRECTED, WITHDRAWN = STATES
NOTHING_SENT = say(
    "Only a charge on a sent invoice can be disputed. This invoice is a draft or cancelled, so nothing was changed."
)
OPEN_ALREADY = say("There is already an open dispute about this charge. Answer or resolve that one first.")
NO_SUCH_CHARGE = say("This charge is not on this invoice. Choose one of the invoice’s own charges.")
ENDED = say("This dispute has already ended, so nothing was changed.")
NOT_CORRECTED = say(
    "This charge has no correction yet. Correct its bill; set the invoice back to draft, change it and send it "
    "again; or resolve the dispute with a reason."
)
LEFT_TO_OWNER = say(
    "The owner bears the difference for this charge, so its tenant gets no correction. Resolve the dispute with a "
    "reason, or undo that decision under Corrections and place the correction on a later invoice."
)
CORRECTION_WAITS = say(
    "The correction of this charge is still pending. Place it on a later invoice first; that also ends the dispute."
)


def may_be_disputed(status: str) -> bool:
    """True if an invoice's status allows a dispute: it was sent and is not cancelled."""
    return status not in UNSENT


def text_problems(field: str, text: str, missing: str) -> Iterator[Problem]:
    """Yield the problems with a dispute's text; `missing` is the message for an empty text."""
    if not text:
        yield Problem(field, missing)
    elif len(text) > LONGEST_QUESTION:
        yield Problem(field, say("Enter at most {most} characters.", most=Count(LONGEST_QUESTION)))


def amount_problem(amount: int, charged: int, write: Forms, currency: str) -> str | None:
    """Explain what is wrong with an amount in dispute; None if it is valid.

    `amount` is the disputed part of a charge of `charged` cents. If the charge is a credit, `amount` may be up to
    its absolute value.
    """
    if charged == 0:
        return say("This charge is zero, so there is nothing to dispute.")
    if amount <= 0:
        return say("Enter an amount above zero.")
    if amount > abs(charged):
        return say("Enter no more than the amount of the charge: {most}.", most=write.money(abs(charged), currency))
    return None


def answer_by(today: date, days: int) -> date:
    """Return the last day for answering a dispute that was opened today.

    `days` is the number of days that the account allows itself for an answer.

    >>> answer_by(date(2026, 3, 20), 14)
    datetime.date(2026, 4, 3)
    """
    return today + timedelta(days=days)
