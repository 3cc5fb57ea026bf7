"""A message is handled correctly when its circumstances have changed.

It was refused, had to wait, or was accepted at a bad moment.
"""

import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

import pytest

from prorata.actions.bulk import bulk
from prorata.actions.delivery import deliveries
from prorata.actions.jobs import retries as job_retries
from prorata.actions.properties import properties, tenants
from prorata.adapters.mail.smtp import TIMEOUTS
from prorata.domain.mail.deliveries import MAIL
from prorata.errors import Conflict, Unavailable
from prorata.ports.mail import MailDelayed, MailOutcome, MailRefused, MailTaken, MailUnclear, unnoted
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs import jobs as stored_jobs
from prorata.worker.job_kinds import Lease
from prorata.worker.mail import AFTER_UNCLEAR, mail_kind
from tests.servers import free_port
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.mailing import House, link_url, parsed, tenant_links

Result = TypeVar("Result")
REFUSES = Behaviour(rcpt="550 5.1.1 No such user here")


def refused(house: House) -> None:
    with SmtpServer(REFUSES) as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
    assert house.invoice.delivery == "failed"


def addresses_written_to(house: House) -> list[str]:
    """The recipients of the messages that leave now."""
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        for _ in range(3):
            house.work(hours=1)
        return [taken.recipients[0] for taken in server.taken]


def test_a_message_that_waits_says_why(house: House) -> None:
    house.goes_through(free_port())
    house.set_status("SENT")
    assert [(row.state, row.said) for row in house.messages()] == [("queued", None)]
    house.work()
    ((state, said),) = [(row.state, row.said) for row in house.messages()]
    assert (state, "nothing is listening on its port" in str(said)) == ("queued", True)
    house.set_status("DRAFT")
    assert [(row.state, row.said) for row in house.messages()] == [("withdrawn", None)]


def test_a_message_that_failed_goes_to_the_corrected_address_when_it_is_tried_again(house: House) -> None:
    refused(house)
    house.landlord.do(tenants.change, house.tenant.id, {"email": "right@example.org"})
    house.retry()
    assert addresses_written_to(house) == ["right@example.org"]
    assert (house.invoice.tenant_email, house.invoice.delivery) == ("right@example.org", "sent")


def test_sending_again_puts_an_end_to_the_message_that_failed(house: House) -> None:
    refused(house)
    house.landlord.do(tenants.change, house.tenant.id, {"email": "right@example.org"})
    house.landlord.do(deliveries.send_again, house.invoice.id)
    assert [(row.kind, row.state) for row in house.messages()] == [("invoice", "withdrawn"), ("invoice", "queued")]
    assert [job.state for job in house.jobs()] == ["cancelled", "waiting"]
    assert addresses_written_to(house) == ["right@example.org"]


def test_sending_again_in_bulk_reaches_a_tenant_once_for_all_presses(house: House) -> None:
    with SmtpServer(Behaviour(rcpt="550 5.7.1 Relaying denied")) as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
    assert house.invoice.delivery == "failed"
    for _ in range(2):
        with contextlib.suppress(Conflict):
            house.landlord.do(bulk.begin, "send again", [house.invoice.id])
    assert addresses_written_to(house) == ["zoe@example.org"]
    with pytest.raises(Conflict):
        house.landlord.do(bulk.begin, "send again", [house.invoice.id])


def test_sending_again_in_bulk_leaves_an_address_alone_that_does_not_exist(house: House) -> None:
    refused(house)
    with pytest.raises(Conflict):
        house.landlord.do(bulk.begin, "send again", [house.invoice.id])
    house.landlord.do(tenants.change, house.tenant.id, {"email": "right@example.org"})
    house.landlord.do(bulk.begin, "send again", [house.invoice.id])
    assert addresses_written_to(house) == ["right@example.org"]


def test_all_that_failed_are_tried_again_by_a_job_and_arrive_once(house: House) -> None:
    with SmtpServer(Behaviour(rcpt="550 5.7.1 Relaying denied")) as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
    assert house.landlord.do(job_retries.begin, MAIL) == 1
    assert addresses_written_to(house) == ["zoe@example.org"]
    with pytest.raises(Conflict):
        house.landlord.do(job_retries.begin, MAIL)


def test_an_invoice_taken_back_and_sent_anew_leaves_nothing_of_its_old_sums(house: House) -> None:
    refused(house)
    house.set_status("DRAFT")
    assert house.invoice.delivery is None
    house.landlord.bill(house.maple, 79_50)
    house.set_status("SENT")
    assert addresses_written_to(house) == ["zoe@example.org"]
    assert [row.state for row in house.messages()] == ["withdrawn", "sent"]


