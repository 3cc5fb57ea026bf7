"""Many invoices changed at once: what a person may do with them, and what became of each."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Literal, NamedTuple

from prorata.domain.accounts.settings import ASK, late_in_words
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.invoice_states import (
    CANCELLED,
    CLOSING,
    DRAFT,
    OVERDUE,
    PAID,
    PAYMENT_PAID,
    SENT,
    status_of_payment,
)
from prorata.domain.locale_forms import PLAIN, Forms, counted
from prorata.domain.mail.deliveries import DELIVERED, QUEUED, SENT as MAIL_SENT, WRITTEN

VERBS: Mapping[str, str] = {verb: verb.status for verb in BulkVerb if verb.status is not None}
"""What a person does with invoices that sets their status, and which."""
WAITING, CHANGED, UNCHANGED, REFUSED = "waiting", "changed", "unchanged", "refused"
OUTCOMES = (WAITING, CHANGED, UNCHANGED, REFUSED)
"""`unchanged` had the status already."""
GOING_ON, DONE, STOPPED = "going on", "done", "stopped"
STATES = (GOING_ON, DONE, STOPPED)
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


def in_words(verb: str, state: str, numbers: Numbers, write: Forms = PLAIN) -> str:
    """What a bulk change has come to, in a sentence.

    >>> in_words("send", "done", Numbers(changed=41, unchanged=2, refused=1))
    '41 of 44 invoices were sent; 2 were so already; 1 was refused.'
    >>> in_words("cancel", "going on", Numbers(waiting=10, changed=30))
    '30 of 40 invoices were cancelled; 10 are still to be done.'
    """
    did = BulkVerb.of_code(verb).were
    parts = [
        f"{write.count(numbers.changed)} of {counted(numbers.total, 'invoice', write)} {_were(numbers.changed)} {did}"
    ]
    if numbers.unchanged:
        parts.append(f"{write.count(numbers.unchanged)} {_were(numbers.unchanged)} so already")
    if numbers.refused:
        parts.append(f"{write.count(numbers.refused)} {_were(numbers.refused)} refused")
    if numbers.waiting:
        left = "were left as they are" if state == STOPPED else "are still to be done"
        parts.append(f"{write.count(numbers.waiting)} {left}")
    return "; ".join(parts) + "."


def together_in_words(done: str, number: int, write: Forms = PLAIN) -> str:
    """What somebody did with many invoices at once, behind a name.

    >>> together_in_words("mark paid", 300), together_in_words("undo", 2)
    ('marked 300 invoices as paid', 'took back a change of 2 invoices')
    """
    return BulkVerb.of_code(done).together.format(counted(number, "invoice", write))


class Question(NamedTuple):
    """What a person is asked before many invoices are changed: `does` stands on the button, and is empty where nothing
    would be changed; `is_grave` where it withdraws what tenants have got. `seen` tells what it was asked about. `facts`
    are names with what they are, one to a row; `months` are the property-months that it sends of.
    """

    title: str
    says: tuple[str, ...]
    does: str
    is_grave: bool
    seen: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    months: tuple[tuple[str, str], ...] = ()


class Chosen(NamedTuple):
    """How the chosen invoices stand to what is to be done: those that it changes, those that are so already, drafts of
    vacant units that are not sent, and cancelled ones that are not paid.
    """

    change: int = 0
    already: int = 0
    vacant: int = 0
    cancelled: int = 0


Part = Literal["change", "already", "vacant", "cancelled"]


def part_of(*, found: str, status: str, has_tenant: bool) -> Part:
    """What becomes of an invoice that stands in `found` where many are set to `status`.

    Sending is for what was not sent, as it would take back that something is paid, and for somebody: what a vacant unit
    comes to is the owner's own cost, for which nobody pays either. What is cancelled asks for nothing, so nothing is
    received for it.

    >>> part_of(found="DRAFT", status="SENT", has_tenant=False), part_of(found="PAID", status="SENT", has_tenant=True)
    ('vacant', 'already')
    >>> part_of(found="DRAFT", status="PAID", has_tenant=False)
    'vacant'
    """
    if found == status or (status == SENT and found in CLOSING):
        return "already"
    if not has_tenant and (status == SENT or (status == PAID and found == DRAFT)):
        return "vacant"
    if status == PAID and found == CANCELLED:
        return "cancelled"
    return "change"


def amount_of(*, total: int, paid: int, status: str) -> int:
    """What setting an invoice to a status is about, in cents: what is still owed where that is received, else all.

    >>> amount_of(total=100, paid=30, status="PAID"), amount_of(total=100, paid=30, status="SENT")
    (70, 100)
    """
    if status != PAID:
        return total
    return 0 if status_of_payment(paid, total) == PAYMENT_PAID else total - paid


class Asked(NamedTuple):
    """What a person was asked about an invoice, or would be asked by now: over how many cents, and of which tenant,
    None where the unit stands empty.
    """

    amount: int
    tenant_id: str | None


def why_not_as_asked(status: str, *, asked: Asked, now: Asked, currency: str) -> str | None:
    """Why an invoice is not set to a status that is not what was asked about any more. Who sets it back to a draft asks
    for nothing, and may.

    >>> why_not_as_asked("SENT", asked=Asked(45_00, "t"), now=Asked(50_00, "t"), currency="USD")
    'It comes to $50.00 by now, and $45.00 was asked about. Look at it, then send it.'
    >>> why_not_as_asked("PAID", asked=Asked(45_00, "t"), now=Asked(45_00, "u"), currency="USD")
    'It is for somebody else by now than when it was asked about. Look at it, then mark it as paid.'
    """
    if asked == now or status not in _THEN:
        return None
    then = f"Look at it, then {_THEN[status]}."
    if asked.amount == now.amount:
        return f"It is for somebody else by now than when it was asked about. {then}"
    amount, was = PLAIN.money(now.amount, currency), PLAIN.money(asked.amount, currency)
    comes = f"{amount} of it is still to be paid by now" if status == PAID else f"It comes to {amount} by now"
    return f"{comes}, and {was} was asked about. {then}"


_THEN = {SENT: "send it", PAID: "mark it as paid", CANCELLED: "cancel it"}


def fingerprint(amounts: Iterable[tuple[str, int]]) -> str:
    """What a person was asked about, in few characters: which invoices, and each over how many cents.

    >>> fingerprint([("inv_1", 100), ("inv_2", 5)]) == fingerprint([("inv_2", 5), ("inv_1", 100)])
    True
    """
    text = "\n".join(f"{invoice_id} {cents}" for invoice_id, cents in sorted(amounts))
    return sha256(text.encode()).hexdigest()[:_LONG_ENOUGH]


_LONG_ENOUGH = 32


def ask(
    verb: str, chosen: Chosen, *, amounts: str, late_bills: str = ASK, seen: str = "", write: Forms = PLAIN
) -> Question:
    """What is asked before invoices that come to `amounts` are changed; for sending see `send_question`.

    >>> ask("mark paid", Chosen(change=3), amounts="$120.00").title
    'Mark 3 invoices totaling $120.00 as paid?'
    """
    if not chosen.change:
        return nothing_to_do(verb, chosen, write)
    invoices = counted(chosen.change, "invoice", write)
    says = _DOES[verb].format(late=late_in_words(late_bills))
    title = _TITLES[verb].format(f"{invoices} totaling {amounts}")
    stay = staying(verb, chosen, write)
    return Question(f"{title}?", (says, *stay), _TITLES[verb].format(invoices), verb == BulkVerb.CANCEL, seen)


def nothing_to_do(verb: str, chosen: Chosen, write: Forms = PLAIN) -> Question:
    """What is said where a change would change nothing, and why."""
    return Question("There is nothing to do", staying(verb, chosen, write), "", is_grave=False)


def ask_hand_over(number: int, *, of: int, seen: str, write: Forms = PLAIN) -> Question:
    """What is asked before `number` invoices, of so many that are chosen, are noted as handed over.

    >>> ask_hand_over(2, of=3, seen="").says
    ('It is noted that their tenants have them. Nobody is e-mailed, and their status stays.', '1 stays as it is.')
    """
    says = ["It is noted that their tenants have them. Nobody is e-mailed, and their status stays."]
    if stay := of - number:
        says.append(f"{write.count(stay)} {'stays as it is' if stay == 1 else 'stay as they are'}.")
    were = "Was" if number == 1 else "Were"
    title = f"{were} {counted(number, 'invoice', write)} handed over?"
    return Question(title, tuple(says), "Handed over", is_grave=False, seen=seen)


def staying(verb: str, chosen: Chosen, write: Forms) -> tuple[str, ...]:
    """What is said of invoices that are left alone."""
    so = ("was sent before", "were sent before") if verb == BulkVerb.SEND else ("is so already", "are so already")
    kinds = (
        (
            chosen.already,
            f"1 {so[0]} and stays as it is.",
            f"{write.count(chosen.already)} {so[1]} and stay as they are.",
        ),
        (
            chosen.vacant,
            "1 is of a vacant unit and stays a draft: it is your own cost.",
            f"{write.count(chosen.vacant)} are of vacant units and stay drafts: they are your own cost.",
        ),
        (
            chosen.cancelled,
            "1 is cancelled and stays so: it asks for nothing.",
            f"{write.count(chosen.cancelled)} are cancelled and stay so: they ask for nothing.",
        ),
    )
    return tuple(one if number == 1 else many for number, one, many in kinds if number)


def of_mail(deliveries: Mapping[str, int], waits: str = "", write: Forms = PLAIN) -> tuple[str, ...]:
    """What is said of the e-mails of invoices that were sent; `waits` says why those wait that have not left.

    >>> of_mail({"queued": 2, "sent": 1}, "No e-mail leaves for now.")
    ('1 e-mail has left.', '2 e-mails have not left yet.', 'No e-mail leaves for now.')
    >>> of_mail({"written": 2})
    ('2 e-mails were written into the outbox folder and went to nobody: no mail server was set up.',)
    """
    left, written, queued = _left(deliveries), deliveries.get(WRITTEN, 0), deliveries.get(QUEUED, 0)
    says = []
    if left:
        says.append(f"{counted(left, 'e-mail', write)} {'has' if left == 1 else 'have'} left.")
    if written:
        were = f"{counted(written, 'e-mail', write)} {_were(written)} written into the outbox folder"
        says.append(f"{were} and went to nobody: no mail server was set up.")
    if queued:
        says.append(f"{counted(queued, 'e-mail', write)} {'has' if queued == 1 else 'have'} not left yet.")
        says += [waits] if waits else []
    return tuple(says)


def of_mail_that_stays(deliveries: Mapping[str, int], write: Forms = PLAIN) -> tuple[str, ...]:
    """What is said of the e-mails of invoices that were withdrawn: those that had left, and those already written.

    >>> of_mail_that_stays({"delivered": 1, "sent": 2, "written": 1})[0]
    '3 tenants have theirs by e-mail already: it stays with them.'
    >>> of_mail_that_stays({"written": 4})
    ('4 e-mails were written into the outbox folder already: they stay there.',)
    """
    left, written = _left(deliveries), deliveries.get(WRITTEN, 0)
    says = []
    if left:
        has = (
            "has it by e-mail already: it stays there"
            if left == 1
            else "have theirs by e-mail already: it stays with them"
        )
        says.append(f"{counted(left, 'tenant', write)} {has}.")
    if written:
        stays = "it stays" if written == 1 else "they stay"
        were = f"{counted(written, 'e-mail', write)} {_were(written)} written"
        says.append(f"{were} into the outbox folder already: {stays} there.")
    return tuple(says)


def _left(deliveries: Mapping[str, int]) -> int:
    return deliveries.get(MAIL_SENT, 0) + deliveries.get(DELIVERED, 0)


def ask_undo(verb: str, *, changed: int, deliveries: Mapping[str, int], write: Forms = PLAIN) -> Question:
    """What is asked before a change of `changed` invoices is taken back, whose e-mails stand so.

    >>> ask_undo("send", changed=3, deliveries={"sent": 2}).says[-1]
    '2 tenants have theirs by e-mail already: it stays with them.'
    >>> ask_undo("cancel", changed=1, deliveries={}).says
    ('It is set back to what it was, unless somebody has changed it since.', 'It asks for its amount again.')
    """
    one = changed == 1
    says = ["They are set back to what they were, but for those that somebody has changed since."]
    if one:
        says = ["It is set back to what it was, unless somebody has changed it since."]
    if verb == BulkVerb.SEND:
        says.append("E-mails that have not left are withdrawn. A month opens once nothing of it is sent or paid.")
    elif verb == BulkVerb.MARK_PAID:
        says.append("The payments that were noted by it are taken back.")
    elif verb == BulkVerb.CANCEL:
        says.append("It asks for its amount again." if one else "They ask for their amounts again.")
    says += of_mail_that_stays(deliveries, write)
    title = f"Take back the change of {counted(changed, 'invoice', write)}?"
    return Question(title, tuple(says), "Undo", is_grave=verb == BulkVerb.SEND)


_TITLES: Mapping[str, str] = {
    BulkVerb.MARK_PAID: "Mark {} as paid",
    BulkVerb.CANCEL: "Cancel {}",
    BulkVerb.REOPEN: "Move {} back to draft",
}
_DOES: Mapping[str, str] = {
    BulkVerb.MARK_PAID: "That each balance was received today is noted. Where a draft is marked as paid, its month "
    "closes.",
    BulkVerb.CANCEL: "They ask for nothing any more, and their part of the bills becomes the owner's cost. Payments "
    "that were noted by marking them as paid are taken back. Mail that has not left is withdrawn; what tenants have "
    "got stays with them.",
    BulkVerb.REOPEN: "They can be changed again, and payments that were noted by marking them as paid are taken back. "
    "A month opens once none of its invoices is sent or paid: its drafts are then computed again.",
}


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


_IS = {DRAFT: "a draft", SENT: "sent", PAID: "paid", OVERDUE: "overdue", CANCELLED: "cancelled"}
_WHY_NOT = {
    "vacant": "The unit stands empty in that month: there is nobody to send it to, and it is your own cost.",
    "cancelled": "It is cancelled and asks for nothing. To have it paid after all, open it and send it first.",
}


def why_not(*, expected: str | None, found: str, status: str, has_tenant: bool) -> str | None:
    """Why an invoice is left alone that is to have `status`: an undo takes back a change only where nobody has changed
    the invoice since; for the others see `part_of`.

    >>> why_not(expected="SENT", found="PAID", status="DRAFT", has_tenant=True)
    'It is paid by now, and was sent after the change that is taken back. Change it by itself if you want to.'
    >>> why_not(expected=None, found="PAID", status="SENT", has_tenant=True)
    'It was sent before and is paid by now. To e-mail it once more, open it and choose to send it again.'
    """
    if expected is not None:
        if expected == found:
            return None
        return (
            f"It is {_IS[found]} by now, and was {_IS[expected]} after the change that is taken back. "
            "Change it by itself if you want to."
        )
    part = part_of(found=found, status=status, has_tenant=has_tenant)
    if part == "already" and found != status:
        again = "To e-mail it once more, open it and choose to send it again."
        return f"It was sent before and is {_IS[found]} by now. {again}"
    return _WHY_NOT.get(part)
