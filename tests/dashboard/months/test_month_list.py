"""The server searches, filters and sorts the months of all properties."""

import re
from datetime import date
from html import unescape
from pathlib import Path
from typing import get_args

import pytest

from prorata.actions.accounts import access
from prorata.actions.bills import bills
from prorata.actions.lists.page_cursors import Leaf, written
from prorata.actions.months import lists as month_lists
from prorata.actions.months.lists import MonthList, Wish
from prorata.adapters.mail.smtp_url import read_smtp_url
from prorata.domain.bills.bills import NewBill
from prorata.domain.delivery.send_schedule import NO_SERVER
from prorata.store.months import searches as month_searches
from tests.dashboard.billed import FEBRUARY, billed, send_month, set_status
from tests.dashboard.conftest import ORIGIN, Browser, Office, build_office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.properties.test_units import add_unit


def listed(browser: Browser, query: str) -> list[tuple[str, str]]:
    """The property and month of each row, from top to bottom."""
    text = browser.get(f"/months{query}").text
    found = re.findall(r'<th scope="row"><a href="/properties/\w+/months/([\d-]+)">([^<]*)</a>', text)
    return [(name, month) for month, name in found]


@pytest.fixture
def three(office: Office) -> Office:
    """An office with three properties.

    Elm 2 and Elm 10 each have a draft for February. Maple Court has a sent invoice for February and a draft for
    January.
    """
    billed(office, "1", name="Elm 10", total=30_00)
    billed(office, "1", name="Elm 2", total=20_00)
    (one,) = billed(office, "1", name="Maple Court", total=90_00)
    january = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 10_00, date(2026, 1, 20))
    office.database.write(lambda tx: bills.add(tx, office.caller, [january]))
    set_status(office, one.id, "SENT")
    return office


def test_months_are_sorted_by_month_property_and_total(three: Office) -> None:
    browser = three.browser("viewer")
    elm2, elm10 = ("Elm 2", FEBRUARY), ("Elm 10", FEBRUARY)
    sent, january = ("Maple Court", FEBRUARY), ("Maple Court", "2026-01")
    assert listed(browser, "?only=all") == [elm2, elm10, sent, january], "the newest first, then 2 before 10"
    assert listed(browser, "?only=all&sort=month") == [january, elm2, elm10, sent]
    assert listed(browser, "?only=all&sort=-property") == [sent, january, elm10, elm2]
    assert listed(browser, "?only=all&sort=total") == [january, elm2, elm10, sent]
    assert listed(browser, "?only=all&sort=-total") == [sent, elm10, elm2, january]
    assert browser.get("/months?sort=color").status_code == 400


def test_months_are_narrowed_by_what_is_to_be_done_month_and_words(three: Office) -> None:
    browser = three.browser("viewer")
    elm2, elm10 = ("Elm 2", FEBRUARY), ("Elm 10", FEBRUARY)
    assert listed(browser, "") == [elm2, elm10, ("Maple Court", "2026-01")], "drafts to review, at first"
    assert listed(browser, "?only=closed") == [("Maple Court", FEBRUARY)]
    assert listed(browser, "?only=open&month=2026-01") == [("Maple Court", "2026-01")]
    assert listed(browser, "?only=all&search=elm+2") == [elm2]
    assert listed(browser, "?only=all&search=january+2026") == [("Maple Court", "2026-01")]
    assert listed(browser, "?only=all&search=elm+january+2026") == []
    assert "Nothing found" in browser.get("/months?only=all&search=nowhere").text
    assert "Nothing found" in browser.get("/months?only=all&search=january+2026&month=2026-02").text
    assert "Nothing here" in browser.get("/months?only=pending").text
    assert listed(three.browser("stranger"), "?only=all") == []


def test_a_month_says_how_its_invoices_stand_and_what_is_wrong(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    set_status(office, one.id, "SENT")
    late = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 10_00, date(2026, 2, 21), bill_number="2")
    office.database.write(lambda tx: bills.add(tx, office.caller, [late]))
    text = office.browser("viewer").get("/months?only=pending").text
    for said in ("1 draft", "1 sent", "$90.00", "1 late bill", "1 change since it was sent", "1 month<"):
        assert said in text


@pytest.mark.parametrize("sort", get_args(month_lists.Sort))
def test_more_months_than_are_gathered_are_walked_in_every_order_there_and_back(three: Office, sort: str) -> None:
    account, caller = three.account_id, three.caller
    database, columns = three.database, month_searches.columns_of(sort)
    whole = database.read(lambda tx: month_searches.walked(tx, account, "all", {}, sort, limit=9))
    assert len({(one.property_id, one.month) for one in whole}) == 4
    gathered = database.read(lambda tx: month_lists.page(tx, caller, Wish("all", sort=sort), limit=9)).rows
    by = columns[0] if columns[0] != "name_key" else "property_name"
    assert [getattr(one, by) for one in whole] == [getattr(one, by) for one in gathered]
    for at, one in enumerate(whole):
        mark = written([getattr(one, name) for name in columns])

        def seen(leaf: Leaf) -> MonthList:
            return database.read(lambda tx: month_lists.page(tx, caller, Wish("all", sort=sort), limit=1, leaf=leaf))

        following, before = seen(Leaf(after=mark)), seen(Leaf(before=mark))
        assert following.rows == whole[at + 1 :][:1]
        assert following.has_more == (at < 2)
        assert before.rows == whole[:at][-1:]


