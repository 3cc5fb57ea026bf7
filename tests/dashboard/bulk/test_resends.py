"""Resending failed e-mails together.

The member is asked first; each e-mail is sent once, and none is sent to an address that is still wrong.
"""

import pytest

from prorata.actions.bulk import bulk
from prorata.actions.delivery import deliveries
from prorata.actions.overview.consistency_checks import check_account
from prorata.actions.properties import tenants
from prorata.domain.mail.delivery_reports import DeliveryReport, RecipientReport
from prorata.errors import Conflict
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceSummary
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail.messages import MailRow
from prorata.store.properties import units
from tests.dashboard.billed import billed, listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.invoices.test_invoices import choose
from tests.dashboard.invoices.test_sending import seen_in

SERVER_WRONG = "The mail server mail.example could not be used: timed out. It was tried 240 times."
NO_SUCH_USER = "The mail server refused the recipient: 550 5.1.1 No such user here"


def messages(office: Office, one: InvoiceSummary) -> list[MailRow]:
    return office.database.read(lambda tx: deliveries.messages(tx, office.caller, one.id))


def fail(office: Office, one: InvoiceSummary, why: str) -> None:
    """Mark the e-mail of an invoice as failed, as the worker does."""

    def note(tx: Tx) -> None:
        (job,) = (
            job for job in stored_jobs.of_subject(tx, office.account_id, one.id) if job.state in ("waiting", "running")
        )
        deliveries.note_failed(tx, office.account_id, job.unique_key or "", why)
        stored_jobs.save(tx, [job._replace(state="failed", last_error=why, ended_at=tx.now)])

    office.database.write(note)


def come_back(office: Office, one: InvoiceSummary) -> None:
    report = DeliveryReport((RecipientReport("failed", diagnostic="No such user."),))
    mail_id = messages(office, one)[-1].id
    office.database.write(lambda tx: deliveries.note_report(tx, mail_id, report))


def arrive(office: Office, one: InvoiceSummary) -> None:
    mail_id = messages(office, one)[-1].id
    office.database.write(lambda tx: deliveries.note_taken(tx, office.account_id, mail_id, "250 taken"))


def correct(office: Office, one: InvoiceSummary) -> None:
    def change(tx: Tx) -> None:
        (tenant,) = units.tenants_of_unit(tx, office.account_id, one.unit_id)
        tenants.change(tx, office.caller, tenant.id, {"email": "right@example.org"})

    office.database.write(change)


def work(office: Office, location: str) -> None:
    """Run the bulk change at an address to its end, as the worker does."""
    bulk_id = location.rpartition("/")[2]
    while step := office.database.read(lambda tx: bulk.next_step(tx, office.account_id, bulk_id, most=7)):
        office.database.write(lambda tx, step=step: bulk.go_on(tx, office.account_id, step))  # type: ignore[misc]
    office.database.write(lambda tx: bulk.end(tx, office.account_id, bulk_id))


def sent(office: Office, *labels: str) -> list[InvoiceSummary]:
    made = billed(office, *labels)
    for one in made:
        set_status(office, one.id, "SENT")
    return made


def deliveries_of(office: Office) -> list[str | None]:
    return [one.delivery for one in listed(office)]


def test_what_failed_is_sent_again_together_after_asking(office: Office) -> None:
    one, two, three, four, five = sent(office, "1", "2", "3", "4", "5")
    fail(office, one, SERVER_WRONG)
    come_back(office, two)
    come_back(office, three)
    correct(office, three)
    arrive(office, four)
    fail(office, five, NO_SUCH_USER)
    browser = office.browser("manager")
    overview = browser.get("/?month=2026-02").text
    assert "The e-mails of 4 invoices didn’t arrive, or are only in the outbox folder." in overview
    page = browser.get("/invoices?only=undelivered").text
    assert "Or print the invoices and hand them over." in page
    assert "Print 4" in page
    assert "Send all 4 again" in page
    assert "Send all" not in office.browser("viewer").get("/invoices?only=undelivered").text
    asked = choose(browser, "/invoices/chosen", verb="send again", only="undelivered", all="true").text
    assert "Send the e-mails for 2 invoices again?" in asked
    assert (
        "Nothing is sent to Tenant 2 and Tenant 5, because the address is still the one that failed. Correct it."
        in asked
    )
    assert deliveries_of(office) == ["failed", "bounced", "bounced", "sent", "failed"], "nothing was done yet"
    yes = {"verb": "send again", "only": "undelivered", "all": "true", "seen": seen_in(asked)}
    begun = choose(browser, "/invoices/changes", **yes).headers["location"]
    done = browser.get(begun).text
    assert "2 of 4 invoices were queued to be e-mailed again; 2 were skipped." in done
    assert (
        "Tenant 2 still has the address that failed: t2@example.org. Correct the address, then send the invoice again."
    ) in done
    assert "2 e-mails have not been sent yet." in done
    assert "/undo" not in done
    assert deliveries_of(office) == ["queued", "bounced", "queued", "sent", "failed"]
    assert [row.to_address for row in messages(office, three)] == ["t3@example.org", "right@example.org"]
    assert [row.state for row in messages(office, one)] == ["withdrawn", "queued"]
    assert "had 4 invoices e-mailed again" in browser.get("/activity").text
    assert "E-mailed again" in browser.get("/invoices/changes").text
    assert list(check_account(office.database, office.account_id)) == []


