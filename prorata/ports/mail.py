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
        """Parse a message.

        Raises `errors.InvalidRequest` if parsing takes too much time or memory.
        """
        ...

    def read_report(self, message: bytes) -> DeliveryReport | None:
        """Parse a message as a report about a message from Prorata.

        Return None if it is not such a report. Raises the errors of `read`.
        """
        ...


class InvoiceMail(NamedTuple):
    """A message about an invoice, to be written.

    `token` identifies the message, and consists of a-z, 0-9 and _. `to` is an address as a person entered it, `at`
    the time of writing in the account's time zone, `contact` describes how to reach the biller, and `page_url` is
    the address where the tenant sees the invoice without signing in. `own_subject` and `own_opening` are texts that
    the biller has written (`own_words`); if they are empty, the standard texts are used. `received` is the payment
    that a receipt confirms. `on_paper` is set for a letter to print, which has no attachment and doesn't ask for a
    reply by e-mail.
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

    `locale` is the account's locale. `token`, `to` and `at` have the same meaning as in `InvoiceMail`.
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

    The addresses are not stored, so that no secret is stored with the message.
    """

    def __call__(self, kind: str, link_id: str) -> str:
        """Return the http or https address of a one-time link.

        The address is the same whenever this is called for the link.
        """
        ...


class WrittenMail(NamedTuple):
    """A written message about an invoice, and the PDF in it."""

    message: bytes
    pdf: bytes


class MailWriter(Protocol):
    """A writer of messages; the same contents always give the same bytes."""

    def write(self, mail: InvoiceMail) -> WrittenMail:
        """Write the message about an invoice, with its PDF or a receipt.

        Raises `errors.InvalidRequest` if no mail can be sent to the address.
        """
        ...

    def write_of_account(self, mail: AccountMail) -> bytes:
        """Write the message about an account.

        Raises `errors.InvalidRequest` if no mail can be sent to the address.
        """
        ...

    def write_answer(self, answer: Answer) -> bytes:
        """Write the reply to a message that brought bills.

        Raises `errors.InvalidRequest` if no mail can be sent to the address.
        """
        ...

    def write_question(self, question: Question, url: str) -> bytes:
        """Write the message that passes a tenant's question to the account.

        `url` is the address of the question's invoice. Raises the errors of `write`.
        """
        ...

    def write_reply(self, reply: Reply) -> bytes:
        """Write the message with the reply to a question.

        Raises the errors of `write`.
        """
        ...

    def write_announcement(self, announcement: Announcement) -> bytes:
        """Write the announcement of a rule change.

        Raises the errors of `write`.
        """
        ...

    def is_current(self, message: bytes) -> bool:
        """True if an earlier message was written with the sender that is configured now."""
        ...

    def return_address(self, token: str) -> str:
        """Build the address for delivery reports about the message with this token."""
        ...

    def recipient(self, to: str) -> str:
        """Convert a recipient's address to the form that mail servers accept.

        Raises `errors.InvalidRequest` if no mail can be sent to the address.
        """
        ...


class MailTaken(NamedTuple):
    """The outcome if the server accepted the message; `reply` is the server's answer."""

    reply: str


class MailWritten(NamedTuple):
    """The outcome without a mail server: the message was saved as a file.

    The message was sent to nobody. `where` is a sentence that names the file.
    """

    where: str


class MailRefused(NamedTuple):
    """The outcome if the message was refused permanently.

    `why` is the reason in a sentence. The same message to the same address would be refused again.
    """

    why: str


class MailDelayed(NamedTuple):
    """The outcome if the message was not accepted for a temporary reason.

    `why` is the reason in a sentence. The caller sends the same bytes again later. The message is written again
    only if its text is no longer true, for example because the amount to pay has changed.
    """

    why: str


class MailUnclear(NamedTuple):
    """The outcome if the message was handed over, but the server did not confirm it.

    The caller sends the message again a few minutes later, as after `MailDelayed`, because a client is responsible for
    a message until the server confirms that it has accepted it (RFC 5321 section 6.1). If the message arrives twice,
    both copies have the same Message-ID, so many mailboxes show it only once. A delivery report that arrives in the
    meantime shows that the message was accepted.
    """

    why: str


MailOutcome = MailTaken | MailWritten | MailRefused | MailDelayed | MailUnclear


def unnoted() -> None:
    """Do nothing; this is the default for `go_out` in `Mailer.send`."""


class Mailer(Protocol):
    """A mailer, which hands over messages one at a time.

    It must not be called while a transaction is open. Expected failures are returned as outcomes, not raised as
    exceptions.
    """

    @property
    def why_held(self) -> str | None:
        """The reason why all messages are held, with what to do about it.

        This is None if messages may be sent.
        """
        ...

    def send(
        self, envelope_from: str, recipient: str, message: bytes, go_out: Callable[[], None] = unnoted
    ) -> MailOutcome:
        """Hand over a message's bytes for one recipient, and return the outcome.

        Delivery reports are sent to `envelope_from`. `go_out` is called just before the message is handed over.
        After that call, the server may have accepted the message, and sending it again could deliver it twice. If
        `go_out` raises an error, the message is not handed over.
        """
        ...


class Authenticity(NamedTuple):
    """The result of checking whether the sender's domain vouches for an incoming message.

    `domain` is the domain that signed the message, or None if there is no valid signature. `why` is the reason for
    the result, in a sentence. `may_pass_later` is true if the check could not be made now, but may be possible
    later. `is_of_nobody` is true if the message names no sender, or several.
    """

    passed: bool
    domain: str | None
    why: str
    may_pass_later: bool = False
    is_of_nobody: bool = False


Authenticates = Callable[[bytes], Authenticity]
"""A function that checks a message's sender, from the message's bytes as received.

It raises no errors. It may query name servers, so it must not be called while a transaction is open.
"""