def test_an_address_changed_during_the_hold_is_the_one_written_to(house: House) -> None:
    house.wishes(hold=60)
    house.set_status("SENT")
    house.landlord.do(tenants.change, house.tenant.id, {"email": "new@example.org"})
    assert addresses_written_to(house) == ["new@example.org"]
    assert house.invoice.tenant_email == "new@example.org"


def test_an_address_taken_away_during_the_hold_leaves_the_invoice_to_be_handed_over(house: House) -> None:
    house.wishes(hold=60)
    house.set_status("SENT")
    house.landlord.do(tenants.change, house.tenant.id, {"email": None})
    assert addresses_written_to(house) == []
    assert house.invoice.delivery == "handOver"


@pytest.mark.parametrize("waits", ["in its hold", "for a server", "for a person"])
def test_mail_switched_off_stops_what_waits_and_leaves_it_to_be_handed_over(house: House, waits: str) -> None:
    house.wishes(hold=60 if waits == "in its hold" else 0)
    if waits == "for a person":
        refused(house)
    else:
        house.goes_through(1)  # nothing listens there
        house.set_status("SENT")
        house.work()
    house.wishes(on=False)
    if waits == "for a person":
        house.retry()
    assert addresses_written_to(house) == []
    assert (house.invoice.delivery, [row.state for row in house.messages()]) == ("handOver", ["withdrawn"])


def test_mail_switched_off_stops_reminders_that_wait(house: House) -> None:
    house.wishes(days_before=(3,))
    house.set_status("SENT")
    house.work()
    house.wishes(hold=60)
    house.work(days=11)
    house.work(hours=0)
    assert [row.state for row in house.messages()] == ["written", "queued"]
    house.wishes(on=False)
    assert addresses_written_to(house) == []
    assert (house.invoice.delivery, [row.state for row in house.messages()]) == ("written", ["written", "withdrawn"])


@pytest.mark.parametrize(
    ("steps", "shown"),
    [
        (("PAID",), None),
        (("PAID", "SENT"), "handOver"),
        (("SENT", "PAID", "SENT"), "handOver"),
        (("SENT", "PAID", "DRAFT"), None),
        (("OVERDUE",), "handOver"),
        (("PAID", "SENT", "DRAFT"), None),
        (("PAID", "SENT", "CANCELLED"), None),
        (("CANCELLED", "SENT"), "queued"),
    ],
)
def test_an_invoice_says_in_every_status_whether_somebody_has_to_take_it_to_the_tenant(
    house: House, steps: tuple[str, ...], shown: str | None
) -> None:
    for status in steps:
        house.set_status(status)
    assert house.invoice.delivery == shown


def test_paying_takes_back_a_message_that_waits_also_when_the_clock_made_it_overdue(house: House) -> None:
    with SmtpServer(Behaviour(rcpt="451 4.7.1 Later")) as server:
        house.goes_through(server)
        house.set_status("SENT")
        for _ in range(20):
            house.work(days=1)
    assert (house.invoice.status, house.invoice.delivery) == ("OVERDUE", "queued")
    house.set_status("PAID")
    assert addresses_written_to(house) == []


def test_a_sender_that_was_set_anew_is_on_what_is_tried_again(house: House) -> None:
    with SmtpServer(Behaviour(rcpt="451 4.7.1 Later")) as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
    house.environment["PRORATA_MAIL_FROM"] = "office@example.net"
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.work(hours=2)
        (taken,) = server.taken
    assert b"office@example.net" in taken.content.split(b"\r\n\r\n")[0]
    assert b"@example.net>" in taken.content[taken.content.index(b"Message-ID:") :][:120]


def test_mail_that_is_held_uses_up_no_attempt_and_is_not_written(house: House) -> None:
    house.environment["PRORATA_SMTP_URL"] = "smtp://mail.example.com?tls=off"
    house.set_status("SENT")
    for _ in range(50):
        house.work(minutes=10)
    (job,) = house.jobs()
    assert (job.state, job.attempts) == ("waiting", 0)
    assert "PRORATA_BASE_URL" in (job.last_error or "")


def test_the_date_of_a_message_is_when_it_was_written_at_its_first_try(house: House) -> None:
    house.wishes(hold=60)
    house.set_status("SENT")
    with SmtpServer(Behaviour(drops="after_dot")) as server:
        house.goes_through(server)
        house.work(hours=3)
        (first,) = server.taken
    assert parsed(first.content)["Date"].datetime == house.clock().replace(microsecond=0)
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.work(hours=1)
        assert [taken.content for taken in server.taken] == [first.content]


def test_who_may_have_taken_a_message_is_given_the_time_of_a_whole_conversation_to_say_so() -> None:
    assert AFTER_UNCLEAR.total_seconds() > TIMEOUTS.whole


