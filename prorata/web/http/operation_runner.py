"""The runner of one operation: decode strictly, do the work, encode once.

The work is one transaction. The checks come in the order of docs/decisions.md#order-of-checks. Key, limits,
permission, route and method are checked earlier (`web/gateway.py`, `web/http/routing.py`). The checks for 413, 415
and 400 follow here, and then the refusals of the work itself: 404, 412, 409.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct

from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.invoices.papers import Paper
from prorata.actions.overview.job_lists import Kinds
from prorata.actions.webhooks.webhooks import Receivers
from prorata.domain.accounts.scopes import Grant
from prorata.domain.files.sheets import Sheet
from prorata.domain.problems import Problem
from prorata.errors import Conflict, InvalidRequest, PayloadTooLarge, Refusal, UnsupportedMediaType
from prorata.ports import Archive, Printer
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx, rehearse
from prorata.web.http import idempotency
from prorata.web.http.body_limits import Receive, read_whole
from prorata.web.http.decoding import read_body, read_query
from prorata.web.http.encoding import encode
from prorata.web.http.errors import Headers, about
from prorata.web.http.etags import entity_tag, names_tag, require_match
from prorata.web.http.group_commit import Joint
from prorata.web.http.idempotency import Answer, Hashes, InFlight
from prorata.web.http.limits import MOST_PARAMETERS
from prorata.web.http.operations import FORM, JSON, PDF, Call, Operation, Tools, records
from prorata.web.http.pools import Pools
from prorata.web.http.request_schemas import Body
from prorata.web.http.routing import API
from prorata.web.http.scopes import refuse_expanded, refuse_without
from prorata.web.http.sent_files import AT_ONCE, FileAnswer, disposition, fields_of, said_by

Read = TypeVar("Read")
_NO_CONTENT, _NOT_MODIFIED = 204, 304
_CHANGES = ("PATCH", "PUT")
_CUT_OFF = "The connection was closed before the whole body had arrived."
_SEND_AS = {
    JSON: "Send the body as JSON, with the header Content-Type: application/json.",
    FORM: "Send the body as form data, with the header Content-Type: multipart/form-data.",
}


@dataclass(frozen=True, slots=True)
class Kitchen:
    """Everything that operations use: the database, thread pools and external services."""

    database: Database
    pools: Pools
    archive: Archive
    in_flight: InFlight
    printer: Printer
    receivers: Receivers
    hasher: KeyHasher
    mail_held: str | None = None
    tools: Tools | None = None
    job_kinds: Callable[[], Kinds] = dict
    """The function that returns the facts about each kind of job."""


class NoQuery(Body):
    """The query of an operation that takes no query parameters."""


class NoBody(Body):
    """The body of a write without fields: an empty body or an empty JSON object."""


class _NewRecord(Struct):
    """A new record in a response, decoded only to get the id for its address."""

    id: str


_NOTHING_ASKED = NoQuery()


class Request(NamedTuple):
    """A request admitted by the gateway, whose body may still have to be received."""

    caller: Caller
    path: str
    held: dict[str, str]
    query: bytes
    headers: dict[bytes, bytes]
    receive: Receive
    confirm: Callable[[Tx], None]
    """The check, inside a write's transaction, that the request may still be served."""
    count_as: Callable[[int], Awaitable[None]]
    """The function that counts this request as the given number of requests.

    It raises `RateLimited` if the key has fewer requests left.
    """
    grant: Grant
    """The permissions of the request's key."""

    def header(self, name: bytes) -> str | None:
        """Return a header by its lower-case name as text; None if it is missing."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")


class Reply(NamedTuple):
    """A response: its HTTP status, its headers, and its body."""

    status: int
    headers: Headers
    body: bytes


async def serve(operation: Operation, kitchen: Kitchen, request: Request) -> Reply:
    """Respond to a request for one operation. Raises refusals of `prorata.errors`."""
    refuse_without(request.grant, operation)
    sent = await _body_of(request, operation) if operation.writes else b""
    query, body = await _read(operation, kitchen, request, sent)
    refuse_expanded(request.grant, getattr(query, "expand", None))
    looked_up = await _look_before(operation, kitchen, request, body)
    sheet = await _table_of(operation, kitchen, body)
    logo = await _logo_of(operation, kitchen, body)
    if_match = request.header(b"if-match")

    def calling(tx: Tx) -> Call[Any, Any]:
        return Call(
            tx, request.caller, request.held, query, body, kitchen.archive, kitchen.receivers, kitchen.hasher,
            request.grant, kitchen.mail_held, kitchen.tools, sheet, kitchen.job_kinds, logo, looked_up,
        )  # fmt: skip

    def work(tx: Tx) -> Answer:
        return _answer(operation, calling(tx), if_match)

    def write(work: Callable[[Tx], Answer]) -> Answer:
        def confirmed(tx: Tx) -> Answer:
            request.confirm(tx)
            return work(tx)

        return rehearse(database, confirmed) if operation.undone else database.write(confirmed)

    database = kitchen.database
    if operation.media != JSON:
        give = _printed if operation.media == PDF else _handed_out
        return await give(operation, kitchen, calling, request.header(b"if-none-match"))
    if not operation.changes:
        answer = await database.reading(work, at_once=operation.at_once)
        return _read_reply(operation, answer, request.header(b"if-none-match"))
    key = idempotency.read_key(request.header(b"idempotency-key")) if operation.takes_key else None
    if key is None:
        return _reply(operation, await _made(operation, kitchen, request, calling, lambda: write(work)))
    of = request.caller.account_id
    said = said_by(body) if operation.takes == FORM and body else sent
    path = f"{request.path} {request.caller.actor}" if operation.is_secret else request.path  # a key's own secret
    once = _once(request.caller, key, idempotency.hashes_of("POST", path, said), lambda tx: sealed(work(tx)))

    def sealed(answer: Answer) -> Answer:
        if not operation.is_secret:
            return answer
        return answer._replace(kept=kitchen.receivers.vault.seal(answer.body, of).encode())

    async with kitchen.in_flight.alone(request.caller.account_id, key):
        answer = _opened(await kitchen.pools.write(lambda: write(once)), operation, kitchen, of)
        return _reply(operation, answer)


async def _made(
    operation: Operation,
    kitchen: Kitchen,
    request: Request,
    calling: Callable[[Tx], Call[Any, Any]],
    alone: Callable[[], Answer],
) -> Answer:
    """Make a change, if possible together with waiting changes of the same operation and caller."""
    jointly = operation.jointly
    if jointly is None or b"if-match" in request.headers:
        return await (kitchen.pools.write_briefly if operation.is_brief else kitchen.pools.write)(alone)

    def several(callings: Sequence[Callable[[Tx], Call[Any, Any]]]) -> list[Answer | Refusal | None]:
        def work(tx: Tx) -> list[Answer | Refusal | None]:
            request.confirm(tx)  # all have the same key, and the first has waited longest
            said = jointly([one(tx) for one in callings])
            return [one if one is None or isinstance(one, Refusal) else _said(operation, one) for one in said]

        return kitchen.database.write(work)

    return await kitchen.pools.write_jointly(Joint((operation.name, request.caller), calling, several, alone))


async def _look_before(operation: Operation, kitchen: Kitchen, request: Request, body: Struct | None) -> Any:
    """Do the parts of an operation that come before its transaction.

    Count the request as the number of changes in its body, let the operation's `before` examine the body, and
    return the result of `looks_up`, or None if the operation has no `looks_up`. Raises `RateLimited` if there are
    too many changes, and any refusal of `before` and `looks_up`.
    """
    if operation.carries is not None:
        await request.count_as(operation.carries(body))
    look, looks_up, tools = operation.before, operation.looks_up, kitchen.tools
    if look is not None:
        await kitchen.pools.look_up(lambda: look(body, kitchen.receivers))
    if looks_up and tools:
        return await kitchen.pools.export(lambda: looks_up(kitchen.database, request.caller, request.held, tools))
    return None


async def _table_of(operation: Operation, kitchen: Kitchen, body: Any) -> Sheet | None:
    """Read the rows of the uploaded file, in the threads for files.

    Return None if the operation takes no table. Raises `InvalidRequest` for the field `file` if it can't be read.
    """
    kind, tools = operation.table, kitchen.tools
    if kind is None:
        return None
    assert tools is not None, "operations are served with their tools"
    return await _as_read(kitchen, lambda: tools.read_table(kind, body.file.content))


async def _logo_of(operation: Operation, kitchen: Kitchen, body: Any) -> bytes | None:
    """Return the uploaded logo as it is stored. Raises `InvalidRequest` if the logo can't be read."""
    read = kitchen.tools.read_logo if kitchen.tools else None
    if not operation.takes_logo:
        return None
    assert read is not None, "operations are served with their tools"
    return await _as_read(kitchen, lambda: read(body.file.content))


