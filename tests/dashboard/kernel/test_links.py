"""Tests of the links that Prorata sends by e-mail.

They cover links that are followed once or twice, and links that are expired, broken or somebody else's.
"""

import time
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from prorata.actions.accounts import members, one_time_links
from prorata.domain.accounts.one_time_links import INVITE, RESET, VERIFY
from prorata.store.accounts import members as stored_members, one_time_links as stored_links
from tests.dashboard.conftest import PASSWORD, Browser, Office, build_office
from tests.people import set_confirmed

SIGNER = one_time_links.LinkSigner([b"links"])
NEW = "battery staple"
JOINING = {"name": "Cleo", "password": NEW}


def newest(office: Office, kind: str, email: str, account_id: str | None = None) -> str:
    """The token of the latest link of a kind that was sent to an address."""
    account = account_id or office.account_id
    rows = office.database.read(lambda tx: stored_links.waiting_for(tx, account, kind, email))
    assert rows, "a link was sent"
    return SIGNER.token(kind, max(rows, key=lambda row: row.id).id)


def said(browser: Browser) -> str:
    return browser.get("/sign-in").text


def location(answer: httpx.Response) -> str:
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def invited(office: Office, email: str = "cleo@example.com", role: str = "manager") -> str:
    assert location(office.browser("owner").post("/settings/members", {"email": email, "role": role}))
    return newest(office, INVITE, email)


def unconfirmed(office: Office, email: str = "viewer@example.com") -> None:
    def change(tx: Any) -> None:
        row = stored_members.find_by_email(tx, email)
        assert row is not None
        set_confirmed(tx, row.id, None)

    office.database.write(change)


# --- a lost password -------------------------------------------------------------------------------------------------


def test_a_lost_password_is_set_anew_by_the_link_that_was_sent_once(office: Office) -> None:
    signed_in, browser = office.browser("manager"), office.browser()
    browser.post("/forgot", {"email": "Manager@Example.com "})
    path = f"/reset/{newest(office, RESET, 'manager@example.com')}"
    assert browser.get(path).status_code == 200
    weak = browser.post(path, {"password": "short"})
    assert (weak.status_code, 'id="wrong-password"' in weak.text) == (400, True)
    assert location(browser.post(path, {"password": NEW})) == "/sign-in"
    assert "Your new password is set." in said(browser)
    assert location(signed_in.get("/")).startswith("/sign-in")
    assert browser.sign_in("manager@example.com").status_code == 400
    assert location(browser.sign_in("manager@example.com", password=NEW)) == "/"
    again = office.browser().post(path, {"password": "something else"})
    assert (again.status_code, "Request a new link." in again.text) == (409, True)


def test_a_new_password_gets_in_however_often_the_old_one_was_guessed(quick_office: Office) -> None:
    browser = quick_office.browser()
    for _ in range(10):
        assert browser.sign_in("manager@example.com", password="guess").status_code == 400
    assert browser.sign_in("manager@example.com").status_code == 429
    browser.post("/forgot", {"email": "manager@example.com"})
    path = f"/reset/{newest(quick_office, RESET, 'manager@example.com')}"
    assert location(browser.post(path, {"password": NEW})) == "/sign-in"
    assert location(browser.sign_in("manager@example.com", password=NEW)) == "/"


def test_a_new_password_leaves_the_second_factor_where_it_is(office: Office) -> None:
    from tests.dashboard.accounts.test_security import turn_on

    turn_on(office, office.browser("manager"))
    browser = office.browser()
    browser.post("/forgot", {"email": "manager@example.com"})
    browser.post(f"/reset/{newest(office, RESET, 'manager@example.com')}", {"password": NEW})
    assert 'name="ticket"' in browser.sign_in("manager@example.com", password=NEW).text


def test_links_end_with_their_time(office: Office) -> None:
    browser = office.browser()
    browser.post("/forgot", {"email": "manager@example.com"})
    unconfirmed(office)
    office.browser("viewer").post("/settings/security/confirm", {})
    reset, verify = newest(office, RESET, "manager@example.com"), newest(office, VERIFY, "viewer@example.com")
    join = invited(office)
    office.clock.advance(minutes=61)
    assert browser.post(f"/reset/{reset}", {"password": NEW}).status_code == 409
    office.clock.advance(days=3)
    assert browser.post(f"/verify/{verify}", {}).status_code == 409
    office.clock.advance(days=4)
    assert browser.get(f"/join/{join}").status_code == 409
    assert browser.post(f"/join/{join}", JOINING).status_code == 409


