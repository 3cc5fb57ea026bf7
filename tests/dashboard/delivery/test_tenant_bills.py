"""Tests of the bills that tenants can download.

A charge leads to its bill if the bill arrived as a PDF of its own and the account lets tenants see bills.
"""

from datetime import date
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills
from prorata.actions.intake import documents
from prorata.domain.bills.bills import NewBill
from prorata.domain.intake.bill_reading.draft import UNREAD, Draft, asked, found
from prorata.store.database.engine import Tx
from prorata.store.intake import documents as stored
from tests.dashboard.billed import listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.tenants import page_of, sent

PDF = b"%PDF-1.7\n1 0 obj"
SEE = "See this bill"
ASK = "You can ask for a copy of this bill below."
READ_PLAINLY = UNREAD._replace(
    account_number=found("4471-20"), bill_date=found(date(2026, 2, 20)), total=found(90_00), bill_number=found("B-1")
)


def bill_of(office: Office, invoice_id: str) -> str:
    page = office.browser("owner").get(f"/invoices/{invoice_id}").text
    return "bill_" + page.split('href="/bills/bill_')[1].split('"')[0]


def came_in(office: Office, name: str, content: bytes, *bill_ids: str, draft: Draft | None = READ_PLAINLY) -> None:
    """Link bills to the document they came from, and let the account's tenants see bills."""

    def take(tx: Tx) -> None:
        accounts.change_settings(tx, office.caller, Wishes(shows_bills=True))
        row = documents.take(tx, office.caller, name, content, "upload").row
        if draft is not None:
            documents.note_draft(tx, office.account_id, row.id, draft)
        stored.link_many(tx, office.account_id, bill_ids, row.id)

    office.database.write(take)


def test_the_tenant_gets_the_bill_to_keep_and_not_to_be_opened_here(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, path = office.browser(), page_of(office, one.id)
    assert SEE not in browser.get(path).text
    assert browser.get(f"{path}/bills/1").status_code == 404
    came_in(office, "March from Aqua.PDF", PDF, bill_of(office, one.id))
    assert f'href="{path}/bills/1"' in browser.get(path).text
    answer = browser.get(f"{path}/bills/1")
    assert (answer.status_code, answer.content) == (200, PDF)
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''{one.number}-1.pdf"
    for number in ("0", "2", "01x", "-1", "٣", "9" * 30):
        assert browser.get(f"{path}/bills/{number}").status_code == 404, number


def test_a_charge_whose_bill_can_not_be_seen_says_that_one_may_ask_for_a_copy(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, path = office.browser(), page_of(office, one.id)
    assert ASK in browser.get(path).text, "tenants don't see bills"
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(shows_bills=True)))
    assert ASK in browser.get(path).text
    came_in(office, "march.pdf", PDF, bill_of(office, one.id))
    assert ASK not in browser.get(path).text


def test_an_account_that_shows_no_bills_shows_none(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, path = office.browser(), page_of(office, one.id)
    came_in(office, "march.pdf", PDF, bill_of(office, one.id))
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(shows_bills=False)))
    assert SEE not in browser.get(path).text
    assert browser.get(f"{path}/bills/1").status_code == 404
    assert "Tenants may see the bills" in office.browser("owner").get("/settings").text


def test_an_account_shows_no_bills_before_it_says_so(office: Office) -> None:
    assert not office.database.read(lambda tx: accounts.the_account(tx, office.caller)).shows_bills


@pytest.mark.parametrize(
    "draft",
    [
        None,
        UNREAD,
        READ_PLAINLY._replace(account_number=asked("There are two.", "4471-20", "4471-21")),
        READ_PLAINLY._replace(bill_date=asked("There are two.")),
        READ_PLAINLY._replace(total=asked("There are two.", 90_00, 31_00)),
        READ_PLAINLY._replace(bill_number=asked("There are two.", "B-1", "B-2")),
    ],
)
def test_a_pdf_that_may_hold_another_bill_is_shown_only_once_a_person_has_said_so(
    quick_office: Office, draft: Draft | None
) -> None:
    office = quick_office
    (one,) = sent(office, "1")
    browser, path, bill_id = office.browser(), page_of(office, one.id), bill_of(office, one.id)
    came_in(office, "march.pdf", PDF, bill_id, draft=draft)
    assert SEE not in browser.get(path).text
    assert browser.get(f"{path}/bills/1").status_code == 404
    manager, here = office.browser("manager"), f"/bills/{bill_id}"
    assert "It contains only this bill: show it to tenants" in manager.get(here).text
    assert office.browser("viewer").post(f"{here}/tenants", {"is_shown": "true"}).status_code == 403
    assert manager.post(f"{here}/tenants", {"is_shown": "true"}).status_code == 303
    assert browser.get(f"{path}/bills/1").content == PDF
    assert manager.post(f"{here}/tenants", {}).status_code == 303
    assert browser.get(f"{path}/bills/1").status_code == 404


def test_what_was_read_plainly_can_be_taken_away_and_what_has_no_pdf_of_its_own_is_not_shown(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, path, bill_id = office.browser(), page_of(office, one.id), bill_of(office, one.id)
    manager = office.browser("manager")
    assert manager.post(f"/bills/{bill_id}/tenants", {"is_shown": "true"}).status_code == 409
    came_in(office, "march.pdf", PDF, bill_id)
    assert browser.get(f"{path}/bills/1").status_code == 200
    assert manager.post(f"/bills/{bill_id}/tenants", {}).status_code == 303
    assert SEE not in browser.get(path).text


def test_a_document_of_several_bills_and_a_table_are_shown_to_no_tenant(office: Office) -> None:
    (one,) = sent(office, "1")
    other = sent(office, "1", name="Elm House")[0]
    browser, path, bill_id = office.browser(), page_of(office, one.id), bill_of(office, one.id)
    came_in(office, "both.pdf", PDF + b"2", bill_id, bill_of(office, other.id))
    came_in(office, "all.csv", b"property,total\nMaple Court,1\n", bill_id)
    came_in(office, "renamed.pdf", b"a text that is no PDF", bill_id)
    assert browser.get(f"{path}/bills/1").status_code == 404
    other_path = page_of(office, other.id)
    assert SEE not in browser.get(other_path).text
    assert browser.get(f"{other_path}/bills/1").status_code == 404


def test_bills_are_numbered_as_the_page_names_them(office: Office) -> None:
    (one,) = sent(office, "1")
    set_status(office, one.id, "DRAFT")
    gas = NewBill(
        one.property_id, "Gas & Co.", ("GAS",), 31_00, date(2026, 2, 24),
        service_start=date(2026, 1, 27), service_end=date(2026, 2, 26),
    )  # fmt: skip

    def add(tx: Any) -> str:
        return bills.add(tx, office.caller, [gas]).bills[0].id

    gas_id = office.database.write(add)
    set_status(office, one.id, "SENT")
    came_in(office, "gas.pdf", PDF, gas_id)
    path, browser = page_of(office, listed(office)[0].id), office.browser()
    page = browser.get(path).text
    assert page.count(SEE) == 1
    assert "<p>Jan 27 – Feb 26, 2026</p>" in page
    assert "<p>February 2026</p>" in page, "that of the bill that names no days"
    number = page.split(f'href="{path}/bills/')[1][0]
    assert browser.get(f"{path}/bills/{number}").content == PDF
    assert browser.get(f"{path}/bills/{3 - int(number)}").status_code == 404
