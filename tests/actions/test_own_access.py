"""One's own way in: name, password, a confirmed address, a password that is lost."""

import pytest

from prorata.actions import own_access
from prorata.domain.one_time_links import RESET, VERIFY
from prorata.errors import Conflict, InvalidRequest
from prorata.store import links as stored_links
from prorata.store import members as stored_members


@pytest.fixture
def bo(landlord, people):
    row = people.join(landlord.account.id, "bo@example.org")
    people.do(stored_members.save, row._replace(verified_at=None))
    return people.row(row.email)


def waiting(people, row, kind):
    return people.see(stored_links.waiting_for, row.account_id, kind, row.email)


def test_a_name_can_be_changed_to_one(people, bo):
    _, person = people.begin(bo)
    people.do(own_access.rename, person, " Robert ")
    assert people.row(bo.email).name == "Robert"
    with pytest.raises(InvalidRequest):
        people.do(own_access.rename, person, " ")


def test_a_password_that_was_changed_meanwhile_is_not_overwritten(people, bo):
    _, person = people.begin(bo)
    with pytest.raises(Conflict, match="meanwhile"):
        people.do(own_access.change_password, person, seen_hash="hash of another", password_hash="new")


def test_a_lost_password_is_set_anew_by_a_link_that_signs_all_browsers_out(people, bo):
    token, _ = people.begin(bo)
    people.do(own_access.request_reset, "BO@example.org")
    people.do(own_access.request_reset, bo.email)
    link, other = waiting(people, bo, RESET)

    after = people.do(own_access.reset, link.id, password_hash="new")

    assert people.row(bo.email) == after
    assert (after.password_hash, after.verified_at is not None) == ("new", True)
    assert people.person(token) is None
    for used in (link, other):
        with pytest.raises(Conflict, match="Ask for a new one"):
            people.do(own_access.reset, used.id, password_hash="newer")


def test_a_link_for_a_new_password_lasts_an_hour_and_is_good_for_nothing_else(people, bo, clock):
    people.do(own_access.request_reset, bo.email)
    (link,) = waiting(people, bo, RESET)
    with pytest.raises(Conflict):
        people.do(own_access.verify, link.id)
    clock.forward(hours=1)
    for link_id in (link.id, "link_1", None):
        with pytest.raises(Conflict):
            people.do(own_access.reset, link_id, password_hash="new")


def test_nothing_is_made_for_an_address_that_nobody_has_and_few_for_one_that_somebody_has(people, bo):
    people.do(own_access.request_reset, "who@example.org")
    for _ in range(5):
        people.do(own_access.request_reset, bo.email)
    assert len(waiting(people, bo, RESET)) == 3


def test_an_address_is_confirmed_by_the_link_that_was_sent_to_it(people, bo, clock):
    people.do(own_access.send_verification, bo)
    (link,) = waiting(people, bo, VERIFY)
    clock.forward(days=2, hours=23)
    people.do(own_access.verify, link.id)
    confirmed = people.row(bo.email)
    assert confirmed.verified_at is not None
    people.do(own_access.send_verification, confirmed)
    assert waiting(people, bo, VERIFY) == []


def test_another_password_lets_go_of_links_that_were_asked_for(people, bo):
    people.do(own_access.request_reset, bo.email)
    _, person = people.begin(bo)
    people.do(own_access.change_password, person, seen_hash=bo.password_hash, password_hash="new")
    assert waiting(people, bo, RESET) == []
