"""Tests of reminders that a member sends.

They are sent for one invoice from its page, or for all chosen invoices.
"""

import re
from datetime import date

import pytest

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.delivery import deliveries, reminders
from prorata.actions.delivery.reminders import Place
from prorata.actions.overview.consistency_checks import check_account
from prorata.actions.properties import tenants
from prorata.domain.delivery.send_schedule import NO_SERVER
from prorata.store.accounts import accounts
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceSummary
from tests.dashboard.billed import billed, set_status
from tests.dashboard.bulk.test_prints import texts_of
from tests.dashboard.bulk.test_resends import arrive, messages, sent, work
from tests.dashboard.conftest import Office, build_office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.invoices.test_sending import seen_in

ONLY_SENT, TODAY = "It was only sent on ", "A reminder was already created or handed over today."
NOT_SENT = "Reminders are only for invoices that were sent and are not paid."


def test_a_reminder_goes_at_once_from_the_invoices_page_and_once_a_day(office: Office) -> None:
    (one,) = sent(office, "1")
    arrive(office, one)
    browser = office.browser("manager")
    here = f"/invoices/{one.id}"
    assert "Send a reminder" not in browser.get(here).text, "it was sent today"
    office.clock.advance(days=1)
    browser = office.browser("manager")
    assert "/do/remind" in browser.get(here).text, "before it is due, too"
    assert "is due" in browser.get(f"{here}/reminder").text
    office.clock.advance(days=29)
    browser = office.browser("manager")
    set_status(office, one.id, "OVERDUE")
    asked = browser.get(f"{here}/do/remind").text
    assert f'href="{here}/reminder"' in asked
    assert "A reminder of" in browser.get(f"{here}/reminder").text
    assert "It is e-mailed to Tenant 1 at t1@example.org." in asked
    assert "No reminder has been sent yet." in asked
    assert browser.post(f"{here}/do/remind", {"seen": seen_in(asked)}).status_code == 303
    assert [row.kind for row in messages(office, one)] == ["invoice", "overdue"]
    page = browser.get(here).text
    assert "/do/remind" not in page
    assert f"No reminder can be sent now. {TODAY}" in page
    assert "created a reminder of invoice" in browser.get("/activity").text
    assert TODAY in browser.post(f"{here}/do/remind", {}).text
    office.clock.advance(days=1)
    browser = office.browser("manager")
    assert "The last reminder was on " in browser.get(f"{here}/do/remind").text
    assert office.browser("viewer").post(f"{here}/do/remind", {}).status_code == 403


def test_chosen_invoices_are_reminded_of_after_asking_and_each_refusal_says_why(office: Office) -> None:
    one, two, three = sent(office, "1", "2", "3")
    (draft,) = billed(office, "4", name="Oak House")
    for each in (one, two, three):
        arrive(office, each)
    browser = office.browser("manager")
    nothing = choose(browser, "/invoices/chosen", verb="remind", chosen=[one.id, two.id]).text
    assert "No reminders to send" in nothing
    assert re.search(
        rf"2 get no reminder\. The reason for each: {ONLY_SENT}\w+ \d+, 2026\. Reminders can be sent from \w+ \d+, 2026 on",
        nothing,
    )
    office.clock.advance(days=30)
    browser = office.browser("manager")
    set_status(office, three.id, "PAID")
    fields = {"verb": "remind", "chosen": [one.id, two.id, three.id, draft.id]}
    asked = choose(browser, "/invoices/chosen", **fields).text
    assert "Send reminders of 2 invoices now?" in asked
    assert f"2 get no reminder. The reason for each: {NOT_SENT}" in asked
    begun = choose(browser, "/invoices/changes", **fields, seen=seen_in(asked))
    done = browser.get(begun.headers["location"]).text
    assert "2 of 4 invoices were queued for reminders by e-mail; 2 were skipped." in done
    assert "2 e-mails have not been sent yet." in done
    assert NOT_SENT in done
    assert "/undo" in done
    assert [row.kind for row in messages(office, two)] == ["invoice", "overdue"]
    assert "created reminders of 4 invoices" in browser.get("/activity").text
    again = choose(browser, "/invoices/changes", **fields)
    assert again.status_code == 409


