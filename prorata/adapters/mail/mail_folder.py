"""The folder for messages without a mail server, with one file for each message."""
# ruff: noqa: ARG002 - the arguments are those of a `Mailer`

import re
from collections.abc import Callable
from datetime import UTC
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from hashlib import sha256
from pathlib import Path

from prorata.adapters.database.atomic_files import remove_unfinished, write_whole
from prorata.ports.mail import MailDelayed, MailOutcome, MailWritten, unnoted

HALF_WRITTEN = 3_600.0
"""The number of seconds after which an unfinished file is no longer being written."""
_PLAIN = re.compile(r"[A-Za-z0-9@._+-]{1,150}")


class FolderOutbox:
    """An outbox that writes each message atomically as `<time>-<message id>.eml`.

    Only the file's owner can read it. The time is the message's own date, so a repeated message has the same name; the
    existing file is left unchanged.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_tidy = False
        self.why_held: str | None = None

    def send(
        self,
        envelope_from: str,
        recipient: str,
        message: bytes,
        go_out: Callable[[], None] = unnoted,
    ) -> MailOutcome:
        """Write the message's bytes unchanged; recipient and sender are in its headers."""
        name = _file_name(message)
        try:
            return self._write(name, message)
        except OSError as error:
            return MailDelayed(f"The outbox folder {self._folder} can't be written: {error.strerror}.")

    def _write(self, name: str, message: bytes) -> MailWritten:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._tidy()
        try:
            write_whole(self._folder / name, lambda opened: opened.write(message), replace=False)
        except FileExistsError:
            return MailWritten(f"It is in the outbox folder already, as {name}.")
        return MailWritten(f"Written to the outbox folder as {name}.")

    def _tidy(self) -> None:
        """Remove the unfinished files of killed writers, at the first call only.

        Files that somebody is still writing are not old enough to be removed.
        """
        if not self._is_tidy:
            self._is_tidy = True
            remove_unfinished(self._folder, older_than=HALF_WRITTEN)


def _file_name(message: bytes) -> str:
    headers = BytesHeaderParser().parsebytes(message)
    date, message_id = headers["Date"], headers["Message-ID"]
    assert date is not None, "a message has a date"
    assert message_id is not None, "a message has a Message-ID"
    at = parsedate_to_datetime(date).astimezone(UTC)
    token = message_id.strip("<> ")
    if not _PLAIN.fullmatch(token):
        token = sha256(token.encode()).hexdigest()[:32]
    return f"{at:%Y%m%dT%H%M%SZ}-{token}.eml"
