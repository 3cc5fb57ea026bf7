"""Tests of sessions: who is signed in, for how long, and why sessions end."""

import pytest

from prorata.actions.accounts import members, own_profile, sessions
from prorata.domain.limits import MOST_SESSIONS
from prorata.errors import InvalidRequest, NotFound
from prorata.store.accounts import sessions as stored_sessions
from prorata.store.database.engine import Database
from tests.landlord import Landlord, MovableClock
from tests.people import People


@pytest.fixture
def owner(landlord: Landlord, people: People):
    return people.owner_of(landlord.account.id)


def test_a_session_is_found_by_the_hash_of_its_token_and_says_who_it_is(landlord, people, owner):
    token, person = people.begin(owner)

    assert person == people.person(token)
    assert (person.account_id, person.member_id, person.role) == (landlord.account.id, owner.id, "owner")
    assert (person.email, person.is_verified, person.account_name) == (owner.email, True, "landlord")
    assert (person.locale, person.timezone, person.caller.actor) == ("en-US", "UTC", owner.id)
    assert people.person("f" * 64) is None


def test_a_session_ends_after_14_days_without_use(people, owner, clock):
    token, _ = people.begin(owner)
    clock.forward(days=13, hours=23)
    assert people.person(token)
    clock.forward(hours=1)
    assert people.person(token) is None


def test_a_session_that_is_used_ends_after_90_days(people, owner, clock):
    token, person = people.begin(owner)
    for _ in range(17):
        clock.forward(days=5)
        people.do(sessions.note_seen, person)
        person = people.person(token)
        assert person is not None
    clock.forward(days=5)
    assert people.person(token) is None


def test_use_is_written_down_every_five_minutes_and_no_more_often(people, owner, clock):
    token, person = people.begin(owner)
    clock.forward(minutes=5)
    assert not sessions.is_due(person, clock())
    people.do(sessions.note_seen, person)
    assert people.person(token).seen_at == person.seen_at
    clock.forward(seconds=1)
    assert sessions.is_due(person, clock())
    people.do(sessions.note_seen, person)
    assert people.person(token).seen_at > person.seen_at


def test_sessions_are_listed_with_where_they_are_the_last_used_first(people, owner, clock):
    _, first = people.begin(owner, agent="Firefox\x00" + "x" * 500)
    clock.forward(minutes=1)
    _, second = people.begin(owner, agent="Safari")

    listed = people.see(sessions.listed, second)

    assert [row.id for row in listed] == [second.session_id, first.session_id]
    assert len(listed[1].user_agent) == 200
    assert listed[1].user_agent.startswith("Firefoxx")
    assert listed[0].address == "192.0.2.1"


def test_a_session_can_be_ended_and_all_others_at_once(people, owner):
    (one, first), (two, second), (three, _) = (people.begin(owner) for _ in range(3))

    people.do(sessions.end, first, second.session_id)
    assert people.person(two) is None
    assert people.do(sessions.end_others, first) == 1
    assert people.person(three) is None
    assert people.person(one)
    people.do(sessions.end, first, first.session_id)
    assert people.person(one) is None


def test_of_very_many_sessions_the_one_used_least_lately_ends(people, owner, clock):
    first, _ = people.begin(owner)
    for _ in range(MOST_SESSIONS - 1):
        clock.forward(seconds=1)
        _, person = people.begin(owner)
    assert people.person(first)
    clock.forward(seconds=1)
    people.begin(owner)
    assert people.person(first) is None
    assert len(people.see(sessions.listed, person)) == MOST_SESSIONS


def test_nobody_is_signed_in_by_a_password_that_was_changed_meanwhile(people, owner):
    _, person = people.begin(owner)
    people.do(
        own_profile.change_password, person, seen_hash=owner.password_hash, password_hash="new", token_hash="anew"
    )
    with pytest.raises(InvalidRequest, match="changed in the meantime"):
        people.begin(owner)


def test_nobody_ends_or_sees_the_sessions_of_others(landlord, people, owner):
    colleague = people.join(landlord.account.id, "bo@example.org")
    stranger = people.owner_of(Landlord(landlord.database, landlord.clock, name="stranger").account.id)
    token, mine = people.begin(owner)
    for other in (colleague, stranger):
        _, person = people.begin(other)
        for session_id in (mine.session_id, "sess_1", "sess_01kkcefq80e22ty5z41bc43ex9"):
            with pytest.raises(NotFound, match="no session"):
                people.do(sessions.end, person, session_id)
        assert [row.id for row in people.see(sessions.listed, person)] == [person.session_id]
        people.do(sessions.end_others, person)
    assert people.person(token)


def test_another_role_counts_at_once_and_a_removed_member_is_signed_out(landlord, people):
    bo = people.join(landlord.account.id, "bo@example.org", "viewer")
    token, _ = people.begin(bo)
    landlord.do(members.change_role, bo.id, "manager")
    assert people.person(token).role == "manager"
    landlord.do(members.remove, bo.id)
    assert people.person(token) is None


def test_another_password_signs_every_other_browser_out(people, owner):
    one, person = people.begin(owner)
    two, _ = people.begin(owner)
    people.do(
        own_profile.change_password, person, seen_hash=owner.password_hash, password_hash="new", token_hash="anew"
    )
    assert people.person("anew"), "this browser goes on, under another token"
    assert (people.person(one), people.person(two)) == (None, None)
    assert people.row(owner.email).password_hash == "new"


def test_sessions_that_are_over_are_let_go_at_the_next_sign_in(people, owner, clock):
    people.begin(owner)
    clock.forward(days=15)
    _, person = people.begin(owner)
    kept = people.see(stored_sessions.all_of, owner.account_id, owner.id, idle_since="")
    assert [row.id for row in kept] == [person.session_id]


def test_every_session_can_be_ended_as_a_restore_does(database: Database, clock: MovableClock, people, owner):
    stranger = people.owner_of(Landlord(database, clock, name="stranger").account.id)
    tokens = [people.begin(row)[0] for row in (owner, stranger)]
    assert people.do(stored_sessions.end_all) == 2
    assert [people.person(token) for token in tokens] == [None, None]