def reminded(office: Office, *those: InvoiceSummary) -> str:
    """Queue reminders of delivered invoices; return the address of the bulk change."""
    for each in those:
        arrive(office, each)
    office.clock.advance(days=30)
    browser = office.browser("manager")
    return str(
        choose(browser, "/invoices/changes", verb="remind", chosen=[one.id for one in those]).headers["location"]
    )


def test_queued_reminders_are_withdrawn_together_and_not_twice(office: Office) -> None:
    one, two = sent(office, "1", "2")
    here = reminded(office, one, two)
    browser = office.browser("manager")
    assert f'action="{here}/undo"' in browser.get(here).text
    assert f"{here}/undo" in browser.get("/invoices/changes").text
    asked = browser.get(f"{here}/undo").text
    assert "Withdraw 2 reminders?" in asked
    assert "They aren’t sent. Other reminders of these invoices can be sent tomorrow at the earliest." in asked
    done = browser.get(browser.post(f"{here}/undo", {}).headers["location"]).text
    assert "The reminders of 2 of 2 invoices were withdrawn." in done
    assert "/undo" not in done
    assert [row.state for each in (one, two) for row in messages(office, each)] == ["sent", "withdrawn"] * 2
    assert "withdrew the reminders of 2 invoices" in browser.get("/activity").text
    assert browser.post(f"{here}/undo", {}).status_code == 409
    assert list(check_account(office.database, office.account_id)) == []


def test_a_withdrawn_reminder_that_was_automatic_and_late_counts_for_the_day_of_its_creation(office: Office) -> None:
    (one,) = sent(office, "1")
    arrive(office, one)
    office.clock.advance(days=30)
    set_status(office, one.id, "OVERDUE")
    (row,) = office.database.read(lambda tx: invoices.find_many(tx, office.account_id, [one.id]))
    late = (office.clock.moment.date() - date.fromisoformat(row.due_date or "")).days

    def remind(tx: Tx) -> None:
        account = accounts.find(tx, office.account_id)
        assert account is not None
        reminders.remind_some(tx, account._replace(reminders_after=str(late - 2)), Place("OVERDUE"))

    office.database.write(remind)
    assert [(row.kind, row.state) for row in messages(office, one)][1:] == [("overdue", "queued")]
    browser = office.browser("manager")
    assert browser.post(f"/invoices/{one.id}/reminder/withdraw", {}).status_code == 303
    assert TODAY in browser.get(f"/invoices/{one.id}").text
    assert choose(browser, "/invoices/changes", verb="remind", chosen=[one.id]).status_code == 409
    office.clock.advance(days=1)
    assert "/do/remind" in office.browser("manager").get(f"/invoices/{one.id}").text


def test_withdrawing_the_reminders_of_a_bulk_change_leaves_those_of_a_later_one(office: Office) -> None:
    one, two = sent(office, "1", "2")
    first = reminded(office, one, two)
    arrive(office, one)
    office.clock.advance(days=2)
    browser = office.browser("manager")
    second = choose(browser, "/invoices/changes", verb="remind", chosen=[one.id, two.id]).headers["location"]
    assert "1 e-mail has been sent." in browser.get(first).text
    assert "Withdraw 1 reminder?" in browser.get(f"{first}/undo").text
    assert browser.post(f"{first}/undo", {}).status_code == 303
    states = [[row.state for row in messages(office, each)] for each in (one, two)]
    assert states == [["sent", "sent", "queued"], ["sent", "withdrawn", "queued"]]
    assert "2 e-mails have not been sent yet." in browser.get(second).text
    assert f"{second}/undo" in browser.get("/invoices/changes").text
    assert browser.post(f"{second}/undo", {}).status_code == 303
    assert [row.state for each in (one, two) for row in messages(office, each)][2::3] == ["withdrawn"] * 2


