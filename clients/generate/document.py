"""The parts of an OpenAPI document that a client needs.

They are its operations, and the way in which its lists continue.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "openapi.json"
JSON = "application/json"
Schema = dict[str, Any]
_IN_PAGES = "Only available by page."
"""The end of the description of a parameter that can't be combined with a cursor."""
Walk = Literal["cursor", "page", "next", "number"]
"""Ways to read a list on: by the `next` of each answer as `after`; in pages; by `next` as `before`; by the
number of the last record.
"""


@dataclass(frozen=True)
class Parameter:
    """A query parameter: its name, the type of its values, and whether it is required."""

    name: str
    schema: Schema
    is_needed: bool


@dataclass(frozen=True)
class Listing:
    """The way in which a list continues, and the schema of its records.

    `by` is the parameter by which it continues. With a parameter of `paged`, the list is read in pages.
    """

    walk: Walk
    by: str
    limit: int
    item: Schema
    paged: tuple[str, ...] = ()


@dataclass(frozen=True)
class Operation:
    """An operation for a client.

    `answer` is None if the answer has no body; `media` is the media type of the answer.
    """

    name: str
    method: str
    path: str
    about: str
    tag: str
    in_path: tuple[tuple[str, str], ...]
    query: tuple[Parameter, ...]
    takes: str
    body: Schema | None
    answer: Schema | None
    media: str
    listing: Listing | None
    takes_key: bool
    takes_match: bool


@dataclass(frozen=True)
class Document:
    """The schemas and operations of an OpenAPI document."""

    version: str
    schemas: dict[str, Schema]
    operations: tuple[Operation, ...]

    def only_sent(self) -> set[str]:
        """Return the names of the schemas that are only in request bodies."""
        sent = {name for one in self.operations if one.body for name in _names_in(one.body, self.schemas)}
        return sent - {name for one in self.operations if one.answer for name in _names_in(one.answer, self.schemas)}


def read(file: Path = DOCUMENT) -> Document:
    """Read the document from a file."""
    said = json.loads(file.read_text("utf-8"))
    schemas = {named(name): schema for name, schema in said["components"]["schemas"].items()}
    operations = [
        _operation(path, method.upper(), its, schemas)
        for path, methods in said["paths"].items()
        for method, its in methods.items()
    ]
    return Document(said["info"]["version"], schemas, tuple(operations))


def named(name: str) -> str:
    """Return a schema's name for clients: `Page_Unit_` becomes `PageUnit`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def referred(schema: Schema) -> str | None:
    """Return the name of the schema that another refers to."""
    return named(schema["$ref"].rpartition("/")[2]) if "$ref" in schema else None


def options(schema: Schema) -> list[Schema]:
    """List the alternatives of a schema, if any; a list of types is split."""
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return [schema | {"type": kind} for kind in kinds]
    return schema.get("anyOf") or schema.get("oneOf") or []


def choices(schema: Schema) -> list[str]:
    """List the strings that a schema allows as a value, if it lists them."""
    return [schema["const"]] if "const" in schema else schema.get("enum", [])


def fields(schema: Schema) -> Iterator[tuple[str, Schema, bool]]:
    """Yield each field of an object: its name, its schema, and whether it is required."""
    required = schema.get("required", ())
    for name, its in schema.get("properties", {}).items():
        yield name, its, name in required


def in_words(name: str) -> str:
    """Convert a name from camel case to underscores."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), name).replace("-", "_")


def is_binary(schema: Schema) -> bool:
    """True for a schema of the content of a file."""
    return schema.get("format") == "binary"


def holds_files(schema: Schema) -> bool:
    """True for a body that is sent as a form, because it contains a file."""
    return any(is_binary(its) or is_binary(its.get("items", {})) for its in schema.get("properties", {}).values())


def _names_in(node: Any, schemas: dict[str, Schema], known: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the names of all schemas that a part refers to, directly or indirectly."""
    if isinstance(node, dict) and (name := referred(node)):
        if name not in known:
            yield name
            yield from _names_in(schemas[name], schemas, known | {name})
    elif isinstance(node, dict | list):
        for one in node.values() if isinstance(node, dict) else node:
            yield from _names_in(one, schemas, known)


def _operation(path: str, method: str, said: Schema, schemas: dict[str, Schema]) -> Operation:
    query = tuple(
        Parameter(one["name"], one["schema"], one["required"]) for one in said["parameters"] if one["in"] == "query"
    )
    headers = {one["name"] for one in said["parameters"] if one["in"] == "header"}
    done = next(response for status, response in said["responses"].items() if status.startswith("2"))
    media, answer = _content(done)
    taken, body = _content(said.get("requestBody", {}))
    listing = _listing(query, answer, schemas) if method == "GET" and answer else None
    of_walk = {"limit", "page"}
    return Operation(
        name=said["operationId"],
        method=method,
        path=path,
        about="\n\n".join(dict.fromkeys(filter(None, (said["summary"] + ".", said.get("description"))))),
        tag=said["tags"][0],
        in_path=tuple(_path_names(path)),
        query=tuple(one for one in query if not listing or one.name not in of_walk),
        takes=taken,
        body=body,
        answer=answer,
        media=media,
        listing=listing,
        takes_key="Idempotency-Key" in headers,
        takes_match="If-Match" in headers,
    )


def _content(said: Schema) -> tuple[str, Schema | None]:
    """Return a body's media type and schema; return nothing if it has none."""
    for media, content in said.get("content", {}).items():
        return media, content["schema"]
    return "", None


def _path_names(path: str) -> Iterator[tuple[str, str]]:
    """Yield the names in braces in a path, each with its name for callers.

    An `id` is named after the record before it.
    """
    parts = path.split("/")
    for before, part in pairwise(parts):
        if part.startswith("{"):
            name = part.strip("{}")
            yield name, _one_of(before) + "Id" if name == "id" else name


def _one_of(noun: str) -> str:
    words = noun.split("-")
    last = words[-1]
    words[-1] = last[:-3] + "y" if last.endswith("ies") else last.removesuffix("s")
    return words[0] + "".join(word.capitalize() for word in words[1:])


def _listing(query: tuple[Parameter, ...], answer: Schema, schemas: dict[str, Schema]) -> Listing | None:
    name = referred(answer)
    has = schemas[name].get("properties", {}) if name else {}
    by_name = {one.name: one.schema for one in query}
    if has.get("data", {}).get("type") != "array" or "limit" not in by_name:
        return None
    limit, item = by_name["limit"]["maximum"], has["data"]["items"]
    if "page" in by_name and "after" in by_name and "next" in has:
        paged = (one.name for one in query if one.schema.get("description", "").endswith(_IN_PAGES))
        return Listing("cursor", "after", limit, item, tuple(paged))
    if "page" in by_name:
        return Listing("page", "page", limit, item)
    by = "after" if "after" in by_name else "before"
    walk: Walk = "next" if "next" in has else "number"
    return Listing(walk, by, limit, item)
