"""Tests of the payment instructions for an account and for a property.

They are shown to tenants, and a warning appears if they are missing before the first invoices are sent.
"""

import re
from datetime import date
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.invoices.invoices import add_custom_charge
from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.properties import properties
from prorata.adapters.files.qr_svg import transfer_qr_svg
from prorata.domain.accounts.pay_to import COLUMNS, PayTo, pay_to_of
from prorata.domain.printing.sections import Transfer
from prorata.store.audit.audit import Caller
from prorata.store.invoices.invoices import InvoiceSummary
from tests.adapters.printing.test_pdf import read
from tests.dashboard.billed import FEBRUARY, billed, listed, set_status
from tests.dashboard.bills.test_bills import add, lived_in
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.properties.test_properties import EDITED, stored
from tests.dashboard.properties.test_units import add_tenant, add_unit
from tests.dashboard.tenants import page_of, sent, to_be_paid

FILLED = {
    "name": "Harbor Rentals", "address": "", "contact": "", "timezone": "UTC", "locale": "en-US", "currency": "USD",
    "payment_terms": "14", "mail_hold": "0", "late_bills": "ask",
}  # fmt: skip
IBAN, OTHER_IBAN = "DE89370400440532013000", "IE29AIBK93115212345678"
NOT_TOLD = "Your tenants aren’t told how to pay yet."
FIELDS = dict(zip(COLUMNS, ("payText", "payHolder", "payIban", "payBic", "payRouting", "payNumber"), strict=True))
WRONG = [
    ({"pay_iban": "DE88370400440532013000"}, "pay_iban", "This is not a valid IBAN"),
    ({"pay_iban": IBAN, "pay_bic": "COBADE"}, "pay_bic", "A BIC has 8 or 11"),
    ({"pay_routing": "021000012", "pay_number": "12345678"}, "pay_routing", "This is not a valid routing number"),
    ({"pay_routing": "021000021"}, "pay_number", "Enter the routing number and the account number"),
    ({"pay_iban": IBAN, "pay_routing": "021000021", "pay_number": "1234"}, "pay_number", "but not both"),
    ({"pay_holder": "Maple Homes"}, "pay_iban", "holder"),
    ({"pay_text": "\n".join("1234567")}, "pay_text", "at most 6 lines and 500 characters"),
    ({"pay_text": "x" * 501}, "pay_text", "500"),
    ({"pay_text": "Pay\u202ehere"}, "pay_text", "It contains a character that can’t be printed"),
    ({"pay_text": "Pay\x07here"}, "pay_text", "Remove any invisible characters"),
    ({"pay_holder": "x" * 71, "pay_iban": IBAN}, "pay_holder", "70"),
]


def say(office: Office, **pay: str) -> None:
    """Set the account's payment instructions."""
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(**pay)))


def said_by(office: Office) -> PayTo:
    return pay_to_of(office.database.read(lambda tx: accounts.the_account(tx, office.caller)))


def change(office: Office, property_id: str, **changes: str) -> None:
    office.database.write(lambda tx: properties.change(tx, office.caller, property_id, changes))


def beside(text: str, field: str) -> str:
    """Return the error message beside a field that the page marks as invalid."""
    found = re.search(rf'<p class="wrong" id="wrong-{field}">([^<]*)', text)
    assert found, f"nothing beside {field}"
    assert re.search(rf'name="{field}"[^>]*aria-invalid="true"', text), field
    return found[1]


def paper(office: Office, browser: Browser, invoice_id: str) -> str:
    return read(browser.get(f"/invoices/{invoice_id}/pdf").content).text


