"""Each invoice gets one payment link, though workers are killed while they request links.

Each link is made once, and none is lost.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.online_payments.payment_links import LINK
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.online_payments import payment_links as stored_links
from prorata.worker.payment_links import LINKS_AT_ONCE
from tests.landlord import Landlord, MovableClock, opened
from tests.stories.victims import Victim
from tests.stripe_server import KEY, Stripe
from tests.worker.trade import VAULT

SECONDS_TO_END = 120
SECONDS_TO_ANSWER = 0.1
"""The seconds between Stripe's making a link and confirming it.

After a kill in this time, nobody knows about the link.
"""


def worker(url: str, folder: Path, stripe: Stripe) -> Victim:
    """A worker process."""
    return Victim("tests.stories.killable_links", url, stripe.url, folder=folder)


def test_each_invoice_gets_one_link_though_workers_are_killed(migrated_url: str, tmp_path: Path) -> None:
    make_under_kills(migrated_url, tmp_path, kills=5, invoices=30)


@pytest.mark.soak
def test_each_invoice_gets_one_link_though_workers_are_killed_a_hundred_times(
    migrated_url: str, tmp_path: Path
) -> None:
    make_under_kills(migrated_url, tmp_path, kills=100, invoices=600)


def make_under_kills(url: str, folder: Path, *, kills: int, invoices: int) -> None:
    """Send invoices, kill workers while they request links, and check the links.

    Each worker is killed just after it has requested a link, or has heard of it.
    """
    clock, stripe = MovableClock(datetime.now(UTC)), Stripe(SECONDS_TO_ANSWER)
    try:
        with opened(url, clock) as database:
            landlord = Landlord(database, clock)
            landlord.do(payment_providers.use, PROVIDERS[0], KEY, "whsec_1", VAULT)
            sent = list(sent_invoices(landlord, invoices))
            for _ in range(kills):
                before = len(stripe.requests)
                with worker(url, folder, stripe):
                    wait_for(lambda before=before: len(stripe.requests) > before or not waiting(landlord, sent))  # type: ignore[misc]
                    time.sleep(random.uniform(0.0, 1.5 * SECONDS_TO_ANSWER))
            with worker(url, folder, stripe):
                wait_for(lambda: not waiting(landlord, sent))
            asked = Counter(headers["Idempotency-Key"] for _, headers, _ in stripe.requests)
            again = sum(asked.values()) - len(sent)
            assert 0 < again <= kills * LINKS_AT_ONCE, (
                "again is asked for what was under way at a kill, and nothing else"
            )
            shown = {one: landlord.read(stored_links.open_of_invoice, one) for one in sent}
            assert {len(links) for links in shown.values()} == {1}, "each invoice has one, and none is lost"
            made = {links[0].provider_id: links[0].id for links in shown.values()}
            forms = {name: link["form"]["metadata[prorata_link]"] for name, link in stripe.links.items()}
            assert forms == made, "Stripe has each of them once, and none that nobody knows"
            assert set(asked) == set(made.values()), "each was asked for under one key"
            clock.moment = datetime.now(UTC)
            landlord.sound()
    finally:
        stripe.close()


def sent_invoices(landlord: Landlord, number: int) -> Iterator[str]:
    """The ids of SENT invoices, each of which waits for a payment link."""
    for place in range(-(-number // 30)):
        house = landlord.property_(f"House {place}")
        for label in map(str, range(1, 31)):
            landlord.tenant(landlord.unit(house, label), "Ann")
        landlord.bill(house, 300_00)
        for label, one in landlord.invoices(house).items():
            landlord.set_status(house, label, "SENT")
            yield one.summary.id


def waiting(landlord: Landlord, invoices: list[str]) -> list[str]:
    """The jobs of those invoices whose payment link is not made yet."""
    rows = (row for one in invoices for row in landlord.read(stored_jobs.of_subject, one) if row.kind == LINK)
    return [row.id for row in rows if row.state != "done"]


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS_TO_END
    while not happened():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.02)
