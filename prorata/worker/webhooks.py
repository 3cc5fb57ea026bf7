"""Kinds of jobs that send events to endpoints.

Each job is for one endpoint. Slow endpoints have a kind of their own.
"""

import time
from collections.abc import Callable
from functools import partial

from prorata.actions.webhooks import deliveries as webhook_deliveries
from prorata.actions.webhooks.deliveries import QUICK, SLOW, Sending, ToSend
from prorata.actions.webhooks.webhooks import secrets_before
from prorata.domain.texts import say
from prorata.domain.webhooks.webhooks import Posted, PostWebhook, headers, is_taken
from prorata.ports import Vault
from prorata.store.database.engine import Database, timestamp
from prorata.store.webhooks.webhooks import EndpointRow
from prorata.worker.job_kinds import Done, Job, Kind, Lease, Outcome

QUICK_AT_ONCE = 3
SLOW_AT_ONCE = 2
"""The number of slow endpoints that a process sends to at the same time.

The number is limited so that endpoints that were slow the last time don't delay fast ones.
"""
SECONDS_OF_A_RUN = 10.0
"""The time, in seconds, after which a run ends, so that others can be served."""
_UNREADABLE = say(
    "Its secret can’t be read, because PRORATA_SECRET_KEY has changed. Create a new secret and give it to the "
    "receiver, then turn this on: events from the meantime will be sent."
)


def webhook_kinds(post: PostWebhook, vault: Callable[[], Vault]) -> tuple[Kind, Kind]:
    """Build the kinds of jobs that send events to endpoints.

    `post` sends a message, and `vault` opens the endpoints' secrets.
    """
    sending = _Sending(post, vault)
    quick = say("sends events to a webhook endpoint")
    slow = say("sends events to a webhook endpoint that answers slowly")
    return (
        Kind(QUICK, quick, sending.send, at_once=QUICK_AT_ONCE, leaves_the_house=True),
        Kind(SLOW, slow, sending.send, at_once=SLOW_AT_ONCE, leaves_the_house=True),
    )


class _Sending:
    def __init__(self, post: PostWebhook, vault: Callable[[], Vault]) -> None:
        self._post = post
        self._vault = vault

    def send(self, job: Job, database: Database, lease: Lease) -> Outcome:
        """Send an endpoint's due events, in order, for some seconds.

        The outcome of each delivery is recorded at once. Thus, if this process is killed, the next worker repeats at
        most the delivery that was under way, with the same id. If the endpoint becomes slow, or fast again, the run
        ends, and a job of the other kind continues.
        """
        assert job.subject is not None, "it is about an endpoint"
        next_to_send = partial(webhook_deliveries.next_to_send, kind=job.kind)
        ask = partial(next_to_send, account_id=job.account_id, endpoint_id=job.subject)
        until = time.monotonic() + SECONDS_OF_A_RUN
        while not lease.is_stopping and not lease.is_lost and time.monotonic() < until:
            sending = database.read(ask)
            if sending is None:
                break
            secrets = self._secrets(sending.endpoint, timestamp(database.clock()))
            if not secrets:
                stop = partial(webhook_deliveries.turn_off, why=_UNREADABLE)
                return Done(partial(stop, account_id=job.account_id, endpoint_id=job.subject))
            self._send_some(sending, secrets, database, lease, until)
        rest = partial(webhook_deliveries.rest, account_id=job.account_id, endpoint_id=job.subject)
        return Done(rest)

    def _send_some(
        self, sending: Sending, secrets: list[str], database: Database, lease: Lease, until: float
    ) -> None:  # fmt: skip
        for to_send in sending.to_send:
            if lease.is_stopping or lease.is_lost or time.monotonic() >= until:
                return
            posted = self._send_one(sending.endpoint, to_send, secrets, database)
            note = partial(webhook_deliveries.note, endpoint=sending.endpoint, sent=to_send, posted=posted)
            if not database.write(note) or not is_taken(posted.status):
                return

    def _send_one(self, endpoint: EndpointRow, event_to_send: ToSend, secrets: list[str], database: Database) -> Posted:
        body = webhook_deliveries.body_of(event_to_send.event)
        now = int(database.clock().timestamp())
        return self._post(endpoint.url, headers(secrets, event_to_send.event.id, now, body), body)

    def _secrets(self, endpoint: EndpointRow, now: str) -> list[str]:
        """Return the secrets with which to sign a message.

        These are the endpoint's current secret and, for some time after that secret was replaced, the earlier ones.
        """
        sealed = [endpoint.secret, *secrets_before(endpoint, now)]
        opened = [self._vault().open(sealed_secret, endpoint.id) for sealed_secret in sealed]
        return [secret.decode() for secret in opened if secret is not None]
