"""Undeliverable messages need attention until a person mends or dismisses them."""

from collections.abc import Callable

import pytest

from prorata.actions.delivery import receipts, rule_announcements
from prorata.actions.delivery.receipts import Paid
from prorata.actions.invoices import final_invoices
from prorata.actions.overview import job_lists, overview
from prorata.actions.overview.job_lists import Kinds, ShownJob, Wish
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.privacy import erasing
from prorata.actions.privacy.erasing import NothingOutside
from prorata.actions.privacy.read_files import read_files
from prorata.actions.properties import tenants
from prorata.actions.splitting import share_rules
from prorata.adapters.files.named_files import NamedFiles
from prorata.adapters.locale_forms import LocaleForms
from prorata.domain.jobs.jobs import DAYS_KEPT
from prorata.store.jobs import jobs as stored_jobs
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.mailing import House

REFUSED = Behaviour(rcpt="550 5.1.1 No such user here")


def announce(house: House) -> None:
    house.landlord.change_unit(house.unit, sqft="400")
    wanted = house.landlord.terms("SQFT")
    house.landlord.do(share_rules.set_terms, house.maple.id, "WATER", wanted, since="2026-06")
    (one,) = house.landlord.see(rule_announcements.of_property, house.maple.id).coming
    house.landlord.do(rule_announcements.announce, house.maple.id, one.change.mark, LocaleForms)


def send_final_invoice(house: House) -> None:
    house.landlord.do(tenants.change, house.tenant.id, {"move_out": "2026-02-20"})
    house.landlord.do(final_invoices.send, house.tenant.id)


def confirm_a_payment(house: House) -> None:
    house.set_status("SENT")
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.work()
    invoice, today = house.invoice, house.clock().date()
    entry = house.landlord.do(payments.receive, invoice.id, Received(invoice.total, today))
    house.landlord.run(lambda tx: receipts.queue(tx, house.landlord.account.id, [Paid(invoice.id, entry)]))


SENDERS = pytest.mark.parametrize(
    ("send", "is_of_an_invoice"), [(announce, False), (send_final_invoice, True), (confirm_a_payment, False)]
)


def work_through(house: House, behaviour: Behaviour) -> int:
    """Let the worker send through a mail server; the number of messages that it took."""
    with SmtpServer(behaviour) as server:
        house.goes_through(server)
        house.work(hours=1)
        return len(server.taken)


def waiting(house: House) -> dict[str, int]:
    """The kinds and numbers of mail problems that need attention."""
    items = house.landlord.see(overview.of_month).attention
    return {item.kind: item.number for item in items if item.kind in ("jobsFailed", "mailFailed")}


def latest_message(house: House) -> str:
    """The id of the message that the last job sent."""
    done = house.landlord.see(job_lists.page, kinds_of(house), Wish("done", kind="mail")).jobs
    job = house.landlord.read(stored_jobs.find, done[0].id)
    assert job is not None
    assert job.unique_key is not None
    return job.unique_key


def failed(house: House) -> list[ShownJob]:
    return house.landlord.see(job_lists.page, kinds_of(house), Wish("failed")).jobs


def kinds_of(house: House) -> Kinds:
    return {kind.name: kind for kind in house.kinds}


@SENDERS
def test_a_message_whose_address_is_refused_is_a_failed_task(
    house: House, send: Callable[[House], None], is_of_an_invoice: bool
) -> None:
    send(house)
    assert work_through(house, REFUSED) == 0
    assert waiting(house) == {"jobsFailed": 1} | ({"mailFailed": 1} if is_of_an_invoice else {})


@SENDERS
def test_so_is_one_that_comes_back_but_for_an_invoice_which_says_so_itself(
    house: House, send: Callable[[House], None], is_of_an_invoice: bool
) -> None:
    send(house)
    assert work_through(house, Behaviour()) == 1
    assert waiting(house) == {}
    mail_id = latest_message(house)
    house.report(mail_id, "failed")
    assert waiting(house) == ({"mailFailed": 1} if is_of_an_invoice else {"jobsFailed": 1})
    house.report(mail_id, "failed")
    assert len(failed(house)) == (not is_of_an_invoice), "servers repeat themselves"
    house.landlord.sound()
    house.report(mail_id, "delivered")
    assert waiting(house) == {}


