"""The outbox folder, with one file for each message, for use without a mail server."""
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
"""The age in seconds from which an unfinished file counts as abandoned."""
_PLAIN = re.compile(r"[A-Za-z0-9@._+-]{1,150}")


class FolderOutbox:
    """An outbox that writes each message atomically as `<time>-<message id>.eml`.

    Only the file's owner can read it. The time is the message's date, so a message that is sent again has the same
    file name; the existing file is then left unchanged.
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
        """Write the message to a file, unchanged, and return the outcome, which names the file."""
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
        """Remove unfinished files that killed processes have left; only the first call does so.

        Newer unfinished files are kept, because another process may still be writing them.
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
