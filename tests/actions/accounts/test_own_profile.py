"""Tests of how members change their name, password and address.

They also cover the confirmation of an address and the reset of a lost password.
"""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from prorata.actions.accounts import members, own_profile, sign_in
from prorata.actions.audit import activity
from prorata.actions.delivery import deliveries
from prorata.domain.accounts.one_time_links import RESET, VERIFY
from prorata.errors import Conflict, InvalidRequest
from prorata.store.accounts import members as stored_members, one_time_links as stored_links
from prorata.store.mail import messages as stored_mail
from tests.meanwhile import while_somebody_else_writes
from tests.people import set_confirmed


@pytest.fixture
def bo(landlord, people):
    row = people.join(landlord.account.id, "bo@example.org")
    people.do(set_confirmed, row.id, None)
    return people.row(row.email)


def waiting(people, row, kind):
    return people.see(stored_links.waiting_for, row.account_id, kind, row.email)


def test_a_name_can_be_changed_to_one(people, bo):
    _, person = people.begin(bo)
    people.do(own_profile.rename, person, " Robert ")
    assert people.row(bo.email).name == "Robert"
    with pytest.raises(InvalidRequest):
        people.do(own_profile.rename, person, " ")


def test_a_password_that_was_changed_meanwhile_is_not_overwritten(people, bo):
    _, person = people.begin(bo)
    with pytest.raises(Conflict, match="in the meantime"):
        people.do(
            own_profile.change_password, person, seen_hash="hash of another", password_hash="new", token_hash="anew"
        )


def test_a_lost_password_is_set_anew_by_a_link_that_signs_all_browsers_out(people, bo):
    token, _ = people.begin(bo)
    people.do(own_profile.request_reset, "BO@example.org")
    people.do(own_profile.request_reset, bo.email)
    link, other = waiting(people, bo, RESET)

    after = people.do(own_profile.reset, link.id, password_hash="new")

    assert people.row(bo.email) == after
    assert (after.password_hash, after.verified_at is not None) == ("new", True)
    assert people.person(token) is None
    for used in (link, other):
        with pytest.raises(Conflict, match="Request a new link"):
            people.do(own_profile.reset, used.id, password_hash="newer")


def test_a_link_for_a_new_password_lasts_an_hour_and_is_good_for_nothing_else(people, bo, clock):
    people.do(own_profile.request_reset, bo.email)
    (link,) = waiting(people, bo, RESET)
    with pytest.raises(Conflict):
        people.do(own_profile.verify, link.id, seen_hash=bo.password_hash)
    clock.forward(hours=1)
    for link_id in (link.id, "link_1", None):
        with pytest.raises(Conflict):
            people.do(own_profile.reset, link_id, password_hash="new")


def test_nothing_is_made_for_an_address_that_nobody_has_and_few_for_one_that_somebody_has(people, bo):
    people.do(own_profile.request_reset, "who@example.org")
    for _ in range(5):
        people.do(own_profile.request_reset, bo.email)
    assert len(waiting(people, bo, RESET)) == 3


def test_an_address_is_confirmed_by_the_link_that_was_sent_to_it(people, bo, clock):
    people.do(own_profile.send_verification, bo)
    (link,) = waiting(people, bo, VERIFY)
    clock.forward(days=2, hours=23)
    people.do(own_profile.verify, link.id, seen_hash=bo.password_hash)
    confirmed = people.row(bo.email)
    assert confirmed.verified_at is not None
    assert people.do(own_profile.send_verification, confirmed) == "confirmed"
    assert waiting(people, bo, VERIFY) == []


def test_another_password_lets_go_of_links_that_were_asked_for(people, bo):
    people.do(own_profile.request_reset, bo.email)
    _, person = people.begin(bo)
    people.do(own_profile.change_password, person, seen_hash=bo.password_hash, password_hash="new", token_hash="anew")
    assert waiting(people, bo, RESET) == []


def test_another_password_leaves_the_link_that_confirms_the_address(people, bo):
    people.do(own_profile.send_verification, bo)
    _, person = people.begin(bo)
    people.do(own_profile.change_password, person, seen_hash=bo.password_hash, password_hash="new", token_hash="anew")
    (link,) = waiting(people, bo, VERIFY)
    people.do(own_profile.verify, link.id, seen_hash="new")
    assert people.row(bo.email).verified_at is not None


