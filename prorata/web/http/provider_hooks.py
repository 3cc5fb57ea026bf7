"""The endpoint for payment providers' messages, with a separate address for each account.

A message is accepted only if the provider's signature of its bytes is valid.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.payments import provider_events
from prorata.domain.limits import MOST_PROVIDER_EVENT_BYTES
from prorata.domain.online_payments.payment_links import ProviderEvent
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.errors import InvalidRequest, MethodNotAllowed, NotFound
from prorata.ports import Vault
from prorata.ports.payments import PaymentEventReader
from prorata.store.database.engine import Database
from prorata.store.online_payments.providers import ProviderRow
from prorata.web.http.body_limits import Receive, read_whole
from prorata.web.http.errors import about
from prorata.web.http.operation_runner import Reply
from prorata.web.http.pools import Pools
from prorata.web.http.request_context import Visit

HOOKS: Final = tuple(payment_provider.hook for payment_provider in PROVIDERS)
"""The paths that receive providers' messages; an account's token follows each path."""
Readers = Mapping[str, PaymentEventReader]
"""The readers of each provider's messages, by its name."""
_TAKEN = b'{"received":true}'


class ProviderHooks:
    """A receiver of payment providers' messages.

    If the receiver refuses a message, the provider sends the message again, and lists the failure on its own pages.
    """

    def __init__(self, database: Database, pools: Pools, vault: Vault, readers: Readers) -> None:
        self._database, self._pools, self._vault, self._readers = database, pools, vault, readers

    async def answer(self, visit: Visit, headers: dict[bytes, bytes], receive: Receive) -> None:
        """Receive one message from a provider, store it with its effect, and respond to it.

        The message's signature is checked first. The address is not logged, because it contains a secret token.
        """
        path: str = visit.scope["path"]
        provider = next(payment_provider for payment_provider in PROVIDERS if path.startswith(payment_provider.hook))
        name, token = provider.name, path.removeprefix(provider.hook)
        visit.operation, visit.path_to_log = f"{name} webhook", provider.hook + "{token}"
        if visit.scope["method"] != "POST":
            raise MethodNotAllowed(["POST"])
        row = await self._pools.page(lambda: self._database.read(lambda tx: payment_providers.of_token(tx, token)))
        if row is None or (row.provider != name and row.former_secrets is None):
            raise NotFound
        body = await read_whole(receive, MOST_PROVIDER_EVENT_BYTES)
        signature = headers.get(provider.signature, b"").decode("latin-1")
        event, until = await self._pools.page(lambda: self._read(self._readers[name], row, body, signature))
        if event is not None:
            await self._pools.write(
                lambda: self._database.write(lambda tx: provider_events.take(tx, row.account_id, name, event, until))
            )
        await visit.answer(Reply(200, about(_TAKEN), _TAKEN))

    def _read(
        self, read_event: PaymentEventReader, row: ProviderRow, body: bytes, signature: str
    ) -> tuple[ProviderEvent | None, str | None]:
        """Verify and parse a provider's message, before the write that stores its effect.

        Return the message, or None if it concerns no payment link of Prorata. Also return the time when the secret
        that signed the message was replaced, or None if this secret is still in use. Raises `InvalidRequest` if no
        secret is set, or if the message can't be verified or read.
        """
        secrets, now = payment_providers.secrets_of(row, self._vault), self._database.clock()
        if not secrets:
            raise InvalidRequest("No secret is set for this address. Enter it under Settings, Online payments.")
        for secret in secrets[:-1]:
            with suppress(InvalidRequest):
                return read_event(body, signature, secret.text, now), secret.until
        return read_event(body, signature, secrets[-1].text, now), secrets[-1].until
