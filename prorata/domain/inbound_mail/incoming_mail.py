"""An incoming message, parsed: its sender, its attachments, and whether to reply.

Only files are taken. The text of the letter is ignored, and no link in it is followed. The following is not taken:

- the letter itself, its invitations and cards, cryptographic signatures, and texts that servers append;
- small pictures that the letter displays, such as logos. A picture counts as displayed if it is in a
  `multipart/related` or marked as hidden in winmail.dat, and not marked as an attachment. If it is at least
  `LEAST_PICTURE` bytes and of a kind that may be a page, it is taken, because it may be the photo of a bill;
- a file that did not arrive complete, because a truncated table would be read as a smaller one. Such a file is
  reported as a problem.
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from prorata.domain.file_names import clean_name
from prorata.domain.inbound_mail.message_fields import Field, message_id, one_mailbox, words
from prorata.domain.inbound_mail.message_parts import Apart, Leaf, field_of, head_and_body, take_apart
from prorata.domain.inbound_mail.tnef import SIGNATURE, read_tnef
from prorata.domain.limits import (
    LEAST_PICTURE,
    LONGEST_MAIL_HEAD,
    LONGEST_SUBJECT,
    MOST_ATTACHMENTS,
    MOST_DECODED_MAIL_BYTES,
    MOST_HOPS,
    MOST_MAIL_PROBLEMS,
)
from prorata.domain.mail.message_body import one_line
from prorata.domain.mail_addresses import MailAddress
from prorata.domain.texts import say

ANSWER_FIELD = "X-Prorata-Answer"
"""The header field of Prorata's replies, which keeps two installations from answering each other."""

MESSAGE_TOO_LARGE = say(
    "This message is larger than {most} MB, so it was not processed.", most=MOST_DECODED_MAIL_BYTES >> 20
)
TOO_MANY_FILES = say("This message has more than {most} files; any beyond that were left out.", most=MOST_ATTACHMENTS)
NO_SENDER = say("It isn’t clear who sent this message, because its From header names nobody or several senders.")
WINMAIL = say(
    "The file winmail.dat, in which Outlook packs attachments, could not be read completely. Send the message as "
    "plain text or HTML, or send the files from another program."
)

_TEXTS = frozenset(("plain", "html", "enriched", "richtext", "rtf", "x-amp-html", "watch-html", "rfc822-headers"))
_NO_BILLS = frozenset(
    (
        *("text/calendar", "text/vcard", "text/x-vcard", "text/directory", "application/ics", "application/applefile"),
        *("application/pgp-signature", "application/pgp-keys", "message/delivery-status"),
        *("application/pkcs7-signature", "application/x-pkcs7-signature", "message/disposition-notification"),
    )
)
_OF_SERVERS = re.compile(r"ATT\d{5,}\.(?:txt|html?|c)|smime\.p7s|signature\.asc", re.IGNORECASE)
_PAGES = frozenset(("image/jpeg", "image/jpg", "image/pjpeg", "image/png", "image/x-png"))
_PICTURES = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG", "image/png"), (b"GIF8", "image/gif"), (b"BM", "image/bmp"))
_ENDINGS = {
    "application/pdf": ".pdf",
    "application/zip": ".zip",
    "text/plain": ".txt",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
}
_TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
_TAKES_NO_ANSWER = re.compile(
    r"(?:no|do[-_.]?not)[-_.]?repl(?:y|ies)|mailer-daemon|postmaster|bounces?|.*-(?:request|owner|bounces?)|owner-.*",
    re.IGNORECASE,
)
_BY_PROGRAM = ("x-autoreply", "x-autorespond", "x-auto-reply", "x-loop", "feedback-id", ANSWER_FIELD.lower())


class Attachment(NamedTuple):
    """An attached file, under a name that is safe to show."""

    name: str
    content: bytes


class IncomingMessage(NamedTuple):
    """A parsed message, whose header fields do not prove who sent it.

    Only a signature can prove the sender. A reply goes only to the sender, even if the message names another
    address for replies.
    """

    from_address: MailAddress | None
    subject: str
    message_id: str | None
    attachments: tuple[Attachment, ...]
    problems: tuple[str, ...]
    is_automatic: bool
    """True if a program sent the message, which is then never answered."""
    digest: str
    """The digest that identifies the text below the head, ignoring differences in line endings.

    It is empty if the message contains files, which identify it better.
    """


