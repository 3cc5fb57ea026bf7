"""Incoming mail with bills: listing, accepting and refusing messages."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.inbound_mail import incoming_mail, mail_attachments
from prorata.actions.inbound_mail.inbox_rows import ListedMail
from prorata.actions.inbound_mail.incoming_mail import SHOWN
from prorata.actions.intake.documents import InboxWish
from prorata.domain.inbound_mail.inbox_addresses import (
    DEALT_WITH,
    NOT_TAKEN,
    NOTHING,
    RECEIVED,
    REFUSED,
    TAKEN,
    WAITING,
)
from prorata.web.http.cursors import cursor
from prorata.web.http.operations import FILE, Call, operation
from prorata.web.http.request_schemas import Body, Filter, given
from prorata.web.http.response_schemas import Answer, Timestamp
from prorata.web.http.sent_files import FileAnswer

MailStatus = Literal["RECEIVED", "WAITING", "TAKEN", "NOTHING", "NOT_TAKEN", "DEALT_WITH", "REFUSED"]
STATES: dict[str, MailStatus] = {
    RECEIVED: "RECEIVED", WAITING: "WAITING", TAKEN: "TAKEN", NOTHING: "NOTHING", NOT_TAKEN: "NOT_TAKEN",
    DEALT_WITH: "DEALT_WITH", REFUSED: "REFUSED",
}  # fmt: skip
_STORED: dict[str, str] = {status: state for state, status in STATES.items()}
_ONE, _KIND = "/incoming-mail/{id}", ("message",)
_STATUS = (
    "RECEIVED: it is being read; WAITING: its sender isn't allowed; NOT_TAKEN: part of it couldn't be accepted; "
    "NOTHING: it contained nothing to accept."
)


class LeftOutFiles(Answer):
    """Files of a message that were not accepted as documents, with the reason."""

    names: list[str]
    reason: str


class IncomingMail(Answer):
    """A message to the inbox address, with the documents that it contained."""

    id: str
    status: Annotated[MailStatus, Meta(description=_STATUS)]
    sender: str
    subject: str | None
    is_authentic: Annotated[bool, Meta(description="Whether the message has been verified as coming from its sender.")]
    document_ids: Annotated[list[str], Meta(description="The documents that were created from the message.")]
    left_out: list[LeftOutFiles]
    is_kept: Annotated[bool, Meta(description="Whether the message is still stored in its original form.")]
    created_at: Timestamp
    updated_at: Timestamp


class IncomingMails(Answer):
    """Messages to the inbox address, and how many messages wait for a person's decision."""

    data: list[IncomingMail]
    next: Annotated[str | None, Meta(description="The `before` value for the next entries; null at the end.")]
    waiting: Annotated[int, Meta(description="How many messages are waiting because their sender isn't allowed.")]
    not_taken: int


class IncomingMailQuery(Body):
    """Filters and page of a list of messages, newest first."""

    status: MailStatus | UnsetType = UNSET
    q: Annotated[Filter, Meta(description="Words with which words of the sender or subject begin.")] = ""
    before: Annotated[str, cursor("incoming")] | UnsetType = UNSET


