"""GET /events returns an account's own events, in order and numbered.

Each event has its record as the API showed it at the time.
"""

import threading
from typing import Any

import pytest

from prorata.actions.bills import bills
from prorata.actions.delivery import deliveries
from prorata.actions.jobs import recurring
from prorata.actions.overview import schedule
from prorata.actions.properties import properties
from prorata.domain.mail.delivery_reports import DeliveryReport, RecipientReport
from prorata.domain.webhooks.events import GONE
from prorata.store.webhooks import event_feed
from prorata.web.api import OPERATIONS
from prorata.worker.recurring_jobs import CLOCKWORK
from prorata.worker.rounds import Worker
from tests.web.addresses import assert_refused
from tests.web.conftest import MAPLE, Api, House
from tests.web.furnished import Furnished, add_bill, furnish, new_unit, rule_of

NO_RECORDS = {
    "webhook-endpoints": "who is told, and not what of",
    "account": "its logo, which no record holds",
    "keys": "access to the account, which its owners see in the dashboard",
    "members": "as keys are",
    "invitations": "as keys are",
    "payment-files": "files on the way to become payments",
    "invoices": "its charges: invoice.updated and charges.recalculated tell of them",
}
"""The records whose deletion by the API has no event type, with the reason."""
NOTHING = {"data": [], "hasMore": False, "lastSequence": 0, "oldestSequence": 1}


def go_round(house: House) -> None:
    """Run one round of the worker, which numbers the events."""
    Worker(house.database, lambda: 0, CLOCKWORK).do_round(threading.Event())


def events(house: House, api: Api | None = None, **query: Any) -> list[dict[str, Any]]:
    go_round(house)
    return (api or house.api).get("/events", params=query).json()["data"]


def last(house: House, event_type: str) -> Any:
    """Return the data of the last event of a type."""
    return events(house, type=event_type)[-1]["data"]


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def test_what_an_event_says_is_what_the_api_shows_of_the_record(house: House, made: Furnished) -> None:
    api = made.api
    assert last(house, "bill.created") == api.get(f"/utility-bills/{made.bills[-1]}").json()
    assert last(house, "property.created") == api.get(f"/properties/{made.property_id}").json()
    api.patch(f"/properties/{made.property_id}", {"name": "Elm Court"})
    assert last(house, "property.updated") == api.get(f"/properties/{made.property_id}").json()
    unit = new_unit(api, made.property_id, "7", sqft=850.5, bedrooms=0, monthlyRent=1200.5)
    assert unit.pop("tenants") == []
    assert last(house, "unit.created") == unit
    api.patch(f"/units/{unit['id']}", {"sqft": 1e6, "activeTo": "2026-01-31"})
    shown = api.get(f"/units/{unit['id']}").json()
    assert shown.pop("tenants") == []
    assert last(house, "unit.updated") == shown
    assert shown["isActive"] is False
    tenant = api.post(f"/units/{unit['id']}/tenants", {"name": "Zoë", "moveInDate": "2026-01-01"}).json()
    assert last(house, "tenant.created") == tenant
    api.patch(f"/tenants/{tenant['id']}", {"email": "zoe@example.com"})
    assert last(house, "tenant.updated") == api.get(f"/tenants/{tenant['id']}").json()
    assert last(house, "split_method.changed") == api.get(f"/split-methods/{made.split_method_id}").json()
    terms = {"splitMethod": "CUSTOM", "customWeightsJson": '{"1": 3, "2": 0.5}', "ownerPercent": 12.5}
    api.patch(f"/sharerules/{made.rule_id}", terms)
    assert last(house, "share_rule.changed") == rule_of(api, made.property_id, "WATER")


def test_an_invoice_is_told_of_as_lists_show_it(house: House, made: Furnished) -> None:
    api = made.api
    drafts = {one["id"]: one for one in made.invoices()}
    assert {one["data"]["id"]: one["data"] for one in events(house, type="invoice.created")} == drafts
    made.set_status("SENT")
    assert last(house, "invoice.status_changed") == made.invoice()
    made.set_status("PAID")
    assert last(house, "invoice.paid") == last(house, "invoice.status_changed") == made.invoice()
    assert made.invoice()["status"] == "PAID"
    made.set_status("DRAFT")
    assert last(house, "invoice.status_changed")["status"] == "DRAFT"
    again = [one["data"] for one in events(house, type="charges.recalculated")]
    month = {"propertyId": made.property_id, "billingMonth": "2026-03", "invoices": 3}
    assert again.count(month) == 1, "the month came out as it was when it opened again"
    api.patch(f"/units/{made.units['2']}", {"activeFrom": "2026-02-01"})
    assert [one["data"]["billingMonth"] for one in events(house, type="charges.recalculated")][-1] == "2026-01"


