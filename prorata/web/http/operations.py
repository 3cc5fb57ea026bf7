"""The API's operations: one declaration each, for routing, decoding and the OpenAPI document.

@operation("GET", "/properties/{id}", answer=Property, summary="Read a property", missing=("property",))
def read_property(call: Call[None, None]) -> Property:
    return shown(properties.find(call.tx, call.caller, call.path["id"]))
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from msgspec import Struct

from prorata.actions.accounts import access
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.invoices.previews import Touches
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.overview.job_lists import Kinds
from prorata.actions.webhooks.webhooks import Receivers
from prorata.domain.accounts.api_keys import ADMIN, FULL, READ, Permission
from prorata.domain.accounts.scopes import EVERYTHING, Access, Grant
from prorata.domain.exports.charge_layouts import Layout
from prorata.domain.exports.table_kinds import TableName
from prorata.domain.files.sheets import Sheet
from prorata.domain.locale_forms import PLAIN
from prorata.ports import Archive, PdfJoiner, Printer
from prorata.ports.files import LogoReader, NamedFiles, Packer, SpreadsheetWriter, TableReader
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx
from prorata.web.http.described.leaving import Leaving
from prorata.web.http.limits import MOST_BODY_BYTES
from prorata.web.http.routing import declaring

Query = TypeVar("Query")
Sent = TypeVar("Sent")
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Media = Literal["application/json", "application/pdf", "application/octet-stream", "multipart/form-data"]
JSON: Media = "application/json"
PDF: Media = "application/pdf"
FILE: Media = "application/octet-stream"
FORM: Media = "multipart/form-data"
_NEW = (201, 202)


class Tools(NamedTuple):
    """The tools by which operations read and write files, and build addresses."""

    read_table: TableReader
    spreadsheets: Mapping[str, SpreadsheetWriter]
    """The spreadsheet writers, by file extension."""
    join: PdfJoiner
    layouts: Mapping[str, Layout]
    """The layouts of other programs' files, by program name."""
    named_files: NamedFiles
    pack: Packer
    printer: Printer
    forms: Callable[[str], Any] = lambda _locale: PLAIN
    """The function that returns a locale's forms of numbers and days."""
    tenant_links: TenantLinks | None = None
    """The maker of the addresses of tenants' pages; None if no pages are served."""
    inbox_address: Callable[[str], str] | None = None
    """The address at which an account with a token receives mail.

    It is None if no mail is received.
    """
    read_logo: LogoReader | None = None


@dataclass(frozen=True, slots=True)
class Call(Generic[Query, Sent]):
    """An API request as its operation sees it: the transaction, caller and validated input."""

    tx: Tx
    caller: Caller
    path: dict[str, str]
    query: Query
    body: Sent
    archive: Archive
    receivers: Receivers
    """The services for adding webhook endpoints."""
    hasher: KeyHasher
    """The hasher of new API keys."""
    grant: Grant = EVERYTHING
    """The permissions of the request's key."""
    mail_held: str | None = None
    """The sentence explaining why no mail server accepts any message."""
    tools: Tools | None = None
    sheet: Sheet | None = None
    """The rows of the form's file, if it is read as a table."""
    job_kinds: Callable[[], Kinds] = dict
    """The function that returns the facts about each kind of job."""
    logo: bytes | None = None
    """The form's file, if it is read as a logo."""
    looked_up: Any = None
    """The result of the operation's `looks_up`."""

    @property
    def writer(self) -> SpreadsheetWriter:
        """The writer of spreadsheets in the format that the query requests."""
        assert self.tools is not None, "operations are served with their tools"
        return self.tools.spreadsheets[self.query.format]  # type: ignore[attr-defined]