def test_a_link_opens_nothing_but_what_it_was_made_for(quick_office: Office) -> None:
    browser = quick_office.browser()
    browser.post("/forgot", {"email": "manager@example.com"})
    reset, join = newest(quick_office, RESET, "manager@example.com"), invited(quick_office)
    stranger = quick_office.browser("stranger")
    stranger.post("/settings/members", {"email": "theirs@example.com", "role": "viewer"})
    theirs = newest(quick_office, INVITE, "theirs@example.com", quick_office.stranger_id)
    mixed = f"{reset.partition('.')[0]}.{theirs.partition('.')[2]}"
    for token in (join, theirs, mixed, reset[:-1], f"{reset}x", reset.partition(".")[0], "é", "x" * 3000, "link_."):
        answer = browser.post(f"/reset/{token}", {"password": NEW})
        assert (answer.status_code, "Request a new link." in answer.text) == (409, True), token
    assert browser.post(f"/verify/{reset}", {}).status_code == 409
    assert browser.post(f"/join/{reset}", JOINING).status_code == 409
    assert location(browser.sign_in("manager@example.com")) == "/"


def test_a_known_address_and_an_unknown_one_are_answered_alike_and_as_late(quick_office: Office) -> None:
    browser = quick_office.browser()
    took: dict[str, list[float]] = {}
    for email in ("manager@example.com", "nobody@example.com") * 2:
        began = time.perf_counter()
        answer = browser.post("/forgot", {"email": email})
        took.setdefault(email, []).append(time.perf_counter() - began)
        assert (answer.headers["location"], said(browser).count("outbox folder")) == ("/sign-in", 1)
    known, unknown = map(min, took.values())
    assert min(known, unknown) >= 0.2
    assert abs(known - unknown) < 0.15


def test_asking_for_links_again_and_again_has_an_end(quick_office: Office) -> None:
    browser = quick_office.browser()
    for _ in range(5):
        browser.post("/forgot", {"email": "manager@example.com"})
    account = quick_office.account_id
    waiting = quick_office.database.read(lambda tx: stored_links.waiting_for(tx, account, RESET, "manager@example.com"))
    assert len(waiting) == 3


# --- an address to confirm -------------------------------------------------------------------------------------------


def test_an_address_is_confirmed_by_a_button_and_not_by_opening_the_link(office: Office) -> None:
    unconfirmed(office)
    viewer = office.browser("viewer")
    assert "not confirmed yet" in viewer.get("/settings/security").text
    assert location(viewer.post("/settings/security/confirm", {})) == "/settings/security"
    path = f"/verify/{newest(office, VERIFY, 'viewer@example.com')}"
    for _ in range(2):
        shown = office.browser().get(path)
        assert shown.status_code == 200
        assert "viewer@example.com was entered for the account Harbor Rentals" in shown.text
    assert location(viewer.post(path, {})) == "/"
    assert "not confirmed yet" not in viewer.get("/settings/security").text
    assert office.browser().post(path, {}).status_code == 409


def test_who_is_not_signed_in_confirms_an_address_with_the_password_of_the_account_alone(office: Office) -> None:
    unconfirmed(office)
    office.browser("viewer").post("/settings/security/confirm", {})
    path, browser = f"/verify/{newest(office, VERIFY, 'viewer@example.com')}", office.browser()
    for guess in ("", "guess"):
        wrong = browser.post(path, {"password": guess})
        assert (wrong.status_code, 'id="wrong-password"' in wrong.text) == (400, True)
    assert office.browser("manager").post(path, {"password": "guess"}).status_code == 400
    assert location(browser.post(path, {"password": PASSWORD})) == "/"
    assert "not confirmed yet" not in browser.get("/settings/security").text