def test_a_change_says_when_its_own_reminders_are_sent_though_older_ones_wait(office: Office) -> None:
    office.database.write(lambda tx: account_actions.change_settings(tx, office.caller, Wishes(mail_hold=30)))
    one, two = sent(office, "1", "2")
    first = reminded(office, one, two)
    own = "They will be sent at "
    assert own in office.browser("manager").get(first).text
    office.clock.advance(days=2)
    browser = office.browser("manager")
    second = choose(browser, "/invoices/changes", verb="remind", chosen=[one.id, two.id]).headers["location"]
    assert own in browser.get(second).text, "the first ones were due two days ago, and no worker runs"
    assert own not in browser.get(first).text


def test_withdrawing_leaves_older_reminders_whose_withdrawal_was_stopped(quick_office: Office) -> None:
    office = quick_office
    those = sent(office, *(str(number) for number in range(1, 23)))
    first = reminded(office, *those)
    work(office, first)
    withdrawing = office.browser("manager").post(f"{first}/undo", {}).headers["location"]
    assert office.browser("manager").post(f"{withdrawing}/stop", {}).status_code == 303
    office.clock.advance(days=2)
    browser = office.browser("manager")
    one = those[0]
    second = choose(browser, "/invoices/changes", verb="remind", chosen=[one.id]).headers["location"]
    browser.post(f"{second}/undo", {})
    assert [row.state for row in messages(office, one)] == ["sent", "queued", "withdrawn"]
    assert browser.post(f"{withdrawing}/go-on", {}).status_code == 303
    work(office, withdrawing)
    assert [row.state for row in messages(office, one)] == ["sent", "withdrawn", "withdrawn"]


def test_a_bulk_change_whose_reminders_were_sent_cannot_be_undone_while_later_ones_wait(office: Office) -> None:
    one, two = sent(office, "1", "2")
    first = reminded(office, one, two)
    for each in (one, two):
        arrive(office, each)
    office.clock.advance(days=2)
    browser = office.browser("manager")
    choose(browser, "/invoices/changes", verb="remind", chosen=[one.id, two.id])
    assert "2 e-mails have been sent." in browser.get(first).text
    assert f"{first}/undo" not in browser.get(first).text
    assert f"{first}/undo" not in browser.get("/invoices/changes").text
    assert browser.post(f"{first}/undo", {}).status_code == 409


def test_a_queued_reminder_is_withdrawn_on_the_invoices_page_until_it_is_sent(office: Office) -> None:
    one, two = sent(office, "1", "2")
    change = reminded(office, one, two)
    browser = office.browser("manager")
    at = f"/invoices/{one.id}/reminder/withdraw"
    assert f'action="{at}"' in browser.get(f"/invoices/{one.id}").text
    assert office.browser("viewer").post(at, {}).status_code == 403
    assert browser.post(at, {}).status_code == 303
    page = browser.get(f"/invoices/{one.id}").text
    assert at not in page
    assert "withdrew the reminder of invoice" in page
    assert "1 reminder was withdrawn." in browser.get(change).text
    assert "No reminder of it is waiting: it has been sent, saved or withdrawn." in browser.post(at, {}).text
    arrive(office, two)
    said = browser.get(change).text
    assert "1 e-mail has been sent." in said
    assert "/undo" not in said
    assert browser.post(f"{change}/undo", {}).status_code == 409
    assert f"{change}/undo" not in browser.get("/invoices/changes").text


def test_a_tenant_without_an_address_is_reminded_on_paper(office: Office) -> None:
    (one,) = sent(office, "1")
    arrive(office, one)
    browser = office.browser("manager")
    office.clock.advance(days=30)
    browser = office.browser("manager")
    set_status(office, one.id, "OVERDUE")

    tenant = one.tenant_id or ""
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant, {"email": None}))
    assert "or send a reminder on paper, with the PDF." in browser.get(f"/invoices/{one.id}").text


def test_stored_refusals_are_shown_in_the_language_of_the_page(german_office: Office) -> None:
    one, two = sent(german_office, "1", "2")
    for each in (one, two):
        arrive(german_office, each)
    german_office.clock.advance(days=30)
    for each in (one, two):
        set_status(german_office, each.id, "OVERDUE")
    tenant = two.tenant_id or ""
    german_office.database.write(lambda tx: tenants.change(tx, german_office.caller, tenant, {"email": None}))
    browser = german_office.browser("manager")
    fields = {"verb": "remind", "chosen": [one.id, two.id]}
    asked = choose(browser, "/invoices/chosen", **fields).text
    begun = choose(browser, "/invoices/changes", **fields, seen=seen_in(asked))
    done = browser.get(begun.headers["location"]).text
    assert "Unverändert geblieben" in done
    assert "1 wurde übersprungen." in done
    assert "abgelehnt" not in done, "nobody refused an invoice of a tenant without an address"
    assert "Der Mieter hat keine E-Mail-Adresse." in done
    assert "The tenant has no" not in done


