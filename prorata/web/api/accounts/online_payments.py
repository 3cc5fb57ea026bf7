"""Online payments of an account: the payment provider through which its tenants pay.

The provider's keys and secrets are never returned once they have been entered.
"""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.limits import LONGEST_PROVIDER_KEY
from prorata.actions.online_payments import providers
from prorata.domain.money import in_figures
from prorata.domain.online_payments.providers import BY_NAME, PROVIDERS, PaymentProvider
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.online_payments.payment_links import FormerLink
from prorata.web.api.examples import PROVIDER_SENT
from prorata.web.http.fields import line
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body
from prorata.web.http.response_schemas import Answer, Figures, Message

_PATH = "/account/online-payments"
_CLOSING = "Links that were created with the previous key are still open at the provider."
_KEY = Meta(description="If omitted, the stored one is kept.")

ProviderName = Annotated[str, Meta(extra_json_schema={"enum": [provider.name for provider in PROVIDERS]})]


class OpenPaymentLink(Answer):
    """An open payment link that was created with an earlier API key of the provider."""

    invoice_id: str
    invoice_number: str | None
    amount: Figures
    currency: str
    provider_link_id: Annotated[str | None, Meta(description="The link's id at the provider.")]


class OnlinePayments(Answer):
    """An account's settings for online payments, without the provider's key and secret."""

    provider: Annotated[str | None, Meta(description="null: none was chosen.")]
    takes_payments: Annotated[bool, Meta(description="Sent invoices get a payment link.")]
    is_stopping: Annotated[bool, Meta(description="No new links are created, and open links are being closed.")]
    key_ends: Annotated[str | None, Meta(description="The last characters of the key.")]
    webhook_path: Annotated[
        str | None,
        Meta(description="The path on this server to which the provider must send its messages; null: ask for it."),
    ]
    open_links: Annotated[
        list[OpenPaymentLink], Meta(description="Links that were created with an earlier key and are still open.")
    ]


class ProviderChoice(Body):
    """The payment provider for whose messages to create an address."""

    provider: ProviderName


class OnlinePaymentsChoice(ProviderChoice):
    """The payment provider's API key, and the secret with which it signs its messages."""

    key: Annotated[str, line(LONGEST_PROVIDER_KEY), _KEY] | UnsetType = UNSET
    secret: Annotated[str, line(LONGEST_PROVIDER_KEY), _KEY] | UnsetType = UNSET


def _shown(call: Call[Any, Any]) -> OnlinePayments:
    row = providers.find(call.tx, call.caller)
    links = providers.still_open(call.tx, call.caller) if row and row.former_key else []
    its = BY_NAME.get(row.provider) if row else None
    return OnlinePayments(
        provider=row.provider if row else None,
        takes_payments=bool(row and row.takes_payments),
        is_stopping=bool(row and row.is_stopping),
        key_ends=row.key_ends if row else None,
        webhook_path=its.hook + row.token if its and row else None,
        open_links=[_link(link) for link in links],
    )


def _link(link: FormerLink) -> OpenPaymentLink:
    return OpenPaymentLink(
        invoice_id=link.invoice_id,
        invoice_number=link.number,
        amount=in_figures(link.amount),
        currency=link.currency,
        provider_link_id=link.provider_id,
    )


def _named(name: str) -> PaymentProvider:
    if (payment_provider := BY_NAME.get(name)) is None:
        names = ", ".join(BY_NAME)
        raise InvalidRequest.because([Problem("provider", f"`provider` must be one of {names}.")])
    return payment_provider


@operation("GET", _PATH, summary="Read how tenants pay online", answer=OnlinePayments, manages=True, is_one=True)
def read_online_payments(call: Call[None, None]) -> OnlinePayments:
    """Read the online payment settings, and the open links created with an earlier key."""
    return _shown(call)


@operation(
    "POST", _PATH + "/address", summary="Make an address for a provider's messages", body=ProviderChoice,
    answer=OnlinePayments, status=200, manages=True, example={"provider": PROVIDER_SENT["provider"]},
)  # fmt: skip
def make_provider_address(call: Call[None, ProviderChoice]) -> OnlinePayments:
    """Create the `webhookPath`, the path to which the payment provider sends its messages.

    Enter this server's address with this path at the provider, which then shows you its signing secret. To start
    online payments, send the secret and the provider's API key with `PUT /account/online-payments`.
    """
    providers.give_address(call.tx, call.caller, _named(call.body.provider))
    return _shown(call)


@operation(
    "PUT", _PATH, summary="Have tenants pay online", body=OnlinePaymentsChoice, answer=OnlinePayments, manages=True,
    is_secret=True, conflict=f"Tenants pay by another provider. Or: {_CLOSING}", example=PROVIDER_SENT,
)  # fmt: skip
def use_online_payments(call: Call[None, OnlinePaymentsChoice]) -> OnlinePayments:
    """Start online payments: from now on, each sent invoice gets a payment link.

    Open payment links that were created with another API key of the provider are closed, and replaced by links
    created with this key.
    """
    body, vault = call.body, call.receivers.vault
    providers.use(call.tx, call.caller, _named(body.provider), body.key or "", body.secret or "", vault)
    return _shown(call)


@operation(
    "DELETE", _PATH, summary="Stop online payments", answer=Message, manages=True,
    conflict="Online payments aren’t turned on.",
)  # fmt: skip
def stop_online_payments(call: Call[None, None]) -> Message:
    """Stop online payments: invoices no longer show payment links.

    Open links are closed at the payment provider. Payments that tenants make before a link is closed still count.
    """
    providers.stop(call.tx, call.caller)
    return Message(message="Online payments have been turned off.")


@operation(
    "POST", _PATH + "/close-again", summary="Close open payment links again", answer=OnlinePayments, status=200,
    manages=True,
)  # fmt: skip
def close_payment_links_again(call: Call[None, None]) -> OnlinePayments:
    """Try again at once to close open payment links created with an earlier key."""
    providers.try_again(call.tx, call.caller)
    return _shown(call)


@operation(
    "POST", _PATH + "/forget-key", summary="Forget a former payment key", answer=OnlinePayments, status=200,
    manages=True, conflict="There is no key to forget.",
)  # fmt: skip
def forget_payment_key(call: Call[None, None]) -> OnlinePayments:
    """Delete a provider's earlier API key, even if payment links created with it are open.

    The links stay open at the provider, and payments through them are not reported to Prorata.
    """
    providers.forget_former_key(call.tx, call.caller)
    return _shown(call)
