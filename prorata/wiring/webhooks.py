"""The creation of the sender of webhooks."""

from collections.abc import Mapping
from functools import cache

from prorata.domain.webhooks.webhooks import Posted, PostWebhook
from prorata.settings import Settings


def webhook_post(settings: Settings) -> PostWebhook:
    """Make the sender of webhooks; the HTTP library is loaded with the first webhook."""

    @cache
    def post() -> PostWebhook:
        from prorata.adapters.webhooks.post import WebhookPost  # noqa: PLC0415 - with the first message

        return WebhookPost(settings.webhook_private)

    def send(url: str, headers: Mapping[str, str], body: bytes) -> Posted:
        return post()(url, headers, body)

    return send
