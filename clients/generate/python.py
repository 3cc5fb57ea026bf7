"""The source code of the Python client's types and operations."""

import keyword
import re
import textwrap
from collections.abc import Iterator

from clients.generate.document import (
    JSON,
    Document,
    Operation,
    Parameter,
    Schema,
    choices,
    fields,
    holds_files,
    in_words,
    is_binary,
    options,
    referred,
)

_HEAD = '"""{about} Made by `make clients` of docs/openapi.json: changes belong there."""\n\n'
_PLAIN = {"string": "str", "boolean": "bool", "integer": "int", "null": "None", "number": "Number"}


def python_files(document: Document) -> dict[str, str]:
    """Generate the files of the client, by name."""
    return {
        "models.py": _models(document),
        "operations.py": _operations(document, is_async=False),
        "async_operations.py": _operations(document, is_async=True),
    }


def _type(schema: Schema, prefix: str = "") -> str:
    """Write a schema as a type annotation; `prefix` is the module of the models."""
    if name := referred(schema):
        return prefix + name
    if texts := choices(schema):
        return f"Literal[{', '.join(map(repr, texts))}]"
    if parts := options(schema):
        return " | ".join(dict.fromkeys(_type(one, prefix) for one in parts))
    return _of_one_kind(schema, prefix)


def _of_one_kind(schema: Schema, prefix: str) -> str:
    kind = schema.get("type", "object")
    if kind == "array":
        return f"list[{_type(schema['items'], prefix)}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"dict[str, {_type(values, prefix) if isinstance(values, dict) else 'Any'}]"
    if is_binary(schema):
        return f"{prefix}File"
    return prefix + _PLAIN[kind] if kind == "number" else _PLAIN[kind]


def _models(document: Document) -> str:
    plain = [(name, its) for name, its in document.schemas.items() if "properties" not in its]
    parts = [
        _HEAD.format(about="What the API takes and gives.") + "from __future__ import annotations\n\n"
        "from decimal import Decimal\n"
        "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final\n\n"
        "Number: TypeAlias = Decimal | int\n"
        '"""A number, exact: what has a point is read as a Decimal."""\n'
        "NumberSent: TypeAlias = Decimal | float\n"
        '"""A number in a body: also a float."""\n'
        "File: TypeAlias = bytes | tuple[str, bytes]\n"
        '"""The content of a file, or its name and content."""\n'
    ]
    parts += [f"{name}: TypeAlias = {_type(its)}\n" for name, its in plain if "enum" in its]
    sent = document.only_sent()
    for name, its in document.schemas.items():
        if "properties" in its:
            model = _model(name, its)
            parts.append(re.sub(r"\bNumber\b", "NumberSent", model) if name in sent else model)
    parts += [f'{name}: TypeAlias = "{_type(its)}"\n' for name, its in plain if "enum" not in its]
    return "\n\n".join(parts)


def _model(name: str, schema: Schema) -> str:
    said = [(field, _field(its, is_there), its) for field, its, is_there in fields(schema)]
    about = _doc(schema.get("description", "") or f"{name}.", 4)
    if any(keyword.iskeyword(field) for field, _, _ in said):
        members = "".join(f'        "{field}": "{kind}",\n' for field, kind, _ in said)
        return (
            f'{name} = TypedDict(\n    "{name}",\n    {{\n{members}    }},\n)\n{_doc(schema.get("description", ""), 0)}'
        )
    body = "".join(f"    {field}: {kind}\n{_doc(its.get('description', ''), 4)}" for field, kind, its in said)
    return f"@final\nclass {name}(TypedDict):\n{about}\n{body}"


def _field(schema: Schema, is_there: bool) -> str:
    return _type(schema) if is_there else f"NotRequired[{_type(schema)}]"


