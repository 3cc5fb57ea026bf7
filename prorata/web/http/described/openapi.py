"""The OpenAPI 3.1 document, generated from the API's operations and their types.

The document describes exactly what the decoder does: the schemas are those of the same Structs, and each operation
lists every error that its responses may contain.
"""

import inspect
import json
import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from prorata import __version__
from prorata.domain.webhooks.events import EVENT_TYPES, SAID_BY, EventType
from prorata.errors import (
    Conflict,
    EventsGone,
    Forbidden,
    InvalidRequest,
    NotFound,
    OutcomeUnknown,
    PayloadTooLarge,
    PreconditionFailed,
    RateLimited,
    Refusal,
    ScopeMissing,
    Unauthorized,
    Unavailable,
    UnsupportedMediaType,
)
from prorata.web.http.described import plain_schemas
from prorata.web.http.described.event_documents import event_of, with_event_types
from prorata.web.http.described.field_examples import with_examples
from prorata.web.http.described.plain_schemas import names_of_choices
from prorata.web.http.described.tags import TAGS
from prorata.web.http.errors import Broken
from prorata.web.http.idempotency import KEY_PATTERN
from prorata.web.http.limits import LONGEST_IDEMPOTENCY_KEY
from prorata.web.http.operations import FILE, FORM, JSON, PDF, Operation, records
from prorata.web.http.response_schemas import Error
from prorata.web.http.scopes import scopes_of

_JSON = "application/json"
_SCHEMAS = "#/components/schemas/{name}"
_HOOKS = ("Webhooks", "The messages that your webhook endpoints receive.")
_ABOUT = """Utility bills in, fair and explained tenant invoices out.

Every request carries `Authorization: Bearer <API_KEY>`. A key with READ permission may only read, and one with
scopes reaches what they name; each operation says what it needs. Money is a string
with two decimals where a field says so, and a number elsewhere; timestamps are UTC. Errors are always
`{error, code, status}`, with `details` naming each field that is wrong. A second `/v1` in a path changes nothing.

Lists come in pages: `page` from 1, `limit` up to 100; or are read on with `after`, up to 1,000 records at a time.
Requests are limited per key; the headers `RateLimit-Policy` and `RateLimit` say where you stand. A POST with an
`Idempotency-Key` can be repeated safely for 24 hours. Single reads carry an `ETag`: send it
back as `If-None-Match` to read only what changed, or as `If-Match` to change only what you have read.
"""
_HEADERS: dict[str, Any] = {
    "X-Request-Id": {"description": "The request's id in the log.", "schema": {"type": "string"}},
    "RateLimit-Policy": {
        "description": 'The limits of your key, such as "minute";q=100;w=60.', "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": 'The remaining quota, such as "minute";r=99;t=60.', "schema": {"type": "string"},
    },
    "ETag": {"description": "The record's version.", "schema": {"type": "string"}},
    "Location": {"description": "The address of the new record.", "schema": {"type": "string"}},
    "Content-Disposition": {"description": "The name of the file.", "schema": {"type": "string"}},
    "Retry-After": {"description": "The number of seconds to wait before trying again.", "schema": {"type": "integer"}},
    "WWW-Authenticate": {"description": "How to authenticate.", "schema": {"type": "string", "const": "Bearer"}},
    "Idempotency-Replayed": {
        "description": "true when the answer was stored by an earlier request with the same key.",
        "schema": {"type": "string", "const": "true"},
    },
}  # fmt: skip
_ON_EVERY_ANSWER = ("X-Request-Id", "RateLimit-Policy", "RateLimit")


def document(operations: Sequence[Operation], base_url: str) -> dict[str, Any]:
    """Build the OpenAPI document of these operations, served under `base_url`."""
    types = [Error, *_types_of(operations)]
    schemas, components = msgspec.json.schema_components(types, ref_template=_SCHEMAS)
    by_type = dict(zip(map(str, types), schemas, strict=True))
    components["Error"]["properties"]["code"]["enum"] = codes(operations)
    names = names_of_choices(components | (typed := with_event_types(components)) | {"Event": components["Event"]})
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, by_type, components)
    specification = {
        "openapi": "3.1.0",
        "info": {"title": "Prorata API", "version": __version__, "summary": "Rental utility billing",
                 "description": _ABOUT},
        "servers": [{"url": f"{base_url}/api/v1"}],
        "tags": [{"name": name, "description": about} for name, about in dict.fromkeys([*TAGS.values(), _HOOKS])],
        "security": [{"apiKey": []}],
        "paths": paths,
        "webhooks": {event_type: {"$ref": f"#/components/pathItems/{_hook(event_type)}"} for event_type in EVENT_TYPES},
        "components": {
            "schemas": {name: schema for name, schema in typed.items() if not name.endswith("Query")},
            "responses": _shared_errors(operations),
            "headers": _HEADERS,
            "pathItems": {_hook(event_type): {"post": _webhook(event_type)} for event_type in EVENT_TYPES},
            "securitySchemes": {"apiKey": {"type": "http", "scheme": "bearer", "description": "An API key."}},
        },
    }  # fmt: skip
    plain: dict[str, Any] = plain_schemas.plain(specification, names)
    choices = {name: {"type": "string", "enum": [*values]} for values, name in names.items()}
    plain["components"]["schemas"] = with_examples(plain["components"]["schemas"] | choices)
    return plain