# --- where it is said -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("typed", "field", "words"), WRONG)
def test_what_is_wrong_in_settings_stands_beside_its_field_and_nothing_is_changed(
    quick_office: Office, typed: dict[str, str], field: str, words: str
) -> None:
    say(quick_office, pay_text="As ever.")
    answer = quick_office.browser("owner").post("/settings", FILLED | {"name": "Another"} | typed)
    assert answer.status_code == 400
    assert words in beside(answer.text, field)
    assert answer.text.count('<p class="wrong"') == 1
    assert said_by(quick_office) == PayTo("As ever.")
    assert 'value="Harbor Rentals"' in quick_office.browser("owner").get("/settings").text


@pytest.mark.parametrize(("typed", "field", "words"), WRONG)
def test_what_is_wrong_with_a_property_stands_beside_its_field_in_the_open_and_nothing_is_changed(
    quick_office: Office, typed: dict[str, str], field: str, words: str
) -> None:
    mine = quick_office.add_property()
    named = {FIELDS[name]: value for name, value in typed.items()}
    answer = quick_office.browser("owner").post(f"/properties/{mine.id}/edit", EDITED | named)
    assert answer.status_code == 400
    assert words in beside(answer.text, FIELDS[field])
    assert '<details class="fold" open><summary>How tenants of this property pay' in answer.text
    assert stored(quick_office, mine) == mine


def test_what_is_said_in_settings_is_kept_shown_again_and_written_down(office: Office) -> None:
    browser = office.browser("owner")
    typed = {
        "pay_text": "By the 5th.\r\nThank you.",
        "pay_holder": "Jörg Müller",
        "pay_iban": "de89 3704 0044 0532 0130 00",
    }
    assert browser.post("/settings", FILLED | typed | {"pay_bic": "cobadeff"}).status_code == 303
    assert said_by(office) == PayTo("By the 5th.\nThank you.", "Jörg Müller", IBAN, "COBADEFF")
    text = browser.get("/settings").text
    assert f'value="{IBAN}"' in text
    assert "By the 5th.\nThank you.</textarea>" in text
    logged = office.database.read(lambda tx: activity.page(tx, office.caller))
    assert any(IBAN in str(one) for one in logged), "whoever changes where money goes is known"
    assert browser.post("/settings", FILLED).status_code == 303
    assert said_by(office) == PayTo()


def test_a_property_is_folded_until_it_has_its_own(office: Office) -> None:
    browser, mine = office.browser("owner"), office.add_property()
    folded = '<details class="fold"><summary>How tenants of this property pay, if different from Settings</summary>'
    assert folded in browser.get(f"/properties/{mine.id}/edit").text
    assert browser.post(f"/properties/{mine.id}/edit", EDITED | {"payIban": IBAN}).status_code == 303
    assert pay_to_of(stored(office, mine)) == PayTo(iban=IBAN)
    text = browser.get(f"/properties/{mine.id}/edit").text
    assert folded not in text
    assert f'value="{IBAN}"' in text
    assert "How tenants of this property pay" not in browser.get("/properties/new").text


def test_a_manager_changes_a_property_and_not_where_its_money_goes(office: Office) -> None:
    browser, mine = office.browser("manager"), office.add_property()
    change(office, mine.id, pay_iban=IBAN)
    assert "payIban" not in browser.get(f"/properties/{mine.id}/edit").text
    for typed in ({}, {"payIban": OTHER_IBAN}, {"payText": "To me, please."}):
        assert browser.post(f"/properties/{mine.id}/edit", EDITED | typed).status_code == 303
        assert (stored(office, mine).name, pay_to_of(stored(office, mine))) == ("Elm House", PayTo(iban=IBAN))


# --- what tenants are shown -------------------------------------------------------------------------------------------


