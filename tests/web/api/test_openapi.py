"""Tests of the contents of the OpenAPI document.

The copy in the repository must be the document that the program serves.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from prorata.domain.webhooks.events import EVENT_TYPES, SAID_BY
from prorata.web.api import OPERATIONS
from prorata.web.http.described.openapi import codes, written
from tests.web.addresses import kind_at
from tests.web.conftest import Api, House
from tests.web.furnished import Furnished, furnish

SNAPSHOT = Path(__file__).parents[3] / "docs" / "openapi.json"
CONTRACT = {
    ("GET", "/properties"), ("POST", "/properties"), ("GET", "/properties/{id}"), ("PATCH", "/properties/{id}"),
    ("DELETE", "/properties/{id}"), ("GET", "/properties/{propertyId}/sharerules"),
    ("POST", "/properties/{propertyId}/sharerules"), ("PATCH", "/sharerules/{ruleId}"), ("DELETE", "/sharerules/{ruleId}"),
    ("GET", "/units/{unitId}"), ("PATCH", "/units/{unitId}"), ("DELETE", "/units/{unitId}"),
    ("POST", "/units/{unitId}/tenants"), ("GET", "/units/{unitId}/tenants"), ("GET", "/tenants/{tenantId}"),
    ("PATCH", "/tenants/{tenantId}"), ("DELETE", "/tenants/{tenantId}"), ("GET", "/invoices"), ("GET", "/invoices/{id}"),
    ("PATCH", "/invoices/{id}"), ("GET", "/utility-bills"), ("GET", "/utility-bills/{id}"),
}  # fmt: skip
ADDED = {
    ("GET", "/documents"), ("POST", "/documents"), ("GET", "/documents/{id}"), ("PATCH", "/documents/{id}"),
    ("DELETE", "/documents/{id}"), ("GET", "/documents/{id}/file"), ("POST", "/documents/{id}/confirm"),
    ("POST", "/documents/{id}/teach"), ("GET", "/bills/{id}/files"), ("POST", "/bills/{id}/files"),
    ("DELETE", "/bills/{id}/files/{documentId}"), ("POST", "/bills/{id}/flags/accept"), ("POST", "/bills/flags/accept"),
    ("GET", "/properties/{propertyId}/bill-moves"), ("POST", "/properties/{propertyId}/bill-moves"),
    ("POST", "/properties/{propertyId}/months/{month}/unusual-amounts/accept"),
    ("GET", "/attention"), ("POST", "/invoices/{id}/hand-over"), ("GET", "/questions"), ("GET", "/questions/{id}"),
    ("POST", "/questions/{id}/reply"), ("POST", "/questions/{id}/answered"),
    ("POST", "/invoices/{id}/charges"), ("DELETE", "/invoices/{id}/charges/{chargeId}"),
    ("POST", "/invoices/{id}/payments/{paymentId}/reverse"), ("GET", "/payment-messages"), ("POST", "/payment-messages/decide"),
    ("GET", "/properties/{propertyId}/months/{month}/owner-part"),
    ("GET", "/charge-systems"), ("GET", "/charge-files/next"), ("GET", "/charge-files"), ("POST", "/charge-files"),
    ("GET", "/charge-files/{id}"), ("GET", "/charge-files/{id}/file"), ("GET", "/charge-names"), ("POST", "/charge-names"),
    ("POST", "/charge-names/proposed"), ("POST", "/charge-names/file"),
    ("GET", "/exports/invoices"), ("GET", "/exports/bills"), ("GET", "/exports/invoices/pdf"),
    ("GET", "/tenants/{tenantId}/statement/export"),
    ("GET", "/payment-files"), ("POST", "/payment-files"), ("GET", "/payment-files/{id}"), ("DELETE", "/payment-files/{id}"),
    ("GET", "/payment-files/{id}/rows"), ("GET", "/payment-files/{id}/file"), ("POST", "/payment-files/{id}/columns"),
    ("POST", "/payment-files/{id}/record"), ("POST", "/payment-files/{id}/same"), ("POST", "/payment-files/{id}/aside"),
    ("POST", "/payment-files/{id}/close"),
    ("POST", "/payment-files/{id}/reopen"),
    ("GET", "/documents"), ("POST", "/documents"), ("GET", "/documents/{id}"), ("PATCH", "/documents/{id}"),
    ("DELETE", "/documents/{id}"), ("GET", "/documents/{id}/file"), ("POST", "/documents/{id}/confirm"),
    ("POST", "/documents/{id}/teach"),
    ("GET", "/inbox-settings"), ("PATCH", "/inbox-settings"), ("POST", "/inbox-settings/renew-address"),
    ("GET", "/incoming-mail"), ("GET", "/incoming-mail/{id}"), ("GET", "/incoming-mail/{id}/file"),
    ("POST", "/incoming-mail/{id}/take-up"), ("POST", "/incoming-mail/{id}/allow-sender"),
    ("POST", "/incoming-mail/{id}/refuse"), ("POST", "/incoming-mail/{id}/dealt-with"),
    ("POST", "/incoming-mail/{id}/set-aside"),
    ("GET", "/invoices/{id}/tenant-link"), ("POST", "/invoices/{id}/tenant-link/renew"),
    ("POST", "/invoices/{id}/tenant-link/stop"),
    ("GET", "/properties/{propertyId}/announcements"), ("POST", "/properties/{propertyId}/announcements"),
    ("POST", "/comparisons"), ("POST", "/properties/{propertyId}/months/{month}/comparison"),
    ("PUT", "/account/logo"), ("DELETE", "/account/logo"),
    ("POST", "/unit-imports"), ("POST", "/unit-imports/check"), ("POST", "/sharerule-imports"),
    ("POST", "/sharerule-imports/check"),
    ("GET", "/jobs"), ("GET", "/jobs/{id}"), ("POST", "/jobs/{id}/retry"), ("POST", "/jobs/{id}/cancel"),
    ("POST", "/jobs/retry-failed"),
    ("GET", "/account"), ("PATCH", "/account"), ("DELETE", "/account"), ("GET", "/members"), ("GET", "/members/{id}"), ("PATCH", "/members/{id}"),
    ("DELETE", "/members/{id}"), ("GET", "/invitations"), ("POST", "/invitations"), ("GET", "/invitations/{id}"),
    ("DELETE", "/invitations/{id}"), ("GET", "/keys"), ("POST", "/keys"), ("GET", "/keys/{id}"), ("DELETE", "/keys/{id}"),
    ("GET", "/months"), ("GET", "/properties/{propertyId}/months/{month}"),
    ("POST", "/properties/{propertyId}/months/{month}/send"), ("GET", "/invoice-changes"),
    ("POST", "/invoice-changes"), ("GET", "/invoice-changes/{id}"), ("POST", "/invoice-changes/{id}/stop"),
    ("POST", "/invoice-changes/{id}/resume"), ("POST", "/invoice-changes/{id}/undo"),
    ("GET", "/bills"), ("POST", "/properties/{propertyId}/bills"), ("GET", "/bills/{id}"), ("PATCH", "/bills/{id}"), ("DELETE", "/bills/{id}"),
    ("GET", "/account/online-payments"), ("PUT", "/account/online-payments"), ("DELETE", "/account/online-payments"),
    ("POST", "/account/online-payments/address"), ("POST", "/account/online-payments/close-again"),
    ("POST", "/account/online-payments/forget-key"),
    ("GET", "/sharerules"), ("GET", "/payments"), ("GET", "/properties/{id}/payment-details"),
    ("PATCH", "/properties/{id}/payment-details"),
    ("GET", "/units"), ("GET", "/tenants"), ("POST", "/bulk"), ("GET", "/bulk/{id}"),
    ("POST", "/bills/{id}/correct"), ("POST", "/bills/{id}/settle"), ("POST", "/bills/{id}/flags/{number}/accept"),
    ("GET", "/properties/{propertyId}/units"), ("POST", "/properties/{propertyId}/units"), ("PUT", "/sharerules/{ruleId}"),
    ("GET", "/sharerules/{ruleId}"), ("GET", "/split-methods"), ("POST", "/split-methods"),
    ("POST", "/previews"), ("GET", "/properties/{propertyId}/corrections"), ("POST", "/properties/{propertyId}/corrections"),
    ("GET", "/split-methods/{id}"), ("PUT", "/split-methods/{id}"),
    ("DELETE", "/split-methods/{id}"), ("GET", "/invoices/{id}/pdf"), ("GET", "/invoices/{id}/messages"),
    ("GET", "/invoices/{id}/payment-link"),
    ("GET", "/invoices/{id}/explanation"), ("GET", "/properties/{propertyId}/months/{month}/explanation"),
    ("POST", "/invoices/{id}/send-again"), ("POST", "/tenants/{tenantId}/final-invoice"), ("POST", "/tenants/{tenantId}/erase"), ("GET", "/tenants/{tenantId}/personal-data"), ("GET", "/tenants/{tenantId}/statement"), ("GET", "/invoices/{id}/payments"), ("POST", "/invoices/{id}/payments"),
    ("GET", "/audit-log"), ("GET", "/events"), ("GET", "/webhook-endpoints"),
    ("GET", "/disputes"), ("GET", "/disputes/{id}"), ("POST", "/invoices/{id}/disputes"), ("POST", "/disputes/{id}/answer"),
    ("POST", "/disputes/{id}/resolve"), ("POST", "/disputes/{id}/withdraw"),
    ("POST", "/webhook-endpoints"), ("GET", "/webhook-endpoints/{id}"), ("PATCH", "/webhook-endpoints/{id}"),
    ("DELETE", "/webhook-endpoints/{id}"), ("POST", "/webhook-endpoints/{id}/rotate-secret"), ("POST", "/webhook-endpoints/{id}/test"),
    ("GET", "/webhook-endpoints/{id}/deliveries"), ("POST", "/webhook-endpoints/{id}/deliveries/{deliveryId}/replay"),
}  # fmt: skip
CODES = {
    "INVALID_REQUEST", "MALFORMED_JSON", "UNAUTHORIZED", "INSUFFICIENT_PERMISSIONS", "INSUFFICIENT_SCOPE", "PROPERTY_NOT_FOUND", "UNIT_NOT_FOUND",
    "TENANT_NOT_FOUND", "SHARE_RULE_NOT_FOUND", "SPLIT_METHOD_NOT_FOUND", "INVOICE_NOT_FOUND", "UTILITY_BILL_NOT_FOUND",
    "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMIT_EXCEEDED",
    "INTERNAL_ERROR", "OUTCOME_UNKNOWN", "SERVICE_UNAVAILABLE", "PRECONDITION_FAILED", "WEBHOOK_ENDPOINT_NOT_FOUND",
    "WEBHOOK_DELIVERY_NOT_FOUND", "DISPUTE_NOT_FOUND", "CHANGE_OF_INVOICES_NOT_FOUND", "QUESTION_NOT_FOUND", "CUSTOM_CHARGE_NOT_FOUND",
    "PAYMENT_NOT_FOUND", "PAYMENTS_FILE_NOT_FOUND", "CHARGE_FILE_NOT_FOUND", "MESSAGE_NOT_FOUND", "FLAG_NOT_FOUND", "MONTH_NOT_FOUND", "EXPLANATION_NOT_FOUND", "DOCUMENT_NOT_FOUND", "EVENTS_GONE", "MEMBER_NOT_FOUND", "INVITATION_NOT_FOUND",
    "BULK_NOT_FOUND", "API_KEY_NOT_FOUND", "JOB_NOT_FOUND",
}  # fmt: skip


REFUSED_FOR_WHAT_IS_STORED = (
    "The upcoming change is no longer the one shown",
    "There is no property with this id",
    "has no pending correction",
    "isn’t waiting for an open month",
    "changed since you read them",
    "There is no flag",
    "This document was set aside",
    "Request 1 of 2 would be refused: There is no unit",
    "nothing left to hand over",
    "only while the invoice is a draft",
    "There is no message",
    "no longer a question about this row",
    "The file has no column",
    "The file would be empty",
    "An account needs an owner",
    "There are no longer any failed tasks of this kind, so",
    "flags have changed in the meantime",
    "no longer anything unusual",
    "not the account’s name",
)
"""The refusals of examples for which the tests' account has no record."""


