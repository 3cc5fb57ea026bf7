"""Receipts of payments, and the sentences that tell members about sending receipts by e-mail."""

from datetime import date
from typing import NamedTuple

from prorata.domain.delivery.send_schedule import NoServer, in_minutes
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import Text, say, say_n


class Receipt(NamedTuple):
    """The payment that a receipt confirms: its amount in cents, its day and its method.

    The method of payment is one of `ledger.METHODS`. `reference` is what a person or a bank file noted of the payment,
    such as a check's number.
    """

    amount: int
    day: date
    method: str
    reference: str = ""


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


def going_out(number: int, held: str | None, minutes: int, write: Forms = PLAIN) -> Text:
    """State when queued receipts are sent, or saved because there is no mail server.

    `held` is the reason why mail waits, or None. If it is `NoServer`, messages are only saved to the outbox folder.
    `minutes` is the time that the receipts wait.

    >>> from prorata.domain.delivery.send_schedule import NO_SERVER
    >>> going_out(1, None, 0), going_out(2, NO_SERVER, 5)
    ('1 receipt will be sent by e-mail at once.',
     '2 receipts will be saved in the outbox folder in 5 minutes, because e-mail isn’t set up.')
    """
    values = {"n": write.count(number), "when": in_minutes(minutes, write)}
    if isinstance(held, NoServer):
        return say_n(
            "{n} receipt will be saved in the outbox folder {when}, because e-mail isn’t set up.",
            "{n} receipts will be saved in the outbox folder {when}, because e-mail isn’t set up.",
            number, **values,
        )  # fmt: skip
    return say_n(
        "{n} receipt will be sent by e-mail {when}.", "{n} receipts will be sent by e-mail {when}.", number, **values
    )
