"""Many invoices changed at once: what a person may do with them, and what became of each."""

from typing import NamedTuple

from prorata.domain.lifecycle import CANCELLED, DRAFT, OVERDUE, PAID, SENT

VERBS = {"send": SENT, "mark paid": PAID, "cancel": CANCELLED, "reopen": DRAFT}
"""What a person does with invoices, and the status that it sets."""
UNDO = "undo"
WAITING, CHANGED, UNCHANGED, REFUSED = "waiting", "changed", "unchanged", "refused"
OUTCOMES = (WAITING, CHANGED, UNCHANGED, REFUSED)
"""`unchanged` had the status already."""
GOING_ON, DONE, STOPPED = "going on", "done", "stopped"
STATES = (GOING_ON, DONE, STOPPED)
_SAYS = {
    SENT: "sent",
    PAID: "marked as paid",
    CANCELLED: "cancelled",
    DRAFT: "set back to draft",
    OVERDUE: "set to overdue",
}


class Numbers(NamedTuple):
    """How the invoices of a bulk change stand."""

    waiting: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self)


def in_words(verb: str, state: str, numbers: Numbers) -> str:
    """What a bulk change has come to, in a sentence.

    >>> in_words("send", "done", Numbers(changed=41, unchanged=2, refused=1))
    '41 of 44 invoices were sent; 2 were so already; 1 was refused.'
    >>> in_words("cancel", "going on", Numbers(waiting=10, changed=30))
    '30 of 40 invoices were cancelled; 10 are still to be done.'
    """
    did = _SAYS[VERBS[verb]] if verb in VERBS else "set back to what they were"
    parts = [f"{numbers.changed:,} of {_counted(numbers.total)} {_were(numbers.changed)} {did}"]
    if numbers.unchanged:
        parts.append(f"{numbers.unchanged:,} {_were(numbers.unchanged)} so already")
    if numbers.refused:
        parts.append(f"{numbers.refused:,} {_were(numbers.refused)} refused")
    if numbers.waiting:
        left = "were left as they are" if state == STOPPED else "are still to be done"
        parts.append(f"{numbers.waiting:,} {left}")
    return "; ".join(parts) + "."


def _counted(number: int) -> str:
    return f"{number:,} invoice{'' if number == 1 else 's'}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def why_not(*, expected: str | None, found: str) -> str | None:
    """Why an invoice is left alone: an undo takes back a change only where nobody has changed the invoice since.

    >>> why_not(expected="SENT", found="PAID")
    'It is PAID by now, and was SENT after the change that is taken back. Change it by itself if you want to.'
    """
    if expected is None or expected == found:
        return None
    return (
        f"It is {found} by now, and was {expected} after the change that is taken back. "
        "Change it by itself if you want to."
    )
