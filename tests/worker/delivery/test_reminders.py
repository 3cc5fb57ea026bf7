"""Each reminder is sent once, on its day, until the invoice is paid."""

import re
import threading
import time
from datetime import date, timedelta

import pypdfium2
import pytest

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bulk import bulk
from prorata.actions.delivery import deliveries, dispute_ends, disputes, reminders
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import tenants
from prorata.errors import Conflict
from prorata.store.accounts import accounts
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.mailing import House, parsed


def mornings(house: House, number: int) -> list[tuple[date, str]]:
    """The dates and subjects of the reminders that the worker sends over some days."""
    seen: list[tuple[date, str]] = []
    before = len(house.outbox())
    for _ in range(number):
        house.work(days=1)
        house.work()
        sent = house.outbox()
        seen += [(house.clock().date(), str(message["Subject"])) for message in sent[before:]]
        before = len(sent)
    return seen


def test_each_reminder_is_sent_once_on_its_day_until_the_invoice_is_paid(house: House) -> None:
    house.wishes(days_before=(3,), days_after=(7, 14))
    house.set_status("SENT")
    house.work()
    due = date.fromisoformat(house.invoice.due_date or "")

    seen = mornings(house, 22)
    assert [day - due for day, _ in seen] == [timedelta(days=-3), timedelta(days=7)]
    house.set_status("PAID")
    assert mornings(house, 10) == []
    assert [row.kind for row in house.messages()] == ["invoice", "before_due", "overdue"]
    assert house.invoice.delivery == "written"


def test_an_invoice_that_is_only_a_file_is_not_reminded_of_by_a_mail_server(house: House) -> None:
    house.wishes(days_before=(3,), days_after=(7,))
    house.set_status("SENT")
    house.work()
    assert house.invoice.delivery == "written"
    with SmtpServer() as server:
        house.goes_through(server)
        assert mornings(house, 22) == []
        assert server.taken == []
    assert {row.state for row in house.messages() if row.kind != "invoice"} == {"withdrawn"}


def test_without_a_wish_nobody_is_reminded(house: House) -> None:
    house.set_status("SENT")
    house.work()
    assert mornings(house, 30) == []


def test_after_a_pause_one_reminder_goes_and_no_pile(house: House) -> None:
    house.wishes(days_before=(5, 3, 0), days_after=(2,))
    house.set_status("SENT")
    house.work()
    house.clock.forward(days=13)
    assert len(mornings(house, 1)) == 1


def test_a_reminder_that_waits_is_not_sent_once_the_invoice_is_paid(house: House) -> None:
    house.wishes(days_before=(3,))
    house.set_status("SENT")
    house.work()
    house.wishes(hold=60)
    mornings(house, 11)
    assert [row.state for row in house.messages()] == ["written", "queued"]
    house.set_status("PAID")
    house.work(hours=2)
    assert [row.state for row in house.messages()] == ["written", "withdrawn"]
    assert house.invoice.delivery == "written"


def test_two_sendings_on_two_days_are_reminded_each(house: House) -> None:
    house.wishes(days_before=(13,))
    house.set_status("SENT")
    house.work()
    mornings(house, 3)
    house.set_status("DRAFT")
    house.set_status("SENT")
    mornings(house, 3)
    assert [row.kind for row in house.messages()] == ["invoice", "before_due", "invoice", "before_due"]


def test_a_server_that_is_away_for_days_brings_one_reminder_and_a_true_one(house: House) -> None:
    house.wishes(days_before=(3, 0), days_after=(1, 2))
    with SmtpServer() as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
    with SmtpServer(Behaviour(rcpt="451 4.7.1 Later")) as server:
        house.goes_through(server)
        for _ in range(17):
            house.work(days=1)
            house.work()
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.work(hours=2)
        house.work(hours=2)
        subjects = [str(parsed(taken.content)["Subject"]) for taken in server.taken]
    assert len(subjects) == 1
    assert "verdue" in subjects[0]


