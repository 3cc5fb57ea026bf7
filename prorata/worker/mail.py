"""The kind of job that sends a message, with the same bytes at each attempt."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from prorata.actions.delivery import announcement_mail, deliveries, question_replies, tenant_questions
from prorata.actions.delivery.announcement_mail import OutgoingAnnouncement
from prorata.actions.delivery.deliveries import Outgoing
from prorata.actions.delivery.question_replies import OutgoingReply
from prorata.actions.delivery.tenant_questions import OutgoingQuestion
from prorata.actions.inbound_mail import answers as mail_answers
from prorata.actions.inbound_mail.answers import OutgoingAnswer
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.mail import account_mail, queue as mail_queue
from prorata.actions.mail.account_mail import OutgoingOfAccount
from prorata.actions.mail.allowances import Wait
from prorata.domain.jobs.backoff import Backoff
from prorata.domain.mail.deliveries import MAIL
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.domain.texts import say
from prorata.errors import InvalidRequest, Unavailable
from prorata.ports.mail import (
    AccountMail,
    InvoiceMail,
    LinkUrl,
    MailDelayed,
    Mailer,
    MailOutcome,
    MailRefused,
    MailTaken,
    MailUnclear,
    MailWriter,
    MailWritten,
)
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs.jobs import JobRow
from prorata.worker.job_kinds import Done, Job, Kind, Later, Lease, Outcome, Refused

MAIL_AT_ONCE = 4
MAIL_ATTEMPTS = 240
"""The number of attempts to send a message, which take about five days in all.

The delays between attempts increase to half an hour on average. RFC 5321 section 4.5.4.1 requires at least four days.
"""
MAIL_BACKOFF = Backoff(first=30.0, factor=3.0, longest=3_600.0)
SECONDS_BEFORE_NOTING_AGAIN = 1.0
WHILE_HELD = timedelta(minutes=5)
AFTER_UNCLEAR = timedelta(minutes=25)
"""The delay after an attempt with an unclear outcome.

During this time, a report may arrive which shows that a server has accepted the message. The delay is longer than a
conversation with a server may take, so that an earlier conversation, such as that of a dead worker, has certainly
ended.
"""


def mail_kind(
    mailer: Mailer,
    writer: MailWriter,
    link_url: LinkUrl,
    tenant_links: Callable[[], TenantLinks],
    *,
    has_server: bool = False,
) -> Kind:
    """Build the kind of job that sends messages.

    `writer` writes the messages, and `mailer` sends them. `link_url` and `tenant_links` build the addresses of one-time
    links and of tenants' pages. `has_server` is False if no mail server is set up, so that messages are written to the
    outbox folder.
    """
    sending = _Sending(mailer, writer, link_url, tenant_links, has_server=has_server)
    return Kind(
        MAIL,
        say(
            "sends an e-mail: an invoice; a reminder, receipt or question about an invoice; the announcement of a "
            "rule change; or a message for signing in"
        ),
        sending.send,
        at_once=MAIL_AT_ONCE,
        attempts=MAIL_ATTEMPTS,
        backoff=MAIL_BACKOFF,
        lease=120.0,
        leaves_the_house=True,
        after_a_break=AFTER_UNCLEAR,
        called_off=_call_off,
        given_up=_give_up,
        tried_again=_try_again,
    )


def _call_off(tx: Tx, job: JobRow) -> None:
    deliveries.call_off(tx, job.account_id, as_mail(job.unique_key))


def _give_up(tx: Tx, job: JobRow, why: str) -> None:
    deliveries.note_failed(tx, job.account_id, as_mail(job.unique_key), why)


def _try_again(tx: Tx, job: JobRow) -> None:
    deliveries.try_again(tx, job.account_id, as_mail(job.unique_key))


def as_mail(unique_key: str | None) -> str:
    """Return the id of the message that a job sends: the job's unique key."""
    assert unique_key is not None, "a message is sent by one job"
    return unique_key


