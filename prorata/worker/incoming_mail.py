"""Incoming mail: stored unparsed on arrival, and the kind of job that reads it.

A message is parsed in a separate process, which then ends. Its sender is checked outside any transaction.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial

from prorata.actions.inbound_mail import (
    answers as mail_answers,
    inbox_addresses,
    incoming_mail,
    intake_quota,
    oversized_mail,
)
from prorata.actions.inbound_mail.inbox_addresses import Recipient
from prorata.actions.inbound_mail.incoming_mail import ANSWER, READ_MAIL
from prorata.actions.inbound_mail.parsed_mail import ReadMail, why_not
from prorata.domain.files.file_kinds import told
from prorata.domain.inbound_mail.inbox_addresses import addresses_in, is_made_of, is_too_large, sender_in
from prorata.domain.inbound_mail.incoming_mail import Attachment, IncomingMessage
from prorata.domain.inbound_mail.message_parts import head_and_body
from prorata.domain.intake.documents import READING
from prorata.domain.limits import MOST_DOCUMENTS_UNDER_WAY
from prorata.domain.mail_addresses import MailAddress
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest, NotFound, PayloadTooLarge
from prorata.ports.files import FilesIn, IncomingFile
from prorata.ports.mail import Authenticates, MessageReader
from prorata.store.accounts import accounts
from prorata.store.database.engine import Database, Tx
from prorata.store.inbound_mail import incoming_mail as stored
from prorata.store.inbound_mail.incoming_mail import IncomingMailRow
from prorata.store.intake import documents as stored_documents
from prorata.store.jobs.jobs import JobRow
from prorata.worker.job_kinds import Done, Job, Kind, Later, Lease, Outcome
from prorata.worker.limits import (
    LONGEST_HEAD_LOOKED_AT,
    MOST_ARCHIVES_OF_MESSAGE,
    MOST_FILES_OF_MESSAGE,
    MOST_LOOK_UPS,
    MOST_UNPACKED_OF_MESSAGE,
)

MAIL_AT_ONCE = 2
SECONDS_BETWEEN_LOOKS = timedelta(seconds=5)
_TOO_MANY = say("A message can contain at most {most} files.", most=MOST_FILES_OF_MESSAGE)
_TOO_MANY_ARCHIVES = say(
    "At most {most} archives are opened per message. Send this one separately.", most=MOST_ARCHIVES_OF_MESSAGE
)
_TOO_MUCH = say(
    "The archives in one message contain more than {megabytes} MB. Send this file in another message.",
    megabytes=MOST_UNPACKED_OF_MESSAGE >> 20,
)
_FULL = say("Too many documents are waiting to be read. This message will be read once they are done.")
_TOO_MANY_AT_ONCE = say(
    "More messages arrived for one account within an hour than are accepted. They will be fetched later."
)
_FOR_NOBODY = say("Their headers contain no address that belongs to an account. Forward them to the account’s address.")
_GIVEN_UP = say("This message could not be read. Upload the files in it yourself.")
_CALLED_OFF = say("Reading this message was cancelled. Upload the files in it yourself.")


def _headers_of(message: bytes) -> str:
    return message[:LONGEST_HEAD_LOOKED_AT].replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("latin-1")


def _any_number(_account_id: str) -> bool:
    return True


class Intake:
    """A store for the incoming mail of all accounts in a database.

    It implements `ports.MailIntake`. `mail_from` is the sender of Prorata's own mail. `counts` counts a message of the
    polled mailbox for an account, and returns False if the account has received too many. Mail that comes through the
    mail receiver is counted there instead. Accounts' inbox addresses are made from the address `base`.
    """

    def __init__(
        self,
        database: Database,
        mail_from: str,
        counts: Callable[[str], bool] = _any_number,
        base: MailAddress | None = None,
    ) -> None:
        self._database = database
        self._mail_from = mail_from
        self._counts = counts
        self._base = base

    def knows(self, address: str) -> bool:
        """True if an account here has the address.

        Raises `Conflict` if too much mail is already waiting, and `Unavailable` if the database can't be used.
        """

        def look(tx: Tx) -> bool:
            recipient = inbox_addresses.recipient_of(tx, address, self._mail_from)
            if recipient is not None:
                intake_quota.refuse_too_much(tx, recipient)
            return recipient is not None

        return self._database.read(look)

    def take(self, recipients: Sequence[str], envelope_from: str, message: bytes, way: str) -> None:
        """Store a message for each recipient, in one transaction.

        Raises `NotFound` if a recipient no longer exists. The message is then stored for no recipient, so that its
        sender doesn't believe that all have received it. Raises `Conflict` if too much mail of a recipient is waiting
        or has arrived. The message is then stored for the other recipients, and not stored again if it is sent again.
        Raises `Unavailable` if the database can't be used.
        """
        sender = sender_in(_headers_of(message))

        def found(tx: Tx) -> Iterator[Recipient]:
            for address in recipients:
                recipient = inbox_addresses.recipient_of(tx, address, self._mail_from)
                if recipient is None:  # address renewed, or account deleted, since the lookup
                    raise NotFound("address")
                yield recipient

        def keep(tx: Tx, recipient: Recipient) -> None:
            incoming_mail.keep(tx, recipient, envelope_from=envelope_from, message=message, way=way)

        self._take(found, keep, sender, len(message))

    def take_from_mailbox(self, message: bytes, size: int | None = None) -> None:
        """Store a message of the polled mailbox for the accounts that its headers address.

        If there is only one account, every message is stored for it, except a message to an inbox address that is
        no longer valid. `size` is the full size of the message. If the message is too large, `message` contains
        only its header, and it is recorded that the message is too large. A message is stored only once for an
        account, even if it is fetched again. Raises `Conflict` if the message is for no account, or if too much
        mail of an account is waiting or has arrived within an hour; the message is still stored for other accounts.
        Raises `Unavailable` if the database can't be used.
        """
        headers = _headers_of(message)
        addresses = addresses_in(headers)

        def found(tx: Tx) -> Sequence[Recipient]:
            named = [inbox_addresses.recipient_of(tx, address, self._mail_from) for address in addresses]
            known = list(dict.fromkeys(recipient for recipient in named if recipient is not None))
            if not known and not self._had_by_somebody(addresses) and len(everyone := accounts.everyone(tx)) == 1:
                known = [Recipient(everyone[0].id)]
            if not known:
                raise Conflict(_FOR_NOBODY)
            return known

        def keep(tx: Tx, recipient: Recipient) -> None:
            if not self._counts(recipient.account_id):
                raise Conflict(_TOO_MANY_AT_ONCE)
            incoming_mail.keep(tx, recipient, envelope_from="", message=message, way="imap", size=size)

        self._take(found, keep, sender_in(headers), len(message))

    def _had_by_somebody(self, addresses: Sequence[str]) -> bool:
        """True if one of the addresses is, or was, the inbox address of an account.

        This is decided by the form of the address. If no account has an address of this form, it is the former
        address of an account that got a new one.
        """
        return self._base is not None and any(is_made_of(address, self._base) for address in addresses)

    def _take(
        self,
        recipients_of: Callable[[Tx], Iterable[Recipient]],
        keep: Callable[[Tx, Recipient], None],
        sender: str,
        size: int,
    ) -> None:
        """Store a message for each recipient that may receive it.

        Afterwards, raises `Conflict` if a recipient has too much mail.
        """

        def write(tx: Tx) -> Conflict | None:
            why = None
            for recipient in recipients_of(tx):
                try:
                    intake_quota.refuse_too_much(tx, recipient, sender=sender, size=size)
                    keep(tx, recipient)
                except Conflict as refused:
                    why = refused
            return why

        refused = self._database.write(write)
        if refused is not None:
            raise refused


def incoming_mail_kind(reader: MessageReader, authenticates: Authenticates, files_in: FilesIn) -> Kind:
    """Build the kind of job that reads messages.

    `reader` parses a message, `authenticates` checks its sender, and `files_in` recognizes its files.
    """

    def read(job: Job, database: Database, _lease: Lease) -> Outcome:
        account_id, mail_id = job.account_id, str(job.payload["mail"])
        row = database.read(lambda tx: stored.find(tx, account_id, mail_id))
        content = database.read(lambda tx: stored.content(tx, account_id, mail_id))
        if row is None or content is None:
            return Done()  # its account is gone
        if is_too_large(row.size) or row.about is not None:
            return _without_files(row, content, reader)
        why = None
        try:
            message = reader.read(content)
        except InvalidRequest as refused:
            why = refused.message
            head = _head_of(content, reader)
            if head is None:
                return Done(partial(_note, account_id=account_id, mail_id=mail_id, read=None, why=why))
            message = head
        authenticity = authenticates(content)
        if authenticity.may_pass_later and job.attempt <= MOST_LOOK_UPS:
            return Later(authenticity.why)
        opens = database.read(lambda tx: incoming_mail.may_be_taken(tx, account_id, mail_id, message, authenticity))
        is_full = partial(_is_full, database, account_id)
        files = None if is_full(len(message.attachments)) else _files_of(message.attachments, files_in, opens=opens)
        # an unexamined message is not one without files
        if files is None or is_full(sum(why_not(file) is None for file in files)):
            return Later(_FULL, after=SECONDS_BETWEEN_LOOKS, counts=False)
        mail = ReadMail(message, authenticity, tuple(files))
        return Done(partial(_note, account_id=account_id, mail_id=mail_id, read=mail, why=why))

    return Kind(
        READ_MAIL,
        say("reads a message that arrived"),
        read,
        at_once=MAIL_AT_ONCE,
        called_off=lambda tx, job: _give_up(tx, job, _CALLED_OFF),
        given_up=lambda tx, job, _why: _give_up(tx, job, _GIVEN_UP),
    )


def _answer(job: Job, database: Database, _lease: Lease) -> Outcome:
    account_id, mail_id = job.account_id, str(job.payload["mail"])
    if not database.read(lambda tx: mail_answers.is_ready(tx, account_id, mail_id)):
        return Later(
            say("The contents of the message have not been read yet."), after=SECONDS_BETWEEN_LOOKS, counts=False
        )
    return Done(lambda tx: mail_answers.queue(tx, account_id, mail_id))


ANSWER_KIND = Kind(ANSWER, say("replies to the sender of a message with bills"), _answer)


def _without_files(row: IncomingMailRow, content: bytes, reader: MessageReader) -> Done:
    """Record a delivery report or an oversized message, without reading any files in it."""
    account_id, mail_id = row.account_id, row.id
    if is_too_large(row.size):
        head = _head_of(content, reader)
        return Done(partial(oversized_mail.note, account_id=account_id, mail_id=mail_id, head=head))
    report = None
    with suppress(InvalidRequest):
        report = reader.read_report(content)
    head = _head_of(content, reader) if report is None else None  # so it is listed
    return Done(partial(incoming_mail.note_report, account_id=account_id, mail_id=mail_id, report=report, head=head))


def _head_of(content: bytes, reader: MessageReader) -> IncomingMessage | None:
    """Parse only the header of a message that can't be parsed as a whole.

    Return None if that fails, too.
    """
    head = head_and_body(content, 0, len(content))
    with suppress(InvalidRequest):
        return reader.read(head.head + b"\r\n\r\n") if head else None
    return None


def _note(tx: Tx, *, account_id: str, mail_id: str, read: ReadMail | None, why: str | None) -> None:
    """Record a message as read or, if `why` is given, as not fully readable.

    In the second case, `read` contains only the message's header, or is None.
    """
    if why is not None:
        incoming_mail.note_unreadable(tx, account_id, mail_id, why, read)
    else:
        assert read is not None, "it was read, or could not be for a reason"
        incoming_mail.note_read(tx, account_id, mail_id, read)


def _give_up(tx: Tx, job: JobRow, why: str) -> None:
    assert job.subject is not None, "it is about a message"
    row = stored.find(tx, job.account_id, job.subject)
    if row is not None and row.about is not None:  # no bill is missed by it
        incoming_mail.note_report(tx, job.account_id, job.subject, None)
    else:
        incoming_mail.note_unreadable(tx, job.account_id, job.subject, why)


def _is_full(database: Database, account_id: str, more: int) -> bool:
    """True if `more` further documents would exceed the account's limit.

    The limit is for documents that wait to be read.
    """
    waiting = database.read(lambda tx: stored_documents.counts(tx, account_id, [READING]))
    return sum(waiting.values()) + more > MOST_DOCUMENTS_UNDER_WAY


def _files_of(attachments: Sequence[Attachment], files_in: FilesIn, *, opens: bool) -> list[IncomingFile]:
    """List a message's files, recognized by their bytes, and the files in its archives.

    A problem with one file does not affect the others. The bytes of a refused file are dropped. If `opens` is False,
    because the sender is not allowed, an archive is listed as one file.
    """
    every: list[IncomingFile] = []
    archives, left = 0, MOST_UNPACKED_OF_MESSAGE
    for attachment in attachments:
        is_archive = told(attachment.name, attachment.content).kind == "zip"
        archives += is_archive
        for file in _told(
            attachment, files_in, is_archive=is_archive, opens=opens, may_open=archives <= MOST_ARCHIVES_OF_MESSAGE
        ):
            why, is_program = why_not(file), file.is_program
            if len(every) >= MOST_FILES_OF_MESSAGE:
                why, is_program = _TOO_MANY, False
            elif file.is_packed and len(file.data) > left:
                why, is_program = _TOO_MUCH, False
            left -= len(file.data) if file.is_packed and why is None else 0
            refused = file._replace(kind=None, data=b"", problem=why, is_program=is_program)
            every.append(file if why is None else refused)
    return every


def _told(
    attachment: Attachment, files_in: FilesIn, *, is_archive: bool, opens: bool, may_open: bool
) -> tuple[IncomingFile, ...]:
    if is_archive and not opens:
        return (IncomingFile(attachment.name, "zip", attachment.content),)
    if is_archive and not may_open:
        return (IncomingFile(attachment.name, None, b"", _TOO_MANY_ARCHIVES),)
    try:
        return files_in(attachment.name, attachment.content)
    except (InvalidRequest, PayloadTooLarge) as refused:
        is_program = told(attachment.name, attachment.content).is_program
        return (IncomingFile(attachment.name, None, b"", refused.message, is_program=is_program),)
