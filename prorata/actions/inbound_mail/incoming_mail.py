"""Incoming mail: stored as received, read by a job, and accepted automatically or by people.

A message is stored before anything is done with it. Its files are accepted automatically only if the sender is allowed
and the message is authentic (docs/adr/0021). Accepted files are handled like uploaded files: no bill charges anybody
until it is confirmed.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.delivery import deliveries
from prorata.actions.inbound_mail import inbox_addresses
from prorata.actions.inbound_mail.inbox_addresses import Recipient
from prorata.actions.inbound_mail.inbox_rows import ListedMail
from prorata.actions.inbound_mail.parsed_mail import (
    LeftOut,
    ReadMail,
    brought,
    divided,
    left_out_in,
    likeness,
    noted,
    shown_line,
)
from prorata.actions.intake import documents
from prorata.actions.intake.documents import InboxWish
from prorata.actions.jobs import jobs
from prorata.actions.limits import LONGEST_MAIL_TEXT_SHOWN, MOST_MAIL_ON_A_PAGE, MOST_MAIL_SEARCHED, MOST_SIMILAR_MAIL
from prorata.domain.audit.verbs import Verb
from prorata.domain.groups import grouped
from prorata.domain.inbound_mail.inbox_addresses import (
    DEALT_WITH,
    NOT_TAKEN,
    NOTHING,
    RECEIVED,
    REFUSED,
    REPORT,
    TAKEN,
    WAITING,
    is_too_large,
)
from prorata.domain.inbound_mail.incoming_mail import IncomingMessage
from prorata.domain.inbound_mail.outcomes import Copy, FoundIn, outcome
from prorata.domain.limits import LONGEST_MAIL_ADDRESS, MOST_REPORT_BYTES
from prorata.domain.mail.delivery_reports import DeliveryReport
from prorata.domain.mail.message_body import one_line
from prorata.domain.search_terms import have_all, parts_of, words_of
from prorata.domain.texts import say
from prorata.errors import Conflict, NotFound, Unavailable
from prorata.ports.files import IncomingFile
from prorata.ports.mail import Authenticity
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import inbox_addresses as stored_addresses, incoming_mail
from prorata.store.inbound_mail.incoming_mail import BroughtBy, IncomingMailRow

READ_MAIL = "read message"
"""The kind of the job that reads a message."""
ANSWER = "answer message"
"""The kind of the job that answers a message once its files are read."""
MAIL_ACTOR = "mail"
"""The actor of automatic actions on incoming mail."""
SHOWN = (RECEIVED, WAITING, NOT_TAKEN, TAKEN, NOTHING, DEALT_WITH, REFUSED)
"""The states of messages that the Inbox lists; it omits copies of messages, and reports."""
_CLEARED = say("This message was deleted at the end of its retention period. Have it sent again if you need it.")
_WAITS_NO_MORE = say("This message is no longer waiting. Reload the page to see what happened to it.")
_NOT_OPENED = say("Its sender was allowed while it was being read, so it will be read again.")
_LAST = "incoming_~"


class Waiting(NamedTuple):
    """The numbers of waiting messages: from senders who are not allowed, and with unaccepted files."""

    not_allowed: int
    not_taken: int


class MailPage(NamedTuple):
    """One page of incoming messages.

    `waiting` contains the numbers of messages that wait for a person, by reason. `further` is the id of the message
    after which the next page begins; None if there is no next page. If `is_cut`, not all messages were searched.
    """

    mails: list[ListedMail]
    waiting: Waiting
    further: str | None
    is_cut: bool = False


_ANY = InboxWish()


def keep(
    tx: Tx, recipient: Recipient, *, envelope_from: str, message: bytes, way: str, size: int | None = None
) -> IncomingMailRow | None:
    """Store a message as received, and queue the job that reads it.

    Only the beginning of a delivery report is stored. If the message was too large to fetch, `message` is only its
    header, and `size` is its size in bytes. Return None if the account already has the very same message.
    """
    message = message if recipient.about is None else message[:MOST_REPORT_BYTES]
    size = len(message) if size is None else size
    digest = sha256(b"%d\n" % size + message if is_too_large(size) else message).hexdigest()
    row = IncomingMailRow(
        account_id=recipient.account_id,
        id=tx.new_id("incoming"),
        digest=digest,
        size=size,
        way=way,
        state=RECEIVED,
        envelope_from=one_line(envelope_from, LONGEST_MAIL_TEXT_SHOWN),
        about=recipient.about,
        accepted_by=None,
        sender=None,
        subject=None,
        message_id=None,
        likeness=None,
        authentic=None,
        said=None,
        left_out=None,
        brings=None,
        answered_at=None,
        created_at=tx.now,
        updated_at=tx.now,
    )
    if not incoming_mail.add(tx, row, message):
        return None
    _have_read(tx, row)
    return row


def _have_read(tx: Tx, row: IncomingMailRow) -> None:
    jobs.enqueue(tx, row.account_id, READ_MAIL, {"mail": row.id}, subject=row.id)


# --- what the worker notes --------------------------------------------------------------------------------------------


def note_read(tx: Tx, account_id: str, mail_id: str, read: ReadMail) -> None:
    """Store what a message contains, and accept its files if allowed.

    The files are accepted if the sender is allowed and authentic, or if somebody has accepted the message. Otherwise,
    the message waits. It also waits if one of its files could not be accepted although the message was. A copy of an
    earlier message adds nothing. An authentic sender is answered if the account allows the sender, or if a member has
    accepted the message. Raises `Unavailable` if too many documents wait to be read, or if an archive was not opened
    because its sender was not allowed yet; then nothing is stored.
    """
    row = incoming_mail.lock(tx, account_id, mail_id)
    if row is None or row.state != RECEIVED:
        return
    stored_addresses.lock(tx, account_id)  # two messages with the same content are compared one after the other
    good, left_out = divided(read)
    row = _as_read(tx, row, read, left_out)._replace(likeness=likeness(read))
    row = row._replace(state=_state(tx, row, good, left_out))
    row = row._replace(brings=brought(good) if row.state == WAITING else None)
    if row.state in (TAKEN, NOT_TAKEN):
        if any(file.kind == "zip" for file in good):
            raise Unavailable(_NOT_OPENED)
        caller = Caller(account_id, row.accepted_by or MAIL_ACTOR)
        became = [_taken(tx, caller, file).row.id for file in good]
        for document_id in became:
            incoming_mail.link(tx, account_id, mail_id, document_id)
        row = row._replace(brings=brought(good, became))
    incoming_mail.save(tx, row)
    _have_answered(tx, row, read)


def may_be_taken(tx: Tx, account_id: str, mail_id: str, message: IncomingMessage, authenticity: Authenticity) -> bool:
    """True if a message's files are accepted once read; otherwise, its archives stay unopened."""
    row = incoming_mail.find(tx, account_id, mail_id)
    if row is None:
        return False
    return row.accepted_by is not None or _is_theirs(
        tx, row._replace(sender=_sender(message), authentic=authenticity.passed)
    )


