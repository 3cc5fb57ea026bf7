"""Advances are settled once a year on one invoice, as docs/payments.md#advances describes."""

from datetime import date
from typing import Any

from prorata.actions.bills import bills
from prorata.actions.properties import tenants, units
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import NewBill
from tests.dashboard.billed import listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.payments.test_payments import record

FIRST, LAST = date(2025, 1, 1), date(2025, 12, 31)


def test_the_payments_page_says_how_advances_are_settled(quick_office: Office) -> None:
    page = quick_office.browser("manager").get("/payments").text
    assert "Do your tenants pay in advance?" in page
    assert "asks for no fixed monthly advances" in page
    assert '<a class="link" href="/invoices?status=DRAFT">See the drafts</a>' in page


def test_a_years_bills_are_billed_in_one_month_and_advances_deducted_from_its_drafts(quick_office: Office) -> None:
    house, caller = quick_office.add_property(), quick_office.caller

    def add(tx: Any) -> None:
        for label, last in (("1", None), ("2", "2025-06-30")):
            unit = units.create(tx, caller, house.id, {"label": label})
            of = {"move_in": "2020-01-01", "move_out": last} if last else {}
            tenants.create(tx, caller, unit.id, {"name": f"Tenant {label}"} | of)
        for utility, total in (("WATER", 365_00), ("GAS", 730_00)):
            bill = NewBill(house.id, "Works", (utility,), total * 2, LAST, service_start=FIRST, service_end=LAST)
            bills.add(tx, caller, [bill._replace(billing_month=Month("2025-12"))])

    quick_office.database.write(add)
    drafts = {one.tenant_name: one for one in listed(quick_office) if one.tenant_name}
    assert {(one.month, one.total) for one in drafts.values()} == {("2025-12", 1_095_00), ("2025-12", 543_00)}
    browser = quick_office.browser("manager")
    stays, left = drafts["Tenant 1"].id, drafts["Tenant 2"].id
    assert f"/invoices/{stays}/payments/new" in browser.get(f"/invoices/{stays}").text
    record(browser, stays, "1000.00", date="2025-11-03", note="Advances 2025")
    browser.post(f"/invoices/{left}/charges", {"description": "Advances 2025", "amount": "-600.00"})
    for one in (stays, left):
        set_status(quick_office, one, "SENT")
    page = browser.get(f"/invoices/{stays}").text
    assert "$1,095.00" in page
    assert "$95.00" in page, "the rest"
    assert "$57.00" in browser.get(f"/invoices/{left}").text, "the credit"