async def _as_read(kitchen: Kitchen, read: Callable[[], Read]) -> Read:
    """Run `read` in the threads for files. Raises `InvalidRequest` if the file can't be read."""
    try:
        return await kitchen.pools.read_file(read)
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None


async def _printed(
    operation: Operation, kitchen: Kitchen, calling: Callable[[Tx], Call[Any, Any]], if_none_match: str | None
) -> Reply:
    """Respond with a PDF of invoices, read in one snapshot and then typeset.

    No transaction is open during typesetting.
    """
    links = kitchen.tools.tenant_links if kitchen.tools else None

    def make() -> tuple[str, bytes]:
        papers: list[Paper] | Paper = kitchen.database.snapshot(lambda tx: operation.work(calling(tx)))
        its = papers if isinstance(papers, list) else [papers]
        printed = [paper.at(links) if links else paper.printed for paper in its]
        files, (first, *_), last = [kitchen.printer(one) for one in printed], printed, printed[-1]
        if first is last:
            return first.number, files[0]
        assert kitchen.tools is not None, "operations are served with their tools"
        return f"{first.number}_{last.number}", kitchen.tools.join(files)

    number, body = await (kitchen.pools.export if operation.is_long else kitchen.pools.print)(make)
    # An invoice number has only A to Z, digits and dashes, so the header needs no quoting.
    named = (b"content-disposition", b'inline; filename="%s.pdf"' % number.encode("ascii"))
    reply = _read_reply(operation, Answer(operation.status, body), if_none_match)
    return reply._replace(headers=[*reply.headers, named])


