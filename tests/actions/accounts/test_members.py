"""Tests of how members are invited, join, change roles and are removed."""

import threading

import pytest

from prorata.actions.accounts import api_keys, member_lists, members, one_time_links, own_profile
from prorata.actions.audit import activity
from prorata.actions.delivery import deliveries
from prorata.domain.accounts.one_time_links import INVITE, RESET
from prorata.domain.mail.delivery_reports import DeliveryReport, RecipientReport
from prorata.errors import Conflict, InvalidRequest, NotFound, Refusal
from prorata.store.accounts import one_time_links as stored_links
from prorata.store.audit.audit import Caller
from prorata.store.mail import messages as stored_mail
from tests.landlord import Landlord


@pytest.fixture
def stranger(database, clock):
    return Landlord(database, clock, name="stranger")


def invite(landlord, email="bo@example.org", role="manager"):
    return landlord.do(members.invite, email=email, role=role)


def test_somebody_who_is_invited_joins_in_the_role_with_the_address(landlord, people):
    link = invite(landlord, " Bo@Example.org ")
    row, account = people.see(members.invitation, link.id)
    assert (row.email, row.role, account) == ("bo@example.org", "manager", "landlord")

    bo = people.do(members.join, link.id, name=" Bo ", password_hash="hash of pass word")

    assert people.row("bo@example.org") == bo
    assert (bo.account_id, bo.role, bo.name, bo.verified_at) == (landlord.account.id, "manager", "Bo", bo.created_at)
    assert [member.email for member in landlord.see(members.listed)][1] == "bo@example.org"
    assert landlord.see(members.invitations) == []
    with pytest.raises(Conflict, match="already been used"):
        people.do(members.join, link.id, name="Bo", password_hash="other")


def test_an_invitation_lasts_seven_days_and_can_be_taken_back(landlord, people, stranger, clock):
    old, taken = invite(landlord, "old@example.org"), invite(landlord, "taken@example.org")
    with pytest.raises(NotFound):
        stranger.do(members.withdraw_invitation, taken.id)
    landlord.do(members.withdraw_invitation, taken.id)
    assert [row.id for row in landlord.see(members.invitations)] == [old.id]
    clock.forward(days=7)
    for link in (old, taken):
        with pytest.raises(Conflict, match="has expired"):
            people.see(members.invitation, link.id)
        with pytest.raises(NotFound):
            landlord.do(members.withdraw_invitation, link.id)


def test_an_invitation_that_came_back_says_so_until_it_is_taken_back_or_sent_anew(landlord, stranger, clock):
    report = DeliveryReport((RecipientReport("failed", diagnostic="No such user."),))
    link, other = invite(landlord), invite(landlord, "cy@example.org")
    assert landlord.see(members.undelivered) == {}
    (message,) = landlord.read(stored_mail.with_link, link.id)
    landlord.run(lambda tx: deliveries.note_report(tx, message.id, report))
    (failed,) = landlord.read(stored_mail.with_link, other.id)
    landlord.run(lambda tx: deliveries.note_failed(tx, landlord.account.id, failed.id, "Its certificate is too old."))

    assert landlord.see(members.undelivered) == {
        "bo@example.org": "No such user.",
        "cy@example.org": "Its certificate is too old.",
    }
    assert stranger.see(members.undelivered) == {}
    landlord.do(members.withdraw_invitation, other.id)
    assert list(landlord.see(members.undelivered)) == ["bo@example.org"]
    clock.forward(seconds=1)
    invite(landlord)
    assert landlord.see(members.undelivered) == {}


def test_every_problem_of_an_invitation_is_named_at_once(landlord):
    with pytest.raises(InvalidRequest) as refusal:
        invite(landlord, "bo", "boss")
    assert [problem.field for problem in refusal.value.problems] == ["email", "role"]


def test_a_member_is_not_invited_again_here_or_elsewhere(landlord, people, stranger):
    people.join(landlord.account.id, "bo@example.org")
    with pytest.raises(Conflict, match="belongs to a member of your account"):
        invite(landlord, "BO@example.org")
    with pytest.raises(Conflict, match="another account"):
        invite(stranger, "bo@example.org")


def test_who_joined_elsewhere_meanwhile_is_told_so(landlord, people, stranger):
    here, there = invite(landlord), invite(stranger)
    people.do(members.join, here.id, name="Bo", password_hash="x")
    for action in (lambda: people.see(members.invitation, there.id),
                   lambda: people.do(members.join, there.id, name="Bo", password_hash="x")):  # fmt: skip
        with pytest.raises(Conflict, match="Ask whoever invited you to use a different address"):
            action()
    assert len(stranger.see(members.invitations)) == 1


