"""Households of several tenants are named wherever one of them gets the invoice for all."""

from datetime import date

from prorata.actions.bills import bills
from prorata.actions.properties import tenants
from prorata.actions.recalculation import correction_decisions
from prorata.domain.bills.bills import NewBill
from prorata.store.database.engine import Tx
from tests.dashboard.billed import billed, listed, send_month, set_status
from tests.dashboard.conftest import Office


def test_who_of_a_household_gets_its_invoice_is_named_where_months_are_sent(office: Office) -> None:
    (one,) = billed(office, "1")
    browser = office.browser("manager")
    office.database.write(lambda tx: tenants.create(tx, office.caller, one.unit_id, {"name": "Bo Chen"}))
    (draft,) = listed(office)
    other = "Bo Chen" if draft.tenant_name == "Tenant 1" else "Tenant 1"
    assert f"gets it for {other}, too" in browser.get(f"/properties/{one.property_id}/months/2026-02").text
    assert f"gets it for {other}, too" in browser.get(f"/invoices/{draft.id}").text
    sends = (f"/properties/{one.property_id}/months/2026-02/send", f"/invoices/{draft.id}/do/send")
    for asked in (browser.get(to).text for to in sends):
        assert f"{draft.tenant_name} gets it for {other}, too." in asked


def test_the_household_is_named_on_a_correction_for_a_month_after_it_left(office: Office) -> None:
    (one,) = billed(office, "1")
    browser, march = office.browser("manager"), NewBill(one.property_id, "Gas", ("GAS",), 30_00, date(2026, 3, 5))
    bo = office.database.write(lambda tx: tenants.create(tx, office.caller, one.unit_id, {"name": "Bo Chen"}))
    send_month(browser, one.property_id)
    names = {bo.id: "Bo Chen", one.tenant_id: "Tenant 1"}

    def leave(tx: Tx) -> None:
        for tenant_id in (bo.id, one.tenant_id or ""):
            tenants.change(tx, office.caller, tenant_id, {"move_out": "2026-02-20"})
        bills.add(tx, office.caller, [march])
        correction_decisions.decide(tx, office.caller, one.property_id, ["2026-02"], "next")

    office.database.write(leave)
    (credit,) = [row for row in listed(office, {"month": "2026-03"}) if row.tenant_id]
    (other,) = names.keys() - {credit.tenant_id}
    for to in (f"/properties/{one.property_id}/months/2026-03", f"/invoices/{credit.id}"):
        assert f"gets it for {names[other]}, too" in browser.get(to).text
    asked = browser.get(f"/properties/{one.property_id}/months/2026-03/send").text
    assert f"{credit.tenant_name} gets it for {names[other]}, too." in asked
    set_status(office, credit.id, "SENT")
    page = browser.get(f"/tenants/{other}").text
    assert f'<a href="/invoices/{credit.id}">{credit.number}</a>' in page
    assert f"count for everyone in the household, including {names[other]}." in page