@pytest.mark.parametrize("mark", ["x", written(["2026-02"]), written([1, 2]), written(["2026-02", "a", "b"])])
def test_a_mark_that_is_none_of_the_order_of_months_is_refused(three: Office, mark: str) -> None:
    browser = three.browser("viewer")
    assert browser.get(f"/months?only=all&after={mark}").status_code == 400
    assert browser.get(f"/months?only=all&before={mark}").status_code == 400


def test_more_months_than_are_sorted_are_walked_from_the_newest(three: Office) -> None:
    account, caller = three.account_id, three.caller
    for sort, months in (("-month", [FEBRUARY] * 3 + ["2026-01"]), ("month", ["2026-01"] + [FEBRUARY] * 3)):
        walked = [
            three.database.read(
                lambda tx, at=at, sort=sort: month_searches.walked(  # type: ignore[misc]
                    tx, account, "all", {}, sort, limit=1, offset=at
                )
            )[0]
            for at in range(4)
        ]
        assert [one.month for one in walked] == months
        assert len({(one.property_id, one.month) for one in walked}) == 4
    first = three.database.read(lambda tx: month_lists.page(tx, caller, Wish("all"), limit=2))
    assert (len(first.rows), first.total, first.is_more) == (2, 4, False)


# --- sending from the list --------------------------------------------------------------------------------------------


def asked(browser: Browser, *chosen: str, **fields: str) -> str:
    """The question that is asked before the drafts of these months are sent."""
    return browser.post("/months/chosen", {"chosen": list(chosen), **fields}).text


def test_chosen_months_are_sent_after_one_question_with_what_to_look_at_in_each(three: Office) -> None:
    browser = three.browser("manager")
    text = browser.get("/months").text
    keys = re.findall(r'name="chosen" value="([^"]*)"', text)
    assert len(keys) == 3
    assert "1 vacant unit" not in text
    with_draft = [key for key in keys if key.endswith(FEBRUARY)]
    question = asked(browser, *with_draft, search="elm", sort="property")
    assert "Send 2 invoices totaling $50.00?" in question
    assert "February 2026, of 2 properties. A bill that arrives later" in question
    assert 'href="/months?only=drafts&amp;search=elm&amp;sort=property&amp;page=1">Not now' in question
    seen = re.search(r'name="seen" value="(\w+)"', question)
    assert seen
    sent = browser.post("/months/send", {"chosen": with_draft, "seen": seen[1]})
    assert sent.headers["location"].startswith("/invoices/changes/")
    assert listed(browser, "") == [("Maple Court", "2026-01")]


def test_the_checks_stand_by_kind_in_the_list_and_with_links_before_sending(office: Office) -> None:
    billed(office, "1", name="Elm")
    (one,) = billed(office, "1", name="Maple Court")
    of_maple = office.database.read(lambda tx: access.property_(tx, office.caller, one.property_id))
    add_unit(office, of_maple, "2")
    rule = {"splitMethod": "SQFT", "isActive": "true"}
    browser = office.browser("manager")
    browser.post(f"/properties/{one.property_id}/rules/water", rule)
    page = browser.get("/months").text
    assert "2 units without a figure" in page
    keys = re.findall(r'name="chosen" value="([^"]*)"', page)
    for question in (
        asked(browser, *keys),
        choose(browser, "/invoices/chosen", verb="send", all="true").text,
        browser.get(f"/properties/{one.property_id}/months/{FEBRUARY}/send").text,
        browser.get(f"/invoices/{one.id}/do/send").text,
    ):
        assert "in 1 property. Review these first:" in question
        assert f'href="/properties/{one.property_id}/months/{FEBRUARY}">Maple Court, February 2026</a>' in question
        assert "2 units without a figure" in question


@pytest.mark.parametrize("chosen", [[], ["x"], ["prop_1 2026-02"], ["prop_01kn6pqfm5e4vv5kpzmg05a3jj 2026-02"]])
def test_months_that_are_none_or_of_nobody_here_are_not_sent(three: Office, chosen: list[str]) -> None:
    browser = three.browser("manager")
    for path in ("/months/chosen", "/months/send"):
        assert browser.post(path, {"chosen": chosen}).status_code in (400, 409)
    assert len(listed(browser, "")) == 3


def test_another_accounts_months_are_not_sent(three: Office) -> None:
    (key, *_) = re.findall(r'name="chosen" value="([^"]*)"', three.browser("manager").get("/months").text)
    assert three.browser("stranger").post("/months/send", {"chosen": key}).status_code == 409
    assert len(listed(three.browser("manager"), "")) == 3


