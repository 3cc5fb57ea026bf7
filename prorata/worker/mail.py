"""The kind of job that sends a message: written the same at each try, and tried until a server takes it."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from prorata.actions import account_mail, deliveries, mail_allowances
from prorata.actions.account_mail import OutgoingOfAccount
from prorata.actions.deliveries import MAIL, Outgoing
from prorata.domain.printed_invoices import PrintedInvoice
from prorata.domain.retries import Backoff
from prorata.errors import InvalidRequest, Unavailable
from prorata.ports import (
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
from prorata.store.engine import Database, Tx
from prorata.store.jobs import JobRow
from prorata.worker.kinds import Done, Job, Kind, Later, Lease, Outcome, Refused

MAIL_AT_ONCE = 4
MAIL_ATTEMPTS = 240
"""About five days: the delays grow to half an hour each, on average (RFC 5321 section 4.5.4.1: at least four)."""
MAIL_BACKOFF = Backoff(first=30.0, factor=3.0, longest=3_600.0)
SECONDS_BEFORE_NOTING_AGAIN = 1.0
WHILE_HELD = timedelta(minutes=5)
AFTER_UNCLEAR = timedelta(minutes=15)
"""A server that has taken a message without our hearing of it may say so in a report first."""


def mail_kind(mailer: Mailer, writer: MailWriter, link_url: LinkUrl) -> Kind:
    """The kind of job that sends messages, with who writes them, who takes them, and where one-time links lead."""
    sending = _Sending(mailer, writer, link_url)
    return Kind(
        MAIL,
        "sends an invoice, a reminder of one, or what somebody needs to sign in, by e-mail",
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
    """The message that a job of this kind sends: its id is the job's key."""
    assert unique_key is not None, "a message is sent by one job"
    return unique_key


class _Sending:
    def __init__(self, mailer: Mailer, writer: MailWriter, link_url: LinkUrl) -> None:
        self._mailer = mailer
        self._writer = writer
        self._link_url = link_url

    def send(self, job: Job, database: Database, lease: Lease) -> Outcome:
        """Send a message, if it is still wanted. One about an invoice is written and kept before the first try, so that
        each try hands over the same bytes under the same Message-ID; one with a one-time link is written anew each
        time, the same, so that the link is kept nowhere.
        """
        account_id, mail_id = job.account_id, str(job.payload["mail"])
        if self._mailer.why_held:
            return Later(self._mailer.why_held, after=WHILE_HELD, counts=False)
        found = database.snapshot(
            lambda tx: (
                deliveries.outgoing(tx, account_id, mail_id, self._writer.is_current)
                or account_mail.outgoing(tx, account_id, mail_id)
            )
        )
        if found is None:
            return Done(lambda tx: deliveries.call_off(tx, account_id, mail_id))
        if isinstance(found, Outgoing) and (wait := _not_yet(found, account_id, database)):
            return wait
        try:
            if isinstance(found, OutgoingOfAccount):
                message: bytes | None = self._written_with_link(found)
            else:
                message = self._write(found, found.invoice, database) if found.invoice else found.message
            recipient = self._writer.recipient(found.mail.to_address)
        except InvalidRequest as refusal:
            return _refused(database, job, mail_id, refusal.message)
        if message is None or lease.is_lost:
            changed = "The invoice changed while its message was written."
            return Later(changed if message is None else "Another has this job by now.", counts=False)
        outcome = self._mailer.send(self._writer.return_address(mail_id), recipient, message)
        return _noted(database, job, lease, mail_id, outcome)

    def _written_with_link(self, found: OutgoingOfAccount) -> bytes:
        mail = found.mail
        return self._writer.write_of_account(
            AccountMail(
                token=mail.id,
                kind=found.kind,
                account=found.account,
                locale=found.locale,
                url=self._link_url(found.kind.value, found.link_id),
                to=mail.to_address,
                to_name=mail.to_name,
                invited_by=mail.invited_by,
                at=datetime.fromisoformat(mail.created_at),
            )
        )

    def _write(self, found: Outgoing, invoice: PrintedInvoice, database: Database) -> bytes | None:
        mail = found.mail
        written = self._writer.write(
            InvoiceMail(
                token=mail.id,
                kind=found.kind,
                invoice=invoice,
                contact=found.contact,
                to=mail.to_address,
                to_name=mail.to_name,
                at=datetime.fromisoformat(mail.created_at),
            )
        )
        return database.write(partial(deliveries.keep, found=found, message=written.message, pdf=written.pdf))


def _not_yet(found: Outgoing, account_id: str, database: Database) -> Later | None:
    """What a message to others waits for in an account that somebody opened for themselves. It is counted as it is
    written, and so once.
    """
    wait, is_capped = database.read(
        lambda tx: (mail_allowances.why_none_leaves(tx, account_id), mail_allowances.is_capped(tx, account_id))
    )
    if wait is None and is_capped and found.message is None:
        wait = database.write(lambda tx: mail_allowances.take(tx, account_id))
    if wait is None:
        return None
    return Later(wait.why, after=wait.until - database.clock() if wait.until else WHILE_HELD, counts=False)


def _noted(database: Database, job: Job, lease: Lease, mail_id: str, outcome: MailOutcome) -> Outcome:
    """What a try came to, noted where people see it: on the invoice, or as what the job waits for."""
    match outcome:
        case MailTaken(reply):
            noting = partial(deliveries.note_taken, account_id=job.account_id, mail_id=mail_id, reply=reply)
            return _noted_for_sure(database, lease, noting, "A server has taken it")
        case MailWritten(where):
            noting = partial(deliveries.note_written, account_id=job.account_id, mail_id=mail_id, where=where)
            return _noted_for_sure(database, lease, noting, "It is in the outbox folder")
        case MailDelayed(why):
            return Later(why)
        case MailUnclear(why):
            return Later(why, after=AFTER_UNCLEAR)
        case MailRefused(why):
            return _refused(database, job, mail_id, why)


def _refused(database: Database, job: Job, mail_id: str, why: str) -> Outcome:
    """A refusal waits for a person, unless the message was taken back meanwhile: nobody misses it."""
    wanted = database.read(lambda tx: deliveries.is_on_its_way(tx, job.account_id, mail_id))
    return Refused(why) if wanted else Done()


def _noted_for_sure(database: Database, lease: Lease, noting: Callable[[Tx], None], what: str) -> Outcome:
    """Note that a message has left, in a transaction of its own: should the job be cancelled just now, what has been
    sent has been sent. A database that is busy or away is waited for: what is not noted is sent again.
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
