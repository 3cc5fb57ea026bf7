"""Tests of webhook secrets.

They are sealed and can be replaced; a former secret still signs for one day.
"""

from datetime import timedelta

import pytest
from standardwebhooks.webhooks import Webhook

from prorata.actions.webhooks import webhooks
from prorata.domain.limits import MOST_FORMER_WEBHOOK_SECRETS
from prorata.domain.webhooks.webhooks import ON, OVERLAP
from prorata.errors import Conflict
from prorata.store.overview import activity
from tests.landlord import Landlord
from tests.webhook_receiver import Receiver
from tests.worker.hooked import RECEIVERS, Hooked


def test_both_secrets_sign_for_a_day_after_a_new_one_was_made(landlord: Landlord, hooked: Hooked) -> None:
    with Receiver() as receiver:
        endpoint, before = hooked.hook(receiver.url)
        _, new = landlord.do(webhooks.renew_secret, endpoint, RECEIVERS, b"n" * 32)
        assert new != before
        landlord.property_()
        hooked.work()
        hooked.clock.forward(seconds=OVERLAP.total_seconds() + 1)
        landlord.property_("Elm Court")
        hooked.work()
    first, second = receiver.got
    signed = [Webhook(one).sign(first.id, hooked.clock() - OVERLAP - timedelta(seconds=1), first.body.decode())
              for one in (new, before)]  # fmt: skip
    assert first.headers["webhook-signature"].split(" ") == signed
    assert len(second.headers["webhook-signature"].split(" ")) == 1


def test_a_secret_signs_for_its_day_though_another_was_made_twice(landlord: Landlord, hooked: Hooked) -> None:
    with Receiver() as receiver:
        endpoint, first = hooked.hook(receiver.url)
        _, second = landlord.do(webhooks.renew_secret, endpoint, RECEIVERS, b"2" * 32)
        hooked.clock.forward(hours=23)
        _, third = landlord.do(webhooks.renew_secret, endpoint, RECEIVERS, b"3" * 32)
        landlord.property_()
        hooked.work()
        signed = [Webhook(one).sign(receiver.got[0].id, hooked.clock(), receiver.got[0].body.decode())
                  for one in (third, second, first)]  # fmt: skip
        hooked.clock.forward(hours=24)
        landlord.property_("Elm Court")
        hooked.work()
    assert [got.headers["webhook-signature"].split(" ") for got in receiver.got] == [
        signed, [Webhook(third).sign(receiver.got[1].id, hooked.clock(), receiver.got[1].body.decode())]
    ]  # fmt: skip


def test_so_many_secrets_sign_at_once_and_another_is_made_a_day_later(landlord: Landlord, hooked: Hooked) -> None:
    endpoint, _ = hooked.hook("http://127.0.0.1:9/")

    def renew(number: int) -> None:
        landlord.do(webhooks.renew_secret, endpoint, RECEIVERS, bytes([number]) * 32)

    for number in range(MOST_FORMER_WEBHOOK_SECRETS):
        renew(number)
    kept = hooked.endpoint(endpoint)
    with pytest.raises(Conflict, match="a day after the latest secret was created, then create another"):
        renew(MOST_FORMER_WEBHOOK_SECRETS)
    assert hooked.endpoint(endpoint) == kept
    hooked.clock.forward(hours=24)
    renew(MOST_FORMER_WEBHOOK_SECRETS)
    assert hooked.endpoint(endpoint).secret_before == kept.secret


def test_secrets_are_sealed_in_the_database_and_in_what_is_noted(landlord: Landlord, hooked: Hooked) -> None:
    endpoint, secret = hooked.hook("http://127.0.0.1:9/")
    _, renewed = landlord.do(webhooks.renew_secret, endpoint, RECEIVERS, b"n" * 32)
    row = hooked.endpoint(endpoint)
    noted = landlord.read(activity.page, record=endpoint, limit=10)
    kept = " ".join(map(str, [*row, *(one for note in noted for one in note)]))
    assert len(noted) == 2
    assert not any(one in kept or one.removeprefix("whsec_") in kept for one in (secret, renewed))


def test_an_unreadable_secret_turns_the_endpoint_off_and_says_what_to_do(landlord: Landlord, hooked: Hooked) -> None:
    with Receiver() as receiver:
        endpoint, _ = hooked.hook(receiver.url)
        row = hooked.endpoint(endpoint)._replace(secret="1:AAAA")
        landlord.run(lambda tx: webhooks.webhooks.save(tx, row))
        landlord.property_()
        hooked.work()
        assert receiver.got == []
        assert "Create a new secret" in (hooked.endpoint(endpoint).why_off or "")
        assert landlord.see(webhooks.number_off) == 1
        landlord.do(webhooks.renew_secret, endpoint, RECEIVERS, b"n" * 32)
        landlord.do(webhooks.change, endpoint, state=ON)
        hooked.work()
    assert len(receiver.got) == 1
