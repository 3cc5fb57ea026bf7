"""What an account that somebody opened for themselves may mail to others, and when."""

from prorata.actions import deliveries
from prorata.domain.mail_allowances import MOST_A_DAY
from prorata.store import mail_days, members
from prorata.store.engine import Tx
from prorata.store.statements import changes
from prorata.store.tables import account
from tests.worker.mailing import House

_CAP = changes(account.update().values(mail_capped_until="2026-03-17T00:00:00.000Z"))


def confirm(house: House, at: str | None) -> None:
    def work(tx: Tx) -> None:
        (owner,) = members.all_of(tx, house.landlord.account.id)
        members.save(tx, owner._replace(verified_at=at))

    house.landlord.run(work)


def test_mail_waits_until_the_owners_address_is_confirmed_and_says_so(house: House) -> None:
    confirm(house, None)
    house.set_status("SENT")
    house.work()
    house.work(days=1)
    (job,) = house.jobs()
    assert (job.state, job.attempts) == ("waiting", 0)
    assert "not confirmed yet" in str(job.last_error)
    assert house.outbox() == []
    confirm(house, "2026-03-11T18:00:00.000Z")
    house.work(minutes=5)
    assert len(house.outbox()) == 1


def test_mail_beyond_what_a_new_account_sends_a_day_goes_after_midnight(house: House) -> None:
    house.landlord.run(lambda tx: tx.run(_CAP))
    for _ in range(MOST_A_DAY):
        house.landlord.run(lambda tx: mail_days.take(tx, house.landlord.account.id, "2026-03-10", MOST_A_DAY))
    house.set_status("SENT")
    house.work()
    (job,) = house.jobs()
    assert (job.state, job.due_at) == ("waiting", "2026-03-11T00:00:00.000Z")
    assert f"{MOST_A_DAY} messages a day" in str(job.last_error)
    house.work(hours=6)
    assert len(house.outbox()) == 1
    house.landlord.do(deliveries.send_again, house.invoice.id)
    house.work()
    assert len(house.outbox()) == 2