def test_who_has_opened_no_account_says_so_and_the_links_confirm_nothing_any_more(office: Office) -> None:
    unconfirmed(office)
    viewer = office.browser("viewer")
    for _ in range(2):
        viewer.post("/settings/security/confirm", {})
        office.clock.advance(seconds=1)
    path = f"/verify/{newest(office, VERIFY, 'viewer@example.com')}"
    assert location(office.browser().post(f"{path}/not-mine", {})) == "/sign-in"
    assert office.browser().post(path, {"password": PASSWORD}).status_code == 409
    assert (
        office.database.read(lambda tx: stored_links.waiting_for(tx, office.account_id, VERIFY, "viewer@example.com"))
        == []
    )
    assert "not confirmed yet" in viewer.get("/settings/security").text


def test_the_links_of_an_address_that_is_confirmed_say_so_whatever_is_pressed(office: Office) -> None:
    unconfirmed(office)
    viewer, paths = office.browser("viewer"), []
    for _ in range(2):
        viewer.post("/settings/security/confirm", {})
        paths.append(f"/verify/{newest(office, VERIFY, 'viewer@example.com')}")
        office.clock.advance(seconds=1)
    waits = f"{paths[0]}/not-mine"
    assert location(office.browser().post(paths[1], {"password": PASSWORD})) == "/"
    for answer in (*map(office.browser().get, paths), office.browser().post(waits, {})):
        assert answer.status_code == 409
        assert "viewer@example.com has already been confirmed" in answer.text
        assert "is not confirmed" not in answer.text
        assert "Once you confirm it" not in answer.text
    assert "not confirmed yet" not in viewer.get("/settings/security").text


@pytest.mark.parametrize(
    ("path", "leads"), [("/reset/nothing", "/forgot"), ("/verify/nothing", "/settings/security"), ("/join/nothing", "")]
)
def test_a_link_that_is_over_says_so_before_anything_is_typed_and_leads_on(
    quick_office: Office, path: str, leads: str
) -> None:
    answer = quick_office.browser().get(path)
    assert answer.status_code == 409
    assert "This link has already been used or has expired" in answer.text
    assert f'href="{leads or "/sign-in"}"' in answer.text


def test_links_are_not_tried_for_ever(quick_office: Office) -> None:
    browser = quick_office.browser()
    for path, fields in (("/reset/x", {"password": NEW}), ("/join/x", JOINING), ("/verify/x", {})):
        answers = [browser.post(path, fields).status_code for _ in range(10)]
        assert set(answers) == {409}, path
    assert browser.post("/reset/x", {"password": NEW}).status_code == 429


@dataclass
class CountedPasswords:
    """Quick hashes that record each password they are asked to hash or compare."""

    hashed: list[str]
    nobodys_hash: str = "nobody"

    def hash(self, password: str) -> str:
        self.hashed.append(password)
        return f"quick {password}"

    def matches(self, password: str, stored: str) -> bool:
        self.hashed.append(password)
        return stored == f"quick {password}"

    def wants_another_hash(self, stored: str) -> bool:
        return not stored.startswith("quick ")


def test_no_password_is_hashed_for_a_link_or_a_sign_up_that_leads_nowhere(migrated_sqlite_url: str) -> None:
    passwords = CountedPasswords([])
    office = build_office(migrated_sqlite_url, passwords=passwords)
    browser = office.browser()
    for path, fields in (("/reset/x", {"password": NEW}), ("/join/x", JOINING), ("/verify/x", {"password": NEW})):
        assert browser.post(path, fields).status_code == 409
    opening = {"name": "N", "account_name": "N", "email": "n@example.com", "password": NEW, "timezone": "UTC"}
    assert browser.post("/sign-up", opening | {"locale": "en-US", "currency": "USD"}).status_code == 403
    assert passwords.hashed == []


def test_the_address_is_no_password_of_who_sets_one_by_a_link(quick_office: Office) -> None:
    browser = quick_office.browser()
    browser.post("/forgot", {"email": "manager@example.com"})
    reset = f"/reset/{newest(quick_office, RESET, 'manager@example.com')}"
    refused = browser.post(reset, {"password": "Manager@example.com"})
    assert (refused.status_code, 'id="wrong-password"' in refused.text) == (400, True)
    join = f"/join/{invited(quick_office)}"
    refused = browser.post(join, {"name": "Cleo", "password": "cleo@example.com"})
    assert (refused.status_code, 'id="wrong-password"' in refused.text) == (400, True)


# --- an invitation ---------------------------------------------------------------------------------------------------


