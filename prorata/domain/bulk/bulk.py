"""Bulk changes to invoices: the available actions, and the outcome for each invoice."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Literal, NamedTuple

from prorata.domain.bulk.mail_outcomes import of_mail_that_stays
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
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import Text, joined, say, say_n

VERBS: Mapping[str, str] = {verb: verb.status for verb in BulkVerb if verb.status is not None}
"""The bulk actions that set an invoice's status, with that status."""
ASKED = tuple(verb for verb in VERBS if verb != BulkVerb.CONFIRM_PAID)
"""The changes of status that a person confirms; marking as paid is confirmed alike with receipts and without."""
WAITING, CHANGED, UNCHANGED, REFUSED = "waiting", "changed", "unchanged", "refused"
OUTCOMES = (WAITING, CHANGED, UNCHANGED, REFUSED)
"""The outcomes for an invoice; `unchanged` means that it already had the status."""
GOING_ON, DONE, STOPPED = "going on", "done", "stopped"
STATES = (GOING_ON, DONE, STOPPED)
CHARGES_DIFFER = say(
    "Its charges differ from those that were sent, because something has changed in the meantime. It is a draft: "
    "review it, then send it."
)
"""The reason an undo leaves an invoice as a draft: its charges have changed."""
NOT_KNOWN = say("Its previous status is no longer known. Change it individually if you want to.")


class Numbers(NamedTuple):
    """The progress of a bulk change, as numbers of invoices."""

    waiting: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: int = 0

    @property
    def total(self) -> int:
        """The number of invoices in the bulk change."""
        return sum(self)


def in_words(verb: str, state: str, numbers: Numbers, write: Forms = PLAIN) -> Text:
    """Summarize the outcome so far of a bulk change in a sentence.

    >>> in_words("send", "done", Numbers(changed=41, unchanged=2, refused=1))
    '41 of 44 invoices were marked as sent; 2 were already in this state; 1 was skipped.'
    >>> in_words("cancel", "going on", Numbers(waiting=10, changed=30))
    '30 of 40 invoices were cancelled; 10 are still to be done.'
    """
    changed, unchanged, refused, waiting = numbers.changed, numbers.unchanged, numbers.refused, numbers.waiting
    total = say_n("{n} invoice", "{n} invoices", numbers.total, n=write.count(numbers.total))
    parts = [BulkVerb.of_code(verb).were.format(invoices=total).of(changed, write.count(changed))]
    if unchanged:
        parts.append(
            say_n(
                "{n} was already in this state", "{n} were already in this state", unchanged, n=write.count(unchanged)
            )
        )
    if refused:
        parts.append(say_n("{n} was skipped", "{n} were skipped", refused, n=write.count(refused)))
    if waiting and state == STOPPED:
        parts.append(say_n("{n} was left as it is", "{n} were left as they are", waiting, n=write.count(waiting)))
    elif waiting:
        parts.append(say_n("{n} is still to be done", "{n} are still to be done", waiting, n=write.count(waiting)))
    return say("{done}.", done=joined(parts, "; "))


def together_in_words(done: str, number: int, write: Forms = PLAIN) -> Text:
    """Describe a bulk action in words that follow the actor's name.

    >>> together_in_words("mark paid", 300), together_in_words("undo", 2)
    ('marked 300 invoices as paid', 'took back a change of 2 invoices')
    """
    return BulkVerb.of_code(done).together.of(number, write.count(number))


class Question(NamedTuple):
    """The confirmation shown before many invoices are changed.

    `does` is the label of the button, empty if nothing would be changed. `is_grave` is set if the change withdraws
    something that tenants have received. `seen` is a fingerprint of what the person is shown, to detect changes
    that happen before the person confirms. `facts` are pairs of a label and a value, each shown on a line. `drafts`
    are the drafts that the change sends, each with its property and month before its own id. `mails` is set if
    somebody is e-mailed. `receipts` is the label of the checkbox for sending tenants receipts, empty if there is
    none. `to_print` are the ids of invoices to remind of on paper, and `reminders` those by e-mail, each with a name.
    """

    title: str
    says: tuple[str, ...]
    does: str
    is_grave: bool
    seen: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    drafts: tuple[tuple[str, str, str], ...] = ()
    mails: bool = False
    receipts: str = ""
    to_print: tuple[str, ...] = ()
    reminders: tuple[tuple[str, str], ...] = ()


