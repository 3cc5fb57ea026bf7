"""Who did what, as the Activity page shows it."""

from prorata.actions import activity, api_keys, members, properties
from prorata.actions.api_keys import KeyHasher
from prorata.actions.properties import NewProperty
from prorata.store.audit import Caller
from tests.landlord import Landlord

MAPLE = NewProperty("Maple Court", "12", "Maple St", "Reno", "NV", "89501", "US")


def pages(landlord, limit, **filters):
    found, before = [], None
    while page := landlord.see(activity.page, before=before, limit=limit, **filters):
        assert len(page) <= limit
        found += page
        before = page[-1].id
    return found


def test_what_was_done_is_listed_newest_first_page_by_page(landlord):
    maple = landlord.property_()
    for label in "1234567":
        landlord.unit(maple, label)
    whole = landlord.see(activity.page)
    assert whole == pages(landlord, 3)
    assert [one.id for one in whole] == sorted((one.id for one in whole), reverse=True)
    assert (whole[0].verb, whole[0].before, whole[0].after["label"]) == ("create unit", None, "7")
    assert len(landlord.see(activity.page, limit=10_000)) <= activity.MOST_AT_ONCE


def test_what_was_done_to_one_record_can_be_asked_for(landlord):
    maple = landlord.property_()
    one, _two = landlord.units(maple, "1", "2")
    landlord.change_unit(one, label="1a")
    found = pages(landlord, 1, record=one.id)
    assert [(event.verb, event.record_id) for event in found] == [("change unit", one.id), ("create unit", one.id)]
    assert (found[0].before["label"], found[0].after["label"]) == ("1", "1a")
    assert pages(landlord, 5, record="unit_1") == []


def test_who_did_it_is_named_as_people_know_them(landlord, people):
    account = landlord.account.id
    bo = people.join(account, "bo@example.org", name="Bo")
    ann = people.owner_of(account)
    key, _ = landlord.do(
        api_keys.create, name="books", permission="FULL", expires_at=None, random_bytes=b"x" * 24,
        hasher=KeyHasher([b"s" * 32]),
    )  # fmt: skip
    cy = people.join(account, "cy@example.org", name="Cy")
    landlord.do(members.remove, cy.id)
    for actor in (bo.id, ann.id, key.id, cy.id, "cli", "clock", "unheard of"):
        landlord.database.write(lambda tx, actor=actor: properties.create(tx, Caller(account, actor), MAPLE))
    names = [event.actor_name for event in landlord.see(activity.page) if event.verb == "create property"]
    assert names[::-1] == [
        *("Bo", ann.email, "API key books", "A former member"),
        *("The operator", "Prorata, by itself", "unheard of"),
    ]


def test_a_stranger_sees_none_of_it(landlord, people):
    stranger = Landlord(landlord.database, landlord.clock, name="stranger")
    maple = landlord.property_()
    bo = people.join(landlord.account.id, "bo@example.org", name="Bo")
    stranger.database.write(lambda tx: properties.create(tx, Caller(stranger.account.id, bo.id), MAPLE))
    assert stranger.see(activity.page, record=maple.id) == []
    last = landlord.see(activity.page)[0].id
    created, opened = stranger.see(activity.page)
    assert (created.actor_name, opened.verb) == ("A former member", "open account")
    assert all(event.id < last for event in stranger.see(activity.page, before=last))