def test_one_press_more_sends_nothing_twice(office: Office) -> None:
    (one,) = sent(office, "1")
    fail(office, one, SERVER_WRONG)
    browser = office.browser("manager")
    fields = {"verb": "send again", "chosen": [one.id]}
    seen = seen_in(choose(browser, "/invoices/chosen", **fields).text)
    assert choose(browser, "/invoices/changes", **fields, seen=seen).status_code == 303
    again = choose(browser, "/invoices/changes", **fields, seen=seen)
    assert again.status_code == 409
    assert "There is nothing to send again" in again.text
    arrive(office, one)
    assert choose(browser, "/invoices/changes", **fields).status_code == 409, "it has arrived"
    assert [row.state for row in messages(office, one)] == ["withdrawn", "sent"]
    bulk_id = office.database.read(lambda tx: bulk.latest(tx, office.caller, limit=1))[0].id
    with pytest.raises(Conflict):
        office.database.write(lambda tx: bulk.undo(tx, office.caller, bulk_id))
    assert choose(office.browser("viewer"), "/invoices/changes", **fields).status_code == 403
    assert choose(office.browser("stranger"), "/invoices/changes", **fields).status_code in (400, 409)


def test_many_are_sent_again_by_the_worker_each_once_however_often_it_is_asked(office: Office) -> None:
    made = sent(office, *(str(number) for number in range(1, 26)))
    for one in made:
        fail(office, one, SERVER_WRONG)
    browser = office.browser("manager")
    fields = {"verb": "send again", "only": "undelivered", "all": "true"}
    first, second = (choose(browser, "/invoices/changes", **fields).headers["location"] for _ in range(2))
    assert "0 of 25 done" in browser.get(first).text
    work(office, first)
    arrive(office, made[0])
    work(office, second)
    assert "25 of 25 invoices were queued to be e-mailed again." in browser.get(first).text
    assert "0 of 25 invoices were queued to be e-mailed again; 25 were skipped." in browser.get(second).text
    assert [len(messages(office, one)) for one in made] == [2] * 25
    assert [state for one in made[1:] for state in states_of(office, one) if state == "waiting"] == ["waiting"] * 24


def states_of(office: Office, one: InvoiceSummary) -> list[str]:
    jobs = office.database.read(lambda tx: stored_jobs.of_subject(tx, office.account_id, one.id))
    return [job.state for job in jobs]


def test_who_cannot_be_e_mailed_and_what_did_not_fail_is_said(quick_office: Office) -> None:
    one, two = sent(quick_office, "1", "2")
    fail(quick_office, one, SERVER_WRONG)
    browser = quick_office.browser("owner")

    def without_address(tx: Tx) -> None:
        (tenant,) = units.tenants_of_unit(tx, quick_office.account_id, one.unit_id)
        tenants.change(tx, quick_office.caller, tenant.id, {"email": None})

    quick_office.database.write(without_address)
    asked = choose(browser, "/invoices/chosen", verb="send again", chosen=[one.id, two.id]).text
    assert "There is nothing to send again" in asked
    assert "1 can’t be e-mailed, because the address is missing or the account sends no e-mail." in asked
    assert "1 has an e-mail that did not fail, and stays as it is." in asked
    gone = choose(browser, "/invoices/chosen", verb="send again", chosen=["inv_01kb1n3x6ve2hrrk0p1w4bqv2f"])
    assert gone.status_code == 400


def test_what_lies_in_the_outbox_is_sent_again_or_handed_over_together(office: Office) -> None:
    for one in (made := sent(office, "1", "2", "3")):
        mail_id = messages(office, one)[-1].id
        office.database.write(lambda tx, mail_id=mail_id: deliveries.note_written(tx, office.account_id, mail_id, "x"))  # type: ignore[misc]
    browser = office.browser("manager")
    said = choose(browser, "/invoices/chosen", verb="send", all="true").text
    assert "There is nothing to do" in said
    assert "The e-mails for 3 of them weren’t delivered. Choose “Send again…”, which sends the invoices as they" in said
    assert "saved in the outbox folder and reached nobody" in browser.get(f"/invoices/{made[0].id}").text
    page = browser.get("/invoices").text
    assert "Send again…" in page
    assert "Handed over…" in page
    given = {"verb": "hand over", "chosen": [made[0].id]}
    asked = choose(browser, "/invoices/chosen", **given).text
    assert "Was 1 invoice handed over?" in asked
    choose(browser, "/invoices/changes", **given, seen=seen_in(asked))
    assert deliveries_of(office) == ["handedOver", "written", "written"]
    every = {"verb": "send again", "all": "true"}
    asked = choose(browser, "/invoices/chosen", **every).text
    assert "Send the e-mails for 2 invoices again?" in asked
    choose(browser, "/invoices/changes", **every, seen=seen_in(asked))
    assert deliveries_of(office) == ["handedOver", "queued", "queued"]