def test_new_invoices_show_the_measures_of_their_units(house: House) -> None:
    api = house.api
    property_id = api.post("/properties", MAPLE).json()["id"]
    new_unit(api, property_id, "1", sqft=850.25, bedrooms=2)
    new_unit(api, property_id, "2", sqft=1000000)
    add_bill(house, house.landlord, property_id, "2026-03")
    shown = {one["id"]: one for one in api.get("/invoices").json()["data"]}
    assert {one["data"]["id"]: one["data"] for one in events(house, type="invoice.created")} == shown


def test_what_becomes_of_an_invoice_by_itself_is_told_too(house: House, made: Furnished) -> None:
    made.set_status("SENT")
    invoice = made.invoice()
    (row,) = house.database.read(
        lambda tx: deliveries.messages(tx, house.landlord.caller, invoice["id"])
    )  # fmt: skip
    report = DeliveryReport((RecipientReport("failed", "ann@example.com", "5.1.1", "no such person"),))
    house.database.write(lambda tx: deliveries.note_report(tx, row.id, report))
    assert last(house, "invoice.bounced") == made.invoice()
    house.clock.advance(days=20)
    house.database.write(
        lambda tx: recurring.look_now(tx, house.landlord.account_id, recurring.OVERDUE)
    )  # fmt: skip
    go_round(house)
    assert last(house, "invoice.overdue") == last(house, "invoice.status_changed") == made.invoice()
    assert made.invoice()["status"] == "OVERDUE"


def test_what_is_gone_is_named(house: House, made: Furnished) -> None:
    api, caller = made.api, house.landlord.caller
    empty = api.post("/properties", MAPLE).json()["id"]
    unit = new_unit(api, empty, "7")
    tenant = api.post(f"/units/{unit['id']}/tenants", {"name": "Ann"}).json()
    api.delete(f"/tenants/{tenant['id']}")
    assert last(house, "tenant.deleted") == {"id": tenant["id"]}
    assert last(house, "tenant.created") == {"id": tenant["id"], "propertyId": empty}, "never there"
    api.delete(f"/units/{unit['id']}")
    assert last(house, "unit.deleted") == {"id": unit["id"], "propertyId": empty}
    api.delete(f"/units/{made.units['2']}")
    assert last(house, "unit.updated")["isActive"] is False
    house.database.write(lambda tx: bills.remove(tx, caller, made.bills[0]))
    assert last(house, "bill.deleted") == {"id": made.bills[0], "propertyId": made.property_id}
    rule_id = made.rule_id
    api.delete(f"/sharerules/{rule_id}")
    assert last(house, "share_rule.changed") == {"id": rule_id, "propertyId": made.property_id}
    assert last(house, "share_rule.deleted") == {"id": rule_id, "propertyId": made.property_id}
    replaced = rule_of(api, made.property_id, "GAS")["id"]
    api.post(f"/properties/{made.property_id}/sharerules", {"utilityType": "GAS", "splitMethod": "EQUAL"})
    assert last(house, "share_rule.deleted") == {"id": replaced, "propertyId": made.property_id}
    assert last(house, "share_rule.changed") == rule_of(api, made.property_id, "GAS")
    api.delete(f"/split-methods/{made.split_method_id}")
    assert last(house, "split_method.deleted") == {"id": made.split_method_id}
    api.delete(f"/properties/{made.property_id}")
    assert last(house, "property.deleted") == {"id": made.property_id}


def test_a_draft_that_goes_is_told_of(house: House, made: Furnished) -> None:
    drafts = {one["id"] for one in made.invoices(month="2026-01")}
    house.database.write(lambda tx: bills.remove(tx, house.landlord.caller, made.bills[0]))
    assert made.invoices(month="2026-01") == []
    told = [one["data"] for one in events(house, type="invoice.deleted")]
    assert {one["id"] for one in told} == drafts
    assert len(told) == 3
    assert all(one == {"id": one["id"], "propertyId": made.property_id} for one in told)


def test_every_kind_of_record_that_can_be_deleted_is_told_of_when_it_is() -> None:
    """Each DELETE operation of the API has a type of event."""
    nouns = {"properties": "property", "units": "unit", "tenants": "tenant", "bills": "bill", "sharerules": "share_rule",
             "split-methods": "split_method", "documents": "document"}  # fmt: skip
    deleted = {one.path.split("/")[1] for one in OPERATIONS if one.method == "DELETE"} - {*NO_RECORDS}
    assert {f"{nouns[one]}.deleted" for one in deleted} | {"invoice.deleted", "tenant.erased"} == GONE


def test_deleting_a_property_blanks_what_events_said_of_it_and_its_people(house: House, made: Furnished) -> None:
    before = events(house)
    assert "Ann Smith" in str(before)
    made.api.delete(f"/properties/{made.property_id}")
    after = events(house)
    assert [one["id"] for one in after[:-1]] == [one["id"] for one in before]
    of_the_property = [one for one in after[:-1] if not one["type"].startswith("split_method.")]
    for one in of_the_property:
        assert set(one["data"]) <= {"id", "propertyId"}, one
    for words in ("Ann Smith", "ann@example.com", "Maple"):
        assert words not in str(of_the_property)
    assert after[-1]["data"] == {"id": made.property_id}