async def _handed_out(
    operation: Operation, kitchen: Kitchen, calling: Callable[[Tx], Call[Any, Any]], if_none_match: str | None
) -> Reply:
    """Respond with a file that is stored, or that is made for this request."""

    def work(tx: Tx) -> FileAnswer:
        file: FileAnswer = operation.work(calling(tx))
        return file

    if operation.is_long:
        file = await kitchen.pools.export(lambda: kitchen.database.snapshot(work))
    else:
        file = await kitchen.database.reading(work, at_once=operation.at_once)
    reply = _read_reply(operation, Answer(operation.status, file.content), if_none_match)
    return reply._replace(headers=[*reply.headers, (b"content-disposition", disposition(file.name))])


def _once(caller: Caller, key: str, hashes: Hashes, work: Callable[[Tx], Answer]) -> Callable[[Tx], Answer]:
    return lambda tx: idempotency.answer_once(tx, caller.account_id, key, hashes, lambda: work(tx))


def _opened(answer: Answer, operation: Operation, kitchen: Kitchen, account_id: str) -> Answer:
    """Return the response to a change, decrypted if it was stored with a secret.

    Raises `Conflict` if the response can no longer be decrypted.
    """
    if not (answer.replayed and operation.is_secret and not answer.body.startswith(b"{")):
        return answer
    body = kitchen.receivers.vault.open(answer.body.decode(), account_id)
    if body is None:
        raise Conflict("The response to this Idempotency-Key can no longer be read. Create a new secret.")
    return answer._replace(body=body)


