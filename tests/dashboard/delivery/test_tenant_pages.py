"""Tests of the tenant's page: what it shows, and who can open it."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import delete

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.bills import bills
from prorata.actions.delivery import tenant_pages
from prorata.actions.invoices.invoices import add_custom_charge
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.payments import failed_payments
from prorata.actions.properties import properties, tenants
from prorata.domain.accounts.login_throttling import LOOKS_OF_AN_ADDRESS, PAPERS_OF_AN_INVOICE
from prorata.domain.bills.bills import NewBill
from prorata.domain.invoices.tenant_links import LASTS, TenantLink
from prorata.domain.splitting.verification import verify
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceSummary
from prorata.store.online_payments.provider_events import EventRow
from prorata.store.schema.tables import invoice_explanation
from tests.dashboard.billed import billed, listed, set_status
from tests.dashboard.conftest import ORIGIN, Office
from tests.dashboard.tenants import SIGNER, later, link_to, page_of, path_of, sent, to_be_paid
from tests.former_programs import hand_back

PAY = "https://pay.example/p/abc?x=1&y=2"
NOTHING = "There is nothing here"


def test_the_page_shows_the_invoice_and_how_it_came_about(office: Office) -> None:
    one, _ = sent(office, "1", "2")
    answer = office.browser().get(page_of(office, one.id))
    assert answer.status_code == 200, answer.text
    for said in (
        "Harbor Rentals", f"Invoice {one.number}", "Amount due", "$45.00", "Due by April 16, 2026", "Tenant 1",
        "Maple Court", "12 Main Street", "February 2026", "Charges for February 2026", "Water",
        "Aqua Water Co., bill of February 20, 2026: $90.00", "Divided equally: this unit pays 1 of 2 equal shares.",
        "$90.00 ÷ 2 = $45.00", "Balance", "Ask a question", "owner@example.com",
        "The answer appears on this page, and comes by e-mail.",
    ):  # fmt: skip
        assert said in answer.text, said
    assert "Sign in" not in answer.text
    assert '<html lang="en"' in answer.text
    assert "htmx" not in answer.text.partition("</head>")[2]


def _two_months(office: Office, issuer: str, utility: str) -> tuple[InvoiceSummary, InvoiceSummary]:
    """Send unit 1 its invoices for February and March.

    March has a bill of this utility.
    """
    february, _ = sent(office, "1", "2")
    bill = NewBill(february.property_id, issuer, (utility,), 99_00, date(2026, 3, 20))
    office.database.write(lambda tx: bills.add(tx, office.caller, [bill]))
    march = next(one for one in listed(office, {"month": "2026-03"}) if one.unit_label == "1")
    set_status(office, march.id, "SENT")
    return february, march


def test_the_days_of_a_charge_and_what_it_was_before_stand_on_the_page_and_in_the_dashboard(office: Office) -> None:
    february, march = _two_months(office, "Aqua Water Co.", "WATER")
    before = '<p>March 2026</p><p class="quiet small">For comparison, Feb 2026: $45.00 of $90.00 billed</p>'
    assert before in office.browser().get(page_of(office, march.id)).text
    assert before in office.browser("owner").get(f"/invoices/{march.id}").text
    assert "Feb 2026" not in office.browser().get(page_of(office, february.id)).text


def test_what_only_the_month_before_had_stands_on_the_page_and_in_the_dashboard(quick_office: Office) -> None:
    _, march = _two_months(quick_office, "Metro Gas", "GAS")
    for who, to in ((None, page_of(quick_office, march.id)), ("owner", f"/invoices/{march.id}")):
        assert ">February 2026 also had: Water $45.00.</p>" in quick_office.browser(who).get(to).text


def test_days_of_another_month_say_what_makes_this_one_theirs(quick_office: Office) -> None:
    one, _ = sent(quick_office, "1", "2")
    crossing = {"service_start": date(2026, 3, 1), "service_end": date(2026, 4, 10)}
    water = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 99_00, date(2026, 4, 20), **crossing)
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, [water]))
    march = next(row for row in listed(quick_office, {"month": "2026-03"}) if row.unit_label == "1")
    set_status(quick_office, march.id, "SENT")
    for who, to in ((None, page_of(quick_office, march.id)), ("owner", f"/invoices/{march.id}")):
        assert "the month with most of the bill’s days." in quick_office.browser(who).get(to).text


def test_it_says_that_a_payment_has_failed_until_one_comes(office: Office) -> None:
    (one,) = sent(office, "1")
    path, tenant = page_of(office, one.id), office.browser()
    assert "has failed" not in tenant.get(path).text

    def fail(tx: Tx) -> None:
        row = invoices.find(tx, office.account_id, one.id)
        assert row is not None
        named, at = ("stripe", "evt_1", "failed", "pi_1"), ("USD", tx.now, "counted", None, one.id, tx.now)
        event = EventRow(office.account_id, *named, None, None, 4500, *at)
        failed_payments.note(tx, event, row.id)

    office.database.write(fail)
    assert "A payment of this invoice has failed: no money was taken." in tenant.get(path).text
    set_status(office, one.id, "PAID")
    assert "has failed" not in tenant.get(path).text


def test_neither_search_engines_nor_other_sites_learn_of_the_page(office: Office) -> None:
    (one,) = sent(office, "1")
    path, browser = page_of(office, one.id), office.browser()
    for asked in (path, f"{path}/pdf", f"{path}/bills/1", f"{path}x", f"{path}/nowhere"):
        headers = browser.get(asked).headers
        assert "noindex" in headers["x-robots-tag"], asked
        assert headers.get_list("referrer-policy") == ["no-referrer"], asked
        assert headers["cache-control"] == "no-store", asked
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
    page = browser.get(path)
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert '<meta name="robots" content="noindex' in page.text
    assert '<meta name="referrer" content="no-referrer">' in page.text
    assert browser.get("/sign-in").headers.get_list("referrer-policy") == ["same-origin"]
    assert "x-robots-tag" not in browser.get("/sign-in").headers


def test_opening_it_changes_nothing_whoever_does(office: Office) -> None:
    (one,) = sent(office, "1")
    path, browser = page_of(office, one.id), office.browser()
    before = (listed(office), _events(office))
    assert browser.client.head(path).status_code == 200
    assert browser.client.head(path).content == b""
    for agent in ("Slackbot-LinkExpanding 1.0", "WhatsApp/2.0", "Googlebot/2.1"):
        assert browser.get(path, **{"User-Agent": agent}).status_code == 200
    assert browser.get(f"{path}/pdf").content.startswith(b"%PDF-")
    assert (listed(office), _events(office)) == before


def _events(office: Office) -> list[str]:
    return [one.id for one in office.database.read(lambda tx: activity.page(tx, office.caller))]


def _forged(office: Office, mine: InvoiceSummary) -> dict[str, str]:
    path, link = page_of(office, mine.id), link_to(office, mine.id)
    other = "A" if path[-1] != "A" else "B"
    stranger = TenantLinks([b"somebody else's secret"], ORIGIN)
    return {
        "another letter": path[:-1] + other,
        "another body": path[:10] + ("A" if path[10] != "A" else "B") + path[11:],
        "too short": path[:-1],
        "too long": f"{path}A",
        "not in base 64": f"/i/{'.' * 72}",
        "empty": "/i/x",
        "another secret": path_of(link, stranger),
        "an invoice that nobody has": path_of(link._replace(invoice_id="inv_01kb1n3x6ve2hrrk0p1w4bqv2f")),
        "an account that nobody has": path_of(link._replace(account_id="acct_01kb1n3x6ve2hrrk0p1w4bqv2f")),
        "another account's, which is there": path_of(link._replace(account_id=office.stranger_id)),
    }


def test_what_is_forged_unknown_or_another_accounts_is_answered_alike(office: Office) -> None:
    (mine,) = sent(office, "1")
    browser = office.browser()
    answers = {name: browser.get(path) for name, path in _forged(office, mine).items()}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(answers, 404)
    assert len({answer.text for answer in answers.values()}) == 1
    for path in _forged(office, mine).values():
        assert browser.get(f"{path}/pdf").status_code == 404
        assert browser.get(f"{path}/bills/1").status_code == 404


def test_the_page_that_leads_nowhere_speaks_the_language_of_the_browser(quick_office: Office) -> None:
    browser = quick_office.browser()
    assert "Hier ist nichts" in browser.get("/i/x", **{"Accept-Language": "de-CH,fr;q=0.8"}).text
    assert NOTHING in browser.get("/i/x", **{"Accept-Language": "ja"}).text


def test_a_link_signed_under_the_secret_before_opens_it_still() -> None:
    link = TenantLink("acct_01kb1n3x6ve2hrrk0p1w4bqv2f", "inv_01kb1n3x6ve2hrrk0p1w4bqv2g", 7, date(2027, 5, 1))
    token = TenantLinks([b"before"], ORIGIN).token(link)
    assert TenantLinks([b"now", b"before"], ORIGIN).read(token) == link
    assert TenantLinks([b"now"], ORIGIN).read(token) is None


def test_an_old_link_is_over_and_says_whom_to_ask(office: Office) -> None:
    (one,) = sent(office, "1")
    path, browser = page_of(office, one.id), office.browser()
    later(office, days=LASTS.days)
    assert browser.get(path).status_code == 200
    later(office, days=1)
    over = browser.get(path)
    assert over.status_code == 410
    assert "This link no longer works" in over.text
    assert "owner@example.com" in over.text
    assert one.number not in over.text
    assert browser.get(f"{path}/pdf").status_code == 404
    assert browser.get(page_of(office, one.id)).status_code == 200


def test_a_link_that_was_stopped_is_over_until_another_is_made(office: Office) -> None:
    (one,) = sent(office, "1")
    path, guest, manager = page_of(office, one.id), office.browser(), office.browser("manager")
    page = manager.get(f"/invoices/{one.id}").text
    assert f'<code id="tenant-link">{ORIGIN}/i/' in page
    assert manager.post(f"/invoices/{one.id}/link/stop", {}).status_code == 303
    assert guest.get(path).status_code == 410
    stopped = manager.get(f"/invoices/{one.id}").text
    assert "Its link has been stopped" in stopped
    assert "tenant-link" not in stopped
    assert manager.post(f"/invoices/{one.id}/link/new", {}).status_code == 303
    assert guest.get(path).status_code == 410
    assert guest.get(page_of(office, one.id)).status_code == 200
    assert manager.post(f"/invoices/{one.id}/link/new", {}).status_code == 303
    said = manager.get(f"/invoices/{one.id}").text
    assert f"stopped the tenant’s link to {one.number}" in said
    assert f"made a new link for the tenant to {one.number}" in said


def test_who_may_only_look_neither_sees_nor_stops_the_link(office: Office) -> None:
    (one,) = sent(office, "1")
    viewer = office.browser("viewer")
    assert "/i/" not in viewer.get(f"/invoices/{one.id}").text
    for step in ("stop", "new"):
        assert viewer.post(f"/invoices/{one.id}/link/{step}", {}).status_code == 403
        assert office.browser("stranger").post(f"/invoices/{one.id}/link/{step}", {}).status_code == 404


def test_an_invoice_that_was_deleted_is_not_there_and_one_of_a_vacant_unit_never_was(office: Office) -> None:
    (one,) = sent(office, "1")
    path, browser = page_of(office, one.id), office.browser()
    office.database.write(lambda tx: properties.remove(tx, office.caller, one.property_id, office.shelf))
    answer = browser.get(path)
    assert (answer.status_code, NOTHING in answer.text) == (404, True)
    assert answer.text == browser.get("/i/x").text


def test_what_is_left_to_pay_leads_to_the_provider_by_a_plain_link(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, path = office.browser(), page_of(office, one.id)
    assert "Pay $90.00 to Harbor Rentals" in browser.get(path).text
    to_be_paid(office, one.id, PAY, paid=20_00)
    page = browser.get(path).text
    assert f'href="{PAY.replace("&", "&amp;")}" rel="noreferrer noopener">Pay $70.00 online</a>' in page
    assert "You pay at pay.example." in page
    for figure in ("$90.00", "$20.00", "$70.00"):
        assert figure in page
    to_be_paid(office, one.id, PAY, paid=90_00)
    assert "pay.example" not in browser.get(path).text
    to_be_paid(office, one.id, "javascript:alert(1)")
    assert "javascript:alert" not in browser.get(path).text
    to_be_paid(office, one.id, PAY)
    set_status(office, one.id, "PAID")
    paid = browser.get(path).text
    assert "Paid in full" in paid
    assert "pay.example" not in paid


def test_the_page_speaks_the_language_of_its_invoice(german_office: Office) -> None:
    (one,) = sent(german_office, "1", total=1234_50)
    page = german_office.browser().get(page_of(german_office, one.id), **{"Accept-Language": "en"}).text
    assert '<html lang="de"' in page
    for said in ("Rechnung", "Zu zahlen", "1.234,50", "Frage stellen", "16. April 2026", "Kosten für Februar 2026"):
        assert said in page, said


@pytest.mark.parametrize(
    ("locale", "says"),
    [
        ("en-US", "For experts: the calculation as data"),
        ("de-DE", "Für Fachleute: die Berechnung als Daten"),
        ("es-ES", "Para expertos: el cálculo como datos"),
        ("fr-FR", "Pour les spécialistes\u00a0: le calcul"),
    ],
)
def test_the_tenant_gets_how_each_charge_came_about_to_check_it(quick_office: Office, locale: str, says: str) -> None:
    quick_office.database.write(lambda tx: accounts.change_settings(tx, quick_office.caller, Wishes(locale=locale)))
    one, _ = sent(quick_office, "1", "2")
    browser, path = quick_office.browser(), page_of(quick_office, one.id)
    page = browser.get(path).text
    assert f'href="{path}/explanation"' in page
    assert says in page
    answer = browser.get(f"{path}/explanation")
    assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''{one.number}.json"
    assert answer.headers["content-type"] == "application/json"
    assert verify(answer.text).differences == ()
    assert [charge["amount"] for charge in answer.json()["charges"]] == ["45.00"]


def test_an_invoice_of_before_explanations_came_offers_none(quick_office: Office) -> None:
    (one,) = sent(quick_office, "1")
    quick_office.database.write(lambda tx: tx.run(changes(delete(invoice_explanation))))
    browser, path = quick_office.browser(), page_of(quick_office, one.id)
    assert "For experts: the calculation as data" not in browser.get(path).text
    assert browser.get(f"{path}/explanation").status_code == 404


def test_so_many_pages_are_opened_from_one_address_and_no_more(quick_office: Office) -> None:
    (one,) = sent(quick_office, "1")
    browser, path = quick_office.browser(), page_of(quick_office, one.id)
    for _ in range(LOOKS_OF_AN_ADDRESS):
        assert browser.get("/i/x").status_code == 404
    refused = browser.get(path)
    assert refused.status_code == 429
    assert "Please wait a little" in refused.text
    later(quick_office, minutes=16)


def test_so_often_an_invoice_is_put_on_paper_and_no_more(quick_office: Office) -> None:
    (one,) = sent(quick_office, "1")
    browser, path = quick_office.browser(), page_of(quick_office, one.id)
    for _ in range(PAPERS_OF_AN_INVOICE):
        assert browser.get(f"{path}/bills/7").status_code == 404
    assert browser.get(f"{path}/pdf").status_code == 429
    assert browser.get(path).status_code == 200


def test_a_name_is_text_on_the_page_and_no_markup(office: Office) -> None:
    name = "<script>alert(1)</script>"
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(name=name, phone=name)))
    (one,) = sent(office, "<b>1</b>", name='"><img src=x>')
    page = office.browser().get(page_of(office, one.id)).text
    assert "<script>alert" not in page
    assert "<b>1" not in page
    assert "<img" not in page


def test_no_draft_that_was_never_sent_has_a_link(office: Office) -> None:
    (one,) = billed(office, "1")
    page = office.browser("owner").get(f"/invoices/{one.id}").text
    assert "tenant-link" not in page
    assert "Stop the link" not in page


class _Counting:
    """A transaction that records the statements it is asked to run."""

    def __init__(self, tx: Any, asked: list[Any]) -> None:
        self._tx, self._asked = tx, asked

    def one(self, statement: Any, **values: Any) -> Any:
        self._asked.append(statement)
        return self._tx.one(statement, **values)

    def all(self, statement: Any, **values: Any) -> Any:
        self._asked.append(statement)
        return self._tx.all(statement, **values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)


def test_the_page_asks_few_things_of_the_database_however_many_units_there_are(quick_office: Office) -> None:
    few = sent(quick_office, "1", name="Elm House")[0]
    many = sent(quick_office, *(str(number) for number in range(20)), name="Oak Row")[0]
    asked: dict[str, list[Any]] = {few.id: [], many.id: []}
    for invoice_id, counted in asked.items():
        link = link_to(quick_office, invoice_id)

        def look(tx: Any, link: TenantLink = link, counted: list[Any] = counted) -> Any:
            return tenant_pages.look(_Counting(tx, counted), link)  # type: ignore[arg-type]

        quick_office.database.snapshot(look)
    assert len(asked[few.id]) == len(asked[many.id]) <= 16


def test_every_link_that_is_made_is_read_again_and_no_other_spelling_of_it() -> None:
    link = TenantLink("acct_7zzzzzzzzzzzzzzzzzzzzzzzzz", "inv_00000000000000000000000000", 65_535, date(2150, 1, 1))
    for one in (link, link._replace(generation=1, until=date(2020, 1, 1) + timedelta(days=1))):
        token = SIGNER.token(one)
        assert SIGNER.read(token) == one
        for at in range(len(token)):
            other = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
            assert SIGNER.read(other) is None
        assert SIGNER.read(token + "=") is None
        assert SIGNER.read(f" {token}") is None


def test_a_draft_that_was_sent_to_somebody_else_says_so_to_whom_it_belongs(office: Office) -> None:
    """The page also warns about custom charges for the previous tenant, if there are any."""
    (one,) = sent(office, "1")
    set_status(office, one.id, "CANCELLED")

    def move(tx: Tx) -> None:
        row = invoices.find(tx, office.account_id, one.id)
        assert row is not None
        assert row.tenant_id is not None
        hand_back(tx, office.caller, one.id)
        tenants.change(tx, office.caller, row.tenant_id, {"move_out": "2026-01-31"})
        tenants.create(tx, office.caller, row.unit_id, {"name": "Bob", "move_in": "2026-02-01"})

    office.database.write(move)
    owner = office.browser("owner")
    assert "It was previously sent to Tenant 1 and is now for Bob." in owner.get(f"/invoices/{one.id}").text
    assert "that were added by hand" not in owner.get(f"/invoices/{one.id}").text
    office.database.write(lambda tx: add_custom_charge(tx, office.caller, one.id, "A new key", 25_00))
    assert "charges that were added by hand" in owner.get(f"/invoices/{one.id}").text
    set_status(office, one.id, "SENT")
    assert "and is now for" not in owner.get(f"/invoices/{one.id}").text
