"""Receipts of payments, and the sentences that tell members about sending receipts by e-mail."""

from datetime import date
from typing import NamedTuple

from prorata.domain.delivery.send_schedule import Leaving, NoServer, in_minutes, of_many
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import Text, joined, say, say_n


class Receipt(NamedTuple):
    """The payment that a receipt confirms: its amount in cents, its day and its method.

    The method of payment is one of `ledger.METHODS`. `reference` is what a person or a bank file noted of the payment,
    such as a check's number. `is_extra` is set if the invoice was already paid in full before this payment.
    `refunds` are the cents of this payment that were paid back (`ledger.paid_back`), with their days. If more was paid
    since, `open_then` are the cents that were open after this payment.
    """

    amount: int
    day: date
    method: str
    reference: str = ""
    is_extra: bool = False
    refunds: tuple[tuple[int, date], ...] = ()
    open_then: int = 0


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


def going_out(number: int, leaving: Leaving, write: Forms = PLAIN) -> Text:
    """State when queued receipts are sent, why they wait, or that they are only saved.

    Unlike other mail, receipts do not wait for a time of day, but only for `leaving.hold`.

    >>> from prorata.domain.delivery.send_schedule import NO_SERVER
    >>> going_out(1, Leaving()), going_out(2, Leaving(hold=5, why_not=NO_SERVER))
    ('1 receipt will be sent by e-mail at once.',
     '2 receipts will be saved in the outbox folder in 5 minutes, because e-mail isn’t set up.')
    >>> going_out(98, Leaving(room=64))
    '98 receipts will be sent by e-mail. A new account can send 200 e-mails a day in its first week: 64 will be sent
    today, and the others on the following days.'
    """
    values = {"n": write.count(number), "when": in_minutes(leaving.hold, write)}
    if leaving.is_saved:
        return say_n(
            "{n} receipt will be saved in the outbox folder {when}, because e-mail isn’t set up.",
            "{n} receipts will be saved in the outbox folder {when}, because e-mail isn’t set up.",
            number, **values,
        )  # fmt: skip
    if leaving.why_not or (leaving.room is not None and leaving.room < number):
        told = say_n("{n} receipt will be sent by e-mail.", "{n} receipts will be sent by e-mail.", number, **values)
        return joined([told, of_many(leaving, number, write)])
    return say_n(
        "{n} receipt will be sent by e-mail {when}.", "{n} receipts will be sent by e-mail {when}.", number, **values
    )
