"""Tests of 413, 415 and 400 for bodies and queries (docs/decisions.md#request-bodies)."""

import itertools
import json
from typing import Any

import msgspec
import pytest

from prorata.web.http.operations import Operation
from tests.web.addresses import OPERATIONS, THAT_WRITE, WITH_A_BODY, address, assert_refused, named, sent_to
from tests.web.conftest import MAPLE, Api, House
from tests.web.knocking import knock

LARGEST = 256 * 1024


@pytest.fixture
def api(shared_house: House) -> Api:
    return shared_house.api


def send(api: Api, body: bytes, operation: Operation | None = None, kind: str | None = "application/json") -> Any:
    method, path = (operation.method, address(operation)) if operation else ("POST", "/properties")
    return api.request(method, path, content=body, headers={"Content-Type": kind} if kind else {})


# --- 413 ---------------------------------------------------------------------------------------------------------------


def padded(size: int) -> bytes:
    body = json.dumps(MAPLE).encode()
    return body + b" " * (size - len(body))


def test_a_body_of_exactly_256_kib_is_taken(api: Api) -> None:
    assert send(api, padded(LARGEST)).status_code == 201


@pytest.mark.parametrize("operation", WITH_A_BODY, ids=named)
def test_a_body_of_a_byte_more_is_413(api: Api, operation: Operation) -> None:
    assert_refused(send(api, padded(operation.most_bytes + 1), operation), 413, "PAYLOAD_TOO_LARGE")


def test_a_body_that_is_declared_too_large_is_refused_without_being_read(shared_house: House) -> None:
    headers = {"Authorization": f"Bearer {shared_house.landlord.full}", "Content-Length": str(LARGEST + 1)}
    answer = knock(
        shared_house.app, "POST", "/api/v1/properties", headers=headers, pieces=itertools.repeat(b"x" * LARGEST)
    )
    assert_refused(answer, 413, "PAYLOAD_TOO_LARGE")
    assert answer.taken == 0


def test_a_body_that_streams_without_end_is_refused_at_the_limit(shared_house: House) -> None:
    headers = {"Authorization": f"Bearer {shared_house.landlord.full}", "Transfer-Encoding": "chunked"}
    pieces = itertools.repeat(b"x" * 4096)
    answer = knock(shared_house.app, "POST", "/api/v1/properties", headers=headers, pieces=pieces)
    assert_refused(answer, 413, "PAYLOAD_TOO_LARGE")
    assert answer.taken == LARGEST // 4096 + 1


@pytest.mark.parametrize("declared", ["5", "0"])
def test_a_length_that_is_not_true_is_not_believed(shared_house: House, declared: str) -> None:
    headers = {"Authorization": f"Bearer {shared_house.landlord.full}", "Content-Length": declared}
    pieces = itertools.repeat(b"x" * 4096)
    answer = knock(shared_house.app, "POST", "/api/v1/properties", headers=headers, pieces=pieces)
    assert_refused(answer, 413, "PAYLOAD_TOO_LARGE")


@pytest.mark.parametrize("declared", ["\xb2", "x", "", "-1"])
def test_a_length_that_is_no_number_is_400(shared_house: House, declared: str) -> None:
    headers = {"Authorization": f"Bearer {shared_house.landlord.full}", "Content-Length": declared}
    answer = knock(shared_house.app, "POST", "/api/v1/properties", headers=headers, pieces=[b"{}"])
    assert_refused(answer, 400, "INVALID_REQUEST")


def test_a_read_takes_no_notice_of_a_body(api: Api) -> None:
    assert api.request("GET", "/properties", content=padded(LARGEST + 1)).status_code == 200


# --- writes that take no body -----------------------------------------------------------------------------------------

WITHOUT_A_BODY = [operation for operation in THAT_WRITE if not operation.body]
NOTHING_IS_PAID_ONLINE = ("DELETE /account/online-payments", "POST /account/online-payments/forget-key")


def alone(operation: Operation) -> int:
    """Return the status of an operation's response in an empty account."""
    if named(operation) in NOTHING_IS_PAID_ONLINE:
        return 409
    return 404 if "{" in operation.path else 200