def test_the_invoices_to_remind_of_on_paper_are_printed_from_the_question(office: Office) -> None:
    one, two, three = sent(office, "1", "2", "3")
    office.clock.advance(days=30)
    browser = office.browser("manager")
    for each in (one, two, three):
        set_status(office, each.id, "PAID" if each == three else "OVERDUE")
    for each in (two, three):
        tenant = each.tenant_id or ""
        office.database.write(lambda tx, its=tenant: tenants.change(tx, office.caller, its, {"email": None}))
    asked = choose(browser, "/invoices/chosen", verb="remind", chosen=[one.id, two.id, three.id]).text
    assert on_paper(asked) == [two.id], "not those that are paid"
    assert 'form="on-paper">Print 1</button>' in asked
    assert "print their invoices as reminders" in asked
    assert '<input type="hidden" name="reminds" value="true">' in asked
    (reminder,) = texts_of(choose(browser, "/invoices/pdf", chosen=[two.id], reminds="true").content)
    today = office.database.read(lambda tx: account_actions.today(tx, office.caller))
    assert f"Reminder of {today:%B} {today.day}, {today.year}" in reminder
    (invoice,) = texts_of(choose(browser, "/invoices/pdf", chosen=[two.id]).content)
    assert "Reminder" not in invoice
    assert "Remind tenants on paper" in choose(browser, "/invoices/chosen", verb="remind", chosen=[two.id]).text
    only_mail = choose(browser, "/invoices/chosen", verb="remind", chosen=[one.id]).text
    assert 'id="on-paper"' not in only_mail


def test_invoices_to_remind_of_on_paper_are_printed_in_the_order_of_the_list_and_again_afterwards(
    office: Office,
) -> None:
    one, two, three = sent(office, "1", "2", "3")
    arrive(office, one)
    office.clock.advance(days=30)
    browser = office.browser("manager")
    for each in (one, two, three):
        set_status(office, each.id, "OVERDUE")
    for each in (two, three):
        tenant = each.tenant_id or ""
        office.database.write(lambda tx, its=tenant: tenants.change(tx, office.caller, its, {"email": None}))
    fields = {"verb": "remind", "chosen": [three.id, one.id, two.id]}
    asked = choose(browser, "/invoices/chosen", **fields).text
    assert on_paper(asked) == [three.id, two.id], "as the list is sorted"
    begun = choose(browser, "/invoices/changes", **fields, seen=seen_in(asked))
    done = browser.get(begun.headers["location"]).text
    assert "Done, 2 skipped" in done
    assert 'form="on-paper">Print 2</button>' in done
    assert on_paper(done) == [two.id, three.id], "by their numbers"
    for each in (two, three):
        set_status(office, each.id, "PAID")
    assert 'id="on-paper"' not in browser.get(begun.headers["location"]).text, "nothing is left to remind of"


