"""Tests of ETag, If-None-Match and If-Match (RFC 9110 section 13)."""

import re
from typing import Any

import httpx
import pytest

from prorata.web.http.operations import Operation, records
from tests.web.addresses import OPERATIONS, WITH_AN_ID, address, assert_refused, kind_of, named, sent_to
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish

SINGLE_READS = [one for one in OPERATIONS if one.is_single_read]
DELETED_LAST = (
    "PATCH",
    "PUT",
    "DELETE /sharerules",
    "DELETE /split-methods",
    "DELETE /tenants",
    "DELETE /units",
    "DELETE",
)
CHANGES = sorted(
    (one for one in WITH_AN_ID if one.method in {"PATCH", "PUT", "DELETE"} and one.path.count("{") == 1),
    key=lambda one: next(at for at, begin in enumerate(DELETED_LAST) if named(one).startswith(begin)),
)
"""The operations that change a record, with child records deleted before their parents."""
BODIES: dict[str, Any] = {
    "PATCH /properties/{id}": {"name": "Elm House"},
    "PUT /sharerules/{ruleId}": {"splitMethod": "CUSTOM", "customWeightsJson": '{"1": 3}'},
}
CHANGES_OF_READABLE = [one for one in CHANGES if kind_of(one) != "split method"]


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def read(made: Furnished, operation: Operation, condition: str | None = None) -> httpx.Response:
    headers = {} if condition is None else {"If-None-Match": condition}
    return made.api.get(address(operation, made.ids[kind_of(operation)]), headers=headers)


@pytest.mark.thorough
def test_a_single_read_carries_a_tag_and_is_304_to_who_has_it(made: Furnished) -> None:
    for operation in SINGLE_READS:
        answer = read(made, operation)
        tag = answer.headers["etag"]
        assert re.fullmatch(r'"[0-9a-f]{24}"', tag)
        unchanged = read(made, operation, tag)
        assert (unchanged.status_code, unchanged.content, unchanged.headers["etag"]) == (304, b"", tag)
        assert unchanged.headers["x-request-id"]
        assert read(made, operation, '"x"').content == answer.content


def test_a_condition_names_a_tag_as_the_rfc_lets_it(made: Furnished) -> None:
    operation = SINGLE_READS[0]
    answer = read(made, operation)
    tag = answer.headers["etag"]
    for condition in (f"W/{tag}", f'"x", {tag}', f'"x",W/"y" ,W/{tag}', "*", f"  {tag} "):
        assert read(made, operation, condition).status_code == 304
    for condition in ('W/"x"', tag.strip('"'), tag.upper(), '""', ""):
        assert read(made, operation, condition).content == answer.content


@pytest.mark.thorough
def test_lists_carry_no_tag(made: Furnished) -> None:
    for operation in OPERATIONS:
        if operation.method == "GET" and operation not in SINGLE_READS:
            answer = read(made, operation, "*")
            has_asked = answer.status_code == 200 or "`system` is required" in answer.text
            assert (has_asked, "etag" in answer.headers) == (True, False), operation.path


def send(made: Furnished, operation: Operation, condition: str, ids: dict[str, str]) -> httpx.Response:
    body: Any = BODIES.get(named(operation), operation.example) if operation.body else None
    headers = {"If-Match": condition}
    return made.api.request(operation.method, address(operation, ids[kind_of(operation)]), body, headers=headers)


def everything(made: Furnished, ids: dict[str, str]) -> list[bytes]:
    reads = [address(one, ids[kind_of(one)]) for one in OPERATIONS if one.method == "GET" and not one.is_long]
    return [made.api.get(path).content for path in reads]


def test_a_change_of_a_record_that_has_changed_is_412_and_changes_nothing(made: Furnished) -> None:
    ids = dict(made.ids)
    before = everything(made, ids)
    for operation in CHANGES:
        for condition in ('"x"', 'W/"x"', '"x", "y"', "x", ""):
            assert_refused(send(made, operation, condition, ids), 412, "PRECONDITION_FAILED")
    assert everything(made, ids) == before