def test_events_are_counted_from_one_and_read_from_any_place(house: House, made: Furnished) -> None:
    every = events(house)
    assert [one["sequence"] for one in every] == list(range(1, len(every) + 1))
    assert len({one["id"] for one in every}) == len(every)
    api = house.api
    for after in range(len(every) + 2):
        for limit in (1, 2, 5):
            found = api.get("/events", params={"after": after, "limit": limit}).json()
            assert found["data"] == every[after : after + limit]
            assert found["hasMore"] == (after + limit < len(every))
            assert found["lastSequence"] == len(every)
    of_type = [one for one in every if one["type"] == "invoice.created"]
    assert api.get("/events", params={"type": "invoice.created"}).json()["data"] == of_type
    middle = of_type[4]["sequence"]
    assert api.get("/events", params={"type": "invoice.created", "after": middle}).json()["data"] == of_type[5:]
    assert made.api.get("/events", params={"type": "unit.deleted"}).json()["data"] == []


def test_events_are_not_there_before_they_are_counted_and_strangers_see_none(house: House, made: Furnished) -> None:
    assert house.api.get("/events").json() == NOTHING
    go_round(house)
    assert house.api.get("/events").json()["lastSequence"] > 0
    assert house.api_of_stranger.get("/events").json() == NOTHING
    key = Api(house.client, made.landlord.read)
    assert key.get("/events").status_code == 200


def test_queries_that_are_not_as_described_are_refused(house: House) -> None:
    for query in ("after=-1", "after=x", "limit=0", "limit=101", "type=unit.moved", "types=unit.created"):
        assert house.api.get(f"/events?{query}").status_code == 400, query


def test_events_are_kept_for_thirty_days_and_numbers_go_on(house: House, made: Furnished) -> None:
    number = len(events(house))
    house.clock.advance(days=31)
    house.database.write(lambda tx: schedule.tidy(tx, house.landlord.account_id))
    assert events(house) == []
    made.api.patch(f"/properties/{made.property_id}", {"name": "Elm Court"})
    (one,) = events(house)
    assert one["sequence"] == number + 1


def test_who_asks_behind_what_is_not_kept_any_more_is_told(house: House, made: Furnished) -> None:
    number = len(events(house))
    assert made.api.get("/events?after=0").json()["oldestSequence"] == 1
    house.clock.advance(days=31)
    house.database.write(lambda tx: schedule.tidy(tx, house.landlord.account_id))
    said = made.api.get("/events").json()
    assert said == {"data": [], "hasMore": False, "lastSequence": number, "oldestSequence": number + 1}
    assert made.api.get(f"/events?after={number}").json() == said
    made.api.patch(f"/properties/{made.property_id}", {"name": "Elm Court"})
    (one,) = events(house)
    for after in (0, 1, number - 1):
        for query in (f"after={after}", f"after={after}&type=unit.deleted"):
            assert_refused(made.api.get(f"/events?{query}"), 410, "EVENTS_GONE")
    for query in ("", f"?after={number}"):
        said = made.api.get(f"/events{query}").json()
        assert said == {"data": [one], "hasMore": False, "lastSequence": number + 1, "oldestSequence": number + 1}


def test_old_events_are_let_go_by_the_clock(house: House, made: Furnished) -> None:
    events(house)
    house.clock.advance(days=32)
    go_round(house)
    assert made.api.get("/events").json()["data"] == []


def test_a_payment_is_told_of_with_what_the_ledger_shows(house: House, made: Furnished) -> None:
    made.set_status("SENT")
    path = f"/invoices/{made.invoice()['id']}/payments"
    paid = made.api.post(path, {"amount": "30.00", "method": "CASH", "note": "Thank you", "reference": "R 1"}).json()
    assert last(house, "payment.recorded") == paid == made.api.get(path).json()[0]
    assert last(house, "invoice.paid") == made.invoice()
    back = made.api.post(path, {"amount": "10.00", "method": "CASH", "kind": "REFUND"}).json()
    assert last(house, "payment.recorded") == back
    assert last(house, "invoice.status_changed") == made.invoice()
    made.api.delete(f"/properties/{made.property_id}")
    assert last(house, "payment.recorded") == {"id": back["id"], "propertyId": made.property_id}


def test_many_batches_are_counted_in_several_transactions_without_a_gap(house: House) -> None:
    number = event_feed.COUNTED_AT_ONCE + 7
    for _ in range(number):
        house.database.write(
            lambda tx: properties.create(tx, house.landlord.caller, properties.NewProperty(*MAPLE.values()))
        )
    go_round(house)
    assert house.api.get("/events", params={"after": number - 1}).json()["data"][0]["sequence"] == number
    assert house.api.get("/events").json()["lastSequence"] == number
