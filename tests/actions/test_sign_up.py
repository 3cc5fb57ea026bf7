"""Signing up: who may, what happens to an address that is known, and what a new account may mail."""

import contextlib
import threading

import pytest

from prorata.actions import accounts as account_actions
from prorata.actions import links, mail_allowances, members, own_access, sign_up
from prorata.domain.mail_allowances import MOST_A_DAY
from prorata.domain.one_time_links import RESET, VERIFY
from prorata.errors import Conflict, Forbidden, InvalidRequest
from prorata.store import accounts, audit
from prorata.store import links as stored_links
from tests.landlord import Landlord

FORM = {
    "name": "Ann",
    "account_name": "Ann's Homes",
    "email": "Ann@Example.org",
    "timezone": "America/Chicago",
    "locale": "en-US",
    "currency": "USD",
}


def sign_up_now(people, how="open", **values):
    return people.do(sign_up.open, how=how, **{**FORM, "password_hash": "hash of pass word", **values})


def waiting(people, row, kind):
    return people.see(stored_links.waiting_for, row.account_id, kind, row.email)


def test_the_first_account_is_open_to_whoever_comes_and_no_other(people):
    assert people.see(sign_up.is_open, "first")
    ann = sign_up_now(people, "first")
    assert (ann.email, ann.role, ann.name, ann.verified_at) == ("ann@example.org", "owner", "Ann", None)
    account = people.see(accounts.find, ann.account_id)
    assert (account.name, account.contact, account.timezone) == ("Ann's Homes", "Ann@Example.org", "America/Chicago")
    assert len(waiting(people, ann, VERIFY)) == 1
    assert not people.see(sign_up.is_open, "first")
    with pytest.raises(Forbidden, match="invitation"):
        sign_up_now(people, "first", email="bo@example.org")


def test_of_two_who_open_the_first_account_at_once_one_does(people):
    barrier, opened = threading.Barrier(2), []

    def run(email):
        barrier.wait()
        with contextlib.suppress(Forbidden):
            opened.append(sign_up_now(people, "first", email=email))

    threads = [threading.Thread(target=run, args=(f"{name}@example.org",)) for name in ("ann", "bo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 1
    assert len(people.see(accounts.everyone)) == 1


def test_of_two_who_sign_up_with_one_address_at_once_one_does(people):
    barrier, opened = threading.Barrier(2), []

    def run():
        barrier.wait()
        opened.append(sign_up_now(people))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(row is not None for row in opened) == [False, True]
    assert len(people.see(accounts.everyone)) == 1


def test_with_invitations_alone_nobody_comes_in_without_one(people, clock):
    signer = links.LinkSigner([b"s" * 32])
    opening = people.see(links.opening_for, "ann@example.org")
    token = signer.opening_token(opening)
    with pytest.raises(Forbidden):
        sign_up_now(people, "invite")
    assert signer.read_opening(token, clock()) == opening
    for other in (token[:-1], "x" + token, "é", "", links.LinkSigner([b"t" * 32]).opening_token(opening)):
        assert signer.read_opening(other, clock()) is None
    with pytest.raises(InvalidRequest, match="another e-mail address"):
        sign_up_now(people, "invite", email="bo@example.org", invite=opening)
    ann = sign_up_now(people, "invite", invite=opening)
    assert ann.verified_at is not None
    assert sign_up_now(people, "invite", invite=opening) is None
    clock.forward(days=7)
    assert signer.read_opening(token, clock()) is None


def test_an_address_that_is_known_opens_nothing_and_gets_a_message(people):
    ann = sign_up_now(people)
    assert sign_up_now(people, email="ANN@example.org", name="Eve") is None
    assert len(people.see(accounts.everyone)) == 1
    assert len(waiting(people, ann, RESET)) == 1


def test_every_problem_is_named_at_once(people):
    wrong = {
        "name": " ",
        "account_name": "",
        "email": "ann",
        "timezone": "Mars",
        "locale": "english",
        "currency": "JPY",
    }
    fields = ["name", "account_name", "email", "timezone", "locale", "currency"]
    with pytest.raises(InvalidRequest) as refusal:
        sign_up_now(people, **wrong)
    assert [problem.field for problem in refusal.value.problems] == fields
    found = sign_up.problems(**wrong, password="short")
    assert [problem.field for problem in found] == [*fields[:3], "password", *fields[3:]]


def test_where_no_mail_leaves_the_first_account_needs_no_confirmed_address(people):
    ann = sign_up_now(people, "first", mail_leaves=False)
    assert people.see(mail_allowances.why_none_leaves, ann.account_id) is None


def test_a_new_account_mails_nobody_before_its_owners_address_is_confirmed(people):
    ann = sign_up_now(people)
    owner = audit.Caller(ann.account_id, ann.id)
    wait = people.see(mail_allowances.why_none_leaves, ann.account_id)
    assert "not confirmed yet" in wait.why
    with pytest.raises(Conflict, match="not confirmed yet"):
        people.do(members.invite, owner, email="bo@example.org", role="viewer")
    (link,) = waiting(people, ann, VERIFY)
    people.do(own_access.verify, link.id)
    assert people.see(mail_allowances.why_none_leaves, ann.account_id) is None
    people.do(members.invite, owner, email="bo@example.org", role="viewer")


def test_a_new_account_begins_so_many_messages_a_day_in_its_first_week(people, clock):
    ann = sign_up_now(people)

    def begun():
        waits = [people.do(mail_allowances.take, ann.account_id) for _ in range(3)]
        return waits.count(None), waits[-1]

    people.do(lambda tx: [mail_allowances.take(tx, ann.account_id) for _ in range(MOST_A_DAY - 2)])
    number, wait = begun()
    assert number == 2
    assert "200 messages a day" in wait.why
    assert people.see(mail_allowances.why_no_more_today, ann.account_id) == wait
    assert wait.until.isoformat() == "2026-03-11T05:00:00+00:00"
    clock.forward(hours=11)
    assert begun() == (3, None)
    clock.forward(days=7)
    assert people.see(mail_allowances.why_no_more_today, ann.account_id) is None
    people.do(lambda tx: [mail_allowances.take(tx, ann.account_id) for _ in range(MOST_A_DAY)])
    assert begun() == (3, None)


def test_an_operators_account_mails_as_it_likes(landlord: Landlord, people):
    assert people.see(mail_allowances.why_none_leaves, landlord.account.id) is None
    waits = people.do(lambda tx: [mail_allowances.take(tx, landlord.account.id) for _ in range(MOST_A_DAY + 1)])
    assert set(waits) == {None}


def test_an_operator_is_told_that_an_address_is_taken(landlord, people):
    with pytest.raises(Conflict, match="already an account"):
        people.do(
            account_actions.open_account,
            **{key: value for key, value in FORM.items() if key not in ("account_name", "email")},
            email=people.owner_of(landlord.account.id).email,
            password_hash="x",
        )