@pytest.mark.parametrize("operation", WITHOUT_A_BODY, ids=named)
@pytest.mark.parametrize("kind", [None, "application/json", "text/plain"])
def test_a_write_that_takes_no_body_may_come_without_one(api: Api, operation: Operation, kind: str | None) -> None:
    assert send(api, b"", operation, kind).status_code == alone(operation)


@pytest.mark.parametrize("operation", WITHOUT_A_BODY, ids=named)
def test_a_write_that_takes_no_body_may_come_with_an_object_without_fields(api: Api, operation: Operation) -> None:
    assert send(api, b"{}", operation).status_code == alone(operation)


@pytest.mark.parametrize("operation", WITHOUT_A_BODY, ids=named)
def test_fields_sent_to_a_write_that_takes_none_are_400_and_named(api: Api, operation: Operation) -> None:
    said = assert_refused(send(api, b'{"adress": "x"}', operation), 400, "INVALID_REQUEST")
    assert [problem["field"] for problem in said["details"]] == ["adress"]


@pytest.mark.parametrize("operation", WITHOUT_A_BODY, ids=named)
@pytest.mark.parametrize("body", [b"not json", b"[]", b"null", b'{"a": 1, "a": 1}'])
def test_what_is_no_object_is_400_where_no_body_is_taken(api: Api, operation: Operation, body: bytes) -> None:
    assert_refused(send(api, body, operation), 400, "MALFORMED_JSON")


@pytest.mark.parametrize("operation", WITHOUT_A_BODY, ids=named)
def test_too_much_or_another_type_is_refused_where_no_body_is_taken(api: Api, operation: Operation) -> None:
    assert_refused(send(api, padded(operation.most_bytes + 1), operation), 413, "PAYLOAD_TOO_LARGE")
    assert_refused(send(api, b"a=1", operation, "text/plain"), 415, "UNSUPPORTED_MEDIA_TYPE")


# --- 415 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", WITH_A_BODY, ids=named)
@pytest.mark.parametrize("kind", [None, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonx",
                                  "application/problem+json", "text/json", "json", "*/*"])  # fmt: skip
def test_a_body_that_does_not_say_it_is_json_is_415(api: Api, operation: Operation, kind: str | None) -> None:
    answer = send(api, json.dumps(operation.example).encode(), operation, kind)
    said = assert_refused(answer, 415, "UNSUPPORTED_MEDIA_TYPE")
    assert "application/json" in said["error"]


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=utf-8", "Application/JSON ;charset=UTF-8"]
)
def test_json_may_be_named_with_parameters_and_in_any_case(api: Api, kind: str) -> None:
    assert send(api, json.dumps(MAPLE).encode(), kind=kind).status_code == 201


# --- 400 MALFORMED_JSON ------------------------------------------------------------------------------------------------