def test_a_weak_tag_never_matches_for_a_change(made: Furnished) -> None:
    ids = dict(made.ids)
    before = everything(made, ids)
    for operation in CHANGES_OF_READABLE:
        tag = made.api.get(address(operation, ids[kind_of(operation)])).headers["etag"]
        for condition in (f"W/{tag}", f'W/{tag}, "x"'):
            assert_refused(send(made, operation, condition, ids), 412, "PRECONDITION_FAILED")
    assert everything(made, ids) == before


def test_a_change_of_what_was_read_is_made_and_the_tag_is_another(made: Furnished) -> None:
    ids = dict(made.ids)
    for operation in CHANGES_OF_READABLE:
        path = address(operation, ids[kind_of(operation)])
        tag = made.api.get(path).headers["etag"]
        assert send(made, operation, f'"x", {tag}', ids).status_code in {200, 204}, path
        if operation.method != "DELETE":
            assert made.api.get(path).headers["etag"] != tag
            assert_refused(send(made, operation, tag, ids), 412, "PRECONDITION_FAILED")


def test_a_star_matches_whatever_is_there(made: Furnished) -> None:
    ids = dict(made.ids)
    assert [send(made, operation, "*", ids).is_success for operation in CHANGES] == [True] * len(CHANGES)


def test_of_two_who_change_what_they_read_the_second_is_told(made: Furnished) -> None:
    path = f"/units/{made.units['1']}"
    tag = made.api.get(path).headers["etag"]
    assert made.api.patch(path, {"sqft": 500}, headers={"If-Match": tag}).status_code == 200
    assert_refused(made.api.patch(path, {"sqft": 600}, headers={"If-Match": tag}), 412, "PRECONDITION_FAILED")
    assert made.api.get(path).json()["sqft"] == 500


@pytest.mark.thorough
def test_a_post_is_412_if_its_record_is_another_version_or_it_has_none(made: Furnished) -> None:
    ids, on_a_record = dict(made.ids), set()
    posts = [one for one in OPERATIONS if one.method == "POST" and not one.only_reads]
    addresses = {one.path: re.sub(r"{(?:payment|delivery)Id}", "x", address(one, ids[kind_of(one)])) for one in posts}
    before = everything(made, ids)
    for operation in posts:
        its = records()[operation.name].of
        on_a_record |= {operation.path} if its else set()
        for condition in ('"x"',) if its else ('"x"', "*"):
            answer = made.api.request(
                "POST", addresses[operation.path], **sent_to(operation), headers={"If-Match": condition}
            )
            assert_refused(answer, 412, "PRECONDITION_FAILED")
    assert everything(made, ids) == before
    assert on_a_record == {
        one.path for one in posts if "{" in one.path or one.path.startswith(("/account/", "/inbox-"))
    }


def test_a_post_on_what_was_read_is_made_once_and_repeated_under_its_key(made: Furnished) -> None:
    path = f"/invoices/{made.invoice()['id']}"
    charge = {"description": "Key", "amount": "5.00"}
    headers = {"If-Match": made.api.get(path).headers["etag"], "Idempotency-Key": "one"}
    first = made.api.post(f"{path}/charges", charge, headers=headers)
    assert first.status_code == 201
    again = made.api.post(f"{path}/charges", charge, headers=headers)
    assert (again.content, again.headers["idempotency-replayed"]) == (first.content, "true")
    other = made.api.post(f"{path}/charges", charge, headers=headers | {"Idempotency-Key": "two"})
    assert_refused(other, 412, "PRECONDITION_FAILED")
    assert [one["description"] for one in made.api.get(path).json()["customCharges"]] == ["Key"]


def test_a_unit_s_tag_changes_with_its_tenants(made: Furnished) -> None:
    path = f"/units/{made.units['1']}"
    tag = made.api.get(path).headers["etag"]
    made.api.patch(f"/tenants/{made.tenant_id}", {"name": "Ann Jones"})
    assert made.api.get(path, headers={"If-None-Match": tag}).status_code == 200
