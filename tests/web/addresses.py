"""The addresses of the API's operations, with the ids of records filled in."""

import re
from typing import Any

import httpx

from prorata.web.api import OPERATIONS
from prorata.web.http.operations import FORM, JSON, Operation
from tests.adapters.files.test_logos import picture

PREFIXES = {
    "property": "prop",
    "unit": "unit",
    "tenant": "tenant",
    "share rule": "rule",
    "split method": "split",
    "invoice": "inv",
    "utility bill": "bill",
    "webhook endpoint": "hook",
    "dispute": "ask",
    "bulk": "batch",
    "document": "doc",
    "member": "member",
    "invitation": "link",
    "API key": "key",
    "job": "job",
    "message": "incoming",
    "change of invoices": "bulk",
    "question": "ask",
    "payments file": "pfile",
    "charge file": "cexp",
}
_KINDS = {
    "properties": "property",
    "units": "unit",
    "tenants": "tenant",
    "sharerules": "share rule",
    "payments": "property",
    "split-methods": "split method",
    "invoices": "invoice",
    "utility-bills": "utility bill",
    "bills": "utility bill",
    "webhook-endpoints": "webhook endpoint",
    "events": "webhook endpoint",
    "disputes": "dispute",
    "documents": "document",
    "invoice-changes": "change of invoices",
    "months": "property",
    "attention": "property",
    "payment-messages": "property",
    "exports": "property",
    "charge-systems": "property",
    "charge-names": "property",
    "charge-files": "charge file",
    "questions": "question",
    "payment-files": "payments file",
    "audit-log": "property",
    "previews": "property",
    "bulk": "bulk",
    "account": "property",
    "members": "member",
    "invitations": "invitation",
    "keys": "API key",
    "jobs": "job",
    "unit-imports": "property",
    "sharerule-imports": "property",
    "comparisons": "property",
    "inbox-settings": "property",
    "incoming-mail": "message",
}
WITH_AN_ID = [operation for operation in OPERATIONS if "{" in operation.path]
WITH_A_BODY = [operation for operation in OPERATIONS if operation.body and operation.takes == JSON]
WITH_A_FORM = [operation for operation in OPERATIONS if operation.takes == FORM]
THAT_WRITE = [operation for operation in OPERATIONS if operation.method != "GET"]


def named(operation: Operation) -> str:
    """Return the name of an operation, for use in the names of tests."""
    return f"{operation.method} {operation.path}"


def kind_of(operation: Operation) -> str:
    """The kind of record that an operation's address names.

    It is `property` for `/properties/{propertyId}/units`.
    """
    return kind_at(operation.path)


def kind_at(path: str) -> str:
    """The kind of record that a path names."""
    return _KINDS[path.split("/")[1]]


def unknown_id(kind: str) -> str:
    """A well-formed id that no record has."""
    return f"{PREFIXES[kind]}_{'0' * 26}"


def address(operation: Operation, record: str | None = None) -> str:
    """The path of an operation with an id, and with the parameters that it needs.

    Without a record, the path has an id that no record has.
    """
    path = operation.path.replace("{month}", "2026-03").replace("{number}", "1")
    fields = operation.query.__struct_fields__ if operation.query else ()
    needed = f"?system=appfolio{'&month=2026-03' if 'most' in fields else ''}" if "system" in fields else ""
    return re.sub(r"{\w+}", record or unknown_id(kind_of(operation)), path) + needed


_TABLES = {
    "units": b"Property,Unit\nOak Hall,1A\n",
    "share rules": b"Property,Utility,Split\nMaple Court,Internet,Equal\n",
    "payments": b"Date,Amount,Description\n2026-03-10,30.00,Ann\n",
}


def sent_to(operation: Operation) -> dict[str, Any]:
    """Return the body that a client sends to an operation."""
    if operation.table in _TABLES:
        return {"files": {"file": ("rows.csv", _TABLES[operation.table])}}
    if operation.table == "charge names":
        names = "Property,Unit,Name\n,,Water\n"
        return {"files": {"file": ("names.csv", names.encode())}, "data": {"system": "appfolio"}}
    if operation.takes_logo:
        return {"files": {"file": ("logo.png", picture(40, 40))}}
    if operation.takes == FORM:
        return {"files": {"file": ("bill.pdf", b"%PDF-1.7 of a test")}}
    return {} if operation.example is None else {"json": operation.example}


def assert_refused(answer: httpx.Response | Any, status: int, code: str) -> dict[str, Any]:
    """Check that a response is an error in the common form, and return its body.

    The form is the same on every path and for every method (docs/decisions.md#error-codes).
    """
    said = answer.json()
    assert (getattr(answer, "status_code", None) or answer.status, said["code"], said["status"]) == (
        status,
        code,
        status,
    )
    assert set(said) - {"details"} == {"error", "code", "status"}
    assert said["error"].endswith(".")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"]
    for detail in said.get("details", ()):
        assert set(detail) == {"field", "message"}
    return said
