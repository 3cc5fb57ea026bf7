"""Reminders: each once, on its day, until the invoice is paid."""

from datetime import date, timedelta

from tests.worker.mailing import House


def mornings(house: House, number: int) -> list[tuple[date, str]]:
    """The days on which a reminder was sent, and its subject, over some days with a worker at work."""
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
    assert house.invoice.email_status == "sent"


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
    assert [row.state for row in house.messages()] == ["sent", "queued"]
    house.set_status("PAID")
    house.work(hours=2)
    assert [row.state for row in house.messages()] == ["sent", "withdrawn"]
    assert house.invoice.delivery == "sent"


def test_two_sendings_on_two_days_are_reminded_each(house: House) -> None:
    house.wishes(days_before=(13,))
    house.set_status("SENT")
    house.work()
    mornings(house, 3)
    house.set_status("DRAFT")
    house.set_status("SENT")
    mornings(house, 3)
    assert [row.kind for row in house.messages()] == ["invoice", "before_due", "invoice", "before_due"]
