"""The outside things the program needs, as protocols; `wiring` chooses who plays them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, Protocol

from prorata.domain.account_texts import AccountKind, Notice
from prorata.domain.answer_texts import Answer
from prorata.domain.bill_reading.draft import Draft
from prorata.domain.bill_reading.issuers import Template
from prorata.domain.bill_reading.lessons import Confirmed
from prorata.domain.delivery_reports import DeliveryReport
from prorata.domain.file_kinds import FileKind
from prorata.domain.incoming_mail import IncomingMessage
from prorata.domain.mail_texts import Kind
from prorata.domain.months import Month
from prorata.domain.printed_invoices import PrintedInvoice
from prorata.domain.question_texts import Question
from prorata.domain.sheets import Sheet
from prorata.domain.spreadsheet_cells import Value
from prorata.domain.table_files import TableName


class Clock(Protocol):
    """Tells the time. The program asks it, never the system."""

    def __call__(self) -> datetime:
        """The moment it is now, in UTC."""
        ...


class Window(NamedTuple):
    """One rate limit: at most `quota` requests admitted in any `seconds`."""

    name: str
    quota: int
    seconds: int


class Verdict(NamedTuple):
    """Whether a request is admitted, and where each window stands after it."""

    admitted: bool
    remaining: tuple[int, ...]
    """For each window, how many more would be admitted now."""
    reset: tuple[int, ...]
    """For each window, whole seconds until one more than `remaining` would be admitted (0 when none is used up)."""
    retry_after: int
    """Whole seconds until a request would be admitted, rounded up; 0 when this one was."""
    mark: str = ""
    """What `Limiter.take_back` finds an admitted request by, among those of its key."""


class Limiter(Protocol):
    """Counts requests per key in several moving windows at once, exactly: a refused request uses up nothing."""

    async def admit(self, key: str, windows: tuple[Window, ...]) -> Verdict:
        """Admit and count a request of `key`, or refuse it. Raises `errors.Unavailable` when the counters are gone."""
        ...

    async def take_back(self, key: str, windows: tuple[Window, ...], mark: str) -> None:
        """Count an admitted request no more, as if it had never come; one that was taken back, or has left every window
        by now, changes nothing. Raises `errors.Unavailable` when the counters are gone.
        """
        ...

    async def close(self) -> None:
        """Let go of the counters; the last call."""
        ...


class Passwords(Protocol):
    """Hashes passwords and compares them. Both take long on purpose: never with a transaction open."""

    @property
    def nobodys_hash(self) -> str:
        """What a password is compared with where there is nobody: so that takes as long."""
        ...

    def hash(self, password: str) -> str:
        """What is stored of a password."""
        ...

    def matches(self, password: str, stored: str) -> bool:
        """Whether a password is the one that was hashed."""
        ...

    def wants_another_hash(self, stored: str) -> bool:
        """Whether it was hashed under older parameters."""
        ...


class Vault(Protocol):
    """Seals what is stored and has to be read again, so that a copy of the database does not give it away."""

    def seal(self, value: bytes, about: str) -> str:
        """The value as it is stored; it opens for the same `about` alone, the record that it belongs to."""
        ...

    def open(self, sealed: str, about: str) -> bytes | None:
        """The value again; None for what another secret sealed, or for another record."""
        ...


class Archive(Protocol):
    """Keeps what is about to be deleted, for a while."""

    def keep(self, name: str, text: str) -> None:
        """Write `text` so that it is on the disk when this returns. Raises `errors.Unavailable` when it can't be."""
        ...


class InvoicePrinter(Protocol):
    """Puts an invoice on paper."""

    def __call__(self, invoice: PrintedInvoice) -> bytes:
        """The invoice as PDF: the same invoice gives the same bytes."""
        ...


class IncomingFile(NamedTuple):
    """One file that came in, alone or in an archive, under a name that is safe to show. `kind` is what it is, which is
    no archive; or `problem` says for whoever brought it why it is not taken. One of the two is None. `is_packed` says
    whether it came in an archive.
    """

    name: str
    kind: FileKind | None
    data: bytes
    problem: str | None = None
    is_packed: bool = False


class FilesIn(Protocol):
    """Tells files by their bytes, and takes archives apart."""

    def __call__(self, name: str, data: bytes) -> tuple[IncomingFile, ...]:
        """The file, or those of an archive. Raises `errors.InvalidRequest` for one that is not taken."""
        ...


class ReadBill(NamedTuple):
    """A bill that was read; the keys of all on it that may be its account number; the pages of a file that hold hardly
    a word and were not read otherwise. `said` says for a person why nothing could be read, where that is so: the draft
    then has the sizes of the pages and nothing else.
    """

    draft: Draft
    numbers: tuple[str, ...]
    wordless: tuple[int, ...] = ()
    said: str | None = None


