"""Workbooks and messages that may name a person, opened in separate, short-lived processes.

Each workbook is opened in a process of its own, because the process returns a workbook that is then stored. A
process that opens messages only reports which of them name the person, so one process opens many messages.
"""

import html
import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from itertools import accumulate, pairwise

from prorata.adapters.files.file_process import FileProcess, Limits
from prorata.adapters.files.zip_damages import ZIP_DAMAGES
from prorata.adapters.limits import LONGEST_CUT, MEMORY_TO_CUT, MOST_WORKBOOK_BYTES, SECONDS_TO_CUT
from prorata.domain.privacy.personal_words import Cutter, PersonalWords
from prorata.domain.privacy.text_files import ZIP, cut_text, is_text
from prorata.errors import InvalidRequest

_WORKBOOK, _MESSAGES = "workbook", "messages"
_LIMITS = Limits(seconds=SECONDS_TO_CUT, patience=LONGEST_CUT, memory=MEMORY_TO_CUT)
_TAG = re.compile(r"<[^<>]*>")


class NamedFiles:
    """A reader of files that may name a person.

    It implements `ports.files.NamedFiles`.
    """

    def __init__(self, limits: Limits = _LIMITS) -> None:
        self._process = FileProcess(__name__, (), limits)

    def cut(self, workbook: bytes, words: PersonalWords) -> bytes | None:
        """Remove a person's names and addresses from a workbook.

        Return the workbook unchanged if it contains no such name or address. Return None if it can't be opened, or
        if opening it takes too much memory or time. Raises `Unavailable` if no process can be started.
        """
        try:
            after = self._process.one(_WORKBOOK, _sent([workbook], words), object)
        except InvalidRequest:
            return None
        return workbook if after is False else after if isinstance(after, bytes) else None

    def naming(self, messages: Sequence[bytes], words: PersonalWords) -> list[bool | None]:
        """Return a list with True for each message that names the person, otherwise False.

        The entry for a message that can't be searched is None. If the messages together take too much memory or
        time, each half of them is searched separately, and so on. If a single message takes too much, only its raw
        text is searched. Raises `Unavailable` if no process can be started.
        """
        try:
            found = self._process(_MESSAGES, _sent(messages, words))
        except InvalidRequest:
            found = []
        if len(found) == len(messages):
            return [one if isinstance(one, bool) else None for one in found]
        if len(messages) == 1:
            return [Cutter(words).finds(_decoded(messages[0], None)) or None]
        half = len(messages) // 2
        return self.naming(messages[:half], words) + self.naming(messages[half:], words)


def _sent(contents: Sequence[bytes], words: PersonalWords) -> bytes:
    """Pack several files and the words to look for into the input of `in_parts`."""
    head = json.dumps([words.names, words.addresses, [len(one) for one in contents]])
    return b"\n".join((head.encode(), b"".join(contents)))


def in_parts(data: bytes, kind: str) -> Iterator[bytes | bool | None]:
    """Yield a result for each workbook or message, or None if it can't be opened.

    For a workbook, the result is a copy without the person's names and addresses, or False if the workbook contains
    none of them. For a message, the result is True if the message contains one of them, and otherwise False.
    """
    end = data.index(b"\n")
    names, addresses, sizes = json.loads(data[:end])
    cutter = Cutter(PersonalWords(tuple(names), tuple(addresses)))
    for start, stop in pairwise(accumulate(sizes, initial=end + 1)):
        content = data[start:stop]
        yield cut_workbook(content, cutter) if kind == _WORKBOOK else is_named(content, cutter)


def cut_workbook(content: bytes, cutter: Cutter) -> bytes | bool | None:
    """Remove a person's names and addresses from each XML part of a workbook.

    Return the new workbook. Return False if the workbook contains no such name or address, and None if it can't be
    opened.
    """
    packed, is_cut = io.BytesIO(), False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(packed, "w") as other:
            parts = archive.infolist()
            if sum(one.file_size for one in parts) > MOST_WORKBOOK_BYTES:
                return None
            for one in parts:
                part = archive.read(one)
                after = cut_text(part, cutter) if one.filename.endswith((".xml", ".rels", ".vml")) else None
                is_cut = is_cut or after is not None
                other.writestr(one, part if after is None else after)
    except ZIP_DAMAGES:
        return None
    return packed.getvalue() if is_cut else False


def is_named(message: bytes, cutter: Cutter) -> bool | None:
    """Return True if a message names a person, and False otherwise.

    Return None if the message can't be opened. Names and addresses are searched for in the message's bytes and in
    its decoded headers, texts and workbooks.
    """
    try:
        payloads = list(_payloads(message))
        if any(map(cutter.finds, _texts(message, payloads))):
            return True
        workbooks = [cut_workbook(payload, cutter) for _, payload in payloads if payload.startswith(ZIP)]
        return True if any(workbooks) else None if None in workbooks else False
    except (MessageError, ValueError, LookupError, RecursionError):
        return None


def _texts(message: bytes, payloads: Sequence[tuple[Message, bytes]]) -> Iterator[str]:
    yield _decoded(message, None)
    for part, payload in payloads:
        yield "\n".join(map(_header, part.values()))
        if is_text(payload):
            text = _decoded(payload, part.get_content_charset())
            yield text
            if part.get_content_maintype() == "text":
                yield html.unescape(_TAG.sub(" ", text))


def _payloads(message: bytes) -> Iterator[tuple[Message, bytes]]:
    """Yield each part of a message with its decoded bytes.

    The bytes are empty if the part consists of other parts.
    """
    for part in message_from_bytes(message).walk():
        payload = part.get_payload(decode=True)
        yield part, payload if isinstance(payload, bytes) else b""


def _header(value: object) -> str:
    try:
        return str(make_header(decode_header(str(value))))
    except (MessageError, ValueError, LookupError):
        return str(value)


def _decoded(data: bytes, charset: str | None) -> str:
    """Decode a text whose stated encoding may be missing, unknown or wrong.

    Non-ASCII text that is valid UTF-8 is always read as UTF-8.
    """
    with suppress(UnicodeDecodeError):
        if not data.isascii():
            return data.decode()
    with suppress(LookupError):
        return data.decode(charset or "cp1252", "replace")
    return data.decode("cp1252", "replace")