Work = Callable[[Call[Any, Any]], Any]
Jointly = Callable[[Sequence[Call[Any, Any]]], Sequence[Any]]
Before = Callable[[Any, Receivers], None]
LooksUp = Callable[[Database, Caller, dict[str, str], Tools], Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """The declaration of one method of one path: its input, response and rights.

    `path` is relative to /api/v1, and `answer` is the Struct of the response's body, or None. `missing` names the
    kinds of record for which the response can be 404. `conflict` describes when the response is 409, and `gone`
    when it is 410. If `at_once` is set, all statements of a read see one state of the database. A write that
    `is_brief` changes only a few rows, however large the account is, except in rare cases. `jointly` does several
    calls of one caller together, at less cost than each separately. For each call, it returns the result, the
    refusal, or None if the call has to be done separately.

    `media` is the response's media type: the work behind a PDF response returns the invoice to print, and the work
    behind a FILE response a `FileAnswer`. An operation that `is_long` runs in the threads for long files. An
    operation `takes` JSON, or a FORM that contains files, of up to `most_bytes`. A form's `file` is read as a table
    of the kind `table`, or as a picture if the operation `takes_logo`. Before a transaction is opened, `before`
    examines the body, because it may use the network, and `looks_up` reads data that takes long to read. The
    response of an operation that `is_secret` shows a secret once, and is sealed when it is stored under an
    Idempotency-Key.

    A change that `moves` the invoices of the record whose id is in its path can be previewed. A change that is
    `undone` is always rolled back, so it accepts no Idempotency-Key. A POST that `only_reads` accepts no
    Idempotency-Key either, and does not wait for the database's writers. `carries` returns the number of requests
    that a body counts as. An operation that `manages` members, keys, webhooks or settings needs a key with ADMIN
    permission. A read that `gives_access`, such as to a tenant's page, needs the permission and scope of a change.
    An operation that reaches further resources than its path names `also_needs` their scopes. If it
    `needs_every_scope`, because it reaches many kinds of records, it needs a key without scopes. `is_one` means
    that an account has only one record of this kind, such as the account itself, so that it is read without an id.
    `leaving` announces in every response, for at least a year, that the operation will be removed.
    """

    work: Work
    method: Method
    path: str
    _: KW_ONLY
    summary: str
    answer: Any = None
    status: int = 200
    query: type[Struct] | None = None
    body: type[Struct] | None = None
    missing: tuple[str, ...] = ()
    conflict: str | None = None
    gone: str | None = None
    example: Any = None
    at_once: bool = False
    is_brief: bool = False
    is_long: bool = False
    jointly: Jointly | None = None
    media: Media = JSON
    takes: Media = JSON
    table: TableName | None = None
    takes_logo: bool = False
    most_bytes: int = MOST_BODY_BYTES
    before: Before | None = None
    looks_up: LooksUp | None = None
    is_secret: bool = False
    moves: Touches | None = None
    undone: bool = False
    only_reads: bool = False
    carries: Callable[[Any], int] | None = None
    manages: bool = False
    gives_access: bool = False
    needs_every_scope: bool = False
    also_needs: tuple[str, ...] = ()
    is_one: bool = False
    leaving: Leaving | None = None

    @property
    def name(self) -> str:
        """The operation's id, which is the name of its function."""
        return self.work.__name__

    @property
    def writes(self) -> bool:
        """True if the operation's method is not GET, even if it `only_reads`."""
        return self.method != "GET"

    @property
    def changes(self) -> bool:
        """True if the operation changes data, even if the changes are undone at once."""
        return self.writes and not self.only_reads

    @property
    def permission(self) -> Permission:
        """The lowest permission with which a key may call the operation."""
        if self.manages:
            return ADMIN
        return FULL if self.access == "write" else READ

    @property
    def access(self) -> Access:
        """The access, "read" or "write", that a key with scopes needs to the path's resource."""
        return "write" if self.gives_access or self.changes else "read"

    @property
    def takes_key(self) -> bool:
        """True if the operation accepts an Idempotency-Key, which makes it run only once."""
        return self.method == "POST" and self.changes and not self.undone

    @property
    def is_single_read(self) -> bool:
        """True if the operation reads one record or file, whose response has an ETag."""
        is_one = self.is_one or self.path.endswith("}") or self.media != JSON
        return self.method == "GET" and is_one and not self.is_long


OPERATIONS: list[Operation] = []
operation = declaring(Operation, OPERATIONS)
"""The decorator that declares a function as an operation of the API."""


class Record(NamedTuple):
    """The record that an operation returns, and the record that it changes.

    `is_read` means that a read of the returned record gives the same response. `home` is the path of the collection
    in which a new record is read by its id, or None if there is none. `of` is the operation that reads the changed
    record, with which If-Match is compared, or None if there is none. Its path is the longest beginning of the
    change's path with which a record can be read, such as the invoice's path for "/invoices/{id}/send-again".
    """

    is_read: bool
    home: str | None
    of: Operation | None

    def current(self, call: Call[Any, Any]) -> Any:
        """Lock the record to be changed, and return it as `of` reads it now.

        Raises `NotFound`, as the operation `of` does, if there is no such record.
        """
        assert self.of is not None, "the change is made on a record"
        if record_id := next(iter(call.path.values()), None):
            access.lock(call.tx, call.caller, record_id)
        held = dict(zip(_names_in(self.of.path), call.path.values(), strict=False))
        return self.of.work(replace(call, path=held, query=self.of.query() if self.of.query else None))


def _names_in(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)


@cache
def records() -> Mapping[str, Record]:
    """Map each operation's name to the records that it returns and changes.

    A new record is read in the collection to which the change adds it, such as "/units" for a POST to
    "/properties/{propertyId}/units", or otherwise in the collection of its type.
    """
    reads = [
        route for route in OPERATIONS
        if route.is_one or (route.is_single_read and route.path.count("{") == 1 and route.path.endswith("}"))
    ]  # fmt: skip
    by_type = {read.answer: read.path.partition("/{")[0] for read in reads}
    collections = {read.path.partition("/{")[0] for read in reads}
    by_path = {_unnamed(read.path): read for read in OPERATIONS if read.is_single_read and read.media == JSON}
    records_by_name = {}
    for route in OPERATIONS:
        of_type = by_type.get(route.answer) if route.writes else None
        added_to = "/" + route.path.rpartition("/")[2]
        home = added_to if added_to in collections else of_type
        parts = _unnamed(route.path).split("/") if route.changes else []
        beginnings = ("/".join(parts[:length]) for length in range(len(parts), 1, -1))
        of = next((by_path[beginning] for beginning in beginnings if beginning in by_path), None)
        records_by_name[route.name] = Record(of_type is not None, home if route.status in _NEW else None, of)
    return records_by_name


def _unnamed(path: str) -> str:
    return re.sub(r"{\w+}", "{}", path)