class Chosen(NamedTuple):
    """The numbers of chosen invoices by the effect that the change has on them.

    `change` counts the invoices that change. The other numbers count those that stay unchanged, by reason
    (`part_of`).
    """

    change: int = 0
    already: int = 0
    vacant: int = 0
    cancelled: int = 0


Part = Literal["change", "already", "vacant", "cancelled"]


def part_of(*, found: str, status: str, has_tenant: bool) -> Part:
    """Return the effect on an invoice of setting many invoices to `status`.

    The result is "change" if the invoice changes. If not, the result is the reason: "already" (it has the status,
    or was sent before), "vacant" (its unit is vacant), or "cancelled". Paid invoices are not sent, because sending
    them would undo the mark as paid. An invoice without a tenant is not sent, and a draft without one is not marked
    as paid: its amount is the owner's part. A cancelled invoice asks for no money, so it is not marked as paid.

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
    """Return the amount, in cents, that a status change concerns.

    For PAID, the amount is the unpaid part; for other statuses, the total.

    >>> amount_of(total=100, paid=30, status="PAID"), amount_of(total=100, paid=30, status="SENT")
    (70, 100)
    """
    if status != PAID:
        return total
    return 0 if status_of_payment(paid, total) == PAYMENT_PAID else total - paid


class Asked(NamedTuple):
    """An invoice's amount and tenant, as a person confirmed them or as they are now.

    `amount` is in cents (`amount_of`). `tenant_id` is None if the unit is vacant.
    """

    amount: int
    tenant_id: str | None


def why_not_as_asked(status: str, *, asked: Asked, now: Asked, currency: str) -> str | None:
    """Explain why a status is not set on an invoice that changed after the confirmation.

    `asked` contains the amount and tenant that the person confirmed, and `now` the current ones. The result is None
    if the status may be set. An invoice may always be set back to draft, because a draft does not ask for money.

    >>> why_not_as_asked("SENT", asked=Asked(45_00, "t"), now=Asked(50_00, "t"), currency="USD")
    'It now comes to $50.00, but the confirmation was for $45.00. Review it, then send it.'
    >>> why_not_as_asked("PAID", asked=Asked(45_00, "t"), now=Asked(45_00, "u"), currency="USD")
    'It is no longer for the same tenant as when this was confirmed. Review it, then mark it as paid.'
    """
    if asked == now or status not in _THEN:
        return None
    if asked.amount == now.amount:
        return joined([say("It is no longer for the same tenant as when this was confirmed."), _THEN[status]])
    amount, was = PLAIN.money(now.amount, currency), PLAIN.money(asked.amount, currency)
    if status == PAID:
        comes = say("{amount} of it is still unpaid now, but the confirmation was for {was}.", amount=amount, was=was)
    else:
        comes = say("It now comes to {amount}, but the confirmation was for {was}.", amount=amount, was=was)
    return joined([comes, _THEN[status]])


_THEN = {
    SENT: say("Review it, then send it."),
    PAID: say("Review it, then mark it as paid."),
    CANCELLED: say("Review it, then cancel it."),
}


def fingerprint(amounts: Iterable[tuple[str, int]]) -> str:
    """Return a fingerprint of the invoices to confirm and their amounts in cents.

    The order of the invoices makes no difference.

    >>> fingerprint([("inv_1", 100), ("inv_2", 5)]) == fingerprint([("inv_2", 5), ("inv_1", 100)])
    True
    """
    text = "\n".join(f"{invoice_id} {cents}" for invoice_id, cents in sorted(amounts))
    return sha256(text.encode()).hexdigest()[:32]


def ask(
    verb: str, chosen: Chosen, *, amounts: str, mails: int = 0, also: Iterable[str] = (), seen: str = "",
    write: Forms = PLAIN) -> Question:  # fmt: skip
    """Build the confirmation of changing many invoices; see `send_question` for sending them.

    `chosen` counts the invoices by effect; `amounts` is the total of those that change, and `mails` the number of their
    unsent e-mails, which would be withdrawn. `also` has further effects, and `seen` is the confirmation's fingerprint.

    >>> ask("mark paid", Chosen(change=3), amounts="$120.00").title
    'Mark 3 invoices totaling $120.00 as paid?'
    """
    if not chosen.change:
        return nothing_to_do(verb, chosen, write)
    number, n = chosen.change, write.count(chosen.change)
    title = _TITLES[verb].format(amounts=amounts).of(number, n)
    stay = staying(verb, chosen, write)
    mail = (_MAIL_TAKEN_BACK.of(mails, write.count(mails)),) if mails else ()
    return Question(
        title, (_DOES[verb], *also, *mail, *stay), _BUTTONS[verb].of(number, n), verb == BulkVerb.CANCEL, seen
    )


def nothing_to_do(verb: str, chosen: Chosen, write: Forms = PLAIN) -> Question:
    """Build the notice that a change would have no effect, which lists the reasons."""
    return Question(say("There is nothing to do"), staying(verb, chosen, write), "", is_grave=False)


def ask_hand_over(number: int, *, of: int, seen: str, write: Forms = PLAIN) -> Question:
    """Build the confirmation of marking `number` of the chosen invoices as handed over.

    `of` is the number of chosen invoices; the others stay as they are. `seen` is the confirmation's fingerprint.

    >>> ask_hand_over(2, of=3, seen="").says
    ('They are marked as handed over. Nobody is e-mailed, and their status does not change.', '1 stays as it is.')
    """
    says = [
        say_n(
            "It is marked as handed over. Nobody is e-mailed, and its status does not change.",
            "They are marked as handed over. Nobody is e-mailed, and their status does not change.",
            number,
        )
    ]
    if stay := of - number:
        says.append(say_n("{n} stays as it is.", "{n} stay as they are.", stay, n=write.count(stay)))
    title = say_n("Was {n} invoice handed over?", "Were {n} invoices handed over?", number, n=write.count(number))
    return Question(title, tuple(says), say("Handed over"), is_grave=False, seen=seen)


def staying(verb: str, chosen: Chosen, write: Forms) -> tuple[str, ...]:
    """Describe the chosen invoices that stay unchanged, with the reasons."""
    already = (
        say_n("{n} was already sent and stays as it is.", "{n} were already sent and stay as they are.", 2)
        if verb == BulkVerb.SEND
        else say_n(
            "{n} already has this status and stays as it is.", "{n} already have this status and stay as they are.", 2
        )
    )
    kinds = ((chosen.already, already), (chosen.vacant, _VACANT), (chosen.cancelled, _CANCELLED))
    return tuple(sentence.of(number, write.count(number)) for number, sentence in kinds if number)


_MAIL_TAKEN_BACK = say_n(
    "{n} e-mail has not been sent yet and will be withdrawn: its tenant won’t receive it.",
    "{n} e-mails have not been sent yet and will be withdrawn: their tenants won’t receive them.",
    2,
)
_VACANT = say_n(
    "{n} is for a vacant unit and stays a draft: you bear its cost.",
    "{n} are for vacant units and stay drafts: you bear their cost.",
    2,
)
_CANCELLED = say_n(
    "{n} is cancelled and stays that way: nothing is owed on it.",
    "{n} are cancelled and stay that way: nothing is owed on them.",
    2,
)


def ask_undo(verb: str, *, changed: int, deliveries: Mapping[str, int], write: Forms = PLAIN) -> Question:
    """Build the confirmation of undoing a bulk change of `changed` invoices.

    `verb` is the action of the bulk change. `deliveries` counts the change's e-mails by state. The confirmation
    mentions e-mails that have already been sent.

    >>> ask_undo("send", changed=3, deliveries={"sent": 2}).says[-1]
    '2 e-mails have already been sent and can’t be recalled.'
    >>> ask_undo("cancel", changed=1, deliveries={}).says
    ('It returns to its previous status, unless somebody has changed it since.', 'It asks for payment again.')
    """
    says: list[str] = [
        say_n(
            "It returns to its previous status, unless somebody has changed it since.",
            "They return to their previous status, except for those that somebody has changed since.",
            changed,
        )
    ]
    if verb == BulkVerb.SEND:
        says.append(
            say(
                "E-mails that have not been sent are withdrawn. A month reopens once none of its invoices is "
                "sent or paid."
            )
        )
    elif BulkVerb.of_code(verb).status == PAID:
        says.append(say("The payments noted by this change are undone."))
    elif verb == BulkVerb.CANCEL:
        says.append(say_n("It asks for payment again.", "They ask for payment again.", changed))
    says += of_mail_that_stays(deliveries, write)
    title = say_n(
        "Undo the change to {n} invoice?", "Undo the change to {n} invoices?", changed, n=write.count(changed)
    )
    return Question(title, tuple(says), say("Undo"), is_grave=verb == BulkVerb.SEND)


_TITLES: Mapping[str, Text] = {
    BulkVerb.MARK_PAID: say_n(
        "Mark {n} invoice totaling {amounts} as paid?", "Mark {n} invoices totaling {amounts} as paid?", 2
    ),
    BulkVerb.CANCEL: say_n("Cancel {n} invoice totaling {amounts}?", "Cancel {n} invoices totaling {amounts}?", 2),
    BulkVerb.REOPEN: say_n(
        "Move {n} invoice totaling {amounts} back to draft?", "Move {n} invoices totaling {amounts} back to draft?", 2
    ),
}
_BUTTONS: Mapping[str, Text] = {
    BulkVerb.MARK_PAID: say_n("Mark {n} invoice as paid", "Mark {n} invoices as paid", 2),
    BulkVerb.CANCEL: say_n("Cancel {n} invoice", "Cancel {n} invoices", 2),
    BulkVerb.REOPEN: say_n("Move {n} invoice back to draft", "Move {n} invoices back to draft", 2),
}
_DOES: Mapping[str, Text] = {
    BulkVerb.MARK_PAID: say(
        "Each balance is noted as received today. The tenants’ statements then say “Noted as paid”; to keep the method "
        "and reference of a payment, record the payment instead. Marking a draft as paid closes its month."
    ),
    BulkVerb.CANCEL: say(
        "They no longer ask for payment, and their part of the bills becomes the owner's cost. Payments that were "
        "recorded or made online stay, and are yours to refund. E-mails that have not been sent are withdrawn; "
        "tenants keep what they have received."
    ),
    BulkVerb.REOPEN: say(
        "They can be changed again. Payments that were recorded or made online stay, and count when the invoices are "
        "sent again. A month reopens once none of its invoices is sent or paid: its drafts are then recalculated."
    ),
}
_IS = {
    DRAFT: say("a draft"),
    SENT: say("sent"),
    PAID: say("paid"),
    OVERDUE: say("overdue"),
    CANCELLED: say("cancelled"),
}
_WHY_NOT = {
    "vacant": say("The unit is vacant in that month: there is nobody to send the invoice to, and you bear its cost."),
    "cancelled": say(
        "It is cancelled, so nothing is owed on it. To have it paid after all, open it and send it first."
    ),
}


def why_not(*, expected: str | None, found: str, status: str, has_tenant: bool) -> str | None:
    """Explain why an invoice is not set to `status`; None if it will be set.

    `found` is the invoice's current status. For an undo, `expected` is the status that the undone change had set.
    If it differs from `found`, somebody has changed the invoice since. For all other changes, `expected` is None,
    and `part_of` decides.

    >>> why_not(expected="SENT", found="PAID", status="DRAFT", has_tenant=True)
    'It is now paid, but was sent after the change that is being undone. Change it individually if you want to.'
    >>> why_not(expected=None, found="PAID", status="SENT", has_tenant=True)
    'It was sent before and is now paid. To e-mail it once more, open it and choose to send it again.'
    """
    if expected is not None:
        if expected == found:
            return None
        return say(
            "It is now {now}, but was {was} after the change that is being undone. Change it individually if you "
            "want to.",
            now=_IS[found],
            was=_IS[expected],
        )
    part = part_of(found=found, status=status, has_tenant=has_tenant)
    if part == "already" and found != status:
        return say(
            "It was sent before and is now {now}. To e-mail it once more, open it and choose to send it again.",
            now=_IS[found],
        )
    return _WHY_NOT.get(part)