@pytest.fixture(scope="module")
def described(shared_house: House) -> dict[str, Any]:
    return shared_house.client.get("/api/v1/openapi.json").json()


def operations(described: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {
        (method.upper(), path): operation
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }


def test_every_path_of_the_contract_is_in_it_and_what_was_added_is_named_here(described: dict[str, Any]) -> None:
    assert set(operations(described)) == CONTRACT | ADDED


def test_the_copy_in_the_repository_is_the_document() -> None:
    assert SNAPSHOT.read_text() == written(OPERATIONS), "the API has changed: run `make openapi` and look at the diff"


def test_no_description_has_the_indentation_that_newer_pythons_take_from_docstrings() -> None:
    assert re.findall(r"\\n {2,}.{0,40}", written(OPERATIONS)) == []


def test_it_is_openapi_3_1_of_this_address(described: dict[str, Any]) -> None:
    assert described["openapi"].startswith("3.1.")
    assert described["servers"] == [{"url": "http://127.0.0.1:8000/api/v1"}]
    assert described["security"] == [{"apiKey": []}]
    assert described["components"]["securitySchemes"]["apiKey"]["scheme"] == "bearer"


def test_it_says_every_code_an_error_can_have(described: dict[str, Any]) -> None:
    assert set(described["components"]["schemas"]["ErrorCode"]["enum"]) == CODES == set(codes(OPERATIONS))


ANSWERED_ANEW = {(one.method, one.path) for one in OPERATIONS if not one.takes_key}


def test_every_operation_says_which_errors_it_can_answer_with(described: dict[str, Any]) -> None:
    for (method, path), operation in operations(described).items():
        statuses = set(operation["responses"])
        takes_body = "requestBody" in operation
        expected = {"400", "401", "403", "429", "500", "503"}
        expected |= {"413", "415"} if takes_body else set()
        expected |= {"404"} if "{" in path else set()
        expected |= {"409"} if method == "POST" and (method, path) not in ANSWERED_ANEW else set()
        expected |= {"412"} if method in {"PATCH", "PUT", "DELETE"} else set()
        assert statuses >= expected, (method, path)
        for status, said in operation["responses"].items():
            if status[0] in "45":
                content = whole(described, said)["content"]["application/json"]
                assert content["schema"] == {"$ref": "#/components/schemas/Error"}
                values = {code: example["value"] for code, example in content["examples"].items()}
                assert all((one["code"], one["status"]) == (code, int(status)) for code, one in values.items())
                is_json = takes_body and "application/json" in operation["requestBody"]["content"]
                assert "MALFORMED_JSON" in values or not (status == "400" and is_json)


def test_programs_that_generate_clients_find_every_set_of_choices_by_name_and_nothing_without_a_type(
    described: dict[str, Any],
) -> None:
    named = {name: schema for name, schema in described["components"]["schemas"].items() if "enum" in schema}
    assert all(schema["type"] == "string" for schema in named.values())
    assert {"InvoiceStatus", "EventType", "ErrorCode", "PaymentMethod"} <= named.keys()
    text = json.dumps(described)
    assert text.count('"enum": ') == len(named)
    assert "{}" not in text
    assert "allOf" not in text
    assert text.count('"const": ') == text.count('{"type": "string", "const": ')
    noted = described["components"]["schemas"]["AuditEntry"]["properties"]["before"]
    assert (noted["type"], noted["additionalProperties"]) == (["object", "null"], True)


def whole(described: dict[str, Any], response: dict[str, Any]) -> dict[str, Any]:
    """A described response, even if the document only refers to it."""
    return described["components"]["responses"][response["$ref"].split("/")[-1]] if "$ref" in response else response


def test_every_body_has_an_example_that_is_taken(house: House) -> None:
    made = furnish(house)
    for label in ("1A", "1B"):
        made.api.post(f"/properties/{made.property_id}/units", {"label": label})
    house.api.patch(f"/units/{made.units['1']}", {"label": "Attic"})
    for (method, path), operation in operations(house.client.get("/api/v1/openapi.json").json()).items():
        if "application/json" in operation.get("requestBody", {}).get("content", {}):
            body = operation["requestBody"]["content"]["application/json"]["example"]
            body = body | {
                "/properties/{propertyId}/units": {"label": "2B"},
                "/split-methods": {"name": "Other"},
                "/documents/{id}/confirm": {"propertyId": made.property_id},
            }.get(path, {})
            if path.endswith("/disputes"):
                made.set_status("SENT")
                body = made.disputed()
            answer = made.api.request(method, filled(path, made), body)
            is_taken = answer.status_code in {200, 201, 202} or any(
                one in answer.text for one in REFUSED_FOR_WHAT_IS_STORED
            )
            assert is_taken, (method, path, answer.text)


def filled(path: str, made: Furnished) -> str:
    path = path.replace("{month}", "2026-03")
    return re.sub(r"{\w+}", made.ids[kind_at(path)], path) if "{" in path else path


def test_constraints_of_the_contract_are_in_it(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    sent = schemas["PropertyCreate"]["properties"]
    lengths = {name: sent[name]["maxLength"] for name in ("name", "streetNumber", "street", "city", "state", "zip")}
    assert lengths == {"name": 255, "streetNumber": 50, "street": 255, "city": 100, "state": 50, "zip": 20}
    assert schemas["PropertyCreate"]["required"] == [
        "name",
        "streetNumber",
        "street",
        "city",
        "state",
        "zip",
        "country",
    ]
    assert not any(
        schemas[name].get("required") for name in ("PropertyChange", "UnitChange", "TenantChange", "RuleChange")
    )
    assert {name for name, schema in schemas.items() if schema.get("additionalProperties") is False} == {
        "PropertyCreate", "PropertyChange", "UnitCreate", "UnitChange", "TenantCreate", "TenantChange", "RuleCreate",
        "CorrectionDecision", "RuleReplace", "RuleChange", "SplitMethodSent", "ComponentSent", "InvoiceChange",
        "PaymentCreate", "WebhookEndpointCreate", "WebhookEndpointChange", "DisputeOpening", "DisputeAnswer",
        "DisputeEnd", "PreviewRequests", "PreviewedRequest", "BulkSent", "BulkWrite", "BillCreate", "BillChange", "BillLineSent", "CorrectedLine", "UsageSent",
        "BillCorrection", "MonthSending", "InvoicesChange", "LateBill", "FlagAcceptance",
        "FlagsAcceptance", "FlaggedBillSent", "ManyFlagsAcceptance", "UnusualAmountAcceptance", "DocumentUpload", "DocumentChange", "DocumentLesson", "DocumentConfirmation", "DocumentLineSent", "PointedAt",
        "QuestionReply", "ChargeCreate", "PaymentMessageDecision", "ChargeFileWanted", "ChargeNameSent", "ChargeNamesSent", "ChargeNamesOfProperty", "ChargeNamesUpload", "FormerCharge", "PaymentFileUpload", "ColumnSent", "PaymentColumns", "PaymentRowChosen", "PaymentRows",
        "PaymentRowSame", "PaymentRowsAside", "PlaceSent",
        "AccountChange", "AccountDeletion", "InvitationCreate", "RoleChange", "ApiKeyCreate", "FailedJobs",
        "UnitFileUpload", "RuleFileUpload", "LogoUpload", "FormerChargeOfMonth", "MonthComparison", "MonthsComparison", "InboxSettingsChange", "AnnouncementCreate", "PaymentDetailsChange", "ProviderChoice", "OnlinePaymentsChoice",
    }  # fmt: skip
    invoices = {one["name"]: one["schema"] for one in described["paths"]["/invoices"]["get"]["parameters"]}
    narrowing = {"propertyId", "unitId", "month", "status", "needs"}
    assert set(invoices) == narrowing | {"page", "limit", "details", "expand", "after", "updatedAfter"}
    assert (invoices["page"]["default"], invoices["limit"]["default"], invoices["limit"]["maximum"]) == (1, 20, 1000)
    assert invoices["details"]["default"] is False
    assert invoices["status"]["$ref"] == "#/components/schemas/InvoiceStatus"
    assert set(schemas["InvoiceStatus"]["enum"]) == {"DRAFT", "SENT", "PAID", "OVERDUE", "CANCELLED"}


def test_every_type_of_event_is_described_as_a_webhook(described: dict[str, Any]) -> None:
    assert list(described["webhooks"]) == list(EVENT_TYPES)
    event = described["components"]["schemas"]["Event"]
    assert event["oneOf"] == [{"$ref": one} for one in dict.fromkeys(event["discriminator"]["mapping"].values())]
    for event_type, refers in described["webhooks"].items():
        hook = described["components"]["pathItems"][refers["$ref"].rpartition("/")[2]]["post"]
        sent = hook["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        assert sent == event["discriminator"]["mapping"][event_type]
        assert hook["summary"] == SAID_BY[event_type]
        its = described["components"]["schemas"][sent.rpartition("/")[2]]["properties"]
        named = described["components"]["schemas"][its["type"]["$ref"].rpartition("/")[2]]
        assert event_type in named["enum"]
        assert "$ref" in json.dumps(its["data"]), (
            "what an event is about has its type: prorata/web/http/described/event_documents.py"
        )


def test_every_reference_leads_somewhere_and_every_schema_is_used(described: dict[str, Any]) -> None:
    referred = set(re.findall(r'"\$ref": "#/components/(\w+/[\w-]+)"', json.dumps(described)))
    kinds = ("schemas", "headers", "responses", "pathItems")
    there = {f"{kind}/{name}" for kind in kinds for name in described["components"][kind]}
    assert referred == there


def test_the_page_of_documentation_shows_every_operation_without_scripts_and_without_the_network(
    shared_house: House,
) -> None:
    answer = shared_house.client.get("/docs")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    for operation in OPERATIONS:
        assert f'<article id="{operation.name}">' in answer.text
    assert "<script" not in answer.text
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', answer.text)


def test_what_is_answered_has_just_the_fields_that_are_described(house: House) -> None:
    made = furnish(house)
    described = house.client.get("/api/v1/openapi.json").json()
    schemas = described["components"]["schemas"]
    for path, name in (("/properties/{id}", "Property"), ("/units/{unitId}", "UnitWithTenants"), ("/tenants/{id}", "Tenant"),
                       ("/sharerules/{id}", "ShareRule"), ("/invoices/{id}", "InvoiceInFull")):  # fmt: skip
        said = Api(house.client, house.landlord.full).get(filled(path, made)).json()
        assert set(said) == set(schemas[name]["properties"]) == set(schemas[name]["required"])
