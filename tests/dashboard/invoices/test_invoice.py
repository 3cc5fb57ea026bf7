"""Tests of the page of one invoice."""

import re
from datetime import date

import pytest

from prorata.actions.accounts import access, accounts
from prorata.actions.accounts.accounts import MailWishes, Wishes
from prorata.actions.bills import bills, entries as bill_entries
from prorata.actions.delivery import deliveries
from prorata.actions.properties import tenants
from prorata.domain.bills.bills import NewBill
from prorata.domain.splitting.verification import verify
from prorata.store.jobs import jobs
from tests.dashboard.billed import FEBRUARY, billed, listed, set_status, status_of
from tests.dashboard.conftest import Office


def test_an_invoice_shows_its_charges_with_their_arithmetic(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    text = office.browser("viewer").get(f"/invoices/{one.id}").text
    assert "Aqua Water Co., bill of February 20, 2026: $90.00" in text
    assert "Divided equally: this unit pays 1 of 2 equal shares." in text
    assert "$90.00 ÷ 2 = $45.00" in text
    assert "Open: kept up to date" in text
    assert "/do/send" not in text
    assert "/charges" not in text


def test_sending_asks_first_and_says_who_gets_it_and_what_it_closes(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser = office.browser("manager")
    question = browser.get(f"/invoices/{one.id}/do/send").text
    assert "It is e-mailed to Tenant 1 at t1@example.org, with the PDF, at once." in question
    assert "This closes February 2026 for Maple Court" in question
    answer = browser.post(f"/invoices/{one.id}/do/send", {})
    assert answer.headers["location"] == f"/invoices/{one.id}"
    page = browser.get(f"/invoices/{one.id}").text
    assert "MAPLECOURT-1-2026-02 was marked as sent." in page
    assert "Waiting to be sent" in page
    assert "Closed" in page
    assert "Manager" in page
    assert "marked invoice MAPLECOURT-1-2026-02 as sent" in page


@pytest.mark.parametrize(
    ("before", "step", "after"),
    [
        ("DRAFT", "paid", "PAID"), ("DRAFT", "cancel", "CANCELLED"), ("SENT", "paid", "PAID"),
        ("SENT", "reopen", "DRAFT"), ("PAID", "unpaid", "SENT"), ("PAID", "cancel", "CANCELLED"),
        ("OVERDUE", "paid", "PAID"), ("CANCELLED", "reopen", "DRAFT"), ("CANCELLED", "send", "SENT"),
    ],
)  # fmt: skip
def test_each_step_is_offered_asked_about_and_taken(quick_office: Office, before: str, step: str, after: str) -> None:
    (one,) = billed(quick_office, "1")
    if before != "DRAFT":
        set_status(quick_office, one.id, before)
    browser = quick_office.browser("manager")
    assert f'href="/invoices/{one.id}/do/{step}"' in browser.get(f"/invoices/{one.id}").text
    assert browser.get(f"/invoices/{one.id}/do/{step}").status_code == 200
    assert browser.post(f"/invoices/{one.id}/do/{step}", {}).status_code == 303
    assert status_of(quick_office, one.id) == after


@pytest.mark.parametrize("step", ["cancel", "reopen"])
def test_the_question_says_that_what_was_noted_as_paid_is_taken_back(quick_office: Office, step: str) -> None:
    (one,) = billed(quick_office, "1")
    noted = "The amount noted when it was marked as paid is undone."
    set_status(quick_office, one.id, "SENT")
    browser = quick_office.browser("manager")
    assert noted not in browser.get(f"/invoices/{one.id}/do/{step}").text
    set_status(quick_office, one.id, "PAID")
    assert noted in browser.get(f"/invoices/{one.id}/do/{step}").text
    assert noted in browser.get(f"/invoices/{one.id}").text


def test_of_a_paid_invoice_nothing_is_urged(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("manager")
    urged = re.compile(r'<a class="btn" data-variant="primary"[^>]*>([^<]+)<')
    assert "Send…" in urged.findall(browser.get(f"/invoices/{one.id}").text)
    set_status(quick_office, one.id, "PAID")
    page = browser.get(f"/invoices/{one.id}").text
    assert "Send again" in page
    assert urged.findall(page) == [], "it is done: taking that back, or sending it again, is offered alone"


def test_the_landlord_is_not_thanked_for_what_the_tenant_paid(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "PAID")
    page = quick_office.browser("manager").get(f"/invoices/{one.id}").text
    assert '<dd class="quiet small">On ' in page
    assert "Thank you" not in page


def test_the_question_before_sending_says_what_a_later_bill_does(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("manager")
    assert (
        "and a bill that arrives later waits until you decide which invoices charge it."
        in browser.get(f"/invoices/{one.id}/do/send").text
    )
    quick_office.database.write(
        lambda tx: accounts.change_settings(tx, quick_office.caller, Wishes(late_bills="next open month"))
    )
    says = "goes onto the invoices of the next open month."
    assert f"and a bill that arrives later {says}" in browser.get(f"/invoices/{one.id}/do/send").text
    where = f"/properties/{one.property_id}/months/{FEBRUARY}"
    later = f"A bill that arrives later won’t change these invoices: it {says}"
    assert later in browser.get(f"{where}/send").text
    chosen = browser.post("/invoices/chosen", {"verb": "send", "chosen": one.id}).text
    assert later in chosen
    set_status(quick_office, one.id, "SENT")
    assert f"A bill that arrives now {says}" in browser.get(where).text


def test_a_step_that_does_not_fit_any_more_is_refused_and_changes_nothing(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "PAID")
    browser = quick_office.browser("owner")
    answer = browser.post(f"/invoices/{one.id}/do/send", {})
    assert answer.status_code == 409
    assert "has changed in the meantime" in answer.text
    assert "Not paid after all" in answer.text
    assert status_of(quick_office, one.id) == "PAID"
    assert browser.get(f"/invoices/{one.id}/do/send").status_code == 409
    assert browser.post(f"/invoices/{one.id}/do/fly", {}).status_code == 404


def test_an_invoice_over_another_amount_than_was_asked_about_is_asked_about_again(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser = office.browser("owner")
    asked = mark_of(browser.get(f"/invoices/{one.id}/do/send").text, one.id, "send")
    assert change_bill(office, "900.00") != one.total

    refused = browser.post(f"/invoices/{one.id}/do/send", {"seen": asked})

    assert refused.status_code == 409
    assert "its total is now $450.00" in refused.text
    assert status_of(office, one.id) == "DRAFT"
    asked = mark_of(browser.get(f"/invoices/{one.id}/do/send").text, one.id, "send")
    change_bill(office, "900.00", issuer_name="Sunset Water")  # which the invoice names
    assert browser.post(f"/invoices/{one.id}/do/send", {"seen": asked}).status_code == 409
    anew = mark_of(browser.get(f"/invoices/{one.id}/do/send").text, one.id, "send")
    assert browser.post(f"/invoices/{one.id}/do/send", {"seen": anew}).status_code == 303
    assert status_of(office, one.id) == "SENT"


def test_an_invoice_is_marked_as_paid_over_the_balance_that_was_shown(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("owner")
    asked = mark_of(browser.get(f"/invoices/{one.id}").text, one.id, "paid")
    change_bill(quick_office, "900.00")
    assert browser.post(f"/invoices/{one.id}/do/paid", {"seen": asked}).status_code == 409
    assert status_of(quick_office, one.id) == "DRAFT"


def test_an_invoice_that_goes_to_another_address_than_was_shown_is_asked_about_again(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("owner")
    asked = mark_of(browser.get(f"/invoices/{one.id}/do/send").text, one.id, "send")
    who, changes = quick_office.caller, {"email": "new@example.org"}
    tenant_id = quick_office.database.read(lambda tx: access.invoice(tx, who, one.id)).tenant_id or ""
    quick_office.database.write(lambda tx: tenants.change(tx, who, tenant_id, changes))
    refused = browser.post(f"/invoices/{one.id}/do/send", {"seen": asked})
    assert (refused.status_code, status_of(quick_office, one.id)) == (409, "DRAFT")
    assert "at new@example.org" in browser.get(f"/invoices/{one.id}/do/send").text


def mark_of(text: str, invoice_id: str, step: str) -> str:
    """Return the mark of the facts that the form of a step asked about."""
    form = text.split(f'action="/invoices/{invoice_id}/do/{step}"')[1].split("</form>", maxsplit=1)[0]
    return form.split('name="seen" value="')[1].split('"')[0]


def change_bill(office: Office, total: str, **more: str) -> int:
    """Change the bill and return the total of the first invoice."""
    who = office.caller
    bill = office.database.read(lambda tx: bills.page(tx, who, limit=1, offset=0))[0][0]
    form = office.database.read(lambda tx: bill_entries.form_of(tx, who, bill.id))
    office.database.write(lambda tx: bill_entries.change(tx, who, bill.id, form._replace(total=total, **more)))
    return listed(office)[0].total


def test_where_nobody_can_be_mailed_the_page_says_why_and_what_to_do(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    quick_office.database.write(lambda tx: accounts.change_mail(tx, quick_office.caller, MailWishes(on=False)))
    browser = quick_office.browser("owner")
    assert "Nobody is e-mailed." in browser.get(f"/invoices/{one.id}/do/send").text
    browser.post(f"/invoices/{one.id}/do/send", {})
    page = browser.get(f"/invoices/{one.id}").text
    assert "For you to hand over." in page
    assert "E-mail is turned off for this account." in page
    assert "/do/send-again" not in page


def test_a_held_message_says_when_it_leaves_and_going_back_withdraws_it(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    quick_office.database.write(lambda tx: accounts.change_mail(tx, quick_office.caller, MailWishes(hold=30)))
    browser = quick_office.browser("owner")
    assert "in 30 minutes: until then, you can withdraw it" in browser.get(f"/invoices/{one.id}/do/send").text
    browser.post(f"/invoices/{one.id}/do/send", {})
    assert "Leaves <time" in browser.get(f"/invoices/{one.id}").text
    assert "Its e-mail has not been sent and is withdrawn." in browser.get(f"/invoices/{one.id}/do/reopen").text
    browser.post(f"/invoices/{one.id}/do/reopen", {})
    assert "Withdrawn" in browser.get(f"/invoices/{one.id}").text


def test_marking_as_paid_says_that_a_held_message_is_withdrawn_before_and_after(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    quick_office.database.write(lambda tx: accounts.change_mail(tx, quick_office.caller, MailWishes(hold=30)))
    browser = quick_office.browser("owner")
    assert "withdrawn" not in browser.get(f"/invoices/{one.id}/do/paid").text
    browser.post(f"/invoices/{one.id}/do/send", {})
    asked = browser.get(f"/invoices/{one.id}/do/paid").text
    assert "The e-mail with this invoice hasn’t been sent yet and is withdrawn." in asked
    browser.post(f"/invoices/{one.id}/do/paid", {"receipt": "true"})
    page = browser.get(f"/invoices/{one.id}").text
    assert "Its e-mail hadn’t been sent and was withdrawn. 1 receipt will be sent by e-mail in 30 minutes." in page


def test_a_charge_that_is_sent_twice_is_added_once_and_another_from_the_same_page_too(office: Office) -> None:
    (one,) = billed(office, "1")
    browser, here = office.browser("manager"), f"/invoices/{one.id}"
    once = browser.get(here).text.split('name="form_once" value="')[1].split('"')[0]
    charge = {"description": "Garage", "amount": "25", "form_once": once}
    assert [browser.post(f"{here}/charges", charge).status_code for _ in range(2)] == [303, 303]
    text = browser.get(here).text
    assert "counts only once" in text
    assert listed(office)[0].total == one.total + 25_00
    browser.post(f"{here}/charges", charge | {"amount": "30"})
    assert listed(office)[0].total == one.total + 55_00
    for _ in range(2):  # of two pages
        once = browser.get(here).text.split('name="form_once" value="')[1].split('"')[0]
        browser.post(f"{here}/charges", charge | {"form_once": once})
    assert listed(office)[0].total == one.total + 105_00


def test_charges_of_ones_own_are_added_and_removed(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser = office.browser("manager")
    here = f"/invoices/{one.id}"
    credited = browser.post(f"{here}/charges", {"description": "Garage", "amount": "-1,025.50"})
    assert "The credit was added." in browser.get(credited.headers["location"]).text
    page = browser.get(here).text
    assert "Garage" in page
    assert "-$1,025.50" in page
    remove = next(part for part in page.split('action="') if "/remove" in part.split('"')[0]).split('"')[0]
    assert browser.post(remove, {}).status_code == 303
    assert "-$1,025.50" not in browser.get(here).text.split('id="history"')[0]


def test_a_charge_that_is_refused_stays_in_the_form_with_what_is_wrong(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("owner")
    answer = browser.post(f"/invoices/{one.id}/charges", {"description": "<Garage>", "amount": "10.005"})
    assert answer.status_code == 400
    assert 'value="&lt;Garage&gt;"' in answer.text
    assert 'id="wrong-amount"' in answer.text
    set_status(quick_office, one.id, "SENT")
    late = browser.post(f"/invoices/{one.id}/charges", {"description": "Garage", "amount": "5"})
    assert late.status_code == 409
    assert "only while the invoice is a draft" in late.text


def test_a_change_that_waits_is_explained(quick_office: Office) -> None:
    one, _two = billed(quick_office, "1", "2")
    set_status(quick_office, one.id, "SENT")
    late = NewBill(one.property_id, "Aqua Water Co.", ("WATER",), 10_00, date(2026, 2, 21), bill_number="2")
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, [late]))
    browser = quick_office.browser("viewer")
    assert "Something has changed since February 2026 was closed" in browser.get(f"/invoices/{one.id}").text
    assert "Changes wait" in browser.get("/invoices").text


def test_the_pdf_is_opened_and_the_one_that_was_sent_only_where_there_is_one(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("viewer")
    answer = browser.get(f"/invoices/{one.id}/pdf")
    assert answer.content.startswith(b"%PDF-")
    assert answer.headers["content-disposition"].startswith("inline")
    manager = quick_office.browser("manager")
    assert manager.get(f"/invoices/{one.id}/pdf-as-sent").status_code == 409
    set_status(quick_office, one.id, "SENT")
    (mail,) = quick_office.database.read(lambda tx: deliveries.messages(tx, quick_office.caller, one.id))
    as_found = quick_office.database.write(
        lambda tx: deliveries.outgoing(tx, quick_office.account_id, mail.id, lambda _message: False)
    )
    assert as_found is not None
    quick_office.database.write(lambda tx: deliveries.keep(tx, as_found, message=b"message", pdf=b"%PDF-as sent"))
    quick_office.database.write(lambda tx: deliveries.note_taken(tx, quick_office.account_id, mail.id, "250 OK"))
    assert manager.get(f"/invoices/{one.id}/pdf-as-sent").content == b"%PDF-as sent"
    assert browser.get(f"/invoices/{one.id}/pdf-as-sent").status_code == 403, "it has the link to the tenant's page"
    pages = [one_browser.get(f"/invoices/{one.id}").text for one_browser in (manager, browser)]
    assert all("The server said: 250 OK" in page for page in pages)
    assert ["The PDF as sent" in page for page in pages] == [True, False]


def test_an_invoice_and_its_month_are_explained_as_data(quick_office: Office) -> None:
    one, _ = billed(quick_office, "1", "2")
    browser = quick_office.browser("viewer")
    for page, of in (
        (f"/invoices/{one.id}", "invoice"),
        (f"/properties/{one.property_id}/months/2026-02", "month"),
    ):
        assert f'href="{page}/explanation"' in browser.get(page).text
        answer = browser.get(f"{page}/explanation")
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.json()["of"] == of
        assert verify(answer.text).differences == ()


@pytest.mark.parametrize("path", ["", "/pdf", "/pdf-as-sent", "/explanation", "/do/send"])
def test_a_strangers_invoice_is_not_there(quick_office: Office, path: str) -> None:
    (theirs,) = billed(quick_office, "1", account=quick_office.stranger_id)
    browser = quick_office.browser("owner")
    for invoice_id in (theirs.id, "inv_00000000000000000000000000", "nothing"):
        assert browser.get(f"/invoices/{invoice_id}{path}").status_code == 404


@pytest.mark.parametrize("path", ["/do/send", "/do/cancel", "/charges", "/charges/cchg_x/remove"])
def test_a_strangers_invoice_is_not_changed(quick_office: Office, path: str) -> None:
    (theirs,) = billed(quick_office, "1", account=quick_office.stranger_id)
    fields = {"description": "x", "amount": "1"} if path == "/charges" else {}
    assert quick_office.browser("owner").post(f"/invoices/{theirs.id}{path}", fields).status_code == 404


def charge_of_ones_own(office: Office, invoice_id: str) -> str:
    """Return the address that removes the custom charge."""
    page = office.browser("manager").get(f"/invoices/{invoice_id}").text
    return next(part for part in page.split('action="') if "/remove" in part.split('"')[0]).split('"')[0]


def test_a_charge_is_removed_after_asking_over_its_amount(office: Office) -> None:
    one, _two = billed(office, "1", "2")
    browser = office.browser("manager")
    browser.post(f"/invoices/{one.id}/charges", {"description": "Garage", "amount": "25.50"})
    to = charge_of_ones_own(office, one.id)
    assert "Remove Garage for $25.50?" in browser.get(f"/invoices/{one.id}").text
    assert "Remove Garage for $25.50?" in browser.get(to).text
    assert "the invoice is deleted too" not in browser.get(to).text
    assert browser.get(to.replace("cchg_", "chg_")).status_code == 404
    assert office.browser("stranger").get(to).status_code == 404


def test_removing_the_only_charge_says_that_the_invoice_may_go(quick_office: Office) -> None:
    one, _two = billed(quick_office, "1", "2")
    browser = quick_office.browser("manager")
    browser.post(f"/invoices/{one.id}/charges", {"description": "Garage", "amount": "25.50"})
    (bill,) = quick_office.database.read(lambda tx: bills.page(tx, quick_office.caller, limit=9, offset=0))[0]
    browser.post(f"/bills/{bill.id}/delete", {})
    assert "the invoice is deleted too" in browser.get(charge_of_ones_own(quick_office, one.id)).text


def test_a_message_in_the_outbox_is_said_to_have_reached_nobody_and_names_no_path(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    (mail,) = quick_office.database.read(lambda tx: deliveries.messages(tx, quick_office.caller, one.id))
    quick_office.database.write(
        lambda tx: deliveries.note_written(tx, quick_office.account_id, mail.id, "/somewhere/outbox/1.eml")
    )
    page = quick_office.browser("viewer").get(f"/invoices/{one.id}").text
    assert "Saved as a file because no mail server is set up: it reached nobody." in page
    assert "/somewhere" not in page


def test_a_message_that_waits_says_why_on_its_invoice(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    set_status(quick_office, one.id, "SENT")
    (job,) = quick_office.database.read(lambda tx: jobs.of_subject(tx, quick_office.account_id, one.id))
    tried = job._replace(last_error="The server sleeps.")
    quick_office.database.write(lambda tx: jobs.save(tx, [tried]))
    page = quick_office.browser("viewer").get(f"/invoices/{one.id}").text
    assert "The server sleeps." in page
    assert "The server said" not in page


def test_a_credit_is_given_back_and_not_received(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("manager")
    browser.post(f"/invoices/{one.id}/charges", {"description": "Credit", "amount": "-95"})
    assert "This notes that $5.00 was refunded today." in browser.get(f"/invoices/{one.id}/do/paid").text


def test_a_long_history_leads_to_all_of_it(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("viewer")
    assert "/activity?record=" not in browser.get(f"/invoices/{one.id}").text
    for _ in range(16):
        for status in ("CANCELLED", "DRAFT"):
            set_status(quick_office, one.id, status)
    assert f'href="/activity?record={one.id}"' in browser.get(f"/invoices/{one.id}").text
