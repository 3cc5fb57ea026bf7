"""The dashboard loses no input between a form and its response.

These rules apply to every page.
"""

import re
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
import structlog

from prorata.store.database.engine import too_busy
from prorata.web.http.pools import Pools, Result
from tests.dashboard.billed import billed, listed
from tests.dashboard.conftest import OWN_SITE, PASSWORD, Browser, Office, build_office
from tests.dashboard.kernel.test_sign_in_door import assert_page
from tests.dashboard.splitting.test_share_rules import EQUALLY, furnish
from tests.dashboard.splitting.test_split_methods import HALF, own

FORM_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')
ELM = {"name": "Elm House", "streetNumber": "7", "street": "Elm Road", "city": "Springfield", "state": "IL",
       "zip": "62701", "country": "US"}  # fmt: skip
KEY = {"name": "till", "permission": "FULL", "expires": ""}


class BusyPools(Pools):
    """Threads that refuse work in the pools named in `busy`: `page`, `write` or `print`."""

    def __init__(self) -> None:
        super().__init__("sqlite")
        self.busy: frozenset[str] = frozenset()
        for name in ("page", "write", "print"):
            setattr(self, name, partial(self._unless_busy, name, getattr(self, name)))

    async def _unless_busy(
        self, name: str, run: Callable[..., Awaitable[Result]], work: Callable[[], Result]
    ) -> Result:
        if name in self.busy:
            raise too_busy()
        return await run(work)


def busy_office(url: str) -> tuple[Office, BusyPools]:
    pools = BusyPools()
    return build_office(url, pools=pools), pools


def token_of(browser: Browser, path: str = "/properties/new") -> str:
    found = FORM_TOKEN.search(browser.get(path).text)
    assert found
    return found[1]


# --- a form that is refused ------------------------------------------------------------------------------------------


def test_a_form_that_came_while_others_wrote_is_there_again_as_it_was_typed(migrated_sqlite_url: str) -> None:
    office, pools = busy_office(migrated_sqlite_url)
    browser = office.browser("owner")
    token = token_of(browser)
    pools.busy = frozenset({"write"})
    answer = browser.post("/properties/new", ELM, token=token)
    assert_page(answer, 503)
    assert int(answer.headers["retry-after"]) > 0
    assert "Nothing was changed; try again" in answer.text
    assert all(f'value="{text}"' in answer.text for text in ("Elm House", "Elm Road", "62701"))
    pools.busy = frozenset()
    assert browser.post("/properties/new", ELM, token=token_of(browser)).status_code == 303