class _Sending:
    def __init__(
        self,
        mailer: Mailer,
        writer: MailWriter,
        link_url: LinkUrl,
        tenant_links: Callable[[], TenantLinks],
        *,
        has_server: bool,
    ) -> None:
        self._has_server = has_server
        self._mailer = mailer
        self._writer = writer
        self._link_url = link_url
        self._tenant_links = tenant_links

    def send(self, job: Job, database: Database, lease: Lease) -> Outcome:
        """Send a message, if it is still wanted.

        A message about an invoice is written and stored before the first attempt. Thus, each attempt sends the same
        bytes under the same Message-ID. A message about signing in is not stored, because it contains a one-time
        link; it is written again, with the same bytes, for each attempt.
        """
        account_id, mail_id = job.account_id, str(job.payload["mail"])
        if self._mailer.why_held:
            return Later(self._mailer.why_held, after=WHILE_HELD, counts=False)
        if wait := database.read(lambda tx: deliveries.why_it_waits(tx, account_id, mail_id)):
            return _later(wait, database)
        outgoing = database.snapshot(
            lambda tx: (
                deliveries.outgoing(tx, account_id, mail_id, self._writer.is_current, has_server=self._has_server)
                or account_mail.outgoing(tx, account_id, mail_id)
                or mail_answers.outgoing(tx, account_id, mail_id, self._writer.is_current)
                or tenant_questions.outgoing(tx, account_id, mail_id, self._writer.is_current)
                or question_replies.outgoing(tx, account_id, mail_id, self._writer.is_current)
                or announcement_mail.outgoing(tx, account_id, mail_id, self._writer.is_current)
            )
        )
        if outgoing is None:
            return Done(lambda tx: deliveries.call_off(tx, account_id, mail_id))
        try:
            message = self._message(outgoing, database)
            recipient = self._writer.recipient(outgoing.mail.to_address)
        except InvalidRequest as refusal:
            return _if_wanted(database, job, mail_id, Refused(refusal.message))
        if not isinstance(message, bytes) or lease.is_lost:
            return _later(message, database)
        outcome = self._mailer.send(self._writer.return_address(mail_id), recipient, message, lease.go_out)
        return _noted(database, job, lease, mail_id, outcome)

    def _message(
        self,
        outgoing: Outgoing
        | OutgoingOfAccount
        | OutgoingAnswer
        | OutgoingQuestion
        | OutgoingReply
        | OutgoingAnnouncement,
        database: Database,
    ) -> bytes | Wait | None:
        if isinstance(outgoing, OutgoingAnnouncement):
            return outgoing.message or self._written_announcement(outgoing, database)
        if isinstance(outgoing, OutgoingReply):
            return outgoing.message or self._written_reply(outgoing, database)
        if isinstance(outgoing, OutgoingQuestion):
            return outgoing.message or self._written_question(outgoing, database)
        if isinstance(outgoing, OutgoingAnswer):
            return outgoing.message or self._written_answer(outgoing, database)
        if isinstance(outgoing, OutgoingOfAccount):
            return self._written_of_account(outgoing)
        return self._write(outgoing, outgoing.invoice, database) if outgoing.invoice else outgoing.message

    def _written_answer(self, outgoing: OutgoingAnswer, database: Database) -> bytes | None:
        message = self._writer.write_answer(outgoing.answer)
        return database.write(lambda tx: mail_queue.keep(tx, outgoing.mail, message))

    def _written_question(self, outgoing: OutgoingQuestion, database: Database) -> bytes | Wait | None:
        message = self._writer.write_question(outgoing.question, self._tenant_links().in_dashboard(outgoing.invoice_id))
        return database.write(lambda tx: tenant_questions.keep(tx, outgoing.mail, message))

    def _written_reply(self, outgoing: OutgoingReply, database: Database) -> bytes | Wait | None:
        page_url = self._tenant_links().url(outgoing.link) if outgoing.link else None
        message = self._writer.write_reply(outgoing.reply._replace(page_url=page_url))
        return database.write(lambda tx: tenant_questions.keep(tx, outgoing.mail, message))

    def _written_announcement(self, outgoing: OutgoingAnnouncement, database: Database) -> bytes | Wait | None:
        message = self._writer.write_announcement(outgoing.announcement)
        return database.write(lambda tx: tenant_questions.keep(tx, outgoing.mail, message))

    def _written_of_account(self, outgoing: OutgoingOfAccount) -> bytes:
        mail, link_id = outgoing.mail, outgoing.mail.link_id
        return self._writer.write_of_account(
            AccountMail(
                token=mail.id,
                kind=outgoing.kind,
                account=outgoing.account,
                locale=outgoing.locale,
                url=self._link_url(outgoing.kind.value, link_id) if link_id else "",
                to=mail.to_address,
                to_name=mail.to_name,
                invited_by=mail.invited_by,
                at=datetime.fromisoformat(mail.created_at),
            )
        )

    def _write(self, outgoing: Outgoing, invoice: PrintedInvoice, database: Database) -> bytes | Wait | None:
        mail, page_url = outgoing.mail, self._tenant_links().url(outgoing.link) if outgoing.link else None
        written = self._writer.write(
            InvoiceMail(
                token=mail.id,
                kind=outgoing.kind,
                invoice=invoice.paid_at(page_url) if page_url else invoice,
                contact=outgoing.contact,
                to=mail.to_address,
                to_name=mail.to_name,
                at=database.clock().astimezone(ZoneInfo(outgoing.timezone)),
                page_url=page_url,
                own_subject=outgoing.own_subject,
                own_opening=outgoing.own_opening,
                received=outgoing.received,
            )
        )
        return database.write(partial(deliveries.keep, found=outgoing, message=written.message, pdf=written.pdf))


