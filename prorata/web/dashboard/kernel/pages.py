"""The pages of the dashboard: one declaration each, like the API's operations.

See prorata.web.http.operations.

    @page("GET", "/properties/{id}", may="read")
    def property_page(ask: Ask[None, None]) -> Shown:
        return Shown("property.html", {"property": access.property_(ask.tx, ask.caller, ask.path["id"])})

A page calls actions and shows their results. It runs in a thread: a page that reads sees one state of the database,
and a page that writes is one transaction, retried like those of the API. A page that works in several steps, such as
the sign-in page, is a coroutine that reads, computes and writes separately.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from hashlib import sha256
from inspect import iscoroutinefunction
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from msgspec import Struct

from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.accounts.one_time_links import LinkSigner
from prorata.actions.invoices.previews import Touches
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.overview.job_lists import JobKind
from prorata.actions.webhooks.webhooks import Receivers
from prorata.domain.callers import Person
from prorata.domain.exports.charge_layouts import Layout
from prorata.domain.mail.message_body import Letter
from prorata.domain.printing.sections import Transfer
from prorata.domain.webhooks.webhooks import LookUp
from prorata.ports import Archive, Forms, Passwords, PdfJoiner, Printer, Vault, Window
from prorata.ports.files import (
    BillReader,
    FilesIn,
    LogoReader,
    NamedFiles,
    Packer,
    PagePictures,
    SpreadsheetWriter,
    TableReader,
)
from prorata.ports.mail import InvoiceMail
from prorata.ports.payments import PaymentEventReader
from prorata.settings import Settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.web.http.limits import MOST_FORM_BYTES
from prorata.web.http.routing import declaring
from prorata.web.http.sent_files import SentFile

Query = TypeVar("Query")
Sent = TypeVar("Sent")
Method = Literal["GET", "POST"]
Deed = Literal["read", "write", "manage"]
"""The actions for which a role may be needed (prorata.domain.accounts.permissions)."""
VERSION = "version"
"""The form field for the record's version when the form was opened: the row's `updated_at`."""


ONCE = "form_once"
"""The field that identifies a form that creates a record.

Its value is new in each displayed form, so that one form creates only one record.
"""


@dataclass(frozen=True, slots=True)
class Outside:
    """The tools from outside the web layer that pages and actions use.

    `wiring` chooses them.
    """

    settings: Settings
    archive: Archive
    printer: Printer
    join: PdfJoiner
    hasher: KeyHasher
    passwords: Passwords
    vault: Vault
    signer: LinkSigner
    forms: Callable[[str], Forms]
    tenant_links: TenantLinks
    read_table: TableReader
    bills: BillReader
    files_in: FilesIn
    picture: PagePictures
    read_logo: LogoReader
    named_files: NamedFiles
    sessions: KeyHasher
    """The hasher of the tokens of sessions and forms."""
    qr: Callable[[str], str]
    """The function that renders a text as a QR code, an SVG drawing."""
    letter: Callable[[InvoiceMail], Letter]
    """The function that writes the e-mail with an invoice."""
    transfer_qr: Callable[[Transfer], str]
    """The function that renders a transfer as a QR code for banking apps."""
    spreadsheets: Mapping[str, SpreadsheetWriter]
    """The spreadsheet writers by file extension: csv, xlsx."""
    pack: Packer
    job_kinds: Callable[[], Mapping[str, JobKind]]
    """The function that returns the kinds of jobs by their names."""
    charge_layouts: Mapping[str, Layout]
    """The layouts of other programs' charge files, by program name."""
    payment_events: Mapping[str, PaymentEventReader]
    reads_pictures: bool = False
    """True if this installation reads scans and photos."""
    inbox_address: Callable[[str], str] | None = None
    """The address at which an account with a token receives mail.

    It is None if no mail is received.
    """
    mail_held: str | None = None
    """The sentence explaining why no mail server accepts messages; None if one may."""
    look_up: LookUp = lambda _host: ()
    """The function that returns the addresses of a host name."""

    @property
    def receivers(self) -> Receivers:
        """The tools to set up webhook endpoints."""
        return Receivers(self.vault, self.look_up, self.settings.webhook_private)


@dataclass(frozen=True, slots=True)
class Ask(Generic[Query, Sent]):
    """A page request that is answered in one transaction, with its person and validated input."""

    tx: Tx
    person: Person
    path: dict[str, str]
    query: Query
    form: Sent
    files: Mapping[str, SentFile]
    outside: Outside
    typed: Mapping[str, str]
    """The text of each form field exactly as it was typed.

    Pages use it for a form whose fields depend on the account.
    """
    pairs: Sequence[tuple[str, str]] = ()
    """The submitted fields in order.

    A repeated field, such as a list's ticks, appears with each of its values.
    """

    def each(self, name: str) -> list[str]:
        """Return the values of all of the form's fields that have this name."""
        return [value for its, value in self.pairs if its == name]

    @property
    def caller(self) -> Caller:
        """The account and person for whom the page works."""
        return self.person.caller

    @property
    def seen(self) -> str | None:
        """The version that the edited record had when the form was opened.

        It is empty if the record did not exist yet, and None if the form has no field for the version.
        """
        return self.typed.get(VERSION)

    @property
    def write(self) -> Forms:
        """The signed-in person's formats for money, days and numbers."""
        return self.outside.forms(self.person.locale)

    @property
    def mark(self) -> str | None:
        """The identifier of this form with its values, for recognizing a second submission.

        `form_tokens` uses it. If a person goes back and enters other values, the identifier changes. It is None for a
        form without the field `ONCE`.
        """
        if not self.typed.get(ONCE):
            return None
        content = json.dumps([self.person.member_id, sorted(self.path.items()), sorted(self.typed.items())])
        return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


