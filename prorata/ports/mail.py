"""Protocols for mail: reading, writing and sending it, and checking its sender."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple, Protocol

from prorata.domain.accounts.account_mail import AccountKind, Notice
from prorata.domain.delivery.announcement_mail import Announcement
from prorata.domain.delivery.question_mail import Question, Reply
from prorata.domain.delivery.receipts import Receipt
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.inbound_mail.answer_mail import Answer
from prorata.domain.inbound_mail.incoming_mail import IncomingMessage
from prorata.domain.mail.delivery_reports import DeliveryReport
from prorata.domain.printing.printed_invoices import PrintedInvoice


class MessageReader(Protocol):
    """A safe parser of messages from anybody."""

    def read(self, message: bytes) -> IncomingMessage:
        """Parse a message. Raises `errors.InvalidRequest` if it takes too much time or memory."""
        ...

    def read_report(self, message: bytes) -> DeliveryReport | None:
        """Parse a message as a report about a message from Prorata.

        Return None for any other message. Raises the errors of `read`.
        """
        ...


class InvoiceMail(NamedTuple):
    """A message about an invoice, to be written.

    `token` consists of a-z, 0-9 and _. `to` is an address as a person entered it, `contact` the biller's contact,
    and `page_url` the address where the tenant sees the invoice without signing in. `own_subject` and `own_opening`
    are the biller's own words (`own_words`), empty for the standard ones. `received` is the payment that a receipt
    is about. A letter that is printed (`on_paper`) attaches nothing and doesn't ask for a reply by e-mail.
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
    received: Receipt | None = None
    on_paper: bool = False


class AccountMail(NamedTuple):
    """A message about an account and its sign-in, with a one-time link or a notice.

    `locale` is the account's locale; `token`, `to` and `at` are as in `InvoiceMail`.
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
    """A builder of one-time links' addresses, used when a message is written.

    This way, no secret is stored with the message.
    """

    def __call__(self, kind: str, link_id: str) -> str:
        """Return the http or https address of a link, the same each time."""
        ...


class WrittenMail(NamedTuple):
    """A written message about an invoice, and the PDF in it."""

    message: bytes
    pdf: bytes


class MailWriter(Protocol):
    """A writer of messages. The same mail gives the same bytes."""

    def write(self, mail: InvoiceMail) -> WrittenMail:
        """Write the message about an invoice, with its PDF.

        Raises `errors.InvalidRequest` if the address is bad.
        """
        ...

    def write_of_account(self, mail: AccountMail) -> bytes:
        """Write the message about an account. Raises `errors.InvalidRequest` if the address is bad."""
        ...

    def write_answer(self, answer: Answer) -> bytes:
        """Write the answer to a message. Raises `errors.InvalidRequest` if the address is bad."""
        ...

    def write_question(self, question: Question, url: str) -> bytes:
        """Write the message with a tenant's question; `url` leads to its invoice.

        Raises the errors of `write`.
        """
        ...

    def write_reply(self, reply: Reply) -> bytes:
        """Write the message with the reply to a question. Raises the errors of `write`."""
        ...

    def write_announcement(self, announcement: Announcement) -> bytes:
        """Write the announcement of a rule change. Raises the errors of `write`."""
        ...

    def is_current(self, message: bytes) -> bool:
        """True if an earlier message has the current sender address."""
        ...

    def return_address(self, token: str) -> str:
        """Build the address for reports about the message with this token."""
        ...

    def recipient(self, to: str) -> str:
        """Return an address in a mail server's form.

        Raises `errors.InvalidRequest` if the address is bad.
        """
        ...


class MailTaken(NamedTuple):
    """The outcome that the server has accepted responsibility for the message. `reply` is its answer."""

    reply: str


class MailWritten(NamedTuple):
    """The outcome without a mail server: the message is a file, sent to nobody.

    `where` is a sentence.
    """

    where: str


class MailRefused(NamedTuple):
    """The outcome that the message was refused permanently. `why` is a sentence.

    The same message to the same address would be refused again.
    """

    why: str


class MailDelayed(NamedTuple):
    """The outcome that the message was not accepted, for a temporary reason.

    `why` is a sentence. Try again later, with the same bytes unless their text has become wrong.
    """

    why: str


class MailUnclear(NamedTuple):
    """The outcome that the message was handed over, but its delivery is unknown.

    The server did not answer. Try the same bytes again after some minutes, unless their text has become wrong: the
    sender is responsible for a message until a server confirms that it has it (RFC 5321 section 6.1). If the message
    arrives twice, both have the same Message-ID, so many mailboxes show it only once. A delivery report that arrives in
    the meantime shows that the message was accepted.
    """

    why: str


MailOutcome = MailTaken | MailWritten | MailRefused | MailDelayed | MailUnclear


def unnoted() -> None:
    """Do nothing before a message is sent."""


class Mailer(Protocol):
    """A mailer, which hands over messages one at a time, with no transaction open.

    Expected failures are outcomes, not exceptions.
    """

    @property
    def why_held(self) -> str | None:
        """The reason for holding all messages back, with the remedy.

        It is None if messages may be sent.
        """
        ...

    def send(
        self, envelope_from: str, recipient: str, message: bytes, go_out: Callable[[], None] = unnoted
    ) -> MailOutcome:
        """Hand over a message's bytes for one recipient; reports go to `envelope_from`.

        `go_out` is called just before the point from which sending the bytes again could make two messages. If it
        raises, the bytes are not handed over.
        """
        ...


class Authenticity(NamedTuple):
    """The result of the check that the sender's domain vouches for an incoming message.

    `domain` is the domain that signed it, or None if there is no valid signature. `why` is a sentence about the
    message, for people. `may_pass_later` is true if the check was not possible now. `is_of_nobody` is true if the
    message names no sender, or several.
    """

    passed: bool
    domain: str | None
    why: str
    may_pass_later: bool = False
    is_of_nobody: bool = False


Authenticates = Callable[[bytes], Authenticity]
"""A function that checks a message as received, byte for byte.

It raises no errors. It may query name servers, so never call it with a transaction open.
"""
