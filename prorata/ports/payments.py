"""Payment providers, as protocols: who makes links, and who reads what providers send."""

from datetime import datetime
from typing import NamedTuple, Protocol

from prorata.domain.online_payments.payment_links import ProviderEvent


class LinkAsked(NamedTuple):
    """A payment link that is to be made: for `amount` cents, of the invoice with this `number`. Whoever asks twice with
    one `key` is given the same link.
    """

    key: str
    account_id: str
    amount: int
    currency: str
    number: str


class LinkMade(NamedTuple):
    """The link is there. `id` is what the provider calls it, `url` where it is paid."""

    id: str
    url: str


class LinkClosed(NamedTuple):
    """The link can be paid no more. `was_there` says that whoever asked may close it: it is a link of theirs."""

    was_there: bool = True


class PaymentsRefused(NamedTuple):
    """The provider refuses, and will again. `why` is a sentence that says what a person can do."""

    why: str


class PaymentsDelayed(NamedTuple):
    """The provider did not answer, or not yet: ask again later. `why` is a sentence. Where it gave an answer that it
    gives to each further question under the same key, `is_kept`, another key is to be asked under.
    """

    why: str
    is_kept: bool = False


class PaymentGateway(Protocol):
    """Makes and closes payment links, one at a time, with no transaction open. Expected failures are outcomes."""

    def make(self, key: str, asked: LinkAsked) -> LinkMade | PaymentsRefused | PaymentsDelayed:
        """Have a link made; `key` is what the account is known by at the provider."""
        ...

    def close(self, key: str, link_id: str) -> LinkClosed | PaymentsRefused | PaymentsDelayed:
        """Have a link closed. One that is closed already, or is not there, is closed."""
        ...


class PaymentEventReader(Protocol):
    """Reads what a payment provider sends."""

    def __call__(self, body: bytes, signature: str, secret: str, now: datetime) -> ProviderEvent | None:
        """What a message says; None for one that is about nothing of ours. Raises `errors.InvalidRequest` where its
        signature is not the provider's, or too old.
        """
        ...
