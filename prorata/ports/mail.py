"""Mail that comes and goes, as protocols: who reads it, writes it, hands it on, and says whose it is."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple, Protocol

from prorata.domain.accounts.account_mail import AccountKind, Notice
from prorata.domain.delivery.announcement_mail import Announcement
from prorata.domain.delivery.question_mail import Question, Reply
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.inbound_mail.answer_mail import Answer
from prorata.domain.inbound_mail.incoming_mail import IncomingMessage
from prorata.domain.mail.delivery_reports import DeliveryReport
from prorata.domain.printing.printed_invoices import PrintedInvoice


class MessageReader(Protocol):
    """Takes messages apart that anybody may have sent, where none of them can do harm."""

    def read(self, message: bytes) -> IncomingMessage:
        """What a message says and brings. Raises `errors.InvalidRequest` where it takes too much time or memory."""
        ...

    def read_report(self, message: bytes) -> DeliveryReport | None:
        """The report that a message is about one of ours; None for any other. Raises as `read`."""
        ...


class InvoiceMail(NamedTuple):
    """A message about an invoice that is to be written. `token` is a-z, 0-9 and _; `to` is an address as a person
    entered it, `contact` how the biller can be reached, `page_url` where the tenant sees it without signing in.
    `own_subject` and `own_opening` are the biller's own words (`own_words`), empty for the usual ones. `received`
    are the cents that a receipt is about.
    """

    token: str
    kind: Kind
    invoice: PrintedInvoice
    contact: str
    to: str
    to_name: str | None
    at: datetime
    page_url: str | None = None
    own_subject: str = ""
    own_opening: str = ""
    received: int = 0


class AccountMail(NamedTuple):
    """A message about an account and who may sign in, with a one-time link where it is no notice. `locale` is the
    account's; `token`, `to` and `at` are as in `InvoiceMail`.
    """

    token: str
    kind: AccountKind | Notice
    account: str
    locale: str
    url: str
    to: str
    to_name: str | None
    invited_by: str | None
    at: datetime


class LinkUrl(Protocol):
    """The addresses of one-time links, worked out when a message is written: no secret is stored with the message."""

    def __call__(self, kind: str, link_id: str) -> str:
        """The http or https address of a link; the same each time."""
        ...


class WrittenMail(NamedTuple):
    """A message about an invoice as it is handed over, and the PDF in it."""

    message: bytes
    pdf: bytes


class MailWriter(Protocol):
    """Writes messages. The same mail gives the same bytes."""

    def write(self, mail: InvoiceMail) -> WrittenMail:
        """The message about an invoice, with its PDF. Raises `errors.InvalidRequest` for an address that is none."""
        ...

    def write_of_account(self, mail: AccountMail) -> bytes:
        """The message about an account. Raises `errors.InvalidRequest` for an address that is none."""
        ...

    def write_answer(self, answer: Answer) -> bytes:
        """The answer to a message. Raises `errors.InvalidRequest` for an address that is none."""
        ...

    def write_question(self, question: Question, url: str) -> bytes:
        """The message with what a tenant asks; `url` leads to its invoice. Raises as `write`."""
        ...

    def write_reply(self, reply: Reply) -> bytes:
        """The message with the reply to a question. Raises as `write`."""
        ...

    def write_announcement(self, announcement: Announcement) -> bytes:
        """The message that tells of another rule. Raises as `write`."""
        ...

    def is_current(self, message: bytes) -> bool:
        """Whether a message that was written before comes from the address that mail comes from now."""
        ...

    def return_address(self, token: str) -> str:
        """Where reports about the message with this token go."""
        ...

    def recipient(self, to: str) -> str:
        """An address as a mail server takes it. Raises `errors.InvalidRequest` for one that is none."""
        ...


class MailTaken(NamedTuple):
    """The server has taken the message and answers for it from now on. `reply` is what it said."""

    reply: str


class MailWritten(NamedTuple):
    """The message is a file where no mail server is set: it went to nobody. `where` is a sentence."""

    where: str


class MailRefused(NamedTuple):
    """Refused for good: the same message to the same address will be refused again. `why` is a sentence."""

    why: str


class MailDelayed(NamedTuple):
    """Not taken, for a reason that may pass: try again later, the same bytes while what they say is so. `why` is a
    sentence.
    """

    why: str


class MailUnclear(NamedTuple):
    """The whole message was handed over, and the answer never came: it may have been taken, or not.

    Try the same bytes again, while what they say is so, and not before some minutes have passed: the sender answers for
    a message until a server says that it has it (RFC 5321 section 6.1). Should it arrive twice, it does so under one
    Message-ID, which many mailboxes show once. A report about it that comes meanwhile says that it was taken.
    """

    why: str


MailOutcome = MailTaken | MailWritten | MailRefused | MailDelayed | MailUnclear


def unnoted() -> None:
    """Nothing has to be noted before a message goes out."""


class Mailer(Protocol):
    """Hands messages on, one at a time, with no transaction open. Expected failures are outcomes, not exceptions."""

    @property
    def why_held(self) -> str | None:
        """Why no message may leave yet, in a sentence that says what to do; None where they may."""
        ...

    def send(
        self, envelope_from: str, recipient: str, message: bytes, go_out: Callable[[], None] = unnoted
    ) -> MailOutcome:
        """Hand on the bytes of a message for one recipient; reports about it go to `envelope_from`. `go_out` is called
        just before, where handing them on twice is two messages; what it raises keeps them here.
        """
        ...


class Authenticity(NamedTuple):
    """Whether the sender's domain answers for a message that came in. `domain` is the one that signed it, None where
    none did that counts; `why` a sentence about the message, for people. `may_pass_later` where it could not be told;
    `is_of_nobody` where it names no sender, or several.
    """

    passed: bool
    domain: str | None
    why: str
    may_pass_later: bool = False
    is_of_nobody: bool = False


Authenticates = Callable[[bytes], Authenticity]
"""Checks a message as it came, byte for byte. Raises nothing; may ask name servers: never with a transaction open."""
