"""Tests of the page on which members change their name, password, sessions and second factor."""

import re
from base64 import b32decode
from typing import Any

import httpx
import pytest

from prorata.actions.accounts import accounts
from prorata.actions.audit import activity
from prorata.actions.delivery import deliveries
from prorata.domain.accounts.one_time_codes import code_at, step_at
from prorata.domain.accounts.one_time_links import VERIFY
from prorata.store.accounts import members, one_time_links as stored_links, sessions as stored_sessions
from prorata.store.accounts.sessions import SessionRow
from prorata.store.mail import messages as stored_mail
from tests.dashboard.conftest import PASSWORD, Browser, Office, QuickPasswords, build_office
from tests.dashboard.kernel.test_links import unconfirmed

HOME = "/settings/security"
NEW = "battery staple"


def location(answer: httpx.Response) -> str:
    assert answer.status_code == 303, re.sub("<[^>]+>|\\s+", " ", answer.text)
    return answer.headers["location"]


def code_now(office: Office, secret: bytes) -> str:
    return code_at(secret, step_at(office.clock().timestamp()))


def turn_on(office: Office, browser: Browser) -> tuple[bytes, list[str]]:
    """Turn on the second factor, and return the app's secret and the recovery codes."""
    assert location(browser.post(f"{HOME}/app/begin", {"current": PASSWORD})) == f"{HOME}/app"
    shown = re.search(r'id="secret">([A-Z2-7 ]+)<', browser.get(f"{HOME}/app").text)
    assert shown is not None
    secret = b32decode(shown[1].replace(" ", ""))
    answer = browser.post(f"{HOME}/app/confirm", {"code": code_now(office, secret)})
    assert answer.status_code == 200
    office.clock.advance(seconds=60)  # each code works once
    return secret, codes_of(answer)


def codes_of(answer: httpx.Response) -> list[str]:
    shown = re.search(r'id="codes">(.*?)</code>', answer.text, re.DOTALL)
    assert shown is not None
    return shown[1].split()


def throttled_apart(office: Office, address: str) -> Browser:
    """A browser at another network address."""

    async def at(scope: Any, receive: Any, send: Any) -> None:
        await office.app(scope | {"client": (address, 4711)}, receive, send)

    return Browser(at)


def ticket_of(answer: httpx.Response) -> str:
    found = re.search(r'name="ticket" value="([^"]+)"', answer.text)
    assert found is not None, answer.text
    return found[1]


# --- name and password -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["owner", "manager", "viewer"])
def test_everybody_has_settings_of_their_own_and_the_menu_leads_there(quick_office: Office, who: str) -> None:
    browser = quick_office.browser(who)
    text = browser.get(HOME).text
    assert "This browser" in text
    assert ("/settings/keys" in text) == (who == "owner")
    assert (f'<a href="{HOME}" aria-current' in text) or who == "owner"
    assert location(browser.post(f"{HOME}/name", {"name": "Ada Stone"})) == HOME
    assert "Ada Stone" in browser.get("/properties").text


def test_a_name_that_is_none_stands_beside_its_field(quick_office: Office) -> None:
    answer = quick_office.browser("viewer").post(f"{HOME}/name", {"name": " "})
    assert (answer.status_code, 'id="wrong-name"' in answer.text) == (400, True)


def test_a_new_password_takes_the_old_one_and_signs_other_browsers_out(office: Office) -> None:
    browser, other = office.browser("manager"), office.browser("manager")
    wrong = browser.post(f"{HOME}/password", {"current": "not it", "password": NEW})
    assert (wrong.status_code, 'id="wrong-current"' in wrong.text) == (400, True)
    weak = browser.post(f"{HOME}/password", {"current": PASSWORD, "password": "short"})
    assert (weak.status_code, 'id="wrong-password"' in weak.text) == (400, True)
    assert PASSWORD not in weak.text
    assert location(browser.post(f"{HOME}/password", {"current": PASSWORD, "password": NEW})) == HOME
    assert browser.get(HOME).status_code == 200
    assert location(other.get(HOME)).startswith("/sign-in")
    assert office.browser().sign_in("manager@example.com").status_code == 400
    assert location(office.browser().sign_in("manager@example.com", password=NEW)) == "/"


