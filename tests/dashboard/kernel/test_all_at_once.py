"""A form reports all of its problems at once, each beside its field.

As long as there is a problem, nothing is saved.
"""

import pytest

from prorata.actions.properties import units
from prorata.store.accounts import accounts
from tests.dashboard.bills.test_bills import add, home, send_all
from tests.dashboard.conftest import Office
from tests.dashboard.kernel.test_sign_in_door import assert_page
from tests.dashboard.properties.test_properties import EDITED, FILLED
from tests.dashboard.splitting.test_split_methods import HALF, own


def beside(text: str) -> set[str]:
    """The names of the fields that have an error message beside them."""
    return {part.partition('"')[0] for part in text.split('id="wrong-')[1:]}


def test_a_label_that_is_taken_and_a_number_that_is_none(office: Office) -> None:
    its, browser = office.add_property(), office.browser("owner")
    path = f"/properties/{its.id}/units/new"
    browser.post(path, {"label": "2B"})
    wrong = browser.post(path, {"label": "2b", "sqft": "much", "tenantEmail": "nobody"})
    assert_page(wrong, 400)
    assert beside(wrong.text) == {"label", "sqft", "tenantEmail"}
    assert 'value="much"' in wrong.text
    assert len(office.database.read(lambda tx: units.all_of(tx, office.caller, its.id))) == 1


def test_what_is_wrong_with_the_rest_is_not_guessed_from_what_could_not_be_read(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    browser.post("/split-methods", HALF)
    wrong = browser.post("/split-methods", HALF | {"bedrooms": "some"})
    assert beside(wrong.text) == {"name", "bedrooms"}
    wrong = browser.post("/split-methods", HALF | {"equal": "half"})
    assert beside(wrong.text) == {"equal"}
    assert "these add up to" not in wrong.text
    assert own(quick_office)


def test_settings_with_a_number_that_must_be_there_and_a_text_that_can_not_be(office: Office) -> None:
    browser = office.browser("owner")
    fields = {"name": "New name", "timezone": "UTC", "locale": "en-US", "currency": "USD", "payment_terms": "soon",
              "reminders_after": "often", "send_at": "noon", "mail_hold": "x"}  # fmt: skip
    wrong = browser.post("/settings", fields)
    assert_page(wrong, 400)
    assert beside(wrong.text) == {"payment_terms", "reminders_after", "send_at", "mail_hold"}
    account = office.database.read(lambda tx: accounts.find(tx, office.account_id))
    assert account is not None
    assert account.name != "New name"


def test_settings_without_a_name_say_what_else_is_wrong(quick_office: Office) -> None:
    fields = {"name": " ", "timezone": "UTC", "locale": "en-US", "currency": "USD", "payment_terms": "-5",
              "reminders_before": "3, x, 400"}  # fmt: skip
    wrong = quick_office.browser("owner").post("/settings", fields)
    assert beside(wrong.text) == {"name", "payment_terms", "reminders_before"}


def test_an_empty_property_says_that_its_state_is_missing_too_where_there_are_states(quick_office: Office) -> None:
    browser, empty = quick_office.browser("owner"), {"name", "streetNumber", "street", "city", "zip"}
    assert beside(browser.post("/properties/new", {"country": "US"}).text) == {*empty, "state"}
    assert beside(browser.post("/properties/new", {"country": "DE"}).text) == empty
    assert beside(browser.post("/properties/new", {}).text) == {*empty, "country"}


def test_an_account_with_everything_wrong_at_once(open_office: Office) -> None:
    fields = {"name": "", "account_name": "B" * 300, "email": "not an email", "password": "password1",
              "timezone": "UTC", "locale": "en-US", "currency": "USD"}  # fmt: skip
    wrong = open_office.browser().post("/sign-up", fields)
    assert_page(wrong, 400)
    assert beside(wrong.text) == {"name", "account_name", "email", "password"}


def test_a_day_that_is_none_and_a_name_that_is_missing(quick_office: Office) -> None:
    wrong = quick_office.browser("owner").post(
        "/settings/keys", {"name": "", "permission": "READ", "expires": "31 March"}
    )
    assert beside(wrong.text) == {"name", "expires"}


def test_a_viewer_who_sends_a_form_with_mistakes_is_told_that_they_may_not(quick_office: Office) -> None:
    its = quick_office.add_property()
    assert quick_office.browser("viewer").post(f"/properties/{its.id}/units/new", {"sqft": "x"}).status_code == 403


# --- a bill that has charged a closed month --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"totalAmountDue": "500.00"}, {"totalAmountDue"}),
        ({"issuerName": "Another Co.", "totalAmountDue": "500.00"}, {"issuerName", "totalAmountDue"}),
        ({"hasWater": "", "hasGas": "true"}, {"lines"}),
        ({"billingMonth": "2026-01"}, {"billingMonth"}),
    ],
)
def test_what_a_closed_bill_can_not_be_changed_in_is_said_beside_it(
    quick_office: Office, changes: dict[str, str], fields: set[str]
) -> None:
    bill, browser = add(quick_office, home(quick_office)), quick_office.browser("owner")
    send_all(quick_office)
    typed = {"propertyId": bill.property_id, "issuerName": bill.issuer_name, "totalAmountDue": "90.01",
             "billDate": bill.bill_date, "paymentStatus": "UNPAID", "hasWater": "true"}  # fmt: skip
    wrong = browser.post(f"/bills/{bill.id}/edit", typed | changes)
    assert_page(wrong, 409)
    assert beside(wrong.text) == fields
    assert "where invoices have been sent" in wrong.text


