"""Changed fields in the audit log, which have the names that the API gives them."""

from collections import defaultdict

import pytest
from msgspec.structs import fields

from prorata.web.http.operations import FORM
from tests.web.addresses import OPERATIONS, address, kind_of, sent_to
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish
from tests.web.http.test_etags import BODIES, CHANGES
from tests.web.ready import ready

READS = {
    "acct": ("read_account",), "bill": ("read_bill",), "cexp": ("make_charge_file",), "doc": ("read_document",),
    "hook": ("read_webhook_endpoint",), "incoming": ("read_incoming_mail",), "inv": ("read_invoice", "create_payment"),
    "job": ("read_job",), "key": ("read_api_key",), "link": ("read_invitation",), "mail": ("read_job",), "member": ("read_member",),
    "pfile": ("read_payment_file",), "prop": ("read_property", "read_payment_details"), "rule": ("read_share_rule",),
    "split": ("read_split_method",), "tenant": ("read_tenant",), "unit": ("read_unit",),
}  # fmt: skip
"""The operations that answer with the fields of a kind of record."""
NOTES = {
    "acct": {"allowed", "keyEnds", "names", "provider", "system"},
    "bill": {"amounts", "billingMonths", "flag", "reason", "usage", "utilityTypes"},
    "inv": {"dispute", "generation", "links", "question", "reply", "state"},
    "prop": {"amount", "effectiveFrom", "households", "months", "utilityType"},
}
"""Facts that the log notes about an action on a record, and that the record doesn't have (docs/audit-log.md)."""


def do_everything(made: Furnished) -> None:
    """Try each write of the API once.

    A write may make a later one impossible, which does not matter here.
    """
    ids = dict(made.ids)
    for operation in OPERATIONS:
        is_last = operation.needs_every_scope or "/bulk" in operation.path or "/invoice-changes/" in operation.path
        if operation.method == "POST" and operation.changes and not operation.undone and not is_last:
            path, body = ready(made, operation)
            made.api.request("POST", path, **(sent_to(operation) if operation.takes == FORM else {"json": body}))
    for operation in CHANGES:
        if operation.method != "DELETE" or kind_of(operation) not in {"property", "tenant"}:  # these blank the log
            body = BODIES.get(f"{operation.method} {operation.path}", operation.example)
            made.api.request(operation.method, address(operation, ids[kind_of(operation)]), body)


@pytest.mark.thorough
def test_each_changed_field_has_the_name_that_the_api_gives_it(house: House) -> None:
    made = furnish(house)
    do_everything(made)
    found, actions, query = defaultdict[str, set[str]](set), set[str](), {"limit": "100"}
    while query:
        said = made.api.get("/audit-log", params=query).json()
        for entry in said["data"]:
            actions.add(entry["action"])
            found[entry["recordId"].rpartition("_")[0]] |= {change["field"] for change in entry["changes"]}
        query = {"limit": "100", "before": said["next"]} if said["next"] else {}
    assert len(actions) >= 45, sorted(actions)
    answers = {operation.name: operation.answer for operation in OPERATIONS}
    named = {
        kind: {field.encode_name for name in names for field in fields(answers[name])} for kind, names in READS.items()
    }
    assert {kind: names - named[kind] for kind, names in found.items() if names - named[kind]} == NOTES


def test_states_and_parts_have_the_forms_of_the_api(house: House) -> None:
    made = furnish(house)
    file = made.bring_payments()
    made.api.post(f"/payment-files/{file['id']}/close")
    (entry, *_) = made.api.get("/audit-log", params={"recordId": file["id"]}).json()["data"]
    assert entry["changes"] == [{"field": "status", "before": "OPEN", "after": "CLOSED"}]
    lines = [{"utilityType": kind, "amount": "5.00"} for kind in ("WATER", "GAS")]
    bill = {"issuerName": "City", "totalAmountDue": "10.00", "billDate": "2026-04-14", "lines": lines}
    bill_id = made.api.post(f"/properties/{made.property_id}/bills", bill).json()["id"]
    (entry,) = made.api.get("/audit-log", params={"recordId": bill_id}).json()["data"]
    (amounts,) = [change["after"] for change in entry["changes"] if change["field"] == "amounts"]
    assert amounts == '{"WATER": "5.00", "GAS": "5.00"}'
