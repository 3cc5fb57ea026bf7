"""Invoices with a total below zero, and their refunds."""

import re

import pytest

from prorata.actions.accounts import accounts
from tests.dashboard.billed import billed, listed, set_status
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.delivery.test_tenant_statements import bill_march
from tests.dashboard.payments.test_payments import record


@pytest.mark.parametrize("carries", [True, False])
def test_a_credit_below_zero_is_paid_back_by_a_refund_of_its_whole_amount(quick_office: Office, carries: bool) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("manager")
    quick_office.database.write(
        lambda tx: accounts.change_settings(tx, quick_office.caller, accounts.Wishes(carry_credits=carries))
    )
    browser.post(f"/invoices/{one.id}/charges", {"description": "Damages", "amount": "-150.00"})
    to = f"/invoices/{one.id}/payments/new?kind=REFUND"
    assert to not in browser.get(f"/invoices/{one.id}").text, "a draft owes nothing yet"
    assert 'value="60.00"' not in browser.get(to).text
    set_status(quick_office, one.id, "SENT")
    page = browser.get(f"/invoices/{one.id}").text
    assert to in page
    assert ("choose “Record a refund”" in page) is not carries
    too_much = record(browser, one.id, "70.00", kind="REFUND")
    assert too_much.status_code == 400
    assert "refund more than $60.00 on this invoice" in too_much.text
    asked = browser.get(to).text
    assert 'value="60.00"' in asked
    assert "At most $60.00." in asked
    record(browser, one.id, "20.00", kind="REFUND")
    asked = browser.get(to).text
    assert 'value="40.00"' in asked
    assert "has been received" not in asked
    record(browser, one.id, "40.00", kind="REFUND")
    assert to not in browser.get(f"/invoices/{one.id}").text, "it was paid back"
    assert listed(quick_office)[0].paid_amount == -60_00
    assert figures(browser, one.id) == ["$20.00", "$40.00", "$60.00", "$0.00"]


def test_a_credit_that_was_carried_is_not_proposed_again(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser, to = quick_office.browser("manager"), f"/invoices/{one.id}/payments/new?kind=REFUND"
    browser.post(f"/invoices/{one.id}/charges", {"description": "Damages", "amount": "-150.00"})
    set_status(quick_office, one.id, "SENT")
    (march,) = bill_march(quick_office, one)
    set_status(quick_office, march.id, "SENT")
    assert "Record a refund" not in browser.get(f"/invoices/{one.id}").text
    assert 'value="60.00"' not in browser.get(to).text
    assert figures(browser, one.id) == ["$60.00", "$60.00", "$0.00"]
    set_status(quick_office, march.id, "DRAFT")
    assert figures(browser, one.id) == ["$60.00", "-$60.00", "$0.00", "$60.00"]
    assert to in browser.get(f"/invoices/{one.id}").text
    assert 'value="60.00"' in browser.get(to).text


def test_a_credit_that_is_marked_as_paid_is_called_a_refund(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("manager")
    quick_office.database.write(
        lambda tx: accounts.change_settings(tx, quick_office.caller, accounts.Wishes(carry_credits=False))
    )
    browser.post(f"/invoices/{one.id}/charges", {"description": "Damages", "amount": "-150.00"})
    set_status(quick_office, one.id, "SENT")
    browser.post(f"/invoices/{one.id}/do/paid", {})
    page = browser.get(f"/invoices/{one.id}").text
    assert '<span class="strong">Refund</span>' in page
    assert "Record a refund" not in page
    assert figures(browser, one.id) == ["$60.00", "$60.00", "$0.00"]


def figures(browser: Browser, invoice_id: str) -> list[str]:
    """The figures of the payments on an invoice's page, with their sum and balance."""
    panel = browser.get(f"/invoices/{invoice_id}").text.partition('aria-labelledby="payments"')[2]
    return re.findall(r'class="figure">([^<]*)<', panel.partition("</section>")[0])