def test_a_reminder_that_was_handed_over_on_paper_is_noted_and_counts_until_it_is_withdrawn(office: Office) -> None:
    one, two = sent(office, "1", "2")
    for each in (one, two):
        arrive(office, each)
    office.clock.advance(days=30)
    for each in (one, two):
        set_status(office, each.id, "OVERDUE")
    tenant, here = one.tenant_id or "", f"/invoices/{one.id}"
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant, {"email": None}))
    browser = office.browser("manager")
    note = 'form="on-paper" formaction="/invoices/reminded" formtarget="_self">Handed over</button>'
    both = choose(browser, "/invoices/chosen", verb="remind", chosen=[one.id, two.id]).text
    assert (note in both, "You can note it on the next page." in both) == (False, True), "first the other is e-mailed"
    assert note in choose(browser, "/invoices/chosen", verb="remind", chosen=[one.id]).text
    assert note in browser.get(here).text
    assert note not in office.browser("viewer").get(here).text
    assert office.browser("viewer").post("/invoices/reminded", {"chosen": one.id}).status_code == 403
    noted = choose(browser, "/invoices/reminded", chosen=[one.id, two.id])
    assert noted.headers["location"].partition("?")[0] == "/invoices"
    assert "1 reminder on paper is noted." in browser.get("/invoices").text
    page = browser.get(here).text
    assert note not in page, "there is one reminder a day"
    assert ("Reminder on paper" in page, "Handed over</span>" in page, TODAY in page) == (True, True, True)
    assert choose(browser, "/invoices/reminded", chosen=[one.id]).status_code == 409
    assert [(row.kind, row.state) for row in messages(office, one)][1:] == [("paper", "delivered")]
    assert [row.kind for row in messages(office, two)] == ["invoice"], "its tenant can be e-mailed"
    assert list(check_account(office.database, office.account_id)) == []
    office.clock.advance(days=1)
    (row,) = office.database.read(lambda tx: invoices.find_many(tx, office.account_id, [one.id]))
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant, {"email": "t1@example.org"}))
    late = (office.clock.moment.date() - date.fromisoformat(row.due_date or "")).days

    def remind(tx: Tx) -> None:
        account = accounts.find(tx, office.account_id)
        assert account is not None
        reminders.remind_some(tx, account._replace(reminders_after=str(late - 2)), Place("OVERDUE"))

    office.database.write(remind)
    assert len(messages(office, one)) == 2, "the one on paper went after the day of the automatic one"
    browser = office.browser("manager")
    assert browser.post(f"{here}/reminder/withdraw", {}).status_code == 303
    assert [(row.kind, row.state) for row in messages(office, one)][1:] == [("paper", "withdrawn")]
    assert browser.post(f"{here}/reminder/withdraw", {}).status_code == 409
    assert list(check_account(office.database, office.account_id)) == []
    office.clock.advance(days=1)
    office.database.write(lambda tx: tenants.change(tx, office.caller, tenant, {"email": None}))
    again = choose(browser, "/invoices/reminded", chosen=[one.id])
    assert again.headers["location"].partition("?")[0] == here, "a person stays on the invoice's page"


def on_paper(page: str) -> list[str]:
    form = page.partition('<form id="on-paper" method="post" action="/invoices/pdf"')[2].partition("</form>")[0]
    return re.findall(r'name="chosen" value="(\w+)"', form)


@pytest.mark.parametrize("mail_held", [None, NO_SERVER])
def test_an_invoice_in_the_outbox_folder_is_reminded_of_only_into_it(
    migrated_sqlite_url: str, mail_held: str | None
) -> None:
    office = build_office(migrated_sqlite_url, mail_held=mail_held)
    (one,) = sent(office, "1")
    mail_id = messages(office, one)[-1].id
    office.database.write(lambda tx: deliveries.note_written(tx, office.account_id, mail_id, "outbox"))
    office.clock.advance(days=30)
    browser = office.browser("manager")
    set_status(office, one.id, "OVERDUE")
    page = browser.get(f"/invoices/{one.id}").text
    chosen = choose(browser, "/invoices/chosen", verb="remind", chosen=[one.id]).text
    if mail_held is None:
        assert "The invoice itself hasn’t reached this address. Send the invoice again instead." in page
        assert "1 gets no reminder: The invoice itself hasn’t reached this address." in chosen
    else:
        asked = browser.get(f"/invoices/{one.id}/do/remind").text
        assert "The invoice itself was only saved in the outbox folder, and not sent." in asked
        assert "1 of these invoices was only saved in the outbox folder, and not sent." in chosen
        says = "E-mail isn’t set up, so the tenant won’t get it. It is saved in the outbox folder "
        for page, does in ((asked, "Save a reminder to the outbox folder"), (chosen, "Save 1 to the outbox folder")):
            assert says in page
            assert f">{does}</button>" in page
            assert "Send" not in page.partition("<main")[2]
            assert "outbox</code>" in page
