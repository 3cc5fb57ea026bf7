"""The source code of the TypeScript client's types and operations."""

import json
import re
import textwrap
from collections.abc import Iterator

from clients.generate.document import (
    JSON,
    Document,
    Operation,
    Schema,
    choices,
    fields,
    holds_files,
    in_words,
    is_binary,
    options,
    referred,
)

_HEAD = "// {about} Made by `make clients` of docs/openapi.json: changes belong there.\n\n"
_PLAIN = {"string": "string", "boolean": "boolean", "integer": "number", "number": "number", "null": "null"}


def typescript_files(document: Document) -> dict[str, str]:
    """Generate the files of the client, by name."""
    return {"models.ts": _models(document), "operations.ts": _operations(document)}


def _type(schema: Schema, prefix: str = "") -> str:
    """Write a schema as a type; `prefix` is the module of the models."""
    if name := referred(schema):
        return prefix + name
    if texts := choices(schema):
        return " | ".join(f'"{one}"' for one in texts)
    if parts := options(schema):
        return " | ".join(dict.fromkeys(_type(one, prefix) for one in parts))
    kind = schema.get("type", "object")
    if kind == "array":
        return f"Array<{_type(schema['items'], prefix)}>"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values, prefix) if isinstance(values, dict) else 'unknown'}>"
    return "Blob" if is_binary(schema) else _PLAIN[kind]


def _models(document: Document) -> str:
    parts = [_HEAD.format(about="What the API takes and gives.").rstrip("\n")]
    for name, its in document.schemas.items():
        about = _doc(its.get("description", ""), 0)
        if "properties" in its:
            members = "".join(
                f"{_doc(one.get('description', ''), 2)}  {field}{'' if is_there else '?'}: {_type(one)};\n"
                for field, one, is_there in fields(its)
            )
            parts.append(f"{about}export interface {name} {{\n{members}}}")
        else:
            parts.append(f"{about}export type {name} = {_type(its)};")
    return "\n\n".join(parts) + "\n"


def _doc(text: str, indent: int) -> str:
    if not text:
        return ""
    wrapped = "\n\n".join("\n".join(textwrap.wrap(part, 110 - indent)) for part in text.strip().split("\n\n"))
    lines = wrapped.replace("*/", "* /").split("\n")
    said = (
        f"/** {lines[0]} */"
        if len(lines) == 1
        else "/**\n" + "\n".join(f" * {one}".rstrip() for one in lines) + "\n */"
    )
    return textwrap.indent(said, " " * indent) + "\n"


def _operations(document: Document) -> str:
    head = (
        _HEAD.format(about="The operations of the API.")
        + 'import { Caller, type Changing, type Making } from "./calling.js";\n'
        + 'import type { Records } from "./listing.js";\n'
        + 'import type * as models from "./models.js";\n\n'
        + "/** Each operation of the API as a method. */\nexport class Operations extends Caller {\n"
    )
    return head + "\n".join(_method(one, document) for one in document.operations) + "}\n"


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), in_words(name))


def _method(operation: Operation, document: Document) -> str:
    taken = [f"{known}: {'string' if known != 'number' else 'string | number'}" for _, known in operation.in_path]
    if operation.body is not None:
        taken.append(f"body: {_type(operation.body, 'models.')}")
    if operation.query:
        members = "; ".join(
            f"{one.name}: {kind}" if one.is_needed else f"{one.name}?: {kind} | undefined"
            for one in operation.query
            for kind in [_type(one.schema, "models.")]
        )
        is_needed = any(one.is_needed for one in operation.query)
        taken.append(f"query: {{ {members} }}{'' if is_needed else ' = {}'}")
    kinds = ["Making"] if operation.takes_key else []
    kinds += ["Changing"] if operation.takes_match else []
    if kinds:
        taken.append(f"options: {' & '.join(kinds)} = {{}}")
    given, does = _work(operation, document)
    return f"{_doc(operation.about, 2)}  {_camel(operation.name)}({', '.join(taken)}): {given} {{\n    {does}\n  }}\n"


def _work(operation: Operation, document: Document) -> tuple[str, str]:
    """Return a method's result type, and the line that makes the call."""
    path = f'"{operation.path}"'
    if operation.in_path:
        for name, known in operation.in_path:
            path = path.replace(f"{{{name}}}", f"${{encodeURIComponent({known})}}")
        path = f"`{path[1:-1]}`"
    if listing := operation.listing:
        paged = f", paged: {json.dumps(listing.paged)}" if listing.paged else ""
        how = f'{{ walk: "{listing.walk}", by: "{listing.by}", limit: {listing.limit}{paged} }}'
        assert operation.answer is not None, "a list is answered"
        its = f"{_type(listing.item, 'models.')}, {_type(operation.answer, 'models.')}"
        query = "query" if operation.query else "{}"
        return f"Records<{its}>", f"return this.each<{its}>({path}, {query}, {how});"
    given = "void" if operation.answer is None else "Uint8Array"
    if operation.media == JSON and operation.answer is not None:
        given = _type(operation.answer, "models.")
    does = "content" if given == "Uint8Array" else f"call<{given}>"
    said = ", ".join(_sent(operation, document))
    arguments = ", ".join([f'"{operation.method}"', path, *([f"{{ {said} }}"] if said else [])])
    return f"Promise<{given}>", f"return this.{does}({arguments});"


def _sent(operation: Operation, document: Document) -> Iterator[str]:
    if operation.query:
        yield "query"
    if operation.body is not None:
        name = referred(operation.body)
        is_form = operation.takes != JSON or (name is not None and holds_files(document.schemas[name]))
        yield "form: body" if is_form else "body"
    if operation.takes_key:
        yield "idempotencyKey: options.idempotencyKey ?? this.newKey()"
    if operation.takes_match:
        yield "ifMatch: options.ifMatch"