def test_tenants_are_told_on_page_and_paper_and_in_euros_by_a_code(office: Office) -> None:
    say(office, pay_text="By the 5th.", pay_holder="Jörg Müller", pay_iban=IBAN, pay_bic="COBADEFFXXX")
    one = sent_in(office, "DE")
    tenant, path = office.browser(), page_of(office, one.id)
    text = tenant.get(path).text
    for words in (
        "By the 5th.", "By bank transfer of €90.00 to this account:", "Account holder: Jörg Müller",
        "IBAN: DE89 3704 0044 0532 0130 00", "BIC: COBADEFFXXX", f"Reference: {one.number}",
        "Or scan the QR code with your banking app.",
    ):  # fmt: skip
        assert f"<p>{words}</p>" in text, words
    assert ">How to pay</h2>" in text
    assert transfer_qr_svg(Transfer("Jörg Müller", IBAN, "COBADEFFXXX", 90_00, one.number)) in text
    assert f'role="img" aria-label="QR code with which a banking app pays invoice {one.number}"' in text
    assert "IBAN: DE89 3704 0044 0532 0130 00" in read(tenant.get(f"{path}/pdf").content).text


def test_in_dollars_there_is_no_code(office: Office) -> None:
    say(office, pay_routing="021000021", pay_number="12345678")
    (one,) = sent(office, "1")
    text = office.browser().get(page_of(office, one.id)).text
    assert "<p>Routing number: 021000021</p><p>Account number: 12345678</p>" in text
    assert "<p>Account holder: Harbor Rentals</p>" in text
    assert 'class="qr"' not in text


def test_an_invoice_that_was_sent_keeps_what_it_said_and_a_draft_goes_along(office: Office) -> None:
    before, draft = billed(office, "1", "2")
    set_status(office, before.id, "SENT")  # while nothing is said yet
    say(office, pay_text="Cash, at the office.")
    other, _ = sent(office, "3", "4", name="Oak Row")
    say(office, pay_text="By check.")
    set_status(office, draft.id, "SENT")
    browser, tenant = office.browser("owner"), office.browser()
    for one, says, others in (
        (before, "For payment details, please ask", ("Cash", "check")),
        (other, "Cash, at the office.", ("By check", "For payment details")),
        (draft, "By check.", ("Cash", "For payment details")),
    ):
        for text in (tenant.get(page_of(office, one.id)).text, paper(office, browser, one.id)):
            assert says in text
            assert not [word for word in others if word in text]


def test_what_a_property_says_stands_in_the_place_of_all_that_the_account_says(office: Office) -> None:
    say(office, pay_text="By check.", pay_routing="021000021", pay_number="12345678")
    one, two = sent_in(office, "DE", pay_iban=OTHER_IBAN), sent_in(office, "US")
    tenant = office.browser()
    own, usual = tenant.get(page_of(office, one.id)).text, tenant.get(page_of(office, two.id)).text
    assert ("IBAN: IE29 AIBK" in own, "By check." in own, "12345678<" in own) == (True, False, False)
    assert ("IBAN" in usual, "By check." in usual, "12345678<" in usual) == (False, True, True)


def test_who_pays_online_has_the_button_and_the_other_ways(office: Office) -> None:
    say(office, pay_iban=IBAN)
    one = sent_in(office, "DE")
    to_be_paid(office, one.id, "https://pay.example/1")
    text = office.browser().get(page_of(office, one.id)).text
    assert 'href="https://pay.example/1"' in text
    assert text.index("https://pay.example/1") < text.index(">Other ways to pay</h2>") < text.index("IBAN: DE89")
    assert ">How to pay</h2>" not in text
    assert text.count('class="qr"') == 1
    on_paper = paper(office, office.browser("owner"), one.id)
    assert on_paper.index("How to pay") < on_paper.index("Other ways to pay") < on_paper.index("IBAN: DE89")


def test_what_is_paid_or_a_credit_says_nothing_of_paying(office: Office) -> None:
    say(office, pay_iban=IBAN)
    one, two = sent_in(office, "DE"), sent_in(office, "DE")
    set_status(office, one.id, "PAID")
    to_be_paid(office, two.id, "https://pay.example/1", paid=100_00)
    browser = office.browser("owner")
    for shown in (office.browser().get(page_of(office, one.id)).text, paper(office, browser, one.id)):
        assert "IBAN" not in shown
        assert "to pay" not in shown
    for shown in (office.browser().get(page_of(office, two.id)).text, paper(office, browser, two.id)):
        assert "IBAN" not in shown
        assert "Credit in your favor" in shown