class Shown(NamedTuple):
    """A page to show: a template and its values.

    `filled` contains the initial values of the form's fields. `problems` contains the problems of single fields
    that a page found when it parsed its form itself, and `wrong` a problem of the form as a whole. `there`
    contains the stored values that somebody else has changed in the meantime, and `session` is the token under
    which the browser is signed in from now on. The page is in the language of `locale`, or else in its reader's.
    """

    template: str
    values: Mapping[str, Any] = {}
    filled: Mapping[str, Any] = {}
    status: int = 200
    problems: Mapping[str, str] = {}
    wrong: str = ""
    there: Mapping[str, str] = {}
    session: str | None = None
    locale: str = ""


class GoTo(NamedTuple):
    """A redirect after an action, with a message that the next page shows once.

    `session` is the token of a session that begins; `ends` means that the current session ends. `known` is the new
    value of the cookie by which this browser is trusted (`trusted_browsers`). `theme` is "light" or "dark" for all
    pages from now on, or "system" for the setting of the browser's system. `warns` shows the message as a warning.
    `next_step` says in a preview which step of the person decides about differences of sent invoices. `locale` is that
    of the next page, if the action changes it.
    """

    path: str
    said: str = ""
    session: str | None = None
    ends: bool = False
    theme: str | None = None
    warns: bool = False
    known: str | None = None
    next_step: str = ""
    locale: str = ""


class Download(NamedTuple):
    """A file to download; `to_look_at` lets the browser open it if it can."""

    name: str
    media: str
    content: bytes
    to_look_at: bool = False


class Streamed(NamedTuple):
    """A download that may be long; its content, `pieces`, is read from one database snapshot."""

    name: str
    media: str
    pieces: Callable[[Tx], Iterator[bytes]]


Answered = Shown | GoTo | Download | Streamed


class Tried(NamedTuple):
    """An attempt that was counted for a rate limit.

    If the attempt succeeds, its count can be taken back. `name` is the name under which such attempts are counted,
    and `window` limits their number. `mark` identifies this attempt in the window.
    """

    name: str
    window: Window
    mark: str


def _chosen_property(ask: Ask[Any, Any]) -> Sequence[str]:
    return ask.each("propertyId")


@dataclass(frozen=True, slots=True)
class Page:
    """The declaration of a page: its method, path, input, permission and function.

    `may` is the permission that the person needs. If `may` is None, nobody has to be signed in; only pages of steps,
    whose function `work` is a coroutine, allow this. `again` is the page that shows a refused form once more. A page
    that `only_reads` writes nothing; it takes a form because its input may be too long for an address. If `form` is
    None, no field is accepted, except by a page with `own_fields`: it reads its fields itself, because their names
    depend on the account.

    If `moves` is set, the page can change invoices, and a preview of the change has an address of its own
    (`preview_of`). `moves` finds the properties of the record whose id comes first in the path, and `further`
    returns the ids of other properties that the form names. `first` is called before a form is read, and returns
    an answer if the form must be refused. A form of more than `most_bytes` is refused. If `cut_bytes` is set, a
    longer multipart form is received up to that limit and cut off after `most_bytes`; `is_cut` then tells the page
    so.
    """

    work: Any
    method: Method
    path: str
    _: KW_ONLY
    may: Deed | None
    query: type[Struct] | None = None
    form: type[Struct] | None = None
    again: Any = None
    most_bytes: int = MOST_FORM_BYTES
    cut_bytes: int = 0
    first: Any = None
    only_reads: bool = False
    own_fields: bool = False
    moves: Touches | None = None
    further: Callable[[Ask[Any, Any]], Sequence[str]] = _chosen_property
    is_preview: bool = False

    @property
    def name(self) -> str:
        """The page's name in the log, which is the name of its function."""
        return f"page {self.work.__name__}" + (" previewed" if self.is_preview else "")

    @property
    def in_steps(self) -> bool:
        """True if the page's function is a coroutine, which may use several transactions."""
        return iscoroutinefunction(self.work)

    @property
    def writes(self) -> bool:
        """True if the page's transaction may change data."""
        return self.method == "POST" and not self.only_reads


PREVIEW = "/preview"
"""The last part of the address at which a form is previewed."""


def preview_of(page: Page) -> Page:
    """Return the declaration of the page that previews a form's effect on invoices.

    That page has the form page's address followed by `PREVIEW`, and changes nothing.
    """
    return replace(page, path=page.path + PREVIEW, is_preview=True)


PAGES: list[Page] = []
page = declaring(Page, PAGES)
"""The decorator that declares a function as a page; a coroutine function works in steps."""