def _later(message: bytes | Wait | None, database: Database) -> Later:
    """Return the outcome for a message that can't be handed over now, with the reason.

    This outcome does not use up an attempt.
    """
    match message:
        case Wait(why, until):
            return Later(why, after=until - database.clock() if until else WHILE_HELD, counts=False)
        case None:
            return Later(say("The invoice changed while its message was being written."), counts=False)
        case _:
            return Later(say("Another worker has taken over this job."), counts=False)


def _noted(database: Database, job: Job, lease: Lease, mail_id: str, outcome: MailOutcome) -> Outcome:
    """Record the outcome of an attempt to send, and return the outcome of the job.

    People see the outcome beside the invoice, or as the reason why the job waits.
    """
    match outcome:
        case MailTaken(reply):
            noting = partial(deliveries.note_taken, account_id=job.account_id, mail_id=mail_id, reply=reply)
            return _noted_for_sure(database, lease, noting, "A server has taken it")
        case MailWritten(where):
            noting = partial(deliveries.note_written, account_id=job.account_id, mail_id=mail_id, where=where)
            return _noted_for_sure(database, lease, noting, "It is in the outbox folder")
        case MailDelayed(why):
            return _if_wanted(database, job, mail_id, Later(why))
        case MailUnclear(why):
            return _if_wanted(database, job, mail_id, Later(why, after=AFTER_UNCLEAR))
        case MailRefused(why):
            return _if_wanted(database, job, mail_id, Refused(why))


def _if_wanted(database: Database, job: Job, mail_id: str, outcome: Outcome) -> Outcome:
    """Return `outcome` for an unsent message, or `Done` if the message was withdrawn.

    Thus, if the message was withdrawn during an attempt, it is not tried again, and its job does not wait for a
    person.
    """
    wanted = database.read(lambda tx: deliveries.is_on_its_way(tx, job.account_id, mail_id))
    return outcome if wanted else Done()


def _noted_for_sure(database: Database, lease: Lease, noting: Callable[[Tx], None], what: str) -> Outcome:
    """Record in a separate transaction that a message has been sent, by calling `noting`.

    The message is recorded even if the job was just cancelled. If the database is unavailable, this waits for it,
    because a message that is not recorded as sent would be sent again. If the worker has to stop before the message
    is recorded, the result is `Later` with a reason that begins with `what`.
    """
    while True:
        try:
            database.write(noting)
        except Unavailable as gone:
            if lease.is_stopping or lease.is_lost:
                return Later(f"{what}, which could not be written down: {gone.message}", AFTER_UNCLEAR)
            time.sleep(SECONDS_BEFORE_NOTING_AGAIN)
        else:
            return Done()
