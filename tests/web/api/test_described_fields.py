"""Every field in docs/openapi.json has a valid example.

Events match the description of their type.
"""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs

from tests.web.api.webhooks.test_events import go_round
from tests.web.conftest import House
from tests.web.furnished import furnish

DOCUMENT = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text())
SCHEMAS: dict[str, dict[str, Any]] = DOCUMENT["components"]["schemas"]


def checker(schema: dict[str, Any]) -> Any:
    """Return a validator of a schema that can refer to the whole document."""
    return jsonschema_rs.Draft202012Validator(schema | {"components": DOCUMENT["components"]})


def is_shown(schema: dict[str, Any]) -> bool:
    """Check whether a schema, or each of its fields, has an example."""
    if "$ref" in schema:
        return is_shown(SCHEMAS[schema["$ref"].rpartition("/")[2]])
    parts = [one for one in schema.get("anyOf", schema.get("oneOf", [])) if one.get("type") != "null"]
    has_fields = "properties" in schema  # which are gone through by themselves
    return (
        "examples" in schema
        or has_fields
        or ("items" in schema and is_shown(schema["items"]))
        or any(map(is_shown, parts))
    )


def test_every_field_has_an_example() -> None:
    fields = {f"{of}.{name}": its for of, one in SCHEMAS.items() for name, its in one.get("properties", {}).items()}
    assert [field for field, its in fields.items() if not is_shown(its)] == []
    assert len(fields) > 500


def test_every_example_is_one_of_its_type() -> None:
    shown = [(f"{of}.{name}", its) for of, one in SCHEMAS.items()
             for name, its in [("", one), *one.get("properties", {}).items()] if "examples" in its]  # fmt: skip
    all_at_once = checker({"properties": {field: {"items": its} for field, its in shown}})
    wrong = [str(error) for error in all_at_once.iter_errors({field: its["examples"] for field, its in shown})]
    assert wrong == [], "prorata/web/http/described/field_examples.py says what stands in a field"
    assert not [field for field, its in shown if its["examples"] in ([None], [""], [[]], [{}])]


def test_each_event_is_what_is_said_of_its_type(house: House) -> None:
    made = furnish(house)
    made.set_status("SENT")
    house.api.patch(f"/invoices/{made.invoice()['id']}", {"status": "PAID"})
    made.api.delete(f"/properties/{made.api.post('/properties', house_sent()).json()['id']}")
    go_round(house)
    answer = made.api.get("/events?limit=100").json()
    events = answer["data"]
    mapping = SCHEMAS["Event"]["discriminator"]["mapping"]
    for event in events:
        checker({"$ref": mapping[event["type"]]}).validate(event)
    assert {"invoice.paid", "property.created", "property.deleted", "charges.recalculated"} <= {
        one["type"] for one in events
    }
    checker({"$ref": "#/components/schemas/Events"}).validate(answer)


def house_sent() -> dict[str, str]:
    """The body of a property that is soon deleted, so that its events are blanked."""
    return {"name": "Gone", "streetNumber": "1", "street": "Elm Street", "city": "Springfield", "state": "IL",
            "zip": "62701", "country": "US"}  # fmt: skip
