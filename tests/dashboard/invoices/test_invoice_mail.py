"""The e-mail with an invoice is shown before it is sent.

The account's own wording replaces the usual wording where it has any.
"""

import re

import pytest

from prorata.actions.accounts import access, accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.delivery import deliveries
from tests.dashboard.billed import billed, listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_units import add_unit, said


def shown(text: str) -> str:
    """Return the text of a page, without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text.partition("<main")[2]))


def test_the_e_mail_is_shown_as_its_tenant_would_get_it(office: Office) -> None:
    one, _ = billed(office, "1", "2")
    browser = office.browser("viewer")
    assert f'href="/invoices/{one.id}/mail"' in browser.get(f"/invoices/{one.id}").text
    assert "See the e-mail" in office.browser("manager").get(f"/invoices/{one.id}/do/send").text
    text = shown(browser.get(f"/invoices/{one.id}/mail").text)
    assert "Your utility invoice for February 2026 (Maple Court, 1)" in text
    assert "t1@example.org" in text
    assert "Please pay $45.00 by " in text
    assert office.browser("stranger").get(f"/invoices/{one.id}/mail").status_code == 404


def test_without_a_mail_server_it_says_that_nobody_gets_it(office: Office) -> None:
    one, _ = billed(office, "1", "2")
    nobody = "E-mail isn’t set up, so nobody gets it. It would only be saved in the outbox folder."
    assert nobody in shown(office.browser("viewer").get(f"/invoices/{one.id}/mail").text)


def test_own_words_take_the_place_of_the_usual_ones(office: Office) -> None:
    one, _ = billed(office, "1", "2")
    browser = office.browser("owner")
    words = {
        "mail_subject": "Nebenkosten {month}: {unit}",
        "mail_opening": "Dear {tenant},\nyou owe {amount} by {due}.",
    }
    assert "Saved." in said(browser, browser.post("/settings/email", words))
    text = shown(browser.get(f"/invoices/{one.id}/mail").text)
    assert "Nebenkosten February 2026: 1" in text
    assert "Dear Tenant 1, you owe $45.00 by " in text
    assert "Please pay" not in text
    assert "Nebenkosten {month}: {unit}" in browser.get("/settings/email").text
    set_status(office, one.id, "SENT")
    (sent,) = office.database.read(lambda tx: deliveries.messages(tx, office.caller, one.id))
    found = office.database.read(lambda tx: deliveries.outgoing(tx, office.account_id, sent.id, lambda _message: False))
    assert found is not None
    assert (found.own_subject, found.own_opening) == (words["mail_subject"], words["mail_opening"])


@pytest.mark.parametrize(
    "words",
    [
        {"mail_subject": "{monht}"},
        {"mail_subject": "x" * 151},
        {"mail_opening": "{0.__class__}"},
        {"mail_opening": "x\n" * 13},
    ],
)
def test_words_that_can_not_be_are_refused_beside_their_field(office: Office, words: dict[str, str]) -> None:
    browser = office.browser("owner")
    answer = browser.post("/settings/email", words)
    assert answer.status_code == 400
    assert f'id="wrong-{next(iter(words))}"' in answer.text
    row = office.database.read(lambda tx: accounts.the_account(tx, office.caller))
    assert (row.mail_subject, row.mail_opening) == ("", "")
    assert office.browser("manager").post("/settings/email", {"mail_subject": "x"}).status_code == 403


def test_a_credit_and_what_is_late_are_said_in_the_usual_words(office: Office) -> None:
    one, _ = billed(office, "1", "2", total=-90_00)
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(mail_opening="Pay {amount}.")))
    text = shown(office.browser("owner").get(f"/invoices/{one.id}/mail").text)
    assert "This invoice is a credit: you get $45.00, and have nothing to pay." in text
    assert "Pay $45.00." not in text


def test_the_invoice_of_a_vacant_unit_has_no_e_mail(office: Office) -> None:
    (one,) = billed(office, "1")
    its = office.database.read(lambda tx: access.property_(tx, office.caller, one.property_id))
    add_unit(office, its, "3")
    vacant = next(row for row in listed(office) if row.tenant_name is None)
    browser = office.browser("owner")
    assert "no e-mail is sent with it" in said(browser, browser.get(f"/invoices/{vacant.id}/mail"))
    assert "/mail" not in browser.get(f"/invoices/{vacant.id}").text.partition("<main")[2]