def _sender(message: IncomingMessage) -> str | None:
    return one_line(str(message.from_address or ""), LONGEST_MAIL_ADDRESS) or None  # whole: it is answered


def _is_theirs(tx: Tx, row: IncomingMailRow) -> bool:
    return bool(row.authentic) and inbox_addresses.is_sender_allowed(tx, row.account_id, row.sender)


def _as_read(tx: Tx, row: IncomingMailRow, read: ReadMail, left_out: Sequence[LeftOut]) -> IncomingMailRow:
    """Complete a message's row with its header data, authenticity and unaccepted parts."""
    return row._replace(
        sender=_sender(read.message),
        subject=shown_line(read.message.subject),
        message_id=shown_line(read.message.message_id),
        authentic=read.authenticity.passed,
        said=None if read.authenticity.is_of_nobody else shown_line(read.authenticity.why),
        left_out=noted(left_out),
        updated_at=tx.now,
    )


def _have_answered(tx: Tx, row: IncomingMailRow, read: ReadMail) -> None:
    """Queue an answer to a message, if its sender is authentic and may be answered."""
    is_automatic = read.message.is_automatic or (row.way != "imap" and not row.envelope_from)  # RFC 3834 section 2
    may_answer = row.state in (TAKEN, NOTHING, NOT_TAKEN) and not is_automatic and read.authenticity.passed
    is_wanted = row.accepted_by is not None or inbox_addresses.is_sender_allowed(tx, row.account_id, row.sender)
    if may_answer and is_wanted:
        jobs.enqueue(tx, row.account_id, ANSWER, {"mail": row.id}, subject=row.id, unique_key=row.id)


def _taken(tx: Tx, caller: Caller, file: IncomingFile) -> documents.Taken:
    try:
        return documents.take(tx, caller, file.name, file.data, "mail")
    except Conflict as full:  # filled up since the worker checked; a temporary problem is no refusal
        raise Unavailable(full.message) from None