SECRET = "s3cr3t-value"
MALFORMED = {
    "a duplicate key": b'{"name": "s3cr3t-value", "name": "s3cr3t-value"}',
    "a duplicate key further in": b'{"components": [{"percent": 1, "percent": 1}]}',
    "a key duplicated by an escape": b'{"name": 1, "n\\u0061me": 2}',
    "NaN": b'{"sqft": NaN}',
    "Infinity": b'{"sqft": -Infinity}',
    "a number that overflows": b'{"sqft": 1e400}',
    "a whole number that overflows": b'{"sqft": ' + b"9" * 310 + b"}",
    "a number without end": b'{"sqft": ' + b"1" * 5000 + b"}",
    "a NUL character": b'{"name": "s3cr3t-value\\u0000"}',
    "a NUL in a name": b'{"na\\u0000me": "s3cr3t-value"}',
    "a lone high surrogate": b'{"name": "s3cr3t-value\\ud800"}',
    "a lone low surrogate": b'{"name": "\\udfffs3cr3t-value"}',
    "nesting of 33": b'{"name": ' + b"[" * 32 + b"]" * 32 + b"}",
    "nesting without end": b"[" * 200_000,
    "a byte order mark": b'\xef\xbb\xbf{"name": "s3cr3t-value"}',
    "UTF-16": '{"name": "s3cr3t-value"}'.encode("utf-16"),
    "what is not UTF-8": b'{"name": "s3cr3t-value\xff"}',
    "a list": b'["s3cr3t-value"]',
    "a string": b'"s3cr3t-value"',
    "null": b"null",
    "nothing": b"",
    "blanks": b" \r\n",
    "half an object": b'{"name": "s3cr3t-value',
    "a comma too many": b'{"name": "s3cr3t-value",}',
    "two objects": b'{} {"name": "s3cr3t-value"}',
    "single quotes": b"{'name': 's3cr3t-value'}",
    "a bare control character": b'{"name": "s3cr3t-value\x01"}',
    "a comment": b'{} // "s3cr3t-value"',
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_what_is_not_json_is_400_and_not_repeated(api: Api, body: bytes) -> None:
    said = assert_refused(send(api, body), 400, "MALFORMED_JSON")
    assert SECRET not in said["error"]
    assert len(said["error"]) < 300


@pytest.mark.parametrize("operation", WITH_A_BODY, ids=named)
def test_every_operation_reads_its_body_as_strictly(api: Api, operation: Operation) -> None:
    for body in MALFORMED.values():
        assert_refused(send(api, body, operation), 400, "MALFORMED_JSON")


def test_nesting_of_32_is_json_like_any_other(api: Api) -> None:
    body = b'{"name": ' + b"[" * 31 + b"]" * 31 + b"}"
    assert_refused(send(api, body), 400, "INVALID_REQUEST")


# --- 400 INVALID_REQUEST -----------------------------------------------------------------------------------------------


def names_of(into: type) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(into)]


@pytest.mark.parametrize("operation", WITH_A_BODY, ids=named)
def test_unknown_fields_are_named_all_of_them_at_once(api: Api, operation: Operation) -> None:
    body = operation.example | {"colour": SECRET, "Name": SECRET, "": SECRET, "x" * 100: SECRET}
    answer = api.request(operation.method, address(operation), body)
    said = assert_refused(answer, 400, "INVALID_REQUEST")
    assert [detail["field"] for detail in said["details"]] == ["colour", "Name", "", "x" * 63 + "…"]
    assert said["error"] == said["details"][0]["message"]
    assert SECRET not in answer.text


@pytest.mark.parametrize("sent", [{}, [], True, 1.5, "", "\u0007", SECRET * 200])
@pytest.mark.parametrize("operation", WITH_A_BODY, ids=named)
def test_every_field_of_the_wrong_kind_is_a_detail_and_no_value_is_repeated(
    api: Api, operation: Operation, sent: Any
) -> None:
    body = dict.fromkeys(names_of(operation.body), sent)
    answer = api.request(operation.method, address(operation), body)
    said = assert_refused(answer, 400, "INVALID_REQUEST")
    fields = [detail["field"] for detail in said["details"]]
    assert fields == [name for name in body if name in fields], "each once, in the order sent"
    assert all(f"`{detail['field']}`" in detail["message"] for detail in said["details"])
    assert SECRET not in answer.text
    if sent == {}:  # fits no field but an object
        assert fields == [name for name in body if name != "at"]


