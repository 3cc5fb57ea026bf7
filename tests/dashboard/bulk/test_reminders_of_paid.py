"""A waiting reminder of a paid invoice is not sent, and pages say so."""

from prorata.actions.delivery import deliveries
from tests.dashboard.billed import set_status
from tests.dashboard.bulk.test_resends import arrive, sent
from tests.dashboard.conftest import Browser, Office

NEVER, ENDS = "It won’t be sent: the invoice is paid.", "The waiting reminder won’t be sent."
WAITS = "A reminder of this invoice is waiting to be sent."


def reminded(office: Office) -> tuple[Browser, str]:
    """A browser, and the page of an overdue invoice whose reminder waits."""
    (one,) = sent(office, "1")
    arrive(office, one)
    office.clock.advance(days=30)
    set_status(office, one.id, "OVERDUE")
    browser, here = office.browser("manager"), f"/invoices/{one.id}"
    assert WAITS not in browser.get(f"{here}/payments/new").text
    assert browser.post(f"{here}/do/remind", {}).status_code == 303
    page = browser.get(here).text
    assert "reminder/withdraw" in page
    assert NEVER not in page
    return browser, here


def test_a_payment_says_that_the_waiting_reminder_is_not_sent_and_its_withdrawal_is_noted(office: Office) -> None:
    browser, here = reminded(office)
    form = browser.get(f"{here}/payments/new").text
    assert WAITS in form
    assert WAITS not in browser.get(f"{here}/payments/new?kind=REFUND").text
    paid = {"amount": "10", "date": office.clock.moment.date().isoformat(), "method": "CASH"}
    partly = browser.get(browser.post(f"{here}/payments", paid).headers["location"]).text
    assert ENDS not in partly
    assert "reminder/withdraw" in partly
    page = browser.get(browser.post(f"{here}/payments", paid | {"amount": "80"}).headers["location"]).text
    assert ENDS in page
    assert NEVER in page
    assert "reminder/withdraw" not in page
    invoice_id = here.rpartition("/")[2]
    made = office.database.read(lambda tx: deliveries.messages(tx, office.caller, invoice_id))
    office.database.write(lambda tx: deliveries.call_off(tx, office.account_id, made[-1].id))
    page = browser.get(here).text
    assert NEVER not in page
    assert "Prorata (sending mail)" in page
    assert "withdrew the reminder" in page


def test_marking_as_paid_says_that_the_waiting_reminder_is_not_sent(office: Office) -> None:
    browser, here = reminded(office)
    page = browser.get(browser.post(f"{here}/do/paid", {}).headers["location"]).text
    assert ENDS in page
    assert NEVER in page
