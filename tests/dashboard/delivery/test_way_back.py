"""For a limited time, the payment provider's link leads the tenant back to the invoice.

It leads nobody else there.
"""

import re
from datetime import timedelta

import pytest

from prorata.actions.invoices import tenant_links
from prorata.actions.online_payments import payment_links, providers as payment_providers
from prorata.actions.payments import provider_events
from prorata.domain.invoices.tenant_links import PATH
from prorata.domain.online_payments.payment_links import SANDBOX, UNDER_WAY
from tests.dashboard.billed import set_status
from tests.dashboard.conftest import Office, build_office
from tests.dashboard.tenants import later, sent
from tests.worker.trade import paid

NOTHING = "There is nothing here"


@pytest.fixture
def online(migrated_sqlite_url):
    """An office that uses the sandbox payment provider."""
    built = build_office(migrated_sqlite_url, PRORATA_PAYMENTS="sandbox")
    with built.live():
        built.database.write(lambda tx: payment_providers.use_sandbox(tx, built.caller, is_on=True))
        yield built


def link_of(office: Office, invoice_id: str) -> str:
    """The id of an invoice's payment link, created as the worker does."""
    later(office, seconds=1)
    step = office.database.write(lambda tx: payment_links.next_step(tx, office.account_id, invoice_id))
    assert step is not None
    url = "https://pay.example/1"
    office.database.write(lambda tx: payment_links.note_made(tx, step.link, step.link.id, url))
    return step.link.id


def hear(office: Office, link_id: str, happening: str = "paid", event: str = "evt_1") -> None:
    told = paid(link_id, 90_00, event=event)._replace(happening=happening)
    office.database.write(lambda tx: provider_events.take(tx, office.account_id, SANDBOX, told))


def back(office: Office, link_id: str) -> str:
    """The page that a tenant sees after following the link back from the provider."""
    tenant = office.browser()
    answer = tenant.get(f"/paid/{office.account_id}/{link_id}")
    if answer.status_code == 303:
        assert answer.headers["Location"].startswith(PATH)
        answer = tenant.get(answer.headers["Location"])
    return answer.text


def test_one_is_led_back_to_the_invoice_which_says_how_the_payment_stands(online):
    (one,) = sent(online, "1")
    link_id = link_of(online, one.id)
    assert "This page shows your payment as soon as it is confirmed." in back(online, link_id)
    hear(online, link_id, UNDER_WAY)
    shown = back(online, link_id)
    assert "Your payment is on its way." in shown
    assert "Pay $90.00 online" not in shown, "nobody pays twice"
    hear(online, link_id, event="evt_2")
    shown = back(online, link_id)
    assert "Harbor Rentals has received your payment." in shown
    top, _, statement = shown.partition('id="statement"')
    assert re.findall(r'href="([^"]+/receipts/[^"]+)"', top) == re.findall(r'href="([^"]+/receipts/[^"]+)"', statement)
    assert "/receipts/" in top
    assert "Your payment is on its way." not in shown


def test_after_a_payment_that_failed_the_page_says_so_and_has_the_next_link(online):
    (one,) = sent(online, "1")
    link_id = link_of(online, one.id)
    hear(online, link_id, "failed")
    link_of(online, one.id)
    shown = back(online, link_id)
    assert "A payment of this invoice has failed: no money was taken." in shown
    assert "Pay $90.00 online" in shown
    assert "Thank you" not in shown


def test_a_played_payment_leads_back_too(online):
    (one,) = sent(online, "1")
    path = f"/sandbox/pay/{online.account_id}/{link_of(online, one.id)}"
    tenant = online.browser()
    token = tenant.get(path).text.split('name="form_token" value="')[1].split('"')[0]
    answer = tenant.post(path, {"happening": "paid"}, token=token)
    assert answer.headers["Location"] == path.replace("/sandbox/pay/", "/paid/")


def test_the_way_back_ends_a_week_after_the_link_was_used_up(online):
    (one,) = sent(online, "1")
    link_id = link_of(online, one.id)
    later(online, days=30)
    assert NOTHING not in back(online, link_id), "as long as it can be paid"
    hear(online, link_id)
    later(online, days=6)
    assert NOTHING not in back(online, link_id)
    later(online, days=2)
    assert NOTHING in back(online, link_id)


def test_what_it_leads_to_is_no_lasting_key(online):
    (one,) = sent(online, "1")
    tenant = online.browser()
    page = tenant.get(f"/paid/{online.account_id}/{link_of(online, one.id)}").headers["Location"]
    assert "This address works until" in tenant.get(page).text
    online.clock.moment += timedelta(days=8)
    assert tenant.get(page).status_code == 410


@pytest.mark.parametrize("stop", [tenant_links.stop, tenant_links.renew])
def test_a_page_that_was_stopped_or_has_another_link_is_not_led_to(online, stop):
    (one,) = sent(online, "1")
    link_id = link_of(online, one.id)
    later(online, seconds=1)
    online.database.write(lambda tx: stop(tx, online.caller, one.id))
    assert NOTHING in back(online, link_id)


def test_an_invoice_that_was_taken_back_is_not_led_to(online):
    (one,) = sent(online, "1")
    link_id = link_of(online, one.id)
    set_status(online, one.id, "DRAFT")
    assert NOTHING in back(online, link_id)


@pytest.mark.parametrize("path", ["/paid/acct_1/plink_1", "/paid/x/y", "/paid/acct_01kb1n3x6ve2hrrk0p1w4bqv2f/%00"])
def test_an_address_of_nobody_leads_nowhere(online, path):
    answer = online.browser().get(path)
    assert (answer.status_code, NOTHING in answer.text) == (404, True)


def test_another_account_is_not_led_to_it(online):
    (one,) = sent(online, "1")
    link_id = link_of(online, one.id)
    assert online.browser().get(f"/paid/{online.stranger_id}/{link_id}").status_code == 404