def test_a_stolen_browser_does_not_try_passwords_for_long(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    answers = [browser.post(f"{HOME}/app/off", {"current": "guess"}).status_code for _ in range(11)]
    assert answers == [400] * 10 + [429]


def test_a_contact_that_is_corrected_with_ones_address_is_written_down(office: Office) -> None:
    def contact() -> str:
        return office.database.read(lambda tx: accounts.the_account(tx, office.caller)).contact

    unconfirmed(office, "owner@example.com")
    browser = office.browser("owner")
    assert contact() == "owner@example.com"
    browser.post(f"{HOME}/email", {"new_email": "right@example.com", "own_password": PASSWORD})
    assert contact() == "right@example.com"
    (event,) = [
        one for one in office.database.read(lambda tx: activity.page(tx, office.caller)) if "settings" in one.says
    ]
    assert [(one.was, one.became) for one in event.changes] == [("owner@example.com", "right@example.com")]


class AlsoOldPasswords(QuickPasswords):
    """Quick passwords that also match those hashed long ago."""

    def matches(self, password: str, stored: str) -> bool:
        return super().matches(password, stored.replace("old ", "quick ", 1))


def test_a_password_is_hashed_anew_also_where_a_code_is_asked_for(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, passwords=AlsoOldPasswords())
    secret, _ = turn_on(office, office.browser("owner"))
    known = office.database.read(lambda tx: members.find_by_email(tx, "owner@example.com"))
    assert known
    long_ago = f"old {PASSWORD}"
    office.database.write(lambda tx: members.set_password(tx, known.account_id, known.id, long_ago))

    browser = office.browser()
    asked = browser.sign_in("owner@example.com")
    answer = browser.post("/sign-in/code", {"ticket": ticket_of(asked), "code": code_now(office, secret)})

    assert location(answer) == "/"
    now = office.database.read(lambda tx: members.find_by_email(tx, "owner@example.com"))
    assert now
    assert now.password_hash == f"quick {PASSWORD}"


def sessions_of(office: Office, who: str) -> list[SessionRow]:
    """Return the sessions of a member."""
    member = office.database.read(lambda tx: members.find_by_email(tx, f"{who}@example.com"))
    assert member
    return office.database.read(lambda tx: stored_sessions.all_of(tx, member.account_id, member.id, idle_since="2000"))


def test_signing_in_again_in_the_same_browser_leaves_no_session_behind(office: Office) -> None:
    browser = office.browser("owner")
    first = browser.client.cookies["prorata"]
    for who in ("owner", "manager", "owner"):
        assert browser.sign_in(f"{who}@example.com").status_code == 303
    assert all(len(sessions_of(office, who)) == number for who, number in (("owner", 1), ("manager", 0)))
    old = office.browser()
    old.client.cookies.set("prorata", first)
    assert old.get(HOME).status_code == 303


def test_an_address_that_is_not_confirmed_is_said_and_gets_its_link_again(office: Office) -> None:
    browser = office.browser("owner")
    for path in (HOME, "/"):
        assert "not confirmed yet" not in browser.get(path).text
    assert location(browser.post(f"{HOME}/confirm", {})) == HOME
    assert "already confirmed" in browser.get(HOME).text
    unconfirmed(office, "owner@example.com")
    for path in (HOME, "/"):
        text = browser.get(path).text
        assert "owner@example.com is not confirmed yet" in text
        assert f'action="{HOME}/confirm"' in text
    for said in (
        "in the outbox folder",
        "in the outbox folder",
        "in the outbox folder",
        "We’ve just sent several messages to",
    ):
        assert location(browser.post(f"{HOME}/confirm", {})) == HOME
        assert said in browser.get(HOME).text


def test_where_mail_leaves_a_message_that_confirms_is_on_its_way(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, PRORATA_SMTP_URL="smtp://mail.example.com")
    unconfirmed(office, "owner@example.com")
    browser = office.browser("owner")
    assert "Open the link in the message we sent you." in browser.get(HOME).text
    browser.post(f"{HOME}/confirm", {})
    assert "a message to owner@example.com is on its way" in browser.get(HOME).text


def test_a_message_that_did_not_arrive_is_said_with_what_to_do(quick_office: Office) -> None:
    unconfirmed(quick_office, "owner@example.com")
    browser, account = quick_office.browser("owner"), quick_office.account_id
    browser.post(f"{HOME}/confirm", {})

    def lose(tx: Any) -> None:
        (link,) = stored_links.waiting_for(tx, account, VERIFY, "owner@example.com")
        (message,) = stored_mail.with_link(tx, account, link.id)
        deliveries.note_failed(tx, account, message.id, "No such user.")

    quick_office.database.write(lose)
    text = browser.get(HOME).text
    assert "didn’t arrive: No such user." in text
    assert "Correct the address below" in text


def test_a_mistyped_address_is_corrected_with_the_password(office: Office) -> None:
    unconfirmed(office, "owner@example.com")
    browser = office.browser("owner")
    right = {"new_email": "right@example.com", "own_password": PASSWORD}
    wrong = browser.post(f"{HOME}/email", right | {"own_password": "guess"})
    assert (wrong.status_code, 'id="wrong-own_password"' in wrong.text) == (400, True)
    taken = browser.post(f"{HOME}/email", right | {"new_email": "manager@example.com"})
    assert (taken.status_code, 'id="wrong-new_email"' in taken.text) == (400, True)
    assert 'value="manager@example.com"' in taken.text
    assert location(browser.post(f"{HOME}/email", right)) == HOME
    assert "right@example.com is not confirmed yet" in browser.get(HOME).text
    assert location(office.browser().sign_in("right@example.com")) == "/"
    manager = office.browser("manager")
    assert location(manager.post(f"{HOME}/email", right | {"new_email": "another@example.com"})) == HOME
    page = manager.get(HOME).text
    assert "another@example.com" in page
    assert "Until you open it, you sign in with manager@example.com" in page


# --- sessions --------------------------------------------------------------------------------------------------------


def test_sessions_are_listed_and_ended_one_by_one_or_all_others(office: Office) -> None:
    here, there, third = office.browser("owner"), office.browser("owner"), office.browser("owner")
    text = here.get(HOME).text
    ends = re.findall(rf"{HOME}/sessions/(sess_\w+)/end", text)
    assert (len(ends), text.count("This browser")) == (2, 1)
    assert location(here.post(f"{HOME}/sessions/{ends[0]}/end", {})) == HOME
    assert sorted(each.get("/properties").status_code for each in (there, third)) == [200, 303]
    assert location(here.post(f"{HOME}/sessions/end", {})) == HOME
    assert [each.get("/properties").status_code for each in (here, there, third)] == [200, 303, 303]


def test_a_session_of_somebody_else_is_not_there(quick_office: Office) -> None:
    browser, another = quick_office.browser("owner"), quick_office.browser("owner")
    session = re.findall(rf"{HOME}/sessions/(sess_\w+)/end", browser.get(HOME).text)[0]
    assert quick_office.browser("manager").post(f"{HOME}/sessions/{session}/end", {}).status_code == 404
    assert quick_office.browser("stranger").post(f"{HOME}/sessions/{session}/end", {}).status_code == 404
    assert another.get(HOME).status_code == 200


# --- the second factor -----------------------------------------------------------------------------------------------


def test_the_picture_holds_no_style_and_no_script(quick_office: Office) -> None:
    browser = quick_office.browser("viewer")
    assert location(browser.get(f"{HOME}/app")) == HOME
    browser.post(f"{HOME}/app/begin", {"current": PASSWORD})
    text = browser.get(f"{HOME}/app").text
    assert "<svg" in text
    assert "style=" not in text


def test_with_a_second_factor_the_password_alone_does_not_sign_in(office: Office) -> None:
    secret, _ = turn_on(office, office.browser("owner"))
    browser = office.browser()
    asked = browser.sign_in("owner@example.com", then="/properties")
    assert asked.status_code == 200
    assert not browser.is_in
    step = {"ticket": ticket_of(asked), "then": "/properties"}
    wrong = browser.post("/sign-in/code", step | {"code": "000000"})
    assert (wrong.status_code, "latest code" in wrong.text, ticket_of(wrong)) == (400, True, step["ticket"])
    code = code_now(office, secret)
    assert location(browser.post("/sign-in/code", step | {"code": code})) == "/properties"
    assert browser.get(HOME).status_code == 200
    again = office.browser().post("/sign-in/code", step | {"code": code})
    assert again.status_code == 400


def test_a_recovery_code_signs_in_once(office: Office) -> None:
    _, codes = turn_on(office, office.browser("owner"))
    assert len(codes) == 10
    for expected in (303, 400):
        browser = office.browser()
        step = {"ticket": ticket_of(browser.sign_in("owner@example.com")), "code": codes[3].upper().replace("-", " ")}
        assert browser.post("/sign-in/code", step).status_code == expected
    office.clock.advance(minutes=16)
    browser = office.browser()
    browser.post("/sign-in/code", {"ticket": ticket_of(browser.sign_in("owner@example.com")), "code": codes[0]})
    assert "8 of 10 recovery codes" in browser.get(HOME).text


def test_a_ticket_works_for_five_minutes_for_its_member_and_password_alone(office: Office) -> None:
    owner = office.browser("owner")
    secret, _ = turn_on(office, owner)
    browser = office.browser()
    ticket = ticket_of(browser.sign_in("owner@example.com"))
    account, member, rest = ticket.split(".", 2)
    manager = re.search(r"/settings/members/(member_\w+)/remove", owner.get("/settings/members").text)
    assert manager is not None
    for forged in ("", "x", f"{account}.{manager[1]}.{rest}", f"{account}.{member}.9{rest}", ticket[:-1] + "0x"):
        answer = browser.post("/sign-in/code", {"ticket": forged or " ", "code": code_now(office, secret)})
        assert answer.status_code == 400, forged
    assert location(owner.post(f"{HOME}/password", {"current": PASSWORD, "password": NEW})) == HOME
    assert browser.post("/sign-in/code", {"ticket": ticket, "code": code_now(office, secret)}).status_code == 400
    ticket = ticket_of(browser.sign_in("owner@example.com", password=NEW))
    office.clock.advance(minutes=6)
    late = browser.post("/sign-in/code", {"ticket": ticket, "code": code_now(office, secret)})
    assert (late.status_code, "Sign in again" in late.text) == (400, True)


def test_codes_are_not_guessed(quick_office: Office) -> None:
    turn_on(quick_office, quick_office.browser("owner"))
    browser = quick_office.browser()
    step = {"ticket": ticket_of(browser.sign_in("owner@example.com")), "code": "123456"}
    answers = [browser.post("/sign-in/code", step).status_code for _ in range(11)]
    assert answers == [400] * 10 + [429]


def test_setting_up_takes_the_newest_code_and_happens_once(office: Office) -> None:
    browser = office.browser("owner")
    assert browser.post(f"{HOME}/app/confirm", {"code": "123456"}).status_code == 409
    browser.post(f"{HOME}/app/begin", {"current": PASSWORD})
    wrong = browser.post(f"{HOME}/app/confirm", {"code": "12"})
    assert (wrong.status_code, 'id="wrong-code"' in wrong.text) == (400, True)
    turn_on(office, browser)
    assert browser.post(f"{HOME}/app/begin", {"current": PASSWORD}).status_code == 409
    assert location(browser.get(f"{HOME}/app")) == HOME


def test_a_browser_that_was_left_open_locks_nobody_out(office: Office) -> None:
    browser, elsewhere = office.browser("owner"), office.browser("owner")
    assert 'name="current"' in browser.get(f"{HOME}/app/begin").text
    for path in (f"{HOME}/app/begin", f"{HOME}/app"):
        assert browser.post(path, {"current": "guess"}).status_code in {400, 405}
    assert location(browser.get(f"{HOME}/app")) == HOME
    turn_on(office, browser)
    assert location(elsewhere.get(HOME)).startswith("/sign-in")
    assert browser.get(HOME).status_code == 200


def test_made_up_tickets_cost_nobody_their_tries_and_are_counted_by_where_they_come_from(quick_office: Office) -> None:
    turn_on(quick_office, quick_office.browser("owner"))
    browser = quick_office.browser()
    ticket = ticket_of(browser.sign_in("owner@example.com"))
    made_up = {"ticket": f"{ticket[:-1]}x", "code": "123456"}
    answers = [browser.post("/sign-in/code", made_up).status_code for _ in range(31)]
    assert answers == [400] * 30 + [429]
    elsewhere = throttled_apart(quick_office, "203.0.113.10")
    ticket = ticket_of(elsewhere.sign_in("owner@example.com"))
    assert elsewhere.post("/sign-in/code", {"ticket": ticket, "code": "123456"}).status_code == 400


def test_new_codes_and_turning_off_take_the_password(office: Office) -> None:
    browser = office.browser("owner")
    _, old = turn_on(office, browser)
    assert browser.get(f"{HOME}/app/codes").status_code == 200
    wrong = browser.post(f"{HOME}/app/codes", {"current": "no"})
    assert (wrong.status_code, 'id="wrong-current"' in wrong.text) == (400, True)
    new = codes_of(browser.post(f"{HOME}/app/codes", {"current": PASSWORD}))
    assert not set(new) & set(old)
    guest = office.browser()
    step = {"ticket": ticket_of(guest.sign_in("owner@example.com"))}
    assert guest.post("/sign-in/code", step | {"code": old[0]}).status_code == 400
    assert location(guest.post("/sign-in/code", step | {"code": new[0]})) == "/"
    assert browser.post(f"{HOME}/app/off", {"current": "no"}).status_code == 400
    assert location(browser.post(f"{HOME}/app/off", {"current": PASSWORD})) == HOME
    assert location(office.browser().sign_in("owner@example.com")) == "/"


def test_the_recovery_codes_asked_for_again_say_where_new_ones_are_made(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    secret, _ = turn_on(quick_office, browser)
    again = browser.post(f"{HOME}/app/confirm", {"code": code_now(quick_office, secret)})
    assert again.status_code == 409
    assert "Two-step sign-in is on" in again.text
    assert "create new ones under Settings, Your sign-in" in again.text
