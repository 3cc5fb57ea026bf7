"""Schemas adapted to client generators, without the constructs that generators can't handle."""

import json
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

Choices = tuple[str, ...]
_SCHEMAS = "#/components/schemas/{name}"


def names_of_choices(components: dict[str, Any]) -> dict[Choices, str]:
    """Choose a name for each set of choices, so that clients get one type each.

    A set of choices is the list of values that a field may have. Each field with the set suggests a name: the
    record's name followed by the field's. The shortest suggestion is chosen.
    """
    names: dict[Choices, str] = {}
    for of, schema in components.items():
        for field, its in schema.get("properties", {}).items():
            name = of + field[0].upper() + field[1:]
            for choices in _choices_in(its):
                names[choices] = min(names.get(choices, name), name, key=len)
    return names


def _choices_in(schema: Any) -> Iterator[Choices]:
    if isinstance(schema, dict) and "enum" in schema:
        yield tuple(schema["enum"])
    elif isinstance(schema, dict | list):
        for part in schema.values() if isinstance(schema, dict) else schema:
            yield from _choices_in(part)


def plain(node: Any, names: dict[Choices, str]) -> Any:
    """Adapt a part of the OpenAPI document to client generators.

    Sets of choices are referred to by their names in `names`. An `anyOf` is left out if one of its choices allows
    anything. Objects with unknown fields may have any fields. In bodies, defaults are described in words, because
    openapi-typescript treats a field with a `default` as required.
    """
    if isinstance(node, list):
        return [plain(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("description"), str):
        node = node | {"description": cleandoc(node["description"])}  # Python 3.13 removes the indentation by itself
    if node.get("type") == "object" and not {"properties", "additionalProperties"} & node.keys():
        node = node | {"additionalProperties": True}
    if node.get("additionalProperties") is False:
        node = node | {"properties": {name: _without_default(its) for name, its in node.get("properties", {}).items()}}
    left_out = {"enum", "type"} if "enum" in node else {"anyOf"} if {} in node.get("anyOf", ()) else set()
    rest = {key: plain(value, names) for key, value in node.items() if key not in left_out}
    return {"$ref": _SCHEMAS.format(name=names[tuple(node["enum"])])} | rest if "enum" in node else rest


def _without_default(its: dict[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in its.items() if key != "default"}
    if its.get("default") is None:
        return rest
    by_default = f"By default {json.dumps(its['default'])}."
    return rest | {"description": " ".join(filter(None, (its.get("description"), by_default)))}
