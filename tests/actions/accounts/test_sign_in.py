"""Tests of signing in with a password and the code of a second factor."""

import pytest

from prorata.actions.accounts import own_profile, second_factors, sessions, sign_in
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.audit import activity
from prorata.domain.accounts.one_time_codes import RECOVERY_BYTES, RECOVERY_CODES, code_at, step_at
from prorata.errors import Conflict, InvalidRequest
from tests.people import OpenVault, PlainPasswords, set_confirmed

SECRET = b"12345678901234567890"
VAULT = OpenVault()
CODES = [bytes([number]) * RECOVERY_BYTES for number in range(RECOVERY_CODES)]


@pytest.fixture
def bo(landlord, people):
    return people.join(landlord.account.id, "bo@example.org")


@pytest.fixture
def passwords():
    return PlainPasswords()


def test_a_member_is_found_by_address_in_any_case_and_known_by_the_password(people, bo, passwords):
    row = people.see(sign_in.look_up, " BO@Example.org ")
    assert row == bo
    assert sign_in.check(row, "pass word", passwords)
    assert not sign_in.check(row, "pass word ", passwords)


def test_an_address_that_nobody_has_is_compared_all_the_same(people, bo, passwords):
    row = people.see(sign_in.look_up, "who@example.org")
    assert row is None
    assert not sign_in.check(row, "pass word", passwords)
    assert passwords.compared == ["nobody's"]


def test_a_password_under_older_parameters_is_hashed_anew_unless_it_was_changed_meanwhile(people, bo, passwords):
    assert sign_in.hashed_anew(bo, "pass word", passwords) is None
    old = bo._replace(password_hash="old hash of pass word")
    assert sign_in.hashed_anew(old, "pass word", passwords) == "hash of pass word"
    people.do(sign_in.keep_hash, old, "stale")
    assert people.row(bo.email).password_hash == "hash of pass word"
    people.do(sign_in.keep_hash, bo, "fresh")
    assert people.row(bo.email).password_hash == "fresh"


def turn_on(people, row, clock):
    _, person = people.begin(row)
    people.do(second_factors.begin, person, seen_hash=row.password_hash, secret=SECRET, vault=VAULT)
    code = code_at(SECRET, step_at(clock().timestamp()))
    codes = people.do(second_factors.confirm, person, code, random_codes=CODES, vault=VAULT, token_hash="anew")
    return person, code, codes


def test_a_second_factor_counts_once_its_first_code_was_entered(people, bo, clock):
    _, person = people.begin(bo)
    with pytest.raises(Conflict, match="changed in the meantime"):
        people.do(second_factors.begin, person, seen_hash="another", secret=SECRET, vault=VAULT)
    people.do(second_factors.begin, person, seen_hash=bo.password_hash, secret=SECRET, vault=VAULT)
    assert people.see(second_factors.begun, person, VAULT) == SECRET
    assert not people.row(bo.email).has_second_factor
    with pytest.raises(InvalidRequest) as refusal:
        people.do(second_factors.confirm, person, "000000", random_codes=CODES, vault=VAULT, token_hash="anew")
    assert refusal.value.problems[0].field == "code"
    _, _, codes = turn_on(people, bo, clock)
    assert people.row(bo.email).has_second_factor
    assert len(set(codes)) == 10
    with pytest.raises(Conflict, match="already on"):
        people.do(second_factors.begin, person, seen_hash=bo.password_hash, secret=SECRET, vault=VAULT)


def test_a_second_factor_signs_every_other_browser_out_as_it_is_turned_on(people, bo, clock):
    elsewhere, _ = people.begin(bo)
    person, _, _ = turn_on(people, bo, clock)
    assert people.person(elsewhere) is None
    (here,) = people.see(sessions.listed, person)
    assert here.id != person.session_id, "this browser goes on under another"


def test_who_has_not_confirmed_the_address_sets_up_no_second_factor(people, bo):
    people.do(set_confirmed, bo.id, None)
    _, person = people.begin(bo)
    with pytest.raises(Conflict, match="Confirm your e-mail address first"):
        people.do(second_factors.begin, person, seen_hash=bo.password_hash, secret=SECRET, vault=VAULT)


