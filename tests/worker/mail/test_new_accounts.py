"""Limits and delays for the mail that a self-opened account sends to others."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.delivery import deliveries, tenant_questions
from prorata.actions.mail.allowances import Wait
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.domain.mail.allowances import ENOUGH_TODAY, NOT_CONFIRMED
from prorata.store.accounts import members
from prorata.store.database.engine import Database, Tx
from prorata.store.database.statements import changes
from prorata.store.mail import messages as stored, quota as mail_days
from prorata.store.schema.tables import account
from prorata.worker.job_kinds import Later, Lease, as_job
from tests.people import set_confirmed
from tests.worker.mailing import House

Result = TypeVar("Result")
_CAP = changes(account.update().values(mail_capped_until="2026-03-17T00:00:00.000Z"))


def confirm(house: House, at: str | None) -> None:
    def work(tx: Tx) -> None:
        (owner,) = members.all_of(tx, house.landlord.account.id)
        set_confirmed(tx, owner.id, at)

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
    for _ in range(MOST_MAIL_A_DAY):
        house.landlord.run(lambda tx: mail_days.take(tx, house.landlord.account.id, "2026-03-10", MOST_MAIL_A_DAY))
    house.set_status("SENT")
    house.work()
    (job,) = house.jobs()
    assert (job.state, job.due_at) == ("waiting", "2026-03-11T00:00:00.000Z")
    assert f"{MOST_MAIL_A_DAY} messages a day" in str(job.last_error)
    house.work(hours=6)
    assert len(house.outbox()) == 1
    house.landlord.do(deliveries.send_again, house.invoice.id)
    house.work()
    assert len(house.outbox()) == 2


def test_a_question_that_comes_when_the_day_is_full_is_mailed_after_midnight_and_counts_then(house: House) -> None:
    account = house.landlord.account
    house.landlord.do(accounts.change_settings, Wishes(contact="office@example.com"))
    house.set_status("SENT")
    house.work()
    house.landlord.run(lambda tx: tx.run(_CAP))
    for _ in range(MOST_MAIL_A_DAY):
        house.landlord.run(lambda tx: mail_days.take(tx, account.id, "2026-03-10", MOST_MAIL_A_DAY))
    link = TenantLink(account.id, house.invoice.id, 1, house.clock.moment.date())
    house.landlord.run(lambda tx: tenant_questions.ask(tx, link, "Why so much?"))
    house.work()
    assert len(house.outbox()) == 1, "the invoice alone"
    house.work(hours=6)
    (question,) = (one for one in house.outbox() if str(one["Subject"]).startswith("Question"))
    assert question["To"] == "office@example.com"
    house.work()
    assert len(house.outbox()) == 2
    assert house.landlord.read(mail_days.number, "2026-03-11") == 1


class Killed(BaseException):
    """The error that stands for a killed process."""


class KilledAt:
    """A database whose process is killed during the write with a given number.

    Nothing of that write is left.
    """

    def __init__(self, database: Database, number: int) -> None:
        self._database = database
        self._left = number

    def __getattr__(self, name: str) -> object:
        return getattr(self._database, name)

    def write(self, work: Callable[[Tx], Result]) -> Result:
        self._left -= 1

        def killed(tx: Tx) -> Result:
            done = work(tx)
            if self._left == 0:
                raise Killed
            return done

        return self._database.write(killed)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_message_is_counted_once_though_its_worker_is_killed(house: House, number: int) -> None:
    house.landlord.run(lambda tx: tx.run(_CAP))
    house.set_status("SENT")
    kind = next(kind for kind in house.kinds if kind.name == "mail")
    with suppress(Killed):
        kind.handler(as_job(house.jobs()[0]), KilledAt(house.landlord.database, number), Lease(threading.Event()))  # type: ignore[arg-type]
    house.work()
    assert len(house.outbox()) == 1
    account, left = house.landlord.account.id, 0
    while house.landlord.database.write(lambda tx: mail_days.take(tx, account, "2026-03-10", MOST_MAIL_A_DAY)):
        left += 1
    assert MOST_MAIL_A_DAY - left == 1


def test_a_message_that_may_not_leave_is_not_read(house: House) -> None:
    confirm(house, None)
    house.set_status("SENT")
    (row,) = house.messages()
    (job,) = house.jobs()
    kind = next(kind for kind in house.kinds if kind.name == "mail")
    database = ReadsOnly(house.landlord.database)
    ended = kind.handler(as_job(job), database, Lease(threading.Event()))  # type: ignore[arg-type]
    assert isinstance(ended, Later)
    assert ended.why == NOT_CONFIRMED
    assert house.landlord.read(stored.message, row.id) is None


class ReadsOnly:
    """A database that allows neither writes nor snapshots, so that no invoice can be read."""

    def __init__(self, database: Database) -> None:
        self.clock = database.clock
        self.read = database.read


def test_beyond_the_days_number_no_message_is_written_and_each_goes_later(house: House) -> None:
    house.landlord.run(lambda tx: tx.run(_CAP))
    for _ in range(MOST_MAIL_A_DAY):
        house.landlord.run(lambda tx: mail_days.take(tx, house.landlord.account.id, "2026-03-10", MOST_MAIL_A_DAY))
    house.set_status("SENT")
    kind = next(kind for kind in house.kinds if kind.name == "mail")
    database = ReadsOnly(house.landlord.database)
    ended = kind.handler(as_job(house.jobs()[0]), database, Lease(threading.Event()))  # type: ignore[arg-type]
    assert isinstance(ended, Later)
    assert ended.why == ENOUGH_TODAY


def test_the_last_message_of_a_day_is_one_of_two_that_are_written_at_once(house: House) -> None:
    house.landlord.run(lambda tx: tx.run(_CAP))
    house.set_status("SENT")
    (row,) = house.messages()
    account = house.landlord.account.id
    found = house.landlord.read(deliveries.outgoing, row.id, lambda _message: True)
    assert found is not None
    for _ in range(MOST_MAIL_A_DAY):
        house.landlord.run(lambda tx: mail_days.take(tx, account, "2026-03-10", MOST_MAIL_A_DAY))
    kept = house.landlord.database.write(lambda tx: deliveries.keep(tx, found, message=b"a", pdf=b"b"))
    assert isinstance(kept, Wait)
    assert house.landlord.read(stored.message, row.id) is None


def test_a_person_who_takes_back_a_message_that_may_not_leave_yet_ends_its_job(house: House) -> None:
    confirm(house, None)
    house.set_status("SENT")
    house.work()
    house.set_status("DRAFT")
    house.work(minutes=5)
    assert [job.state for job in house.jobs()] == ["cancelled"]
