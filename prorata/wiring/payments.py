"""Online payments: the providers, and the readers of their messages."""

from collections.abc import Mapping
from datetime import datetime

from prorata.domain.online_payments.payment_links import SANDBOX, STRIPE, ProviderEvent
from prorata.ports.payments import PaymentEventReader, PaymentGateway
from prorata.settings import Settings
from prorata.store.database.engine import Database


def gateways(settings: Settings) -> Mapping[str, PaymentGateway]:
    """Return each payment provider's `PaymentGateway`, by the provider's name."""
    from prorata.adapters.online_payments.sandbox import SandboxPayments  # noqa: PLC0415 - with the first worker
    from prorata.adapters.online_payments.stripe import API, StripePayments  # noqa: PLC0415 - as above

    by_provider: dict[str, PaymentGateway] = {
        STRIPE: StripePayments(settings.stripe_api_base or API, base_url=settings.base_url)
    }
    if settings.payments == SANDBOX:
        by_provider[SANDBOX] = SandboxPayments(settings.base_url)
    return by_provider


def readers() -> Mapping[str, PaymentEventReader]:
    """Return the reader of each provider's messages, loaded with the first message."""
    return {STRIPE: _read_stripe}


def end_trials(settings: Settings, database: Database) -> None:
    """End sandbox payments if the settings don't allow them.

    Otherwise, the payment links of the sandbox would lead to pages that don't exist.
    """
    from prorata.actions.online_payments.providers import stop_played  # noqa: PLC0415 - as above

    while settings.payments != SANDBOX and database.write(stop_played):
        pass


def _read_stripe(body: bytes, signature: str, secret: str, now: datetime) -> ProviderEvent | None:
    from prorata.adapters.online_payments import stripe  # noqa: PLC0415 - with the first message

    return stripe.read_event(body, signature, secret, now)
