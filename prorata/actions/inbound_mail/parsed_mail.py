"""A message that was read: which of its files may be bills, what is left out and why, and what tells it from others."""

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
    """A message as it was read: whether it comes from where it says, and each of its files, told by its bytes."""

    message: IncomingMessage
    authenticity: Authenticity
    files: tuple[IncomingFile, ...]


class LeftOut(NamedTuple):
    """What of a message was not taken, and why; and whether a bill may be missed by it: logos and signatures are not
    even left out, a program is none, and that nobody can tell who sent it leaves nothing out.
    """

    name: str
    why: str
    may_be_bill: bool = True


class Brings(NamedTuple):
    """A file of a message, as it is named there, with the number of its bytes; and the document that it became, ""
    where the message waits.
    """

    name: str
    size: int
    document: str = ""


def noted(left_out: Sequence[LeftOut]) -> str:
    """What of a message was not taken, as it is stored: so much of it as somebody may want to see."""
    more = len(left_out) - MOST_LEFT_OUT_NAMED
    shown = [
        *left_out[:MOST_LEFT_OUT_NAMED],
        *([LeftOut("", say("{more} more files were left out.", more=more))] if more > 0 else ()),
    ]
    return msgspec.json.encode(shown, enc_hook=str).decode()


def left_out_in(text: str | None) -> list[LeftOut]:
    """What of a message was not taken, from what is stored."""
    return msgspec.json.decode(text, type=list[LeftOut]) if text else []


def brought(files: Sequence[IncomingFile], became: Sequence[str] = ()) -> str:
    """The files of a message with the documents that they became, as they are stored: there are no more than a message
    may bring.
    """
    each = zip(files, became or [""] * len(files), strict=True)
    found = [Brings(shown_line(file.name) or "", len(file.data), document) for file, document in each]
    return msgspec.json.encode(found, enc_hook=plain).decode()


def brings_in(text: str | None) -> list[Brings]:
    """The files of a message that waits, or that were taken of it, from what is stored."""
    return msgspec.json.decode(text, type=list[Brings]) if text else []


def shown_line(text: str | None) -> str | None:
    """A text of a message as it is kept to be shown; None for none."""
    return one_line(text, LONGEST_MAIL_TEXT_SHOWN) if text else None


def divided(read: ReadMail) -> tuple[list[IncomingFile], list[LeftOut]]:
    """The files of a message that may be bills, and what is left out, each with its reason."""
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
    """Why a file is not taken, in a sentence; None where it is. An archive that is not opened is as large as it is."""
    if file.problem is not None:
        return file.problem
    if len(file.data) > MOST_DOCUMENT_BYTES and file.kind != "zip":
        return say("A file may have at most {most} MB.", most=MOST_DOCUMENT_BYTES // 1_000_000)
    return None if file.data else say("This file is empty.")


def likeness(read: ReadMail) -> str:
    """The same for messages that say and bring the same, whatever way they came, and whether or not their archives were
    opened. Those that bring no file are told by all that stands below their heads: nothing else may tell them apart.
    """
    message = read.message
    files = sorted(sha256(one.content).hexdigest() for one in message.attachments)
    refused = (one.name for one in message.attachments if told(one.name, one.content).refused)
    wrong = [*message.problems, *refused]  # what their bytes do not show
    brings = files or [message.digest]
    said = [str(message.from_address or ""), message.subject, message.message_id or "", *brings, *wrong]
    return sha256(msgspec.json.encode(said, enc_hook=str)).hexdigest()