def test_without_a_mail_server_the_button_says_what_happens(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, mail_held=NO_SERVER)
    one, two = billed(office, "1", "2")
    browser = office.browser("owner")
    for text in (
        asked(browser, f"{one.property_id} {FEBRUARY}"),
        choose(browser, "/invoices/chosen", verb="send", chosen=[one.id, two.id]).text,
    ):
        assert ">Save 2 to the outbox folder</button>" in text
        assert "They are marked as sent, and saved in the outbox folder at once." in unescape(text)
        assert "It is called <code>outbox</code>" in text
        assert 'href="/settings/email">Set up e-mail</a>' in text
    alone = browser.get(f"/invoices/{one.id}/do/send").text
    assert ">Save it to the outbox folder</button>" in alone
    assert re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", alone) == [("Total", "$45.00"), ("Due", "April 16, 2026")]
    assert "It is marked as sent, and the e-mail to t1@example.org is saved in the outbox folder at once." in alone
    assert "It is called <code>outbox</code>" in alone
    browser.post(f"/invoices/{one.id}/do/send", {})
    assert "It will be saved in the outbox folder on <time" in browser.get(f"/invoices/{one.id}").text
    listing = browser.get("/invoices").text
    assert ">E-mail waiting</span>" in listing
    assert "The e-mails that are waiting will be saved in the outbox folder." in listing
    page = browser.get("/settings/email").text
    assert "PRORATA_SMTP_URL" in page
    assert "write %40, %3A, %2F, %3F, %23 or %25 instead" in page
    lines = [read_smtp_url(unescape(one)) for one in re.findall(r"<code>PRORATA_SMTP_URL=(.*?)</code>", page)]
    assert [(one.port, one.starttls, one.implicit_tls, bool(one.user)) for one in lines] == [
        (587, True, False, True), (465, False, True, True), (25, False, False, False)
    ]  # fmt: skip
    assert "Port 587, encrypted with STARTTLS" in page
    assert "/outbox</code>" not in page, "it is another's computer"
    assert office.browser("viewer").get("/settings/email").status_code == 403


def test_the_page_of_email_says_where_messages_are_on_this_computer_and_what_becomes_of_them(
    migrated_sqlite_url: str, tmp_path: Path
) -> None:
    local = {"PRORATA_BASE_URL": "http://127.0.0.1:8000", "PRORATA_ALLOWED_HOSTS": ORIGIN.partition("://")[2]}
    office = build_office(migrated_sqlite_url, mail_held=NO_SERVER, PRORATA_DATA_DIR=str(tmp_path), **local)
    page = office.browser("owner").get("/settings/email").text
    assert f"<code>{tmp_path.resolve() / 'outbox'}</code>" in page
    assert "/.env</code>" in page
    assert "aren’t sent automatically later, even after e-mail is set up" in page


def test_where_links_lead_to_this_computer_only_it_is_said_before_sending_and_in_settings(
    migrated_sqlite_url: str,
) -> None:
    server, here = "smtp://localhost", "http://127.0.0.1:8000"
    local = {"PRORATA_BASE_URL": here, "PRORATA_ALLOWED_HOSTS": ORIGIN.partition("://")[2]}
    office = build_office(migrated_sqlite_url, PRORATA_SMTP_URL=server, **local)
    one, two = billed(office, "1", "2")
    browser = office.browser("owner")
    for text in (
        asked(browser, f"{one.property_id} {FEBRUARY}"),
        choose(browser, "/invoices/chosen", verb="send", chosen=[one.id, two.id]).text,
        browser.get(f"/invoices/{one.id}/do/send").text,
        browser.get("/settings/email").text,
        browser.get("/settings").text,
        browser.get(f"/invoices/{one.id}/mail").text,
    ):
        assert "Links to the tenants’ pages only work on this computer" in text
        assert "can’t open the links in their e-mails, or links that you pass on" in text
        assert "<code>PRORATA_BASE_URL</code>" in text
        assert f"<code>{here}</code>" in text
    assert "only work on this computer" not in choose(browser, "/invoices/chosen", verb="cancel", chosen=[one.id]).text
    assert "only work on this computer" not in browser.get(f"/invoices/{one.id}/do/cancel").text
    send_month(browser, one.property_id)
    page = browser.get(f"/invoices/{one.id}").text
    assert "it only works on this computer." in page
    assert "only work on this computer" not in page, "the warning stood before sending"


def test_where_links_lead_to_a_public_address_nothing_is_said_of_it(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, PRORATA_SMTP_URL="smtp://localhost")
    one, _ = billed(office, "1", "2")
    browser = office.browser("owner")
    assert "only work on this computer" not in browser.get(f"/invoices/{one.id}/do/send").text
    assert "only work on this computer" not in browser.get("/settings/email").text
