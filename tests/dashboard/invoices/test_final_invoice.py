"""Tests of the final invoice of a tenant who moves out.

It is shown before it is sent; if there is none, the page says why.
"""

import re
from datetime import date

import pytest

from prorata.actions.accounts import access
from prorata.actions.bills import bills
from prorata.actions.properties import tenants
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import NewBill
from prorata.domain.delivery.send_schedule import NO_SERVER
from tests.dashboard.conftest import Office, build_office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.properties.test_units import add_tenant, add_unit
from tests.dashboard.splitting.test_share_rules import add_bill


@pytest.fixture
def ann(office: Office) -> str:
    return leaving(office)


def leaving(office: Office) -> str:
    """The tenant of one of two equal units, who leaves on February 14.

    The bill for February is for $112.00.
    """
    its = office.add_property()
    one = add_unit(office, its, "1")
    row = add_tenant(office, one, "Ann")
    add_tenant(office, add_unit(office, its, "2"), "Cy")
    add_bill(office, its, 112_00)
    leaves = {"move_out": "2026-02-14", "forwarding_email": "ann@oak.example"}
    office.database.write(lambda tx: tenants.change(tx, office.caller, row.id, leaves))
    return row.id


def test_it_is_looked_at_and_sent(office: Office, ann: str) -> None:
    browser = office.browser("manager")
    page = browser.get(f"/tenants/{ann}/final-invoice").text
    for said in ("$28.00", "MAPLECOURT-1.1-2026-02", "ann@oak.example", "February 2026", "$56.00 × 14 ÷ 28"):
        assert said in page, said
    seen = re.search(r'name="seen" value="([^"]+)"', page)
    assert seen is not None

    sent = browser.post(f"/tenants/{ann}/final-invoice", {"seen": seen[1]})

    assert sent.status_code == 303
    invoice = browser.get(sent.headers["location"]).text
    assert "MAPLECOURT-1.1-2026-02, the final invoice of Ann, was marked as sent." in invoice
    again = browser.get(f"/tenants/{ann}/final-invoice").text
    assert "apart from MAPLECOURT-1.1-2026-02" in again
    assert "Send the final invoice" not in again


def test_everything_is_in_the_language_of_the_viewer(german_office: Office) -> None:
    office, ann = german_office, leaving(german_office)
    browser = office.browser("manager")
    page = browser.get(f"/tenants/{ann}/final-invoice").text
    assert "Ihre Tage: 1.–14. Feb. 2026" in page
    assert "bill of" not in page
    assert "14 of 28" not in page

    browser.post(f"/tenants/{ann}/final-invoice", {})

    again = browser.get(f"/tenants/{ann}/final-invoice").text
    assert "Februar 2026, dem Monat des letzten Tages, nichts zu berechnen, außer MAPLECOURT-1.1-2026-02." in again
    office.database.write(lambda tx: tenants.change(tx, office.caller, ann, {"move_out": None}))
    assert "Geben Sie zuerst den letzten Tag ein." in browser.get(f"/tenants/{ann}/final-invoice").text


def test_what_came_later_is_named_there_and_beside_the_balance(office: Office, ann: str) -> None:
    browser = office.browser("manager")
    browser.post(f"/tenants/{ann}/final-invoice", {})
    row = office.database.read(lambda tx: access.tenant(tx, office.caller, ann))
    house = office.database.read(lambda tx: access.property_(tx, office.caller, row.property_id))
    served = {"service_start": date(2026, 2, 1), "service_end": date(2026, 2, 28), "billing_month": Month("2026-03")}
    add_bill(office, house, -56_00, "2026-03-02", **served)

    page = browser.get(f"/tenants/{ann}/final-invoice").text

    later = re.search(r"A draft of -\$14\.00 \((MAPLECOURT-[^)]+)\) is waiting to be sent\.", page)
    assert later is not None
    way = re.search(r'href="(/invoices/inv_[^"]+)">See it', page)
    assert way is not None
    assert later[1] in browser.get(way[1]).text
    assert "household has moved out: what remains" in browser.get(f"{way[1]}/do/send").text
    assert f'href="{way[1]}">1 draft: -$14.00</a>' in browser.get(f"/tenants/{ann}").text


def test_it_names_usual_bills_that_are_missing_and_leads_to_entering_them(office: Office, ann: str) -> None:
    browser = office.browser("manager")
    row = office.database.read(lambda tx: access.tenant(tx, office.caller, ann))
    enter = f"/properties/{row.property_id}/bills/new?month=2026-"
    assert enter not in browser.get(f"/tenants/{ann}/final-invoice").text
    office.database.write(lambda tx: tenants.change(tx, office.caller, ann, {"move_out": "2026-03-14"}))
    page = browser.get(f"/tenants/{ann}/final-invoice").text
    assert "no bill for that month applies to them yet" in page
    assert f'href="{enter}03"' in page
    gas = NewBill(row.property_id, "Prairie Gas", ("GAS",), 50_00, date(2026, 3, 2))
    office.database.write(lambda tx: bills.add(tx, office.caller, [gas]))
    page = browser.get(f"/tenants/{ann}/final-invoice").text
    assert "Send the final invoice" in page
    assert "There is no bill for water yet, but February 2026 had one." in page
    assert f'href="{enter}03&amp;like=bill_' in page


def test_it_closes_no_month_and_opens_none(office: Office, ann: str) -> None:
    browser = office.browser("manager")
    its = browser.post(f"/tenants/{ann}/final-invoice", {}).headers["location"]
    assert "reopens February 2026" not in browser.get(f"{its}/do/reopen").text
    browser.post(f"{its}/do/reopen", {})
    for step in ("send", "paid"):
        question = browser.get(f"{its}/do/{step}").text
        assert "MAPLECOURT-1.1-2026-02" in question
        assert "This closes" not in question
        assert "February 2026 stays open for " in question
    asked = choose(browser, "/invoices/chosen", verb="send", chosen=[its.removeprefix("/invoices/")]).text
    assert "close no month" in asked
    assert "the month was already closed" not in asked


def test_what_changed_since_it_was_looked_at_is_looked_at_again(office: Office, ann: str) -> None:
    browser = office.browser("manager")
    seen = re.findall(r'name="seen" value="([^"]+)"', browser.get(f"/tenants/{ann}/final-invoice").text)
    changes = {"forwarding_email": "bo@oak.example"}
    office.database.write(lambda tx: tenants.change(tx, office.caller, ann, changes))
    refused = browser.post(f"/tenants/{ann}/final-invoice", {"seen": seen[0]})
    assert "final invoice have changed since you looked" in refused.text


def test_without_a_mail_server_it_says_that_nobody_gets_it(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, mail_held=NO_SERVER)
    with office.live():
        page = office.browser("manager").get(f"/tenants/{leaving(office)}/final-invoice").text
    assert "E-mail isn’t set up, so Ann won’t get it." in page
    assert "It is e-mailed" not in page
    assert "Save it to the outbox folder" in page
    assert "Send the final invoice" not in page


def test_without_a_last_day_it_says_what_to_enter(office: Office, ann: str) -> None:
    office.database.write(lambda tx: tenants.change(tx, office.caller, ann, {"move_out": None}))
    assert (
        "No last day (move-out date) has been entered"
        in office.browser("manager").get(f"/tenants/{ann}/final-invoice").text
    )