def test_a_form_of_the_sign_in_before_is_there_again_with_a_token_that_will_do(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    old = token_of(browser)
    browser.client.cookies.clear()
    browser.sign_in("owner@example.com")
    charge = {"name": "Elm House", "city": "Springfield"}
    answer = browser.post("/properties/new", charge, token=old)
    assert_page(answer, 403)
    assert "Check it, and send it again" in answer.text
    assert 'value="Elm House"' in answer.text
    fresh = FORM_TOKEN.search(answer.text)
    assert fresh
    assert fresh[1] != old
    assert browser.post("/properties/new", charge, token=fresh[1]).status_code == 400


def test_a_guests_form_outlives_its_cookie(quick_office: Office) -> None:
    browser = quick_office.browser()
    old = token_of(browser, "/sign-in")
    browser.client.cookies.clear()
    who = {"email": "owner@example.com", "password": PASSWORD}
    answer = browser.post("/sign-in", who, token=old)
    assert (answer.status_code, 'value="owner@example.com"' in answer.text) == (403, True)
    fresh = FORM_TOKEN.search(answer.text)
    assert fresh
    assert browser.post("/sign-in", who, token=fresh[1]).status_code == 303


def test_a_refused_bulk_change_keeps_the_list_and_its_links_lead_to_it(quick_office: Office) -> None:
    billed(quick_office, "1", "2")
    billed(quick_office, "9", name="Elm House")
    browser = quick_office.browser("owner")
    answer = browser.post("/invoices/chosen", {"verb": "send", "search": "elm", "sort": "-total"})
    assert_page(answer, 400)
    assert "No invoices are selected" in answer.text
    assert 'value="elm"' in answer.text
    assert answer.text.count('name="chosen"') == 1
    links = re.findall(r'(?:href|action)="([^"]*)"', answer.text)
    assert not [link for link in links if link.startswith("?") or "/chosen?" in link]
    assert "/invoices?search=elm&amp;sort=total" in links


def test_add_one_adds_also_where_a_refused_deletion_shows_it(quick_office: Office) -> None:
    browser, its = quick_office.browser("owner"), quick_office.add_property()
    browser.post("/split-methods", HALF)
    browser.post(f"/properties/{its.id}/rules/water", EQUALLY | {"splitMethod": own(quick_office).id})
    refused = browser.post(f"/split-methods/{own(quick_office).id}/delete", {})
    assert refused.status_code == 409
    assert re.search(r'<form [^>]*action="/split-methods" aria-labelledby="new"', refused.text)
    assert "/delete?" not in refused.text


def test_a_page_that_takes_no_fields_refuses_them(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    browser.post("/split-methods", HALF)
    path = f"/split-methods/{own(quick_office).id}/delete"
    assert browser.post(path, HALF).status_code == 400
    assert own(quick_office)
    assert browser.post(path, {}).status_code == 303


def test_a_problem_of_a_field_that_nobody_sees_is_said_above(quick_office: Office) -> None:
    browser = quick_office.browser()
    who = {"email": "owner@example.com", "password": PASSWORD, "then": "/" * 3000}
    answer = browser.post("/sign-in", who)
    assert_page(answer, 400)
    assert "marked below" not in answer.text
    assert "Enter at most 2,000 characters." in answer.text


# --- when there is too much to do ------------------------------------------------------------------------------------


def test_the_page_that_says_it_is_busy_is_there_when_all_threads_are(migrated_sqlite_url: str) -> None:
    office, pools = busy_office(migrated_sqlite_url)
    browser = office.browser("owner")
    token = token_of(browser)
    pools.busy = frozenset({"page", "write"})
    page = browser.get("/properties?search=elm")
    assert_page(page, 503)
    assert "Busy at the moment" in page.text
    assert 'href="/properties?search=elm"' in page.text
    form = browser.post("/properties/new", ELM, token=token, Referer="http://testserver.local/properties/new")
    assert_page(form, 503)
    assert "Busy at the moment" in form.text


def test_what_is_wrong_with_a_form_is_said_while_others_write(migrated_sqlite_url: str) -> None:
    office, pools = busy_office(migrated_sqlite_url)
    browser = office.browser("owner")
    token = token_of(browser)
    pools.busy = frozenset({"write"})
    form = browser.post("/properties/new", {"name": "Elm"}, token=token)
    assert_page(form, 400)
    assert 'value="Elm"' in form.text


def test_the_question_before_a_bulk_change_waits_for_no_writer(migrated_sqlite_url: str) -> None:
    office, pools = busy_office(migrated_sqlite_url)
    (invoice,) = billed(office, "1")
    browser = office.browser("owner")
    token = token_of(browser)
    pools.busy = frozenset({"write"})
    asked = browser.post("/invoices/chosen", {"verb": "send", "chosen": invoice.id}, token=token)
    assert_page(asked, 200)
    assert listed(office)[0].status == "DRAFT"


def test_an_invoice_is_printed_in_the_threads_for_that(migrated_sqlite_url: str) -> None:
    office, pools = busy_office(migrated_sqlite_url)
    (invoice,) = billed(office, "1")
    browser = office.browser("owner")
    answer = browser.get(f"/invoices/{invoice.id}/pdf")
    assert answer.content.startswith(b"%PDF")
    assert answer.headers["content-security-policy"] == "frame-ancestors 'none'"
    assert answer.headers["x-frame-options"] == "DENY"
    pools.busy = frozenset({"print"})
    assert_page(browser.get(f"/invoices/{invoice.id}/pdf"), 503)
    assert_page(browser.get(f"/invoices/{invoice.id}"), 200)


def test_a_page_that_is_refused_is_put_into_no_other(quick_office: Office) -> None:
    page = quick_office.browser("owner").get("/").text
    assert '"noSwap": [204, 304, "4xx", "5xx"]' in page
    assert re.search(r'id="not-loaded" role="alert" hidden', page)


# --- what was sent by nobody's form ----------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["Origin", "Referer"])
def test_an_address_that_is_none_is_another_site(quick_office: Office, header: str) -> None:
    browser = quick_office.browser("owner")
    token = token_of(browser)
    sent = {"form_token": token, "name": "Elm"}
    headers = {header: "http://["} | (OWN_SITE if header == "Referer" else {})
    answer = browser.client.post("/properties/new", data=sent, headers=headers, follow_redirects=False)
    assert answer.status_code == (400 if header == "Referer" else 403)
    browser.client.cookies.clear()
    assert browser.post("/properties/new", sent, Referer="http://[").status_code == 403


def test_no_secret_of_a_link_is_in_the_log_whatever_becomes_of_the_request(quick_office: Office) -> None:
    browser = quick_office.browser()
    with structlog.testing.capture_logs() as lines:
        browser.client.put("/reset/link_secret", headers=OWN_SITE)
        browser.client.options("/join/link_secret", headers={"Accept": "text/html"})
        browser.get("/verify/link_secret/more")
        browser.get("/reset/link_%00secret")
    assert len([line for line in lines if line["event"] == "request"]) == 4
    assert "secret" not in str(lines)


# --- words -----------------------------------------------------------------------------------------------------------


def test_what_is_refused_is_said_in_the_words_of_a_person(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    for path, said in (
        ("/bills/bill_x", "isn’t here."),
        ("/properties/x/months/March", "There is no page at this address."),
        ("/nowhere", "There is no page at this address."),
        ("/invoices/chosen", "can’t be opened directly"),
    ):
        text = browser.get(path).text
        assert said in text, path
        for word in ("with this id", "/docs", "method", "`"):
            assert word not in text.partition("<main")[2], path


# --- a rule's form ---------------------------------------------------------------------------------------------------


def test_htmx_gets_the_part_of_a_rules_page_that_changes(quick_office: Office) -> None:
    its, browser = furnish(quick_office), quick_office.browser("owner")
    at, part = f"/properties/{its.id}/rules/water", {"HX-Request": "true"}
    assert "weight.unit_" not in browser.get(at).text
    equally = browser.post(f"{at}/split", EQUALLY, **part).text
    assert "<html" not in equally
    assert all(f'id="{name}"' in equally for name in ("split", "below-ownerPercent", "below-vacantOccupants"))
    assert "weight.unit_" not in equally
    percent = EQUALLY | {"splitMethod": "PERCENTAGE"}
    first = browser.post(f"{at}/split", percent, **part).text
    names = re.findall(r'name="(weight\.unit_\w+)"', first)
    assert len(names) == 2
    then = browser.post(f"{at}/split", percent | {names[0]: "40"}, **part).text
    assert 'id="weights-list"' not in then
    assert "40% is given to units" in then


def test_what_a_screen_reader_says_of_a_split_is_a_sentence_outside_of_what_is_replaced(quick_office: Office) -> None:
    its, browser = furnish(quick_office), quick_office.browser("owner")
    at, part = f"/properties/{its.id}/rules/gas", {"HX-Request": "true"}

    def said(sent: dict[str, str], **headers: str) -> str:
        page = browser.post(f"{at}/split", EQUALLY | sent, **headers).text
        live = re.findall(r'<p[^>]* id="(.*?)" aria-live="polite" aria-atomic="true">(.*?)</p>', page)
        assert page.count("aria-live") == 1
        assert page.index("aria-live") < page.index('id="split"')
        assert [name for name, _ in live] == ["split-said"]
        return str(live[0][1])

    assert said({}) == "", "what is there when a page is opened is read with the page"
    assert (
        said({}, **part) == "Of $100.00, $100.00 would go to 2 units, $50.00 each, and $0.00 to you. Nothing changes."
    )
    assert said({"splitMethod": "SQFT", "ownerPercent": "10"}, **part) == (
        "Of $100.00, $90.00 would go to 2 units, from $22.50 to $67.50 each, and $10.00 to you. That changes 2 units."
    )
    assert said({"ownerPercent": "200"}, **part).startswith("It can’t be divided like this yet. Your own part: ")
    assert said({"isActive": ""}, **part).startswith(
        "Of $100.00, $0.00 would go to 2 units, $0.00 each, and $100.00 to"
    )


def test_the_rule_of_the_largest_property_fits_into_its_form(quick_office: Office) -> None:
    its, browser = furnish(quick_office), quick_office.browser("owner")
    weights = {f"weight.unit_{number:026}": "0.019992345678" for number in range(5_000)}
    answer = browser.post(f"/properties/{its.id}/rules/water", EQUALLY | {"splitMethod": "PERCENTAGE"} | weights)
    assert answer.status_code == 303
