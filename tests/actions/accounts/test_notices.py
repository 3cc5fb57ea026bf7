"""Tests of the e-mails that tell members about changes to how they sign in."""

import pytest

from prorata.actions.accounts import own_profile, second_factors
from prorata.domain.accounts.one_time_links import RESET, VERIFY
from prorata.domain.mail.deliveries import MAIL
from prorata.store.accounts import one_time_links as stored_links
from prorata.store.audit.audit import Caller
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail import messages as stored_mail
from tests.actions.accounts.test_sign_in import turn_on
from tests.people import set_confirmed


@pytest.fixture
def bo(landlord, people):
    return people.join(landlord.account.id, "bo@example.org")


def told(people, row):
    """Return the kind, address and link of each message that waits to be sent."""
    due = people.see(stored_jobs.oldest_due, MAIL, "9999", 20)
    found = [people.see(stored_mail.find, row.account_id, job.subject) for job in due]
    return [(one.kind, one.to_address, one.link_id) for one in found if one.kind != RESET]


def test_a_password_that_is_changed_is_told_of(people, bo):
    _, person = people.begin(bo)
    people.do(own_profile.change_password, person, seen_hash=bo.password_hash, password_hash="new", token_hash="anew")
    assert told(people, bo) == [("password", bo.email, None)]


def test_a_password_that_is_set_by_a_link_is_told_of(people, bo):
    people.do(own_profile.request_reset, bo.email)
    (link,) = people.see(stored_links.waiting_for, bo.account_id, RESET, bo.email)
    people.do(own_profile.reset, link.id, password_hash="new")
    assert told(people, bo) == [("password", bo.email, None)]


def test_the_old_address_is_told_of_one_that_an_operator_gives(landlord, people, bo):
    landlord.do(own_profile.set_email, bo, "bo@new.example")
    assert told(people, bo) == [("address", bo.email, None)]


def test_a_second_factor_is_told_of_once_it_is_on_and_when_it_is_off(people, bo, clock):
    person, *_ = turn_on(people, bo, clock)
    assert told(people, bo) == [("factor_on", bo.email, None)]
    people.do(second_factors.turn_off, person, seen_hash=bo.password_hash, token_hash="anew")
    assert told(people, bo)[1:] == [("factor_off", bo.email, None)]


def test_what_the_operator_turns_off_is_told_of_too_and_what_was_off_is_not(people, bo, clock):
    operator = Caller(bo.account_id, "cli")
    people.do(second_factors.remove, operator, bo)
    assert told(people, bo) == []
    turn_on(people, bo, clock)
    people.do(second_factors.remove, operator, people.row(bo.email))
    assert [kind for kind, *_ in told(people, bo)] == ["factor_on", "factor_off"]


def test_an_address_that_need_not_be_theirs_is_told_nothing(people, bo):
    people.do(set_confirmed, bo.id, None)
    _, person = people.begin(bo)
    people.do(own_profile.change_password, person, seen_hash=bo.password_hash, password_hash="new", token_hash="anew")
    assert told(people, bo) == []


def test_an_address_that_signs_in_no_more_is_told_of_it(people, bo):
    _, person = people.begin(bo)
    people.do(own_profile.correct_email, person, "bea@example.org", seen_hash=bo.password_hash)
    assert [kind for kind, *_ in told(people, bo)] == ["verify"]
    (link,) = people.see(stored_links.waiting_for, bo.account_id, VERIFY, "bea@example.org")
    people.do(own_profile.verify, link.id, seen_hash=bo.password_hash)
    assert told(people, bo)[-1] == ("address", "bo@example.org", None)