def test_a_ticket_that_nobody_made_is_refused_in_words(people, bo, clock):
    hasher = KeyHasher([b"t" * 32])
    ticket = people.see(sign_in.ticket, bo, hasher)
    assert people.see(sign_in.holder, ticket, hasher) == bo
    account, member, until, mark = ticket.split(".")
    for forged in ("", "x", "...", f"{account}.{member}.².{mark}", f"{account}.{member}.{'9' * 5000}.{mark}",
                   f"{account}.{member}.{until}.{mark[:-1]}", f"{member}.{account}.{until}.{mark}"):  # fmt: skip
        with pytest.raises(InvalidRequest, match="took too long"):
            people.see(sign_in.holder, forged, hasher)
    clock.forward(minutes=6)
    with pytest.raises(InvalidRequest, match="took too long"):
        people.see(sign_in.holder, ticket, hasher)


def test_a_code_works_once_and_neither_does_an_older_one(people, bo, clock):
    _, used, _ = turn_on(people, bo, clock)
    assert not people.do(sign_in.second_factor, bo, used, VAULT)
    clock.forward(seconds=30)
    now = step_at(clock().timestamp())
    late, early = code_at(SECRET, now), code_at(SECRET, now + 1)
    assert people.do(sign_in.second_factor, bo, f"{early[:3]} {early[3:]}", VAULT)
    assert not people.do(sign_in.second_factor, bo, early, VAULT)
    assert not people.do(sign_in.second_factor, bo, late, VAULT)
    assert not people.do(sign_in.second_factor, bo, code_at(SECRET, now + 3), VAULT)


def test_a_recovery_code_works_once_in_place_of_a_code(people, bo, clock):
    person, _, codes = turn_on(people, bo, clock)
    assert people.do(sign_in.second_factor, bo, codes[3].upper().replace("-", " "), VAULT)
    assert not people.do(sign_in.second_factor, bo, codes[3], VAULT)
    assert people.see(own_profile.of_person, person).recovery_codes_left == 9
    assert not people.do(sign_in.second_factor, bo, "", VAULT)


def test_new_recovery_codes_take_the_place_of_all_others(people, bo, clock):
    person, _, codes = turn_on(people, bo, clock)
    fresh = [bytes([200 + number]) * RECOVERY_BYTES for number in range(RECOVERY_CODES)]
    seen = bo.password_hash
    others = people.do(second_factors.new_recovery_codes, person, seen_hash=seen, random_codes=fresh)
    assert not people.do(sign_in.second_factor, bo, codes[0], VAULT)
    assert people.do(sign_in.second_factor, bo, others[0], VAULT)


def test_a_second_factor_that_is_off_lets_no_code_in(people, bo, clock):
    person, _, codes = turn_on(people, bo, clock)
    with pytest.raises(Conflict, match="changed in the meantime"):
        people.do(second_factors.turn_off, person, seen_hash="another", token_hash="anew")
    people.do(second_factors.turn_off, person, seen_hash=bo.password_hash, token_hash="anew")
    assert not people.row(bo.email).has_second_factor
    clock.forward(seconds=30)
    for code in (codes[0], code_at(SECRET, step_at(clock().timestamp()))):
        assert not people.do(sign_in.second_factor, bo, code, VAULT)
    with pytest.raises(Conflict, match="Turn on two-step sign-in first"):
        people.do(second_factors.new_recovery_codes, person, seen_hash=bo.password_hash, random_codes=CODES)


def test_a_code_of_one_member_is_no_code_of_another(landlord, people, bo, clock):
    turn_on(people, bo, clock)
    cy = people.join(landlord.account.id, "cy@example.org")
    clock.forward(seconds=30)
    assert not people.do(sign_in.second_factor, cy, code_at(SECRET, step_at(clock().timestamp())), VAULT)


def test_no_secret_or_password_is_written_into_the_activity(landlord, people, bo, clock):
    turn_on(people, bo, clock)
    told = str(landlord.see(activity.page))
    assert "turn second factor on" in told
    assert SECRET.hex() not in told
    assert "hash of" not in told
