"""A parser of delivery reports (RFC 3464, RFC 6533), and of qmail's and Exim's formats.

Because anybody can send any message, only the beginning of a message is read, nested parts are counted before they are
parsed, and a quoted message is never taken for a report. Vacation replies, read receipts and mail that people write are
not reports.
"""

import re
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes, message_from_string
from email.message import Message
from itertools import islice

from prorata.adapters.limits import (
    LONGEST_DIAGNOSTIC,
    LONGEST_REPORTED_ADDRESS,
    MOST_REPORT_BYTES_READ,
    MOST_REPORT_CHARACTERS,
    MOST_REPORT_PARTS,
    MOST_REPORT_PIECES,
    MOST_REPORT_RECIPIENTS,
)
from prorata.domain.mail.delivery_reports import ACTIONS, Action, DeliveryReport, RecipientReport
from prorata.domain.mail.message_body import one_line

_HOLDS_PARTS = re.compile(rb"\b(?:multipart|message)/", re.IGNORECASE)
_DIVIDES = re.compile(rb"^--[^\r\n]+", re.MULTILINE)
# The parser makes a message of each group of fields, a million of a million empty lines; a text is one message.
_STATUS_TYPE = re.compile(rb"\bmessage/((?:global-)?delivery-status)\b", re.IGNORECASE)
_REPORTS = ("text/delivery-status", "text/global-delivery-status")
_BETWEEN_GROUPS = re.compile(r"\n\s*\n")
# The codecs left out are no charsets of mail, and some take minutes.
_CHARSETS = re.compile(r"us-ascii|utf-8|iso-8859-\d+|windows-\d+|koi8-[ru]|gb\d*k?|big5|euc-\w+|iso-2022-\w+|shift_jis")
_ORIGINALS = ("message/rfc822", "message/global", "message/rfc822-headers", "message/global-headers")
_STATUS = re.compile(r"\b([245]\.\d{1,3}\.\d{1,3})\b")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,500}>")
_MESSAGE_ID_LINE = re.compile(r"^message-id:\s*(<[^<>\s]{1,500}>)", re.IGNORECASE | re.MULTILINE)
_ACTION_OF_CLASS: dict[str, Action] = {"2": "delivered", "4": "delayed", "5": "failed"}
_QMAIL = "Hi. This is the "
_QMAIL_RECIPIENT = re.compile(r"<([^<>]{0,320})>:\n")
_NOT_FAILED = re.compile(r"delay|warning|not yet", re.IGNORECASE)
Headers = dict[str, str]


def read_report(raw: bytes) -> DeliveryReport | None:
    """Parse a received message as a delivery report; return None for any other message."""
    raw = raw[:MOST_REPORT_BYTES_READ]
    if len(_HOLDS_PARTS.findall(raw)) > MOST_REPORT_PARTS:
        return None
    if any(times > MOST_REPORT_PIECES for times in Counter(line.rstrip() for line in _DIVIDES.findall(raw)).values()):
        return None
    message = message_from_bytes(_STATUS_TYPE.sub(rb"text/\1", raw))
    report = next((part for part in _own_parts(message) if part.get_content_type() in _REPORTS), None)
    if report is not None:
        return _notification(message, report)
    return _from_qmail(message) or _from_exim(message)


def _own_parts(message: Message) -> Iterator[Message]:
    """Yield the parts of a message, leaving out the parts of messages attached to it."""
    yield message
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        for part in _within(message):
            yield from _own_parts(part)