def _shown(mail: ListedMail) -> IncomingMail:
    row = mail.row
    return IncomingMail(
        id=row.id,
        status=STATES[row.state],
        sender=row.sender or row.envelope_from,
        subject=row.subject,
        is_authentic=bool(row.authentic),
        document_ids=[document.id for document in mail.documents],
        left_out=[LeftOutFiles(names=list(not_taken.names), reason=not_taken.why) for not_taken in mail.not_taken],
        is_kept=mail.is_kept,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _read(call: Call[Any, Any]) -> IncomingMail:
    (mail,) = incoming_mail.one(call.tx, call.caller, call.path["id"]).mails
    return _shown(mail)


@operation(
    "GET", "/incoming-mail", summary="List incoming mail", query=IncomingMailQuery, answer=IncomingMails, at_once=True
)
def list_incoming_mail(call: Call[IncomingMailQuery, None]) -> IncomingMails:
    """List the messages to your inbox address, newest first."""
    query, status = call.query, given(call.query.status)
    states = SHOWN if status is None else (_STORED[status],)
    mail_page = incoming_mail.page(call.tx, call.caller, states, InboxWish(given(query.before) or "", query.q))
    mails = [_shown(mail) for mail in mail_page.mails]
    waiting, not_taken = mail_page.waiting
    return IncomingMails(data=mails, next=mail_page.further, waiting=waiting, not_taken=not_taken)


@operation("GET", _ONE, summary="Read an incoming message", answer=IncomingMail, missing=_KIND, at_once=True)
def read_incoming_mail(call: Call[None, None]) -> IncomingMail:
    """Read a message's status and the documents that it contained."""
    return _read(call)


@operation("GET", _ONE + "/file", summary="Get an incoming message", missing=_KIND, media=FILE, at_once=True)
def get_file_of_incoming_mail(call: Call[None, None]) -> FileAnswer:
    """Download the message as it arrived.

    The message comes from a stranger, so open it only where it can't do harm.
    """
    return FileAnswer("message.eml", incoming_mail.content_of(call.tx, call.caller, call.path["id"]))


@operation(
    "POST", _ONE + "/take-up", summary="Take an incoming message up", answer=IncomingMail, status=200, missing=_KIND,
    conflict="The message is no longer waiting, or is no longer stored.",
)  # fmt: skip
def take_up_incoming_mail(call: Call[None, None]) -> IncomingMail:
    """Accept the documents of a message although its sender isn't allowed.

    The bills' values are read from the documents within seconds.
    """
    incoming_mail.take_up(call.tx, call.caller, call.path["id"])
    return _read(call)


@operation(
    "POST", _ONE + "/allow-sender", summary="Allow the sender of a message", answer=IncomingMail, status=200,
    missing=_KIND, manages=True, conflict="The message is no longer waiting, is no longer stored, or may not come "
                                          "from its stated sender.",
)  # fmt: skip
def allow_sender_of_incoming_mail(call: Call[None, None]) -> IncomingMail:
    """Accept the documents of a message, and from now on allow its sender."""
    incoming_mail.take_up(call.tx, call.caller, call.path["id"], allow_sender=True)
    return _read(call)


@operation(
    "POST", _ONE + "/refuse", summary="Refuse an incoming message", answer=IncomingMail, status=200, missing=_KIND,
    conflict="The message is no longer waiting.",
)  # fmt: skip
def refuse_incoming_mail(call: Call[None, None]) -> IncomingMail:
    """Refuse a message, which stays stored and can still be accepted."""
    incoming_mail.refuse(call.tx, call.caller, call.path["id"])
    return _read(call)


@operation(
    "POST", _ONE + "/dealt-with", summary="Mark an incoming message as dealt with", answer=IncomingMail, status=200,
    missing=_KIND, conflict="Nothing in the message is waiting.",
)  # fmt: skip
def deal_with_incoming_mail(call: Call[None, None]) -> IncomingMail:
    """Record that somebody has dealt with a message's files that were not accepted.

    For example, a person may have uploaded these files.
    """
    incoming_mail.deal_with(call.tx, call.caller, call.path["id"])
    return _read(call)


@operation(
    "POST", _ONE + "/set-aside", summary="Set the files of a message aside", answer=IncomingMail, status=200,
    missing=_KIND, conflict="None of the message's files is waiting.",
)  # fmt: skip
def set_files_of_incoming_mail_aside(call: Call[None, None]) -> IncomingMail:
    """Set aside the waiting documents of a message; each can be reopened with `PATCH /documents/{id}`."""
    mail_attachments.set_aside(call.tx, call.caller, call.path["id"])
    return _read(call)
