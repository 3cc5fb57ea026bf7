"""Tests of e-mails with one-time links.

They are sent like other e-mails, but have no invoice, and the account's mail settings do not apply to them.
"""

from datetime import timedelta

import pytest

from prorata.actions.delivery import deliveries
from prorata.actions.mail import account_mail
from prorata.domain.accounts.account_mail import AccountKind, Notice
from prorata.store.accounts import one_time_links
from prorata.store.accounts.one_time_links import LinkRow
from prorata.store.database.engine import Tx, timestamp
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail import messages as stored
from prorata.store.mail.messages import MailRow
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.mailing import House, link_url, parsed

LINK = "link_01kn7112g0ejqa66bmj7fnhm85"
URL = link_url("reset", LINK)


def queued(house: House, kind: AccountKind = AccountKind.RESET, to_address: str = "ann@example.org") -> str:
    account = house.landlord.account.id
    house.landlord.run(lambda tx: one_time_links.add(tx, a_link(tx, account, kind)))
    return house.landlord.database.write(
        lambda tx: account_mail.queue(
            tx, account, kind, to_address=to_address, to_name="Ann", link_id=LINK, invited_by="Bob"
        )
    )


def a_link(tx: Tx, account: str, kind: AccountKind) -> LinkRow:
    role = "viewer" if kind is AccountKind.INVITE else None
    until = timestamp(tx.moment + timedelta(days=1))
    return LinkRow(account, LINK, kind.value, None, "ann@example.org", role, "test", tx.now, until, None)


def row(house: House, mail_id: str) -> MailRow:
    found = house.landlord.read(stored.find, mail_id)
    assert found is not None
    return found


def job_states(house: House, mail_id: str) -> list[str]:
    return [job.state for job in house.landlord.read(stored_jobs.of_subject, mail_id)]


def kept(house: House, mail_id: str) -> bytes | None:
    return house.landlord.read(stored.message, mail_id)


@pytest.mark.parametrize("kind", AccountKind)
def test_it_goes_to_the_server_at_once_whatever_the_account_wants_of_its_own_mail(
    house: House, kind: AccountKind
) -> None:
    house.wishes(on=False, hold=60)
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        mail_id = queued(house, kind)
        house.work()
        (taken,) = server.taken
    message = parsed(taken.content)
    said = message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert (taken.recipients, message["Message-ID"]) == (("ann@example.org",), f"<{mail_id}@example.com>")
    assert link_url(kind.value, LINK) in said.splitlines()
    assert ("Bob" in said) == (kind is AccountKind.INVITE)
    assert ("landlord" in said) == (kind is AccountKind.INVITE)
    assert list(message.iter_attachments()) == []
    assert (row(house, mail_id).state, job_states(house, mail_id), kept(house, mail_id)) == ("sent", ["done"], None)


@pytest.mark.parametrize("notice", Notice)
def test_a_notice_goes_out_at_once_too_and_holds_no_link(house: House, notice: Notice) -> None:
    house.wishes(on=False, hold=60)
    account = house.landlord.account.id
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        mail_id = house.landlord.database.write(
            lambda tx: account_mail.queue(
                tx, account, notice, to_address="ann@example.org", to_name="Ann", link_id=None
            )
        )
        house.work()
        (taken,) = server.taken
    said = parsed(taken.content).get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert taken.recipients == ("ann@example.org",)
    assert ("If it was you" in said) == (notice is not Notice.WEBHOOK_OFF)
    assert "://" not in said
    assert (row(house, mail_id).state, job_states(house, mail_id), kept(house, mail_id)) == ("sent", ["done"], None)


def test_it_is_the_same_message_at_each_try_and_its_link_is_kept_nowhere(house: House) -> None:
    with SmtpServer(Behaviour(drops="after_dot")) as server:
        house.goes_through(server)
        mail_id = queued(house)
        house.work()
        (first,) = server.taken
    assert (row(house, mail_id).state, kept(house, mail_id)) == ("queued", None)
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.work(hours=2)
        (second,) = server.taken
    assert first.content == second.content
    for job in house.landlord.read(stored_jobs.of_subject, mail_id):
        assert "https://" not in f"{job.payload}{job.last_error}"


def test_without_a_mail_server_it_is_a_file_in_the_outbox(house: House) -> None:
    mail_id = queued(house)
    house.work()
    (message,) = house.outbox()
    assert URL in message.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert (row(house, mail_id).state, row(house, mail_id).sent_at) == ("written", None)


def test_mail_that_is_held_holds_it_too(house: House) -> None:
    house.environment["PRORATA_SMTP_URL"] = "smtp://mail.example.com?tls=off"
    mail_id = queued(house)
    house.work()
    assert (row(house, mail_id).state, job_states(house, mail_id)) == ("queued", ["waiting"])


def test_a_link_that_is_over_takes_its_message_back(house: House) -> None:
    mail_id = queued(house)
    house.landlord.run(lambda tx: account_mail.withdraw(tx, house.landlord.account.id, LINK))
    house.work()
    assert house.outbox() == []
    assert (row(house, mail_id).state, job_states(house, mail_id)) == ("withdrawn", ["cancelled"])


def test_a_message_whose_link_is_too_old_by_the_time_its_server_is_back_is_not_sent(house: House) -> None:
    house.goes_through(1)  # nothing listens there
    mail_id = queued(house)
    house.work()
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.work(hours=25)
        assert server.taken == []
    assert (row(house, mail_id).state, job_states(house, mail_id)) == ("withdrawn", ["done"])


def test_a_bounce_is_noted_on_the_message_and_on_no_invoice(house: House) -> None:
    mail_id = queued(house)
    house.work()
    house.report(mail_id, "failed")
    assert (row(house, mail_id).state, row(house, mail_id).said) == ("bounced", "No such user.")
    assert house.invoice.delivery is None


@pytest.mark.parametrize(
    ("address", "behaviour", "said"),
    [
        ("ann@example.org", Behaviour(rcpt="550 5.1.1 No such user here"), "No such user here"),
        ("=?utf-8?q?a?=@example.org", Behaviour(), "start again with the correct address"),
    ],
)
def test_what_is_refused_waits_for_a_person(house: House, address: str, behaviour: Behaviour, said: str) -> None:
    with SmtpServer(behaviour) as server:
        house.goes_through(server)
        mail_id = queued(house, to_address=address)
        house.work()
    assert (row(house, mail_id).state, job_states(house, mail_id)) == ("failed", ["failed"])
    assert said in (row(house, mail_id).said or "")
    with SmtpServer(Behaviour()) as server:
        house.goes_through(server)
        house.landlord.run(lambda tx: deliveries.try_again(tx, house.landlord.account.id, mail_id))
        assert row(house, mail_id).state == "queued"
    house.landlord.run(lambda tx: deliveries.call_off(tx, house.landlord.account.id, mail_id))
    assert row(house, mail_id).state == "withdrawn"
