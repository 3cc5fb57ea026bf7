"""Receipts of payments, and the sentences about those that tenants get by e-mail."""

from datetime import date
from typing import NamedTuple

from prorata.domain.delivery.send_schedule import NoServer
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import Text, say, say_n


class Receipt(NamedTuple):
    """The payment that a receipt confirms.

    It has the amount in cents, the day, and the method of payment (`ledger.METHODS`).
    """

    amount: int
    day: date
    method: str


def offered(tenant: str, held: str | None) -> Text:
    """Return the label of the checkbox for a payment's receipt.

    `held` is the reason why mail waits; if it is `NoServer`, receipts are only saved to the outbox folder.

    >>> from prorata.domain.delivery.send_schedule import NO_SERVER
    >>> offered("Ann", None), offered("Ann", NO_SERVER)
    ('A receipt goes to Ann by e-mail', 'A receipt for Ann is saved in the outbox folder')
    """
    if isinstance(held, NoServer):
        return say("A receipt for {tenant} is saved in the outbox folder", tenant=tenant)
    return say("A receipt goes to {tenant} by e-mail", tenant=tenant)


def offered_to_all(held: str | None) -> Text:
    """Return the label of the checkbox for the receipts of many payments; see `offered`."""
    if isinstance(held, NoServer):
        return say("Receipts for the tenants who have an address are saved in the outbox folder")
    return say("Receipts go by e-mail to the tenants who have an address")


def gone_out(number: int, held: str | None, write: Forms = PLAIN) -> Text:
    """State that receipts were queued, or saved for lack of a mail server.

    `held` is the reason why mail waits, if it does: `NoServer` means that messages are only saved.

    >>> from prorata.domain.delivery.send_schedule import NO_SERVER
    >>> gone_out(1, None), gone_out(12, NO_SERVER)
    ('1 receipt is being sent by e-mail.', '12 receipts are saved in the outbox folder, because e-mail isn’t set up.')
    """
    if isinstance(held, NoServer):
        return say_n(
            "{n} receipt is saved in the outbox folder, because e-mail isn’t set up.",
            "{n} receipts are saved in the outbox folder, because e-mail isn’t set up.",
            number,
            n=write.count(number),
        )
    return say_n(
        "{n} receipt is being sent by e-mail.", "{n} receipts are being sent by e-mail.", number, n=write.count(number)
    )
