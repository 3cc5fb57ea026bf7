"""Tests of signing up.

They check who may sign up, what happens if the address is known already, and how much a new account may e-mail.
"""

import contextlib
import threading

import pytest

from prorata.actions.accounts import (
    accounts as account_actions,
    api_keys,
    members,
    one_time_links,
    own_profile,
    sign_up,
)
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.mail import allowances as mail_allowances
from prorata.actions.overview.schedule import RECURRING
from prorata.domain.accounts.one_time_links import RESET, VERIFY
from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.errors import Conflict, Forbidden, InvalidRequest
from prorata.store.accounts import accounts, one_time_links as stored_links
from prorata.store.audit import audit
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
    return people.do(
        sign_up.open, recurs=RECURRING, how=how, **{**FORM, "password_hash": "hash of pass word", **values}
    )


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
    signer = one_time_links.LinkSigner([b"s" * 32])
    opening = people.see(one_time_links.opening_for, "ann@example.org")
    token = signer.opening_token(opening)
    with pytest.raises(Forbidden):
        sign_up_now(people, "invite")
    assert signer.read_opening(token, clock()) == opening
    for other in (token[:-1], "x" + token, "é", "", one_time_links.LinkSigner([b"t" * 32]).opening_token(opening)):
        assert signer.read_opening(other, clock()) is None
    with pytest.raises(InvalidRequest, match="a different e-mail address"):
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
    people.do(own_profile.verify, link.id, seen_hash=ann.password_hash)
    assert people.see(mail_allowances.why_none_leaves, ann.account_id) is None
    people.do(members.invite, owner, email="bo@example.org", role="viewer")


def test_the_week_of_few_messages_begins_as_the_address_is_confirmed(people, clock):
    ann = sign_up_now(people)
    clock.forward(days=8)
    people.do(own_profile.send_verification, ann)
    link = waiting(people, ann, VERIFY)[-1]
    people.do(own_profile.verify, link.id, seen_hash=ann.password_hash)
    people.do(lambda tx: [mail_allowances.take(tx, ann.account_id) for _ in range(MOST_MAIL_A_DAY)])
    assert people.see(mail_allowances.why_no_more_today, ann.account_id) is not None
    with pytest.raises(Conflict, match="nothing was sent"):
        people.do(members.invite, audit.Caller(ann.account_id, ann.id), email="bo@example.org", role="viewer")
    clock.forward(days=7)
    assert people.see(mail_allowances.why_no_more_today, ann.account_id) is None


def test_who_changes_the_time_zone_has_no_second_day(people):
    ann = sign_up_now(people)
    people.do(lambda tx: [mail_allowances.take(tx, ann.account_id) for _ in range(MOST_MAIL_A_DAY)])
    for zone in ("Pacific/Kiritimati", "Etc/GMT+12"):
        people.do(account_actions.change_settings, audit.Caller(ann.account_id, ann.id), Wishes(timezone=zone))
        assert people.do(mail_allowances.take, ann.account_id) is not None


def test_what_outlasts_the_coming_of_the_true_owner_waits_for_the_address_to_be_confirmed(people):
    ann = sign_up_now(people)
    with pytest.raises(Conflict, match="Confirm your e-mail address first"):
        people.do(
            api_keys.create, audit.Caller(ann.account_id, ann.id), name="books", permission="FULL", expires_at=None,
            random_bytes=b"k" * 24, hasher=api_keys.KeyHasher([b"k" * 32]),
        )  # fmt: skip


def test_a_mistyped_address_is_corrected_while_nobody_has_confirmed_it(people):
    ann = sign_up_now(people, "first", email="anm@example.org")
    _, person = people.begin(ann)
    seen = ann.password_hash
    with pytest.raises(InvalidRequest, match="Enter an e-mail address"):
        people.do(own_profile.correct_email, person, "ann", seen_hash=seen)
    with pytest.raises(Conflict, match="in the meantime"):
        people.do(own_profile.correct_email, person, "ann@example.org", seen_hash="another")
    with pytest.raises(InvalidRequest, match="already used to sign in"):
        people.do(own_profile.correct_email, person, "ANM@example.org", seen_hash=seen)
    assert people.do(own_profile.correct_email, person, "Ann@example.org", seen_hash=seen) == "sent"
    assert waiting(people, ann, VERIFY) == []
    right = people.row("ann@example.org")
    assert people.see(accounts.find, ann.account_id).contact == "Ann@example.org"
    (link,) = waiting(people, right, VERIFY)
    people.do(own_profile.verify, link.id, seen_hash=seen)


