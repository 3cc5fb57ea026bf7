"""A builder of messages' bytes (RFC 5322), for the mail server and for storage.

The same input gives the same bytes, so a message that is sent again is identical: the caller gives the date and the
Message-ID, and the boundaries are derived from the Message-ID. Header lines are written here rather than by the
standard library, whose folding differs between versions of Python and has dropped the quotes of names (CVE-2025-1795).
"""

import re
import struct
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime
from hashlib import sha256
from typing import Any, NamedTuple

from prorata.adapters.limits import LONGEST_ATTACHMENT_NAME, LONGEST_ENCODED_WORD, LONGEST_MAIL_LINE
from prorata.domain.inbound_mail.incoming_mail import ANSWER_FIELD
from prorata.domain.mail.message_body import Letter, Shown, as_html, as_plain_text, header_line
from prorata.domain.mail_addresses import MailAddress

_FRAME = len("=?utf-8?b??=")
_OCTETS_OF_A_WORD = (LONGEST_ENCODED_WORD - _FRAME) // 4 * 3
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9._+-]{1,64}@[a-z0-9.-]{1,255}>")
_PLAIN_PHRASE = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_BARE_LINE_END = re.compile(r"\r(?!\n )|(?<!\r)\n|[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]")
_PNG_SIZE = 16
"""The offset of the width and height in a PNG, in bytes.

See W3C PNG, third edition, section 11.2.1.
"""
_LOGO_WIDTH, _LOGO_HEIGHT = 227, 57
"""The maximum size of the logo in pixels, which corresponds to its size on paper."""
_NOT_IN_A_FILE_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class Pdf(NamedTuple):
    """A PDF attached to a message."""

    file_name: str
    content: bytes


class Message(NamedTuple):
    """The contents of a message.

    `message_id` and `date` (in UTC) are chosen before the first attempt to send, and stay the same.

    If `is_answer` is set, the message is a reply, and `in_reply_to` is the Message-ID of the original message, if
    known. The address for replies (`reply_to`) must be one that every server accepts.
    """

    message_id: str
    date: datetime
    sender_name: str
    sender: MailAddress
    recipient: MailAddress
    letter: Letter
    recipient_name: str | None = None
    reply_to: MailAddress | None = None
    pdf: Pdf | None = None
    is_answer: bool = False
    in_reply_to: str | None = None


def message_id(token: str, domain: str) -> str:
    """Build a Message-ID from `token`.

    The token of a message is stored, so a message that is sent again has the same Message-ID.
    """
    made = f"<{token}@{domain.lower()}>"
    assert _MESSAGE_ID.fullmatch(made), "a Message-ID"
    return made


def build_message(message: Message) -> bytes:
    """Build a message's bytes, with CRLF line ends.

    Equal messages have equal bytes. The bytes are all ASCII, unless the recipient's local part is not. In that case,
    the address is not encoded (RFC 6532), and only a server that offers SMTPUTF8 can accept the message.
    """
    assert message.sender.is_ascii, "the sender's address is one that every server can take"
    assert message.reply_to is None or message.reply_to.is_ascii, "so is the address that is answered to"
    assert _MESSAGE_ID.fullmatch(message.message_id), "a Message-ID"
    assert message.date.utcoffset() is not None, "a moment in a time zone"
    built = EmailMessage(policy=_policy(message))
    letter = message.letter
    headers = {
        "Date": format_datetime(message.date.astimezone(UTC).replace(microsecond=0)),
        "Message-ID": message.message_id,
        "From": _mailbox("From", message.sender_name, message.sender),
        "To": _mailbox("To", message.recipient_name or "", message.recipient),
        "Subject": _unstructured("Subject", letter.subject),
        "Auto-Submitted": "auto-replied" if message.is_answer else "auto-generated",
        "X-Auto-Response-Suppress": "OOF, AutoReply",  # Exchange's counterpart of Auto-Submitted
    }
    if message.is_answer:
        headers[ANSWER_FIELD] = "1"
    if message.in_reply_to is not None:
        headers |= {"In-Reply-To": message.in_reply_to, "References": message.in_reply_to}
    if message.reply_to is not None:
        headers["Reply-To"] = str(message.reply_to)
    for name, value in headers.items():
        built[name] = _Written(name, value)
    built.set_content(as_plain_text(letter), charset="utf-8", cte="quoted-printable")
    logo = _shown(letter.logo, message.message_id) if letter.logo else None
    built.add_alternative(as_html(letter, logo), subtype="html", charset="utf-8", cte="quoted-printable")
    if logo is not None:
        html: Any = list(built.iter_parts())[1]
        html.add_related(letter.logo, maintype="image", subtype="png", cid=f"<{logo.content_id}>", disposition="inline")
    if message.pdf is not None:
        name = file_name(message.pdf.file_name)
        built.add_attachment(message.pdf.content, maintype="application", subtype="pdf", filename=name)
    built["Content-Language"] = letter.language  # last: headers that begin with Content- move into the first part
    _fix_boundaries(built, message.message_id)
    return built.as_bytes()


