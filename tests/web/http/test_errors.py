"""Tests of 401, 403, 404 and 405, and of the common form of all errors."""

import pytest

from prorata.web.http.operations import PDF, Operation
from tests.web.addresses import OPERATIONS, THAT_WRITE, WITH_AN_ID, address, assert_refused, kind_of, named, sent_to
from tests.web.conftest import Api, House
from tests.web.knocking import knock

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")
PATHS = sorted({operation.path for operation in OPERATIONS})
NOWHERE = ("", "/", "/nowhere", "/properties/x/y/z", "/v1", "/v1/v1/properties", "/rooms", "/people", "/rules")


@pytest.fixture
def api(shared_house: House) -> Api:
    return shared_house.api


# --- 401 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_every_operation_asks_for_a_key(shared_house: House, operation: Operation) -> None:
    answer = shared_house.client.request(operation.method, "/api/v1" + address(operation))
    assert_refused(answer, 401, "UNAUTHORIZED")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("path", NOWHERE)
@pytest.mark.parametrize("method", METHODS)
def test_without_a_key_every_path_of_the_api_is_401_whether_it_exists_or_not(
    shared_house: House, method: str, path: str
) -> None:
    answer = knock(shared_house.app, method, "/api/v1" + path)
    assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize(
    "sent", ["", "Bearer", "Bearer ", "Basic {key}", "{key}", "Token {key}", "Bearer {key}x", "Bearer x{key}",
             "Bearer {key} {key}", "Bearer nonsense", "Bearer \xe9", "Bearer pro_live_" + "0" * 39],
)  # fmt: skip
def test_what_is_not_a_live_key_is_401(shared_house: House, sent: str) -> None:
    authorization = sent.replace("{key}", shared_house.landlord.full)
    answer = knock(shared_house.app, "GET", "/api/v1/properties", headers={"Authorization": authorization})
    said = assert_refused(answer, 401, "UNAUTHORIZED")
    assert shared_house.landlord.full not in said["error"]


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER  "])
def test_the_scheme_of_the_header_is_read_without_regard_to_case(shared_house: House, scheme: str) -> None:
    headers = {"Authorization": scheme + shared_house.landlord.full}
    assert knock(shared_house.app, "GET", "/api/v1/properties", headers=headers).status == 200


@pytest.mark.parametrize(
    "path", ["//api/v1/properties", "/api//v1/properties", "/api/v1//properties/", "/api/v1/v1/properties"]
)
def test_no_way_of_writing_a_path_goes_around_the_door(shared_house: House, path: str) -> None:
    assert_refused(knock(shared_house.app, "GET", path), 401, "UNAUTHORIZED")
    headers = {"Authorization": f"Bearer {shared_house.landlord.full}"}
    assert knock(shared_house.app, "GET", path, headers=headers).status == 200


@pytest.mark.parametrize(
    "path", ["/health", "/ready", "/metrics", "/docs", "/api/v1/openapi.json", "/api/v1/v1/openapi.json"]
)
def test_what_a_machine_or_a_reader_asks_needs_no_key(shared_house: House, path: str) -> None:
    answer = shared_house.client.get(path)
    assert answer.status_code == 200
    assert answer.headers["x-request-id"]


# --- 403 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", [one for one in THAT_WRITE if not one.only_reads], ids=named)
def test_a_key_that_may_only_read_changes_nothing(shared_house: House, operation: Operation) -> None:
    reader = Api(shared_house.client, shared_house.landlord.read)
    answer = reader.request(operation.method, address(operation), **sent_to(operation))
    said = assert_refused(answer, 403, "INSUFFICIENT_PERMISSIONS")
    assert "FULL" in said["error"]


def asked(operation: Operation) -> tuple[str, ...]:
    """The query parameters of an operation."""
    return operation.query.__struct_fields__ if operation.query else ()


@pytest.mark.parametrize(
    "operation",
    [
        one
        for one in OPERATIONS
        if one.method == "GET"
        and "{" not in one.path
        and one.permission == "READ"
        and one.media != PDF
        and "system" not in asked(one)
    ],
    ids=named,
)
def test_a_key_that_may_only_read_reads(shared_house: House, operation: Operation) -> None:
    reader = Api(shared_house.client, shared_house.landlord.read)
    assert reader.get(operation.path).status_code == 200


