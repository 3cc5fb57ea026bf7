"""Receipts of the payments in a tenant's statement."""

import re

from prorata.actions.payments import payments
from tests.dashboard.billed import set_status
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.delivery.test_tenant_statements import bill_march, pay
from tests.dashboard.tenants import page_of, sent
from tests.pdf_pages import pdf_text


def receipts_on(browser: Browser, path: str) -> list[str]:
    statement = browser.get(path).text.partition('id="statement"')[2]
    return re.findall(r'href="([^"]+/receipts?(?:/[^"]+)?)"', statement)


def test_each_payment_of_the_tenant_has_its_receipt(office: Office) -> None:
    one, other = sent(office, "1", "2")
    (march, _) = bill_march(office, one)
    set_status(office, march.id, "SENT")
    paid, noted, neighbours = pay(office, one.id, 20_00), march.id, pay(office, other.id, 11_07)
    set_status(office, march.id, "PAID")
    browser, path = office.browser(), page_of(office, march.id)
    first, second = receipts_on(browser, path)
    assert {first, second} == {f"{path}/receipts/{one.id}/{paid}", f"{path}/receipts/{noted}/noted"}
    receipt = browser.get(f"{path}/receipts/{one.id}/{paid}")
    assert receipt.headers["content-type"] == "application/pdf"
    text = pdf_text(receipt.content)
    assert one.number in text
    assert "$20.00" in text
    assert march.number in pdf_text(browser.get(f"{path}/receipts/{noted}/noted").content)
    for wrong in (f"{other.id}/{neighbours}", f"{one.id}/{neighbours}", f"{one.id}/noted", f"{one.id}/"):
        assert browser.get(f"{path}/receipts/{wrong}").status_code == 404, wrong


def test_what_was_reversed_or_waits_on_a_draft_has_none(office: Office) -> None:
    (one,) = sent(office, "1")
    path, browser = page_of(office, one.id), office.browser()
    paid = pay(office, one.id, 20_00)
    assert receipts_on(browser, path) == [f"{path}/receipts/{one.id}/{paid}"]
    set_status(office, one.id, "DRAFT")
    assert receipts_on(browser, path) == []
    assert browser.get(f"{path}/receipts/{one.id}/{paid}").status_code == 404
    set_status(office, one.id, "SENT")
    office.database.write(lambda tx: payments.take_back(tx, office.caller, one.id, paid))
    assert receipts_on(browser, path) == []
    assert browser.get(f"{path}/receipts/{one.id}/{paid}").status_code == 404


def test_the_landlord_finds_them_in_the_statement_too(quick_office: Office) -> None:
    (one,) = sent(quick_office, "1")
    paid = pay(quick_office, one.id, 20_00)
    browser = quick_office.browser("viewer")
    (receipt,) = receipts_on(browser, f"/tenants/{one.tenant_id}")
    assert receipt == f"/invoices/{one.id}/payments/{paid}/receipt"
    assert "$20.00" in pdf_text(browser.get(receipt).content)