def test_who_is_invited_again_joins_in_the_role_of_the_last_invitation_alone(landlord, people):
    earlier = invite(landlord, role="owner")
    last = invite(landlord, " BO@example.org", role="viewer")
    assert [(row.id, row.role) for row in landlord.see(members.invitations)] == [(last.id, "viewer")]
    with pytest.raises(Conflict, match="Look for a newer link"):
        people.see(members.invitation, earlier.id)
    assert messages_with(people, earlier)[0][3] == "withdrawn"
    assert people.do(members.join, last.id, name="Bo", password_hash="hash").role == "viewer"


def test_a_mailbox_is_not_filled_with_invitations(landlord):
    for _ in range(3):
        invite(landlord)
    with pytest.raises(Conflict, match="several times"):
        invite(landlord)


def test_taking_invitations_back_makes_no_room_for_more_and_what_did_not_arrive_does(landlord, clock):
    for _ in range(2):
        landlord.do(members.withdraw_invitation, invite(landlord).id)
    last = invite(landlord)
    with pytest.raises(Conflict, match="several times"):
        invite(landlord)
    (failed,) = landlord.read(stored_mail.with_link, last.id)
    landlord.run(lambda tx: deliveries.note_failed(tx, landlord.account.id, failed.id, "No such user."))
    invite(landlord)
    with pytest.raises(Conflict, match="several times"):
        invite(landlord)
    clock.forward(days=7)
    invite(landlord)


def test_of_invitations_whose_message_did_not_arrive_more_are_sent_though_each_takes_the_place_of_the_one_before(
    landlord,
):
    for _ in range(5):
        link = invite(landlord)
        (failed,) = landlord.read(stored_mail.with_link, link.id)
        landlord.run(lambda tx, mail=failed.id: deliveries.note_failed(tx, landlord.account.id, mail, "No such user."))
    assert [row.id for row in landlord.see(members.invitations)] == [link.id]


def test_with_a_member_go_their_invitations_and_of_their_keys_the_question_tells(landlord, people):
    bo = people.join(landlord.account.id, "bo@example.org", "owner")
    caller = Caller(bo.account_id, bo.id)
    theirs, other = (
        people.do(members.invite, caller, email="cy@example.org", role="owner"),
        invite(landlord, "di@x.org"),
    )
    assert "Everything they did stays" in landlord.see(members.lost, bo.id)
    for number in range(2):
        _, key = people.do(
            api_keys.create, caller, name="books", permission="FULL", expires_at=None,
            random_bytes=bytes([number]) * 24, hasher=api_keys.KeyHasher([b"k" * 32]),
        )  # fmt: skip
        said = landlord.see(members.lost, bo.id)
        assert ("The API key they created" if number == 0 else "The 2 API keys they created") in said
        assert key not in said
    landlord.do(members.remove, bo.id)
    assert [row.id for row in landlord.see(members.invitations)] == [other.id]
    with pytest.raises(Conflict):
        people.do(members.join, theirs.id, name="Cy", password_hash="x")


def test_the_invitations_of_who_is_an_owner_no_more_are_void(landlord, people):
    bo = people.join(landlord.account.id, "bo@example.org", "owner")
    theirs = people.do(members.invite, Caller(bo.account_id, bo.id), email="cy@example.org", role="owner")
    other = invite(landlord, "di@x.org")
    assert landlord.do(members.change_role, bo.id, "owner").taken_back == ()
    assert [row.id for row in landlord.see(members.invitations)] == [theirs.id, other.id]
    assert landlord.do(members.change_role, bo.id, "viewer").taken_back == ("cy@example.org",)
    assert [row.id for row in landlord.see(members.invitations)] == [other.id]
    with pytest.raises(Conflict):
        people.do(members.join, theirs.id, name="Cy", password_hash="x")
    assert "withdraw invitation" in [event.verb for event in landlord.see(activity.page, record=theirs.id)]


def test_the_last_owner_stays_one(landlord, people):
    owner = people.owner_of(landlord.account.id)
    people.join(landlord.account.id, "bo@example.org", "manager")
    for act in (
        lambda: landlord.do(members.remove, owner.id),
        lambda: landlord.do(members.change_role, owner.id, "viewer"),
    ):
        with pytest.raises(Conflict, match="needs an owner"):
            act()
    assert landlord.do(members.change_role, owner.id, "owner").member.role == "owner"
    landlord.do(members.change_role, people.row("bo@example.org").id, "owner")
    landlord.do(members.remove, owner.id)
    assert [member.email for member in landlord.see(members.listed)] == ["bo@example.org"]


def test_a_stranger_changes_and_removes_no_member(landlord, people, stranger):
    bo = people.join(landlord.account.id, "bo@example.org")
    for member_id in (bo.id, "member_1", "member_01kkcefq80e22ty5z41bc43ex9"):
        with pytest.raises(NotFound, match="no member"):
            stranger.do(members.change_role, member_id, "viewer")
        with pytest.raises(NotFound, match="no member"):
            stranger.do(members.remove, member_id)
    assert people.row("bo@example.org") == bo
    assert len(stranger.see(members.listed)) == 1