REQUIRED = {
    "/properties": ["name", "streetNumber", "street", "city", "state", "zip", "country"],
    "/properties/{propertyId}/units": ["label"],
    "/units/{unitId}/tenants": ["name"],
    "/properties/{propertyId}/sharerules": ["splitMethod", "utilityType"],
    "/sharerules/{ruleId}": ["splitMethod"],
    "/invoices/{id}/payments": ["amount", "method"],
    "/split-methods": ["name", "components"],
    "/split-methods/{id}": ["name", "components"],
    "/webhook-endpoints": ["url"],
    "/invoices/{id}/disputes": ["chargeId", "amount", "text"],
    "/disputes/{id}/answer": ["text"],
    "/disputes/{id}/resolve": ["by"],
    "/properties/{propertyId}/corrections": ["months", "place"],
    "/previews": ["requests"],
    "/bulk": ["requests"],
    "/account/online-payments": ["provider"],
    "/account/online-payments/address": ["provider"],
    "/properties/{propertyId}/months/{month}/send": ["mark"],
    "/invoice-changes": ["verb", "invoiceIds"],
    "/questions/{id}/reply": ["text"],
    "/invoices/{id}/charges": ["description", "amount"],
    "/payment-files/{id}/columns": ["headerLine", "columns"],
    "/payment-files/{id}/record": [],
    "/payment-files/{id}/same": ["line"],
    "/payment-files/{id}/aside": ["lines"],
    "/comparisons": ["charges"],
    "/properties/{propertyId}/months/{month}/comparison": ["charges"],
    "/properties/{propertyId}/announcements": ["change"],
    "/charge-files": ["system", "month"],
    "/charge-names": ["system", "names"],
    "/charge-names/proposed": ["system", "propertyId"],
    "/keys": ["name", "permission"],
    "/invitations": ["email", "role"],
    "/jobs/retry-failed": ["kind"],
    "/payment-messages/decide": ["provider", "id", "reason"],
    "/properties/{propertyId}/bills": ["issuerName", "totalAmountDue", "billDate", "lines"],
    "/bills/{id}/correct": ["totalAmountDue", "lines"],
    "/bills/{id}/flags/accept": ["reason", "mark"],
    "/bills/flags/accept": ["reason", "bills"],
    "/properties/{propertyId}/months/{month}/unusual-amounts/accept": ["billIds", "reason"],
    "/documents/{id}/confirm": ["issuerName", "totalAmountDue", "billDate", "lines", "propertyId"],
    "/documents/{id}/teach": ["issuerName", "totalAmountDue", "billDate", "lines"],
    "/bills/{id}/settle": [],
    "/bills/{id}/flags/{number}/accept": ["reason", "mark"],
}


@pytest.mark.parametrize("operation", [one for one in WITH_A_BODY if one.method in {"POST", "PUT"}], ids=named)
def test_required_fields_are_required_and_no_others(api: Api, operation: Operation) -> None:
    answer = api.request(operation.method, address(operation), {})
    if not REQUIRED[operation.path]:
        assert answer.status_code == 404, "the body says enough; the record is not there"
        return
    said = assert_refused(answer, 400, "INVALID_REQUEST")
    assert [detail["field"] for detail in said["details"]] == REQUIRED[operation.path]
    assert all(detail["message"].endswith("is required.") for detail in said["details"])


@pytest.mark.parametrize(
    "operation", [one for one in WITH_A_BODY if one.method == "POST" and REQUIRED[one.path]], ids=named
)
def test_null_is_no_value_for_a_required_field(api: Api, operation: Operation) -> None:
    body = dict.fromkeys(REQUIRED[operation.path])
    said = assert_refused(api.request(operation.method, address(operation), body), 400, "INVALID_REQUEST")
    assert [detail["field"] for detail in said["details"]] == REQUIRED[operation.path]


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_unknown_parameters_are_named_on_every_operation(api: Api, operation: Operation) -> None:
    query = f"colour={SECRET}&PAGE={SECRET}&colour={SECRET}&={SECRET}"
    answer = api.request(operation.method, f"{address(operation).partition('?')[0]}?{query}", **sent_to(operation))
    said = assert_refused(answer, 400, "INVALID_REQUEST")
    asked = msgspec.structs.fields(operation.query) if operation.query else ()
    needed = {field.encode_name for field in asked if field.required}
    assert {detail["field"] for detail in said["details"]} == {"colour", "PAGE", "", *needed}
    assert SECRET not in answer.text


@pytest.mark.parametrize("query", ["page=%ff", "page=1&page=2", "%00=1", "&".join(["a=1"] * 51), "page=\xff", "page"])
def test_a_query_that_cannot_be_read_is_400(shared_house: House, query: str) -> None:
    headers = {"Authorization": f"Bearer {shared_house.landlord.full}"}
    answer = knock(shared_house.app, "GET", "/api/v1/properties", headers=headers, query=query.encode("latin-1"))
    assert_refused(answer, 400, "INVALID_REQUEST")


def test_an_answer_lists_at_most_100_problems(api: Api) -> None:
    answer = send(api, json.dumps({f"field{number}": 1 for number in range(5000)}).encode())
    assert len(assert_refused(answer, 400, "INVALID_REQUEST")["details"]) == 100
