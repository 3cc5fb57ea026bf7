"""Protocols for payment providers: making payment links, and reading providers' messages."""

from datetime import datetime
from typing import NamedTuple, Protocol

from prorata.domain.online_payments.payment_links import ProviderEvent


class LinkAsked(NamedTuple):
    """A request to a provider to make a payment link for an invoice.

    `amount` is the amount to pay in cents, and `number` the invoice's number. If a request is repeated with the
    same `key`, the provider returns the same link.
    """

    key: str
    account_id: str
    amount: int
    currency: str
    number: str


class LinkMade(NamedTuple):
    """The outcome if the provider has made the link.

    `id` is the link's id at the provider, and `url` the address at which the tenant pays.
    """

    id: str
    url: str


class LinkClosed(NamedTuple):
    """The outcome if nobody can pay through the link any longer.

    `was_there` is False if the provider account that the API key belongs to has no such link.
    """

    was_there: bool = True


class PaymentsRefused(NamedTuple):
    """The outcome if the provider refuses the request, and would refuse it again.

    `why` tells a person what to do.
    """

    why: str


class PaymentsDelayed(NamedTuple):
    """The outcome if the provider gave no usable answer; the request must be repeated.

    `why` is the reason in a sentence. If `is_kept` is set, the provider gives the same answer to every request with
    this idempotency key, so the next attempt must use a different key.
    """

    why: str
    is_kept: bool = False


class PaymentGateway(Protocol):
    """A payment provider's service that makes and closes payment links.

    It must not be called while a transaction is open. It handles one link at a time. Expected failures are returned as
    outcomes, not raised as exceptions.
    """

    def make(self, key: str, asked: LinkAsked) -> LinkMade | PaymentsRefused | PaymentsDelayed:
        """Make a payment link; `key` is the account's API key for the provider."""
        ...

    def close(self, key: str, link_id: str) -> LinkClosed | PaymentsRefused | PaymentsDelayed:
        """Close a payment link, so that nobody can pay through it any longer.

        A link that is already closed, or does not exist, counts as closed.
        """
        ...


class PaymentEventReader(Protocol):
    """A reader of the messages that a payment provider sends to Prorata."""

    def __call__(self, body: bytes, signature: str, secret: str, now: datetime) -> ProviderEvent | None:
        """Read a provider's message; return None if it isn't about a link that Prorata made.

        Raises `errors.InvalidRequest` if the message is not signed by the provider, or if the signature is too old.
        """
        ...
