"""Wrong passwords and codes count toward a limit.

A stranger's attempts never lock members out of a browser that they have used before.
"""

import httpx
import pytest
from sqlalchemy import bindparam

from prorata.actions.audit import activity
from prorata.adapters.limits_memory import SECOND, MemoryLimiter
from prorata.domain.accounts.account_mail import Notice
from prorata.domain.accounts.login_throttling import (
    CODES_OF_A_MEMBER,
    COMPARED_FOR_AN_ADDRESS,
    MINUTES,
    OF_A_MEMBER,
    OF_AN_ADDRESS,
    WRONG_CODES_TOLD,
)
from prorata.domain.mail.deliveries import MAIL
from prorata.ports import Window
from prorata.store.database.statements import changes
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail import messages as stored_mail
from prorata.store.schema.tables import member
from tests.dashboard.accounts.test_security import HOME, code_now, throttled_apart, ticket_of, turn_on
from tests.dashboard.conftest import PASSWORD, Browser, Office, build_office
from tests.dashboard.kernel.test_sign_in_door import assert_page

OWNER = "owner@example.com"
CONFIRMED = changes(member.update().values(verified_at=bindparam("at")))


def guess(browser: Browser, times: int, email: str = OWNER) -> list[int]:
    return [browser.sign_in(email, password="no").status_code for _ in range(times)]


def strangers_guess(office: Office, email: str = OWNER) -> None:
    """Guess passwords until strangers have to wait.

    Afterwards, nobody new can try the member's e-mail address, or sign in from the network address that the other
    browsers share.
    """
    assert guess(throttled_apart(office, "203.0.113.9"), OF_A_MEMBER + 1, email)[-1] == 429
    for number in range(OF_AN_ADDRESS + 1):
        answer = office.browser().sign_in(f"nobody{number}@example.com", password="no")
    assert answer.status_code == 429


def known(browser: Browser) -> str:
    return browser.client.cookies["prorata-known"]


def with_known(office: Office, cookie: str, address: str = "203.0.113.50") -> Browser:
    made = throttled_apart(office, address)
    made.client.cookies.set("prorata-known", cookie)
    return made


def test_right_passwords_count_for_nothing(quick_office: Office) -> None:
    browser = quick_office.browser()
    for _ in range(OF_AN_ADDRESS + 5):
        browser.client.cookies.clear()
        assert browser.sign_in(OWNER).status_code == 303
    assert guess(quick_office.browser(), OF_A_MEMBER + 1) == [400] * OF_A_MEMBER + [429]


def test_wrong_ones_between_right_ones_are_counted_all_the_same(quick_office: Office) -> None:
    answers = []
    for _ in range(OF_A_MEMBER):
        assert quick_office.browser().sign_in(OWNER).status_code == 303
        answers += guess(quick_office.browser(), 1)
    assert answers == [400] * OF_A_MEMBER
    assert_page(quick_office.browser().sign_in(OWNER), 429)


def test_so_many_passwords_are_compared_for_one_address_and_no_more(migrated_sqlite_url: str) -> None:
    limiter, window = MemoryLimiter(), Window("tries", COMPARED_FOR_AN_ADDRESS, MINUTES * 60)
    for _ in range(COMPARED_FOR_AN_ADDRESS - 1):
        limiter.count("compared from 203.0.113.20", (window,))
    office = build_office(migrated_sqlite_url, limiter=limiter)
    browser = throttled_apart(office, "203.0.113.20")
    assert [browser.sign_in(OWNER).status_code for _ in range(2)] == [303, 429]
    assert throttled_apart(office, "203.0.113.21").sign_in(OWNER).status_code == 303