def _answer(operation: Operation, call: Call[Any, Any], if_match: str | None) -> Answer:
    record = records()[operation.name]
    if if_match is not None and operation.changes:
        require_match(if_match, encode(record.current(call)) if record.of else None)
    answer = _said(operation, operation.work(call))
    if operation.method in _CHANGES and record.of and record.of.path == operation.path and not record.is_read:
        return answer._replace(tag=entity_tag(encode(record.current(call))))
    return answer


def _said(operation: Operation, answer: Any) -> Answer:
    return Answer(operation.status, b"" if answer is None else encode(answer))


async def _body_of(request: Request, operation: Operation) -> bytes:
    """Receive a request's body, up to the operation's limit.

    If the operation requires no body, an empty one may have any media type. Raises `PayloadTooLarge` if the body is
    too large, and otherwise `UnsupportedMediaType` if its media type is wrong.
    """
    most = operation.most_bytes
    too_large = f"The body is larger than {most // 1024:,} KiB, which is the most this address takes."
    declared = request.headers.get(b"content-length", b"0")
    if not declared.isdigit():
        raise InvalidRequest("The Content-Length header must be a number.")
    if int(declared) > most:
        raise PayloadTooLarge(too_large)
    body = await read_whole(request.receive, most, cut_off=_CUT_OFF, too_large=too_large)
    if not body and operation.body is None:
        return b""
    kind = request.headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if kind != operation.takes.encode():
        raise UnsupportedMediaType(_SEND_AS[operation.takes])
    return body


async def _read(operation: Operation, kitchen: Kitchen, request: Request, sent: bytes) -> tuple[Struct, Struct | None]:
    """Parse the query and the body of a request.

    A large body is parsed in a thread, so that it doesn't delay other requests.
    """
    if len(sent) > AT_ONCE:
        return await kitchen.pools.page(lambda: _decoded(operation, request, sent))
    return _decoded(operation, request, sent)


def _decoded(operation: Operation, request: Request, sent: bytes) -> tuple[Struct, Struct | None]:
    raw = request.query
    if not raw and operation.query is None:
        return _NOTHING_ASKED, _body_read(operation, request, sent)
    pairs: list[tuple[str, str]] = []
    if raw:
        try:
            pairs = parse_qsl(
                raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS
            )
        except ValueError:
            raise InvalidRequest(
                "The address's query string can't be read: it must be percent-encoded UTF-8."
            ) from None
    query = read_query(pairs, operation.query or NoQuery)
    return query, _body_read(operation, request, sent)


def _body_read(operation: Operation, request: Request, sent: bytes) -> Struct | None:
    if operation.body and operation.takes == FORM:
        fields = fields_of(sent, request.header(b"content-type") or "", operation.most_bytes)
        return read_query(fields, operation.body, "field")
    if operation.body:
        return read_body(sent, operation.body)
    if sent.strip():
        read_body(sent, NoBody)
    return None


def _read_reply(operation: Operation, answer: Answer, if_none_match: str | None) -> Reply:
    if not operation.is_single_read:
        return Reply(answer.status, about(answer.body, operation.media), answer.body)
    tag = entity_tag(answer.body)
    header = (b"etag", tag.encode())
    if if_none_match is not None and names_tag(if_none_match, tag):
        return Reply(_NOT_MODIFIED, [header], b"")
    return Reply(answer.status, [*about(answer.body, operation.media), header], answer.body)


def _reply(operation: Operation, answer: Answer) -> Reply:
    """Build the response to a change, with the record's tag and address as headers."""
    headers = [] if answer.status == _NO_CONTENT else about(answer.body)
    record = records()[operation.name]
    is_done = answer.status == operation.status  # else it is a stored refusal
    if is_done and (answer.tag or record.is_read):
        headers.append((b"etag", (answer.tag or entity_tag(answer.body)).encode()))
    if is_done and record.home is not None:
        new = msgspec.json.decode(answer.body, type=_NewRecord)
        headers.append((b"location", f"{API}{record.home}/{new.id}".encode()))
    if answer.replayed:
        headers.append((b"idempotency-replayed", b"true"))
    return Reply(answer.status, headers, answer.body)