def read_message(raw: bytes) -> IncomingMessage:
    r"""Parse any bytes as a message, without raising an error.

    Parsing takes time in proportion to the number of bytes.

    >>> message = read_message(b"From: Ann <ann@example.com>\r\nSubject: March\r\n\r\nThe bill follows.")
    >>> str(message.from_address), message.subject, message.attachments
    ('ann@example.com', 'March', ())
    """
    if len(raw) > MOST_DECODED_MAIL_BYTES:
        apart = take_apart(raw[:LONGEST_MAIL_HEAD])._replace(leaves=(), problems=(MESSAGE_TOO_LARGE,))
    else:
        apart = take_apart(raw)
    files = _Files()
    for leaf in apart.leaves:
        files.take(leaf)
    sender = _sender(apart.fields)
    problems = (*(() if sender else (NO_SENDER,)), *apart.problems, *files.problems)
    return IncomingMessage(
        from_address=sender,
        subject=_subject(apart.fields),
        message_id=message_id(field_of(apart.fields, "message-id")),
        attachments=tuple(files.taken),
        problems=tuple(dict.fromkeys(problems))[:MOST_MAIL_PROBLEMS],
        is_automatic=_is_automatic(apart, sender),
        digest="" if files.taken else _digest(raw),
    )


def _digest(raw: bytes) -> str:
    head = head_and_body(raw, 0, len(raw))
    return sha256(raw[head.body if head else 0 :].replace(b"\r\n", b"\n").rstrip()).hexdigest()


def _subject(fields: Sequence[Field]) -> str:
    line = one_line(words(field_of(fields, "subject")), LONGEST_SUBJECT)
    return "".join(
        " " if character.isspace() else character
        for character in line
        if character.isspace() or character.isprintable()
    )


def _sender(fields: Sequence[Field]) -> MailAddress | None:
    values = [field.value for field in fields if field.name == "from"]
    return one_mailbox(values[0]) if len(values) == 1 else None


def _is_automatic(apart: Apart, sender: MailAddress | None) -> bool:
    """True if a program sent a message, according to RFC 3834 and older conventions."""
    return (
        any(_is_by_program(field.name, field.value.lower()) for field in apart.fields)
        or apart.kind == "multipart/report"
        or sum(field.name == "received" for field in apart.fields) > MOST_HOPS
        or (sender is not None and _TAKES_NO_ANSWER.fullmatch(sender.local_part) is not None)
    )


def _is_by_program(name: str, value: str) -> bool:
    """True if only programs write a header field with this name and value."""
    match name:
        case "auto-submitted":
            return value.partition(";")[0].strip() != "no"
        case "precedence":
            return value in ("bulk", "junk", "list", "auto_reply")
        case "return-path":
            return value in ("<>", "")
        case "x-auto-response-suppress":
            return not {"all", "oof", "autoreply"}.isdisjoint(re.split(r"[\s,;]+", value))
        case _:
            return name.startswith("list-") or name in _BY_PROGRAM


class _Files:
    """A collector of a message's files."""

    def __init__(self) -> None:
        self.taken: list[Attachment] = []
        self.problems: list[str] = []

    def take(self, leaf: Leaf) -> None:
        """Collect the files of a part, or record why the part is left out."""
        if _is_letter(leaf):
            return
        named = clean_name(leaf.name or f"file{_ENDINGS.get(leaf.kind, '')}")
        if not leaf.is_whole:
            self.problems.append(
                say("The file {named} arrived incomplete and was left out. Send it again.", named=named)
            )
        elif leaf.kind in _TNEF or (leaf.content.startswith(SIGNATURE) and leaf.kind):
            self._unpack(leaf.content)
        elif not _is_decoration(leaf):
            self._add(named, leaf.content)

    def _unpack(self, content: bytes) -> None:
        packed = read_tnef(content)
        if not packed.is_whole:
            self.problems.append(WINMAIL)
        for file in packed.files:
            kind = next((kind for begins, kind in _PICTURES if file.content.startswith(begins)), "")
            self.take(Leaf(kind, file.name, file.content, is_attached=not file.is_shown, is_related=file.is_shown))

    def _add(self, name: str, content: bytes) -> None:
        if len(self.taken) >= MOST_ATTACHMENTS:
            self.problems.append(TOO_MANY_FILES)
            return
        self.taken.append(Attachment(clean_name(name, [file.name for file in self.taken]), content))


def _is_letter(leaf: Leaf) -> bool:
    """True if a part is the letter itself, not an attachment."""
    main, _, kind = leaf.kind.partition("/")
    return main == "text" and kind in _TEXTS and not leaf.name and not leaf.is_attached


def _is_decoration(leaf: Leaf) -> bool:
    if leaf.kind in _NO_BILLS or _OF_SERVERS.fullmatch(leaf.name):
        return True
    if not leaf.kind.startswith("image/") or leaf.is_attached or not leaf.is_related:
        return False
    return leaf.kind not in _PAGES or len(leaf.content) < LEAST_PICTURE