def test_of_two_who_follow_one_invitation_at_once_one_joins(landlord, people, database):
    link = invite(landlord)
    assert _at_once(lambda: people.do(members.join, link.id, name="Bo", password_hash="x")) == 1
    assert len(landlord.see(members.listed)) == 2


def test_of_two_owners_who_remove_each_other_at_once_one_stays(landlord, people):
    ann = people.owner_of(landlord.account.id)
    bo = people.join(landlord.account.id, "bo@example.org", "owner")
    todo = [ann.id, bo.id]
    assert _at_once(lambda: landlord.do(members.remove, todo.pop())) == 1
    assert len(landlord.see(members.listed)) == 1


def _at_once(work) -> int:
    """Count the successes of two simultaneous calls; the other call is refused."""
    barrier, done = threading.Barrier(2), []

    def run() -> None:
        barrier.wait()
        try:
            work()
        except Refusal:
            return
        done.append(1)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(done)


def test_links_that_were_too_old_for_a_month_are_let_go(landlord, people, clock):
    old = invite(landlord)
    clock.forward(days=38)
    invite(landlord, "new@example.org")
    clock.forward(days=-38)
    assert people.see(stored_links.find, INVITE, old.id) is None


def test_the_token_of_a_link_is_good_for_that_link_and_kind_alone():
    signer, other = one_time_links.LinkSigner([b"n" * 32, b"o" * 32]), one_time_links.LinkSigner([b"x" * 32])
    link_id = "link_01kkcefq80e22ty5z41bc43ex9"
    token = one_time_links.LinkSigner([b"o" * 32]).token("verify", link_id)
    assert signer.read("verify", token) == link_id
    for kind, text in (
        ("reset", token),
        ("verify", token[:-1]),
        ("verify", link_id),
        ("verify", ""),
        ("verify", "é.é"),
    ):
        assert signer.read(kind, text) is None, text
    assert other.read("verify", token) is None
    assert one_time_links.LinkAddresses(signer, "https://bills.example.com/")("invite", link_id).startswith(
        f"https://bills.example.com/join/{link_id}."
    )


def messages_with(people, link):
    return [
        (row.kind, row.to_address, row.invited_by, row.state)
        for row in people.see(stored_mail.with_link, link.account_id, link.id)
    ]


def test_an_invitation_goes_by_mail_in_the_name_of_who_invites_and_is_taken_back_with_it(landlord, people):
    bo = people.join(landlord.account.id, "bo@example.org", "owner", name="Bo")
    link = people.do(members.invite, Caller(bo.account_id, bo.id), email="cy@example.org", role="viewer")
    assert messages_with(people, link) == [("invite", "cy@example.org", "Bo", "queued")]
    landlord.do(members.withdraw_invitation, link.id)
    assert messages_with(people, link) == [("invite", "cy@example.org", "Bo", "withdrawn")]


def test_a_message_with_a_link_that_works_no_more_is_not_sent(landlord, people):
    bo = people.join(landlord.account.id, "bo@example.org")
    people.do(own_profile.request_reset, bo.email)
    (link,) = people.see(stored_links.waiting_for, bo.account_id, RESET, bo.email)
    assert messages_with(people, link) == [("reset", bo.email, None, "queued")]
    landlord.do(members.remove, bo.id)
    assert messages_with(people, link) == [("reset", bo.email, None, "withdrawn")]


@pytest.mark.parametrize(
    ("text", "sort", "found"),
    [
        ("", "added", ["landlord", "zoe@b.example", "ann@a.example", "old@c.example"]),
        ("", "-added", ["old@c.example", "ann@a.example", "zoe@b.example", "landlord"]),
        ("", "role", ["landlord", "ann@a.example", "old@c.example", "zoe@b.example"]),
        ("", "-name", ["zoe@b.example", "old@c.example", "landlord", "ann@a.example"]),
        ("example view", "added", ["zoe@b.example"]),
        ("ÀNN", "name", ["ann@a.example"]),
        ("nobody", "name", []),
        ("!", "name", []),
    ],
)
def test_members_and_who_is_invited_are_found_and_stand_in_an_order(landlord, people, text, sort, found):
    for name, role in (("zoe@b.example", "viewer"), ("ann@a.example", "manager")):
        invite(landlord, name, role)
    zoe, ann = landlord.see(members.invitations)
    people.do(members.join, zoe.id, name="Zoë", password_hash="hash of pass word")
    people.do(members.join, ann.id, name="Ann", password_hash="hash of pass word")
    invite(landlord, "old@c.example", "manager")
    page = landlord.see(member_lists.page, text, sort=sort, limit=9)
    emails = ["landlord" if "landlord" in row.email else row.email for row in page.rows]
    assert (emails, page.total) == (found, len(found))
    assert landlord.see(member_lists.page, text, sort=sort, limit=1, offset=1).rows == page.rows[1:2]
