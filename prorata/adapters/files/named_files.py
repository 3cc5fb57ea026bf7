"""Workbooks and messages that may name a person, opened in processes that end with them.

A workbook has a process of its own, because what comes back is stored. Of messages it is only told which of them name
the person, so that many share one.
"""

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from itertools import accumulate, pairwise

from prorata.adapters.files.file_process import LIMITS, FileProcess
from prorata.adapters.files.zip_damages import ZIP_DAMAGES
from prorata.adapters.limits import MEMORY_TO_CUT, MOST_WORKBOOK_BYTES
from prorata.domain.privacy.personal_words import Cutter, PersonalWords
from prorata.domain.privacy.text_files import cut_text
from prorata.errors import InvalidRequest

_WORKBOOK, _MESSAGES = "workbook", "messages"


class NamedFiles:
    """A reader of files that may name a person; it implements `ports.files.NamedFiles`."""

    def __init__(self) -> None:
        self._process = FileProcess(__name__, (), LIMITS._replace(memory=MEMORY_TO_CUT))

    def cut(self, workbook: bytes, words: PersonalWords) -> bytes | None:
        """Cut a person's names and addresses from a workbook.

        Return None if it names nobody, or can't be opened. Raises `Unavailable` if no process can be started.
        """
        try:
            after = self._process.one(_WORKBOOK, _sent([workbook], words), object)
        except InvalidRequest:
            return None
        return after if isinstance(after, bytes) else None

    def naming(self, messages: Sequence[bytes], words: PersonalWords) -> list[bool]:
        """For each message, tell whether it names the person.

        One that can't be opened is searched as it came. Raises `Unavailable` if no process can be started.
        """
        try:
            found = [one is True for one in self._process(_MESSAGES, _sent(messages, words))]
        except InvalidRequest:
            if len(messages) > 1:
                return [self.naming([one], words)[0] for one in messages]
            found = []
        cutter = Cutter(words)
        return found if len(found) == len(messages) else [cutter.finds(one.decode("latin-1")) for one in messages]


def _sent(contents: Sequence[bytes], words: PersonalWords) -> bytes:
    """Several files and the words to look for, as `in_parts` takes them."""
    head = json.dumps([words.names, words.addresses, [len(one) for one in contents]])
    return b"\n".join((head.encode(), b"".join(contents)))


def in_parts(data: bytes, kind: str) -> Iterator[bytes | bool | None]:
    """Yield for each file: the workbook without the words, or whether the message has one."""
    end = data.index(b"\n")
    names, addresses, sizes = json.loads(data[:end])
    cutter = Cutter(PersonalWords(tuple(names), tuple(addresses)))
    for start, stop in pairwise(accumulate(sizes, initial=end + 1)):
        content = data[start:stop]
        yield cut_workbook(content, cutter) if kind == _WORKBOOK else any(map(cutter.finds, _texts(content)))


def cut_workbook(content: bytes, cutter: Cutter) -> bytes | None:
    """Cut a person's names and addresses from each XML part of a workbook."""
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
    return packed.getvalue() if is_cut else None


def _texts(content: bytes) -> Iterator[str]:
    """Yield a message's original bytes, its headers and its text."""
    yield content.decode("latin-1")
    try:
        for part in message_from_bytes(content).walk():
            yield "\n".join(str(make_header(decode_header(str(value)))) for value in part.values())
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                yield payload.decode("utf-8", "replace")
    except (MessageError, ValueError, LookupError, RecursionError):
        return
