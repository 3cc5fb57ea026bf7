"""Tests of entering several bills, one after another, by hand or from files."""

from prorata.actions.intake import documents
from prorata.store.database.engine import Tx
from tests.dashboard.bills.test_bills import FILLED, NEW, lived_in
from tests.dashboard.conftest import Browser, Office

ANOTHER = FILLED | {"another": "true"}


def unreadable(office: Office, *names: str) -> list[str]:
    """Add files that were brought in this order and could not be read."""

    def keep(tx: Tx) -> list[str]:
        ids = [documents.take(tx, office.caller, name, name.encode(), "upload").row.id for name in names]
        for one in ids:
            documents.note_unreadable(tx, office.account_id, one, "It can’t be read.")
        return ids

    return office.database.write(keep)


def after(browser: Browser, at: str, **form: str) -> str:
    """Return the page that is shown after a bill was added."""
    answer = browser.post(at, ANOTHER | form)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_after_a_bill_another_can_be_entered_at_once(quick_office: Office) -> None:
    its, browser = lived_in(quick_office), quick_office.browser("owner")
    at = NEW.format(its.id)
    assert "Add it and enter another" in browser.get(at).text
    assert after(browser, at, propertyId=its.id) == at
    assert "The bill was added." in browser.get(at).text


def test_a_form_opened_from_a_month_is_for_this_month_and_so_is_the_next_one(quick_office: Office) -> None:
    its, browser = lived_in(quick_office), quick_office.browser("owner")
    at = NEW.format(its.id)
    form = browser.get(f"{at}?month=2026-02").text
    assert '<option value="2026-02" selected>' in form
    assert 'name="month" value="2026-02"' in form
    assert 'name="month"' not in browser.get(at).text
    of_february = {"propertyId": its.id, "month": "2026-02"}
    assert after(browser, at, **of_february, billingMonth="2026-02") == f"{at}?month=2026-02"
    later = of_february | {"billingMonth": "2026-03", "billDate": "2026-03-09"}
    assert after(browser, at, **later) == f"{at}?month=2026-02"
    wrong = browser.post(at, ANOTHER | of_february | {"totalAmountDue": "much"})
    assert (wrong.status_code, 'name="month" value="2026-02"' in wrong.text) == (400, True)


def test_after_a_file_the_next_waiting_one_is_opened_and_after_the_last_an_empty_form(quick_office: Office) -> None:
    its, browser = lived_in(quick_office), quick_office.browser("owner")
    first, second, third = unreadable(quick_office, "1.pdf", "2.pdf", "3.pdf")
    shown = browser.get(f"/inbox/{second}?property={its.id}").text
    assert "Tenants see this name. You can add what the bill is for" in shown
    assert 'value="true">Add it and enter another' in shown
    for document, day, then in (
        (second, "2026-03-02", f"/inbox/{first}"),
        (first, "2026-03-03", f"/inbox/{third}"),
        (third, "2026-03-04", NEW.format(its.id)),
    ):
        assert after(browser, f"/inbox/{document}", propertyId=its.id, billDate=day) == then


def test_the_form_says_what_tenants_see_and_what_they_do_not(quick_office: Office) -> None:
    its = lived_in(quick_office)
    form = quick_office.browser("owner").get(NEW.format(its.id)).text
    assert "Tenants see this name. You can add what the bill is for: “City Power, common areas”." in form
    assert "Only people in your account see them, not tenants." in form