def test_a_reminder_of_an_earlier_sending_is_not_sent_after_a_later_one(house: House) -> None:
    house.wishes(days_before=(3,), hold=24 * 60)
    house.set_status("SENT")
    house.work(days=1)
    house.work(days=10)
    assert [row.kind for row in house.messages()] == ["invoice", "before_due"]
    house.set_status("DRAFT")
    house.set_status("SENT")
    house.work(days=1)
    house.work()
    assert [(row.kind, row.state) for row in house.messages()] == [
        ("invoice", "written"),
        ("before_due", "withdrawn"),
        ("invoice", "written"),
    ]


def test_reminders_wait_for_the_morning(house: House) -> None:
    house.set_status("SENT")
    house.work()
    house.clock.moment = house.clock.moment.replace(hour=0, minute=30) + timedelta(days=12)
    house.wishes(days_before=(3,))
    house.work()
    assert [row.kind for row in house.messages()] == ["invoice"]
    house.work(hours=9)
    house.work()
    assert [row.kind for row in house.messages()] == ["invoice", "before_due"]


def test_two_workers_that_look_at_once_as_a_lease_was_lost_remind_once_and_neither_fails(house: House) -> None:
    house.wishes(days_before=(3,))
    house.set_status("SENT")
    house.work()
    house.clock.forward(days=12)
    database, account = house.landlord.database, house.landlord.read(accounts.find)
    assert account is not None
    looked, ends = threading.Event(), []

    def look(tx: Tx, *, slow: bool) -> None:
        reminders.remind_some(tx, account, reminders.BEGIN)
        looked.set()
        time.sleep(0.5 if slow else 0.0)

    def first() -> None:
        database.write(lambda tx: look(tx, slow=True))
        ends.append("first")

    worker = threading.Thread(target=first)
    worker.start()
    looked.wait(10)
    database.write(lambda tx: look(tx, slow=False))
    worker.join()
    assert ends == ["first"]
    assert [row.kind for row in house.messages()] == ["invoice", "before_due"]


def test_a_reminder_does_not_overtake_the_invoice_that_waits_for_its_time_of_day(house: House) -> None:
    house.wishes(days_before=(0,), days_after=(1,))
    house.landlord.do(account_actions.change_settings, Wishes(send_at="17:00", payment_terms=1))
    house.set_status("SENT")  # at 18:00, so that it leaves a day later, and is due on that day
    for _ in range(22):
        house.work(hours=1)
    assert [row.kind for row in house.messages()] == ["invoice"]
    for _ in range(20):
        house.work(hours=1)
    assert [(row.kind, row.state) for row in house.messages()] == [("invoice", "written"), ("overdue", "written")]


def test_nobody_is_reminded_of_an_invoice_that_could_not_be_sent_until_it_was(house: House) -> None:
    house.wishes(days_before=(3,))
    with SmtpServer(Behaviour(rcpt="550 5.1.1 No such user here")) as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.work(days=11)
        house.work(hours=1)
        assert server.taken == []
        house.retry()
        house.work()
        house.work(days=1)
        house.work()
        assert [row.kind for row in house.messages()] == ["invoice", "before_due"]
        assert len(server.taken) == 2


def test_nobody_is_reminded_at_an_address_from_which_the_invoice_came_back(house: House) -> None:
    house.wishes(days_before=(3, 0))
    house.set_status("SENT")
    house.work()
    house.report(house.messages()[0].id, "failed")
    assert mornings(house, 12) == []
    house.landlord.do(tenants.change, house.tenant.id, {"email": "new@example.org"})
    assert len(mornings(house, 2)) == 1


def test_a_reminder_that_waits_does_not_leave_before_the_invoice_that_is_sent_again(house: House) -> None:
    house.wishes(days_before=(3,))
    house.set_status("SENT")
    house.work()
    house.wishes(hold=60)
    mornings(house, 11)
    assert [row.state for row in house.messages()] == ["written", "queued"]
    house.landlord.do(deliveries.send_again, house.invoice.id)
    house.work(hours=2)
    assert [(row.kind, row.state) for row in house.messages()] == [
        ("invoice", "written"),
        ("before_due", "withdrawn"),
        ("invoice", "written"),
    ]


