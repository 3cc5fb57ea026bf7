"""The base of webhook tests: an account with an endpoint, and a sending worker."""

import json
import threading
from collections.abc import Sequence
from typing import Any

from prorata.actions.webhooks import webhooks
from prorata.actions.webhooks.webhooks import Receivers, Wanted
from prorata.adapters.sealing import AesVault
from prorata.adapters.webhooks.post import WebhookPost
from prorata.domain.webhooks.webhooks import PostWebhook
from prorata.store.database.engine import Database
from prorata.store.overview import job_lists
from prorata.store.webhooks import event_feed, webhooks as stored
from prorata.store.webhooks.event_feed import EventRow
from prorata.store.webhooks.webhooks import DeliveryRow, EndpointRow
from prorata.worker.rounds import Worker
from prorata.worker.webhooks import webhook_kinds
from tests.landlord import Landlord, MovableClock
from tests.webhook_receiver import HERE, Got

VAULT = AesVault([b"v" * 32])
RECEIVERS = Receivers(VAULT, lambda _host: (), HERE)


class Hooked:
    """An account whose endpoints receive its events, and the worker that sends them."""

    def __init__(self, landlord: Landlord, clock: MovableClock, post: PostWebhook | None = None) -> None:
        self.landlord = landlord
        self.clock = clock
        self.kinds = webhook_kinds(post or WebhookPost(HERE, seconds_in_all=3.0), lambda: VAULT)

    def hook(self, url: str, types: Sequence[str] = (), *, is_new: bool = False) -> tuple[str, str]:
        """Create an endpoint, and return its id and its secret.

        Unless it is new, it counts as one that has answered quickly.
        """
        made = self.landlord.do(webhooks.create, Wanted(url, types), RECEIVERS, url.encode().ljust(32, b"-")[:32])
        if not is_new:
            self.put_among(made[0].id, slow=False)
        return made[0].id, made[1]

    def put_among(self, endpoint_id: str, *, slow: bool) -> None:
        """Put an endpoint among the slow or the quick ones, as its answers would."""
        row = self.endpoint(endpoint_id)._replace(is_slow=slow)
        self.landlord.database.write(lambda tx: stored.save(tx, row))

    def work(self, **later: float) -> None:
        """Run a round of the worker after some time."""
        self.clock.forward(**later)
        work_once(self.landlord.database, self)

    def endpoint(self, endpoint_id: str) -> EndpointRow:
        row = self.landlord.read(stored.find, endpoint_id)
        assert row is not None
        return row

    def log(self, endpoint_id: str) -> list[DeliveryRow]:
        """Return the deliveries, the oldest first."""
        return self.landlord.see(webhooks.log, endpoint_id, before=None, limit=100).deliveries[::-1]

    def events(self, *types: str) -> list[EventRow]:
        return self.landlord.read(event_feed.page, after=0, types=types, limit=1000)


def jobs_in(landlord: Landlord, state: str) -> list[job_lists.ListedJob]:
    return landlord.database.read(
        lambda tx: job_lists.listed(tx, account_id=landlord.account.id, state=state, limit=10)
    )


def work_once(database: Database, hooked: Hooked) -> None:
    Worker(database, lambda: 0, hooked.kinds).do_round(threading.Event())


def said(got: Got) -> Any:
    return json.loads(got.body)