def test_the_pdf_as_sent_is_that_of_a_message_a_server_has_taken(house: House) -> None:
    refused(house)
    with pytest.raises(Conflict):
        house.landlord.see(deliveries.pdf_as_sent, house.invoice.id)
    house.retry()
    addresses_written_to(house)
    kept = house.landlord.see(deliveries.pdf_as_sent, house.invoice.id)
    house.landlord.do(deliveries.send_again, house.invoice.id)
    assert house.landlord.see(deliveries.pdf_as_sent, house.invoice.id) == kept


def test_a_bounce_that_came_before_the_answer_keeps_its_reason(house: House) -> None:
    house.set_status("SENT")
    (row,) = house.messages()
    house.report(row.id, "failed")
    house.landlord.run(lambda tx: deliveries.note_taken(tx, row.account_id, row.id, "250 OK"))
    (after,) = house.messages()
    assert (after.state, after.said) == ("bounced", "No such user.")


class BusyAtFirst:
    """A database that is too busy for two writes after a server accepted the message."""

    def __init__(self, database: Database, mailer: "Counting") -> None:
        self._database = database
        self._mailer = mailer
        self._times = 2

    def __getattr__(self, name: str) -> object:
        return getattr(self._database, name)

    def write(self, work: Callable[[Tx], Result]) -> Result:
        if self._mailer.sent and self._times:
            self._times -= 1
            raise Unavailable("Too many changes at once.")
        return self._database.write(work)


class Counting:
    """A mailer that accepts every message and records its recipient."""

    why_held: str | None = None

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(
        self, _envelope_from: str, recipient: str, _message: bytes, _go_out: Callable[[], None] = unnoted
    ) -> MailOutcome:
        self.sent.append(recipient)
        return MailTaken("250 OK")


@pytest.mark.thorough
def test_a_database_that_is_busy_when_a_server_has_taken_a_message_is_waited_for(house: House) -> None:
    from prorata.adapters.delivery.mail_writer import LetterWriter
    from prorata.adapters.printing.pdf import TypstPrinter
    from prorata.domain.mail_addresses import read_address
    from prorata.worker.job_kinds import as_job

    mailer = Counting()
    writer = LetterWriter(read_address("bills@example.com"), TypstPrinter())
    kind = mail_kind(mailer, writer, link_url, tenant_links)
    house.set_status("SENT")
    (job,) = house.jobs()
    database = BusyAtFirst(house.landlord.database, mailer)
    kind.handler(as_job(job), database, Lease(threading.Event()))  # type: ignore[arg-type]
    assert (mailer.sent, house.invoice.delivery) == (["zoe@example.org"], "sent")
    house.work()
    assert [one.state for one in house.jobs()] == ["done"]
    assert house.outbox() == []


class TakenBack(Counting):
    """A mailer that answers just after a member has taken the invoice back."""

    def __init__(self, house: House, answer: MailOutcome) -> None:
        super().__init__()
        self._house = house
        self._answer = answer

    def send(
        self, _envelope_from: str, _recipient: str, _message: bytes, _go_out: Callable[[], None] = unnoted
    ) -> MailOutcome:
        self._house.set_status("DRAFT")
        return self._answer


@pytest.mark.parametrize(
    "answer", [MailRefused("No such user."), MailDelayed("Greylisted."), MailUnclear("Its answer never came.")]
)
def test_the_job_of_a_message_taken_back_during_its_last_try_has_not_failed(house: House, answer: MailOutcome) -> None:
    house.takes_mail(TakenBack(house, answer), attempts=1)
    house.set_status("SENT")
    house.work()
    assert [job.state for job in house.jobs()] == ["done"]
    assert [row.state for row in house.messages()] == ["withdrawn"]


def test_a_message_that_is_written_is_tried_again_without_reading_its_month(house: House) -> None:
    with SmtpServer(Behaviour(rcpt="451 4.7.1 Later")) as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
    (row,) = house.messages()
    again = house.landlord.read(deliveries.outgoing, row.id, lambda _message: True)
    anew = house.landlord.read(deliveries.outgoing, row.id, lambda _message: False)
    assert again is not None
    assert anew is not None
    assert (again.invoice, again.message) == (None, anew.message)
    assert anew.invoice is not None


def test_nothing_of_a_deleted_property_is_left_in_its_jobs(house: House) -> None:
    refused(house)
    (job,) = house.jobs()
    house.landlord.run(lambda tx: properties.remove(tx, house.landlord.caller, house.maple.id, house.landlord.archive))
    assert house.landlord.read(stored_jobs.find, job.id) is None