def written(operations: Sequence[Operation]) -> str:
    """Serialize the OpenAPI document as JSON for docs/openapi.json.

    The file shows API changes in reviews; `make openapi` writes it.
    """
    return json.dumps(document(operations, "http://127.0.0.1:8000"), indent=2, ensure_ascii=False) + "\n"


def codes(operations: Sequence[Operation]) -> list[str]:
    """List every error code that a response of the API may contain.

    The codes are those of these operations, and of requests that reach no operation.
    """
    return sorted(_codes_of_tree(Refusal) | {code for operation in operations for code in _missing(operation)})


def _codes_of_tree(refusal: type[Refusal]) -> set[str]:
    return {refusal.code}.union(*map(_codes_of_tree, refusal.__subclasses__()))


def _missing(operation: Operation) -> list[str]:
    return [NotFound(kind).code for kind in operation.missing]


def _types_of(operations: Sequence[Operation]) -> list[Any]:
    types: dict[str, Any] = {}
    for operation in operations:
        for kind in (operation.query, operation.body, operation.answer):
            if kind is not None:
                types.setdefault(str(kind), kind)
    return list(types.values())


def _operation(operation: Operation, schemas: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [TAGS[_noun(operation.path)][0]],
        "summary": operation.summary,
        "description": f"{inspect.getdoc(operation.work)}\n\n{needed(operation)}",
        **({"deprecated": True} if operation.leaving else {}),
        "security": [{"apiKey": [*scopes_of(operation)]}],
        "parameters": [*_path_parameters(operation), *_query_parameters(operation, components),
                       *_header_parameters(operation)],
        "responses": _responses(operation, schemas),
    }  # fmt: skip
    if operation.body is not None:
        content: dict[str, Any] = {"schema": schemas[str(operation.body)]}
        if operation.example is not None:
            content["example"] = operation.example
        described["requestBody"] = {"required": True, "content": {operation.takes: content}}
    return described


def needed(operation: Operation) -> str:
    """Describe in a sentence the API key that an operation needs."""
    if operation.needs_every_scope:
        return f"Needs a key with {operation.permission} permission, without scopes."
    scopes = " and ".join(f"`{scope}`" for scope in scopes_of(operation)) or "those of the changes"
    return f"Needs a key with {operation.permission} permission; one with scopes, {scopes}."


def _noun(path: str) -> str:
    return [part for part in path.split("/") if part in TAGS][-1]


def _path_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[^/]+$"}}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]


def _query_parameters(operation: Operation, components: dict[str, Any]) -> list[dict[str, Any]]:
    if operation.query is None:
        return []
    query = components[operation.query.__name__]
    members: dict[str, dict[str, Any]] = query["properties"]
    return [
        {"name": name, "in": "query", "required": name in query.get("required", ()), "schema": schema}
        | ({"description": schema["description"]} if "description" in schema else {})
        for name, schema in members.items()
    ]