def disputed(house: House, amount: int) -> str:
    """Dispute an amount of the invoice's charge, and return the dispute's id."""
    (charge,) = house.landlord.read(lambda tx, account: invoices.charges(tx, account, [house.invoice.id]))
    opening = disputes.Opening(charge.id, amount, "Why?")
    return house.landlord.do(disputes.open_one, house.invoice.id, opening).id


def test_nobody_is_reminded_of_what_is_disputed_until_the_dispute_ends(house: House) -> None:
    house.wishes(days_after=(7,))
    house.set_status("SENT")
    house.work()
    dispute_id = disputed(house, 120_50)
    assert mornings(house, 22) == []
    assert house.invoice.status == "SENT"
    house.landlord.do(dispute_ends.resolve, dispute_id, "The meter is right.")
    house.work()
    assert house.invoice.status == "OVERDUE"
    assert len(mornings(house, 2)) == 1


def test_what_is_not_disputed_is_reminded_of_and_becomes_overdue(house: House) -> None:
    house.wishes(days_after=(7,))
    house.set_status("SENT")
    house.work()
    disputed(house, 120_49)
    assert len(mornings(house, 22)) == 1
    message = house.outbox()[-1]
    for form in ("plain", "html"):
        body = message.get_body((form,))
        assert body is not None
        said = " ".join(re.sub(r"<[^>]+>", " ", body.get_content()).split())
        assert "$0.01 is still to be paid. Please pay it" in said
        assert "The balance is $120.50; $120.49 of it is in dispute, and not asked for until that has ended." in said
        assert re.search(r"To pay:? \$0\.01 ", said)
        assert said.count("120.50") == 1, "the balance is told once, as what it is"
    (paper,) = message.iter_attachments()
    document = pypdfium2.PdfDocument(paper.get_content())
    printed = " ".join(document[0].get_textpage().get_text_range().split())
    document.close()
    assert "Pay $0.01 to" in printed
    assert "Balance $120.50 In dispute $120.49 To pay now $0.01" in printed
    assert house.invoice.status == "OVERDUE"


def test_a_refund_of_what_is_disputed_makes_a_paid_invoice_sent_and_not_overdue(house: House) -> None:
    house.set_status("SENT")
    house.landlord.do(payments.receive, house.invoice.id, Received(120_50, house.clock().date()))
    dispute_id = disputed(house, 120_50)
    house.work(days=30)
    day = house.clock().date()
    house.landlord.do(payments.receive, house.invoice.id, Received(120_50, day, kind="REFUND"))
    house.work()
    assert house.invoice.status == "SENT"
    house.landlord.do(payments.receive, house.invoice.id, Received(120_50, day))
    house.landlord.do(dispute_ends.resolve, dispute_id, "The meter is right.")
    house.landlord.do(payments.receive, house.invoice.id, Received(1, day, kind="REFUND"))
    assert house.invoice.status == "OVERDUE"


def test_a_reminder_that_waits_is_not_sent_once_all_of_the_balance_is_disputed(house: House) -> None:
    house.wishes(days_before=(3,))
    house.set_status("SENT")
    house.work()
    house.wishes(hold=60)
    mornings(house, 11)
    assert [row.state for row in house.messages()] == ["written", "queued"]
    disputed(house, 120_50)
    house.work(hours=2)
    assert [row.state for row in house.messages()] == ["written", "withdrawn"]


def test_a_reminder_asked_for_goes_through_the_same_job_and_stands_for_those_of_earlier_days(house: House) -> None:
    house.wishes(days_after=(2, 7))
    house.set_status("SENT")
    house.work()
    due = date.fromisoformat(house.invoice.due_date or "")
    house.clock.forward(days=(due - house.clock().date()).days + 3)
    house.landlord.do(bulk.begin, "remind", [house.invoice.id])
    house.work()
    assert "verdue" in str(house.outbox()[-1]["Subject"])
    seen = mornings(house, 10)
    assert [(day - due).days for day, _ in seen] == [7]
    house.landlord.do(bulk.begin, "remind", [house.invoice.id])
    with pytest.raises(Conflict, match="already created or handed over today"):
        house.landlord.do(bulk.begin, "remind", [house.invoice.id])
