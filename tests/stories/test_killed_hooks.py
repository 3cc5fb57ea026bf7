"""Every event arrives, though workers are killed while they send webhooks.

It arrives at least once, under one id and with the same content each time.
"""

import random
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

from prorata.actions.webhooks import webhooks
from prorata.actions.webhooks.webhooks import Wanted
from prorata.store.webhooks import event_feed
from tests.landlord import Landlord, MovableClock, opened
from tests.stories.victims import Victim
from tests.webhook_receiver import Receiver, waits
from tests.worker.hooked import RECEIVERS, said

KILLS = 6
UNITS_A_KILL = 20
SECONDS_TO_END = 120


def test_every_event_arrives_under_one_id_though_workers_are_killed(migrated_url: str, tmp_path: Path) -> None:
    clock = MovableClock(datetime.now(UTC))
    with opened(migrated_url, clock) as database, Receiver(waits(0.02)) as receiver:
        landlord = Landlord(database, clock)
        landlord.do(webhooks.create, Wanted(receiver.url), RECEIVERS, b"s" * 32)
        maple = landlord.property_()
        victim = Victim("tests.stories.killable_hooks", migrated_url, folder=tmp_path)
        try:
            for turn in range(KILLS):
                clock.moment = datetime.now(UTC)
                landlord.units(maple, *(f"{turn}-{number}" for number in range(UNITS_A_KILL)))
                victim.wait_until_it_says(b"worker started")
                time.sleep(random.uniform(0.05, 0.5))
                victim.kill()
                victim = Victim("tests.stories.killable_hooks", migrated_url, folder=tmp_path)
            number = 1 + KILLS * UNITS_A_KILL
            deadline = time.monotonic() + SECONDS_TO_END
            while len(set(receiver.ids)) < number:
                assert time.monotonic() < deadline, f"{number - len(set(receiver.ids))} events are lost"
                time.sleep(0.05)
        finally:
            victim.kill()
        events = landlord.read(event_feed.page, after=0, types=[], limit=1000)
        assert [event.sequence for event in events] == list(range(1, number + 1))
        bodies = defaultdict(set)
        for got in receiver.got:
            bodies[got.id].add(got.body)
        assert {event.id for event in events} == set(bodies)
        assert {len(different) for different in bodies.values()} == {1}, "the same bytes each time"
        assert [said(got)["sequence"] for got in receiver.got] == sorted(said(got)["sequence"] for got in receiver.got)
        clock.moment = datetime.now(UTC)
