"""The pages of a corrected invoice name the later invoice that has the correction."""

from datetime import date

import pytest

from prorata.actions.bills import bills, corrections as bill_corrections
from prorata.actions.properties import tenants
from prorata.actions.recalculation import correction_decisions
from prorata.domain.bills.bills import NewBill
from prorata.store.bills import bills as stored_bills
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceSummary
from tests.dashboard.billed import listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.tenants import leaves, page_of, sent


@pytest.fixture
def corrected(office: Office) -> tuple[InvoiceSummary, InvoiceSummary, InvoiceSummary]:
    """Two tenants' February invoices, and the first tenant's March invoice, which corrects February."""
    one, two = sent(office, "1", "2")
    march = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 60_00, date(2026, 3, 20))

    def correct(tx: Tx) -> None:
        bills.add(tx, office.caller, [march])
        known = stored_bills.all_of_property(tx, office.account_id, one.property_id)
        (water,) = [row for row in known if row.bill_date == "2026-02-20"]
        bill_corrections.correct(tx, office.caller, water.id, 80_00)
        correction_decisions.decide(tx, office.caller, one.property_id, ["2026-02"], "next")

    office.database.write(correct)
    later = [row for row in listed(office, {"month": "2026-03"}) if row.unit_label == "1"]
    return one, two, later[0]


def page(office: Office, invoice_id: str) -> str:
    return office.browser().get(page_of(office, invoice_id)).text


def in_dashboard(office: Office, invoice_id: str) -> str:
    return office.browser("owner").get(f"/invoices/{invoice_id}").text


def test_the_corrected_invoice_names_the_one_that_corrects_it_once_that_is_sent(
    office: Office, corrected: tuple[InvoiceSummary, InvoiceSummary, InvoiceSummary]
) -> None:
    one, two, later = corrected
    said = f"Corrected on invoice {later.number}: $5.00 less"
    assert said not in page(office, one.id) + in_dashboard(office, one.id)
    comes = "Will be corrected on your next invoice: $5.00 less"
    assert comes in page(office, one.id)
    draft = f"Will be corrected on invoice {later.number}, which is a draft: $5.00 less"
    assert f'href="/invoices/{later.id}">{draft}</a>' in in_dashboard(office, one.id)
    set_status(office, later.id, "SENT")
    assert draft not in in_dashboard(office, one.id)
    assert said in in_dashboard(office, one.id)
    assert comes in page(office, one.id)
    assert later.number not in page(office, one.id), "its e-mail may still be taken back"
    leaves(office, later.id)
    assert f'href="/invoices/{later.id}">{said}' in in_dashboard(office, one.id)
    assert f'">{said}</a>' in page(office, one.id)
    assert comes not in page(office, one.id)
    assert later.number not in page(office, two.id) + in_dashboard(office, two.id)
    link = page(office, one.id).split(f'">{said}')[0].rsplit('href="', 1)[1]
    assert f"Invoice {later.number}" in office.browser().get(link).text


def test_a_month_names_corrections_and_what_was_added_by_hand_if_it_has_them(
    office: Office, corrected: tuple[InvoiceSummary, InvoiceSummary, InvoiceSummary]
) -> None:
    later = corrected[2]
    browser, path = office.browser("owner"), f"/properties/{later.property_id}/months/{later.month}"
    only_corrections = "-$10.00 of it comes from elsewhere: corrections for other months</dd>"
    assert only_corrections in browser.get(path).text
    browser.post(f"/invoices/{later.id}/charges", {"description": "Garage", "amount": "25.00"})
    both = "$15.00 of it comes from elsewhere: corrections for other months, and charges you added by hand"
    assert both in browser.get(path).text


def test_a_correction_that_is_not_decided_is_not_told_to_the_tenant(
    office: Office, corrected: tuple[InvoiceSummary, InvoiceSummary, InvoiceSummary]
) -> None:
    one = corrected[0]
    office.database.write(
        lambda tx: correction_decisions.decide(tx, office.caller, one.property_id, ["2026-02"], "revoke")
    )
    assert "$5.00 less" not in page(office, one.id)


def test_it_is_no_link_if_the_later_one_went_to_another_address(
    office: Office, corrected: tuple[InvoiceSummary, InvoiceSummary, InvoiceSummary]
) -> None:
    one, _, later = corrected
    assert one.tenant_id is not None
    tenant = one.tenant_id
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant, {"email": "new@example.org"}))
    set_status(office, later.id, "SENT")
    leaves(office, later.id)
    assert f"<p>Corrected on invoice {later.number}: $5.00 less</p>" in page(office, one.id)
