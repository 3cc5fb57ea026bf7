"""Bulk resending of e-mails that did not arrive: the eligible invoices, and the confirmation."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from prorata.domain.bulk.bulk import Question, fingerprint
from prorata.domain.delivery.invoice_steps import AS_SENT
from prorata.domain.invoice_states import CLOSING
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.deliveries import QUEUED, REACHED_NOBODY, is_of_the_address, why_by_hand
from prorata.domain.texts import joined, listed, say, say_n

_NAMED = 3
"""The maximum number of tenants who are named because nothing is sent to them.

Further tenants are only counted.
"""


class Undelivered(NamedTuple):
    """An invoice with the outcome of its latest e-mail.

    `address` is the tenant's current address, `sent_to` the address to which the e-mail was sent, and `said` the
    reason why it was not delivered.
    """

    invoice_id: str
    status: str
    delivery: str | None
    tenant_id: str | None
    tenant_name: str | None
    address: str | None
    sent_to: str | None
    said: str | None


Part = Literal["goes", "wrong", "by hand", "not failed"]


def part_of(undelivered: Undelivered, *, mail_on: bool) -> Part:
    """Return "goes" if an invoice can be e-mailed again, or else the reason why not.

    The reasons are "not failed" (the last e-mail did not fail), "by hand" (nobody can be e-mailed), and "wrong"
    (the tenant's address is still the one to which the last e-mail failed).

    >>> ann = Undelivered("inv_1", "SENT", "failed", "tenant_1", "Ann", "a@example.org", "a@example.org", "Shut.")
    >>> part_of(ann, mail_on=True), part_of(ann, mail_on=False), part_of(ann._replace(delivery="sent"), mail_on=True)
    ('goes', 'by hand', 'not failed')
    >>> part_of(ann._replace(delivery="bounced"), mail_on=True)
    'wrong'
    >>> part_of(ann._replace(delivery="bounced", sent_to="old@example.org"), mail_on=True)
    'goes'
    >>> part_of(ann._replace(delivery="written", said="It is in the outbox folder"), mail_on=True)
    'goes'
    """
    if undelivered.status not in CLOSING or undelivered.delivery not in REACHED_NOBODY:
        return "not failed"
    if why_by_hand(mail_on=mail_on, tenant_id=undelivered.tenant_id, address=undelivered.address):
        return "by hand"
    return (
        "wrong"
        if undelivered.address == undelivered.sent_to and is_of_the_address(undelivered.delivery, undelivered.said)
        else "goes"
    )


def why_not(undelivered: Undelivered, *, mail_on: bool) -> str | None:
    """Explain in a sentence why an invoice is not e-mailed again.

    The result is None if it is e-mailed again.
    """
    match part_of(undelivered, mail_on=mail_on):
        case "wrong":
            return say(
                "{name} still has the address that failed: {address}. Correct the address, then send the invoice "
                "again.",
                name=undelivered.tenant_name, address=undelivered.address,
            )  # fmt: skip
        case "by hand":
            return why_by_hand(mail_on=mail_on, tenant_id=undelivered.tenant_id, address=undelivered.address)
        case "not failed" if undelivered.delivery == QUEUED:
            return say("It is already waiting to be e-mailed. The list of background tasks shows when it will be sent.")
        case "not failed":
            return say("Its e-mail did not fail. To e-mail it once more, open it and choose to send it again.")
        case _:
            return None


def ask(chosen: Sequence[Undelivered], *, mail_on: bool, leaves: str, write: Forms = PLAIN) -> Question:
    """Build the confirmation of e-mailing invoices again; `leaves` says when the e-mails leave.

    >>> ann = Undelivered("inv_1", "SENT", "failed", "tenant_1", "Ann", "a@example.org", "a@example.org", "Shut.")
    >>> bo = ann._replace(invoice_id="inv_2", tenant_name="Bo", delivery="bounced")
    >>> asked = ask([ann, bo], mail_on=True, leaves="They leave at once.")
    >>> asked.title
    'Send the e-mail for 1 invoice again?'
    >>> asked.says[2]
    'Nothing is sent to Bo, because the address is still the one that failed. Correct it.'
    """
    parts = [(part_of(undelivered, mail_on=mail_on), undelivered) for undelivered in chosen]
    going = [undelivered for part, undelivered in parts if part == "goes"]
    stay = _staying(parts, write)
    if not going:
        return Question(say("There is nothing to send again"), stay, "", is_grave=False)
    number = len(going)
    n = write.count(number)
    goes = say_n("It goes to the tenant’s current address.", "Each goes to the tenant’s current address.", number)
    seen = fingerprint((undelivered.invoice_id, 0) for undelivered in going)
    title = say_n("Send the e-mail for {n} invoice again?", "Send the e-mails for {n} invoices again?", number, n=n)
    says = (joined([goes, leaves]), AS_SENT.of(number, n), *stay)
    return Question(title, says, say("Send {n} again", n=n), is_grave=False, seen=seen, mails=True)


def _staying(parts: Sequence[tuple[Part, Undelivered]], write: Forms) -> tuple[str, ...]:
    wrong = [undelivered.tenant_name or say("somebody") for part, undelivered in parts if part == "wrong"]
    by_hand = sum(part == "by hand" for part, _ in parts)
    others = sum(part == "not failed" for part, _ in parts)
    says = []
    if wrong:
        names = list(dict.fromkeys(wrong))
        more = len(names) - _NAMED
        named = [*names[:_NAMED], say("{n} more", n=write.count(more))] if more > 0 else names
        says.append(
            say(
                "Nothing is sent to {people}, because the address is still the one that failed. Correct it.",
                people=listed(named),
            )
        )
    if by_hand:
        n = write.count(by_hand)
        says.append(say("{n} can't be e-mailed, because the address is missing or the account sends no e-mail.", n=n))
    if others:
        says.append(
            say_n(
                "{n} has an e-mail that did not fail, and stays as it is.",
                "{n} have e-mails that did not fail, and stay as they are.",
                others,
                n=write.count(others),
            )
        )
    return tuple(says)
