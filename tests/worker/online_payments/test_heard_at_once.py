"""A provider's message that reaches several servers at once counts once.

The invoice's balance is right afterwards.
"""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from prorata.actions.payments import payments, provider_events
from prorata.domain.invoices.ledger import PAYMENT, REFUND, REVERSAL
from prorata.domain.online_payments.payment_links import (
    FAILED,
    REFUND_FAILED,
    REFUNDED,
    STRIPE,
    Happening,
    ProviderEvent,
)
from prorata.store.database.engine import Database
from prorata.store.online_payments import provider_events as stored_events
from tests.landlord import Landlord, MovableClock, opened
from tests.worker.trade import AT, Trade, paid

SERVERS = 4
"""Each has a database of its own, as processes have; on SQLite they wait for each other at the file."""


def told(event: str, happening: Happening, cents: int, reference: str) -> ProviderEvent:
    return ProviderEvent(event, happening, "pi_1", cents, "USD", AT, None, reference)


@pytest.mark.parametrize("seed", range(3))
def test_messages_about_one_invoice_that_several_servers_hear_at_once_count_once(migrated_url: str, seed: int) -> None:
    clock = MovableClock()
    with ExitStack() as ended:
        servers = [ended.enter_context(opened(migrated_url, clock)) for _ in range(SERVERS)]
        trade = Trade(Landlord(servers[0], clock))
        trade.send()
        trade.keep()
        link = trade.link()
        events = [
            paid(link),
            paid(link, event="evt_2"),
            told("evt_3", REFUNDED, 30_00, "re_1"),
            told("evt_4", REFUNDED, 20_00, "re_2"),
            told("evt_5", REFUND_FAILED, 20_00, "re_2"),
            ProviderEvent("evt_6", FAILED, "pi_1", 90_00, "USD", AT, link),
        ]
        hear_at_once(servers, trade.account_id, events, random.Random(seed))
        assert_counted_once(trade, events)


def hear_at_once(servers: list[Database], account_id: str, events: list[ProviderEvent], chance: random.Random) -> None:
    """Have all servers take the messages at the same time, each in its own order."""
    start = threading.Barrier(len(servers))

    def hear(server: Database, order: list[ProviderEvent]) -> None:
        for event in order:
            start.wait(30)
            server.write(lambda tx: provider_events.take(tx, account_id, STRIPE, event))  # noqa: B023

    with ThreadPoolExecutor(len(servers)) as threads:
        heard = [threads.submit(hear, one, chance.sample(events, len(events))) for one in servers]
        for one in heard:
            one.result()


def assert_counted_once(trade: Trade, events: list[ProviderEvent]) -> None:
    invoice = trade.invoice()
    entries = trade.landlord.see(payments.ledger, invoice.id).entries
    counts = {kind: [one.amount for one in entries if one.kind == kind] for kind in (PAYMENT, REFUND, REVERSAL)}
    assert counts[PAYMENT] == [90_00]
    assert sorted(counts[REFUND]) in ([30_00], [20_00, 30_00]), "a refund whose failing came first never counts"
    assert counts[REVERSAL] == [20_00] * (len(counts[REFUND]) - 1)
    assert (invoice.status, invoice.paid_amount) == ("SENT", 60_00)
    kept = [trade.landlord.read(stored_events.find, STRIPE, one.id) for one in events]
    assert {row.state for row in kept if row is not None} <= {"counted", "passed"}
    assert None not in kept
    trade.landlord.sound()
