"""Tests of an invoice's e-mail: its sending, a real mail server, and the server's reports."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from prorata.actions.delivery import deliveries
from prorata.actions.jobs import jobs
from prorata.actions.overview.consistency_checks import check_account
from prorata.actions.properties import properties, tenants
from prorata.adapters.mail.delivery_reports import read_report
from prorata.domain.mail.delivery_reports import WITHOUT_A_REASON
from prorata.domain.mail_addresses import read_return_address
from prorata.errors import Conflict, NotFound
from prorata.store.database.statements import changes
from prorata.store.mail import messages as stored
from tests.servers import free_port
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.mailing import SENDER, House, parsed, pdf_in

REPORTS = Path(__file__).parents[2] / "adapters" / "delivery_reports"


@pytest.fixture
def server() -> Iterator[SmtpServer]:
    with SmtpServer(Behaviour()) as running:
        yield running


# --- sent -------------------------------------------------------------------------------------------------------------


def test_setting_an_invoice_to_sent_sends_one_message_with_the_pdf(house: House, server: SmtpServer) -> None:
    house.goes_through(server)
    queued = house.set_status("SENT")
    assert (queued.delivery, queued.email_status, queued.email_sent_at) == ("queued", None, None)

    house.work()
    house.work(seconds=30)

    (taken,) = server.taken
    message = parsed(taken.content)
    (row,) = house.messages()
    assert taken.recipients == ("zoe@example.org",)
    assert read_return_address(taken.envelope_from, SENDER) == row.id
    assert (message["To"].addresses[0].display_name, message["Message-ID"]) == ("Zoë Ωmega", f"<{row.id}@example.com>")
    assert {part.get_content_type() for part in message.walk()} >= {"text/plain", "text/html", "application/pdf"}
    assert "$120.50" in message.get_body(("plain",)).get_content()
    assert pdf_in(message) == house.landlord.see(deliveries.pdf_as_sent, house.invoice.id)
    sent = house.invoice
    assert (sent.delivery, sent.email_status, row.state) == ("sent", "sent", "sent")
    assert sent.email_sent_at is not None
    assert [job.state for job in house.jobs()] == ["done"]


def test_without_a_mail_server_the_message_is_a_file_in_the_outbox(house: House) -> None:
    house.set_status("SENT")
    house.work()

    (message,), (row,) = house.outbox(), house.messages()
    assert message["To"].addresses[0].addr_spec == "zoe@example.org"
    written = house.invoice
    assert (written.delivery, written.email_status, written.email_sent_at) == ("written", None, None)
    assert (row.state, row.sent_at, [job.state for job in house.jobs()]) == ("written", None, ["done"])
    assert ".eml" in (row.said or "")
    assert house.landlord.see(deliveries.pdf_as_sent, house.invoice.id) == pdf_in(message)
    assert house.landlord.read(stored.message, row.id) is None


def test_what_was_only_written_is_sent_again_for_the_first_time_once_there_is_a_server(
    house: House, server: SmtpServer
) -> None:
    house.set_status("SENT")
    house.work()
    house.goes_through(server)
    house.work(hours=1)
    assert server.taken == []

    house.landlord.do(deliveries.send_again, house.invoice.id)
    house.work()
    (taken,) = server.taken
    assert "had this invoice before" not in parsed(taken.content).get_body(("plain",)).get_content()
    assert (house.invoice.delivery, house.invoice.email_status) == ("sent", "sent")
    assert [(row.kind, row.state) for row in house.messages()] == [("invoice", "written"), ("invoice", "sent")]


def test_a_message_withdrawn_while_it_was_written_stays_withdrawn(house: House) -> None:
    house.set_status("SENT")
    (row,) = house.messages()
    house.set_status("DRAFT")
    house.landlord.run(lambda tx: deliveries.note_written(tx, row.account_id, row.id, "Written as a.eml."))
    assert (house.invoice.delivery, [row.state for row in house.messages()]) == (None, ["withdrawn"])


def test_the_pdf_stays_as_it_was_sent_whatever_changes_afterwards(house: House) -> None:
    house.set_status("SENT")
    house.work()
    before = house.landlord.see(deliveries.pdf_as_sent, house.invoice.id)
    house.set_status("PAID")

    assert house.landlord.see(deliveries.pdf_as_sent, house.invoice.id) == before
    assert before.startswith(b"%PDF-")


def test_the_address_is_that_of_the_tenant_at_each_sending(house: House, server: SmtpServer) -> None:
    house.goes_through(server)
    house.set_status("SENT")
    house.work()
    house.landlord.do(tenants.change, house.tenant.id, {"email": "new@example.org"})

    house.landlord.do(deliveries.send_again, house.invoice.id)
    house.work()

    first, again = (parsed(taken.content) for taken in server.taken)
    assert [message["To"].addresses[0].addr_spec for message in (first, again)] == [
        "zoe@example.org",
        "new@example.org",
    ]
    assert first["Message-ID"] != again["Message-ID"]
    assert house.invoice.tenant_email == "new@example.org"
    assert [row.kind for row in house.messages()] == ["invoice", "again"]


# --- not sent ---------------------------------------------------------------------------------------------------------


def test_leaving_sent_while_the_account_holds_its_mail_withdraws_the_message(house: House) -> None:
    house.wishes(hold=10)
    house.set_status("SENT")
    house.work(minutes=9)
    assert (house.outbox(), house.invoice.delivery) == ([], "queued")

    back = house.set_status("DRAFT")
    house.work(minutes=60)

    assert (back.delivery, house.outbox()) == (None, [])
    assert [row.state for row in house.messages()] == ["withdrawn"]
    assert [job.state for job in house.jobs()] == ["cancelled"]


def test_a_held_message_goes_when_its_time_has_come(house: House) -> None:
    house.wishes(hold=10)
    house.set_status("SENT")
    house.work(minutes=10)
    assert len(house.outbox()) == 1


@pytest.mark.parametrize("why", ["no address", "vacant", "mail off"])
def test_where_no_message_can_go_the_invoice_is_shown_as_to_hand_over(house: House, why: str) -> None:
    if why == "no address":
        house.landlord.do(tenants.change, house.tenant.id, {"email": None})
    elif why == "vacant":
        house.landlord.remove_tenant(house.tenant)
    else:
        house.wishes(on=False)
    sent = house.set_status("SENT")
    house.work()

    assert (sent.delivery, sent.email_status, house.outbox(), house.messages()) == ("handOver", None, [], [])
    with pytest.raises(Conflict):
        house.landlord.do(deliveries.send_again, house.invoice.id)
    with pytest.raises(Conflict):
        house.landlord.see(deliveries.pdf_as_sent, house.invoice.id)


def test_an_address_added_later_is_sent_to_on_demand(house: House) -> None:
    house.landlord.do(tenants.change, house.tenant.id, {"email": None})
    house.set_status("SENT")
    house.landlord.do(tenants.change, house.tenant.id, {"email": "late@example.org"})
    assert house.landlord.do(deliveries.send_again, house.invoice.id).delivery == "queued"
    house.work()
    assert house.invoice.delivery == "written"


def test_a_draft_and_one_that_waits_are_not_sent_again(house: House) -> None:
    for status in ("DRAFT", "CANCELLED", "SENT"):
        house.set_status(status)
        with pytest.raises(Conflict):
            house.landlord.do(deliveries.send_again, house.invoice.id)
    with pytest.raises(NotFound):
        house.landlord.do(deliveries.send_again, "inv_00000000000000000000000000")


def test_a_message_whose_job_a_person_cancels_is_to_be_handed_over(house: House) -> None:
    house.wishes(hold=10)
    house.set_status("SENT")
    (job,) = house.jobs()
    kind = next(kind for kind in house.kinds if kind.name == job.kind)

    house.landlord.run(lambda tx: kind.called_off(tx, jobs.cancel(tx, job.account_id, job.id)))

    assert (house.invoice.delivery, [row.state for row in house.messages()]) == ("handOver", ["withdrawn"])


# --- servers that don't take it ---------------------------------------------------------------------------------------


def test_a_server_that_is_down_for_a_day_loses_nothing_and_nothing_is_sent_twice(house: House) -> None:
    port = free_port()
    house.goes_through(port)
    house.set_status("SENT")
    for _ in range(24):
        house.work(hours=1)
    (job,) = house.jobs()
    assert (job.state, house.invoice.delivery) == ("waiting", "queued")
    assert job.attempts > 10
    assert "server" in (job.last_error or "")

    with SmtpServer(Behaviour(), port=port) as server:
        for _ in range(4):
            house.work(hours=1)
        assert len(server.taken) == 1
    assert (house.invoice.delivery, len(house.messages())) == ("sent", 1)


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(rcpt="451 4.7.1 Greylisted, try again"),
        Behaviour(rcpt="421 4.3.2 Shutting down"),
        Behaviour(drops="in_data"),
        Behaviour(drops="after_dot"),
    ],
)
def test_what_may_pass_is_tried_again_with_the_same_bytes(house: House, behaviour: Behaviour) -> None:
    port = free_port()
    house.goes_through(port)
    house.set_status("SENT")
    with SmtpServer(behaviour, port=port) as server:
        house.work()
        first = [taken.content for taken in server.taken]
    assert house.invoice.delivery == "queued"
    assert house.jobs()[0].last_error

    with SmtpServer(Behaviour(), port=port) as server:
        house.work(hours=2)
        (taken,) = server.taken
    assert first in ([], [taken.content])
    assert house.invoice.delivery == "sent"


@pytest.mark.parametrize(
    "behaviour", [Behaviour(rcpt="550 5.1.1 No such user here"), Behaviour(end_of_data="554 5.7.1 Not wanted")]
)
def test_what_is_refused_for_good_waits_for_a_person_with_what_the_server_said(
    house: House, behaviour: Behaviour
) -> None:
    with SmtpServer(behaviour) as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
    (job,), (row,) = house.jobs(), house.messages()
    assert (job.state, row.state, house.invoice.delivery, house.invoice.email_status) == (
        "failed",
        "failed",
        "failed",
        None,
    )
    assert row.said == job.last_error
    assert ("No such user here" in (row.said or "")) or ("Not wanted" in (row.said or ""))

    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.retry()
        assert house.invoice.delivery == "queued"
        house.work()
        assert len(server.taken) == 1
    assert house.invoice.delivery == "sent"


def test_an_address_that_no_mail_goes_to_fails_with_a_sentence(house: House) -> None:
    house.landlord.do(tenants.change, house.tenant.id, {"email": "=?utf-8?q?a?=@example.org"})
    house.set_status("SENT")
    house.work()
    (job,) = house.jobs()
    assert (job.state, house.invoice.delivery) == ("failed", "failed")
    assert "tenant's record" in (job.last_error or "")


# --- reports ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "status"), [(["delivered"], "delivered"), (["failed"], "bounced"), (["delayed"], "sent")]
)
def test_a_report_changes_what_the_invoice_shows(house: House, actions: list[str], status: str) -> None:
    house.set_status("SENT")
    house.work()
    (row,) = house.messages()
    house.report(row.id, *actions)

    assert (house.invoice.email_status, house.invoice.delivery) == (status, status)
    assert (house.messages()[0].said == "No such user.") == (status == "bounced")
    with pytest.raises(NotFound):
        house.report("mail_00000000000000000000000000", "failed")


def test_a_report_on_a_message_whose_answer_never_came_ends_its_tries(house: House) -> None:
    with SmtpServer(Behaviour(drops="after_dot")) as server:
        house.goes_through(server)
        house.set_status("SENT")
        house.work()
    (row,) = house.messages()
    house.report(row.id, "delivered")

    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.work(hours=3)
        assert server.taken == []
    assert [job.state for job in house.jobs()] == ["cancelled"]
    assert (house.invoice.delivery, house.invoice.email_status) == ("delivered", "delivered")


def test_a_report_about_an_earlier_message_leaves_what_the_latest_shows(house: House, server: SmtpServer) -> None:
    house.goes_through(server)
    house.set_status("SENT")
    house.work()
    house.landlord.do(deliveries.send_again, house.invoice.id)
    house.work()
    first, _ = house.messages()
    house.report(first.id, "failed")

    assert house.invoice.email_status == "sent"
    assert [row.state for row in house.messages()] == ["bounced", "sent"]


def test_reports_as_servers_write_them_are_noted(house: House) -> None:
    house.set_status("SENT")
    house.work()
    (row,) = house.messages()
    told = [report for file in sorted(REPORTS.glob("*.eml")) if (report := read_report(file.read_bytes()))]
    assert len(told) > 5
    for report in told:
        house.landlord.run(lambda tx, report=report: deliveries.note_report(tx, row.id, report))
    assert house.invoice.email_status in {"delivered", "bounced"}


def test_a_report_without_a_reason_does_not_leave_what_the_server_said_at_first(house: House) -> None:
    house.set_status("SENT")
    (row,) = house.messages()
    house.landlord.run(lambda tx: deliveries.note_taken(tx, row.account_id, row.id, "250 OK"))
    told = read_report((REPORTS / "captured_exim_unrouteable.eml").read_bytes())
    assert told is not None
    house.landlord.run(lambda tx: deliveries.note_report(tx, row.id, told))
    assert [(row.state, row.said) for row in house.messages()] == [("bounced", WITHOUT_A_REASON)]


def test_a_withdrawn_invoice_s_message_that_the_server_took_meanwhile_is_shown(house: House) -> None:
    house.set_status("SENT")
    (row,) = house.messages()
    house.set_status("DRAFT")
    house.landlord.run(lambda tx: deliveries.note_taken(tx, row.account_id, row.id, "250 OK"))
    assert (house.invoice.delivery, house.invoice.email_status) == ("sent", "sent")


def test_settings_that_make_no_sense_are_refused(house: House) -> None:
    for wishes in ({"hold": 24 * 60 + 1}, {"days_before": (61,)}, {"days_after": (0,)}, {"days_after": range(1, 9)}):
        with pytest.raises(Exception, match=r"Enter 0 to|Reminders|There can be at most"):
            house.wishes(**wishes)


def test_the_messages_of_a_deleted_property_go_with_it(house: House) -> None:
    house.set_status("SENT")
    house.work()
    (row,) = house.messages()
    house.landlord.run(lambda tx: properties.remove(tx, house.landlord.caller, house.maple.id, house.landlord.archive))
    assert house.landlord.read(stored.find, row.id) is None
    (kept,) = house.landlord.archive.kept.values()
    assert [one["to_address"] for one in json.loads(kept)["messages"]] == ["zoe@example.org"]
    assert house.landlord.read(stored.pdf, row.id) is None


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("DELETE FROM job", "is waiting to be sent, but no job sends it"),
        ("UPDATE mail SET sent_at = created_at", "is contradictory"),
        ("UPDATE invoice SET delivery = 'sent'", "doesn't show the outcome"),
        ("UPDATE invoice SET email_status = 'bounced'", "doesn't show the outcome"),
        ("UPDATE mail SET state = 'written', sent_at = created_at", "is contradictory"),
    ],
)
def test_check_finds_mail_that_does_not_fit_together(house: House, broken: str, said: str) -> None:
    house.set_status("SENT")
    account = house.landlord.account.id
    statement = changes(text(broken))
    house.landlord.run(lambda tx: tx.run(statement))
    found = [problem for problem in check_account(house.landlord.database, account) if said in problem]
    house.landlord.run(lambda tx: tx.run(changes(text("DELETE FROM job"))))
    house.landlord.run(lambda tx: tx.run(changes(text("DELETE FROM mail"))))
    house.landlord.run(
        lambda tx: tx.run(
            changes(text("UPDATE invoice SET delivery = null, email_status = null, email_sent_at = null"))
        )
    )
    assert len(found) == 1
