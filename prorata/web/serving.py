"""Serving one operation: decode strictly, do the work in one transaction, encode once.

Checks come in the order of decisions section 2. Key, limits, permission, route and method are checked before this
(`door`, Litestar's router); here follow 413, 415, 400, then what the work itself refuses: 404, 412, 409.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from prorata.errors import InvalidRequest, PayloadTooLarge, UnsupportedMediaType
from prorata.ports import Archive
from prorata.store.audit import Caller
from prorata.store.engine import Database, Tx
from prorata.web import idempotency
from prorata.web.bodies import Body
from prorata.web.conditions import entity_tag, names_tag, require_match
from prorata.web.decoding import read_body, read_query
from prorata.web.encoding import encode
from prorata.web.idempotency import Answer, InFlight
from prorata.web.operations import Call, Operation
from prorata.web.pools import Pools

LARGEST_BODY = 256 * 1024
MOST_PARAMETERS = 50
API = "/api/v1"
_JSON = "application/json"
_NO_CONTENT, _NOT_MODIFIED = 204, 304


@dataclass(frozen=True, slots=True)
class Kitchen:
    """What operations are served with: the database, the threads, and the outside things that actions need."""

    database: Database
    pools: Pools
    archive: Archive
    in_flight: InFlight


class NoQuery(Body):
    """The query of an operation that takes none."""


def route(operation: Operation, kitchen: Kitchen) -> HTTPRouteHandler:
    """The route of an operation, as Litestar's router knows it."""

    async def handle(request: Request) -> Response[bytes | None]:  # type: ignore[type-arg]
        return await serve(operation, kitchen, request)

    handle.__name__ = operation.name
    path = API + operation.path.replace("}", ":str}")
    return HTTPRouteHandler(path, http_method=[operation.method], status_code=200)(handle)


async def serve(operation: Operation, kitchen: Kitchen, request: Request) -> Response[bytes | None]:  # type: ignore[type-arg]
    """Answer one request to an operation. Raises the refusals of `prorata.errors`."""
    caller: Caller = request.scope["caller"]  # type: ignore[typeddict-item]
    request.scope["operation"] = operation.name  # type: ignore[typeddict-unknown-key]
    sent = await _body_of(request) if operation.body else b""
    query, body = _decoded(operation, request, sent)

    def work(tx: Tx) -> Answer:
        call = Call(tx, caller, request.path_params, query, body, kitchen.archive)
        return _answer(operation, call, request.headers.get("if-match"))

    database = kitchen.database
    if not operation.writes:
        read = database.snapshot if operation.at_once else database.read
        answer = await kitchen.pools.read(lambda: read(work))
        return _read_response(operation, answer, request.headers.get("if-none-match"))
    key = idempotency.read_key(request.headers.get("idempotency-key")) if operation.method == "POST" else None
    if key is None:
        return _response(await kitchen.pools.write(lambda: database.write(work)))
    once = _once(caller, key, idempotency.hash_of("POST", request.scope["path"], sent), work)
    async with kitchen.in_flight.alone(caller.account_id, key):
        return _response(await kitchen.pools.write(lambda: database.write(once)))


def _once(caller: Caller, key: str, request_hash: str, work: Callable[[Tx], Answer]) -> Callable[[Tx], Answer]:
    return lambda tx: idempotency.answer_once(tx, caller.account_id, key, request_hash, lambda: work(tx))


def _answer(operation: Operation, call: Call[Any, Any], if_match: str | None) -> Answer:
    if if_match is not None and operation.current is not None:
        require_match(if_match, encode(operation.current(call)))
    answer = operation.work(call)
    return Answer(operation.status, b"" if answer is None else encode(answer))


async def _body_of(request: Request) -> bytes:  # type: ignore[type-arg]
    """The body, counted while it streams. Raises `PayloadTooLarge`, then `UnsupportedMediaType`."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > LARGEST_BODY:
        raise _too_large()
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > LARGEST_BODY:
            raise _too_large()
        chunks.append(chunk)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _JSON:
        raise UnsupportedMediaType("Send the body as JSON, with the header Content-Type: application/json.")
    return b"".join(chunks)


def _too_large() -> PayloadTooLarge:
    return PayloadTooLarge(f"The body is larger than {LARGEST_BODY // 1024} KiB, which is the most this address takes.")


def _decoded(operation: Operation, request: Request, sent: bytes) -> tuple[Struct, Struct | None]:  # type: ignore[type-arg]
    raw: bytes = request.scope["query_string"]
    pairs: list[tuple[str, str]] = []
    if raw:
        try:
            pairs = parse_qsl(
                raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS
            )
        except ValueError:
            raise InvalidRequest("The query of the address can't be read: it must be percent-encoded UTF-8.") from None
    query = read_query(pairs, operation.query or NoQuery)
    return query, read_body(sent, operation.body) if operation.body else None


def _read_response(operation: Operation, answer: Answer, if_none_match: str | None) -> Response[bytes | None]:
    if not operation.is_single_read:
        return _response(answer)
    tag = entity_tag(answer.body)
    if if_none_match is not None and names_tag(if_none_match, tag):
        return Response(None, status_code=_NOT_MODIFIED, headers={"ETag": tag})
    return Response(answer.body, media_type=_JSON, headers={"ETag": tag})


def _response(answer: Answer) -> Response[bytes | None]:
    headers = {"Idempotency-Replayed": "true"} if answer.replayed else {}
    if answer.status == _NO_CONTENT:
        return Response(None, status_code=_NO_CONTENT, headers=headers)
    return Response(answer.body, status_code=answer.status, media_type=_JSON, headers=headers)