def test_an_invitation_makes_a_member_once(office: Office) -> None:
    path = f"/join/{invited(office)}"
    browser = office.browser()
    text = browser.get(path).text
    assert "Join Harbor Rentals" in text
    assert "cleo@example.com" in text
    wrong = browser.post(path, {"name": " ", "password": NEW})
    assert (wrong.status_code, 'id="wrong-name"' in wrong.text) == (400, True)
    assert location(browser.post(path, JOINING)) == "/"
    assert browser.get("/properties/new").status_code == 200
    assert browser.get("/settings/members").status_code == 403
    assert office.browser().get(path).status_code == 409
    assert office.browser().post(path, JOINING).status_code == 409
    assert location(office.browser().sign_in("cleo@example.com", password=NEW)) == "/"


def test_an_invitation_that_was_withdrawn_leads_nowhere(office: Office) -> None:
    token = invited(office)
    owner = office.browser("owner")
    row = office.database.read(lambda tx: members.invitations(tx, office.caller))[0]
    assert office.browser("stranger").post(f"/settings/members/invitations/{row.id}", {}).status_code == 404
    assert location(owner.post(f"/settings/members/invitations/{row.id}", {})) == "/settings/members"
    assert office.browser().get(f"/join/{token}").status_code == 409
    assert owner.post(f"/settings/members/invitations/{row.id}", {}).status_code == 404


def test_one_address_joins_one_account_and_is_told_to_use_another(office: Office) -> None:
    first = invited(office, "cleo@example.com")
    office.browser("stranger").post("/settings/members", {"email": "cleo@example.com", "role": "owner"})
    second = newest(office, INVITE, "cleo@example.com", office.stranger_id)
    assert location(office.browser().post(f"/join/{first}", JOINING)) == "/"
    assert "Ask whoever invited you" in office.browser().get(f"/join/{second}").text
    answer = office.browser().post(f"/join/{second}", JOINING)
    assert (answer.status_code, "Ask whoever invited you" in answer.text) == (409, True)
    refused = office.browser("owner").post("/settings/members", {"email": "Stranger@example.com", "role": "viewer"})
    assert (refused.status_code, "belongs to another account" in refused.text) == (409, True)
    assert 'value="Stranger@example.com"' in refused.text
    own = office.browser("owner").post("/settings/members", {"email": "viewer@example.com", "role": "viewer"})
    assert own.status_code == 409
    for answer in (refused, own):
        assert 'id="wrong-email"' in answer.text


# --- signed out meanwhile --------------------------------------------------------------------------------------------


def test_a_question_answered_after_the_session_ended_says_that_nothing_was_saved_and_leads_back(
    office: Office,
) -> None:
    its = office.add_property()
    browser = office.browser("owner")
    token = browser.get("/properties/new").text.split('name="form_token" value="')[1].split('"')[0]
    office.clock.advance(days=15)
    for referer, then in (
        ("http://testserver.local/properties/new?a=b", "/sign-in?then=/properties/new%3Fa%3Db"),
        ("http://evil.example/properties", "/sign-in"),
        ("", "/sign-in"),
    ):
        answer = browser.post(f"/properties/{its.id}/delete", {}, token=token, Referer=referer)
        assert location(answer) == then
        assert "nothing was saved" in said(browser)
    token = said(browser).split('name="form_token" value="')[1].split('"')[0]
    who = {"email": "owner@example.com", "password": PASSWORD, "then": "/properties/new?a=b"}
    assert location(browser.post("/sign-in", who, token=token)) == "/properties/new?a=b"
    assert its.name in browser.get("/properties").text


def test_somebody_who_was_never_signed_in_is_told_nothing_of_it(quick_office: Office) -> None:
    browser = quick_office.browser()
    browser.post("/properties/new", {})
    assert "nothing was saved" not in said(browser)
    assert location(browser.sign_in("owner@example.com", password=PASSWORD)) == "/"


def test_a_list_that_asks_for_a_part_after_the_session_ended_says_why_it_leads_to_sign_in(office: Office) -> None:
    browser = office.browser("owner")
    office.clock.advance(days=15)
    part = browser.get("/properties?search=elm", **{"HX-Request": "true"})
    assert part.headers["hx-redirect"] == "/sign-in?then=/properties%3Fsearch%3Delm"
    assert "You were signed out. Sign in to go back" in said(browser)