def _within(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [each for each in payload if isinstance(each, Message)] if isinstance(payload, list) else []


# --- RFC 3464 ---------------------------------------------------------------------------------------------------------


def _notification(message: Message, report: Message) -> DeliveryReport | None:
    groups = [_headers(message_from_string(group)) for group in _groups(report)]
    read = (_recipient(group) for group in groups)
    recipients = tuple(islice((recipient for recipient in read if recipient is not None), MOST_REPORT_RECIPIENTS))
    if not recipients:
        return None
    repeated = (_id_in(group.get("x-original-message-id", "")) for group in groups)
    return DeliveryReport(
        recipients, _original_id(message) or next((original_id for original_id in repeated if original_id), None)
    )


def _groups(report: Message) -> list[str]:
    """Split a delivery report into groups of fields.

    The first group is about the message, and each other group about one recipient. Empty lines separate the groups.
    Only as many groups are returned as the limit of recipients allows.
    """
    text = _content(report)[:MOST_REPORT_CHARACTERS].replace("\r\n", "\n").strip()
    return _BETWEEN_GROUPS.split(text, 2 * MOST_REPORT_RECIPIENTS)[: 2 * MOST_REPORT_RECIPIENTS]


def _headers(group: Message) -> Headers:
    """Return a group's fields by their names in lower case, each as one line.

    If a field is repeated, only the first is returned.
    """
    headers: Headers = {}
    for name, value in group.items():
        headers.setdefault(name.lower(), one_line(str(value), 2000))
    return headers


def _recipient(fields: Headers) -> RecipientReport | None:
    if not fields.keys() & {"action", "final-recipient", "original-recipient"}:
        return None
    diagnostic = _after_type(fields.get("diagnostic-code", ""))
    match = _STATUS.search(fields.get("status", ""))
    action = _action(fields.get("action", ""), match[1] if match else "")
    if action is None:
        return None
    address = _after_type(fields.get("original-recipient") or fields.get("final-recipient", ""))
    return _report(action, address, match or _STATUS.search(diagnostic), diagnostic)


def _action(action_text: str, status: str) -> Action | None:
    """Return the action that a report states, or else the action for its status.

    Return None if Prorata does not know the stated action.
    """
    word = re.split(r"[^a-z]", action_text.lower(), maxsplit=1)[0]
    named = next((action for action in ACTIONS if action == word), None)
    return named if action_text else _ACTION_OF_CLASS.get(status[:1])


def _after_type(value: str) -> str:
    """Return the text after the type in `rfc822; ann@example.com` or `smtp; 550 …`.

    If there is no type, return the whole text.
    """
    kind, semicolon, rest = value.partition(";")
    return rest.strip() if semicolon and re.fullmatch(r"\s*[A-Za-z0-9-]+\s*", kind) else value


def _report(action: Action, address: str, status: re.Match[str] | None, diagnostic: str) -> RecipientReport:
    shown, why = one_line(address.strip("<> "), LONGEST_REPORTED_ADDRESS), one_line(diagnostic, LONGEST_DIAGNOSTIC)
    return RecipientReport(action, shown or None, status[1] if status else None, why or None)


def _original_id(message: Message) -> str | None:
    """Return the Message-ID of the message that a report is about.

    It is read from the copy of the message, or of its headers, in the report.
    """
    for part in _own_parts(message):
        if part.get_content_type() in _ORIGINALS:
            quoted = _within(part)
            message_id = _id_in(str(quoted[0].get("message-id", ""))) if quoted else None
            message_id = message_id or _id_in_lines(_content(part))
        elif part.get_content_type() == "text/rfc822-headers":
            message_id = _id_in_lines(_content(part))
        else:
            continue
        if message_id:
            return message_id
    return None


def _content(part: Message) -> str:
    """Decode a part's text in its stated encoding or, if that fails, as Latin-1."""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    try:
        charset = part.get_content_charset("utf-8")
        return data.decode(charset if _CHARSETS.fullmatch(charset) else "latin-1", errors="replace")
    except (LookupError, ValueError):
        return data.decode("latin-1")


def _id_in(text: str) -> str | None:
    match = _MESSAGE_ID.search(text)
    return one_line(match[0], 502) if match else None


def _id_in_lines(text: str) -> str | None:
    match = _MESSAGE_ID_LINE.search(text)
    return one_line(match[1], 502) if match else None


# --- plain forms ------------------------------------------------------------------------------------------------------


def _plain_text(message: Message) -> str:
    if message.is_multipart():
        return ""
    return _content(message).replace("\r\n", "\n").lstrip("\n")


def _from_qmail(message: Message) -> DeliveryReport | None:
    """Parse a report of qmail-send in its documented format, QSBMF.

    Such a report contains paragraphs that begin with `<address>:`, then a paragraph that begins with "-", and then the
    original message.
    """
    text = _plain_text(message)
    if not text.startswith(_QMAIL):
        return None
    paragraphs, _, original = text.partition("\n\n-")
    recipients: list[RecipientReport] = []
    for paragraph in paragraphs.split("\n\n")[1:]:
        match = _QMAIL_RECIPIENT.match(paragraph)
        if match and len(recipients) < MOST_REPORT_RECIPIENTS:
            why = one_line(paragraph[match.end() :], 2000)
            recipients.append(_report("failed", match[1], _STATUS.search(why), why))
    return DeliveryReport(tuple(recipients), _id_in_lines(original)) if recipients else None


def _from_exim(message: Message) -> DeliveryReport | None:
    """Parse a report in Exim's own format, or in one that resembles it.

    The addresses are in a header field; the reasons and the original message are in the text.
    """
    failed = one_line(str(message.get("x-failed-recipients", "")), 10_000)
    if not failed or _NOT_FAILED.search(str(message.get("subject", ""))):
        return None
    text = _plain_text(message)
    report_text, _, original = text.partition("\n------")
    recipients = []
    for address in failed.split(",")[:MOST_REPORT_RECIPIENTS]:
        why = _reason(report_text, address.strip())
        recipients.append(_report("failed", address, _STATUS.search(why), why))
    return DeliveryReport(tuple(recipients), _id_in_lines(original))


def _reason(report_text: str, address: str) -> str:
    """Return the reason for a failure: the indented lines below an address."""
    _, address_line, after = report_text.partition(f"{address}\n")
    lines = []
    for line in after.split("\n") if address_line else []:
        if not line.startswith("    "):
            break
        lines.append(line)
    return one_line(" ".join(lines), 2000)
