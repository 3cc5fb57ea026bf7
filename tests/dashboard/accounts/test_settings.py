"""Tests of settings, API keys, members, sign-up, invitations and lost passwords."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from prorata.actions.accounts import api_keys, one_time_links, sign_in
from prorata.actions.delivery import deliveries
from prorata.domain.accounts.login_throttling import ADDRESSES_OF_AN_ACCOUNT
from prorata.domain.accounts.one_time_links import INVITE, RESET, VERIFY
from prorata.store.accounts import one_time_links as stored_links
from prorata.store.audit.audit import Caller
from prorata.store.mail import messages as stored_mail
from tests.dashboard.conftest import PASSWORD, Office, build_office
from tests.dashboard.kernel.test_links import newest, unconfirmed
from tests.web.conftest import HASHER

NEWCOMER = {
    "name": "Nora", "account_name": "Nora's Homes", "email": "nora@example.com", "password": PASSWORD,
    "timezone": "Europe/Dublin", "locale": "en-IE", "currency": "EUR",
}  # fmt: skip


def test_a_key_is_shown_once_works_and_is_refused_once_revoked(office: Office) -> None:
    browser = office.browser("owner")
    made = browser.post("/settings/keys", {"name": "Books", "permission": "READ", "expires": ""})
    found = re.search(r"pro_live_\w+", made.text)
    assert found is not None
    key = {"Authorization": f"Bearer {found[0]}"}
    assert browser.client.get("/api/v1/properties", headers=key).status_code == 200
    listed = browser.get("/settings/keys").text
    assert found[0] not in listed
    key_id = re.search(r"/settings/keys/(key_\w+)/revoke", listed)
    assert key_id is not None
    assert browser.post(f"/settings/keys/{key_id[1]}/revoke", {}).status_code == 303
    assert "No keys yet" in browser.get("/settings/keys").text


def test_the_form_of_a_key_makes_one_key_however_often_it_is_sent(office: Office) -> None:
    browser = office.browser("owner")

    def once(page: str) -> str:
        found = re.search(r'name="once" value="([\w-]+)"', page)
        assert found is not None
        return found[1]

    filled = {"name": "Books", "permission": "FULL", "expires": "", "once": once(browser.get("/settings/keys").text)}
    made = browser.post("/settings/keys", filled)
    assert (made.status_code, len(re.findall(r"pro_live_\w{39}", made.text))) == (200, 1)
    for _ in range(2):
        again = browser.post("/settings/keys", filled)
        assert (again.status_code, again.headers["location"]) == (303, "/settings/keys")
        listed = browser.get("/settings/keys").text
        assert "no other was created" in listed
        assert len(set(re.findall(r"/settings/keys/key_\w+/revoke", listed))) == 1
        assert re.search(r"pro_live_\w{39}", listed) is None
    other = browser.post("/settings/keys", filled | {"once": once(made.text)})
    assert (other.status_code, len(set(re.findall(r"/settings/keys/key_\w+/revoke", other.text)))) == (200, 2)


def test_everything_wrong_with_a_key_is_said_at_once(quick_office: Office) -> None:
    filled = {"name": "", "permission": "READ", "expires": "2020-01-01"}
    wrong = quick_office.browser("owner").post("/settings/keys", filled)
    assert (wrong.status_code, 'id="wrong-name"' in wrong.text, 'id="wrong-expires"' in wrong.text) == (400, True, True)


def test_settings_are_saved_and_what_is_wrong_stands_beside_its_field(office: Office) -> None:
    browser = office.browser("owner")
    filled = {
        "name": "Harbor & Co", "address": "1 Quay", "contact": "", "timezone": "UTC", "locale": "en-US",
        "currency": "USD", "payment_terms": "21", "send_at": "9", "mail_hold": "5", "late_bills": "ask", "answer_days": "7",
    }  # fmt: skip
    wrong = browser.post("/settings", filled)
    assert wrong.status_code == 400
    assert 'id="wrong-send_at"' in wrong.text
    assert browser.post("/settings", filled | {"send_at": "09:00"}).status_code == 303
    saved = browser.get("/settings").text
    assert 'value="Harbor &amp; Co"' in saved
    assert 'value="21"' in saved
    assert 'name="answer_days" type="text" value="7"' in saved
    days = {"reminders_before": "0 3", "reminders_after": "14, 7"}
    assert browser.post("/settings", filled | {"send_at": ""} | days).status_code == 303
    saved = browser.get("/settings").text
    assert all(f'value="{value}"' in saved for value in ("0, 3", "7, 14"))
    assert 'name="mail_on" value="true" checked' not in saved
    assert browser.post("/settings", filled | {"send_at": "", "mail_on": "true"}).status_code == 303
    assert 'name="mail_on" value="true" checked' in browser.get("/settings").text
    unticked = filled | {"send_at": "9"}
    assert 'name="mail_on" value="true" checked' not in browser.post("/settings", unticked).text
    wrong = browser.post("/settings", filled | {"send_at": ""} | {"reminders_before": "soon", "reminders_after": "0"})
    assert (wrong.status_code, 'id="wrong-reminders_before"' in wrong.text) == (400, True)
    assert 'id="wrong-reminders_after"' in wrong.text
    assert 'value="soon"' in wrong.text


def test_every_group_of_settings_has_its_link_at_the_top(quick_office: Office) -> None:
    text = quick_office.browser("owner").get("/settings").text
    headings = re.findall(r'<h2 id="(\w+)">', text)
    assert re.findall(r'<a class="link" href="#(\w+)">', text) == headings


def test_the_longest_hold_and_the_longest_name_of_a_key_are_said_as_they_are(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    wrong = browser.post("/settings", {"mail_hold": "1441"})
    assert "from 0 to 1,440" in wrong.text.split('id="wrong-mail_hold"')[1][:200]
    assert 'maxlength="100"' in browser.get("/settings/keys").text.split('name="name"')[1][:200]
    wrong = browser.post("/settings/keys", {"name": "x" * 101, "permission": "READ"})
    assert "100 characters" in wrong.text.split('id="wrong-name"')[1][:200]


@pytest.mark.parametrize("path", ["/settings", "/settings/keys", "/settings/members"])
def test_settings_are_for_owners_alone(quick_office: Office, path: str) -> None:
    assert quick_office.browser("manager").get(path).status_code == 403


def test_who_has_an_account_elsewhere_is_not_asked_without_end(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    asked = {"email": "stranger@example.com", "role": "viewer"}
    refused = [browser.post("/settings/members", asked).status_code for _ in range(ADDRESSES_OF_AN_ACCOUNT)]
    assert refused == [409] * ADDRESSES_OF_AN_ACCOUNT
    assert browser.post("/settings/members", asked).status_code == 429
    unconfirmed(quick_office, "owner@example.com")
    correction = {"new_email": "stranger@example.com", "own_password": PASSWORD}
    assert browser.post("/settings/security/email", correction).status_code == 429


def test_who_is_invited_counts_for_nothing(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    for number in range(ADDRESSES_OF_AN_ACCOUNT + 1):
        asked = {"email": f"somebody{number}@example.com", "role": "viewer"}
        assert browser.post("/settings/members", asked).status_code == 303


@pytest.mark.parametrize(
    ("environment", "said"),
    [({}, "in the outbox folder"), ({"PRORATA_SMTP_URL": "smtp://mail.example.com"}, "is on its way")],
    ids=["no server", "server"],
)
def test_where_a_message_is_a_file_nobody_is_told_that_it_is_on_its_way(
    migrated_sqlite_url: str, environment: dict[str, str], said: str
) -> None:
    office = build_office(migrated_sqlite_url, **environment)
    browser, guest = office.browser("owner"), office.browser()
    browser.post("/settings/members", {"email": "new@example.com", "role": "viewer"})
    assert said in browser.get("/settings/members").text
    guest.post("/forgot", {"email": "owner@example.com"})
    text = guest.get("/sign-in").text
    assert (said in text, "f this address can be used here" in text) == (True, True)


def test_a_member_gets_another_role_from_the_next_click_on(office: Office) -> None:
    owner, viewer = office.browser("owner"), office.browser("viewer")
    listed = owner.get("/settings/members").text
    member = re.search(r"viewer@example\.com.*?/settings/members/(member_\w+)/role", listed, re.DOTALL)
    assert member is not None
    assert viewer.get("/properties/new").status_code == 403
    owner.post(f"/settings/members/{member[1]}/role", {"new_role": "manager"})
    assert viewer.get("/properties/new").status_code == 200
    owner.post(f"/settings/members/{member[1]}/remove", {})
    assert viewer.get("/properties").status_code == 303


def test_the_last_owner_stays_and_is_told_why(quick_office: Office) -> None:
    owner = quick_office.browser("owner")
    mine = re.search(
        r"owner@example\.com.*?/settings/members/(member_\w+)/role", owner.get("/settings/members").text, re.DOTALL
    )
    assert mine is not None
    answer = owner.post(f"/settings/members/{mine[1]}/role", {"new_role": "viewer"})
    assert answer.status_code == 409
    assert "An account needs an owner." in answer.text.split("Invite somebody")[0]
    assert '<option value="manager" selected>Manager</option>' in answer.text.split("Invite somebody")[1]


def test_a_role_that_may_do_less_is_asked_about_where_keys_of_theirs_go_on(office: Office) -> None:
    owner = office.browser("owner")
    listed = owner.get("/settings/members").text
    found = re.search(r"manager@example\.com.*?/settings/members/(member_\w+)/role", listed, re.DOTALL)
    assert found is not None
    at, theirs = f"/settings/members/{found[1]}/role", Caller(office.account_id, found[1])
    owner.post(at, {"new_role": "owner"})
    key = {"name": "books", "permission": "FULL", "expires_at": None, "random_bytes": b"x" * 24, "hasher": HASHER}
    office.database.write(lambda tx: api_keys.create(tx, theirs, **key))
    asked = owner.post(at, {"new_role": "viewer"})
    assert (asked.status_code, "The API key they created keeps working" in asked.text) == (200, True)
    assert "to Viewer?" in asked.text
    assert owner.get("/settings/members").text.count('<option value="owner" selected>') == 2, "nothing was changed yet"
    answer = owner.post(at, {"new_role": "viewer", "is_sure": "true"})
    assert answer.headers["location"] == "/settings/members"
    assert owner.get("/settings/members").text.count('<option value="owner" selected>') == 1
    assert owner.post(at, {"new_role": "owner"}).status_code == 303, "who may do more is given it unasked"


def test_an_owner_who_gives_that_up_is_asked_and_led_to_what_they_may_see(office: Office) -> None:
    owner = office.browser("owner")
    listed = owner.get("/settings/members").text
    mine, other = (
        re.search(rf"{who}@example\.com.*?(/settings/members/member_\w+/role)", listed, re.DOTALL)
        for who in ("owner", "manager")
    )
    assert mine
    assert other
    assert owner.post(other[1], {"new_role": "owner"}).headers["location"] == "/settings/members"
    asked = owner.post(mine[1], {"new_role": "manager"})
    assert (asked.status_code, "Stop being an owner?" in asked.text) == (200, True)
    assert owner.get("/settings/members").status_code == 200
    owner.post("/settings/members", {"email": "cleo@example.com", "role": "viewer"})
    assert owner.post(mine[1], {"new_role": "manager", "is_sure": "true"}).headers["location"] == "/"
    assert "Their invitation to cleo@example.com was withdrawn" in owner.get("/").text
    assert owner.get("/settings/members").status_code == 403


def test_an_invitation_that_did_not_arrive_says_so_where_members_are_listed(office: Office) -> None:
    owner = office.browser("owner")
    owner.post("/settings/members", {"email": "cleo@example.com", "role": "viewer"})
    assert "did not arrive" not in owner.get("/settings/members").text

    def lose(tx: Any) -> None:
        (link,) = stored_links.waiting(tx, office.account_id, INVITE)
        (message,) = stored_mail.with_link(tx, office.account_id, link.id)
        deliveries.note_failed(tx, office.account_id, message.id, "No such user.")

    office.database.write(lose)
    text = owner.get("/settings/members").text
    assert "The message did not arrive: No such user. Withdraw the invitation" in text
    assert "Not delivered" in text


def test_sign_up_is_closed_once_there_is_an_account(quick_office: Office) -> None:
    browser = quick_office.browser()
    assert browser.get("/sign-up").status_code == 403
    assert browser.post("/sign-up", NEWCOMER).status_code == 403


def test_whoever_opens_the_first_account_is_in_at_once_and_told_to_confirm(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, is_empty=True, PRORATA_SMTP_URL="smtp://mail.example.com")
    browser = office.browser()
    token = re.search(r'name="form_token" value="(\w+)"', browser.get("/sign-up").text)
    assert token is not None
    assert browser.post("/sign-up", NEWCOMER, token=token[1]).headers["location"] == "/"
    text = browser.get("/").text
    assert "open the link in our message to nora@example.com" in text
    assert "nora@example.com is not confirmed yet" in text
    refused = browser.post("/settings/keys", {"name": "books", "permission": "FULL"})
    assert (refused.status_code, "Confirm your e-mail address first" in refused.text) == (409, True)
    assert browser.post("/settings/security/app/begin", {"current": PASSWORD}).status_code == 409


@pytest.fixture
def mailing_office(migrated_url: str) -> Iterator[Office]:
    """An office where anybody may open an account, and with a mail server."""
    built = build_office(migrated_url, PRORATA_SIGNUP="open", PRORATA_SMTP_URL="smtp://mail.example.com")
    with built.live():
        yield built


def test_where_anybody_signs_up_a_known_address_is_told_what_a_new_one_is(mailing_office: Office) -> None:
    office, told = mailing_office, []
    for email in ("nora@example.com", "owner@example.com"):
        browser = office.browser()
        answer = browser.post("/sign-up", NEWCOMER | {"email": email})
        told.append((answer.status_code, answer.headers["location"], browser.is_in))
        told.append("a message with a link is on its way" in browser.get("/sign-in").text)
    assert told == [(303, "/sign-in", False), True] * 2
    browser = office.browser()
    early = browser.sign_in("nora@example.com")
    assert (early.status_code, "Confirm your e-mail address first" in early.text) == (400, True)
    assert not browser.is_in
    nora = office.database.read(lambda tx: sign_in.look_up(tx, "nora@example.com"))
    assert nora is not None
    path = f"/verify/{newest(office, VERIFY, nora.email, nora.account_id)}"
    assert browser.post(path, {"password": PASSWORD}).headers["location"] == "/"
    assert "Your first invoices" in browser.get("/").text


def test_who_signs_up_with_the_address_of_somebody_else_gets_nowhere_with_it(mailing_office: Office) -> None:
    office = mailing_office
    office.browser().post("/sign-up", NEWCOMER | {"password": "what a stranger chose"})
    owner = office.browser()
    owner.post("/sign-up", NEWCOMER)
    nora = office.database.read(lambda tx: sign_in.look_up(tx, "nora@example.com"))
    assert nora is not None
    verify = f"/verify/{newest(office, VERIFY, nora.email, nora.account_id)}"
    assert owner.post(verify, {"password": PASSWORD}).status_code == 400
    reset = f"/reset/{newest(office, RESET, nora.email, nora.account_id)}"
    assert owner.post(reset, {"password": "battery staple"}).headers["location"] == "/sign-in"
    assert owner.sign_in("nora@example.com", password="battery staple").headers["location"] == "/"
    assert office.browser().sign_in("nora@example.com", password="what a stranger chose").status_code == 400
    assert office.browser().get(verify).status_code == 409


def test_everything_wrong_with_a_sign_up_is_said_at_once(open_office: Office) -> None:
    filled = NEWCOMER | {"name": "", "account_name": "", "email": "not an address", "password": ""}
    wrong = open_office.browser().post("/sign-up", filled)
    assert wrong.status_code == 400
    marked = set(re.findall(r'id="wrong-(\w+)"', wrong.text))
    assert marked == {"name", "account_name", "email", "password"}


@pytest.mark.parametrize(
    "password", ["password", "Passw0rd!", "12345678", "noras homes", "Nora@example.com", "aaaaaaaa"]
)
def test_a_password_that_is_tried_first_or_is_known_is_refused_wherever_one_is_chosen(
    open_office: Office, password: str
) -> None:
    browser = open_office.browser()
    assert 'id="wrong-password"' in browser.post("/sign-up", NEWCOMER | {"password": password}).text
    assert browser.post("/sign-up", NEWCOMER).headers["location"] == "/"
    changed = browser.post("/settings/security/password", {"current": PASSWORD, "password": password})
    assert (changed.status_code, 'id="wrong-password"' in changed.text) == (400, True)


def test_accounts_are_opened_a_few_an_hour_from_one_address(open_office: Office) -> None:
    typing = open_office.browser()
    for _ in range(6):
        assert typing.post("/sign-up", NEWCOMER | {"password": "short"}).status_code == 400
    answers = [
        open_office.browser().post("/sign-up", NEWCOMER | {"email": f"nora{number}@example.com"}).status_code
        for number in range(6)
    ]
    assert answers == [303] * 5 + [429]


def test_whoever_signs_up_where_no_mail_leaves_is_in(open_office: Office) -> None:
    office = open_office
    browser = office.browser()
    weak = browser.post("/sign-up", NEWCOMER | {"password": "short"})
    assert (weak.status_code, 'id="wrong-password"' in weak.text) == (400, True)
    assert browser.post("/sign-up", NEWCOMER).headers["location"] == "/"
    assert "Your first invoices" in browser.get("/").text
    known = office.browser().post("/sign-up", NEWCOMER | {"email": "owner@example.com"})
    assert known.headers["location"] == "/sign-in"


def test_where_no_mail_leaves_nobody_is_sent_to_their_mailbox(open_office: Office) -> None:
    browser = open_office.browser()
    assert browser.post("/sign-up", NEWCOMER).headers["location"] == "/"
    first = browser.get("/").text
    browser.post("/settings/security/confirm", {})
    for text in (first, browser.get("/settings/security").text):
        assert "Ask whoever runs this installation for it" in text
        assert "mailbox" not in text
        assert "in the message we sent you" not in text


def test_an_invitation_of_the_operator_opens_a_closed_door(quick_office: Office) -> None:
    signer = one_time_links.LinkSigner([b"links"])
    opening = quick_office.database.read(lambda tx: one_time_links.opening_for(tx, "nora@example.com"))
    invite = signer.opening_token(opening)
    browser = quick_office.browser()
    assert 'value="nora@example.com"' in browser.get(f"/sign-up?invite={quote(invite)}").text
    again = browser.post("/sign-up", NEWCOMER | {"invite": invite, "name": " "})
    assert (again.status_code, f'value="{invite}"' in again.text) == (400, True)
    assert browser.post("/sign-up", NEWCOMER | {"invite": invite}).headers["location"] == "/"
    for path in (f"/sign-up?invite={invite[:-3]}", "/sign-up?invite=x"):
        refused = quick_office.browser().get(path)
        assert (refused.status_code, "This invitation has expired" in refused.text) == (403, True)


@pytest.mark.parametrize("path", ["/reset/nothing", "/verify/nothing"])
def test_a_link_that_is_none_says_what_to_do(quick_office: Office, path: str) -> None:
    answer = quick_office.browser().post(path, {"password": PASSWORD} if "reset" in path else {})
    assert answer.status_code == 409
    assert ("Request a new link." if "reset" in path else "To get a new link, sign in") in answer.text


def test_a_lost_password_is_answered_alike_for_everybody(quick_office: Office) -> None:
    browser = quick_office.browser()
    answers = [browser.post("/forgot", {"email": email}) for email in ("owner@example.com", "nobody@example.com")]
    assert {(answer.status_code, answer.headers["location"]) for answer in answers} == {(303, "/sign-in")}


def test_a_key_may_expire_and_is_asked_about_before_it_is_revoked(office: Office) -> None:
    browser = office.browser("owner")
    past = browser.post("/settings/keys", {"name": "old", "permission": "READ", "expires": "2020-01-01"})
    assert (past.status_code, 'id="wrong-expires"' in past.text, 'value="old"' in past.text) == (400, True, True)
    assert (
        browser.post("/settings/keys", {"name": "new", "permission": "READ", "expires": "2099-01-01"}).status_code
        == 200
    )
    listed = browser.get("/settings/keys").text
    assert "2099" in listed
    question = re.search(r"/settings/keys/(key_\w+)/revoke", listed)
    assert question is not None
    assert "Revoke new?" in browser.get(question[0]).text
    for path in (question[0], "/settings/keys/key_x/revoke"):
        assert office.browser("stranger").get(path).status_code == 404
        assert office.browser("stranger").post(path, {}).status_code == 404


def test_removing_a_member_asks_first_and_strangers_find_nobody(office: Office) -> None:
    browser = office.browser("owner")
    question = re.search(r"/settings/members/member_\w+/remove", browser.get("/settings/members").text)
    assert question is not None
    assert "They are signed out everywhere" in browser.get(question[0]).text
    assert office.browser("stranger").get(question[0]).status_code == 404
    assert office.browser("stranger").post(question[0], {}).status_code == 404
