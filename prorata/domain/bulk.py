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


CHARGES_DIFFER = (
    "Its charges are not those that were sent, as something has changed meanwhile. "
    "It is a draft: look at it, and send it."
)
"""Why an undo leaves an invoice as a draft: its tenant has another one."""
NOT_KNOWN = "What it was before is not known any more. Change it by itself if you want to."


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


class Question(NamedTuple):
    """What a person is asked before many invoices are changed: `does` stands on the button, and is empty where nothing
    would be changed; `is_grave` where it withdraws what tenants have got.
    """

    title: str
    says: tuple[str, ...]
    does: str
    is_grave: bool


def ask(verb: str, *, chosen: int, to_change: int, by_mail: int, amounts: str) -> Question:
    """What is asked before `to_change` of the `chosen` invoices, over `amounts`, are changed; the others are so.

    >>> asked = ask("send", chosen=3, to_change=3, by_mail=2, amounts="$120.00")
    >>> asked.title, asked.says[0]
    ('Send 3 invoices over $120.00?', '2 go out by e-mail with their PDF. 1 is for you to hand over.')
    """
    left = chosen - to_change
    is_so = "was sent before" if verb == "send" else "is so already"
    are_so = "were sent before" if verb == "send" else "are so already"
    stay = f"1 {is_so} and stays as it is." if left == 1 else f"{left:,} {are_so} and stay as they are."
    if not to_change:
        return Question("There is nothing to do", (stay,), "", is_grave=False)
    says = [_DOES[verb]]
    if verb == "send":
        says.insert(0, _how_sent(by_mail, to_change - by_mail))
    does = _TITLES[verb].format(_counted(to_change))
    return Question(f"{does} over {amounts}?", (*says, *([stay] if left else [])), does, verb == "cancel")


def _how_sent(by_mail: int, by_hand: int) -> str:
    said = []
    if by_mail:
        said.append(
            "1 goes out by e-mail with its PDF." if by_mail == 1 else f"{by_mail:,} go out by e-mail with their PDF."
        )
    if by_hand:
        said.append(f"{by_hand:,} {'is' if by_hand == 1 else 'are'} for you to hand over.")
    return " ".join(said)


_TITLES = {
    "send": "Send {}",
    "mark paid": "Mark {} as paid",
    "cancel": "Cancel {}",
    "reopen": "Set {} back to draft",
}
_DOES = {
    "send": "Sending closes their months: invoices there no longer follow changes, and a bill that comes later waits.",
    "mark paid": "That each balance was received today is noted. Where a draft is marked as paid, its month closes.",
    "cancel": "They ask for nothing any more, and their part of the bills becomes the owner's cost. Mail that has not "
    "left is withdrawn; what tenants have got stays with them.",
    "reopen": "They can be changed again, and payments that were noted by marking them as paid are taken back. A month "
    "opens once none of its invoices is sent or paid: its drafts are then computed again.",
}


def _counted(number: int) -> str:
    return f"{number:,} invoice{'' if number == 1 else 's'}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def why_not(*, expected: str | None, found: str, status: str) -> str | None:
    """Why an invoice is left alone that is to have `status`: an undo takes back a change only where nobody has changed
    the invoice since; and sending is for what was not sent, as it would take back that something is paid.

    >>> why_not(expected="SENT", found="PAID", status="DRAFT")
    'It is PAID by now, and was SENT after the change that is taken back. Change it by itself if you want to.'
    >>> why_not(expected=None, found="PAID", status="SENT")
    'It was sent before and is PAID by now. To e-mail it once more, open it and choose to send it again.'
    """
    if expected is None:
        if status == SENT and found in {PAID, OVERDUE}:
            again = "To e-mail it once more, open it and choose to send it again."
            return f"It was sent before and is {found} by now. {again}"
        return None
    if expected == found:
        return None
    return (
        f"It is {found} by now, and was {expected} after the change that is taken back. "
        "Change it by itself if you want to."
    )
