"""Other accounts' records get the same answers as records that do not exist.

This holds for every operation of the OpenAPI document.
"""

import re
from typing import Any

import httpx
import pytest

from tests.web.addresses import PREFIXES, unknown_id
from tests.web.conftest import House
from tests.web.furnished import Furnished, blend_named, furnish

KINDS = {
    "properties": "property",
    "units": "unit",
    "tenants": "tenant",
    "sharerules": "share rule",
    "split-methods": "split method",
    "invoices": "invoice",
    "utility-bills": "utility bill",
    "bills": "utility bill",
    "webhook-endpoints": "webhook endpoint",
    "disputes": "dispute",
    "invoice-changes": "change of invoices",
    "documents": "document",
    "questions": "question",
    "members": "member",
    "invitations": "invitation",
    "keys": "API key",
    "jobs": "job",
    "payment-files": "payments file",
    "charge-files": "charge file",
    "bulk": "bulk",
    "incoming-mail": "message",
}
_ID = re.compile(
    r"\b(?:acct|key|job|hook|member|link|prop|unit|tenant|rule|split|inv|bill|chg|cchg|ask|bulk|batch|doc|pfile|cexp|incoming)"
    r"_[0-9a-z]{26}\b"
)
WAYS: list[dict[str, str]] = [
    {},
    {"If-Match": '"x"'},
    {"If-Match": "*"},
    {"If-None-Match": "*"},
    {"Idempotency-Key": "{}"},
]
"""Headers that a request may carry; {} stands for its path, as a key belongs to one request."""


@pytest.fixture
def both(house: House) -> tuple[Furnished, Furnished]:
    """Furnished properties of two accounts, with the same names."""
    return furnish(house), furnish(house, house.stranger)


def operations(house: House) -> list[tuple[str, str, dict[str, Any]]]:
    paths = house.client.get("/api/v1/openapi.json").json()["paths"]
    return [
        (method.upper(), path, described) for path, methods in paths.items() for method, described in methods.items()
    ]


def body_of(described: dict[str, Any]) -> dict[str, Any]:
    content = described.get("requestBody", {}).get("content", {})
    if "multipart/form-data" in content:
        return {"files": {"file": ("bill.pdf", b"%PDF-1.7 of a test")}}
    return {"json": content["application/json"]["example"]} if content else {}


def everything(made: Furnished) -> dict[str, httpx.Response]:
    """The responses of all lists and single reads of an account."""
    lists = [
        "/properties",
        f"/properties/{made.property_id}/units",
        f"/properties/{made.property_id}/sharerules",
        f"/units/{made.units['1']}/tenants",
        "/split-methods",
        "/invoices?details=true",
        "/utility-bills",
        "/bills",
        "/units",
        "/tenants",
        "/sharerules",
        "/payments",
        "/audit-log?limit=100",
        "/events",
        "/webhook-endpoints",
        "/disputes",
        "/documents",
        "/months?details=true",
        "/invoice-changes",
        "/questions",
        "/attention",
        "/payment-messages",
        "/payment-files",
        "/members",
        "/invitations",
        "/keys",
        "/jobs",
        "/incoming-mail",
        "/inbox-settings",
    ]
    singles = [f"/{path}/{made.ids[kind]}" for path, kind in KINDS.items() if kind != "split method"]
    return {path: made.api.get(path) for path in lists + singles}


def test_every_operation_answers_for_a_stranger_s_id_as_for_one_that_nobody_has(
    both: tuple[Furnished, Furnished],
) -> None:
    mine, theirs = both
    before = {path: answer.content for path, answer in everything(theirs).items()}
    ids, asked = dict(theirs.ids), 0
    for method, path, described in operations(mine.house):
        if "{" not in path:
            continue
        kind = KINDS[path.split("/")[1]]
        for headers in WAYS:
            answers = [
                mine.api.request(
                    method, to, headers={n: v.format(to) for n, v in headers.items()}, **body_of(described)
                )
                for to in (re.sub(r"{\w+}", one, path) for one in (ids[kind], unknown_id(kind)))
            ]
            assert {answer.status_code for answer in answers} == {404}, (method, path, headers)
            assert answers[0].content == answers[1].content
            assert answers[0].json()["code"] == kind.upper().replace(" ", "_") + "_NOT_FOUND"
            assert set(answers[0].headers) == set(answers[1].headers)
            asked += 1
    assert asked >= 20 * len(WAYS)
    assert {path: answer.content for path, answer in everything(theirs).items()} == before


def test_every_list_and_read_of_mine_holds_no_id_of_theirs(both: tuple[Furnished, Furnished]) -> None:
    mine, theirs = ({*_ID.findall(" ".join(answer.text for answer in everything(one).values()))} for one in both)
    assert not mine & theirs
    assert {one.split("_")[0] for one in mine} == {*PREFIXES.values(), "chg", "acct"}
    for path in ("/properties", "/invoices", "/utility-bills", "/bills"):
        mine_counted, theirs_counted = (one.api.get(path).json()["pagination"]["total"] for one in both)
        assert mine_counted == theirs_counted


def test_filters_that_name_a_stranger_s_records_find_nothing(both: tuple[Furnished, Furnished]) -> None:
    mine, theirs = both
    nothing = mine.api.get(f"/invoices?propertyId={unknown_id('property')}").content
    for query in (f"propertyId={theirs.property_id}", f"unitId={theirs.units['1']}",
                  f"propertyId={mine.property_id}&unitId={theirs.units['1']}",
                  f"propertyId={theirs.property_id}&unitId={mine.units['1']}",
                  f"propertyId={theirs.property_id}&month=2026-03&status=DRAFT&details=true"):  # fmt: skip
        assert mine.api.get(f"/invoices?{query}").content == nothing


def test_bodies_that_name_a_stranger_s_records_are_refused_as_for_unknown_ones(
    both: tuple[Furnished, Furnished],
) -> None:
    mine, theirs = both
    for method, path in (("PATCH", f"/sharerules/{mine.rule_id}"), ("PUT", f"/sharerules/{mine.rule_id}"),
                         ("POST", f"/properties/{mine.property_id}/sharerules")):  # fmt: skip
        body = {"splitMethod": "EQUAL"} | ({"utilityType": "GAS"} if method == "POST" else {})
        answers = [mine.api.request(method, path, body | {"splitMethodId": one})
                   for one in (theirs.split_method_id, unknown_id("split method"))]  # fmt: skip
        assert [answer.status_code for answer in answers] == [400, 400]
        assert answers[0].content == answers[1].content


def test_two_accounts_may_give_their_records_the_same_names(both: tuple[Furnished, Furnished]) -> None:
    mine, theirs = both
    numbers = [[invoice["invoiceNumber"] for invoice in one.invoices()] for one in both]
    assert numbers[0] == numbers[1]
    for one in both:
        assert one.api.post("/split-methods", blend_named("Ours")).status_code == 201
    assert mine.api.get("/split-methods").json()[-1]["id"] != theirs.split_method_id
