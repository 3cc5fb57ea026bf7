"""The kind of job that sends a message about an invoice: written once, tried until a server takes it."""

from datetime import datetime, timedelta
from functools import partial

from prorata.actions import deliveries
from prorata.actions.deliveries import MAIL, Outgoing
from prorata.domain.retries import Backoff
from prorata.errors import InvalidRequest
from prorata.ports import (
    InvoiceMail,
    MailDelayed,
    Mailer,
    MailOutcome,
    MailRefused,
    MailTaken,
    MailUnclear,
    MailWriter,
)
from prorata.store.engine import Database, Tx
from prorata.store.jobs import JobRow
from prorata.worker.kinds import Done, Job, Kind, Later, Lease, Outcome, Refused

MAIL_AT_ONCE = 4
MAIL_ATTEMPTS = 240
"""About five days: the delays grow to half an hour each, on average (RFC 5321 section 4.5.4.1: at least four)."""
MAIL_BACKOFF = Backoff(first=30.0, factor=3.0, longest=3_600.0)
AFTER_UNCLEAR = timedelta(minutes=15)
"""A server that has taken a message without our hearing of it may say so in a report first."""


def mail_kind(mailer: Mailer, writer: MailWriter) -> Kind:
    """The kind of job that sends messages, with who writes them and who takes them."""
    sending = _Sending(mailer, writer)
    return Kind(
        MAIL,
        "sends an invoice, or a reminder of one, by e-mail",
        sending.send,
        at_once=MAIL_AT_ONCE,
        attempts=MAIL_ATTEMPTS,
        backoff=MAIL_BACKOFF,
        lease=120.0,
        leaves_the_house=True,
        called_off=_call_off,
    )


def _call_off(tx: Tx, job: JobRow) -> None:
    deliveries.call_off(tx, job.account_id, as_mail(job.unique_key))


def as_mail(unique_key: str | None) -> str:
    """The message that a job of this kind sends: its id is the job's key."""
    assert unique_key is not None, "a message is sent by one job"
    return unique_key


class _Sending:
    def __init__(self, mailer: Mailer, writer: MailWriter) -> None:
        self._mailer = mailer
        self._writer = writer

    def send(self, job: Job, database: Database, lease: Lease) -> Outcome:
        """Send a message, if it is still wanted. It is written and kept before the first try, so that each try hands
        over the same bytes under the same Message-ID.
        """
        account_id, mail_id = job.account_id, str(job.payload["mail"])
        found = database.snapshot(lambda tx: deliveries.outgoing(tx, account_id, mail_id))
        if found is None:
            return Done(lambda tx: deliveries.call_off(tx, account_id, mail_id))
        try:
            message = found.message or self._write(found, database)
            recipient = self._writer.recipient(found.mail.to_address)
        except InvalidRequest as refusal:
            return _failed(database, account_id, mail_id, refusal.message)
        if message is None:
            return Later("The invoice changed while its message was written.", counts=False)
        if lease.is_lost:
            return Done()
        outcome = self._mailer.send(self._writer.return_address(mail_id), recipient, message)
        return _noted(database, job, mail_id, outcome)

    def _write(self, found: Outgoing, database: Database) -> bytes | None:
        mail = found.mail
        written = self._writer.write(
            InvoiceMail(
                token=mail.id,
                kind=found.kind,
                invoice=found.invoice,
                contact=found.contact,
                to=mail.to_address,
                to_name=mail.to_name,
                at=datetime.fromisoformat(mail.created_at),
            )
        )
        return database.write(partial(deliveries.keep, found=found, message=written.message, pdf=written.pdf))


def _noted(database: Database, job: Job, mail_id: str, outcome: MailOutcome) -> Outcome:
    """What a try came to, noted where people see it: on the invoice, or as what the job waits for."""
    match outcome:
        case MailTaken(reply):
            # In a transaction of its own: should the job be cancelled just now, what has been sent has been sent.
            database.write(lambda tx: deliveries.note_taken(tx, job.account_id, mail_id, reply))
            return Done()
        case MailDelayed(why) | MailUnclear(why) if job.attempt < MAIL_ATTEMPTS:
            return Later(why, after=AFTER_UNCLEAR if isinstance(outcome, MailUnclear) else None)
        case MailRefused(why) | MailDelayed(why) | MailUnclear(why):
            return _failed(database, job.account_id, mail_id, why)


def _failed(database: Database, account_id: str, mail_id: str, why: str) -> Refused:
    database.write(lambda tx: deliveries.note_failed(tx, account_id, mail_id, why))
    return Refused(why)
