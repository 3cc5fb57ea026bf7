"""Messages from anybody, each parsed in a separate, short-lived process."""

from collections.abc import Iterator
from typing import Any

from prorata.adapters.files.file_process import LIMITS, FileProcess, Sentences
from prorata.domain.inbound_mail.incoming_mail import Attachment, IncomingMessage
from prorata.domain.mail.delivery_reports import DeliveryReport, RecipientReport
from prorata.domain.mail_addresses import MailAddress
from prorata.domain.texts import say

MESSAGE, REPORT = "message", "report"
_SENTENCES = Sentences(
    slow=say("Reading this message takes more than {seconds} seconds. Upload its files yourself."),
    large=say("There is too much in this message to read. Upload its files yourself."),
    broken=say("This message can't be read: it is damaged or takes too much memory. Upload its files yourself."),
)


def in_parts(data: bytes, kind: str) -> Iterator[Any]:
    """Yield one value: the parsed message, or the delivery report that the message contains.

    `kind` is `MESSAGE` or `REPORT`.
    """
    # Imported only here: the parent process needs neither.
    from prorata.adapters.mail.delivery_reports import read_report  # noqa: PLC0415
    from prorata.domain.inbound_mail.incoming_mail import read_message  # noqa: PLC0415

    yield read_report(data) if kind == REPORT else read_message(data)


class MessageProcess:
    """A parser of messages, each in a separate, short-lived process.

    It implements `ports.MessageReader`.
    """

    def __init__(self) -> None:
        classes = (IncomingMessage, Attachment, MailAddress, DeliveryReport, RecipientReport)
        self._process = FileProcess(__name__, classes, LIMITS, _SENTENCES)

    def read(self, message: bytes) -> IncomingMessage:
        """Parse a message.

        Raises `InvalidRequest` if the message can't be parsed, and `Unavailable` if no process can be started.
        """
        return self._process.one(MESSAGE, message, IncomingMessage)

    def read_report(self, message: bytes) -> DeliveryReport | None:
        """Parse a message as a delivery report; return None if it is not one.

        Raises the errors of `read`.
        """
        report = self._process.one(REPORT, message, object)
        return report if isinstance(report, DeliveryReport) else None
