"""The OpenAPI document as a page of plain HTML, without scripts or external resources."""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; }
article { border: 1px solid var(--line); border-radius: .5rem; padding: .25rem 1rem 1rem; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem .3rem 0;
vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
nav ul { columns: 2; padding-left: 1rem; } a { color: inherit; }
.method { font-weight: 700; margin-right: .5rem; } .muted { opacity: .75; }
"""


def page(document: dict[str, Any]) -> str:
    """Render the reference of all operations in the OpenAPI document as one HTML page."""
    info = document["info"]
    by_tag: dict[str, list[str]] = {tag["name"]: [] for tag in document["tags"]}
    contents: list[str] = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            by_tag[operation["tags"][0]].append(_operation(document, path, method, operation))
            contents.append(
                f'<li><a href="#{operation["operationId"]}">{escape(operation["summary"])}</a> '
                f'<span class="muted">{method.upper()} {escape(path)}</span></li>'
            )
    about = {tag["name"]: tag["description"] for tag in document["tags"]}
    sections = "".join(
        f"<section><h2>{escape(name)}</h2><p>{escape(about[name])}</p>{''.join(operations)}</section>"
        for name, operations in by_tag.items()
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(info["title"])}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head><body>'
        f'<header><h1>{escape(info["title"])} <span class="muted">{escape(info["version"])}</span></h1>'
        f"{_paragraphs(info['description'])}<p>All paths are relative to <code>"
        f"{escape(document['servers'][0]['url'])}</code>. For programs: "
        '<a href="/api/v1/openapi.json">openapi.json</a>.</p></header>'
        f'<nav aria-label="Operations"><ul>{"".join(contents)}</ul></nav><main>{sections}</main></body></html>'
    )


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_with_code(part)}</p>" for part in text.strip().split("\n\n"))


def _with_code(text: str) -> str:
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))


def _operation(document: dict[str, Any], path: str, method: str, operation: dict[str, Any]) -> str:
    head = (
        f'<article id="{operation["operationId"]}"><h3><span class="method">{method.upper()}</span>'
        f"<code>{escape(path)}</code></h3><p><strong>{escape(operation['summary'])}.</strong> "
        f"{_with_code(operation['description'])}</p>"
    )
    blocks = [head]
    if operation["parameters"]:
        rows = [
            (p["name"], p["in"], _kind(document, p["schema"]), p.get("description", ""))
            for p in operation["parameters"]
        ]
        blocks.append(_table(("Parameter", "In", "Type", ""), rows))
    if "requestBody" in operation:
        ((media, content),) = operation["requestBody"]["content"].items()
        blocks.append(f"<h4>Body ({media})</h4>" + _members(document, content["schema"]))
        if "example" in content:
            blocks.append(f"<pre>{escape(json.dumps(content['example'], indent=2))}</pre>")
    blocks.append("<h4>Answers</h4>" + _answers(document, operation["responses"]) + "</article>")
    return "".join(blocks)


def _answers(document: dict[str, Any], responses: dict[str, Any]) -> str:
    fields, rows = "", []
    for status, response_schema in responses.items():
        response = (
            document["components"]["responses"][response_schema["$ref"].rpartition("/")[2]]
            if "$ref" in response_schema
            else response_schema
        )
        content = response.get("content", {}).get("application/json", {})
        schema = content.get("schema", {})
        rows.append((status, ", ".join(content.get("examples", ())), response["description"]))
        if status.startswith("2") and schema:
            fields = _members(document, schema)
    return fields + _table(("Status", "Code", "When"), rows)


def _members(document: dict[str, Any], schema: dict[str, Any]) -> str:
    if schema.get("type") == "array":
        return "<p>A list of:</p>" + _members(document, schema["items"])
    named = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    required = named.get("required", [])
    rows = [
        (name, _kind(document, member), "required" if name in required else "", member.get("description", ""))
        for name, member in named["properties"].items()
    ]
    return f"<p>{escape(named.get('description', ''))}</p>" + _table(("Field", "Type", "", ""), rows)


def _kind(document: dict[str, Any], schema: dict[str, Any]) -> str:
    """Describe a JSON schema in a few words, such as `string, at most 255 characters`."""
    if "$ref" in schema:
        name = str(schema["$ref"].rpartition("/")[2])
        named = document["components"]["schemas"][name]
        return _kind(document, named) if "enum" in named else name
    if "anyOf" in schema:
        return " or ".join(_kind(document, choice) for choice in schema["anyOf"])
    if "enum" in schema:
        values = [str(value) for value in schema["enum"]]
        return ", ".join(values) if len(values) <= 12 else f"one of {len(values)} codes"  # noqa: PLR2004
    if schema.get("type") == "array":
        return f"list of {_kind(document, schema['items'])}"
    limits = [
        f"{word} {schema[name]:,}"
        for name, word in (("minimum", "from"), ("maximum", "to"), ("maxLength", "at most"))
        if name in schema
    ]
    unit = " characters" if "maxLength" in schema else ""
    types = schema.get("type", "any")
    kind = schema.get("format") or (types if isinstance(types, str) else " or ".join(types))
    return ", ".join([kind, *limits]) + unit


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    header = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{'<code>' * (not at)}{_with_code(cell)}{'</code>' * (not at)}</td>"
                         for at, cell in enumerate(row)) + "</tr>"
        for row in rows
    )  # fmt: skip
    return f"<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>"