def _doc(text: str, indent: int) -> str:
    """Write a docstring, wrapped, or nothing if there is no text."""
    if not text:
        return ""
    wrapped = ["\n".join(textwrap.wrap(part, 110 - indent)) for part in text.strip().split("\n\n")]
    lines = "\n\n".join(wrapped).split("\n")
    said = '"""' + "\n".join(lines).replace("\\", "\\\\") + ('\n"""' if len(lines) > 1 else '"""')
    return textwrap.indent(said, " " * indent, lambda line: bool(line.strip())) + "\n"


def _operations(document: Document, *, is_async: bool) -> str:
    kind, caller = ("AsyncRecords", "AsyncCaller") if is_async else ("Records", "Caller")
    imported = ", ".join(sorted((caller, kind, "Listing")))
    head = (
        _HEAD.format(about=f"The operations of the API{', for asyncio' if is_async else ''}.")
        + "from typing import Any, Literal\n\n"
        f"from prorata_client import models\nfrom prorata_client.calling import {imported}\n\n\n"
        f"class {'Async' if is_async else ''}Operations({caller}):\n"
        '    """Each operation of the API as a method."""\n'
    )
    return head + "".join("\n" + _method(one, document, is_async) for one in document.operations)


def _method(operation: Operation, document: Document, is_async: bool) -> str:
    names = [in_words(known) for _, known in operation.in_path]
    taken = ["self", *(f"{name}: str" if name != "number" else f"{name}: int | str" for name in names)]
    if operation.body is not None:
        taken.append(f"body: {_type(operation.body, 'models.')}")
    named = [
        f"{_argument(one)}: {_type(one.schema, 'models.')}{'' if one.is_needed else ' | None = None'}"
        for one in operation.query
    ]
    named += ["idempotency_key: str | None = None"] if operation.takes_key else []
    named += ["if_match: str | None = None"] if operation.takes_match else []
    given, does = _work(operation, document, is_async)
    awaited = "async " if is_async and not operation.listing else ""
    signature = ", ".join([*taken, *(["*"] if named else []), *named])
    return f"    {awaited}def {operation.name}({signature}) -> {given}:\n{_doc(operation.about, 8)}{does}"


def _argument(parameter: Parameter) -> str:
    name = in_words(parameter.name)
    return name + "_" if keyword.iskeyword(name) else name


def _work(operation: Operation, document: Document, is_async: bool) -> tuple[str, str]:
    """Return a method's result type, and the lines that make the call."""
    path = f'"{operation.path}"'
    if operation.in_path:
        for name, known in operation.in_path:
            path = path.replace(f"{{{name}}}", f"{{self.quoted({in_words(known)})}}")
        path = "f" + path
    query = ", ".join(f'"{one.name}": {_argument(one)}' for one in operation.query)
    if listing := operation.listing:
        paged = f", {listing.paged!r}" if listing.paged else ""
        how = f'Listing("{listing.walk}", "{listing.by}", {listing.limit}{paged})'
        assert operation.answer is not None, "a list is answered"
        its = f"[{_type(listing.item, 'models.')}, {_type(operation.answer, 'models.')}]"
        given = ("AsyncRecords" if is_async else "Records") + its
        return given, f"        return self.each({path}, {{{query}}}, {how})\n"
    arguments = [f'"{operation.method}"', path]
    arguments += [f"query={{{query}}}"] if query else []
    arguments += _sent(operation, document)
    arguments += ["idempotency_key=idempotency_key or self.new_key()"] if operation.takes_key else []
    arguments += ["if_match=if_match"] if operation.takes_match else []
    does = "call" if operation.media in {JSON, ""} else "content"
    call = f"{'await ' if is_async else ''}self.{does}({', '.join(arguments)})"
    if operation.answer is None:
        return "None", f"        {call}\n"
    given = _type(operation.answer, "models.") if operation.media == JSON else "bytes"
    return given, f"        answer: {given} = {call}\n        return answer\n"


def _sent(operation: Operation, document: Document) -> Iterator[str]:
    if operation.body is None:
        return
    name = referred(operation.body)
    is_form = operation.takes != JSON or (name is not None and holds_files(document.schemas[name]))
    yield "form=body" if is_form else "body=body"