def sent_in(office: Office, country: str, **pay: str) -> InvoiceSummary:
    """A sent invoice for 90.00, from a new property in a country."""
    mine = office.add_property(country=country)
    change(office, mine.id, **pay)
    add_tenant(office, add_unit(office, mine, "1"), "Ann Smith")
    add(office, mine, 90_00, on=date(2026, 2, 20))
    (one,) = listed(office, {"property": mine.id})
    set_status(office, one.id, "SENT")
    return one


# --- before the first invoices go -------------------------------------------------------------------------------------


def questions(office: Office, one: InvoiceSummary) -> dict[str, bool]:
    """For each question before sending, including the month's, true if it warns."""
    browser = office.browser("manager")
    at = f"/properties/{one.property_id}/months/{FEBRUARY}"
    return {
        "chosen": NOT_TOLD in choose(browser, "/invoices/chosen", verb="send", chosen=[one.id]).text,
        "one": NOT_TOLD in browser.get(f"/invoices/{one.id}/do/send").text,
        "month": NOT_TOLD in browser.get(f"{at}/send").text,
    }


def online(office: Office) -> None:
    office.database.write(lambda tx: payment_providers.use_sandbox(tx, office.caller, is_on=True))


def of_one_property(office: Office) -> None:
    change(office, office.add_property(name="Oak Row").id, pay_iban=OTHER_IBAN)


@pytest.mark.parametrize(
    "told",
    [
        lambda office: say(office, pay_text="Cash."),
        lambda office: say(office, pay_iban=IBAN),
        lambda office: say(office, pay_routing="021000021", pay_number="12345678"),
        of_one_property,
        online,
    ],
    ids=["words", "IBAN", "number", "a property", "online"],
)
def test_each_question_before_sending_warns_until_something_is_said(office: Office, told: Any) -> None:
    one, _ = billed(office, "1", "2")
    other = office.add_property(office.stranger_id)  # which is nobody's business here
    stranger = Caller(office.stranger_id, "cli")
    office.database.write(lambda tx: properties.change(tx, stranger, other.id, {"pay_iban": IBAN}))
    assert questions(office, one) == dict.fromkeys(("chosen", "one", "month"), True)
    told(office)
    assert questions(office, one) == dict.fromkeys(("chosen", "one", "month"), False)


def test_where_nothing_is_to_be_paid_nobody_is_warned(office: Office) -> None:
    (one,) = billed(office, "1", total=90_00)
    office.database.write(lambda tx: add_custom_charge(tx, office.caller, one.id, "Credit", -100_00))
    assert NOT_TOLD not in office.browser("owner").get(f"/invoices/{one.id}/do/send").text


def test_only_sending_warns_and_no_other_change(office: Office) -> None:
    one, _ = billed(office, "1", "2")
    for verb in ("cancel", "pay"):
        assert NOT_TOLD not in choose(office.browser("owner"), "/invoices/chosen", verb=verb, chosen=[one.id]).text


def test_the_first_steps_ask_an_owner_and_tell_a_manager_whose_step_it_is(office: Office) -> None:
    lived_in(office)
    owner, manager = office.browser("owner"), office.browser("manager")
    assert 'href="/settings#pay"' in owner.get("/").text
    assert 'id="pay"' in owner.get("/settings").text
    text = manager.get("/").text
    assert "Say how tenants pay you" in text
    assert "/settings#pay" not in text
    assert "3 of 8 done" in text
    say(office, pay_text="Cash.")
    assert "4 of 8 done" in manager.get("/").text
    assert 'href="/settings#pay"' not in owner.get("/").text
