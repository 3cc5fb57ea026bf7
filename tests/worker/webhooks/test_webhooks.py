"""The worker sends events to webhooks once and in order.

It retries failed deliveries on time, and gives up after a week.
"""

import json
from collections import Counter
from datetime import date

import pytest
from standardwebhooks.webhooks import Webhook

from prorata.actions.accounts import access
from prorata.actions.properties import tenants
from prorata.actions.webhooks import deliveries as webhook_deliveries, webhooks
from prorata.domain.audit.verbs import Verb
from prorata.domain.webhooks.webhooks import OFF, ON, PAUSED, RETRY_AFTER
from prorata.errors import Conflict, NotFound
from prorata.store.accounts import members as stored_members
from prorata.store.audit import audit
from prorata.store.database.engine import Database
from prorata.store.mail import messages as stored_mail
from prorata.store.overview import activity
from tests.landlord import Landlord, MovableClock
from tests.webhook_receiver import Answer, Got, Receiver, says
from tests.worker.hooked import Hooked, jobs_in, said


def test_what_happens_is_sent_in_order_signed_and_once(landlord: Landlord, hooked: Hooked) -> None:
    with Receiver() as receiver:
        endpoint, secret = hooked.hook(receiver.url)
        maple = landlord.property_()
        landlord.units(maple, "1", "2")
        landlord.bill(maple, 100_00)
        hooked.work()
        hooked.work()
    types = ["property.created", "unit.created", "unit.created", "invoice.created", "invoice.created",
             "charges.recalculated", "bill.created"]  # fmt: skip
    assert [said(got)["type"] for got in receiver.got] == types
    assert [said(got)["sequence"] for got in receiver.got] == [1, 2, 3, 4, 5, 6, 7]
    assert len(set(receiver.ids)) == 7
    for got in receiver.got:
        assert got.headers["webhook-timestamp"] == str(int(hooked.clock().timestamp()))
        moment = hooked.clock()
        assert got.headers["webhook-signature"] == Webhook(secret).sign(got.id, moment, got.body.decode())
        assert said(got)["id"] == got.id
    assert [(row.state, row.attempts, row.status) for row in hooked.log(endpoint)] == [("delivered", 1, 204)] * 7
    assert hooked.endpoint(endpoint).next_at is None
    assert [event.id for event in hooked.events()] == receiver.ids


def test_an_endpoint_is_told_of_its_types_alone_and_of_what_happens_after_it_was_made(
    landlord: Landlord, hooked: Hooked
) -> None:
    maple = landlord.property_()
    hooked.work()
    with Receiver() as receiver:
        endpoint, _ = hooked.hook(receiver.url, ["unit.updated", "unit.created"])
        unit = landlord.unit(maple, "1")
        landlord.tenant(unit, "Ann")
        landlord.change_unit(unit, sqft=850)
        hooked.work()
        assert [said(got)["type"] for got in receiver.got] == ["unit.created", "unit.updated"]
        landlord.tenant(unit, "Bob")
        hooked.work()
    assert len(receiver.got) == 2
    assert [event.type for event in hooked.events()][-1] == "tenant.created"
    assert [row.sequence for row in hooked.log(endpoint)] == [2, 4]


def test_what_is_not_taken_is_sent_again_on_time_the_same_and_the_endpoint_then_turned_off(
    landlord: Landlord, hooked: Hooked
) -> None:
    with Receiver(says(500, b"down for repairs")) as receiver:
        endpoint, _ = hooked.hook(receiver.url)
        landlord.property_()
        hooked.work()
        for number, wait in enumerate(RETRY_AFTER, start=1):
            hooked.work(seconds=wait.total_seconds() - 2)
            assert len(receiver.got) == number, "too early"
            assert hooked.endpoint(endpoint).state == ON
            hooked.work(seconds=2)
            assert len(receiver.got) == number + 1, f"not after {wait}"
        hooked.work(days=2)
    assert len(receiver.got) == 13
    assert len({(got.id, got.body) for got in receiver.got}) == 1
    assert len({got.headers["webhook-signature"] for got in receiver.got}) == 13, "each at its own time"
    (delivery,) = hooked.log(endpoint)
    assert (delivery.state, delivery.attempts, delivery.status) == ("failed", 13, 500)
    assert "private network" in delivery.said
    row = hooked.endpoint(endpoint)
    assert (row.state, row.next_at) == (OFF, None)
    assert row.why_off is not None
    assert landlord.see(webhooks.number_off) == 1
    (note,) = landlord.read(activity.page, record=endpoint, limit=1)
    assert (note.verb, note.actor) == ("turn webhook endpoint off", "clock")


