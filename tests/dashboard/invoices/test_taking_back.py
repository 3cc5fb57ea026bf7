"""The question before an invoice is set back to draft or cancelled."""

import re

import pytest

from tests.dashboard.billed import billed, listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.delivery.test_tenant_statements import bill_march, pay
from tests.dashboard.payments.test_payments import record
from tests.dashboard.tenants import sent


def facts(page: str) -> list[tuple[str, str]]:
    return re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", page)


@pytest.mark.parametrize(
    ("step", "title", "says"),
    [
        (
            "reopen", "Set MAPLECOURT-1-2026-02 back to draft?",
            "The $20.00 received for it stays, and counts once it is sent again.",
        ),
        (
            "cancel", "Cancel MAPLECOURT-1-2026-02?",
            "$20.00 was received for it, which is then yours to refund.",
        ),
    ],
)  # fmt: skip
def test_it_names_the_tenant_the_total_and_the_money(quick_office: Office, step: str, title: str, says: str) -> None:
    (one,) = sent(quick_office, "1")
    browser = quick_office.browser("manager")
    assert "$20.00" not in browser.get(f"/invoices/{one.id}/do/{step}").text
    pay(quick_office, one.id, 20_00)
    asked = browser.get(f"/invoices/{one.id}/do/{step}").text
    assert facts(asked) == [("Tenant", "Tenant 1"), ("Total", "$90.00")]
    dialog = browser.get(f"/invoices/{one.id}").text.partition(f'id="ask-{step}"')[2].partition("</dialog>")[0]
    assert facts(dialog) == facts(asked)
    for said in (title, says):
        assert said in asked
        assert said in dialog


@pytest.mark.parametrize(("step", "status"), [("reopen", "DRAFT"), ("cancel", "CANCELLED")])
def test_a_refunded_credit_stays_recorded(quick_office: Office, step: str, status: str) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("manager")
    browser.post(f"/invoices/{one.id}/charges", {"description": "Damages", "amount": "-150.00"})
    set_status(quick_office, one.id, "SENT")
    said = "$60.00 was refunded for it; this refund stays recorded."
    assert said not in browser.get(f"/invoices/{one.id}/do/{step}").text
    record(browser, one.id, "60.00", kind="REFUND")
    asked = browser.get(f"/invoices/{one.id}/do/{step}").text
    assert said in asked
    assert "received for it" not in asked
    set_status(quick_office, one.id, status)
    assert listed(quick_office)[0].paid_amount == -60_00


def test_a_carried_credit_is_no_money_received(quick_office: Office) -> None:
    (one,) = sent(quick_office, "1")
    pay(quick_office, one.id, 110_00)
    (march,) = bill_march(quick_office, one)
    set_status(quick_office, march.id, "SENT")
    browser = quick_office.browser("manager")
    assert "received for it" not in browser.get(f"/invoices/{march.id}/do/reopen").text
    assert "The $110.00 received for it" in browser.get(f"/invoices/{one.id}/do/reopen").text