# --- in the words of whoever fills it in -----------------------------------------------------------------------------


def test_what_to_write_is_said_and_not_what_a_text_must_be(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    wrong = browser.post("/properties/new", FILLED | {"zip": "1" * 21, "name": "x" * 256, "country": "XX"})
    assert "Enter 1 to 20 characters." in wrong.text
    assert "Enter 1 to 255 characters." in wrong.text
    assert "Choose a country." in wrong.text
    assert "must be" not in wrong.text.lower()


# --- addresses without a state ---------------------------------------------------------------------------------------


def test_a_state_is_asked_for_where_addresses_have_one(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    wrong = browser.post("/properties/new", FILLED | {"state": "", "billingStartsMonth": "soon"})
    assert beside(wrong.text) == {"state", "billingStartsMonth"}


def test_where_addresses_have_none_a_property_does_without(office: Office) -> None:
    browser = office.browser("owner")
    berlin = EDITED | {"name": "Linden", "city": "Berlin", "state": "", "country": "DE", "zip": "10115"}
    added = browser.post("/properties/new", berlin)
    assert added.status_code == 303
    at = added.headers["location"]
    assert "Berlin, Berlin" not in browser.get(at).text + browser.get("/properties").text
    form = browser.get(f"{at}/edit").text
    assert 'name="state" type="text" value=""' in form
    version = form.split('name="version" value="')[1].split('"')[0]
    moved = browser.post(f"{at}/edit", berlin | {"city": "Potsdam", "version": version})
    assert moved.status_code == 303
    assert "Potsdam, " not in browser.get("/properties").text


@pytest.mark.parametrize(
    ("languages", "likely"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", ("de-AT", "EUR", "Europe/Vienna")),
        ("en-GB", ("en-GB", "GBP", "Europe/London")),
        ("fr-CH, en;q=0.5", ("fr-FR", "EUR", "Europe/Paris")),
        ("", ("en-US", "USD", "America/New_York")),
        ("x" * 3_000 + ";;,,=", ("en-US", "USD", "America/New_York")),
    ],
)
def test_a_new_account_is_proposed_what_its_browser_speaks(
    open_office: Office, languages: str, likely: tuple[str, str, str]
) -> None:
    text = open_office.browser().get("/sign-up", **{"Accept-Language": languages}).text
    for value in likely:
        assert f'<option value="{value}" selected>' in text