class BillReader(Protocol):
    """Reads bills that come as files."""

    def read(self, data: bytes, password: str | None = None, lessons: Sequence[Template] = ()) -> ReadBill:
        """What a bill says, as far as it is plain; `lessons` are what was learned of account numbers. Raises
        `errors.InvalidRequest` or `PayloadTooLarge`, each with a sentence for a person; for a file that needs a
        password, or has another, the problem names the field `password`.
        """
        ...

    def learn(self, data: bytes, confirmed: Confirmed, before: Template | None) -> Template | None:
        """What a bill teaches that somebody has confirmed, beside what was learned before. Raises as `read`."""
        ...


class PagePictures(Protocol):
    """Shows the pages of a PDF, and photos."""

    def __call__(self, data: bytes, page: str) -> bytes:
        """A page as a PNG, or a photo as a JPEG. `page` counts from 1, as an address has it. Raises `errors.NotFound`
        for one that is not there, `InvalidRequest` for what can't be shown.
        """
        ...


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
    """

    token: str
    kind: Kind
    invoice: PrintedInvoice
    contact: str
    to: str
    to_name: str | None
    at: datetime
    page_url: str | None = None


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
    """Not taken, for a reason that may pass: try the same bytes again later. `why` is a sentence."""

    why: str


class MailUnclear(NamedTuple):
    """The whole message was handed over, and the answer never came: it may have been taken, or not.

    Try the same bytes again, not before some minutes have passed: the sender answers for a message until a server says
    that it has it (RFC 5321 section 6.1). Should it arrive twice, it does so under one Message-ID, which many
    mailboxes show once. A report about it that comes meanwhile says that it was taken.
    """

    why: str


MailOutcome = MailTaken | MailWritten | MailRefused | MailDelayed | MailUnclear


class Mailer(Protocol):
    """Hands messages on, one at a time, with no transaction open. Expected failures are outcomes, not exceptions."""

    @property
    def why_held(self) -> str | None:
        """Why no message may leave yet, in a sentence that says what to do; None where they may."""
        ...

    def send(self, envelope_from: str, recipient: str, message: bytes) -> MailOutcome:
        """Hand on the bytes of a message for one recipient; reports about it go to `envelope_from`."""
        ...


class Authenticity(NamedTuple):
    """Whether the sender's domain answers for a message that came in. `domain` is the one that signed it, None where
    none did that counts; `why` a sentence about the message, for people. `may_pass_later` where it could not be told.
    """

    passed: bool
    domain: str | None
    why: str
    may_pass_later: bool = False


Authenticates = Callable[[bytes], Authenticity]
"""Checks a message as it came, byte for byte. Raises nothing; may ask name servers: never with a transaction open."""


class Forms(Protocol):
    """How a locale writes money, days, months and numbers, and how who writes in it types a number."""

    def money(self, cents: int, currency: str) -> str:
        """An amount with its currency."""
        ...

    def day(self, day: date) -> str:
        """A day, its month in words."""
        ...

    def month(self, month: Month) -> str:
        """A month of a year, in words."""
        ...

    def short_month(self, month: Month) -> str:
        """A month without its year, in few letters."""
        ...

    def country(self, code: str) -> str:
        """A country by its name."""
        ...

    def number(self, value: Fraction) -> str:
        """A number."""
        ...

    def percent(self, value: Fraction) -> str:
        """So many hundredths."""
        ...

    def count(self, number: int) -> str:
        """How many there are."""
        ...

    def whole_money(self, cents: int, currency: str) -> str:
        """An amount, without cents where it has none."""
        ...

    def time(self, at: time) -> str:
        """A time of day."""
        ...

    @property
    def has_decimal_comma(self) -> bool:
        """Whether a comma divides decimals."""
        ...

    def typed(self, value: Fraction | Decimal, places: int = 0) -> str:
        """A number as it stands in a field of a form, where it is read back as the same."""
        ...


class TableReader(Protocol):
    """Reads the rows of files that people bring, where none of them can do harm."""

    def __call__(self, kind: TableName, data: bytes, sheet: int = 0) -> Sheet:
        """The rows of a CSV, XLSX, ODS or XLS file, taken for a table of this kind; of a workbook those of its visible
        `sheet` of this number, or, where that is 0, of the first that is such a table. Raises `errors.InvalidRequest`
        with a sentence for whoever brought it, also where the file takes too much time or memory.
        """
        ...


class SpreadsheetWriter(Protocol):
    """Writes rows below a header into a file."""

    def __call__(self, header: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[bytes]:
        """The file's bytes, a piece at a time."""
        ...
