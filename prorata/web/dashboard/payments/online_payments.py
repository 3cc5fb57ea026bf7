"""The settings page for online payments: the payment provider, and its messages to check."""

from typing import Annotated, Any

from msgspec import Struct

from prorata.actions.limits import LONGEST_PROVIDER_KEY
from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.payments import provider_events
from prorata.domain.limits import LONGEST_PAYMENT_REASON
from prorata.domain.online_payments.payment_links import SANDBOX, Provider
from prorata.domain.online_payments.providers import BY_NAME, PROVIDERS, PaymentProvider
from prorata.domain.texts import say
from prorata.store.online_payments.providers import ProviderRow
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import secret as secret_text, text

_STOPPING = say(
    "Invoices will no longer show a payment link. Links that tenants already have are closed at the provider, which "
    "takes a moment; anything paid through them until then counts. The key is then deleted. Refunds and disputes of "
    "earlier payments are still reported here."
)
_FORGETTING = say(
    "The links listed here stay open at {provider} unless you turn them off in its dashboard. Anything a tenant pays "
    "through them reaches your account there, but isn’t reported here. Refunds and disputes of earlier payments "
    "aren’t reported either: enter them by hand."
)
_FORGETTING_SECRETS = say("Refunds and disputes of earlier payments are no longer reported here: enter them by hand.")


class ProviderForm(Struct, kw_only=True):
    """A payment provider's API key, and the secret with which it signs its messages.

    If a field is empty, the stored value is kept.
    """

    key: Annotated[str, secret_text(LONGEST_PROVIDER_KEY, least=0)] = ""
    secret: Annotated[str, secret_text(LONGEST_PROVIDER_KEY, least=0)] = ""


class AddressForm(Struct, kw_only=True):
    """The payment provider whose messages the new address will receive."""

    provider: Annotated[str, text(255)] = PROVIDERS[0].name


class CheckedForm(Struct, kw_only=True):
    """The payment provider's message that a person has checked.

    `event` is the message's id, and `asked` the question about the message that the person saw.
    """

    provider: Provider
    event: Annotated[str, text(255)]
    asked: Annotated[str, text(LONGEST_PAYMENT_REASON, least=0)] = ""


def _its(name: str | None) -> PaymentProvider:
    """Return the payment provider with this name, or by default the first one."""
    return BY_NAME.get(name or "", PROVIDERS[0])


def _in_use(row: ProviderRow | None, base_url: str) -> dict[str, Any]:
    """Collect the page's values about the account's payment provider.

    They are the current provider, the providers that can be chosen, and the address to which each provider sends
    its messages.
    """
    in_use = row if row and (row.takes_payments or row.is_stopping) else None
    its = _its(row and row.provider)
    return {
        "provider": in_use,
        "its": its,
        "offered": [its] if in_use else PROVIDERS,
        "moves_money": bool(in_use and in_use.provider in BY_NAME),
        "hooks": {payment_provider.name: base_url + payment_provider.hook + row.token for payment_provider in PROVIDERS}
        if row
        else {},
    }


@page("GET", "/settings/payments", may="manage")
def online_payments_page(ask: Ask[None, None]) -> Shown:
    """Show the account's payment provider, and the provider's messages that a person must check."""
    row = payment_providers.find(ask.tx, ask.caller)
    settings = ask.outside.settings
    values = {
        **_in_use(row, settings.base_url),
        "may_try": settings.payments == SANDBOX,
        "stopping": _STOPPING,
        "former": payment_providers.still_open(ask.tx, ask.caller) if row and row.former_key else [],
        "hears_of_earlier": bool(row and row.former_secrets and not row.former_key),
        "forgetting": _FORGETTING.format(provider=_its(row.provider).label)
        if row and row.former_key
        else _FORGETTING_SECRETS,
        "to_check": provider_events.to_check(ask.tx, ask.caller),
    }
    return Shown("online_payments.html", values)