def test_a_message_that_did_not_arrive_does_not_count_as_sent_and_is_told_of(landlord, people, bo, clock):
    _, person = people.begin(bo)
    for said in ("sent", "sent", "sent", "enough"):
        assert people.do(own_profile.send_verification, bo) == said
        clock.forward(seconds=1)
    assert people.see(own_profile.of_person, person).lost is None
    for link in waiting(people, bo, VERIFY):
        (message,) = landlord.read(stored_mail.with_link, link.id)
        landlord.run(lambda tx, message=message: deliveries.note_failed(tx, bo.account_id, message.id, "No such user."))
    assert people.see(own_profile.of_person, person).lost == "No such user."
    assert people.do(own_profile.send_verification, bo) == "sent"


class Between:
    """A transaction before whose first change another transaction makes a change and commits it."""

    def __init__(self, tx, other) -> None:
        self._tx, self._other = tx, other

    def __getattr__(self, name):
        return getattr(self._tx, name)

    def run(self, statement, **values):
        other, self._other = self._other, lambda: None
        with ThreadPoolExecutor(1) as somebody:  # with a connection of their own
            somebody.submit(other).result(30)
        return self._tx.run(statement, **values)


@pytest.mark.parametrize("act", ["rename", "verify", "keep hash"])
@pytest.mark.parametrize("meanwhile", ["role", "password", "code"])
def test_no_change_of_a_member_undoes_another_made_at_the_same_moment(landlord, people, bo, database, act, meanwhile):
    _, person = people.begin(bo)
    people.do(own_profile.send_verification, bo)
    (link,) = waiting(people, bo, VERIFY)
    seen = bo.password_hash
    acts = {
        "rename": lambda tx: own_profile.rename(tx, person, "Robert"),
        "verify": lambda tx: own_profile.verify(tx, link.id, seen_hash=seen),
        "keep hash": lambda tx: sign_in.keep_hash(tx, bo, "same, hashed anew"),
    }
    others = {
        "role": lambda: landlord.do(members.change_role, bo.id, "manager"),
        "password": lambda: people.do(
            own_profile.change_password, person, seen_hash=seen, password_hash="new", token_hash="anew"
        ),
        "code": lambda: people.do(stored_members.use_step, bo.account_id, bo.id, 7),
    }
    if database.dialect == "sqlite":  # where one writes at a time, and the other is done before
        others[meanwhile]()
        others[meanwhile] = lambda: None
    with contextlib.suppress(Conflict):
        database.write(lambda tx: acts[act](Between(tx, others[meanwhile])))
    after = people.row(bo.email)
    kept = {
        "role": after.role == "manager",
        "password": after.password_hash == "new",
        "code": after.totp_last_step == 7,
    }
    assert kept[meanwhile]


def test_an_address_that_is_confirmed_at_the_same_moment_is_changed_by_a_link_to_the_new_one(landlord, people):
    row = people.join(landlord.account.id, "bo@example.org", name="Bo")
    landlord.run(lambda tx: set_confirmed(tx, row.id, None))
    _, person = people.begin(row)

    def theirs(tx):
        set_confirmed(tx, row.id, tx.now)

    def mine(tx):
        return own_profile.correct_email(tx, person, "bob@example.org", seen_hash=row.password_hash)

    assert while_somebody_else_writes(landlord.database, theirs, mine) == "sent"
    assert people.row("bo@example.org").email == "bo@example.org"
    assert "change member" not in [one.verb for one in landlord.see(activity.page)]


def test_an_operator_gives_who_has_lost_the_mailbox_another_address(landlord, people, bo):
    link = people.do(own_profile.reset_link, bo, created_by="test")
    after = landlord.do(own_profile.set_email, bo, " Bo@New.example ")
    assert (after.email, after.verified_at) == ("bo@new.example", bo.verified_at)
    assert people.row("bo@new.example") == after
    with pytest.raises(Conflict):
        people.see(own_profile.linked, RESET, link.id)
    assert landlord.do(own_profile.set_email, after, "bo@new.example") == after
    with pytest.raises(InvalidRequest):
        landlord.do(own_profile.set_email, after, "bo")
    with pytest.raises(Conflict, match="already signs in with this address"):
        landlord.do(own_profile.set_email, after, landlord.see(members.listed)[0].email)
    with pytest.raises(Conflict, match="changed in the meantime"):
        landlord.do(own_profile.set_email, bo, "bo@third.example")
