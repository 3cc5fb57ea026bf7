"""Tests of the page "Webhooks" under Settings.

A webhook's secret is shown once. A webhook can be paused and get a new secret, and its deliveries can be viewed and
repeated.
"""

import re
import threading

from prorata.adapters.sealing import AesVault
from prorata.domain.webhooks.webhooks import Posted
from prorata.worker.rounds import Worker
from prorata.worker.webhooks import webhook_kinds
from tests.dashboard.conftest import Browser, Office

URL = "https://example.com/hook"
_SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")


def deliver(office: Office, status: int) -> None:
    kinds = webhook_kinds(lambda *_: Posted(status, "out of paper <b>", 0.1), lambda: AesVault([b"v" * 32]))
    Worker(office.database, lambda: 0, kinds).do_round(threading.Event())


def home_of(browser: Browser) -> str:
    found = re.search(r'href="(/settings/webhooks/hook_\w+)"', browser.get("/settings/webhooks").text)
    assert found is not None
    return found[1]


def test_a_webhook_is_made_its_secret_shown_once_and_found_in_the_list(office: Office) -> None:
    browser = office.browser("owner")
    assert "No webhooks yet" in browser.get("/settings/webhooks").text
    made = browser.post("/settings/webhooks", {"url": URL, "description": "Books", "invoice_paid": "true"})
    assert made.status_code == 200
    secret = _SECRET.search(made.text.replace("&#43;", "+"))
    assert secret is not None
    for path in ("/settings/webhooks", home_of(browser)):
        page = browser.get(path).text
        assert URL in page
        assert "whsec_" not in page
    page = browser.get(home_of(browser)).text
    assert 'name="invoice_paid" value="true" checked' in page
    assert 'name="bill_created" value="true" checked' not in page
    assert "1 type of event" in browser.get("/settings/webhooks").text


def test_the_same_form_again_makes_no_second_one_and_says_so(office: Office) -> None:
    browser = office.browser("owner")
    assert browser.post("/settings/webhooks", {"url": URL}).status_code == 200
    again = browser.post("/settings/webhooks", {"url": URL})
    assert again.status_code == 409
    assert "with this address already" in again.text
    assert len(set(re.findall(r"/settings/webhooks/hook_\w+", browser.get("/settings/webhooks").text))) == 1


def test_an_address_that_leads_inside_is_refused_beside_its_field(office: Office) -> None:
    browser = office.browser("owner")
    for url in ("http://example.com/", "https://10.0.0.1/", "https://2130706433/", "nonsense"):
        wrong = browser.post("/settings/webhooks", {"url": url, "unit_created": "true"})
        assert (wrong.status_code, 'id="wrong-url"' in wrong.text) == (400, True), url
        assert 'name="unit_created" value="true" checked' in wrong.text
    browser.post("/settings/webhooks", {"url": URL})
    wrong = browser.post(home_of(browser), {"url": "https://127.0.0.1/"})
    assert (wrong.status_code, 'id="wrong-url"' in wrong.text) == (400, True)


def test_it_is_paused_turned_on_changed_given_a_new_secret_and_removed(office: Office) -> None:
    browser = office.browser("owner")
    browser.post("/settings/webhooks", {"url": URL})
    home = home_of(browser)
    assert browser.post(f"{home}/pause", {}).status_code == 303
    assert "Paused" in browser.get(home).text
    assert browser.post(f"{home}/resume", {}).status_code == 303
    assert "Paused" not in browser.get(home).text
    assert browser.post(home, {"url": URL + "/2", "description": "Ledger"}).status_code == 303
    assert URL + "/2" in browser.get(home).text
    assert "Create a new secret?" in browser.get(f"{home}/rotate-secret").text
    assert "whsec_" in browser.post(f"{home}/rotate-secret", {}).text
    assert "Also signed with the previous secret until" in browser.get(home).text
    assert "Remove the webhook?" in browser.get(f"{home}/remove").text
    assert browser.post(f"{home}/remove", {}).status_code == 303
    assert browser.get(home).status_code == 404
    activity = browser.get("/activity").text
    for words in (
        "added webhook endpoint",
        "changed webhook endpoint",
        "renewed webhook secret",
        "removed webhook endpoint",
    ):
        assert words in activity, words


def test_what_was_sent_is_listed_and_sent_again(office: Office) -> None:
    browser = office.browser("owner")
    browser.post("/settings/webhooks", {"url": URL})
    home = home_of(browser)
    assert "Nothing sent yet" in browser.get(home).text
    office.add_property()
    deliver(office, 500)
    page = browser.get(home).text
    assert all(words in page for words in ("property.created", "Tried again", "status 500", "out of paper &lt;b&gt;"))
    assert " · next " in page
    assert "Failing" in browser.get("/settings/webhooks").text
    office.clock.advance(minutes=2)
    deliver(office, 204)
    page = browser.get(home).text
    assert "Taken" in page
    replay = re.search(rf"{home}/deliveries/whd_\w+/replay", page)
    assert replay is not None
    assert browser.post(replay[0], {}).status_code == 303
    assert "Tried again" in browser.get(home).text
    deliver(office, 204)
    assert "Tried again" not in browser.get(home).text


def test_one_that_was_turned_off_needs_attention_and_says_why(office: Office) -> None:
    browser = office.browser("owner")
    browser.post("/settings/webhooks", {"url": URL})
    office.add_property()
    deliver(office, 410)
    overview = browser.get("/").text
    assert "1 webhook was turned off" in overview
    assert 'href="/settings/webhooks"' in overview
    seen_by_another = office.browser("manager").get("/").text
    assert "1 webhook was turned off" in seen_by_another
    assert "An owner has to do this." in seen_by_another
    assert 'href="/settings/webhooks"' not in seen_by_another
    page = browser.get(home_of(browser)).text
    assert "410 Gone" in page
    assert "Waiting until it is turned on" in page
    assert " · next " not in page
    browser.post(f"{home_of(browser)}/resume", {})
    assert "was turned off" not in browser.get("/").text


def test_webhooks_are_for_owners_of_the_account_alone(office: Office) -> None:
    browser = office.browser("owner")
    browser.post("/settings/webhooks", {"url": URL})
    home = home_of(browser)
    for who in ("manager", "viewer"):
        other = office.browser(who)
        assert other.get("/settings/webhooks").status_code == 403
        assert other.get(home).status_code == 403
    assert office.browser("stranger").get(home).status_code == 404
