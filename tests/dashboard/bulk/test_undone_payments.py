"""A bulk change names the payments, noted by marking invoices as paid, that it undoes."""

import re
from html import unescape

import pytest

from prorata.actions.bulk import bulk
from prorata.store.bulk import bulk as stored, undone_payments
from tests.dashboard.billed import billed, set_status
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.invoices.test_invoices import choose

_LISTED = re.compile(r'<li><div class="grow"><p>(.*?)</p>.*?>([\w-]+)</a></p></div><span class="figure">(.*?)</span>')


def undone_on(browser: Browser, change: str) -> list[tuple[str, ...]]:
    """Return the undone payments on a bulk change's page: tenant, invoice and amount."""
    page = unescape(browser.get(change).text)
    return _LISTED.findall(page.partition('id="undone"')[2].partition("</section>")[0])


@pytest.mark.parametrize("verb", ["reopen", "cancel"])
def test_payments_noted_by_marking_are_named_before_and_listed_after(office: Office, verb: str) -> None:
    rows = billed(office, "1", "2", "3")
    paid = sorted(rows[:2], key=lambda row: row.number)
    browser = office.browser("owner")
    asked = choose(browser, "/invoices/chosen", verb=verb, chosen=[rows[2].id]).text
    assert "noted by marking" not in asked, "none was"
    set_status(office, rows[2].id, "SENT")
    set_status(office, paid[0].id, "PAID")
    asked = choose(browser, "/invoices/chosen", verb=verb, chosen=[row.id for row in rows]).text
    assert "1 payment of $30.00, noted by marking the invoice as paid, is undone." in asked
    seen = re.findall(r'name="seen" value="(\w+)"', asked)[0]
    set_status(office, paid[1].id, "PAID")
    again = choose(browser, "/invoices/changes", verb=verb, chosen=[row.id for row in rows], seen=seen)
    assert again.status_code == 409, "another payment would be undone than was named"
    assert "2 payments totaling $60.00, noted by marking invoices as paid, are undone." in again.text
    change = choose(browser, "/invoices/changes", verb=verb, chosen=[row.id for row in rows]).headers["location"]
    assert sorted(undone_on(browser, change)) == [(row.tenant_name, row.number, "$30.00") for row in paid]
    assert f'href="/invoices/{paid[0].id}/payments/new"' in browser.get(change).text
    assert "/payments/new" not in office.browser("viewer").get(change).text
    for row in paid:  # later changes are no part of this one
        set_status(office, row.id, "SENT" if verb == "cancel" else "PAID")
    assert len(undone_on(browser, change)) == 2
    browser.post(f"{change}/undo", {})
    assert not undone_on(browser, change), "they are noted again"


def test_a_change_of_one_invoice_lists_its_payment_too(quick_office: Office) -> None:
    one, _ = billed(quick_office, "1", "2")
    set_status(quick_office, one.id, "PAID")
    browser = quick_office.browser("owner")
    change = choose(browser, "/invoices/changes", verb="reopen", chosen=[one.id]).headers["location"]
    assert undone_on(browser, change) == [(one.tenant_name, one.number, "$45.00")]
    paid = choose(browser, "/invoices/changes", verb="mark paid", chosen=[one.id]).headers["location"]
    assert not undone_on(browser, paid)


def test_of_many_undone_payments_the_first_are_listed_and_the_others_counted(quick_office: Office) -> None:
    rows = billed(quick_office, "1", "2", "3")
    for row in rows:
        set_status(quick_office, row.id, "PAID")
    begun = quick_office.database.write(
        lambda tx: bulk.begin(tx, quick_office.caller, "reopen", [row.id for row in rows])
    )
    change = quick_office.database.read(lambda tx: stored.find(tx, quick_office.account_id, begun.id))
    assert change is not None
    found = quick_office.database.read(lambda tx: undone_payments.undone(tx, change, change.id, limit=2))
    assert (len(found.first), found.further) == (2, 1)