# --- 404 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", NOWHERE)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])
def test_an_unknown_route_is_404_for_every_method(api: Api, method: str, path: str) -> None:
    assert_refused(api.request(method, path), 404, "NOT_FOUND")


@pytest.mark.parametrize(
    "path", ["/", "/nowhere", "/api", "/api/v2/properties", "/api/v1x", "/%00", "/\udcff", "/favicon.ico"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_outside_the_api_an_unknown_route_is_404_in_the_same_shape(shared_house: House, method: str, path: str) -> None:
    assert_refused(knock(shared_house.app, method, path), 404, "NOT_FOUND")


MALFORMED = (
    "x",
    "0",
    "null",
    "Equal",
    "prop_",
    "%00",
    "%F0%9F%8F%A0",
    "..%20",
    "unit_" + "z" * 26,
    "inv_" + "0" * 25,
    "x" * 4000,
)


@pytest.mark.parametrize("operation", WITH_AN_ID, ids=named)
def test_a_malformed_id_is_answered_byte_for_byte_as_an_unknown_one(api: Api, operation: Operation) -> None:
    unknown = api.request(operation.method, address(operation), **sent_to(operation))
    code = kind_of(operation).upper().replace(" ", "_") + "_NOT_FOUND"
    assert_refused(unknown, 404, code)
    for sent in MALFORMED:
        malformed = api.request(operation.method, address(operation, sent), **sent_to(operation))
        assert (malformed.status_code, malformed.content) == (404, unknown.content), sent


def test_an_id_in_other_letters_is_an_unknown_one(api: Api, shared_house: House) -> None:
    account_id = shared_house.landlord.account_id
    assert api.get(f"/properties/{account_id}").json()["code"] == "PROPERTY_NOT_FOUND"
    assert api.get(f"/units/{account_id.upper()}").json()["code"] == "UNIT_NOT_FOUND"


# --- 405 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS)
def test_a_method_that_a_path_does_not_take_is_405_and_says_which_it_takes(api: Api, path: str) -> None:
    taken = {operation.method for operation in OPERATIONS if operation.path == path}
    taken |= {"HEAD"} if "GET" in taken else set()
    for method in sorted(set(METHODS) - taken):
        answer = api.request(method, path.replace("{", "").replace("}", ""))
        assert set(answer.headers["allow"].split(", ")) == taken
        if method != "HEAD":
            assert_refused(answer, 405, "METHOD_NOT_ALLOWED")


@pytest.mark.parametrize("path", ["/health", "/ready", "/metrics", "/docs", "/api/v1/openapi.json"])
def test_what_needs_no_key_is_405_for_other_methods(shared_house: House, path: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        answer = shared_house.client.request(method, path)
        assert_refused(answer, 405, "METHOD_NOT_ALLOWED")
        assert answer.headers["allow"] == "GET, HEAD"


def test_head_is_get_without_the_body(api: Api) -> None:
    read, asked = api.get("/properties"), api.request("HEAD", "/properties")
    assert (asked.status_code, asked.content) == (200, b"")
    assert asked.headers["content-length"] == read.headers["content-length"] == str(len(read.content))


# --- every answer ------------------------------------------------------------------------------------------------------


def test_a_plain_request_id_of_the_client_is_kept(api: Api) -> None:
    for sent in ("12345678", "a" * 64, "3f2c-11.9_x"):
        assert api.get("/properties", headers={"X-Request-Id": sent}).headers["x-request-id"] == sent


@pytest.mark.parametrize("sent", ["", "short", "a" * 65, "with space in it", "<script>alert</script>", "line\tbreak12"])
def test_any_other_request_id_is_replaced(api: Api, sent: str) -> None:
    given = api.get("/properties", headers={"X-Request-Id": sent}).headers.get_list("x-request-id")
    assert len(given) == 1
    assert given[0] != sent
    assert len(given[0]) == 24


def test_two_requests_have_two_ids(api: Api) -> None:
    assert api.get("/properties").headers["x-request-id"] != api.get("/properties").headers["x-request-id"]