def test_what_happened_while_it_was_off_or_paused_is_sent_once_it_is_on(landlord: Landlord, hooked: Hooked) -> None:
    with Receiver() as receiver:
        endpoint, _ = hooked.hook(receiver.url)
        maple = landlord.property_()
        landlord.do(webhooks.change, endpoint, state=PAUSED)
        landlord.unit(maple, "1")
        hooked.work()
        assert receiver.got == []
        landlord.do(webhooks.change, endpoint, state=ON)
        hooked.work()
    assert [said(got)["type"] for got in receiver.got] == ["property.created", "unit.created"]


def test_a_receiver_that_wants_no_more_is_turned_off_at_once_and_the_owners_are_told(
    landlord: Landlord, hooked: Hooked
) -> None:
    def add(role: str) -> None:
        landlord.run(
            lambda tx: stored_members.add(
                tx,
                stored_members.new(
                    tx, landlord.account.id, f"{role}@example.org", "-", role, name=role, is_verified=True
                ),
            )
        )

    add("owner")
    add("viewer")
    with Receiver(says(410)) as receiver:
        endpoint, _ = hooked.hook(receiver.url)
        landlord.property_()
        hooked.work()
    assert hooked.endpoint(endpoint).state == OFF
    mails = [landlord.read(stored_mail.find, row.subject) for row in jobs_in(landlord, "waiting") if row.kind == "mail"]
    told = {(one.to_address.partition("_")[0], one.kind) for one in mails if one}
    assert told == {("owner@example.org", "webhook_off"), ("landlord", "webhook_off")}


def test_one_event_that_is_never_taken_keeps_no_other(landlord: Landlord, hooked: Hooked) -> None:
    def refuses_units(got: Got, handler: object) -> None:
        says(500 if said(got)["type"] == "unit.created" else 204)(got, handler)  # type: ignore[arg-type]

    with Receiver(refuses_units) as receiver:
        endpoint, _ = hooked.hook(receiver.url)
        maple = landlord.property_()
        unit = landlord.unit(maple, "1")
        landlord.tenant(unit, "Ann")
        hooked.work()
        assert Counter(row.state for row in hooked.log(endpoint)) == {"delivered": 2, "waiting": 1}
        receiver.answer = says(204)
        hooked.work(minutes=1)
    assert [said(got)["type"] for got in receiver.got] == ["property.created", "unit.created", "tenant.created",
                                                           "unit.created"]  # fmt: skip
    assert {row.state for row in hooked.log(endpoint)} == {"delivered"}


def test_a_receiver_that_is_down_is_not_asked_about_every_event(landlord: Landlord, hooked: Hooked) -> None:
    with Receiver(says(503)) as receiver:
        endpoint, _ = hooked.hook(receiver.url)
        maple = landlord.property_()
        landlord.units(maple, *map(str, range(30)))
        hooked.work()
        assert len(receiver.got) == 3
        receiver.answer = says(204)
        hooked.work(minutes=5)
    assert [row.sequence for row in hooked.log(endpoint)] == list(range(1, 32))
    assert {row.state for row in hooked.log(endpoint)} == {"delivered"}
    assert len(receiver.got) == 34


def test_an_event_is_sent_again_by_hand_the_same_under_its_id(landlord: Landlord, hooked: Hooked) -> None:
    with Receiver() as receiver:
        endpoint, _ = hooked.hook(receiver.url)
        maple = landlord.property_()
        hooked.work()
        (delivery,) = hooked.log(endpoint)
        landlord.do(webhooks.replay, endpoint, delivery.id)
        (noted, *_) = landlord.read(activity.page, record=endpoint, limit=1)
        assert (noted.verb, noted.actor) == ("replay webhook message", landlord.caller.actor)
        kept = [json.loads(one) for one in (noted.before, noted.after)]
        assert [(one["state"], one["event_id"]) for one in kept] == [
            ("delivered", delivery.event_id), ("waiting", delivery.event_id),
        ]  # fmt: skip
        hooked.work(seconds=5)
        assert [(got.id, got.body) for got in receiver.got] == [(receiver.got[0].id, receiver.got[0].body)] * 2
        landlord.do(webhooks.change, endpoint, state=PAUSED)
        with pytest.raises(Conflict, match="turned off"):
            landlord.do(webhooks.replay, endpoint, delivery.id)
        with pytest.raises(NotFound):
            landlord.do(webhooks.replay, endpoint, "whd_" + "0" * 26)
    assert landlord.read(activity.page, record=maple.id, limit=1)


