"""Webhooks are signed like in the reference library, and retried on the documented schedule."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from prorata.domain.audit.verbs import Verb
from prorata.domain.webhooks import webhooks
from prorata.domain.webhooks.events import EVENT_TYPES

BODY = json.dumps({"type": "unit.created", "data": {"label": "Größe 2½ 🏠"}}, ensure_ascii=False).encode()


def test_signatures_are_byte_for_byte_those_of_the_reference_library() -> None:
    moment = datetime(2026, 3, 10, 18, 0, 5, tzinfo=UTC)
    for number in range(50):
        secret = webhooks.new_secret(bytes(range(number, number + webhooks.SECRET_BYTES)))
        reference = Webhook(secret).sign(f"evt_{number}", moment, BODY.decode())
        assert webhooks.signature(secret, f"evt_{number}", int(moment.timestamp()), BODY) == reference


def test_the_reference_library_takes_a_message_by_either_secret_while_they_overlap() -> None:
    new, before, other = (webhooks.new_secret(bytes([one]) * webhooks.SECRET_BYTES) for one in (1, 2, 3))
    headers = webhooks.headers([new, before], "evt_1", int(datetime.now(UTC).timestamp()), BODY)
    assert Webhook(new).verify(BODY, headers) == json.loads(BODY)
    assert Webhook(before).verify(BODY, headers) == json.loads(BODY)
    with pytest.raises(WebhookVerificationError):
        Webhook(other).verify(BODY, headers)


def test_tries_come_after_minutes_hours_and_then_daily_for_a_week() -> None:
    waits = []
    while (wait := webhooks.next_try(len(waits) + 1)) is not None:
        waits.append(wait)
    minutes = [timedelta(minutes=one) for one in (1, 5, 30, 120, 360)]
    assert waits == minutes + [timedelta(days=1)] * 7


def test_every_type_is_caused_by_some_deed_or_told_by_what_computes() -> None:
    told = {one for verb in Verb for one in verb.tells}
    disputes = {"dispute.opened", "dispute.answered", "dispute.resolved"}
    assert set(EVENT_TYPES) - told == {
        "charges.recalculated", "invoice.created", "invoice.deleted", "payment.recorded", "tenant.erased",
    } | disputes  # fmt: skip
