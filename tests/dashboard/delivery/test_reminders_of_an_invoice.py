"""An invoice's page says why no reminder can be sent, and when one is due."""

import re
from datetime import date, timedelta

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.properties import tenants
from prorata.store.invoices.invoices import InvoiceSummary
from tests.dashboard.billed import billed, listed, set_status
from tests.dashboard.bulk.test_resends import arrive, messages, sent
from tests.dashboard.conftest import Office
from tests.dashboard.invoices.test_invoice_mail import shown
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.properties.test_units import said

NEXT = "The next automatic reminder is due on "
ONLY_UNPAID = "No reminder can be sent now. Reminders are only for invoices that were sent and are not paid."


def of_page(office: Office, one: InvoiceSummary) -> str:
    return shown(office.browser("manager").get(f"/invoices/{one.id}").text)


def plan(office: Office, before: str, after: str) -> None:
    wishes = Wishes(reminders_before=before, reminders_after=after)
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, wishes))


def in_words(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def test_the_page_says_from_which_day_on_a_reminder_can_be_sent_and_when_the_next_one_is_due(office: Office) -> None:
    plan(office, "", "")
    (one,) = sent(office, "1")
    (row,) = listed(office)
    due, day = date.fromisoformat(row.due_date or ""), date.fromisoformat(row.invoice_date)
    only = (
        f"No reminder can be sent now. It was only sent on {in_words(day)}. "
        f"Reminders can be sent from {in_words(day + timedelta(days=1))} on."
    )
    assert only in of_page(office, one)
    assert NEXT not in of_page(office, one), "there are no automatic ones"
    plan(office, "3", "5")
    before, after = (f"{NEXT}{in_words(due + timedelta(days=n))}, unless the invoice is paid by then." for n in (-3, 5))
    assert f"{only} {before}" in of_page(office, one), "its e-mail still waits"
    browser, link = office.browser("manager"), f'href="/invoices/{one.id}/reminder"'
    assert link in browser.get(f"/invoices/{one.id}").text
    assert "As it would be sent now." in browser.get(f"/invoices/{one.id}/reminder").text
    arrive(office, one)
    office.clock.advance(days=1)
    assert "No reminder can be sent" not in of_page(office, one)
    assert before in of_page(office, one)
    office.clock.advance(days=(due - day).days)
    assert after in of_page(office, one)
    (tenant,) = office.database.read(lambda tx: tenants.of_unit(tx, office.caller, one.unit_id))
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant.id, {"email": None}))
    assert "No reminder can be sent now. The tenant has no e-mail address." in of_page(office, one)
    assert NEXT not in of_page(office, one)


def test_drafts_and_paid_invoices_say_that_reminders_are_for_others(office: Office) -> None:
    plan(office, "3", "")
    one, two = billed(office, "1", "2")
    set_status(office, two.id, "SENT")
    set_status(office, two.id, "PAID")
    for each in (one, two):
        assert ONLY_UNPAID in of_page(office, each)
        assert NEXT not in of_page(office, each)


def test_a_sent_credit_says_that_the_tenant_owes_nothing(office: Office) -> None:
    (one,) = billed(office, "1", total=-10_00)
    set_status(office, one.id, "SENT")
    credit = "It is a credit: the tenant owes nothing on it."
    assert f"No reminder can be sent now. {credit}" in of_page(office, one)
    browser = office.browser("manager")
    assert credit in choose(browser, "/invoices/chosen", verb="remind", chosen=[one.id]).text
    assert credit in said(browser, browser.get(f"/invoices/{one.id}/reminder"))


def test_a_reminder_can_be_read_before_it_is_sent_while_it_waits_and_as_it_was_sent(office: Office) -> None:
    one, two = sent(office, "1", "2")
    for each in (one, two):
        arrive(office, each)
    office.clock.advance(days=29)
    browser, here = office.browser("manager"), f"/invoices/{one.id}"
    assert f"{here}/reminders/" not in browser.get(here).text
    asked = choose(browser, "/invoices/chosen", verb="remind", chosen=[one.id, two.id]).text
    assert "See what each reminder says:" in asked
    for each in (one, two):
        assert re.search(rf'href="/invoices/{each.id}/reminder" target="_blank">{each.number}, Tenant ', asked)
    assert browser.get(f"{here}/do/remind").text.count("See what the reminder says") == 1
    said_now = letter(browser.get(f"{here}/reminder").text)
    assert "$45.00 is still to be paid" in said_now
    assert browser.post(f"{here}/do/remind", {}).status_code == 303
    assert f'<a class="link" href="{here}/reminder">Reminder: ' in browser.get(here).text, "it waits"
    arrive(office, one)
    (reminder,) = messages(office, one)[1:]
    read_again = f"{here}/reminders/{reminder.id}"
    assert f'href="{read_again}"' in browser.get(here).text
    office.clock.advance(days=3)
    set_status(office, one.id, "PAID")
    browser = office.browser("viewer")
    page = browser.get(read_again).text
    assert letter(page) == said_now, "though it is paid since"
    assert "As it was written on " in page
    assert "Reminders are only for invoices" in said(browser, browser.get(f"{here}/reminder"))
    (invoice_mail, *_) = messages(office, one)
    assert browser.get(f"{here}/reminders/{invoice_mail.id}").status_code == 404
    assert browser.get(f"/invoices/{two.id}/reminders/{reminder.id}").status_code == 404
    assert office.browser("stranger").get(read_again).status_code == 404
    set_status(office, one.id, "DRAFT")
    assert browser.get(read_again).status_code == 404, "a draft has no due date"
    assert read_again not in browser.get(here).text


def letter(page: str) -> str:
    return shown("<main" + page.partition('class="body prose-stack letter"')[2].partition("</section>")[0])
