"""The tenant's page of an invoice that is a draft again or cancelled."""

import re

import pytest

from tests.dashboard.billed import set_status
from tests.dashboard.conftest import Office
from tests.dashboard.delivery.test_tenant_pages import PAY
from tests.dashboard.delivery.test_tenant_statements import bill_march, pay
from tests.dashboard.tenants import page_of, sent, to_be_paid


@pytest.mark.parametrize(("status", "says"), [("DRAFT", "This invoice is being changed"), ("CANCELLED", "Cancelled")])
def test_it_shows_no_amount(office: Office, status: str, says: str) -> None:
    (one,) = sent(office, "1")
    to_be_paid(office, one.id, PAY)
    path, browser = page_of(office, one.id), office.browser()
    set_status(office, one.id, status)
    answer = browser.get(path)
    assert answer.status_code == 200
    assert says in answer.text
    assert one.number in answer.text
    assert "$" not in answer.text
    assert "pay.example" not in answer.text
    assert browser.get(f"{path}/pdf").status_code == 404
    assert "/i/" not in office.browser("owner").get(f"/invoices/{one.id}").text
    set_status(office, one.id, "SENT")
    assert "$90.00" in browser.get(path).text


@pytest.mark.parametrize("status", ["DRAFT", "CANCELLED"])
def test_it_shows_what_was_paid_for_the_invoice_and_nothing_of_others(quick_office: Office, status: str) -> None:
    (one,) = sent(quick_office, "1")
    path, browser = page_of(quick_office, one.id), quick_office.browser()
    set_status(quick_office, one.id, status)
    own = pay(quick_office, one.id, 20_00)
    (march,) = bill_march(quick_office, one)
    set_status(quick_office, march.id, "SENT")
    others = pay(quick_office, march.id, 30_00)
    page = browser.get(path).text
    assert re.findall(r"[^<>]*\$[^<>]*", page) == ["The $20.00 that you have paid for it still counts."]
    assert "Your statement" not in page
    assert march.number not in page
    for at in ("statement", f"receipts/{one.id}/{own}", f"receipts/{march.id}/{others}"):
        assert browser.get(f"{path}/{at}").status_code == 404, at


@pytest.mark.parametrize("status", ["DRAFT", "CANCELLED"])
def test_its_link_can_be_stopped(quick_office: Office, status: str) -> None:
    (one,) = sent(quick_office, "1")
    path, guest, manager = page_of(quick_office, one.id), quick_office.browser(), quick_office.browser("manager")
    set_status(quick_office, one.id, status)
    at, stop = f"/invoices/{one.id}", f"/invoices/{one.id}/link/stop"
    page = manager.get(at).text
    assert "Whoever has its link now sees neither charges nor a statement" in page
    assert "Create a new link" in page
    assert stop in page
    assert stop not in quick_office.browser("viewer").get(at).text
    assert manager.post(stop, {}).status_code == 303
    assert guest.get(path).status_code == 410
    assert "Its link has been stopped" in manager.get(at).text
