"""`/incoming-mail` and `/inbox-settings` handle mail with bills as the dashboard does."""

import pytest

from prorata.actions.inbound_mail import inbox_addresses
from prorata.store.inbound_mail import incoming_mail as stored
from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def let_wait(made: Furnished, state: str = "waiting", *, authentic: bool = True) -> str:
    """Make the incoming message one that was already read."""
    mail_id = made.mail_id

    def work(tx: stored.Tx) -> None:
        row = stored.find(tx, made.landlord.account_id, mail_id)
        assert row is not None
        read = row._replace(state=state, sender="a@example.com", subject="Bill", authentic=authentic)
        stored.save(tx, read)

    made.house.database.write(work)
    return mail_id


def test_what_waits_is_listed_as_the_page_lists_it_and_taken_up(made: Furnished) -> None:
    mail_id = let_wait(made)
    listed = made.api.get("/incoming-mail?status=WAITING").json()
    (mail,) = listed["data"]
    assert (mail["id"], mail["status"], mail["sender"], mail["isKept"]) == (mail_id, "WAITING", "a@example.com", True)
    assert (listed["waiting"], listed["notTaken"], listed["next"]) == (1, 0, None)
    assert made.api.get(f"/incoming-mail/{mail_id}").json() == mail
    assert b"Subject: Bill" in made.api.get(f"/incoming-mail/{mail_id}/file").content
    assert made.api.get("/incoming-mail?q=nothing").json()["data"] == []
    assert made.api.post(f"/incoming-mail/{mail_id}/take-up").json()["status"] == "RECEIVED"
    assert_refused(made.api.post(f"/incoming-mail/{mail_id}/take-up"), 409, "CONFLICT")


def test_a_message_is_refused_or_dealt_with(made: Furnished) -> None:
    mail_id = let_wait(made)
    assert made.api.post(f"/incoming-mail/{mail_id}/refuse").json()["status"] == "REFUSED"
    let_wait(made, "not taken")
    assert_refused(made.api.post(f"/incoming-mail/{mail_id}/refuse"), 409, "CONFLICT")
    assert made.api.post(f"/incoming-mail/{mail_id}/dealt-with").json()["status"] == "DEALT_WITH"
    assert_refused(made.api.post(f"/incoming-mail/{mail_id}/set-aside"), 409, "CONFLICT")


def test_a_sender_is_allowed_by_a_key_that_manages_alone(made: Furnished) -> None:
    path = f"/incoming-mail/{let_wait(made)}/allow-sender"
    full = Api(made.house.client, made.landlord.full)
    assert_refused(full.post(path), 403, "INSUFFICIENT_PERMISSIONS")
    assert made.api.post(path).json()["status"] == "RECEIVED"
    assert made.api.get("/inbox-settings").json()["allowedSenders"] == ["a@example.com"]


def test_settings_of_the_inbox_are_read_changed_and_its_address_renewed(made: Furnished) -> None:
    caller = made.landlord.caller
    token = made.house.database.read(lambda tx: inbox_addresses.find(tx, caller)).token
    read = made.api.get("/inbox-settings").json()
    assert read["address"] == f"bills+{token}@in.example.com"
    changed = made.api.patch("/inbox-settings", {"allowedSenders": ["Aqua.example", "a@b.example"], "keepDays": 9})
    assert changed.json()["allowedSenders"] == ["@aqua.example", "a@b.example"]
    assert (changed.json()["keepDays"], changed.json()["countsKnown"]) == (9, read["countsKnown"])
    assert made.api.patch("/inbox-settings", {"countsKnown": True}).json()["keepDays"] == 9
    assert made.api.post("/inbox-settings/renew-address").json()["address"] != read["address"]
    wrong = made.api.patch("/inbox-settings", {"allowedSenders": ["nobody"]})
    assert assert_refused(wrong, 400, "INVALID_REQUEST")["details"][0]["field"] == "allowedSenders[0]"


def test_what_the_list_can_not_be_asked_for_is_refused(shared_house: House) -> None:
    assert_refused(shared_house.api.get("/incoming-mail?status=waiting"), 400, "INVALID_REQUEST")