@page("POST", "/settings/payments/address", may="manage", form=AddressForm, again=online_payments_page)
def give_address(ask: Ask[None, AddressForm]) -> GoTo:
    """Create the address for a payment provider's messages, and show it.

    The provider needs this address before it shows the signing secret.
    """
    payment_providers.give_address(ask.tx, ask.caller, BY_NAME.get(ask.form.provider, PROVIDERS[0]))
    return GoTo("/settings/payments")


def _enters(provider: PaymentProvider) -> None:
    """Declare, for one payment provider, the page that saves its API key and secret."""

    @page("POST", f"/settings/payments/{provider.name}", may="manage", form=ProviderForm, again=online_payments_page)
    def use(ask: Ask[None, ProviderForm]) -> GoTo:
        payment_providers.use(ask.tx, ask.caller, provider, ask.form.key, ask.form.secret, ask.outside.vault)
        return GoTo("/settings/payments", say("Saved. Invoices sent from now on get a payment link."))


for _provider in PROVIDERS:
    _enters(_provider)


@page("POST", "/settings/payments/sandbox", may="manage", again=online_payments_page)
def use_sandbox(ask: Ask[None, None]) -> GoTo:
    """Use the sandbox as payment provider; it only simulates payments."""
    payment_providers.use_sandbox(ask.tx, ask.caller, is_on=ask.outside.settings.payments == SANDBOX)
    return GoTo("/settings/payments", say("Invoices sent from now on get a link to a trial payment."))


@page("POST", "/settings/payments/checked", may="manage", form=CheckedForm, again=online_payments_page)
def note_checked(ask: Ask[None, CheckedForm]) -> GoTo:
    """Record that a person has checked a payment provider's message."""
    provider_events.checked(ask.tx, ask.caller, ask.form.provider, ask.form.event, asked=ask.form.asked)
    return GoTo("/settings/payments", say("Noted."))


@page("GET", "/settings/payments/stop", may="manage")
def stop_payments_question(_ask: Ask[None, None]) -> Shown:
    """Ask to confirm stopping online payments, for browsers without scripts."""
    values = {
        "title": say("Stop online payments?"),
        "lost": _STOPPING,
        "does": say("Stop them"),
        "back": "/settings/payments",
    }
    return Shown("confirm.html", values)


@page("POST", "/settings/payments/stop", may="manage", again=online_payments_page)
def stop_payments(ask: Ask[None, None]) -> GoTo:
    """Stop online payments."""
    payment_providers.stop(ask.tx, ask.caller)
    return GoTo("/settings/payments", say("Online payments have been turned off."))


@page("POST", "/settings/payments/close-again", may="manage", again=online_payments_page)
def close_again(ask: Ask[None, None]) -> GoTo:
    """Retry closing the payment links that were created with an earlier API key."""
    payment_providers.try_again(ask.tx, ask.caller)
    return GoTo(
        "/settings/payments", say("Prorata is trying to close the links again. Those it can't close stay listed here.")
    )


@page("GET", "/settings/payments/forget-key", may="manage")
def forget_key_question(ask: Ask[None, None]) -> Shown:
    """Ask to confirm deleting an earlier API key or secret, for browsers without scripts."""
    row = payment_providers.find(ask.tx, ask.caller)
    title, lost = say("Forget the previous key?"), _FORGETTING.format(provider=_its(row and row.provider).label)
    if row and not row.former_key:
        title, lost = say("Forget earlier payments?"), _FORGETTING_SECRETS
    values = {"title": title, "lost": lost, "does": say("Forget it"), "back": "/settings/payments"}
    return Shown("confirm.html", values)


@page("POST", "/settings/payments/forget-key", may="manage", again=online_payments_page)
def forget_key(ask: Ask[None, None]) -> GoTo:
    """Delete the payment provider's earlier API key, and the secrets for earlier messages.

    The key was kept for payment links that are still open, and the secrets for messages about payments through earlier
    links. Such messages, which also report refunds and chargebacks, are no longer accepted.
    """
    payment_providers.forget_former_key(ask.tx, ask.caller)
    return GoTo("/settings/payments", say("The previous credentials were forgotten."))