def test_who_signed_in_with_a_browser_before_gets_in_whatever_strangers_try(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    browser.post("/sign-out", {})
    strangers_guess(quick_office)
    assert_page(quick_office.browser().sign_in(OWNER), 429)
    assert browser.sign_in(OWNER).status_code == 303


def test_a_browser_that_is_known_is_counted_by_itself(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    assert guess(browser, OF_A_MEMBER + 1) == [400] * OF_A_MEMBER + [429]
    assert browser.sign_in(OWNER).status_code == 429
    assert quick_office.browser().sign_in(OWNER).status_code == 303


@pytest.mark.parametrize("odd", ["another member's", "forged", "another day", "too old", "garbage"])
def test_what_a_browser_keeps_proves_one_member_and_can_not_be_made_up(quick_office: Office, odd: str) -> None:
    owners = known(quick_office.browser("owner"))
    nonce, day, signature = owners.split(".")
    cookies = {
        "another member's": known(quick_office.browser("manager")),
        "forged": f"{nonce}x.{day}.{signature}",
        "another day": f"{nonce}.{int(day) + 1}.{signature}",
        "too old": owners,
        "garbage": "a.b~.~.~x.1.x",
    }
    if odd == "too old":
        quick_office.clock.advance(days=366)
    strangers_guess(quick_office)
    assert with_known(quick_office, cookies[odd]).sign_in(OWNER).status_code == 429


def test_a_browser_of_several_knows_each_of_them(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    for who in ("viewer", "owner"):
        browser.post("/sign-out", {})
        browser.sign_in(f"{who}@example.com")
    browser.post("/sign-out", {})
    assert known(browser).count("~") == 2
    assert "manager" not in known(browser)
    strangers_guess(quick_office, "manager@example.com")
    assert browser.sign_in("manager@example.com").status_code == 303


def test_what_is_tried_says_nothing_of_whether_an_address_is_known(quick_office: Office) -> None:
    def said(email: str, address: str) -> list[tuple[int, int]]:
        browser = throttled_apart(quick_office, address)
        answers: list[httpx.Response] = [browser.sign_in(email, password="no") for _ in range(OF_A_MEMBER + 2)]
        return [(answer.status_code, len(answer.text.replace(email, ""))) for answer in answers]

    assert said(OWNER, "203.0.113.30") == said("nobody@example.com", "203.0.113.31")


def test_codes_that_are_right_count_for_nothing_and_a_known_browser_is_counted_by_itself(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    secret, _ = turn_on(quick_office, browser)
    browser.post("/sign-out", {})
    stranger = throttled_apart(quick_office, "203.0.113.40")
    step = {"ticket": ticket_of(stranger.sign_in(OWNER)), "code": "123456"}
    assert [stranger.post("/sign-in/code", step).status_code for _ in range(OF_A_MEMBER + 1)][-1] == 429
    step = {"ticket": ticket_of(browser.sign_in(OWNER)), "code": code_now(quick_office, secret)}
    assert browser.post("/sign-in/code", step).status_code == 303


class Ticks:
    """A clock for a limiter, in nanoseconds, which the tests move by hand."""

    def __init__(self) -> None:
        self.now = 10**9 * SECOND

    def __call__(self) -> int:
        return self.now

    def forward(self, minutes: int) -> None:
        self.now += minutes * 60 * SECOND


def test_who_guesses_codes_long_waits_longer_until_there_is_another_password(migrated_sqlite_url: str) -> None:
    ticks = Ticks()
    office = build_office(migrated_sqlite_url, limiter=MemoryLimiter(ticks))
    turn_on(office, office.browser("owner"))
    stranger = throttled_apart(office, "203.0.113.41")

    def guessed(times: int) -> list[int]:
        step = {"ticket": ticket_of(stranger.sign_in(OWNER)), "code": "123456"}
        return [stranger.post("/sign-in/code", step).status_code for _ in range(times)]

    (most, minutes), (of_a_day, _), _ = CODES_OF_A_MEMBER
    assert guessed(most + 1) == [400] * most + [429]
    ticks.forward(minutes + 1)
    assert guessed(of_a_day - most + 1) == [400] * (of_a_day - most) + [429]
    ticks.forward(60)
    step = {"ticket": ticket_of(stranger.sign_in(OWNER)), "code": "123456"}
    refused = stranger.post("/sign-in/code", step)
    assert (refused.status_code, "Wait 23 hours, then try again." in refused.text) == (429, True)
    ticks.forward(24 * 60)
    assert guessed(1) == [400]


def test_who_knows_a_password_and_no_code_is_told_of_once_a_day(office: Office) -> None:
    turn_on(office, office.browser("owner"))
    office.database.write(lambda tx: tx.run(CONFIRMED, at=tx.now))
    stranger = throttled_apart(office, "203.0.113.42")

    def told() -> list[tuple[str, str]]:
        events = office.database.read(lambda tx: activity.page(tx, office.caller))
        return [(one.actor_name, one.says) for one in events if one.verb == "enter wrong codes"]

    def mailed() -> int:
        due = office.database.read(lambda tx: stored_jobs.oldest_due(tx, MAIL, "9999", 50))
        kinds = [
            office.database.read(lambda tx, of=job: stored_mail.find(tx, of.account_id, of.subject)) for job in due
        ]
        return sum(one is not None and one.kind == Notice.CODES.value for one in kinds)

    def guess_codes(times: int) -> None:
        step = {"ticket": ticket_of(stranger.sign_in(OWNER)), "code": "123456"}
        assert [stranger.post("/sign-in/code", step).status_code for _ in range(times)] == [400] * times

    guess_codes(WRONG_CODES_TOLD - 1)
    assert (told(), mailed()) == ([], 0)
    guess_codes(3)
    assert told() == [("Somebody who signed in", f"entered wrong codes behind the password of {OWNER}")]
    assert mailed() == 1
    office.clock.advance(days=1, seconds=1)
    guess_codes(1)
    assert (len(told()), mailed()) == (2, 2)


def test_the_own_password_may_be_right_as_often_as_one_likes(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    for _ in range(OF_A_MEMBER + 2):
        assert browser.post(f"{HOME}/app/begin", {"current": PASSWORD}).status_code == 303
