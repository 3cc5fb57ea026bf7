"""Schemas of events in the OpenAPI document, one for each kind of the events' `data`."""

from collections.abc import Mapping
from typing import Any

from prorata.domain.webhooks.events import EVENT_TYPES, GONE, SAID_BY, EventType, noun_of

_SCHEMAS = "#/components/schemas/"
_DATA: Mapping[str, str] = {
    "bill": "UtilityBillInFull",
    "charges": "RecalculatedMonth",
    "dispute": "Dispute",
    "invoice": "Invoice",
    "payment": "Payment",
    "property": "Property",
    "share_rule": "ShareRule",
    "split_method": "SplitMethod",
    "tenant": "Tenant",
    "unit": "Unit",
    "webhook": "TestedEndpoint",
}
"""The schema of the record in events of each kind, as the API returns it."""
_NAMED = {
    "GoneRecord": {
        "title": "GoneRecord",
        "description": "Identifies a record that no longer exists, or whose details have been removed.",
        "type": "object",
        "properties": {"id": {"type": "string"}, "propertyId": {"type": "string"}},
        "required": ["id"],
    },
    "TestedEndpoint": {
        "title": "TestedEndpoint",
        "description": "The webhook endpoint being tested.",
        "type": "object",
        "properties": {"id": {"type": "string"}, "url": {"type": "string"}},
        "required": ["id", "url"],
    },
    "RecalculatedMonth": {
        "title": "RecalculatedMonth",
        "description": "A month of a property whose charges have changed, and how many invoices it now has.",
        "type": "object",
        "properties": {
            "propertyId": {"type": "string"},
            "billingMonth": {"type": "string"},
            "invoices": {"type": "integer"},
        },
        "required": ["propertyId", "billingMonth", "invoices"],
    },
}


def event_of(event_type: EventType) -> str:
    """Return the name of the schema for events of a type."""
    noun = "gone" if event_type in GONE else noun_of(event_type)
    return "".join(part.capitalize() for part in noun.split("_")) + "Event"


def with_event_types(components: dict[str, Any]) -> dict[str, Any]:
    """Divide the schema of events by the kind of `data`, and return all schemas.

    The type of an event determines the kind of its `data`.
    """
    plain = components["Event"]
    types: dict[str, list[str]] = {}
    for event_type in EVENT_TYPES:
        types.setdefault(event_of(event_type), []).append(event_type)
    event = {
        "title": "Event",
        "description": plain["description"],
        "oneOf": [{"$ref": _SCHEMAS + name} for name in types],
        "discriminator": {
            "propertyName": "type",
            "mapping": {event_type: _SCHEMAS + event_of(event_type) for event_type in EVENT_TYPES},
        },
    }
    return components | _NAMED | {name: _of(name, its, plain) for name, its in types.items()} | {"Event": event}


def _of(name: str, types: list[str], plain: Mapping[str, Any]) -> dict[str, Any]:
    record = None if types[0] in GONE else _DATA.get(noun_of(types[0]), "")
    data = [{"$ref": _SCHEMAS + schema_name} for schema_name in (record, "GoneRecord") if schema_name]
    data_schema: dict[str, Any] = data[0] if len(data) == 1 else {"anyOf": data}
    if record == "":
        data_schema = plain["properties"]["data"]
    about = " ".join(
        f"`{event_type}`: {SAID_BY[event_type].lower()}" for event_type in EVENT_TYPES if event_type in types
    )
    return {
        "title": name,
        "description": about,
        "type": "object",
        "properties": {**plain["properties"], "type": {"enum": types}, "data": data_schema},
        "required": plain["required"],
    }