def _state(tx: Tx, row: IncomingMailRow, good: Sequence[IncomingFile], left_out: Sequence[LeftOut]) -> str:
    """Return a message's state after reading, such as "waiting" or "again" (a copy)."""
    like = incoming_mail.like(tx, row, limit=MOST_SIMILAR_MAIL)
    brought = {one.mail_id for one in incoming_mail.brought(tx, row.account_id, [one.id for one in like])}
    copies = (Copy(one.state, bool(one.authentic), one.id in brought) for one in like)
    has_missed = any(one.may_be_bill for one in left_out)
    is_taken_up = row.accepted_by is not None
    return outcome(FoundIn(_is_theirs(tx, row), is_taken_up, bool(good), bool(left_out), has_missed), copies)


def note_report(
    tx: Tx, account_id: str, mail_id: str, report: DeliveryReport | None, head: IncomingMessage | None = None
) -> None:
    """Store a delivery report that came to the return address of one of Prorata's messages.

    If the received mail is not a report (`report` is None), it says nothing about delivery. It is then listed with the
    data from its header (`head`), if the header can be read, and is not searched for bills.
    """
    row = incoming_mail.lock(tx, account_id, mail_id)
    if row is None or row.state != RECEIVED or row.about is None:
        return
    if report is not None:
        with suppress(NotFound):  # the message is gone, with its invoice
            deliveries.note_report(tx, row.about, report)
    if head is not None:
        row = row._replace(
            sender=_sender(head), subject=shown_line(head.subject), message_id=shown_line(head.message_id)
        )
    incoming_mail.save(tx, row._replace(state=REPORT if report else NOTHING, updated_at=tx.now))


def note_unreadable(tx: Tx, account_id: str, mail_id: str, why: str, head: ReadMail | None = None) -> None:
    """Record why a message could not be read; the message waits for a person.

    If the message's header (`head`) can be read, its sender is answered under the same conditions as in `note_read`.
    """
    row = incoming_mail.lock(tx, account_id, mail_id)
    if row is None or row.state != RECEIVED:
        return
    left_out = [LeftOut("", why)]
    if head is None:
        incoming_mail.save(tx, row._replace(state=NOT_TAKEN, left_out=noted(left_out), updated_at=tx.now))
    else:
        row = _as_read(tx, row, head, left_out)._replace(state=NOT_TAKEN)
        incoming_mail.save(tx, row)
        _have_answered(tx, row, head)


# --- what a person sees and decides -----------------------------------------------------------------------------------


def page(tx: Tx, caller: Caller, states: Sequence[str] = SHOWN, wish: InboxWish = _ANY) -> MailPage:
    """List one page of the incoming messages that have certain states and match a search."""
    rows, is_cut = _looked_for(tx, caller, states, wish)
    shown = list(_listed(tx, caller, rows[:MOST_MAIL_ON_A_PAGE]))
    further = shown[-1].row.id if len(rows) > MOST_MAIL_ON_A_PAGE else None
    return MailPage(shown, number_waiting(tx, caller), further, is_cut)


def _looked_for(tx: Tx, caller: Caller, states: Sequence[str], wish: InboxWish) -> tuple[list[IncomingMailRow], bool]:
    """List a page's matches and one more; return True if some messages were not searched."""
    is_searched = bool(wish.text.strip())
    most, behind = (MOST_MAIL_SEARCHED, "") if is_searched else (MOST_MAIL_ON_A_PAGE, wish.behind)
    if wish.oldest_first:
        rows = incoming_mail.oldest(tx, caller.account_id, states, after=behind, limit=most + 1)
    else:
        rows = incoming_mail.page(tx, caller.account_id, states, before=behind or _LAST, limit=most + 1)
    if not is_searched:
        return rows, False
    words = parts_of(wish.text)
    fit = (row for row in rows[:most] if wish.has_behind(row.id) and have_all(_words_of(row), words))
    return list(islice(fit, MOST_MAIL_ON_A_PAGE + 1)), len(rows) > most


def _words_of(row: IncomingMailRow) -> frozenset[str]:
    return words_of(row.subject, row.sender or row.envelope_from)


def one(tx: Tx, caller: Caller, mail_id: str) -> MailPage:
    """Load a message as a page with one entry, or raise `NotFound`."""
    row = access.incoming_mail(tx, caller, mail_id)
    return MailPage(list(_listed(tx, caller, [row])), number_waiting(tx, caller), None)