def test_two_accounts_stand_apart(landlord: Landlord, hooked: Hooked, database: Database, clock: MovableClock) -> None:
    other = Landlord(database, clock, name="other")
    theirs = Hooked(other, clock)
    with Receiver() as receiver, Receiver() as its:
        hooked.hook(receiver.url)
        endpoint, _ = theirs.hook(its.url)
        landlord.property_("Mine")
        other.property_("Theirs")
        landlord.property_("Mine too")
        hooked.work()
    assert [(said(got)["sequence"], said(got)["data"]["name"]) for got in receiver.got] == [
        (1, "Mine"),
        (2, "Mine too"),
    ]
    assert [(said(got)["sequence"], said(got)["data"]["name"]) for got in its.got] == [(1, "Theirs")]
    for deed in (access.webhook_endpoint, webhooks.remove):
        with pytest.raises(NotFound):
            landlord.do(deed, endpoint)
    with pytest.raises(NotFound):
        landlord.see(webhooks.log, endpoint, before=None, limit=1)


def test_nothing_that_was_told_names_a_tenant_who_was_entered_by_mistake(landlord: Landlord, hooked: Hooked) -> None:
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    wrong = landlord.tenant(one, "Zoe Wrong", email="wrong@example.org")
    landlord.tenant(two, "Bo Chen", email="bo@example.org")
    landlord.bill(maple, 90_00)
    landlord.run(lambda tx: webhook_deliveries.count(tx, landlord.account.id))
    told = b"".join(event.content for event in hooked.events("invoice.created", "tenant.created"))
    assert (told.count(b"Zoe Wrong"), told.count(b"Bo Chen")) == (2, 2)
    landlord.remove_tenant(wrong)
    landlord.run(lambda tx: webhook_deliveries.count(tx, landlord.account.id))
    told = b"".join(event.content for event in hooked.events())
    assert b"Zoe" not in told
    assert b"wrong@example.org" not in told
    assert told.count(b"Bo Chen") >= 2


def test_nor_under_a_name_or_address_that_the_tenant_had_before(landlord: Landlord, hooked: Hooked) -> None:
    """An event about a draft names the tenant as of that moment.

    Events are kept for 30 days.
    """
    maple = landlord.property_()
    (one,) = landlord.units(maple, "1")
    wrong = landlord.tenant(one, "Zoe Wrong", email="wrong@example.org")
    landlord.bill(maple, 90_00)
    for name, email in (("Zoe Wrongly", "wrong@example.org"), ("Ann Right", "ann@example.org")):
        landlord.do(tenants.change, wrong.id, {"name": name, "email": email})
        landlord.bill(maple, 90_00, on=date(2026, 3, 1) if name == "Ann Right" else date(2026, 1, 1))
    landlord.run(lambda tx: webhook_deliveries.count(tx, landlord.account.id))
    assert len(hooked.events("invoice.created")) == 3
    landlord.remove_tenant(wrong)
    landlord.run(lambda tx: webhook_deliveries.count(tx, landlord.account.id))
    told = b"".join(event.content for event in hooked.events())
    assert [one for one in (b"Zoe", b"wrong@", b"Right", b"ann@") if one in told] == []


def test_a_change_that_is_undone_tells_nobody(landlord: Landlord, hooked: Hooked) -> None:
    def breaks(tx: object) -> None:
        audit.record(tx, landlord.caller, Verb.REMOVE_UNIT, "unit_" + "0" * 26)  # type: ignore[arg-type]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        landlord.run(breaks)
    hooked.work()
    assert hooked.events() == []


def test_an_endpoint_that_was_removed_while_it_was_sent_to_is_sent_nothing_more(
    landlord: Landlord, hooked: Hooked
) -> None:
    def removes(got: Got, handler: object) -> None:
        landlord.do(webhooks.remove, endpoint)
        says(204)(got, handler)  # type: ignore[arg-type]

    answer: Answer = removes
    with Receiver(answer) as receiver:
        endpoint, _ = hooked.hook(receiver.url)
        landlord.units(landlord.property_(), "1", "2")
        hooked.work()
    assert len(receiver.got) == 1
    assert landlord.see(webhooks.listed) == []
