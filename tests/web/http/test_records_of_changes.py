"""The response to a change states the record's version, and a new record's address.

They are in the headers ETag and Location.
"""

from typing import Any

import httpx

from prorata.web.api.examples import BULK_SENT
from prorata.web.http.operations import records
from tests.web.addresses import OPERATIONS
from tests.web.conftest import MAPLE, House
from tests.web.furnished import WATER_SENT, Furnished, furnish


def creations(made: Furnished) -> dict[str, tuple[str, Any]]:
    """Requests that each make a record that can be read alone, by operation name."""
    blend = next(one.example for one in OPERATIONS if one.name == "create_split_method") | {"name": "Another"}
    return {
        "create_property": ("/properties", MAPLE | {"name": "Elm House"}),
        "create_unit": (f"/properties/{made.property_id}/units", {"label": "11"}),
        "create_tenant": (f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"}),
        "create_split_method": ("/split-methods", blend),
        "create_webhook_endpoint": ("/webhook-endpoints", {"url": "https://example.com/other"}),
        "create_bill": (f"/properties/{made.property_id}/bills", WATER_SENT),
        "begin_bulk": ("/bulk", BULK_SENT),
        "create_invitation": ("/invitations", {"email": "cy@example.com", "role": "viewer"}),
        "create_api_key": ("/keys", {"name": "Books", "permission": "READ"}),
        "begin_invoice_change": ("/invoice-changes", {"verb": "SEND", "invoiceIds": [made.invoice()["id"]]}),
        "undo_invoice_change": (f"/invoice-changes/{made.change_id}/undo", None),
        "open_dispute": (f"/invoices/{sent(made)}/disputes", made.disputed()),
    }


def sent(made: Furnished) -> str:
    made.set_status("SENT")
    return str(made.invoice()["id"])


def answered_again(made: Furnished, path: str, tag: str) -> httpx.Response:
    return made.api.get(path.removeprefix("/api/v1"), headers={"If-None-Match": tag})


def test_a_new_record_says_where_it_is_read_and_its_version(house: House) -> None:
    made = furnish(house)
    for name, (path, body) in creations(made).items():
        answer = made.api.post(path, body)
        assert answer.status_code == (202 if name == "begin_bulk" else 201), (name, answer.text)
        home = answer.headers["location"]
        assert home.startswith("/api/v1/")
        assert home.endswith(answer.json()["id"])
        assert made.api.get(home.removeprefix("/api/v1")).json()["id"] == answer.json()["id"]
        assert ("etag" in answer.headers) == records()[name].is_read
        if tag := answer.headers.get("etag"):
            assert answered_again(made, home, tag).status_code == 304, name


def test_a_change_carries_the_version_of_the_record_as_changed(house: House) -> None:
    made = furnish(house)
    changes: list[tuple[str, Any]] = [
        (f"/properties/{made.property_id}", {"name": "Elm House"}),
        (f"/tenants/{made.tenant_id}", {"name": "Ann Stone"}),
        (f"/sharerules/{made.rule_id}", {"splitMethod": "EQUAL"}),
        (f"/invoices/{made.invoice('2')['id']}", {"status": "SENT"}),
        (f"/units/{made.units['1']}", {"label": "1B"}),  # the answer lacks its tenants, the version does not
    ]
    for path, body in changes:
        before = made.api.get(path).headers["etag"]
        answer = made.api.patch(path, body, headers={"If-Match": before})
        assert answer.status_code == 200, answer.text
        tag = answer.headers["etag"]
        assert answered_again(made, path, tag).status_code == 304, path
        assert made.api.patch(path, body, headers={"If-Match": tag}).status_code == 200


def test_an_answer_that_is_given_again_says_the_same(house: House) -> None:
    made = furnish(house)
    key = {"Idempotency-Key": "8e03978e-40d5-43e8-bc93-6894a57f9324"}
    first, again = (made.api.post("/properties", MAPLE | {"name": "Oak Hall"}, headers=key) for _ in range(2))
    assert again.headers["idempotency-replayed"] == "true"
    for name in ("location", "etag"):
        assert again.headers[name] == first.headers[name]


def test_what_is_made_without_an_address_is_listed() -> None:
    """docs/api.md names these operations."""
    assert {one.name for one in OPERATIONS if one.status == 201 and records()[one.name].home is None} == {
        "create_payment", "reverse_payment", "add_charge", "replay_webhook_delivery", "rotate_webhook_secret",
    }  # fmt: skip


def test_each_record_that_can_be_made_and_read_is_tried(house: House) -> None:
    homes = {one.name for one in OPERATIONS if records()[one.name].home is not None}
    assert homes - creations(furnish(house)).keys() == {
        "create_share_rule", "send_invoice_again", "send_final_invoice", "bring_document", "attach_file", "confirm_document",
        "bring_payment_file", "make_charge_file",
    }  # fmt: skip