def _shown(logo: bytes, message_id: str) -> Shown:
    """Compute the size at which a message shows its logo, and the logo's Content-ID."""
    width, height = struct.unpack_from(">II", logo, _PNG_SIZE)
    shown = min(height, _LOGO_HEIGHT, max(1, _LOGO_WIDTH * height // width))
    return Shown(f"logo.{message_id.strip('<>')}", max(1, width * shown // height), shown)


def _policy(message: Message) -> "EmailPolicy[Any]":
    return SMTP.clone(max_line_length=LONGEST_MAIL_LINE, utf8=not message.recipient.is_ascii)


@dataclass(frozen=True, slots=True)
class _Written:
    """A folded header in the form that the policies of Python's `email` expect."""

    name: str
    value: str

    def fold(self, *, policy: "EmailPolicy[Any]") -> str:
        """Return the whole header, with the end of its last line."""
        assert not _BARE_LINE_END.search(self.value), "each line of a header but the first begins with a space"
        return f"{self.name}: {self.value}{policy.linesep}"


def _mailbox(header: str, name: str, address: MailAddress) -> str:
    """Format a display name and an address for a header.

    The name is written as atoms, as a quoted string or as encoded words, depending on its characters.
    """
    shown = header_line(name)
    if not shown:
        return str(address)
    escaped = shown.replace("\\", "\\\\").replace('"', '\\"')
    phrase = shown if _PLAIN_PHRASE.fullmatch(shown) else f'"{escaped}"'
    if not shown.isascii() or "=?" in shown or len(f"{header}: {phrase}") > LONGEST_MAIL_LINE:
        phrase = _encoded_words(header, shown)
    last_line = f"{header}: {phrase}".rpartition("\r\n")[2]
    gap = " " if len(f"{last_line} <{address}>") <= LONGEST_MAIL_LINE else "\r\n "
    return f"{phrase}{gap}<{address}>"


def _unstructured(header: str, text: str) -> str:
    shown = header_line(text)
    fits = shown.isascii() and "=?" not in shown and len(f"{header}: {shown}") <= LONGEST_MAIL_LINE
    return shown if fits else _encoded_words(header, shown)


def _encoded_words(header: str, text: str) -> str:
    """Encode text (RFC 2047), one word per line, without splitting characters."""
    words, room = [b""], (LONGEST_MAIL_LINE - len(f"{header}: ") - _FRAME) // 4 * 3
    for character in text:
        encoded = character.encode()
        if len(words[-1]) + len(encoded) > min(room, _OCTETS_OF_A_WORD):
            words.append(b"")
            room = _OCTETS_OF_A_WORD
        words[-1] += encoded
    return "\r\n ".join(f"=?utf-8?b?{b64encode(word).decode()}?=" for word in words)


def file_name(name: str) -> str:
    """Return a file name that is safe on every system and needs no encoding.

    It contains only A–Z, a–z, 0–9, ".", "_" and "-".
    """
    stem = _NOT_IN_A_FILE_NAME.sub("-", name.removesuffix(".pdf")).strip("-.")[:LONGEST_ATTACHMENT_NAME]
    return f"{stem or 'invoice'}.pdf"


def _fix_boundaries(built: EmailMessage, message_id: str) -> None:
    """Replace the random boundaries in a message with boundaries from its Message-ID.

    Such boundaries can't occur within a part: quoted-printable lines contain no "=_", and base64 contains no "_".
    """
    root = sha256(message_id.encode()).hexdigest()[:24]
    many = (part for part in built.walk() if part.is_multipart())
    for number, part in enumerate(many, 1):
        part.set_boundary(f"=_{root}_{number}")
