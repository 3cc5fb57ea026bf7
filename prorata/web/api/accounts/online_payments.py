"""Online payments of an account: by which provider its tenants pay. What is entered of it never comes back."""

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
_CLOSING = "Links that were made with the key before are still open at the provider."
_KEY = Meta(description="Left out: the one that is kept.")

ProviderName = Annotated[str, Meta(extra_json_schema={"enum": [one.name for one in PROVIDERS]})]


class OpenPaymentLink(Answer):
    """A link that was made with a key which is used no more, and is open at the provider still."""

    invoice_id: str
    invoice_number: str | None
    amount: Figures
    currency: str
    provider_link_id: Annotated[str | None, Meta(description="Its id at the provider.")]


class OnlinePayments(Answer):
    """How tenants pay online. Neither key nor secret is ever answered."""

    provider: Annotated[str | None, Meta(description="null: none was chosen.")]
    takes_payments: Annotated[bool, Meta(description="Invoices that are sent get a payment link.")]
    is_stopping: Annotated[bool, Meta(description="No link is made any more; those that are open are being closed.")]
    key_ends: Annotated[str | None, Meta(description="The last characters of the key.")]
    webhook_path: Annotated[
        str | None, Meta(description="Where on this server the provider is to send its messages; null: ask for it.")
    ]
    open_links: Annotated[list[OpenPaymentLink], Meta(description="Links that a former key has left open.")]


class ProviderChoice(Body):
    """The provider whose messages are to have an address."""

    provider: ProviderName


class OnlinePaymentsChoice(ProviderChoice):
    """What the provider is called with, and what signs its messages."""

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
        open_links=[_link(one) for one in links],
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
    if (found := BY_NAME.get(name)) is None:
        names = ", ".join(BY_NAME)
        raise InvalidRequest.because([Problem("provider", f"`provider` must be one of {names}.")])
    return found


@operation("GET", _PATH, summary="Read how tenants pay online", answer=OnlinePayments, manages=True, is_one=True)
def read_online_payments(call: Call[None, None]) -> OnlinePayments:
    """The provider, where it sends its messages, and links that a former key has left open."""
    return _shown(call)


@operation(
    "POST", _PATH + "/address", summary="Make an address for a provider's messages", body=ProviderChoice,
    answer=OnlinePayments, status=200, manages=True, example={"provider": PROVIDER_SENT["provider"]},
)  # fmt: skip
def make_provider_address(call: Call[None, ProviderChoice]) -> OnlinePayments:
    """Makes the `webhookPath`, which a provider asks for before it shows the secret. Nothing is paid online by that."""
    providers.give_address(call.tx, call.caller, _named(call.body.provider))
    return _shown(call)


@operation(
    "PUT", _PATH, summary="Have tenants pay online", body=OnlinePaymentsChoice, answer=OnlinePayments, manages=True,
    is_secret=True, current=_shown, conflict=f"Tenants pay by another provider. Or: {_CLOSING}", example=PROVIDER_SENT,
)  # fmt: skip
def use_online_payments(call: Call[None, OnlinePaymentsChoice]) -> OnlinePayments:
    """Invoices that are sent from now on get a payment link. Links of another key are closed, and made anew."""
    body, vault = call.body, call.receivers.vault
    providers.use(call.tx, call.caller, _named(body.provider), body.key or "", body.secret or "", vault)
    return _shown(call)


@operation(
    "DELETE", _PATH, summary="Stop online payments", answer=Message, manages=True, current=_shown,
    conflict="Nothing is paid online.",
)  # fmt: skip
def stop_online_payments(call: Call[None, None]) -> Message:
    """No invoice shows a link any more; open ones are closed at the provider, and what is paid until then counts."""
    providers.stop(call.tx, call.caller)
    return Message(message="Nothing is paid online from now on.")


@operation(
    "POST", _PATH + "/close-again", summary="Close open payment links again", answer=OnlinePayments, status=200,
    manages=True,
)  # fmt: skip
def close_payment_links_again(call: Call[None, None]) -> OnlinePayments:
    """Has links that are still open looked at again at once."""
    providers.try_again(call.tx, call.caller)
    return _shown(call)


@operation(
    "POST", _PATH + "/forget-key", summary="Forget a former payment key", answer=OnlinePayments, status=200,
    manages=True, conflict="There is no key to forget.",
)  # fmt: skip
def forget_payment_key(call: Call[None, None]) -> OnlinePayments:
    """Forgets the key that open links were made with: they stay open, and what is paid by them is not heard of."""
    providers.forget_former_key(call.tx, call.caller)
    return _shown(call)