def test_a_confirmed_address_is_changed_once_the_new_one_is_confirmed_and_the_old_one_is_told(people):
    ann = sign_up_now(people, "first", email="ann@example.org")
    (link,) = waiting(people, ann, VERIFY)
    seen = ann.password_hash
    people.do(own_profile.verify, link.id, seen_hash=seen)
    _, person = people.begin(people.row("ann@example.org"))
    assert people.do(own_profile.correct_email, person, "Lee@example.org", seen_hash=seen) == "sent"
    before = people.row("ann@example.org")
    assert before.verified_at
    (sent,) = waiting(people, before._replace(email="lee@example.org"), VERIFY)
    shown, _ = people.see(own_profile.to_verify, sent.id)
    assert shown.email == "lee@example.org"

    people.do(own_profile.verify, sent.id, seen_hash=seen)

    after = people.row("lee@example.org")
    assert (after.id, after.verified_at) == (before.id, before.verified_at)
    assert people.see(accounts.find, ann.account_id).contact == "lee@example.org"
    with pytest.raises(Conflict):
        people.do(own_profile.verify, sent.id, seen_hash=seen)


def test_an_address_that_somebody_else_took_meanwhile_is_not_moved_to(people):
    ann = sign_up_now(people, "first", email="ann@example.org")
    (link,) = waiting(people, ann, VERIFY)
    people.do(own_profile.verify, link.id, seen_hash=ann.password_hash)
    _, person = people.begin(people.row("ann@example.org"))
    people.do(own_profile.correct_email, person, "lee@example.org", seen_hash=ann.password_hash)
    (sent,) = waiting(people, ann._replace(email="lee@example.org"), VERIFY)
    people.join(ann.account_id, "lee@example.org", "viewer")
    with pytest.raises(Conflict, match="now signs in with this address"):
        people.do(own_profile.verify, sent.id, seen_hash=ann.password_hash)
    assert people.row("ann@example.org").id == ann.id


def test_a_new_account_begins_so_many_messages_a_day_in_its_first_week(people, clock):
    ann = sign_up_now(people)

    def begun():
        waits = [people.do(mail_allowances.take, ann.account_id) for _ in range(3)]
        return waits.count(None), waits[-1]

    people.do(lambda tx: [mail_allowances.take(tx, ann.account_id) for _ in range(MOST_MAIL_A_DAY - 2)])
    number, wait = begun()
    assert number == 2
    assert "200 messages a day" in wait.why
    assert people.see(mail_allowances.why_no_more_today, ann.account_id) == wait
    assert wait.until.isoformat() == "2026-03-11T00:00:00+00:00"
    clock.forward(hours=6)
    assert begun() == (3, None)
    clock.forward(days=7)
    assert people.see(mail_allowances.why_no_more_today, ann.account_id) is None
    people.do(lambda tx: [mail_allowances.take(tx, ann.account_id) for _ in range(MOST_MAIL_A_DAY)])
    assert begun() == (3, None)


def test_an_operators_account_mails_as_it_likes(landlord: Landlord, people):
    assert people.see(mail_allowances.why_none_leaves, landlord.account.id) is None
    waits = people.do(lambda tx: [mail_allowances.take(tx, landlord.account.id) for _ in range(MOST_MAIL_A_DAY + 1)])
    assert set(waits) == {None}


def test_an_operator_is_told_that_an_address_is_taken(landlord, people):
    with pytest.raises(Conflict, match="address already exists"):
        people.do(
            account_actions.open_account,
            recurs=RECURRING,
            **{key: value for key, value in FORM.items() if key not in ("account_name", "email")},
            email=people.owner_of(landlord.account.id).email,
            password_hash="x",
        )
