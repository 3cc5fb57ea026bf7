"""A parsed message: its possible bills, its unaccepted parts, and its digest."""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from prorata.actions.limits import LONGEST_MAIL_TEXT_SHOWN, MOST_LEFT_OUT_NAMED
from prorata.domain.files.file_kinds import told
from prorata.domain.inbound_mail.incoming_mail import IncomingMessage
from prorata.domain.limits import MOST_DOCUMENT_BYTES
from prorata.domain.mail.message_body import one_line
from prorata.domain.texts import plain, say
from prorata.ports.files import IncomingFile
from prorata.ports.mail import Authenticity


class ReadMail(NamedTuple):
    """A parsed message, its authenticity, and its files, with types recognized by content."""

    message: IncomingMessage
    authenticity: Authenticity
    files: tuple[IncomingFile, ...]


class LeftOut(NamedTuple):
    """A part of a message that was not accepted, and the reason.

    `may_be_bill` is set if a bill may have been lost with the part. It is not set for an executable file, or if
    the reason is that the message names no usable sender. Logos and signatures are not listed at all.
    """

    name: str
    why: str
    may_be_bill: bool = True


class Brings(NamedTuple):
    """A file of a message: its name in the message, and its size in bytes.

    `document` is the id of the document made from the file; it is empty while the message waits.
    """

    name: str
    size: int
    document: str = ""


def noted(left_out: Sequence[LeftOut]) -> str:
    """Encode the unaccepted parts of a message for storage.

    If there are too many parts, only the first ones and the number of the others are stored.
    """
    more = len(left_out) - MOST_LEFT_OUT_NAMED
    shown = [
        *left_out[:MOST_LEFT_OUT_NAMED],
        *([LeftOut("", say("{more} more files were left out.", more=more))] if more > 0 else ()),
    ]
    return msgspec.json.encode(shown, enc_hook=str).decode()


def left_out_in(text: str | None) -> list[LeftOut]:
    """Decode the unaccepted parts of a message from storage."""
    return msgspec.json.decode(text, type=list[LeftOut]) if text else []


def brought(files: Sequence[IncomingFile], became: Sequence[str] = ()) -> str:
    """Encode the list of a message's files, and the documents made from them, for storage.

    `became` contains the id of each file's document; it is empty while the message waits.
    """
    each = zip(files, became or [""] * len(files), strict=True)
    documents = [Brings(shown_line(file.name) or "", len(file.data), document) for file, document in each]
    return msgspec.json.encode(documents, enc_hook=plain).decode()


def brings_in(text: str | None) -> list[Brings]:
    """Decode the stored list of a message's files; None stands for no files."""
    return msgspec.json.decode(text, type=list[Brings]) if text else []


def shown_line(text: str | None) -> str | None:
    """Shorten text from a message to one line for storage and display.

    Return None if there is no text.
    """
    return one_line(text, LONGEST_MAIL_TEXT_SHOWN) if text else None


def divided(read: ReadMail) -> tuple[list[IncomingFile], list[LeftOut]]:
    """Separate a message's files into possible bills and unaccepted parts with reasons."""
    first_is_sender = read.message.from_address is None
    left_out = [
        LeftOut("", shown_line(problem) or "", may_be_bill=not (first_is_sender and number == 0))
        for number, problem in enumerate(read.message.problems)
    ]
    good = []
    for file in read.files:
        why = why_not(file)
        if why is None:
            good.append(file)
        else:
            left_out.append(LeftOut(shown_line(file.name) or "", why, may_be_bill=not file.is_program))
    return good, left_out


def why_not(file: IncomingFile) -> str | None:
    """Explain in a sentence why a file is not accepted; None if it is.

    The size limit for files does not apply to an archive that is not opened.
    """
    if file.problem is not None:
        return file.problem
    if len(file.data) > MOST_DOCUMENT_BYTES and file.kind != "zip":
        return say("A file can be at most {most} MB.", most=MOST_DOCUMENT_BYTES // 1_000_000)
    return None if file.data else say("This file is empty.")


def likeness(read: ReadMail) -> str:
    """Compute a digest by which copies of a message are recognized.

    The digest is equal for messages with the same sender, subject, message id and files. It depends neither on the
    way in which a message came nor on whether its archives were opened. A message without files is compared by
    everything below its header instead, because nothing else may distinguish it.
    """
    message = read.message
    files = sorted(sha256(attachment.content).hexdigest() for attachment in message.attachments)
    refused = (
        attachment.name for attachment in message.attachments if told(attachment.name, attachment.content).refused
    )
    wrong = [*message.problems, *refused]  # not visible in their bytes
    brings = files or [message.digest]
    facts = [str(message.from_address or ""), message.subject, message.message_id or "", *brings, *wrong]
    return sha256(msgspec.json.encode(facts, enc_hook=str)).hexdigest()
