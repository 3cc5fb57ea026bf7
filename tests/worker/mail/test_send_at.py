"""The time of day at which an account sends its invoices."""

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.delivery import deliveries
from tests.worker.mailing import House


def settings(house: House, **wishes: object) -> None:
    house.landlord.do(accounts.change_settings, Wishes(**wishes))  # type: ignore[arg-type]


def due(house: House) -> list[str]:
    return [job.due_at for job in house.jobs()]


def test_an_invoice_set_to_sent_leaves_at_the_accounts_time_of_day(house: House) -> None:
    settings(house, timezone="America/Chicago", send_at="09:30")
    house.set_status("SENT")
    assert due(house) == ["2026-03-11T14:30:00.000Z"]
    house.work(hours=20, minutes=29)
    assert house.outbox() == []
    house.work(minutes=1)
    assert len(house.outbox()) == 1


def test_the_hold_comes_first_and_then_the_time_of_day(house: House) -> None:
    settings(house, send_at="18:10", mail_hold=10)
    house.set_status("SENT")
    assert due(house) == ["2026-03-10T18:10:00.000Z"]
    settings(house, mail_hold=11)
    house.set_status("DRAFT")
    house.set_status("SENT")
    assert due(house)[-1] == "2026-03-11T18:10:00.000Z"


def test_taking_it_back_before_its_time_withdraws_it(house: House) -> None:
    settings(house, send_at="09:30")
    house.set_status("SENT")
    house.set_status("DRAFT")
    house.work(days=1)
    assert house.outbox() == []


def test_what_is_sent_again_does_not_wait_for_the_time_of_day(house: House) -> None:
    house.set_status("SENT")
    house.work()
    settings(house, send_at="09:30")
    house.landlord.do(deliveries.send_again, house.invoice.id)
    assert due(house)[-1] == house.landlord.clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