def _header_parameters(operation: Operation) -> list[dict[str, Any]]:
    parameters = []
    if operation.is_single_read:
        parameters.append(
            (
                "If-None-Match",
                "Entity tags that you already have: the response is 304 if the record matches one of them.",
            )
        )
    if records()[operation.name].of is not None:
        parameters.append(
            ("If-Match", "Entity tags that you have read: the response is 412 if the record has changed.")
        )
    described: list[dict[str, Any]] = [
        {"name": name, "in": "header", "required": False, "description": about, "schema": {"type": "string"}}
        for name, about in parameters
    ]
    if operation.takes_key:
        described.append(
            {"name": "Idempotency-Key", "in": "header", "required": False,
             "description": "The same key and body within 24 hours return the stored response.",
             "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_IDEMPOTENCY_KEY, "pattern": KEY_PATTERN}}
        )  # fmt: skip
    return described


def _responses(operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    response = {"description": operation.summary + ": done."} | _headers(operation)
    if operation.answer is not None:
        response["content"] = {_JSON: {"schema": schemas[str(operation.answer)]}}
    if operation.media == PDF:
        response["content"] = {PDF: {"schema": {"type": "string", "format": "binary", "contentMediaType": PDF}}}
    if operation.media == FILE:
        response["content"] = {FILE: {"schema": {"type": "string", "format": "binary"}}}
    responses: dict[str, Any] = {str(operation.status): response}
    if operation.is_single_read:
        responses["304"] = {"description": "The record has not changed.", **_headers(operation)}
    for status, (about, codes) in sorted(_errors(operation).items()):
        shared = {"$ref": f"#/components/responses/{codes[-1]}"}
        responses[str(status)] = (
            shared if _is_shared(operation, status, codes) else _error_response(status, about, codes)
        )
    return responses


def _hook(event_type: EventType) -> str:
    return "on_" + event_type.replace(".", "_")


def _webhook(event_type: EventType) -> dict[str, Any]:
    """Build the description of the request that sends events of one type.

    The request goes to a webhook endpoint. The document keeps this description apart, and its `webhooks` refer to
    it, because openapi-generator writes invalid Python for a request inside `webhooks` itself.
    """
    said_in = {
        "webhook-id": "The event's id, which stays the same however often the event is sent.",
        "webhook-timestamp": "The time of this attempt, in seconds.",
        "webhook-signature": "Signatures made with your secret, as defined by Standard Webhooks.",
    }
    return {
        "operationId": _hook(event_type),
        "summary": str(SAID_BY[event_type]),
        "tags": ["Webhooks"],
        "security": [],
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": about, "schema": {"type": "string"}}
            for name, about in said_in.items()
        ],
        "requestBody": {
            "required": True,
            "content": {_JSON: {"schema": {"$ref": _SCHEMAS.format(name=event_of(event_type))}}},
        },
        "responses": {
            "2XX": {
                "description": (
                    "The message was accepted. Any other response, or none within 15 seconds, causes it to be sent "
                    "again."
                )
            }
        },
    }


def _is_shared(operation: Operation, status: int, codes: list[str]) -> bool:
    """True if the description of an operation's error is the same in all operations.

    Conflicts, missing records of several kinds, and the size and type errors of forms are described separately for
    each operation.
    """
    if operation.takes == FORM and status in {PayloadTooLarge.status, UnsupportedMediaType.status}:
        return False
    return codes[-1] != Conflict.code and (status != NotFound.status or len(codes) == 1)


def _shared_errors(operations: Sequence[Operation]) -> dict[str, Any]:
    """Map each error that is the same in all operations to its description.

    The key of an error is the last of its codes.
    """
    errors = {
        codes[-1]: _error_response(status, about, codes)
        for operation in operations
        for status, (about, codes) in _errors(operation).items()
        if _is_shared(operation, status, codes)
    }
    return {name: errors[name] for name in sorted(errors)}


def _headers(operation: Operation) -> dict[str, Any]:
    names = [*_ON_EVERY_ANSWER]
    record = records()[operation.name]
    if operation.is_single_read or record.is_read:
        names.append("ETag")
    if record.home is not None:
        names.append("Location")
    if operation.media != JSON:
        names.append("Content-Disposition")
    if operation.takes_key:
        names.append("Idempotency-Replayed")
    return {"headers": {name: {"$ref": f"#/components/headers/{name}"} for name in names}}


def _errors(operation: Operation) -> dict[int, tuple[str, list[str]]]:
    """Map each status with which an operation can be refused to its meaning and codes."""
    malformed = ["MALFORMED_JSON"] if operation.body and operation.takes == JSON else []
    errors: dict[int, tuple[str, list[str]]] = {
        400: ("The query, a header or the body isn't valid.", [InvalidRequest.code, *malformed]),
        401: ("The API key is missing or isn't valid.", [Unauthorized.code]),
        403: ("The key isn't allowed to do this.", [ScopeMissing.code, Forbidden.code]),
        429: ("Too many requests.", [RateLimited.code]),
        500: ("Something went wrong on our side.", [Broken.code]),
        503: ("The service can't reach its database, or is too busy.", [Unavailable.code]),
    }
    if operation.writes:
        lost = (
            "Or the database connection was lost during the commit: without Retry-After, the change may have been "
            "saved."
        )
        errors[503] = (f"{errors[503][0]} {lost}", [OutcomeUnknown.code, Unavailable.code])
    if operation.missing:
        errors[404] = (f"There is no {' or '.join(operation.missing)} with this id.", _missing(operation))
    conflicts = [operation.conflict] if operation.conflict else []
    if operation.takes_key:
        conflicts.append(
            "The Idempotency-Key was already used for another request, or the first request is still in progress."
        )
    if conflicts:
        errors[409] = (" ".join(conflicts), [Conflict.code])
    if operation.gone:
        errors[410] = (operation.gone, [EventsGone.code])
    if records()[operation.name].of is not None:
        errors[412] = ("If-Match doesn't match the record.", [PreconditionFailed.code])
    if operation.body is not None:
        errors[413] = (f"The body is larger than {operation.most_bytes >> 10} KiB.", [PayloadTooLarge.code])
        errors[415] = (f"The body is not {operation.takes}.", [UnsupportedMediaType.code])
    return errors


def _error_response(status: int, about: str, codes: list[str]) -> dict[str, Any]:
    counted = status not in {HTTPStatus.UNAUTHORIZED, HTTPStatus.SERVICE_UNAVAILABLE}
    names = [*_ON_EVERY_ANSWER] if counted else ["X-Request-Id"]
    if status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}:
        names.append("Retry-After")
    if status == HTTPStatus.UNAUTHORIZED:
        names.append("WWW-Authenticate")
    return {
        "description": about,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in names},
        "content": {
            _JSON: {
                "schema": {"$ref": _SCHEMAS.format(name="Error")},
                "examples": {code: {"value": {"error": about, "code": code, "status": status}} for code in codes},
            }
        },
    }