def test_a_receipt_that_came_back_goes_to_the_corrected_address_or_is_dismissed(house: House) -> None:
    confirm_a_payment(house)
    work_through(house, Behaviour())
    house.report(latest_message(house), "failed")
    (task,) = failed(house)
    assert task.happened == "The e-mail to zoe@example.org came back: No such user."
    house.landlord.do(tenants.change, house.tenant.id, {"email": "zoe.right@example.org"})
    house.landlord.do(job_lists.retry, kinds_of(house), task.id)
    house.landlord.sound()
    assert work_through(house, Behaviour()) == 1
    assert (house.messages()[-1].state, house.messages()[-1].to_address) == ("sent", "zoe.right@example.org")
    assert waiting(house) == {}
    house.report(latest_message(house), "failed")
    house.landlord.do(job_lists.cancel, kinds_of(house), failed(house)[0].id)
    assert waiting(house) == {}


@pytest.mark.parametrize("action", ["failed", "delayed"])
def test_a_report_that_is_repeated_does_not_stop_a_message_that_goes_again(house: House, action: str) -> None:
    confirm_a_payment(house)
    work_through(house, Behaviour())
    mail_id = latest_message(house)
    house.report(mail_id, "failed")
    (task,) = failed(house)
    house.landlord.do(tenants.change, house.tenant.id, {"email": "zoe.right@example.org"})
    house.landlord.do(job_lists.retry, kinds_of(house), task.id)
    house.report(mail_id, action)
    assert waiting(house) == {}
    assert work_through(house, Behaviour()) == 1
    assert (house.messages()[-1].state, house.messages()[-1].to_address) == ("sent", "zoe.right@example.org")
    house.landlord.sound()


def test_a_copy_that_arrived_after_all_is_not_sent_once_more(house: House) -> None:
    confirm_a_payment(house)
    work_through(house, Behaviour())
    mail_id = latest_message(house)
    house.report(mail_id, "failed")
    house.landlord.do(job_lists.retry, kinds_of(house), failed(house)[0].id)
    house.report(mail_id, "delivered")
    assert work_through(house, Behaviour()) == 0
    assert house.messages()[-1].state == "delivered"


def test_a_report_on_a_second_copy_whose_answer_never_came_ends_its_tries(house: House) -> None:
    confirm_a_payment(house)
    work_through(house, Behaviour())
    mail_id = latest_message(house)
    house.report(mail_id, "failed")
    house.landlord.do(job_lists.retry, kinds_of(house), failed(house)[0].id)
    work_through(house, Behaviour(drops="after_dot"))
    house.report(mail_id, "failed")
    assert waiting(house) == {"jobsFailed": 1}
    assert work_through(house, Behaviour()) == 0


def test_a_message_that_comes_back_after_its_job_was_deleted_is_a_failed_task_too(house: House) -> None:
    confirm_a_payment(house)
    work_through(house, Behaviour())
    mail_id = latest_message(house)
    house.work(days=DAYS_KEPT + 2)
    house.work(days=1)
    assert not house.landlord.read(stored_jobs.of_subject, house.invoice.id)
    house.report(mail_id, "failed")
    assert waiting(house) == {"jobsFailed": 1}
    house.landlord.sound()
    house.landlord.do(job_lists.retry, kinds_of(house), failed(house)[0].id)
    assert work_through(house, Behaviour()) == 1
    assert waiting(house) == {}


def test_so_is_one_that_comes_back_after_a_report_of_its_delay(house: House) -> None:
    confirm_a_payment(house)
    work_through(house, Behaviour(drops="after_dot"))
    (job,) = (job for job in house.jobs() if job.state == "waiting")
    house.report(job.unique_key or "", "delayed")
    house.report(job.unique_key or "", "failed")
    assert waiting(house) == {"jobsFailed": 1}


def test_an_announcement_that_came_back_is_no_task_once_it_goes_to_another_address(house: House) -> None:
    announce(house)
    work_through(house, Behaviour())
    house.report(latest_message(house), "failed")
    house.landlord.do(tenants.change, house.tenant.id, {"email": "zoe.right@example.org"})
    (one,) = house.landlord.see(rule_announcements.of_property, house.maple.id).coming
    assert waiting(house) == {"jobsFailed": 1}
    house.landlord.do(rule_announcements.announce, house.maple.id, one.change.mark, LocaleForms)
    assert waiting(house) == {}
    assert work_through(house, Behaviour()) == 1


def test_a_failed_task_of_a_tenant_who_is_erased_goes_with_the_message_for_good(house: House) -> None:
    confirm_a_payment(house)
    work_through(house, Behaviour())
    mail_id = latest_message(house)
    house.report(mail_id, "failed")
    landlord = house.landlord
    landlord.do(tenants.change, house.tenant.id, {"move_out": "2026-02-28"})
    read = read_files(landlord.database, landlord.caller, house.tenant.id, NamedFiles())
    landlord.do(erasing.erase, house.tenant.id, NothingOutside(), read)
    assert waiting(house) == {}
    house.report(mail_id, "failed")
    assert waiting(house) == {}
    assert house.messages()[-1].said is None, "the server's reply may name the tenant"