def brought_by(tx: Tx, caller: Caller, document_id: str) -> BroughtBy | None:
    """Find the message that first brought a document; None if no message did."""
    return incoming_mail.brought_by(tx, caller.account_id, document_id)


def number_waiting(tx: Tx, caller: Caller) -> Waiting:
    """Count the messages that wait for a person, by reason."""
    counts = incoming_mail.counts(tx, caller.account_id, (WAITING, NOT_TAKEN))
    return Waiting(counts.get(WAITING, 0), counts.get(NOT_TAKEN, 0))


def _listed(tx: Tx, caller: Caller, rows: Sequence[IncomingMailRow]) -> Iterator[ListedMail]:
    brought = incoming_mail.brought(tx, caller.account_id, [row.id for row in rows])
    documents_of = grouped((one.mail_id, one) for one in brought)
    kept = incoming_mail.kept(tx, caller.account_id, [row.id for row in rows])
    for row in rows:
        size = is_too_large(row.size)
        yield ListedMail(row, documents_of[row.id], left_out_in(row.left_out), row.id in kept, size)


def take_up(tx: Tx, caller: Caller, mail_id: str, *, allow_sender: bool = False) -> IncomingMailRow:
    """Accept a message from a sender who was not allowed; optionally allow the sender.

    A message of which some files were not accepted, or in which nothing was found, is read again. Raises `NotFound` if
    there is no such message, and `Conflict` if there is nothing to accept, or the message's sender is unknown.
    """
    row = access.incoming_mail_to_change(tx, caller, mail_id)
    if row.state not in (WAITING, REFUSED, NOT_TAKEN, DEALT_WITH, NOTHING) or row.about is not None:
        raise Conflict(_WAITS_NO_MORE)
    if not incoming_mail.kept(tx, caller.account_id, [row.id]):
        raise Conflict(_CLEARED)
    if allow_sender:
        if row.sender is None or not row.authentic:
            raise Conflict(
                say("Prorata can’t verify who sent this message. Accept the message without allowing its sender.")
            )
        inbox_addresses.allow(tx, caller, row.sender)
    after = row._replace(state=RECEIVED, accepted_by=caller.actor, updated_at=tx.now)
    incoming_mail.save(tx, after)
    audit.record(tx, caller, Verb.TAKE_UP_MESSAGE, row.id, before=_noted(row), after=_noted(after))
    _have_read(tx, after)
    return after


def refuse(tx: Tx, caller: Caller, mail_id: str) -> IncomingMailRow:
    """Refuse a message whose sender is not allowed; it stays stored.

    Raises `NotFound` if there is no such message, and `Conflict` if the message is not waiting.
    """
    return _put_away(tx, caller, mail_id, Verb.REFUSE_MESSAGE, WAITING, REFUSED)


def deal_with(tx: Tx, caller: Caller, mail_id: str) -> IncomingMailRow:
    """Record that somebody dealt with a message of which some files were not accepted.

    For example, the person has uploaded these files. The message stays stored. Raises `NotFound` if there is no such
    message, and `Conflict` if it is not waiting.
    """
    return _put_away(tx, caller, mail_id, Verb.DEAL_WITH_MESSAGE, NOT_TAKEN, DEALT_WITH)


def _put_away(tx: Tx, caller: Caller, mail_id: str, verb: Verb, waits: str, state: str) -> IncomingMailRow:
    """Move a waiting message to another state, unless it is already in that state."""
    row = access.incoming_mail_to_change(tx, caller, mail_id)
    if row.state == state:
        return row
    if row.state != waits:
        raise Conflict(_WAITS_NO_MORE)
    after = row._replace(state=state, updated_at=tx.now)
    incoming_mail.save(tx, after)
    audit.record(tx, caller, verb, row.id, before=_noted(row), after=_noted(after))
    return after


class _Noted(NamedTuple):
    """A person's decision about a message, as stored in the audit log."""

    state: str
    sender: str | None
    subject: str | None


def _noted(row: IncomingMailRow) -> _Noted:
    return _Noted(row.state, row.sender, row.subject)


def content_of(tx: Tx, caller: Caller, mail_id: str) -> bytes:
    """Return a message byte for byte as it was received.

    Raises `NotFound` if there is no such message, and `Conflict` if the message was deleted.
    """
    row = access.incoming_mail(tx, caller, mail_id)
    content = incoming_mail.content(tx, caller.account_id, row.id)
    if content is None:
        raise Conflict(_CLEARED)
    return content
