"""The supported payment providers: names, required secrets and minimum amounts.

Each provider has an adapter, which `wiring/payments.py` lists under the provider's name.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from prorata.domain.online_payments.payment_links import SANDBOX, STRIPE, STRIPE_VERSION
from prorata.domain.texts import say


class Entered(NamedTuple):
    """A secret that an owner enters: its label, hint and prefix.

    The value has to begin with one of the prefixes in `begins`. `problem` is the error message for any other value.
    """

    label: str
    hint: str
    begins: tuple[str, ...]
    problem: str


class PaymentProvider(NamedTuple):
    """A provider through which tenants pay online.

    `name` is stored and used in addresses; `label` is for people. An owner enters a `key`, for calling the provider,
    and a `secret`, with which the provider signs its messages in the header `signature`. `endpoint` explains how the
    owner makes the provider send these messages. `least` are the minimum amounts in cents by currency, and
    `least_of_others` is the minimum in any other currency.
    """

    name: str
    label: str
    key: Entered
    secret: Entered
    signature: bytes
    endpoint: str
    least: Mapping[str, int]
    least_of_others: int

    @property
    def hook(self) -> str:
        """The path to which the provider sends its messages; an account's token follows the path."""
        return f"/webhooks/{self.name}/"


PROVIDERS: Final = (
    PaymentProvider(
        name=STRIPE,
        label="Stripe",
        key=Entered(
            "Secret key",
            say("In Stripe's dashboard, under Developers, API keys. A restricted key that can write Payment Links "
                "and Prices is enough."),
            ("sk_", "rk_"),
            say("Enter the secret key from Stripe's dashboard; it begins with sk_ or rk_."),
        ),
        secret=Entered(
            "Signing secret of the webhook",
            say("It begins with whsec_. Stripe shows it when you create the endpoint."),
            ("whsec_",),
            say("Enter the signing secret of the webhook endpoint; it begins with whsec_."),
        ),
        signature=b"stripe-signature",
        endpoint=(
            "In Stripe's dashboard, under Developers, Webhooks, add an endpoint with this address, and choose the API "
            f"version {STRIPE_VERSION}, and the events checkout.session.completed, "
            "checkout.session.async_payment_succeeded, checkout.session.async_payment_failed, refund.created, "
            "refund.updated, refund.failed, charge.dispute.funds_withdrawn and charge.dispute.funds_reinstated:"
        ),
        # docs.stripe.com/currencies, minimum charge amounts; in dollars, euros, francs and most others half of one
        least={
            "AED": 2_00, "BGN": 1_00, "CZK": 15_00, "DKK": 2_50, "GBP": 30, "HKD": 4_00, "HUF": 175_00, "MXN": 10_00,
            "MYR": 2_00, "NOK": 3_00, "PLN": 2_00, "RON": 2_00, "SEK": 3_00, "THB": 10_00,
        },
        least_of_others=50,
    ),
)  # fmt: skip
"""The providers that move money, in the order in which they are offered.

The sandbox only simulates payments, so it isn't listed.
"""
BY_NAME: Final = {payment_provider.name: payment_provider for payment_provider in PROVIDERS}
LABELS: Final = {
    **{payment_provider.name: payment_provider.label for payment_provider in PROVIDERS},
    SANDBOX: "Test payment",
}
"""The display name of each stored provider name."""


def least_amount(provider: str, currency: str) -> int:
    """Return the minimum cents for a provider's payment link.

    >>> least_amount(STRIPE, "USD"), least_amount(STRIPE, "GBP"), least_amount(SANDBOX, "USD")
    (50, 30, 1)
    """
    its = BY_NAME.get(provider)
    return its.least.get(currency, its.least_of_others) if its else 1


def too_little(provider: str) -> str:
    """Explain why an invoice below the provider's minimum amount has no payment link."""
    label = LABELS[provider]
    return say(
        "The amount left to pay is less than {label} accepts. Arrange for it to be paid another way, and record the "
        "payment.",
        label=label,
    )
