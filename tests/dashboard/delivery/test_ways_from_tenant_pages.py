"""The tenant's page links to the biller's contact details and to the payment instructions.

The link to the instructions is beside the amount.
"""

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from tests.dashboard.billed import set_status
from tests.dashboard.conftest import Office
from tests.dashboard.tenants import page_of, sent


def test_the_page_leads_to_the_biller_and_from_the_amount_to_how_to_pay(quick_office: Office) -> None:
    reached = Wishes(contact="rent@harbor.example", phone="(555) 010-0199")
    quick_office.database.write(lambda tx: accounts.change_settings(tx, quick_office.caller, reached))
    (one,) = sent(quick_office, "1")
    browser, path = quick_office.browser(), page_of(quick_office, one.id)
    page = browser.get(path).text
    assert 'href="mailto:rent@harbor.example"' in page
    assert 'href="tel:5550100199"' in page
    assert 'data-variant="primary" href="#told-1">How to pay</a>' in page
    set_status(quick_office, one.id, "PAID")
    assert "#told-1" not in browser.get(path).text
